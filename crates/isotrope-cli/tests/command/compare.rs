//! What `compare` and `convergence` measure.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn isotrope(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap()
}

fn model(name: &str) -> String {
    crate::common::models().join(format!("{name}.toml")).display().to_string()
}

fn json(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = isotrope(&[arguments, &["--json"]].concat());
    let text = String::from_utf8(output.stderr).unwrap();
    let value = serde_json::from_slice(&output.stdout).unwrap_or(Value::String(text));
    (value, output.status.code())
}

fn seeds(name: &str) -> Value {
    let file = model(name);
    let arguments = ["compare", &file, "--methods", "seeds", "--steps", "0.01", "--time", "10"];
    let (answer, exit) = json(&arguments);
    assert_eq!(exit, Some(0), "{answer}");
    answer
}

fn row<'a>(answer: &'a Value, method: &str) -> &'a Value {
    answer["rows"].as_array().unwrap().iter().find(|row| row["method"] == method).unwrap()
}

fn error(answer: &Value, method: &str, key: &str) -> f64 {
    row(answer, method)["errors"][key].as_f64().unwrap()
}

/// Within 20 %; what is printed as rounding must be rounding.
fn assert_near(found: f64, wanted: f64, what: &str) {
    if wanted < 1e-12 {
        assert!(found < 1e-11, "{what}: {found:e}");
    } else {
        assert!((found / wanted - 1.0).abs() < 0.2, "{what}: {found:e} {wanted:e}");
    }
}

#[test]
fn the_pendulum_of_the_published_comparison_is_reproduced() {
    let answer = seeds("pendulum");
    for (method, position, velocity, energy) in [
        ("trapezoid", 9.8e-4, 1.3e-3, 8.3e-7),
        ("midpoint", 4.9e-4, 8e-15, 3.6e-3),
        ("rkd-lobatto", 7e-14, 1e-14, 3.6e-3),
        ("rk4", 7.2e-5, 1.4e-5, 4.7e-4),
        ("rattle", 2e-16, 8e-16, 3.6e-3),
        ("dirac-1", 0.75, 8e-16, 6.0),
        ("dirac-2", 1.6e-3, 5e-16, 5.6),
        ("ab3", 5.0e-3, 1.1e-3, 1.5e-2),
    ] {
        assert_near(error(&answer, method, "constraint_position_max"), position, method);
        assert_near(error(&answer, method, "constraint_velocity_max"), velocity, method);
        assert_near(error(&answer, method, "energy_max"), energy, method);
    }
}

#[test]
fn the_sleigh_of_the_published_comparison_is_reproduced() {
    let answer = seeds("sleigh");
    for (method, velocity, energy) in [
        ("trapezoid", 3.1e-5, 1.5e-5),
        ("midpoint", 5.6e-6, 6.3e-6),
        ("rk4", 1.9e-10, 2.4e-10),
        ("dla-leapfrog", 5e-16, 8.3e-6),
        ("dla-midpoint", 4e-16, 8.3e-6),
        ("dirac-1", 1e-16, 1.0e-2),
        ("dirac-2", 1e-16, 1.2e-2),
        ("ab3", 2.4e-6, 4.0e-6),
    ] {
        assert_near(error(&answer, method, "constraint_velocity_max"), velocity, method);
        assert_near(error(&answer, method, "energy_max"), energy, method);
    }
    let rattle = row(&answer, "rattle");
    assert_eq!(rattle["outcome"], "not-applicable");
    assert!(rattle["reason"].as_str().unwrap().contains("constraints on positions"));
}

#[test]
fn squared_energies_on_the_incline_are_those_of_the_slides() {
    let answer = seeds("sleigh_incline");
    for (method, wanted) in [
        ("euler-c", 0.3450),
        ("implicit-euler-c", 0.3332),
        ("dirac-1", 0.16024),
        ("dirac-2", 0.0082),
        ("rk4", 1.26e-16),
    ] {
        let found = error(&answer, method, "energy_max").powi(2);
        assert!((found / wanted - 1.0).abs() < 0.02, "{method}: {found:e} {wanted:e}");
    }
    // A parasitic root grows: shown, not hidden.
    let repaired = row(&answer, "dirac-2-repaired");
    assert_eq!(repaired["outcome"], "non-finite");
    assert!(repaired["failure"]["t"].as_f64().unwrap() < 8.0);
}

#[test]
fn every_seed_has_a_row_with_the_keys_of_the_contract() {
    let answer = seeds("pendulum");
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 21);
    for row in rows {
        for key in ["model", "method", "step", "time", "outcome", "errors", "cost", "order"] {
            assert!(row.get(key).is_some(), "{key}");
        }
        assert!(row["order"].is_u64(), "{} has no computed order", row["method"]);
        for key in ["reference_max", "reference_final"] {
            assert!(row.get(key).is_some(), "{key}");
        }
    }
    assert!(answer["reference"]["estimated_error"].as_f64().unwrap() < 1e-11);
}

#[test]
fn the_reference_is_better_than_every_row() {
    let file = model("pendulum_angle");
    let methods = "gauss-4,gauss-2,rk4,yoshida-6,dop853";
    let (answer, _) =
        json(&["compare", &file, "--methods", methods, "--steps", "0.1,0.02", "--time", "10"]);
    let own = answer["reference"]["estimated_error"].as_f64().unwrap();
    for row in answer["rows"].as_array().unwrap() {
        let distance = row["reference_max"].as_f64().unwrap();
        // Of what rounding leaves, either may be the larger.
        assert!(distance > own || own < 1e-13, "{}: {distance:e} {own:e}", row["method"]);
    }
}

#[test]
fn rows_are_sorted_as_asked() {
    let file = model("pendulum");
    for (key, pick) in [("energy", "/errors/energy_max"), ("reference", "/reference_max")] {
        let methods = "euler,rk4,rattle,midpoint,gauss-2";
        let (answer, _) = json(&["compare", &file, "--methods", methods, "--sort", key]);
        let values: Vec<f64> = answer["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.pointer(pick).unwrap().as_f64().unwrap())
            .collect();
        assert!(values.is_sorted(), "{key}: {values:?}");
    }
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn text_ends_with_the_path_of_a_page_that_stands_alone() {
    let page = temporary("page.html");
    let file = model("pendulum");
    let path = page.display().to_string();
    let output = isotrope(&["compare", &file, "--methods", "rattle,rk4", "--html", &path]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().last().unwrap(), format!("report: {path}"));
    let html = std::fs::read_to_string(&page).unwrap();
    for part in ["<math", "<svg", "rattle", "isotrope compare", "[lagrangian]"] {
        assert!(html.contains(part), "{part}");
    }
    for part in ["src=\"http", "href=\"http", "@import"] {
        assert!(!html.contains(part), "{part}");
    }
    // Without a name it is that of the model; for programs nothing is written unasked.
    let _ = std::fs::remove_file(temporary("pendulum-compare.html"));
    isotrope(&["compare", &file, "--methods", "rk4", "--csv"]);
    assert!(!temporary("pendulum-compare.html").exists());
    isotrope(&["compare", &file, "--methods", "rk4"]);
    assert!(temporary("pendulum-compare.html").exists());
}

#[test]
fn csv_and_latex_have_one_line_a_row() {
    let file = model("sleigh");
    let list = ["compare", &file, "--methods", "rk4,rattle,dla-midpoint"];
    let csv = isotrope(&[&list[..], &["--csv"]].concat()).stdout;
    assert_eq!(String::from_utf8(csv).unwrap().lines().count(), 4);
    let latex = String::from_utf8(isotrope(&[&list[..], &["--latex"]].concat()).stdout).unwrap();
    assert_eq!(latex.matches("\\\\\n").count(), 4, "{latex}");
    assert!(latex.contains("\\cdot 10^{"));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let file = model("pendulum");
    for (arguments, code) in [
        (vec!["--methods", "rattel"], "ISO-RUN-007"),
        (vec!["--steps", "0.01,zero"], "ISO-RUN-003"),
        (vec!["--steps", "0.03", "--time", "1"], "ISO-RUN-004"),
        (vec!["--tolerance", "2"], "ISO-RUN-001"),
        (vec!["--methods", ","], "ISO-RUN-011"),
    ] {
        let output = isotrope(&[&["compare", file.as_str()], &arguments[..]].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(code), "{text}");
    }
}

#[test]
fn measured_orders_agree_with_computed_ones() {
    let file = model("pendulum");
    let methods = "euler-c,rattle,spark-lobatto-3,dirac-1,dirac-2,dirac-rk,dla-leapfrog,gauss-2";
    let (answer, exit) = json(&["convergence", &file, "--methods", methods]);
    assert_eq!(exit, Some(0), "{answer}");
    let row = |method| row(&answer, method);
    for (method, order, verdict) in [
        ("euler-c", 1.0, "agrees"),
        ("rattle", 2.0, "agrees"),
        ("spark-lobatto-3", 4.0, "agrees"),
        ("dirac-1", 1.0, "agrees"),
        ("dirac-2", 1.0, "known-deficiency"),
        ("dirac-rk", 1.0, "known-deficiency"),
        ("dla-leapfrog", 2.0, "agrees"),
        ("gauss-2", 4.0, "agrees"),
    ] {
        let measured = row(method)["global"]["solution"].as_f64().unwrap();
        assert!((measured - order).abs() < 0.15, "{method}: {measured}");
        assert_eq!(row(method)["verdict"], verdict, "{method}");
    }
    // Only the constraint on positions of dirac-2 is of second order.
    let position = row("dirac-2")["global"]["constraint_position"].as_f64().unwrap();
    assert!((position - 2.0).abs() < 0.15, "{position}");
    // Local exponents: (1,2) for dirac-1, everything for rattle.
    assert_eq!(
        (&row("dirac-1")["local"]["k"], &row("dirac-1")["local"]["m"]),
        (&1.into(), &2.into())
    );
    assert_eq!(
        (&row("rattle")["local"]["m"], &row("rattle")["local"]["form"]),
        (&"inf".into(), &"inf".into())
    );
}

#[test]
fn nonholonomic_methods_reach_order_four_and_six_with_exact_constraints() {
    for name in ["sleigh", "rolling_disc"] {
        let file = model(name);
        let methods = "spark-lobatto-3,spark-lobatto-4";
        let (answer, _) = json(&["convergence", &file, "--methods", methods]);
        for (method, order) in [("spark-lobatto-3", 4.0), ("spark-lobatto-4", 6.0)] {
            let row = row(&answer, method);
            let measured = row["global"]["solution"].as_f64().unwrap();
            assert!((measured - order).abs() < 0.25, "{name} {method}: {measured}");
            for error in row["errors"]["constraint_velocity"].as_array().unwrap() {
                assert!(error.as_f64().is_none_or(|error| error < 1e-12), "{name}: {error}");
            }
        }
    }
}

#[test]
fn every_model_has_an_answer_from_every_method() {
    let long = std::env::var_os("ISOTROPE_LONG").is_some();
    let methods = if long {
        "all,lie"
    } else {
        "rk4,rattle,dirac-1,dla-midpoint,project:rk4,dop853,lie-cayley"
    };
    for path in crate::common::all_systems() {
        let file = path.display().to_string();
        let list = ["compare", &file, "--methods", methods, "--steps", "1/1000", "--time", "1/200"];
        let (answer, exit) = json(&list);
        assert_eq!(exit, Some(0), "{file}: {answer}");
        for row in answer["rows"].as_array().unwrap() {
            let outcome = row["outcome"].as_str().unwrap();
            assert!(
                outcome == "completed"
                    || row["reason"].as_str().is_some_and(|text| !text.is_empty()),
                "{file}: {} {outcome}",
                row["method"]
            );
        }
    }
}

/// Methods of coordinates are not even tried, and the page has the body in it, with nothing from elsewhere.
#[test]
fn the_page_of_a_body_shows_it_moving() {
    let (file, page) = (model("heavy_top"), temporary("top.html"));
    let path = page.display().to_string();
    let list = ["compare", &file, "--steps", "1/20", "--time", "1", "--html", &path];
    let (answer, exit) = json(&list);
    assert_eq!(exit, Some(0), "{answer}");
    let rows = answer["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["outcome"] == "completed"), "{answer}");
    assert!(rows.iter().all(|row| row["order"].is_u64()), "{answer}");
    let html = std::fs::read_to_string(page).unwrap();
    for part in ["id=\"animation\"", "animate({", "prefers-reduced-motion", "Axes of the body"] {
        assert!(html.contains(part), "{part}");
    }
    for part in ["src=", "url(", "no data"] {
        assert!(!html.contains(part), "{part}");
    }
    // Each frame is a time, a rotation matrix and a place.
    let (_, frames) = html.split_once("\"frames\":[[").unwrap();
    let (frame, _) = frames.split_once(']').unwrap();
    let numbers: Vec<f64> = frame.split(',').map(|x| x.parse().unwrap()).collect();
    assert_eq!(numbers.len(), 13);
    let square: f64 = numbers[1..10].iter().map(|x| x * x).sum();
    assert!((square - 3.0).abs() < 1e-3, "{frame}");
}

#[test]
fn a_reference_is_found_from_coarse_steps_and_not_looked_for_without_end() {
    let file = model("pendulum");
    let list = ["compare", &file, "--methods", "dop853", "--steps", "1", "--time", "2"];
    let (answer, _) = json(&list);
    let distance = answer["rows"][0]["reference_max"].as_f64().unwrap();
    assert!(distance < 1e-7, "{distance:e}");
    let endless = ["--steps", "1e-9", "--time", "1", "--max-steps", "10", "--methods", "rk4"];
    let (answer, _) = json(&[&["compare", file.as_str()], &endless[..]].concat());
    assert_eq!(answer["rows"][0]["outcome"], "step-limit");
    assert!(answer["reference"].is_null());
}

#[test]
fn a_run_that_makes_no_step_has_no_errors() {
    let file = model("pendulum");
    let (answer, exit) = json(&["compare", &file, "--methods", "rattle", "--steps", "1/2"]);
    let row = &answer["rows"][0];
    assert_eq!((row["outcome"].as_str(), exit), (Some("newton-stalled"), Some(1)));
    assert!(row["errors"]["energy_max"].is_null() && row["reference_max"].is_null());
}

#[test]
fn staggered_schemes_are_judged_by_their_positions() {
    let plot = temporary("slopes.svg");
    let path = plot.display().to_string();
    let list = ["convergence", &model("pendulum"), "--methods", "shake,dop853", "--plot", &path];
    let (answer, exit) = json(&list);
    assert_eq!(exit, Some(0), "{answer}");
    assert!(std::fs::read_to_string(plot).unwrap().contains("shake"));
    assert_eq!(row(&answer, "shake")["verdict"], "agrees");
    assert!(row(&answer, "dop853")["reason"].as_str().unwrap().contains("chooses its own steps"));
}

#[test]
fn inconsistent_initial_values_are_told() {
    for command in ["compare", "convergence", "drift"] {
        let output = isotrope(&[
            command,
            &model("pendulum"),
            "--methods",
            "rk4",
            "--initial",
            "x=1.1",
            "--time",
            "1",
        ]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains("violate a constraint on positions"), "{command}: {text}");
    }
}

/// Without a list the methods are those that suit the model, no map twice, and one of them is advised.
#[test]
fn a_comparison_without_a_list_advises_a_method() {
    let (answer, exit) = json(&["compare", &model("pendulum"), "--steps", "1/50", "--time", "2"]);
    assert_eq!(exit, Some(0));
    let rows = answer["rows"].as_array().unwrap();
    assert!((2..=8).contains(&rows.len()));
    let names: Vec<&str> = rows.iter().map(|row| row["method"].as_str().unwrap()).collect();
    assert!(names.iter().any(|name| name.starts_with("gauss-")), "{names:?}");
    let best = answer["recommended"].as_str().unwrap();
    assert!(names.contains(&best) && answer["reason"].as_str().unwrap().contains("work"));
    // No two rows have the same errors.
    for (k, one) in rows.iter().enumerate() {
        for other in &rows[..k] {
            assert_ne!(one["reference_max"], other["reference_max"]);
        }
    }
    // Advice is of the rows that there are: what keeps the structure is preferred to what does not.
    let list = ["compare", &model("pendulum"), "--methods", "rk4,rattle"];
    let (answer, _) = json(&[&list[..], &["--steps", "1/50", "--time", "2"]].concat());
    assert_eq!(answer["recommended"], "rattle");
    let list = ["compare", &model("pendulum"), "--methods", "rk4,euler"];
    let (answer, _) = json(&[&list[..], &["--steps", "1/50", "--time", "2"]].concat());
    assert_eq!(answer["recommended"], "rk4");
}

/// On a linear system the mean of the gradient along a chord is that in its middle: one map, one row.
#[test]
fn methods_that_make_the_same_steps_have_one_row() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("one_map.toml");
    let file = "coordinates = [\"x\"]\nlagrangian.L = \"x'^2/2 - x^2/2\"\n\
                initial.position.x = 1\ninitial.velocity.x = 0\n";
    std::fs::write(&path, file).unwrap();
    let (answer, _) =
        json(&["compare", &path.display().to_string(), "--steps", "1/10", "--time", "5"]);
    let rows = answer["rows"].as_array().unwrap();
    for (k, one) in rows.iter().enumerate() {
        for other in &rows[..k] {
            let (a, b) = (one["reference_max"].as_f64(), other["reference_max"].as_f64());
            let (Some(a), Some(b)) = (a, b) else { continue };
            assert!((a - b).abs() > 1e-6 * a, "{} and {}", one["method"], other["method"]);
        }
    }
}
