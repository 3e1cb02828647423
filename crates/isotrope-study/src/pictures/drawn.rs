//! Expressions in the columns of a run, chosen by whoever looks at it.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, OutOfBudget};
use isotrope_derive::System;
use isotrope_tape::interpret::Scratch;

use crate::evaluated::{Evaluated, EvaluatedError};

/// Expressions that are drawn: against time, or one against another.
///
/// `x, y, x^2 + y^2` are three curves against time; `theta : p_theta` is one curve in the plane. Names are those of
/// columns (`v_x` is also `x'`), of parameters and of definitions of the model.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// As they were written.
    pub(super) texts: Vec<String>,
    /// Is the second drawn against the first?
    pub(super) plane: bool,
    values: Evaluated,
    /// The columns of its inputs.
    columns: Vec<usize>,
    parameters: Vec<f64>,
}

/// Why expressions cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawnError {
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
    /// More than one curve in the plane.
    #[error("`{text}` is neither a list of expressions nor one pair `X : Y`")]
    Pair {
        /// The text.
        text: String,
    },
    /// More curves than can be told apart.
    #[error("{count} curves cannot be told apart")]
    Many {
        /// How many.
        count: usize,
    },
    /// It has no value.
    #[error("the expressions have no value: {0}")]
    Value(String),
    /// Too large.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

impl DrawnError {
    /// A way out.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Unknown { columns, .. } => format!("the columns are {}", columns.join(", ")),
            Self::Pair { .. } => "write \"x, y\" or \"x : y\"".to_owned(),
            Self::Many { .. } => format!("draw at most {} at once", super::album::MOST),
            _ => "write expressions in columns, separated by commas: \"x, v_x, energy\"".to_owned(),
        }
    }
}

impl From<EvaluatedError> for DrawnError {
    fn from(error: EvaluatedError) -> Self {
        Self::Value(error.to_string())
    }
}

/// Operations for writing definitions out.
const OPERATIONS: u64 = 1_000_000;

impl Drawn {
    /// Reads expressions in the columns of a run of this system.
    pub fn new(system: &System, columns: &[String], text: &str) -> Result<Self, DrawnError> {
        let pair = || DrawnError::Pair { text: text.to_owned() };
        let (list, plane) = match outside_brackets(text, ':')[..] {
            [x, y] => (vec![x, y], true),
            [_] => (outside_brackets(text, ','), false),
            _ => return Err(pair()),
        };
        if plane && list.iter().any(|part| outside_brackets(part, ',').len() > 1) {
            return Err(pair());
        }
        if list.len() > super::album::MOST {
            return Err(DrawnError::Many { count: list.len() });
        }
        let mut pool = system.model.pool.clone();
        let budget = &mut Budget::new(OPERATIONS);
        let definitions: Substitution = system
            .model
            .definitions
            .iter()
            .filter(|(name, _)| !columns.contains(name))
            .map(|(name, value)| (pool.symbol(name), *value))
            .collect();
        let mut expressions = Vec::with_capacity(list.len());
        for part in &list {
            let read = parse_expression(&mut pool, part.trim());
            expressions.push(read.map_err(|error| DrawnError::Syntax {
                text: part.trim().to_owned(),
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
                None => return Err(DrawnError::Unknown { name, columns: columns.to_vec() }),
            }
        }
        Ok(Self {
            texts: list.iter().map(|part| part.trim().to_owned()).collect(),
            plane,
            values: Evaluated::of_inputs(system, &pool, &expressions, &inputs)?,
            columns: places,
            parameters: crate::scene::parameters(system),
        })
    }

    /// The values in a row; `None` where there are none.
    pub(super) fn at(&self, row: &[f64], scratch: &mut Scratch) -> Option<Vec<f64>> {
        let inputs = self.columns.iter().map(|&k| row.get(k).copied());
        let inputs: Vec<f64> = inputs.collect::<Option<_>>()?;
        self.values.with(inputs, &self.parameters, scratch)
    }
}

/// The parts of a text between separators that are outside of brackets.
fn outside_brackets(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0i32;
    text.split(move |character: char| {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && character == separator
    })
    .collect()
}
