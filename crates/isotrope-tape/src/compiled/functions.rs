//! Functions that compiled code calls: the same ones as the interpreter's.

use crate::Function;
use crate::math::{evaluate, evaluate2};

/// A function of one argument, as compiled code calls it.
type Unary = extern "C" fn(f64) -> f64;
/// A function of two arguments.
type Binary = extern "C" fn(f64, f64) -> f64;

/// The address of a function that computes `$evaluate(Function::$name, …)`.
macro_rules! entry {
    ($type:ty, $evaluate:ident($($argument:ident),+), $name:ident) => {{
        extern "C" fn call($($argument: f64),+) -> f64 {
            $evaluate(Function::$name, $($argument),+)
        }
        let call: $type = call;
        call as usize as u64
    }};
}

/// The address of a function, which has the calling convention of the machine.
pub(crate) fn address(function: Function) -> u64 {
    match function {
        Function::Sin => entry!(Unary, evaluate(x), Sin),
        Function::Cos => entry!(Unary, evaluate(x), Cos),
        Function::Tan => entry!(Unary, evaluate(x), Tan),
        Function::Asin => entry!(Unary, evaluate(x), Asin),
        Function::Acos => entry!(Unary, evaluate(x), Acos),
        Function::Atan => entry!(Unary, evaluate(x), Atan),
        Function::Sinh => entry!(Unary, evaluate(x), Sinh),
        Function::Cosh => entry!(Unary, evaluate(x), Cosh),
        Function::Tanh => entry!(Unary, evaluate(x), Tanh),
        Function::Exp => entry!(Unary, evaluate(x), Exp),
        Function::Log => entry!(Unary, evaluate(x), Log),
        Function::Atan2 => entry!(Binary, evaluate2(a, b), Atan2),
        Function::Pow => entry!(Binary, evaluate2(a, b), Pow),
    }
}

/// The address of a function that computes `a b + c`, rounded once.
#[cfg(any(test, not(all(target_arch = "x86_64", unix))))]
pub(crate) fn fused_address() -> u64 {
    extern "C" fn fused(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
    let fused: extern "C" fn(f64, f64, f64) -> f64 = fused;
    fused as usize as u64
}
