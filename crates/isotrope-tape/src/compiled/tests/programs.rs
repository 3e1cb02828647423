//! Programs that several tests use.

use crate::{BinaryFunction, Function, Op, Program, ValueId, Variable};

/// x <- sqrt(p) by Heron's rule, from x.
pub fn heron(max_iterations: u32) -> Program {
    let v = ValueId;
    Program {
        ops: vec![
            Op::State(0),
            Op::Parameter(0),
            Op::Constant(0.5f64.to_bits()),
            Op::Constant(1e-15f64.to_bits()),
            Op::Variable(0),
            Op::Div(v(1), v(4)),
            Op::Add(v(4), v(5)),
            Op::Mul(v(2), v(6)),
            Op::Sub(v(7), v(4)),
            Op::Abs(v(8)),
            Op::Final(0),
        ],
        before: 4,
        iterate: 10,
        state: 1,
        parameters: 1,
        variables: vec![Variable { start: v(0), next: v(7) }],
        residual: Some((v(9), v(3))),
        max_iterations,
        stores: vec![(0, v(10))],
    }
}

/// Adds up `count` values, all of which are alive at the same time.
pub fn wide(count: u32) -> Program {
    let mut program = Program { state: 2, ..Program::default() };
    program.ops.push(Op::State(0));
    for k in 1..=count {
        program.ops.push(Op::Constant(f64::from(k).to_bits()));
        program.ops.push(Op::Mul(ValueId(0), ValueId(2 * k - 1)));
    }
    let mut sum = ValueId(0);
    for k in 1..=count {
        program.ops.push(Op::Add(sum, ValueId(2 * k)));
        sum = ValueId(program.ops.len() as u32 - 1);
    }
    program.before = program.ops.len() as u32;
    program.iterate = program.before;
    program.stores = vec![(1, sum)];
    program
}

/// More values than registers are alive across calls, on both ways of a guard.
pub fn many_calls() -> Program {
    let mut program = Program { state: 41, ..Program::default() };
    for k in 0..40 {
        program.ops.push(Op::State(k));
    }
    let v = ValueId;
    for k in 0..40 {
        program.ops.push(Op::Sqrt(v(k)));
    }
    program.ops.push(Op::Call(Function::Atan, v(41)));
    let bound = 3f64.to_bits();
    let guarded = Op::Guarded { function: Function::Sin, argument: v(42), fast: v(80), bound };
    program.ops.push(guarded);
    program.ops.push(Op::Call2(BinaryFunction::Atan2, v(43), v(81)));
    let mut sum = v(82);
    for k in 40..80 {
        program.ops.push(Op::Fma(sum, v(k), v(k)));
        sum = v(program.ops.len() as u32 - 1);
    }
    program.ops.push(Op::Call(Function::Exp, v(40)));
    let last = v(program.ops.len() as u32 - 1);
    program.ops.push(Op::Div(sum, last));
    program.before = program.ops.len() as u32;
    program.iterate = program.before;
    program.stores = vec![(40, v(program.before - 1))];
    program
}

/// A chain of numbers: `y_k <- (y_{k-1} + y_{k+1})/4 + x_k/8` until nothing changes, then
/// `x <- y`, with some more operations on the way.
pub fn chain(count: u32) -> Program {
    let v = ValueId;
    let mut ops: Vec<Op> = (0..count).map(Op::State).collect();
    let [tolerance, quarter, eighth] = [count, count + 1, count + 2].map(v);
    ops.extend([1e-12f64, 0.25, 0.125].map(|number| Op::Constant(number.to_bits())));
    let before = ops.len() as u32;
    ops.extend((0..count).map(Op::Variable));
    let mut push = |op: Op| {
        ops.push(op);
        v(ops.len() as u32 - 1)
    };
    let mut variables = vec![];
    let mut residual = tolerance;
    for k in 0..count {
        let current = v(before + k);
        let left = v(before + k.saturating_sub(1));
        let right = v(before + (k + 1).min(count - 1));
        let source = push(Op::Mul(v(k), eighth));
        let sum = push(Op::Add(left, right));
        let mut next = push(Op::Fma(sum, quarter, source));
        // (next + 3 current)/4 goes to the same point.
        let difference = push(Op::Sub(next, current));
        next = push(Op::Fma(difference, quarter, current));
        let change = push(Op::Sub(next, current));
        let change = push(Op::Abs(change));
        residual = push(Op::Max(residual, change));
        variables.push(Variable { start: v(k), next });
    }
    let iterate = ops.len() as u32;
    ops.extend((0..count).map(Op::Final));
    Program {
        ops,
        before,
        iterate,
        state: count,
        variables,
        residual: Some((residual, tolerance)),
        max_iterations: 500,
        stores: (0..count).map(|k| (k, v(iterate + k))).collect(),
        ..Program::default()
    }
}
