//! Linear algebra, exact.
//!
//! Over a field there is one elimination, dense ([`Echelon`], [`solve_rows`]) or by nonzero entries
//! ([`SparseEchelon`]), for whatever implements [`ExactField`]: residues, rationals, rational functions
//! within a budget.
//!
//! Over expressions ([`solve`], [`rank`], …) it is fraction-free, with side conditions: rows are
//! polynomials in the generators of the entries; elimination multiplies instead of dividing and removes
//! common factors of rows. Whatever was divided by is reported: the result holds where those expressions
//! do not vanish.
//!
//! What eliminates by itself elsewhere does something else: [`rank_by_markowitz`] chooses pivots against
//! fill-in; ansatzes of ports choose them by preference and keep contradictions out; balls need pivots
//! that are certainly not zero, or the largest; the tape records operations.
//!
//! Sparse ranks and nullspaces over the prime field serve large systems. Where a formula would be
//! too long, `Pool::solve_node` keeps the system unevaluated; derivatives of a solve are solves
//! with the same matrix.

mod echelon;
mod eliminate;
mod field;
mod matrix;
mod solve;
mod sparse_echelon;
mod sparse_rank;
#[cfg(test)]
mod tests;

pub use echelon::{Echelon, solve_rows};
pub use field::{Budgeted, ExactField, Rationals, Residues};
pub use matrix::Matrix;
pub use solve::{LinearError, NullSpace, Rank, Solved, determinant, nullspace, rank, solve};
pub use sparse_echelon::{PivotAt, SparseEchelon, SparseRow};
pub use sparse_rank::{SparseRank, rank_by_markowitz, sparse_nullspace, sparse_rank};
