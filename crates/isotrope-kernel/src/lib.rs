//! From a scheme to machine code that steps at the speed of hand-written C.
//!
//! ```text
//! expressions ─tape::Builder▶ Program ─┬─interpret▶ f64       the reference
//!                                      └─x86, cranelift▶ code the same bits, faster
//! ```
//!
//! Everything that decides a bit happens in the [`tape`]: the order of operations, fused
//! multiply-adds, the expansion of sines and exponentials. Interpreter and machine code only
//! execute it, one IEEE operation for each instruction, so that a trajectory has the same bits on
//! every machine.
#![warn(missing_docs)]

pub mod backend;
pub mod compiled;
// Where there is an own back end, Cranelift is compiled for the tests only.
#[cfg(any(test, not(all(target_arch = "x86_64", unix))))]
pub mod cranelift;
pub mod integrate;
pub mod interpret;
pub mod math;
pub mod stepper;
pub mod tape;
pub mod variation;
#[cfg(all(target_arch = "x86_64", unix))]
pub mod x86;
