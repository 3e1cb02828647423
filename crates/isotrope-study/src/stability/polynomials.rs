//! Critical values of the parameter as roots of polynomials.
//!
//! χ(s, P) = det(s² M + s D + K) = E(s², P) + s O(s², P). Between two neighbouring roots of the
//! polynomials below no eigenvalue crosses the imaginary axis:
//!
//! - χ(0, P) = det K: an eigenvalue passes zero;
//! - the resultant of E and O (Hurwitz' determinant): a pair ±iω;
//! - where E and O have a common factor g(s²), or O = 0: eigenvalues of g come in pairs ±s and leave
//!   the axis only by collisions: the discriminant of g;
//! - the leading coefficient, and poles: eigenvalues at infinity.

use isotrope_algebra::linear::{LinearError, Matrix, determinant};
use isotrope_algebra::normal::{AngleSplitting, Generators};
use isotrope_algebra::polynomial::gcd_with_cofactors;
use isotrope_algebra::univariate::IntegerPolynomial;
use isotrope_algebra::{AlgebraicNumber, Budget, ExprId, OutOfBudget, Polynomial, Pool, Rational};

use super::exact::Exact;

/// Values of the parameter at which something may happen, ascending.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    /// All of them.
    pub all: Vec<AlgebraicNumber>,
    /// Those with det K = 0.
    pub divergence: Vec<AlgebraicNumber>,
    /// Those at infinity: the mass matrix is singular, or the matrices have poles.
    pub infinite: Vec<AlgebraicNumber>,
    /// Those with det K_sym = 0; not in `all`.
    pub symmetric: Vec<AlgebraicNumber>,
    /// det K is zero for every value of the parameter.
    pub always_zero: bool,
}

/// Variables of the polynomials.
const S: usize = 0;
const P: usize = 1;

/// Why there are no candidates: they are then searched for numerically.
#[derive(Debug)]
enum Stop {
    /// Not polynomials with rational coefficients.
    NotPolynomial,
    Budget,
}

impl From<OutOfBudget> for Stop {
    fn from(_: OutOfBudget) -> Self {
        Self::Budget
    }
}

impl From<LinearError> for Stop {
    fn from(_: LinearError) -> Self {
        Self::Budget
    }
}

/// The candidates, or `None` where the matrices are not rational functions of the parameter or are
/// too large.
pub(super) fn candidates(exact: &mut Exact, budget: &mut Budget) -> Option<Candidates> {
    search(exact, budget).ok()
}

fn search(exact: &mut Exact, budget: &mut Budget) -> Result<Candidates, Stop> {
    let n = exact.free.len();
    let stiffness = exact.stiffness.clone();
    let symmetric = exact.part(&stiffness, 1);
    let parameter = exact.parameter;
    let pool = &mut exact.pool;
    let s = pool.symbol("stability.s");
    let mut pencil = Matrix::zero(n, n);
    for i in 0..n {
        for j in 0..n {
            let inertia = pool.powi(s, 2);
            let inertia = pool.mul(inertia, exact.mass.get(i, j));
            let damping = pool.mul(s, exact.damping.get(i, j));
            pencil.set(i, j, pool.sum(&[inertia, damping, stiffness.get(i, j)]));
        }
    }
    let characteristic = determinant(pool, &pencil, budget)?;
    let (chi, pole) = polynomial(pool, characteristic, s, parameter, budget)?;
    let determinant = determinant(pool, &symmetric, budget)?;
    let (symmetric, _) = polynomial(pool, determinant, s, parameter, budget)?;

    let (even, odd) = split(&chi, budget)?;
    let (common, pairs) = if odd.is_zero() {
        (even, Vec::new())
    } else {
        let parts = gcd_with_cofactors(&even, &odd, budget)?;
        let hurwitz = parts.first.resultant(&parts.second, S, budget)?;
        (parts.gcd, roots(&hurwitz, budget)?)
    };
    finish(&chi, &pole, &symmetric, &common, pairs, budget)
}

fn finish(
    chi: &Polynomial,
    pole: &Polynomial,
    symmetric: &Polynomial,
    common: &Polynomial,
    pairs: Vec<AlgebraicNumber>,
    budget: &mut Budget,
) -> Result<Candidates, Stop> {
    let stiffness = chi.coefficient_in(S, 0);
    let leading = chi.leading_coefficient_in(S);
    let mut found = Candidates { always_zero: stiffness.is_zero(), ..Candidates::default() };
    found.divergence = roots(&stiffness, budget)?;
    found.symmetric = roots(symmetric, budget)?;
    found.infinite = roots(&leading, budget)?;
    found.infinite.extend(roots(pole, budget)?);
    let mut all = pairs;
    all.extend(found.divergence.iter().chain(&found.infinite).cloned());
    if common.degree_in(S) > 0 {
        // Repeated factors collide everywhere, and nowhere else than the others.
        let radical = common.square_free(budget)?.radical(budget)?;
        all.extend(roots(&radical.discriminant(S, budget)?, budget)?);
        if stiffness.is_zero() {
            // A zero eigenvalue that is always there hides another one that comes to it.
            let coefficients = radical.coefficients_in(S);
            if let Some((_, second)) = coefficients.iter().rev().nth(1) {
                let more = roots(second, budget)?;
                found.divergence.extend(more.iter().cloned());
                all.extend(more);
            }
        }
    }
    all.sort();
    all.dedup();
    found.all = all;
    Ok(found)
}

/// E and O as polynomials in s².
fn split(chi: &Polynomial, budget: &mut Budget) -> Result<(Polynomial, Polynomial), Stop> {
    let (mut even, mut odd) = (Vec::new(), Vec::new());
    for (exponent, coefficient) in chi.coefficients_in(S) {
        let part = if exponent % 2 == 0 { &mut even } else { &mut odd };
        part.push((exponent / 2, coefficient));
    }
    let even = Polynomial::from_coefficients_in(S, &even, budget)?;
    Ok((even, Polynomial::from_coefficients_in(S, &odd, budget)?))
}

/// Numerator and denominator as polynomials in s and the parameter.
fn polynomial(
    pool: &mut Pool,
    expression: ExprId,
    s: ExprId,
    parameter: ExprId,
    budget: &mut Budget,
) -> Result<(Polynomial, Polynomial), Stop> {
    let mut generators = Generators::new(pool, &[expression], AngleSplitting::Whole, budget)?;
    let fractions = generators.fractions(pool, &[expression], budget)?;
    let fraction = fractions.and_then(|list| list.into_iter().next()).ok_or(Stop::NotPolynomial)?;
    let fraction = generators.reduce(&fraction, budget)?;
    let index = |variable: usize| match generators.expressions().get(variable) {
        Some(&id) if id == s => Some(S),
        Some(&id) if id == parameter => Some(P),
        _ => None,
    };
    let mut renamed = |polynomial: &Polynomial| -> Result<Polynomial, Stop> {
        if polynomial.variables().into_iter().any(|variable| index(variable).is_none()) {
            return Err(Stop::NotPolynomial);
        }
        Ok(polynomial.rename_variables(|variable| index(variable).unwrap_or(P), budget)?)
    };
    let (numerator, denominator) = (renamed(&fraction.numerator)?, renamed(&fraction.denominator)?);
    if denominator.degree_in(S) > 0 {
        Err(Stop::NotPolynomial)
    } else {
        Ok((numerator, denominator))
    }
}

/// The real roots of a polynomial in the parameter; none if it is zero everywhere.
fn roots(polynomial: &Polynomial, budget: &mut Budget) -> Result<Vec<AlgebraicNumber>, Stop> {
    if polynomial.is_constant() {
        return Ok(Vec::new());
    }
    let mut coefficients = vec![Rational::ZERO; usize::from(polynomial.degree_in(P)) + 1];
    for (exponent, coefficient) in polynomial.coefficients_in(P) {
        coefficients[usize::from(exponent)] =
            coefficient.as_constant().ok_or(Stop::NotPolynomial)?;
    }
    Ok(AlgebraicNumber::roots(&IntegerPolynomial::from_rationals(&coefficients), budget)?)
}
