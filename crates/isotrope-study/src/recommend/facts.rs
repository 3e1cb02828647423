//! What is to be known of a system before a method is chosen for it.

use isotrope_algebra::calculus::derivative;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_certify::class_of;
use isotrope_derive::{LagrangianMechanics, System, Written};
use isotrope_kernel::stepper::Field;
use isotrope_methods::classes::Class;
use isotrope_scheme::{InStateSpace, Listed};
use schemars::JsonSchema;
use serde::Serialize;

/// Operations for the questions asked here. What is not proved within counts as false.
const OPERATIONS: u64 = 20_000_000;

/// How the equations are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A Lagrangian with masses.
    Lagrangian,
    /// A Hamiltonian whose Legendre map has no inverse by formulas.
    Hamiltonian,
    /// A Lagrangian that is linear in the velocities.
    FirstOrder,
    /// A Lagrangian on a Lie group.
    LieGroup,
    /// Rates in state space.
    StateSpace,
}

/// What was found of a system.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Facts {
    /// How its equations are given.
    pub kind: Form,
    /// Coordinates.
    pub dimension: usize,
    /// Constraints on positions.
    pub position_constraints: usize,
    /// Constraints on velocities.
    pub velocity_constraints: usize,
    /// The class of mechanical systems that certificates are read of.
    #[schemars(with = "Option<String>")]
    #[serde(serialize_with = "class_name")]
    pub class: Option<Class>,
    /// Why it is that class.
    pub class_reason: Option<String>,
    /// Is there an energy, and does nothing change it?
    pub conservative: bool,
    /// Is there an energy at all?
    pub energy: bool,
    /// Is energy dissipated or supplied: by forces, by R, through ports?
    pub power: bool,
    /// Are forces and masses free of velocities and positions, so that a step forward in positions and one in
    /// velocities are explicit?
    pub separable: bool,
    /// Is there a 2-form or a bracket that the motion keeps?
    pub symplectic: bool,
    /// The bracket of a system in state space does not depend on the state.
    pub constant_bracket: bool,
}

#[expect(clippy::ref_option, reason = "serde passes it so")]
fn class_name<S: serde::Serializer>(class: &Option<Class>, to: S) -> Result<S::Ok, S::Error> {
    match class {
        Some(class) => to.serialize_str(class.name()),
        None => to.serialize_none(),
    }
}

impl Facts {
    /// Examines a system.
    pub(crate) fn of(system: &System, field: &Field) -> Self {
        let mechanics = &system.mechanics;
        let kind = if mechanics.group().is_some() {
            Form::LieGroup
        } else if mechanics.state().is_some() {
            Form::StateSpace
        } else if mechanics.first_order().is_some() {
            Form::FirstOrder
        } else if mechanics.lagrangian().is_some() {
            Form::Lagrangian
        } else {
            Form::Hamiltonian
        };
        let written =
            mechanics.solved().map(|parts| parts.rows.written.clone()).unwrap_or_default();
        let position_constraints = written.iter().filter(|one| **one == Written::Position).count();
        let class = class_of(system, &mut Budget::new(OPERATIONS)).ok().flatten();
        // A free system with masses that vary counts as one with holonomic constraints, zero in number.
        let free = written.is_empty();
        let judged_as = class.as_ref().map(|found| match found.class {
            Class::Natural if free => Class::Holonomic,
            class => class,
        });
        let holonomic = written.iter().all(|one| *one == Written::Position);
        let power = match mechanics.state() {
            Some(state) => !state.power.is_zero(),
            None => mechanics.working_forces().iter().any(|force| !force.is_zero()),
        };
        let energy = field.has_energy;
        let time = mechanics
            .ingredients()
            .iter()
            .any(|&part| system.model.pool.depends_on(part, &[system.symbols.time]));
        let bracket = mechanics.state().and_then(|state| state.bracket());
        let x = &system.symbols.position;
        let constant_bracket = bracket.is_some_and(|rows| {
            rows.iter().flatten().all(|&entry| !system.model.pool.depends_on(entry, x))
        });
        let symplectic = match kind {
            Form::Lagrangian | Form::Hamiltonian | Form::LieGroup => {
                holonomic && !power && judged_as != Some(Class::Generic)
            }
            Form::FirstOrder => holonomic && !power,
            Form::StateSpace => bracket.is_some() && !power,
        };
        Self {
            kind,
            dimension: system.symbols.dimension(),
            position_constraints,
            velocity_constraints: written.len() - position_constraints,
            class: judged_as,
            class_reason: class.map(|found| found.reason),
            conservative: energy && !power && !time,
            energy,
            power,
            separable: mechanics.lagrangian().is_some_and(|parts| separable(system, parts)),
            symplectic,
            constant_bracket,
        }
    }

    /// Are there constraints?
    #[must_use]
    pub fn constrained(&self) -> bool {
        self.position_constraints + self.velocity_constraints > 0
    }

    /// Is a method for systems of this kind? Whether it applies is seen when its step is written.
    pub(super) fn may_take(&self, method: &Listed) -> bool {
        let can = method.capabilities;
        let state = self.kind == Form::StateSpace;
        let fits_state = match can.state_space {
            InStateSpace::No | InStateSpace::Also => true,
            InStateSpace::Only => state,
        };
        can.groups == (self.kind == Form::LieGroup)
            && fits_state
            && (!can.first_order || self.kind == Form::FirstOrder)
    }
}

/// Do neither masses depend on positions nor accelerations on velocities?
fn separable(system: &System, parts: &LagrangianMechanics) -> bool {
    let (q, v) = (&system.symbols.position, &system.symbols.velocity);
    let budget = &mut Budget::new(OPERATIONS);
    let mut pool = system.model.pool.clone();
    let mass: Vec<ExprId> = parts.dynamics.mass.iter().flatten().map(|(_, entry)| *entry).collect();
    parts.rows.is_empty()
        && mass.iter().all(|&entry| is_free(&mut pool, entry, q, budget))
        && parts.dynamics.impressed.iter().all(|&entry| is_free(&mut pool, entry, v, budget))
}

fn is_free(pool: &mut Pool, entry: ExprId, symbols: &[ExprId], budget: &mut Budget) -> bool {
    !pool.depends_on(entry, symbols)
        || symbols.iter().all(|&symbol| {
            let slope = derivative(pool, entry, symbol, budget);
            slope.is_ok_and(|slope| is_zero(pool, slope, budget) == Zero::Yes)
        })
}
