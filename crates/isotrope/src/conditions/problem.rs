//! The structure conditions of one problem.

use isotrope_algebra::{Budget, Rational};
use isotrope_scheme::construct::problem::Problem;
use isotrope_scheme::construct::symbolic::{Route, SymbolicConditions, SymbolicError, conditions};
use isotrope_scheme::methods::classes::Condition;
use serde_json::{Value, json};

use super::json;
use super::latex::document;
use super::text::{counts, heading, powers};
use super::{BUDGET, ConditionsError, check_orders};

/// The conditions of a problem that are printed.
#[derive(Debug, Clone)]
pub struct ProblemListing {
    /// The name of the problem.
    pub name: String,
    /// All conditions.
    pub conditions: SymbolicConditions,
    /// By power of h from 1: the order that is presupposed, and what remains.
    pub powers: Vec<(usize, Vec<Condition>)>,
    /// How many remain for every part of the structure, in the order of the problem, by power of
    /// h from 1.
    pub counts: Vec<(String, Vec<usize>)>,
}

/// Computes the conditions of a problem through h^`order`, for methods of order `given` (or, at
/// each h^j, of order j − 1).
pub fn list_problem(
    problem: &Problem,
    order: usize,
    given: Option<usize>,
) -> Result<ProblemListing, ConditionsError> {
    check_orders(order, given)?;
    let failed = |error: isotrope_algebra::OutOfBudget| ConditionsError::Symbolic(error.into());
    let budget = &mut Budget::new(BUDGET);
    let found = conditions(problem, order, budget).map_err(|error| match error {
        SymbolicError::Problem(error) => ConditionsError::Problem(error),
        other => ConditionsError::Symbolic(other),
    })?;
    let known = |power: usize| given.unwrap_or(power - 1);
    let mut powers = Vec::with_capacity(order);
    for power in 1..=order {
        let remaining = found.given(power, known(power), budget).map_err(failed)?;
        powers.push((known(power), remaining));
    }
    let mut counts = Vec::new();
    for part in problem.parts() {
        let mut numbers = Vec::with_capacity(order);
        for power in 1..=order {
            let remaining = found.given_part(part, power, known(power), budget);
            numbers.push(remaining.map_err(failed)?.len());
        }
        counts.push((part.to_owned(), numbers));
    }
    counts.push(("all".to_owned(), powers.iter().map(|(_, list)| list.len()).collect()));
    Ok(ProblemListing { name: problem.name.clone(), conditions: found, powers, counts })
}

/// Writes the counts and the conditions for a terminal.
pub fn problem_to_text(listing: &ProblemListing) -> String {
    let trees = listing.conditions.trees();
    let mut out = String::new();
    heading(&mut out, &format!("Structure conditions of {}", listing.name), '═');
    for equation in trees.family().equations() {
        out.push_str(&format!("  {equation}\n"));
    }
    out.push('\n');
    let names: Vec<&str> = listing.counts.iter().map(|(name, _)| name.as_str()).collect();
    let numbers: Vec<&[usize]> = listing.counts.iter().map(|(_, list)| list.as_slice()).collect();
    counts(&mut out, &names, &numbers, &listing.powers);
    powers(&mut out, trees, &listing.powers);
    out.push('\n');
    out.push_str(&sureness(&listing.conditions));
    out
}

/// A complete LaTeX document.
pub fn problem_to_latex(listing: &ProblemListing) -> String {
    let title = format!("Structure conditions of {}", listing.name);
    let sure = sureness(&listing.conditions).replace("2^61", "$2^{61}$");
    let sure = match listing.conditions.failure_bits() {
        Some(bits) => sure.replace(&format!("2^-{bits}"), &format!("$2^{{-{bits}}}$")),
        None => sure,
    };
    document(&title, listing.conditions.trees(), &listing.powers, &sure)
}

/// One object; coefficients are text that parses back.
pub fn problem_to_json(listing: &ProblemListing) -> Value {
    let found = &listing.conditions;
    let counts = listing.counts.iter().map(|(part, counts)| (part.as_str(), counts.as_slice()));
    let powers = json::powers(&listing.powers, counts.collect(), found.trees());
    let (route, points) = match found.route() {
        Route::NormalForms => ("normal-forms", None),
        Route::Points { points } => ("points", Some(points)),
    };
    let chance = found.failure_probability.as_ref();
    json!({
        "problem": listing.name,
        "family": found.trees().family().rules(),
        "order": found.max_order(),
        "powers": powers,
        "route": route,
        "points": points,
        "failure_probability": chance.map(Rational::to_f64),
        "failure_bits": found.failure_bits(),
    })
}

/// How the list was found, and how sure it is.
fn sureness(found: &SymbolicConditions) -> String {
    match (found.route(), found.failure_bits()) {
        (Route::Points { points }, Some(bits)) => format!(
            "Exact values at {points} points modulo two primes near 2^61. Every condition is necessary;\n\
             one was missed with a probability below 2^-{bits}.\n"
        ),
        _ => "Proved: normal forms of the Taylor coefficients show that the conditions are sufficient,\n\
              exact values at points that all are necessary.\n"
            .to_owned(),
    }
}
