//! The rounds of the constraint algorithm (P. A. M. Dirac, Lectures on Quantum Mechanics, 1964; J. M. Gotay,
//! J. M. Nester, G. Hinds, 1978).
//!
//! Constraints have to last: with the rates C_i' = h_i + A_ik u_k of the constraints found so far, a combination n with
//! n A = 0 where they hold demands n·h = 0. That is nothing new, a contradiction, or a further constraint; what has
//! factors gives several branches. A branch ends when nothing is new: each constraint lowers the dimension, so there are
//! not more than 2n.

use isotrope_algebra::ideal::factors;
use isotrope_algebra::normal::{Zero, size};
use isotrope_algebra::{Budget, ExprId, Function, Node, OutOfBudget, Pool};

use super::elimination::{Echelon, determinant_factors, eliminate};
use super::primary::{Setting, short};
use super::surface::{Lost, RuleScore, Surface, fraction};

/// A constraint of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainConstraint {
    /// What vanishes.
    pub expression: ExprId,
    /// 0 of primary constraints; the round that found it otherwise.
    pub round: usize,
    /// The power of it that was found: the rest was dropped, so its differential does not vanish.
    pub power: u32,
    /// It is a gauge condition, or follows from one.
    pub of_gauge: bool,
}

/// The constraints of one branch, as far as they are known.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) surface: Surface,
    pub(super) constraints: Vec<ChainConstraint>,
    /// None of these vanishes.
    pub(super) conditions: Vec<ExprId>,
    /// Rates, solved for the multipliers: rows (u | −h).
    pub(super) rates: Echelon,
    /// The rows that the multipliers are solved with, as they are everywhere.
    pub(super) solved_rows: Vec<Vec<ExprId>>,
    pub(super) round: usize,
    /// How many constraints there were when the rules were last made anew.
    charted: usize,
    /// The factors by which it differs from other branches.
    pub(super) chosen: Vec<ExprId>,
    /// What is to vanish, with another form of it.
    pending: Vec<(ExprId, Option<ExprId>)>,
    pub(super) of_gauge: bool,
}

/// How a branch ends.
#[derive(Debug, Clone)]
pub(super) enum End {
    /// The constraints last.
    Lasting(Box<Branch>),
    /// They demand that something vanishes that does not.
    Contradiction(Box<Branch>, ExprId),
    /// A constraint cannot be solved for a variable, something is divided by zero, or it takes too long.
    Open(Box<Branch>, Lost),
}

/// Branches that are followed.
const BRANCHES: usize = 8;

impl Branch {
    pub(super) fn new(setting: &Setting) -> Self {
        let n = setting.state.len() / 2;
        let (q, p) = setting.state.split_at(n);
        let preferred: Vec<ExprId> = p.iter().chain(q).copied().collect();
        Self {
            surface: Surface::new(&setting.state, &preferred),
            constraints: Vec::new(),
            conditions: setting.pivots.clone(),
            rates: Echelon::default(),
            solved_rows: Vec::new(),
            charted: 0,
            round: 0,
            chosen: Vec::new(),
            pending: setting
                .primaries
                .iter()
                .rev()
                .map(|primary| (primary.expression, None))
                .collect(),
            of_gauge: false,
        }
    }

    /// The same with further demands.
    pub(super) fn demanding(&self, conditions: &[ExprId]) -> Self {
        let pending = conditions.iter().rev().map(|&condition| (condition, None)).collect();
        Self { pending, of_gauge: true, ..self.clone() }
    }

    pub(super) fn dimension(&self) -> usize {
        self.surface.variables.len() - self.surface.codimension()
    }

    pub(super) fn expressions(&self) -> Vec<ExprId> {
        self.constraints.iter().map(|constraint| constraint.expression).collect()
    }

    /// Without gauge conditions.
    pub(super) fn before_gauge(&self) -> Vec<ExprId> {
        let own = self.constraints.iter().filter(|constraint| !constraint.of_gauge);
        own.map(|constraint| constraint.expression).collect()
    }

    fn assume(&mut self, pool: &Pool, conditions: impl IntoIterator<Item = ExprId>) {
        for condition in conditions {
            if pool.as_number(condition).is_none() && !self.conditions.contains(&condition) {
                self.conditions.push(condition);
            }
        }
    }

    /// Adds what vanishes; several branches where it has factors.
    fn demand(
        self,
        pool: &mut Pool,
        expression: ExprId,
        form: Option<ExprId>,
        budget: &mut Budget,
    ) -> Result<Vec<Next>, Lost> {
        let reduced = self.surface.reduced(pool, expression, budget)?;
        if self.surface.vanishes(pool, reduced, budget)? == Zero::Yes {
            return Ok(vec![Next::Open(self)]);
        }
        let mut parts = Vec::new();
        let mut constant = Vec::new();
        for part in split(pool, reduced, budget)? {
            match pool.depends_on(part.expression, &self.surface.variables) {
                true => parts.push(part),
                false => constant.push(part.expression),
            }
        }
        if parts.is_empty() {
            return Ok(vec![Next::Contradiction(self, reduced)]);
        }
        let several = parts.len() > 1;
        let mut found = Vec::with_capacity(parts.len());
        for part in parts {
            let mut branch = self.clone();
            branch.assume(pool, constant.iter().copied());
            let leading = branch.surface.add(pool, part.expression, part.irreducible, budget)?;
            if !pool.depends_on(leading, &branch.surface.variables) {
                branch.assume(pool, [leading]);
            }
            let (round, of_gauge) = (branch.round, branch.of_gauge);
            // As it is written, where that is no power of something else.
            let alone = !several && part.power == 1;
            let written = match form {
                _ if alone && round == 0 && constant.is_empty() => expression,
                Some(form) if alone => plainer(pool, form, part.expression, budget)?,
                _ => part.expression,
            };
            let power = part.power;
            branch.constraints.push(ChainConstraint {
                expression: written,
                round,
                power,
                of_gauge,
            });
            if several {
                branch.chosen.push(part.expression);
            }
            found.push(Next::Open(branch));
        }
        Ok(found)
    }

    /// The same constraints with other rules, the simplest first: what an old rule divides by may vanish on a new constraint.
    /// Products that appear are branches.
    fn charted_anew(self, pool: &mut Pool, budget: &mut Budget) -> Result<Vec<Self>, Lost> {
        let count = self.constraints.len();
        let blank = Self {
            surface: self.surface.without_rules(),
            constraints: Vec::new(),
            charted: count,
            ..self.clone()
        };
        let mut open = vec![(blank, self.constraints)];
        let mut done = Vec::new();
        while let Some((branch, mut left)) = open.pop() {
            budget.spend(1, "solving for other variables")?;
            let mut best: Option<(RuleScore, usize, ExprId)> = None;
            let mut k = 0;
            while k < left.len() {
                let value = branch.surface.reduced(pool, left[k].expression, budget)?;
                if branch.surface.vanishes(pool, value, budget)? == Zero::Yes {
                    left.remove(k);
                    continue;
                }
                if let Some(score) = branch.surface.score(pool, value, budget)?
                    && best.is_none_or(|(least, ..)| score < least)
                {
                    best = Some((score, k, value));
                }
                k += 1;
            }
            let Some((_, k, value)) = best else {
                match left.first() {
                    None => done.push(branch),
                    Some(constraint) => return Err(Lost::NoRule(constraint.expression)),
                }
                continue;
            };
            let constraint = left.remove(k);
            let parts = split(pool, value, budget)?;
            let moving = |pool: &Pool, part: &Part| {
                pool.depends_on(part.expression, &branch.surface.variables)
            };
            let parts: Vec<Part> = parts.into_iter().filter(|part| moving(pool, part)).collect();
            let several = parts.len() > 1;
            for part in parts.into_iter().rev() {
                let mut branch = branch.clone();
                branch.surface.add(pool, part.expression, part.irreducible, budget)?;
                let mut constraint = constraint;
                if several || part.power > 1 {
                    constraint.expression = part.expression;
                    branch.chosen.push(part.expression);
                }
                branch.constraints.push(constraint);
                open.push((branch, left.clone()));
            }
        }
        for branch in &mut done {
            branch.constraints.sort_by_key(|constraint| (constraint.of_gauge, constraint.round));
            branch.charted = branch.constraints.len();
        }
        done.truncate(BRANCHES);
        Ok(done)
    }

    /// One step: what is pending, or the next round.
    fn step(
        mut self,
        pool: &mut Pool,
        setting: &Setting,
        budget: &mut Budget,
    ) -> Result<Vec<Next>, Lost> {
        if let Some((expression, form)) = self.pending.pop() {
            return self.demand(pool, expression, form, budget);
        }
        budget.spend(1, "looking for constraints")?;
        let mut rows = setting.rates(pool, &self.expressions(), budget)?;
        let width = setting.primaries.len();
        for row in &mut rows {
            row[width] = pool.neg(row[width]);
        }
        self.rates = eliminate(pool, &self.surface, rows.clone(), width, budget)?;
        let block: Vec<Vec<ExprId>> = self
            .rates
            .origins
            .iter()
            .map(|&row| self.rates.columns.iter().map(|&column| rows[row][column]).collect())
            .collect();
        self.solved_rows = self.rates.origins.iter().map(|&row| rows[row].clone()).collect();
        let divisors = determinant_factors(pool, &self.surface, &block, budget)?;
        self.assume(pool, divisors);
        let mut demands = Vec::new();
        for (origin, row) in &self.rates.rest {
            if self.surface.vanishes(pool, row[width], budget)? != Zero::Yes {
                // As it comes from the rates, where that is a constraint by itself.
                demands.push((row[width], origin.map(|origin| rows[origin][width])));
            }
        }
        if demands.is_empty() {
            return Ok(vec![Next::Lasting(self)]);
        }
        self.round += 1;
        self.pending = demands;
        self.pending.reverse();
        Ok(vec![Next::Open(self)])
    }
}

enum Next {
    Open(Branch),
    Lasting(Branch),
    Contradiction(Branch, ExprId),
}

/// Follows all branches to their ends, and says whether these are all.
pub(super) fn follow(
    pool: &mut Pool,
    setting: &Setting,
    start: Branch,
    budget: &mut Budget,
) -> Result<(Vec<End>, bool), OutOfBudget> {
    let mut open = vec![start];
    let mut ends: Vec<End> = Vec::new();
    let mut complete = true;
    while let Some(branch) = open.pop() {
        if ends.len() >= BRANCHES {
            complete = false;
            break;
        }
        let before = branch.clone();
        match branch.step(pool, setting, budget) {
            Ok(list) => {
                for next in list.into_iter().rev() {
                    match next {
                        Next::Open(branch) => open.push(branch),
                        Next::Lasting(branch) => ends.push(End::Lasting(Box::new(branch))),
                        Next::Contradiction(branch, value) => {
                            ends.push(End::Contradiction(Box::new(branch), value));
                        }
                    }
                }
            }
            Err(Lost::OutOfBudget(stop)) if stop.interrupted || stop.internal.is_some() => {
                return Err(stop);
            }
            Err(Lost::Undefined) if before.charted < before.constraints.len() => {
                match before.clone().charted_anew(pool, budget) {
                    Ok(list) => open.extend(list.into_iter().rev()),
                    Err(lost) => ends.push(End::Open(Box::new(before), lost)),
                }
            }
            Err(lost) => ends.push(End::Open(Box::new(before), lost)),
        }
    }
    Ok((ends, complete))
}

/// Another form of a constraint, if it is a polynomial that is not longer.
fn plainer(
    pool: &mut Pool,
    form: ExprId,
    found: ExprId,
    budget: &mut Budget,
) -> Result<ExprId, Lost> {
    let Some((generators, fraction)) = fraction(pool, form, budget)? else { return Ok(found) };
    let Ok(parts) = factors(&fraction.numerator, budget) else { return Ok(found) };
    let [part] = &parts[..] else { return Ok(found) };
    let form = generators.polynomial_to_expression(pool, &part.polynomial);
    let form = short(pool, form);
    Ok(if size(pool, form) <= size(pool, found) { form } else { found })
}

/// A factor of what vanishes.
pub(super) struct Part {
    pub(super) expression: ExprId,
    power: u32,
    irreducible: bool,
}

/// The factors of the numerator of an expression that can vanish.
pub(super) fn split(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<Vec<Part>, Lost> {
    let (generators, fraction) = fraction(pool, expression, budget)?.ok_or(Lost::Undefined)?;
    let mut parts = Vec::new();
    for (polynomial, power) in fraction.numerator.square_free(budget)?.factors {
        for factor in factors(&polynomial, budget)? {
            let found = generators.polynomial_to_expression(pool, &factor.polynomial);
            if never_vanishes(pool, found) {
                continue;
            }
            // Relations between generators may hide further factors.
            let free = generators.rules().is_empty();
            let irreducible = factor.irreducible && free;
            parts.push(Part { expression: found, power, irreducible });
        }
    }
    Ok(parts)
}

/// Exponentials.
fn never_vanishes(pool: &Pool, expression: ExprId) -> bool {
    match pool.node(expression) {
        Node::Call(Function::Exp | Function::Cosh, _) => true,
        Node::Product(pairs) => pairs.iter().all(|(base, exponent)| {
            pool.as_number(base).is_some_and(|number| !number.is_zero())
                || (pool.as_number(exponent).is_some()
                    && matches!(pool.node(base), Node::Call(Function::Exp | Function::Cosh, _)))
        }),
        _ => false,
    }
}
