//! Methods that choose their steps by an estimate of the error.

use super::registry::{Capabilities, Entry, Family, Recipe, Theory};

/// The family. Certificates are of equal steps.
pub(super) static FAMILY: Family = Family {
    name: "adaptive",
    citation: Some(
        "E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I (1993)",
    ),
    capabilities: Capabilities::MECHANICS,
    entries: &[Entry {
        name: "dop853",
        about: "the method of Dormand and Prince of order 8 with steps of its own",
        recipe: Recipe::Adaptive,
        theory: Theory::Unknown,
        ..Entry::BLANK
    }],
};
