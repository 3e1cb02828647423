//! The theorems of the graded calculus and of Dirac structures, on random and on known examples.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "the number of a failing case is printed")]
#![expect(clippy::needless_range_loop, reason = "tensors are written with their indices")]

mod axioms;
mod calculus;
mod dirac;
mod known;
mod support;
