//! The theorems of the graded calculus and of Dirac structures, on random and on known examples.

mod axioms;
mod calculus;
mod dirac;
mod known;
mod support;
