//! The construction of methods: tables whose entries are unknowns, the polynomials in them that
//! must vanish, and their solutions.

pub mod combine;
mod error_constant;
pub mod numeric;
mod weights;

pub use error_constant::{ErrorConstant, error_constant, error_constant_on, error_residuals};
pub use weights::{SymbolicTables, tree_weights};
