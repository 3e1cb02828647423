//! Exact Runge–Kutta tables, one for each group of variables.
//!
//! A [`Table`] holds the coefficients of the three-table family
//!
//! ```text
//! V_i = v + h sum abar_ij F_j,   Q_i = q + h sum a_ij V_j,   F_i = f(Q_i, V_i),  G_i = g(Q_i, V_i)
//! q+  = q + h sum b_i V_i,       v+  = v + h sum bbar_i F_i, p+  = p + h sum btil_i G_i
//! ```
//!
//! An ordinary method is one with `a = abar` and `b = bbar = btil`. Coefficients are exact, and
//! there is no order beside them: orders are computed.
//!
//! What a condition needs of a table is the algebra of its stage vectors: the componentwise
//! product, the operators `a`, `abar` and the functionals `b`, `bbar`, `btil`. A collocation
//! method gives it without ever writing down its nodes: stage vectors are functions on the
//! nodes, that is, polynomials modulo the node polynomial ([`StageProduct::Modulo`]), and every
//! tree weight comes out rational by rational arithmetic.
//!
//! ```
//! use isotrope_algebra::Budget;
//! use isotrope_methods::table::{Entry, Table};
//! let gauss = Table::gauss(2).unwrap();
//! let budget = &mut Budget::new(10_000_000);
//! let entry = Entry::A { row: 0, column: 1 };
//! assert_eq!(gauss.exact(entry, budget).unwrap().unwrap().to_string(), "1/4-sqrt(3)/6");
//! assert_eq!(gauss.to_f64(budget).unwrap().a[0][1], -0.03867513459481288);
//! ```

mod algebra;
mod build;
mod catalogue;
mod collocation;
mod entry;
mod exact;
pub mod file;
mod groups;
mod image;
mod modular;
mod nystrom;
mod values;

pub use catalogue::{
    COLLOCATION, CollocationFamily, LISTED, ListedTable, catalogue, catalogue_names,
};
pub use entry::{Entry, NotAnEntry};
pub use file::{
    Claim, ClaimedOrder, Declared, GroupedDeclared, GroupedFile, GroupedText, TableCode,
    TableError, TableFile, TableText, is_grouped, parse_grouped, parse_table, write_grouped,
    write_table,
};
pub use groups::{GroupNumbers, GroupTable, GroupedTable, NotAPartition, Preserved};
pub use image::Coefficients;
pub use modular::ModularTable;
pub use values::{BallTable, FloatTable};

use isotrope_algebra::number::AlgebraicError;
use isotrope_algebra::number::field::{FieldElement, FieldError, NumberField};
use isotrope_algebra::{EvaluationError, Internal, OutOfBudget, Rational};

/// The largest number of stages of a table.
pub const STAGE_LIMIT: usize = 64;

/// How stage vectors are multiplied, and in which basis they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StageProduct {
    /// Componentwise; vectors are lists of their components.
    Pointwise,
    /// Functions on the nodes, the roots of the polynomial, are polynomials modulo it; vectors
    /// are lists of coefficients of `1, x, …, x^(s-1)`. The polynomial is monic with distinct
    /// roots in [0, 1], written by ascending coefficients (the last is one). The field is that
    /// of the rationals.
    Modulo(Vec<Rational>),
}

/// An exact table (or three) of a Runge–Kutta method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The name of the method.
    pub name: String,
    /// The field of the coefficients.
    pub field: NumberField,
    /// The number of stages.
    pub stages: usize,
    /// The product of stage vectors.
    pub product: StageProduct,
    /// The operator of the positions, in the basis of `product`: `(a x)_i = sum_j a[i][j] x_j`.
    pub a: Vec<Vec<FieldElement>>,
    /// The operator of the velocities.
    pub abar: Vec<Vec<FieldElement>>,
    /// The functional of the positions.
    pub b: Vec<FieldElement>,
    /// The functional of the velocities.
    pub bbar: Vec<FieldElement>,
    /// The functional of the momenta.
    pub btil: Vec<FieldElement>,
}

/// Why something about a table could not be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableProblem {
    /// A family has no member with this many stages.
    #[error("there is no {family} method with {stages} stages")]
    Stages {
        /// The family.
        family: &'static str,
        /// The number of stages asked for.
        stages: usize,
    },
    /// A matrix or a list has the wrong size.
    #[error("`{part}` does not have the size of {stages} stages")]
    Shape {
        /// Which part: `a`, `abar`, `b`, `bbar`, `btil`.
        part: &'static str,
        /// The number of stages.
        stages: usize,
    },
    /// The table has no such entry.
    #[error("the table has no entry {0}")]
    NoEntry(Entry),
    /// Text that is not an exact number, at an entry.
    #[error("{entry}: {message}")]
    Text {
        /// The entry.
        entry: Entry,
        /// What is wrong.
        message: String,
    },
    /// Something that needs a common field of the nodes.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// An enclosure could not be computed.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// No prime was found in which the coefficients have an image.
    #[error("no prime among {tried} has an image of the coefficients")]
    NoPrime {
        /// How many primes were tried.
        tried: u64,
    },
    /// The entry is so close to zero, or to a midpoint of doubles, that its rounding is open.
    #[error("the rounding of {0} could not be decided")]
    Undecided(Entry),
}

impl From<AlgebraicError> for TableProblem {
    fn from(error: AlgebraicError) -> Self {
        Self::Field(error.into())
    }
}

impl From<Internal> for TableProblem {
    fn from(error: Internal) -> Self {
        OutOfBudget::from(error).into()
    }
}

impl From<OutOfBudget> for TableProblem {
    fn from(error: OutOfBudget) -> Self {
        Self::Field(error.into())
    }
}

impl TableProblem {
    /// Is it the budget that ran out?
    pub fn is_out_of_budget(&self) -> bool {
        matches!(self, Self::Field(FieldError::Algebraic(AlgebraicError::OutOfBudget(_))))
    }
}
