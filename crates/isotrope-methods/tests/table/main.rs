//! Exact tables: families and catalogue, values, images in prime fields, files.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod families;
mod files;
mod grouped;
mod modular;
mod reference;
mod support;
mod values;
