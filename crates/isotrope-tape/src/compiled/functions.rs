//! Functions that compiled code calls: the same ones as the interpreter's.

use crate::{BinaryFunction, Function};

/// What compiled code calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Called {
    /// A function of one argument.
    One(Function),
    /// A function of two.
    Two(BinaryFunction),
}

impl Called {
    /// How many arguments it takes.
    pub(crate) fn arguments(self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Two(_) => 2,
        }
    }

    /// Its address; it has the calling convention of C.
    pub(crate) fn address(self) -> u64 {
        match self {
            Self::One(function) => function.entry() as usize as u64,
            Self::Two(function) => function.entry() as usize as u64,
        }
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
