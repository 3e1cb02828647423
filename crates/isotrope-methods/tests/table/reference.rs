//! The reference tables: all of them parse, as text and as files, and those of the catalogue
//! have the same coefficients.

use isotrope_methods::table::file::{Declared, TableText, parse_table, write_table};
use isotrope_methods::table::{Coefficients, Table, catalogue};
use serde_json::Value;

use crate::support::*;

fn matrix(value: &Value) -> Vec<Vec<&str>> {
    value.as_array().unwrap().iter().map(list).collect()
}

fn list(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|entry| entry.as_str().unwrap()).collect()
}

fn reference() -> Vec<(String, Table)> {
    let json: Value = serde_json::from_str(include_str!("../data/tables.json")).unwrap();
    let all = ["methods", "negative"].map(|key| json[key].as_array().unwrap().clone()).concat();
    let mut tables = Vec::new();
    for entry in &all {
        let name = entry["name"].as_str().unwrap();
        if entry["a"].is_null() {
            // Named only: the standard table.
            assert_eq!(name, "gauss3");
            continue;
        }
        let (a, b) = (matrix(&entry["a"]), list(&entry["b"]));
        let texts = Coefficients {
            abar: if entry["A"] == "=a" { a.clone() } else { matrix(&entry["A"]) },
            bbar: if entry["B"] == "=b" { b.clone() } else { list(&entry["B"]) },
            btil: if entry["P"] == "=b" { b.clone() } else { list(&entry["P"]) },
            a,
            b,
        };
        let table = Table::from_texts(name, &texts, &mut budget()).unwrap();
        assert_eq!(entry["s"].as_u64(), Some(table.stages as u64));
        tables.push((name.to_owned(), table));
    }
    assert_eq!(tables.len(), 19);
    tables
}

#[test]
fn the_catalogue_has_the_reference_tables() {
    let ours = |name: &str| match name {
        "symp_euler_explicit" => "symplectic-euler".to_owned(),
        "symp_euler_adjoint" => "symplectic-euler-adjoint".to_owned(),
        "rk2_midpoint" => "explicit-midpoint".to_owned(),
        "rk3_kutta" => "kutta3".to_owned(),
        "gauss2" => "gauss-2".to_owned(),
        other => other.replace('_', "-"),
    };
    let mut compared = 0;
    for (name, table) in reference() {
        if name == "5.5_only" || name == "sv_b10" {
            continue;
        }
        let listed = catalogue(&ours(&name), &mut budget()).unwrap().unwrap();
        assert_eq!(texts(&listed), texts(&table), "{name}");
        compared += 1;
    }
    assert_eq!(compared, 17);
}

#[test]
fn a_table_that_is_written_reads_back_the_same() {
    let mut tables: Vec<Table> = reference().into_iter().map(|(_, table)| table).collect();
    for name in ["gill", "sdirk-alexander-3", "sdirk-crouzeix-3", "sphere-explicit-1-4"] {
        tables.push(catalogue(name, &mut budget()).unwrap().unwrap());
    }
    for table in [Table::gauss(3), Table::gauss(4), Table::radau_iia(4)] {
        tables.push(table.unwrap().to_pointwise(&mut budget()).unwrap());
    }
    for table in tables {
        let text = write_table(&table, &Declared::default(), &mut budget()).unwrap();
        let read = parse_table(&TableText::new("table.toml", text.as_bytes()));
        let read = read.unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
        assert_eq!(read.table, table, "{text}");
    }
    // A collocation table is written with its nodes made explicit.
    let gauss = Table::gauss(2).unwrap();
    let text = write_table(&gauss, &Declared::default(), &mut budget()).unwrap();
    insta::assert_snapshot!(text, @r#"
    name = "gauss-2"
    stages = 2
    a = [
        ["1/4", "1/4 - sqrt(3)/6"],
        ["1/4 + sqrt(3)/6", "1/4"],
    ]
    b = ["1/2", "1/2"]
    "#);
}
