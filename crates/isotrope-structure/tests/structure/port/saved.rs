//! What is refused, what is left out, and forms that are saved as models.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::print::to_text;
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_structure::port::{
    Form, Options, Origin, PortError, Problem, Saved, Values, problem_of, recover, save,
};

use super::{Example, LORENZ, SEED, VIV, VIV_VALUES, budget};

/// A model from a text, derived.
fn derived(name: &str, text: &str) -> isotrope_derive::System {
    let source = isotrope_model::ModelText {
        name,
        bytes: text.as_bytes(),
        set: Vec::new(),
        initial: Vec::new(),
    };
    let model = isotrope_model::parse_model(&source).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let derived = isotrope_derive::derive(model, &mut budget());
    derived.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// Every form of a model as a file: derived again, its power balance is proved and its rates, inputs put in, are those of
/// the source. How many forms there are.
fn saved_forms_are_the_model(name: &str, text: &str) -> usize {
    let mut system = derived(name, text);
    let (problem, own) = problem_of(&mut system, &[], &mut budget()).unwrap();
    let options = Options { hamiltonian: own, ..Options::default() };
    let found = recover(&mut system.model.pool, &problem, &options, &mut budget()).unwrap();
    let Some(source) = system.mechanics.state() else { panic!("{name}: no state space") };
    for number in 1..=found.forms.len() {
        let saved = Saved { number, source: name };
        let text = save(&system.model, &problem, &found, &saved, &mut budget()).unwrap();
        let again = derived(name, &text);
        let Some(state) = again.mechanics.state() else { panic!("{name}: no state space") };
        let structure = state.structure.as_ref().unwrap();
        assert_eq!(structure.balance, Zero::Yes, "{text}");
        assert_eq!(again.model.run.method, system.model.run.method);
        assert_eq!(again.model.parameters.len(), system.model.parameters.len());
        assert_eq!(state.outputs.len(), source.outputs.len());
        let pool = &mut again.model.pool.clone();
        // States of second order have other names in the file.
        let names: Substitution = system
            .symbols
            .position
            .iter()
            .zip(&again.symbols.position)
            .map(|(&old, &new)| {
                let old = to_text(&system.model.pool, old, &mut budget()).unwrap();
                (pool.symbol(&old), new)
            })
            .collect();
        for (&new, &old) in state.rate.iter().zip(&source.rate) {
            let old = to_text(&system.model.pool, old, &mut budget()).unwrap();
            let old = parse_expression(pool, &old.replace("q'", "q_dot")).unwrap();
            let old = substitute(pool, &[old], &names, &mut budget()).unwrap()[0];
            let difference = pool.sub(new, old);
            assert_eq!(is_zero(pool, difference, &mut budget()), Zero::Yes, "{name}\n{text}");
        }
    }
    found.forms.len()
}

#[test]
fn a_rate_outside_the_ideal_is_an_obstruction_and_not_a_wrong_answer() {
    let mut example = Example::new(&[("x", "1 - x"), ("y", "-y")], &[]);
    let found = example.given("(x^2 + y^2)/2");
    assert!(!found.is_closed());
    let obstruction = found.obstruction.clone().unwrap();
    assert_eq!(obstruction.outside.len(), 1);
    assert!(example.equal(obstruction.outside[0].remainder, "1"));
    assert!(obstruction.critical.unwrap().iter().all(|(_, value)| value.is_zero()));
    // Over the field of the parameters c x lies in the ideal of x; over the ring it would not.
    let mut example = Example::new(&[("x", "y"), ("y", "-x")], &[]);
    assert!(example.given("c*(x^2 + y^2)/2").is_closed());
}

#[test]
fn functions_beyond_polynomials_are_generators() {
    let mut example = Example::new(&[("q", "p"), ("p", "-sin(q) - c*p")], &[("c", "1")]);
    let found = example.given("p^2/2 - cos(q)");
    let form = &found.forms[0];
    example.assert_matrix(&form.j, &[&["0", "1"], &["-1", "0"]]);
    example.assert_matrix(&form.r, &[&["0", "0"], &["0", "c"]]);
    let found = example.recover();
    assert!(example.equal(found.forms[0].hamiltonian, "p^2/2 - cos(q)"));
}

#[test]
fn what_has_no_form_is_refused_with_a_reason() {
    let mut pool = Pool::new();
    let mut read = |text: &str| parse_expression(&mut pool, text).unwrap();
    let (x, u, t) = (read("x"), read("u"), read("t"));
    let (square, driven) = (read("-x + u^2"), read("-x + sin(t)"));
    let _ = t;
    let new = |pool: &mut Pool, rate| {
        Problem::new(pool, vec![x], vec![rate], vec![u], vec![], Values::default(), &mut budget())
    };
    assert!(matches!(new(&mut pool, square), Err(PortError::NotAffine { .. })));
    assert!(matches!(new(&mut pool, driven), Err(PortError::Time { .. })));
    assert!(matches!(new(&mut pool, ExprId::UNDEFINED), Err(PortError::Undefined)));
}

#[test]
fn budgets_end_the_search_with_a_reason() {
    let mut example = Example::new(&VIV, &VIV_VALUES);
    let hamiltonian = Some(example.read(SEED));
    let options = Options { hamiltonian, ..Options::default() };
    for limit in [0, 10, 1000] {
        let found = recover(&mut example.pool, &example.problem, &options, &mut Budget::new(limit));
        assert!(matches!(found, Err(PortError::OutOfBudget(_))), "{limit}");
    }
    // With more there may be an answer, with fewer forms and a note; what is said stays true.
    for limit in [20_000, 200_000] {
        let found = recover(&mut example.pool, &example.problem, &options, &mut Budget::new(limit));
        match found {
            Ok(found) => assert!(found.forms.iter().all(|form| form.balance != Zero::No)),
            Err(error) => {
                assert!(matches!(error, PortError::OutOfBudget(_) | PortError::Geometry(_)))
            }
        }
    }
    let names: Vec<String> = (0..11).map(|i| format!("z{i}")).collect();
    let states: Vec<ExprId> = names.iter().map(|name| example.pool.symbol(name)).collect();
    let many = Problem::new(
        &mut example.pool,
        states.clone(),
        states,
        vec![],
        vec![],
        Values::default(),
        &mut budget(),
    );
    assert!(matches!(many, Err(PortError::TooManyStates { .. })));
}

#[test]
fn every_form_of_the_examples_is_a_model_with_the_same_rates() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for (name, least) in [
        ("viv", 13),
        ("equations/lorenz", 4),
        ("equations/van_der_pol", 3),
        ("equations/dc_motor", 1),
        ("equations/lc_circuit", 1),
        ("equations/predator_prey", 1),
        ("poisson/heavy_top", 1),
        ("port/van_der_pol", 1),
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
        let forms = saved_forms_are_the_model(name, &text);
        assert!(forms >= least, "{name}: {forms}");
    }
}

/// Velocities get names of their own, tables of inputs become formulas.
#[test]
fn second_order_and_tables_are_saved() {
    let text = r#"
        name = "driven"
        coordinates = ["q"]
        parameters.c = "1/10"
        equations."q''" = "-q - c*q' + u"
        inputs.u = { table = [[0, 0], [1, 2.5], [4, 0]], between = "linear" }
        outputs.speed = "q'"
        [initial]
        position.q = 1
        velocity.q = 0
    "#;
    assert!(saved_forms_are_the_model("driven", text) > 0);
}

#[test]
fn forms_that_are_not_there_are_not_saved() {
    let text = r#"
        coordinates = ["x", "y"]
        parameters.k = 0
        equations."x'" = "x*(1 - y)"
        equations."y'" = "y*(x - 1)"
        initial.position = { x = -1, y = 1 }
    "#;
    let mut system = derived("file", text);
    let (problem, _) = problem_of(&mut system, &[], &mut budget()).unwrap();
    let found = recover(&mut system.model.pool, &problem, &Options::default(), &mut budget());
    let found = found.unwrap();
    let refused = |number: usize| {
        let saved = Saved { number, source: "file" };
        save(&system.model, &problem, &found, &saved, &mut budget()).unwrap_err()
    };
    let forms = found.forms.len();
    for number in [0, forms + 1] {
        assert_eq!(refused(number), PortError::NoForm { number, forms });
    }
    // log(x) at x = -1.
    let condition = "x > 0".to_owned();
    assert_eq!(refused(1), PortError::Violated { number: 1, condition });
}

#[test]
fn long_energies_are_refused_and_not_expanded_for_ever() {
    let mut example = Example::new(&LORENZ, &[("s", "10"), ("r", "28"), ("b", "8/3")]);
    let hamiltonian = Some(example.read("(x + y + z)^200"));
    let options = Options { hamiltonian, ..Options::default() };
    let found = recover(&mut example.pool, &example.problem, &options, &mut budget());
    let error = found.unwrap_err();
    assert!(matches!(error.code().text(), "ISO-PORT-005" | "ISO-PORT-007"), "{error}");
}

#[test]
fn trivial_forms_come_last() {
    let mut example = Example::new(&[("x", "y^9 - x"), ("y", "-x*y^6")], &[]);
    let found = example.recover();
    let trivial: Vec<bool> = found.forms.iter().map(|form| form.criteria.trivial).collect();
    assert!(!trivial[0] && trivial.is_sorted());
    assert!(found.notes.iter().any(|note| note.contains("a larger --degree")));
    // With that degree there is one without ports.
    let hamiltonian = Some(example.read("(x^2 + y^2)/2"));
    let options = Options { hamiltonian, degree: Some(8), ..Options::default() };
    let found = recover(&mut example.pool, &example.problem, &options, &mut budget()).unwrap();
    assert!(found.is_closed());
}

#[test]
fn steps_are_not_conserved() {
    // heaviside(x) has the derivative zero, and changes when x changes its sign.
    let mut example = Example::new(&[("x", "y"), ("y", "-heaviside(x)*x")], &[]);
    let found = example.recover();
    let step = example.read("heaviside(x)");
    let with = |form: &&Form| {
        let nodes = example.pool.reachable(&[form.hamiltonian]);
        form.origin == Origin::FirstIntegral && nodes.contains(&step)
    };
    assert_eq!(found.forms.iter().filter(with).count(), 0);
}
