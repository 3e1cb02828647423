//! Greatest common divisors, square-free parts and resultants, by reduction modulo primes.

use dashu_base::{BitTest, Gcd, UnsignedAbs};
use dashu_int::IBig;

use super::IntegerPolynomial;
use super::prime_field::{PrimePolynomial, primes, residue};
use crate::{Budget, OrInternal, OutOfBudget, modular};

/// Integers known modulo a growing product of primes.
struct ChineseRemainder {
    values: Vec<IBig>,
    modulus: IBig,
}

impl ChineseRemainder {
    fn new(residues: &[u64], prime: u64) -> Self {
        Self { values: residues.iter().map(|&r| r.into()).collect(), modulus: prime.into() }
    }

    fn include(&mut self, residues: &[u64], prime: u64) {
        let modulus = residue(&self.modulus, prime);
        let inverse =
            modular::inverse(modulus, prime).or_noticed("the moduli are different primes");
        for (value, &target) in self.values.iter_mut().zip(residues) {
            let gap = modular::sub(target, residue(value, prime), prime);
            *value += &self.modulus * IBig::from(gap * inverse % prime);
        }
        self.modulus *= IBig::from(prime);
    }

    /// Representatives of least absolute value.
    fn symmetric(&self) -> Vec<IBig> {
        self.values.iter().map(|value| symmetric(value, &self.modulus)).collect()
    }
}

/// The residue of least absolute value.
pub(super) fn symmetric(value: &IBig, modulus: &IBig) -> IBig {
    let rest = value % modulus;
    let double: IBig = &rest << 1;
    if double > *modulus {
        rest - modulus
    } else if -double >= *modulus {
        rest + modulus
    } else {
        rest
    }
}

impl IntegerPolynomial {
    /// The primitive greatest common divisor, times the gcd of the contents.
    pub fn gcd(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let doing = "computing a polynomial gcd";
        if self.is_zero() || other.is_zero() {
            let rest = if self.is_zero() { other } else { self };
            return Ok(rest.primitive_part().scale(&rest.content().into()));
        }
        let content = IBig::from(self.content().gcd(other.content()));
        let (a, b) = (self.primitive_part(), other.primitive_part());
        let lead = IBig::from(a.leading().unsigned_abs().gcd(b.leading().unsigned_abs()));
        let mut found: Option<(usize, ChineseRemainder)> = None;
        let mut last = Vec::new();
        for prime in primes() {
            budget.spend((a.len() * b.len()) as u64, doing)?;
            let scale = residue(&lead, prime);
            if scale == 0 {
                continue;
            }
            let common =
                PrimePolynomial::reduce(&a, prime).gcd(&PrimePolynomial::reduce(&b, prime));
            if common.degree() == 0 {
                return Ok(Self::new(vec![content]));
            }
            let common = common.scale(scale);
            // Too high a degree: the prime is unlucky. Lower than before: all before were.
            let state = match found.take() {
                Some((degree, state)) if degree < common.degree() => {
                    found = Some((degree, state));
                    continue;
                }
                Some((degree, mut state)) if degree == common.degree() => {
                    state.include(&common.coefficients, prime);
                    state
                }
                _ => ChineseRemainder::new(&common.coefficients, prime),
            };
            let values = state.symmetric();
            if values == last {
                let candidate = Self::new(values.clone()).primitive_part();
                if a.exact_div(&candidate).is_some() && b.exact_div(&candidate).is_some() {
                    return Ok(candidate.scale(&content));
                }
            }
            last = values;
            found = Some((common.degree(), state));
        }
        // There are fifty million primes; coefficients that need them all do not fit in memory.
        Err(OutOfBudget::spent(budget.spent(), doing))
    }

    /// The product of the distinct irreducible factors, primitive.
    pub fn square_free_part(&self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let primitive = self.primitive_part();
        let common = primitive.gcd(&primitive.derivative(), budget)?;
        if common.is_constant() {
            return Ok(primitive);
        }
        Ok(primitive.exact_div(&common).unwrap_or(primitive))
    }

    /// Primitive, pairwise coprime, square-free `f_i` with `self = c * f_1 f_2^2 f_3^3 ...`,
    /// listed with their multiplicity, constants left out (Yun 1976).
    pub fn square_free_factors(
        &self,
        budget: &mut Budget,
    ) -> Result<Vec<(Self, usize)>, OutOfBudget> {
        let f = self.primitive_part();
        let mut factors = Vec::new();
        if f.is_constant() {
            return Ok(factors);
        }
        let derivative = f.derivative();
        let common = f.gcd(&derivative, budget)?;
        let divide =
            |a: &Self, b: &Self| a.exact_div(b).or_internal("a gcd divides both polynomials");
        let mut b = divide(&f, &common)?;
        let mut d = divide(&derivative, &common)?.sub(&b.derivative());
        let mut multiplicity = 1;
        while !b.is_constant() {
            let factor = b.gcd(&d, budget)?.primitive_part();
            b = divide(&b, &factor)?;
            d = divide(&d, &factor)?.sub(&b.derivative());
            if !factor.is_constant() {
                factors.push((factor, multiplicity));
            }
            multiplicity += 1;
        }
        Ok(factors)
    }

    /// The resultant: zero exactly when the polynomials have a common root (or one is zero).
    pub fn resultant(&self, other: &Self, budget: &mut Budget) -> Result<IBig, OutOfBudget> {
        let (Some(m), Some(n)) = (self.degree(), other.degree()) else { return Ok(IBig::ZERO) };
        // Hadamard: |res| <= |self|^n |other|^m in the Euclidean norm.
        let norm_bits = |p: &Self| p.bits() + (p.len().bit_len() / 2) + 1;
        let bound = n * norm_bits(self) + m * norm_bits(other) + 2;
        let mut state: Option<ChineseRemainder> = None;
        for prime in primes() {
            budget.spend((self.len() * other.len()) as u64, "computing a resultant")?;
            let a = PrimePolynomial::reduce(self, prime);
            let b = PrimePolynomial::reduce(other, prime);
            if a.len() != self.len() || b.len() != other.len() {
                continue;
            }
            let value = [a.resultant(&b)];
            match &mut state {
                Some(state) => state.include(&value, prime),
                None => state = Some(ChineseRemainder::new(&value, prime)),
            }
            if let Some(state) = &state
                && state.modulus.bit_len() > bound + 1
            {
                return Ok(state.symmetric().swap_remove(0));
            }
        }
        Err(OutOfBudget::spent(budget.spent(), "computing a resultant"))
    }

    /// The discriminant; zero exactly when there is a repeated root.
    pub fn discriminant(&self, budget: &mut Budget) -> Result<IBig, OutOfBudget> {
        let Some(n) = self.degree() else { return Ok(IBig::ZERO) };
        if n == 0 {
            return Ok(IBig::ZERO);
        }
        let resultant = self.resultant(&self.derivative(), budget)?;
        let value = resultant / self.leading();
        Ok(if n * (n - 1) / 2 % 2 == 1 { -value } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::super::polynomial::tests::any_polynomial;
    use super::*;
    use crate::Rational;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn gcd_divides_both_and_contains_the_common_factor(
            a in any_polynomial(5), b in any_polynomial(5), c in any_polynomial(5)
        ) {
            let mut budget = Budget::new(1_000_000);
            let (f, g) = (a.mul(&c), b.mul(&c));
            let common = f.gcd(&g, &mut budget).unwrap();
            if common.is_zero() {
                prop_assert!(f.is_zero() && g.is_zero());
            } else {
                prop_assert!(f.exact_div(&common).is_some());
                prop_assert!(g.exact_div(&common).is_some());
                prop_assert!(c.is_zero() || common.exact_div(&c).is_some());
            }
        }

        #[test]
        fn square_free_factors_multiply_back(a in any_polynomial(4), b in any_polynomial(3)) {
            let mut budget = Budget::new(1_000_000);
            let f = a.mul(&b).mul(&b);
            let factors = f.square_free_factors(&mut budget).unwrap();
            let mut product = IntegerPolynomial::one();
            for (factor, multiplicity) in &factors {
                prop_assert!(!factor.discriminant(&mut budget).unwrap().is_zero());
                for _ in 0..*multiplicity {
                    product = product.mul(factor);
                }
            }
            if !f.is_zero() {
                prop_assert_eq!(product, f.primitive_part());
            }
        }

        #[test]
        fn resultant_is_the_product_of_root_differences(
            roots in prop::collection::vec(-9i64..9, 1..4),
            others in prop::collection::vec(-9i64..9, 1..4), lead in 1i64..5
        ) {
            let mut budget = Budget::new(1_000_000);
            let build = |roots: &[i64]| roots.iter().fold(IntegerPolynomial::one(), |p, &r| {
                p.mul(&IntegerPolynomial::with_root(&Rational::integer(r)))
            });
            let f = build(&roots).scale(&lead.into());
            let expected: i64 = roots.iter().flat_map(|r| others.iter().map(move |s| r - s)).product();
            let expected = IBig::from(expected) * IBig::from(lead).pow(others.len());
            prop_assert_eq!(f.resultant(&build(&others), &mut budget).unwrap(), expected);
        }
    }

    #[test]
    fn discriminant_of_a_quadratic() {
        let p = IntegerPolynomial::from_integers(&[5, 3, 2]);
        assert_eq!(p.discriminant(&mut Budget::new(1000)).unwrap(), IBig::from(9 - 40));
    }
}
