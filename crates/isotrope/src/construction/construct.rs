//! Methods from order and structure conditions.

use isotrope_algebra::print::visible;
use isotrope_algebra::{Rational, Stop};
use isotrope_construct::problem::file::{ProblemText, parse_problem};
use isotrope_construct::problem::{Parameters, Problem};
use isotrope_construct::{
    Answer as Constructed, ConstructError, Engines, Freedom, Restrictions, Source, Step, Wanted,
    answer_within, ask_within, class_of, saved, saved_combination,
};
use isotrope_methods::classes::Class;
use isotrope_methods::table::{Table, TableProblem};
use isotrope_model::codes::ConstructCode;
use isotrope_report::construct::explain::{
    About, Format, GivenModel, Measured, explain, method_title,
};
use isotrope_report::construct::{to_json, to_text};
use isotrope_scheme::Method;
use isotrope_study::convergence::{Plan, convergence};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::examples::example;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::host::Host;
use crate::model::{Model, Overrides};
use crate::system::System;

/// Where the structure conditions come from.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Structured {
    /// Every system.
    #[default]
    Generic,
    /// A class of mechanical systems, by its name.
    Class(String),
    /// A problem in groups: the name of its file and its bytes.
    Groups(String, Vec<u8>),
    /// A model, by the class it is of.
    Model(Box<Model>),
    /// A model as a problem of its own, expanded exactly.
    Symbolic(Box<Model>),
}

/// Which methods to construct.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConstructRequest {
    /// The number of stages.
    pub stages: usize,
    /// The order of the solution.
    pub order: usize,
    /// The exponent of the local defect of the structure.
    pub structure: Option<usize>,
    /// The exponent of the local defect of the 2-form.
    pub form: Option<usize>,
    /// Patterns of the tables.
    pub pattern: Vec<String>,
    /// Prescribed entries, `a21=1/2`.
    pub fix: Vec<String>,
    /// The part of the structure that counts: `legendre`, `constraints`, or one of a problem in groups.
    pub part: Option<String>,
    /// How many methods to list.
    pub methods: usize,
    /// Report what less structure costs?
    pub pareto: bool,
    /// Try combinations of known tables?
    pub combinations: bool,
    /// Seconds for everything, where the host can measure them.
    pub time_limit: u64,
}

impl ConstructRequest {
    /// How many methods to list by default.
    pub const METHODS: usize = 3;
    /// Seconds by default.
    pub const TIME_LIMIT: u64 = 30;
}

impl Default for ConstructRequest {
    fn default() -> Self {
        Self {
            stages: 2,
            order: 2,
            structure: None,
            form: None,
            pattern: Vec::new(),
            fix: Vec::new(),
            part: None,
            methods: Self::METHODS,
            pareto: false,
            combinations: false,
            time_limit: Self::TIME_LIMIT,
        }
    }
}

/// The methods that were constructed, and why there are no others.
#[derive(Debug)]
pub struct Construction {
    host: Host,
    model: Option<Model>,
    /// What was found.
    pub found: Constructed,
}

/// Constructs methods from order and structure conditions.
pub fn construct(
    host: &Host,
    from: Structured,
    asked: &ConstructRequest,
) -> Result<Construction, Failure> {
    let model = match &from {
        Structured::Model(model) | Structured::Symbolic(model) => Some((**model).clone()),
        _ => None,
    };
    let source = source(host, from)?;
    let wanted = Wanted {
        stages: asked.stages,
        order: asked.order,
        structure: asked.structure,
        form: asked.form,
        most: asked.methods.max(1),
    };
    // The whole question, then easier ones; the rest of the time is for certificates.
    let limits = [Stop::new(), Stop::new()];
    let seconds = asked.time_limit.max(1);
    let [first, last] = [14, 17].map(|part| seconds.saturating_mul(1000) / 20 * part);
    let _alarms = [host.bases().alarm(first, &limits[0]), host.bases().alarm(last, &limits[1])];
    let question = host.during("collecting the conditions", || {
        let known = Restrictions {
            patterns: &asked.pattern,
            fixed: &asked.fix,
            part: asked.part.as_deref(),
        };
        ask_within(source, wanted, known, &limits[0]).map_err(|error| refuse(&error))
    })?;
    let [patient, quick, hasty] = host.bases().engines(asked.time_limit.max(1));
    let engines = Engines { patient: &*patient, quick: &*quick, hasty: &*hasty };
    let mut found = host.during("solving the conditions", || {
        let mut show = |step| host.tell(crate::host::Event::Begin(doing(step)));
        let both = [&limits[0], &limits[1]];
        let found = answer_within(question, engines, both, &mut show).and_then(|mut found| {
            if asked.pareto {
                found.compare_costs(engines, &mut show)?;
            }
            Ok(found)
        });
        found.map_err(|error| {
            let hint = "ask for fewer stages, a narrower --pattern, or a longer --time-limit";
            Failure::because(&error, (ConstructCode::NotSolved, &error, hint.to_owned()))
        })
    })?;
    let possible = found.construction.freedom() != Freedom::Contradiction;
    if asked.combinations || (possible && found.methods.is_empty()) {
        let limit = &limits[1];
        let combined = host.during("trying combinations of known tables", || {
            Ok(limit.during(|| found.combine()))
        })?;
        if let Err(error) = combined {
            host.note(&format!("combinations of known tables: {error}"));
        }
    }
    Ok(Construction { host: host.clone(), model, found })
}

fn refuse(error: &ConstructError) -> Failure {
    Failure::because(error, (error.code(), error, error.hint()))
}

fn source(host: &Host, from: Structured) -> Result<Source, Failure> {
    let class = |name: &str| match name.parse() {
        Ok(class) => Ok(Source::Class(class)),
        Err(error) => Err(refuse(&ConstructError::Class(error))),
    };
    match from {
        Structured::Generic => Ok(Source::Class(Class::Generic)),
        Structured::Class(name) => class(&name),
        Structured::Groups(name, bytes) => {
            Ok(Source::Problem(Box::new(problem_of_file(&name, &bytes)?)))
        }
        Structured::Model(model) => class_of_model(&model.derive(host)?),
        Structured::Symbolic(model) => {
            problem_of_model(&model.derive(host)?).map(|problem| Source::Problem(Box::new(problem)))
        }
    }
}

/// Reads a problem in groups.
pub(super) fn problem_of_file(name: &str, bytes: &[u8]) -> Result<Problem, Failure> {
    parse_problem(&ProblemText::new(name, bytes))
        .map_err(|errors| Failure::of_file(name, bytes, &errors))
}

fn refuse_model(message: impl std::fmt::Display) -> Failure {
    let hint = "name a class: isotrope construct --class generic";
    Failure::hinted(ConstructCode::NoClass, message, hint)
}

fn problem_of_model(system: &System) -> Result<Problem, Failure> {
    let host = system.host();
    host.during("reading the problem off the model", || {
        let budget = &mut host.budget(host.limits.classify);
        Problem::of_model(system.equations(), Parameters::Symbols, budget).map_err(refuse_model)
    })
}

fn class_of_model(system: &System) -> Result<Source, Failure> {
    let host = system.host();
    let found = host.during("reading the class off the model", || {
        let budget = &mut host.budget(host.limits.classify);
        class_of(system.equations(), budget).map_err(refuse_model)
    })?;
    let Some(found) = found else {
        return Err(refuse_model("a Hamiltonian without a Lagrangian has no class"));
    };
    let name = visible(system.name());
    host.note(&format!("{name} is of the class {}: {}", found.class, found.reason));
    Ok(Source::Class(found.class))
}

fn doing(step: Step) -> &'static str {
    match step {
        Step::Conditions => "writing the conditions in the entries of the tables",
        Step::Levels => "computing bases, level by level",
        Step::Basis => "computing the basis of all conditions over the rationals",
        Step::Contradiction => "looking for the shortest contradiction",
        Step::Components => "splitting the set of solutions into components",
        Step::Shapes(..) => "looking for the cheapest methods",
        Step::Numerical => "looking for solutions by Newton's method",
    }
}

impl Answer for Construction {
    fn text(&mut self, _: usize) -> String {
        to_text(&self.found)
    }

    fn json(&mut self) -> Value {
        to_json(&self.found)
    }

    fn is_negative(&self) -> bool {
        !self.found.is_found()
    }
}

/// The largest step of measured slopes is 1/8; steps, each half of the one before.
const LEVELS: u32 = 6;

impl Construction {
    /// The first method as a file; `None` if there is no method.
    pub fn saved(&self) -> Result<Option<String>, Failure> {
        if let (None, Some(text)) = (self.found.methods.first(), saved_combination(&self.found)) {
            return text.map(Some).map_err(|error| self.not_saved(&error));
        }
        let Some(method) = self.found.methods.first() else {
            self.host.note("there is no method to save");
            return Ok(None);
        };
        saved(&self.found, method).map(Some).map_err(|error| self.not_saved(&error))
    }

    fn not_saved(&self, error: &TableProblem) -> Failure {
        let hint = "ask for a simpler method".to_owned();
        Failure::because(error, (ConstructCode::NothingToSave, error, hint))
    }

    /// How the answer was found, as a document; `command` is what makes it again. Slopes of the
    /// methods are measured on the model, or on an example of the class.
    pub fn explained(&self, format: Format, command: &str) -> Result<String, Failure> {
        let mut measured_on = match &self.model {
            Some(model) => Some(model.derive(&self.host)?),
            None => self.example()?,
        };
        let measured = match &mut measured_on {
            Some(system) => self.measured(system)?,
            None => None,
        };
        let text = self.model.as_ref().map(|model| String::from_utf8_lossy(&model.text().bytes));
        let given = self.model.as_ref().zip(text.as_deref());
        let model = given.map(|(model, text)| GivenModel { name: model.name(), text });
        let about = About { model, measured: measured.as_ref(), command };
        Ok(explain(&self.found, &about, format))
    }

    /// The example of the class; none for problems in groups.
    fn example(&self) -> Result<Option<System>, Failure> {
        let Source::Class(class) = self.found.asked.source else { return Ok(None) };
        if self.found.methods.is_empty() {
            return Ok(None);
        }
        let model = Model::parse(class.name(), example(class).as_bytes(), &Overrides::default())?;
        model.derive(&self.host).map(Some)
    }

    fn measured(&self, system: &mut System) -> Result<Option<Measured>, Failure> {
        let tables = self.found.methods.iter().enumerate();
        let methods: Vec<Method> = tables
            .filter_map(|(number, method)| {
                let table = self.found.table_of(method)?;
                let table = Table { name: method_title(number), ..table };
                Some(Method::of_table(table))
            })
            .collect();
        let Some(step) = Rational::new(1, 8).filter(|_| !methods.is_empty()) else {
            return Ok(None);
        };
        let field = match system.field() {
            Ok(field) => field,
            Err(interrupted @ Failure::Interrupted { .. }) => return Err(interrupted),
            Err(Failure::Refused(_)) => return Ok(None),
        };
        let operations = self.host.limits.prepare;
        let plan = Plan { methods, step, levels: LEVELS, time: Rational::ONE, operations };
        self.host.during("measuring slopes", || {
            let pair = (system.equations(), &*field);
            let study = convergence(system.name(), pair, &plan, &mut |_| self.host.flow());
            Ok(study.ok().map(|study| Measured { study }))
        })
    }
}
