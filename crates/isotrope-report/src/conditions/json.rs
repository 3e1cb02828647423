//! The conditions as JSON.

use isotrope_algebra::Rational;
use isotrope_construct::symbolic::Route;
use isotrope_construct::{Listing, ProblemListing};
use isotrope_methods::classes::{Condition, Forest};
use isotrope_methods::trees::Trees;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::json::{Named, value};

/// What `isotrope conditions` answers: of a class, or of one problem. Coefficients are text that
/// parses back.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum ConditionsRecord {
    /// What a class asks.
    Class(ClassRecord),
    /// What one problem asks.
    Problem(ProblemRecord),
}

/// What a class of systems asks of methods.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ClassRecord {
    /// The class.
    class: &'static str,
    /// What its systems are.
    description: &'static str,
    /// The part of the structure.
    part: &'static str,
    /// The highest power of h.
    order: usize,
    /// The conditions.
    powers: Vec<PowerRecord>,
    /// Random problems that were sampled.
    problems: usize,
    /// Further problems that checked the list.
    checks: usize,
    /// A bound for the probability that the list is wrong.
    failure_probability: f64,
    /// It is at most 2^-bits.
    failure_bits: u32,
}

/// What one problem asks of methods.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ProblemRecord {
    /// Its name.
    problem: String,
    /// The rules of its trees.
    family: String,
    /// The highest power of h.
    order: usize,
    /// The conditions.
    powers: Vec<PowerRecord>,
    /// `normal-forms` or `points`.
    route: &'static str,
    /// How many points.
    points: Option<usize>,
    /// A bound for the probability that a condition was missed.
    failure_probability: Option<f64>,
    /// It is at most 2^-bits.
    failure_bits: Option<u32>,
}

/// The conditions at a power of h.
#[derive(Debug, JsonSchema, Serialize)]
struct PowerRecord {
    /// The power.
    order: usize,
    /// Given that the method has this order.
    given: usize,
    /// How many there are of each part.
    counts: Named<Option<usize>>,
    /// The conditions.
    conditions: Vec<ConditionRecord>,
}

/// A condition.
#[derive(Debug, JsonSchema, Serialize)]
struct ConditionRecord {
    /// As it is written.
    text: String,
    /// Its terms, whose sum vanishes.
    terms: Vec<TermRecord>,
}

/// A term of a condition.
#[derive(Debug, JsonSchema, Serialize)]
struct TermRecord {
    /// The trees whose defects are multiplied.
    trees: Vec<String>,
    /// The coefficient.
    coefficient: String,
}

/// The conditions by powers of h: those given the order of the method, and how many of each part.
fn powers(
    powers: &[(usize, Vec<Condition>)],
    counts: &[(&str, &[usize])],
    trees: &Trees,
) -> Vec<PowerRecord> {
    powers
        .iter()
        .enumerate()
        .map(|(at, (known, conditions))| PowerRecord {
            order: at + 1,
            given: *known,
            counts: counts.iter().map(|(part, list)| (*part, list.get(at).copied())).collect(),
            conditions: conditions.iter().map(|one| entry(trees, one)).collect(),
        })
        .collect()
}

/// The conditions of a class.
pub fn to_json(listing: &Listing) -> Value {
    let found = &listing.conditions;
    let counts: Vec<(&str, &[usize])> =
        listing.counts.iter().map(|(part, counts)| (part.name(), counts.as_slice())).collect();
    value(&ConditionsRecord::Class(ClassRecord {
        class: found.class().name(),
        description: found.class().description(),
        part: listing.part.name(),
        order: found.max_order(),
        powers: powers(&listing.powers, &counts, found.trees()),
        problems: found.problems,
        checks: found.checks,
        failure_probability: found.failure_probability.to_f64(),
        failure_bits: found.failure_bits(),
    }))
}

/// The conditions of one problem.
pub fn problem_to_json(listing: &ProblemListing) -> Value {
    let found = &listing.conditions;
    let counts: Vec<(&str, &[usize])> =
        listing.counts.iter().map(|(part, counts)| (part.as_str(), counts.as_slice())).collect();
    let (route, points) = match found.route() {
        Route::NormalForms => ("normal-forms", None),
        Route::Points { points } => ("points", Some(points)),
    };
    value(&ConditionsRecord::Problem(ProblemRecord {
        problem: listing.name.clone(),
        family: found.trees().family().rules(),
        order: found.max_order(),
        powers: powers(&listing.powers, &counts, found.trees()),
        route,
        points,
        failure_probability: found.failure_probability.as_ref().map(Rational::to_f64),
        failure_bits: found.failure_bits(),
    }))
}

/// One condition: its text and its terms.
fn entry(trees: &Trees, condition: &Condition) -> ConditionRecord {
    let term = |(forest, coefficient): &(Forest, Rational)| TermRecord {
        trees: forest.trees().iter().map(|tree| trees.name(*tree)).collect(),
        coefficient: coefficient.to_string(),
    };
    ConditionRecord {
        text: condition.text(trees),
        terms: condition.terms.iter().map(term).collect(),
    }
}
