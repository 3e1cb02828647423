//! Lists of methods.

use isotrope_certify::method_names;
use isotrope_kernel::stepper::Method;
use isotrope_model::codes::RunCode;
use isotrope_scheme::EquationScheme;

use super::named::named;
use crate::failure::Failure;
use crate::host::Host;

/// The methods of the published comparisons.
const PUBLISHED: [&str; 21] = [
    "euler",
    "implicit-euler",
    "symplectic-euler",
    "euler-c",
    "implicit-euler-c",
    "symplectic-euler-c",
    "trapezoid",
    "trapezoid-c",
    "midpoint",
    "ab3",
    "rk4",
    "dirac-1",
    "dirac-2",
    "dirac-2-repaired",
    "dirac-rk",
    "rkd-midpoint",
    "rkd-trapezoid",
    "rkd-lobatto",
    "rattle",
    "dla-midpoint",
    "dla-leapfrog",
];

/// The names of a list with commas: names, files, `published` (or `seeds`), `lie` (those on Lie
/// groups), `state` (those for systems in state space) and `all` (the others).
pub(super) fn names(host: &Host, list: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match name {
            "published" | "seeds" => names.extend(PUBLISHED.map(str::to_owned)),
            "lie" => names.extend(EquationScheme::names_on_groups()),
            "state" => names.extend(EquationScheme::names_in_state_space()),
            "all" => names.extend(runnable(host)),
            name => names.push(name.to_owned()),
        }
    }
    names
}

/// The same, each name once.
pub(super) fn once(host: &Host, list: &str) -> Vec<String> {
    let names = names(host, list);
    let mut once: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    once
}

/// The methods of a list.
pub(super) fn listed(host: &Host, names: &[String]) -> Result<Vec<Method>, Failure> {
    if names.is_empty() {
        let hint = "name some, separated by commas; `isotrope methods` lists all";
        return Err(Failure::hinted(
            RunCode::EmptyMethodList,
            "the list of methods is empty",
            hint,
        ));
    }
    names.iter().map(|name| named(host, name)).collect()
}

/// Every method of the lists that can be run.
fn runnable(host: &Host) -> Vec<String> {
    let mut names = method_names();
    let others = Method::NAMES.map(str::to_owned);
    for name in EquationScheme::names().into_iter().chain(others) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut elsewhere = EquationScheme::names_on_groups();
    elsewhere.extend(EquationScheme::names_only_in_state_space());
    names.retain(|name| {
        let budget = &mut host.budget(host.limits.coefficients);
        !elsewhere.contains(name) && matches!(Method::named(name, budget), Ok(Some(_)))
    });
    names
}
