//! Numerical solutions of conditions, recognised and proved; combinations of known tables; error
//! constants.

mod combine;
mod error_constant;
mod numeric;
mod support;
