//! Table files: TOML with exact expressions.
//!
//! ```toml
//! name = "gauss-2"
//! stages = 2
//! a = [["1/4", "1/4-sqrt(3)/6"], ["1/4+sqrt(3)/6", "1/4"]]
//! b = ["1/2", "1/2"]
//! # abar, bbar, btil: the tables of velocities and momenta (default: a, b, b)
//!
//! [declared]                    # claims of the author, to be checked
//! order = 4
//! structure = { bilinear = "inf", generic = 5 }
//! ```

mod declared;
mod entries;
mod grouped;
mod read;
mod write;

pub use declared::{Claim, ClaimedOrder, Declared};
pub use grouped::{
    GroupedDeclared, GroupedFile, GroupedText, is_grouped, parse_grouped, write_grouped,
};
pub use isotrope_model::codes::TableCode;
/// One thing that is wrong with a table file.
pub type TableError = isotrope_model::file_errors::FileError<TableCode>;
type Reporter = isotrope_model::file_errors::FileReporter<TableCode>;
pub use read::parse_table;
pub use write::write_table;

use super::Table;

/// The text of a table file.
#[derive(Debug, Clone, Copy)]
pub struct TableText<'a> {
    /// The name of the file, for a table that has none of its own.
    pub name: &'a str,
    /// The bytes of the file.
    pub bytes: &'a [u8],
}

impl<'a> TableText<'a> {
    /// A file.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, bytes }
    }
}

/// What a table file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFile {
    /// The coefficients.
    pub table: Table,
    /// What the author says about it.
    pub description: Option<String>,
    /// What the author claims.
    pub declared: Declared,
}
