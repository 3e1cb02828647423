//! Irreducible factors over the rationals (Zassenhaus 1969).

use std::fmt;

use dashu_base::Signed;
use dashu_int::IBig;

use super::IntegerPolynomial;
use super::gcd::symmetric;
use super::hensel::{LiftedFactors, lift};
use super::prime_factor::irreducible_factors;
use super::prime_field::{PrimePolynomial, primes};
use crate::{Budget, OutOfBudget};

/// Primes tried in search of one with few factors.
const PRIMES_TRIED: usize = 6;

/// `unit * f_1^m_1 * f_2^m_2 ...` with primitive irreducible factors of positive leading
/// coefficient, ordered by degree and coefficients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factorization {
    /// The signed content.
    pub unit: IBig,
    /// Irreducible factors with their multiplicities.
    pub factors: Vec<(IntegerPolynomial, usize)>,
}

impl fmt::Display for Factorization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.factors.is_empty() {
            return write!(f, "{}", self.unit);
        }
        if self.unit == IBig::NEG_ONE {
            f.write_str("-")?;
        } else if !self.unit.is_one() {
            write!(f, "{}*", self.unit)?;
        }
        for (i, (factor, multiplicity)) in self.factors.iter().enumerate() {
            let star = if i == 0 { "" } else { "*" };
            write!(f, "{star}({factor})")?;
            if *multiplicity > 1 {
                write!(f, "^{multiplicity}")?;
            }
        }
        Ok(())
    }
}

impl IntegerPolynomial {
    /// The factorisation into irreducibles over the rationals.
    pub fn factor(&self, budget: &mut Budget) -> Result<Factorization, OutOfBudget> {
        let content = IBig::from(self.content());
        let unit = if self.leading().is_negative() { -content } else { content };
        let mut factors = Vec::new();
        for (part, multiplicity) in self.square_free_factors(budget)? {
            for factor in part.factor_square_free(budget)? {
                factors.push((factor, multiplicity));
            }
        }
        factors.sort_by(|(a, _), (b, _)| {
            let key = |p: &Self| p.coefficients().iter().rev().cloned().collect::<Vec<_>>();
            a.len().cmp(&b.len()).then_with(|| key(a).cmp(&key(b)))
        });
        Ok(Factorization { unit, factors })
    }

    /// Is it irreducible over the rationals (constants are not)?
    pub fn is_irreducible(&self, budget: &mut Budget) -> Result<bool, OutOfBudget> {
        let factors = self.factor(budget)?.factors;
        Ok(matches!(factors.as_slice(), [(_, 1)]))
    }

    /// The irreducible factors of a primitive square-free polynomial.
    pub(crate) fn factor_square_free(&self, budget: &mut Budget) -> Result<Vec<Self>, OutOfBudget> {
        let mut factors = Vec::new();
        let mut rest = self.clone();
        if rest.coefficients().first().is_some_and(IBig::is_zero) {
            factors.push(Self::x());
            rest = Self::new(rest.into_coefficients().split_off(1));
        }
        if rest.is_constant() {
            return Ok(factors);
        }
        if rest.degree() == Some(1) {
            factors.push(rest);
            return Ok(factors);
        }
        let choice = choose_prime(&rest, budget)?;
        if choice.factors.len() <= 1 || choice.degrees.only_trivial() {
            factors.push(rest);
            return Ok(factors);
        }
        let bound = factor_bound(&rest);
        let lifted = lift(&rest, &choice.factors, &bound, budget)?;
        recombine(rest, lifted, &choice.degrees, &mut factors, budget)?;
        Ok(factors)
    }
}

/// Twice a bound of the coefficients of `lead * factor` (Mignotte: `2^degree |f|_2`).
fn factor_bound(polynomial: &IntegerPolynomial) -> IBig {
    let squares: IBig = polynomial.coefficients().iter().map(|c| IBig::from(c.sqr())).sum();
    let norm = squares.nth_root(2) + IBig::ONE;
    let degree = polynomial.degree().unwrap_or(0);
    let lead = polynomial.leading();
    let lead = if lead.is_negative() { -lead } else { lead };
    (norm * lead) << (degree + 1)
}

/// Which degrees a factor over the rationals may have, as seen modulo some primes.
struct PossibleDegrees(Vec<bool>);

impl PossibleDegrees {
    fn of_factors(factors: &[PrimePolynomial], degree: usize) -> Self {
        let mut sums = vec![false; degree + 1];
        sums[0] = true;
        for factor in factors {
            for sum in (factor.degree()..=degree).rev() {
                sums[sum] |= sums[sum - factor.degree()];
            }
        }
        Self(sums)
    }

    fn intersect(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine &= theirs;
        }
    }

    fn contains(&self, degree: usize) -> bool {
        self.0.get(degree).copied().unwrap_or(false)
    }

    fn only_trivial(&self) -> bool {
        let last = self.0.len().saturating_sub(1);
        !self
            .0
            .iter()
            .enumerate()
            .any(|(degree, &possible)| possible && degree != 0 && degree != last)
    }
}

struct PrimeChoice {
    factors: Vec<PrimePolynomial>,
    degrees: PossibleDegrees,
}

/// Factors modulo a few primes that keep the polynomial square-free; the fewest factors win.
fn choose_prime(
    polynomial: &IntegerPolynomial,
    budget: &mut Budget,
) -> Result<PrimeChoice, OutOfBudget> {
    let degree = polynomial.degree().unwrap_or(0);
    let mut best: Option<PrimeChoice> = None;
    let mut tried = 0;
    for prime in primes() {
        let reduced = PrimePolynomial::reduce(polynomial, prime);
        budget.spend((degree * degree) as u64, "choosing a prime")?;
        if reduced.len() != polynomial.len() || !reduced.gcd(&reduced.derivative()).is_one() {
            continue;
        }
        tried += 1;
        let factors = irreducible_factors(&reduced, budget)?;
        let mut degrees = PossibleDegrees::of_factors(&factors, degree);
        best = Some(match best {
            None => PrimeChoice { factors, degrees },
            Some(previous) => {
                degrees.intersect(&previous.degrees);
                let fewer = factors.len() < previous.factors.len();
                PrimeChoice { factors: if fewer { factors } else { previous.factors }, degrees }
            }
        });
        let done = best
            .as_ref()
            .is_some_and(|best| best.factors.len() <= 3 || best.degrees.only_trivial());
        if tried >= PRIMES_TRIED || done {
            break;
        }
    }
    Ok(best.unwrap_or(PrimeChoice { factors: Vec::new(), degrees: PossibleDegrees(Vec::new()) }))
}

/// Tries subsets of the lifted factors by size until what is left is irreducible.
fn recombine(
    mut rest: IntegerPolynomial,
    lifted: LiftedFactors,
    degrees: &PossibleDegrees,
    found: &mut Vec<IntegerPolynomial>,
    budget: &mut Budget,
) -> Result<(), OutOfBudget> {
    let LiftedFactors { factors: mut pieces, modulus } = lifted;
    let mut size = 1;
    while 2 * size <= pieces.len() {
        let mut subset: Vec<usize> = (0..size).collect();
        let mut success = None;
        loop {
            budget.spend(size as u64, "recombining factors")?;
            if let Some((factor, quotient)) = try_subset(&rest, &pieces, &subset, &modulus, degrees)
            {
                // The quotient costs a division: as many operations as coefficients squared.
                budget.spend((rest.len() * rest.len()) as u64, "recombining factors")?;
                found.push(factor);
                success = Some(quotient);
                break;
            }
            if !next_subset(&mut subset, pieces.len()) {
                break;
            }
        }
        match success {
            Some(quotient) => {
                rest = quotient;
                for &index in subset.iter().rev() {
                    pieces.remove(index);
                }
            }
            None => size += 1,
        }
    }
    if !rest.is_constant() {
        found.push(rest);
    }
    Ok(())
}

/// The factor of `rest` made of the pieces, with the quotient, if it is one.
fn try_subset(
    rest: &IntegerPolynomial,
    pieces: &[IntegerPolynomial],
    subset: &[usize],
    modulus: &IBig,
    degrees: &PossibleDegrees,
) -> Option<(IntegerPolynomial, IntegerPolynomial)> {
    let chosen = || subset.iter().filter_map(|&index| pieces.get(index));
    let degree: usize = chosen().map(|piece| piece.len() - 1).sum();
    if !degrees.contains(degree) {
        return None;
    }
    let lead = rest.leading();
    // The constant term of lead * factor must divide lead * rest(0): cheap, and rarely true by chance.
    let constant =
        chosen().fold(lead.clone(), |product, piece| product * piece.coefficient(0) % modulus);
    let constant = symmetric(&constant, modulus);
    if constant.is_zero() || !(&lead * rest.coefficient(0) % constant).is_zero() {
        return None;
    }
    let mut product = IntegerPolynomial::new(vec![lead]);
    for piece in chosen() {
        product = super::hensel::reduce(&product.mul(piece), modulus);
    }
    let balanced = product.coefficients().iter().map(|c| symmetric(c, modulus)).collect();
    let factor = IntegerPolynomial::new(balanced).primitive_part();
    rest.exact_div(&factor).map(|quotient| (factor, quotient))
}

/// The next subset of `0..count` of the same size in lexicographic order.
fn next_subset(subset: &mut [usize], count: usize) -> bool {
    let size = subset.len();
    for place in (0..size).rev() {
        if subset[place] < count - size + place {
            subset[place] += 1;
            for later in place + 1..size {
                subset[later] = subset[later - 1] + 1;
            }
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::polynomial::tests::any_polynomial;
    use super::*;
    use proptest::prelude::*;

    fn factor(coefficients: &[i64]) -> String {
        let p = IntegerPolynomial::from_integers(coefficients);
        p.factor(&mut Budget::new(100_000_000)).unwrap().to_string()
    }

    #[test]
    fn known_factorisations() {
        assert_eq!(factor(&[-1, 0, 0, 0, 0, 0, 1]), "(x - 1)*(x + 1)*(x^2 - x + 1)*(x^2 + x + 1)");
        assert_eq!(factor(&[4, 0, 0, 0, 1]), "(x^2 - 2*x + 2)*(x^2 + 2*x + 2)");
        assert_eq!(factor(&[1, 0, -10, 0, 1]), "(x^4 - 10*x^2 + 1)");
        assert_eq!(factor(&[0, 0, -12, 0, 6]), "6*(x)^2*(x^2 - 2)");
        assert_eq!(factor(&[-7]), "-7");
        assert_eq!(factor(&[]), "0");
    }

    /// x^105 - 1 has the cyclotomic factor of degree 48 with a coefficient -2.
    #[test]
    fn cyclotomic_factors_of_degree_105() {
        let mut c = vec![0i64; 106];
        (c[0], c[105]) = (-1, 1);
        let p = IntegerPolynomial::from_integers(&c);
        let factors = p.factor(&mut Budget::new(2_000_000_000)).unwrap().factors;
        let degrees: Vec<_> = factors.iter().map(|(f, _)| f.degree().unwrap()).collect();
        assert_eq!(degrees, [1, 2, 4, 6, 8, 12, 24, 48]);
        assert_eq!(factors[7].0.coefficient(7), IBig::from(-2));
    }

    /// The minimal polynomial of sqrt 2 + sqrt 3 + sqrt 5 + sqrt 7 splits into
    /// factors of degree at most two modulo every prime, yet it is irreducible.
    #[test]
    fn swinnerton_dyer_polynomials_are_irreducible() {
        let mut budget = Budget::new(100_000_000);
        let mut p = IntegerPolynomial::from_integers(&[-2, 0, 1]);
        for prime in [3, 5, 7] {
            p = p
                .composed_sum(&IntegerPolynomial::from_integers(&[-prime, 0, 1]), &mut budget)
                .unwrap();
        }
        assert_eq!(p.degree(), Some(16));
        assert!(p.is_irreducible(&mut budget).unwrap());
    }

    #[test]
    fn legendre_polynomials_are_irreducible_up_to_x() {
        for degree in 2..=24usize {
            let factors =
                IntegerPolynomial::legendre(degree).factor(&mut Budget::new(200_000_000)).unwrap();
            assert_eq!(factors.factors.len(), 1 + degree % 2, "degree {degree}");
        }
    }

    #[test]
    fn the_budget_is_honoured() {
        let p = IntegerPolynomial::from_integers(&[1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(p.factor(&mut Budget::new(100)).is_err());
    }

    proptest! {
        #[test]
        fn factors_multiply_back_and_are_irreducible(
            a in any_polynomial(5), b in any_polynomial(6), c in any_polynomial(7)
        ) {
            let mut budget = Budget::new(100_000_000);
            let p = a.mul(&b).mul(&c);
            let Factorization { unit, factors } = p.factor(&mut budget).unwrap();
            let mut product = IntegerPolynomial::new(vec![unit]);
            for (factor, multiplicity) in &factors {
                for _ in 0..*multiplicity {
                    product = product.mul(factor);
                }
                prop_assert!(factor.is_irreducible(&mut budget).unwrap());
            }
            prop_assert_eq!(product, p.clone());
            let nontrivial = [&a, &b, &c].iter().filter(|f| !f.is_constant()).count();
            let count: usize = factors.iter().map(|(_, m)| m).sum();
            prop_assert!(p.is_zero() || count >= nontrivial);
        }
    }
}
