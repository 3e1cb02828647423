//! What vanishes where constraints hold.
//!
//! Constraints are turned into rules, one for a variable each: a_1 v + a_0 = 0 replaces v, and a polynomial in v of
//! higher degree leaves remainders by pseudo-division, as in the characteristic sets of J. F. Ritt (Differential
//! Algebra, 1950). An expression whose remainder is zero vanishes on the constraints, wherever no leading coefficient
//! does. What has another remainder is not proved to be anything else where a rule is not linear.

use isotrope_algebra::calculus::{CollectError, Substitution, collect, substitute};
use isotrope_algebra::normal::{AngleSplitting, Generators, Zero, is_zero, size};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

/// Constraints as rules.
#[derive(Debug, Clone, Default)]
pub(super) struct Manifold {
    rules: Vec<Rule>,
    /// Functions of time in the place of inputs.
    driven: Substitution,
    /// There are constraints without a rule.
    unsolved: bool,
}

/// Σ a_k v^k = 0.
#[derive(Debug, Clone)]
struct Rule {
    variable: ExprId,
    coefficients: Vec<ExprId>,
}

/// What a constraint says beside those before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Added {
    /// It follows from them.
    Redundant,
    /// It has no variables left, and is not zero.
    Contradiction(ExprId),
    /// Something.
    New,
}

/// How often all rules are applied.
const ROUNDS: usize = 6;
/// What one remainder may cost.
const REMAINDER: u64 = 3_000_000;
/// The largest degree of a rule.
const DEGREE: u32 = 8;

impl Manifold {
    /// Further functions of time.
    pub(super) fn drive(&mut self, symbol: ExprId, value: ExprId) {
        self.driven.insert(symbol, value);
    }

    /// Adds a constraint; rules are preferred for the first of the variables.
    pub(super) fn add(
        &mut self,
        pool: &mut Pool,
        constraint: ExprId,
        variables: &[ExprId],
    ) -> Result<Added, OutOfBudget> {
        let budget = &mut Budget::new(REMAINDER);
        let Some(rest) = self.remainder(pool, constraint, budget)? else {
            self.unsolved = true;
            return Ok(Added::New);
        };
        if is_zero(pool, rest, budget) == Zero::Yes {
            return Ok(Added::Redundant);
        }
        if !pool.depends_on(rest, variables) {
            return Ok(match is_zero(pool, rest, budget) {
                Zero::No => Added::Contradiction(rest),
                _ => Added::New,
            });
        }
        let mut best: Option<((usize, bool, usize, u64), Rule)> = None;
        for (place, &variable) in variables.iter().enumerate() {
            if !pool.depends_on(rest, &[variable]) {
                continue;
            }
            let Some(coefficients) = coefficients(pool, rest, variable, budget)? else { continue };
            let Some(&leading) = coefficients.last() else { continue };
            let moving = pool.depends_on(leading, variables);
            let score = (coefficients.len(), moving, place, size(pool, leading));
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, Rule { variable, coefficients }));
            }
        }
        match best {
            Some((_, rule)) => self.rules.push(rule),
            None => self.unsolved = true,
        }
        Ok(Added::New)
    }

    /// Does an expression vanish on the constraints?
    pub(super) fn vanishes(&self, pool: &mut Pool, expression: ExprId) -> Zero {
        let budget = &mut Budget::new(REMAINDER);
        let open = Zero::Unknown { points: 0 };
        let Ok(driven) = substitute(pool, &[expression], &self.driven, budget) else { return open };
        if is_zero(pool, driven[0], budget) == Zero::Yes {
            return Zero::Yes;
        }
        let rest = match self.remainder(pool, driven[0], budget) {
            Ok(Some(rest)) => rest,
            Ok(None) | Err(_) => return open,
        };
        match is_zero(pool, rest, budget) {
            Zero::Yes => Zero::Yes,
            // Linear rules are a parametrisation.
            Zero::No if !self.unsolved && self.rules.iter().all(|r| r.coefficients.len() == 2) => {
                Zero::No
            }
            _ => open,
        }
    }

    /// The numerator that is left of an expression; none where a rule divides by zero.
    fn remainder(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        budget: &mut Budget,
    ) -> Result<Option<ExprId>, OutOfBudget> {
        let driven = substitute(pool, &[expression], &self.driven, budget)?[0];
        let Some(mut rest) = numerator(pool, driven, budget)? else { return Ok(None) };
        for _ in 0..ROUNDS {
            let before = rest;
            for Rule { variable, coefficients: rule } in &self.rules {
                if !pool.depends_on(rest, &[*variable]) {
                    continue;
                }
                if let [constant, slope] = rule[..] {
                    let quotient = pool.div(constant, slope);
                    let value = pool.neg(quotient);
                    let map: Substitution = [(*variable, value)].into_iter().collect();
                    rest = substitute(pool, &[rest], &map, budget)?[0];
                } else if let Some(own) = coefficients(pool, rest, *variable, budget)? {
                    rest = divided(pool, own, rule, *variable);
                }
                match numerator(pool, rest, budget)? {
                    Some(found) => rest = found,
                    None => return Ok(None),
                }
            }
            if rest == before || rest.is_zero() {
                break;
            }
        }
        Ok(Some(rest))
    }
}

/// The remainder of Σ own_k v^k, times powers of the leading coefficient.
fn divided(pool: &mut Pool, mut own: Vec<ExprId>, rule: &[ExprId], variable: ExprId) -> ExprId {
    let Some((&leading, lower)) = rule.split_last() else { return ExprId::ZERO };
    while own.len() >= rule.len() {
        let Some(top) = own.pop() else { break };
        let shift = own.len() - lower.len();
        own.iter_mut().for_each(|value| *value = pool.mul(leading, *value));
        for (value, &part) in own[shift..].iter_mut().zip(lower) {
            let product = pool.mul(top, part);
            *value = pool.sub(*value, product);
        }
    }
    let mut terms = Vec::with_capacity(own.len());
    for (value, exponent) in own.into_iter().zip(0i64..) {
        let power = pool.powi(variable, exponent);
        terms.push(pool.mul(value, power));
    }
    pool.sum(&terms)
}

/// The coefficients of a polynomial in one variable, from the constant on; `None` if it is not such a polynomial.
pub(super) fn coefficients(
    pool: &mut Pool,
    expression: ExprId,
    variable: ExprId,
    budget: &mut Budget,
) -> Result<Option<Vec<ExprId>>, OutOfBudget> {
    let collected = match collect(pool, expression, &[variable], budget) {
        Ok(collected) => collected,
        Err(CollectError::NotPolynomial { .. }) => return Ok(None),
        Err(CollectError::OutOfBudget(stop)) => return Err(stop),
    };
    let mut list: Vec<ExprId> = Vec::new();
    for (monomial, coefficient) in collected {
        let degree = monomial.first().map_or(0, |power| power.1);
        if degree > DEGREE {
            return Ok(None);
        }
        let degree = degree as usize;
        if list.len() <= degree {
            list.resize(degree + 1, ExprId::ZERO);
        }
        list[degree] = coefficient;
    }
    while let Some(&last) = list.last() {
        if is_zero(pool, last, budget) != Zero::Yes {
            break;
        }
        list.pop();
    }
    Ok((list.len() > 1).then_some(list))
}

/// The numerator of an expression; none if it is undefined.
fn numerator(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<Option<ExprId>, OutOfBudget> {
    let mut generators = Generators::new(pool, &[expression], AngleSplitting::Whole, budget)?;
    let Some(fractions) = generators.fractions(pool, &[expression], budget)? else {
        return Ok(None);
    };
    let fraction = generators.reduce(&fractions[0], budget)?.cancelled(budget)?;
    Ok(Some(generators.polynomial_to_expression(pool, &fraction.numerator)))
}
