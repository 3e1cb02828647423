//! What `trees` prints, and what it refuses.

use std::process::{Command, Output};

use isotrope::rooms::methods::trees::Family;
use isotrope::rooms::methods::trees::{Listing, list};
use isotrope::rooms::report::trees::{to_json, to_latex, to_text};
use serde_json::{Value, json};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.arg("trees").args(arguments).env("NO_COLOR", "1").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The JSON that a command prints; it says nothing else.
fn answer(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn listing(family: Family, order: usize) -> Listing {
    list(family, false, order, false).unwrap()
}

#[test]
fn the_counts_are_those_of_the_theory() {
    let mechanical = answer(&["--family", "qvp", "--order", "6", "--json"]);
    assert_eq!(mechanical["cumulative"], json!([3, 8, 22, 64, 202, 670]));
    assert_eq!(mechanical["counts"][5]["by_root"], json!({ "q": 60, "v": 204, "p": 204 }));
    assert_eq!(mechanical["trees"].as_array().unwrap().len(), 670);
    let natural = answer(&["--family", "qvp", "--order", "6", "--json", "--natural"]);
    assert_eq!(natural["cumulative"], json!([3, 8, 22, 62, 189, 602]));
    let one = answer(&["--family", "rk", "--order", "8", "--json"]);
    let totals: Vec<i64> =
        one["counts"].as_array().unwrap().iter().map(|c| c["total"].as_i64().unwrap()).collect();
    assert_eq!(totals, [1, 1, 2, 4, 9, 20, 48, 115]);
}

#[test]
fn json_has_the_keys_of_the_contract() {
    let json = to_json(&listing(Family::qvp(), 3));
    for key in ["family", "order", "rules", "counts", "cumulative", "trees"] {
        assert!(json.get(key).is_some(), "{key}");
    }
    for key in ["order", "by_root", "total"] {
        assert!(json["counts"][0].get(key).is_some(), "{key}");
    }
    for key in ["name", "gamma", "sigma"] {
        assert!(json["trees"][0].get(key).is_some(), "{key}");
    }
    assert_eq!(json["family"], "qvp");
    assert_eq!(json["rules"], "q=v^1; v=q,v; p=q,v");
}

#[test]
fn declared_groups_can_be_the_mechanical_ones() {
    let declared = answer(&["--groups", "q=v^1; v=q,v; p=q,v", "--order", "6", "--json"]);
    let named = answer(&["--order", "6", "--json"]);
    assert_eq!(declared["family"], "groups");
    assert_eq!(declared["counts"], named["counts"]);
    let names = |json: &Value| -> Vec<Value> {
        json["trees"].as_array().unwrap().iter().map(|tree| tree["name"].clone()).collect()
    };
    assert_eq!(names(&declared), names(&named));
}

#[test]
fn counting_needs_no_list() {
    let json = answer(&["--family", "rk", "--order", "40", "--counts", "--json"]);
    assert_eq!(json["trees"], Value::Null);
    // OEIS A000081.
    assert_eq!(json["counts"][39]["total"], json!(11_703_780_079_612_453_i64));
}

#[test]
fn what_is_unreasonable_is_refused_at_once() {
    let cases: [(&str, &[&str]); 12] = [
        ("ISO-TREES-001", &["--groups", ""]),
        ("ISO-TREES-001", &["--groups", "x=y"]),
        ("ISO-TREES-001", &["--groups", "x=x; x=x"]),
        ("ISO-TREES-001", &["--groups", "\u{1b}[31m=x"]),
        ("ISO-TREES-002", &["--family", "rk", "--natural"]),
        ("ISO-TREES-002", &["--family", "prk", "--natural"]),
        ("ISO-TREES-002", &["--groups", "x=x", "--natural"]),
        ("ISO-TREES-003", &["--order", "0"]),
        ("ISO-TREES-003", &["--order", "1000"]),
        ("ISO-TREES-003", &["--order", "18446744073709551615", "--counts"]),
        ("ISO-TREES-004", &["--order", "20"]),
        ("ISO-TREES-004", &["--order", "50", "--counts"]),
    ];
    for (code, arguments) in cases {
        let start = std::time::Instant::now();
        let output = run(arguments);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(errors.contains(code) && errors.contains("help:"), "{arguments:?}: {errors}");
        assert!(!errors.contains('\u{1b}'), "{arguments:?}");
        assert!(start.elapsed().as_secs() < 10, "{arguments:?}");
    }
    for arguments in [["--family", "lisp"], ["--order", "-1"], ["--order", "x"]] {
        assert_eq!(run(&arguments).status.code(), Some(2));
    }
}

#[test]
fn a_wrong_group_is_marked() {
    let output = run(&["--groups", "q=v^1; v=q,w; p=q,v"]);
    insta::assert_snapshot!("groups.err", text(&output.stderr));
}

#[test]
fn natural_trees_need_velocities() {
    let json = answer(&["--family", "nystrom", "--natural", "--order", "4", "--json"]);
    assert_eq!(json["rules"], "q=v^1; v=q,v^2");
    assert_eq!(json["natural"], true);
}

#[test]
fn lists_read_well() {
    insta::assert_snapshot!("qvp.txt", to_text(&listing(Family::qvp(), 3), 80, false));
    insta::assert_snapshot!("rk.txt", to_text(&listing(Family::runge_kutta(), 5), 80, true));
    let groups = Family::parse("pos=vel^1; vel=pos,vel^2").unwrap();
    insta::assert_snapshot!("groups.txt", to_text(&listing(groups, 3), 80, true));
    let json = to_json(&listing(Family::partitioned(), 2));
    insta::assert_snapshot!("prk.json", format!("{json:#}"));
    insta::assert_snapshot!("nystrom.tex", to_latex(&listing(Family::nystrom(), 3)));
}

#[test]
fn drawings_fit_the_terminal() {
    let text = to_text(&listing(Family::qvp(), 5), 60, true);
    let drawn = text.lines().filter(|line| line.contains('╰'));
    assert!(drawn.clone().count() > 10);
    assert!(drawn.clone().all(|line| line.chars().count() <= 60));
}

#[test]
fn latex_is_balanced() {
    for family in [Family::qvp(), Family::parse("theta=theta,a_1; a_1=theta").unwrap()] {
        let latex = to_latex(&listing(family, 5));
        for (open, close) in [('{', '}'), ('[', ']')] {
            assert_eq!(latex.matches(open).count(), latex.matches(close).count());
        }
        assert_eq!(
            latex.matches("\\begin{forest}").count(),
            latex.matches("\\end{forest}").count()
        );
        assert_eq!(latex.matches('$').count() % 2, 0);
        assert!(latex.is_ascii());
    }
}

#[test]
fn a_list_can_be_written_to_a_file() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("trees.tex");
    let output = run(&["--latex", "--out", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty());
    assert!(std::fs::read_to_string(path).unwrap().starts_with("\\documentclass"));
}
