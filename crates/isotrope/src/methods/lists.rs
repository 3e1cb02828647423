//! Lists of methods.

use isotrope_model::codes::RunCode;
use isotrope_scheme::{InStateSpace, Listed, Method};

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
pub(super) fn names(list: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match name {
            "published" | "seeds" => names.extend(PUBLISHED.map(str::to_owned)),
            "lie" => names.extend(chosen(|one| one.capabilities.groups)),
            "state" => {
                // Projections are for the few systems there that have constraints.
                let there = |one: &Listed| one.capabilities.state_space != InStateSpace::No;
                let special =
                    |one: &Listed| one.is_only_in_state_space() || one.capabilities.balance_power;
                names.extend(chosen(|one| there(one) && special(one)));
            }
            "all" => names
                .extend(chosen(|one| !one.capabilities.groups && !one.is_only_in_state_space())),
            name => names.push(name.to_owned()),
        }
    }
    names
}

/// The same, each name once.
pub(super) fn once(list: &str) -> Vec<String> {
    let names = names(list);
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

/// The names that are chosen, in the order of the list.
fn chosen(wanted: impl Fn(&Listed) -> bool) -> impl Iterator<Item = String> {
    Listed::all().into_iter().filter(move |one| wanted(one)).map(|one| one.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_method_is_listed() {
        let listed: Vec<String> = chosen(|_| true).collect();
        for name in PUBLISHED {
            assert!(listed.iter().any(|known| known == name), "{name}");
        }
        assert_eq!(names("published"), names("seeds"));
    }

    #[test]
    fn groups_of_methods_are_told_apart_by_what_they_can() {
        let (all, lie, state) = (names("all"), names("lie"), names("state"));
        assert!(all.contains(&"dop853".to_owned()) && all.contains(&"avf".to_owned()));
        assert!(lie.contains(&"rkmk-rk4".to_owned()) && state.contains(&"avf".to_owned()));
        assert!(lie.iter().all(|name| !all.contains(name)));
        let both: Vec<&String> = state.iter().filter(|name| all.contains(name)).collect();
        assert_eq!(both, ["avf", "discrete-gradient"]);
    }
}
