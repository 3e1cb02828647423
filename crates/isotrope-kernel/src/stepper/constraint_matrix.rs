//! The matrix A of the constraints A v + b = 0, as a program.

use isotrope_algebra::ExprId;
use isotrope_algebra::calculus::SparseRows;
use isotrope_tape::{Formulas, Program};

use super::field::Field;
use super::layout::{Layout, slot};
use super::programs::StepperError;
use super::scheme::Recorder;

/// The entries of A that are not zero.
#[derive(Debug, Clone)]
pub(super) struct MatrixEntries {
    /// Their rows and columns.
    pub(super) pattern: Vec<(usize, usize)>,
    pub(super) formulas: Formulas,
    /// How many rows there are.
    pub(super) rows: usize,
}

/// The entries of some rows, in the order of [`pattern`].
pub(super) fn entries(rows: &SparseRows) -> Vec<ExprId> {
    rows.iter().flatten().map(|&(_, value)| value).collect()
}

/// The places of the entries of some rows.
pub(super) fn pattern(rows: &SparseRows) -> Vec<(usize, usize)> {
    let places = |(a, row): (usize, &Vec<(u32, ExprId)>)| -> Vec<(usize, usize)> {
        row.iter().map(|&(column, _)| (a, column as usize)).collect()
    };
    rows.iter().enumerate().flat_map(places).collect()
}

/// Writes the entries of A after the state.
#[derive(Debug, Clone)]
pub struct MatrixProgram {
    /// The program.
    pub program: Program,
    /// Rows and columns of the entries.
    pub pattern: Vec<(usize, usize)>,
    /// How many rows there are. Constraints that follow from others are not among them.
    pub rows: usize,
}

impl MatrixProgram {
    /// Nothing without constraints.
    pub(super) fn new(field: &Field, layout: Layout) -> Result<Option<Self>, StepperError> {
        let MatrixEntries { pattern, formulas, rows } = &field.matrix;
        if *rows == 0 {
            return Ok(None);
        }
        let mut recorder = Recorder::new(field, layout, pattern.len());
        let here = recorder.here.clone();
        let symbols = field.symbols(&mut recorder.builder, &here);
        let values = formulas.record(&mut recorder.builder, &symbols)?;
        for (k, value) in values.into_iter().enumerate() {
            recorder.builder.store(layout.size() + slot(k), value);
        }
        let program = recorder.builder.finish()?;
        Ok(Some(Self { program, pattern: pattern.clone(), rows: *rows }))
    }
}
