//! isotrope-scheme
