//! Residues whose elimination looks at the flag and counts: what makes F4 of the `groebner` crate end.
//!
//! The crate looks at no flag. Nearly all of its time goes into the echelon forms of [`F4Field`], and a field of
//! our own hears of each. [`Watched`] hands them on to the crate's residues in pieces of some
//! multiplications and spends a [`Budget`] in between. Once that is spent, an unwinding with a private payload,
//! which no panic hook hears of, leaves the crate and is caught in [`watch`]; where nothing unwinds, all further
//! echelon forms are empty, the crate runs out of pairs, and what it answers is thrown away.
//!
//! Between two echelon forms the crate writes down the next matrix, in time proportional to its entries, which are
//! counted as well.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use groebner::{F4Field, Fp, Reducers, SparseRow};
use num_traits::{One, Zero};

use crate::modular::{self, Random};
use crate::{Budget, OutOfBudget};

/// A residue of the crate's, watched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Watched(pub(super) Fp);

/// What this thread may still spend, and why it stopped.
struct Watch {
    /// Multiplications between two looks.
    piece: usize,
    budget: Budget,
    ended: Option<OutOfBudget>,
}

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// The payload of the unwinding.
struct Ended;

/// Does some work of the crate's within the budget, and looks at it after every `piece` multiplications.
pub(super) fn watch<T>(
    budget: &mut Budget,
    piece: usize,
    work: impl FnOnce() -> T,
) -> Result<T, OutOfBudget> {
    budget.spend(0, DOING)?;
    let before = WATCH.replace(Some(Watch { piece, budget: budget.clone(), ended: None }));
    // What the work leaves behind when it is cut short is dropped here, unseen.
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    let watch = WATCH.replace(before);
    let ended = watch.and_then(|watch| {
        *budget = watch.budget;
        watch.ended
    });
    match (ended, done) {
        (Some(ended), _) => Err(ended),
        (None, Ok(value)) => Ok(value),
        (None, Err(panic)) => std::panic::resume_unwind(panic),
    }
}

const DOING: &str = "computing a basis of an ideal";

/// Spends operations of this thread; is there something left?
fn spend(operations: usize) -> bool {
    let goes_on = WATCH.with_borrow_mut(|watch| {
        let Some(watch) = watch else { return true };
        if watch.ended.is_none() {
            let operations = u64::try_from(operations).unwrap_or(u64::MAX);
            watch.ended = watch.budget.spend(operations, DOING).err();
        }
        watch.ended.is_none()
    });
    if !goes_on && cfg!(panic = "unwind") {
        std::panic::resume_unwind(Box::new(Ended));
    }
    goes_on
}

/// Multiplications between two looks.
fn piece() -> usize {
    WATCH.with_borrow(|watch| watch.as_ref().map_or(usize::MAX, |watch| watch.piece))
}

impl F4Field for Watched {
    fn echelonize(
        pivots: &Reducers<Self>,
        rows: &[SparseRow<Self>],
        ncols: usize,
    ) -> Vec<SparseRow<Self>> {
        let mut known = Known::new(pivots);
        let rows: Vec<SparseRow<Fp>> = rows.iter().map(bare).collect();
        if !spend(known.entries + entries(&rows)) {
            return Vec::new();
        }
        let whole = known.entries.saturating_mul(rows.len());
        let found = if whole > piece() {
            interreduced(known.independent(rows, ncols), ncols)
        } else if spend(whole) {
            Fp::echelonize(&known.rows, &rows, ncols)
        } else {
            Vec::new()
        };
        found.into_iter().map(dressed).collect()
    }

    fn reduce_rows(
        pivots: &Reducers<Self>,
        rows: &[SparseRow<Self>],
        ncols: usize,
    ) -> Vec<SparseRow<Self>> {
        let rows: Vec<SparseRow<Fp>> = rows.iter().map(bare).collect();
        Known::new(pivots).reduced(rows, ncols).into_iter().map(dressed).collect()
    }
}

/// Monic rows with different leading columns, and how many entries they have.
struct Known {
    rows: Reducers<Fp>,
    entries: usize,
}

impl Known {
    fn new(pivots: &Reducers<Watched>) -> Self {
        let coefficients =
            pivots.coefficients.iter().map(|list| list.iter().map(|c| c.0).collect()).collect();
        let entries = pivots.rows.iter().map(|(_, columns)| columns.len()).sum();
        Self { rows: Reducers { coefficients, rows: pivots.rows.clone() }, entries }
    }

    fn push(&mut self, row: &SparseRow<Fp>) {
        self.entries += row.columns.len();
        self.rows.rows.push((self.rows.coefficients.len(), row.columns.clone()));
        self.rows.coefficients.push(row.coefficients.clone());
    }

    /// How many rows are a piece: each may meet every known one.
    fn piece(&self) -> usize {
        (piece() / self.entries.max(1)).max(1)
    }

    /// Remainders of the rows.
    fn reduced(&self, rows: Vec<SparseRow<Fp>>, ncols: usize) -> Vec<SparseRow<Fp>> {
        let mut done = Vec::with_capacity(rows.len());
        for piece in rows.chunks(self.piece()) {
            match spend(self.entries * piece.len() + entries(piece)) {
                true => done.extend(Fp::reduce_rows(&self.rows, piece, ncols)),
                // Nobody looks at them.
                false => done.extend(piece.iter().cloned()),
            }
        }
        done
    }

    /// Monic rows with different leading columns that span, with the known ones, what the rows do.
    ///
    /// Most rows of F4 depend on those before them. So random combinations of a group of rows are reduced instead,
    /// until some of them vanish: if the group had another independent row, a combination would vanish with
    /// probability 1/p (the crate does the same, in one go).
    fn independent(&mut self, mut rows: Vec<SparseRow<Fp>>, ncols: usize) -> Vec<SparseRow<Fp>> {
        rows.retain(|row| !row.columns.is_empty());
        rows.sort_by_key(|row| (row.columns.first().copied(), row.columns.len()));
        let prime =
            rows.first().and_then(|row| row.coefficients.first()).map_or(0, |c| c.modulus());
        let few = prime < 1 << 12;
        let groups = (rows.len() / 3).isqrt() + 1;
        let zeros = 40u32.div_ceil(prime.max(2).ilog2()).max(2) as usize;
        let mut random = Random::new(prime);
        let mut all = Vec::new();
        for group in rows.chunks(rows.len().div_ceil(groups).max(1)) {
            let (mut found, mut vanished, mut taken) = (0, 0, 0);
            while found < group.len() && vanished < zeros && taken < group.len() {
                let size = self.piece().min(group.len() - found);
                let piece: Vec<SparseRow<Fp>> = if few {
                    let end = (taken + size).min(group.len());
                    group[std::mem::replace(&mut taken, end)..end].to_vec()
                } else {
                    (0..size).map(|_| combination(group, ncols, prime, &mut random)).collect()
                };
                if !spend(self.entries * piece.len() + entries(group)) {
                    return Vec::new();
                }
                let new = Fp::echelonize_traced(&self.rows, &piece, ncols).0;
                found += new.len();
                vanished = match piece.len() - new.len() {
                    _ if few => 0,
                    0 => 0,
                    zero if new.is_empty() => vanished + zero,
                    zero => zero,
                };
                for row in &new {
                    self.push(row);
                }
                all.extend(new);
            }
        }
        all
    }
}

/// Rows of an echelon form, none with an entry in the leading column of another.
fn interreduced(rows: Vec<SparseRow<Fp>>, ncols: usize) -> Vec<SparseRow<Fp>> {
    let nothing = Reducers { coefficients: Vec::new(), rows: Vec::new() };
    let mut known = Known { rows: nothing, entries: 0 };
    for row in &rows {
        known.push(row);
    }
    let tails = rows
        .iter()
        .map(|row| SparseRow {
            columns: row.columns.iter().skip(1).copied().collect(),
            coefficients: row.coefficients.iter().skip(1).copied().collect(),
        })
        .collect();
    let mut done = known.reduced(tails, ncols);
    for (tail, row) in done.iter_mut().zip(&rows) {
        tail.columns.splice(0..0, row.columns.first().copied());
        tail.coefficients.splice(0..0, row.coefficients.first().copied());
    }
    done
}

/// A random combination of rows; no factor is zero.
fn combination(
    rows: &[SparseRow<Fp>],
    ncols: usize,
    prime: u64,
    random: &mut Random,
) -> SparseRow<Fp> {
    let mut sum = vec![0; ncols];
    // Sums below p² stay below 2⁶³ with one product more, so one division at the end is enough.
    let square = (prime < 1 << 31).then(|| prime * prime);
    for row in rows {
        let factor = 1 + random.below(prime - 1);
        for (&column, value) in row.columns.iter().zip(&row.coefficients) {
            let cell = &mut sum[column as usize];
            *cell = match square {
                Some(square) => modular::add(*cell, factor * value.value(), square),
                None => modular::add(*cell, modular::mul(factor, value.value(), prime), prime),
            };
        }
    }
    let filled = sum.iter().zip(0..).filter(|&(value, _)| value % prime != 0);
    let (coefficients, columns) =
        filled.map(|(&value, column)| (Fp::new(value, prime), column)).unzip();
    SparseRow { columns, coefficients }
}

fn entries(rows: &[SparseRow<Fp>]) -> usize {
    rows.iter().map(|row| row.columns.len()).sum()
}

fn bare(row: &SparseRow<Watched>) -> SparseRow<Fp> {
    let coefficients = row.coefficients.iter().map(|c| c.0).collect();
    SparseRow { columns: row.columns.clone(), coefficients }
}

fn dressed(row: SparseRow<Fp>) -> SparseRow<Watched> {
    let coefficients = row.coefficients.into_iter().map(Watched).collect();
    SparseRow { columns: row.columns, coefficients }
}

impl Add for Watched {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Watched {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Watched {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Div for Watched {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
}

impl Neg for Watched {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Zero for Watched {
    fn zero() -> Self {
        Self(Fp::zero())
    }

    fn is_zero(&self) -> bool {
        self.0.is_zero()
    }
}

impl One for Watched {
    fn one() -> Self {
        Self(Fp::one())
    }
}
