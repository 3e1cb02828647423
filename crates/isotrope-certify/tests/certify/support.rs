//! What the tests share.

use isotrope_algebra::Budget;
use isotrope_algebra::modular::Random;
use isotrope_certify::{Certificate, Certified, DefectOrder, certify};
use isotrope_methods::PrimeTable;
use isotrope_methods::classes::Class;
use isotrope_methods::table::{Coefficients, Table, catalogue, catalogue_names};
use serde_json::Value;

pub fn budget() -> Budget {
    Budget::new(1_000_000_000_000)
}

/// All tables of the catalogue.
pub fn tables() -> Vec<Table> {
    let names = catalogue_names();
    names.iter().map(|name| named(name)).collect()
}

pub fn named(name: &str) -> Table {
    catalogue(name, &mut budget()).unwrap().unwrap()
}

pub fn certified(table: Table) -> Certified<Table> {
    certify(table, &mut budget()).unwrap()
}

/// What is stored of a listed method; tests of their own compare it with what is computed.
pub fn stored(name: &str) -> &'static Certificate {
    &isotrope_certify::stored::all()[name].certificate
}

pub fn image(table: &Table) -> PrimeTable {
    PrimeTable::new(&table.modular(&mut Random::new(5), &mut budget()).unwrap()).unwrap()
}

/// A table of the reference file: `A`, `B`, `P` stand for abar, bbar, btil; "=a" copies.
pub fn from_json(value: &Value) -> Table {
    let vector = |key: &str| -> Vec<&str> {
        match &value[key] {
            Value::Array(list) => list.iter().map(|x| x.as_str().unwrap()).collect(),
            _ => value["b"].as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect(),
        }
    };
    let matrix = |key: &str| -> Vec<Vec<&str>> {
        let rows = match &value[key] {
            Value::Array(rows) => rows,
            _ => value["a"].as_array().unwrap(),
        };
        let row = |row: &'_ Value| -> Vec<String> {
            row.as_array().unwrap().iter().map(|x| x.as_str().unwrap().to_owned()).collect()
        };
        rows.iter().map(|r| row(r).into_iter().map(|x| &*x.leak()).collect()).collect()
    };
    let texts = Coefficients {
        a: matrix("a"),
        abar: matrix("A"),
        b: vector("b"),
        bbar: vector("B"),
        btil: vector("P"),
    };
    Table::from_texts(value["name"].as_str().unwrap(), &texts, &mut budget()).unwrap()
}

pub fn structure(one: &Certified<Table>, class: Class) -> DefectOrder {
    one.certificate().on(class).unwrap().structure.unwrap()
}

pub fn form(one: &Certified<Table>, class: Class) -> DefectOrder {
    one.certificate().on(class).unwrap().form.unwrap()
}
