//! The typed model: what a file says, checked and exact.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use crate::diagnostics::{ModelError, Place};
use crate::group::LieGroup;
use crate::scene::SceneModel;
use crate::state::StateModel;
use crate::systems::SystemTable;
use crate::units::Units;

/// A mechanical system as its file describes it. All expressions live in [`Model::pool`].
#[derive(Debug, Clone)]
pub struct Model {
    /// The expressions of the model.
    pub pool: Pool,
    /// Its name.
    pub name: String,
    /// What its author says about it.
    pub description: Option<String>,
    /// The symbol `t`.
    pub time: ExprId,
    /// The coordinates, in the order they are declared (indexed ones expanded).
    pub coordinates: Vec<Coordinate>,
    /// The parameters, in the order they are declared.
    pub parameters: Vec<Parameter>,
    /// The table that gives the system.
    pub table: &'static SystemTable,
    /// The Lagrangian or the Hamiltonian, or the equations.
    pub system: SystemKind,
    /// The group of configurations, where they are not all coordinates.
    pub group: Option<LieGroup>,
    /// The constraints, in the order they are declared (indexed ones expanded).
    pub constraints: Vec<Constraint>,
    /// The generalised force on each coordinate; zero where none is given.
    pub forces: Vec<ExprId>,
    /// Where each force is given, if it is.
    pub force_places: Vec<Option<Place>>,
    /// Conditions on coordinates that a singular Lagrangian leaves free.
    pub gauge_fix: Vec<GaugeCondition>,
    /// A 2-form on the configurations that bends the motion.
    pub magnetic: Option<MagneticForm>,
    /// A discrete Lagrangian of its own.
    pub discrete: Option<OwnDiscreteLagrangian>,
    /// How fast time passes in steps of another time.
    pub rate: Option<TimeRate>,
    /// The state at time zero.
    pub initial: Initial,
    /// What `run` uses unless told otherwise.
    pub run: RunDefaults,
    /// The definitions, in the order they are declared (indexed ones expanded).
    pub definitions: Vec<(String, ExprId)>,
    /// What a picture shows, if the file declares it.
    pub scene: Option<SceneModel>,
    /// Units for labels.
    pub units: Units,
}

/// One coordinate with the symbols that belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coordinate {
    /// Its name: `theta`, `x[3]`.
    pub name: String,
    /// The symbol of that name.
    pub position: ExprId,
    /// The symbol with one prime.
    pub velocity: ExprId,
    /// The symbol with two primes.
    pub acceleration: ExprId,
    /// The symbol `p_theta`, `p_x[3]`.
    pub momentum: ExprId,
    /// Where it is declared.
    pub place: Place,
}

/// A parameter: a symbol in the equations, with an exact value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The symbol of that name.
    pub symbol: ExprId,
    /// Its value as given; other parameters in it are symbols.
    pub value: ExprId,
    /// Its value with all other parameters replaced: numbers, pi and functions of them only.
    pub exact: ExprId,
    /// Was it used as an index or a bound? Then another value means another system.
    pub structural: bool,
    /// Where its value is given: in the file, or in the argument that overrides it.
    pub place: Place,
}

/// What generates the motion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemKind {
    /// d/dt L_v - L_q = F + A^T λ.
    Lagrangian {
        /// L(q, q', t).
        lagrangian: ExprId,
        /// Where it is.
        place: Place,
    },
    /// q' = H_p, p' = -H_q + F + A^T λ.
    Hamiltonian {
        /// H(q, p, t).
        hamiltonian: ExprId,
        /// Where it is.
        place: Place,
    },
    /// x' = f(x, t).
    State(Box<StateModel>),
}

/// A constraint `expression = 0` in positions, velocities and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    /// Its name: `rod`, `rod[3]`.
    pub name: String,
    /// Left side minus right side, as written.
    pub expression: ExprId,
    /// Are Chetaev reactions asked for, should it be nonlinear in the velocities?
    pub chetaev: bool,
    /// Where it is.
    pub place: Place,
}

/// A gauge condition `coordinate = value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GaugeCondition {
    /// The coordinate, by its position in the list.
    pub coordinate: usize,
    /// A function of positions, momenta and time.
    pub value: ExprId,
    /// Where it is.
    pub place: Place,
}

/// A 2-form B on the configurations: p' - L_q - F - A^T λ = i_q' B.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MagneticForm {
    /// The components that are given, each pair of coordinates once.
    pub entries: Vec<MagneticEntry>,
    /// A one-form θ with dθ = B by its components, as the file has it, and where.
    pub primitive: Option<(Vec<ExprId>, Place)>,
    /// The table.
    pub place: Place,
}

/// A component B_ij of a 2-form Σ B_ij dq^i ∧ dq^j.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MagneticEntry {
    /// The position of the first coordinate.
    pub first: usize,
    /// The position of the second.
    pub second: usize,
    /// A function of positions.
    pub value: ExprId,
    /// Where it is.
    pub place: Place,
}

impl MagneticForm {
    /// All expressions.
    pub(crate) fn expressions(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let primitive = self.primitive.iter_mut().flat_map(|(components, _)| components);
        self.entries.iter_mut().map(|entry| &mut entry.value).chain(primitive)
    }
}

/// dt/ds = g(q): how fast time passes while steps of equal length are made in s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeRate {
    /// g.
    pub value: ExprId,
    /// Where it is written.
    pub place: Place,
}

/// A discrete Lagrangian L_d(q, q⁺, h) as the file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnDiscreteLagrangian {
    /// L_d, which may contain the time at the beginning of the step.
    pub lagrangian: ExprId,
    /// The symbols of the positions at the beginning: those of the coordinates.
    pub begin: Vec<ExprId>,
    /// The symbols of the positions at the end: `x_next`.
    pub end: Vec<ExprId>,
    /// The symbol of the step: `h`.
    pub step: ExprId,
    /// Where it is.
    pub place: Place,
}

/// The state at time zero, one exact constant for each coordinate; parameters are symbols.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Initial {
    /// Positions.
    pub position: Vec<ExprId>,
    /// Velocities of a Lagrangian system, momenta of a Hamiltonian one; zeros where none are given.
    pub rate: Vec<ExprId>,
    /// Are there rates? They may be missing where the Lagrangian is affine in the velocities: there
    /// they follow from the positions.
    pub has_rates: bool,
    /// Where each position is given.
    pub position_places: Vec<Place>,
    /// Where each velocity or momentum is given.
    pub rate_places: Vec<Place>,
    /// Algebraic coordinates of a descriptor system whose positions are left out: they follow from constraints.
    pub missing: Vec<usize>,
    /// The refusal for commands that need initial data, if the model has none. Equations do not need them; all
    /// values are undefined then.
    pub absent: Option<Box<ModelError>>,
}

/// Defaults of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunDefaults {
    /// Name of the method.
    pub method: Option<String>,
    /// Step size, an exact constant without parameters.
    pub step: Option<ExprId>,
    /// Length of the run, an exact constant without parameters.
    pub time: Option<ExprId>,
    /// For methods that choose their steps by the error.
    pub adaptive: AdaptiveDefaults,
}

/// What `[run]` says of methods that choose their steps by the error: exact constants without parameters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AdaptiveDefaults {
    /// The relative tolerance.
    pub relative: Option<ExprId>,
    /// The absolute tolerance of all components.
    pub absolute: Option<ExprId>,
    /// Those of coordinates `x` and of velocities `v_x`.
    pub each: Vec<(String, ExprId)>,
    /// The longest step.
    pub longest: Option<ExprId>,
    /// The first step.
    pub first: Option<ExprId>,
}

impl SystemKind {
    /// The Lagrangian or the Hamiltonian, if there is one.
    pub fn expression(&self) -> Option<ExprId> {
        match self {
            Self::Lagrangian { lagrangian, .. } => Some(*lagrangian),
            Self::Hamiltonian { hamiltonian, .. } => Some(*hamiltonian),
            Self::State(state) => state.hamiltonian,
        }
    }

    /// L(q, q', t), if the system is given by it.
    pub fn lagrangian(&self) -> Option<ExprId> {
        match self {
            Self::Lagrangian { lagrangian, .. } => Some(*lagrangian),
            Self::Hamiltonian { .. } | Self::State(_) => None,
        }
    }

    /// Puts another Lagrangian in the place of the one it is given by; false if there is none.
    pub fn set_lagrangian(&mut self, other: ExprId) -> bool {
        match self {
            Self::Lagrangian { lagrangian, .. } => *lagrangian = other,
            Self::Hamiltonian { .. } | Self::State(_) => return false,
        }
        true
    }

    /// H(q, p, t), if the system is given by it: then initial rates are momenta.
    pub fn hamiltonian(&self) -> Option<ExprId> {
        match self {
            Self::Hamiltonian { hamiltonian, .. } => Some(*hamiltonian),
            Self::Lagrangian { .. } | Self::State(_) => None,
        }
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        match self {
            Self::Lagrangian { place, .. } | Self::Hamiltonian { place, .. } => *place,
            Self::State(state) => state.place,
        }
    }

    /// The system in state space, if it is one.
    pub fn state(&self) -> Option<&StateModel> {
        match self {
            Self::State(state) => Some(state),
            Self::Lagrangian { .. } | Self::Hamiltonian { .. } => None,
        }
    }

    pub(crate) fn expressions(&self) -> Vec<ExprId> {
        match self {
            Self::Lagrangian { lagrangian, .. } => vec![*lagrangian],
            Self::Hamiltonian { hamiltonian, .. } => vec![*hamiltonian],
            Self::State(state) => state.expressions(),
        }
    }

    pub(crate) fn expressions_mut(&mut self) -> Vec<&mut ExprId> {
        match self {
            Self::Lagrangian { lagrangian, .. } => vec![lagrangian],
            Self::Hamiltonian { hamiltonian, .. } => vec![hamiltonian],
            Self::State(state) => state.expressions_mut(),
        }
    }
}

impl Model {
    /// Each parameter's symbol with its exact value, free of other parameters.
    pub fn parameter_values(&self) -> Vec<(ExprId, ExprId)> {
        self.parameters.iter().map(|parameter| (parameter.symbol, parameter.exact)).collect()
    }

    /// Replaces the parameters by the exact numbers that they are, everywhere. What is derived
    /// afterwards holds for these numbers only, and is as short as they make it.
    pub fn specialise(&mut self, budget: &mut Budget) -> Result<(), OutOfBudget> {
        let values: Substitution = self.parameter_values().into_iter().collect();
        self.replace(&values, budget)?;
        self.parameters.clear();
        Ok(())
    }

    /// The same for all parameters but one (its position in the list), which stays a symbol.
    /// Parameters that are given by a formula follow it: `Q = 2*P` becomes `2*P`.
    pub fn specialise_but(&mut self, kept: usize, budget: &mut Budget) -> Result<(), OutOfBudget> {
        let values = self.values_along(kept, budget)?;
        self.replace(&values, budget)?;
        self.parameters = self.parameters.drain(..).skip(kept).take(1).collect();
        Ok(())
    }

    /// Does the parameter at this position count something, by itself or by others that follow
    /// it? Then another value of it means another system.
    pub fn is_structural(
        &mut self,
        position: usize,
        budget: &mut Budget,
    ) -> Result<bool, OutOfBudget> {
        let values = self.values_along(position, budget)?;
        let Some(symbol) = self.parameters.get(position).map(|parameter| parameter.symbol) else {
            return Ok(false);
        };
        let pool = &self.pool;
        Ok(self.parameters.iter().any(|parameter| {
            let value = values.get(&parameter.symbol).copied().unwrap_or(parameter.symbol);
            parameter.structural && pool.depends_on(value, &[symbol])
        }))
    }

    /// The values of all other parameters as functions of one.
    fn values_along(
        &mut self,
        kept: usize,
        budget: &mut Budget,
    ) -> Result<Substitution, OutOfBudget> {
        let others = self.parameters.iter().enumerate().filter(|(k, _)| *k != kept);
        let (symbols, mut values): (Vec<ExprId>, Vec<ExprId>) =
            others.map(|(_, parameter)| (parameter.symbol, parameter.value)).unzip();
        let map: Substitution = symbols.iter().copied().zip(values.iter().copied()).collect();
        // No circles among parameters: as many rounds as there are parameters are enough.
        for _ in 0..symbols.len() {
            if !values.iter().any(|value| self.pool.depends_on(*value, &symbols)) {
                break;
            }
            values = substitute(&mut self.pool, &values, &map, budget)?;
        }
        Ok(symbols.into_iter().zip(values).collect())
    }

    /// Replaces symbols everywhere.
    pub(crate) fn replace(
        &mut self,
        values: &Substitution,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        let mut slots: Vec<&mut ExprId> = self.system.expressions_mut();
        slots.extend(self.constraints.iter_mut().map(|constraint| &mut constraint.expression));
        slots.extend(&mut self.forces);
        slots.extend(self.gauge_fix.iter_mut().map(|condition| &mut condition.value));
        slots.extend(&mut self.initial.position);
        slots.extend(&mut self.initial.rate);
        slots.extend(self.discrete.iter_mut().map(|discrete| &mut discrete.lagrangian));
        slots.extend(self.group.iter_mut().flat_map(|group| &mut group.initial));
        slots.extend(self.rate.iter_mut().map(|rate| &mut rate.value));
        slots.extend(self.magnetic.iter_mut().flat_map(MagneticForm::expressions));
        slots.extend(self.definitions.iter_mut().map(|(_, value)| value));
        slots.extend(self.scene.iter_mut().flat_map(SceneModel::expressions_mut));
        let old: Vec<ExprId> = slots.iter().map(|slot| **slot).collect();
        let new = substitute(&mut self.pool, &old, values, budget)?;
        for (slot, value) in slots.into_iter().zip(new) {
            *slot = value;
        }
        Ok(())
    }

    /// The position of the coordinate of that name.
    pub fn coordinate(&self, name: &str) -> Option<usize> {
        self.coordinates.iter().position(|coordinate| coordinate.name == name)
    }

    /// The symbols of the positions.
    pub fn positions(&self) -> Vec<ExprId> {
        self.coordinates.iter().map(|coordinate| coordinate.position).collect()
    }

    /// The symbols of the velocities.
    pub fn velocities(&self) -> Vec<ExprId> {
        self.coordinates.iter().map(|coordinate| coordinate.velocity).collect()
    }

    /// The symbols of the accelerations.
    pub fn accelerations(&self) -> Vec<ExprId> {
        self.coordinates.iter().map(|coordinate| coordinate.acceleration).collect()
    }

    /// The symbols of the momenta.
    pub fn momenta(&self) -> Vec<ExprId> {
        self.coordinates.iter().map(|coordinate| coordinate.momentum).collect()
    }
}
