//! The bracket of a system in state space, at states.

use super::field::{BracketEntries, Field};
use super::layout::{Layout, slot};
use super::programs::{Stepper, StepperError};
use super::scheme::Recorder;
use isotrope_tape::Program;
use isotrope_tape::interpret::{Scratch, step};

/// The entries D^{ij} of a bracket that are not zero, i < j, written after the state.
#[derive(Debug, Clone)]
pub struct BracketProgram {
    pattern: Vec<(usize, usize)>,
    program: Program,
}

impl BracketProgram {
    /// The bracket of a field; none if it has none.
    pub(super) fn new(field: &Field, layout: Layout) -> Result<Option<Self>, StepperError> {
        let Some(BracketEntries { pattern, formulas }) = &field.bracket else { return Ok(None) };
        let mut recorder = Recorder::new(field, layout, pattern.len());
        let here = recorder.here.clone();
        let symbols = field.symbols(&mut recorder.builder, &here);
        let values = formulas.record(&mut recorder.builder, &symbols)?;
        for (k, value) in values.into_iter().enumerate() {
            recorder.builder.store(layout.size() + slot(k), value);
        }
        Ok(Some(Self { pattern: pattern.clone(), program: recorder.builder.finish()? }))
    }
}

impl Stepper {
    /// D at a state, row by row; `None` without a bracket, or where it has no value.
    #[must_use]
    pub fn bracket_at(&self, state: &[f64], parameters: &[f64]) -> Option<Vec<Vec<f64>>> {
        let BracketProgram { pattern, program } = self.bracket.as_ref()?;
        let n = self.layout.dimension;
        let mut numbers = state.get(..self.layout.size() as usize)?.to_vec();
        let first = numbers.len();
        numbers.resize(first + pattern.len(), 0.0);
        let made = step(program, &mut numbers, parameters, &mut Scratch::new(program));
        made.is_complete().then_some(())?;
        let mut rows = vec![vec![0.0; n]; n];
        for (&(i, j), &value) in pattern.iter().zip(&numbers[first..]) {
            (rows[i][j], rows[j][i]) = (value, -value);
        }
        Some(rows)
    }
}
