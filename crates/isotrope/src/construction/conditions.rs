//! What a class of systems, or one system, asks of a method that preserves its structure.

use isotrope_construct::problem::{Parameters, Problem};
use isotrope_construct::{ConditionsError, Listing, ProblemListing, list, list_problem};
use isotrope_methods::classes::Part;
use isotrope_report::conditions::{
    problem_to_json, problem_to_latex, problem_to_text, to_json, to_latex, to_text,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::construct::problem_of_file;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::host::Host;
use crate::model::Model;

/// A part of the structure of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StructurePart {
    /// The Legendre map, p = dL/dv.
    Psi,
    /// Constraints on velocities.
    PhiV,
    /// Constraints on positions.
    PhiQ,
    /// All of them.
    All,
    /// The 2-form.
    Form,
}

impl From<StructurePart> for Part {
    fn from(part: StructurePart) -> Self {
        match part {
            StructurePart::Psi => Self::Psi,
            StructurePart::PhiV => Self::PhiV,
            StructurePart::PhiQ => Self::PhiQ,
            StructurePart::All => Self::All,
            StructurePart::Form => Self::Form,
        }
    }
}

/// Which conditions to list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConditionsRequest {
    /// Through this power of h.
    pub order: usize,
    /// For methods of this order; one less than each power, if none is given.
    pub given: Option<usize>,
}

impl ConditionsRequest {
    /// The power of h by default.
    pub const ORDER: usize = 4;
}

impl Default for ConditionsRequest {
    fn default() -> Self {
        Self { order: Self::ORDER, given: None }
    }
}

/// The conditions of a class or of one problem.
#[derive(Debug)]
pub enum Conditions {
    /// Of a class.
    Class(Listing),
    /// Of one problem.
    Problem(ProblemListing),
}

fn refuse(error: &ConditionsError) -> Failure {
    Failure::because(error, (error.code(), error, error.hint()))
}

/// The conditions of a class, by random problems.
pub fn conditions_of_class(
    host: &Host,
    class: &str,
    part: Option<StructurePart>,
    asked: &ConditionsRequest,
) -> Result<Conditions, Failure> {
    host.during("expanding random problems of the class in trees", || {
        let listing = list(class, part.map(Part::from), asked.order, asked.given);
        listing.map(Conditions::Class).map_err(|error| refuse(&error))
    })
}

/// The conditions of a problem in groups, from the bytes of its file.
pub fn conditions_of_groups(
    host: &Host,
    (name, bytes): (&str, &[u8]),
    asked: &ConditionsRequest,
) -> Result<Conditions, Failure> {
    of_problem(host, &problem_of_file(name, bytes)?, asked)
}

/// The conditions of the (q, v, p) problem of a model.
pub fn conditions_of_model(
    host: &Host,
    model: &Model,
    asked: &ConditionsRequest,
) -> Result<Conditions, Failure> {
    let system = model.derive(host)?;
    let problem = host.during("reading the problem off the model", || {
        let budget = &mut host.budget(host.limits.classify);
        Problem::of_model(system.equations(), Parameters::Symbols, budget)
            .map_err(|error| refuse(&ConditionsError::Problem(error)))
    })?;
    of_problem(host, &problem, asked)
}

fn of_problem(
    host: &Host,
    problem: &Problem,
    asked: &ConditionsRequest,
) -> Result<Conditions, Failure> {
    host.during("expanding the structure functions in trees", || {
        let listing = list_problem(problem, asked.order, asked.given);
        listing.map(Conditions::Problem).map_err(|error| refuse(&error))
    })
}

impl Answer for Conditions {
    fn text(&mut self, _: usize) -> String {
        match self {
            Self::Class(listing) => to_text(listing),
            Self::Problem(listing) => problem_to_text(listing),
        }
    }

    fn json(&mut self) -> Value {
        match self {
            Self::Class(listing) => to_json(listing),
            Self::Problem(listing) => problem_to_json(listing),
        }
    }

    fn latex(&mut self) -> Option<String> {
        Some(match self {
            Self::Class(listing) => to_latex(listing),
            Self::Problem(listing) => problem_to_latex(listing),
        })
    }
}
