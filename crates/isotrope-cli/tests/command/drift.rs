//! What `drift` says about long runs.

use std::process::{Command, Output};

use serde_json::Value;

fn drift(model: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .arg("drift")
        .arg(crate::common::models().join(format!("{model}.toml")))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn rows(model: &str, arguments: &[&str]) -> Vec<Value> {
    let output = drift(model, &[arguments, &["--json"]].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value = serde_json::from_slice(&output.stdout).expect(&told);
    report["rows"].as_array().unwrap().clone()
}

/// Keeping the constraints is not keeping the geometry: of four methods that do, three leave the
/// energy, with a direction or without one. In a short time here, over the whole of it with ISOTROPE_LONG.
#[test]
fn only_rattle_is_bounded_on_the_drift_test() {
    let time = if std::env::var_os("ISOTROPE_LONG").is_some() { "60000" } else { "2400" };
    let found = rows(
        "sphere_drift",
        &[
            "--methods",
            "rattle,midpoint,gauss-2,lobatto-iiia-iiib-3",
            "--step",
            "0.02,0.02,0.08,0.08",
            "--time",
            time,
        ],
    );
    let drifts: Vec<bool> = found.iter().map(|row| row["drifts"].as_bool().unwrap()).collect();
    let says = |row: &Value, key: &str| row[key].as_bool().unwrap();
    let leaves: Vec<bool> =
        found.iter().map(|row| says(row, "drifts") || says(row, "wanders")).collect();
    assert_eq!(leaves, [false, true, true, true]);
    let number = |row: usize, key: &str| found[row][key].as_f64().unwrap();
    // What is claimed is what was measured.
    for (row, &drifts) in drifts.iter().enumerate() {
        let time: f64 = time.parse().unwrap();
        let moved = (number(row, "slope").abs() - number(row, "slope_uncertainty")) * time;
        assert_eq!(drifts, moved > number(row, "amplitude"));
        // The orbit is chaotic, whatever the method.
        let exponent = number(row, "lyapunov");
        assert!(exponent > 0.03 && exponent < 0.5, "{exponent}");
        assert!(found[row]["curve"].as_array().unwrap().len() > 100);
    }
    assert!(number(0, "form_defect_max") < 1e-13);
    assert!((1..4).all(|row| number(row, "form_defect_max") > 1e-8));
    assert!(number(0, "energy_max") < 1.2e-2);
    assert!(number(0, "constraint_max") < 1e-14 && number(1, "constraint_max") > 1e-5);
}

/// Energy 1/12 is regular for the orbit of the model, almost all orbits of energy 1/6 are chaotic.
#[test]
fn exponents_tell_chaotic_orbits_from_regular_ones() {
    let common = ["--methods", "yoshida-4", "--step", "0.1", "--time", "2000"];
    let chaotic = ["--initial", "y=-0.1", "--initial", "p_x=sqrt(2*(1/6-1/200-1/3000))"];
    let regular = rows("henon_heiles", &common);
    let chaotic = rows("henon_heiles", &[&common[..], &chaotic].concat());
    let exponent = |rows: &[Value]| rows[0]["lyapunov"].as_f64().unwrap();
    assert!(exponent(&regular).abs() < 5e-3, "{}", exponent(&regular));
    assert!(exponent(&chaotic) > 0.05, "{}", exponent(&chaotic));
    for rows in [regular, chaotic] {
        assert_eq!(rows[0]["drifts"], false);
        assert!(rows[0]["form_defect_max"].as_f64().unwrap() < 1e-13);
        assert_eq!(rows[0]["constraint_growth"], Value::Null);
    }
}

/// A pendulum passes its lowest point after odd quarters of its period, 4K(sin 1/2).
#[test]
fn crossings_are_where_the_pendulum_is_known_to_cross() {
    let found = rows(
        "pendulum_angle",
        &[
            "--set",
            "g=1",
            "--initial",
            "theta=1",
            "--methods",
            "gauss-4,dop853",
            "--step",
            "1/20",
            "--time",
            "50",
            "--section",
            "theta = 0",
        ],
    );
    let period = 6.699_975_664_370_453;
    for (row, enough) in found.iter().zip([1e-10, 1e-8]) {
        let crossings = row["crossings"].as_array().unwrap();
        assert_eq!(crossings.len(), 15);
        for (k, crossing) in crossings.iter().enumerate() {
            let wanted = period * (2 * k + 1) as f64 / 4.0;
            let t = crossing["t"].as_f64().unwrap();
            assert!((t - wanted).abs() < enough, "{k}: {t} {wanted}");
            assert!(crossing["q"][0].as_f64().unwrap().abs() < 1e-14);
            assert_eq!(crossing["direction"], if k % 2 == 0 { -1 } else { 1 });
        }
    }
}

#[test]
fn crossings_are_written() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("section.csv");
    let out = file.display().to_string();
    let arguments = ["--methods", "verlet", "--step", "1/10", "--time", "100"];
    let section = ["--section", "x", "--out", &out];
    assert!(drift("henon_heiles", &[&arguments[..], &section].concat()).status.success());
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.starts_with("method,t,x,y,v_x,v_y,direction"), "{text}");
    assert!(text.lines().count() > 20);
}

#[test]
fn what_does_not_fit_is_refused() {
    let told = |arguments: &[&str]| {
        let output = drift("pendulum", arguments);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let steps = told(&["--methods", "rk4,rattle,euler", "--step", "0.1,0.2", "--time", "1"]);
    assert!(steps.contains("ISO-DRIFT-001"), "{steps}");
    for section in ["z = 0", "x = 0 = y", "x +", ""] {
        let text = told(&["--methods", "rk4", "--time", "1", "--section", section]);
        assert!(text.contains("ISO-DRIFT-002"), "{section}: {text}");
    }
    // A method that makes no sense is a row with a reason.
    let output = drift("sleigh", &["--methods", "rattle", "--time", "1", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["rows"][0]["outcome"], "not-applicable");
}

#[test]
fn every_shipped_model_has_an_answer() {
    for path in crate::common::all_systems() {
        let name = &crate::common::name(&path);
        let arguments = ["--methods", "midpoint", "--step", "1/1000", "--time", "1/20"];
        let output = drift(name, &arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {told}");
    }
}

#[test]
fn rounding_and_constant_offsets_are_no_drift() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("oscillator.toml");
    let text = "coordinates = [\"x\"]\nlagrangian.L = \"(x'^2 - x^2)/2\"\n\
                initial.position = { x = 1 }\ninitial.velocity = { x = 0 }\n";
    std::fs::write(&path, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .arg("drift")
        .arg(&path)
        .args(["--methods", "dla-midpoint,midpoint,gauss-2,avf", "--step", "0.02", "--time", "200"])
        .arg("--json")
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for row in report["rows"].as_array().unwrap() {
        assert_eq!(row["drifts"], false, "{row}");
    }
    assert_eq!(report["rows"][3]["rounding"], true);
}

#[test]
fn forces_change_the_form_by_themselves() {
    let row =
        &rows("ziegler_damped", &["--methods", "midpoint", "--step", "0.01", "--time", "5"])[0];
    assert!(row["form_defect_max"].is_null());
}

fn flow(model: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .arg("flow")
        .arg(crate::common::models().join(format!("{model}.toml")))
        .args(arguments)
        .arg("--json")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let report = match output.stdout.is_empty() {
        true => Value::String(told),
        false => serde_json::from_slice(&output.stdout).expect(&told),
    };
    (output.status.code(), report)
}

/// Variational methods keep dq∧dp, also on a constraint manifold; Runge–Kutta methods on the
/// eliminated field do not, and where there is no form nothing is claimed.
#[test]
fn symplectic_steps_pass_and_the_others_fail() {
    for (model, method, wanted, code) in [
        ("henon_heiles", "variational-midpoint", "symplectic", 0),
        ("pendulum_angle", "galerkin-2-gauss2", "symplectic", 0),
        ("sphere_drift", "rattle", "symplectic", 0),
        ("henon_heiles", "rk4", "not-symplectic", 1),
        ("pendulum", "midpoint", "not-symplectic", 1),
        ("sphere_drift", "midpoint", "not-symplectic", 1),
        ("sleigh", "dla-midpoint", "not-applicable", 1),
    ] {
        let arguments =
            ["--method", method, "--step", "1/50", "--time", "1", "--check", "symplectic"];
        let (exit, report) = flow(model, &arguments);
        assert_eq!(report["symplectic"]["verdict"], wanted, "{model} {method}");
        assert_eq!(exit, Some(code), "{model} {method}");
        if wanted == "symplectic" {
            let determinant = report["monodromy"]["determinant"].as_f64().unwrap();
            assert!((determinant - 1.0).abs() < 1e-12, "{determinant}");
        }
        if method == "midpoint" {
            let power = report["symplectic"]["power"].as_f64().unwrap();
            assert!((power - 3.0).abs() < 0.2, "{power}");
        }
    }
}

/// At small steps the defect of every method is below rounding: larger ones show it, and its order.
#[test]
fn a_defect_below_rounding_is_found_at_larger_steps() {
    for (model, method, step, time, power) in [
        ("pendulum_angle", "rk4", "1/1000", "1/10", Some(6.0)),
        ("henon_heiles", "rk4", "1/1000", "1/100", Some(6.0)),
        ("double_pendulum", "radau-iia-3", "1/1000", "1/10", Some(6.0)),
        ("henon_heiles", "radau-iia-4", "1/100", "1/2", Some(8.0)),
        ("lotka_volterra", "rk4", "1/1000", "1/50", Some(5.0)),
        ("guiding_centre", "projected:variational-midpoint", "1/20", "1", Some(6.0)),
        ("henon_heiles", "variational-midpoint", "1/1000", "1/100", None),
        ("pendulum_angle", "galerkin-2-gauss2", "1/1000", "1/100", None),
        ("sphere_drift", "rattle", "1/1000", "1/100", None),
        ("lotka_volterra", "dvi-2", "1/20", "1", None),
    ] {
        let arguments =
            ["--method", method, "--step", step, "--time", time, "--check", "symplectic"];
        let (exit, report) = flow(model, &arguments);
        let found = &report["symplectic"];
        assert!(found["defect_max"].as_f64() <= found["rounding"].as_f64(), "{model} {method}");
        assert_eq!(exit, Some(i32::from(power.is_some())), "{model} {method}: {found}");
        match (power, found["power"].as_f64()) {
            (Some(wanted), Some(power)) => {
                assert!((power - wanted).abs() < 0.9, "{model} {method}: {found}");
            }
            (wanted, power) => assert!(wanted.is_none() && power.is_none(), "{model} {method}"),
        }
    }
}

/// Momenta follow from positions where the Lagrangian is linear in the velocities: dx∧dy/(xy) is kept,
/// so the matrix M in q obeys det M = (x y at the end)/(x y at the start).
#[test]
fn the_form_of_a_first_order_lagrangian_is_kept() {
    let arguments = ["--method", "dvi-2", "--step", "1/20", "--time", "1"];
    let (exit, report) = flow("lotka_volterra", &arguments);
    assert_eq!(exit, Some(0));
    let matrix = &report["monodromy"]["matrix"];
    let entry = |i: usize, j: usize| matrix[i][j].as_f64().unwrap();
    let area = |point: &Value| point["q"][0].as_f64().unwrap() * point["q"][1].as_f64().unwrap();
    let determinant = entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0);
    let wanted = area(&report["end"]) / area(&report["start"]);
    assert!((determinant - wanted).abs() < 1e-12, "{determinant} {wanted}");
}

/// Tangent vectors of a chaotic motion overflow, exponents do not; and an equilibrium is not an orbit.
#[test]
fn exponents_outlive_the_matrix_and_equilibria_have_no_period() {
    let mut chaotic = vec!["--method", "variational-midpoint", "--step", "1/10"];
    chaotic.extend(["--time", "7000", "--lyapunov"]);
    chaotic.extend(["--initial", "y=-0.15", "--initial", "p_x=0.5552"]);
    let (exit, report) = flow("henon_heiles", &chaotic);
    assert_eq!(exit, Some(0), "{report}");
    assert!(report["monodromy"].is_null() && !report["remarks"][0].is_null());
    assert!((report["lyapunov"]["exponents"][0].as_f64().unwrap() - 0.12).abs() < 0.03);

    let mut still = vec!["--method", "gauss-4", "--step", "1/20", "--time", "13/2"];
    still.extend(["--set", "g=1", "--initial", "theta=1/10", "--periodic", "--fix", "t"]);
    let (exit, report) = flow("pendulum_angle", &still);
    assert_eq!((exit, &report["shooting"]["equilibrium"]), (Some(1), &Value::Bool(true)));
    assert!(report["shooting"]["period"].is_null());

    let short = ["--method", "midpoint", "--step", "1/10", "--time", "1/10", "--lyapunov"];
    let (exit, report) = flow("kepler", &short);
    assert!(exit == Some(1) && report["lyapunov"].is_null() && !report["remarks"][0].is_null());
    for (name, code) in [("N", "ISO-FLOW-011"), ("", "ISO-FLOW-003")] {
        let (exit, told) = flow("chain", &["--method", "midpoint", "--sensitivity", name]);
        assert!(exit == Some(2) && told.as_str().unwrap().contains(code), "{told}");
    }
}

/// 4 K(sin(1/2)) is the period of the pendulum from th = 1; of Newton's rounds each squares the
/// error.
#[test]
fn the_period_of_the_pendulum_is_found_quadratically() {
    let arguments = [
        "--method",
        "gauss-4",
        "--step",
        "1/20",
        "--time",
        "13/2",
        "--set",
        "g=1",
        "--initial",
        "theta=1",
        "--periodic",
        "--fix",
        "theta,theta'",
    ];
    let (exit, report) = flow("pendulum_angle", &arguments);
    assert_eq!(exit, Some(0));
    let period = report["shooting"]["period"].as_f64().unwrap();
    assert!((period - 6.699_975_664_370_453).abs() < 1e-12, "{period}");
    let rounds = report["shooting"]["iterates"].as_array().unwrap();
    assert!(rounds.len() <= 6);
    let residual = |k: usize| rounds[k]["residual"].as_f64().unwrap();
    assert!((0..2).all(|k| residual(k + 1) < residual(k).powi(2)));
    assert_eq!(report["monodromy"]["closed"], true);
}

/// The end of a Kepler orbit by other velocities; a point that no velocity reaches is a negative
/// answer, and names that are none are refused.
#[test]
fn shooting_hits_or_says_that_it_does_not() {
    let shoot = |target: &str| {
        let arguments = ["--method", "gauss-3", "--step", "1/50", "--time", "1", "--shoot", target];
        flow("kepler", &arguments)
    };
    let (exit, report) = shoot("x=0,y=1");
    assert_eq!((exit, report["shooting"]["converged"].as_bool()), (Some(0), Some(true)));
    assert!((report["end"]["q"][1].as_f64().unwrap() - 1.0).abs() < 1e-12);
    let (exit, told) = shoot("x=0");
    assert_eq!(exit, Some(2));
    assert!(told.as_str().unwrap().contains("ISO-FLOW-006"));
}

/// Exponents of a Hamiltonian system come in pairs; of the two orbits of Hénon and Heiles one is
/// chaotic.
#[test]
fn exponents_pair_up_and_tell_chaos_from_order() {
    let run = |y: &str, energy: &str| {
        let arguments = [
            "--method",
            "variational-midpoint",
            "--step",
            "1/10",
            "--time",
            "2000",
            "--lyapunov",
            "--initial",
            y,
            "--initial",
            energy,
        ];
        let (_, report) = flow("henon_heiles", &arguments);
        let exponents = report["lyapunov"]["exponents"].as_array().unwrap();
        let exponents: Vec<f64> = exponents.iter().map(|x| x.as_f64().unwrap()).collect();
        assert!(report["lyapunov"]["pairing"].as_f64().unwrap() < 1e-3);
        assert!(report["lyapunov"]["sum"].as_f64().unwrap().abs() < 1e-10);
        exponents
    };
    // E = 1/6 and E = 1/12 about, on x = 0.
    let chaotic = run("y=-0.15", "p_x=0.5552");
    let regular = run("y=0.1", "p_x=0.39");
    assert!(chaotic[0] > 0.03, "{chaotic:?}");
    assert!(regular[0] < 0.01, "{regular:?}");
}

/// By scaling, θ(T) depends on g and l by g/l alone: g ∂θ/∂g = −l ∂θ/∂l; and T √(g/l) is the only time.
#[test]
fn sensitivities_have_the_scaling_of_the_pendulum() {
    let arguments = [
        "--method",
        "gauss-3",
        "--step",
        "1/50",
        "--time",
        "1",
        "--sensitivity",
        "g,l",
        "--second",
    ];
    let (exit, report) = flow("pendulum_angle", &arguments);
    assert_eq!(exit, Some(0));
    let first = |k: usize| report["sensitivities"][k]["q"][0].as_f64().unwrap();
    let (g, velocity) = (9.81, report["end"]["v"][0].as_f64().unwrap());
    assert!((g * first(0) + first(1)).abs() < 1e-9);
    // The method has order 6: T θ'(T)/2 = g ∂θ/∂g up to its error.
    assert!((g * first(0) - velocity / 2.0).abs() < 1e-6);
    let second = |k: usize| report["second"][k]["q"][0].as_f64().unwrap();
    // θ = f(g/l): g θ_gl = −θ_g·1 − g² θ_gg / … at l = 1: θ_gl = −θ_g − g θ_gg.
    assert!((second(1) + first(0) + g * second(0)).abs() < 1e-9);
}

/// dΦ D dΦᵀ = D∘Φ for splitting, and not for the midpoint rule; both keep the Casimir function.
#[test]
fn brackets_are_kept_by_poisson_maps_only() {
    let found = rows(
        "poisson/rigid_body",
        &["--methods", "splitting-2,lie-poisson-2,midpoint", "--time", "50"],
    );
    let defect = |row: usize| found[row]["poisson_defect_max"].as_f64().unwrap();
    assert!(defect(0) < 1e-13 && defect(1) < 1e-12 && defect(2) > 1e-8, "{found:?}");
    assert!(found.iter().all(|row| row["form_defect_max"].is_null()));
    let plain = rows("pendulum_angle", &["--methods", "midpoint", "--step", "1/10", "--time", "5"]);
    assert!(plain[0]["poisson_defect_max"].is_null());
    for (method, verdict, exit) in
        [("splitting-4", "poisson", Some(0)), ("midpoint", "not-poisson", Some(1))]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_isotrope"))
            .arg("flow")
            .arg(crate::common::models().join("poisson/toda.toml"))
            .args(["--method", method, "--time", "2", "--check", "poisson", "--json"])
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (report["poisson"]["verdict"].as_str(), output.status.code()),
            (Some(verdict), exit)
        );
        assert_eq!(report["symplectic"]["verdict"], "not-applicable");
    }
    // Where the bracket vanishes every map keeps it: that says nothing, and states beside do.
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("drift_vanishing.toml");
    let check = |bracket: &str| {
        let text = format!(
            "coordinates = [\"x\", \"y\"]\n[poisson]\nhamiltonian = \"(x^2 + y^2)/2\"\n\"x,y\" = \"{bracket}\"\n\
             [initial]\nposition = {{ x = 0, y = 1 }}\n[run]\nstep = \"1/10\"\ntime = 2\n"
        );
        std::fs::write(&path, text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_isotrope"))
            .arg("flow")
            .arg(&path)
            .args(["--method", "midpoint", "--check", "poisson", "--json"])
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let report: Value = serde_json::from_slice(&output.stdout).expect(&told);
        report["poisson"]["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(check("x"), "not-poisson");
    assert_eq!(check("1"), "poisson");
    assert_eq!(check("0"), "not-applicable");
}

/// The canonical form of left-trivialised momenta: kept by the variational step, not by a method of the field.
#[test]
fn the_form_on_a_group_is_kept_by_variational_steps_alone() {
    let methods = "lie-cayley,lie-exp-4,rkmk-rk4,lie-midpoint";
    let found = rows("heavy_top", &["--methods", methods, "--step", "1/20", "--time", "20"]);
    for row in &found {
        let (method, defect) = (&row["method"], row["form_defect_max"].as_f64().unwrap());
        let kept = method.as_str().unwrap().starts_with("lie-cayley") || method == "lie-exp-4";
        assert_eq!(defect < 1e-12, kept, "{method}: {defect:e}");
        assert!(kept || defect > 1e-8, "{method}: {defect:e}");
    }
    assert_eq!(found.len(), 4);
}

/// A skate in a bowl: one constraint on positions and one that does not integrate.
const SKATE: &str = r#"
name = "skate in a bowl"
coordinates = ["x", "y", "z", "theta"]
lagrangian.L = "(x'^2 + y'^2 + z'^2 + theta'^2)/2 - z"
constraints.bowl = "z = (x^2 + y^2)/2"
constraints.blade = "sin(theta)*x' - cos(theta)*y' = 0"
initial.position = { x = 1, y = 0, z = "1/2", theta = 0 }
initial.velocity = { x = 1, y = 0, z = 1, theta = 1 }
"#;

/// One nonholonomic constraint among holonomic ones is enough: the form is degenerate where they hold.
#[test]
fn there_is_no_form_where_a_constraint_does_not_integrate() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("skate.toml");
    std::fs::write(&model, SKATE).unwrap();
    let answer = |command: &str, methods: &[&str]| -> Value {
        let output = Command::new(env!("CARGO_BIN_EXE_isotrope"))
            .arg(command)
            .arg(&model)
            .args(methods)
            .args(["--step", "1/100", "--time", "1", "--json"])
            .output()
            .unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let drift = answer("drift", &["--methods", "spark-lobatto-2"]);
    assert_eq!(drift["rows"][0]["outcome"], "completed");
    assert_eq!(drift["rows"][0]["form_defect_max"], Value::Null);
    let flow = answer("flow", &["--method", "spark-lobatto-2", "--check", "symplectic"]);
    assert_eq!(flow["symplectic"]["verdict"], "not-applicable");
    let reason = flow["symplectic"]["reason"].as_str().unwrap();
    assert!(reason.starts_with("nonholonomic constraints"), "{reason}");
}
