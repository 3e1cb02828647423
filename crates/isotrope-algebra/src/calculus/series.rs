//! Taylor series in one variable, to any order, with expressions as coefficients.

use crate::pool::{ExprId, Function, Node, Pool};
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

type Series = Vec<ExprId>;

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
    let nodes = pool.walk(&[expression]);
    // The walk's slots are overwritten by nothing below: no other walk happens here.
    let mut images: Vec<Option<Series>> = Vec::with_capacity(nodes.len());
    let mut expander = Expander { order, budget };
    for &id in &nodes {
        expander.budget.spend(1, "expanding in a series")?;
        if id == variable {
            let mut image = vec![ExprId::ZERO; order + 1];
            if order > 0 {
                image[1] = ExprId::ONE;
            }
            images.push(Some(image));
            continue;
        }
        let mut constant = true;
        pool.for_each_child(id, |child| constant &= images[pool.slot(child)].is_none());
        let image = if constant { None } else { Some(expander.node(pool, id, &images)?) };
        images.push(image);
    }
    let slot = pool.slot(expression);
    Ok(match images.swap_remove(slot) {
        Some(image) => image,
        None => expander.constant(expression),
    })
}

struct Expander<'b> {
    order: usize,
    budget: &'b mut Budget,
}

impl Expander<'_> {
    fn constant(&self, value: ExprId) -> Series {
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
                let (dy, dx) = (derive(pool, &y), derive(pool, &x));
                let first = self.multiply(pool, &x, &dy)?;
                let second = self.multiply(pool, &y, &dx)?;
                let numerator = subtract(pool, &first, &second);
                let (xx, yy) = (self.multiply(pool, &x, &x)?, self.multiply(pool, &y, &y)?);
                let norm = add(pool, &xx, &yy);
                let rate = self.divide(pool, id, &numerator, &norm)?;
                let start = pool.atan2(y[0], x[0]);
                Ok(integrate(pool, start, &rate))
            }
            Node::System(_) => Ok(self.constant(id)),
            Node::Solution { system, index } => self.solution(pool, system, index, images),
            _ => Ok(self.constant(id)),
        }
    }

    fn multiply(
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

    fn divide(
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
    fn constant_power(
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
        let one = self.constant(ExprId::ONE);
        match function {
            Function::Exp => self.exponential(pool, u),
            Function::Sin => Ok(self.pair(pool, u, Function::Sin, Function::Cos, -1)?.0),
            Function::Cos => Ok(self.pair(pool, u, Function::Sin, Function::Cos, -1)?.1),
            Function::Sinh => Ok(self.pair(pool, u, Function::Sinh, Function::Cosh, 1)?.0),
            Function::Cosh => Ok(self.pair(pool, u, Function::Sinh, Function::Cosh, 1)?.1),
            Function::Tan | Function::Tanh => {
                let (s, c) = if function == Function::Tan {
                    self.pair(pool, u, Function::Sin, Function::Cos, -1)?
                } else {
                    self.pair(pool, u, Function::Sinh, Function::Cosh, 1)?
                };
                self.divide(pool, at, &s, &c)
            }
            Function::Log => {
                let rate = derive(pool, u);
                let rate = self.divide(pool, at, &rate, u)?;
                Ok(integrate(pool, value, &rate))
            }
            Function::Asin | Function::Acos | Function::Atan => {
                let square = self.multiply(pool, u, u)?;
                let norm = if function == Function::Atan {
                    add(pool, &one, &square)
                } else {
                    let inside = subtract(pool, &one, &square);
                    self.constant_power(pool, at, &inside, ExprId::HALF)?
                };
                let rate = derive(pool, u);
                let mut rate = self.divide(pool, at, &rate, &norm)?;
                if function == Function::Acos {
                    rate.iter_mut().for_each(|c| *c = pool.neg(*c));
                }
                Ok(integrate(pool, value, &rate))
            }
            Function::Abs => {
                // Near a point where u_0 != 0, |u| = (|u_0|/u_0) u.
                if u[0].is_zero() {
                    return Err(SeriesError::NotAnalytic { at });
                }
                let sign = pool.div(value, u[0]);
                Ok(u.iter().map(|&c| pool.mul(sign, c)).collect())
            }
            Function::Heaviside => {
                if u[0].is_zero() {
                    return Err(SeriesError::NotAnalytic { at });
                }
                let mut series = vec![ExprId::ZERO; u.len()];
                series[0] = value;
                Ok(series)
            }
        }
    }

    fn exponential(&mut self, pool: &mut Pool, u: &[ExprId]) -> Result<Series, SeriesError> {
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

fn add(pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> Series {
    a.iter().zip(b).map(|(&x, &y)| pool.add(x, y)).collect()
}

fn subtract(pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> Series {
    a.iter().zip(b).map(|(&x, &y)| pool.sub(x, y)).collect()
}

/// The derivative, padded with a zero at the end (never used by [`integrate`]).
fn derive(pool: &mut Pool, u: &[ExprId]) -> Series {
    let mut rate: Series =
        (1..u.len()).map(|k| pool.scale(&Rational::integer(k as i64), u[k])).collect();
    rate.push(ExprId::ZERO);
    rate
}

fn integrate(pool: &mut Pool, start: ExprId, rate: &[ExprId]) -> Series {
    let mut result = vec![start];
    for k in 1..rate.len() {
        result.push(reciprocal_scale(pool, rate[k - 1], k));
    }
    result
}
