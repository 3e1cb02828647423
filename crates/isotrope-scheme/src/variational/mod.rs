//! Variational integrators: a Lagrangian, a space of curves and a formula of quadrature.
//!
//! The sum of L_d(q_k, q_{k+1}) is stationary among all sequences of points with the same ends if
//! D₂L_d(q_{k−1}, q_k) + D₁L_d(q_k, q_{k+1}) = 0; with p_k = D₂L_d(q_{k−1}, q_k) = −D₁L_d(q_k, q_{k+1}) this
//! is a one-step method that keeps dq∧dp, and the momenta of all symmetries that L_d has.
//!
//! Two roads: `step.rs` writes the equations of a step in velocities, for the kernel; `symbolic.rs`
//! (with `assemble.rs`) has the action as a formula, whose derivatives are printed. Tests let
//! trajectories of the first satisfy the second. `structure.rs` has the discrete Dirac structures,
//! which are D_Δ on differences; `first_dirac.rs` compares with Dirac-1.

mod assemble;
mod coefficients;
mod first_dirac;
mod lagrangian;
mod numerals;
mod own;
mod pace;
mod quadrature;
mod step;
mod structure;
mod symbolic;

pub use first_dirac::{FirstDirac, Relation};
pub use lagrangian::{Action, ConstraintForm, DiscreteLagrangian, Pace, Piece, Principle};
pub use quadrature::{Node, Quadrature};
pub use structure::{DiscreteDirac, FormDefect, Side};
pub use symbolic::{Condition, DiscreteAction};

pub(super) use coefficients::Numbers;
pub(super) use step::{Part, Start, galerkin, unknown_velocities};

use super::DiscretiseError;
use super::mechanics::Writer;
use super::registry::{Capabilities, Entry, Family, Recipe};

/// The step of a discrete Lagrangian.
pub(super) fn write(
    writer: &mut Writer<'_>,
    lagrangian: &DiscreteLagrangian,
) -> Result<(), DiscretiseError> {
    match lagrangian.pace {
        Pace::Even => step::write(writer, lagrangian),
        Pace::Sundman | Pace::EnergyExact => pace::write(writer, lagrangian),
    }
}

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "variational",
    citation: Some("J. E. Marsden, M. West, Acta Numer. 10 (2001), 357-514"),
    capabilities: Capabilities { variational: true, compensate: true, ..Capabilities::MECHANICS },
    entries: &[
        Entry {
            name: "variational-",
            about: "L_d by linear interpolation: left or right rectangle, midpoint, trapezoid, Simpson; or \
                    written in the model",
            recipe: Recipe::Discrete(&[
                "variational-euler",
                "variational-euler-adjoint",
                "variational-midpoint",
                "variational-trapezoid",
                "variational-simpson",
            ]),
            ..Entry::BLANK
        },
        Entry {
            name: "galerkin-",
            about: "L_d by polynomials of degree S and R points of quadrature, R ≥ S",
            recipe: Recipe::Discrete(&[
                "galerkin-2-gauss2",
                "galerkin-2-lobatto3",
                "galerkin-3-gauss3",
                "galerkin-3-lobatto4",
            ]),
            ..Entry::BLANK
        },
        Entry {
            name: "adjoint:",
            about: "−L_d(q⁺, q, −h)",
            recipe: Recipe::Discrete(&[]),
            ..Entry::BLANK
        },
        Entry {
            name: "symmetric:",
            about: "half a step and half a step of the adjoint",
            recipe: Recipe::Discrete(&["symmetric:variational-euler"]),
            ..Entry::BLANK
        },
        Entry {
            name: "triple:",
            about: "three steps of a symmetric method, one of them backwards: two orders more",
            recipe: Recipe::Discrete(&["triple:variational-midpoint"]),
            ..Entry::BLANK
        },
        Entry {
            name: "nullspace:",
            about: "the same step with its equations projected on the kernel of A, without multipliers",
            recipe: Recipe::Discrete(&["nullspace:variational-midpoint"]),
            ..Entry::BLANK
        },
        Entry {
            name: "sundman:",
            about: "the same method for g(q)(L + E₀) in a time s with dt = g(q) ds; g is `rate` under [time] in \
                    the model, the step is one of s",
            recipe: Recipe::Discrete(&[]),
            ..Entry::BLANK
        },
        Entry {
            name: "energy-exact:",
            about: "the length of each step is an unknown, and −∂L_d/∂h the same in all steps",
            recipe: Recipe::Discrete(&[]),
            ..Entry::BLANK
        },
    ],
};

/// Discrete Dirac mechanics.
pub(super) static DIRAC: Family = Family {
    name: "discrete-dirac",
    citation: Some("M. Leok, T. Ohsawa, Found. Comput. Math. 11 (2011), 529-562"),
    capabilities: Capabilities { variational: true, compensate: true, ..Capabilities::MECHANICS },
    entries: &[
        Entry {
            name: "dirac-variational-",
            about: "Hamilton and Pontryagin's principle in (q, v, p) with constraints on positions",
            recipe: Recipe::Discrete(&["dirac-variational-2", "dirac-variational-4"]),
            ..Entry::BLANK
        },
        Entry {
            name: "dirac-alembert-",
            about: "Lagrange, d'Alembert and Pontryagin's principle in (q, v, p)",
            recipe: Recipe::Discrete(&["dirac-alembert-2", "dirac-alembert-4"]),
            ..Entry::BLANK
        },
    ],
};
