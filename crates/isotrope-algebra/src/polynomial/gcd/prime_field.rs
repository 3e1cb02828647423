//! Residues modulo an odd prime below 2^63 in Montgomery form: the images of the gcd
//! spend their time here, and this product is several times faster than a remainder.

/// A prime field; its elements are `u64` in Montgomery form.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrimeField {
    prime: u64,
    /// `-1/prime` modulo 2^64.
    negative_inverse: u64,
    /// 2^128 modulo the prime.
    square: u64,
}

impl PrimeField {
    pub fn new(prime: u64) -> Self {
        // Newton: each round doubles the number of correct low bits.
        let mut inverse = prime;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(prime.wrapping_mul(inverse)));
        }
        let residue = (1u128 << 64) % u128::from(prime);
        let square = (residue * residue % u128::from(prime)) as u64;
        Self { prime, negative_inverse: inverse.wrapping_neg(), square }
    }

    pub fn prime(&self) -> u64 {
        self.prime
    }

    pub fn one(&self) -> u64 {
        self.element(1)
    }

    pub fn element(&self, value: u64) -> u64 {
        self.mul(value, self.square)
    }

    pub fn to_residue(self, value: u64) -> u64 {
        self.reduce(value.into())
    }

    fn reduce(&self, value: u128) -> u64 {
        let factor = (value as u64).wrapping_mul(self.negative_inverse);
        let reduced = ((value + u128::from(factor) * u128::from(self.prime)) >> 64) as u64;
        if reduced >= self.prime { reduced - self.prime } else { reduced }
    }

    pub fn mul(&self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }

    pub fn add(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.prime { sum - self.prime } else { sum }
    }

    pub fn sub(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.prime - b }
    }

    pub fn pow(&self, mut base: u64, mut exponent: u64) -> u64 {
        let mut result = self.one();
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.mul(result, base);
            }
            base = self.mul(base, base);
            exponent >>= 1;
        }
        result
    }

    /// The inverse of a nonzero element (zero for zero).
    pub fn inverse(&self, a: u64) -> u64 {
        self.pow(a, self.prime - 2)
    }

    /// `1, base, base^2, ..., base^degree`.
    pub fn powers(&self, base: u64, degree: u16) -> Vec<u64> {
        let mut powers = Vec::with_capacity(usize::from(degree) + 1);
        let mut power = self.one();
        for _ in 0..=degree {
            powers.push(power);
            power = self.mul(power, base);
        }
        powers
    }
}

/// The largest primes below 2^62, descending.
pub(super) struct Primes {
    next: u64,
}

impl Primes {
    pub fn new() -> Self {
        Self { next: (1 << 62) - 1 }
    }
}

impl Iterator for Primes {
    type Item = PrimeField;

    fn next(&mut self) -> Option<PrimeField> {
        loop {
            let candidate = self.next;
            if candidate < 1 << 61 {
                return None;
            }
            self.next -= 2;
            if is_prime(candidate) {
                return Some(PrimeField::new(candidate));
            }
        }
    }
}

/// Miller-Rabin with the first twelve primes as bases, which decides below 3.3e24
/// (Sorenson and Webster, 2015). For odd numbers above 2^60.
fn is_prime(candidate: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if BASES[1..].iter().any(|p| candidate.is_multiple_of(*p)) {
        return false;
    }
    let field = PrimeField::new(candidate);
    let (one, minus_one) = (field.one(), field.sub(0, field.one()));
    let twos = (candidate - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut power = field.pow(field.element(base), (candidate - 1) >> twos);
        if power == one || power == minus_one {
            return true;
        }
        for _ in 1..twos {
            power = field.mul(power, power);
            if power == minus_one {
                return true;
            }
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modular;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn montgomery_products_are_products(a in 0..modular::PRIME, b in 0..modular::PRIME) {
            let field = PrimeField::new(modular::PRIME);
            let (x, y) = (field.element(a), field.element(b));
            prop_assert_eq!(field.to_residue(x), a);
            let product = field.to_residue(field.mul(x, y));
            prop_assert_eq!(product, modular::mul(a, b, modular::PRIME));
            if a != 0 {
                prop_assert_eq!(field.mul(x, field.inverse(x)), field.one());
            }
        }
    }

    #[test]
    fn the_primes_are_the_known_ones() {
        // 2^62 - k for k = 57, 87, 117, 143, 153.
        let found: Vec<u64> = Primes::new().take(5).map(|f| (1u64 << 62) - f.prime()).collect();
        assert_eq!(found, [57, 87, 117, 143, 153]);
    }
}
