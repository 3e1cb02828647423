//! Where constraints hold: rules that replace one variable each, as in the characteristic sets of J. F. Ritt
//! (Differential Algebra, 1950).
//!
//! A rule a_1 v + a_0 = 0 replaces v; one of higher degree replaces its highest power. The other variables are free, so
//! an expression whose reduced numerator is zero vanishes wherever the constraints hold and no leading coefficient
//! vanishes. With linear rules, and one more that is irreducible, an expression that does not reduce to zero does not
//! vanish identically there.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::normal::{AngleSplitting, Fraction, Generators, Zero, is_zero, size};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use crate::manifold::coefficients;

/// The set where some expressions vanish.
#[derive(Debug, Clone)]
pub(super) struct Surface {
    /// What moves: an expression without these is a constant or a function of time.
    pub(super) variables: Vec<ExprId>,
    /// In the order in which they are preferred for rules.
    preferred: Vec<ExprId>,
    rules: Vec<Rule>,
}

/// Σ a_k v^k = 0.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) variable: ExprId,
    pub(super) coefficients: Vec<ExprId>,
    irreducible: bool,
}

impl Rule {
    pub(super) fn is_linear(&self) -> bool {
        self.coefficients.len() == 2
    }

    fn leading(&self) -> ExprId {
        self.coefficients.last().copied().unwrap_or(ExprId::ONE)
    }
}

/// The degree of a rule, what its leading coefficient contains, how long that is, and the place of the variable.
pub(super) type RuleScore = (usize, u8, u64, usize);

/// Why an expression has no value where the constraints hold, or none was found.
#[derive(Debug, Clone)]
pub(super) enum Lost {
    /// Its denominator vanishes there.
    Undefined,
    /// No variable of a constraint can be solved for.
    NoRule(ExprId),
    OutOfBudget(OutOfBudget),
}

impl From<OutOfBudget> for Lost {
    fn from(stop: OutOfBudget) -> Self {
        Self::OutOfBudget(stop)
    }
}

/// How often all rules are applied.
const ROUNDS: usize = 8;
/// What one proof may cost.
const PROOF: u64 = 3_000_000;

impl Surface {
    pub(super) fn new(variables: &[ExprId], preferred: &[ExprId]) -> Self {
        Self { variables: variables.to_vec(), preferred: preferred.to_vec(), rules: Vec::new() }
    }

    /// A constraint that is not linear in its variable.
    pub(super) fn curved(&self, pool: &mut Pool) -> Option<ExprId> {
        let rule = self.rules.iter().find(|rule| !rule.is_linear())?;
        let mut terms = Vec::with_capacity(rule.coefficients.len());
        for (&value, exponent) in rule.coefficients.iter().zip(0i64..) {
            let power = pool.powi(rule.variable, exponent);
            terms.push(pool.mul(value, power));
        }
        Some(pool.sum(&terms))
    }

    /// Its codimension.
    pub(super) fn codimension(&self) -> usize {
        self.rules.len()
    }

    /// Is "does not vanish identically" decided?
    pub(super) fn is_decided(&self) -> bool {
        let mut curved = self.rules.iter().filter(|rule| !rule.is_linear());
        curved.next().is_none_or(|rule| rule.irreducible) && curved.next().is_none()
    }

    /// Adds a constraint that is reduced, a polynomial in some variable, and does not vanish here.
    pub(super) fn add(
        &mut self,
        pool: &mut Pool,
        constraint: ExprId,
        irreducible: bool,
        budget: &mut Budget,
    ) -> Result<ExprId, Lost> {
        let (_, rule) = self
            .best_rule(pool, constraint, irreducible, budget)?
            .ok_or(Lost::NoRule(constraint))?;
        let leading = rule.leading();
        self.rules.push(rule);
        Ok(leading)
    }

    /// The same without rules.
    pub(super) fn without_rules(&self) -> Self {
        Self { rules: Vec::new(), ..self.clone() }
    }

    /// How simple the rule of a constraint would be; none without one.
    pub(super) fn score(
        &self,
        pool: &mut Pool,
        constraint: ExprId,
        budget: &mut Budget,
    ) -> Result<Option<RuleScore>, OutOfBudget> {
        Ok(self.best_rule(pool, constraint, false, budget)?.map(|(score, _)| score))
    }

    fn best_rule(
        &self,
        pool: &mut Pool,
        constraint: ExprId,
        irreducible: bool,
        budget: &mut Budget,
    ) -> Result<Option<(RuleScore, Rule)>, OutOfBudget> {
        let mut best: Option<(RuleScore, Rule)> = None;
        for (place, &variable) in self.preferred.iter().enumerate() {
            if !pool.depends_on(constraint, &[variable]) {
                continue;
            }
            let Some(coefficients) = coefficients(pool, constraint, variable, budget)? else {
                continue;
            };
            let rule = Rule { variable, coefficients, irreducible };
            let leading = rule.leading();
            let moving = match pool.as_number(leading) {
                Some(_) => 0,
                None if pool.depends_on(leading, &self.variables) => 2,
                None => 1,
            };
            let score = (rule.coefficients.len(), moving, size(pool, leading), place);
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, rule));
            }
        }
        Ok(best)
    }

    /// An expression of the same value here, in normal form.
    pub(super) fn reduced(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        budget: &mut Budget,
    ) -> Result<ExprId, Lost> {
        let mut value = normal(pool, expression, budget)?.ok_or(Lost::Undefined)?;
        for _ in 0..ROUNDS {
            let before = value;
            for rule in &self.rules {
                if !pool.depends_on(value, &[rule.variable]) {
                    continue;
                }
                if rule.is_linear() {
                    let quotient = pool.div(rule.coefficients[0], rule.coefficients[1]);
                    let map: Substitution =
                        [(rule.variable, pool.neg(quotient))].into_iter().collect();
                    // A denominator that becomes zero is seen before it is divided by.
                    let (numerator, denominator) = parts(pool, value, budget)?;
                    let both = substitute(pool, &[numerator, denominator], &map, budget)?;
                    let below = normal(pool, both[1], budget)?.ok_or(Lost::Undefined)?;
                    if is_zero(pool, below, budget) == Zero::Yes {
                        return Err(Lost::Undefined);
                    }
                    value = pool.div(both[0], below);
                } else {
                    let (numerator, denominator) = parts(pool, value, budget)?;
                    let above = divided(pool, numerator, rule, budget)?;
                    let below = divided(pool, denominator, rule, budget)?;
                    if is_zero(pool, below, budget) == Zero::Yes {
                        return Err(Lost::Undefined);
                    }
                    value = pool.div(above, below);
                }
                value = normal(pool, value, budget)?.ok_or(Lost::Undefined)?;
            }
            if value == before {
                break;
            }
        }
        Ok(value)
    }

    /// Does an expression vanish here? "No": not identically.
    pub(super) fn vanishes(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        budget: &mut Budget,
    ) -> Result<Zero, Lost> {
        let rest = self.reduced(pool, expression, budget)?;
        Ok(match is_zero(pool, rest, &mut Budget::new(PROOF.min(budget.left()))) {
            Zero::No if !self.is_decided() => Zero::Unknown { points: 0 },
            answer => answer,
        })
    }
}

/// The remainder of a polynomial in the variable of a rule, divided with all coefficients as quotients.
fn divided(
    pool: &mut Pool,
    expression: ExprId,
    rule: &Rule,
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    let Some(mut own) = coefficients(pool, expression, rule.variable, budget)? else {
        return Ok(expression);
    };
    let Some((&leading, lower)) = rule.coefficients.split_last() else { return Ok(expression) };
    while own.len() > lower.len() {
        let Some(top) = own.pop() else { break };
        let factor = pool.div(top, leading);
        let shift = own.len() - lower.len();
        for (value, &part) in own[shift..].iter_mut().zip(lower) {
            let product = pool.mul(factor, part);
            *value = pool.sub(*value, product);
        }
    }
    let mut terms = Vec::with_capacity(own.len());
    for (value, exponent) in own.into_iter().zip(0i64..) {
        let power = pool.powi(rule.variable, exponent);
        terms.push(pool.mul(value, power));
    }
    Ok(pool.sum(&terms))
}

/// An expression as a quotient of polynomials; none if it is undefined.
pub(super) fn fraction(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<Option<(Generators, Fraction)>, OutOfBudget> {
    let mut generators = Generators::new(pool, &[expression], AngleSplitting::Whole, budget)?;
    let Some(fractions) = generators.fractions(pool, &[expression], budget)? else {
        return Ok(None);
    };
    let fraction = generators.reduce(&fractions[0], budget)?.cancelled(budget)?;
    Ok(Some((generators, fraction)))
}

/// Numerator and denominator.
fn parts(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<(ExprId, ExprId), Lost> {
    let (generators, fraction) = fraction(pool, expression, budget)?.ok_or(Lost::Undefined)?;
    let above = generators.polynomial_to_expression(pool, &fraction.numerator);
    let below = generators.polynomial_to_expression(pool, &fraction.denominator);
    Ok((above, below))
}

/// The normal form.
fn normal(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<Option<ExprId>, OutOfBudget> {
    if pool.as_number(expression).is_some() || pool.as_symbol(expression).is_some() {
        return Ok(Some(expression));
    }
    Ok(fraction(pool, expression, budget)?
        .map(|(generators, fraction)| generators.to_expression(pool, &fraction)))
}
