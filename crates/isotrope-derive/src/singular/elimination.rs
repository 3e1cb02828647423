//! Linear algebra where constraints hold: entries count as zero if they vanish there.

use isotrope_algebra::linear::{LinearError, Matrix, determinant};
use isotrope_algebra::normal::{Zero, size};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::rounds::split;
use super::surface::{Lost, Surface};

/// Rows in reduced echelon form: 1 at the pivots, 0 above and below them.
#[derive(Debug, Clone, Default)]
pub(super) struct Echelon {
    /// The rows with a pivot.
    pub(super) rows: Vec<Vec<ExprId>>,
    /// The column of the pivot of each row.
    pub(super) columns: Vec<usize>,
    /// The number of the row that each came from.
    pub(super) origins: Vec<usize>,
    /// Rows without a pivot: zeros, and what stands in the columns without pivots. Each has the number of the row that it
    /// came from, where that was only reduced.
    pub(super) rest: Vec<(Option<usize>, Vec<ExprId>)>,
    /// What pivots were; numbers are left out.
    pub(super) pivots: Vec<ExprId>,
}

impl Echelon {
    pub(super) fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Vectors of the kernel, one for each column (of the first `width`) without a pivot, 1 there.
    pub(super) fn kernel(&self, pool: &mut Pool, width: usize) -> Vec<Vec<ExprId>> {
        let free = (0..width).filter(|column| !self.columns.contains(column));
        free.map(|column| {
            let mut vector = vec![ExprId::ZERO; width];
            vector[column] = ExprId::ONE;
            for (row, &pivot) in self.rows.iter().zip(&self.columns) {
                vector[pivot] = pool.neg(row[column]);
            }
            vector
        })
        .collect()
    }
}

/// Kind, size and place of an entry: the least is the pivot.
type Score = (u8, u64, usize, usize);

/// Eliminates with pivots in the first `width` columns; the simplest entries are taken first.
pub(super) fn eliminate(
    pool: &mut Pool,
    surface: &Surface,
    rows: Vec<Vec<ExprId>>,
    width: usize,
    budget: &mut Budget,
) -> Result<Echelon, Lost> {
    let mut found = Echelon::default();
    let mut touched = vec![false; rows.len()];
    let mut open: Vec<(usize, Vec<ExprId>)> = Vec::with_capacity(rows.len());
    for (origin, row) in rows.into_iter().enumerate() {
        let row = row.into_iter().map(|entry| surface.reduced(pool, entry, budget));
        open.push((origin, row.collect::<Result<_, _>>()?));
    }
    loop {
        let mut best: Option<(Score, usize, usize)> = None;
        for (k, (_, row)) in open.iter().enumerate() {
            for (column, &entry) in row.iter().enumerate().take(width) {
                if entry.is_zero() || found.columns.contains(&column) {
                    continue;
                }
                let kind = match pool.as_number(entry) {
                    Some(_) => 0,
                    None if pool.depends_on(entry, &surface.variables) => 2,
                    None => 1,
                };
                let score = (kind, size(pool, entry), k, column);
                if best.is_none_or(|(least, ..)| score < least)
                    && surface.vanishes(pool, entry, budget)? != Zero::Yes
                {
                    best = Some((score, k, column));
                }
            }
        }
        let Some((_, k, column)) = best else { break };
        budget.spend(1, "eliminating where the constraints hold")?;
        let (origin, mut row) = open.remove(k);
        let pivot = row[column];
        if pool.as_number(pivot).is_none() {
            found.pivots.push(pivot);
        }
        for entry in &mut row {
            if !entry.is_zero() {
                let quotient = pool.div(*entry, pivot);
                *entry = surface.reduced(pool, quotient, budget)?;
            }
        }
        let origins = open.iter().map(|(origin, _)| Some(*origin)).collect::<Vec<_>>();
        let origins = origins.into_iter().chain(std::iter::repeat(None));
        let others = open.iter_mut().map(|(_, other)| other).chain(&mut found.rows);
        for (other, origin) in others.zip(origins) {
            let factor = other[column];
            if factor.is_zero() {
                continue;
            }
            if let Some(origin) = origin {
                touched[origin] = true;
            }
            for (entry, &own) in other.iter_mut().zip(&row) {
                if own.is_zero() {
                    continue;
                }
                let product = pool.mul(factor, own);
                let difference = pool.sub(*entry, product);
                *entry = surface.reduced(pool, difference, budget)?;
            }
        }
        found.rows.push(row);
        found.columns.push(column);
        found.origins.push(origin);
    }
    let alone = |origin: usize| (!touched[origin]).then_some(origin);
    found.rest = open.into_iter().map(|(origin, row)| (alone(origin), row)).collect();
    Ok(found)
}

/// The factors of the determinant of a block where the constraints hold, without numbers: the rank is that of a general
/// point where none of them vanishes. Nothing where it is too long to be computed.
pub(super) fn determinant_factors(
    pool: &mut Pool,
    surface: &Surface,
    block: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, Lost> {
    if block.is_empty() || block.iter().flatten().all(|&entry| pool.as_number(entry).is_some()) {
        return Ok(Vec::new());
    }
    let matrix = Matrix::from_rows(block.len(), block);
    let value = match determinant(pool, &matrix, &mut Budget::new(DETERMINANT.min(budget.left()))) {
        Ok(value) => value,
        Err(LinearError::OutOfBudget(stop)) if stop.interrupted => return Err(stop.into()),
        Err(_) => return Ok(Vec::new()),
    };
    let value = surface.reduced(pool, value, budget)?;
    let parts = split(pool, value, budget)?;
    Ok(parts.into_iter().map(|part| part.expression).collect())
}

/// What a determinant may cost.
const DETERMINANT: u64 = 5_000_000;
