//! The structure of systems: port-Hamiltonian forms of plain equations, systems joined at their
//! ports, geometry files and what is computed of them.
#![warn(missing_docs)]

pub mod connect;
pub mod geometry;
pub mod port;
mod reduced;

pub use reduced::reduced_model;
