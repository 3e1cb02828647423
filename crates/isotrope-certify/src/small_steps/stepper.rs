//! Steps in balls: of schemes that are written as equations, of tables, of compositions.

use isotrope_algebra::{Ball, Budget, Stop};

use super::equations::EquationSteps;
use super::mechanics::{Mechanics, Place};
use super::table::TableSteps;
use super::vectors::{Vector, zero};
use super::{DOING, SmallStepError};
use isotrope_derive::System;
use isotrope_methods::Composed;
use isotrope_methods::table::Table;
use isotrope_scheme::{Defect, EquationScheme, Method, NO_COORDINATES, Steps};

/// Why partitioned methods make no steps in state space.
const ONE_EQUATION: &str =
    "the system is given in state space, x' = f(x): there are no velocities beside positions";

/// A method whose small steps are examined.
#[derive(Debug, Clone, Copy)]
pub enum LocalMethod<'m> {
    /// A scheme that is written as equations.
    Equations(&'m EquationScheme),
    /// A Runge–Kutta method on the field with eliminated multipliers.
    Table(&'m Table),
    /// A composition of such steps.
    Composition(&'m Composed),
}

impl<'m> LocalMethod<'m> {
    /// How a method makes its steps; none where they are its own.
    #[must_use]
    pub fn of(method: &'m Method) -> Option<Self> {
        match method.steps() {
            Steps::Table(table) => Some(Self::Table(table)),
            Steps::Composition(composed) => Some(Self::Composition(composed)),
            Steps::Equations(scheme) => Some(Self::Equations(scheme)),
            Steps::Adaptive => None,
        }
    }
}

/// What a run carries from step to step.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub place: Place,
    pub p: Vector,
    pub memory: Vector,
    /// The work done so far.
    pub work: Ball,
}

/// Where errors are measured after a step.
#[derive(Debug, Clone)]
pub(super) struct Measured {
    pub place: Place,
    pub p: Vector,
    pub work: Ball,
}

/// A method on a system.
pub(super) enum Stepper {
    Equations(Box<EquationSteps>),
    Table(TableSteps),
}

impl Stepper {
    pub(super) fn new(
        system: &System,
        mechanics: &Mechanics,
        method: LocalMethod<'_>,
        budget: &mut Budget,
    ) -> Result<Self, SmallStepError> {
        Ok(match method {
            LocalMethod::Equations(scheme) => {
                let steps = EquationSteps::new(system, mechanics, scheme, budget)?;
                Self::Equations(Box::new(steps))
            }
            LocalMethod::Table(_) | LocalMethod::Composition(_) if mechanics.group.is_some() => {
                return Err(SmallStepError::NotApplicable { reason: NO_COORDINATES });
            }
            LocalMethod::Composition(_) if mechanics.state.is_some() => {
                return Err(SmallStepError::NotApplicable { reason: ONE_EQUATION });
            }
            LocalMethod::Table(table) if mechanics.state.is_some() && !table.is_one_table() => {
                return Err(SmallStepError::NotApplicable { reason: ONE_EQUATION });
            }
            LocalMethod::Table(table) => Self::Table(TableSteps::new(table, budget)?),
            LocalMethod::Composition(composed) => {
                Self::Table(TableSteps::composed(composed, budget)?)
            }
        })
    }

    /// Does a step depend on more of the past than positions, velocities and momenta?
    pub(super) fn has_history(&self) -> bool {
        matches!(self, Self::Equations(steps) if steps.history)
    }

    /// Functions that it measures itself.
    pub(super) fn defects(&self) -> &[Defect] {
        match self {
            Self::Equations(steps) => &steps.defects,
            Self::Table(_) => &[],
        }
    }

    /// Are errors measured elsewhere than where a step ends?
    pub(super) fn is_staggered(&self) -> bool {
        matches!(self, Self::Equations(steps) if steps.staggered)
    }

    /// The beginning of a run.
    pub(super) fn start(
        &self,
        mechanics: &Mechanics,
        place: &Place,
        h: &Ball,
    ) -> Result<State, SmallStepError> {
        let p = super::vectors::midpoints(&mechanics.momenta(place)?);
        let mut state = State { place: place.clone(), p, memory: Vec::new(), work: zero() };
        if let Self::Equations(steps) = self {
            state.memory = steps.start(mechanics, &state, h)?;
        }
        Ok(state)
    }

    /// One step.
    pub(super) fn step(
        &self,
        mechanics: &Mechanics,
        state: &State,
        h: &Ball,
    ) -> Result<(State, Measured), SmallStepError> {
        Stop::check(DOING)?;
        match self {
            Self::Equations(steps) => steps.step(mechanics, state, h),
            Self::Table(steps) => steps.step(mechanics, state, h),
        }
    }
}
