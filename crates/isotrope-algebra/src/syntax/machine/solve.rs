//! Unevaluated linear solves, dense and sparse.

use super::Machine;
use crate::Rational;
use crate::pool::{ExprId, Pool};
use crate::syntax::LowerErrorKind;

impl Machine<'_> {
    fn take_index(&mut self, pool: &Pool, size: usize) -> Result<u32, LowerErrorKind> {
        let value = self.pop();
        pool.as_number(value)
            .and_then(Rational::as_integer)
            .and_then(|index| u32::try_from(index - 1).ok())
            .filter(|index| (*index as usize) < size)
            .ok_or(LowerErrorKind::SolveIndex)
    }

    fn take_values(&mut self, count: usize) -> Vec<ExprId> {
        let start = self.values.len().saturating_sub(count);
        self.values.drain(start..).map(|(value, _)| value).collect()
    }

    pub(super) fn solve_dense(
        &mut self,
        size: usize,
        pool: &mut Pool,
    ) -> Result<ExprId, LowerErrorKind> {
        let component = self.take_index(pool, size)?;
        let right = self.take_values(size);
        let matrix = self.take_values(size * size);
        let entries: Vec<_> = matrix
            .iter()
            .enumerate()
            .map(|(k, entry)| ((k / size) as u32, (k % size) as u32, *entry))
            .collect();
        component_of(pool, &entries, &right, component)
    }

    pub(super) fn solve_sparse(
        &mut self,
        size: usize,
        count: usize,
        pool: &mut Pool,
    ) -> Result<ExprId, LowerErrorKind> {
        let component = self.take_index(pool, size)?;
        let right = self.take_values(size);
        let mut entries = Vec::with_capacity(count);
        for _ in 0..count {
            let value = self.pop();
            let column = self.take_index(pool, size)?;
            let row = self.take_index(pool, size)?;
            entries.push((row, column, value));
        }
        // The declared size must be the length of the right side.
        if self.take_index(pool, size)? as usize + 1 != size {
            return Err(LowerErrorKind::SolveIndex);
        }
        entries.sort_unstable();
        if entries.windows(2).any(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            return Err(LowerErrorKind::SolveIndex);
        }
        component_of(pool, &entries, &right, component)
    }
}

fn component_of(
    pool: &mut Pool,
    entries: &[(u32, u32, ExprId)],
    right: &[ExprId],
    component: u32,
) -> Result<ExprId, LowerErrorKind> {
    let system = pool.system(entries, right);
    Ok(pool.solution(system, component))
}
