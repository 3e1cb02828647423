//! A point of the state space with enclosures of everything that occurs in the equations.

use crate::{Symbols, System};
use isotrope_algebra::calculus::{SparseRows, gradient};
use isotrope_algebra::evaluate::{EvaluateError, evaluate_balls};
use isotrope_algebra::{Ball, Budget, ExprId, Pool, Precision};
use rustc_hash::FxHashMap;

use super::elimination::Row;

/// Something that has no real value where one is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undefined {
    /// What: in words.
    pub what: String,
    /// Why.
    pub reason: EvaluateError,
}

impl std::fmt::Display for Undefined {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} has no value at the initial point: {}", self.what, self.reason)
    }
}

/// The precision of all evaluations here.
pub fn precision() -> Precision {
    Precision::new(256)
}

/// Values of time, parameters, positions, velocities and momenta.
#[derive(Debug, Clone)]
pub struct Point {
    values: FxHashMap<ExprId, Ball>,
    pub(super) position: Vec<Ball>,
    pub(super) velocity: Vec<Ball>,
    /// As given, for a Hamiltonian model.
    pub(super) momentum: Option<Vec<Ball>>,
}

impl Point {
    /// The initial point of a model.
    pub(super) fn initial(system: &mut System) -> Result<Self, Undefined> {
        let model = &mut system.model;
        let mut point = Self {
            values: FxHashMap::default(),
            position: Vec::new(),
            velocity: Vec::new(),
            momentum: None,
        };
        point.values.insert(model.time, Ball::zero(precision()));
        for parameter in &model.parameters {
            let value = point.evaluate_one(&model.pool, parameter.exact, || {
                format!("the parameter {}", parameter.name)
            })?;
            point.values.insert(parameter.symbol, value);
        }
        let names: Vec<&str> = model.coordinates.iter().map(|c| c.name.as_str()).collect();
        let read = |ids: &[ExprId], what: &str| -> Result<Vec<Ball>, Undefined> {
            ids.iter()
                .zip(&names)
                .map(|(&id, name)| {
                    point.evaluate_one(&model.pool, id, || format!("{what} of {name}"))
                })
                .collect()
        };
        let position = read(&model.initial.position, "the initial position")?;
        let rate = read(&model.initial.rate, "the initial velocity or momentum")?;
        point.set_positions(&system.symbols.position, position);
        system.mechanics.enter(model, &system.symbols, rate, &mut point)?;
        Ok(point)
    }

    /// Values of symbols.
    pub(crate) fn set(&mut self, symbols: &[ExprId], values: Vec<Ball>) {
        self.values.extend(symbols.iter().copied().zip(values));
    }

    /// The momenta of the file, and the velocities H_p that belong to them.
    pub(crate) fn set_momenta(
        &mut self,
        pool: &mut Pool,
        symbols: &Symbols,
        hamiltonian: ExprId,
        momenta: Vec<Ball>,
    ) -> Result<(), Undefined> {
        self.set(&symbols.momentum, momenta.clone());
        let budget = &mut Budget::new(50_000_000);
        let rates = gradient(pool, hamiltonian, &symbols.momentum, budget)
            .unwrap_or_else(|_| vec![ExprId::UNDEFINED; momenta.len()]);
        let velocity = self.evaluate(pool, &rates, || "the initial velocity".into())?;
        self.momentum = Some(momenta);
        self.set_velocities(&symbols.velocity, velocity);
        Ok(())
    }

    pub(crate) fn set_positions(&mut self, symbols: &[ExprId], position: Vec<Ball>) {
        for (&symbol, value) in symbols.iter().zip(&position) {
            self.values.insert(symbol, value.clone());
        }
        self.position = position;
    }

    pub(crate) fn set_velocities(&mut self, symbols: &[ExprId], velocity: Vec<Ball>) {
        for (&symbol, value) in symbols.iter().zip(&velocity) {
            self.values.insert(symbol, value.clone());
        }
        self.velocity = velocity;
    }

    pub(crate) fn evaluate(
        &self,
        pool: &Pool,
        expressions: &[ExprId],
        what: impl FnOnce() -> String,
    ) -> Result<Vec<Ball>, Undefined> {
        evaluate_balls(pool, expressions, &self.values, precision())
            .map_err(|reason| Undefined { what: what(), reason })
    }

    pub(crate) fn evaluate_one(
        &self,
        pool: &Pool,
        expression: ExprId,
        what: impl FnOnce() -> String,
    ) -> Result<Ball, Undefined> {
        self.evaluate(pool, &[expression], what)
            .map(|mut list| list.pop().unwrap_or_else(|| Ball::zero(precision())))
    }

    /// Sparse rows of expressions, evaluated.
    pub(crate) fn rows(
        &self,
        pool: &Pool,
        rows: &SparseRows,
        what: impl FnOnce() -> String,
    ) -> Result<Vec<Row>, Undefined> {
        let entries: Vec<ExprId> = rows.iter().flatten().map(|entry| entry.1).collect();
        let mut values = self.evaluate(pool, &entries, what)?.into_iter();
        Ok(rows
            .iter()
            .map(|row| row.iter().map(|entry| entry.0).zip(values.by_ref()).collect())
            .collect())
    }
}
