//! Expressions in the columns of a run.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, OutOfBudget};
use isotrope_derive::System;
use isotrope_tape::interpret::Scratch;

use crate::evaluated::{Evaluated, EvaluatedError};

/// Expressions in columns (`v_x` is also `x'`), parameters and definitions of a model, ready to be evaluated in rows.
#[derive(Debug, Clone)]
pub struct InColumns {
    values: Evaluated,
    /// The columns of its inputs.
    columns: Vec<usize>,
}

/// Why expressions cannot be evaluated in rows.
#[derive(Debug, thiserror::Error)]
pub enum InColumnsError {
    /// Not an expression.
    #[error("`{text}` is not an expression: {reason}")]
    Syntax {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A name without a column.
    #[error("nothing is called `{name}`")]
    Unknown {
        /// The name.
        name: String,
        /// The columns there are.
        columns: Vec<String>,
    },
    /// It has no value.
    #[error("the expressions have no value: {0}")]
    Value(String),
    /// Too large.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

impl From<EvaluatedError> for InColumnsError {
    fn from(error: EvaluatedError) -> Self {
        Self::Value(error.to_string())
    }
}

/// Operations for writing definitions out.
const OPERATIONS: u64 = 1_000_000;

impl InColumns {
    /// Reads expressions in the columns of a run of this system.
    pub fn new(
        system: &System,
        columns: &[String],
        texts: &[&str],
    ) -> Result<Self, InColumnsError> {
        let mut pool = system.model.pool.clone();
        let budget = &mut Budget::new(OPERATIONS);
        let definitions: Substitution = system
            .model
            .definitions
            .iter()
            .filter(|(name, _)| !columns.contains(name))
            .map(|(name, value)| (pool.symbol(name), *value))
            .collect();
        let mut expressions = Vec::with_capacity(texts.len());
        for text in texts {
            let read = parse_expression(&mut pool, text.trim());
            expressions.push(read.map_err(|error| InColumnsError::Syntax {
                text: text.trim().to_owned(),
                reason: error.to_string(),
            })?);
        }
        let expressions = substitute(&mut pool, &expressions, &definitions, budget)?;
        let known: Vec<ExprId> = system.model.parameters.iter().map(|own| own.symbol).collect();
        let mut inputs = Vec::new();
        let mut places = Vec::new();
        for symbol in pool.symbols_in(&expressions) {
            let Some(name) = pool.name_of(symbol).map(str::to_owned) else { continue };
            let column = columns.iter().position(|column| {
                *column == name
                    || name.strip_suffix('\'').is_some_and(|x| *column == format!("v_{x}"))
            });
            match column {
                Some(column) => {
                    inputs.push(symbol);
                    places.push(column);
                }
                None if known.contains(&symbol) => {}
                None => return Err(InColumnsError::Unknown { name, columns: columns.to_vec() }),
            }
        }
        let values = Evaluated::of_inputs(system, &pool, &expressions, &inputs)?;
        Ok(Self { values, columns: places })
    }

    /// The values in a row, in a buffer that is used again; `None` where there are none.
    pub fn seen<'b>(
        &self,
        row: &[f64],
        parameters: &[f64],
        (buffer, scratch): (&'b mut Vec<f64>, &mut Scratch),
    ) -> Option<&'b [f64]> {
        buffer.clear();
        for &column in &self.columns {
            buffer.push(*row.get(column)?);
        }
        self.values.within(buffer, parameters, scratch)
    }

    /// The values in a row; `None` where there are none.
    pub fn at(&self, row: &[f64], parameters: &[f64], scratch: &mut Scratch) -> Option<Vec<f64>> {
        let inputs = self.columns.iter().map(|&k| row.get(k).copied());
        let inputs: Vec<f64> = inputs.collect::<Option<_>>()?;
        self.values.with(inputs, parameters, scratch)
    }
}
