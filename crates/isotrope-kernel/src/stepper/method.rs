//! Methods by name.

use isotrope_algebra::Budget;
use isotrope_scheme::certify::named_table;
use isotrope_scheme::derive::System;
use isotrope_scheme::discretise::EquationScheme;
use isotrope_scheme::methods::table::{Table, TableProblem};

use super::equations::equations;
use super::field::Field;
use super::programs::{Options, Stepper, StepperError};
use super::runge_kutta::runge_kutta;

/// A method that can be run.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// A Runge–Kutta method on the field with eliminated multipliers.
    Table(Box<Table>),
    /// A scheme that is written as equations.
    Equations(Box<EquationScheme>),
}

impl Method {
    /// The method of a name; `None` if no method that can be run has it.
    pub fn named(name: &str, budget: &mut Budget) -> Result<Option<Self>, TableProblem> {
        if let Some(scheme) = EquationScheme::named(name, budget)? {
            return Ok(Some(Self::Equations(Box::new(scheme))));
        }
        Ok(named_table(name, budget)?.map(|table| Self::Table(Box::new(table))))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Table(table) => &table.name,
            Self::Equations(scheme) => scheme.name(),
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
        match self {
            Self::Table(table) => runge_kutta(system, field, table, options, budget),
            Self::Equations(scheme) => equations(system, field, scheme, options, budget),
        }
    }
}
