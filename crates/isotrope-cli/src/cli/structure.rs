//! Arguments of the commands that ask about a system: derivations, checks, geometry, ports.

use std::path::PathBuf;

use clap::Args;

use super::format::{DocumentFormat, FileFormat};
use super::model::ModelArguments;

/// Arguments of `derive`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope derive models/sleigh.toml\n  \
    isotrope derive models/pendulum.toml --json | jq .multipliers\n  \
    isotrope derive models/sleigh.toml --html --out sleigh.html\n  \
    isotrope derive models/chain.toml --set N=1000 --json\n  \
    isotrope derive models/kepler.toml --discrete galerkin-2-gauss2\n  \
    isotrope derive models/singular/proca.toml --reduce --save reduced.toml")]
pub struct Derive {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub model: ModelArguments,
    /// Derive the discrete Lagrangian of this method instead, with its equations, momenta and
    /// discrete Dirac structures: variational-midpoint, galerkin-2-gauss2, variational-own, …
    #[arg(long, value_name = "METHOD")]
    pub discrete: Option<String>,
    /// Seek integrals that are polynomials of degree D in the velocities or momenta; in the states, Casimir functions
    /// included, of systems of first order.
    #[arg(long, value_name = "D")]
    pub integrals: Option<u32>,
    /// Let these be polynomials of degree K in the time, too.
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub integrals_time: u32,
    /// Write the final manifold of a singular Lagrangian as a model in coordinates of its own: a Lagrangian of first
    /// order, or equations.
    #[arg(long, conflicts_with = "discrete")]
    pub reduce: bool,
    /// Save that model to a file; otherwise it is printed.
    #[arg(long, value_name = "FILE", requires = "reduce")]
    pub save: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, requires = "save")]
    pub force: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: DocumentFormat,
}

/// Arguments of `geometry`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope geometry models/sleigh.toml\n  \
    isotrope geometry models/geometry/rigid_body.toml --json | jq .casimirs\n  \
    isotrope geometry models/geometry/courant.toml --html --out courant.html\n  \
    isotrope geometry models/sleigh.toml --methods dirac-1,midpoint,rk4 --step 1/100 --time 1\n\n\
    With methods: how far their steps are from the structure of the model. A geometry file has one of [bivector], [two_form], [distribution], [dirac], [lie_algebra] and\n\
    [graded]: docs/geometry.md. \"Not Dirac\" is an answer like any other: exit code 0.")]
pub struct Geometry {
    /// The geometry file or the model file; `-` reads a geometry file from standard input.
    pub file: PathBuf,
    /// Give a parameter of a model another value (repeatable): --set g=9.8.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Methods whose trajectories are compared with the structure of a model, separated by commas.
    #[arg(long, visible_alias = "method", value_name = "LIST", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Their step; half of it is run as well. Otherwise that of the model.
    #[arg(long, alias = "dt", value_name = "H", allow_hyphen_values = true, requires = "methods")]
    pub step: Option<String>,
    /// The time to integrate, a whole number of steps. Otherwise that of the model.
    #[arg(long, value_name = "T", allow_hyphen_values = true, requires = "methods")]
    pub time: Option<String>,
    /// Give a coordinate or velocity another initial value (repeatable): --initial x=1.
    #[arg(long, value_name = "NAME=VALUE", requires = "methods")]
    pub initial: Vec<String>,
    /// Put the defects of every step into the JSON, not only the largest and their mean.
    #[arg(long, requires = "methods", requires = "json")]
    pub per_step: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: DocumentFormat,
}

/// Arguments of `port`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope port models/viv.toml\n  \
    isotrope port models/equations/lorenz.toml --hamiltonian \"(x^2 + y^2 + z^2)/2\"\n  \
    isotrope port models/viv.toml --set eps=0 --json | jq '.forms[0].J'\n  \
    isotrope port models/viv.toml --form 8 --save viv_1.toml\n\n\
    Exit code 1: no structure matrices exist for the Hamiltonian that was asked for; the report\n\
    says which rate is not a combination of its derivatives. docs/port.md")]
pub struct Port {
    /// The model file, with [equations], [poisson] or [port]; `-` reads standard input.
    pub file: PathBuf,
    /// Put a value in place of a parameter (repeatable): --set eps=0. All others stay symbols.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// The energy: only its structures are searched for.
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub hamiltonian: Option<String>,
    /// Search for energies even if the file has one.
    #[arg(long, conflicts_with = "hamiltonian")]
    pub search: bool,
    /// The largest degree of the entries of J and R; by default that of the rates, at most 4.
    #[arg(long, value_name = "DEGREE", value_parser = clap::value_parser!(u32).range(0..=12))]
    pub degree: Option<u32>,
    /// The largest degree of polynomial first integrals [default: 4].
    #[arg(long, value_name = "DEGREE", value_parser = clap::value_parser!(u32).range(1..=12))]
    pub integrals: Option<u32>,
    /// Write this form, counted as in the report, as a [port] model; needs --save.
    #[arg(long, value_name = "NUMBER", requires = "save")]
    pub form: Option<usize>,
    /// The file for the model of --form, instead of the report; `-` is standard output.
    #[arg(long, value_name = "FILE", requires = "form", conflicts_with_all = ["json", "latex", "html", "out"])]
    pub save: Option<PathBuf>,
    /// Replace the file of --save if it exists.
    #[arg(long, requires = "save")]
    pub force: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: DocumentFormat,
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
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: FileFormat,
    /// Repair the initial data: positions by Newton's method onto the constraints, then
    /// velocities by the nearest admissible ones in the metric of the mass matrix.
    #[arg(long)]
    pub project: bool,
    /// Residuals up to this part of the terms of their constraints count as zero.
    #[arg(long, default_value_t = isotrope::CheckRequest::TOLERANCE, value_name = "SIZE")]
    pub tolerance: f64,
}

/// Arguments of `connect`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope connect coil=models/port/coil.toml cone=models/port/cone.toml --join coil.e,cone.force=27/5\n  \
    isotrope connect a=a.toml b=b.toml --join a.u,b.v --out both.toml && isotrope run both.toml\n\n\
    --join a.u,b.v=K lets u of a be -K times the output of b, and v of b be K times the output of a: what\n\
    one takes the other gives. Names of a component begin with its own, a_x for x of a.")]
pub struct Connect {
    /// The components: names and the files of their [port] or [poisson] models.
    #[arg(value_name = "NAME=FILE", required = true)]
    pub components: Vec<String>,
    /// Two ports, by the names of component and input, and a modulus if that is not 1; can be repeated.
    #[arg(long, value_name = "A.U,B.V[=K]", allow_hyphen_values = true)]
    pub join: Vec<String>,
    /// The name of the whole; otherwise the names of the components.
    #[arg(long)]
    pub name: Option<String>,
    /// Write the model to this file.
    #[arg(long, value_name = "FILE.toml")]
    pub out: Option<PathBuf>,
}
