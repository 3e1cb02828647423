//! Stability of equilibria along a parameter: linearisation, critical values, and what methods make
//! of them.
//!
//! ```text
//! System ─linearise▶ r, A, M, D, K(q, λ, P) ─equilibrium▶ (q, λ) ─exact│reduce▶ M, D, K on ker A
//!        ─polynomials▶ candidates ─critical▶ flutter, divergence, singular symmetric part
//!
//! The equations at rest and their derivatives stay expressions; Newton's method finds an
//! equilibrium in numbers, `recognise.rs` guesses what it is exactly, and only what the algebra
//! then proves for every value of the parameter is called exact. Critical loads are roots of three
//! polynomials (`polynomials.rs` says why these are enough), each judged by the spectra on both
//! sides. What methods do is the derivative of the compiled step, on the directions that steps
//! reach from admissible displacements.
//!
//! ```

mod amplitude;
mod critical;
mod equilibrium;
mod error;
mod exact;
mod linearise;
mod methods;
mod nonconservativity;
mod polynomials;
mod probe;
mod recognise;
mod reduce;
mod report;
mod request;
mod study;
mod text;
mod weights;

pub use error::StabilityError;
pub use isotrope_algebra::double::linear::Complex;
pub use methods::Asked;
pub use report::{
    Critical, CurvePoint, Entries, Entry, Kind, Matrices, MethodRow, Nonconservativity, Principal,
    StabilityReport,
};
pub use request::{MOST_POINTS, Range, Request, parse_guess, parse_range, specialise};
pub use study::study;
