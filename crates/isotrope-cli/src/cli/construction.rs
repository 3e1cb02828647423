//! Arguments of the commands about methods: trees, certificates, conditions, constructions.

use std::path::PathBuf;

use clap::Args;

use super::format::{FileFormat, LatexFormat};
use crate::names::{StructurePart, TreeFamily};

/// Arguments of `trees`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope trees --family rk --order 5\n  \
    isotrope trees --order 6 --natural --json | jq .cumulative\n  \
    isotrope trees --groups \"x=x,y^2; y=x\" --order 3 --draw\n  \
    isotrope trees --order 4 --latex --out trees.tex")]
pub struct Trees {
    /// The family.
    #[arg(long, value_enum, default_value_t = TreeFamily::Qvp)]
    pub family: TreeFamily,
    /// Declare groups of variables instead: each with those its rate depends on, `^n` where it
    /// is a polynomial of degree n in them: "q=v^1; v=q,v; p=q,v".
    #[arg(long, value_name = "GROUPS", conflicts_with = "family")]
    pub groups: Option<String>,
    /// Only rates at most quadratic in the velocities, as for natural Lagrangians (qvp, nystrom).
    #[arg(long)]
    pub natural: bool,
    /// List trees with up to this many vertices.
    #[arg(long, default_value_t = isotrope::TreesRequest::ORDER, value_name = "N")]
    pub order: usize,
    /// Count the trees without listing them.
    #[arg(long)]
    pub counts: bool,
    /// Draw the trees as well.
    #[arg(long, conflicts_with_all = ["json", "latex", "counts"])]
    pub draw: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: LatexFormat,
}

/// Arguments of `methods`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope methods\n  \
    isotrope methods gauss-3\n  \
    isotrope methods --for models/sleigh.toml\n  \
    isotrope methods --json | jq '.methods[] | select(.structure.sphere == \"inf\" and .form.sphere == \"inf\") | .name'")]
pub struct Methods {
    /// One method in full: its table and how each number is known. Families go on beyond the
    /// list: gauss-12.
    pub name: Option<String>,
    /// Those that suit a model, at most eight, the best first, with reasons.
    #[arg(long = "for", value_name = "MODEL", conflicts_with = "name")]
    pub model: Option<PathBuf>,
    /// Give a parameter of the model another value (repeatable): --set g=9.8.
    #[arg(long, value_name = "NAME=VALUE", requires = "model")]
    pub set: Vec<String>,
    /// Give a coordinate, velocity or momentum another initial value (repeatable).
    #[arg(long, value_name = "NAME=VALUE", requires = "model")]
    pub initial: Vec<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: FileFormat,
}

/// Arguments of `certify`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  isotrope certify heun.toml, with the file\n\n  \
    name = \"heun\"\n  stages = 2\n  a = [[0, 0], [1, 0]]\n  b = [\"1/2\", \"1/2\"]\n  \
    [declared]\n  order = 2\n  structure = { bilinear = 4 }\n\n\
    Exit code 1: a declared order is wrong, or not decided.")]
pub struct Certify {
    /// The table file; `-` reads standard input.
    pub file: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: FileFormat,
}

/// Arguments of `conditions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope conditions --class bilinear\n  \
    isotrope conditions --class sphere --order 5 --part phi-v --given 2\n  \
    isotrope conditions --class symplectic --json | jq .powers[3].conditions\n  \
    isotrope conditions models/pendulum.toml\n  \
    isotrope conditions --groups models/groups/rigid_body.toml --order 5\n\n\
    Classes: generic, natural, constant-mass, bilinear, sphere, quadrics, holonomic, symplectic.")]
pub struct Conditions {
    /// A model file: what this one system asks for, whatever its parameters.
    #[arg(value_name = "MODEL", conflicts_with_all = ["class", "groups", "part"])]
    pub model: Option<PathBuf>,
    /// The class of systems.
    #[arg(long, value_name = "NAME", required_unless_present_any = ["model", "groups"])]
    pub class: Option<String>,
    /// A problem file: variables in groups, their rates, and what is to be preserved.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["class", "part"])]
    pub groups: Option<PathBuf>,
    /// Through this power of the step size h.
    #[arg(long, default_value_t = isotrope::ConditionsRequest::ORDER, value_name = "J")]
    pub order: usize,
    /// For methods of this order; without it, of order j - 1 at each h^j.
    #[arg(long, value_name = "K")]
    pub given: Option<usize>,
    /// What to preserve: all structure functions, or for `symplectic` the 2-form.
    #[arg(long, value_enum)]
    pub part: Option<StructurePart>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: LatexFormat,
}

/// Arguments of `construct`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope construct --stages 2 --order 4\n  \
    isotrope construct --stages 2 --order 2 --structure 4 --class bilinear --pattern strict\n  \
    isotrope construct --stages 3 --order 2 --structure 5 --class bilinear --pattern strict --json\n  \
    isotrope construct models/pendulum.toml --stages 2 --order 2 --structure 5 --save my.toml\n  \
    isotrope construct --stages 2 --order 2 --structure 4 --groups models/groups/rigid_body.toml\n\n\
    Patterns: full, lower, strict, explicit, equal-weights, equal-tables, symmetric, stiffly-accurate; several \
    are separated by commas. Exit code 1: there is no such method, or none was found.")]
pub struct Construct {
    /// The number of stages.
    #[arg(long, value_name = "S")]
    pub stages: usize,
    /// The order of the solution.
    #[arg(long, value_name = "K")]
    pub order: usize,
    /// The structure functions are kept to O(h^M) in one step; for the class symplectic, the 2-form.
    #[arg(long, value_name = "M")]
    pub structure: Option<usize>,
    /// The 2-form on the constraint manifold is kept to O(h^M) in one step.
    #[arg(long, value_name = "M")]
    pub form: Option<usize>,
    /// Only this part of the structure counts: legendre (p = ∂L/∂v) or constraints (A(q) v = 0, φ(q) = 0); of a problem in
    /// groups, one of its parts.
    #[arg(long, value_name = "PART", requires = "structure")]
    pub part: Option<String>,
    /// A model: its class is read off its equations.
    #[arg(value_name = "MODEL")]
    pub model: Option<PathBuf>,
    /// The class of mechanical systems; generic, if neither class nor model nor groups are given.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["model", "groups"])]
    pub class: Option<String>,
    /// A problem of your own: variables in groups, right sides, structure functions.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub groups: Option<PathBuf>,
    /// The conditions of the model alone, by exact expansion of its equations, not those of its
    /// class.
    #[arg(long, requires = "model")]
    pub symbolic: bool,
    /// What is known of the tables in advance (repeatable).
    #[arg(long, value_name = "PATTERN")]
    pub pattern: Vec<String>,
    /// Prescribe an entry (repeatable): --fix a21=1/2.
    #[arg(long, value_name = "ENTRY=VALUE")]
    pub fix: Vec<String>,
    /// How many methods to list.
    #[arg(long, value_name = "N", default_value_t = isotrope::ConstructRequest::METHODS)]
    pub methods: usize,
    /// Also the cheapest methods that keep less of the structure.
    #[arg(long)]
    pub pareto: bool,
    /// Also combinations of known tables, one for each group; without it, only if nothing else is
    /// found.
    #[arg(long)]
    pub combinations: bool,
    /// Seconds for everything: conditions, bases, Newton's method. Then the answer is what is known.
    #[arg(long, value_name = "SECONDS", default_value_t = isotrope::ConstructRequest::TIME_LIMIT)]
    pub time_limit: u64,
    /// Write the first method to a table file, for `run --method rkd:FILE` and `certify`; of a problem in groups, for
    /// `run --method grouped:FILE`.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Write the whole derivation to a page (.html) or a LaTeX document (.tex).
    #[arg(long, value_name = "FILE")]
    pub explain: Option<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: FileFormat,
}

/// Arguments of `modified`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope modified euler\n  \
    isotrope modified midpoint models/pendulum_angle.toml --order 3\n  \
    isotrope modified verlet models/kepler.toml --json | jq .hamiltonian\n  \
    isotrope modified rkd:mytable.toml models/pendulum.toml --order 2 --latex\n\n\
    For Runge-Kutta tables, of one's own, too, and yoshida-4. Exit code 1: steps do not agree with \
    the equations.")]
pub struct Modified {
    /// The method: a name of `isotrope methods`, or rkd:FILE for a table of your own.
    pub method: String,
    /// The model file; without it, the equations are sums over trees. `-` reads standard input.
    pub model: Option<PathBuf>,
    /// Through h^(R - 1): what is left out changes a step by O(h^(R + 1)).
    #[arg(long, default_value_t = isotrope::MODIFIED_ORDER, value_name = "R")]
    pub order: usize,
    /// Give a parameter another value (repeatable): --set g=9.8.
    #[arg(long, value_name = "NAME=VALUE", requires = "model")]
    pub set: Vec<String>,
    /// Give a coordinate, velocity or momentum another initial value (repeatable).
    #[arg(long, value_name = "NAME=VALUE", requires = "model")]
    pub initial: Vec<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: LatexFormat,
}
