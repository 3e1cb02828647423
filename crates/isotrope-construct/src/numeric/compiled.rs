//! Polynomials made ready for fast values: in doubles with slopes, and in long numbers.

use dashu_int::IBig;
use isotrope_algebra::double::linear::DenseMatrix;
use isotrope_algebra::polynomial::{Monomial, Polynomial};
use isotrope_algebra::{Budget, OrInternal, OutOfBudget, Rational};
use rustc_hash::FxHashMap;

use super::fixed::{FixedPoint, Scale};

/// A system of polynomials, each divided by its largest coefficient.
#[derive(Debug, Clone)]
pub(super) struct CompiledSystem {
    variables: usize,
    /// Monomial k is monomial `.0` times variable `.1`, with `.0` below k; number 0 is 1.
    monomials: Vec<(usize, usize)>,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Default)]
struct Row {
    terms: Vec<Term>,
    slopes: Vec<Slope>,
    /// The largest of the integer coefficients.
    largest: IBig,
}

#[derive(Debug, Clone)]
struct Term {
    coefficient: f64,
    /// The same as an integer, before the division by the largest.
    integer: IBig,
    monomial: usize,
}

#[derive(Debug, Clone)]
struct Slope {
    column: usize,
    coefficient: f64,
    monomial: usize,
}

/// Values of all polynomials at a point.
#[derive(Debug, Clone)]
pub(super) struct Values {
    /// By polynomial.
    pub residuals: Vec<f64>,
    /// The largest |value| in units of the rounding it can have: |value| / max(1, Σ|terms|).
    pub relative: f64,
}

impl Values {
    /// Σ value².
    pub fn square(&self) -> f64 {
        self.residuals.iter().map(|x| x * x).sum()
    }

    /// The largest |value|.
    pub fn largest(&self) -> f64 {
        self.residuals.iter().fold(0.0, |most, x| x.abs().max(most))
    }
}

/// The monomials met so far.
struct Numbering {
    numbers: FxHashMap<Monomial, usize>,
    monomials: Vec<(usize, usize)>,
}

impl Numbering {
    fn number(&mut self, monomial: &Monomial) -> usize {
        // Down to a monomial that is known, then up again.
        let mut pending = Vec::new();
        let mut current = monomial.clone();
        let mut number = loop {
            if let Some(&known) = self.numbers.get(&current) {
                break known;
            }
            let Some(variable) = current.variables().last() else { break 0 };
            let exponent = current.exponent(variable);
            let below = current.with_exponent(variable, exponent.saturating_sub(1));
            pending.push((std::mem::replace(&mut current, below), variable));
        };
        while let Some((monomial, variable)) = pending.pop() {
            self.monomials.push((number, variable));
            number = self.monomials.len() - 1;
            self.numbers.insert(monomial, number);
        }
        number
    }
}

impl CompiledSystem {
    /// Prepares polynomials in the variables `0..variables`, or more if more occur.
    pub fn new(
        polynomials: &[Polynomial],
        variables: usize,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let mut numbering =
            Numbering { numbers: FxHashMap::default(), monomials: vec![(0, usize::MAX)] };
        numbering.numbers.insert(Monomial::one(), 0);
        let mut rows = Vec::with_capacity(polynomials.len());
        for polynomial in polynomials.iter().filter(|polynomial| !polynomial.is_zero()) {
            budget.spend(polynomial.len() as u64, "preparing polynomials")?;
            rows.push(Row::new(polynomial, &mut numbering));
        }
        let occurring = numbering.monomials.iter().skip(1).map(|(_, variable)| variable + 1).max();
        let variables = variables.max(occurring.unwrap_or(0));
        Ok(Self { variables, monomials: numbering.monomials, rows })
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Operations of one evaluation with slopes.
    pub fn cost(&self) -> u64 {
        let terms: usize = self.rows.iter().map(|row| row.terms.len() + row.slopes.len()).sum();
        (terms + self.monomials.len()) as u64
    }

    fn monomials_at(&self, point: &[f64]) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.monomials.len());
        values.push(1.0);
        for &(below, variable) in self.monomials.iter().skip(1) {
            values.push(values[below] * point[variable]);
        }
        values
    }

    /// The values at a point.
    pub fn values(&self, point: &[f64]) -> Values {
        self.values_from(&self.monomials_at(point))
    }

    fn values_from(&self, monomials: &[f64]) -> Values {
        let mut relative: f64 = 0.0;
        let mut residuals = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let (mut sum, mut size) = (0.0, 1.0_f64);
            for term in &row.terms {
                let value = term.coefficient * monomials[term.monomial];
                sum += value;
                size += value.abs();
            }
            // A sum that is not a number must not look small.
            relative = if sum.is_finite() { relative.max(sum.abs() / size) } else { f64::INFINITY };
            residuals.push(sum);
        }
        Values { residuals, relative }
    }

    /// Values and slopes; column k of the matrix belongs to the variable `free[k]`.
    pub fn values_and_slopes(&self, point: &[f64], free: &[usize]) -> (Values, DenseMatrix) {
        let monomials = self.monomials_at(point);
        let mut place = vec![None; self.variables];
        for (column, &variable) in free.iter().enumerate() {
            place[variable] = Some(column);
        }
        let mut slopes = DenseMatrix::zero(self.rows.len(), free.len());
        for (number, row) in self.rows.iter().enumerate() {
            for slope in &row.slopes {
                if let Some(column) = place[slope.column] {
                    slopes.add(number, column, slope.coefficient * monomials[slope.monomial]);
                }
            }
        }
        (self.values_from(&monomials), slopes)
    }

    /// The values at a point in long numbers, rounded to doubles at the end only.
    pub fn values_at_fixed(&self, point: &[FixedPoint], scale: Scale) -> Vec<f64> {
        let mut monomials = Vec::with_capacity(self.monomials.len());
        monomials.push(scale.one());
        for &(below, variable) in self.monomials.iter().skip(1) {
            monomials.push(scale.mul(&monomials[below], &point[variable]));
        }
        let value = |row: &Row| {
            let terms = row.terms.iter().map(|term| &term.integer * &monomials[term.monomial].0);
            scale.ratio_to_f64(&terms.sum(), &row.largest)
        };
        self.rows.iter().map(value).collect()
    }
}

impl Row {
    fn new(polynomial: &Polynomial, numbering: &mut Numbering) -> Self {
        let terms = polynomial.terms();
        let first = if terms.is_empty() { Rational::ONE } else { Rational::ZERO };
        let content = terms.iter().fold(first, |gcd, (_, c)| gcd.gcd(c));
        let largest = terms.iter().map(|(_, c)| c.abs()).max().unwrap_or(Rational::ONE);
        let share =
            |c: &Rational, of: &Rational| c.checked_div(of).or_noticed("the content is not zero");
        let mut row = Self { largest: share(&largest, &content).numerator(), ..Self::default() };
        for (monomial, c) in terms {
            let coefficient = share(c, &largest).to_f64();
            row.terms.push(Term {
                coefficient,
                integer: share(c, &content).numerator(),
                monomial: numbering.number(monomial),
            });
            for variable in monomial.variables() {
                let exponent = monomial.exponent(variable);
                let below = monomial.with_exponent(variable, exponent.saturating_sub(1));
                row.slopes.push(Slope {
                    column: variable,
                    coefficient: coefficient * f64::from(exponent),
                    monomial: numbering.number(&below),
                });
            }
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x² y/3 − 7 x z⁴ + 1/2 and y − z.
    fn system(budget: &mut Budget) -> (Vec<Polynomial>, CompiledSystem) {
        let term = |exponents: &[u16], numerator: i64, denominator: i64| {
            (Monomial::from_exponents(exponents), Rational::new(numerator, denominator).unwrap())
        };
        let first = [term(&[2, 1], 1, 3), term(&[1, 0, 4], -7, 1), term(&[], 1, 2)];
        let second = [term(&[0, 1], 1, 1), term(&[0, 0, 1], -1, 1)];
        let polynomials = vec![Polynomial::from_terms(first), Polynomial::from_terms(second)];
        let compiled = CompiledSystem::new(&polynomials, 3, budget).unwrap();
        (polynomials, compiled)
    }

    #[test]
    fn values_are_exact_ones_over_the_largest_coefficient_and_slopes_are_differences() {
        let budget = &mut Budget::new(100_000);
        let (polynomials, compiled) = system(budget);
        let point = [0.75, -1.5, 0.5];
        let exact: Vec<Rational> = point.iter().map(|&x| Rational::from_f64(x).unwrap()).collect();
        let (values, slopes) = compiled.values_and_slopes(&point, &[2, 0]);
        for (row, (polynomial, largest)) in polynomials.iter().zip([7.0, 1.0]).enumerate() {
            let exact = polynomial.evaluate(&exact, budget).unwrap().to_f64() / largest;
            assert!((values.residuals[row] - exact).abs() < 1e-15);
            for (column, variable) in [2, 0].into_iter().enumerate() {
                let step = 1e-6;
                let at = |sign: f64| {
                    let mut moved = point;
                    moved[variable] += sign * step;
                    compiled.values(&moved).residuals[row]
                };
                let difference = (at(1.0) - at(-1.0)) / (2.0 * step);
                assert!((slopes.column(column)[row] - difference).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn long_numbers_and_doubles_give_the_same_values() {
        let (_, compiled) = system(&mut Budget::new(100_000));
        let point = [0.1, -1.3, 0.7];
        let scale = Scale { places: 200 };
        let long: Vec<FixedPoint> = point.iter().map(|&x| scale.double(x).unwrap()).collect();
        let values = compiled.values(&point).residuals;
        for (x, y) in compiled.values_at_fixed(&long, scale).iter().zip(values) {
            assert!((x - y).abs() < 1e-15);
        }
    }
}
