//! One table of functions for all back ends.
//!
//! The frequent functions are written in [`Arithmetic`]: operations of the tape, without branches.
//! On [`Numbers`] the text computes; on a tape under construction it records the operations, which
//! interpreter and machine code then execute (for one argument or a vector of them) with the same
//! bits. The rare functions, and rare arguments of the frequent ones, are calls, which end in
//! [`evaluate`] wherever they come from.
//!
//! | function | how | largest error seen (ulp) |
//! |---|---|---|
//! | sin, cos | [`sincos`] up to 2^20, else called | 0.89 |
//! | exp | [`exp()`] up to 708, else called | 0.85 |
//! | log | [`log()`] | 0.71 |
//! | sinh, cosh, tanh | called | 0.84 |
//! | tan, asin, acos, atan, pow | called | 0.90 |
//! | atan2 | called | 1.5 |
//!
//! The square root is an operation, correctly rounded. The tests of the table repeat the
//! measurements against balls of many digits.

mod arithmetic;
mod call;
mod exp;
mod hyperbolic;
mod log;
mod sincos;

pub use arithmetic::{Arithmetic, Numbers};
pub use call::{evaluate, evaluate2};
pub use exp::exp;
pub use log::log;
pub use sincos::sincos;
