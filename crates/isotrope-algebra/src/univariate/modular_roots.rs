//! Roots of polynomials in a prime field whose prime may have 62 bits.

use super::IntegerPolynomial;
use crate::modular::{self, Random};
use crate::{Budget, OutOfBudget, Rational};

const DOING: &str = "finding roots in a prime field";

/// Products of residues below 2^62 that fit into 128 bits together.
const BATCH: usize = 8;

/// A monic polynomial over the field of `prime` elements (an odd prime below 2^62), prepared
/// for computing modulo it.
#[derive(Debug, Clone)]
pub struct ModularRoots {
    prime: u64,
    /// Ascending, without the leading one.
    tail: Vec<u64>,
    /// `x^(n + k)` modulo the polynomial for `k < n - 1`.
    powers: Vec<Vec<u64>>,
}

impl ModularRoots {
    /// The polynomial modulo the prime; `None` if the prime divides its leading coefficient.
    pub fn new(polynomial: &IntegerPolynomial, prime: u64) -> Option<Self> {
        let coefficients: Option<Vec<u64>> = polynomial
            .coefficients()
            .iter()
            .map(|c| Rational::from(c.clone()).modulo(prime))
            .collect();
        Self::from_residues(&coefficients?, prime)
    }

    fn from_residues(coefficients: &[u64], prime: u64) -> Option<Self> {
        let (lead, tail) = coefficients.split_last()?;
        let inverse = modular::inverse(*lead, prime)?;
        let tail: Vec<u64> = tail.iter().map(|c| modular::mul(*c, inverse, prime)).collect();
        let mut powers: Vec<Vec<u64>> = Vec::new();
        for _ in 1..tail.len() {
            let next = match powers.last() {
                None => tail.iter().map(|c| modular::sub(0, *c, prime)).collect(),
                Some(power) => times_x(power, &tail, prime),
            };
            powers.push(next);
        }
        Some(Self { prime, tail, powers })
    }

    fn degree(&self) -> usize {
        self.tail.len()
    }

    fn spend(&self, budget: &mut Budget) -> Result<(), OutOfBudget> {
        let n = self.degree() as u64;
        budget.spend(n.saturating_mul(n).saturating_mul(64), DOING)
    }

    /// Does the polynomial have as many distinct roots in the field as its degree?
    pub fn splits(&self, budget: &mut Budget) -> Result<bool, OutOfBudget> {
        // x^p = x modulo the polynomial, which then divides the product of all x - c.
        self.spend(budget)?;
        Ok(match self.degree() {
            0 | 1 => true,
            n => {
                let mut x = vec![0; n];
                x[1] = 1;
                self.power_of_shifted_x(0, self.prime) == x
            }
        })
    }

    /// The distinct roots in the field, ascending (Cantor and Zassenhaus 1981).
    pub fn roots(&self, random: &mut Random, budget: &mut Budget) -> Result<Vec<u64>, OutOfBudget> {
        let p = self.prime;
        self.spend(budget)?;
        let mut frobenius = self.power_of_shifted_x(0, p);
        if frobenius.len() < 2 {
            frobenius.resize(2, 0);
        }
        frobenius[1] = modular::sub(frobenius[1], 1, p);
        let mut roots = Vec::new();
        let mut pending = vec![self.gcd(frobenius)];
        while let Some(factor) = pending.pop() {
            match factor.tail.as_slice() {
                [] => {}
                [constant] => roots.push(modular::sub(0, *constant, p)),
                tail => {
                    // (x + a)^((p-1)/2) is 1 at about half of the roots.
                    factor.spend(budget)?;
                    let mut half = factor.power_of_shifted_x(random.below(p), (p - 1) / 2);
                    half[0] = modular::sub(half[0], 1, p);
                    let part = factor.gcd(half);
                    if part.degree() > 0 && part.degree() < tail.len() {
                        let (quotient, _) = div_rem(&factor.full(), &part.full(), p);
                        pending.extend(Self::from_residues(&quotient, p));
                        pending.push(part);
                    } else {
                        pending.push(factor);
                    }
                }
            }
        }
        roots.sort_unstable();
        Ok(roots)
    }

    /// `(x + shift)^exponent` modulo the polynomial; the exponent is positive.
    fn power_of_shifted_x(&self, shift: u64, exponent: u64) -> Vec<u64> {
        let p = self.prime;
        let mut value = vec![0; self.degree()];
        let Some(first) = value.first_mut() else { return value };
        *first = 1;
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            value = self.square(&value);
            if exponent >> bit & 1 == 1 {
                let moved = times_x(&value, &self.tail, p);
                for (v, m) in value.iter_mut().zip(moved) {
                    *v = modular::add(modular::mul(*v, shift, p), m, p);
                }
            }
        }
        value
    }

    fn square(&self, value: &[u64]) -> Vec<u64> {
        let (n, p) = (self.degree(), self.prime);
        let product: Vec<u64> = (0..(2 * n).saturating_sub(1))
            .map(|k| {
                let from = (k + 1).saturating_sub(n);
                dot((from..=k.min(n - 1)).map(|i| (value[i], value[k - i])), p)
            })
            .collect();
        (0..n)
            .map(|i| {
                let high = product[n..].iter().zip(&self.powers).map(|(c, power)| (*c, power[i]));
                modular::add(product[i], dot(high, p), p)
            })
            .collect()
    }

    /// All coefficients, with the leading one.
    fn full(&self) -> Vec<u64> {
        self.tail.iter().copied().chain([1]).collect()
    }

    fn gcd(&self, other: Vec<u64>) -> Self {
        let (mut a, mut b) = (self.full(), other);
        trim(&mut b);
        while !b.is_empty() {
            let (_, rest) = div_rem(&a, &b, self.prime);
            (a, b) = (b, rest);
        }
        Self::from_residues(&a, self.prime).unwrap_or_else(|| self.clone())
    }
}

fn trim(coefficients: &mut Vec<u64>) {
    while coefficients.last() == Some(&0) {
        coefficients.pop();
    }
}

fn dot(pairs: impl Iterator<Item = (u64, u64)>, prime: u64) -> u64 {
    let (mut sum, mut waiting) = (0u128, 0);
    for (a, b) in pairs {
        if waiting == BATCH {
            sum %= u128::from(prime);
            waiting = 0;
        }
        sum += u128::from(a) * u128::from(b);
        waiting += 1;
    }
    (sum % u128::from(prime)) as u64
}

fn times_x(value: &[u64], tail: &[u64], prime: u64) -> Vec<u64> {
    let top = value.last().copied().unwrap_or(0);
    let shifted = std::iter::once(0).chain(value.iter().copied());
    shifted.zip(tail).map(|(v, c)| modular::sub(v, modular::mul(top, *c, prime), prime)).collect()
}

/// Quotient and remainder; the last coefficient of the divisor is not zero.
fn div_rem(a: &[u64], divisor: &[u64], prime: u64) -> (Vec<u64>, Vec<u64>) {
    let mut rest = a.to_vec();
    let Some(inverse) = divisor.last().and_then(|lead| modular::inverse(*lead, prime)) else {
        return (Vec::new(), rest);
    };
    let steps = (rest.len() + 1).saturating_sub(divisor.len());
    let mut quotient = vec![0; steps];
    for k in (0..steps).rev() {
        let q = modular::mul(rest[k + divisor.len() - 1], inverse, prime);
        for (value, d) in rest[k..].iter_mut().zip(divisor) {
            *value = modular::sub(*value, modular::mul(q, *d, prime), prime);
        }
        quotient[k] = q;
    }
    trim(&mut rest);
    (quotient, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const P: u64 = (1 << 62) - 57;

    proptest! {
        #[test]
        fn the_roots_of_a_product_of_linear_factors_come_back(
            roots in prop::collection::btree_set(0..P, 0..9), seed: u64
        ) {
            // Residues are integers, so the product may be formed over them.
            let mut f = vec![1u64];
            for root in &roots {
                let mut next = vec![0; f.len() + 1];
                for (i, c) in f.iter().enumerate() {
                    next[i + 1] = modular::add(next[i + 1], *c, P);
                    next[i] = modular::sub(next[i], modular::mul(*c, *root, P), P);
                }
                f = next;
            }
            let f = ModularRoots::from_residues(&f, P).unwrap();
            let budget = &mut Budget::new(100_000_000);
            prop_assert!(f.splits(budget).unwrap());
            let found = f.roots(&mut Random::new(seed), budget).unwrap();
            prop_assert_eq!(found, roots.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn minus_one_is_a_square_modulo_one_prime_in_two() {
        let f = IntegerPolynomial::from_integers(&[1, 0, 1]);
        for prime in modular::primes_below(1 << 61).take(20) {
            let f = ModularRoots::new(&f, prime).unwrap();
            let budget = &mut Budget::new(100_000_000);
            assert_eq!(f.splits(budget).unwrap(), prime % 4 == 1);
            let roots = f.roots(&mut Random::new(1), budget).unwrap();
            assert_eq!(roots.len(), if prime % 4 == 1 { 2 } else { 0 });
            assert!(roots.iter().all(|r| modular::mul(*r, *r, prime) == prime - 1));
        }
    }
}
