//! From a method to its steps.

use isotrope_algebra::Budget;
use isotrope_derive::System;
use isotrope_scheme::{DiscretiseError, Method, NO_COORDINATES, Steps};

use super::dop853::dop853;
use super::equations::{canonical, equations, first_order};
use super::field::Field;
use super::programs::{Options, Stepper, StepperError};
use super::runge_kutta::{composition, runge_kutta};

/// The tolerance a method is run with on a system unless another is asked for: of iterations near rounding, of
/// errors that choose the step what is usual.
#[must_use]
pub fn tolerance(method: &Method, system: &System) -> f64 {
    match method.steps() {
        Steps::Adaptive => 1e-10,
        // What iterations leave undone is missing in the balance.
        _ if balances(method, system) => 1e-14,
        Steps::Table(_) | Steps::Composition(_) | Steps::Equations(_) => 1e-13,
    }
}

/// Is the energy balanced in state space, or in phase space?
fn balances(method: &Method, system: &System) -> bool {
    let given = &system.model.system;
    let in_states = given.state().is_some() || given.hamiltonian().is_some();
    in_states && method.capabilities().balance_power
}

/// The steps of a method for a system.
pub fn stepper(
    method: &Method,
    system: &System,
    field: &Field,
    options: &Options,
    budget: &mut Budget,
) -> Result<Stepper, StepperError> {
    let steps = method.steps();
    if system.mechanics.group().is_some() && method.equations().is_none() {
        let reason = NO_COORDINATES;
        return Err(DiscretiseError::NotApplicable { reason }.into());
    }
    if system.mechanics.first_order().is_some() {
        return match steps {
            Steps::Table(table) => first_order(system, field, table, options, budget),
            Steps::Equations(scheme) => equations(system, field, scheme, options, budget),
            Steps::Adaptive => dop853(field, options),
            Steps::Composition(_) => {
                Err(StepperError::Discretise(DiscretiseError::NotApplicable {
                    reason: "the equations are of first order, and the method steps on \
                             accelerations; take a Runge–Kutta method",
                }))
            }
        };
    }
    if runs_in_momenta(system, field, steps) {
        return canonical(system, field, steps, options, budget);
    }
    match steps {
        Steps::Table(table) => runge_kutta(system, field, table, options, budget),
        Steps::Composition(composed) => composition(system, field, composed, options, budget),
        Steps::Adaptive => dop853(field, options),
        Steps::Equations(scheme) => equations(system, field, scheme, options, budget),
    }
}

/// Is a table used in (q, p)? Where the model is given by H it is, unless there are constraints. With p = M v
/// and M of parameters alone, (q, v) are the same steps, for which there are shorter programs.
fn runs_in_momenta(system: &System, field: &Field, steps: &Steps) -> bool {
    let table = match steps {
        Steps::Table(table) => table,
        Steps::Composition(composed) => &composed.base,
        Steps::Adaptive | Steps::Equations(_) => return false,
    };
    let given = system.model.system.hamiltonian().is_some() && system.model.constraints.is_empty();
    given && !(field.has_constant_mass() && table.bbar == table.btil)
}
