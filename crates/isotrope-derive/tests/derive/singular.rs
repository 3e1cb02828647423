//! Singular Lagrangians: constraint chains, classes, gauge directions, Dirac brackets.

use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_derive::{ConstraintChain, DeriveError, System, derive};

use super::support::{assert_equals, budget, equal, parsed, refusals};

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

/// x'^2/2 + y has no motion: p_y = 0 lasts only if 1 = 0.
#[test]
fn contradictions_are_refused_with_what_was_found() {
    let error = refusals(&model(&["x", "y"], "", "x'^2/2 + y", "")).remove(0);
    let DeriveError::NoSolution { chain, round, .. } = &error else { panic!("{error}") };
    assert_eq!((chain.as_slice(), *round), (&["p_y".to_owned()][..], 1));
    assert_eq!(error.code().text(), "ISO-DERIVE-002");
}

/// (y + z)x' - (x^2 + y^2 + z^2)/2 moves as x'' = -x/2.
#[test]
fn the_motion_of_the_degenerate_oscillator_has_its_frequency() {
    let text = model(&["x", "y", "z"], "", "(y + z)*x' - (x^2 + y^2 + z^2)/2", "");
    let mut system = derived(&text);
    let found = chain(&system);
    let state = system.mechanics.state().unwrap().clone();
    let pool = &mut system.model.pool;
    let along: Vec<(ExprId, ExprId)> =
        system.symbols.position.iter().copied().zip(state.rate.iter().copied()).collect();
    let second = isotrope_algebra::calculus::directional_derivative(
        pool,
        &[state.rate[0]],
        &along,
        &mut budget(),
    )
    .unwrap()[0];
    let wanted = parse_expression(pool, "-x/2").unwrap();
    let defect = pool.sub(second, wanted);
    assert_eq!(
        found.on_constraints(pool, defect, &mut budget()),
        isotrope_algebra::normal::Zero::Yes
    );
}

/// First and second class together, with parameters; explicit time; friction without inertia; a product of constraints.
#[test]
fn mixed_classes_time_forces_and_branches() {
    let lagrangian = "((x' + z*y)^2 + (y' - z*x)^2)/2 - k*(x^2 + y^2)^2/4 + (b' - a)^2/2 \
                      + m^2*(a^2 - b^2)/2 - x^2*b^2 - y^2*b^2";
    let system = derived(&model(&["x", "y", "z", "a", "b"], "k = 1\nm = 2", lagrangian, ""));
    let found = chain(&system);
    assert_eq!([found.classes.second.len(), found.classes.first.len()], [2, 2]);
    assert_eq!([found.last, found.gauge.len()], [6, 2]);

    let lagrangian = "exp(c*t)*(x'^2 - w^2*(x - y)^2 - (y - sin(t))^2)/2";
    let mut system = derived(&model(&["x", "y"], "c = 2\nw = 3", lagrangian, ""));
    let rate = system.mechanics.state().unwrap().rate[1];
    let pool = &mut system.model.pool;
    assert_equals(pool, rate, "(w^2*p_x*exp(-c*t) + cos(t))/(w^2 + 1)");

    let rest = "[forces]\ny = \"-c*y'\"\n";
    let mut system = derived(&model(&["x", "y"], "k = 2\nc = 1", "x'^2/2 - k*(x - y)^2/2", rest));
    let rate = system.mechanics.state().unwrap().rate[1];
    assert_equals(&mut system.model.pool, rate, "k*(x - y)/c");

    let system = derived(&model(&["x", "y"], "", "x'^2/2 - y^2*(x - 1)^2/2 - x*y^3/3", ""));
    assert_eq!(chain(&system).branches.len(), 1);
}

/// Parameters are symbols; where their values are special, the system is derived for these.
#[test]
fn special_values_of_parameters_give_another_chain() {
    let proca = "(y' - x)^2/2 + m^2*(x^2 - y^2)/2";
    let system = derived(&model(&["x", "y"], "m = 0", proca, ""));
    let found = chain(&system);
    assert_eq!([found.classes.second.len(), found.classes.first.len()], [0, 2]);
    assert_eq!([found.last, found.gauge.len(), found.reduced()], [2, 2, 0]);
}

/// Roots of velocities: relations of the momenta by elimination, and the Hamiltonian with them.
#[test]
fn lagrangians_with_roots_have_primary_constraints_by_elimination() {
    let rows = [
        (&["t1", "x"][..], "-m*sqrt(t1'^2 - x'^2)", "p_t1^2 - p_x^2 - m^2", "0", [3, 1]),
        (
            &["t1", "x"],
            "-m*sqrt(t1'^2 - x'^2) - m*x*t1'",
            "(p_t1 + m*x)^2 - p_x^2 - m^2",
            "0",
            [3, 1],
        ),
        (
            &["x", "y", "z"],
            "m*sqrt(x'^2 + y'^2) + z'^2/2",
            "p_x^2 + p_y^2 - m^2",
            "p_z^2/2",
            [5, 1],
        ),
    ];
    for (coordinates, lagrangian, constraint, hamiltonian, [last, gauge]) in rows {
        let mut system = derived(&model(coordinates, "m = 2", lagrangian, ""));
        let found = chain(&system);
        let pool = &mut system.model.pool;
        has(pool, &[found.constraints[0].expression], constraint);
        assert_equals(pool, found.hamiltonian, hamiltonian);
        assert_eq!([found.last, found.gauge.len()], [last, gauge], "{lagrangian}");
    }
}
