//! Runs: a method, a trajectory, and what was kept.
//!
//! # The walk of `isotrope run models/pendulum.toml`
//!
//! Files are named within the `src/` of their room, in the order in which they are entered; the model
//! asks for `rattle`. Files that find nothing to do for this model are left out.
//!
//! | | room | files | what happens |
//! |---|---|---|---|
//! | 1 | cli | `main.rs`, `cli/`, `commands/run.rs`, `surroundings.rs`, `progress.rs`, `engine.rs` | arguments become a `RunRequest`; a `Host` brings files, Ctrl-C, progress and engines |
//! | 2 | cli | `commands/mod.rs` (`ready`), `surroundings.rs` | the file is asked for |
//! | | output | `files.rs` | `Disk` reads it |
//! | 3 | isotrope | `model.rs` | `Model::parse` |
//! | | model | `build.rs`, `open.rs`, `document.rs`, `read.rs`, `parameters.rs`, `scope.rs`, `expression.rs`, `components.rs`, `initial.rs`, `resolve.rs`, `work.rs` | bytes are checked, TOML read, names declared, expressions lowered into a pool of `algebra` |
//! | 4 | isotrope | `studies/run.rs` (`examine`), `studies/settings.rs`, `constant.rs`, `methods/mod.rs`, `methods/named.rs` | step, time and method are read, so that nonsense is refused before anything is derived |
//! | | study | `run/length.rs` | the time in steps |
//! | | scheme | `registry/method.rs`, `registry/scheme.rs` | `rattle` is a scheme written as equations |
//! | 5 | isotrope | `system.rs` (`derive`) | a budget, under the flag |
//! | | derive | `system.rs`, `dynamics.rs`, `constraints.rs`, `redundant.rs`, `regularity.rs`, `multipliers.rs`, `legendre.rs` | the equations, and nothing else |
//! | 6 | isotrope | `studies/run.rs` (`prepare`), files of 4 once more | settings for the system |
//! | | study, kernel | `run/mod.rs` (`Request::new`); `stepper/method.rs` | the tolerance it is usually run with |
//! | 7 | isotrope | `system.rs` (`field`) | what a run watches |
//! | | derive, geometry | `analysis.rs`, `distribution.rs`; `distribution.rs` | the directions that the constraint admits |
//! | | derive | `analysis.rs`, `conserved.rs`, `symmetry.rs` | conserved quantities |
//! | | study, kernel, tape | `run/mod.rs` (`field`); `stepper/field.rs`; `expressions/` | accelerations, energy, constraints, momenta, ready for the tape |
//! | 8 | study, kernel | `run/mod.rs` (`prepare`); `stepper/method.rs`, `stepper/equations.rs` | the steps |
//! | | scheme | `lib.rs` (`discretise`), `mechanics.rs`, `registry/scheme.rs`, `rattle.rs`, `dirac.rs`, `equations.rs` | exact equations with one unknown, and their Jacobian |
//! | | kernel | `stepper/equations.rs`, `stepper/assemble.rs`, `stepper/scheme.rs`, `stepper/monitors.rs` | programs are recorded |
//! | | tape | `expressions/`, `builder.rs`, `simplify.rs`, `linear/`, `place.rs`, `fuse.rs`, `schedule.rs`, `validate.rs`, `interpret.rs` | operations in their regions; the interpreter finds the first pivots |
//! | 9 | kernel | `integrate/compiled.rs`, `integrate/newton.rs` | each program becomes a `Machine` |
//! | | tape | `backend.rs`, `x86/compile.rs`, `x86/plan.rs`, `x86/allocate.rs`, `x86/emit.rs`, `x86/executable.rs` | machine code, on x86-64 with unix |
//! | 10 | cli, isotrope | `commands/run.rs` (`single`); `studies/run.rs` (`Steps::run`) | no file and no picture: no rows |
//! | | study, kernel | `run/mod.rs` (`run`); `integrate/integration.rs`, `integrate/trajectory.rs` | blocks of steps; between them the control says how far it is |
//! | | tape | `backend.rs`, `x86/compile.rs`, `x86/executable.rs` | steps |
//! | 11 | study | `run/report.rs` | a `RunReport` |
//! | 12 | isotrope | `studies/run.rs` (`warn`), `studies/mod.rs` | remarks, such as inconsistent initial values |
//! | 13 | cli, study | `commands/run.rs`, `diagnostics.rs`; `report/text.rs` | times to stderr |
//! | | cli, isotrope, study | `commands/mod.rs` (`show`); `studies/run.rs` (`Answer`); `report/text.rs` | the report as text |
//! | | cli | `surroundings.rs`, `exit.rs` | stdout and the exit code |
//!
//! Calls go down and values come back. No room calls one above it; what reaches up are callbacks that
//! the caller brought along: the watcher, the control between blocks of steps, the sink of rows.
//! Settings are read twice, in 4 to refuse early and in 6 because `prepare` can be called without
//! `examine`; `derive` is entered again in 7, for what only runs and reports need.

use std::io::{Read, Seek, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use isotrope_algebra::{OrInternal as _, Stop};
use isotrope_derive::check;
use isotrope_kernel::integrate::{
    Compiled, Member, NotProjected, Residuals, Sink, SinkError, project, row,
};
use isotrope_kernel::stepper::Stepper;
use isotrope_model::Units;
use isotrope_model::codes::{RequestCode, RunCode};
use isotrope_output::writers::{WriteError, group_columns, trajectory_columns};
use isotrope_report::value;
use isotrope_study::ensemble::{Ensemble, EnsembleError, Names, Rates, ensemble_of, read_ensemble};
use isotrope_study::pictures::{Album, Drawn, Picture};
use isotrope_study::report::RunReport;
use isotrope_study::run::{
    self, EnsembleSummary, MemberReport, PrepareError, Prepared, Request, RunEnd, not_applicable,
    prepare, run_members,
};
use isotrope_study::scene::Scene;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Asked;
use super::adaptive::AdaptiveRequest;
use super::settings::{self, Backend, Course};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::host::{Event, Host};
use crate::methods::Methods;
use crate::model::Model;
use crate::structure::CheckRequest;
use crate::system::System;

/// Columns of what goes through ports.
const PORTS: [&str; 3] = ["supplied", "dissipated", "power_balance"];

/// What to run. Whatever is not given is as the model says, or as is usual.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunRequest {
    /// The name of a method, or `rkd:FILE`.
    pub method: Option<String>,
    /// The step: a decimal or an exact constant.
    pub step: Option<String>,
    /// The time, a whole number of steps.
    pub time: Option<String>,
    /// When iterations end, or the error that adaptive steps may make.
    pub tolerance: Option<f64>,
    /// Tolerances and lengths of steps of a method that chooses its steps by the error.
    pub adaptive: AdaptiveRequest,
    /// The largest number of steps.
    pub max_steps: Option<u64>,
    /// Compensate the rounding of sums?
    pub compensated: bool,
    /// Rows within a step, by the polynomial of the step.
    pub dense: Option<u32>,
    /// How the steps are executed.
    pub backend: Backend,
    /// Project initial values onto the constraints before the run, those of ensemble members included?
    pub project: bool,
    /// Which conserved quantities are watched.
    pub watch: Watch,
}

/// Which conserved quantities a run watches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Watch {
    /// Energy and momenta, which take no time to find.
    #[default]
    Usual,
    /// All that are found.
    All,
}

/// A method that was made ready for a system.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one per run, never in bulk")]
pub enum Ready {
    /// Its steps.
    Steps(Steps),
    /// It does not apply to the system: an answer, not an error.
    NotApplicable(RunReport),
}

/// Compiled steps of a method on a system.
#[derive(Debug)]
pub struct Steps {
    host: Host,
    name: String,
    request: Request,
    prepared: Prepared,
    compensated: bool,
    project: bool,
    units: Units,
}

/// What became of a run.
#[derive(Debug)]
pub struct RunAnswer {
    /// The report.
    pub report: RunReport,
    /// The sink refused a row.
    pub sink: Option<SinkError>,
}

impl Answer for RunReport {
    fn text(&mut self, _: usize) -> String {
        self.to_text()
    }

    fn json(&mut self) -> Value {
        value(self)
    }

    fn is_negative(&self) -> bool {
        !self.outcome.is_success()
    }
}

impl RunRequest {
    fn course(&self, host: &Host, model: &Model) -> Result<Course, Failure> {
        model.begins()?;
        settings::usable_tolerance(self.tolerance)?;
        let name = self.method.as_deref().unwrap_or_else(|| model.usual_method());
        let course = Course::read(host, model, name, self.step.as_deref(), self.time.as_deref())?;
        self.adaptive.examine(model, course.method())?;
        Ok(course)
    }
}

impl Asked for RunRequest {
    fn examine(&self, host: &Host, model: &Model) -> Result<(), Failure> {
        self.course(host, model).map(|_| ())
    }
}

impl System {
    /// Derives and compiles the steps of a method.
    pub fn prepare(&mut self, asked: &RunRequest) -> Result<Ready, Failure> {
        let mut request = asked.course(&self.host, &self.model)?.request(self);
        if *request.method.steps() == isotrope_scheme::Steps::Adaptive {
            asked.adaptive.set(&self.model, &mut request.options)?;
        }
        if let Some(tolerance) = asked.adaptive.rtol.or(asked.tolerance) {
            request.options.tolerance = tolerance;
        }
        request.options.compensated = asked.compensated;
        request.options.dense = asked.dense.unwrap_or(1);
        request.limit = asked.max_steps;
        request.backend = asked.backend.into();
        Methods::fit(&self.host, &self.derived, asked.method.as_deref())?;
        if asked.watch == Watch::All {
            self.watch_all()?;
        }
        let field = self.field()?;
        let (host, derived) = (&self.host, &self.derived);
        let prepared = host.during("deriving and compiling the steps", || {
            Ok(prepare(derived, &field, &request))
        })?;
        match prepared {
            Ok(mut prepared) => {
                if asked.project {
                    self.project(&mut prepared)?;
                }
                Ok(Ready::Steps(Steps {
                    host: self.host.clone(),
                    name: self.name().to_owned(),
                    request,
                    prepared,
                    compensated: asked.compensated,
                    project: asked.project,
                    units: self.derived.model.units.clone(),
                }))
            }
            Err(PrepareError::NotApplicable { reason }) => {
                let report = not_applicable(self.name(), &field, &request, &reason);
                Ok(Ready::NotApplicable(report))
            }
            Err(error) => Err(settings::refuse_steps(&request.method, &error)),
        }
    }

    /// Runs from the initial values of the model, without keeping the trajectory.
    pub fn run(&mut self, asked: &RunRequest) -> Result<RunReport, Failure> {
        match self.prepare(asked)? {
            Ready::Steps(steps) => Ok(steps.run(None, &mut Nothing).report),
            Ready::NotApplicable(report) => Ok(report),
        }
    }

    /// Reads a table of members, initial values and parameters, a line each, and sees that every one of them can begin.
    pub fn members(&self, steps: &Steps, (name, bytes): (&str, &[u8])) -> Result<Members, Failure> {
        self.members_from(steps, self.member_table(name, bytes)?)
    }

    /// The same for numbers that are there already: names as in the header of a table, and values row by row.
    pub fn members_of(
        &self,
        steps: &Steps,
        names: &[&str],
        values: Vec<f64>,
    ) -> Result<Members, Failure> {
        let refused = |message: &str| {
            let hint = "give a column of finite numbers for each name".to_owned();
            Err(Failure::plain(RequestCode::Array, message, hint))
        };
        let whole = !names.is_empty() && values.len().is_multiple_of(names.len());
        if values.is_empty() || !whole {
            return refused("the values of the members are not whole rows");
        }
        if !values.iter().all(|value| value.is_finite()) {
            return refused("a value of a member is not finite");
        }
        let header = names.join(",");
        let of = |known: &Names<'_>| ensemble_of(&header, values, known);
        let table = self.member_names("members", header.as_bytes(), of)?;
        if table.columns().len() != names.len() {
            return refused("a name of a column has a comma");
        }
        self.members_from(steps, table)
    }

    fn members_from(&self, steps: &Steps, table: Ensemble) -> Result<Members, Failure> {
        let refused = |error: run::MembersError| {
            Failure::hinted(RunCode::MemberWithoutValues, error, "change the table of members")
        };
        let members = run::Members::new(&self.derived, table).map_err(refused)?;
        for (k, member) in members.iter(steps.stepper()).enumerate() {
            steps.projected(member.map_err(refused)?).map_err(|error| {
                let message = format!("member {}: {error}", k + 1);
                let hint = "start nearer to the constraints";
                Failure::hinted(RunCode::NotProjected, message, hint)
            })?;
        }
        Ok(Members(members))
    }

    /// Brings the initial values of the model onto the constraints: with many digits as `check --project` does where
    /// velocities are given, in double precision from momenta.
    fn project(&mut self, prepared: &mut Prepared) -> Result<(), Failure> {
        let (host, derived) = (&self.host, &mut self.derived);
        if derived.mechanics.state().is_some() && derived.mechanics.on_states().is_none() {
            return Ok(());
        }
        let refused = |error: &dyn std::fmt::Display| {
            let hint = "start nearer to the constraints; `isotrope check` prints the residuals";
            Failure::hinted(RunCode::NotProjected, error.to_string(), hint)
        };
        let found = host.during("projecting the initial values", || {
            Ok(check::project(derived, CheckRequest::TOLERANCE))
        })?;
        let projection = found.map_err(|error| refused(&error))?;
        let layout = prepared.compiled.stepper.layout;
        let numbers = |texts: &[String]| -> Option<Vec<f64>> {
            texts.iter().map(|text| text.parse().ok()).collect()
        };
        let rates = numbers(&projection.rate).filter(|rates| {
            !projection.momenta
                && rates.len() == layout.rates
                && self.derived.mechanics.state().is_none()
        });
        let positions = projection.position.as_deref().map(numbers);
        match (positions, rates) {
            (None, Some(rates)) => {
                prepared.compiled.stepper.initial[layout.dimension..layout.moving()]
                    .copy_from_slice(&rates);
            }
            (Some(Some(positions)), Some(rates)) if positions.len() == layout.dimension => {
                let initial = &mut prepared.compiled.stepper.initial;
                initial[..layout.dimension].copy_from_slice(&positions);
                initial[layout.dimension..layout.moving()].copy_from_slice(&rates);
            }
            _ => {
                let mut state = prepared.compiled.stepper.initial.clone();
                let parameters = prepared.compiled.stepper.parameters.clone();
                project(&prepared.compiled, &mut state, &parameters)
                    .map_err(|error| refused(&error))?;
                prepared.compiled.stepper.initial = state;
            }
        }
        Ok(())
    }

    fn member_table(&self, name: &str, bytes: &[u8]) -> Result<Ensemble, Failure> {
        self.member_names(name, bytes, |known| read_ensemble(bytes, known))
    }

    /// A table of members of a model, in which names mean what they mean to it.
    fn member_names(
        &self,
        name: &str,
        bytes: &[u8],
        read: impl FnOnce(&Names<'_>) -> Result<Ensemble, Vec<EnsembleError>>,
    ) -> Result<Ensemble, Failure> {
        let model = &self.derived.model;
        let parameters: Vec<(&str, bool)> =
            model.parameters.iter().map(|p| (p.name.as_str(), p.structural)).collect();
        let group = self.derived.mechanics.group();
        let coordinates: Vec<&str> = match group {
            Some(group) => group.number_names.iter().map(String::as_str).collect(),
            None => model.coordinates.iter().map(|c| c.name.as_str()).collect(),
        };
        let named: Vec<&str> = self.derived.symbols.names.iter().map(String::as_str).collect();
        let rates = match (model.system.state(), model.system.hamiltonian()) {
            (Some(_), _) => Rates::Nothing,
            (None, _) if group.is_some() => Rates::Named(&named),
            (None, Some(_)) => Rates::Momenta,
            (None, None) => Rates::Velocities,
        };
        let names = Names { parameters: &parameters, coordinates: &coordinates, rates };
        read(&names).map_err(|errors| Failure::of_ensemble(name, bytes, &errors))
    }
}

/// What is done with a member that has ended: its report, and its row.
pub type Told<'a> = dyn FnMut(&MemberReport, &[f64]) -> Result<(), SinkError> + 'a;

impl Steps {
    /// The steps, as the kernel knows them.
    #[must_use]
    pub fn stepper(&self) -> &Stepper {
        &self.prepared.compiled.stepper
    }

    /// The names of the numbers of a row.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        let stepper = self.stepper();
        if !stepper.rotations.is_empty() {
            return group_columns(&stepper.names, &stepper.rate_names, &stepper.constraint_names);
        }
        let mut columns = trajectory_columns(&stepper.names, &stepper.constraint_names);
        let momentum = 1 + 2 * stepper.names.len();
        if !stepper.has_momenta {
            columns.drain(momentum..momentum + stepper.names.len());
        }
        if !stepper.has_energy {
            columns.pop();
        }
        columns.extend(stepper.output_names.iter().cloned());
        if stepper.layout.ports {
            columns.extend(PORTS.map(str::to_owned));
        }
        columns.extend(stepper.shown.iter().map(|(name, _)| name.clone()));
        columns
    }

    /// Rows in a unit of time, one every `stride` steps: the rate of a sound.
    pub fn sample_rate(&self, stride: u64) -> Result<u32, WriteError> {
        let rows = f64::from(self.request.options.dense);
        let rate = rows / (self.stepper().step.abs() * stride as f64);
        let whole = rate.round();
        let possible = (1.0..=f64::from(u32::MAX / 4)).contains(&whole);
        match possible && (rate - whole).abs() <= 1e-6 * rate {
            true => Ok(whole as u32),
            false => Err(WriteError::Rate { rate }),
        }
    }

    /// The column to write as sound if none is named: the first output, or the first coordinate.
    #[must_use]
    pub fn signal(&self) -> &str {
        let stepper = self.stepper();
        stepper.output_names.first().or(stepper.names.first()).map_or("", String::as_str)
    }

    /// A sink that keeps what pictures need; those of the configuration show the scene of the system.
    pub fn album(&self, scene: Option<&Scene>, pictures: &[Picture]) -> Result<Album, Failure> {
        let stepper = self.stepper();
        let constraints = [stepper.has_positions, !stepper.constraint_names.is_empty()];
        let album = if stepper.rotations.is_empty() {
            Album::new(&stepper.names, constraints, scene, pictures)
        } else {
            let rates = (stepper.layout.rates, &stepper.rotations[..]);
            Album::on_group(&stepper.names, rates, constraints, pictures)
        };
        album
            .and_then(|album| album.with_units(&self.units))
            .map_err(|error| Failure::hinted(RunCode::NoSuchPicture, &error, error.hint()))
    }

    /// A picture of expressions in the columns of a run, `"x, y, x^2 + y^2"`, or of one against another, `"x : y"`.
    pub fn drawn(&self, system: &System, text: &str) -> Result<Drawn, Failure> {
        Drawn::new(&system.derived, &self.columns(), text).map_err(|error| {
            Failure::because(&error, (RunCode::NoSuchPicture, &error, error.hint()))
        })
    }

    /// The members of a table as they begin; `None` for one that cannot.
    pub(super) fn begun<'a>(
        &'a self,
        members: &'a Members,
    ) -> impl Iterator<Item = Option<Member>> + 'a {
        let members = members.0.iter(self.stepper());
        members.map(|member| member.ok().and_then(|member| self.projected(member).ok()))
    }

    pub(super) fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    pub(super) fn request(&self) -> &Request {
        &self.request
    }

    /// The steps, ready to run.
    pub(super) fn compiled(&self) -> &Compiled {
        &self.prepared.compiled
    }

    /// How many steps it takes to the end.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.request.steps
    }

    /// Runs from the initial values of the model. Every `stride` steps a row goes to the sink.
    pub fn run(&self, stride: Option<u64>, sink: &mut dyn Sink) -> RunAnswer {
        self.run_in(&self.host, stride, sink)
    }

    /// The same in other surroundings: steps are shared by threads, and each has a flag and a watcher of its own.
    pub fn run_in(&self, host: &Host, stride: Option<u64>, sink: &mut dyn Sink) -> RunAnswer {
        let of = self.request.steps;
        let mut control = |done: u64| host.steps(done, of);
        let stride = stride.map(|stride| stride.max(1));
        let ended = run::run(&self.name, &self.prepared, &self.request, stride, sink, &mut control);
        host.tell(Event::End);
        let RunEnd { report, sink, residuals } = ended;
        self.warn(host, residuals);
        RunAnswer { report, sink }
    }

    /// Runs members side by side; 0 threads are as many as there are processors. What became of each is told in their
    /// order, with its row: its number, whether it completed, where it ended. Nothing is kept of it, so that memory
    /// does not grow with the number of members.
    pub fn run_members(
        &self,
        members: &Members,
        threads: usize,
        tell: &mut Told<'_>,
    ) -> (EnsembleAnswer, Result<(), SinkError>) {
        self.run_members_in(&self.host, members, threads, tell)
    }

    /// The same in other surroundings.
    pub fn run_members_in(
        &self,
        host: &Host,
        members: &Members,
        threads: usize,
        tell: &mut Told<'_>,
    ) -> (EnsembleAnswer, Result<(), SinkError>) {
        let of = self.request.steps * members.0.count() as u64;
        let done = AtomicU64::new(0);
        let made = |more: u64| {
            let done = done.fetch_add(more, Ordering::Relaxed) + more;
            host.tell(Event::Steps { done, of });
        };
        let threads = if threads == 0 { isotrope_study::parallel::processors() } else { threads };
        // Threads of their own do not know the flags of the work around.
        let stop = host.stop().during(Stop::current).unwrap_or_default();
        let watch = (&stop, &made as &(dyn Fn(u64) + Sync));
        let stepper = self.stepper();
        // Every member was seen to begin well when the table was read.
        let begun = self
            .begun(members)
            .map_while(|begun| begun.or_internal("a member that was seen to begin begins").ok());
        let (mut line, mut values) = (Vec::new(), Vec::new());
        let (summary, told) = run_members(
            &self.name,
            (&self.prepared, &self.request),
            begun,
            threads,
            watch,
            &mut |report, end| {
                row(stepper, &end.state, &mut values);
                line.clear();
                line.push(report.member as f64);
                line.push(if end.outcome.is_success() { 1.0 } else { 0.0 });
                line.extend_from_slice(&values);
                tell(report, &line)
            },
        );
        host.tell(Event::End);
        Self::warn_members(host, &summary);
        (EnsembleAnswer { summary }, told)
    }

    /// Warns if initial values of members violate the constraints.
    fn warn_members(host: &Host, summary: &EnsembleSummary) {
        if let (off @ 1.., Some(found)) = (summary.inconsistent, summary.report.initial_residuals) {
            let found = super::residuals_in_words(found.position, found.velocity);
            host.note(&format!(
                "warning: {off} of {} members violate constraints at the start, by up to {found}; \
                 --project starts from repaired values",
                summary.members
            ));
        }
    }

    /// A member on the constraints, in double precision, where that is asked for.
    fn projected(&self, mut member: Member) -> Result<Member, NotProjected> {
        if self.project {
            let Member { state, parameters } = &mut member;
            project(&self.prepared.compiled, state, parameters)?;
        }
        Ok(member)
    }

    /// What a user should know although the run went on.
    fn warn(&self, host: &Host, residuals: Residuals) {
        super::warn_inconsistent(host, residuals);
        let method = &self.request.method;
        if let Some(table) = method.table() {
            let entries = table.to_f64(&mut host.budget(host.limits.coefficients));
            let sum: f64 = entries.map_or(1.0, |entries| entries.b.iter().sum());
            if (sum - 1.0).abs() > 1e-12 {
                host.note(
                    "warning: the weights of the table do not sum up to 1; \
                     `isotrope certify FILE` computes its order",
                );
            }
        }
        if self.compensated && !method.capabilities().compensate {
            let name = method.name();
            host.note(&format!("warning: --compensated changes nothing for {name}"));
        }
    }
}

/// A sink that keeps nothing.
struct Nothing;

impl Sink for Nothing {
    fn row(&mut self, _: &[f64]) -> Result<(), SinkError> {
        Ok(())
    }
}

/// A table of members that can all begin. They are made when they are needed.
#[derive(Debug)]
pub struct Members(run::Members);

/// What became of an ensemble, all members together.
#[derive(Debug)]
pub struct EnsembleAnswer {
    /// The sums.
    pub summary: EnsembleSummary,
}

impl EnsembleAnswer {
    /// The names of the numbers of a row.
    #[must_use]
    pub fn columns(steps: &Steps) -> Vec<String> {
        let mut columns = vec!["member".to_owned(), "completed".to_owned()];
        columns.extend(steps.columns());
        columns
    }

    /// For a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        isotrope_report::ensemble::to_text(&self.summary)
    }

    /// Writes the JSON of all members, which were told to `members`.
    pub fn write_json<S: Read + Write + Seek>(
        &self,
        members: isotrope_report::ensemble::Json<S>,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        members.write(&self.summary.report, out)
    }

    /// Did a member not complete?
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.summary.report.completed != self.summary.members
    }
}
