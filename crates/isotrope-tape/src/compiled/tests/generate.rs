//! Random programs: every operation, in every region, with values that live long.

use crate::{BinaryFunction, Function, Op, Program, ValueId, Variable};

/// What programs are drawn with; a failure is its seed.
pub struct Random(isotrope_algebra::modular::Random);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(isotrope_algebra::modular::Random::new(seed))
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.0.below(count as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// Mostly ordinary numbers, some that are not.
    pub fn number(&mut self, strange: usize) -> f64 {
        const STRANGE: [f64; 12] = [
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            5e-324,
            -1e-310,
            f64::MIN_POSITIVE,
            f64::MAX,
            1e200,
            -1e-200,
            1e17,
        ];
        if strange > 0 && self.chance(strange) {
            return if self.chance(4) {
                f64::from_bits(self.0.next_u64())
            } else {
                STRANGE[self.below(STRANGE.len())]
            };
        }
        (self.0.fraction() - 0.5) * [0.1, 2.0, 10.0, 1000.0][self.below(4)]
    }
}

/// How large and how strange programs are.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub operations: usize,
    pub strange: usize,
    /// Operands are any earlier value, not a recent one, so often.
    pub far: usize,
    /// Operations on bits get no NaN whose bits are not defined.
    pub defined: bool,
}

pub fn program(random: &mut Random, shape: Shape) -> Program {
    let state = 1 + random.below(12) as u32;
    let parameters = random.below(6) as u32;
    let variables = if random.chance(3) { 0 } else { 1 + random.below(8) as u32 };
    let mut generator = Generator { random, shape, program: Program::default(), defined: vec![] };
    generator.program.state = state;
    generator.program.parameters = parameters;
    generator.program.max_iterations = 1 + generator.random.below(9) as u32;
    generator.region(0, None);
    let before = generator.program.ops.len();
    generator.program.before = before as u32;
    if variables > 0 {
        generator.iteration(variables, before);
    }
    let iterate = generator.program.ops.len();
    generator.program.iterate = iterate as u32;
    generator.after(variables, before, iterate);
    generator.program
}

struct Generator<'a> {
    random: &'a mut Random,
    shape: Shape,
    program: Program,
    /// Values that are not such a NaN.
    defined: Vec<bool>,
}

impl Generator<'_> {
    fn push(&mut self, op: Op) -> ValueId {
        let is = |id: ValueId| self.defined[id.0 as usize];
        self.defined.push(match op {
            Op::Constant(_) | Op::State(_) | Op::Parameter(_) => true,
            Op::Less(..) | Op::LessEqual(..) => true,
            // The second operand, if the first is NaN.
            Op::Max(_, b) | Op::Min(_, b) => is(b),
            Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) | Op::AddInteger(a, b) => is(a) && is(b),
            Op::Neg(a) | Op::Abs(a) | Op::ShiftLeft(a, _) | Op::ShiftRight(a, _) => is(a),
            Op::Select(mask, a, b) => is(mask) && is(a) && is(b),
            _ => false,
        });
        self.program.ops.push(op);
        ValueId(self.program.ops.len() as u32 - 1)
    }

    /// A value below `low`, or from `from` on.
    fn operand(&mut self, low: usize, from: usize) -> ValueId {
        let count = self.program.ops.len();
        let recent = count - count.min(12);
        let at = if !self.random.chance(self.shape.far) && recent >= from && recent < count {
            recent + self.random.below(count - recent)
        } else {
            let pick = self.random.below(low + count - from);
            if pick < low { pick } else { from + pick - low }
        };
        ValueId(at as u32)
    }

    /// The value itself, or one in its place whose bits are defined.
    fn make_defined(&mut self, value: ValueId) -> ValueId {
        if !self.shape.defined || self.defined[value.0 as usize] {
            return value;
        }
        let constant = self.random.number(0);
        let constant = self.push(Op::Constant(constant.to_bits()));
        self.push(Op::Max(value, constant))
    }

    fn leaf(&mut self) -> Op {
        let (state, parameters) = (self.program.state as usize, self.program.parameters as usize);
        match self.random.below(4) {
            0 if parameters > 0 => Op::Parameter(self.random.below(parameters) as u32),
            0 | 1 => Op::Constant(self.random.number(self.shape.strange).to_bits()),
            _ => Op::State(self.random.below(state) as u32),
        }
    }

    /// Any operation on values below `low` or from `from` on.
    fn operation(&mut self, low: usize, from: usize) -> Op {
        let mut value = || self.operand(low, from);
        let [a, b, c] = [value(), value(), value()];
        let count = self.random.below(64) as u8;
        let function = Function::ALL[self.random.below(Function::ALL.len())];
        match self.random.below(34) {
            0..3 => Op::Add(a, b),
            3..5 => Op::Sub(a, b),
            5..8 => Op::Mul(a, b),
            8 => Op::Div(a, b),
            9..11 => Op::Fma(a, b, c),
            11..13 => Op::Fms(a, b, c),
            13..15 => Op::Fnma(a, b, c),
            15 => Op::Sqrt(a),
            16 => Op::Neg(a),
            17 => Op::Abs(a),
            18 => Op::Max(a, b),
            19 => Op::Min(a, b),
            20 => Op::And(self.make_defined(a), self.make_defined(b)),
            21 => Op::Or(self.make_defined(a), self.make_defined(b)),
            22 => Op::Xor(self.make_defined(a), self.make_defined(b)),
            23 => Op::ShiftLeft(self.make_defined(a), count),
            24 => Op::ShiftRight(self.make_defined(a), count),
            25 => Op::AddInteger(self.make_defined(a), self.make_defined(b)),
            26 => Op::Less(a, b),
            27 => Op::LessEqual(a, b),
            28 | 29 => Op::Select(self.make_defined(a), b, c),
            30 => {
                let bound = self.random.number(6).abs().to_bits();
                let bound = if self.random.chance(8) { bound ^ 1 << 63 } else { bound };
                Op::Guarded { function, argument: a, fast: b, bound }
            }
            31 if self.random.chance(3) => Op::Call(function, a),
            31 if self.random.chance(2) => Op::Call2(BinaryFunction::Atan2, a, b),
            32 if self.random.chance(4) => Op::Call2(BinaryFunction::Pow, a, b),
            _ => self.leaf(),
        }
    }

    fn region(&mut self, low: usize, from: Option<usize>) {
        let from = from.unwrap_or(0);
        for _ in 0..1 + self.random.below(4) {
            let leaf = self.leaf();
            self.push(leaf);
        }
        for _ in 0..self.random.below(self.shape.operations) {
            let op = self.operation(low, from);
            self.push(op);
        }
    }

    fn iteration(&mut self, variables: u32, before: usize) {
        let first = self.push(Op::Variable(0));
        for k in 1..variables {
            self.push(Op::Variable(k));
        }
        self.region(before, Some(before));
        // One variable contracts, so that many iterations end.
        let half = self.push(Op::Constant(0.5f64.to_bits()));
        let drift = self.operand(before, before);
        let limit = self.push(Op::Constant(4f64.to_bits()));
        let drift = self.push(Op::Min(drift, limit));
        let drift = self.push(Op::Max(drift, half));
        let next = self.push(Op::Fma(first, half, drift));
        let change = self.push(Op::Sub(next, first));
        let contracting = self.push(Op::Abs(change));
        let residual = match self.random.below(4) {
            0 => None,
            1 => {
                let any = self.operand(before, before);
                Some(if any.0 as usize >= before { any } else { contracting })
            }
            _ => Some(contracting),
        };
        for k in 0..variables {
            let next = if k == 0 { next } else { self.operand(before, before) };
            let start = ValueId(self.random.below(before) as u32);
            self.program.variables.push(Variable { start, next });
        }
        self.program.residual =
            residual.map(|residual| (residual, ValueId(self.random.below(before) as u32)));
    }

    fn after(&mut self, variables: u32, before: usize, iterate: usize) {
        for k in 0..variables {
            if !self.random.chance(4) {
                self.push(Op::Final(k));
            }
        }
        self.region(before, Some(iterate));
        let mut values: Vec<ValueId> = Vec::new();
        for _ in 0..self.random.below(self.program.state as usize + 1) {
            let mut value = self.operand(before, iterate);
            if !self.random.chance(3) {
                // Within bounds, and no NaN: so that many steps succeed.
                let (low, high) = (self.random.number(0), self.random.number(0));
                let low = self.push(Op::Constant(low.to_bits()));
                let high = self.push(Op::Constant((high + 1000.0).to_bits()));
                value = self.push(Op::Min(value, high));
                value = self.push(Op::Max(value, low));
            }
            values.push(value);
        }
        let mut slots: Vec<u32> = (0..self.program.state).collect();
        for value in values {
            let slot = slots.swap_remove(self.random.below(slots.len()));
            self.program.stores.push((slot, value));
        }
    }
}
