//! `isotrope methods`: the methods with what was computed of them.

use isotrope_algebra::Budget;
use isotrope_algebra::syntax::nearest;
use isotrope_scheme::certify::{Certified, Method, RegistryError, method, method_names};
use isotrope_study::parallel;

use super::answer;
use crate::cli::Methods;
use crate::diagnostics;
use crate::exit::Exit;
use crate::methods::{detail_to_text, list_to_json, list_to_text, to_json};
use crate::progress::Progress;

/// Operations for one method.
pub(super) const CERTIFY_BUDGET: u64 = 2_000_000_000;

/// Runs the command.
pub fn run(arguments: &Methods) -> Exit {
    let progress = Progress::start("certifying methods");
    let names = arguments.name.clone().map_or_else(method_names, |name| vec![name]);
    let mut certified = Vec::new();
    for (name, answer) in names.iter().zip(parallel::map(&names, |name| certify(name))) {
        match answer {
            Some(Ok(one)) => certified.push(one),
            Some(Err(error)) => return not_certified(name, &error),
            None => return unknown(name),
        }
    }
    drop(progress);
    let text = match (&arguments.name, arguments.json) {
        (None, true) => format!("{:#}\n", list_to_json(&certified)),
        (None, false) => list_to_text(&certified),
        (Some(_), json) => certified.iter().map(|one| single(one, json)).collect(),
    };
    answer(None, &text, Exit::Done)
}

fn certify(name: &str) -> Option<Result<Certified<Method>, RegistryError>> {
    method(name, &mut Budget::new(CERTIFY_BUDGET))
}

fn single(one: &Certified<Method>, json: bool) -> String {
    if json {
        format!("{:#}\n", to_json(one.method(), one.certificate(), None))
    } else {
        detail_to_text(one.method(), one.certificate(), &[])
    }
}

fn unknown(name: &str) -> Exit {
    let names = method_names();
    let family: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|known| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('-')))
        .collect();
    let hint = match (family.as_slice(), nearest(name, names.iter().map(String::as_str))) {
        ([first, .., last], _) => format!("a family: {first} to {last}"),
        ([only], _) => format!("did you mean `{only}`?"),
        ([], Some(near)) => format!("did you mean `{near}`? `isotrope methods` lists all"),
        ([], None) => {
            "`isotrope methods` lists all; `isotrope certify FILE` takes a table of your own"
                .to_owned()
        }
    };
    diagnostics::plain("ISO-METHODS-001", &format!("there is no method `{name}`"), Some(&hint));
    Exit::CouldNotRun
}

fn not_certified(name: &str, error: &RegistryError) -> Exit {
    let own_times = ["sundman:", "energy-exact:"].iter().find_map(|word| name.strip_prefix(word));
    let (message, hint) = match own_times {
        Some(inner) => (
            format!("`{name}` has steps of a length of its own, which no certificate covers"),
            format!("`isotrope methods {inner}` has that of the method with equal steps"),
        ),
        None => (
            format!("the method `{name}` cannot be certified: {error}"),
            match error {
                RegistryError::Stages { .. } => "choose another number of stages".to_owned(),
                _ => "`isotrope methods` lists all".to_owned(),
            },
        ),
    };
    diagnostics::plain("ISO-METHODS-002", &message, Some(&hint));
    Exit::CouldNotRun
}
