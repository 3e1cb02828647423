//! Files in TOML that are not models: their tables and formulas, and what is wrong with them.
//!
//! A [`TomlReader`] knows the tree of a file and reports what has the wrong type; a
//! [`FormulaReader`] has names and expressions besides. Codes of errors are constants of the traits
//! [`TomlCode`] and [`FormulaCode`], so that every kind of file keeps its own numbers.

mod codes;
mod expressions;
mod formulas;
mod quote;
mod toml;

pub use codes::{FormulaCode, TomlCode};
pub(crate) use codes::{formula_codes, toml_codes};
pub use formulas::FormulaReader;
pub use quote::quoted;
pub use toml::{TomlReader, item_span, shorten, span_in, span_of, stem, value_kind, value_span};
