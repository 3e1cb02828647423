//! Problems in groups, and structure conditions by the symbolic route.

mod files;
mod support;
