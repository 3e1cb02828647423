//! The one list of methods. A family is a file that declares its methods; it is added here by a
//! line, and lists, capabilities, names, certificates and steps follow from what it declares.

mod entry;
mod method;
mod scheme;

use isotrope_algebra::Budget;
use isotrope_methods::table::{Table, TableProblem};

pub use entry::{Capabilities, InStateSpace, Theory};
pub(crate) use entry::{Claim, Entry, Family, Recipe, Written};
use method::Place;
pub use method::{Listed, Method, PublishedClaim, Steps};
pub use scheme::EquationScheme;

/// All families, in the order of the list.
static FAMILIES: &[&Family] = &[
    &crate::tables::FAMILY,
    &crate::multistep::FAMILY,
    &crate::compositions::FAMILY,
    &crate::canonical::FAMILY,
    &crate::dirac::FAMILY,
    &crate::index_two::FAMILY,
    &crate::rattle::FAMILY,
    &crate::alembert::FAMILY,
    &crate::spark::FAMILY,
    &crate::projection::FAMILY,
    &crate::baumgarte::FAMILY,
    &crate::gear::FAMILY,
    &crate::alpha::FAMILY,
    &crate::energy::FAMILY,
    &crate::damped::FAMILY,
    &crate::variational::FAMILY,
    &crate::variational::DIRAC,
    &crate::degenerate::FAMILY,
    &crate::lie::FAMILY,
    &crate::poisson::FAMILY,
    &crate::port::FAMILY,
    &crate::adaptive::FAMILY,
];

/// The table of a name, if that is one of a Runge–Kutta method.
pub fn named_table(name: &str, budget: &mut Budget) -> Result<Option<Table>, TableProblem> {
    for place in Place::all() {
        if let Some(table) = place.table(name, budget)? {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_listed_name_is_there_once_and_names_the_method_that_has_it() {
        let budget = &mut Budget::new(10_000_000_000);
        let mut seen = BTreeSet::new();
        for listed in Listed::all() {
            let method = Method::named(&listed.name, budget).unwrap().unwrap();
            assert_eq!(method.name(), listed.name);
            assert_eq!(method.capabilities(), listed.capabilities, "{}", listed.name);
            assert!(seen.insert(listed.name.clone()), "{} is listed twice", listed.name);
            if let Some(scheme) = method.equations() {
                assert_eq!(scheme.name(), listed.name);
                assert_eq!(scheme.is_on_groups(), scheme.group_recipe().is_some());
            }
        }
        for name in ["rattle-2", "gauss", "gauss-02", "euler-", "dop8532", "yoshida-42", ""] {
            assert_eq!(Method::named(name, budget).unwrap(), None, "{name}");
        }
        assert!(Method::named("gauss-0", budget).is_err());
    }

    #[test]
    fn every_entry_says_where_it_comes_from_or_what_it_is() {
        for place in Place::all() {
            let cited = place.entry.citation.or(place.family.citation).is_some();
            assert!(cited || !place.entry.about.is_empty(), "{}", place.entry.name);
            assert!(cited || matches!(place.entry.claim, Claim::Nothing), "{}", place.entry.name);
        }
    }
}
