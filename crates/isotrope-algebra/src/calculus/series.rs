//! Taylor series in one variable, to any order, with expressions as coefficients.

use crate::functions::{Function, SeriesRule};
use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, OutOfBudget, Rational};

/// Why there is no Taylor series.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeriesError {
    /// A pole, a branch point or a kink at the point of expansion.
    #[error("the expression is not analytic at the point of expansion")]
    NotAnalytic {
        /// The subexpression that is singular there.
        at: ExprId,
    },
    /// The series is too large.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// Coefficients, the constant one first.
pub(crate) type Series = Vec<ExprId>;

/// A series, or why there is none.
pub(crate) type SeriesResult = Result<Series, SeriesError>;

/// The coefficients `c_0 ... c_order` of the Taylor series of `expression` in `variable` at 0.
///
/// ```
/// use isotrope_algebra::{Budget, Function, Pool, calculus::series};
/// let mut pool = Pool::new();
/// let h = pool.symbol("h");
/// let sine = pool.call(Function::Sin, h);
/// let coefficients = series(&mut pool, sine, h, 3, &mut Budget::new(1000)).unwrap();
/// assert_eq!(coefficients[3], pool.ratio(-1, 6));
/// ```
pub fn series(
    pool: &mut Pool,
    expression: ExprId,
    variable: ExprId,
    order: usize,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, SeriesError> {
    let mut image = vec![ExprId::ZERO; order + 1];
    if order > 0 {
        image[1] = ExprId::ONE;
    }
    Expander { order, root: expression, budget }.expand(pool, &[(variable, image)])
}

/// Expands one expression.
pub(crate) struct Expander<'b> {
    order: usize,
    /// The expression whose nodes have the slots of the last walk.
    root: ExprId,
    budget: &'b mut Budget,
}

impl Expander<'_> {
    /// The series of the root, given those of some symbols; what contains none is constant.
    fn expand(&mut self, pool: &mut Pool, symbols: &[(ExprId, Series)]) -> SeriesResult {
        let nodes = pool.walk(&[self.root]);
        // Slots hold until the next walk: after another walk in between, this one is repeated.
        let mut images: Vec<Option<Series>> = Vec::with_capacity(nodes.len());
        for &id in &nodes {
            self.budget.spend(1, "expanding in a series")?;
            if let Some((_, image)) = symbols.iter().find(|(symbol, _)| *symbol == id) {
                images.push(Some(image.clone()));
                continue;
            }
            let mut constant = true;
            pool.for_each_child(id, |child| constant &= images[pool.slot(child)].is_none());
            let image = if constant { None } else { Some(self.node(pool, id, &images)?) };
            images.push(image);
        }
        let slot = pool.slot(self.root);
        Ok(match images.swap_remove(slot) {
            Some(image) => image,
            None => self.constant(self.root),
        })
    }

    /// The series of a constant.
    pub(crate) fn constant(&self, value: ExprId) -> Series {
        let mut image = vec![ExprId::ZERO; self.order + 1];
        image[0] = value;
        image
    }

    fn image(&self, pool: &Pool, id: ExprId, images: &[Option<Series>]) -> Series {
        images[pool.slot(id)].clone().unwrap_or_else(|| self.constant(id))
    }

    fn node(
        &mut self,
        pool: &mut Pool,
        id: ExprId,
        images: &[Option<Series>],
    ) -> Result<Series, SeriesError> {
        match pool.node(id) {
            Node::Sum(pairs) => {
                let pairs: Vec<_> = pairs.iter().collect();
                let terms: Vec<_> =
                    pairs.iter().map(|&(term, c)| (self.image(pool, term, images), c)).collect();
                Ok((0..=self.order)
                    .map(|k| {
                        let parts: Vec<_> = terms.iter().map(|(s, c)| (s[k], *c)).collect();
                        pool.sum_of_scaled(&parts)
                    })
                    .collect())
            }
            Node::Product(pairs) => {
                let pairs: Vec<_> = pairs.iter().collect();
                let mut result = self.constant(ExprId::ONE);
                for (base, exponent) in pairs {
                    let power = self.power(pool, id, base, exponent, images)?;
                    result = self.multiply(pool, &result, &power)?;
                }
                Ok(result)
            }
            Node::Call(function, argument) => {
                let argument = self.image(pool, argument, images);
                self.call(pool, id, function, &argument)
            }
            Node::Atan2(y, x) => {
                // d atan2(y, x) = (x dy - y dx)/(x^2 + y^2)
                let (y, x) = (self.image(pool, y, images), self.image(pool, x, images));
                let (dy, dx) = (self.derive(pool, &y), self.derive(pool, &x));
                let first = self.multiply(pool, &x, &dy)?;
                let second = self.multiply(pool, &y, &dx)?;
                let numerator = self.subtract(pool, &first, &second);
                let (xx, yy) = (self.multiply(pool, &x, &x)?, self.multiply(pool, &y, &y)?);
                let norm = self.add(pool, &xx, &yy);
                let rate = self.divide(pool, id, &numerator, &norm)?;
                let start = pool.atan2(y[0], x[0]);
                Ok(self.integrate(pool, start, &rate))
            }
            Node::System(_) => Ok(self.constant(id)),
            Node::Solution { system, index } => self.solution(pool, system, index, images),
            _ => Ok(self.constant(id)),
        }
    }

    /// The product of two series.
    pub(crate) fn multiply(
        &mut self,
        pool: &mut Pool,
        a: &[ExprId],
        b: &[ExprId],
    ) -> Result<Series, OutOfBudget> {
        self.budget.spend((a.len() * b.len()) as u64, "multiplying series")?;
        Ok((0..=self.order)
            .map(|k| {
                let parts: Vec<_> = (0..=k)
                    .filter(|&i| !a[i].is_zero() && !b[k - i].is_zero())
                    .map(|i| (a[i], b[k - i]))
                    .collect();
                let parts: Vec<_> = parts.into_iter().map(|(x, y)| pool.mul(x, y)).collect();
                pool.sum(&parts)
            })
            .collect())
    }

    /// The quotient of two series; not analytic where the divisor vanishes.
    pub(crate) fn divide(
        &mut self,
        pool: &mut Pool,
        at: ExprId,
        a: &[ExprId],
        b: &[ExprId],
    ) -> Result<Series, SeriesError> {
        if b[0].is_zero() {
            return Err(SeriesError::NotAnalytic { at });
        }
        let inverse = pool.powi(b[0], -1);
        let mut quotient: Series = Vec::with_capacity(self.order + 1);
        for k in 0..=self.order {
            self.budget.spend(k as u64 + 1, "dividing series")?;
            let mut parts = vec![a[k]];
            for i in 0..k {
                let part = pool.mul(quotient[i], b[k - i]);
                parts.push(pool.neg(part));
            }
            let sum = pool.sum(&parts);
            quotient.push(pool.mul(sum, inverse));
        }
        Ok(quotient)
    }

    fn power(
        &mut self,
        pool: &mut Pool,
        at: ExprId,
        base: ExprId,
        exponent: ExprId,
        images: &[Option<Series>],
    ) -> Result<Series, SeriesError> {
        if images[pool.slot(exponent)].is_some() {
            // b^e = exp(e log b)
            let (b, e) = (self.image(pool, base, images), self.image(pool, exponent, images));
            let logarithm = self.call(pool, at, Function::Log, &b)?;
            let product = self.multiply(pool, &e, &logarithm)?;
            return self.call(pool, at, Function::Exp, &product);
        }
        let Some(u) = images[pool.slot(base)].clone() else {
            let value = pool.power(base, exponent);
            return Ok(self.constant(value));
        };
        self.constant_power(pool, at, &u, exponent)
    }

    /// `u^e` by the recurrence of `u y' = e u' y` when `u_0 != 0`, otherwise after
    /// dividing by the leading power of the variable.
    pub(crate) fn constant_power(
        &mut self,
        pool: &mut Pool,
        at: ExprId,
        u: &[ExprId],
        exponent: ExprId,
    ) -> Result<Series, SeriesError> {
        let valuation = u.iter().position(|c| !c.is_zero());
        let integer = pool.as_number(exponent).and_then(Rational::as_integer);
        match (valuation, integer) {
            (Some(0), _) => {}
            (None, Some(n)) if n > 0 => return Ok(self.constant(ExprId::ZERO)),
            (Some(v), Some(n)) if n > 0 => {
                let shift =
                    usize::try_from(n).ok().and_then(|n| n.checked_mul(v)).unwrap_or(usize::MAX);
                if shift > self.order {
                    return Ok(self.constant(ExprId::ZERO));
                }
                let mut lowered = u[v..].to_vec();
                lowered.resize(self.order + 1, ExprId::ZERO);
                let power = self.constant_power(pool, at, &lowered, exponent)?;
                let mut raised = vec![ExprId::ZERO; shift];
                raised.extend_from_slice(&power[..=self.order - shift]);
                return Ok(raised);
            }
            _ => return Err(SeriesError::NotAnalytic { at }),
        }
        let inverse = pool.powi(u[0], -1);
        let mut y = vec![pool.power(u[0], exponent)];
        for k in 1..=self.order {
            self.budget.spend(k as u64, "expanding a power in a series")?;
            // k u_0 y_k = sum_{i=1..k} (e i - (k - i)) u_i y_{k-i}
            let mut parts = Vec::with_capacity(k);
            for i in 1..=k {
                if u[i].is_zero() || y[k - i].is_zero() {
                    continue;
                }
                let number = Rational::integer(i as i64);
                let scaled = pool.scale(&number, exponent);
                let shift = pool.integer(k as i64 - i as i64);
                let weight = pool.sub(scaled, shift);
                parts.push(pool.product(&[weight, u[i], y[k - i]]));
            }
            let sum = pool.sum(&parts);
            let sum = pool.mul(sum, inverse);
            y.push(reciprocal_scale(pool, sum, k));
        }
        Ok(y)
    }

    fn call(
        &mut self,
        pool: &mut Pool,
        at: ExprId,
        function: Function,
        u: &[ExprId],
    ) -> Result<Series, SeriesError> {
        let value = pool.call(function, u[0]);
        if value == ExprId::UNDEFINED {
            return Err(SeriesError::NotAnalytic { at });
        }
        match function.descriptor().series {
            SeriesRule::Own(recurrence) => recurrence(self, pool, at, u, value),
            SeriesRule::ByDerivative => self.by_derivative(pool, function, u, value),
        }
    }

    /// `f(u)` from `f(u)' = f'(u) u'`. Where `f'` contains `f`, coefficient `k` needs those before
    /// it, and there is one expansion for each; otherwise one is enough.
    fn by_derivative(
        &mut self,
        pool: &mut Pool,
        function: Function,
        u: &[ExprId],
        value: ExprId,
    ) -> SeriesResult {
        // Names that no grammar reads.
        let (argument, known) = (pool.symbol("argument of a series"), pool.symbol("a series"));
        let slope = function.derivative(pool, argument, known);
        let recursive = pool.depends_on(slope, &[known]);
        let rate = self.derive(pool, u);
        let mut result = self.constant(value);
        for reached in 1..=self.order {
            if !recursive && reached < self.order {
                continue;
            }
            let symbols = [(argument, u.to_vec()), (known, result)];
            let mut inner = Expander { order: self.order, root: slope, budget: &mut *self.budget };
            let slope = inner.expand(pool, &symbols)?;
            let product = self.multiply(pool, &slope, &rate)?;
            result = self.integrate(pool, value, &product);
            // Beyond, the slope was expanded with zeros for what was not known yet.
            result[reached + 1..].fill(ExprId::ZERO);
        }
        pool.walk(&[self.root]);
        Ok(result)
    }

    /// `exp(u)`, by `y' = u' y`.
    pub(crate) fn exponential(&mut self, pool: &mut Pool, u: &[ExprId]) -> SeriesResult {
        let mut y = vec![pool.call(Function::Exp, u[0])];
        for k in 1..=self.order {
            self.budget.spend(k as u64, "expanding exp in a series")?;
            let parts: Vec<_> = (1..=k)
                .map(|i| {
                    let product = pool.mul(u[i], y[k - i]);
                    pool.scale(&Rational::integer(i as i64), product)
                })
                .collect();
            let sum = pool.sum(&parts);
            y.push(reciprocal_scale(pool, sum, k));
        }
        Ok(y)
    }

    /// The series of sine and cosine.
    pub(crate) fn sine_and_cosine(
        &mut self,
        pool: &mut Pool,
        u: &[ExprId],
    ) -> Result<(Series, Series), SeriesError> {
        self.pair(pool, u, Function::Sin, Function::Cos, -1)
    }

    /// The series of hyperbolic sine and cosine.
    pub(crate) fn hyperbolic_pair(
        &mut self,
        pool: &mut Pool,
        u: &[ExprId],
    ) -> Result<(Series, Series), SeriesError> {
        self.pair(pool, u, Function::Sinh, Function::Cosh, 1)
    }

    /// (sin, cos) or (sinh, cosh) together: s' = c u', c' = sign s u'.
    fn pair(
        &mut self,
        pool: &mut Pool,
        u: &[ExprId],
        s: Function,
        c: Function,
        sign: i64,
    ) -> Result<(Series, Series), SeriesError> {
        let mut sine = vec![pool.call(s, u[0])];
        let mut cosine = vec![pool.call(c, u[0])];
        for k in 1..=self.order {
            self.budget.spend(2 * k as u64, "expanding sin and cos in a series")?;
            let (mut to_sine, mut to_cosine) = (Vec::new(), Vec::new());
            for i in 1..=k {
                let i_u = pool.scale(&Rational::integer(i as i64), u[i]);
                to_sine.push(pool.mul(i_u, cosine[k - i]));
                let part = pool.mul(i_u, sine[k - i]);
                to_cosine.push(pool.scale(&Rational::integer(sign), part));
            }
            let (a, b) = (pool.sum(&to_sine), pool.sum(&to_cosine));
            sine.push(reciprocal_scale(pool, a, k));
            cosine.push(reciprocal_scale(pool, b, k));
        }
        Ok((sine, cosine))
    }

    /// The sum of two series.
    pub(crate) fn add(&self, pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> Series {
        a.iter().zip(b).map(|(&x, &y)| pool.add(x, y)).collect()
    }

    /// The difference of two series.
    pub(crate) fn subtract(&self, pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> Series {
        a.iter().zip(b).map(|(&x, &y)| pool.sub(x, y)).collect()
    }

    /// The derivative, padded with a zero at the end (never used by [`Expander::integrate`]).
    pub(crate) fn derive(&self, pool: &mut Pool, u: &[ExprId]) -> Series {
        let mut rate: Series =
            (1..u.len()).map(|k| pool.scale(&Rational::integer(k as i64), u[k])).collect();
        rate.push(ExprId::ZERO);
        rate
    }

    /// The integral with a given constant coefficient.
    pub(crate) fn integrate(&self, pool: &mut Pool, start: ExprId, rate: &[ExprId]) -> Series {
        let mut result = vec![start];
        for k in 1..rate.len() {
            result.push(reciprocal_scale(pool, rate[k - 1], k));
        }
        result
    }

    /// `A x = b` order by order: `A_0 x_k = b_k - sum_{i=1..k} A_i x_{k-i}`.
    fn solution(
        &mut self,
        pool: &mut Pool,
        system: ExprId,
        index: u32,
        images: &[Option<Series>],
    ) -> Result<Series, SeriesError> {
        let Node::System(parts) = pool.node(system) else { return Ok(self.constant(system)) };
        let entries: Vec<_> = parts.entries().collect();
        let right: Vec<_> = parts.right().collect();
        let matrix: Vec<_> = entries
            .iter()
            .map(|&(row, column, value)| (row, column, self.image(pool, value, images)))
            .collect();
        let right: Vec<_> = right.iter().map(|&value| self.image(pool, value, images)).collect();
        let leading: Vec<_> = matrix.iter().map(|(row, column, s)| (*row, *column, s[0])).collect();
        let mut x: Vec<Vec<ExprId>> = Vec::with_capacity(self.order + 1);
        for k in 0..=self.order {
            self.budget
                .spend((matrix.len() * (k + 1)) as u64, "expanding a linear solve in a series")?;
            let mut sides: Vec<Vec<ExprId>> = right.iter().map(|s| vec![s[k]]).collect();
            for (row, column, s) in &matrix {
                for i in 1..=k {
                    if !s[i].is_zero() {
                        let part = pool.mul(s[i], x[k - i][*column as usize]);
                        let part = pool.neg(part);
                        sides[*row as usize].push(part);
                    }
                }
            }
            let sides: Vec<_> = sides.iter().map(|parts| pool.sum(parts)).collect();
            x.push(pool.solve_node(&leading, &sides));
        }
        Ok(x.into_iter().map(|values| values[index as usize]).collect())
    }
}

fn reciprocal_scale(pool: &mut Pool, value: ExprId, k: usize) -> ExprId {
    match Rational::new(1, k as i64) {
        Some(factor) => pool.scale(&factor, value),
        None => ExprId::UNDEFINED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Smoothness;
    use crate::evaluate::evaluate_balls;
    use crate::number::{Ball, Precision};

    #[test]
    fn integrating_the_derivative_gives_the_series_of_every_recurrence() {
        let mut pool = Pool::new();
        let budget = &mut Budget::new(1_000_000);
        let (a, h) = (pool.symbol("a"), pool.symbol("h"));
        // u = a + h + 3 h^2
        let u = vec![a, ExprId::ONE, pool.integer(3), ExprId::ZERO, ExprId::ZERO];
        let precision = Precision::new(128);
        for function in Function::ALL {
            if function.smoothness() != Smoothness::Analytic {
                continue;
            }
            let root = pool.call(function, h);
            let mut expander = Expander { order: 4, root, budget };
            let value = pool.call(function, a);
            let one = expander.call(&mut pool, root, function, &u).unwrap();
            let other = expander.by_derivative(&mut pool, function, &u, value).unwrap();
            let at = Ball::from_rational(&Rational::new(3, 7).unwrap(), precision);
            let values = [(a, at)].into_iter().collect();
            let all: Vec<_> = one.iter().chain(&other).copied().collect();
            let balls = evaluate_balls(&pool, &all, &values, precision).unwrap();
            for k in 0..=4 {
                assert!(balls[k].accuracy() > 60, "{function}, order {k}");
                assert!(balls[k].overlaps(&balls[k + 5]), "{function}, order {k}");
            }
        }
    }
}
