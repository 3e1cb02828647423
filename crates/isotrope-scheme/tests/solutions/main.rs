//! Numerical solutions of conditions, recognised and proved; combinations of known tables; error
//! constants.

mod numeric;
mod support;
