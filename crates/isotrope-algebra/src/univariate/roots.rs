//! Isolation of real roots by Descartes' rule of signs, and their refinement.

use std::cmp::Ordering;

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};

use super::IntegerPolynomial;
use crate::{Budget, OrInternal, OutOfBudget, Rational};

const DOING: &str = "isolating real roots";

/// A real root of a square-free polynomial between rational end points.
///
/// Either `low == high` is the root, or the open interval contains it and no other root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RealRoot {
    low: Rational,
    high: Rational,
}

/// A dyadic interval of the search: `(place, place + 1) * 2^-depth` of the unit interval.
struct Piece {
    polynomial: IntegerPolynomial,
    place: IBig,
    depth: usize,
}

impl RealRoot {
    /// A known rational root.
    pub fn exact(value: Rational) -> Self {
        Self { low: value.clone(), high: value }
    }

    /// The root plus a rational number.
    pub(crate) fn shift(&self, by: &Rational) -> Self {
        Self { low: &self.low + by, high: &self.high + by }
    }

    /// The root times a rational number other than zero.
    pub(crate) fn scale(&self, by: &Rational) -> Self {
        let (a, b) = (&self.low * by, &self.high * by);
        if by.is_negative() { Self { low: b, high: a } } else { Self { low: a, high: b } }
    }

    /// The lower end.
    pub fn low(&self) -> &Rational {
        &self.low
    }

    /// The upper end.
    pub fn high(&self) -> &Rational {
        &self.high
    }

    /// The root, when it is known to be rational.
    pub fn as_exact(&self) -> Option<&Rational> {
        (self.low == self.high).then_some(&self.low)
    }

    /// The distance of the ends.
    pub fn width(&self) -> Rational {
        &self.high - &self.low
    }

    /// Do both ends have the same sign?
    pub(crate) fn is_off_zero(&self) -> bool {
        self.high.is_negative() || !(self.low.is_negative() || self.low.is_zero())
    }

    /// Halves the interval; `polynomial` is the one whose root this is.
    pub fn bisect(&mut self, polynomial: &IntegerPolynomial) {
        if self.low == self.high {
            return;
        }
        let right_of_low = polynomial.sign_right_of(&self.low);
        self.bisect_knowing(polynomial, right_of_low);
    }

    fn bisect_knowing(&mut self, polynomial: &IntegerPolynomial, right_of_low: Ordering) {
        let middle = midpoint(&self.low, &self.high);
        match polynomial.sign_at(&middle) {
            Ordering::Equal => *self = Self::exact(middle),
            sign if sign == right_of_low => self.low = middle,
            _ => self.high = middle,
        }
    }

    /// Narrows the interval to at most `2^-bits` (negative `bits` mean a wide one);
    /// `polynomial` is the one whose root this is.
    pub fn refine(&mut self, polynomial: &IntegerPolynomial, bits: i64) {
        if self.low == self.high {
            return;
        }
        let goal = dyadic(&IBig::ONE, bits);
        let right_of_low = polynomial.sign_right_of(&self.low);
        // Quadratic interval refinement (Abbott 2006): of 2^power equal parts, guess by the
        // secant which one holds the root; each success doubles the power.
        let mut power = 1;
        while self.low != self.high && self.width() > goal {
            if power > 1 && self.try_part(polynomial, right_of_low, power) {
                power *= 2;
            } else {
                self.bisect_knowing(polynomial, right_of_low);
                power = (power / 2).max(2);
            }
        }
    }

    /// Narrows to the part that the secant guesses, if the signs confirm the guess.
    fn try_part(
        &mut self,
        polynomial: &IntegerPolynomial,
        right_of_low: Ordering,
        power: usize,
    ) -> bool {
        let (at_low, at_high) = (polynomial.evaluate(&self.low), polynomial.evaluate(&self.high));
        let Some(fraction) = at_low.checked_div(&(&at_low - &at_high)) else { return false };
        let parts: IBig = IBig::ONE << power;
        let guess = (fraction * Rational::from(parts.clone())).floor();
        let guess = guess.clamp(IBig::ZERO, &parts - IBig::ONE);
        let step = self.width() * dyadic(&IBig::ONE, power as i64);
        let start = &self.low + &(&step * &Rational::from(guess.clone()));
        let end = &start + &step;
        let start_fits = guess.is_zero() || polynomial.sign_at(&start) == right_of_low;
        let end_fits =
            guess + IBig::ONE == parts || polynomial.sign_at(&end) == right_of_low.reverse();
        if start_fits && end_fits {
            *self = Self { low: start, high: end };
        }
        start_fits && end_fits
    }
}

fn midpoint(a: &Rational, b: &Rational) -> Rational {
    let sum = a + b;
    let denominator: UBig = sum.denominator() << 1;
    Rational::from_big(sum.numerator(), denominator).unwrap_or(sum)
}

impl IntegerPolynomial {
    /// `b` such that all roots are smaller in size than `2^b` (Fujiwara 1916).
    pub(super) fn root_bound_bits(&self) -> i64 {
        let Some(degree) = self.degree() else { return 0 };
        let lead = self.leading().bit_len() as i64;
        let terms = self.coefficients().iter().enumerate().take(degree);
        let largest = terms.filter(|(_, c)| !c.is_zero()).map(|(power, c)| {
            // |c / lead| < 2^(bits(c) - bits(lead) + 1), to the power 1/(degree - power).
            let quotient = c.bit_len() as i64 - lead + 1;
            let root = (degree - power) as i64;
            quotient.div_euclid(root) + i64::from(quotient.rem_euclid(root) != 0)
        });
        largest.max().map_or(0, |bits| bits + 1)
    }

    /// The distinct real roots in ascending order.
    pub fn real_roots(&self, budget: &mut Budget) -> Result<Vec<RealRoot>, OutOfBudget> {
        if self.is_constant() {
            return Ok(Vec::new());
        }
        let mut rest = self.square_free_part(budget)?;
        let mut roots = Vec::new();
        let zero = rest.coefficients().first().is_some_and(IBig::is_zero);
        if zero {
            rest = Self::new(rest.into_coefficients().split_off(1));
        }
        for root in rest.reflect().positive_roots(budget)?.into_iter().rev() {
            roots.push(RealRoot { low: -root.high, high: -root.low });
        }
        if zero {
            roots.push(RealRoot::exact(Rational::ZERO));
        }
        roots.extend(rest.positive_roots(budget)?);
        Ok(roots)
    }

    /// The number of distinct real roots.
    pub fn count_real_roots(&self, budget: &mut Budget) -> Result<usize, OutOfBudget> {
        Ok(self.real_roots(budget)?.len())
    }

    /// Positive roots, ascending, of a square-free polynomial that does not vanish at zero.
    fn positive_roots(&self, budget: &mut Budget) -> Result<Vec<RealRoot>, OutOfBudget> {
        let bound = self.root_bound_bits();
        let start = Piece { polynomial: self.stretch(bound), place: IBig::ZERO, depth: 0 };
        let mut roots = Vec::new();
        // A stack with the left half on top visits the pieces in ascending order.
        let mut pending = vec![start];
        while let Some(Piece { polynomial, place, depth }) = pending.pop() {
            let operations = polynomial.len() * polynomial.len();
            budget.spend(operations as u64, DOING)?;
            let end = |place: &IBig| dyadic(place, depth as i64 - bound);
            if polynomial.len() == 0 {
                // A root at the middle, found when the piece was split.
                roots.push(RealRoot::exact(end(&place)));
                continue;
            }
            match polynomial.variations_on_unit_interval() {
                0 => {}
                1 => roots.push(RealRoot { low: end(&place), high: end(&(&place + IBig::ONE)) }),
                _ => {
                    let left = polynomial.stretch(-1);
                    let mut right = left.shift_by_one();
                    let middle: IBig = (&place << 1) + IBig::ONE;
                    let at_middle = right.coefficients().first().is_some_and(IBig::is_zero);
                    if at_middle {
                        right = Self::new(right.into_coefficients().split_off(1));
                    }
                    let depth = depth + 1;
                    pending.push(Piece { polynomial: right, place: middle.clone(), depth });
                    if at_middle {
                        pending.push(Piece { polynomial: Self::zero(), place: middle, depth });
                    }
                    pending.push(Piece { polynomial: left, place: place << 1, depth });
                }
            }
        }
        Ok(roots)
    }

    /// Descartes' bound for the number of roots in the open unit interval: equal to it when
    /// zero or one, and never below it.
    fn variations_on_unit_interval(&self) -> usize {
        self.reverse().shift_by_one().sign_variations()
    }

    /// Descartes' bound for the number of roots in an open interval.
    pub(crate) fn variations_between(&self, low: &Rational, high: &Rational) -> usize {
        let Some(inverse) = (high - low).recip() else {
            return usize::from(self.sign_at(low) == Ordering::Equal);
        };
        self.shift_roots(&-low).scale_roots(&inverse).variations_on_unit_interval()
    }
}

/// `place * 2^-depth`.
fn dyadic(place: &IBig, depth: i64) -> Rational {
    let shift = depth.unsigned_abs() as usize;
    if depth <= 0 {
        return Rational::from(place << shift);
    }
    Rational::from_big(place.clone(), UBig::ONE << shift).or_noticed("a power of two is not zero")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_rational_roots_are_found_in_order(
            mut roots in prop::collection::vec((-40i64..40, 1i64..9), 0..6), power in 1usize..3
        ) {
            let mut budget = Budget::new(10_000_000);
            let mut values: Vec<Rational> =
                roots.drain(..).map(|(n, d)| Rational::new(n, d).unwrap()).collect();
            // x^2 + x + 1 has no real root.
            let mut p = IntegerPolynomial::from_integers(&[1, 1, 1]);
            for value in &values {
                for _ in 0..power {
                    p = p.mul(&IntegerPolynomial::with_root(value));
                }
            }
            values.sort();
            values.dedup();
            let found = p.real_roots(&mut budget).unwrap();
            prop_assert_eq!(found.len(), values.len());
            let square_free = p.square_free_part(&mut budget).unwrap();
            for (mut root, value) in found.into_iter().zip(&values) {
                root.refine(&square_free, 20);
                prop_assert!(root.low() <= value && value <= root.high());
                prop_assert!(root.width() <= Rational::new(1, 1 << 20).unwrap());
            }
        }
    }

    #[test]
    fn legendre_roots_are_real_and_symmetric() {
        for degree in 1..20usize {
            let p = IntegerPolynomial::legendre(degree);
            let roots = p.real_roots(&mut Budget::new(10_000_000)).unwrap();
            assert_eq!(roots.len(), degree);
            for (left, right) in roots.iter().zip(roots.iter().rev()) {
                assert_eq!(*left.low(), -right.high());
            }
        }
    }

    /// Mignotte's x^n - 2 (50 x - 1)^2 has two roots closer than 50^(-n/2).
    #[test]
    fn close_roots_are_separated() {
        let mut c = vec![0i64; 13];
        (c[0], c[1], c[2], c[12]) = (-2, 200, -5000, 1);
        let p = IntegerPolynomial::from_integers(&c);
        let roots = p.real_roots(&mut Budget::new(10_000_000)).unwrap();
        assert_eq!(roots.len(), 4);
        assert!(roots.windows(2).all(|pair| pair[0].high() <= pair[1].low()));
    }
}
