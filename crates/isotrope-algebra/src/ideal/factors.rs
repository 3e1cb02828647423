//! Factors of polynomials, as far as contents, squares and quadratic formulas show them.

use crate::polynomial::gcd;
use crate::{Budget, OrInternal, OutOfBudget, Polynomial, Rational};

/// A factor of a polynomial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// The factor, primitive.
    pub polynomial: Polynomial,
    /// Is it known to be irreducible over the rationals?
    pub irreducible: bool,
}

/// Factors whose product has the zeros of the polynomial, each once. A primitive polynomial of
/// degree one in some variable is irreducible; one of degree two is reducible if and only if its
/// discriminant is a square; others are left as they are unless one variable is all they have.
///
/// ```
/// use isotrope_algebra::{Budget, Polynomial, ideal::factors};
/// let budget = &mut Budget::new(100_000);
/// let (x, y) = (Polynomial::variable(0), Polynomial::variable(1));
/// let difference = x.powi(2, budget)?.sub(&y.powi(2, budget)?, budget)?;
/// let found = factors(&difference.mul(&x, budget)?, budget)?;
/// assert_eq!(found.len(), 3);
/// assert!(found.iter().all(|factor| factor.irreducible));
/// # Ok::<(), isotrope_algebra::OutOfBudget>(())
/// ```
pub fn factors(polynomial: &Polynomial, budget: &mut Budget) -> Result<Vec<Factor>, OutOfBudget> {
    let mut found = Vec::new();
    for (part, _) in polynomial.square_free(budget)?.factors {
        split(&part, &mut found, budget)?;
    }
    found.sort_by(|a, b| {
        (a.polynomial.degree(), a.polynomial.len())
            .cmp(&(b.polynomial.degree(), b.polynomial.len()))
    });
    found.dedup();
    Ok(found)
}

/// Splits a square-free polynomial.
fn split(
    polynomial: &Polynomial,
    found: &mut Vec<Factor>,
    budget: &mut Budget,
) -> Result<(), OutOfBudget> {
    if polynomial.is_constant() {
        return Ok(());
    }
    let polynomial = polynomial.primitive_part();
    let variables = polynomial.variables();
    for &variable in &variables {
        let content = polynomial.content_in(variable, budget)?;
        if !content.is_constant()
            && let Some(rest) = polynomial.checked_div_exact(&content, budget)?
        {
            split(&content, found, budget)?;
            return split(&rest, found, budget);
        }
    }
    let irreducible = Factor { polynomial: polynomial.clone(), irreducible: true };
    if variables.iter().any(|&v| polynomial.degree_in(v) == 1) {
        found.push(irreducible);
        return Ok(());
    }
    if let Some(&variable) = variables.iter().find(|&&v| polynomial.degree_in(v) == 2) {
        match quadratic(&polynomial, variable, budget)? {
            Some((one, other)) => {
                split(&one, found, budget)?;
                return split(&other, found, budget);
            }
            None => found.push(irreducible),
        }
        return Ok(());
    }
    if let [variable] = variables.as_slice() {
        return univariate(&polynomial, *variable, found, budget);
    }
    found.push(Factor { polynomial, irreducible: false });
    Ok(())
}

/// Two factors of a primitive a x² + b x + c, if b² - 4 a c is a square.
fn quadratic(
    polynomial: &Polynomial,
    variable: usize,
    budget: &mut Budget,
) -> Result<Option<(Polynomial, Polynomial)>, OutOfBudget> {
    let coefficient = |power| polynomial.coefficient_in(variable, power);
    let (a, b, c) = (coefficient(2), coefficient(1), coefficient(0));
    let four = Rational::integer(4);
    let discriminant = b.mul(&b, budget)?.sub(&a.mul(&c, budget)?.scale(&four, budget)?, budget)?;
    let Some(root) = square_root(&discriminant, budget)? else { return Ok(None) };
    // 2 a x + b + root shares one factor with the polynomial.
    let two = Rational::integer(2);
    let sum = a
        .mul(&Polynomial::variable(variable), budget)?
        .scale(&two, budget)?
        .add(&b, budget)?
        .add(&root, budget)?;
    let one = gcd(polynomial, &sum, budget)?;
    let other = polynomial.checked_div_exact(&one, budget)?;
    Ok(other.filter(|other| !other.is_constant() && !one.is_constant()).map(|other| (one, other)))
}

/// The square root of a polynomial that is a square.
fn square_root(
    polynomial: &Polynomial,
    budget: &mut Budget,
) -> Result<Option<Polynomial>, OutOfBudget> {
    if polynomial.is_zero() {
        return Ok(Some(Polynomial::zero()));
    }
    let parts = polynomial.square_free(budget)?;
    let Some(unit) = rational_root(&parts.unit) else { return Ok(None) };
    let mut root = Polynomial::constant(unit);
    for (factor, multiplicity) in &parts.factors {
        if multiplicity % 2 != 0 && !factor.is_constant() {
            return Ok(None);
        }
        root = root.mul(&factor.powi(multiplicity / 2, budget)?, budget)?;
    }
    // The sign of the unit is that of the whole only if the factors agree: check.
    let square = root.mul(&root, budget)?;
    Ok((square == *polynomial).then_some(root))
}

fn rational_root(value: &Rational) -> Option<Rational> {
    if value.is_negative() {
        return None;
    }
    let root = |x: dashu_int::UBig| {
        let root = dashu_base::SquareRoot::sqrt(&x);
        (&root * &root == x).then_some(root)
    };
    let numerator = root(dashu_base::UnsignedAbs::unsigned_abs(value.numerator()))?;
    Rational::from_big(numerator.into(), root(value.denominator())?)
}

fn univariate(
    polynomial: &Polynomial,
    variable: usize,
    found: &mut Vec<Factor>,
    budget: &mut Budget,
) -> Result<(), OutOfBudget> {
    let dense = (0..=polynomial.degree_in(variable))
        .map(|power| polynomial.coefficient_in(variable, power).as_constant())
        .collect::<Option<Vec<Rational>>>()
        .or_internal("a polynomial in one variable has constant coefficients")?;
    let integers = crate::univariate::IntegerPolynomial::from_rationals(&dense);
    for (factor, _) in integers.factor(budget)?.factors {
        let mut terms = Vec::new();
        for (power, coefficient) in factor.coefficients().iter().enumerate() {
            let power = u16::try_from(power).unwrap_or(u16::MAX);
            let value = Rational::from(coefficient.clone());
            terms.push((crate::Monomial::power(variable, power), value));
        }
        found.push(Factor { polynomial: Polynomial::from_terms(terms), irreducible: true });
    }
    Ok(())
}
