//! Polynomials over a field of `p` elements, `p` an odd prime below 2^31.

use dashu_int::IBig;

use super::IntegerPolynomial;
use crate::modular;

/// A polynomial over the integers modulo a prime; ascending, no leading zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PrimePolynomial {
    pub(super) prime: u64,
    pub(super) coefficients: Vec<u64>,
}

/// The primes below 2^31, descending.
pub(super) fn primes() -> impl Iterator<Item = u64> {
    (1u64 << 30..1 << 31).rev().filter(|&n| is_prime(n))
}

/// Miller-Rabin with the bases 2, 3, 5, 7, which decides below 3 215 031 751.
fn is_prime(n: u64) -> bool {
    if n < 11 || n.is_multiple_of(2) {
        return matches!(n, 2 | 3 | 5 | 7);
    }
    let shift = (n - 1).trailing_zeros();
    let odd = (n - 1) >> shift;
    [2, 3, 5, 7].into_iter().all(|base| {
        let mut x = modular::pow(base, odd, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        for _ in 1..shift {
            x = x * x % n;
            if x == n - 1 {
                return true;
            }
        }
        false
    })
}

/// The residue of an integer.
pub(super) fn residue(value: &IBig, prime: u64) -> u64 {
    let rest = value % IBig::from(prime);
    i64::try_from(rest).unwrap_or(0).rem_euclid(prime as i64) as u64
}

impl PrimePolynomial {
    pub(super) fn new(mut coefficients: Vec<u64>, prime: u64) -> Self {
        while coefficients.last() == Some(&0) {
            coefficients.pop();
        }
        Self { prime, coefficients }
    }

    pub(super) fn reduce(polynomial: &IntegerPolynomial, prime: u64) -> Self {
        Self::new(polynomial.coefficients().iter().map(|c| residue(c, prime)).collect(), prime)
    }

    pub(super) fn constant(value: u64, prime: u64) -> Self {
        Self::new(vec![value % prime], prime)
    }

    pub(super) fn x(prime: u64) -> Self {
        Self { prime, coefficients: vec![0, 1] }
    }

    pub(super) fn lift(&self) -> IntegerPolynomial {
        IntegerPolynomial::new(self.coefficients.iter().map(|&c| c.into()).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.coefficients.len()
    }

    /// The degree, counting the zero polynomial as a constant.
    pub(super) fn degree(&self) -> usize {
        self.len().saturating_sub(1)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    pub(super) fn is_one(&self) -> bool {
        self.coefficients == [1]
    }

    pub(super) fn leading(&self) -> u64 {
        self.coefficients.last().copied().unwrap_or(0)
    }

    pub(super) fn scale(&self, factor: u64) -> Self {
        let p = self.prime;
        Self::new(self.coefficients.iter().map(|&c| c * factor % p).collect(), p)
    }

    /// Divided by the leading coefficient.
    pub(super) fn monic(&self) -> Self {
        modular::inverse(self.leading(), self.prime).map_or_else(|| self.clone(), |i| self.scale(i))
    }

    pub(super) fn sub(&self, other: &Self) -> Self {
        let at = |values: &[u64], i: usize| values.get(i).copied().unwrap_or(0);
        let terms = (0..self.len().max(other.len())).map(|i| {
            modular::sub(at(&self.coefficients, i), at(&other.coefficients, i), self.prime)
        });
        Self::new(terms.collect(), self.prime)
    }

    pub(super) fn mul(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::new(Vec::new(), self.prime);
        }
        let mut product = vec![0u64; self.len() + other.len() - 1];
        for (i, &a) in self.coefficients.iter().enumerate() {
            for (j, &b) in other.coefficients.iter().enumerate() {
                product[i + j] = (product[i + j] + a * b) % self.prime;
            }
        }
        Self::new(product, self.prime)
    }

    /// Quotient and remainder; `None` for a zero divisor.
    pub(super) fn div_rem(&self, divisor: &Self) -> Option<(Self, Self)> {
        let p = self.prime;
        let inverse = modular::inverse(divisor.leading(), p)?;
        let Some(steps) = (self.len() + 1).checked_sub(divisor.len()) else {
            return Some((Self::new(Vec::new(), p), self.clone()));
        };
        let mut rest = self.coefficients.clone();
        let mut quotient = vec![0; steps];
        for k in (0..steps).rev() {
            let q = rest.get(k + divisor.len() - 1).copied().unwrap_or(0) * inverse % p;
            if q != 0 {
                for (j, &d) in divisor.coefficients.iter().enumerate() {
                    rest[k + j] = modular::sub(rest[k + j], q * d % p, p);
                }
            }
            quotient[k] = q;
        }
        Some((Self::new(quotient, p), Self::new(rest, p)))
    }

    /// The remainder (the number itself for a zero divisor).
    pub(super) fn rem(&self, divisor: &Self) -> Self {
        self.div_rem(divisor).map_or_else(|| self.clone(), |(_, rest)| rest)
    }

    /// The quotient (zero for a zero divisor).
    pub(super) fn quotient(&self, divisor: &Self) -> Self {
        self.div_rem(divisor).map_or_else(|| Self::new(Vec::new(), self.prime), |(q, _)| q)
    }

    /// The monic greatest common divisor.
    pub(super) fn gcd(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            let rest = a.rem(&b);
            (a, b) = (b, rest);
        }
        a.monic()
    }

    /// `(s, t)` with `s self + t other = 1` for coprime polynomials.
    pub(super) fn bezout(&self, other: &Self) -> Option<(Self, Self)> {
        let p = self.prime;
        let (mut r0, mut r1) = (self.clone(), other.clone());
        let (mut s0, mut s1) = (Self::constant(1, p), Self::new(Vec::new(), p));
        let (mut t0, mut t1) = (s1.clone(), s0.clone());
        while !r1.is_zero() {
            let (q, r) = r0.div_rem(&r1)?;
            (r0, r1) = (r1, r);
            let s = s0.sub(&q.mul(&s1));
            (s0, s1) = (s1, s);
            let t = t0.sub(&q.mul(&t1));
            (t0, t1) = (t1, t);
        }
        if r0.degree() != 0 {
            return None;
        }
        let inverse = modular::inverse(r0.leading(), p)?;
        Some((s0.scale(inverse), t0.scale(inverse)))
    }

    /// `self^exponent` modulo another polynomial.
    pub(super) fn pow_mod(&self, mut exponent: u64, modulus: &Self) -> Self {
        let mut result = Self::constant(1, self.prime);
        let mut base = self.rem(modulus);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.mul(&base).rem(modulus);
            }
            exponent >>= 1;
            if exponent > 0 {
                base = base.mul(&base).rem(modulus);
            }
        }
        result
    }

    pub(super) fn derivative(&self) -> Self {
        let terms = self.coefficients.iter().enumerate().skip(1);
        let p = self.prime;
        Self::new(terms.map(|(i, &c)| c * (i as u64 % p) % p).collect(), p)
    }

    /// The resultant, by Euclid's algorithm.
    pub(super) fn resultant(&self, other: &Self) -> u64 {
        let p = self.prime;
        let (mut a, mut b) = (self.clone(), other.clone());
        if a.is_zero() || b.is_zero() {
            return 0;
        }
        let mut result = 1;
        while b.degree() > 0 {
            // res(a, b) = (-1)^(deg a deg b) lc(b)^(deg a - deg r) res(b, r).
            let rest = a.rem(&b);
            if rest.is_zero() {
                return 0;
            }
            if a.degree() % 2 == 1 && b.degree() % 2 == 1 {
                result = modular::sub(0, result, p);
            }
            let drop = (a.degree() - rest.degree()) as u64;
            result = result * modular::pow(b.leading(), drop, p) % p;
            (a, b) = (b, rest);
        }
        result * modular::pow(b.leading(), a.degree() as u64, p) % p
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_primes_below_two_to_the_31() {
        let first: Vec<u64> = primes().take(3).collect();
        assert_eq!(first, [2_147_483_647, 2_147_483_629, 2_147_483_587]);
    }

    #[test]
    fn bezout_coefficients_of_coprime_polynomials() {
        let p = 2_147_483_647;
        let a = PrimePolynomial::new(vec![3, 0, 1, 5], p);
        let b = PrimePolynomial::new(vec![1, 7, 2], p);
        let (s, t) = a.bezout(&b).unwrap();
        assert!(s.mul(&a).sub(&t.mul(&b).scale(p - 1)).is_one());
    }
}
