//! Expressions in the columns of a run, chosen by whoever looks at it.

use isotrope_derive::System;
use isotrope_tape::interpret::Scratch;

use crate::in_columns::{InColumns, InColumnsError};

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
    values: InColumns,
    parameters: Vec<f64>,
}

/// Why expressions cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawnError {
    /// An expression that has no value in the columns.
    #[error(transparent)]
    Expression(#[from] InColumnsError),
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
}

impl DrawnError {
    /// A way out.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Expression(InColumnsError::Unknown { columns, .. }) => {
                format!("the columns are {}", columns.join(", "))
            }
            Self::Pair { .. } => "write \"x, y\" or \"x : y\"".to_owned(),
            Self::Many { .. } => format!("draw at most {} at once", super::album::MOST),
            _ => "write expressions in columns, separated by commas: \"x, v_x, energy\"".to_owned(),
        }
    }
}

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
        Ok(Self {
            texts: list.iter().map(|part| part.trim().to_owned()).collect(),
            plane,
            values: InColumns::new(system, columns, &list)?,
            parameters: crate::scene::parameters(system),
        })
    }

    /// The values in a row; `None` where there are none.
    pub(super) fn at(&self, row: &[f64], scratch: &mut Scratch) -> Option<Vec<f64>> {
        self.values.at(row, &self.parameters, scratch)
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
