//! The model and what overrides it.

use std::path::PathBuf;

use clap::Args;

/// The model and what overrides it.
#[derive(Debug, Clone, Args)]
pub struct ModelArguments {
    /// The model file; `-` reads standard input.
    pub model: PathBuf,
    /// Give a parameter another value (repeatable): --set g=9.8.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Give a coordinate, velocity or momentum another initial value (repeatable):
    /// --initial x=1 --initial "x'=0".
    #[arg(long, value_name = "NAME=VALUE")]
    pub initial: Vec<String>,
}
