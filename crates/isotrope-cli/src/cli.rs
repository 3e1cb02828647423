//! The command line: arguments, help, dispatch.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::commands;
use crate::names::{
    BackendName, FlowCheck, PictureName, SortName, StructurePart, TreeFamily, WorkloadName,
};

/// From a Lagrangian to its exact equations, their geometry and what they conserve.
#[derive(Debug, Parser)]
#[command(
    name = "isotrope",
    version,
    about,
    after_help = "Start here:\n  isotrope new pendulum\n  isotrope derive pendulum.toml\n\n\
                  stdout is data, stderr is talk. Exit codes: 0 done, 1 the answer is negative, \
                  2 could not run, 130 interrupted."
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
    /// Integrate a model with a method, and measure what is kept.
    Run(Run),
    /// Run many methods on a model and compare what they keep, beside a reference solution.
    Compare(Compare),
    /// Measure the orders of methods on a model, beside the computed ones.
    Convergence(Convergence),
    /// Linearise a model at rest along a parameter: where it becomes unstable, and where methods do.
    Stability(Stability),
    /// Long runs: does the energy drift, how do constraints grow, is the 2-form kept?
    Drift(Drift),
    /// Derivatives of the discrete flow: monodromy, symplecticity, Lyapunov exponents,
    /// sensitivities, shooting.
    Flow(Flow),
    /// List the coloured trees of a family of methods, one order condition each.
    Trees(Trees),
    /// List the methods with their orders, all computed; or show one of them.
    Methods(Methods),
    /// Compute the orders of a table file and judge the declared ones.
    Certify(Certify),
    /// What a class of systems asks of the methods that preserve its structure.
    Conditions(Conditions),
    /// Construct methods from order and structure conditions.
    Construct(Construct),
    /// The differential equations that a method solves exactly: backward error analysis.
    Modified(Modified),
    /// Dirac structures, brackets and homological fields: of a geometry file, or of the
    /// constraints of a model.
    Geometry(Geometry),
    /// Find port-Hamiltonian forms of plain equations: energy, structure, dissipation, ports.
    Port(Port),
    /// Connect port systems to one: a model file.
    Connect(Connect),
    /// Measure compiled steps beside hand-written C.
    Bench(Bench),
    /// Write a commented model file to start from.
    New(New),
    /// Say what the code of an error means and what to do about it.
    Explain(Explain),
    /// Print the JSON schema of model files, for completion in editors; or of an answer.
    Schema(Schema),
    /// Print a completion script for a shell.
    Completions(Completions),
    /// Print or write the manual pages.
    Man(Man),
    /// Computes bases for `construct`, one request a line.
    #[command(name = crate::engine::WORKER, hide = true)]
    BasisWorker,
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
    isotrope derive models/chain.toml --set N=1000 --json\n  \
    isotrope derive models/kepler.toml --discrete galerkin-2-gauss2")]
pub struct Derive {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub model: ModelArguments,
    /// Derive the discrete Lagrangian of this method instead, with its equations, momenta and
    /// discrete Dirac structures: variational-midpoint, galerkin-2-gauss2, variational-own, …
    #[arg(long, value_name = "METHOD")]
    pub discrete: Option<String>,
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
    /// Methods whose trajectories of a model are held against its structure, separated by commas.
    #[arg(long, visible_alias = "method", value_name = "LIST", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Their step; half of it is run, too. Otherwise that of the model.
    #[arg(long, value_name = "H", allow_hyphen_values = true, requires = "methods")]
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

/// Arguments of `port`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope port models/viv.toml\n  \
    isotrope port models/equations/lorenz.toml --hamiltonian \"(x^2 + y^2 + z^2)/2\"\n  \
    isotrope port models/viv.toml --set eps=0 --json | jq '.forms[0].J'\n  \
    isotrope port models/viv.toml --form 8 --save viv_1.toml\n\n\
    Exit code 1: no structure matrices exist for the Hamiltonian that was asked for; the report\n\
    says which rate is no combination of its derivatives. docs/port.md")]
pub struct Port {
    /// The model file, with [equations], [poisson] or [port]; `-` reads standard input.
    pub file: PathBuf,
    /// Put a value in place of a parameter (repeatable): --set eps=0. All others stay symbols.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// The energy: only its structures are searched.
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub hamiltonian: Option<String>,
    /// Search energies although the file has one.
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
    #[arg(long, default_value_t = isotrope::CheckRequest::TOLERANCE, value_name = "SIZE")]
    pub tolerance: f64,
}

/// Arguments of `run`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("rows").args(["out", "plot"]).multiple(true))]
#[command(after_help = "Examples:\n  \
    isotrope run models/pendulum.toml\n  \
    isotrope run models/pendulum.toml --method gauss-4 --step 0.01 --time 10 --json\n  \
    isotrope run models/sleigh.toml --method dirac-1 --out sleigh.csv --stride 10\n  \
    isotrope run models/pendulum.toml --method rkd:mytable.toml --set g=1.62\n  \
    isotrope run models/pendulum.toml --ensemble starts.csv --out ends.npz\n  \
    isotrope run models/port/string.toml --out string.wav --signal pickup\n\n\
    Exit code 1: the run did not complete; the report and the file hold what was computed.\n\
    `isotrope methods` lists the certified methods; docs/run.md those written as equations\n\
    (rattle, dirac-1, euler-c, ...); a table file is a method of your own.")]
pub struct Run {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub model: ModelArguments,
    /// The method: a name (gauss-4, rk4, rattle, dirac-1, ...), or a table file as rkd:FILE.
    /// Otherwise that of the model, or gauss-2.
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// The step, a decimal or an exact constant (1/100, pi/512). Otherwise that of the model.
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// The time to integrate, a whole number of steps. Otherwise that of the model.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub time: Option<String>,
    /// Iterations end when positions and velocities change by less, relative to their size (1e-13);
    /// of dop853 the error of a step, relative and absolute (1e-10).
    #[arg(long, value_name = "SIZE")]
    pub tolerance: Option<f64>,
    /// Write the trajectory: t, coordinates, velocities, momenta, multipliers, energy, outputs. The
    /// ending chooses the format; .wav is the sound of one column.
    #[arg(long, value_name = "F.csv|.npz|.parquet|.wav")]
    pub out: Option<PathBuf>,
    /// The column that is heard in a .wav file; otherwise the first output.
    #[arg(long, value_name = "COLUMN", requires = "out", conflicts_with = "ensemble")]
    pub signal: Option<String>,
    /// Write a row every so many steps, not every step (the last one always).
    #[arg(long, value_name = "K", requires = "rows", conflicts_with = "ensemble")]
    pub stride: Option<u64>,
    /// Write K rows for every step, from the polynomial of a collocation method (gauss-s,
    /// radau-iia-s, ...).
    #[arg(
        long,
        value_name = "K",
        value_parser = clap::value_parser!(u32).range(1..=1000),
        requires = "rows",
        conflicts_with_all = ["stride", "ensemble"],
    )]
    pub dense: Option<u32>,
    /// Draw a picture; can be repeated. The ending chooses the format.
    #[arg(long, value_name = "FILE.svg|.png", conflicts_with = "ensemble")]
    pub plot: Vec<PathBuf>,
    /// What the pictures show, one after the other; otherwise the coordinates against time.
    #[arg(long, value_enum, value_name = "WHAT", requires = "plot")]
    pub plot_what: Vec<PictureName>,
    /// Run every member of a table of initial values and parameters; --out then takes their last
    /// states.
    #[arg(long, value_name = "FILE.csv")]
    pub ensemble: Option<PathBuf>,
    /// Threads for ensembles; otherwise as many as the machine has.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Sum up with what rounding loses (Runge-Kutta and variational methods), for very long runs.
    #[arg(long)]
    pub compensated: bool,
    /// End after so many steps with the outcome step-limit.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Who executes the steps; both give the same bits.
    #[arg(long, value_enum, default_value_t = BackendName::Native)]
    pub backend: BackendName,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
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
    /// Write the model file there.
    #[arg(long, value_name = "FILE.toml")]
    pub out: Option<PathBuf>,
}

/// Arguments of `compare`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope compare models/pendulum.toml\n  \
    isotrope compare models/sleigh.toml --methods published --steps 0.01 --time 10 --json\n  \
    isotrope compare models/pendulum.toml --methods rattle,gauss-2,rkd:mine.toml --steps 0.1,0.01\n  \
    isotrope compare models/kepler.toml --methods all --sort energy --html kepler.html\n  \
    isotrope compare models/heavy_top.toml --methods lie --html top.html\n\n\
    `published` are the methods of the published comparisons (once called `seeds`), `all` every method that can be run,\n\
    `lie` those of [lie_group] models, whose page has an animation, `state` those of [poisson] models.\n\
    A method that does not apply is a row that says why. Exit code 1: no row completed.")]
pub struct Compare {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub model: ModelArguments,
    /// Methods, separated by commas: names, table files as rkd:FILE, `published`, `all`, `lie`, `state`. Otherwise
    /// those that the kind of the model suggests.
    #[arg(long, value_name = "LIST")]
    pub methods: Option<String>,
    /// Steps, separated by commas: decimals or exact constants. Otherwise that of the model.
    #[arg(long, visible_alias = "step", value_name = "H1,H2", allow_hyphen_values = true)]
    pub steps: Option<String>,
    /// The time to integrate, a whole number of every step. Otherwise that of the model.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub time: Option<String>,
    /// What the rows are sorted by.
    #[arg(long, value_enum, default_value_t = SortName::Reference)]
    pub sort: SortName,
    /// Iterations end when positions and velocities change by less, relative to their size.
    #[arg(long, value_name = "SIZE")]
    pub tolerance: Option<f64>,
    /// End a row after so many steps with the outcome step-limit.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Print JSON.
    #[arg(long, conflicts_with_all = ["csv", "latex"])]
    pub json: bool,
    /// Print comma-separated values.
    #[arg(long, conflicts_with = "latex")]
    pub csv: bool,
    /// Print a LaTeX table (packages booktabs).
    #[arg(long)]
    pub latex: bool,
    /// Write a self-contained page with equations, table and pictures. Without --json, --csv and
    /// --latex it is always written, as MODEL-compare.html.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write no page.
    #[arg(long, conflicts_with = "html")]
    pub no_html: bool,
    /// Write to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `convergence`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope convergence models/pendulum.toml --methods rattle,dirac-2,spark-lobatto-3\n  \
    isotrope convergence models/sleigh.toml --methods published --time 2 --json\n  \
    isotrope convergence models/heavy_top.toml --methods lie --step 1/8 --levels 5\n\n\
    Exit code 1: a measured order is lower than the computed one.")]
pub struct Convergence {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub model: ModelArguments,
    /// Methods, separated by commas: names, table files as rkd:FILE, `published`, `all`, `lie`, `state`. Otherwise
    /// those that the kind of the model suggests.
    #[arg(long, value_name = "LIST")]
    pub methods: Option<String>,
    /// The largest step; it is halved from one run to the next.
    #[arg(long, value_name = "H", default_value = isotrope::ConvergenceRequest::STEP, allow_hyphen_values = true)]
    pub step: String,
    /// How many steps are tried.
    #[arg(long, value_name = "N", default_value_t = isotrope::ConvergenceRequest::LEVELS)]
    pub levels: u32,
    /// The time of all runs, a whole number of the largest step.
    #[arg(long, value_name = "T", default_value = isotrope::ConvergenceRequest::TIME, allow_hyphen_values = true)]
    pub time: String,
    /// Draw errors against steps, both logarithmic, with lines of the slopes.
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Write to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `stability`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope stability models/ziegler_angles.toml --vary P=1..3\n  \
    isotrope stability models/ziegler.toml --vary P=1..3 --json | jq .critical\n  \
    isotrope stability models/pendulum_angle.toml --vary g=-1..10 --guess theta=3.1\n  \
    isotrope stability models/ziegler_angles.toml --vary P=1..3 --methods dirac-2,rk4 --step 0.05")]
pub struct Stability {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub model: ModelArguments,
    /// The parameter and its range, NAME=LOW..HIGH; ends are decimals or exact constants.
    #[arg(long, value_name = "NAME=LOW..HIGH")]
    pub vary: String,
    /// Look for the equilibrium from here (repeatable): --guess theta=3.1. Otherwise from the
    /// initial position of the model.
    #[arg(long, value_name = "NAME=VALUE")]
    pub guess: Vec<String>,
    /// How many values of the parameter are looked at.
    #[arg(long, default_value_t = isotrope::StabilityRequest::POINTS, value_name = "N")]
    pub points: usize,
    /// Methods whose steps are judged, separated by commas; `none` for none.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = isotrope::StabilityRequest::METHODS
    )]
    pub methods: Vec<String>,
    /// Their step, a decimal or an exact constant. Otherwise that of the model, or 1/100.
    #[arg(long, value_name = "H")]
    pub step: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Write to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `drift`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope drift models/sphere_drift.toml --methods rattle,midpoint --step 0.02 --time 2400\n  \
    isotrope drift models/henon_heiles.toml --methods verlet --step 0.05 --time 2000 \
    --section \"x = 0\" --out section.csv\n\n\
    Exit code 1: a run did not complete.")]
pub struct Drift {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub model: ModelArguments,
    /// Methods, separated by commas: names, table files as rkd:FILE, `published`, `all`, `lie`, `state`.
    #[arg(long, value_name = "LIST", value_delimiter = ',', required = true)]
    pub methods: Vec<String>,
    /// The step, or one for each method, separated by commas. Otherwise that of the model.
    #[arg(long, value_name = "H,...", value_delimiter = ',', allow_hyphen_values = true)]
    pub step: Vec<String>,
    /// The time to integrate, a whole number of steps. Otherwise that of the model.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub time: Option<String>,
    /// Locate where trajectories cross a surface: "x = 0", "x' + y'".
    #[arg(long, value_name = "EQUATION")]
    pub section: Option<String>,
    /// Write the crossings: number of the method, t, coordinates, velocities, direction.
    #[arg(long, value_name = "F.csv|.npz|.parquet", requires = "section")]
    pub out: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `flow`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope flow models/henon_heiles.toml --method variational-midpoint --step 1/20 --time 10\n  \
    isotrope flow models/pendulum_angle.toml --method rk4 --step 1/10 --time 1 --check symplectic\n  \
    isotrope flow models/poisson/rigid_body.toml --method splitting-2 --time 1 --check poisson\n  \
    isotrope flow models/henon_heiles.toml --method midpoint --step 1/10 --time 5000 --lyapunov\n  \
    isotrope flow models/pendulum_angle.toml --method gauss-3 --step 1/50 --time 1 \
    --sensitivity \"g,l,theta\" --second\n  \
    isotrope flow models/kepler.toml --method gauss-3 --step 1/50 --time 1 --shoot \"x=0,y=1\"\n  \
    isotrope flow models/pendulum_angle.toml --method gauss-3 --step 1/20 --time 13/2 \
    --periodic --fix \"theta,theta'\"\n\n\
    Exit code 1: the run did not arrive, Newton's method did not converge, or --check failed.")]
pub struct Flow {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub model: ModelArguments,
    /// The method: a name of `isotrope methods`, or a table file as rkd:FILE.
    #[arg(long, value_name = "NAME")]
    pub method: String,
    /// The step, a decimal or an exact constant. Otherwise that of the model.
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// The time of the run, a whole number of steps. Otherwise that of the model.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub time: Option<String>,
    /// Exit with 1 unless the steps keep the structure.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub check: Option<FlowCheck>,
    /// Compute all Lyapunov exponents of the trajectory.
    #[arg(long)]
    pub lyapunov: bool,
    /// Derivatives of the end in parameters, initial positions and velocities, separated by
    /// commas: "g,l,theta,theta'".
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub sensitivity: Vec<String>,
    /// Their second derivatives, too.
    #[arg(long, requires = "sensitivity")]
    pub second: bool,
    /// Find initial velocities that lead to these positions at the end: "x=1,y=0".
    #[arg(long, value_name = "NAME=VALUE,...", value_delimiter = ',', conflicts_with = "periodic")]
    pub shoot: Vec<String>,
    /// Find a periodic orbit near the initial values, with a period near the time.
    #[arg(long)]
    pub periodic: bool,
    /// What stays in the search for it: coordinates, velocities, and t for the period.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "periodic")]
    pub fix: Vec<String>,
    /// Who executes the steps.
    #[arg(long, value_enum, default_value = "native")]
    pub backend: BackendName,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Write to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

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
    /// Draw the trees, too.
    #[arg(long, conflicts_with_all = ["json", "latex", "counts"])]
    pub draw: bool,
    /// Print JSON.
    #[arg(long, conflicts_with = "latex")]
    pub json: bool,
    /// Print a complete LaTeX document that draws the trees with the package `forest`.
    #[arg(long)]
    pub latex: bool,
    /// Write to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `methods`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope methods\n  \
    isotrope methods gauss-3\n  \
    isotrope methods --json | jq '.methods[] | select(.structure.sphere == \"inf\" and .form.sphere == \"inf\") | .name'")]
pub struct Methods {
    /// One method in full: its table and how each number is known. Families go on beyond the
    /// list: gauss-12.
    pub name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
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
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
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
    /// What is to be preserved: all structure functions, or for `symplectic` the 2-form.
    #[arg(long, value_enum)]
    pub part: Option<StructurePart>,
    /// Print JSON.
    #[arg(long, conflicts_with = "latex")]
    pub json: bool,
    /// Print a complete LaTeX document.
    #[arg(long)]
    pub latex: bool,
    /// Write to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `construct`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope construct --stages 2 --order 4\n  \
    isotrope construct --stages 2 --order 2 --structure 4 --class bilinear --pattern strict\n  \
    isotrope construct --stages 3 --order 2 --structure 5 --class bilinear --pattern strict --json\n  \
    isotrope construct models/pendulum.toml --stages 2 --order 2 --structure 5 --save my.toml\n  \
    isotrope construct --stages 2 --order 2 --structure 4 --groups models/groups/rigid_body.toml\n\n\
    Patterns: full, lower, strict, explicit, equal-weights, equal-tables, symmetric; several are separated by \
    commas. Exit code 1: there is no such method, or none was found.")]
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
    /// What is known of the tables beforehand (repeatable).
    #[arg(long, value_name = "PATTERN")]
    pub pattern: Vec<String>,
    /// Prescribe an entry (repeatable): --fix a21=1/2.
    #[arg(long, value_name = "ENTRY=VALUE")]
    pub fix: Vec<String>,
    /// Methods that are listed.
    #[arg(long, value_name = "N", default_value_t = isotrope::ConstructRequest::METHODS)]
    pub methods: usize,
    /// Also the cheapest methods that keep less of the structure.
    #[arg(long)]
    pub pareto: bool,
    /// Also combinations of known tables, one for each group; without it, only if nothing else is
    /// found.
    #[arg(long)]
    pub combinations: bool,
    /// Seconds for all bases; one gets at most half of it.
    #[arg(long, value_name = "SECONDS", default_value_t = isotrope::ConstructRequest::TIME_LIMIT)]
    pub time_limit: u64,
    /// Write the first method to a table file, for `run --method rkd:FILE` and `certify`.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Write the whole derivation to a page (.html) or a LaTeX document (.tex).
    #[arg(long, value_name = "FILE")]
    pub explain: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
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
    /// Print JSON; every expression in it is text that parses back.
    #[arg(long, conflicts_with = "latex")]
    pub json: bool,
    /// Print a complete LaTeX document.
    #[arg(long)]
    pub latex: bool,
    /// Write to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

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
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `new`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope new my_pendulum && isotrope derive my_pendulum.toml\n  \
    isotrope new --lie my_top")]
pub struct New {
    /// Name of the model; the file is NAME.toml.
    #[arg(default_value = "model")]
    pub name: String,
    /// Begin with a Hamiltonian instead of a Lagrangian.
    #[arg(long)]
    pub hamiltonian: bool,
    /// Begin with a body that rotates: a Lagrangian on a Lie group.
    #[arg(long, conflicts_with = "hamiltonian")]
    pub lie: bool,
    /// Replace the file if it exists.
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  isotrope explain ISO-RUN-011")]
pub struct Explain {
    /// The code, as it stands in the message.
    pub code: String,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    isotrope schema > isotrope.schema.json\n  \
    isotrope schema run | jq .properties.errors")]
pub struct Schema {
    /// Of model files, or of what a command answers with --json; discrete is that of derive
    /// --discrete, ensemble that of run --ensemble.
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

/// Parses the arguments of this process, runs the command, and returns its exit code.
pub fn main() -> ExitCode {
    let exit = match Cli::parse().command {
        Command::Derive(arguments) => commands::derive::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Run(arguments) => commands::run::run(&arguments),
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Convergence(arguments) => commands::convergence::run(&arguments),
        Command::Stability(arguments) => commands::stability::run(&arguments),
        Command::Drift(arguments) => commands::drift::run(&arguments),
        Command::Flow(arguments) => commands::flow::run(&arguments),
        Command::Trees(arguments) => commands::trees::run(&arguments),
        Command::Methods(arguments) => commands::methods::run(&arguments),
        Command::Certify(arguments) => commands::certify::run(&arguments),
        Command::Conditions(arguments) => commands::conditions::run(&arguments),
        Command::Construct(arguments) => commands::construct::run(&arguments),
        Command::BasisWorker => commands::basis_worker::run(),
        Command::Modified(arguments) => commands::modified::run(&arguments),
        Command::Geometry(arguments) => commands::geometry::run(&arguments),
        Command::Port(arguments) => commands::port::run(&arguments),
        Command::Connect(arguments) => commands::connect::run(&arguments),
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::New(arguments) => commands::new::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Schema(arguments) => commands::schema::run(&arguments),
        Command::Completions(arguments) => commands::completions::run(&arguments),
        Command::Man(arguments) => commands::man::run(&arguments),
    };
    exit.into()
}
