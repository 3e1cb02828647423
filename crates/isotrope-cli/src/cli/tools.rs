//! Arguments of the commands around the others.

use std::path::PathBuf;

use clap::Args;

use super::format::JsonFormat;
use crate::names::WorkloadName;

/// Arguments of `bench`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope bench\n  \
    isotrope bench W1 W2 --json | jq '.workloads[] | {name, ratio}'\n\n\
    Each line: name, nanoseconds, accuracy; then those of C and the ratio. The C programs are \
    compiled with `cc` and run by turns with ours; without it there is nothing to compare with.")]
pub struct Bench {
    /// Workloads to measure; all, if none is named.
    #[arg(value_enum, ignore_case = true)]
    pub workloads: Vec<WorkloadName>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: JsonFormat,
}

/// Arguments of `new`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope new my_pendulum && isotrope derive my_pendulum.toml\n  \
    isotrope new --lie my_top\n  \
    isotrope new --port my_circuit && isotrope run my_circuit.toml\n\n\
    Without one of these options: a Lagrangian with a constraint on positions.")]
pub struct New {
    /// Name of the model; the file is NAME.toml.
    #[arg(default_value = "model")]
    pub name: String,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub kind: NewKind,
    /// Replace the file if it exists.
    #[arg(long)]
    pub force: bool,
}

/// What a new model begins with.
#[derive(Debug, Args)]
#[group(multiple = false)]
#[expect(clippy::struct_excessive_bools, reason = "one flag each, of which one may be given")]
pub struct NewKind {
    /// Begin with a Hamiltonian instead of a Lagrangian.
    #[arg(long)]
    pub hamiltonian: bool,
    /// Begin with a body that rotates: a Lagrangian on a Lie group.
    #[arg(long, visible_alias = "group")]
    pub lie: bool,
    /// Begin with a Lagrangian and a constraint on velocities.
    #[arg(long)]
    pub nonholonomic: bool,
    /// Begin with a bracket and a Hamiltonian.
    #[arg(long)]
    pub poisson: bool,
    /// Begin with a port-Hamiltonian system.
    #[arg(long)]
    pub port: bool,
    /// Begin with plain differential equations.
    #[arg(long)]
    pub equations: bool,
}

/// Arguments of `plot`, which is not a command: anything.
#[derive(Debug, Args)]
pub struct Plot {
    /// Anything.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub rest: Vec<String>,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  isotrope explain ISO-RUN-011")]
pub struct Explain {
    /// The code, as printed in the message.
    pub code: String,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: JsonFormat,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope schema > isotrope.schema.json\n  \
    isotrope schema run | jq .properties.errors")]
pub struct Schema {
    /// The command whose --json answer to describe; otherwise model files. discrete stands for derive
    /// --discrete, ensemble for run --ensemble, recommended for methods --for.
    #[arg(value_name = "WHAT", default_value = crate::commands::schema::MODEL, value_parser = crate::commands::schema::names())]
    pub what: String,
}

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
