//! The order of pivots.

use super::candidates::Candidates;
use super::matrix::Matrix;
use super::{Elimination, EliminationError, Pivot};

/// An elimination without values: the pivots so far, and where entries were met.
#[derive(Debug)]
pub(super) struct Order {
    size: usize,
    matrix: Matrix,
    limit: u64,
    pivots: Vec<Pivot>,
    below: Vec<u32>,
    /// Columns of each row in the order in which they were eliminated; those of its pivot row last.
    met: Vec<Vec<u32>>,
    operations: u64,
}

impl Order {
    fn new(matrix: Matrix, limit: u64) -> Self {
        let size = matrix.rows.len();
        Self {
            size,
            matrix,
            limit,
            pivots: Vec::with_capacity(size),
            below: Vec::new(),
            met: vec![Vec::new(); size],
            operations: 0,
        }
    }

    /// For a symmetric matrix: all pivots on the diagonal, if that can be.
    ///
    /// With numbers it can if all pivots have the same sign: then the matrix is definite, and any
    /// order is stable.
    pub(super) fn on_the_diagonal(
        matrix: Matrix,
        limit: u64,
    ) -> Result<Option<Self>, EliminationError> {
        let mut order = Self::new(matrix, limit);
        let mut candidates = Candidates::new(&order.matrix);
        let mut sign = None;
        for _ in 0..order.size {
            let Some(pivot) = candidates.on_the_diagonal() else { return Ok(None) };
            if order.matrix.measured {
                let number = order.matrix.value(pivot.0, pivot.1);
                let positive = number > 0.0;
                if number == 0.0 || !number.is_finite() || *sign.get_or_insert(positive) != positive
                {
                    return Ok(None);
                }
            }
            order.take(pivot, &mut candidates, true)?;
        }
        Ok(Some(order))
    }

    /// Pivots from the whole matrix.
    pub(super) fn anywhere(matrix: Matrix, limit: u64) -> Result<Self, EliminationError> {
        let mut order = Self::new(matrix, limit);
        let mut candidates = Candidates::new(&order.matrix);
        for _ in 0..order.size {
            let on_the_diagonal =
                if order.matrix.measured { None } else { candidates.on_the_diagonal() };
            let pivot = on_the_diagonal
                .or_else(|| candidates.anywhere(&order.matrix))
                .ok_or(EliminationError::Singular { size: order.size })?;
            order.take(pivot, &mut candidates, false)?;
        }
        Ok(order)
    }

    fn take(
        &mut self,
        (row, column): (u32, u32),
        candidates: &mut Candidates,
        symmetric: bool,
    ) -> Result<(), EliminationError> {
        let down = self.matrix.columns[column as usize].len() as u64 - 1;
        let across = self.matrix.rows[row as usize].len() as u64 - 1;
        let updates = if symmetric { down * (down + 1) / 2 } else { down * across };
        // Factors, updates of the matrix and of the right-hand side, and the way back.
        self.operations += down + updates + down + across + 1;
        if self.operations > self.limit {
            let (size, operations, limit) = (self.size, self.operations, self.limit);
            return Err(EliminationError::TooLarge { size, operations, limit });
        }
        let (rows, columns) = self.matrix.eliminate(row, column);
        candidates.update(&self.matrix, (row, column), &rows, &columns);
        for &i in &rows {
            self.met[i as usize].push(column);
        }
        self.met[row as usize].push(column);
        self.met[row as usize].extend_from_slice(&columns);
        self.below.extend_from_slice(&rows);
        self.pivots.push(Pivot { row, column, end: self.below.len() as u32 });
        Ok(())
    }

    pub(super) fn into_elimination(
        self,
        pattern: &[(usize, usize)],
        symmetric: bool,
    ) -> Elimination {
        let mut rows = vec![0u32];
        let mut columns = Vec::new();
        for (row, mut met) in self.met.into_iter().enumerate() {
            met.sort_unstable();
            columns.extend(met.into_iter().filter(|&column| !symmetric || column as usize >= row));
            rows.push(columns.len() as u32);
        }
        let mut elimination = Elimination {
            size: self.size,
            input: Vec::new(),
            rows,
            columns,
            pivots: self.pivots,
            below: self.below,
            symmetric,
            operations: self.operations,
        };
        elimination.input = pattern
            .iter()
            .map(|&(row, column)| {
                let own = !symmetric || row <= column;
                let position = elimination.position(row as u32, column as u32);
                position.filter(|_| own).map(|position| position as u32)
            })
            .collect();
        elimination
    }
}
