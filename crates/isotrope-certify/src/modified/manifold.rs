//! Functions on the constraint manifold: shorter with the constraints as relations.

use isotrope_algebra::calculus::{Substitution, derivative, substitute};
use isotrope_algebra::normal::{AngleSplitting, Fraction, Generators, simplify, size};
use isotrope_algebra::{Budget, ExprId, MonomialOrder, OutOfBudget, Polynomial, Pool};

/// Longer expressions are kept as they are.
const SHORT: u64 = 4_000;
/// Operations for one expression.
const SHORTENING: u64 = 2_000_000;

/// Ways to choose the velocities that constraints are solved for.
const WAYS: usize = 6;

/// Constraints of a system, left sides that vanish.
#[derive(Debug, Clone, Default)]
pub(super) struct Manifold {
    /// The symbols of the velocities.
    pub symbols: Vec<ExprId>,
    /// A v + b.
    pub velocities: Vec<ExprId>,
    /// φ.
    pub positions: Vec<ExprId>,
}

impl Manifold {
    /// An expression that is equal on the manifold, and the shortest of those tried: constraints on
    /// velocities solved for some of them; numerator and denominator divided by constraints on
    /// positions, with the remainders left.
    pub(super) fn shortened(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        budget: &mut Budget,
    ) -> Result<ExprId, OutOfBudget> {
        if self.velocities.is_empty() || size(pool, expression) > SHORT {
            return Ok(expression);
        }
        let mut own = Budget::new(SHORTENING.min(budget.left()));
        let mut forms = vec![expression];
        // A form that is out of reach is just not chosen.
        for way in 0..self.symbols.len().min(WAYS) {
            if let Ok(Some(form)) = self.eliminated(pool, expression, way, &mut own) {
                forms.push(simplify(pool, form, &mut own));
            }
        }
        if !self.positions.is_empty() {
            for form in forms.clone() {
                if let Ok(Some(form)) = remainder(pool, form, &self.positions, &mut own) {
                    forms.push(simplify(pool, form, &mut own));
                }
            }
        }
        budget.spend(own.spent().min(SHORTENING), "shortening a rate on the constraints")?;
        let best = forms.into_iter().min_by_key(|&form| size(pool, form));
        Ok(best.unwrap_or(expression))
    }

    /// The expression without as many velocities as there are constraints, the first of them at a
    /// place in the list of all; `None` if a constraint has no velocity to be solved for.
    fn eliminated(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        way: usize,
        budget: &mut Budget,
    ) -> Result<Option<ExprId>, OutOfBudget> {
        let mut forms = self.velocities.clone();
        forms.push(expression);
        for row in 0..self.velocities.len() {
            let constraint = forms[row];
            let candidates = self.symbols.iter().cycle().skip(way).take(self.symbols.len());
            let Some(&pivot) = candidates.into_iter().find(|&&v| pool.depends_on(constraint, &[v]))
            else {
                return Ok(None);
            };
            let slope = derivative(pool, constraint, pivot, budget)?;
            let slope = simplify(pool, slope, budget);
            if slope.is_zero() || pool.depends_on(slope, &[pivot]) {
                return Ok(None);
            }
            let rest: Substitution = [(pivot, ExprId::ZERO)].into_iter().collect();
            let rest = substitute(pool, &[constraint], &rest, budget)?;
            let quotient = pool.div(rest[0], slope);
            let value: Substitution = [(pivot, pool.neg(quotient))].into_iter().collect();
            forms = substitute(pool, &forms, &value, budget)?;
        }
        Ok(forms.pop())
    }
}

/// The expression with numerator and denominator reduced by relations.
fn remainder(
    pool: &mut Pool,
    expression: ExprId,
    relations: &[ExprId],
    budget: &mut Budget,
) -> Result<Option<ExprId>, OutOfBudget> {
    let mut all = vec![expression];
    all.extend(relations);
    let mut generators = Generators::new(pool, &all, AngleSplitting::Split, budget)?;
    let Some(fractions) = generators.fractions(pool, &all, budget)? else { return Ok(None) };
    let reduced: Vec<Fraction> = fractions
        .iter()
        .map(|fraction| generators.reduce(fraction, budget))
        .collect::<Result<_, _>>()?;
    let Some((own, relations)) = reduced.split_first() else { return Ok(None) };
    let divisors: Vec<Polynomial> =
        relations.iter().map(|relation| relation.numerator.clone()).collect();
    let mut rest = |polynomial: &Polynomial| -> Result<Polynomial, OutOfBudget> {
        let order = MonomialOrder::GradedReverseLex;
        let (_, rest) = polynomial.div_rem_by_all(&divisors, order, budget)?;
        rest.reduce(generators.rules(), budget)
    };
    let (numerator, denominator) = (rest(&own.numerator)?, rest(&own.denominator)?);
    if denominator.is_zero() {
        return Ok(None);
    }
    let quotient = generators.reduce(&Fraction { numerator, denominator }, budget)?;
    Ok(Some(generators.to_expression(pool, &quotient)))
}
