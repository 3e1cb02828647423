//! The systems that methods make sense for: of schemes, those on which they were certified.

use isotrope_methods::classes::{Class, DiracScheme};
use isotrope_scheme::{EquationScheme, Method, Steps, Theory};

use crate::{Certificate, GroupClass};

/// The systems a method makes sense for.
pub fn applies_to(method: &Method, certificate: &Certificate) -> &'static str {
    match (method.theory(), method.steps()) {
        (Theory::Multistep(_), _) | (_, Steps::Adaptive) => "any first-order system",
        (Theory::Expansion(DiracScheme::FirstPosition), _) => {
            "Lagrangian systems, holonomic constraints"
        }
        (Theory::Expansion(_), _) => "Lagrangian systems",
        (_, Steps::Table(table)) if table.is_one_table() => "any first-order system",
        (_, Steps::Table(_) | Steps::Composition(_)) => "systems q' = v, v' = f(q,v), p' = g(q,v)",
        (_, Steps::Equations(scheme)) => of_scheme(scheme, certificate),
    }
}

/// The systems a scheme that is written as equations makes sense for.
fn of_scheme(scheme: &EquationScheme, certificate: &Certificate) -> &'static str {
    let has = |class: Class| certificate.on(class).is_some();
    let on_groups = |wanted| certificate.groups.iter().any(|orders| orders.class == wanted);
    let any = has(Class::ConstantMass);
    let positions = has(Class::Quadrics) || has(Class::Sphere);
    let free = has(Class::Symplectic);
    let varying = has(Class::Natural) || has(Class::Holonomic);
    match (any, positions, free, varying) {
        _ if scheme.is_of_first_order() => "Lagrangians linear in the velocities",
        _ if scheme.is_in_state_space() => "systems in state space",
        _ if on_groups(GroupClass::Motions) => "Lagrangian systems on Lie groups",
        _ if !certificate.groups.is_empty() => {
            "Lagrangian systems on SO(2), SO(3), R^n and products"
        }
        _ if has(Class::Generic) => "Lagrangian systems",
        (true, _, true, true) => "Lagrangian systems quadratic in velocities",
        (true, _, true, false) => "Lagrangian systems with constant mass matrix",
        (true, _, false, _) => "Lagrangian systems with constraints",
        (false, true, true, true) => {
            "Lagrangian systems quadratic in velocities, holonomic constraints or none"
        }
        (false, true, true, false) => {
            "Lagrangian systems with constant mass matrix, holonomic constraints or none"
        }
        (false, true, false, _) => "Lagrangian systems with holonomic constraints",
        (false, false, _, _) => "Lagrangian systems without constraints",
    }
}
