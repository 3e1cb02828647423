//! Tests of backward error analysis: coefficients, equations of models, Hamiltonians, defects.

mod coefficients;
mod models;
mod support;
