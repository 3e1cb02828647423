//! Compiled code and interpreter: two roads, the same bits.

mod code;
mod defined;
mod emulator;
mod generate;
mod random;
