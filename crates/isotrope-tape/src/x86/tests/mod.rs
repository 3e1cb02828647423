//! Compiled code and interpreter: two roads, the same bits.

mod code;
mod emulator;
mod random;

pub(crate) use random::check;
