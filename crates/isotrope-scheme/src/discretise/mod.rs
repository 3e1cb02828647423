//! One step of a scheme, derived from a system as exact equations.
//!
//! [`discretise`] writes the equations of a scheme for a system and a step: what is unknown, what
//! must vanish, and what the step leaves behind. Linear unknowns are eliminated here, so that the
//! iteration has to find as few numbers as possible. One file a family.

mod alembert;
mod dirac;
mod equations;
mod error;
mod index_two;
mod mechanics;
mod rattle;

use isotrope_algebra::{Budget, Rational};

pub use equations::{After, Definition, Equations, Memory, Pair, Unknown};
pub use error::DiscretiseError;

use crate::derive::System;
use dirac::Steps;
use mechanics::Writer;

/// A scheme that is written as equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EquationScheme {
    /// L_v(q,v) = p + h (L_q + F)(q,v) + AᵀΛ, A v + b = 0, q⁺ = q + h v, p⁺ = L_v(q,v).
    DiracFirst,
    /// The same with q⁺ = q₋ + 2h v, from the position before; one step of the first to begin with.
    DiracSecond,
    /// The first with φ(q⁺) = 0 in place of A v + b = 0.
    DiracFirstPosition,
    /// Störmer–Verlet with φ(q⁺) = 0 and A(q⁺)v⁺ + b = 0.
    Rattle,
    /// Explicit Euler in q and p, with A(q⁺)v⁺ + b = 0.
    EulerConstrained,
    /// Implicit Euler in q and p, with A(q⁺)v⁺ + b = 0.
    ImplicitEulerConstrained,
    /// Symplectic Euler in q and p, with A(q⁺)v⁺ + b = 0.
    SymplecticEulerConstrained,
    /// The trapezoidal rule in q and p, with A(q⁺)v⁺ + b = 0 and one Λ for both ends.
    TrapezoidConstrained,
    /// Discrete Lagrange–d'Alembert with the midpoint rule.
    AlembertMidpoint,
}

impl EquationScheme {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::DiracFirst,
        Self::DiracSecond,
        Self::DiracFirstPosition,
        Self::Rattle,
        Self::EulerConstrained,
        Self::ImplicitEulerConstrained,
        Self::SymplecticEulerConstrained,
        Self::TrapezoidConstrained,
        Self::AlembertMidpoint,
    ];

    /// The name of the method.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DiracFirst => "dirac-1",
            Self::DiracSecond => "dirac-2",
            Self::DiracFirstPosition => "dirac-1-position",
            Self::Rattle => "rattle",
            Self::EulerConstrained => "euler-c",
            Self::ImplicitEulerConstrained => "implicit-euler-c",
            Self::SymplecticEulerConstrained => "symplectic-euler-c",
            Self::TrapezoidConstrained => "trapezoid-c",
            Self::AlembertMidpoint => "dla-midpoint",
        }
    }

    /// The scheme of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }
}

/// Writes the equations of a scheme for a system and a step.
///
/// ```
/// use isotrope_algebra::{Budget, Rational};
/// use isotrope_model::{ModelText, parse_model};
/// use isotrope_scheme::derive::derive;
/// use isotrope_scheme::discretise::{EquationScheme, discretise};
/// let file = r#"
///     coordinates = ["x", "y"]
///     lagrangian.L = "(x'^2 + y'^2)/2 - 981/100*y"
///     constraints.rod = "x^2 + y^2 = 1"
///     initial.position = { x = 1, y = 0 }
///     initial.velocity = { x = 0, y = 0 }
/// "#;
/// let model = parse_model(&ModelText::new("pendulum.toml", file.as_bytes())).unwrap();
/// let system = derive(model, &mut Budget::new(1_000_000)).unwrap();
/// let step = "1/100".parse::<Rational>().unwrap();
/// let scheme = EquationScheme::DiracFirstPosition;
/// let equations = discretise(&system, scheme, &step, &mut Budget::new(1_000_000))?;
/// // Positions and velocities are eliminated: the multiplier is the only unknown.
/// assert_eq!(equations.unknowns.len(), 1);
/// # Ok::<(), isotrope_scheme::discretise::DiscretiseError>(())
/// ```
pub fn discretise(
    system: &System,
    scheme: EquationScheme,
    step: &Rational,
    budget: &mut Budget,
) -> Result<Equations, DiscretiseError> {
    let mut writer = Writer::new(system, step, budget)?;
    match scheme {
        EquationScheme::DiracFirst => dirac::velocity_form(&mut writer, Steps::One)?,
        EquationScheme::DiracSecond => dirac::velocity_form(&mut writer, Steps::Two)?,
        EquationScheme::DiracFirstPosition => dirac::first_position(&mut writer)?,
        EquationScheme::Rattle => rattle::rattle(&mut writer)?,
        EquationScheme::EulerConstrained => index_two::euler(&mut writer)?,
        EquationScheme::ImplicitEulerConstrained => index_two::implicit_euler(&mut writer)?,
        EquationScheme::SymplecticEulerConstrained => index_two::symplectic_euler(&mut writer)?,
        EquationScheme::TrapezoidConstrained => index_two::trapezoid(&mut writer)?,
        EquationScheme::AlembertMidpoint => alembert::midpoint(&mut writer)?,
    }
    Ok(writer.finish())
}
