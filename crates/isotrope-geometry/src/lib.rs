//! isotrope-geometry
