//! A model means what its file says: lowered expressions against hand-written ones.

use std::sync::LazyLock;

use isotrope_algebra::calculus::substitute;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId};
use isotrope_model::{Model, ModelText, Source, parse_model};
use proptest::prelude::*;

use crate::shipped::systems;

fn model(text: &str) -> Model {
    parse_model(&ModelText::new("test.toml", text.as_bytes())).unwrap()
}

fn expect(model: &mut Model, value: ExprId, text: &str) {
    let wanted = parse_expression(&mut model.pool, text).unwrap();
    assert_eq!(value, wanted, "{text}");
}

const SYSTEM: &str = r#"
coordinates = ["x", "θ[1..N]"]
[parameters]
N = 2
m = "2*k"
k = 0.25
[define]
"θ[0]" = "pi"
"s[i=0..N]" = "sin(θ[i])"
height = "x*cos(t) + total"
total = "sum(i, 0, N, s[i])"
[lagrangian]
L = "m/2*height'^2 + sum(i, 1, N, i*θ[i]′^2) - dot(x)**2"
[constraints]
one = "x = total"
two = { equation = "x'*θ[1]' - 1", chetaev = true }
"three[j=1..N]" = "θ[j] = θ[j-1]"
[forces]
"θ[i]" = "-i*θ[i]'"
"θ[2]" = "t"
[initial]
position = { x = "m", "θ[i]" = "i*pi/N", "θ[1]" = 1 }
velocity = { x = -1.5e1, "θ[i]" = 0 }
[run]
step = "k/100"
time = "2*pi"
"#;

#[test]
fn a_model_means_what_it_says() {
    let mut model = model(SYSTEM);
    let names: Vec<&str> = model.coordinates.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["x", "θ[1]", "θ[2]"]);
    let lagrangian = model.system.expression().unwrap();
    expect(
        &mut model,
        lagrangian,
        "m/2*(x'*cos(t) - x*sin(t) + θ[1]'*cos(θ[1]) + θ[2]'*cos(θ[2]))^2 + θ[1]'^2 + 2*θ[2]'^2 - x'^2",
    );
    let constraints = model.constraints.clone();
    let names: Vec<&str> = constraints.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["one", "two", "three[1]", "three[2]"]);
    assert!(constraints[1].chetaev && !constraints[0].chetaev);
    expect(&mut model, constraints[0].expression, "x - sin(θ[1]) - sin(θ[2])");
    expect(&mut model, constraints[1].expression, "x'*θ[1]' - 1");
    expect(&mut model, constraints[2].expression, "θ[1] - pi");
    expect(&mut model, constraints[3].expression, "θ[2] - θ[1]");
    let forces = model.forces.clone();
    assert_eq!(forces[0], ExprId::ZERO);
    expect(&mut model, forces[1], "-θ[1]'");
    expect(&mut model, forces[2], "t");
    let initial = model.initial.clone();
    expect(&mut model, initial.position[0], "m");
    expect(&mut model, initial.position[1], "1");
    // N counts coordinates, so it is the number 2 everywhere.
    expect(&mut model, initial.position[2], "2*pi/2");
    expect(&mut model, initial.rate[0], "-15");
    let (m, k) = (model.parameters[1].clone(), model.parameters[2].clone());
    expect(&mut model, m.value, "2*k");
    expect(&mut model, m.exact, "1/2");
    expect(&mut model, k.exact, "1/4");
    assert_eq!(model.parameter_values()[1], (m.symbol, m.exact));
    let run = model.run.clone();
    expect(&mut model, run.step.unwrap(), "1/400");
    expect(&mut model, run.time.unwrap(), "2*pi");
}

#[test]
fn places_point_at_the_texts() {
    let model = model(SYSTEM);
    let text = |span: isotrope_model::Span| &SYSTEM[span.range()];
    assert!(text(model.system.place().span).starts_with("\"m/2*height'"));
    assert_eq!(text(model.parameters[1].place.span), "\"2*k\"");
    assert_eq!(text(model.constraints[3].place.span), "\"θ[j] = θ[j-1]\"");
    assert_eq!(text(model.force_places[2].unwrap().span), "\"t\"");
    assert_eq!(text(model.coordinates[1].place.span), "\"θ[1..N]\"");
    assert_eq!(text(model.initial.rate_places[0].span), "-1.5e1");
}

#[test]
fn arguments_override_the_file() {
    let text = ModelText {
        set: vec!["k=1/3", "N = 3"],
        initial: vec!["x=2*k", "θ[3]'=7", "θ[1] = pi"],
        ..ModelText::new("test.toml", SYSTEM.as_bytes())
    };
    let mut model = parse_model(&text).unwrap();
    assert_eq!(model.coordinates.len(), 4);
    let initial = model.initial.clone();
    expect(&mut model, initial.position[0], "2*k");
    expect(&mut model, initial.position[1], "pi");
    expect(&mut model, initial.rate[3], "7");
    let m = model.parameters[1].exact;
    expect(&mut model, m, "2/3");
    assert_eq!(model.initial.position_places[0].source, Source::Initial(0));
    assert_eq!(model.parameters[2].place.source, Source::Set(0));
}

#[test]
fn a_hamiltonian_has_momenta() {
    let mut model = model(
        "coordinates = [\"x\"]\n[hamiltonian]\nH = \"p_x^2/2 + cos(x)\"\n[forces]\nx = \"-p_x\"\n[initial]\nposition = { x = 1 }\nmomentum = { x = 2 }\n",
    );
    let hamiltonian = model.system.expression().unwrap();
    expect(&mut model, hamiltonian, "p_x^2/2 + cos(x)");
    let (force, momentum) = (model.forces[0], model.initial.rate[0]);
    expect(&mut model, force, "-p_x");
    expect(&mut model, momentum, "2");
}

#[test]
fn definitions_may_recur_through_their_index() {
    let mut model = model(
        "coordinates = [\"x\"]\n[define]\n\"a[0]\" = \"x\"\n\"a[i=1..2000]\" = \"sin(a[i-1])\"\n\"b[i=1..3]\" = \"2*b[i+1]\"\n\"b[4]\" = \"x'\"\n[lagrangian]\nL = \"b[1]^2 + a[2]\"\n[initial]\nposition = { x = 1 }\nvelocity = { x = 2 }\n",
    );
    let lagrangian = model.system.expression().unwrap();
    expect(&mut model, lagrangian, "64*x'^2 + sin(sin(x))");
}

/// Whatever the bytes: no panic, and every place inside the text.
fn survives(bytes: &[u8]) {
    if let Err(errors) = parse_model(&ModelText::new("mutant.toml", bytes)) {
        assert!(!errors.is_empty());
        for error in errors {
            assert!(error.span.start <= error.span.end && error.span.range().end <= bytes.len());
            if let Ok(text) = std::str::from_utf8(bytes) {
                assert!(text.get(error.span.range()).is_some(), "{error}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn mutants_of_good_models_never_panic(
        model in any::<prop::sample::Index>(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..30, "[\\[\\]\"'=a-z0-9^*+(){},.\n θ]{0,6}"), 1..4),
    ) {
        static MODELS: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(systems);
        let mut bytes = model.get(&MODELS).1.clone();
        for (at, length, insert) in cuts {
            let start = at.index(bytes.len());
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, insert.bytes());
        }
        survives(&bytes);
    }

    #[test]
    fn random_texts_never_panic(text in "[\\[\\]\"'=a-z0-9^*+(){},.\n θ]{0,80}") {
        survives(text.as_bytes());
        let file = format!("coordinates = [\"x\"]\n[lagrangian]\nL = '''{}'''\n", text.replace('\'', "′"));
        survives(file.as_bytes());
    }
}

/// The rates of a system in state space whose equations are given like this.
fn rates(equations: &str) -> (Model, Vec<ExprId>) {
    let text = format!(
        "coordinates = [\"y\", \"q\", \"s\"]\n[parameters]\nm = 0.1\nA = 12\nz = 0.01\ne = 0.3\n\
         [equations]\n{equations}\n[initial]\nposition = {{ y = 1, q = 0, s = 0 }}\n\
         velocity = {{ y = 0, q = 0 }}\n"
    );
    let model = model(&text);
    let rates = model.system.state().map(|state| state.rates.clone()).unwrap_or_default();
    (model, rates)
}

/// Accelerations on the right, rates of first order with accelerations, expressions on the left, equations that
/// are coupled both ways: what is solved for satisfies them.
#[test]
fn equations_linear_in_the_highest_rates_are_solved() {
    let cases = [
        // By substitution.
        [("y''", "-y - z*y' + m*q"), ("q''", "e*(1 - q^2)*q' - q + A*y''"), ("s'", "y''*q - s")],
        // As published.
        [("y'' + z*y' + y", "m*q"), ("q'' - e*(1 - q^2)*q' + q", "A*y''"), ("s'", "q'' + y''")],
        // Coupled both ways, with coefficients that depend on the state.
        [
            ("(1 + q^2)*y'' + y", "m*q''*cos(y)"),
            ("q''", "-q + A*y''*sin(q) + s"),
            ("2*s' + y''", "t - s"),
        ],
        [("y''", "-y + m*q''"), ("q''", "-q + A*y''"), ("s'", "-s")],
        [("y'' + q''", "-y"), ("y'' - q''", "-q"), ("3*s'", "-s")],
    ];
    for case in cases {
        let written: Vec<String> = case.iter().map(|(l, r)| format!("\"{l}\" = \"{r}\"")).collect();
        let (mut model, rates) = rates(&written.join("\n"));
        let [dy, dq, ds, ddy, ddq] = rates[..] else { panic!("{case:?}: {} rates", rates.len()) };
        let pool = &mut model.pool;
        let symbols = ["y'", "q'", "s'", "y''", "q''"].map(|name| pool.symbol(name));
        assert_eq!([dy, dq], [symbols[0], symbols[1]]);
        let own = [ds, ddy, ddq];
        let below = pool.reachable(&own);
        assert!(symbols[2..].iter().all(|s| below.binary_search(s).is_err()), "{case:?}");
        let map = symbols[2..].iter().copied().zip(own).collect();
        for (left, right) in case {
            // The grammar of expressions alone knows no primes: names stand for the rates.
            let mut read = |text: &str| {
                let text = text.replace("''", "_b").replace('\'', "_a");
                let names = ["y_a", "q_a", "s_a", "y_b", "q_b"].map(|name| pool.symbol(name));
                let value = parse_expression(pool, &text).unwrap();
                let back = names.into_iter().zip(symbols).collect();
                substitute(pool, &[value], &back, &mut Budget::new(10_000)).unwrap()[0]
            };
            let (left, right) = (read(left), read(right));
            let residual = pool.sub(left, right);
            let residual = substitute(pool, &[residual], &map, &mut Budget::new(100_000)).unwrap();
            let zero = is_zero(pool, residual[0], &mut Budget::new(1_000_000));
            assert_eq!(zero, Zero::Yes, "{left:?} = {right:?}");
        }
    }
}

/// Systems too large for formulas stay systems, and singular ones are refused, whatever their size.
#[test]
fn large_coupled_equations_stay_a_linear_system() {
    let chain = |weight: &str| {
        format!(
            "coordinates = [\"x[1..N]\"]\n[parameters]\nN = 40\na = 1\n[define]\n\"x[0]\" = \"0\"\n\"x[N+1]\" = \"0\"\n\
             [equations]\n\"x[i]''\" = \"-x[i] - {weight}*sum(j, 1, N, x[j]'')\"\n\
             [initial]\nposition = {{ \"x[i]\" = \"i\" }}\nvelocity = {{ \"x[i]\" = 0 }}\n"
        )
    };
    let good = model(&chain("a"));
    let isotrope_model::SystemKind::State(state) = &good.system else { panic!("state space") };
    assert_eq!(state.rates.len(), 80);
    // x'' + w S = -x with S the sum of all x'' has no solution where 1 + 40 w = 0.
    let bad = chain("(-1/(40*a))");
    let refusal = parse_model(&ModelText::new("test.toml", bad.as_bytes())).unwrap_err();
    assert_eq!(refusal[0].code, isotrope_model::ModelCode::Coupled);
}

const SPRING: &str =
    "coordinates = [\"x\"]\n[parameters]\nk = \"90*deg\"\n[lagrangian]\nL = \"x'^2/2 - k*x^2/2\"\n";

/// Equations need no initial data; what needs them finds the refusal, and no value that could be taken for one.
#[test]
fn a_model_without_initial_data_is_a_model() {
    let without = model(SPRING);
    let refusal = without.initial.absent.as_deref().unwrap();
    assert_eq!(refusal.code, isotrope_model::ModelCode::MissingInitial);
    assert!(without.initial.position.iter().all(|&value| value == ExprId::UNDEFINED));
    let given = "[initial]\nposition = { x = 1 }\nvelocity = { x = 0 }\n";
    assert!(model(&format!("{SPRING}{given}")).initial.absent.is_none());
    // Half of the data is a mistake.
    let half = format!("{SPRING}[initial]\nposition = {{ x = 1 }}\n");
    assert!(parse_model(&ModelText::new("test.toml", half.as_bytes())).is_err());
}

#[test]
fn a_degree_is_a_degree_unless_something_is_called_so() {
    let mut spring = model(SPRING);
    let (value, exact) = (spring.parameters[0].value, spring.parameters[0].exact);
    expect(&mut spring, value, "pi/2");
    expect(&mut spring, exact, "pi/2");
    let own = SPRING.replace("k = ", "deg = 2\nk = ");
    let mut own = model(&own);
    let exact = own.parameters[1].exact;
    expect(&mut own, exact, "180");
    let initial = "[initial]\nposition = { x = \"-30*deg\" }\nvelocity = { x = 0 }\n";
    let mut tilted = model(&format!("{SPRING}{initial}"));
    let position = tilted.initial.position[0];
    expect(&mut tilted, position, "-pi/6");
}

/// Indexed entries are those that are written one by one.
#[test]
fn entries_of_matrices_run_with_an_index() {
    let chain = |entries: &str| {
        format!(
            "coordinates = [\"q[1..N]\", \"p[1..N]\"]\n[parameters]\nN = 3\nc = 2\n[inputs]\nu = \"t\"\n[port]\n\
             hamiltonian = \"sum(i, 1, N, p[i]^2 + q[i]^2)/2\"\n{entries}\n\
             [initial]\nposition = {{ \"q[i]\" = 1, \"p[i]\" = 0 }}\n"
        )
    };
    let entries = |text: &str| {
        let model = model(&chain(text));
        let state = model.system.state().unwrap().clone();
        let list = |matrix: &[isotrope_model::MatrixEntry]| {
            let mut list: Vec<_> = matrix.iter().map(|e| (e.row, e.column, e.value)).collect();
            list.sort();
            let shown = list.into_iter().map(|(row, column, value)| {
                let budget = &mut Budget::new(10_000);
                let value = isotrope_algebra::print::to_text(&model.pool, value, budget).unwrap();
                format!("{row},{column}: {value}")
            });
            shown.collect::<Vec<_>>()
        };
        let entry = |&(row, value): &(usize, ExprId)| {
            let place = state.skew[0].place;
            isotrope_model::MatrixEntry { row, column: row, value, place }
        };
        let column: Vec<_> = state.columns.iter().flatten().map(entry).collect();
        (list(&state.skew), list(&state.symmetric), list(&column))
    };
    let short = "J = { \"q[i],p[i]\" = \"i\", \"q[i=1..N-1],q[i+1]\" = \"c*i\" }\n\
                 R = { \"p[i],p[i]\" = \"i^2\", \"p[2],p[2]\" = \"c\" }\ng = { u = { \"p[i]\" = \"i\" } }";
    let long = "J = { \"q[1],p[1]\" = 1, \"q[2],p[2]\" = 2, \"q[3],p[3]\" = 3, \"q[1],q[2]\" = \"c\", \"q[2],q[3]\" = \"2*c\" }\n\
                R = { \"p[1],p[1]\" = 1, \"p[2],p[2]\" = \"c\", \"p[3],p[3]\" = 9 }\n\
                g = { u = { \"p[1]\" = 1, \"p[2]\" = 2, \"p[3]\" = 3 } }";
    let (short, long) = (entries(short), entries(long));
    assert_eq!((short.0.len(), short.1.len(), short.2.len()), (5, 3, 3));
    assert_eq!(short, long);
    for (entries, code) in [
        ("J = { \"q[i],q[i+1]\" = 1 }", isotrope_model::ModelCode::IndexOutOfRange),
        ("J = { \"q[1],p[i]\" = 1 }", isotrope_model::ModelCode::StructureEntry),
        ("J = { \"p[i],q[i]\" = 1 }", isotrope_model::ModelCode::StructureEntry),
        ("J = { \"q[i],q[i]\" = 1 }", isotrope_model::ModelCode::StructureEntry),
        (
            "J = { \"q[i],p[i]\" = 1, \"q[j],p[j]\" = 2 }",
            isotrope_model::ModelCode::DuplicateComponent,
        ),
        ("J = { \"q[i],2*p[i]\" = 1 }", isotrope_model::ModelCode::StructureEntry),
    ] {
        let text = chain(entries);
        let refusal = parse_model(&ModelText::new("test.toml", text.as_bytes())).unwrap_err();
        assert!(refusal.iter().any(|error| error.code == code), "{entries}: {refusal:?}");
    }
}
