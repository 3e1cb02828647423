//! What is to be computed: the live part of a program, laid out in the order of execution.
//!
//! Positions count the operations, with one position of its own for the entry of the iteration
//! (variables take their first values), one for its end (they take the next) and one for the end
//! of the step:
//!
//! ```text
//! before … | entry | iterate … tests, freezes | back | left | after … | finish
//! ```

use super::encode::{Arithmetic, Bitwise, Comparison, Fused};
use super::operation::Operation;
use super::place::Home;
use crate::compiled::Called;
use crate::{Op, Program, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a value in a plan.
pub(super) type Value = u32;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// An entry of the table of constants.
    Constant(u32),
    /// A vector of the state (its slot times copies plus copy).
    State(u32),
    /// A vector of the parameters.
    Parameter(u32),
    /// A variable of the iteration, by its place in [`Plan::carried`].
    Variable(u32),
    /// The result of an item.
    Computed,
}

/// One operation with its operands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// What it computes.
    pub(super) operation: Operation,
    operands: [Value; 3],
    count: u8,
    /// The value that it defines.
    pub(super) result: Option<Value>,
}

impl Item {
    pub(super) fn new(operation: Operation, operands: &[Value], result: Option<Value>) -> Self {
        let mut all = [0; 3];
        all[..operands.len()].copy_from_slice(operands);
        Self { operation, operands: all, count: operands.len() as u8, result }
    }

    /// The operands.
    pub(super) fn operands(&self) -> &[Value] {
        &self.operands[..usize::from(self.count)]
    }
}

/// A variable that the iteration reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carried {
    /// The value inside a round.
    pub(super) variable: Value,
    /// Its value in the first round.
    pub(super) start: Value,
    /// Its value in the next round.
    pub(super) next: Value,
}

/// A program laid out for one target.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Where each value comes from.
    pub(super) origins: Vec<Origin>,
    /// All operations, in order.
    pub(super) items: Vec<Item>,
    /// Items before the iteration.
    pub(super) before: usize,
    /// Where items decide whether the iteration has ended.
    pub(super) tests: usize,
    /// Where items freeze variables.
    pub(super) freezes: usize,
    /// Where items after the iteration begin.
    pub(super) after: usize,
    /// Is there an iteration?
    pub(super) iterates: bool,
    /// Does it end when a residual is small?
    pub(super) has_residual: bool,
    /// Variables that it reads.
    pub(super) carried: Vec<Carried>,
    /// Vectors of the state and their new values.
    pub(super) stores: Vec<(u32, Value)>,
    /// The table of constants.
    pub(super) constants: Vec<u64>,
    constant_entries: FxHashMap<u64, u32>,
    leaves: FxHashMap<Origin, Value>,
    stored: FxHashMap<u32, Value>,
    /// Vectors of the state that the program names, used or not.
    pub(super) read: FxHashSet<u32>,
}

/// How a program is spread over lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// Vectors for each number of the program.
    pub(super) copies: u32,
    /// Has a vector more than one lane?
    pub(super) packed: bool,
}

impl Plan {
    /// Lays out a valid program.
    pub(super) fn new(program: &Program, layout: Layout) -> Self {
        let mut plan = Self::default();
        let live = live(program);
        let mut copies: Vec<Copy> = (0..layout.copies)
            .map(|number| Copy { number, values: vec![0; program.ops.len()] })
            .collect();
        let (before, iterate) = (program.before as usize, program.iterate as usize);
        let range = |plan: &mut Self, copies: &mut [Copy], range: std::ops::Range<usize>| {
            for copy in copies {
                for at in range.clone().filter(|&at| live[at]) {
                    plan.add(program, at, copy, layout);
                }
            }
        };
        range(&mut plan, &mut copies, 0..before);
        plan.before = plan.items.len();
        plan.iterates = !program.variables.is_empty();
        range(&mut plan, &mut copies, before..iterate);
        plan.tests = plan.items.len();
        if let Some((residual, tolerance)) = program.residual {
            plan.has_residual = true;
            for copy in &copies {
                let operands = [copy.value(residual), copy.value(tolerance)];
                let operation = Operation::Test { copy: copy.number as u8 };
                plan.items.push(Item::new(operation, &operands, None));
            }
        }
        plan.freezes = plan.items.len();
        // The mask of the last copy is the one at hand.
        for copy in copies.iter().rev() {
            let mut known = vec![false; program.variables.len()];
            for at in (before..iterate).filter(|&at| live[at]) {
                if let Op::Variable(k) = program.ops[at]
                    && !std::mem::replace(&mut known[k as usize], true)
                {
                    plan.carry(program, copy, at, k, layout);
                }
            }
        }
        plan.after = plan.items.len();
        range(&mut plan, &mut copies, iterate..program.ops.len());
        for op in &program.ops {
            if let Op::State(slot) = op {
                plan.read.extend((0..layout.copies).map(|copy| slot * layout.copies + copy));
            }
        }
        for &(slot, value) in &program.stores {
            for copy in &copies {
                let place = slot * layout.copies + copy.number;
                plan.stores.push((place, copy.value(value)));
                plan.stored.insert(place, copy.value(value));
            }
        }
        plan
    }

    /// The new value of a vector of the state, if it has one.
    pub(super) fn stored_at(&self, place: u32) -> Option<Value> {
        self.stored.get(&place).copied()
    }

    /// The value of a vector of the state at the beginning of the step, if it is read.
    pub(super) fn state(&self, place: u32) -> Option<Value> {
        self.leaves.get(&Origin::State(place)).copied()
    }

    /// Where a number from outside is in memory.
    pub(super) fn home(&self, value: Value) -> Option<Home> {
        match self.origins[value as usize] {
            Origin::Constant(entry) => Some(Home::Constant(entry)),
            Origin::State(place) => Some(Home::State(place)),
            Origin::Parameter(place) => Some(Home::Parameter(place)),
            Origin::Variable(_) | Origin::Computed => None,
        }
    }

    fn carry(&mut self, program: &Program, copy: &Copy, at: usize, k: u32, layout: Layout) {
        let variable = copy.values[at];
        let ends = program.variables[k as usize];
        let mut next = copy.value(ends.next);
        if layout.packed && self.has_residual {
            let frozen = self.value(Origin::Computed);
            let operation = Operation::Freeze { copy: copy.number as u8 };
            self.items.push(Item::new(operation, &[variable, next], Some(frozen)));
            next = frozen;
        }
        self.carried.push(Carried { variable, start: copy.value(ends.start), next });
    }

    fn value(&mut self, origin: Origin) -> Value {
        self.origins.push(origin);
        self.origins.len() as Value - 1
    }

    /// The entry of a constant in the table.
    fn constant(&mut self, bits: u64) -> u32 {
        *self.constant_entries.entry(bits).or_insert_with(|| {
            self.constants.push(bits);
            self.constants.len() as u32 - 1
        })
    }

    fn constant_value(&mut self, bits: u64) -> Value {
        let entry = self.constant(bits);
        self.leaf(Origin::Constant(entry))
    }

    /// Equal leaves are one value.
    fn leaf(&mut self, origin: Origin) -> Value {
        if let Some(&known) = self.leaves.get(&origin) {
            return known;
        }
        let value = self.value(origin);
        self.leaves.insert(origin, value);
        value
    }

    /// Adds one operation of the program.
    fn add(&mut self, program: &Program, at: usize, copy: &mut Copy, layout: Layout) {
        let op = program.ops[at];
        let place = |slot: u32| slot * layout.copies + copy.number;
        let binary =
            |operation, a: ValueId, b: ValueId| Some((operation, [Some(a), Some(b), None]));
        let unary = |operation, a: ValueId| Some((operation, [Some(a), None, None]));
        let fused = |kind, a: ValueId, b: ValueId, c: ValueId| {
            Some((Operation::Fused(kind), [Some(a), Some(b), Some(c)]))
        };
        let number = Operation::Arithmetic;
        let bits = Operation::Bitwise;
        let described = match op {
            Op::Constant(bits) => {
                copy.values[at] = self.constant_value(bits);
                None
            }
            Op::State(slot) => {
                copy.values[at] = self.leaf(Origin::State(place(slot)));
                None
            }
            Op::Parameter(slot) => {
                copy.values[at] = self.leaf(Origin::Parameter(place(slot)));
                None
            }
            Op::Variable(k) => {
                let all = program.variables.len() as u32;
                let origin = Origin::Variable(k + copy.number * all);
                copy.values[at] = self.leaf(origin);
                None
            }
            // A lane that has ended computes its last round again with the same variables, so
            // the value of that round is still there when the last lane ends.
            Op::Final(k) => {
                copy.values[at] = copy.value(program.variables[k as usize].next);
                None
            }
            Op::Add(a, b) => binary(number(Arithmetic::Add), a, b),
            Op::Sub(a, b) => binary(number(Arithmetic::Subtract), a, b),
            Op::Mul(a, b) => binary(number(Arithmetic::Multiply), a, b),
            Op::Div(a, b) => binary(number(Arithmetic::Divide), a, b),
            Op::Max(a, b) => binary(number(Arithmetic::Maximum), a, b),
            Op::Min(a, b) => binary(number(Arithmetic::Minimum), a, b),
            Op::Fma(a, b, c) => fused(Fused::MultiplyAdd, a, b, c),
            Op::Fms(a, b, c) => fused(Fused::MultiplySubtract, a, b, c),
            Op::Fnma(a, b, c) => fused(Fused::NegativeMultiplyAdd, a, b, c),
            Op::Sqrt(a) => unary(Operation::SquareRoot, a),
            Op::Neg(a) => {
                let sign = self.constant_value(1 << 63);
                self.compute(at, bits(Bitwise::Xor), &[copy.value(a), sign], copy);
                None
            }
            Op::Abs(a) => {
                let magnitude = self.constant_value(!(1 << 63));
                self.compute(at, bits(Bitwise::And), &[copy.value(a), magnitude], copy);
                None
            }
            Op::And(a, b) => binary(bits(Bitwise::And), a, b),
            Op::Or(a, b) => binary(bits(Bitwise::Or), a, b),
            Op::Xor(a, b) => binary(bits(Bitwise::Xor), a, b),
            Op::AddInteger(a, b) => binary(bits(Bitwise::AddInteger), a, b),
            Op::ShiftLeft(a, count) => unary(Operation::ShiftLeft(count), a),
            Op::ShiftRight(a, count) => unary(Operation::ShiftRight(count), a),
            Op::Less(a, b) => binary(Operation::Compare(Comparison::Less), a, b),
            Op::LessEqual(a, b) => binary(Operation::Compare(Comparison::LessEqual), a, b),
            Op::Select(mask, a, b) => Some((Operation::Select, [Some(mask), Some(a), Some(b)])),
            Op::Call(function, a) => unary(Operation::Call(Called::One(function)), a),
            Op::Call2(function, a, b) => binary(Operation::Call(Called::Two(function)), a, b),
            Op::Guarded { function, argument, fast, bound } => {
                let limit = f64::from_bits(bound);
                if limit.is_nan() || limit.is_sign_negative() && limit != 0.0 {
                    // No argument is within such a bound.
                    unary(Operation::Call(Called::One(function)), argument)
                } else {
                    let magnitude = bound & !(1 << 63);
                    let bound = if layout.packed { magnitude } else { magnitude << 1 };
                    let bound = self.constant(bound);
                    let magnitude = self.constant(!(1 << 63));
                    binary(Operation::Guarded { function, bound, magnitude }, argument, fast)
                }
            }
        };
        if let Some((operation, operands)) = described {
            let mut values = [0; 3];
            let mut count = 0;
            for operand in operands.into_iter().flatten() {
                values[count] = copy.value(operand);
                count += 1;
            }
            self.compute(at, operation, &values[..count], copy);
        }
    }

    fn compute(&mut self, at: usize, operation: Operation, operands: &[Value], copy: &mut Copy) {
        let result = self.value(Origin::Computed);
        copy.values[at] = result;
        self.items.push(Item::new(operation, operands, Some(result)));
    }
}

/// One of the vectors that a program is computed for.
struct Copy {
    number: u32,
    /// The value of each operation of the program.
    values: Vec<Value>,
}

impl Copy {
    fn value(&self, id: ValueId) -> Value {
        self.values[id.0 as usize]
    }
}

/// Which operations can be felt in the state or in the number of rounds.
fn live(program: &Program) -> Vec<bool> {
    let mut live = vec![false; program.ops.len()];
    let mut pending: Vec<ValueId> = program.stores.iter().map(|store| store.1).collect();
    if let Some((residual, tolerance)) = program.residual {
        pending.extend([residual, tolerance]);
    }
    while let Some(id) = pending.pop() {
        let at = id.0 as usize;
        if std::mem::replace(&mut live[at], true) {
            continue;
        }
        match program.ops[at] {
            Op::Variable(k) => {
                let variable = program.variables[k as usize];
                pending.extend([variable.start, variable.next]);
            }
            Op::Final(k) => pending.push(program.variables[k as usize].next),
            op => pending.extend_from_slice(&op.operands()),
        }
    }
    live
}
