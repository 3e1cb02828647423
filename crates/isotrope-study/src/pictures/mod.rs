//! Pictures of runs and of studies: which charts there are, and what they show.
//!
//! ```text
//! rows of a run ─Album▶ Picture ─▶ Chart
//! errors and costs ─studies▶ Chart
//!
//! An `Album` is a sink that keeps of a run what its pictures need, with bounded memory: extremes
//! of pieces of time, or every 2^k-th point of a path. What steps measure goes to sinks beside the
//! rows (`Sink::measured`), as the largest since the row before.
//!
//! ```

mod album;
mod drawn;
mod extremes;
mod globe;
mod path;
mod studies;

pub use album::{Album, Picture, PictureError, planar_points};
pub use drawn::{Drawn, DrawnError};
pub(crate) use globe::axes_on_sphere;
pub use studies::{
    Curve, Work, convergence, eigenvalue_curves, eigenvalues, poincare_section, work_precision,
};
