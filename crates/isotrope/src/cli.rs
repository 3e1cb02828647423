//! The command line: arguments, help, dispatch.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::commands;

/// From a Lagrangian to its exact equations, their geometry and what they conserve.
#[derive(Debug, Parser)]
#[command(
    name = "isotrope",
    version,
    about,
    after_help = "Start here:\n  isotrope new pendulum\n  isotrope derive pendulum.toml\n\n\
                  stdout is data, stderr is talk. Exit codes: 0 done, 1 the answer is negative, \
                  2 could not run."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Derive the equations of motion of a model and everything that follows from them.
    Derive(Derive),
    /// Check initial data, regularity and the kinds of the constraints.
    Check(Check),
    /// Write a commented model file to start from.
    New(New),
    /// Print the JSON schema of model files, for completion in editors.
    Schema(Schema),
    /// Print a completion script for a shell.
    Completions(Completions),
    /// Print or write the manual pages.
    Man(Man),
}

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

/// Arguments of `derive`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope derive models/sleigh.toml\n  \
    isotrope derive models/pendulum.toml --json | jq .multipliers\n  \
    isotrope derive models/sleigh.toml --html --out sleigh.html\n  \
    isotrope derive models/chain.toml --set N=1000 --json")]
pub struct Derive {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub model: ModelArguments,
    /// Print JSON; every expression in it is text that parses back.
    #[arg(long, conflicts_with_all = ["latex", "html"])]
    pub json: bool,
    /// Print a complete LaTeX document.
    #[arg(long, conflicts_with = "html")]
    pub latex: bool,
    /// Print one self-contained HTML page with MathML.
    #[arg(long)]
    pub html: bool,
    /// Write to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope check models/sleigh.toml\n  \
    isotrope check models/pendulum.toml --initial x=1.1 --project\n\n\
    Exit code 1: a residual above the tolerance, or a singular initial point.")]
pub struct Check {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub model: ModelArguments,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Repair the initial data: positions by Newton's method onto the constraints, then
    /// velocities by the nearest admissible ones in the metric of the mass matrix.
    #[arg(long)]
    pub project: bool,
    /// Residuals up to this size count as zero.
    #[arg(long, default_value_t = 1e-12, value_name = "SIZE")]
    pub tolerance: f64,
}

/// Arguments of `new`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  isotrope new my_pendulum && isotrope derive my_pendulum.toml")]
pub struct New {
    /// Name of the model; the file is NAME.toml.
    pub name: String,
    /// Begin with a Hamiltonian instead of a Lagrangian.
    #[arg(long)]
    pub hamiltonian: bool,
    /// Replace the file if it exists.
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  isotrope schema > isotrope.schema.json")]
pub struct Schema {}

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  \
    isotrope completions bash > ~/.local/share/bash-completion/completions/isotrope")]
pub struct Completions {
    /// The shell.
    pub shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  isotrope man | man -l -\n  isotrope man --out man1")]
pub struct Man {
    /// Write one page for each subcommand into this directory.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Parses the arguments of this process, runs the command, and returns its exit code.
pub fn main() -> ExitCode {
    let exit = match Cli::parse().command {
        Command::Derive(arguments) => commands::derive::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::New(arguments) => commands::new::run(&arguments),
        Command::Schema(_) => commands::schema::run(),
        Command::Completions(arguments) => commands::completions::run(&arguments),
        Command::Man(arguments) => commands::man::run(&arguments),
    };
    exit.into()
}
