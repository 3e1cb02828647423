//! The field of a system, ready for the tape.

use isotrope_algebra::calculus::{SparseRows, Substitution, substitute};
use isotrope_algebra::evaluate::{EvaluateError, evaluate_balls};
use isotrope_algebra::{Ball, Budget, ExprId, OutOfBudget, Pool, Precision};
use isotrope_derive::{HamiltonianField, Solved, System, Written};
use rustc_hash::FxHashMap;

use super::constraint_matrix::{MatrixEntries, entries, pattern};
use super::layout::slot;
use super::switches::Switches;
use super::trivialisation::Trivialisation;
use super::watched::Watched;
use isotrope_tape::{Builder, ExpressionError, Formulas, ProgramError, ValueId};

/// The entries of a bracket that are not zero, above the diagonal.
#[derive(Debug, Clone)]
pub(super) struct BracketEntries {
    /// Their places (i, j), i < j.
    pub(super) pattern: Vec<(usize, usize)>,
    pub(super) formulas: Formulas,
}

/// v' = f(q, v, t) and p' = g(q, v, t) with eliminated multipliers, energy, constraints and momenta. Of
/// Hamilton's equations without a Lagrangian all are functions of (q, p, t).
#[derive(Debug, Clone)]
pub struct Field {
    /// The number of coordinates, or of numbers of a configuration.
    pub dimension: usize,
    /// The number of velocities.
    pub rates: usize,
    pub(super) position: Vec<ExprId>,
    pub(super) velocity: Vec<ExprId>,
    pub(super) momenta: Vec<ExprId>,
    pub(super) time: ExprId,
    /// Symbols of the parameters, in the order of their values.
    pub(super) parameters: Vec<ExprId>,
    /// Values of the parameters.
    pub parameter_values: Vec<f64>,
    /// Positions and velocities at the beginning; momenta instead of velocities where v = H_p(q, p, t).
    pub initial: (Vec<f64>, Vec<f64>),
    pub(super) acceleration: Formulas,
    /// v = f(q, t), where the equations are of first order.
    pub(super) rate: Option<Formulas>,
    /// v = H_p(q, p, t), where there is no Lagrangian.
    pub(super) velocity_of_momenta: Option<Formulas>,
    /// The bracket of a system that keeps one.
    pub(super) bracket: Option<BracketEntries>,
    /// Are there momenta? Not in state space.
    pub has_momenta: bool,
    /// Is there an energy? Not where equations are given without one.
    pub has_energy: bool,
    pub(super) momentum_rate: Formulas,
    pub(super) momentum: Formulas,
    /// ∂p_i/∂v_i.
    pub(super) mass: Formulas,
    pub(super) energy: Formulas,
    /// F·v − L_t − λ·b, if it is not zero.
    pub(super) power: Option<Formulas>,
    pub(super) position_level: Formulas,
    pub(super) velocity_level: Formulas,
    /// A, without constraints that follow from others.
    pub(super) matrix: MatrixEntries,
    pub(super) multipliers: Formulas,
    pub(super) conserved: Formulas,
    pub(super) outputs: Formulas,
    /// Names of the outputs of a system in state space.
    pub output_names: Vec<String>,
    /// The entries of a magnetic 2-form, row by row.
    pub(super) magnetic: Option<Formulas>,
    /// Names of the constraints.
    pub constraint_names: Vec<String>,
    /// How many constraints are on positions.
    pub position_constraints: usize,
    /// Names of conserved momenta.
    pub conserved_names: Vec<String>,
    /// Those of them that discrete principles of least action keep; none unless set.
    pub strictly_conserved: Vec<usize>,
    /// Those of them that certificates are about: momenta of motions of a group, Casimir functions; none unless set.
    pub certified_conserved: Vec<usize>,
    /// Names of the coordinates.
    pub coordinate_names: Vec<String>,
    /// Names of velocities and momenta.
    pub rate_names: Vec<String>,
    /// The rotations among the numbers of a configuration.
    pub rotations: Vec<Rotation>,
    /// How changes of a configuration on a group are seen from the body.
    pub trivialisation: Option<Trivialisation>,
    /// Do accelerations depend on velocities?
    pub velocities_matter: bool,
    /// Constant mass matrix with p = M v: then g = M f.
    pub(super) constant_mass: Option<ConstantMass>,
    /// Times at which it has kinks and jumps.
    pub(super) switches: Switches,
    /// What switches by the state.
    pub(super) watched: Option<Watched>,
}

/// A rotation of a configuration on a Lie group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotation {
    /// Its first number.
    pub first: usize,
    /// Its numbers: 4 of a quaternion, 2 of (cos, sin).
    pub count: usize,
    /// The first component of its angular velocity.
    pub rate: usize,
    /// How many numbers after its own are the translation that belongs to it.
    pub shifts: usize,
}

impl Rotation {
    /// The size of its matrix, and how many components its angular velocity has.
    #[must_use]
    pub fn size(self) -> (usize, usize) {
        if self.count == 4 { (3, 3) } else { (2, 1) }
    }

    /// The matrix by rows, from the numbers of a configuration.
    #[must_use]
    pub fn matrix(self, numbers: &[f64]) -> Vec<f64> {
        match *numbers.get(self.first..self.first + self.count).unwrap_or_default() {
            [cos, sin] => vec![cos, -sin, sin, cos],
            [e, x, y, z] => {
                let own = e * e;
                let d = |a: f64, b: f64, c: f64| own + a * a - b * b - c * c;
                let p = |a: f64, b: f64, c: f64| 2.0 * (a * b + e * c);
                vec![
                    d(x, y, z),
                    p(x, y, -z),
                    p(x, z, y),
                    p(x, y, z),
                    d(y, z, x),
                    p(y, z, -x),
                    p(x, z, -y),
                    p(y, z, x),
                    d(z, x, y),
                ]
            }
            _ => Vec::new(),
        }
    }
}

/// A mass matrix of parameters alone: columns of the nonzero entries in each row, and their values.
#[derive(Debug, Clone)]
pub(super) struct ConstantMass {
    pattern: Vec<Vec<usize>>,
    formulas: Formulas,
}

/// Rows of a matrix on a tape.
pub(super) type MassRows = Vec<Vec<(usize, ValueId)>>;

/// A place where formulas are evaluated.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub q: Vec<ValueId>,
    pub v: Vec<ValueId>,
    /// Momenta, which only Hamilton's equations ask for.
    pub p: Vec<ValueId>,
    pub t: ValueId,
}

/// What can be asked of a field at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    Acceleration,
    /// f(q, t) of equations of first order; nothing otherwise.
    Rate,
    /// H_p(q, p, t) of Hamilton's equations; nothing otherwise.
    Velocity,
    MomentumRate,
    Momentum,
    /// The diagonal of the mass matrix, ∂p_i/∂v_i.
    Mass,
    Energy,
    /// Nothing if the energy does not change.
    Power,
    PositionLevel,
    VelocityLevel,
    Multipliers,
    Conserved,
    /// Outputs of a system in state space.
    Outputs,
}

/// f and its partial derivatives.
#[derive(Debug, Clone)]
pub(super) struct Linearisation {
    /// f, then the derivatives in the order of the pattern.
    pub formulas: Formulas,
    /// Component of f, and variable: q, then v.
    pub pattern: Vec<(usize, usize)>,
}

/// Why a system has no field for the tape.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FieldError {
    /// Accelerations of Hamilton's equations, which are steps in (q, p); never seen.
    #[error("Hamilton's equations have no accelerations as functions of (q, v)")]
    NoAccelerations,
    /// An expression that cannot be recorded.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A program; never seen.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The budget ran out.
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

impl Field {
    /// The field of a derived system, and which of its momenta are to be watched: names and
    /// expressions in (q, v, t).
    pub fn new(system: &System, conserved: &[(String, ExprId)]) -> Result<Self, FieldError> {
        if let Some(mechanics) = system.mechanics.group() {
            return Self::on_group(system, mechanics, conserved);
        }
        let alone = system.mechanics.hamiltonian_field();
        let parts = system.mechanics.in_coordinates().or(alone.map(HamiltonianField::in_momenta));
        let parts = parts.ok_or(FieldError::NoAccelerations)?;
        let Solved { dynamics, eliminated, rows } = parts;
        let model = &system.model;
        let mut pool = model.pool.clone();
        let power = power(&mut pool, system, parts);
        let (output_names, outputs) = outputs(&mut pool, system)?;
        let budget = &mut Budget::new(10_000_000);
        let initial_rates = match alone {
            Some(_) => model.initial.rate.clone(),
            None => {
                system.mechanics.initial_velocities(&mut pool, model, &system.symbols, budget)?
            }
        };
        let mut driving = eliminated.acceleration.clone();
        driving.extend(system.mechanics.first_order().into_iter().flatten());
        driving.extend(
            alone
                .into_iter()
                .flat_map(|field| field.position_rate.iter().chain(&field.momentum_rate).copied()),
        );
        driving.push(power);
        let switches = switches(&mut pool, system, &driving);
        let symbols = &system.symbols;
        let mut components = symbols.position.clone();
        if system.mechanics.first_order().is_none() {
            components.extend(if alone.is_some() { &symbols.momentum } else { &symbols.velocity });
        }
        let watched = Watched::new(&mut pool, &driving, &components, symbols.time)?;
        let pool = &pool;
        let (parameters, parameter_values, known) = parameters(system, pool)?;
        let numbers = |list: &[ExprId], what: &str| -> Result<Vec<f64>, FieldError> {
            list.iter()
                .zip(&system.symbols.names)
                .map(|(&expression, name)| {
                    number(pool, expression, &known).ok_or_else(|| FieldError::Value {
                        what: format!("the initial {what} of {name}"),
                    })
                })
                .collect()
        };
        let initial = (
            numbers(&model.initial.position, "position")?,
            numbers(&initial_rates, if alone.is_some() { "momentum" } else { "velocity" })?,
        );
        let (constant_mass, mass) = mass(system, &dynamics.momenta)?;
        let below = pool.reachable(&eliminated.acceleration);
        let mut velocities = system.symbols.velocity.iter();
        let velocities_matter = velocities.any(|v| below.binary_search(v).is_ok());
        let positions = system.mechanics.on_positions();
        let mut rates = rows.velocity_level.clone();
        rates.extend(rows.redundant.iter().map(|row| row.velocity_level));
        let conserved_expressions: Vec<ExprId> = conserved.iter().map(|(_, id)| *id).collect();
        Ok(Self {
            dimension: system.symbols.position.len(),
            rates: system.symbols.velocity.len(),
            position: system.symbols.position.clone(),
            velocity: system.symbols.velocity.clone(),
            momenta: alone.map_or_else(Vec::new, |_| system.symbols.momentum.clone()),
            time: system.symbols.time,
            parameters,
            parameter_values,
            initial,
            acceleration: Formulas::new(pool, &eliminated.acceleration)?,
            rate: system
                .mechanics
                .first_order()
                .map(|rates| Formulas::new(pool, rates))
                .transpose()?,
            velocity_of_momenta: alone
                .map(|field| Formulas::new(pool, &field.position_rate))
                .transpose()?,
            bracket: bracket(system, pool)?,
            has_momenta: system.mechanics.has_momenta(),
            has_energy: system.mechanics.has_energy(),
            momentum_rate: Formulas::new(pool, &eliminated.momentum_rate)?,
            momentum: Formulas::new(pool, &dynamics.momenta)?,
            mass,
            energy: Formulas::new(pool, &[dynamics.energy])?,
            power: (!power.is_zero()).then(|| Formulas::new(pool, &[power])).transpose()?,
            position_level: Formulas::new(pool, &positions)?,
            velocity_level: Formulas::new(pool, &rates)?,
            matrix: MatrixEntries {
                pattern: pattern(&rows.matrix),
                formulas: Formulas::new(pool, &entries(&rows.matrix))?,
                rows: rows.matrix.len(),
            },
            multipliers: Formulas::new(pool, &eliminated.all_multipliers)?,
            conserved: Formulas::new(pool, &conserved_expressions)?,
            outputs: Formulas::new(pool, &outputs)?,
            output_names,
            magnetic: match &system.magnetic {
                Some(magnetic) => Some(Formulas::new(pool, magnetic.form.matrix.entries())?),
                None => None,
            },
            constraint_names: rows.all_names(),
            position_constraints: positions.len(),
            conserved_names: conserved.iter().map(|(name, _)| name.clone()).collect(),
            strictly_conserved: Vec::new(),
            certified_conserved: Vec::new(),
            coordinate_names: system.symbols.names.clone(),
            rate_names: system.symbols.names.clone(),
            rotations: Vec::new(),
            trivialisation: None,
            velocities_matter,
            constant_mass,
            switches,
            watched,
        })
    }

    /// Values for the symbols of the model.
    pub(super) fn symbols(
        &self,
        builder: &mut Builder,
        point: &Point,
    ) -> FxHashMap<ExprId, ValueId> {
        let mut map: FxHashMap<ExprId, ValueId> = FxHashMap::default();
        for (k, &symbol) in self.parameters.iter().enumerate() {
            map.insert(symbol, builder.parameter(slot(k)));
        }
        map.extend(self.position.iter().copied().zip(point.q.iter().copied()));
        map.extend(self.velocity.iter().copied().zip(point.v.iter().copied()));
        map.extend(self.momenta.iter().copied().zip(point.p.iter().copied()));
        map.insert(self.time, point.t);
        map
    }

    /// One of the quantities at a point.
    pub(super) fn at(
        &self,
        builder: &mut Builder,
        quantity: Quantity,
        point: &Point,
    ) -> Result<Vec<ValueId>, ExpressionError> {
        let formulas = match quantity {
            Quantity::Acceleration => &self.acceleration,
            Quantity::MomentumRate => &self.momentum_rate,
            Quantity::Momentum => &self.momentum,
            Quantity::Mass => &self.mass,
            Quantity::Energy => &self.energy,
            Quantity::PositionLevel => &self.position_level,
            Quantity::VelocityLevel => &self.velocity_level,
            Quantity::Multipliers => &self.multipliers,
            Quantity::Conserved => &self.conserved,
            Quantity::Outputs => &self.outputs,
            Quantity::Rate => match &self.rate {
                Some(rate) => rate,
                None => return Ok(Vec::new()),
            },
            Quantity::Velocity => match &self.velocity_of_momenta {
                Some(velocity) => velocity,
                None => return Ok(Vec::new()),
            },
            Quantity::Power => match &self.power {
                Some(power) => power,
                None => return Ok(Vec::new()),
            },
        };
        let symbols = self.symbols(builder, point);
        formulas.record(builder, &symbols)
    }

    /// Is p = M v with M of parameters alone?
    pub(super) fn has_constant_mass(&self) -> bool {
        self.constant_mass.is_some()
    }

    /// Are momenta given and velocities functions of them, v = H_p(q, p, t)?
    #[must_use]
    pub fn is_in_momenta(&self) -> bool {
        self.velocity_of_momenta.is_some()
    }

    /// Does the energy change by work?
    #[must_use]
    pub fn has_power(&self) -> bool {
        self.power.is_some()
    }

    /// The sparse partial derivatives of f in q and v (columns n and more), with f itself.
    pub(super) fn linearised(
        &self,
        system: &System,
        budget: &mut Budget,
    ) -> Result<Linearisation, FieldError> {
        let Solved { eliminated, .. } =
            system.mechanics.in_coordinates().ok_or(FieldError::NoAccelerations)?;
        let mut pool = system.model.pool.clone();
        let mut variables = self.position.clone();
        variables.extend(&self.velocity);
        let rows = isotrope_algebra::calculus::jacobian(
            &mut pool,
            &eliminated.acceleration,
            &variables,
            budget,
        )?;
        let mut expressions = eliminated.acceleration.clone();
        let mut pattern = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for &(j, value) in row {
                pattern.push((i, j as usize));
                expressions.push(value);
            }
        }
        Ok(Linearisation { formulas: Formulas::new(&pool, &expressions)?, pattern })
    }

    /// The rows of M as columns and values, if p = M v with M of parameters alone.
    pub(super) fn constant_mass(
        &self,
        builder: &mut Builder,
        point: &Point,
    ) -> Result<Option<MassRows>, ExpressionError> {
        let Some(ConstantMass { pattern, formulas }) = &self.constant_mass else {
            return Ok(None);
        };
        let symbols = self.symbols(builder, point);
        let mut values = formulas.record(builder, &symbols)?.into_iter();
        let rows = pattern.iter();
        Ok(Some(rows.map(|row| row.iter().copied().zip(values.by_ref()).collect()).collect()))
    }
}

/// The bracket of a system in state space that keeps it: without R and without ports.
fn bracket(system: &System, pool: &Pool) -> Result<Option<BracketEntries>, FieldError> {
    let Some(state) = system.mechanics.state() else { return Ok(None) };
    let Some(rows) = state.bracket() else { return Ok(None) };
    let (mut pattern, mut entries) = (Vec::new(), Vec::new());
    for (i, row) in rows.iter().enumerate() {
        for (j, &entry) in row.iter().enumerate().skip(i + 1) {
            if !entry.is_zero() {
                pattern.push((i, j));
                entries.push(entry);
            }
        }
    }
    Ok(Some(BracketEntries { pattern, formulas: Formulas::new(pool, &entries)? }))
}

/// The outputs of the file, then those that belong to the inputs, y = gᵀ ∇H, where no other has their name.
fn outputs(pool: &mut Pool, system: &System) -> Result<(Vec<String>, Vec<ExprId>), FieldError> {
    let Some(state) = system.mechanics.state() else { return Ok(Default::default()) };
    let mut outputs = state.outputs.clone();
    let structure = state.structure.as_ref();
    let natural = structure.map_or(&[][..], |structure| &structure.outputs);
    for (input, &output) in state.inputs.iter().zip(natural) {
        let name = format!("y_{}", input.name);
        if !outputs.iter().any(|(other, _)| *other == name) && !system.symbols.names.contains(&name)
        {
            outputs.push((name, output));
        }
    }
    let driven: Substitution =
        state.inputs.iter().map(|input| (input.symbol, input.value)).collect();
    let (names, values): (Vec<String>, Vec<ExprId>) = outputs.into_iter().unzip();
    Ok((names, substitute(pool, &values, &driven, &mut Budget::new(10_000_000))?))
}

/// F·v − L_t + λ·(A v), with A v = −b where the constraint is linear in the velocities.
fn power(pool: &mut Pool, system: &System, parts: Solved<'_>) -> ExprId {
    let Solved { dynamics, eliminated, rows } = parts;
    let velocity = &system.symbols.velocity;
    let forces = dynamics.working.iter().zip(velocity);
    let mut terms: Vec<ExprId> = forces.map(|(&force, &v)| pool.mul(force, v)).collect();
    terms.push(pool.neg(dynamics.explicit_time));
    for (a, row) in rows.matrix.iter().enumerate() {
        let rate = match rows.written[a] {
            Written::Chetaev => {
                let parts: Vec<ExprId> =
                    row.iter().map(|&(i, value)| pool.mul(value, velocity[i as usize])).collect();
                pool.sum(&parts)
            }
            _ => pool.neg(rows.offset[a]),
        };
        terms.push(pool.mul(eliminated.multipliers[a], rate));
    }
    pool.sum(&terms)
}

/// The switching times of expressions.
pub(super) fn switches(pool: &mut Pool, system: &System, expressions: &[ExprId]) -> Switches {
    let symbols = &system.symbols;
    let parameters: Vec<ExprId> = system.model.parameters.iter().map(|p| p.symbol).collect();
    let moving: Vec<ExprId> = symbols.position.iter().chain(&symbols.velocity).copied().collect();
    Switches::new(pool, expressions, &moving, &parameters, symbols.time)
}

/// Symbols of the parameters, their values and enclosures.
type Known = (Vec<ExprId>, Vec<f64>, FxHashMap<ExprId, Ball>);

pub(super) fn parameters(system: &System, pool: &Pool) -> Result<Known, FieldError> {
    let model = &system.model;
    let mut known: FxHashMap<ExprId, Ball> = FxHashMap::default();
    let parameters: Vec<ExprId> = model.parameters.iter().map(|p| p.symbol).collect();
    let mut parameter_values = Vec::with_capacity(parameters.len());
    for parameter in &model.parameters {
        let value = number(pool, parameter.exact, &known).ok_or_else(|| FieldError::Value {
            what: format!("the parameter {}", parameter.name),
        })?;
        parameter_values.push(value);
    }
    for parameter in &model.parameters {
        if let Some(ball) = enclosed(pool, parameter.exact, &FxHashMap::default()) {
            known.insert(parameter.symbol, ball);
        }
    }
    Ok((parameters, parameter_values, known))
}

fn enclosed(pool: &Pool, expression: ExprId, known: &FxHashMap<ExprId, Ball>) -> Option<Ball> {
    let precision = Precision::new(PRECISIONS[0]);
    let values: FxHashMap<ExprId, Ball> = known.clone();
    evaluate_balls(pool, &[expression], &values, precision).ok()?.pop()
}

/// The double nearest to a constant expression, if it is finite.
pub(super) fn number(
    pool: &Pool,
    expression: ExprId,
    known: &FxHashMap<ExprId, Ball>,
) -> Option<f64> {
    for bits in PRECISIONS {
        let precision = Precision::new(bits);
        let result = evaluate_balls(pool, &[expression], known, precision);
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
    enclosed(pool, expression, known).map(|ball| ball.to_f64()).filter(|value| value.is_finite())
}

/// Is p = M v with M of parameters alone? Then momenta need no second evaluation of the field. And the diagonal
/// of M = ∂p/∂v in any case.
fn mass(
    system: &System,
    momenta: &[ExprId],
) -> Result<(Option<ConstantMass>, Formulas), FieldError> {
    let mut pool = system.model.pool.clone();
    let symbols = &system.symbols;
    let velocity = &symbols.velocity;
    let budget = &mut Budget::new(10_000_000);
    let rows = isotrope_algebra::calculus::jacobian(&mut pool, momenta, velocity, budget)?;
    let diagonal = Formulas::new(&pool, &diagonal(&rows))?;
    let zeros: Substitution = velocity.iter().map(|&v| (v, ExprId::ZERO)).collect();
    let rest = substitute(&mut pool, momenta, &zeros, budget)?;
    let entries: Vec<ExprId> = rows.iter().flatten().map(|entry| entry.1).collect();
    let below = pool.reachable(&entries);
    let moving = symbols.position.iter().chain(velocity).chain([&symbols.time]);
    if rest.iter().any(|&expression| expression != ExprId::ZERO)
        || moving.into_iter().any(|x| below.binary_search(x).is_ok())
    {
        return Ok((None, diagonal));
    }
    let pattern =
        rows.iter().map(|row| row.iter().map(|&(column, _)| column as usize).collect()).collect();
    Ok((Some(ConstantMass { pattern, formulas: Formulas::new(&pool, &entries)? }), diagonal))
}

/// The diagonal of a matrix given by rows.
pub(super) fn diagonal(rows: &SparseRows) -> Vec<ExprId> {
    let entry = |(i, row): (usize, &Vec<(u32, ExprId)>)| {
        row.iter().find(|entry| entry.0 as usize == i).map_or(ExprId::ZERO, |entry| entry.1)
    };
    rows.iter().enumerate().map(entry).collect()
}
