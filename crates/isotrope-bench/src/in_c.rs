//! A program without iteration as C, one operation per line.

use std::fmt::Write as _;

use isotrope_tape::{Function, Op, Program, ValueId};

/// The function `evaluate` of `evaluate.c`; `None` if an operation has no short form in C.
pub(super) fn evaluate_in_c(program: &Program, inputs: usize) -> Option<String> {
    let mut text = String::from(
        "#include <math.h>\nvoid evaluate(const double *restrict state, const double *restrict \
         parameter, double *restrict out) {\n",
    );
    for (at, &op) in program.ops.iter().enumerate() {
        writeln!(text, "  const double v{at} = {};", operation(op)?).ok()?;
    }
    for (slot, value) in &program.stores {
        writeln!(text, "  out[{}] = v{};", *slot as usize - inputs, value.0).ok()?;
    }
    text.push_str("}\n");
    Some(text)
}

fn operation(op: Op) -> Option<String> {
    let v = |id: ValueId| format!("v{}", id.0);
    Some(match op {
        Op::Constant(bits) => format!("{:e}", f64::from_bits(bits)),
        Op::State(slot) => format!("state[{slot}]"),
        Op::Parameter(slot) => format!("parameter[{slot}]"),
        Op::Add(a, b) => format!("{} + {}", v(a), v(b)),
        Op::Sub(a, b) => format!("{} - {}", v(a), v(b)),
        Op::Mul(a, b) => format!("{} * {}", v(a), v(b)),
        Op::Div(a, b) => format!("{} / {}", v(a), v(b)),
        Op::Fma(a, b, c) => format!("fma({}, {}, {})", v(a), v(b), v(c)),
        Op::Fms(a, b, c) => format!("fma({}, {}, -{})", v(a), v(b), v(c)),
        Op::Fnma(a, b, c) => format!("fma(-{}, {}, {})", v(a), v(b), v(c)),
        Op::Sqrt(a) => format!("sqrt({})", v(a)),
        Op::Neg(a) => format!("-{}", v(a)),
        Op::Abs(a) => format!("fabs({})", v(a)),
        Op::Call(Function::Sin, a) => format!("sin({})", v(a)),
        Op::Call(Function::Cos, a) => format!("cos({})", v(a)),
        _ => return None,
    })
}
