//! Dense elimination over any field.

use super::field::{ExactField, subtract_multiple};

/// The space of some rows, grown one row at a time: rows in echelon form with pivots one.
///
/// ```
/// use isotrope_algebra::linear::{Echelon, Residues};
/// let field = &mut Residues(101);
/// let mut space = Echelon::new(2);
/// let Ok(new) = space.insert(field, vec![1, 2]);
/// let Ok(again) = space.insert(field, vec![3, 6]);
/// assert_eq!((new, again, space.rank()), (true, false, 1));
/// ```
#[derive(Debug, Clone)]
pub struct Echelon<E> {
    columns: usize,
    /// Pivot column and row, in the order of insertion.
    rows: Vec<(usize, Vec<E>)>,
    /// The row with its pivot at a column.
    by_pivot: Vec<Option<usize>>,
}

impl<E: Clone> Echelon<E> {
    /// No rows yet.
    pub fn new(columns: usize) -> Self {
        Self { columns, rows: Vec::new(), by_pivot: vec![None; columns] }
    }

    /// The number of independent rows.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The columns of the pivots, ascending.
    pub fn pivots(&self) -> impl Iterator<Item = usize> {
        (0..self.columns).filter(|&column| self.by_pivot[column].is_some())
    }

    /// Adds a row, filled up with zeros; was it new?
    pub fn insert<F: ExactField<Element = E>>(
        &mut self,
        field: &mut F,
        mut row: Vec<E>,
    ) -> Result<bool, F::Stop> {
        row.resize(self.columns, field.zero());
        let Some(column) = field.clear(&mut row, &self.rows, &self.by_pivot)? else {
            return Ok(false);
        };
        // Only zero has no inverse.
        let Some(inverse) = field.inverse(&row[column]) else { return Ok(false) };
        for entry in &mut row[column..] {
            *entry = field.times(entry, &inverse)?;
        }
        self.by_pivot[column] = Some(self.rows.len());
        self.rows.push((column, row));
        Ok(true)
    }

    /// The reduced rows by ascending pivots: a canonical basis of the space.
    pub fn reduced<F: ExactField<Element = E>>(
        &self,
        field: &mut F,
    ) -> Result<Vec<Vec<E>>, F::Stop> {
        let mut done: Vec<(usize, Vec<E>)> = Vec::with_capacity(self.rows.len());
        for known in self.by_pivot.iter().rev().flatten() {
            let (pivot, mut row) = self.rows[*known].clone();
            for (other, reduced) in done.iter().rev() {
                if !field.is_zero(&row[*other]) {
                    subtract_multiple(field, &mut row, reduced, *other)?;
                }
            }
            done.push((pivot, row));
        }
        Ok(done.into_iter().rev().map(|(_, row)| row).collect())
    }

    /// A basis of the vectors that all rows annihilate: one for each column without a pivot, with
    /// one there and zero at the others.
    pub fn nullspace<F: ExactField<Element = E>>(
        &self,
        field: &mut F,
    ) -> Result<Vec<Vec<E>>, F::Stop> {
        let free = (0..self.columns).filter(|&column| self.by_pivot[column].is_none());
        let mut basis = Vec::new();
        for free in free {
            let mut vector = vec![field.zero(); self.columns];
            vector[free] = field.one();
            for (pivot, known) in self.by_pivot[..free].iter().enumerate().rev() {
                let Some(known) = known else { continue };
                let row = &self.rows[*known].1;
                field.spend(free - pivot)?;
                let mut entry = field.zero();
                for column in pivot + 1..=free {
                    if !field.is_zero(&vector[column]) && !field.is_zero(&row[column]) {
                        entry = field.minus_product(&entry, &vector[column], &row[column])?;
                    }
                }
                vector[pivot] = entry;
            }
            basis.push(vector);
        }
        Ok(basis)
    }
}

/// Rows of elements of a field.
pub type Rows<F> = Vec<Vec<<F as ExactField>::Element>>;

/// `X` with `A X = B` for rows of the square matrix `A` joined with those of `B`; `None` if `A` is
/// singular.
pub fn solve_rows<F: ExactField>(field: &mut F, rows: Rows<F>) -> Result<Option<Rows<F>>, F::Stop> {
    let size = rows.len();
    let columns = rows.first().map_or(0, Vec::len);
    let mut echelon = Echelon::new(columns);
    for row in rows {
        if !echelon.insert(field, row)? {
            return Ok(None);
        }
    }
    if echelon.by_pivot.iter().take(size).any(Option::is_none) {
        return Ok(None);
    }
    let reduced = echelon.reduced(field)?;
    Ok(Some(reduced.into_iter().map(|mut row| row.split_off(size)).collect()))
}
