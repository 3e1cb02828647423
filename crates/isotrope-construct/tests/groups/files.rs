//! Problem files: what they mean, and what is refused.

use std::collections::BTreeSet;
use std::path::Path;

use isotrope_algebra::Budget;
use isotrope_construct::problem::StructureKind;
use isotrope_construct::problem::file::{
    ProblemCode, ProblemFileError, ProblemText, parse_problem,
};

use isotrope_construct::symbolic::{Route, conditions};

use crate::support::{problem, shipped};

#[test]
fn families_are_read_off_the_right_sides() {
    for (name, rules) in [
        ("rigid_body", "m=m^2"),
        ("damped_oscillator", "q=p^1; p=q^3,p^2"),
        ("pendulum", "q=v^1; v=q,v^2; p=q,v^2"),
        ("lotka_volterra", "x=x^2"),
    ] {
        assert_eq!(shipped(name).family.rules(), rules, "{name}");
    }
    let file = r#"
        groups = { x = ["x"], y = ["y"], z = ["z"], c = ["c"] }
        [rates]
        x = "sin(y) + (x + z)^2/(1 + c^2) - x^2/(1 + c^2) + y - y"
        y = "0"
        z = "z*(x - z) + z^2"
        c = "0"
        [structure]
        constant = "c"
    "#;
    // What cancels does not count, and a degree is that of a polynomial.
    assert_eq!(problem(file).family.rules(), "x=x^1,y,z^2,c; y=; z=x^1,z^1; c=");
}

#[test]
fn the_supply_of_a_balance_is_one_more_component() {
    let damped = shipped("damped_oscillator");
    assert_eq!(damped.groups[1].variables, ["p", "energy_supplied"]);
    assert_eq!(damped.structure[0].kind, StructureKind::Balance);
    let file = r#"
        groups = { q = ["q"], p = ["p"] }
        rates = { q = "p", p = "-q - p" }
        balance = { p = { energy = "(q^2 + p^2)/2", supply = "-p^2" } }
    "#;
    // Without a group it gets a table of its own, under a name that is free.
    let own = problem(file);
    let names: Vec<&str> = own.groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, ["q", "p", "p_"]);
    assert_eq!(own.family.rules(), "q=p^1; p=q^1,p^1; p_=p^2");
}

#[test]
fn parameters_are_exact_numbers_or_symbols() {
    let body = shipped("rigid_body");
    assert!(body.parameters.iter().all(|parameter| parameter.value.is_none()));
    let file = r#"
        parameters = { a = "3/2", b = 0.25, c = "a + b" }
        groups = { x = ["x"] }
        rates = { x = "(c - 7/4)*x" }
        structure = { x = "x" }
    "#;
    let values: Vec<String> =
        problem(file).parameters.iter().map(|p| p.value.clone().unwrap().to_string()).collect();
    assert_eq!(values, ["3/2", "1/4", "7/4"]);
}

#[test]
fn equations_that_follow_from_others_are_harmless() {
    let file = |more: &str| {
        format!(
            r#"
            groups = {{ q = ["x", "y"], v = ["u", "w"] }}
            rates = {{ x = "u", y = "w", u = "-x*(u^2 + w^2)", w = "-y*(u^2 + w^2)" }}
            [manifold]
            circle = "x^2 + y^2 = 1"
            tangent = "x*u + y*w"
            {more}
            "#
        )
    };
    let budget = &mut Budget::new(100_000_000);
    let plain = conditions(&problem(&file("")), 3, budget).unwrap();
    let more = "twice = \"2*y*w = -2*x*u\"\nthird = \"x*u/3 + y*(w/3)\"";
    let redundant = conditions(&problem(&file(more)), 3, budget).unwrap();
    assert!((1..=3).all(|order| plain.at(order) == redundant.at(order)));
    assert_eq!(redundant.route(), Route::NormalForms);
}

fn parse(file: &[u8]) -> Vec<ProblemFileError> {
    parse_problem(&ProblemText::new("bad.toml", file)).unwrap_err()
}

/// The errors of a file with the text they point to.
fn shown(file: &[u8], errors: &[ProblemFileError]) -> String {
    let text = String::from_utf8_lossy(file);
    let part = |span: isotrope_model::Span| text.get(span.range()).unwrap_or("").to_owned();
    let mut shown = String::new();
    for error in errors {
        let place = part(error.span);
        shown.push_str(&format!(
            "{} `{place}`\n  {}\n  hint: {}\n",
            error.code, error.message, error.hint
        ));
        for label in &error.labels {
            shown.push_str(&format!("  see `{}`: {}\n", part(label.span), label.message));
        }
    }
    shown
}

#[test]
fn bad_files_are_refused_with_place_reason_and_way_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/groups/bad");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut seen = BTreeSet::new();
    for path in paths {
        let file = std::fs::read(&path).unwrap();
        let errors = parse(&file);
        seen.extend(errors.iter().map(|error| error.code));
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        insta::assert_snapshot!(format!("bad_{name}"), shown(&file, &errors));
    }
    for (bytes, code) in [
        (b"name = \"\xff\"".to_vec(), ProblemCode::NotUtf8),
        (b"name = \"\0\"".to_vec(), ProblemCode::ControlCharacter),
        (vec![b'#'; 2_000_000], ProblemCode::TooLarge),
    ] {
        assert_eq!(parse(&bytes)[0].code, code);
        seen.insert(code);
    }
    let missing: Vec<_> = ProblemCode::ALL.iter().filter(|code| !seen.contains(code)).collect();
    assert!(missing.is_empty(), "codes without an example: {missing:?}");
}
