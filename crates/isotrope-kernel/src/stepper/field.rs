//! The field of a system, ready for the tape.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::evaluate::{EvaluateError, evaluate_balls};
use isotrope_algebra::{Ball, Budget, ExprId, OutOfBudget, Precision};
use isotrope_scheme::derive::{Mechanics, System};
use rustc_hash::FxHashMap;

use crate::tape::{Builder, ExpressionError, Formulas, ValueId};

/// v' = f(q, v, t) and p' = g(q, v, t) with eliminated multipliers, energy, constraints and momenta.
#[derive(Debug, Clone)]
pub struct Field {
    /// The number of coordinates.
    pub dimension: usize,
    position: Vec<ExprId>,
    velocity: Vec<ExprId>,
    time: ExprId,
    /// Symbols of the parameters, in the order of their values.
    parameters: Vec<ExprId>,
    /// Values of the parameters.
    pub parameter_values: Vec<f64>,
    /// Positions and velocities at the beginning.
    pub initial: (Vec<f64>, Vec<f64>),
    acceleration: Formulas,
    momentum_rate: Formulas,
    momentum: Formulas,
    /// Constant mass matrix with p = M v: then g = M f.
    constant_mass: Option<Vec<Vec<(usize, f64)>>>,
}

/// Why a system has no field for the tape.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FieldError {
    /// Hamilton's equations without a Lagrangian.
    #[error("the system is given by a Hamiltonian without a Lagrangian, which is not compiled yet")]
    Hamiltonian,
    /// An expression that cannot be recorded.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// Parameters in large expressions.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// A parameter or an initial value without a finite number.
    #[error("{what} has no finite value")]
    Value {
        /// Which.
        what: String,
    },
}

const PRECISIONS: [u32; 3] = [128, 512, 2048];
const SUBSTITUTION_BUDGET: u64 = 100_000_000;

impl Field {
    /// The field of a derived system; parameters stay free.
    pub fn new(system: &System) -> Result<Self, FieldError> {
        Self::build(system, false)
    }

    /// The field of a derived system with the values that its parameters have: constants are
    /// computed exactly and rounded once, so that a step is as short as for a system without
    /// parameters.
    pub fn specialised(system: &System) -> Result<Self, FieldError> {
        Self::build(system, true)
    }

    fn build(system: &System, specialised: bool) -> Result<Self, FieldError> {
        let Mechanics::Lagrangian { dynamics, eliminated, .. } = &system.mechanics else {
            return Err(FieldError::Hamiltonian);
        };
        let model = &system.model;
        let pool = &model.pool;
        let mut known: FxHashMap<ExprId, Ball> = FxHashMap::default();
        let parameters: Vec<ExprId> = model.parameters.iter().map(|p| p.symbol).collect();
        let mut parameter_values = Vec::with_capacity(parameters.len());
        for parameter in &model.parameters {
            let value = number(system, parameter.exact, &known).ok_or_else(|| {
                FieldError::Value { what: format!("the parameter {}", parameter.name) }
            })?;
            parameter_values.push(value);
        }
        for parameter in &model.parameters {
            if let Some(ball) = enclosed(system, parameter.exact, &FxHashMap::default()) {
                known.insert(parameter.symbol, ball);
            }
        }
        let numbers = |list: &[ExprId], what: &str| -> Result<Vec<f64>, FieldError> {
            list.iter()
                .zip(&system.symbols.names)
                .map(|(&expression, name)| {
                    number(system, expression, &known).ok_or_else(|| FieldError::Value {
                        what: format!("the initial {what} of {name}"),
                    })
                })
                .collect()
        };
        let initial = (
            numbers(&model.initial.position, "position")?,
            numbers(&model.initial.rate, "velocity")?,
        );
        let constant_mass = constant_mass(system, &dynamics.momenta, &known);
        let formulas = |expressions: &[ExprId]| -> Result<Formulas, FieldError> {
            if !specialised {
                return Ok(Formulas::new(pool, expressions)?);
            }
            let mut pool = pool.clone();
            let values: Substitution =
                model.parameters.iter().map(|p| (p.symbol, p.exact)).collect();
            let budget = &mut Budget::new(SUBSTITUTION_BUDGET);
            let numbers = substitute(&mut pool, expressions, &values, budget)?;
            Ok(Formulas::new(&pool, &numbers)?)
        };
        if specialised {
            parameter_values.clear();
        }
        Ok(Self {
            dimension: system.symbols.position.len(),
            position: system.symbols.position.clone(),
            velocity: system.symbols.velocity.clone(),
            time: system.symbols.time,
            parameters: if specialised { Vec::new() } else { parameters },
            parameter_values,
            initial,
            acceleration: formulas(&eliminated.acceleration)?,
            momentum_rate: formulas(&eliminated.momentum_rate)?,
            momentum: formulas(&dynamics.momenta)?,
            constant_mass,
        })
    }

    fn symbols(
        &self,
        builder: &mut Builder,
        q: &[ValueId],
        v: &[ValueId],
        t: ValueId,
    ) -> FxHashMap<ExprId, ValueId> {
        let mut map: FxHashMap<ExprId, ValueId> = FxHashMap::default();
        for (slot, &symbol) in self.parameters.iter().enumerate() {
            let slot = u32::try_from(slot).unwrap_or(u32::MAX);
            map.insert(symbol, builder.parameter(slot));
        }
        map.extend(self.position.iter().copied().zip(q.iter().copied()));
        map.extend(self.velocity.iter().copied().zip(v.iter().copied()));
        map.insert(self.time, t);
        map
    }

    /// f at a point.
    pub fn acceleration(
        &self,
        builder: &mut Builder,
        q: &[ValueId],
        v: &[ValueId],
        t: ValueId,
    ) -> Result<Vec<ValueId>, ExpressionError> {
        let symbols = self.symbols(builder, q, v, t);
        self.acceleration.record(builder, &symbols)
    }

    /// g at a point.
    pub fn momentum_rate(
        &self,
        builder: &mut Builder,
        q: &[ValueId],
        v: &[ValueId],
        t: ValueId,
    ) -> Result<Vec<ValueId>, ExpressionError> {
        let symbols = self.symbols(builder, q, v, t);
        self.momentum_rate.record(builder, &symbols)
    }

    /// ∂L/∂v at a point.
    pub fn momentum(
        &self,
        builder: &mut Builder,
        q: &[ValueId],
        v: &[ValueId],
        t: ValueId,
    ) -> Result<Vec<ValueId>, ExpressionError> {
        let symbols = self.symbols(builder, q, v, t);
        self.momentum.record(builder, &symbols)
    }

    /// The rows of M, if p = M v with constant numbers.
    pub fn constant_mass(&self) -> Option<&[Vec<(usize, f64)>]> {
        self.constant_mass.as_deref()
    }
}

fn enclosed(system: &System, expression: ExprId, known: &FxHashMap<ExprId, Ball>) -> Option<Ball> {
    let precision = Precision::new(PRECISIONS[0]);
    let values: FxHashMap<ExprId, Ball> = known.clone();
    evaluate_balls(&system.model.pool, &[expression], &values, precision).ok()?.pop()
}

/// The double nearest to a constant expression, if it is finite.
fn number(system: &System, expression: ExprId, known: &FxHashMap<ExprId, Ball>) -> Option<f64> {
    for bits in PRECISIONS {
        let precision = Precision::new(bits);
        let result = evaluate_balls(&system.model.pool, &[expression], known, precision);
        match result {
            Ok(balls) => {
                if let Some(value) = balls.first().and_then(Ball::to_f64_certain) {
                    return value.is_finite().then_some(value);
                }
            }
            Err(EvaluateError::Number(_)) => {}
            Err(_) => return None,
        }
    }
    enclosed(system, expression, known).map(|ball| ball.to_f64()).filter(|value| value.is_finite())
}

/// Is p = M v with numbers M? Then momenta need no second evaluation of the field.
fn constant_mass(
    system: &System,
    momenta: &[ExprId],
    known: &FxHashMap<ExprId, Ball>,
) -> Option<Vec<Vec<(usize, f64)>>> {
    let mut pool = system.model.pool.clone();
    let velocity = &system.symbols.velocity;
    let budget = &mut Budget::new(10_000_000);
    let rows = isotrope_algebra::calculus::jacobian(&mut pool, momenta, velocity, budget).ok()?;
    let zeros: Substitution = velocity.iter().map(|&v| (v, ExprId::ZERO)).collect();
    let rest = substitute(&mut pool, momenta, &zeros, budget).ok()?;
    if rest.iter().any(|&expression| expression != ExprId::ZERO) {
        return None;
    }
    let mut mass = Vec::with_capacity(rows.len());
    for row in &rows {
        let mut line = Vec::with_capacity(row.len());
        for &(column, entry) in row {
            // An entry with a coordinate in it has no value here.
            let balls =
                evaluate_balls(&pool, &[entry], known, Precision::new(PRECISIONS[0])).ok()?;
            line.push((column as usize, balls.first()?.to_f64()));
        }
        mass.push(line);
    }
    Some(mass)
}
