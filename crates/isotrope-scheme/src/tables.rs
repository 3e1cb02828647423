//! Runge–Kutta methods: the tables of the catalogue, collocation, and names from mechanics.

use super::registry::{Capabilities, Entry, Family, Recipe};
use isotrope_methods::table::{COLLOCATION, LISTED};

/// The family of methods with one table.
pub(super) const RUNGE_KUTTA: &str = "runge-kutta";
/// The family of methods with more than one.
pub(super) const PARTITIONED: &str = "partitioned-runge-kutta";

/// Runge–Kutta methods step on any field. On Lie groups they need `rkmk-`.
pub(super) const CAPABILITIES: Capabilities =
    Capabilities { compensate: true, ..Capabilities::MECHANICS };

/// The family; methods with several tables are distinguished by their coefficients.
pub(super) static FAMILY: Family =
    Family { name: RUNGE_KUTTA, citation: None, capabilities: CAPABILITIES, entries: &ENTRIES };

/// Tables under the names they have in mechanics.
const ALIASES: [Entry; 4] = [
    alias("verlet", "sv", "the same as sv"),
    alias("rkd-midpoint", "midpoint", "Runge–Kutta–Dirac: midpoint with p carried along"),
    alias("rkd-trapezoid", "trapezoid", "Runge–Kutta–Dirac: trapezoid with p carried along"),
    alias(
        "rkd-lobatto",
        "lobatto-iiia-iiib-2",
        "Runge–Kutta–Dirac: lobatto-iiia-iiib-2 with p carried along",
    ),
];

const fn alias(name: &'static str, original: &'static str, about: &'static str) -> Entry {
    Entry { name, about, recipe: Recipe::Alias(original), ..Entry::BLANK }
}

const COUNT: usize = LISTED.len() + COLLOCATION.len() + ALIASES.len();

static ENTRIES: [Entry; COUNT] = entries();

const fn entries() -> [Entry; COUNT] {
    let mut all = [const { Entry::BLANK }; COUNT];
    let mut next = 0;
    while next < LISTED.len() {
        let listed = &LISTED[next];
        all[next] = Entry {
            name: listed.name,
            about: listed.about,
            citation: listed.citation,
            recipe: Recipe::Listed(listed),
            ..Entry::BLANK
        };
        next += 1;
    }
    let mut number = 0;
    while number < COLLOCATION.len() {
        let family = &COLLOCATION[number];
        all[next] = Entry {
            name: family.prefix,
            citation: Some(family.citation),
            recipe: Recipe::Collocation(family),
            ..Entry::BLANK
        };
        (number, next) = (number + 1, next + 1);
    }
    let [verlet, midpoint, trapezoid, lobatto] = ALIASES;
    all[next] = verlet;
    all[next + 1] = midpoint;
    all[next + 2] = trapezoid;
    all[next + 3] = lobatto;
    all
}
