//! From a model to its equations and, from there, to discrete schemes.
//!
//! [`derive`](derive::derive) turns a parsed model into a [`System`](derive::System):
//! momenta, mass matrix, energy, multipliers, the field with the multipliers eliminated,
//! the geometry of the constraints, conserved quantities and reduced equations, all exact.

pub mod derive;
