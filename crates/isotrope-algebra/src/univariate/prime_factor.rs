//! Factors over a prime field: distinct degrees, then equal degrees (Cantor, Zassenhaus 1981).

use super::prime_field::PrimePolynomial;
use crate::modular::Random;
use crate::{Budget, OutOfBudget};

const DOING: &str = "factoring modulo a prime";

/// The monic irreducible factors of a square-free polynomial, ordered by degree and coefficients.
pub(super) fn irreducible_factors(
    polynomial: &PrimePolynomial,
    budget: &mut Budget,
) -> Result<Vec<PrimePolynomial>, OutOfBudget> {
    let mut factors = Vec::new();
    for (product, degree) in distinct_degrees(&polynomial.monic(), budget)? {
        equal_degrees(product, degree, &mut factors, budget)?;
    }
    factors.sort_by(|a, b| (a.len(), &a.coefficients).cmp(&(b.len(), &b.coefficients)));
    Ok(factors)
}

/// Spends the cost of raising to the power `p` modulo a polynomial of the degree.
fn spend_power(degree: usize, budget: &mut Budget) -> Result<(), OutOfBudget> {
    budget.spend(90 * (degree as u64 + 1).pow(2), DOING)
}

/// Products of all factors of one degree, with that degree.
pub(super) fn distinct_degrees(
    polynomial: &PrimePolynomial,
    budget: &mut Budget,
) -> Result<Vec<(PrimePolynomial, usize)>, OutOfBudget> {
    let p = polynomial.prime;
    let x = PrimePolynomial::x(p);
    let mut rest = polynomial.clone();
    let mut frobenius = x.rem(&rest);
    let mut products = Vec::new();
    let mut degree = 0;
    while rest.degree() > 2 * degree + 1 {
        degree += 1;
        spend_power(rest.degree(), budget)?;
        // x^(p^d) - x is the product of all irreducibles whose degree divides d.
        frobenius = frobenius.pow_mod(p, &rest);
        let common = frobenius.sub(&x).gcd(&rest);
        if !common.is_one() {
            rest = rest.quotient(&common);
            frobenius = frobenius.rem(&rest);
            products.push((common, degree));
        }
    }
    if rest.degree() > 0 {
        let degree = rest.degree();
        products.push((rest, degree));
    }
    Ok(products)
}

fn equal_degrees(
    product: PrimePolynomial,
    degree: usize,
    factors: &mut Vec<PrimePolynomial>,
    budget: &mut Budget,
) -> Result<(), OutOfBudget> {
    let p = product.prime;
    let one = PrimePolynomial::constant(1, p);
    let mut random = Random::new(0x5eed ^ product.degree() as u64);
    let mut pending = vec![product];
    while let Some(current) = pending.pop() {
        if current.degree() <= degree {
            factors.push(current);
            continue;
        }
        // a^((p^d - 1)/2) is 1 modulo about half of the factors.
        let guess = (0..current.degree()).map(|_| random.below(p)).collect();
        let guess = PrimePolynomial::new(guess, p).rem(&current);
        let mut norm = one.clone();
        let mut conjugate = guess;
        for _ in 0..degree {
            spend_power(current.degree(), budget)?;
            norm = norm.mul(&conjugate).rem(&current);
            conjugate = conjugate.pow_mod(p, &current);
        }
        spend_power(current.degree(), budget)?;
        let half = norm.pow_mod((p - 1) / 2, &current);
        let part = half.sub(&one).gcd(&current);
        if part.degree() > 0 && part.degree() < current.degree() {
            pending.push(current.quotient(&part));
            pending.push(part);
        } else {
            pending.push(current);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::univariate::IntegerPolynomial;

    #[test]
    fn the_factors_multiply_to_the_polynomial() {
        let p = 1_073_741_827;
        let f = IntegerPolynomial::from_integers(&[-6, 11, -6, 1, 0, 3, 0, 0, 2, 1]);
        let f = PrimePolynomial::reduce(&f, p);
        let mut budget = Budget::new(10_000_000);
        let factors = irreducible_factors(&f, &mut budget).unwrap();
        let product =
            factors.iter().fold(PrimePolynomial::constant(1, p), |product, f| product.mul(f));
        assert_eq!(product, f.monic());
        for factor in &factors {
            assert_eq!(irreducible_factors(factor, &mut budget).unwrap().len(), 1);
        }
    }
}
