//! Orders of methods, computed.

use isotrope_algebra::Budget;
use isotrope_certify::{grouped_order, order_of_table};
use isotrope_derive::System;
use isotrope_scheme::{EquationScheme, Method, grouped_family};

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
    if let Some(table) = method.equations().and_then(EquationScheme::grouped) {
        let family = grouped_family(system, table, budget).ok()??;
        return Some(grouped_order(table, &family, budget).ok()??.order);
    }
    // In the algebra a Runge–Kutta method has the order that it has elsewhere (Munthe-Kaas 1999).
    let on_groups = method.equations().filter(|scheme| scheme.is_on_groups());
    match method.table().or_else(|| on_groups?.table()) {
        Some(table) => order_of_table(table, budget).ok(),
        None => isotrope_certify::certified(method.clone(), budget).ok()?.certificate().order,
    }
}

/// Does the method solve a descriptor system as it is, and not its underlying equations?
pub(crate) fn is_implicit(system: &System, method: &Method) -> bool {
    system.mechanics.descriptor().is_some()
        && method.equations().is_some_and(|scheme| scheme.table().is_none())
}
