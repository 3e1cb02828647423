//! The structure defect along trajectories: `isotrope geometry MODEL --methods …`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn isotrope(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn rows(model: &Path, methods: &str, step: &str, time: &str) -> Vec<Value> {
    let model = model.to_str().unwrap();
    let output = isotrope(&[
        "geometry",
        model,
        "--methods",
        methods,
        "--step",
        step,
        "--time",
        time,
        "--json",
    ]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value = serde_json::from_slice(&output.stdout).expect(&told);
    report["trajectories"].as_array().expect(&told).clone()
}

fn shipped(name: &str) -> PathBuf {
    crate::common::models().join(format!("{name}.toml"))
}

fn at<'v>(row: &'v Value, base: &str) -> &'v Value {
    let points = row["base_points"].as_array().unwrap();
    points.iter().find(|point| point["base_point"] == base).unwrap()
}

fn number(value: &Value, part: &str, key: &str) -> f64 {
    value[part][key].as_f64().unwrap_or(f64::NAN)
}

#[test]
fn dirac_1_satisfies_its_structure_at_its_base_point() {
    for model in ["pendulum", "sleigh", "sleigh_incline", "pendulum_angle"] {
        let row = &rows(&shipped(model), "dirac-1", "1/50", "1")[0];
        assert_eq!(row["stated"], "staggered");
        let satisfied = row["satisfied_at"].as_array().unwrap();
        assert_eq!(satisfied, &[Value::from("staggered")], "{model}: {row}");
        // Elsewhere the defect is of first order.
        let power = number(at(row, "start"), "defect", "exponent");
        assert!((power - 1.0).abs() < 0.15, "{model}: {power}");
    }
}

#[test]
fn midpoint_rules_satisfy_it_in_the_middle_and_runge_kutta_with_a_power_of_h() {
    let found = rows(&shipped("pendulum_angle"), "midpoint,variational-midpoint,rk4", "1/50", "1");
    for row in &found[..2] {
        assert_eq!(row["satisfied_at"], Value::from(vec!["midpoint"]), "{row}");
    }
    let power = |row: &Value, base: &str, part: &str| number(at(row, base), part, "exponent");
    assert_eq!(found[2]["satisfied_at"], Value::from(Vec::<String>::new()));
    for (base, expected) in [("start", 1.0), ("midpoint", 2.0), ("end", 1.0)] {
        for part in ["legendre", "defect"] {
            let measured = power(&found[2], base, part);
            assert!((measured - expected).abs() < 0.1, "{base} {part}: {measured}");
        }
    }
    // From rest at the horizontal the force is better than that: its h² is L_qqq v² - 2 L_qq a, which
    // vanishes with v² = 2 g cos(theta).
    assert!(power(&found[2], "midpoint", "force") > 3.5);
    // On constraints the midpoint rule of the eliminated field leaves the admissible velocities.
    let found = rows(&shipped("sleigh"), "midpoint,rk4", "1/50", "1");
    for row in &found {
        for part in ["constraint", "legendre", "force"] {
            let measured = power(row, "midpoint", part);
            assert!((measured - 2.0).abs() < 0.1, "{part}: {measured}");
        }
    }
}

/// The same pendulum in coordinates (u, w), x = u + 2w, y = 3u - w, with its constraint scaled.
#[test]
fn the_defect_does_not_depend_on_linear_coordinates() {
    let text = r#"
        coordinates = ["u", "w"]
        [define]
        x = "u + 2*w"
        y = "3*u - w"
        [lagrangian]
        L = "(x'^2 + y'^2)/2 - 981/100*y"
        [constraints]
        rod = "5*(x^2 + y^2) = 5"
        [initial]
        position = { u = "1/7", w = "3/7" }
        velocity = { u = 0, w = 0 }
    "#;
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("structure_linear.toml");
    std::fs::write(&path, text).unwrap();
    let methods = "dirac-1,rk4,rattle";
    let (plain, turned) =
        (rows(&shipped("pendulum"), methods, "1/50", "1"), rows(&path, methods, "1/50", "1"));
    for (one, other) in plain.iter().zip(&turned) {
        for base in ["start", "staggered", "midpoint", "end"] {
            for part in ["defect", "constraint", "legendre", "force"] {
                let sizes = [one, other].map(|row| number(at(row, base), part, "max"));
                let close = (sizes[0] - sizes[1]).abs() < 1e-9 * (1.0 + sizes[0]);
                assert!(close, "{} {base} {part}: {sizes:?}", one["method"]);
            }
        }
    }
}

/// The defect of the pendulum at the midpoint by hand, from rows in a file.
#[test]
fn the_rows_of_a_run_have_the_same_defect() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("structure_rows.csv");
    let model = shipped("pendulum");
    let out = path.to_str().unwrap();
    let arguments = ["--method", "rk4", "--step", "1/50", "--time", "1", "--out", out];
    isotrope(&[&["run", model.to_str().unwrap()], &arguments[..]].concat());
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|other| *other == name).unwrap();
    let columns = ["t", "x", "y", "p_x", "p_y"].map(column);
    let states: Vec<[f64; 5]> = lines
        .map(|line| {
            let numbers: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            columns.map(|k| numbers[k])
        })
        .collect();
    assert_eq!(states.len(), 51);
    let mut most = [0.0_f64; 3];
    for pair in states.windows(2) {
        let ([t, x, y, px, py], [t1, x1, y1, px1, py1]) = (pair[0], pair[1]);
        let h = t1 - t;
        let (qx, qy) = ((x + x1) / 2.0, (y + y1) / 2.0);
        let w = [(x1 - x) / h, (y1 - y) / h];
        let v = [(px + px1) / 2.0, (py + py1) / 2.0];
        // L_q = (0, -g), A = 2(x, y), M = 1.
        let f = [(px1 - px) / h, (py1 - py) / h + 9.81];
        let length = qx.hypot(qy);
        let found = [
            (qx * w[0] + qy * w[1]).abs() / length,
            (w[0] - v[0]).hypot(w[1] - v[1]),
            (qx * f[1] - qy * f[0]).abs() / length,
        ];
        most.iter_mut().zip(found).for_each(|(most, found)| *most = most.max(found));
    }
    let row = &rows(&model, "rk4", "1/50", "1")[0];
    for (part, by_hand) in ["constraint", "legendre", "force"].into_iter().zip(most) {
        let told = number(at(row, "midpoint"), part, "max");
        assert!((told - by_hand).abs() < 1e-9 * (1.0 + by_hand), "{part}: {told} {by_hand}");
    }
}

#[test]
fn defects_of_all_steps_have_the_largest_and_the_mean_of_the_report() {
    let model = shipped("pendulum");
    let arguments = ["--methods", "rk4", "--step", "1/50", "--time", "1", "--json", "--per-step"];
    let output = isotrope(&[&["geometry", model.to_str().unwrap()], &arguments[..]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &report["trajectories"][0];
    for base in ["start", "staggered", "midpoint", "staggered-adjoint", "end"] {
        let found = at(row, base);
        for part in ["defect", "constraint", "legendre", "force"] {
            let list = found["per_step"][part].as_array().unwrap();
            let list: Vec<f64> = list.iter().map(|value| value.as_f64().unwrap()).collect();
            assert_eq!(list.len(), 50);
            let (most, sum) =
                (list.iter().fold(0.0, |a: f64, b| a.max(*b)), list.iter().sum::<f64>());
            assert_eq!(number(found, part, "max"), most);
            assert!((number(found, part, "mean") - sum / 50.0).abs() <= 1e-12 * (1.0 + sum));
        }
    }
    let plain = isotrope(&["geometry", model.to_str().unwrap(), "--methods", "rk4", "--per-step"]);
    assert_eq!(plain.status.code(), Some(2));
}
