//! Arguments of `sweep`: studies over many runs.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::format::{FileFormat, JsonFormat};

/// Arguments of `sweep`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope sweep plan studies/duffing_basins.toml\n  \
    isotrope sweep run studies/duffing_basins.toml --store b.store\n  \
    isotrope sweep status b.store\n  \
    isotrope sweep picture b.store --color attractor --out b.png\n\n\
    A run that was ended by anything goes on where it was: the store keeps what is done.\n\
    Exit codes: 0 all members completed, 1 some did not, 2 could not run, 130 interrupted.")]
pub struct Sweep {
    /// What to do.
    #[command(subcommand)]
    pub what: SweepCommand,
}

/// The subcommands of `sweep`.
#[derive(Debug, Subcommand)]
pub enum SweepCommand {
    /// What a study comes to: groups, members, files. Nothing is run.
    Plan(SweepPlan),
    /// Run what is missing of a study.
    Run(SweepRun),
    /// What is done of a store, and what failed.
    Status(SweepStatus),
    /// Compute some shards of a store: what other programs call.
    Work(SweepWork),
    /// Take the parts of other stores of the same study.
    Merge(SweepMerge),
    /// All members as one table, and the reductions of the study.
    Table(SweepTable),
    /// A map over two axes, or a bifurcation diagram.
    Picture(SweepPicture),
}

/// Arguments of `sweep plan`.
#[derive(Debug, Args)]
pub struct SweepPlan {
    /// The study file.
    pub study: PathBuf,
    /// Members of a shard.
    #[arg(long, value_name = "N", default_value_t = isotrope_sweep::Plan::SHARD)]
    pub shard_size: u64,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: FileFormat,
}

/// Arguments of `sweep run`.
#[derive(Debug, Args)]
pub struct SweepRun {
    /// The study file.
    pub study: PathBuf,
    /// The folder that keeps what is done; NAME.store beside the study, if none is given.
    #[arg(long, value_name = "FOLDER")]
    pub store: Option<PathBuf>,
    /// Threads; as many as there are processors, if none are given.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Only every N-th shard from the K-th on, K from 1: for arrays of jobs.
    #[arg(long, value_name = "K/N")]
    pub shard: Option<String>,
    /// Members of a shard.
    #[arg(long, value_name = "N", default_value_t = isotrope_sweep::Plan::SHARD)]
    pub shard_size: u64,
    /// End after so many seconds; the rest is for another time.
    #[arg(long, value_name = "S")]
    pub max_seconds: Option<f64>,
    /// Compute shards with failed members again.
    #[arg(long)]
    pub retry_failed: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: JsonFormat,
}

/// Arguments of `sweep status`.
#[derive(Debug, Args)]
pub struct SweepStatus {
    /// The store.
    pub store: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: JsonFormat,
}

/// Arguments of `sweep work`.
#[derive(Debug, Args)]
pub struct SweepWork {
    /// The store.
    pub store: PathBuf,
    /// Numbers of shards: 3,7-9.
    #[arg(long, value_name = "LIST")]
    pub shards: String,
    /// Threads; as many as there are processors, if none are given.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: JsonFormat,
}

/// Arguments of `sweep merge`.
#[derive(Debug, Args)]
pub struct SweepMerge {
    /// The store that is completed.
    pub store: PathBuf,
    /// Stores that parts are taken from.
    #[arg(required = true)]
    pub from: Vec<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: JsonFormat,
}

/// Arguments of `sweep table`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope sweep table b.store --where \"f < 0.22, outcome = completed\" --out b.csv\n  \
    isotrope sweep table b.store --reduce --json")]
pub struct SweepTable {
    /// The store.
    pub store: PathBuf,
    /// Only members for which this holds: "f < 0.22, outcome = completed".
    #[arg(long = "where", value_name = "CONDITIONS", default_value = "")]
    pub filter: String,
    /// The reductions of the study instead of all members.
    #[arg(long, conflicts_with = "filter")]
    pub reduce: bool,
    /// The file, .csv or .parquet; without one the table goes to standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: JsonFormat,
}

/// Arguments of `sweep picture`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope sweep picture b.store --x x --y \"x'\" --color attractor --at f=0.2 --out b.png\n  \
    isotrope sweep picture p.store --bifurcation A --y theta --out p.svg")]
pub struct SweepPicture {
    /// The store.
    pub store: PathBuf,
    /// The column across; the last axis but one, if none is given.
    #[arg(long, value_name = "COLUMN")]
    pub x: Option<String>,
    /// The column upwards; the last axis, if none is given.
    #[arg(long, value_name = "COLUMN")]
    pub y: Option<String>,
    /// The column that colours show.
    #[arg(long, visible_alias = "colour", value_name = "COLUMN")]
    pub color: Option<String>,
    /// Only members for which this holds: f=0.2.
    #[arg(long, value_name = "CONDITIONS", default_value = "")]
    pub at: String,
    /// A bifurcation diagram over this axis, of what strobes or sections keep.
    #[arg(long, value_name = "AXIS", conflicts_with_all = ["x", "color"])]
    pub bifurcation: Option<String>,
    /// The picture, .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}
