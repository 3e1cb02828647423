//! Linear systems on the tape: sparse elimination, written out.
//!
//! [`Elimination::plan`] decides the order of pivots once, from the pattern of nonzero entries and,
//! if there are some, from numbers measured at one point. [`Elimination::record`] then records the
//! elimination as often as wanted. Chains and trees have an order without fill: planning and the
//! operations recorded are linear in the number of unknowns.
//!
//! At a thousand links of a chain the code outgrows the second cache of most processors, and steps
//! become slower by half.

mod candidates;
mod matrix;
mod order;
mod record;

use order::Order;

pub use record::{Factors, Solved};

/// How to eliminate in a matrix with a known pattern.
///
/// Without numbers the pivots are chosen by structure: those on the diagonal first (mass matrices
/// have their large numbers there), among them the cheapest (Markowitz), among these the one that
/// depends on the shortest chain of other pivots, so that a chain is taken from both ends and a
/// processor can do both at once.
///
/// With numbers an entry may be a pivot if it is at least [`THRESHOLD`] of the largest in what is
/// left of its column; among these the cheapest is taken. A symmetric matrix that is definite at
/// the measured point needs no threshold, its pivots stay on the diagonal.
///
/// ```
/// use isotrope_tape::{Builder, Elimination};
/// // 2 x + y = 3, x + 3 y = 5.
/// let pattern = [(0, 0), (0, 1), (1, 0), (1, 1)];
/// let plan = Elimination::plan(2, &pattern, true, None, Elimination::LIMIT)?;
/// let mut builder = Builder::new(2, 6);
/// let entries: Vec<_> = (0..4).map(|k| builder.parameter(k)).collect();
/// let right: Vec<_> = (4..6).map(|k| builder.parameter(k)).collect();
/// let solved = plan.record(&mut builder, &entries, &right, None);
/// builder.store(0, solved.solution[0]);
/// builder.store(1, solved.solution[1]);
/// let program = builder.finish()?;
/// let mut state = [0.0; 2];
/// let scratch = &mut isotrope_tape::interpret::Scratch::new(&program);
/// let numbers = [2.0, 1.0, 1.0, 3.0, 3.0, 5.0];
/// isotrope_tape::interpret::step(&program, &mut state, &numbers, scratch);
/// assert!((state[0] - 0.8).abs() < 1e-15 && (state[1] - 1.4).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elimination {
    size: usize,
    /// Where each entry of the pattern is in `columns`; none: its mirror image is used.
    input: Vec<Option<u32>>,
    /// Where the entries of each row begin in `columns`, and where the last ends.
    rows: Vec<u32>,
    /// Columns of all entries with fill, row by row, ascending. Of a symmetric matrix only those on
    /// and above the diagonal.
    columns: Vec<u32>,
    /// In their order.
    pivots: Vec<Pivot>,
    /// Rows with an entry in the column of a pivot that are eliminated after it, pivot by pivot.
    below: Vec<u32>,
    symmetric: bool,
    operations: u64,
}

/// One pivot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pivot {
    row: u32,
    column: u32,
    /// Where its rows end in [`Elimination::below`]; they begin where those of the last one end.
    end: u32,
}

/// The smallest part of the largest number in its column that a pivot may be.
pub const THRESHOLD: f64 = 0.1;

/// Why a system is not eliminated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EliminationError {
    /// A pair that is outside of the matrix, or there twice.
    #[error("the entry ({row}, {column}) of the pattern is outside the matrix or listed twice")]
    Pattern {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// The pattern of zeros alone makes the matrix singular.
    #[error("a linear system of {size} unknowns is singular for all values")]
    Singular {
        /// Its unknowns.
        size: usize,
    },
    /// Too many operations to be written out.
    #[error(
        "a linear system of {size} unknowns is too large to be written out: {operations} \
         multiplications and more (limit {limit})"
    )]
    TooLarge {
        /// Its unknowns.
        size: usize,
        /// Multiplications counted until the limit was passed.
        operations: u64,
        /// The limit.
        limit: u64,
    },
}

impl Elimination {
    /// A limit on the operations for most uses: some tens of megabytes of machine code.
    pub const LIMIT: u64 = 4_000_000;

    /// Plans the elimination in a matrix with nonzero entries (row, column) only in `pattern`.
    ///
    /// `symmetric` says that entries and their mirror images always have the same value: if the
    /// pivots are on the diagonal, half of the work is enough. `values` are numbers measured at
    /// some point, in the order of the pattern. More multiplications than `limit` are refused.
    pub fn plan(
        size: usize,
        pattern: &[(usize, usize)],
        symmetric: bool,
        values: Option<&[f64]>,
        limit: u64,
    ) -> Result<Self, EliminationError> {
        let matrix = matrix::Matrix::new(size, pattern, values)?;
        let mut order = None;
        if symmetric && matrix.has_symmetric_pattern() {
            order = Order::on_the_diagonal(matrix.clone(), limit)?;
        }
        let symmetric = order.is_some();
        let order = match order {
            Some(order) => order,
            None => Order::anywhere(matrix, limit)?,
        };
        Ok(order.into_elimination(pattern, symmetric))
    }

    /// Is the work halved by symmetry?
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    /// The pivots (row, column), in their order.
    pub fn pivots(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + '_ {
        self.pivots.iter().map(|pivot| (pivot.row as usize, pivot.column as usize))
    }

    /// Multiplications that one solution takes.
    #[must_use]
    pub fn operations(&self) -> u64 {
        self.operations
    }

    /// Entries of the matrix that the elimination works on, with fill; of a symmetric matrix those
    /// on and above the diagonal.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Where an entry is in `columns`.
    fn position(&self, row: u32, column: u32) -> Option<usize> {
        let (row, column) =
            if self.symmetric { (row.min(column), row.max(column)) } else { (row, column) };
        let range = self.row(row);
        let found = self.columns[range.clone()].binary_search(&column).ok()?;
        Some(range.start + found)
    }

    /// Positions of a row in `columns`.
    fn row(&self, row: u32) -> std::ops::Range<usize> {
        self.rows[row as usize] as usize..self.rows[row as usize + 1] as usize
    }

    /// Pivots with the rows below them (and where these begin in `below`).
    fn steps(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Pivot, std::ops::Range<usize>)> + ExactSizeIterator + '_
    {
        let start = |at: usize| if at == 0 { 0 } else { self.pivots[at - 1].end as usize };
        self.pivots.iter().enumerate().map(move |(at, &p)| (p, start(at)..p.end as usize))
    }
}
