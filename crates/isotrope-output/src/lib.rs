//! What runs leave behind: trajectories as files, numbers as charts.
//!
//! ```text
//! rows of f64 ─writers▶ CSV, NPZ, Parquet, WAV
//! Chart ─plot▶ SVG, PNG
//! names ─files▶ bytes
//! ```
#![warn(missing_docs)]

pub mod apart;
pub mod files;
pub mod plot;
pub mod writers;
