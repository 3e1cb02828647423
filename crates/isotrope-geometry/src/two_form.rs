//! 2-forms: their exterior derivative and one-forms that they are the derivative of.

use isotrope_algebra::calculus::{CollectError, Substitution, collect, derivative, substitute};
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Node, OutOfBudget, Pool, Rational};

use crate::dirac::{Circle, shifted};
use crate::work::{simplified, zero_test};

/// A 2-form `B = 1/2 W_ij dx^i dx^j` in coordinates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoForm {
    /// The coordinates.
    pub base: Vec<ExprId>,
    /// `W`, antisymmetric.
    pub matrix: Matrix,
}

/// A component `(dB)_ijk` that is not proved to vanish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclosed {
    /// i < j < k.
    pub indices: [usize; 3],
    /// Its value.
    pub value: ExprId,
    /// What the zero test says: not zero, or not decided.
    pub zero: Zero,
}

/// How a primitive was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrimitiveRoad {
    /// By the homotopy along rays, `theta = integral of s i_x B(s x) ds` over [0, 1]: the form is a
    /// polynomial in the coordinates.
    Rays,
    /// By Euler's field x: `L_x B = c B`, so that `theta = i_x B/c`.
    Homogeneous {
        /// c.
        weight: Rational,
    },
}

/// Weights c with `L_x B = c B` that are tried, in halves.
const WEIGHTS: std::ops::RangeInclusive<i64> = -8..=24;

impl TwoForm {
    /// From components `B = sum of W_ij dx^i ^ dx^j` over the pairs that are given.
    pub fn new(pool: &mut Pool, base: &[ExprId], pairs: &[(usize, usize, ExprId)]) -> Self {
        let mut matrix = Matrix::zero(base.len(), base.len());
        for &(i, j, value) in pairs {
            let opposite = pool.neg(value);
            matrix.set(i, j, value);
            matrix.set(j, i, opposite);
        }
        Self { base: base.to_vec(), matrix }
    }

    /// `d theta`: `W_ij = d_i theta_j - d_j theta_i`.
    pub fn exact(
        pool: &mut Pool,
        base: &[ExprId],
        theta: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let mut pairs = Vec::new();
        for i in 0..base.len() {
            for j in i + 1..base.len() {
                let forth = derivative(pool, theta[j], base[i], budget)?;
                let back = derivative(pool, theta[i], base[j], budget)?;
                let value = pool.sub(forth, back);
                if !value.is_zero() {
                    pairs.push((i, j, value));
                }
            }
        }
        Ok(Self::new(pool, base, &pairs))
    }

    /// `(i_v B)_j = v^i W_ij`.
    pub fn contract(&self, pool: &mut Pool, vector: &[ExprId]) -> Vec<ExprId> {
        let n = self.base.len();
        (0..n)
            .map(|j| {
                let terms: Vec<ExprId> = (0..n)
                    .filter(|&i| !self.matrix.get(i, j).is_zero())
                    .map(|i| pool.mul(vector[i], self.matrix.get(i, j)))
                    .collect();
                pool.sum(&terms)
            })
            .collect()
    }

    /// The first component of `dB` that is not proved to be zero; `None` if the form is closed.
    pub fn unclosed(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Option<Unclosed>, OutOfBudget> {
        let n = self.base.len();
        for i in 0..n {
            for j in i + 1..n {
                for k in j + 1..n {
                    let mut terms = Vec::with_capacity(3);
                    for (a, b, c) in [(i, j, k), (j, k, i), (k, i, j)] {
                        let entry = self.matrix.get(b, c);
                        if !entry.is_zero() {
                            terms.push(derivative(pool, entry, self.base[a], budget)?);
                        }
                    }
                    let value = pool.sum(&terms);
                    let zero = zero_test(pool, value, budget);
                    if zero != Zero::Yes {
                        let value = simplified(pool, value, budget);
                        return Ok(Some(Unclosed { indices: [i, j, k], value, zero }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The first component in which two forms are not proved to be equal, with the zero test of the
    /// difference; `None` if they are equal.
    pub fn difference(
        &self,
        pool: &mut Pool,
        other: &Self,
        budget: &mut Budget,
    ) -> Option<([usize; 2], Zero)> {
        let n = self.base.len();
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j]));
        pairs.into_iter().find_map(|[i, j]| {
            let value = pool.sub(self.matrix.get(i, j), other.matrix.get(i, j));
            let zero = zero_test(pool, value, budget);
            (zero != Zero::Yes).then_some(([i, j], zero))
        })
    }

    /// A one-form `theta` with `d theta = B` for a closed form, and how it was found. It has all linear
    /// symmetries that the form has. `None` if the roads that are tried lead nowhere, which proves
    /// nothing.
    pub fn primitive(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Option<(Vec<ExprId>, PrimitiveRoad)>, OutOfBudget> {
        if let Some(theta) = self.along_rays(pool, budget)? {
            return Ok(Some((theta, PrimitiveRoad::Rays)));
        }
        self.by_weight(pool, budget)
    }

    /// `i_x B` scaled by s and integrated over [0, 1].
    fn along_rays(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Option<Vec<ExprId>>, OutOfBudget> {
        let inner = self.contract(pool, &self.base.clone());
        let mut theta = Vec::with_capacity(inner.len());
        for entry in inner {
            let collected = match collect(pool, entry, &self.base, budget) {
                Ok(collected) => collected,
                Err(CollectError::NotPolynomial { .. }) => return Ok(None),
                Err(CollectError::OutOfBudget(stop)) => return Err(stop),
            };
            // x^i W_ij has one degree more than W, and s W(s x) is integrated: 1/(degree + 1).
            let mut terms = Vec::with_capacity(collected.len());
            for (power, coefficient) in collected {
                let degree: u32 = power.iter().map(|factor| factor.1).sum();
                let mut factors = vec![coefficient, pool.ratio(1, i64::from(degree) + 1)];
                for (variable, exponent) in power {
                    let x = self.base[variable as usize];
                    factors.push(pool.powi(x, i64::from(exponent)));
                }
                terms.push(pool.product(&factors));
            }
            let sum = pool.sum(&terms);
            theta.push(simplified(pool, sum, budget));
        }
        self.confirmed(pool, theta, budget)
    }

    /// A one-form `theta` with `d theta = B` for a closed form that is a polynomial in one coordinate
    /// after the other, from the last one: `B - B|(x_k = 0) = d(integral of i_(d_k) B over x_k)`. It has
    /// few differentials, `-p dq` for `dq ^ dp`. Coordinates of circles are not integrated over, and
    /// the result is periodic in them.
    pub fn integrated(
        &self,
        pool: &mut Pool,
        circles: &[Circle],
        budget: &mut Budget,
    ) -> Result<Option<Vec<ExprId>>, OutOfBudget> {
        let n = self.base.len();
        let on_circle = |x: ExprId| circles.iter().any(|circle| circle.coordinate == x);
        let mut open: Vec<usize> = (0..n).filter(|&k| !on_circle(self.base[k])).collect();
        let mut rest = self.matrix.clone();
        let mut parts: Vec<Vec<ExprId>> = vec![Vec::new(); n];
        while rest.entries().iter().any(|entry| !entry.is_zero()) {
            let mut found = None;
            for (position, &k) in open.iter().enumerate().rev() {
                if let Some(integrals) = integrals(pool, rest.row(k), self.base[k], budget)? {
                    found = Some((position, k, integrals));
                    break;
                }
            }
            // What is left may still be zero in disguise.
            let Some((position, k, integrals)) = found else { break };
            open.remove(position);
            parts.iter_mut().zip(integrals).for_each(|(part, integral)| part.push(integral));
            let map: Substitution = [(self.base[k], ExprId::ZERO)].into_iter().collect();
            let values = substitute(pool, rest.entries(), &map, budget)?;
            for i in 0..n {
                for j in 0..n {
                    let dropped = i == k || j == k;
                    rest.set(i, j, if dropped { ExprId::ZERO } else { values[i * n + j] });
                }
            }
        }
        let mut theta = Vec::with_capacity(n);
        for part in &parts {
            let sum = pool.sum(part);
            theta.push(simplified(pool, sum, budget));
        }
        for &circle in circles {
            let there = shifted(pool, &theta, circle, budget)?;
            for (&here, there) in theta.iter().zip(there) {
                let change = pool.sub(there, here);
                if zero_test(pool, change, budget) != Zero::Yes {
                    return Ok(None);
                }
            }
        }
        self.confirmed(pool, theta, budget)
    }

    /// `i_x B/c` where `d i_x B = c B`.
    fn by_weight(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Option<(Vec<ExprId>, PrimitiveRoad)>, OutOfBudget> {
        let inner = self.contract(pool, &self.base.clone());
        let slope = Self::exact(pool, &self.base, &inner, budget)?;
        // Scaling all coordinates by 2 finds the weight in one component, up to a test of all.
        let n = self.base.len();
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let Some((i, j)) = pairs.into_iter().find(|&(i, j)| !self.matrix.get(i, j).is_zero())
        else {
            return Ok(None);
        };
        let mut weights = WEIGHTS.filter_map(|twice| Rational::new(twice, 2));
        let weight = weights.find(|c| {
            if c.is_zero() {
                return false;
            }
            let multiple = pool.scale(c, self.matrix.get(i, j));
            let difference = pool.sub(slope.matrix.get(i, j), multiple);
            zero_test(pool, difference, budget) == Zero::Yes
        });
        let Some(weight) = weight else { return Ok(None) };
        let Some(inverse) = &Rational::ONE / &weight else { return Ok(None) };
        let theta = inner
            .iter()
            .map(|&entry| {
                let scaled = pool.scale(&inverse, entry);
                simplified(pool, scaled, budget)
            })
            .collect();
        let found = self.confirmed(pool, theta, budget)?;
        Ok(found.map(|theta| (theta, PrimitiveRoad::Homogeneous { weight })))
    }

    /// The one-form, if its derivative is proved to be this form.
    fn confirmed(
        &self,
        pool: &mut Pool,
        theta: Vec<ExprId>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<ExprId>>, OutOfBudget> {
        let slope = Self::exact(pool, &self.base, &theta, budget)?;
        Ok(self.difference(pool, &slope, budget).is_none().then_some(theta))
    }

    /// The pullback to the cotangent bundle: the form in the first half of twice as many coordinates.
    #[must_use]
    pub fn on_cotangent_bundle(&self) -> Matrix {
        let n = self.base.len();
        let mut matrix = Matrix::zero(2 * n, 2 * n);
        for i in 0..n {
            for j in 0..n {
                matrix.set(i, j, self.matrix.get(i, j));
            }
        }
        matrix
    }
}

/// The integrals of polynomials in `x` from 0; `None` if one is not a polynomial in it.
fn integrals(
    pool: &mut Pool,
    list: &[ExprId],
    x: ExprId,
    budget: &mut Budget,
) -> Result<Option<Vec<ExprId>>, OutOfBudget> {
    let mut integrals = Vec::with_capacity(list.len());
    for &entry in list {
        let collected = match collect(pool, entry, &[x], budget) {
            Ok(collected) => collected,
            Err(CollectError::NotPolynomial { .. }) => return Ok(None),
            Err(CollectError::OutOfBudget(stop)) => return Err(stop),
        };
        let mut terms = Vec::with_capacity(collected.len());
        for (power, coefficient) in collected {
            let degree = i64::from(power.iter().map(|factor| factor.1).sum::<u32>()) + 1;
            let power = pool.powi(x, degree);
            let factor = pool.ratio(1, degree);
            terms.push(pool.product(&[factor, coefficient, power]));
        }
        integrals.push(pool.sum(&terms));
    }
    Ok(Some(integrals))
}

/// What expressions are divided by: bases of negative powers that contain one of the variables. Where one
/// of them vanishes the expressions have no value.
pub fn divisors(pool: &Pool, expressions: &[ExprId], variables: &[ExprId]) -> Vec<ExprId> {
    let mut found = Vec::new();
    for id in pool.reachable(expressions) {
        let Node::Product(pairs) = pool.node(id) else { continue };
        for (base, exponent) in pairs.iter() {
            let negative = pool.as_number(exponent).is_some_and(Rational::is_negative);
            if negative && pool.depends_on(base, variables) && !found.contains(&base) {
                found.push(base);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use isotrope_algebra::calculus::{Substitution, substitute};
    use isotrope_algebra::syntax::parse_expression;

    use super::*;

    fn at(pool: &mut Pool, list: &[ExprId], map: &[(ExprId, ExprId)]) -> Vec<ExprId> {
        let map: Substitution = map.iter().copied().collect();
        substitute(pool, list, &map, &mut Budget::new(1_000_000)).unwrap()
    }

    fn form(pool: &mut Pool, names: &[&str], entries: &[(usize, usize, &str)]) -> TwoForm {
        let base: Vec<ExprId> = names.iter().map(|name| pool.symbol(name)).collect();
        let pairs: Vec<_> = entries
            .iter()
            .map(|&(i, j, text)| (i, j, parse_expression(pool, text).unwrap()))
            .collect();
        TwoForm::new(pool, &base, &pairs)
    }

    const SPACE: [&str; 3] = ["x", "y", "z"];

    #[test]
    fn a_polynomial_form_has_the_primitive_of_the_homotopy() {
        let mut pool = Pool::new();
        let budget = &mut Budget::new(10_000_000);
        let b = form(
            &mut pool,
            &SPACE,
            &[(0, 1, "b*(1 + k*z^2 - k*x^2/2 - k*y^2/2)"), (1, 2, "-b*k*x*z"), (2, 0, "-b*k*y*z")],
        );
        assert_eq!(b.unclosed(&mut pool, budget).unwrap(), None);
        let (theta, road) = b.primitive(&mut pool, budget).unwrap().unwrap();
        assert_eq!(road, PrimitiveRoad::Rays);
        let slope = TwoForm::exact(&mut pool, &b.base, &theta, budget).unwrap();
        assert_eq!(b.difference(&mut pool, &slope, budget), None);
        // Rays end where they begin under rotations about z: theta = f (x dy - y dx).
        let (x, y) = (b.base[0], b.base[1]);
        let across = pool.neg(y);
        let turned = at(&mut pool, &theta, &[(x, across), (y, x)]);
        assert_eq!(zero_test(&mut pool, theta[2], budget), Zero::Yes);
        let difference = pool.sub(turned[1], theta[0]);
        assert_eq!(zero_test(&mut pool, difference, budget), Zero::Yes);
    }

    #[test]
    fn a_form_with_divergence_is_not_closed_and_the_component_is_told() {
        let mut pool = Pool::new();
        let budget = &mut Budget::new(10_000_000);
        let b = form(&mut pool, &SPACE, &[(0, 1, "z*cos(x)")]);
        let found = b.unclosed(&mut pool, budget).unwrap().unwrap();
        let cos = parse_expression(&mut pool, "cos(x)").unwrap();
        assert_eq!(found, Unclosed { indices: [0, 1, 2], value: cos, zero: Zero::No });
    }

    #[test]
    fn homogeneous_forms_have_primitives_but_for_weight_zero() {
        let mut pool = Pool::new();
        let budget = &mut Budget::new(10_000_000);
        let b = form(&mut pool, &SPACE, &[(0, 1, "(x^2 + y^2)^(-1/2)")]);
        let (_, road) = b.primitive(&mut pool, budget).unwrap().unwrap();
        assert_eq!(road, PrimitiveRoad::Homogeneous { weight: Rational::ONE });
        let r = "(x^2 + y^2 + z^2)^(-3/2)";
        let [x, y, z] = SPACE.map(|name| format!("{name}*{r}"));
        let monopole = form(&mut pool, &SPACE, &[(0, 1, &z), (1, 2, &x), (2, 0, &y)]);
        assert_eq!(monopole.unclosed(&mut pool, budget).unwrap(), None);
        assert_eq!(monopole.primitive(&mut pool, budget).unwrap(), None);
    }

    #[test]
    fn divisors_are_where_a_primitive_has_no_value() {
        let mut pool = Pool::new();
        let (x, a) = (pool.symbol("x"), pool.symbol("a"));
        let f = parse_expression(&mut pool, "a/(x + a) + x/a").unwrap();
        let sum = pool.add(x, a);
        assert_eq!(divisors(&pool, &[f], &[x]), [sum]);
    }
}
