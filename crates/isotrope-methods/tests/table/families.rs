//! The families of Gauss, Radau and Lobatto satisfy their defining conditions, and no more.

use isotrope_methods::table::{Table, TableProblem, catalogue, catalogue_names};

use crate::support::*;

type Family = fn(usize) -> Result<Table, TableProblem>;

#[test]
fn there_are_as_many_trees_as_there_should_be() {
    let counts: Vec<usize> = (1..=6).map(|order| trees_up_to(order).len()).collect();
    assert_eq!(counts, [1, 2, 4, 8, 17, 37]);
}

/// B, C, D of Hairer and Wanner, Solving Ordinary Differential Equations II, table IV.5.13.
#[test]
fn simplifying_assumptions_of_the_families() {
    type Orders = fn(usize) -> (usize, usize, usize);
    let families: [(&str, Family, usize, Orders); 6] = [
        ("gauss", Table::gauss, 1, |s| (2 * s, s, s)),
        ("radau-ia", Table::radau_ia, 2, |s| (2 * s - 1, s - 1, s)),
        ("radau-iia", Table::radau_iia, 2, |s| (2 * s - 1, s, s - 1)),
        ("lobatto-iiia", Table::lobatto_iiia, 2, |s| (2 * s - 2, s, s - 2)),
        ("lobatto-iiib", Table::lobatto_iiib, 2, |s| (2 * s - 2, s - 2, s)),
        ("lobatto-iiic", Table::lobatto_iiic, 2, |s| (2 * s - 2, s - 1, s - 1)),
    ];
    for (name, family, least, orders) in families {
        for s in least..=8 {
            let table = family(s).unwrap();
            assert_eq!(table.name, format!("{name}-{s}"));
            assert!(table.is_one_table());
            let found = (
                quadrature_order(&table),
                collocation_order(&table, &table.a),
                adjoint_order(&table, &table.a),
            );
            assert_eq!(found, orders(s), "{name}-{s}");
        }
    }
}

#[test]
fn gauss_and_the_lobatto_pair_are_symplectic_and_the_others_are_not() {
    for s in 1..=8 {
        assert!(is_symplectic(&Table::gauss(s).unwrap()));
    }
    for s in 2..=8 {
        let pair = Table::lobatto_iiia_iiib(s).unwrap();
        assert!(is_symplectic(&pair));
        assert!(!pair.is_one_table());
        assert_eq!(pair.a, Table::lobatto_iiia(s).unwrap().a);
        assert_eq!(pair.abar, Table::lobatto_iiib(s).unwrap().a);
    }
    let families: [Family; 5] = [
        Table::radau_ia,
        Table::radau_iia,
        Table::lobatto_iiia,
        Table::lobatto_iiib,
        Table::lobatto_iiic,
    ];
    for family in families {
        assert!(!is_symplectic(&family(3).unwrap()));
    }
}

/// Two roads, one answer: polynomials modulo the nodes, and explicit nodes in a number field.
#[test]
fn quotient_and_pointwise_tables_have_the_same_tree_weights() {
    let families: [(Family, usize); 7] = [
        (Table::gauss, 1),
        (Table::radau_ia, 1),
        (Table::radau_iia, 1),
        (Table::lobatto_iiia, 2),
        (Table::lobatto_iiib, 2),
        (Table::lobatto_iiia_iiib, 2),
        (Table::lobatto_iiic, 2),
    ];
    for (family, least) in families {
        for s in least..=3 {
            let quotient = family(s).unwrap();
            let pointwise = quotient.to_pointwise(&mut budget()).unwrap();
            assert_eq!(weights(&quotient, 6), weights(&pointwise, 6), "{}", quotient.name);
        }
    }
    let gauss = Table::gauss(4).unwrap();
    let pointwise = gauss.to_pointwise(&mut budget()).unwrap();
    assert_eq!(pointwise.field.degree(), 8);
    assert_eq!(weights(&gauss, 4), weights(&pointwise, 4));
}

/// The tables as printed in Hairer and Wanner, IV.5.
#[test]
fn published_tables() {
    type Printed = (Family, &'static [&'static [&'static str]], &'static [&'static str]);
    let published: &[Printed] = &[
        (
            Table::gauss,
            &[
                &["5/36", "2/9-sqrt(15)/15", "5/36-sqrt(15)/30"],
                &["5/36+sqrt(15)/24", "2/9", "5/36-sqrt(15)/24"],
                &["5/36+sqrt(15)/30", "2/9+sqrt(15)/15", "5/36"],
            ],
            &["5/18", "4/9", "5/18"],
        ),
        (Table::radau_ia, &[&["1/4", "-1/4"], &["1/4", "5/12"]], &["1/4", "3/4"]),
        (
            Table::radau_ia,
            &[
                &["1/9", "(-1-sqrt(6))/18", "(-1+sqrt(6))/18"],
                &["1/9", "(88+7*sqrt(6))/360", "(88-43*sqrt(6))/360"],
                &["1/9", "(88+43*sqrt(6))/360", "(88-7*sqrt(6))/360"],
            ],
            &["1/9", "(16+sqrt(6))/36", "(16-sqrt(6))/36"],
        ),
        (Table::radau_iia, &[&["5/12", "-1/12"], &["3/4", "1/4"]], &["3/4", "1/4"]),
        (
            Table::radau_iia,
            &[
                &["(88-7*sqrt(6))/360", "(296-169*sqrt(6))/1800", "(-2+3*sqrt(6))/225"],
                &["(296+169*sqrt(6))/1800", "(88+7*sqrt(6))/360", "(-2-3*sqrt(6))/225"],
                &["(16-sqrt(6))/36", "(16+sqrt(6))/36", "1/9"],
            ],
            &["(16-sqrt(6))/36", "(16+sqrt(6))/36", "1/9"],
        ),
        (
            Table::lobatto_iiia,
            &[
                &["0", "0", "0", "0"],
                &[
                    "(11+sqrt(5))/120",
                    "(25-sqrt(5))/120",
                    "(25-13*sqrt(5))/120",
                    "(-1+sqrt(5))/120",
                ],
                &[
                    "(11-sqrt(5))/120",
                    "(25+13*sqrt(5))/120",
                    "(25+sqrt(5))/120",
                    "(-1-sqrt(5))/120",
                ],
                &["1/12", "5/12", "5/12", "1/12"],
            ],
            &["1/12", "5/12", "5/12", "1/12"],
        ),
        (
            Table::lobatto_iiib,
            &[&["1/6", "-1/6", "0"], &["1/6", "1/3", "0"], &["1/6", "5/6", "0"]],
            &["1/6", "2/3", "1/6"],
        ),
        (
            Table::lobatto_iiic,
            &[&["1/6", "-1/3", "1/6"], &["1/6", "5/12", "-1/12"], &["1/6", "2/3", "1/6"]],
            &["1/6", "2/3", "1/6"],
        ),
    ];
    for (family, a, b) in published {
        let exact = family(b.len()).unwrap();
        let printed = Table::from_text("printed", a, b, &mut budget()).unwrap();
        assert_eq!(texts(&exact), texts(&printed), "{}", exact.name);
        // In one field, the tables are the same to the last coefficient.
        let pointwise = exact.to_pointwise(&mut budget()).unwrap().named("printed");
        assert_eq!(pointwise, printed);
    }
}

#[test]
fn every_name_of_the_catalogue_is_a_table_of_that_name() {
    let names = catalogue_names();
    for name in &names {
        let table = catalogue(name, &mut budget()).unwrap().unwrap();
        assert_eq!(table.name, *name);
    }
    let mut sorted = names.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), names.len());
    assert_eq!(catalogue("gauss-12", &mut budget()).unwrap().unwrap().stages, 12);
    for name in ["gauss", "gauss-", "gauss-02", "gauss-+2", "nothing", "lobatto-iiia-x"] {
        assert_eq!(catalogue(name, &mut budget()).unwrap(), None, "{name}");
    }
    for name in ["gauss-0", "lobatto-iiia-1", "gauss-65"] {
        let problem = catalogue(name, &mut budget()).unwrap_err();
        assert!(matches!(problem, TableProblem::Stages { .. }), "{name}");
    }
    for s in 2..=3 {
        let listed = catalogue(&format!("lobatto-iiia-iiib-{s}"), &mut budget()).unwrap().unwrap();
        let family = Table::lobatto_iiia_iiib(s).unwrap().to_pointwise(&mut budget()).unwrap();
        assert_eq!(listed, family);
    }
}
