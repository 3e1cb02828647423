//! Compiled code and interpreter: two roads, the same bits.

mod case;
mod defined;
mod expected;
mod generate;
#[cfg(target_os = "linux")]
pub mod memory;
pub mod programs;
mod random;

pub use case::{Case, LANES};
