//! Single operations at arguments where they are most likely to go wrong.

use super::compile_plain;
use crate::cranelift::compile;
use crate::interpret::{self, Scratch};
use crate::{BinaryFunction, Function, Op, Program, ValueId};

const NUMBERS: [f64; 22] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    3.7,
    -709.3,
    5e-324,
    -5e-324,
    2.3e-310,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    1e-200,
    1e17,
    -1e22,
    1.7e300,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    -f64::NAN,
];

/// Bits of a number, for a NaN that it is one.
fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

/// State 0 <- op(state 0, state 1, state 2), with its bits spread over three finite numbers, so
/// that results that are not finite are seen as well.
fn program(op: Op) -> Program {
    let v = ValueId;
    let mut ops = vec![Op::State(0), Op::State(1), Op::State(2), op];
    // NaN of any bits becomes the constant: a maximum gives its second operand.
    let one_nan = v(ops.len() as u32);
    ops.push(Op::Constant(f64::NAN.to_bits()));
    ops.push(Op::LessEqual(v(3), v(3)));
    ops.push(Op::Select(v(5), v(3), one_nan));
    let result = v(6);
    let mut stores = vec![];
    for (slot, shift) in [(3, 0), (4, 24), (5, 48)] {
        let first = ops.len() as u32;
        ops.push(Op::ShiftRight(result, shift));
        ops.push(Op::Constant(0xFF_FFFF));
        ops.push(Op::And(v(first), v(first + 1)));
        stores.push((slot, v(first + 2)));
    }
    let end = ops.len() as u32;
    Program { ops, before: end, iterate: end, state: 6, stores, ..Program::default() }
}

fn agrees(op: Op, triples: &[[f64; 3]]) {
    let program = program(op);
    let native = compile(&program).expect("compiles");
    let plain = compile_plain(&program);
    let scratch = &mut Scratch::new(&program);
    for &[a, b, c] in triples {
        let start = [a, b, c, 0.0, 0.0, 0.0];
        let mut expected = start;
        let outcome = interpret::run(&program, &mut expected, &[], 1, scratch);
        assert_eq!(outcome.steps, 1, "{op:?}");
        for code in [&native, &plain] {
            let mut state = start;
            let outcome = code.run(&mut state, &[], 1).expect("lengths fit");
            assert_eq!(outcome.steps, 1, "{op:?}");
            assert_eq!(state.map(bits), expected.map(bits), "{op:?} of {a:e}, {b:e}, {c:e}");
        }
    }
}

#[test]
fn operations_agree_at_strange_numbers() {
    let (a, b, c) = (ValueId(0), ValueId(1), ValueId(2));
    let mut triples = vec![];
    for (i, a) in NUMBERS.into_iter().enumerate() {
        for (j, b) in NUMBERS.into_iter().enumerate() {
            triples.push([a, b, NUMBERS[(3 * i + 5 * j) % NUMBERS.len()]]);
        }
    }
    // A product that is exact only when it is rounded once.
    triples.push([1.0 + f64::EPSILON, 1.0 - f64::EPSILON, -1.0]);
    for op in [
        Op::Add(a, b),
        Op::Sub(a, b),
        Op::Mul(a, b),
        Op::Div(a, b),
        Op::Fma(a, b, c),
        Op::Fms(a, b, c),
        Op::Fnma(a, b, c),
        Op::Sqrt(a),
        Op::Neg(a),
        Op::Abs(a),
        Op::Max(a, b),
        Op::Min(a, b),
        Op::And(a, b),
        Op::Or(a, b),
        Op::Xor(a, b),
        Op::ShiftLeft(a, 13),
        Op::ShiftLeft(a, 0),
        Op::ShiftRight(a, 63),
        Op::AddInteger(a, b),
        Op::Less(a, b),
        Op::LessEqual(a, b),
        Op::Select(a, b, c),
    ] {
        agrees(op, &triples);
    }
}

#[test]
fn functions_agree_at_strange_numbers() {
    let (a, b) = (ValueId(0), ValueId(1));
    let pairs: Vec<[f64; 3]> =
        NUMBERS.into_iter().flat_map(|a| NUMBERS.map(|b| [a, b, 0.0])).collect();
    for function in BinaryFunction::ALL {
        agrees(Op::Call2(function, a, b), &pairs);
    }
    for function in Function::ALL {
        agrees(Op::Call(function, a), &pairs);
        for bound in [0.0, 1.0, f64::MAX, f64::INFINITY, f64::NAN, -1.0f64] {
            let bound = bound.to_bits();
            agrees(Op::Guarded { function, argument: a, fast: b, bound }, &pairs);
        }
    }
}
