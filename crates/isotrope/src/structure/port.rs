//! Port-Hamiltonian forms of plain equations, and systems joined at their ports.

use isotrope_algebra::Pool;
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
use crate::model::Model;
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

fn refuse(error: &PortError) -> Failure {
    Failure::because(error, (error.code(), error, error.hint().to_owned()))
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
        let (host, derived) = (&self.host, &mut self.derived);
        host.during("looking for port-Hamiltonian forms", || {
            let budget = &mut host.budget(host.limits.port);
            let (problem, own) =
                problem_of(derived, &fixed, budget).map_err(|error| refuse(&error))?;
            let hamiltonian = match &asked.hamiltonian {
                Some(text) => Some(
                    read_energy(derived, text, &fixed, budget).map_err(|error| refuse(&error))?,
                ),
                None => own.filter(|_| !asked.search),
            };
            let (degree, integral_degree) = (asked.degree, asked.integrals);
            let options = Options { hamiltonian, degree, integral_degree };
            let recovery = recover(&mut derived.model.pool, &problem, &options, budget)
                .map_err(|error| refuse(&error))?;
            Ok((problem, recovery))
        })
    }

    /// Looks for port-Hamiltonian forms of the equations.
    pub fn port(mut self, asked: &PortRequest) -> Result<PortAnswer, Failure> {
        let (problem, mut recovery) = self.recovery(asked)?;
        let (host, derived) = (&self.host, &mut self.derived);
        // An answer of its own: what it costs takes nothing from the forms.
        let definite_invariant = host.during("looking for definite invariants", || {
            let budget = &mut host.budget(host.limits.port / 10);
            match definite_invariant(&mut derived.model.pool, &problem, budget) {
                Err(PortError::OutOfBudget(_)) => {
                    let words = "positive definite quadratic invariants: too long to compute";
                    recovery.notes.push(words.to_owned());
                    Ok(None)
                }
                other => other.map_err(|error| refuse(&error)),
            }
        })?;
        Ok(PortAnswer { system: self, problem, recovery, definite_invariant })
    }

    /// One of the forms as a model file.
    pub fn port_form(&mut self, asked: &PortRequest, number: usize) -> Result<String, Failure> {
        let (problem, recovery) = self.recovery(asked)?;
        let source = self.model.text().name.clone();
        let (host, derived) = (&self.host, &mut self.derived);
        host.during("writing the form", || {
            let budget = &mut host.budget(host.limits.port);
            let saved = Saved { number, source: &source };
            save(&derived.model, &problem, &recovery, &saved, budget)
                .map_err(|error| refuse(&error))
        })
    }
}

/// Joins models at their ports: the text of a model file. Without a name it has those of its parts.
pub fn connected(
    name: Option<&str>,
    parts: &[(String, Model)],
    joins: &[String],
) -> Result<String, Failure> {
    let refuse =
        |error: ConnectError| Failure::because(&error, (error.code(), &error, error.hint()));
    let components: Vec<Component<'_>> =
        parts.iter().map(|(name, model)| Component { name, model: model.parsed() }).collect();
    let joins: Result<Vec<Join>, ConnectError> =
        joins.iter().map(|text| Join::read(text)).collect();
    let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    let name = name.map_or_else(|| names.join(", "), str::to_owned);
    joins.and_then(|joins| connect(&name, &components, &joins)).map_err(refuse)
}

/// A part and its file, `name=file`.
pub fn component(text: &str) -> Result<(&str, &str), Failure> {
    text.split_once('=').ok_or_else(|| {
        let error = ConnectError::Name { name: text.to_owned() };
        Failure::plain(error.code(), &error, error.hint())
    })
}
