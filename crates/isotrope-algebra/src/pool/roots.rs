//! Powers of numbers with exponents that are not integers: 12^(1/2) is 2*3^(1/2).

use dashu_base::{Sign, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::build::Factors;
use super::{ExprId, Pool};
use crate::number::Rational;

/// Primes are divided out by trial up to this bound; a larger cofactor counts as one base.
const TRIAL_BOUND: u64 = 1 << 12;
/// Numbers with more bits than this are not factored at all.
const FACTOR_BITS: usize = 192;

impl Pool {
    /// Multiplies `factors` by `base^exponent` for a positive base and a rational exponent
    /// that is not an integer.
    pub(super) fn push_number_root(
        &mut self,
        base: &Rational,
        exponent: &Rational,
        factors: &mut Factors,
    ) {
        let numerator = factor(base.numerator().unsigned_abs());
        let denominator = factor(base.denominator());
        let signed = numerator
            .into_iter()
            .map(|(prime, count)| (prime, count as i64))
            .chain(denominator.into_iter().map(|(prime, count)| (prime, -(count as i64))));
        for (prime, count) in signed {
            let power = exponent * &Rational::integer(count);
            let whole = power.floor();
            let rest = &power - &Rational::from(whole.clone());
            let prime = Rational::from(IBig::from_parts(Sign::Positive, prime));
            match i64::try_from(&whole)
                .ok()
                .and_then(|whole| prime.pow(whole, super::build::MAX_BITS))
            {
                Some(value) => factors.scale(&value),
                None => {
                    // Too large to write out: the power stays whole.
                    let (base, exponent) = (self.number(prime), self.number(power));
                    factors.push(base, exponent);
                    continue;
                }
            }
            if !rest.is_zero() {
                let (base, exponent) = (self.number(prime), self.number(rest));
                factors.push(base, exponent);
            }
        }
    }

    /// Is it a number with a power that only [`Pool::push_number_root`] may touch?
    pub(super) fn is_root_of_number(&self, base: ExprId, exponent: ExprId) -> bool {
        self.as_number(base).is_some() && self.as_number(exponent).is_some_and(|e| !e.is_integer())
    }
}

/// Prime powers of a positive integer; a cofactor out of reach is kept whole
/// (split only if it is a perfect square).
fn factor(mut value: UBig) -> Vec<(UBig, u64)> {
    let mut factors = Vec::new();
    if value.is_one() || value.is_zero() {
        return factors;
    }
    if dashu_base::BitTest::bit_len(&value) <= FACTOR_BITS {
        let mut divisor = 2u64;
        while divisor < TRIAL_BOUND {
            let d = UBig::from(divisor);
            if &d * &d > value {
                break;
            }
            let mut count = 0;
            while (&value % &d).is_zero() {
                value /= &d;
                count += 1;
            }
            if count > 0 {
                factors.push((d, count));
            }
            divisor += if divisor == 2 { 1 } else { 2 };
        }
        let root = dashu_base::SquareRoot::sqrt(&value);
        if !value.is_one() && &root * &root == value {
            factors.push((root, 2));
            return factors;
        }
    }
    if !value.is_one() {
        factors.push((value, 1));
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_multiply_back() {
        for n in [2u64, 12, 360, 97, 1_000_003, 999_983 * 999_983, 1 << 40] {
            let product =
                factor(n.into()).into_iter().fold(UBig::ONE, |p, (f, k)| p * f.pow(k as usize));
            assert_eq!(product, UBig::from(n));
        }
    }
}
