//! Symmetric compositions of Störmer–Verlet steps.

use super::registry::{Capabilities, Claim, Entry, Family, Recipe};
use isotrope_methods::COMPOSITIONS;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "composition",
    citation: None,
    capabilities: Capabilities { compensate: true, ..Capabilities::MECHANICS },
    entries: &ENTRIES,
};

static ENTRIES: [Entry; COMPOSITIONS.len()] = entries();

const fn entries() -> [Entry; COMPOSITIONS.len()] {
    let mut all = [const { Entry::BLANK }; COMPOSITIONS.len()];
    let mut next = 0;
    while next < COMPOSITIONS.len() {
        let listed = &COMPOSITIONS[next];
        all[next] = Entry {
            name: listed.name,
            about: listed.about,
            citation: Some(listed.citation),
            recipe: Recipe::Composition(listed),
            claim: match listed.claim {
                Some(order) => Claim::Order(order),
                None => Claim::Nothing,
            },
            ..Entry::BLANK
        };
        next += 1;
    }
    all
}
