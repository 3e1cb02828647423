//! Every single coefficient matters, or is said not to.

use isotrope_algebra::Rational;
use isotrope_certify::{order_by_trees, properties};
use isotrope_methods::classes::Scalars as _;
use isotrope_methods::table::{Entry, StageProduct, Table};
use isotrope_methods::trees::{Family, Trees};

use crate::support::{budget, certified, image, stored, tables};

/// The table with 1/7 more at one place; `abar`, `bbar` and `btil` follow where they were equal.
fn changed(table: &Table, entry: Entry) -> Table {
    let mut other = table.clone();
    let (one_matrix, one_weight, one_momentum) =
        (table.abar == table.a, table.bbar == table.b, table.btil == table.bbar);
    let more = table.field.rational(Rational::new(1, 7).unwrap());
    let add = |x: &isotrope_algebra::number::field::FieldElement| table.field.add(x, &more);
    match entry {
        Entry::A { row, column } => other.a[row][column] = add(&table.a[row][column]),
        Entry::Abar { row, column } => other.abar[row][column] = add(&table.abar[row][column]),
        Entry::B(i) => other.b[i] = add(&table.b[i]),
        Entry::Bbar(i) => other.bbar[i] = add(&table.bbar[i]),
        Entry::Btil(i) => other.btil[i] = add(&table.btil[i]),
    }
    if one_matrix && matches!(entry, Entry::A { .. }) {
        other.abar = other.a.clone();
    }
    if one_weight && matches!(entry, Entry::B(_)) {
        other.bbar = other.b.clone();
    }
    if one_momentum && matches!(entry, Entry::B(_) | Entry::Bbar(_)) {
        other.btil = other.bbar.clone();
    }
    other
}

#[test]
fn every_changed_coefficient_is_caught_or_named_a_free_direction() {
    let mut free_directions = 0;
    for table in tables() {
        if table.product != StageProduct::Pointwise || table.stages > 6 {
            continue;
        }
        let before = stored(&table.name);
        assert!(before.free_directions_complete, "{}", table.name);
        for entry in table.entries() {
            let after = properties(&changed(&table, entry), &mut budget()).unwrap();
            let same = before.order == after.order
                && before.classes == after.classes
                && before.energy == after.energy
                && before.symmetric == after.symmetric;
            if same {
                assert!(before.free_directions.contains(&entry), "{} {entry}", table.name);
                free_directions += 1;
            }
        }
        for entry in &before.free_directions {
            let after = properties(&changed(&table, *entry), &mut budget()).unwrap();
            assert_eq!(before.order, after.order, "{} {entry}", table.name);
        }
    }
    assert!(free_directions > 0);
    let euler = certified(crate::support::named("euler"));
    let names: Vec<String> =
        euler.certificate().free_directions.iter().map(Entry::to_string).collect();
    assert_eq!(names, ["a11", "abar11"]);
}

#[test]
fn every_changed_coefficient_of_a_collocation_table_lowers_the_order() {
    let trees = Trees::up_to(&Family::qvp(), 4, &mut budget()).unwrap();
    for table in tables().into_iter().filter(|table| table.product != StageProduct::Pointwise) {
        let original = stored(&table.name);
        let order = original.order.unwrap();
        let image = image(&table);
        for entry in table.entries() {
            let mut other = image.clone();
            let coefficients = &mut other.coefficients;
            let field = &image.field;
            let more = |x| field.add(x, &field.one());
            match entry {
                Entry::A { row, column } => {
                    coefficients.a[row][column] = more(&coefficients.a[row][column]);
                    if table.is_one_table() {
                        coefficients.abar[row][column] = coefficients.a[row][column];
                    }
                }
                Entry::Abar { row, column } => {
                    coefficients.abar[row][column] = more(&coefficients.abar[row][column]);
                }
                Entry::B(i) => coefficients.b[i] = more(&coefficients.b[i]),
                Entry::Bbar(i) => coefficients.bbar[i] = more(&coefficients.bbar[i]),
                Entry::Btil(i) => coefficients.btil[i] = more(&coefficients.btil[i]),
            }
            let left = order_by_trees(&other, &trees, 4);
            let free = original.free_directions.contains(&entry);
            assert!(left < order.min(4) || free, "{} {entry}: {left} of {order}", table.name);
        }
    }
}
