//! Images in prime fields satisfy what the exact tables satisfy.

use isotrope_algebra::modular::{self, Random, add, mul, sub};
use isotrope_methods::table::{ModularTable, Table, catalogue, catalogue_names};

use crate::support::*;

/// The weights of [`crate::support::weights`], modulo the prime.
fn modular_weights(table: &ModularTable, order: usize) -> Vec<u64> {
    let p = table.prime;
    let dot =
        |x: &[u64], y: &[u64]| x.iter().zip(y).fold(0, |sum, (x, y)| add(sum, mul(*x, *y, p), p));
    fn stages(table: &ModularTable, tree: &Tree, odd: bool) -> Vec<u64> {
        let p = table.prime;
        tree.0.iter().fold(vec![1; table.b.len()], |product, child| {
            let inner = stages(table, child, !odd);
            let operator = if odd { &table.abar } else { &table.a };
            product
                .iter()
                .zip(operator)
                .map(|(x, row)| {
                    let sum =
                        row.iter().zip(&inner).fold(0, |sum, (a, y)| add(sum, mul(*a, *y, p), p));
                    mul(*x, sum, p)
                })
                .collect()
        })
    }
    let mut weights = Vec::new();
    for tree in trees_up_to(order) {
        weights.push(dot(&table.b, &stages(table, &tree, false)));
        let odd = stages(table, &tree, true);
        weights.push(dot(&table.bbar, &odd));
        weights.push(dot(&table.btil, &odd));
    }
    weights
}

#[test]
fn tree_weights_are_the_residues_of_the_exact_ones() {
    for name in catalogue_names() {
        let table = catalogue(&name, &mut budget()).unwrap().unwrap();
        let image = table.modular(&mut Random::new(11), &mut budget()).unwrap();
        assert!(modular::is_prime(image.prime) && image.prime >> 60 == 1, "{name}");
        let small = table.modular_small(&mut Random::new(11), &mut budget()).unwrap();
        assert!(modular::is_prime(small.prime) && small.prime < 1 << 31, "{name}");
        for image in [image, small] {
            let exact = weights(&table, 4);
            for (weight, residue) in exact.iter().zip(modular_weights(&image, 4)) {
                // Weights of tables over larger fields go wherever the generator goes.
                if let Some(value) = weight.as_rational() {
                    assert_eq!(value.modulo(image.prime), Some(residue), "{name}");
                }
            }
        }
    }
}

#[test]
fn images_of_symplectic_tables_are_symplectic() {
    let tables = (1..=8).map(Table::gauss).chain((2..=8).map(Table::lobatto_iiia_iiib));
    for table in tables {
        let table = table.unwrap();
        let image = table.modular(&mut Random::new(5), &mut budget()).unwrap();
        let p = image.prime;
        for i in 0..table.stages {
            for j in 0..table.stages {
                let left = add(
                    mul(image.b[i], image.abar[i][j], p),
                    mul(image.bbar[j], image.a[j][i], p),
                    p,
                );
                assert_eq!(sub(left, mul(image.b[i], image.bbar[j], p), p), 0, "{}", table.name);
            }
        }
    }
}

#[test]
fn a_seed_gives_one_image_and_other_seeds_give_others() {
    let table = catalogue("sdirk-crouzeix-3", &mut budget()).unwrap().unwrap();
    let image = |seed| table.modular(&mut Random::new(seed), &mut budget()).unwrap();
    assert_eq!(image(1), image(1));
    assert_ne!(image(1).prime, image(2).prime);
}

/// The Galois group of the nodes of Radau IIA with twenty stages has 19! elements.
#[test]
fn a_search_that_takes_too_long_is_stopped() {
    let table = Table::radau_iia(20).unwrap();
    let stopped =
        table.modular(&mut Random::new(1), &mut isotrope_algebra::Budget::new(20_000_000));
    assert!(stopped.unwrap_err().is_out_of_budget());
}
