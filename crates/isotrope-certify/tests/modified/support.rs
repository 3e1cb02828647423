//! What the tests share.

use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::{Budget, Rational};
use isotrope_certify::modified::{exact_table, modified_coefficients};
use isotrope_derive::{System, derive};
use isotrope_methods::named_composition;
use isotrope_methods::table::Table;
use isotrope_methods::trees::{Family, Trees};
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::named_table;

pub fn budget() -> Budget {
    Budget::new(1_000_000_000)
}

/// A table or a composition of the list.
pub fn table(name: &str) -> Table {
    let budget = &mut budget();
    if let Some(composed) = named_composition(name, budget).unwrap() {
        return exact_table(&composed, budget).unwrap().unwrap();
    }
    named_table(name, budget).unwrap().unwrap()
}

pub fn trees(family: &Family, order: usize) -> Trees {
    Trees::up_to(family, order, &mut budget()).unwrap()
}

pub fn beta(table: &Table, trees: &Trees) -> Vec<FieldElement> {
    modified_coefficients(table, trees, &mut budget()).unwrap()
}

/// The coefficients of a rational method.
pub fn rational_beta(name: &str, trees: &Trees) -> Vec<Rational> {
    beta(&table(name), trees).iter().map(|x| x.as_rational().unwrap().clone()).collect()
}

pub fn system(name: &str) -> System {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    derived(&std::fs::read(path).unwrap())
}

/// A system from the text of a model.
pub fn derived(model: &[u8]) -> System {
    derive(parse_model(&ModelText::new("model", model)).unwrap(), &mut budget()).unwrap()
}
