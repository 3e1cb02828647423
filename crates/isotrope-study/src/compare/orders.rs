//! Orders of methods, computed.

use isotrope_algebra::Budget;
use isotrope_kernel::stepper::Method;
use isotrope_scheme::certify;

/// Operations for one order.
const BUDGET: u64 = 200_000_000;

/// The computed order of a method; none where there is no certificate.
#[must_use]
pub fn computed_order(method: &Method) -> Option<usize> {
    let budget = &mut Budget::new(BUDGET);
    match method {
        Method::Table(table) => certify::order(table, budget).ok(),
        // In the algebra a Runge–Kutta method has the order that it has elsewhere (Munthe-Kaas 1999).
        Method::Equations(scheme) if scheme.is_on_groups() && scheme.table().is_some() => {
            scheme.table().and_then(|table| certify::order(table, budget).ok())
        }
        other => certify::method(other.name(), budget)?.ok()?.certificate().order,
    }
}
