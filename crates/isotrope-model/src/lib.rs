//! isotrope-model
