//! Programs under construction.

use rustc_hash::FxHashMap;

use super::{BinaryFunction, Function, Op, Program, ProgramError, Region, ValueId, place};
use crate::math::Arithmetic;

/// A variable of the iteration under construction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariableId(u32);

/// What the builder does beside recording. All but `fuse` keep every bit (signs and payloads of
/// NaN aside), so that without them a program computes the same, more slowly: tests compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passes {
    /// Equal operations exist once.
    pub share: bool,
    /// Constants are folded and identities used that hold bit for bit.
    pub simplify: bool,
    /// What does not change in the iteration is computed before it, and what the iteration does
    /// not need after it; what is needed much later in its region waits until then.
    pub hoist: bool,
    /// Operations that nothing needs are left out.
    pub eliminate: bool,
    /// A product that only feeds sums becomes a part of them, rounded once with the sum.
    pub fuse: bool,
    /// Functions that have an expansion are expanded; otherwise they are called.
    pub expand: bool,
}

impl Passes {
    /// Everything: the default.
    pub const ALL: Self = Self {
        share: true,
        simplify: true,
        hoist: true,
        eliminate: true,
        fuse: true,
        expand: true,
    };
    /// Nothing: operations stay as they come.
    pub const NONE: Self = Self {
        share: false,
        simplify: false,
        hoist: false,
        eliminate: false,
        fuse: false,
        expand: true,
    };
}

/// One operation of the graph.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub op: Op,
    /// The earliest region that has all operands.
    pub available: Region,
    /// Estimated cycles from the beginning of that region to the result.
    pub ready: u32,
    /// A sum that was written with care: its product must not be fused with it.
    pub strict: bool,
}

/// A program under construction: values are recorded through [`Arithmetic`], in any order; the
/// region of each follows from what it depends on.
///
/// The ids it gives are its own; [`Builder::finish`] renumbers the values.
///
/// ```
/// use isotrope_tape::math::Arithmetic;
/// use isotrope_tape::Builder;
/// // The square root of a parameter by Heron's rule.
/// let mut builder = Builder::new(1, 1);
/// let (a, half, tolerance) =
///     (builder.parameter(0), builder.constant(0.5), builder.constant(1e-15));
/// let variable = builder.variable(a);
/// let x = builder.current(variable);
/// let quotient = builder.div(a, x);
/// let sum = builder.add(x, quotient);
/// let next = builder.mul(half, sum);
/// let change = builder.sub(next, x);
/// let residual = builder.abs(change);
/// builder.set_next(variable, next);
/// builder.iterate_until(residual, tolerance, 50);
/// let root = builder.last(variable);
/// builder.store(0, root);
/// let program = builder.finish()?;
/// assert_eq!(program.before, 3);
/// # Ok::<(), isotrope_tape::ProgramError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    pub(super) passes: Passes,
    pub(super) entries: Vec<Entry>,
    table: FxHashMap<Op, ValueId>,
    strict: bool,
    pub(super) state: u32,
    pub(super) parameters: u32,
    /// Start and next of each variable; none: it keeps its value.
    pub(super) variables: Vec<(ValueId, Option<ValueId>)>,
    pub(super) residual: Option<(ValueId, ValueId)>,
    pub(super) max_iterations: u32,
    pub(super) stores: Vec<(u32, ValueId)>,
}

impl Builder {
    /// An empty program with this many numbers in the state and this many parameters.
    #[must_use]
    pub fn new(state: u32, parameters: u32) -> Self {
        Self::with_passes(state, parameters, Passes::ALL)
    }

    /// The same with a choice of what is done to the operations.
    #[must_use]
    pub fn with_passes(state: u32, parameters: u32, passes: Passes) -> Self {
        Self {
            passes,
            entries: Vec::new(),
            table: FxHashMap::default(),
            strict: false,
            state,
            parameters,
            variables: Vec::new(),
            residual: None,
            max_iterations: 0,
            stores: Vec::new(),
        }
    }

    /// A number of the state at the beginning of the step.
    pub fn state(&mut self, slot: u32) -> ValueId {
        self.record(Op::State(slot))
    }

    /// A number that is the same in all steps.
    pub fn parameter(&mut self, slot: u32) -> ValueId {
        self.record(Op::Parameter(slot))
    }

    /// A new variable of the iteration with its value before the first round.
    pub fn variable(&mut self, start: ValueId) -> VariableId {
        self.variables.push((start, None));
        VariableId(self.variables.len() as u32 - 1)
    }

    /// A variable as the current round finds it.
    pub fn current(&mut self, variable: VariableId) -> ValueId {
        self.record(Op::Variable(variable.0))
    }

    /// A variable after the last round.
    pub fn last(&mut self, variable: VariableId) -> ValueId {
        self.record(Op::Final(variable.0))
    }

    /// What the variable is in the next round; without it, what it was.
    pub fn set_next(&mut self, variable: VariableId, next: ValueId) {
        if let Some(entry) = self.variables.get_mut(variable.0 as usize) {
            entry.1 = Some(next);
        }
    }

    /// The iteration ends when `residual <= tolerance`, and gives up after this many rounds.
    pub fn iterate_until(&mut self, residual: ValueId, tolerance: ValueId, max_iterations: u32) {
        self.residual = Some((residual, tolerance));
        self.max_iterations = max_iterations;
    }

    /// The iteration has exactly this many rounds.
    pub fn iterate_times(&mut self, rounds: u32) {
        self.residual = None;
        self.max_iterations = rounds;
    }

    /// At the end of the step a number of the state becomes `value`.
    pub fn store(&mut self, slot: u32, value: ValueId) {
        self.stores.push((slot, value));
    }

    /// Records operations whose sums stay as they are written. Algorithms that compute rounding
    /// errors, as those of [`math`](crate::math), would lose their meaning if a product were fused
    /// with a sum.
    pub fn strictly<R>(&mut self, record: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.strict, true);
        let result = record(self);
        self.strict = outer;
        result
    }

    /// The operation behind a value.
    #[must_use]
    pub fn op(&self, value: ValueId) -> Op {
        self.entries[value.0 as usize].op
    }

    /// The region in which a value can be computed first.
    #[must_use]
    pub fn available(&self, value: ValueId) -> Region {
        self.entries[value.0 as usize].available
    }

    /// Estimated cycles from the beginning of its region until a value is there. Sums and products
    /// of several parts should take the early ones first.
    #[must_use]
    pub fn ready(&self, value: ValueId) -> u32 {
        self.entries[value.0 as usize].ready
    }

    /// Number of operations so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Is nothing recorded yet?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The program: fused, without what nothing needs, in regions.
    pub fn finish(self) -> Result<Program, ProgramError> {
        place::finish(self)
    }

    /// Records an operation, or finds a value that has the same bits.
    pub(super) fn record(&mut self, op: Op) -> ValueId {
        let op = self.ordered(op);
        if self.passes.simplify
            && let Some(value) = self.simpler(op)
        {
            return value;
        }
        self.intern(op)
    }

    /// Sums and products do not depend on the order of their two operands: it is fixed here.
    fn ordered(&self, op: Op) -> Op {
        if !self.passes.share {
            return op;
        }
        match op {
            Op::Add(a, b) if a > b => Op::Add(b, a),
            Op::Mul(a, b) if a > b => Op::Mul(b, a),
            Op::And(a, b) if a > b => Op::And(b, a),
            Op::Or(a, b) if a > b => Op::Or(b, a),
            Op::Xor(a, b) if a > b => Op::Xor(b, a),
            Op::AddInteger(a, b) if a > b => Op::AddInteger(b, a),
            Op::Fma(a, b, c) if a > b => Op::Fma(b, a, c),
            Op::Fms(a, b, c) if a > b => Op::Fms(b, a, c),
            Op::Fnma(a, b, c) if a > b => Op::Fnma(b, a, c),
            _ => op,
        }
    }

    fn intern(&mut self, op: Op) -> ValueId {
        let id = ValueId(self.entries.len() as u32);
        if self.passes.share {
            match self.table.entry(op) {
                std::collections::hash_map::Entry::Occupied(known) => {
                    let known = *known.get();
                    // Care once asked for stays.
                    self.entries[known.0 as usize].strict |= self.strict;
                    return known;
                }
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert(id);
                }
            }
        }
        let operands = op.operands();
        let own = match op {
            Op::Variable(_) => Region::Iterate,
            Op::Final(_) => Region::After,
            _ => Region::Before,
        };
        let available = operands.iter().map(|&v| self.available(v)).fold(own, Region::max);
        // What an earlier region computed is there from the beginning.
        let last = operands.iter().filter(|&&v| self.available(v) == available);
        let ready = last.map(|&v| self.ready(v)).max().unwrap_or(0).saturating_add(cycles(op));
        self.entries.push(Entry { op, available, ready, strict: self.strict });
        id
    }
}

/// A rough latency: it only decides the order in which the parts of a sum are taken.
fn cycles(op: Op) -> u32 {
    match op {
        Op::Constant(_) | Op::State(_) | Op::Parameter(_) | Op::Variable(_) | Op::Final(_) => 0,
        Op::Add(..) | Op::Sub(..) | Op::Mul(..) => 4,
        Op::Fma(..) | Op::Fms(..) | Op::Fnma(..) => 4,
        Op::Div(..) => 13,
        Op::Sqrt(_) => 20,
        Op::Call(..) | Op::Call2(..) => 60,
        _ => 1,
    }
}

impl Arithmetic for Builder {
    type Value = ValueId;

    fn bits(&mut self, bits: u64) -> ValueId {
        self.record(Op::Constant(bits))
    }

    fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Add(a, b))
    }

    fn sub(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Sub(a, b))
    }

    fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Mul(a, b))
    }

    fn div(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Div(a, b))
    }

    fn fma(&mut self, a: ValueId, b: ValueId, c: ValueId) -> ValueId {
        self.record(Op::Fma(a, b, c))
    }

    fn fms(&mut self, a: ValueId, b: ValueId, c: ValueId) -> ValueId {
        self.record(Op::Fms(a, b, c))
    }

    fn fnma(&mut self, a: ValueId, b: ValueId, c: ValueId) -> ValueId {
        self.record(Op::Fnma(a, b, c))
    }

    fn sqrt(&mut self, a: ValueId) -> ValueId {
        self.record(Op::Sqrt(a))
    }

    fn neg(&mut self, a: ValueId) -> ValueId {
        self.record(Op::Neg(a))
    }

    fn abs(&mut self, a: ValueId) -> ValueId {
        self.record(Op::Abs(a))
    }

    fn max(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Max(a, b))
    }

    fn min(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Min(a, b))
    }

    fn and(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::And(a, b))
    }

    fn or(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Or(a, b))
    }

    fn xor(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Xor(a, b))
    }

    fn shift_left(&mut self, a: ValueId, count: u8) -> ValueId {
        self.record(Op::ShiftLeft(a, count))
    }

    fn shift_right(&mut self, a: ValueId, count: u8) -> ValueId {
        self.record(Op::ShiftRight(a, count))
    }

    fn add_integer(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::AddInteger(a, b))
    }

    fn less(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Less(a, b))
    }

    fn less_equal(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::LessEqual(a, b))
    }

    fn select(&mut self, mask: ValueId, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Select(mask, a, b))
    }

    fn call(&mut self, function: Function, a: ValueId) -> ValueId {
        self.record(Op::Call(function, a))
    }

    fn call2(&mut self, function: BinaryFunction, a: ValueId, b: ValueId) -> ValueId {
        self.record(Op::Call2(function, a, b))
    }

    fn guarded(
        &mut self,
        function: Function,
        argument: ValueId,
        fast: ValueId,
        bound: f64,
    ) -> ValueId {
        self.record(Op::Guarded { function, argument, fast, bound: bound.to_bits() })
    }
}
