//! Logarithms of polynomials that divide their own rates (G. Darboux 1878): Σ c log P is constant exactly if Σ c K
//! vanishes, where K are the cofactors, P' = K P.

use isotrope_algebra::ideal::factors;
use isotrope_algebra::normal::{AngleSplitting, Generators};
use isotrope_algebra::{Budget, ExprId, Function, Node, OutOfBudget, Pool, Rational};

use super::direct::{Constant, Factor};
use super::space::Space;

/// Variables, at most.
const VARIABLES: usize = 16;
/// Logarithms, at most.
const LOGARITHMS: usize = 24;
/// Operations for factors of rates.
const FACTORING: u64 = 2_000_000;

/// Logarithms of the variables and of the factors of some functions.
pub(super) fn logarithms(
    pool: &mut Pool,
    space: &Space,
    functions: &[ExprId],
    budget: &mut Budget,
) -> Vec<Factor> {
    if space.base.len() > VARIABLES {
        return Vec::new();
    }
    let mut polynomials = space.base.clone();
    let own = &mut Budget::new(FACTORING.min(budget.left()));
    polynomials.extend(parts(pool, space, functions, own).unwrap_or_default());
    let mut seen = Vec::new();
    polynomials.retain(|&polynomial| {
        let new = !seen.contains(&polynomial);
        seen.push(polynomial);
        new
    });
    polynomials.truncate(LOGARITHMS);
    let logarithm =
        |polynomial| Factor { value: pool.call(Function::Log, polynomial), alone: true };
    polynomials.into_iter().map(logarithm).collect()
}

/// Irreducible factors of numerators and denominators that are polynomials in the variables.
fn parts(
    pool: &mut Pool,
    space: &Space,
    functions: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let mut generators = Generators::new(pool, functions, AngleSplitting::Whole, budget)?;
    let Some(fractions) = generators.fractions(pool, functions, budget)? else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for fraction in &fractions {
        for polynomial in [&fraction.numerator, &fraction.denominator] {
            for factor in factors(polynomial, budget)? {
                let part = generators.polynomial_to_expression(pool, &factor.polynomial);
                if pool.depends_on(part, &space.base) && !pool.depends_on(part, &[space.time]) {
                    found.push(part);
                }
            }
        }
    }
    Ok(found)
}

/// A combination of logarithms alone, as a product of powers.
pub(super) fn as_product(pool: &mut Pool, factors: &[Factor], constant: &Constant) -> ExprId {
    let Some(parts) = &constant.of_factors else { return constant.expression };
    // Whole exponents where there are such.
    let common = parts.iter().try_fold(1_i64, |common, (_, exponent)| {
        let (_, below) = pool.as_number(*exponent)?.as_small()?;
        let (mut a, mut b) = (common, below);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        (common / a).checked_mul(below)
    });
    let common = Rational::integer(common.unwrap_or(1));
    let mut product = Vec::with_capacity(parts.len());
    for &(k, exponent) in parts {
        let Node::Call(Function::Log, base) = pool.node(factors[k].value) else {
            return constant.expression;
        };
        let exponent = pool.scale(&common, exponent);
        product.push(pool.power(base, exponent));
    }
    pool.product(&product)
}
