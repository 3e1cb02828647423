//! What `derive --discrete` says.

use isotrope::rooms::algebra::syntax::parse_expression;
use isotrope::rooms::algebra::{Budget, Pool, print};
use isotrope::rooms::derive::{Analysis, System};
use isotrope::rooms::report::{DiscreteReport, Format, discretisation};
use isotrope::rooms::scheme::EquationScheme;
use serde_json::Value;

use super::{derived_text, named, strings};
use crate::common::models;

fn written((mut system, analysis): (System, Analysis), method: &str, format: Format) -> String {
    let scheme = EquationScheme::named(method, &mut Budget::new(100_000_000)).unwrap().unwrap();
    let lagrangian = scheme.discrete_lagrangian().unwrap();
    let mut report = DiscreteReport::new(&mut system, &analysis, &scheme, lagrangian).unwrap();
    discretisation(&system, &analysis, &mut report, format)
}

fn json(model: &str, method: &str) -> Value {
    serde_json::from_str(&written(named(model), method, Format::Json)).unwrap()
}

#[test]
fn reports_of_discrete_lagrangians_read_well() {
    for (model, method) in [
        ("pendulum_angle", "variational-midpoint"),
        ("kepler", "galerkin-2-gauss2"),
        ("pendulum", "variational-trapezoid"),
        ("sleigh", "variational-midpoint"),
    ] {
        let text = written(named(model), method, Format::Text { width: 100 });
        insta::assert_snapshot!(format!("{model}_{method}.txt"), text);
    }
}

/// Errors below the digits of the exact solution make no order: neither a small one nor "exact".
#[test]
fn orders_that_no_digits_show_are_not_claimed() {
    assert_eq!(json("henon_heiles", "galerkin-6-gauss6")["order"], 12);
    assert_eq!(json("pendulum_angle", "galerkin-8-gauss8")["order"], 16);
    assert_eq!(json("ziegler_angles", "galerkin-8-gauss8")["order"], Value::Null);
}

/// Names that programs may rely on, and what they hold.
#[test]
fn json_of_discrete_lagrangians_has_its_keys_and_parses_back() {
    for (model, method) in [
        ("kepler", "galerkin-2-gauss2"),
        ("ziegler_damped", "variational-midpoint"),
        ("sleigh", "variational-trapezoid"),
    ] {
        let json = json(model, method);
        for key in [
            "method",
            "principle",
            "variational",
            "pieces",
            "step",
            "action",
            "points",
            "legendre",
            "euler_lagrange",
            "conditions",
            "self_adjoint",
            "order",
            "order_promised",
            "momenta",
            "unknowns",
            "dirac",
            "dirac_1",
        ] {
            assert!(json.get(key).is_some(), "{model}: {key}");
        }
        let mut texts = vec![json["action"].as_str().unwrap()];
        for place in [
            &json["legendre"],
            &json["euler_lagrange"]["equations"],
            &json["dirac_1"]["shift"],
            &json["dirac_1"]["constraint_differences"],
        ] {
            strings(place, &mut texts);
        }
        for side in ["plus", "minus"] {
            for key in ["generators", "momentum", "covector", "conditions", "lagrangian"] {
                strings(&json["dirac"][side][key], &mut texts);
            }
        }
        for point in json["points"].as_array().unwrap() {
            for key in ["derivative", "force", "reaction", "at", "symbols", "impulses"] {
                strings(&point[key], &mut texts);
            }
        }
        for list in ["momenta", "conditions"] {
            let entries = json[list].as_array().unwrap().iter();
            texts.extend(entries.map(|entry| entry["expression"].as_str().unwrap()));
        }
        let mut pool = Pool::new();
        for text in texts {
            let id = parse_expression(&mut pool, text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            let again = print::to_text(&pool, id, &mut Budget::new(10_000_000)).unwrap();
            assert_eq!(again, text, "{model}");
        }
    }
}

#[test]
fn what_is_claimed_is_what_holds() {
    let kepler = json("kepler", "galerkin-2-gauss2");
    assert_eq!(kepler["order"], 4);
    assert_eq!(kepler["self_adjoint"], "proved");
    assert_eq!(kepler["momenta"][0]["name"], "L_z");
    assert_eq!(kepler["momenta"][0]["conserved"], true);
    assert_eq!(kepler["form"], "inf");
    let sleigh = json("sleigh", "variational-midpoint");
    assert_eq!(sleigh["variational"], false);
    assert!(sleigh["momenta"].as_array().unwrap().iter().all(|m| m["conserved"] == false));
    assert_eq!(sleigh["dirac_1"]["is_plus_scheme_of_rectangle"], "proved");
    let pendulum = json("pendulum", "variational-euler");
    assert_eq!(pendulum["dirac_1"]["relation"], "same");
    assert_eq!(pendulum["self_adjoint"], "refuted");
    assert_eq!(pendulum["order"], 1);
}

#[test]
fn pages_of_discrete_lagrangians_are_well_formed() {
    for (model, method) in [("sleigh", "variational-midpoint"), ("kepler", "galerkin-2-gauss2")] {
        let html = written(named(model), method, Format::Html);
        assert!(!html.contains("<script") && !html.contains("src="));
        for tag in ["math", "mrow", "section", "table", "dl", "msub", "mfrac"] {
            let opened = html.matches(&format!("<{tag}>")).count()
                + html.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{model}: {tag}");
        }
        let latex = written(named(model), method, Format::Latex);
        assert_eq!(latex.matches('{').count(), latex.matches('}').count(), "{model}");
        assert!(!latex.contains('?'), "a sign has no LaTeX");
    }
}

#[test]
fn a_long_chain_has_a_short_report() {
    let text = std::fs::read_to_string(models().join("chain.toml")).unwrap();
    let report = written(
        derived_text(&text, &["N=20"]),
        "variational-midpoint",
        Format::Text { width: 100 },
    );
    assert!(report.len() < 30_000, "{}", report.len());
    assert!(report.contains("not measured on more than"));
}
