//! Linear algebra over expressions: exact, fraction-free, with its side conditions.
//!
//! Rows are polynomials in the generators of the entries; elimination multiplies instead of
//! dividing and removes common factors of rows. Whatever was divided by is reported: the
//! result holds where those expressions do not vanish.

mod eliminate;
mod matrix;
mod solve;
mod sparse_rank;

pub use matrix::Matrix;
pub use solve::{LinearError, NullSpace, Rank, Solved, determinant, nullspace, rank, solve};
pub use sparse_rank::{SparseRank, rank_by_markowitz, sparse_nullspace, sparse_rank};
