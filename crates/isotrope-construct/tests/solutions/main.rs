//! Numerical solutions of conditions, recognised and proved; combinations of known tables; error
//! constants.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod combine;
mod error_constant;
mod fallbacks;
mod numeric;
mod support;
