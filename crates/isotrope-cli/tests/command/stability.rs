//! What `stability` computes and says.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn stability(model: &str, arguments: &[&str]) -> Output {
    // A shipped model by its name, or the text of one.
    let text = if model.contains('\n') {
        model.to_owned()
    } else {
        std::fs::read_to_string(crate::common::models().join(format!("{model}.toml"))).unwrap()
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(["stability", "-"])
        .args(arguments)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn json(model: &str, arguments: &[&str]) -> Value {
    let output = stability(model, &[arguments, &["--json"]].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{told}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The critical values of a kind: number and exact text.
fn critical(report: &Value, kind: &str) -> Vec<(f64, Option<String>)> {
    let list = report["critical"].as_array().unwrap().iter();
    let of_kind = list.filter(|entry| entry["kind"] == kind);
    of_kind
        .map(|entry| (entry["value"].as_f64().unwrap(), entry["exact"].as_str().map(str::to_owned)))
        .collect()
}

fn largest_real_part(eigenvalues: &Value) -> f64 {
    let list = eigenvalues.as_array().unwrap().iter();
    list.fold(f64::NEG_INFINITY, |largest, z| largest.max(z[0].as_f64().unwrap()))
}

fn row<'a>(report: &'a Value, method: &str) -> &'a Value {
    report["methods"].as_array().unwrap().iter().find(|row| row["method"] == method).unwrap()
}

/// (7/2 - sqrt 2) k/l: Ziegler 1952 for these masses.
const FLUTTER: f64 = 2.085_786_437_626_905;

#[test]
fn zieglers_column_flutters_at_seven_halves_minus_root_two_in_both_coordinates() {
    for model in ["ziegler_angles", "ziegler"] {
        let report = json(model, &["--vary", "P=1..3", "--methods", "none"]);
        let flutter = critical(&report, "flutter");
        assert_eq!(flutter.len(), 1, "{model}");
        assert!((flutter[0].0 - FLUTTER).abs() < 1e-14, "{model}");
        assert_eq!(flutter[0].1.as_deref(), Some("7/2-sqrt(2)"), "{model}");
        let singular = critical(&report, "symmetric-part-singular");
        assert_eq!(singular, [(2.0, Some("2".to_owned()))], "{model}");
        assert!(critical(&report, "divergence").is_empty(), "{model}");
        assert_eq!(report["nonconservativity"]["degree"], 1, "{model}");
        assert_eq!(report["state"], "stable", "{model}: P = 3/2");
        assert_eq!(report["curve"].as_array().unwrap().len(), 201, "{model}");
    }
    let report = json("ziegler_angles", &["--vary", "P=1..3", "--methods", "none"]);
    // By hand: K = [2k - P l, P l - k; -k, k] for k = l = 1.
    assert_eq!(report["matrices"]["K"][1][0], "-1");
    assert_eq!(report["matrices"]["K_skew"][0][1], "P/2");
    assert_eq!(report["nonconservativity"]["constraints"][0], "dtheta2 = 0");
    // With theta2 held, 2 k - P l is the stiffness of what is left: it diverges at P = 2.
    let mut list = report["critical"].as_array().unwrap().iter();
    let singular = list.find(|c| c["kind"] == "symmetric-part-singular").unwrap();
    assert_eq!(singular["constraint"], "dtheta2 = 0");
}

#[test]
fn the_scan_meets_the_polynomials() {
    // With k = pi no polynomial has rational coefficients, and all loads scale with k.
    let report =
        json("ziegler_angles", &["--vary", "P=1..8", "--set", "k=pi", "--methods", "none"]);
    let pi = std::f64::consts::PI;
    let (flutter, singular) =
        (critical(&report, "flutter"), critical(&report, "symmetric-part-singular"));
    assert_eq!((flutter.len(), singular.len()), (1, 1));
    assert!((flutter[0].0 - FLUTTER * pi).abs() < 1e-11, "{flutter:?}");
    assert!((singular[0].0 - 2.0 * pi).abs() < 1e-13, "{singular:?}");
    assert_eq!((&flutter[0].1, &singular[0].1), (&None, &None));
    assert_eq!(report["nonconservativity"]["degree"], 1);
}

#[test]
fn damping_makes_zieglers_column_flutter_earlier() {
    // Herrmann and Jong 1965: (4 a^2 + 33 a b + 4 b^2)/(2 (a^2 + 7 a b + 6 b^2)) + a b/2 for
    // dampers a at the base and b at the joint.
    let load = |a: f64, b: f64| {
        (4.0 * a * a + 33.0 * a * b + 4.0 * b * b) / (2.0 * (a * a + 7.0 * a * b + 6.0 * b * b))
            + a * b / 2.0
    };
    let report = json("ziegler_damped", &["--vary", "P=1..3", "--methods", "none"]);
    let flutter = critical(&report, "flutter");
    assert_eq!(flutter.len(), 1);
    // 41/28 + 1/200.
    assert_eq!(flutter[0].1.as_deref(), Some("2057/1400"));
    assert!((flutter[0].0 - load(0.1, 0.1)).abs() < 1e-14);
    assert_ne!(report["matrices"]["C"][0][0], "0");
    let report =
        json("ziegler_damped", &["--vary", "P=1..3", "--set", "c2=1/5", "--methods", "none"]);
    assert!((critical(&report, "flutter")[0].0 - load(0.1, 0.2)).abs() < 1e-14);
    // A damper that is not a rational number: by scan and bisection.
    let report =
        json("ziegler_damped", &["--vary", "P=1..3", "--set", "c1=pi/20", "--methods", "none"]);
    let damper = std::f64::consts::PI / 20.0;
    let flutter = critical(&report, "flutter");
    assert!((flutter[0].0 - load(damper, damper)).abs() < 1e-12, "{flutter:?}");
    // Methods on a damped system: rk4 at the same load, Euler's before, implicit Euler's behind it.
    let report = json(
        "ziegler_damped",
        &["--vary", "P=1..3", "--points", "3", "--methods", "rk4,euler,implicit-euler"],
    );
    let shift = |method: &str| row(&report, method)["shift"].as_f64().unwrap();
    assert!(shift("rk4").abs() < 1e-7, "{}", shift("rk4"));
    assert!(shift("euler") < -0.05 && shift("implicit-euler") > 0.05);
    // A parameter that is given by the varied one goes with it: c2 = c1.
    let report =
        json("ziegler_damped", &["--vary", "c1=1/100..2", "--set", "P=2", "--methods", "none"]);
    let flutter = critical(&report, "flutter");
    // 41/28 + c^2/2 = 2 at c = sqrt(15/14).
    assert!((flutter[0].0 - (15.0f64 / 14.0).sqrt()).abs() < 1e-14, "{flutter:?}");
}

#[test]
fn a_pendulum_upside_down_is_unstable_at_once_in_both_coordinates() {
    let angle =
        json("pendulum_angle", &["--vary", "g=1..10", "--guess", "theta=3.1", "--methods", "none"]);
    let cartesian = json(
        "pendulum",
        &["--vary", "g=1..10", "--guess", "x=0.1", "--guess", "y=0.9", "--methods", "none"],
    );
    assert_eq!(angle["equilibrium_exact"]["theta"], "pi");
    assert_eq!(cartesian["equilibrium_exact"]["y"], "1");
    for report in [&angle, &cartesian] {
        assert_eq!(report["state"], "divergence");
        assert_eq!(report["critical"].as_array().unwrap().len(), 0);
        let growth = largest_real_part(&report["eigenvalues"]);
        assert!((growth - 9.81f64.sqrt()).abs() < 1e-13, "{growth}");
        assert_eq!(report["nonconservativity"]["degree"], 0);
    }
    let hanging = json("pendulum", &["--vary", "g=1..10", "--guess", "x=0.1", "--guess", "y=-0.9"]);
    assert_eq!(hanging["state"], "stable");
    // A rod that pulls: lambda = m g y / (2 l^2) with y = -1.
    let lambda = hanging["multipliers"]["rod"].as_f64().unwrap();
    assert!((lambda + 9.81 / 2.0).abs() < 1e-13, "{lambda}");
    for method in ["midpoint", "rk4", "dirac-1"] {
        assert_eq!(row(&hanging, method)["outcome"], "stable", "{method}");
    }
}

const SPINNING: &str = r#"
name = "Gyroscopic stabilisation"
coordinates = ["x", "y"]
[parameters]
B = 1
k = -1
[lagrangian]
L = "(x'^2 + y'^2)/2 + B/2*(x*y' - y*x') - k/2*(x^2 + y^2)"
[initial]
position = { x = 0.1, y = 0 }
velocity = { x = 0, y = 0 }
"#;

#[test]
fn gyroscopic_forces_stabilise_a_maximum_of_the_potential() {
    // s^4 + (B^2 + 2 k) s^2 + k^2: stable from B = 2 sqrt(-k) on.
    let report = json(SPINNING, &["--vary", "B=1..3", "--methods", "none"]);
    assert_eq!(critical(&report, "flutter"), [(2.0, Some("2".to_owned()))]);
    assert_eq!(report["critical"][0]["unstable"], serde_json::json!([2, 0]));
    assert_eq!(report["matrices"]["C"][0][1], "0");
    assert_ne!(report["matrices"]["G"][0][1], "0");
    // Along k: two eigenvalues pass zero together at k = 0, and flutter sets in at -B^2/4.
    let report = json(SPINNING, &["--vary", "k=-1..1", "--methods", "none"]);
    assert_eq!(critical(&report, "divergence"), [(0.0, Some("0".to_owned()))]);
    assert_eq!(critical(&report, "flutter"), [(-0.25, Some("-1/4".to_owned()))]);
}

const TORQUE: &str = r#"
name = "Pendulum with a torque"
coordinates = ["theta"]
[parameters]
P = 0
[lagrangian]
L = "theta'^2/2 + cos(theta)"
[forces]
theta = "P"
[initial]
position = { theta = 0.1 }
velocity = { theta = 0 }
"#;

#[test]
fn an_equilibrium_that_moves_is_followed() {
    // sin(theta) = P and s^2 = -cos(theta): s^4 = 1 - P^2.
    let report = json(TORQUE, &["--vary", "P=0..0.99", "--methods", "rk4"]);
    assert_eq!(report["equilibrium_exact"], Value::Null);
    for point in report["curve"].as_array().unwrap() {
        let p = point["value"].as_f64().unwrap();
        let frequency = point["eigenvalues"][0][1].as_f64().unwrap();
        assert!((frequency.powi(4) - (1.0 - p * p)).abs() < 1e-12, "{point}");
    }
    assert_eq!(row(&report, "rk4")["outcome"], "stable");
}

const BUCKLING: &str = r#"
name = "Rod on a spring"
coordinates = ["theta"]
[parameters]
P = 1
[lagrangian]
L = "theta'^2/2 - theta^2 - P*cos(theta)"
[initial]
position = { theta = 0.1 }
velocity = { theta = 0 }
"#;

#[test]
fn a_rod_on_a_spring_buckles_where_its_stiffness_vanishes() {
    let report = json(BUCKLING, &["--vary", "P=0..5", "--methods", "midpoint"]);
    assert_eq!(critical(&report, "divergence"), [(2.0, Some("2".to_owned()))]);
    assert_eq!(report["critical"].as_array().unwrap().len(), 1);
    assert_eq!(report["critical"][0]["unstable"], serde_json::json!([0, 1]));
    // The midpoint rule loses stability where the system does.
    let threshold = row(&report, "midpoint")["value"].as_f64().unwrap();
    assert!((threshold - 2.0).abs() < 1e-6, "{threshold}");
}

const OSCILLATOR: &str = r#"
name = "Oscillator"
coordinates = ["x"]
[parameters]
P = 1
[lagrangian]
L = "x'^2/2 - P*x^2/2"
[initial]
position = { x = 1 }
velocity = { x = 0 }
"#;

#[test]
fn steps_grow_beyond_the_stability_intervals_of_the_textbooks() {
    // h = 1: h omega = sqrt(P) reaches 2 for symplectic Euler, Verlet and dirac-1, 2 sqrt(2) for rk4.
    let names = "symplectic-euler,dirac-1,rk4,euler,implicit-euler,midpoint";
    let report = json(OSCILLATOR, &["--vary", "P=1..9", "--step", "1", "--methods", names]);
    for (method, limit) in [("symplectic-euler", 4.0), ("dirac-1", 4.0), ("rk4", 8.0)] {
        let value = row(&report, method)["value"].as_f64().unwrap();
        assert!((value - limit).abs() < 1e-6, "{method}: {value}");
    }
    assert_eq!(row(&report, "midpoint")["outcome"], "stable");
    // |1 + i h omega|: the rate is log(1 + h^2 P)/(2 h).
    let euler = row(&report, "euler");
    assert_eq!(euler["outcome"], "unstable");
    for (end, p) in [(0, 1.0f64), (1, 9.0)] {
        let rate = euler["growth"][end].as_f64().unwrap();
        assert!((rate - p.ln_1p() / 2.0).abs() < 1e-9, "{rate}");
        let rate = row(&report, "implicit-euler")["growth"][end].as_f64().unwrap();
        assert!((rate + p.ln_1p() / 2.0).abs() < 1e-9, "{rate}");
    }
}

#[test]
fn methods_shift_the_flutter_load() {
    let names = "rk4,midpoint,euler,implicit-euler,dirac-2";
    for (model, names) in
        [("ziegler_angles", &*format!("{names},generalized-alpha,dop853")), ("ziegler", names)]
    {
        let report = json(model, &["--vary", "P=1..3", "--points", "21", "--methods", names]);
        for method in ["rk4", "midpoint"] {
            let shift = row(&report, method)["shift"].as_f64().unwrap();
            assert!(shift.abs() < 1e-5, "{model} {method}: {shift}");
        }
        assert_eq!(row(&report, "euler")["outcome"], "unstable", "{model}");
        if model == "ziegler_angles" {
            // Two-step accelerations are directions of their own, however small.
            let shift = row(&report, "generalized-alpha")["shift"].as_f64().unwrap();
            assert!(shift.abs() < 1e-5, "{shift}");
            assert_eq!(row(&report, "dop853")["outcome"], "not-applicable");
        }
        // Damping by the method hides the flutter for a while.
        let late = row(&report, "implicit-euler")["shift"].as_f64().unwrap();
        assert!(late > 1e-5, "{model}: {late}");
        // dirac-2: (z-1)^2 (z+1) + 2 h^2 w^2 z^2 = 0 has a root near -1 - h^2 w^2/2 for every
        // frequency, and growth of the rate h w^2/2.
        let leap = row(&report, "dirac-2");
        assert_eq!(leap["outcome"], "unstable", "{model}");
        assert_eq!(leap["principal"]["outcome"], "threshold", "{model}");
        let frequency = report["curve"][0]["eigenvalues"][0][1].as_f64().unwrap();
        let rate = leap["growth"][0].as_f64().unwrap();
        assert!((rate / (0.01 * frequency * frequency / 2.0) - 1.0).abs() < 0.01, "{rate}");
    }
}

#[test]
fn refusals_have_their_codes() {
    let cases: [(&str, &str, &[&str]); 12] = [
        ("ISO-STABILITY-001", "ziegler_angles", &["--vary", "P"]),
        ("ISO-STABILITY-001", "ziegler_angles", &["--vary", "P=1..x"]),
        ("ISO-STABILITY-002", "ziegler_angles", &["--vary", "P=3..1"]),
        ("ISO-STABILITY-003", "ziegler_angles", &["--vary", "Q=1..3"]),
        ("ISO-STABILITY-003", "henon_heiles", &["--vary", "absent=1..3"]),
        ("ISO-STABILITY-004", "chain", &["--vary", "N=1..3"]),
        ("ISO-STABILITY-005", "ziegler_angles", &["--vary", "P=1..3", "--guess", "x=1"]),
        ("ISO-STABILITY-008", "sleigh_incline", &["--vary", "m=1..3"]),
        ("ISO-STABILITY-010", "pendulum_angle", &["--vary", "g=1..3"]),
        ("ISO-STABILITY-013", "ziegler_angles", &["--vary", "P=1..3", "--points", "1"]),
        ("ISO-RUN-007", "ziegler_angles", &["--vary", "P=1..3", "--methods", "rk5"]),
        ("ISO-RUN-003", "ziegler_angles", &["--vary", "P=1..3", "--step", "0"]),
    ];
    for (code, model, arguments) in cases {
        let output = stability(model, arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{model} {arguments:?}: {told}");
        assert!(told.contains(code), "{model} {arguments:?}: {told}");
    }
    let timed = TORQUE.replace("\"P\"", "\"P*cos(t)\"");
    let told = String::from_utf8(stability(&timed, &["--vary", "P=0..1"]).stderr).unwrap();
    assert!(told.contains("ISO-STABILITY-007"), "{told}");
    // Nothing balances a torque that is larger than gravity.
    let told = String::from_utf8(stability(TORQUE, &["--vary", "P=2..3"]).stderr).unwrap();
    assert!(told.contains("ISO-STABILITY-009") || told.contains("ISO-STABILITY-010"), "{told}");
}

#[test]
fn a_hanging_chain_has_the_zeros_of_laguerres_polynomial() {
    // Ten links: w^2 = g/l times the zeros of L_10 (Abramowitz and Stegun, table 25.9).
    let report = json("chain", &["--vary", "g=1..2", "--points", "3", "--methods", "none"]);
    let mut squares: Vec<f64> = report["curve"][0]["eigenvalues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|z| z[1].as_f64().unwrap())
        .filter(|frequency| *frequency > 0.0)
        .map(|frequency| frequency * frequency)
        .collect();
    squares.sort_by(f64::total_cmp);
    let known = [0.137_793_470_540, 0.729_454_549_503, 1.808_342_901_740, 3.401_433_697_855];
    for (square, zero) in squares.iter().zip(known) {
        assert!((square - zero).abs() < 1e-11, "{squares:?}");
    }
    assert!((squares[9] - 29.920_697_012_274).abs() < 1e-11, "{squares:?}");
}

#[test]
fn no_shipped_model_makes_it_stumble() {
    for path in crate::common::all_systems() {
        let name = &crate::common::name(&path);
        let text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().skip_while(|line| !line.starts_with("[parameters]")).nth(1);
        let parameter = first.and_then(|line| line.split('=').next()).unwrap_or("g").trim();
        let vary = format!("{parameter}=1..2");
        let output = stability(name, &["--vary", &vary, "--points", "5", "--methods", "rk4"]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(0 | 2)), "{name}: {told}");
        // Models on Lie groups are refused by a code of their own.
        let refused = told.contains("ISO-STABILITY") || told.contains("ISO-RUN-012");
        assert!(output.status.success() || refused, "{name}: {told}");
    }
}

#[test]
fn growth_may_end_within_the_range() {
    let damped = "coordinates = [\"x\"]\nparameters.c = 1\nlagrangian.L = \"(x'^2 - x^2)/2\"\n\
                  forces.x = \"-c*x'\"\ninitial.position = { x = 0 }\ninitial.velocity = { x = 0 }\n";
    let report = json(damped, &["--vary", "c=-1..1", "--methods", "midpoint", "--step", "0.01"]);
    let midpoint = row(&report, "midpoint");
    assert_eq!(midpoint["outcome"], "threshold", "{midpoint}");
    assert!(midpoint["value"].as_f64().unwrap().abs() < 1e-6, "{midpoint}");
    assert_eq!(critical(&report, "flutter"), [(0.0, Some("0".to_owned()))]);
}

#[test]
fn pairs_that_cross_in_opposite_directions_are_a_flutter() {
    // A saddle that gyroscopic forces hold; damping of either sign lets it go (Thomson and Tait).
    let saddle = "coordinates = [\"x\", \"y\"]\nparameters.c = 0\n\
                  lagrangian.L = \"(x'^2 + y'^2)/2 + 2*(x*y' - y*x') + (x^2 + y^2)/2\"\n\
                  forces.x = \"-c*x'\"\nforces.y = \"-c*y'\"\n\
                  initial.position = { x = 0, y = 0 }\ninitial.velocity = { x = 0, y = 0 }\n";
    let report = json(saddle, &["--vary", "c=-1..1", "--methods", "none"]);
    assert_eq!(critical(&report, "flutter"), [(0.0, Some("0".to_owned()))], "{report}");
}

/// A top that turns: two degrees of freedom with p_x y − p_y x, and with p⁴ no Lagrangian.
fn turning(quartic: &str) -> String {
    format!(
        "coordinates = [\"x\", \"y\"]\n[parameters]\nk = 1\n[hamiltonian]\n\
         H = \"(p_x^2 + p_y^2)/2 {quartic} + 2*(p_x*y - p_y*x) + k*(x^2 + 2*y^2)/2\"\n\
         [initial]\nposition = {{ x = 0, y = 0 }}\nmomentum = {{ x = 0, y = 0 }}\n"
    )
}

#[test]
fn hamiltonians_without_a_lagrangian_have_the_stability_of_their_quadratic_parts() {
    let arguments = ["--vary", "k=1..8", "--methods", "gauss-2,avf", "--step", "1/50"];
    let with = json(&turning(""), &arguments);
    let without = json(&turning("+ p_x^4/9"), &arguments);
    assert_eq!(without["displacements"], serde_json::json!(["x", "y", "p_x", "p_y"]));
    let numbers = |report: &Value| -> Vec<f64> {
        let list = report["eigenvalues"].as_array().unwrap().iter();
        list.flat_map(|z| [z[0].as_f64().unwrap(), z[1].as_f64().unwrap()]).collect()
    };
    for (one, other) in numbers(&with).iter().zip(numbers(&without)) {
        assert!((one - other).abs() < 1e-9, "{with}\n{without}");
    }
    assert_eq!(numbers(&with).len(), numbers(&without).len());
    for kind in ["flutter", "divergence"] {
        assert_eq!(critical(&with, kind), critical(&without, kind), "{kind}");
    }
    // det K = (k − 4)(2k − 4): unstable in between.
    let exact: Vec<_> = critical(&without, "divergence").into_iter().map(|entry| entry.0).collect();
    assert_eq!(exact, [2.0, 4.0]);
    for method in ["gauss-2", "avf"] {
        assert_eq!(row(&with, method)["outcome"], row(&without, method)["outcome"], "{method}");
    }
    // −Ω A is the Hessian of H, and there are no masses.
    let k = &without["values"]["K"];
    assert_eq!(k[0], serde_json::json!([1.0, 0.0, 0.0, -2.0]));
    assert_eq!(without["values"]["M"][0], serde_json::json!([0.0, 0.0, 0.0, 0.0]));
}

#[test]
fn a_relativistic_oscillator_loses_its_stability_with_its_spring() {
    let model = "coordinates = [\"q\"]\n[parameters]\nk = 2\n[hamiltonian]\n\
                 H = \"sqrt(1 + p_q^2) + k*q^2/2 + q^4/4\"\n\
                 [initial]\nposition = { q = \"1/3\" }\nmomentum = { q = \"1/5\" }\n";
    let report = json(model, &["--vary", "k=-1..3", "--methods", "none"]);
    assert_eq!(critical(&report, "divergence"), [(0.0, Some("0".to_owned()))]);
    assert_eq!(report["equilibrium_exact"], serde_json::json!({ "q": "0", "p_q": "0" }));
    let size = report["eigenvalues"][0][1].as_f64().unwrap().abs();
    assert!((size - 2.0_f64.sqrt()).abs() < 1e-12, "{report}");
    // Another equilibrium, of k < 0.
    let other = json(model, &["--vary", "k=-3..-1", "--guess", "q=1.2", "--guess", "p_q=0.1"]);
    let (at, q) = (other["at"].as_f64().unwrap(), other["equilibrium"]["q"].as_f64().unwrap());
    assert!((q * q + at).abs() < 1e-12, "{other}");
}
