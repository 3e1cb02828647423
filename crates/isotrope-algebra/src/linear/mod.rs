//! Linear algebra over expressions: exact, fraction-free, with its side conditions.
//!
//! Rows are polynomials in the generators of the entries; elimination multiplies instead of
//! dividing and removes common factors of rows. Whatever was divided by is reported: the
//! result holds where those expressions do not vanish.
//!
//! Sparse ranks and nullspaces over the prime field serve large systems. Where a formula would be
//! too long, `Pool::solve_node` keeps the system unevaluated; derivatives of a solve are solves
//! with the same matrix.

mod eliminate;
mod matrix;
mod solve;
mod sparse_rank;

pub use matrix::Matrix;
pub use solve::{LinearError, NullSpace, Rank, Solved, determinant, nullspace, rank, solve};
pub use sparse_rank::{SparseRank, rank_by_markowitz, sparse_nullspace, sparse_rank};
