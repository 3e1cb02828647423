//! Methods as exact data: coloured trees, tables, compositions, and the structure conditions of
//! classes of systems.
//!
//! *Trees* (`trees/`). One generator serves all families: colours, and for each colour which
//! children a vertex may have and how many. Children are listed before parents; counting uses
//! generating functions.
//!
//! *Tables* (`table/`). A condition needs only the algebra of a table's stage vectors: product,
//! matrices as operators, weights as functionals. A table given by formulas has them over the
//! number field of its entries. A collocation table has them over Q, in the algebra Q[x]/M of
//! functions on its nodes, whatever field its nodes generate. Images in prime fields are found by
//! searching for a prime in which M splits; doubles are rounded correctly from enclosures.
//!
//! *Classes* (`classes/`). A step, the exact flow and their tangents as power series in h, on
//! random problems of a class, over a prime field or in balls. Problems are sums of exponentials of
//! linear forms, centred so that the starting point satisfies all constraints exactly. `measure`
//! looks for the first nonzero coefficient of a defect; `conditions` computes the conditions of a
//! class from elementary differentials and checks them against steps of random methods.
#![warn(missing_docs)]

pub mod classes;
pub mod composition;
pub mod multistep;
mod named;
mod prime_table;
pub mod stages;
pub mod table;
pub mod trees;

pub use named::{COMPOSITIONS, Composed, ListedComposition, named_composition};
pub use prime_table::PrimeTable;
pub use stages::{Operator, Stages, Weights};
