//! Trigonometric polynomials as sums of sines and cosines of whole angles:
//! `cos a cos b + sin a sin b` becomes `cos(a - b)`.

use std::collections::BTreeMap;

use super::Fraction;
use super::generators::Generators;
use crate::functions::Function;
use crate::polynomial::{Monomial, Polynomial};
use crate::pool::{ExprId, Pool};
use crate::{Budget, OutOfBudget, Rational};

/// Multiples of the base angles.
type Harmonic = Vec<i32>;
/// Coefficients (real part, imaginary part) of `exp(i n.alpha)`.
type Spectrum = BTreeMap<Harmonic, (Rational, Rational)>;

const DOING: &str = "writing products of sines and cosines as sums";
/// A product of n powers of sines and cosines of different angles is a sum of 2ⁿ and more: sums with more parts than
/// this are not the shortest form of anything.
const PARTS: u64 = 4_096;

impl Generators {
    /// A fraction with numerator and denominator as Fourier sums. `None` without angles, and where sums are much longer.
    pub(super) fn to_fourier_expression(
        &self,
        pool: &mut Pool,
        fraction: &Fraction,
        budget: &mut Budget,
    ) -> Result<Option<ExprId>, OutOfBudget> {
        if self.circle_pairs().next().is_none()
            || self.has_long_sums(&fraction.numerator)
            || self.has_long_sums(&fraction.denominator)
        {
            return Ok(None);
        }
        let numerator = self.fourier_side(pool, &fraction.numerator, budget)?;
        let denominator = self.fourier_side(pool, &fraction.denominator, budget)?;
        Ok(Some(pool.div(numerator, denominator)))
    }

    /// Would the sums have many more parts than the products?
    fn has_long_sums(&self, polynomial: &Polynomial) -> bool {
        let parts = polynomial.terms().iter().fold(0_u64, |sum, (monomial, _)| {
            let powers = self.circle_pairs().map(|(_, cosine, sine)| {
                u64::from(monomial.exponent(cosine)) + u64::from(monomial.exponent(sine)) + 1
            });
            sum.saturating_add(powers.fold(1, u64::saturating_mul))
        });
        parts > PARTS.max(8 * polynomial.len() as u64)
    }

    fn fourier_side(
        &self,
        pool: &mut Pool,
        polynomial: &Polynomial,
        budget: &mut Budget,
    ) -> Result<ExprId, OutOfBudget> {
        let pairs: Vec<(usize, usize, usize)> = self.circle_pairs().collect();
        let mut common = polynomial.monomial_content();
        for &(_, cosine, sine) in &pairs {
            common = common.with_exponent(cosine, 0).with_exponent(sine, 0);
        }
        let rest = polynomial.checked_div_monomial(&common).unwrap_or_else(|| polynomial.clone());
        let front = self.polynomial_to_expression(pool, &Polynomial::term(common, Rational::ONE));
        // Sums by (harmonic, is it a sine) and then by what stands beside it.
        let mut sums: BTreeMap<(Harmonic, bool), Vec<(Monomial, Rational)>> = BTreeMap::new();
        for (monomial, coefficient) in rest.terms() {
            let mut rest = monomial.clone();
            let mut spectrum =
                Spectrum::from([(vec![0; pairs.len()], (coefficient.clone(), Rational::ZERO))]);
            for (k, &(_, cosine, sine)) in pairs.iter().enumerate() {
                for _ in 0..monomial.exponent(cosine) {
                    spectrum = times(&spectrum, k, false, budget)?;
                }
                for _ in 0..monomial.exponent(sine) {
                    spectrum = times(&spectrum, k, true, budget)?;
                }
                rest = rest.with_exponent(cosine, 0).with_exponent(sine, 0);
            }
            for (harmonic, (re, im)) in spectrum {
                let first = harmonic.iter().find(|n| **n != 0).copied().unwrap_or(0);
                if first < 0 {
                    continue;
                }
                // exp(i a) and its conjugate together: 2 re cos a - 2 im sin a.
                let double = if first == 0 { Rational::ONE } else { Rational::integer(2) };
                if !re.is_zero() {
                    let entry = sums.entry((harmonic.clone(), false)).or_default();
                    entry.push((rest.clone(), &re * &double));
                }
                if first > 0 && !im.is_zero() {
                    let entry = sums.entry((harmonic, true)).or_default();
                    entry.push((rest.clone(), -(&im * &double)));
                }
            }
        }
        let mut terms = Vec::new();
        for ((harmonic, is_sine), parts) in sums {
            let beside = Polynomial::from_terms(parts);
            if beside.is_zero() {
                continue;
            }
            let mut angle = Vec::new();
            for (n, &(base, _, _)) in harmonic.iter().zip(&pairs) {
                let whole = self.base_angle(pool, base);
                angle.push((Rational::integer((*n).into()), whole));
            }
            let angle = pool.linear_combination(&angle);
            let function = if is_sine { Function::Sin } else { Function::Cos };
            let wave = pool.call(function, angle);
            let beside = self.factored(pool, &beside);
            terms.push(pool.mul(beside, wave));
        }
        let sum = pool.sum(&terms);
        Ok(pool.mul(front, sum))
    }
}

/// Multiplies by `cos alpha_k = (z + 1/z)/2` or `sin alpha_k = (z - 1/z)/(2 i)`.
fn times(
    spectrum: &Spectrum,
    k: usize,
    sine: bool,
    budget: &mut Budget,
) -> Result<Spectrum, OutOfBudget> {
    budget.spend(2 * spectrum.len() as u64, DOING)?;
    let mut product = Spectrum::new();
    let half = Rational::half();
    for (harmonic, (re, im)) in spectrum {
        for step in [1, -1] {
            let mut shifted = harmonic.clone();
            shifted[k] += step;
            let (re, im) = match (sine, step) {
                (false, _) => (re * &half, im * &half),
                // (re + i im)(-i/2) = im/2 - i re/2
                (true, 1) => (im * &half, -(re * &half)),
                (true, _) => (-(im * &half), re * &half),
            };
            let entry = product.entry(shifted).or_insert((Rational::ZERO, Rational::ZERO));
            *entry = (&entry.0 + &re, &entry.1 + &im);
        }
    }
    product.retain(|_, (re, im)| !(re.is_zero() && im.is_zero()));
    Ok(product)
}
