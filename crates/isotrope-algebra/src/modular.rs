//! Arithmetic modulo a prime below 2^63: random evaluation over a finite field.

use dashu_base::Gcd as _;
use dashu_int::{IBig, UBig};

use crate::Rational;

/// The Mersenne prime 2^61 - 1, the default field for random evaluation.
pub const PRIME: u64 = (1 << 61) - 1;

/// `a + b` modulo `prime`.
pub fn add(a: u64, b: u64, prime: u64) -> u64 {
    let sum = a + b;
    if sum >= prime { sum - prime } else { sum }
}

/// `a - b` modulo `prime`.
pub fn sub(a: u64, b: u64, prime: u64) -> u64 {
    if a >= b { a - b } else { a + prime - b }
}

/// `a b` modulo `prime`, of residues.
#[inline]
pub fn mul(a: u64, b: u64, prime: u64) -> u64 {
    debug_assert!(a < prime && b < prime);
    remainder(u128::from(a) * u128::from(b), prime)
}

/// `x` modulo `prime`.
#[inline]
pub fn remainder(x: u128, prime: u64) -> u64 {
    let least = (PRIME + 1).wrapping_sub(prime);
    if least < 1 << 20 {
        // 2^61 is a small number c: c times the digits above are added to those below, twice.
        let fold = |x: u128| u128::from(x as u64 & PRIME) + (x >> 61) * u128::from(least);
        let sum = fold(fold(x)) as u64;
        return if sum >= prime { sum - prime } else { sum };
    }
    (x % u128::from(prime)) as u64
}

/// `base^exponent` modulo `prime`.
pub fn pow(mut base: u64, mut exponent: u64, prime: u64) -> u64 {
    let mut result = 1 % prime;
    base %= prime;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, base, prime);
        }
        base = mul(base, base, prime);
        exponent >>= 1;
    }
    result
}

/// `1/a` modulo `prime`; `None` for zero.
pub fn inverse(a: u64, prime: u64) -> Option<u64> {
    // Euclid's algorithm: r = t a at each step, and t stays below the prime.
    let (mut r0, mut r1) = (prime, a % prime);
    let (mut t0, mut t1) = (0_i64, 1_i64);
    while r1 > 1 {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (t0, t1) = (t1, t0.wrapping_sub((quotient as i64).wrapping_mul(t1)));
    }
    (r1 == 1).then(|| if t1 < 0 { prime - t1.unsigned_abs() } else { t1.unsigned_abs() })
}

/// A square root modulo `prime` (prime = 3 mod 4), if there is one.
pub fn sqrt(a: u64, prime: u64) -> Option<u64> {
    debug_assert_eq!(prime % 4, 3);
    let root = pow(a, (prime + 1) / 4, prime);
    (mul(root, root, prime) == a % prime).then_some(root)
}

/// Is the number prime? Miller-Rabin with the first twelve primes as bases, which decides for
/// every number of 64 bits (Sorenson and Webster 2015).
pub fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    if let Some(divisor) = BASES.iter().find(|&&base| n.is_multiple_of(base)) {
        return n == *divisor;
    }
    let shift = (n - 1).trailing_zeros();
    let odd = (n - 1) >> shift;
    BASES.into_iter().all(|base| {
        let mut x = pow(base, odd, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        for _ in 1..shift {
            x = mul(x, x, n);
            if x == n - 1 {
                return true;
            }
        }
        false
    })
}

/// The primes below `start`, descending.
pub fn primes_below(start: u64) -> impl Iterator<Item = u64> {
    (2..start).rev().filter(|&n| is_prime(n))
}

/// The one generator of random numbers, small and seeded (SplitMix64): the same points on every
/// machine, in the library and in its tests.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator with the given seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A random residue below `bound` (bound > 0; the bias is below 2^-2 of a unit for 62 bits).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from 0 to 1, without 1: 53 random bits.
    pub fn fraction(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The rational `n/d` with `|n|, d <= sqrt(prime/2)` congruent to `residue`, if there is one.
pub fn rational_reconstruction(residue: u64, prime: u64) -> Option<(i64, i64)> {
    let bound = (prime / 2).isqrt();
    let (mut r0, mut r1) = (i128::from(prime), i128::from(residue % prime));
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1 > i128::from(bound) {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (t0, t1) = (t1, t0 - quotient * t1);
    }
    if t1 == 0 || t1.unsigned_abs() > u128::from(bound) {
        return None;
    }
    let (n, d) = if t1 < 0 { (-r1, -t1) } else { (r1, t1) };
    Some((i64::try_from(n).ok()?, i64::try_from(d).ok()?))
}

/// The largest numerator and denominator that residues of a modulus m decide: sqrt(m/2).
pub fn fraction_bound(modulus: &UBig) -> UBig {
    use dashu_base::SquareRoot as _;
    (modulus / UBig::from(2u8)).sqrt()
}

/// The fraction with numerator and denominator up to [`fraction_bound`] and this residue, if there is one: at
/// most one is in lowest terms (Wang 1981).
pub fn fraction(residue: &UBig, modulus: &UBig) -> Option<Rational> {
    let bound = IBig::from(fraction_bound(modulus));
    let (mut r0, mut r1) = (IBig::from(modulus.clone()), IBig::from(residue % modulus));
    let (mut t0, mut t1) = (IBig::ZERO, IBig::ONE);
    while r1 > bound {
        let quotient = &r0 / &r1;
        (r0, r1) = (r1.clone(), r0 - &quotient * r1);
        (t0, t1) = (t1.clone(), t0 - quotient * t1);
    }
    let (numerator, denominator) = if t1 < IBig::ZERO { (-r1, -t1) } else { (r1, t1) };
    if denominator > bound {
        return None;
    }
    let denominator = UBig::try_from(denominator).ok()?;
    // With a common factor the residue belongs to no fraction of this size.
    (numerator.clone().gcd(IBig::from(denominator.clone())) == UBig::ONE || numerator == IBig::ZERO)
        .then(|| Rational::from_big(numerator, denominator))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_modulo_primes_near_a_power_of_two_are_remainders() {
        let random = &mut Random::new(3);
        for prime in [PRIME, 2_305_843_009_213_542_959, 2_305_843_009_213_057_079, 1_000_003] {
            let ends = [0, 1, prime - 1, prime / 2].map(|x| (x, prime - 1));
            let others = (0..1_000).map(|_| (random.below(prime), random.below(prime)));
            for (a, b) in others.collect::<Vec<_>>().into_iter().chain(ends) {
                let exact = u128::from(a) * u128::from(b) % u128::from(prime);
                assert_eq!(u128::from(mul(a, b, prime)), exact);
            }
        }
    }
    use proptest::prelude::*;

    #[test]
    fn the_largest_primes_below_powers_of_two() {
        assert_eq!(primes_below(1 << 62).next(), Some((1 << 62) - 57));
        assert_eq!(primes_below(1 << 31).next(), Some((1 << 31) - 1));
        assert!(is_prime(PRIME) && !is_prime(3_215_031_751) && !is_prime(341_550_071_728_321));
    }

    proptest! {
        #[test]
        fn products_and_inverses_are_those_of_the_field(a in any::<u64>(), b in any::<u64>()) {
            for prime in [PRIME, (1 << 62) - 57, (1 << 31) - 1, 3] {
                let (a, b) = (a % prime, b % prime);
                let product = (u128::from(a) * u128::from(b) % u128::from(prime)) as u64;
                prop_assert_eq!(mul(a, b, prime), product);
                match inverse(a, prime) {
                    Some(inverse) => {
                        prop_assert!(inverse < prime);
                        prop_assert_eq!(mul(a, inverse, prime), 1);
                        prop_assert_eq!(inverse, pow(a, prime - 2, prime));
                    }
                    None => prop_assert_eq!(a, 0),
                }
            }
        }

        #[test]
        fn inverse_and_reconstruction(n in -100_000i64..100_000, d in 1i64..100_000) {
            let q = crate::Rational::new(n, d).unwrap();
            let residue = q.modulo(PRIME).unwrap();
            prop_assert_eq!(rational_reconstruction(residue, PRIME), q.as_small());
        }

        /// Long fractions from residues modulo a product of primes.
        #[test]
        fn fractions_come_back_from_their_residues(n in any::<i128>(), d in 1u128..) {
            let q = Rational::from_big(n.into(), d.into()).unwrap();
            let primes: Vec<u64> = primes_below(1 << 62).take(5).collect();
            let modulus: UBig = primes.iter().map(|&p| UBig::from(p)).product();
            // q = sum of its residues times the idempotents of the primes.
            let residue: UBig = primes.iter().map(|&p| {
                let rest = &modulus / UBig::from(p);
                let one = inverse(u64::try_from(&rest % UBig::from(p)).unwrap(), p).unwrap();
                rest * UBig::from(mul(one, q.modulo(p).unwrap(), p))
            }).sum();
            prop_assert_eq!(fraction(&residue, &modulus), Some(q));
        }

        #[test]
        fn primality_agrees_with_trial_division(n in 0u64..1_000_000) {
            let divisors = (2..n).take_while(|d| d * d <= n);
            prop_assert_eq!(is_prime(n), n > 1 && divisors.into_iter().all(|d| n % d != 0));
        }

        #[test]
        fn square_roots_square_back(a in 0..PRIME) {
            let square = mul(a, a, PRIME);
            let root = sqrt(square, PRIME).unwrap();
            prop_assert!(root == a || root == (PRIME - a) % PRIME);
        }
    }
}
