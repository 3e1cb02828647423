//! Orders of methods, computed.

use isotrope_algebra::Budget;
use isotrope_derive::System;
use isotrope_kernel::stepper::Method;

/// Operations for one order.
const BUDGET: u64 = 200_000_000;

/// The computed order of a method on a system; none where there is no certificate. Certificates are of equations for
/// rates: what solves a descriptor system with its matrix E may have a lower order, which is measured only.
#[must_use]
pub fn computed_order(system: &System, method: &Method) -> Option<usize> {
    if is_implicit(system, method) {
        return None;
    }
    let budget = &mut Budget::new(BUDGET);
    match method {
        Method::Table(table) => isotrope_certify::order(table, budget).ok(),
        // In the algebra a Runge–Kutta method has the order that it has elsewhere (Munthe-Kaas 1999).
        Method::Equations(scheme) if scheme.is_on_groups() && scheme.table().is_some() => {
            scheme.table().and_then(|table| isotrope_certify::order(table, budget).ok())
        }
        other => isotrope_certify::method(other.name(), budget)?.ok()?.certificate().order,
    }
}

/// Does the method solve a descriptor system as it is, and not its underlying equations?
pub(crate) fn is_implicit(system: &System, method: &Method) -> bool {
    system.mechanics.descriptor().is_some()
        && matches!(method, Method::Equations(scheme) if scheme.table().is_none())
}
