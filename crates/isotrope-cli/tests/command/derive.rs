//! What `derive` says about the models that are shipped.

mod discrete;

use std::path::Path;

use crate::common::{all_systems, models};
use isotrope::rooms::algebra::syntax::parse_expression;
use isotrope::rooms::algebra::{Budget, Pool, print};
use isotrope::rooms::derive::{Analysis, System, analyse, derive};
use isotrope::rooms::model::{ModelText, parse_model};
use isotrope::rooms::report::{Format, derivation, to_json};
use serde_json::Value;

/// Parses, derives and analyses.
fn derived(path: &Path) -> (System, Analysis) {
    derived_text(&std::fs::read_to_string(path).unwrap(), &[])
}

/// Parses, derives and analyses a text with `--set` arguments.
fn derived_text(text: &str, set: &[&str]) -> (System, Analysis) {
    let source =
        ModelText { name: "test.toml", bytes: text.as_bytes(), set: set.to_vec(), initial: vec![] };
    let model = parse_model(&source).unwrap();
    let mut system = derive(model, &mut Budget::new(200_000_000)).unwrap();
    let analysis = analyse(&mut system, &Budget::new(100_000_000));
    (system, analysis)
}

/// A model that is shipped, by name.
fn named(name: &str) -> (System, Analysis) {
    derived(&models().join(format!("{name}.toml")))
}

/// The keys that the contract fixes.
const KEYS: [&str; 12] = [
    "coordinates",
    "momenta",
    "mass_matrix",
    "energy",
    "hamiltonian",
    "multipliers",
    "equations",
    "constraints",
    "distribution",
    "dirac",
    "conserved",
    "parameters",
];

#[test]
fn json_has_the_keys_of_the_contract_for_every_model() {
    for path in all_systems() {
        let (mut system, analysis) = derived(&path);
        let json = to_json(&mut system, &analysis);
        let place = path.display();
        for key in KEYS {
            assert!(json.get(key).is_some(), "{place}: {key}");
        }
        for key in ["q", "v", "p"] {
            assert!(json["equations"].get(key).is_some(), "{place}: equations.{key}");
        }
        for key in ["rank", "integrable", "bracket"] {
            assert!(json["distribution"].get(key).is_some(), "{place}: distribution.{key}");
        }
        for key in ["generators", "rank"] {
            assert!(json["dirac"].get(key).is_some(), "{place}: dirac.{key}");
        }
        for constraint in json["constraints"].as_array().unwrap() {
            let kind = constraint["kind"].as_str().unwrap();
            let kinds = ["holonomic", "pfaffian-integrable", "nonholonomic", "affine"];
            assert!(kinds.contains(&kind), "{place}: {kind}");
            assert!(constraint["name"].is_string() && constraint["expression"].is_string());
            assert!(constraint.get("integrable").is_some());
        }
        for quantity in json["conserved"].as_array().unwrap() {
            for key in ["name", "expression", "why"] {
                assert!(quantity[key].is_string(), "{place}: conserved.{key}");
            }
        }
    }
}

/// All strings below a value.
fn strings<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(list) => list.iter().for_each(|value| strings(value, found)),
        Value::Object(map) => map.values().for_each(|value| strings(value, found)),
        _ => {}
    }
}

#[test]
fn every_expression_in_json_parses_back() {
    for path in all_systems() {
        let (mut system, analysis) = derived(&path);
        let json = to_json(&mut system, &analysis);
        let mut texts = Vec::new();
        let parts = [
            "parameters",
            "lagrangian",
            "forces",
            "momenta",
            "mass_matrix",
            "energy",
            "hamiltonian",
            "multipliers",
            "multipliers_solve",
            "accelerations_solve",
            "equations",
            "residual",
            "side_conditions",
            "energy_rate",
            "lost_momenta",
            "momentum_equations",
        ];
        for key in parts {
            if let Some(part) = json.get(key) {
                strings(part, &mut texts);
            }
        }
        strings(&json["dirac"]["generators"], &mut texts);
        strings(&json["distribution"]["frame"], &mut texts);
        strings(&json["reduction"], &mut texts);
        for list in ["constraints", "conserved"] {
            for entry in json[list].as_array().unwrap() {
                texts.push(entry["expression"].as_str().unwrap());
            }
        }
        let names: Vec<&str> = json["lost_momenta"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["name"].as_str().unwrap())
            .collect();
        let mut pool = Pool::new();
        for text in texts {
            if names.contains(&text) {
                continue;
            }
            let parsed = parse_expression(&mut pool, text);
            let id =
                parsed.unwrap_or_else(|error| panic!("{}: `{text}`: {error:?}", path.display()));
            let again = print::to_text(&pool, id, &mut Budget::new(10_000_000)).unwrap();
            assert_eq!(again, text, "{}", path.display());
        }
    }
}

#[test]
fn the_sleigh_is_nonholonomic_and_keeps_only_its_energy() {
    let (mut system, analysis) = named("sleigh");
    let json = to_json(&mut system, &analysis);
    assert_eq!(json["constraints"][0]["kind"], "nonholonomic");
    assert_eq!(json["constraints"][0]["integrable"], false);
    assert_eq!(json["distribution"]["integrable"], false);
    assert_eq!(json["distribution"]["growth_vector"], serde_json::json!([2, 3]));
    assert!(json["distribution"]["bracket"].is_object());
    let conserved: Vec<&str> = json["conserved"]
        .as_array()
        .unwrap()
        .iter()
        .map(|quantity| quantity["name"].as_str().unwrap())
        .collect();
    assert_eq!(conserved, ["energy"]);
    assert_eq!(json["reduction"]["equations"]["u"], "a*omega^2");
    assert_eq!(json["reduction"]["equations"]["omega"], "-a*m*u*omega/(a^2*m + J)");
}

#[test]
fn the_pendulum_is_holonomic() {
    let (mut system, analysis) = named("pendulum");
    let json = to_json(&mut system, &analysis);
    assert_eq!(json["constraints"][0]["kind"], "holonomic");
    assert_eq!(json["constraints"][0]["integrable"], true);
    assert_eq!(json["multipliers"]["rod"], "m*(g*y - x'^2 - y'^2)/(2*(x^2 + y^2))");
}

#[test]
fn chetaev_reactions_of_a_homogeneous_constraint_do_no_work() {
    let model = r#"
        coordinates = ["x", "y", "z"]
        parameters = { m = 1, g = 9.81, a = 1 }
        lagrangian.L = "m/2*(x'^2 + y'^2 + z'^2) - m*g*z"
        constraints.speed = { equation = "x'^2 + y'^2 = a^2*z'^2", chetaev = true }
        initial.position = { x = 1, y = 0, z = 0 }
        initial.velocity = { x = 1, y = 0, z = 1 }
    "#;
    let (mut system, analysis) = derived_text(model, &[]);
    let json = to_json(&mut system, &analysis);
    assert_eq!(json["constraints"][0]["kind"], "nonholonomic");
    assert_eq!(json["constraints"][0]["chetaev"], true);
    assert_eq!(json["conserved"][0]["name"], "energy");
    assert_eq!(json["energy_rate"], Value::Null);
}

#[test]
fn a_hamiltonian_without_lagrangian_fills_what_applies() {
    let model = r#"
        coordinates = ["x"]
        hamiltonian.H = "sqrt(1 + p_x^2) + x^2/2"
        initial.position = { x = 1 }
        initial.momentum = { x = 0 }
    "#;
    let (mut system, analysis) = derived_text(model, &[]);
    let json = to_json(&mut system, &analysis);
    assert_eq!(json["equations"]["p"]["x"], "-x");
    assert_eq!(json["mass_matrix"], Value::Null);
    assert_eq!(json["conserved"][0]["name"], "energy");
}

#[test]
fn a_long_chain_stays_linear_in_json_and_short_in_the_terminal() {
    let text = std::fs::read_to_string(models().join("chain.toml")).unwrap();
    let size = |links: &str| {
        let (mut system, analysis) = derived_text(&text, &[links]);
        let json = derivation(&mut system, &analysis, Format::Json).len();
        let report = derivation(&mut system, &analysis, Format::Text { width: 100 }).len();
        (json, report)
    };
    let (small, _) = size("N=100");
    let (large, report) = size("N=400");
    assert!(large < 5 * small, "{small} {large}");
    assert!(report < 60_000, "{report}");
}

#[test]
fn reports_read_well() {
    for name in ["sleigh", "pendulum", "kepler"] {
        let (mut system, analysis) = named(name);
        let text = derivation(&mut system, &analysis, Format::Text { width: 100 });
        insta::assert_snapshot!(format!("{name}.txt"), text);
    }
    for name in ["sleigh", "pendulum"] {
        let (mut system, analysis) = named(name);
        let json = derivation(&mut system, &analysis, Format::Json);
        insta::assert_snapshot!(format!("{name}.json"), json);
    }
    let (mut system, analysis) = named("pendulum");
    let latex = derivation(&mut system, &analysis, Format::Latex);
    insta::assert_snapshot!("pendulum.tex", latex);
}

#[test]
fn pages_are_self_contained_and_well_formed() {
    for path in all_systems() {
        let (mut system, analysis) = derived(&path);
        let html = derivation(&mut system, &analysis, Format::Html);
        assert!(!html.contains("<script") && !html.contains("<link") && !html.contains("src="));
        for tag in ["math", "mrow", "section", "table", "div", "dl", "msub", "mfrac"] {
            let opened = html.matches(&format!("<{tag}>")).count()
                + html.matches(&format!("<{tag} ")).count();
            let closed = html.matches(&format!("</{tag}>")).count();
            assert_eq!(opened, closed, "{}: {tag}", path.display());
        }
        let latex = derivation(&mut system, &analysis, Format::Latex);
        assert_eq!(latex.matches('{').count(), latex.matches('}').count(), "{}", path.display());
    }
}

#[test]
fn lines_fit_the_terminal() {
    for path in all_systems() {
        let (mut system, analysis) = derived(&path);
        let text = derivation(&mut system, &analysis, Format::Text { width: 80 });
        let long = text.lines().filter(|line| line.chars().count() > 80).count();
        // What cannot be broken (one long product) may stick out; it is rare.
        assert!(long * 20 <= text.lines().count(), "{}: {long}", path.display());
    }
}

/// With time there is one direction more, in the frame and in the growth vector alike.
#[test]
fn the_growth_vector_of_a_moving_constraint_counts_the_frame_it_stands_beside() {
    let text = "coordinates = [\"x\", \"y\"]\nparameters = { l = 1, c = 1 }\n\
                lagrangian.L = \"(x'^2 + y'^2)/2\"\n\
                constraints.rod = \"x^2 + y^2 = (l + c*t)^2\"\n\
                initial.position = { x = 0, y = 1 }\ninitial.velocity = { x = 0, y = 1 }\n";
    let (mut system, analysis) = derived_text(text, &[]);
    let json = to_json(&mut system, &analysis);
    let distribution = &json["distribution"];
    assert_eq!(distribution["with_time"], true);
    assert_eq!(distribution["frame"].as_array().map(Vec::len), Some(2));
    assert_eq!(distribution["growth_vector"], serde_json::json!([2]));
    assert_eq!(distribution["derived_flag"], serde_json::json!([2]));
}
