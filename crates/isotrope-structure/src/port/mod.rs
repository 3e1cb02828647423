//! Port-Hamiltonian form from plain equations.
//!
//! [`recover`] looks for energies `H`, an antisymmetric `J`, a symmetric `R` and ports `g u` with
//! `x' = (J - R) dH + g u`. Everything is exact: existence is membership in the ideal of the
//! derivatives of `H`, structures are solutions of linear equations over the field of the
//! parameters, and every form that is returned satisfies its power balance identically.
//!
//! * [`given`](self): the forms of one energy (`ansatz`, `membership`, `sign`);
//! * `energies`: where energies come from when none is given: first integrals, multipliers in the
//!   plane, quadratic storage and Lyapunov's equation, the mechanical form, homotopies;
//! * `save`: a form as a model file;
//! * `form`: the bivector with ports, its Courant tensor, Q, and what decides between forms.
//!
//! `Problem` takes the inputs out of the equations. For one energy, `ansatz.rs` turns `(J - R) dH =
//! f` into linear equations over the field of the parameters (`ring.rs`), which are solved one
//! after the other, so that one that contradicts can be left to a residual. `membership.rs` decides
//! existence, `sign.rs` definiteness as conditions on parameters, `given.rs` has the stages and the
//! obstruction. Values of parameters steer choices (`values.rs`) and never enter a result.

mod ansatz;
mod constant;
mod echelon;
mod energies;
mod error;
mod form;
mod given;
mod integrals;
mod invariant;
mod matrix_inequality;
mod mechanical;
mod membership;
mod model;
mod planar;
mod positive_real;
mod primitive;
mod problem;
mod recover;
mod ring;
mod save;
mod sign;
mod storage;
mod values;

pub use ansatz::{Direction, Dissipation};
pub use error::PortError;
pub use form::{Criteria, Form, Port, PortKind, Realisation};
pub use invariant::definite_invariant;
pub use model::{problem_of, read_energy};
pub use problem::Problem;
pub use recover::{Obstruction, Options, Recovery, Remainder, recover};
pub use save::{Saved, save};
pub use sign::{Condition, Relation, Verdict};
pub use values::Values;

/// Where an energy comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// It was given.
    Given,
    /// The mechanical form `W q'' = W F` with a potential.
    Mechanical,
    /// The energies of the degrees of freedom, each alone.
    Uncoupled,
    /// The potential of a gradient flow.
    Gradient,
    /// A quadratic storage function with diagonal dissipation.
    Storage,
    /// Lyapunov's equation of a linear system.
    Lyapunov,
    /// The Kalman-Yakubovich-Popov equations of a linear system with inputs and outputs.
    PositiveReal,
    /// A polynomial first integral.
    FirstIntegral,
    /// A multiplier of a system in the plane.
    Multiplier,
    /// A first integral with logarithms of Darboux polynomials.
    Darboux,
    /// W f is a gradient for a constant matrix W, the inverse of J - R.
    Constant,
    /// The exact part of `J0^-1 f` along rays.
    Homotopy,
    /// Half the square of the distance from the origin.
    Distance,
}

impl Origin {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Mechanical => "mechanical",
            Self::Uncoupled => "uncoupled",
            Self::Gradient => "gradient",
            Self::Storage => "storage",
            Self::Lyapunov => "lyapunov",
            Self::PositiveReal => "positive-real",
            Self::FirstIntegral => "first-integral",
            Self::Multiplier => "multiplier",
            Self::Darboux => "darboux",
            Self::Constant => "constant",
            Self::Homotopy => "homotopy",
            Self::Distance => "distance",
        }
    }

    /// What it means.
    pub fn words(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Mechanical => "mechanical: a constant mass matrix and a potential",
            Self::Uncoupled => "the energies of the degrees of freedom, each alone",
            Self::Gradient => "the potential of a gradient flow",
            Self::Storage => "a quadratic storage function with diagonal dissipation",
            Self::Lyapunov => "Lyapunov's equation",
            Self::PositiveReal => "the Kalman-Yakubovich-Popov equations",
            Self::FirstIntegral => "a polynomial first integral",
            Self::Multiplier => "a multiplier in the plane (Darboux)",
            Self::Darboux => "a first integral with logarithms (Darboux)",
            Self::Constant => "a constant structure J - R",
            Self::Homotopy => "the exact part along rays",
            Self::Distance => "half the squared distance from the origin",
        }
    }
}
