//! Methods by name.

use isotrope_algebra::Budget;
use isotrope_derive::System;
use isotrope_methods::table::{Table, TableProblem};
use isotrope_methods::{Composed, named_composition, named_table};
use isotrope_scheme::{DiscretiseError, EquationScheme, NO_COORDINATES, Pace};

use super::dop853::dop853;
use super::equations::{equations, first_order};
use super::field::Field;
use super::programs::{Options, Stepper, StepperError};
use super::runge_kutta::{composition, runge_kutta};

/// A method that can be run.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// A Runge–Kutta method on the field with eliminated multipliers.
    Table(Box<Table>),
    /// A composition on the same field.
    Composition(Box<Composed>),
    /// The method of Dormand and Prince of order 8 with steps of its own.
    Dop853,
    /// A scheme that is written as equations.
    Equations(Box<EquationScheme>),
}

/// The name of the adaptive method.
const DOP853: &str = "dop853";

impl Method {
    /// Names of methods that no other list has.
    pub const NAMES: [&str; 1] = [DOP853];

    /// The method of a name; `None` if no method that can be run has it.
    pub fn named(name: &str, budget: &mut Budget) -> Result<Option<Self>, TableProblem> {
        if name == DOP853 {
            return Ok(Some(Self::Dop853));
        }
        if let Some(scheme) = EquationScheme::named(name, budget)? {
            return Ok(Some(Self::Equations(Box::new(scheme))));
        }
        if let Some(composed) = named_composition(name, budget)? {
            return Ok(Some(Self::Composition(Box::new(composed))));
        }
        Ok(named_table(name, budget)?.map(|table| Self::Table(Box::new(table))))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Table(table) => &table.name,
            Self::Composition(composed) => &composed.name,
            Self::Dop853 => DOP853,
            Self::Equations(scheme) => scheme.name(),
        }
    }

    /// Does it balance power, where a system has a Hamiltonian?
    #[must_use]
    pub fn balances_power(&self) -> bool {
        matches!(self, Self::Equations(scheme) if scheme.balances_power())
    }

    /// The tolerance it is run with on a system unless another is asked for: of iterations near
    /// rounding, of errors that choose the step what is usual.
    #[must_use]
    pub fn tolerance(&self, system: &System) -> f64 {
        match self {
            Self::Dop853 => 1e-10,
            // What iterations leave undone is missing in the balance.
            _ if system.model.system.state().is_some() && self.balances_power() => 1e-14,
            Self::Table(_) | Self::Composition(_) | Self::Equations(_) => 1e-13,
        }
    }

    /// Can it sum up with what rounding loses?
    #[must_use]
    pub fn can_compensate(&self) -> bool {
        match self {
            Self::Table(_) | Self::Composition(_) => true,
            Self::Dop853 => false,
            Self::Equations(scheme) => scheme.discrete_lagrangian().is_some(),
        }
    }

    /// Does it reach other times than multiples of the step?
    #[must_use]
    pub fn has_times_of_its_own(&self) -> bool {
        match self {
            Self::Table(_) | Self::Composition(_) | Self::Dop853 => false,
            Self::Equations(scheme) => {
                scheme.discrete_lagrangian().is_some_and(|lagrangian| lagrangian.pace != Pace::Even)
            }
        }
    }

    /// Its steps for a system.
    pub fn stepper(
        &self,
        system: &System,
        field: &Field,
        options: &Options,
        budget: &mut Budget,
    ) -> Result<Stepper, StepperError> {
        if system.mechanics.group().is_some() && !matches!(self, Self::Equations(_)) {
            let reason = NO_COORDINATES;
            return Err(DiscretiseError::NotApplicable { reason }.into());
        }
        if system.mechanics.first_order().is_some() {
            return match self {
                Self::Table(table) => first_order(system, field, table, options, budget),
                Self::Equations(scheme) => equations(system, field, scheme, options, budget),
                Self::Dop853 => dop853(field, options),
                Self::Composition(_) => {
                    Err(StepperError::Discretise(DiscretiseError::NotApplicable {
                        reason: "the equations are of first order, and the method steps on \
                                 accelerations; take a Runge–Kutta method",
                    }))
                }
            };
        }
        match self {
            Self::Table(table) => runge_kutta(system, field, table, options, budget),
            Self::Composition(composed) => composition(system, field, composed, options, budget),
            Self::Dop853 => dop853(field, options),
            Self::Equations(scheme) => equations(system, field, scheme, options, budget),
        }
    }
}
