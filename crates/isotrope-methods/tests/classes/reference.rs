//! The conditions against lists computed elsewhere (by solving for the coefficients from many
//! random methods): the same spaces over the rationals.

use std::collections::BTreeMap;

use isotrope_algebra::{Budget, Rational};
use isotrope_methods::classes::{Class, Condition, Conditions, Part, Structure};

use crate::support::computed;

type Row = BTreeMap<String, Rational>;

/// The name of a monomial in the files: `<q>*<v[q]>`, names sorted; `1` for the constant.
fn monomial(mut names: Vec<String>) -> String {
    names.sort();
    if names.is_empty() {
        return "1".to_owned();
    }
    names.iter().map(|name| format!("<{name}>")).collect::<Vec<_>>().join("*")
}

fn row(found: &Conditions, condition: &Condition) -> Row {
    condition
        .terms
        .iter()
        .map(|(forest, value)| {
            let trees = forest.trees().iter();
            let names = trees.map(|tree| found.trees().name(*tree)).collect();
            (monomial(names), value.clone())
        })
        .collect()
}

fn reference_row(found: &Conditions, json: &serde_json::Value) -> Row {
    json.as_object()
        .unwrap()
        .iter()
        .map(|(key, value)| {
            let names = key.split('*').filter(|name| *name != "1").map(|name| {
                let name = name.trim_start_matches('<').trim_end_matches('>');
                found.trees().name(found.trees().find(name).unwrap())
            });
            (monomial(names.collect()), value.as_str().unwrap().parse().unwrap())
        })
        .collect()
}

/// The reduced echelon basis of a row space, columns by name: a canonical form.
fn canonical(rows: Vec<Row>) -> Vec<Row> {
    let mut basis: Vec<Row> = Vec::new();
    let clear = |row: &mut Row, pivot: &Row| {
        let (column, _) = pivot.first_key_value().unwrap();
        if let Some(factor) = row.get(column).cloned() {
            for (column, value) in pivot {
                let entry = row.entry(column.clone()).or_default();
                *entry = &*entry - &(&factor * value);
            }
            row.retain(|_, value| !value.is_zero());
        }
    };
    for mut row in rows {
        for pivot in &basis {
            clear(&mut row, pivot);
        }
        let Some((_, value)) = row.first_key_value() else { continue };
        let inverse = value.recip().unwrap();
        row.values_mut().for_each(|value| *value = &*value * &inverse);
        basis.iter_mut().for_each(|other| clear(other, &row));
        basis.push(row);
    }
    basis.sort_by(|x, y| x.first_key_value().cmp(&y.first_key_value()));
    basis
}

fn agrees(class: Class, file: &str) {
    let found = computed(class, Structure::Submanifold, 4);
    let json: serde_json::Value = serde_json::from_str(file).unwrap();
    let mut compared = 0;
    for (key, by_order) in json.as_object().unwrap() {
        let (known, part) = key.split_once(';').unwrap();
        let known: usize = known.strip_prefix("k=").unwrap().parse().unwrap();
        let part = match part {
            "psi" => Part::Psi,
            "phiv" => Part::PhiV,
            "phiq" => Part::PhiQ,
            "all" => Part::All,
            other => panic!("{other}"),
        };
        for (power, rows) in by_order.as_object().unwrap() {
            let order: usize = power.strip_prefix("h^").unwrap().parse().unwrap();
            let expected = rows.as_array().unwrap().iter().map(|x| reference_row(&found, x));
            let ours = found.given(part, order, known, &mut Budget::new(100_000_000)).unwrap();
            let ours = ours.iter().map(|condition| row(&found, condition)).collect();
            assert_eq!(canonical(ours), canonical(expected.collect()), "{class} {key} {power}");
            compared += 1;
        }
    }
    assert_eq!(compared, 4 * 4 * if class == Class::Sphere { 4 } else { 3 });
}

#[test]
fn the_generic_conditions_are_those_of_the_reference() {
    agrees(Class::Generic, include_str!("../data/conds_gen_nonhol_J4.json"));
}

#[test]
fn the_bilinear_conditions_are_those_of_the_reference() {
    agrees(Class::Bilinear, include_str!("../data/conds_const_nonhollin_J4.json"));
}

#[test]
fn the_spherical_conditions_are_those_of_the_reference() {
    agrees(Class::Sphere, include_str!("../data/conds_const_sphere_J4.json"));
}
