//! Methods as exact data: coloured trees, tables, compositions, and the structure conditions of
//! classes of systems.
#![warn(missing_docs)]

pub mod classes;
pub mod composition;
pub mod multistep;
mod named;
mod prime_table;
pub mod stages;
pub mod table;
pub mod trees;

pub use named::{COMPOSITIONS, Composed, ListedComposition, named_composition};
pub use prime_table::PrimeTable;
pub use stages::{Operator, Stages, Weights};
