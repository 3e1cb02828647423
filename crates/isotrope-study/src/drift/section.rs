//! Poincaré sections: where a trajectory crosses a surface.

use isotrope_algebra::syntax::{ReadError, parse_expression};
use isotrope_derive::{Solved, System};
use isotrope_tape::interpret::Scratch;
use isotrope_tape::{ExpressionError, ProgramError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::evaluated::{Evaluated, EvaluatedError, Place};

/// A surface g(q, v, t) = 0, with the accelerations that interpolation needs.
#[derive(Debug, Clone)]
pub struct Section {
    /// As it was written.
    pub text: String,
    values: Evaluated,
}

/// Why a text is not a surface.
#[derive(Debug, thiserror::Error)]
pub enum SectionError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// More than one equals sign.
    #[error("a section is one expression, or an equation with two sides")]
    Sides,
    /// A name that the model does not have.
    #[error("the model has no coordinate, velocity or parameter `{name}`")]
    Name {
        /// It.
        name: String,
    },
    /// An expression without a value.
    #[error(transparent)]
    Expression(ExpressionError),
    /// A system without accelerations.
    #[error("the system has no accelerations by formulas")]
    Hamiltonian,
    /// Configurations that are not coordinates.
    #[error("the configurations of the model are a Lie group, which sections do not take")]
    Group,
    /// A program; never seen.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl From<EvaluatedError> for SectionError {
    fn from(error: EvaluatedError) -> Self {
        match error {
            EvaluatedError::Expression(ExpressionError::UnknownSymbol { name }) => {
                Self::Name { name }
            }
            EvaluatedError::Expression(other) => Self::Expression(other),
            EvaluatedError::Program(other) => Self::Program(other),
        }
    }
}

/// A place where the surface was crossed.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Crossing {
    /// When.
    pub t: f64,
    /// Positions, in the order of the model.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// 1 if the expression (left minus right side) grows, otherwise -1.
    pub direction: i8,
}

/// Positions, velocities and accelerations at a time, and the value of the expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    value: f64,
}

/// Halvings of the interval in which a crossing lies: to rounding.
const HALVINGS: u32 = 60;

impl Section {
    /// From an expression in coordinates (`x`), velocities (`x'`), the time and parameters, or an
    /// equation of two.
    pub fn new(system: &System, text: &str) -> Result<Self, SectionError> {
        if system.mechanics.group().is_some() {
            return Err(SectionError::Group);
        }
        // Between rows of output a section interpolates with accelerations, which have to be independent.
        let Solved { eliminated, .. } = match system.mechanics.in_coordinates() {
            Some(parts) if system.mechanics.degenerate().is_none() => parts,
            _ => return Err(SectionError::Hamiltonian),
        };
        let mut pool = system.model.pool.clone();
        let sides: Vec<&str> = text.split('=').collect();
        let value = match sides[..] {
            [one] => parse_expression(&mut pool, one)?,
            [left, right] => {
                let (left, right) =
                    (parse_expression(&mut pool, left)?, parse_expression(&mut pool, right)?);
                pool.sub(left, right)
            }
            _ => return Err(SectionError::Sides),
        };
        let mut wanted = vec![value];
        wanted.extend(&eliminated.acceleration);
        let values = Evaluated::new(system, &pool, &wanted)?;
        Ok(Self { text: text.to_owned(), values })
    }

    /// The node at a place; `None` where it has no value.
    pub(super) fn node(
        &self,
        (t, q, v): Place<'_>,
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Option<Node> {
        let values = self.values.at((t, q, v), parameters, scratch)?;
        let (&value, a) = values.split_first()?;
        let a = a.to_vec();
        Some(Node { t, q: q.to_vec(), v: v.to_vec(), a, value })
    }

    /// Where the surface is crossed between two nodes, by the polynomial of degree 5 through their
    /// positions, velocities and accelerations.
    pub(super) fn crossing(
        &self,
        from: &Node,
        to: &Node,
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Option<Crossing> {
        let up = from.value < 0.0 && to.value >= 0.0;
        let down = from.value > 0.0 && to.value <= 0.0;
        if !up && !down {
            return None;
        }
        let (mut low, mut high) = (0.0, 1.0);
        let mut found = between(from, to, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let (t, q, v) = between(from, to, middle);
            let value = self.node((t, &q, &v), parameters, scratch)?.value;
            if (value >= 0.0) == up {
                high = middle;
                found = (t, q, v);
            } else {
                low = middle;
            }
        }
        let (t, q, v) = found;
        Some(Crossing { t, q, v, direction: if up { 1 } else { -1 } })
    }
}

/// Quintic Hermite interpolation: exact in q to O(h⁶), in v to O(h⁵).
fn between(from: &Node, to: &Node, x: f64) -> (f64, Vec<f64>, Vec<f64>) {
    let h = to.t - from.t;
    let (x2, x3, x4) = (x * x, x * x * x, x * x * x * x);
    let x5 = x4 * x;
    let values = [
        10.0 * x3 - 15.0 * x4 + 6.0 * x5,
        x - 6.0 * x3 + 8.0 * x4 - 3.0 * x5,
        0.5 * x2 - 1.5 * x3 + 1.5 * x4 - 0.5 * x5,
        -4.0 * x3 + 7.0 * x4 - 3.0 * x5,
        0.5 * x3 - x4 + 0.5 * x5,
    ];
    let rates = [
        30.0 * x2 - 60.0 * x3 + 30.0 * x4,
        1.0 - 18.0 * x2 + 32.0 * x3 - 15.0 * x4,
        x - 4.5 * x2 + 6.0 * x3 - 2.5 * x4,
        -12.0 * x2 + 28.0 * x3 - 15.0 * x4,
        1.5 * x2 - 4.0 * x3 + 2.5 * x4,
    ];
    let combine = |w: [f64; 5], i: usize| {
        w[0] * (to.q[i] - from.q[i])
            + h * (w[1] * from.v[i] + w[3] * to.v[i])
            + h * h * (w[2] * from.a[i] + w[4] * to.a[i])
    };
    let all = 0..from.q.len();
    let q = all.clone().map(|i| from.q[i] + combine(values, i)).collect();
    let v = all.map(|i| combine(rates, i) / h).collect();
    (from.t + x * h, q, v)
}
