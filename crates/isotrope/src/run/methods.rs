//! Lists of methods that the command line names.

use isotrope_algebra::Budget;
use isotrope_kernel::stepper::Method;
use isotrope_model::{Model, StateKind};
use isotrope_scheme::certify::method_names;
use isotrope_scheme::discretise::EquationScheme;

use super::method::method;
use crate::diagnostics;
use crate::exit::Exit;

/// The methods of the published comparisons.
const SEEDS: [&str; 21] = [
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

/// Operations for the coefficients of a table.
const TABLE_BUDGET: u64 = 1_000_000_000;

/// The list for a model when none is given.
pub(crate) fn suggested(model: &Model) -> &'static str {
    match model.system.state() {
        _ if model.group.is_some() => "lie",
        Some(state) if state.kind == StateKind::Equations => "rk4,midpoint,gauss-2,dop853",
        Some(_) => "rk4,midpoint,gauss-2,dop853,state",
        None => "seeds",
    }
}

/// The methods of a list with commas: names, files, `seeds`, `lie` (those on Lie groups), `state` (those for systems in
/// state space) and `all` (the others). Each is taken once.
pub(crate) fn methods(list: &str) -> Result<Vec<Method>, Exit> {
    let mut names: Vec<String> = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match name {
            "seeds" => names.extend(SEEDS.map(str::to_owned)),
            "lie" => names.extend(EquationScheme::names_on_groups()),
            "state" => names.extend(EquationScheme::names_in_state_space()),
            "all" => names.extend(runnable()),
            name => names.push(name.to_owned()),
        }
    }
    if names.is_empty() {
        let hint = "name some, separated by commas; `isotrope methods` lists all";
        diagnostics::plain("ISO-RUN-011", "the list of methods is empty", Some(hint));
        return Err(Exit::CouldNotRun);
    }
    let mut methods: Vec<Method> = Vec::with_capacity(names.len());
    for (k, name) in names.iter().enumerate() {
        if !names[..k].contains(name) {
            methods.push(method(name)?);
        }
    }
    Ok(methods)
}

/// Every method of the lists that can be run.
fn runnable() -> Vec<String> {
    let mut names = method_names();
    let others = Method::NAMES.map(str::to_owned);
    for name in EquationScheme::names().into_iter().chain(others) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let budget = &mut Budget::new(TABLE_BUDGET);
    let mut elsewhere = EquationScheme::names_on_groups();
    elsewhere.extend(EquationScheme::names_only_in_state_space());
    names.retain(|name| {
        !elsewhere.contains(name) && matches!(Method::named(name, budget), Ok(Some(_)))
    });
    names
}
