//! The construction of methods: tables whose entries are unknowns, the polynomials in them that
//! must vanish, and their solutions.

pub mod problem;
pub mod symbolic;
mod weights;

pub use weights::{SymbolicTables, tree_weights};
