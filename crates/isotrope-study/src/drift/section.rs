//! Poincaré sections: where a trajectory crosses a surface.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::syntax::{ReadError, parse_expression};
use isotrope_algebra::{Budget, OutOfBudget};
use isotrope_derive::{Solved, System};
use isotrope_tape::interpret::Scratch;
use isotrope_tape::{ExpressionError, ProgramError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::evaluated::{Evaluated, EvaluatedError, Place};

/// A surface g(q, v, p, t) = 0, with the derivatives that interpolation needs: accelerations or, where a motion is
/// one of (q, p), first and second derivatives of both.
#[derive(Debug, Clone)]
pub struct Section {
    /// As it was written.
    pub text: String,
    /// The names of the momenta that crossings have: where there is no Lagrangian.
    pub momenta: Vec<String>,
    /// Does a place consist of positions and momenta, instead of velocities?
    in_phase_space: bool,
    /// How many coordinates there are.
    dimension: usize,
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
    /// The expression is too large.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
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
    /// Momenta, where there is no Lagrangian.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<Vec<f64>>,
    /// 1 if the expression (left minus right side) grows, otherwise -1.
    pub direction: i8,
}

/// Positions (in phase space: positions and momenta) with their first and second derivatives at a time, the momenta
/// that are told, and the value of the expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    p: Vec<f64>,
    value: f64,
}

/// Operations for writing the expression and the derivatives.
const OPERATIONS: u64 = 10_000_000;
/// Halvings of the interval in which a crossing lies: to rounding.
const HALVINGS: u32 = 60;

impl Section {
    /// From an expression in coordinates (`x`), velocities (`x'`), momenta (`p_x`), the time and parameters, or an
    /// equation of two.
    pub fn new(system: &System, text: &str) -> Result<Self, SectionError> {
        if system.mechanics.group().is_some() {
            return Err(SectionError::Group);
        }
        // Between rows of output a section interpolates with accelerations, which have to be independent.
        let budget = &mut Budget::new(OPERATIONS);
        let phase = match system.mechanics.hamiltonian_field() {
            Some(_) => system.in_phase_space(budget)?,
            None => None,
        };
        let on = phase.as_ref().unwrap_or(system);
        let Solved { dynamics, eliminated, .. } = match on.mechanics.in_coordinates() {
            Some(parts) if on.mechanics.degenerate().is_none() => parts,
            _ => return Err(SectionError::Hamiltonian),
        };
        let mut pool = on.model.pool.clone();
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
        // Velocities as functions of (q, p), or momenta as functions of (q, v).
        let symbols = &system.symbols;
        let known: Substitution = match (&phase, on.mechanics.first_order()) {
            (Some(_), Some(rates)) => {
                symbols.velocity.iter().copied().zip(rates.to_vec()).collect()
            }
            _ if on.mechanics.has_momenta() => {
                symbols.momentum.iter().copied().zip(dynamics.momenta.clone()).collect()
            }
            _ => Substitution::default(),
        };
        let mut wanted = substitute(&mut pool, &[value], &known, budget)?;
        if let (Some(_), Some(rates)) = (&phase, on.mechanics.first_order()) {
            wanted.extend(rates);
        }
        wanted.extend(&eliminated.acceleration);
        let mut momenta = Vec::new();
        if phase.is_some() {
            wanted.extend(&symbols.momentum);
            momenta.extend(symbols.names.iter().map(|name| format!("p_{name}")));
        }
        let values = Evaluated::new(on, &pool, &wanted)?;
        let (in_phase_space, dimension) = (phase.is_some(), symbols.position.len());
        Ok(Self { text: text.to_owned(), momenta, in_phase_space, dimension, values })
    }

    /// The node at a place, positions and what a motion begins with beside them: velocities or momenta. `None` where
    /// it has no value.
    pub(super) fn node(
        &self,
        (t, q, second): Place<'_>,
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Option<Node> {
        match self.in_phase_space {
            true => self.node_at(t, &[q, second].concat(), None, parameters, scratch),
            false => self.node_at(t, q, Some(second), parameters, scratch),
        }
    }

    /// The node at positions with velocities, or at (q, p), which has its own.
    fn node_at(
        &self,
        t: f64,
        q: &[f64],
        velocities: Option<&[f64]>,
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Option<Node> {
        let unused = vec![0.0; q.len()];
        let place = (t, q, velocities.unwrap_or(&unused));
        let mut values = self.values.at(place, parameters, scratch)?.into_iter();
        let value = values.next()?;
        let mut take = |count: usize| values.by_ref().take(count).collect::<Vec<f64>>();
        let v = velocities.map_or_else(|| take(q.len()), <[f64]>::to_vec);
        let a = take(v.len());
        Some(Node { t, q: q.to_vec(), v, a, p: take(self.momenta.len()), value })
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
        let mut at = |x: f64| {
            let (t, q, v) = between(from, to, x);
            let v = (!self.in_phase_space).then_some(v);
            self.node_at(t, &q, v.as_deref(), parameters, scratch)
        };
        let mut found = at(1.0)?;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let node = at(middle)?;
            if (node.value >= 0.0) == up {
                high = middle;
                found = node;
            } else {
                low = middle;
            }
        }
        let Node { t, mut q, mut v, p, .. } = found;
        q.truncate(self.dimension);
        v.truncate(self.dimension);
        let p = (!self.momenta.is_empty()).then_some(p);
        Some(Crossing { t, q, v, p, direction: if up { 1 } else { -1 } })
    }
}

/// Quintic Hermite interpolation: exact in q to O(h⁶), in v to O(h⁵); in phase space v is evaluated instead.
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
