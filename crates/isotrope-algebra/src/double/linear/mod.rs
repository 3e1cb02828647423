//! Dense linear algebra in double precision, for matrices of up to a few hundred rows.
//!
//! | question | answer |
//! |---|---|
//! | A x = b, det A | [`TriangularFactorisation`], [`DenseMatrix::solve`], [`DenseMatrix::determinant`] |
//! | rank, least squares, orthonormal complement | [`OrthogonalFactorisation`] |
//! | nullspace in terms of free components | [`DenseMatrix::nullspace`] |
//! | orthonormal vectors with the same span, one by one | [`OrthonormalBasis`] |
//! | the shortest least-squares solution | [`shortest_least_squares`] |
//! | eigenvalues | [`eigenvalues`] |
//!
//! What counts as zero is always relative to the matrix, never a number of its own: a matrix and its
//! multiples have the same rank. Where lengths are taken, entries should lie between 1e-150 and 1e150,
//! so that their squares are numbers.
//!
//! Exact linear algebra is [`crate::linear`].

mod eigenvalues;
mod matrix;
mod nullspace;
mod orthogonal;
mod orthonormal;
mod singular;
#[cfg(test)]
mod tests;
mod triangular;

pub use eigenvalues::{Complex, eigenvalues};
pub use matrix::{DenseMatrix, dot, norm};
pub use orthogonal::OrthogonalFactorisation;
pub use orthonormal::OrthonormalBasis;
pub use singular::shortest_least_squares;
pub use triangular::{NoPivot, Pivots, TriangularFactorisation};
