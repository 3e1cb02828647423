//! The partial derivatives of one operation.

use isotrope_tape::{BinaryFunction, Function, Op, ValueId};

/// The derivatives of the result in each operand, in the order of [`Op::operands`]. Words of bits
/// have none: they are parts of expansions of functions, whose derivatives come from the functions
/// themselves.
pub(super) fn partials(op: Op, value: impl Fn(ValueId) -> f64, result: f64) -> [f64; 3] {
    let sign = |x: f64| if x.is_sign_negative() { -1.0 } else { 1.0 };
    match op {
        Op::Add(..) => [1.0, 1.0, 0.0],
        Op::Sub(..) => [1.0, -1.0, 0.0],
        Op::Mul(a, b) => [value(b), value(a), 0.0],
        Op::Div(_, b) => [1.0 / value(b), -result / value(b), 0.0],
        Op::Fma(a, b, _) => [value(b), value(a), 1.0],
        Op::Fms(a, b, _) => [value(b), value(a), -1.0],
        Op::Fnma(a, b, _) => [-value(b), -value(a), 1.0],
        Op::Sqrt(_) => [0.5 / result, 0.0, 0.0],
        Op::Neg(_) => [-1.0, 0.0, 0.0],
        Op::Abs(a) => [sign(value(a)), 0.0, 0.0],
        Op::Max(a, b) => one_of(value(a) > value(b)),
        Op::Min(a, b) => one_of(value(a) < value(b)),
        Op::Select(mask, ..) => {
            let [first, second, _] = one_of(value(mask).is_sign_negative());
            [0.0, first, second]
        }
        Op::Call(function, a) => [function.slope(value(a), result), 0.0, 0.0],
        Op::Guarded { function, argument, .. } => {
            [function.slope(value(argument), result), 0.0, 0.0]
        }
        Op::Call2(BinaryFunction::Atan2, a, b) => {
            let (y, x) = (value(a), value(b));
            let square = x.mul_add(x, y * y);
            [x / square, -y / square, 0.0]
        }
        Op::Call2(BinaryFunction::Pow, a, b) => {
            let (base, exponent) = (value(a), value(b));
            let below = BinaryFunction::Pow.evaluate(base, exponent - 1.0);
            let log = if base > 0.0 { Function::Log.evaluate(base) } else { 0.0 };
            [exponent * below, result * log, 0.0]
        }
        Op::Constant(_)
        | Op::State(_)
        | Op::Parameter(_)
        | Op::Variable(_)
        | Op::Final(_)
        | Op::And(..)
        | Op::Or(..)
        | Op::Xor(..)
        | Op::ShiftLeft(..)
        | Op::ShiftRight(..)
        | Op::AddInteger(..)
        | Op::Less(..)
        | Op::LessEqual(..) => [0.0; 3],
    }
}

fn one_of(first: bool) -> [f64; 3] {
    if first { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] }
}
