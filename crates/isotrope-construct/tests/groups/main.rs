//! Problems in groups, and structure conditions by the symbolic route.

mod balance;
mod classes;
mod files;
mod models;
mod one_group;
mod support;
