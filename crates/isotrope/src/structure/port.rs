//! Port-Hamiltonian forms of plain equations, and systems joined at their ports.

use isotrope_algebra::Pool;
use isotrope_model::Place as ModelPlace;
use isotrope_report::Format;
use isotrope_report::port::{PortReport, to_json, write};
use isotrope_report::structure::Heading;
use isotrope_structure::connect::{Component, ConnectError, Join, connect};
use isotrope_structure::port::{
    Obstruction, Options, PortError, Problem, Recovery, Saved, Verdict, definite_invariant,
    problem_of, read_energy, recover, save,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::model::{Model, ModelText};
use crate::system::System;

/// Which forms to look for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PortRequest {
    /// An energy; that of the model, if it has one and none is given.
    pub hamiltonian: Option<String>,
    /// Look for energies even if the model has one?
    pub search: bool,
    /// The largest degree of the entries of J and R.
    pub degree: Option<u32>,
    /// The largest degree of polynomial first integrals.
    pub integrals: Option<u32>,
}

/// The forms that were found.
#[derive(Debug)]
pub struct PortAnswer {
    system: System,
    problem: Problem,
    /// What was found.
    pub recovery: Recovery,
    definite_invariant: Option<Verdict>,
}

impl PortAnswer {
    fn told<T>(&mut self, tell: impl FnOnce(&mut Pool, &PortReport<'_>) -> T) -> T {
        let model = &mut self.system.derived.model;
        let report = PortReport {
            heading: Heading { name: model.name.clone(), description: model.description.clone() },
            problem: &self.problem,
            recovery: &self.recovery,
            definite_invariant: self.definite_invariant.clone(),
        };
        tell(&mut model.pool, &report)
    }

    fn written(&mut self, format: Format) -> String {
        self.told(|pool, report| write(pool, report, format))
    }
}

impl Answer for PortAnswer {
    fn text(&mut self, width: usize) -> String {
        self.written(Format::Text { width })
    }

    fn json(&mut self) -> Value {
        self.told(to_json)
    }

    fn latex(&mut self) -> Option<String> {
        Some(self.written(Format::Latex))
    }

    fn html(&mut self) -> Option<String> {
        Some(self.written(Format::Html))
    }

    fn is_negative(&self) -> bool {
        self.recovery.obstruction.as_ref().is_some_and(Obstruction::is_decided)
    }
}

/// What is wrong, at the state or the table that it is about.
fn refuse(text: &ModelText, model: &isotrope_model::Model, error: &PortError) -> Failure {
    let place = match error {
        PortError::Time { state } | PortError::NotAffine { state, .. } => {
            let named = model.coordinates.iter().find(|coordinate| coordinate.name == *state);
            named.map(|coordinate| coordinate.place)
        }
        PortError::Undefined
        | PortError::NotEquations
        | PortError::Descriptor
        | PortError::TooManyStates { .. }
        | PortError::TooLarge { .. }
        | PortError::TooManyTerms { .. } => match model.system.state() {
            Some(state) => Some(state.place),
            None => model.coordinates.first().map(|coordinate| coordinate.place),
        },
        PortError::Hamiltonian { .. }
        | PortError::Read { .. }
        | PortError::NoForm { .. }
        | PortError::Violated { .. }
        | PortError::Geometry(_)
        | PortError::Linear(_)
        | PortError::OutOfBudget(_) => None,
    };
    Failure::in_a_model((text, place), error, (error.code(), error.hint().to_owned()))
}

/// The same of an energy that the request gives.
fn refuse_energy(text: &ModelText, written: &str, error: &PortError) -> Failure {
    match error {
        PortError::Hamiltonian { .. } | PortError::Read { .. } => {
            let told = (error.code().into(), error.to_string(), error.hint().to_owned());
            Failure::in_text("--hamiltonian", written, 0..written.len(), told)
        }
        other => Failure::in_a_model((text, None), other, (other.code(), other.hint().to_owned())),
    }
}

impl System {
    /// Parameters whose values the request fixes.
    fn fixed(&self) -> Vec<String> {
        let set = &self.model.text().overrides.set;
        set.iter().filter_map(|set| Some(set.split_once('=')?.0.trim().to_owned())).collect()
    }

    fn recovery(&mut self, asked: &PortRequest) -> Result<(Problem, Recovery), Failure> {
        let fixed = self.fixed();
        let fixed: Vec<&str> = fixed.iter().map(String::as_str).collect();
        let (host, derived, text) = (&self.host, &mut self.derived, self.model.text());
        host.during("looking for port-Hamiltonian forms", || {
            let budget = &mut host.budget(host.limits.port);
            let found = problem_of(derived, &fixed, budget);
            let (problem, own) = found.map_err(|error| refuse(text, &derived.model, &error))?;
            let hamiltonian = match &asked.hamiltonian {
                Some(written) => Some(
                    read_energy(derived, written, &fixed, budget)
                        .map_err(|error| refuse_energy(text, written, &error))?,
                ),
                None => own.filter(|_| !asked.search),
            };
            let (degree, integral_degree) = (asked.degree, asked.integrals);
            let options = Options { hamiltonian, degree, integral_degree };
            let recovery = recover(&mut derived.model.pool, &problem, &options, budget)
                .map_err(|error| refuse(text, &derived.model, &error))?;
            Ok((problem, recovery))
        })
    }

    /// Looks for port-Hamiltonian forms of the equations.
    pub fn port(mut self, asked: &PortRequest) -> Result<PortAnswer, Failure> {
        let (problem, mut recovery) = self.recovery(asked)?;
        let (host, derived, text) = (&self.host, &mut self.derived, self.model.text());
        // An answer of its own: what it costs takes nothing from the forms.
        let definite_invariant = host.during("looking for definite invariants", || {
            let budget = &mut host.budget(host.limits.port / 10);
            match definite_invariant(&mut derived.model.pool, &problem, budget) {
                Err(PortError::OutOfBudget(_)) => {
                    let words = "positive definite quadratic invariants: too long to compute";
                    recovery.notes.push(words.to_owned());
                    Ok(None)
                }
                other => other.map_err(|error| refuse(text, &derived.model, &error)),
            }
        })?;
        Ok(PortAnswer { system: self, problem, recovery, definite_invariant })
    }

    /// One of the forms as a model file.
    pub fn port_form(&mut self, asked: &PortRequest, number: usize) -> Result<String, Failure> {
        let (problem, recovery) = self.recovery(asked)?;
        let (host, derived, text) = (&self.host, &mut self.derived, self.model.text());
        let source = text.name.clone();
        host.during("writing the form", || {
            let budget = &mut host.budget(host.limits.port);
            let saved = Saved { number, source: &source };
            save(&derived.model, &problem, &recovery, &saved, budget)
                .map_err(|error| refuse(text, &derived.model, &error))
        })
    }
}

/// Joins models at their ports: the text of a model file. Without a name it has those of its parts.
pub fn connected(
    name: Option<&str>,
    parts: &[(String, Model)],
    joins: &[String],
) -> Result<String, Failure> {
    let components: Vec<Component<'_>> =
        parts.iter().map(|(name, model)| Component { name, model: model.parsed() }).collect();
    let read: Result<Vec<Join>, ConnectError> = joins.iter().map(|text| Join::read(text)).collect();
    let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    let name = name.map_or_else(|| names.join(", "), str::to_owned);
    read.and_then(|joins| connect(&name, &components, &joins))
        .map_err(|error| refuse_connection(parts, joins, &error))
}

/// What is wrong, at its place: in the file of a part, or in what joins them.
fn refuse_connection(parts: &[(String, Model)], joins: &[String], error: &ConnectError) -> Failure {
    let of_part = |name: &String, place: &dyn Fn(&isotrope_model::Model) -> Option<ModelPlace>| {
        let (_, model) = parts.iter().find(|(own, _)| own == name)?;
        let place = (model.text(), place(model.parsed()));
        Some(Failure::in_a_model(place, error, (error.code(), error.hint())))
    };
    let table = |model: &isotrope_model::Model| match model.system.state() {
        Some(state) => Some(state.place),
        None => model.coordinates.first().map(|coordinate| coordinate.place),
    };
    // A part of a join, `--join a.u,b.v=K`.
    let of_join = |part: &str| {
        let text = joins.iter().find(|text| text.contains(part))?;
        let start = text.find(part)?;
        let told = (error.code().into(), error.to_string(), error.hint());
        Some(Failure::in_text("--join", text, start..start + part.len(), told))
    };
    let placed = match error {
        ConnectError::NoForm { name } | ConnectError::Effort { name } => of_part(name, &table),
        ConnectError::Indexed { name, coordinate } => of_part(name, &|model| {
            let named = model.coordinates.iter().find(|own| own.name == *coordinate);
            named.map(|own| own.place)
        }),
        ConnectError::Table { name, input } => of_part(name, &|model| {
            let inputs = &model.system.state()?.inputs;
            inputs.iter().find(|own| own.name == *input).map(|own| own.place)
        }),
        ConnectError::Syntax { text } => of_join(text),
        ConnectError::Modulus { modulus } => of_join(modulus),
        ConnectError::NoPort { component, input, .. } => of_join(&format!("{component}.{input}")),
        ConnectError::Itself { port } => of_join(port),
        ConnectError::JoinedTwice { first, .. } => of_join(first),
        ConnectError::Name { .. } | ConnectError::Twice { .. } | ConnectError::OutOfBudget(_) => {
            None
        }
    };
    placed.unwrap_or_else(|| Failure::because(error, (error.code(), error, error.hint())))
}

/// A part and its file, `name=file`.
pub fn component(text: &str) -> Result<(&str, &str), Failure> {
    text.split_once('=').ok_or_else(|| {
        let error = ConnectError::Name { name: text.to_owned() };
        Failure::plain(error.code(), &error, error.hint())
    })
}
