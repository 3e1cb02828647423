//! What depends on how a system is given: one record for each kind, with the keys it has.

use isotrope_derive::{Analysis, Degenerate, Hamiltonian, LagrangianMechanics, Mechanics, System};
use schemars::JsonSchema;
use serde::Serialize;

use super::motion::{
    ConstraintRecord, DifferentialRecord, DynamicsRecord, EquationsRecord, MotionRecord,
    constraints, differential, dynamics_record, motion, side_conditions,
};
use super::singular::multipliers;
use super::state::{StateRecord, state_space};
use super::{Expression, Named, by_name, expression, list, matrix, optional};
use crate::elimination::unsolved;
use crate::sections::degenerate::not_polarised;

/// What depends on how a system is given.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum MechanicsRecord {
    Lagrangian(Box<LagrangianRecord>),
    Group(Box<GroupRecord>),
    Hamiltonian(Box<HamiltonianRecord>),
    State(Box<StateSpaceRecord>),
    Degenerate(Box<DegenerateRecord>),
}

/// A system with a Lagrangian in coordinates.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct LagrangianRecord {
    #[serde(flatten)]
    dynamics: DynamicsRecord,
    /// The differential of L as a section of the Dirac structure.
    dirac_differential: DifferentialRecord,
    /// The energy in positions and momenta.
    hamiltonian: Expression,
    /// Why there is none.
    hamiltonian_missing: Option<&'static str>,
    #[serde(flatten)]
    motion: MotionRecord,
    /// d/dt L_v - L_q - F - A^T lambda, with accelerations and multipliers as symbols.
    residual: Named<Expression>,
    /// The constraints.
    constraints: Vec<ConstraintRecord>,
    /// No first-order Lagrangian.
    degenerate: (),
    /// Not in state space.
    state: (),
}

/// A system on a Lie group.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct GroupRecord {
    #[serde(flatten)]
    dynamics: DynamicsRecord,
    /// None on groups.
    hamiltonian: (),
    #[serde(flatten)]
    motion: MotionRecord,
    /// The constraints.
    constraints: Vec<ConstraintRecord>,
    /// The factors of the group.
    group: Vec<&'static str>,
    /// The momentum in the frame of space.
    spatial_momentum: Named<Expression>,
    /// Rates of what the body carries along.
    advected: Named<Expression>,
    /// No first-order Lagrangian.
    degenerate: (),
    /// Not in state space.
    state: (),
}

/// A system with a Hamiltonian.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct HamiltonianRecord {
    /// None is given.
    lagrangian: (),
    /// None.
    forces: (),
    /// Momenta are coordinates here.
    momenta: (),
    /// None is computed.
    mass_matrix: (),
    /// The Hamiltonian.
    energy: Expression,
    /// The Hamiltonian.
    hamiltonian: Expression,
    /// None.
    multipliers: (),
    /// Formulas, without a linear system that is left to be solved.
    explicit: bool,
    /// Hamilton's equations.
    equations: EquationsRecord,
    /// None.
    side_conditions: Vec<Expression>,
    /// None.
    constraints: Vec<ConstraintRecord>,
    /// No first-order Lagrangian.
    degenerate: (),
    /// Not in state space.
    state: (),
}

/// A system in state space.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct StateSpaceRecord {
    /// The singular Lagrangian, if it comes from one.
    lagrangian: Expression,
    /// None.
    forces: (),
    /// None.
    momenta: (),
    /// None.
    mass_matrix: (),
    /// The multipliers of a singular Lagrangian; `null` where nothing determines them.
    multipliers: Option<Named<Expression>>,
    /// The Hamiltonian, if there is one.
    energy: Expression,
    /// The Hamiltonian, if there is one.
    hamiltonian: Expression,
    /// Formulas, without a linear system that is left to be solved.
    explicit: bool,
    /// The rates.
    equations: EquationsRecord,
    /// The formulas hold where none of these vanishes.
    side_conditions: Vec<Expression>,
    /// None on velocities; those of descriptor systems are under `state`.
    constraints: Vec<ConstraintRecord>,
    /// Structure, inputs, outputs.
    state: StateRecord,
    /// No first-order Lagrangian.
    degenerate: (),
}

/// A Lagrangian that is linear in the velocities: equations of first order.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DegenerateRecord {
    #[serde(flatten)]
    dynamics: DynamicsRecord,
    /// The differential of L as a section of the Dirac structure.
    dirac_differential: DifferentialRecord,
    /// None.
    hamiltonian: (),
    /// Why there is none.
    hamiltonian_missing: &'static str,
    /// None.
    multipliers: (),
    /// Formulas, without a linear system that is left to be solved?
    explicit: bool,
    /// Velocities are functions of positions.
    equations: EquationsRecord,
    /// The formulas hold where none of these vanishes.
    side_conditions: Vec<Expression>,
    /// The Euler-Lagrange equations, left minus right.
    residual: Named<Expression>,
    /// None.
    constraints: Vec<ConstraintRecord>,
    /// The one-form and its differential.
    degenerate: FormRecord,
    /// Not in state space.
    state: (),
}

/// The form of a degenerate Lagrangian.
#[derive(Debug, JsonSchema, Serialize)]
struct FormRecord {
    /// The one-form.
    potential: Named<Expression>,
    /// Its differential as a matrix.
    form: Vec<Vec<Expression>>,
    /// Coordinates in which the one-form has half of its components.
    polarisation: Option<PolarisationRecord>,
    /// Why there are none.
    polarisation_missing: Option<String>,
}

/// A polarisation.
#[derive(Debug, JsonSchema, Serialize)]
struct PolarisationRecord {
    /// Coordinates of the base.
    x: Vec<String>,
    /// Coordinates of the fibres.
    y: Vec<String>,
    /// The one-form over the base.
    potential: Named<Expression>,
    /// The function whose differential was taken off.
    gauge: Expression,
}

pub(super) fn mechanics_record(system: &mut System, analysis: &Analysis) -> MechanicsRecord {
    let names: Vec<String> = system.symbols.names.clone();
    let symbols = system.symbols.clone();
    match &system.mechanics.clone() {
        Mechanics::Lagrangian(all) => {
            let LagrangianMechanics { dynamics, rows, multiplier_symbols, residual, eliminated } =
                all.as_ref();
            let pool = &mut system.model.pool;
            let unsolved = unsolved(pool, &symbols, eliminated, multiplier_symbols);
            let unsolved = unsolved.as_ref();
            MechanicsRecord::Lagrangian(Box::new(LagrangianRecord {
                dynamics: dynamics_record(pool, &names, dynamics),
                dirac_differential: differential(pool, &names, dynamics),
                hamiltonian: optional(pool, analysis.hamiltonian.and_then(Hamiltonian::expression)),
                hamiltonian_missing: analysis.hamiltonian.and_then(Hamiltonian::reason),
                motion: motion(pool, &names, rows, eliminated, unsolved, &symbols.velocity),
                residual: by_name(pool, &names, residual),
                constraints: constraints(pool, rows, &analysis.distribution),
                degenerate: (),
                state: (),
            }))
        }
        Mechanics::Group(mechanics) => {
            let advected = crate::sections::group::advected(system, mechanics);
            let pool = &mut system.model.pool;
            let dynamics = dynamics_record(pool, &names, &mechanics.dynamics);
            let (rows, eliminated) = (&mechanics.rows, &mechanics.eliminated);
            let mut motion = motion(pool, &names, rows, eliminated, None, &symbols.velocity);
            let rates = mechanics.drift.iter().filter(|rate| rate.0 != symbols.time);
            motion.equations.q = rates
                .map(|&(symbol, rate)| {
                    (pool.name_of(symbol).unwrap_or("?").to_owned(), expression(pool, rate))
                })
                .collect();
            let factors = system.model.group.iter().flat_map(|group| &group.factors);
            MechanicsRecord::Group(Box::new(GroupRecord {
                dynamics,
                hamiltonian: (),
                motion,
                constraints: constraints(pool, rows, &analysis.distribution),
                group: factors.map(|factor| factor.name()).collect(),
                spatial_momentum: by_name(pool, &mechanics.spatial_names, &mechanics.spatial),
                advected: advected
                    .into_iter()
                    .map(|(name, rate)| (name, expression(pool, rate)))
                    .collect(),
                degenerate: (),
                state: (),
            }))
        }
        Mechanics::Hamiltonian(field) => {
            let pool = &system.model.pool;
            MechanicsRecord::Hamiltonian(Box::new(HamiltonianRecord {
                lagrangian: (),
                forces: (),
                momenta: (),
                mass_matrix: (),
                energy: expression(pool, field.hamiltonian),
                hamiltonian: expression(pool, field.hamiltonian),
                multipliers: (),
                explicit: true,
                equations: EquationsRecord {
                    q: by_name(pool, &names, &field.position_rate),
                    v: None,
                    p: Some(by_name(pool, &names, &field.momentum_rate)),
                },
                side_conditions: Vec::new(),
                constraints: Vec::new(),
                degenerate: (),
                state: (),
            }))
        }
        Mechanics::State(state) => {
            let pool = &system.model.pool;
            let conditions = state.descriptor.as_ref().map_or(&[][..], |all| &all.conditions);
            MechanicsRecord::State(Box::new(StateSpaceRecord {
                lagrangian: optional(pool, state.chain.as_ref().map(|chain| chain.lagrangian)),
                forces: (),
                momenta: (),
                mass_matrix: (),
                multipliers: state
                    .chain
                    .as_ref()
                    .map(|chain| multipliers(pool, &chain.multipliers)),
                energy: optional(pool, state.energy),
                hamiltonian: optional(pool, state.energy),
                explicit: true,
                equations: EquationsRecord {
                    q: by_name(pool, &names, &state.rate),
                    v: None,
                    p: None,
                },
                side_conditions: list(pool, conditions),
                constraints: Vec::new(),
                state: state_space(pool, &names, state),
                degenerate: (),
            }))
        }
        Mechanics::Degenerate(all) => {
            MechanicsRecord::Degenerate(Box::new(degenerate(system, &names, all)))
        }
    }
}

/// Equations of first order: velocities are functions of positions.
fn degenerate(system: &mut System, names: &[String], all: &Degenerate) -> DegenerateRecord {
    let pool = &mut system.model.pool;
    let dynamics = dynamics_record(pool, names, &all.dynamics);
    let dirac_differential = differential(pool, names, &all.dynamics);
    let named =
        |list: &[usize]| -> Vec<String> { list.iter().map(|&i| names[i].clone()).collect() };
    let polarisation = all.polarisation.as_ref().ok().map(|found| PolarisationRecord {
        x: named(&found.base),
        y: named(&found.fibre),
        potential: by_name(pool, &named(&found.base), &found.potential),
        gauge: expression(pool, found.gauge),
    });
    DegenerateRecord {
        dynamics,
        dirac_differential,
        hamiltonian: (),
        hamiltonian_missing: "the momenta are functions of the positions; the energy is H(q)",
        multipliers: (),
        explicit: all.eliminated.explicit,
        equations: EquationsRecord {
            q: by_name(pool, names, &all.velocity),
            v: None,
            p: Some(by_name(pool, names, &all.eliminated.momentum_rate)),
        },
        side_conditions: side_conditions(pool, &all.conditions),
        residual: by_name(pool, names, &all.residual),
        constraints: Vec::new(),
        degenerate: FormRecord {
            potential: by_name(pool, names, &all.dynamics.momenta),
            form: matrix(pool, &all.form),
            polarisation,
            polarisation_missing: all.polarisation.as_ref().err().map(not_polarised),
        },
        state: (),
    }
}
