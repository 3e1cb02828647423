//! Methods: coloured trees, exact tables, and the structure conditions of classes of systems.

pub mod classes;
pub mod table;
pub mod trees;
