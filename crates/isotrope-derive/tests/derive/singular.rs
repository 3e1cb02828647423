//! Singular Lagrangians: constraint chains, classes, gauge directions, Dirac brackets.

use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_derive::{ConstraintChain, System, derive};

use super::support::{budget, equal, parsed};

fn model(coordinates: &[&str], parameters: &str, lagrangian: &str, rest: &str) -> String {
    let names: Vec<String> = coordinates.iter().map(|name| format!("{name:?}")).collect();
    format!(
        "coordinates = [{}]\n[parameters]\n{parameters}\n[lagrangian]\nL = \"{lagrangian}\"\n{rest}",
        names.join(", ")
    )
}

fn derived(text: &str) -> System {
    derive(parsed(text), &mut budget()).unwrap()
}

fn chain(system: &System) -> ConstraintChain {
    system.mechanics.chain().expect("a singular Lagrangian").clone()
}

/// Is it a multiple of a constraint of the chain, by a number?
fn has(pool: &mut Pool, list: &[ExprId], wanted: &str) {
    let wanted = parse_expression(pool, wanted).unwrap();
    for &found in list {
        for factor in [1, -1, 2, -2] {
            let scaled = pool.integer(factor);
            let scaled = pool.mul(scaled, wanted);
            if equal(pool, found, scaled) == isotrope_algebra::normal::Zero::Yes {
                return;
            }
        }
    }
    let shown: Vec<String> = list
        .iter()
        .map(|&e| isotrope_algebra::print::to_text(pool, e, &mut Budget::new(100_000)).unwrap())
        .collect();
    panic!("not among {shown:?}");
}

struct Row {
    name: &'static str,
    coordinates: &'static [&'static str],
    parameters: &'static str,
    lagrangian: &'static str,
    rest: &'static str,
    constraints: &'static [&'static str],
    /// Second, first.
    classes: [usize; 2],
    /// Final, gauge, reduced.
    dimensions: [usize; 3],
    /// {a, b}_D.
    bracket: &'static [(&'static str, &'static str, &'static str)],
}

const TABLE: [Row; 9] = [
    Row {
        name: "Christ and Lee",
        coordinates: &["x", "y", "z"],
        parameters: "k = 1",
        lagrangian: "((x' + z*y)^2 + (y' - z*x)^2)/2 - k*(x^2 + y^2)^2/4",
        rest: "",
        constraints: &["p_z", "x*p_y - y*p_x"],
        classes: [0, 2],
        dimensions: [4, 2, 2],
        bracket: &[("x", "p_x", "1"), ("x", "y", "0")],
    },
    Row {
        name: "massless particle",
        coordinates: &["t1", "x", "y", "e"],
        parameters: "",
        lagrangian: "(x'^2 + y'^2 - t1'^2)/(2*e)",
        rest: "",
        constraints: &["p_e", "p_t1^2 - p_x^2 - p_y^2"],
        classes: [0, 2],
        dimensions: [6, 2, 4],
        bracket: &[],
    },
    Row {
        name: "massive particle",
        coordinates: &["t1", "x", "e"],
        parameters: "m = 1",
        lagrangian: "(x'^2 - t1'^2)/(2*e) - e*m^2/2",
        rest: "",
        constraints: &["p_e", "p_t1^2 - p_x^2 - m^2"],
        classes: [0, 2],
        dimensions: [4, 2, 2],
        bracket: &[],
    },
    Row {
        name: "toy of Proca",
        coordinates: &["x", "y"],
        parameters: "m = 1",
        lagrangian: "(y' - x)^2/2 + m^2*(x^2 - y^2)/2",
        rest: "",
        constraints: &["p_x", "m^2*x - p_y"],
        classes: [2, 0],
        dimensions: [2, 0, 2],
        bracket: &[("x", "y", "-1/m^2"), ("y", "p_y", "1")],
    },
    Row {
        name: "toy of Proca without mass",
        coordinates: &["x", "y"],
        parameters: "",
        lagrangian: "(y' - x)^2/2",
        rest: "",
        constraints: &["p_x", "p_y"],
        classes: [0, 2],
        dimensions: [2, 2, 0],
        bracket: &[],
    },
    Row {
        name: "Cawley",
        coordinates: &["x", "y", "z"],
        parameters: "",
        lagrangian: "x'*z' + y*z^2/2",
        rest: "",
        constraints: &["p_y", "z", "p_x"],
        classes: [0, 3],
        dimensions: [3, 1, 2],
        bracket: &[],
    },
    Row {
        name: "rotor with its multiplier",
        coordinates: &["x", "y", "l"],
        parameters: "m = 1\ng = 1",
        lagrangian: "m*(x'^2 + y'^2)/2 + l*(x^2 + y^2 - 1)/2 - m*g*y",
        rest: "",
        constraints: &["p_l", "x^2 + y^2 - 1", "x*p_x + y*p_y"],
        classes: [4, 0],
        dimensions: [2, 0, 2],
        bracket: &[("x", "p_x", "y^2"), ("x", "p_y", "-x*y"), ("p_x", "p_y", "y*p_x - x*p_y")],
    },
    Row {
        name: "second class with four dimensions",
        coordinates: &["x", "y", "z"],
        parameters: "k = 1",
        lagrangian: "x'^2/2 + y*z' - (x^2 + y^2 + z^2)/2 - k*x*y",
        rest: "",
        constraints: &["p_y", "p_z - y"],
        classes: [2, 0],
        dimensions: [4, 0, 4],
        bracket: &[("y", "z", "-1")],
    },
    Row {
        name: "linear in the velocities",
        coordinates: &["x", "y", "z"],
        parameters: "",
        lagrangian: "(y + z)*x' - (x^2 + y^2 + z^2)/2",
        rest: "",
        constraints: &["y - z"],
        classes: [4, 0],
        dimensions: [2, 0, 2],
        bracket: &[("x", "y", "1/2"), ("x", "z", "1/2")],
    },
];

/// The table of systems whose chains are known.
#[test]
fn chains_classes_gauge_directions_and_brackets_are_those_of_the_literature() {
    for row in TABLE {
        let text = model(row.coordinates, row.parameters, row.lagrangian, row.rest);
        let mut system = derived(&text);
        let found = chain(&system);
        let pool = &mut system.model.pool;
        let list: Vec<ExprId> = found.constraints.iter().map(|c| c.expression).collect();
        let shown: Vec<String> = list
            .iter()
            .map(|&e| isotrope_algebra::print::to_text(pool, e, &mut Budget::new(100_000)).unwrap())
            .collect();
        println!("{}: {shown:?}", row.name);
        for wanted in row.constraints {
            has(pool, &list, wanted);
        }
        assert_eq!(
            [found.classes.second.len(), found.classes.first.len()],
            row.classes,
            "classes of {}",
            row.name
        );
        assert_eq!(
            [found.last, found.gauge.len(), found.reduced()],
            row.dimensions,
            "dimensions of {}",
            row.name
        );
        assert_eq!(found.lasting, isotrope_algebra::normal::Zero::Yes, "{} lasts", row.name);
        let names = system.symbols.names.clone();
        let at = |name: &str| names.iter().position(|n| n == name).unwrap();
        for (a, b, value) in row.bracket {
            let wanted = parse_expression(pool, value).unwrap();
            let entry = found.classes.bracket[at(a)][at(b)];
            let difference = pool.sub(entry, wanted);
            let rest = found.on_constraints(pool, difference, &mut budget());
            assert_eq!(
                rest,
                isotrope_algebra::normal::Zero::Yes,
                "{{{a}, {b}}} of {} is {}",
                row.name,
                isotrope_algebra::print::to_text(pool, entry, &mut Budget::new(100_000)).unwrap()
            );
        }
    }
}
