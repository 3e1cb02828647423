//! Stability of equilibria along a parameter: linearisation, critical values, and what methods make
//! of them.
//!
//! ```text
//! System ─linearise▶ r, A, M, D, K(q, λ, P) ─equilibrium▶ (q, λ) ─exact│reduce▶ M, D, K on ker A
//!        ─polynomials▶ candidates ─critical▶ flutter, divergence, singular symmetric part
//! ```

mod critical;
pub(crate) mod dense;
pub(crate) mod eigen;
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

pub use eigen::Complex;
pub use error::StabilityError;
pub use methods::Asked;
pub use report::{
    Critical, CurvePoint, Entries, Entry, Kind, Matrices, MethodRow, Nonconservativity, Principal,
    StabilityReport,
};
pub use request::{MOST_POINTS, Range, Request, parse_guess, parse_range, specialise};
pub use study::study;
