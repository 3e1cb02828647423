//! Functions in double precision, with the same bits on every machine.
//!
//! The frequent functions are written in [`Arithmetic`]: operations on 64-bit words, without
//! branches. On [`Numbers`] the text computes; on a tape under construction it records the
//! operations, which interpreter and machine code then execute (for one argument or a vector of
//! them) with the same bits. The rare functions, and rare arguments of the frequent ones, are calls,
//! which end in [`Function::evaluate`](crate::Function::evaluate) wherever they come from.
//!
//! | function | how | largest error seen (ulp) |
//! |---|---|---|
//! | sin, cos | [`sincos()`] up to 2^20, else called | 0.89 |
//! | exp | [`exp()`] up to 708, else called | 0.85 |
//! | log | [`log()`] | 0.71 |
//! | sinh, cosh, tanh | called | 0.84 |
//! | tan, asin, acos, atan, pow | called | 0.90 |
//! | erf | called | below 2 |
//! | atan2 | called | 1.5 |
//!
//! The square root is an operation, correctly rounded. The tests of the tape repeat the
//! measurements against balls of many digits.
//!
//! Dense linear algebra in double precision is [`linear`].

mod arithmetic;
pub(crate) mod exp;
pub(crate) mod hyperbolic;
pub mod linear;
pub(crate) mod log;
pub(crate) mod sincos;

pub use arithmetic::{Arithmetic, Numbers};
pub use exp::exp;
pub use log::log;
pub use sincos::sincos;
