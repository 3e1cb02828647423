//! Problems in groups, and structure conditions by the symbolic route.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod balance;
mod classes;
mod files;
mod models;
mod one_group;
mod support;
