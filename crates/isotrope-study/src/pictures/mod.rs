//! Pictures of runs and of studies: which charts there are, and what they show.
//!
//! ```text
//! rows of a run ─Album▶ Picture ─▶ Chart
//! errors and costs ─studies▶ Chart
//! ```

mod album;
mod extremes;
mod globe;
mod path;
mod studies;

pub use album::{Album, Picture, PictureError, planar_points};
pub(crate) use globe::axes_on_sphere;
pub use studies::{
    Curve, Work, convergence, eigenvalue_curves, eigenvalues, poincare_section, work_precision,
};
