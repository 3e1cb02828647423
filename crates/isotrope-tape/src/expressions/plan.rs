//! Planning: from nodes of the pool to steps, children first.

use isotrope_algebra::{ExprId, Node, Pool, Rational};
use rustc_hash::FxHashMap;

use super::constant::{Constant, rounded};
use super::factors::{FactorId, Factors};
use super::product::ScaledProduct;
use super::solve::Matrices;
use super::sum::Sum;
use super::{ExpressionError, Formulas, Slot, Step, solve};

/// Which value of a node is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// The whole node.
    Whole,
    /// A product without its constant factors, which its sum takes into the coefficient.
    Body,
}

pub(super) struct Planner<'p> {
    pub pool: &'p Pool,
    pub steps: Vec<Step>,
    symbols: Vec<(ExprId, String)>,
    /// By index in the pool: is it below the outputs, and does it contain symbols?
    variable: Vec<bool>,
    /// By index in the pool: the step that computes it, or [`NONE`].
    whole: Vec<u32>,
    /// Bodies of products that have constant factors.
    bodies: FxHashMap<ExprId, Slot>,
    constants: FxHashMap<ExprId, f64>,
    pub factors: Factors,
    pub matrices: Matrices,
    /// Steps of pairs and reciprocals.
    shared: FxHashMap<FactorId, Slot>,
    /// What a step is still to be multiplied by: the common factor of a sum goes through products
    /// into the coefficient of the sum above, where it costs nothing.
    pending: FxHashMap<Slot, Rational>,
    /// Steps with the factor that was pending.
    scaled: FxHashMap<Slot, Slot>,
}

const NONE: u32 = u32::MAX;

/// Plans the evaluation of expressions.
///
/// Depth first from one output after the other, with an own stack: values are made shortly before
/// they are used.
pub(super) fn plan(pool: &Pool, expressions: &[ExprId]) -> Result<Formulas, ExpressionError> {
    let mut planner = Planner::new(pool, expressions)?;
    let mut stack: Vec<(ExprId, Part, bool)> = Vec::new();
    for &output in expressions {
        stack.push((output, Part::Whole, false));
        while let Some((id, part, ready)) = stack.pop() {
            if planner.slot(id, part).is_some() {
                continue;
            }
            if ready {
                planner.make(id, part)?;
            } else {
                stack.push((id, part, true));
                let from = stack.len();
                planner.children(id, part, |child, part| stack.push((child, part, false)));
                stack[from..].reverse();
            }
        }
    }
    let outputs = expressions.iter().map(|&id| planner.known(id)).collect();
    let matrices = planner.matrices.into_list();
    Ok(Formulas { steps: planner.steps, symbols: planner.symbols, matrices, outputs })
}

impl<'p> Planner<'p> {
    fn new(pool: &'p Pool, expressions: &[ExprId]) -> Result<Self, ExpressionError> {
        let mut below = vec![false; pool.len()];
        let mut reachable = Vec::new();
        let mut stack = Vec::new();
        let mut mark = |id: ExprId, stack: &mut Vec<ExprId>| {
            if !std::mem::replace(&mut below[id.index()], true) {
                stack.push(id);
            }
        };
        for &id in expressions {
            mark(id, &mut stack);
        }
        while let Some(id) = stack.pop() {
            reachable.push(id);
            pool.for_each_child(id, |child| mark(child, &mut stack));
        }
        // Ascending ids: children first.
        reachable.sort_unstable();
        let mut planner = Self {
            pool,
            steps: Vec::with_capacity(reachable.len()),
            symbols: Vec::new(),
            variable: vec![false; pool.len()],
            whole: vec![NONE; pool.len()],
            bodies: FxHashMap::default(),
            constants: FxHashMap::default(),
            factors: Factors::default(),
            matrices: Matrices::default(),
            shared: FxHashMap::default(),
            pending: FxHashMap::default(),
            scaled: FxHashMap::default(),
        };
        for &id in &reachable {
            let mut variable = false;
            match pool.node(id) {
                Node::Symbol(_) => variable = true,
                Node::Undefined => return Err(ExpressionError::Undefined),
                _ => pool.for_each_child(id, |child| variable |= planner.variable[child.index()]),
            }
            planner.variable[id.index()] = variable;
            if let Node::Product(pairs) = pool.node(id)
                && variable
            {
                let known = &planner.variable;
                let varies = |(b, e): (ExprId, ExprId)| known[b.index()] || known[e.index()];
                planner.factors.meet(pool, id, pairs, varies);
            }
        }
        planner.factors.share();
        Ok(planner)
    }

    /// Does the expression contain symbols?
    pub(super) fn is_variable(&self, id: ExprId) -> bool {
        self.variable[id.index()]
    }

    pub(super) fn is_variable_pair(&self, (base, exponent): (ExprId, ExprId)) -> bool {
        self.is_variable(base) || self.is_variable(exponent)
    }

    /// The constant factors of a product with symbols.
    pub(super) fn constant_factors(&self, id: ExprId) -> Vec<(ExprId, ExprId)> {
        match self.pool.node(id) {
            Node::Product(pairs) => {
                pairs.iter().filter(|&pair| !self.is_variable_pair(pair)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The step of a node, if it is planned.
    fn slot(&self, id: ExprId, part: Part) -> Option<Slot> {
        if part == Part::Body
            && let Some(&slot) = self.bodies.get(&id)
        {
            return Some(slot);
        }
        if part == Part::Body && !self.constant_factors(id).is_empty() {
            return None;
        }
        let slot = self.whole[id.index()];
        (slot != NONE).then_some(Slot(slot))
    }

    /// The step of a node that is planned, as children are before their parents; its value is to
    /// be multiplied by what is [pending](Self::pending).
    pub(super) fn unscaled(&self, id: ExprId, part: Part) -> Slot {
        let slot = self.slot(id, part);
        debug_assert!(slot.is_some(), "a node is used before it is planned");
        // No step has this number: a mistake would be loud.
        slot.unwrap_or(Slot(NONE))
    }

    /// What the value of a step is still to be multiplied by.
    pub(super) fn pending(&self, slot: Slot) -> Option<&Rational> {
        self.pending.get(&slot)
    }

    /// The step of a node with nothing pending.
    pub(super) fn known(&mut self, id: ExprId) -> Slot {
        let slot = self.unscaled(id, Part::Whole);
        self.complete(slot)
    }

    /// The step with what was pending.
    pub(super) fn complete(&mut self, slot: Slot) -> Slot {
        let Some(factor) = self.pending.get(&slot).map(Rational::to_f64) else { return slot };
        if let Some(&known) = self.scaled.get(&slot) {
            return known;
        }
        let scaled = self.push(Step::Scaled(factor, slot));
        self.scaled.insert(slot, scaled);
        scaled
    }

    /// A step whose value is to be multiplied by `factor`.
    pub(super) fn push_pending(&mut self, step: Step, factor: Option<Rational>) -> Slot {
        let slot = self.push(step);
        if let Some(factor) = factor {
            self.pending.insert(slot, factor);
        }
        slot
    }

    pub(super) fn push(&mut self, step: Step) -> Slot {
        self.steps.push(step);
        Slot(self.steps.len() as u32 - 1)
    }

    /// The step of a factor that products share, made when it is met first.
    pub(super) fn shared(
        &mut self,
        id: FactorId,
        make: impl FnOnce(&mut Self) -> ScaledProduct,
    ) -> Slot {
        if let Some(&slot) = self.shared.get(&id) {
            return slot;
        }
        let (step, factor) = make(self).into_step();
        let slot = self.push_pending(step, factor);
        self.shared.insert(id, slot);
        slot
    }

    /// The double nearest to a number.
    pub(super) fn number(&mut self, id: ExprId) -> f64 {
        let pool = self.pool;
        *self
            .constants
            .entry(id)
            .or_insert_with(|| pool.as_number(id).map_or(f64::NAN, Rational::to_f64))
    }

    /// Nodes that must have values before this one.
    fn children(&self, id: ExprId, part: Part, mut visit: impl FnMut(ExprId, Part)) {
        if !self.is_variable(id) {
            return;
        }
        match self.pool.node(id) {
            Node::Sum(pairs) => {
                for (term, _) in pairs.iter().filter(|&(term, _)| self.is_variable(term)) {
                    visit(term, Part::Body);
                }
            }
            Node::Product(_) if part == Part::Whole && !self.constant_factors(id).is_empty() => {
                visit(id, Part::Body);
            }
            Node::Product(pairs) => {
                for (base, exponent) in pairs.iter().filter(|&pair| self.is_variable_pair(pair)) {
                    visit(base, Part::Whole);
                    if self.pool.as_number(exponent).is_none() {
                        visit(exponent, Part::Whole);
                    }
                }
            }
            _ => self.pool.for_each_child(id, |child| visit(child, Part::Whole)),
        }
    }

    /// Plans a node whose children are planned.
    fn make(&mut self, id: ExprId, part: Part) -> Result<(), ExpressionError> {
        let pool = self.pool;
        if !self.is_variable(id) {
            // A system without symbols: its components are constants of their own.
            let value = match pool.node(id) {
                Node::System(_) => 0.0,
                Node::Number(_) => self.number(id),
                _ => {
                    rounded(pool, &[Constant { rational: None, powers: vec![(id, ExprId::ONE)] }])?
                }
            };
            self.whole[id.index()] = self.push(Step::Constant(value)).0;
            return Ok(());
        }
        let mut pending = None;
        let step = match pool.node(id) {
            Node::Symbol(symbol) => {
                self.symbols.push((id, pool.symbol_name(symbol).to_owned()));
                Step::Symbol(self.symbols.len() as u32 - 1)
            }
            Node::Sum(pairs) => {
                let (step, factor) = Sum::plan(self, pairs)?;
                pending = factor;
                step
            }
            Node::Product(_) => {
                let factors = self.constant_factors(id);
                if !factors.is_empty() && part == Part::Whole {
                    let body = self.unscaled(id, Part::Body);
                    let rational = self.pending(body).cloned();
                    let constant = rounded(pool, &[Constant { rational, powers: factors }])?;
                    Step::Scaled(constant, body)
                } else {
                    let (step, factor) = ScaledProduct::plan(self, id).into_step();
                    if !factors.is_empty() {
                        let slot = self.push_pending(step, factor);
                        self.bodies.insert(id, slot);
                        return Ok(());
                    }
                    pending = factor;
                    step
                }
            }
            Node::Call(function, argument) => Step::Call(function, self.known(argument)),
            Node::Atan2(y, x) => Step::Atan2(self.known(y), self.known(x)),
            Node::System(system) => solve::plan(self, system)?,
            Node::Solution { system, index } => {
                Step::Component(self.unscaled(system, Part::Whole), index)
            }
            Node::Number(_) | Node::Pi | Node::Undefined => {
                return Err(ExpressionError::Undefined);
            }
        };
        self.whole[id.index()] = self.push_pending(step, pending).0;
        Ok(())
    }
}
