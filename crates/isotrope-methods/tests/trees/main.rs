//! Tests of the coloured trees: counts, reference data, and the theorems they stand for.

mod counts;
mod exact_solution;
mod groups;
mod names;
mod quantities;
mod support;
mod weights;
