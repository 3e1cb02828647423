//! Which pivot comes next.

use std::collections::BTreeSet;

use super::THRESHOLD;
use super::matrix::Matrix;

/// Once there is a candidate, this many further rows and columns are searched for a cheaper one.
const PATIENCE: usize = 8;

/// Pivots by their price. Ties are broken by depth, the longest chain of pivots that a row or
/// column depends on, then by number.
#[derive(Debug)]
pub(super) struct Candidates {
    row_depth: Vec<u32>,
    column_depth: Vec<u32>,
    /// Entries on the diagonal: cost, depth, number.
    diagonal: Ranking<u64>,
    /// Rows and columns by their number of entries, made when the diagonal is not enough.
    lists: Option<[Ranking<usize>; 2]>,
}

/// Things in the order of a price, each with its present one.
#[derive(Debug)]
struct Ranking<P> {
    order: BTreeSet<(P, u32, u32)>,
    present: Vec<Option<(P, u32)>>,
}

impl<P: Copy + Ord> Ranking<P> {
    fn new(size: usize) -> Self {
        Self { order: BTreeSet::new(), present: vec![None; size] }
    }

    fn set(&mut self, number: u32, price: Option<(P, u32)>) {
        let known = &mut self.present[number as usize];
        if *known == price {
            return;
        }
        if let Some((price, depth)) = std::mem::replace(known, price) {
            self.order.remove(&(price, depth, number));
        }
        if let Some((price, depth)) = price {
            self.order.insert((price, depth, number));
        }
    }
}

impl Candidates {
    pub(super) fn new(matrix: &Matrix) -> Self {
        let size = matrix.rows.len();
        let mut candidates = Self {
            row_depth: vec![0; size],
            column_depth: vec![0; size],
            diagonal: Ranking::new(size),
            lists: None,
        };
        for k in 0..size as u32 {
            candidates.price_diagonal(matrix, k);
        }
        candidates
    }

    fn depth(&self, row: u32, column: u32) -> u32 {
        self.row_depth[row as usize].max(self.column_depth[column as usize])
    }

    fn price_diagonal(&mut self, matrix: &Matrix, k: u32) {
        let price = matrix.contains(k, k).then(|| (matrix.cost(k, k), self.depth(k, k)));
        self.diagonal.set(k, price);
    }

    fn price_row(&mut self, matrix: &Matrix, row: u32) {
        if let Some([rows, _]) = &mut self.lists {
            let count = matrix.rows[row as usize].len();
            rows.set(row, (count > 0).then_some((count, self.row_depth[row as usize])));
        }
    }

    fn price_column(&mut self, matrix: &Matrix, column: u32) {
        if let Some([_, columns]) = &mut self.lists {
            let count = matrix.columns[column as usize].len();
            columns.set(column, (count > 0).then_some((count, self.column_depth[column as usize])));
        }
    }

    /// After a pivot that changed these rows and columns.
    pub(super) fn update(
        &mut self,
        matrix: &Matrix,
        (row, column): (u32, u32),
        rows: &[u32],
        columns: &[u32],
    ) {
        let depth = self.depth(row, column) + 1;
        for &i in rows {
            self.row_depth[i as usize] = depth.max(self.row_depth[i as usize]);
        }
        for &j in columns {
            self.column_depth[j as usize] = depth.max(self.column_depth[j as usize]);
        }
        for &i in rows.iter().chain([&row]) {
            self.price_row(matrix, i);
            self.price_diagonal(matrix, i);
        }
        for &j in columns.iter().chain([&column]) {
            self.price_column(matrix, j);
            self.price_diagonal(matrix, j);
        }
    }

    /// The cheapest entry on the diagonal.
    pub(super) fn on_the_diagonal(&self) -> Option<(u32, u32)> {
        self.diagonal.order.first().map(|&(_, _, k)| (k, k))
    }

    /// A cheap entry anywhere. If there are numbers, one that is large enough in its column, or if
    /// all are zero (or not finite) any.
    pub(super) fn anywhere(&mut self, matrix: &Matrix) -> Option<(u32, u32)> {
        if self.lists.is_none() {
            let size = matrix.rows.len();
            self.lists = Some([Ranking::new(size), Ranking::new(size)]);
            for k in 0..size as u32 {
                self.price_row(matrix, k);
                self.price_column(matrix, k);
            }
        }
        let found = if matrix.measured { self.search(matrix, true) } else { None };
        found.or_else(|| self.search(matrix, false))
    }

    /// Rows and columns with few entries first (Duff, Erisman, Reid: Direct Methods for Sparse
    /// Matrices, chapter 10): what comes later costs at least `(count - 1)²`.
    fn search(&self, matrix: &Matrix, by_size: bool) -> Option<(u32, u32)> {
        let Some([rows, columns]) = &self.lists else { return None };
        let mut best: Option<(u64, u32, bool, u32, u32)> = None;
        let mut consider = |row: u32, column: u32| {
            let price =
                (matrix.cost(row, column), self.depth(row, column), row != column, row, column);
            if best.is_none_or(|known| price < known) {
                best = Some(price);
            }
            best.map_or(u64::MAX, |known| known.0)
        };
        let large = |row: u32, column: u32, largest: f64| {
            let number = matrix.value(row, column).abs();
            number > 0.0 && number.is_finite() && number >= THRESHOLD * largest
        };
        let (mut rows, mut columns) =
            (rows.order.iter().peekable(), columns.order.iter().peekable());
        let (mut cheapest, mut patience) = (u64::MAX, PATIENCE);
        loop {
            let down = columns.peek().map(|&&(count, ..)| count);
            let across = rows.peek().map(|&&(count, ..)| count);
            let (Some(count), is_column) = (match (down, across) {
                (Some(down), Some(across)) => (Some(down.min(across)), down <= across),
                (down, across) => (down.or(across), down.is_some()),
            }) else {
                break;
            };
            let bound = (count as u64 - 1).pow(2);
            if cheapest <= bound || patience == 0 {
                break;
            }
            if is_column {
                let Some(&(.., column)) = columns.next() else { break };
                let largest = if by_size { matrix.largest(column) } else { 0.0 };
                for &row in &matrix.columns[column as usize] {
                    if !by_size || large(row, column, largest) {
                        cheapest = consider(row, column);
                    }
                }
            } else {
                let Some(&(.., row)) = rows.next() else { break };
                for &column in matrix.rows[row as usize].keys() {
                    // The largest of a column takes time: only where it may help.
                    if matrix.cost(row, column) <= cheapest
                        && (!by_size || large(row, column, matrix.largest(column)))
                    {
                        cheapest = consider(row, column);
                    }
                }
            }
            if cheapest < u64::MAX {
                patience -= 1;
            }
        }
        best.map(|(.., row, column)| (row, column))
    }
}
