//! Arguments of the commands that run methods on a model.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::Args;
use isotrope::rooms::output::writers::FORMATS;

use super::format::{FileFormat, JsonFormat};
use super::model::ModelArguments;
use crate::names::{BackendName, FlowCheck, SortName, WatchName};

/// The names of files with rows: `F.csv|.npz|.parquet`.
static ROWS: LazyLock<String> = LazyLock::new(|| {
    let endings: Vec<String> =
        FORMATS.iter().map(|format| format!(".{}", format.extension)).collect();
    format!("F{}", endings.join("|"))
});

/// The same, and sound.
static ROWS_OR_SOUND: LazyLock<String> = LazyLock::new(|| format!("{}|.wav", *ROWS));

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
    /// The method: a name (gauss-4, rk4, rattle, dirac-1, ...), or a table file as rkd:FILE, tables for groups of variables as grouped:FILE.
    /// Otherwise that of the model, or gauss-2.
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// The step, a decimal or an exact constant (1/100, pi/512). Otherwise that of the model.
    #[arg(long, alias = "dt", value_name = "H", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// The time to integrate, a whole number of steps. Otherwise that of the model.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub time: Option<String>,
    /// Iterations end when positions and velocities change by less, relative to their size (1e-13);
    /// for dop853, the error of a step relative to the same sizes (1e-10).
    #[arg(long, value_name = "SIZE")]
    pub tolerance: Option<f64>,
    /// dop853: the error of a step relative to each component; the same as --tolerance.
    #[arg(long, value_name = "SIZE", conflicts_with = "tolerance")]
    pub rtol: Option<f64>,
    /// dop853: the absolute error allowed in addition, for all components or for some (x=1e-9,v_x=1e-6).
    /// Otherwise --rtol times the size of the component in the problem.
    #[arg(long, value_name = "SIZE|NAME=SIZE,...")]
    pub atol: Option<String>,
    /// dop853: the longest step.
    #[arg(long, value_name = "H")]
    pub max_step: Option<String>,
    /// dop853: the first step.
    #[arg(long, value_name = "H")]
    pub first_step: Option<String>,
    /// Write the trajectory: t, coordinates, velocities, momenta, multipliers, energy, outputs. The
    /// ending chooses the format; .wav is the sound of one column.
    #[arg(long, value_name = ROWS_OR_SOUND.as_str())]
    pub out: Option<PathBuf>,
    /// The column to write as sound (.wav); otherwise the first output.
    #[arg(long, value_name = "COLUMN", requires = "out", conflicts_with = "ensemble")]
    pub signal: Option<String>,
    /// Write one row every K steps instead of every step; the last step is always written.
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
    /// Draw a picture; can be repeated. The ending chooses the format. Without an ending it is what to draw, see
    /// --plot-what, in MODEL-run.svg: --plot "x, v_x, energy".
    #[arg(long, value_name = "FILE.svg|.png", conflicts_with = "ensemble")]
    pub plot: Vec<PathBuf>,
    /// What the pictures show, one after the other; otherwise `time`. A name: `time` (the coordinates), `phase`,
    /// `configuration`, `energy`, `constraints` (their errors), `sphere`, `polhode`. Or expressions in columns and
    /// parameters: "x, l*sin(theta)" against time, "theta : v_theta" one against the other.
    #[arg(long, value_name = "WHAT", requires = "plot", allow_hyphen_values = true)]
    pub plot_what: Vec<String>,
    /// Run every member of a table of initial values and parameters; --out then writes their last
    /// states.
    #[arg(long, value_name = "FILE.csv")]
    pub ensemble: Option<PathBuf>,
    /// Threads for ensembles; otherwise as many as the machine has.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Bring the initial values, and those of all members, onto the constraints: positions, then velocities.
    #[arg(long)]
    pub project: bool,
    /// Which conserved quantities are watched.
    #[arg(long, value_enum, default_value_t = WatchName::Usual)]
    pub watch: WatchName,
    /// Compensated summation (Runge-Kutta and variational methods), for very long runs.
    #[arg(long)]
    pub compensated: bool,
    /// Stop after this many steps, with the outcome step-limit.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// How the steps are executed; both give the same bits.
    #[arg(long, value_enum, default_value_t = BackendName::Native)]
    pub backend: BackendName,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: JsonFormat,
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
    /// Methods, separated by commas: names, table files as rkd:FILE or grouped:FILE, `published`, `all`, `lie`, `state`. Otherwise
    /// those of `methods --for MODEL`.
    #[arg(long, value_name = "LIST")]
    pub methods: Option<String>,
    /// Steps, separated by commas: decimals or exact constants. Otherwise that of the model.
    #[arg(
        long,
        visible_alias = "step",
        alias = "dt",
        value_name = "H1,H2",
        allow_hyphen_values = true
    )]
    pub steps: Option<String>,
    /// The time to integrate, a whole number of every step. Otherwise that of the model.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub time: Option<String>,
    /// What to sort the rows by.
    #[arg(long, value_enum, default_value_t = SortName::Reference)]
    pub sort: SortName,
    /// Iterations end when positions and velocities change by less, relative to their size.
    #[arg(long, value_name = "SIZE")]
    pub tolerance: Option<f64>,
    /// Stop a row after this many steps, with the outcome step-limit.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Comma-separated values.
    #[arg(long, conflicts_with_all = ["json", "latex"])]
    pub csv: bool,
    /// A LaTeX table (package booktabs).
    #[arg(long, conflicts_with = "json")]
    pub latex: bool,
    /// Write a self-contained page with equations, table and pictures, beside the table. Without --json, --csv and
    /// --latex it is always written, as MODEL-compare.html if no file is given.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub html: Option<Option<PathBuf>>,
    /// Do not write a page.
    #[arg(long, conflicts_with = "html")]
    pub no_html: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: FileFormat,
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
    /// Methods, separated by commas: names, table files as rkd:FILE or grouped:FILE, `published`, `all`, `lie`, `state`. Otherwise
    /// those that the kind of the model suggests.
    #[arg(long, value_name = "LIST")]
    pub methods: Option<String>,
    /// The largest step, halved from one run to the next. Otherwise half the unit of time (see --time).
    #[arg(long, alias = "dt", value_name = "H", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// How many step sizes to try.
    #[arg(long, value_name = "N", default_value_t = isotrope::ConvergenceRequest::LEVELS)]
    pub levels: u32,
    /// The time of all runs, a whole number of the largest step. Otherwise eight times the unit of time, which is the time of the
    /// motion
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub time: Option<String>,
    /// Draw errors against steps, both logarithmic, with lines of the slopes.
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: FileFormat,
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
    /// How many values of the parameter to sample.
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
    #[arg(long, alias = "dt", value_name = "H")]
    pub step: Option<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: FileFormat,
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
    /// Methods, separated by commas: names, table files as rkd:FILE or grouped:FILE, `published`, `all`, `lie`, `state`.
    /// Otherwise that of the model, or those of `methods --for MODEL`.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// The step, or one for each method, separated by commas. Otherwise that of the model.
    #[arg(
        long,
        alias = "dt",
        value_name = "H,...",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub step: Vec<String>,
    /// The time to integrate, a whole number of steps. Otherwise that of the model.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub time: Option<String>,
    /// Locate where trajectories cross a surface: "x = 0", "x' + y'".
    #[arg(long, value_name = "EQUATION")]
    pub section: Option<String>,
    /// Write the crossings: number of the method, t, coordinates, velocities, direction.
    #[arg(long, value_name = ROWS.as_str(), requires = "section")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: JsonFormat,
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
    /// The method: a name of `isotrope methods`, or a table file as rkd:FILE, tables for groups of variables as grouped:FILE.
    #[arg(long, value_name = "NAME")]
    pub method: String,
    /// The step, a decimal or an exact constant. Otherwise that of the model.
    #[arg(long, alias = "dt", value_name = "H", allow_hyphen_values = true)]
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
    /// Derivatives of the final state with respect to parameters, initial positions and velocities,
    /// separated by commas: "g,l,theta,theta'".
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
    /// What stays fixed in that search: coordinates, velocities, and t for the period.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "periodic")]
    pub fix: Vec<String>,
    /// How the steps are executed.
    #[arg(long, value_enum, default_value = "native")]
    pub backend: BackendName,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become the help text")]
    pub format: FileFormat,
}
