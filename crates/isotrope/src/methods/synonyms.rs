//! Other people's names for methods.

/// Names of the very same map.
const SAME: [(&str, &str); 6] = [
    ("leapfrog", "verlet"),
    ("velocity-verlet", "verlet"),
    ("stormer-verlet", "verlet"),
    ("störmer-verlet", "verlet"),
    ("crank-nicolson", "trapezoid"),
    ("backward-euler", "implicit-euler"),
];

/// Names of something that is not here, or not quite, and what comes near it.
const NEAR: [(&str, &str); 8] = [
    (
        "rk45",
        "`dop853` chooses its steps by the error; `dormand-prince` has the same table with equal steps",
    ),
    (
        "ode45",
        "`dop853` chooses its steps by the error; `dormand-prince` has the same table with equal steps",
    ),
    (
        "dopri5",
        "`dop853` chooses its steps by the error; `dormand-prince` has the same table with equal steps",
    ),
    (
        "dop54",
        "`dop853` chooses its steps by the error; `dormand-prince` has the same table with equal steps",
    ),
    ("radau", "the method of that name elsewhere is `radau-iia-3`, here with equal steps"),
    ("radau5", "the method of that name elsewhere is `radau-iia-3`, here with equal steps"),
    (
        "bdf",
        "for stiff equations there are `radau-iia-2` and `sdirk-alexander-3`, with equal steps",
    ),
    (
        "lsoda",
        "`dop853` chooses its steps by the error; for stiff equations there is `radau-iia-2`",
    ),
];

/// The name that a method has here.
pub(super) fn known_as(name: &str) -> &str {
    let found = SAME.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
    found.map_or(name, |(_, here)| here)
}

/// What to take in its place.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    let found = NEAR.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
    found.map(|(_, hint)| *hint)
}

#[cfg(test)]
mod tests {
    use isotrope_scheme::Listed;

    use super::*;

    #[test]
    fn whatever_is_named_instead_is_there() {
        let listed: Vec<String> = Listed::all().into_iter().map(|one| one.name).collect();
        let there = |name: &str| listed.iter().any(|known| known == name);
        for (other, here) in SAME {
            assert!(there(here) && !there(other), "{other}");
        }
        for (other, hint) in NEAR {
            let named: Vec<&str> = hint.split('`').skip(1).step_by(2).collect();
            assert!(!named.is_empty() && named.into_iter().all(there), "{hint}");
            assert!(!there(other), "{other}");
        }
    }
}
