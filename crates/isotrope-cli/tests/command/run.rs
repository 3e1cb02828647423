//! What `run` computes, writes and says.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use isotrope::rooms::output::writers::FORMATS;
use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .arg("run")
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn model(name: &str) -> String {
    crate::common::models().join(format!("{name}.toml")).display().to_string()
}

fn json(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = run(&[arguments, &["--json"]].concat());
    let text = String::from_utf8(output.stderr).unwrap();
    (
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| Value::String(text)),
        output.status.code(),
    )
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Reference states in 20 digits, in the order q, v.
fn reference(name: &str) -> Vec<f64> {
    let all: Value =
        serde_json::from_str(include_str!("../../../isotrope-kernel/tests/data/refs.json"))
            .unwrap();
    let list = all[name]["t=10"]["y"].as_array().unwrap().clone();
    list.iter().map(|x| x.as_str().unwrap().parse().unwrap()).collect()
}

#[test]
fn gauss_4_agrees_with_the_reference_states() {
    for (file, name) in [
        ("pendulum", "pendulum_cart_A"),
        ("sleigh", "sleigh_flat"),
        ("sleigh_incline", "sleigh_incline_rest"),
        ("three_particles", "three_particle"),
        ("ziegler", "ziegler_cart_P1.5"),
    ] {
        let (report, exit) =
            json(&[&model(file), "--method", "gauss-4", "--step", "0.01", "--time", "10"]);
        assert_eq!((report["outcome"].as_str(), exit), (Some("completed"), Some(0)), "{report}");
        let values = |key: &str| {
            let numbers = report["final"][key].as_object().unwrap().clone();
            numbers.into_iter().map(|(_, x)| x.as_f64().unwrap()).collect::<Vec<_>>()
        };
        let found = [values("q"), values("v")].concat();
        let wanted = reference(name);
        assert_eq!(found.len(), wanted.len());
        for (x, y) in found.iter().zip(&wanted) {
            assert!((x - y).abs() < 1e-9, "{file}: {x} {y}");
        }
    }
}

#[test]
fn the_keys_of_the_contract_are_there_in_order() {
    let (report, _) = json(&[&model("pendulum"), "--step", "0.01", "--time", "1"]);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        keys(&report),
        [
            "model",
            "method",
            "step",
            "time",
            "steps",
            "outcome",
            "failure",
            "final",
            "errors",
            "errors_shifted",
            "durations",
            "consistent",
            "initial_residuals",
            "singular",
            "cost",
            "steps_done",
            "scales"
        ]
    );
    assert_eq!(keys(&report["final"]), ["t", "q", "v", "p", "lambda", "energy"]);
    assert_eq!(
        keys(&report["errors"]),
        [
            "energy_max",
            "energy_final",
            "constraint_position_max",
            "constraint_velocity_max",
            "legendre_max",
            "momentum_max"
        ]
    );
    assert_eq!(
        keys(&report["cost"]),
        [
            "newton_iterations",
            "residual_evaluations",
            "accepted_steps",
            "rejected_steps",
            "compile_seconds",
            "run_seconds",
            "ns_per_step"
        ]
    );
}

#[test]
fn every_backend_and_every_repetition_writes_the_same_bytes() {
    let file = model("sleigh_incline");
    let bytes = |name: &str, more: &[&str]| {
        let path = temporary(name);
        let out = path.display().to_string();
        let fixed = ["--method", "gauss-3", "--step", "1/100", "--time", "2", "--out", &out];
        let output = run(&[&[file.as_str()], &fixed[..], more].concat());
        assert_eq!(output.status.code(), Some(0));
        (std::fs::read(path).unwrap(), output.stdout)
    };
    let first = bytes("same1.csv", &[]);
    assert_eq!(bytes("same2.csv", &[]), first);
    assert_eq!(bytes("same3.csv", &["--backend", "interpreter"]), first);
    assert_eq!(bytes("same.npz", &[]), bytes("same2.npz", &["--backend", "interpreter"]));
}

/// Runs, ensembles and sections write every format; help and the hint of a refusal name it.
#[test]
fn every_format_is_written_and_named() {
    let file = model("pendulum");
    let isotrope = |arguments: &[&str]| {
        let command = env!("CARGO_BIN_EXE_isotrope");
        let output = Command::new(command).args(arguments).env("NO_COLOR", "1").output().unwrap();
        let both = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(both).unwrap())
    };
    let members = temporary("members_of_every_format.csv");
    std::fs::write(&members, "g\n1\n9.8\n").unwrap();
    let members = members.display().to_string();
    let course = ["--step", "1/100", "--time", "2"];
    let ensemble = ["--method", "rattle", "--ensemble", &members];
    let section = ["--methods", "rattle", "--section", "x = 0"];
    let refused = isotrope(&["run", &file, "--out", "rows.xlsx"]).1;
    for format in FORMATS {
        let named = format!(".{}", format.extension);
        assert!(refused.contains(&format!("rows{named}`")), "{refused}");
        for (command, more) in
            [("run", &["--method", "rattle"][..]), ("run", &ensemble), ("drift", &section)]
        {
            let help = isotrope(&[command, "--help"]).1;
            assert!(help.contains(&named), "{command} --help does not name {named}");
            let path = temporary(&format!("rows_{command}_{}{named}", more.len()));
            let _ = std::fs::remove_file(&path);
            let out = path.display().to_string();
            let words = [&[command, &file, "--out", &out], &course[..], more].concat();
            let (code, told) = isotrope(&words);
            assert_eq!(code, Some(0), "{words:?}: {told}");
            assert!(std::fs::metadata(&path).unwrap().len() > 0, "{out}");
        }
    }
}

#[test]
fn ensembles_write_the_same_bytes_on_any_number_of_threads() {
    let members = temporary("members.csv");
    let lines: String = (1..40).map(|k| format!("{},0.{k:02}\n", 5 + k % 7)).collect();
    std::fs::write(&members, format!("g,theta\n{lines}")).unwrap();
    let members = members.display().to_string();
    let bytes = |threads: &str| {
        let path = temporary(&format!("ends{threads}.csv"));
        let out = path.display().to_string();
        let output = run(&[
            &model("pendulum_angle"),
            "--ensemble",
            &members,
            "--out",
            &out,
            "--threads",
            threads,
            "--method",
            "gauss-2",
            "--step",
            "1/50",
            "--time",
            "4",
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        (std::fs::read_to_string(path).unwrap(), output.stdout)
    };
    let one = bytes("1");
    assert_eq!(bytes("2"), one);
    assert_eq!(bytes("5"), one);
    // The first member alone.
    let (alone, _) = json(&[
        &model("pendulum_angle"),
        "--set",
        "g=6",
        "--initial",
        "theta=0.01",
        "--method",
        "gauss-2",
        "--step",
        "1/50",
        "--time",
        "4",
    ]);
    let line = one.0.lines().nth(1).unwrap();
    let value: f64 = line.split(',').nth(3).unwrap().parse().unwrap();
    assert_eq!(alone["final"]["q"]["theta"].as_f64(), Some(value));
}

#[test]
fn the_stride_keeps_the_first_and_the_last_row() {
    let path = temporary("stride.csv");
    let out = path.display().to_string();
    let output = run(&[
        &model("pendulum"),
        "--method",
        "rattle",
        "--step",
        "1/10",
        "--time",
        "1",
        "--out",
        &out,
        "--stride",
        "4",
    ]);
    assert_eq!(output.status.code(), Some(0));
    let text = std::fs::read_to_string(path).unwrap();
    let times: Vec<f64> =
        text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
    assert_eq!(times, [0.0, 0.4, 0.8, 1.0]);
    assert!(text.starts_with("t,x,y,v_x,v_y,p_x,p_y,lambda_rod,energy\n"));
}

#[test]
fn a_run_that_fails_keeps_what_it_has() {
    let file = temporary("ending.toml");
    let text = "coordinates = [\"x\"]\n[lagrangian]\nL = \"x'^2/2 - x^2/2\"\n[forces]\n\
                x = \"1e-9*sqrt(1 - t)\"\n[initial]\nposition = { x = 1 }\nvelocity = { x = 0 }\n";
    std::fs::write(&file, text).unwrap();
    let path = temporary("ending.csv");
    let (file, out) = (file.display().to_string(), path.display().to_string());
    let (report, exit) = json(&[
        &file, "--method", "rk4", "--step", "0.1", "--time", "2", "--out", &out, "--stride", "7",
    ]);
    assert_eq!(exit, Some(1));
    assert_eq!(report["outcome"], "non-finite");
    assert_eq!(report["failure"]["step"], 10);
    assert_eq!(report["final"]["t"], 1.0);
    // Rows 0, 7 and the last good one.
    assert_eq!(std::fs::read_to_string(path).unwrap().lines().count(), 4);
}

#[test]
fn a_method_that_makes_no_sense_says_why() {
    let (report, exit) =
        json(&[&model("sleigh"), "--method", "dirac-1-position", "--step", "0.1", "--time", "1"]);
    assert_eq!((report["outcome"].as_str(), exit), (Some("not-applicable"), Some(1)));
    assert!(report["failure"]["reason"].as_str().unwrap().contains("positions"));
}

#[test]
fn energy_errors_are_defects_of_the_balance_where_forces_work() {
    // The follower force does work on the column; midpoint balances it to second order.
    let error = |step: &str| {
        let (report, _) = json(&[
            &model("ziegler"),
            "--set",
            "P=3",
            "--method",
            "midpoint",
            "--step",
            step,
            "--time",
            "4",
        ]);
        report["errors"]["energy_max"].as_f64().unwrap()
    };
    let (coarse, fine) = (error("1/50"), error("1/100"));
    let slope = (coarse / fine).log2();
    assert!((slope - 2.0).abs() < 0.2 && coarse < 1e-2, "{coarse} {fine}");
}

/// With compensation rounding errors of a long run stay smaller.
#[test]
fn compensated_sums_drift_less() {
    let error = |more: &[&str]| {
        let file = model("pendulum");
        let fixed = [&file, "--method", "gauss-2", "--step", "1/1000", "--time", "500"];
        let (report, _) = json(&[&fixed[..], more].concat());
        report["errors"]["energy_max"].as_f64().unwrap()
    };
    let (plain, compensated) = (error(&[]), error(&["--compensated"]));
    assert!(compensated < 0.5 * plain, "{compensated} {plain}");
}

#[test]
fn a_table_file_is_a_method() {
    let file = temporary("heun.toml");
    std::fs::write(&file, "name = \"mine\"\na = [[0, 0], [1, 0]]\nb = [\"1/2\", \"1/2\"]\n")
        .unwrap();
    let name = format!("rkd:{}", file.display());
    let fixed = ["--step", "0.01", "--time", "1"];
    let (mine, exit) =
        json(&[&[model("pendulum").as_str(), "--method", &name], &fixed[..]].concat());
    assert_eq!(exit, Some(0), "{mine}");
    let (heun, _) = json(&[&[model("pendulum").as_str(), "--method", "heun"], &fixed[..]].concat());
    assert_eq!(mine["final"], heun["final"]);
    assert_eq!(mine["method"], "mine");
}

/// `project:FILE.toml` is the projection of a method of one's own.
#[test]
fn a_table_file_can_be_projected() {
    let file = temporary("projected.toml");
    std::fs::write(&file, "name = \"mine\"\na = [[0, 0], [1, 0]]\nb = [\"1/2\", \"1/2\"]\n")
        .unwrap();
    let fixed = ["--step", "0.01", "--time", "1"];
    for prefix in ["project:", "symproject:", "baumgarte:"] {
        let run = |name: &str| {
            json(&[&[model("pendulum").as_str(), "--method", name], &fixed[..]].concat())
        };
        let (mine, exit) = run(&format!("{prefix}{}", file.display()));
        assert_eq!(exit, Some(0), "{mine}");
        let (heun, _) = run(&format!("{prefix}heun"));
        assert_eq!(mine["final"], heun["final"]);
        assert_eq!(mine["method"], format!("{prefix}mine"));
    }
}

#[test]
fn every_model_runs() {
    for path in crate::common::all_systems() {
        let text = std::fs::read_to_string(&path).unwrap();
        let on_group = text.contains("[lie_group]");
        let path = path.display().to_string();
        let method = if on_group { "rkmk-gauss-2" } else { "gauss-2" };
        let [step, time] = crate::common::course(&text, "1/200", "1/10");
        let (report, exit) = json(&[&path, "--method", method, "--step", step, "--time", time]);
        assert_eq!(
            (report["outcome"].as_str(), exit),
            (Some("completed"), Some(0)),
            "{path} {report}"
        );
        let energy = report["errors"]["energy_max"].as_f64();
        // Plain equations have none.
        assert_eq!(energy.is_none(), text.contains("[equations]"), "{path}");
        assert!(energy.is_none_or(|energy| energy < 1e-4), "{path} {energy:?}");
    }
}

fn rows(path: &Path) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(path).unwrap();
    let line = |line: &str| line.split(',').map(|x| x.parse().unwrap()).collect();
    text.lines().skip(1).map(line).collect()
}

/// The polynomial of a collocation method with s stages is right to h^(s+1) inside of a step.
#[test]
fn values_inside_of_steps_have_the_order_of_the_polynomial() {
    let trajectory = |step: &str, dense: &str| {
        let path = temporary(&format!("dense{}-{dense}.csv", step.replace('/', "_")));
        let out = path.display().to_string();
        let (report, exit) = json(&[
            &model("pendulum"),
            "--method",
            "gauss-3",
            "--step",
            step,
            "--time",
            "2",
            "--out",
            &out,
            "--dense",
            dense,
        ]);
        assert_eq!(exit, Some(0), "{report}");
        rows(&path)
    };
    let fine = trajectory("1/400", "1");
    let error = |step: &str, steps: usize| {
        let found = trajectory(step, "4");
        assert_eq!(found.len(), 4 * steps + 1);
        let skip = 800 / (4 * steps);
        let pairs = found.iter().zip(fine.iter().step_by(skip));
        pairs
            .map(|(x, y)| {
                let differences = x.iter().zip(y).take(5).map(|(a, b)| (a - b).abs());
                differences.fold(0.0, f64::max)
            })
            .fold(0.0, f64::max)
    };
    let (coarse, half) = (error("1/25", 50), error("1/50", 100));
    let slope = (coarse / half).log2();
    assert!((slope - 4.0).abs() < 0.4, "{coarse} {half} {slope}");
}

#[test]
fn methods_without_a_polynomial_say_so() {
    let out = temporary("none.csv").display().to_string();
    let (report, exit) = json(&[
        "--out",
        &out,
        &model("pendulum"),
        "--method",
        "rk4",
        "--step",
        "1/25",
        "--time",
        "2",
        "--dense",
        "4",
    ]);
    assert_eq!((report["outcome"].as_str(), exit), (Some("not-applicable"), Some(1)));
}

#[test]
fn members_of_a_hamiltonian_take_momenta() {
    let members = temporary("hamiltonian.csv");
    std::fs::write(&members, "x,p_y\n0.1,0.3\n0.2,0.1\n").unwrap();
    let members = members.display().to_string();
    let fixed = ["--method", "gauss-2", "--step", "1/50", "--time", "1"];
    let file = model("henon_heiles");
    let (all, exit) = json(&[&[file.as_str(), "--ensemble", &members], &fixed[..]].concat());
    assert_eq!(exit, Some(0), "{all}");
    let one = [&file, "--initial", "x=0.2", "--initial", "p_y=0.1"].map(|x: &str| x);
    let (alone, _) = json(&[&one[..], &fixed[..]].concat());
    assert_eq!(all["members"][1]["final"], alone["final"]);
}

#[test]
fn a_limit_of_steps_is_not_a_success() {
    let members = temporary("limited.csv");
    std::fs::write(&members, "g\n1\n2\n").unwrap();
    let members = members.display().to_string();
    let file = model("pendulum");
    let limited = ["--step", "0.01", "--time", "1", "--max-steps", "3"];
    let (report, exit) = json(&[&[file.as_str(), "--ensemble", &members], &limited[..]].concat());
    assert_eq!((report["members"][0]["outcome"].as_str(), exit), (Some("step-limit"), Some(1)));
    let (report, exit) = json(&[&[file.as_str()], &limited[..]].concat());
    assert_eq!((report["outcome"].as_str(), exit), (Some("step-limit"), Some(1)));
    assert_eq!(report["steps_done"], 3);
}

#[test]
fn inconsistent_initial_values_are_told() {
    let output = run(&[&model("pendulum"), "--initial", "x=1.1", "--step", "0.1", "--time", "1"]);
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(talk.contains("violate a constraint on positions by 2.1e-1"), "{talk}");
}

fn written(name: &str, text: &str) -> String {
    let path = temporary(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Units of mass, of constraints and of length are a matter of taste.
#[test]
fn the_motion_does_not_depend_on_units() {
    let scaled = |name: &str, scale: &str| {
        let text = std::fs::read_to_string(model("pendulum")).unwrap();
        written(
            name,
            &text.replace("x^2 + y^2 = l^2", &format!("{scale}*(x^2 + y^2) = {scale}*l^2")),
        )
    };
    for method in ["rattle", "dirac-1-position"] {
        let end = |file: &str, set: &[&str], unit: f64| {
            let fixed = ["--method", method, "--step", "1/10", "--time", "10"];
            let (report, exit) = json(&[&[file], &fixed[..], set].concat());
            assert_eq!(exit, Some(0), "{method} {set:?} {report}");
            report["final"]["q"]["x"].as_f64().unwrap() / unit
        };
        let wanted = end(&model("pendulum"), &[], 1.0);
        for mass in ["m=1e-12", "m=1e-6", "m=1e9"] {
            let found = end(&model("pendulum"), &["--set", mass], 1.0);
            assert!((found - wanted).abs() < 1e-9, "{method} {mass}: {found} {wanted}");
        }
        for scale in ["1e9", "1e-9"] {
            let found = end(&scaled("scaled.toml", scale), &[], 1.0);
            assert!((found - wanted).abs() < 1e-9, "{method} {scale}: {found} {wanted}");
        }
        let long = ["--set", "l=1e6", "--set", "g=9.81e6"];
        let found = end(&model("pendulum"), &long, 1e6);
        assert!((found - wanted).abs() < 1e-9, "{method}: {found} {wanted}");
    }
}

/// x'' + x = -cos(t): the momentum has a part that is not M v.
#[test]
fn rattle_has_order_two_where_the_legendre_map_depends_on_time() {
    let file = written(
        "moving.toml",
        "coordinates = [\"x\"]\n[lagrangian]\nL = \"x'^2/2 + sin(t)*x' - x^2/2\"\n\
         [initial]\nposition = { x = 1 }\nvelocity = { x = \"1/2\" }\n",
    );
    let error = |step: &str| {
        let (report, _) = json(&[&file, "--method", "rattle", "--step", step, "--time", "1"]);
        (report["final"]["q"]["x"].as_f64().unwrap() - 0.540_302_305_868_139_7).abs()
    };
    let slope = (error("1/40") / error("1/80")).log2();
    assert!((slope - 2.0).abs() < 0.1, "{slope}");
}

#[test]
fn shifted_velocities_belong_to_the_momenta() {
    let file = written(
        "magnetic.toml",
        "coordinates = [\"x\", \"y\"]\n[lagrangian]\n\
         L = \"(x'^2 + y'^2)/2 + x^2*y' - y*x'/2 - x^2/2\"\n\
         [initial]\nposition = { x = 1, y = \"1/3\" }\nvelocity = { x = \"1/2\", y = 0 }\n",
    );
    let (report, _) = json(&[&file, "--method", "dirac-1", "--step", "1/20", "--time", "1"]);
    assert!(report["errors_shifted"]["legendre_max"].as_f64().unwrap() < 1e-14, "{report}");
}

#[test]
fn members_with_other_masses_have_their_own_momenta() {
    let members = written("masses.csv", "m\n2\n3\n");
    let fixed = ["--method", "gauss-2", "--step", "1/50", "--time", "1"];
    let (report, _) =
        json(&[&[model("pendulum").as_str(), "--ensemble", &members], &fixed[..]].concat());
    for member in report["members"].as_array().unwrap() {
        assert!(member["errors"]["legendre_max"].as_f64().unwrap() < 1e-12, "{member}");
    }
}

/// Where reactions have no finite value, none is reported.
#[test]
fn multipliers_without_a_value_are_null() {
    let file = written(
        "corner.toml",
        "coordinates = [\"x\", \"y\"]\n[lagrangian]\nL = \"(x'^2 + y'^2)/2 - 5*x\"\n\
         [constraints]\nc = \"x*y = 0\"\n\
         [initial]\nposition = { x = 0, y = 1 }\nvelocity = { x = 0, y = -1 }\n",
    );
    let (report, _) = json(&[&file, "--method", "euler", "--step", "1/4", "--time", "1"]);
    assert_eq!(report["final"]["lambda"]["c"], Value::Null, "{report}");
}

/// How steps are cut into calls by --stride changes nothing, also where Newton's method takes over.
#[test]
fn rows_do_not_change_the_motion() {
    let file = written(
        "driven.toml",
        "coordinates = [\"x\", \"y\"]\n[parameters]\na = 400\n[lagrangian]\n\
         L = \"(x'^2+y'^2)/2 - (1+sin(3*t))^4*a*(x^4+y^2*x^2/3+y^2)/40\"\n\
         [initial]\nposition = { x = 1, y = 0.5 }\nvelocity = { x = 0, y = 0 }\n",
    );
    let out = temporary("driven.csv").display().to_string();
    let fixed = ["--method", "radau-iia-2", "--step", "1/10", "--time", "40"];
    let end =
        |more: &[&str]| json(&[&[file.as_str()], &fixed[..], more].concat()).0["final"].clone();
    let plain = end(&[]);
    assert_eq!(end(&["--out", &out]), plain);
    assert_eq!(end(&["--out", &out, "--stride", "7"]), plain);
}

/// The error is near the tolerance, rows are where they were asked for, and all evaluations are
/// counted.
#[test]
fn an_adaptive_run_counts_its_steps() {
    let pendulum = model("pendulum");
    let run = |tolerance: &str| {
        let asked = ["--method", "dop853", "--step", "1/4", "--time", "10", "--tolerance"];
        let (report, exit) = json(&[&[pendulum.as_str()], &asked[..], &[tolerance]].concat());
        assert_eq!(exit, Some(0), "{report}");
        report
    };
    let (rough, fine) = (run("1e-6"), run("1e-12"));
    assert_eq!(fine["steps"], 40);
    let energy = |report: &Value| report["errors"]["energy_max"].as_f64().unwrap();
    assert!(energy(&fine) < 5e-9 && energy(&rough) > 1e-6, "{} {}", energy(&fine), energy(&rough));
    let cost = |report: &Value, key: &str| report["cost"][key].as_u64().unwrap();
    let made = cost(&fine, "accepted_steps") + cost(&fine, "rejected_steps");
    assert!(made > cost(&rough, "accepted_steps"));
    let evaluations = cost(&fine, "residual_evaluations");
    assert!(evaluations > 12 * made && evaluations <= 1 + 12 * made + 3 * 40);
}

#[test]
fn a_body_on_the_rotations_tells_its_matrix_and_its_momentum_in_space() {
    let fixture: Value = serde_json::from_str(include_str!(
        "../../../isotrope-kernel/tests/data/cayley_fixture.json"
    ))
    .unwrap();
    let (report, exit) =
        json(&[&model("rigid_body"), "--method", "lie-cayley", "--step", "0.1", "--time", "1"]);
    assert_eq!((report["outcome"].as_str(), exit), (Some("completed"), Some(0)), "{report}");
    for key in ["R", "omega"] {
        let numbers = |value: &Value| -> Vec<f64> {
            value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
        };
        let (found, wanted) = (numbers(&report["final"][key]), numbers(&fixture[key]));
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!((found - wanted).abs() < 1e-12, "{key}: {found} {wanted}");
        }
    }
    assert!(report["errors"]["momentum_max"]["spatial"].as_f64().unwrap() < 1e-14);
    assert!(report["errors"]["orthogonality_max"].as_f64().unwrap() < 1e-14);
    let (refused, exit) = json(&[&model("rigid_body"), "--method", "gauss-2"]);
    assert_eq!((refused["outcome"].as_str(), exit), (Some("not-applicable"), Some(1)));
    let (turned, exit) =
        json(&[&model("rigid_body"), "--method", "lie-exp", "--step", "4", "--time", "400"]);
    assert_eq!(exit, Some(1), "{turned}");
}

#[test]
fn commands_in_coordinates_refuse_groups_with_the_reason() {
    let body = model("rigid_body");
    for (arguments, code) in [
        (vec!["derive", &body, "--discrete", "variational-midpoint"], "ISO-DISCRETE-002"),
        (
            vec![
                "flow",
                &body,
                "--method",
                "lie-cayley",
                "--step",
                "0.1",
                "--time",
                "1",
                "--sensitivity",
                "I1",
            ],
            "ISO-RUN-012",
        ),
        (vec!["geometry", &body], "ISO-GEOMETRY-017"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
        let output = command.args(&arguments).env("NO_COLOR", "1").output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(text.contains(code) && text.contains("Lie group"), "{arguments:?}: {text}");
    }
}

/// Rates beside the state, no momenta, and an energy only where there is one.
#[test]
fn a_state_has_rates_and_no_momenta() {
    let out = temporary("state.csv");
    let arguments = ["--time", "1", "--method", "dop853", "--out", out.to_str().unwrap()];
    let (report, exit) =
        json(&[&[model("poisson/rigid_body").as_str()][..], &arguments[..]].concat());
    assert_eq!(exit, Some(0), "{report}");
    assert_eq!(report["final"]["p"], serde_json::json!({}));
    assert!(report["errors"]["legendre_max"].is_null());
    assert!(report["errors"]["momentum_max"]["C_1"].as_f64().unwrap() < 1e-8);
    let first = std::fs::read_to_string(&out).unwrap().lines().next().unwrap().to_owned();
    assert_eq!(first, "t,m1,m2,m3,v_m1,v_m2,v_m3,energy");
}

#[test]
fn a_run_beyond_the_table_of_an_input_is_refused() {
    let file = temporary("table.toml");
    let text = r#"
        coordinates = ["x"]
        equations = { "x'" = "u - x" }
        inputs.u = { table = [[0, 0], [1, 1]] }
        initial.position = { x = 0 }
        run = { step = "1/10", time = 1 }
    "#;
    std::fs::write(&file, text).unwrap();
    let path = file.to_str().unwrap();
    let (report, exit) = json(&[path]);
    assert_eq!((exit, &report["errors"]["energy_max"]), (Some(0), &Value::Null));
    // x = t - 1 + exp(-t) at t = 1.
    let x = report["final"]["q"]["x"].as_f64().unwrap();
    assert!((x - 0.367_879_441_171_442_3).abs() < 1e-6, "{x}");
    let (told, exit) = json(&[path, "--time", "2"]);
    assert_eq!(exit, Some(2));
    assert!(told.as_str().unwrap().contains("a table from t = 0 to t = 1"), "{told}");
}

/// On a group the flow is symplectic for the canonical form of G × g*, and its derivative has pairs of eigenvalues.
#[test]
fn the_flow_on_a_group_is_symplectic_for_variational_steps() {
    for (method, verdict) in [("lie-cayley", "symplectic"), ("rkmk-rk4", "not-symplectic")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
        let top = model("heavy_top");
        let list = ["flow", &top, "--method", method, "--step", "1/20", "--time", "2", "--json"];
        let output = command.args(list).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["symplectic"]["verdict"], verdict, "{report}");
        assert_eq!(report["monodromy"]["basis"], "body");
        assert_eq!(report["dimension"], 6);
        let determinant = report["monodromy"]["determinant"].as_f64().unwrap();
        assert!((determinant - 1.0).abs() < 1e-3, "{method}: {determinant}");
    }
}

#[test]
fn velocities_on_a_group_are_projected_onto_its_constraints() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    let body = model("suslov");
    let list = ["check", &body, "--initial", "omega[3]=1/3", "--project", "--json"];
    let output = command.args(list).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let projected = &report["projected"];
    assert_eq!(projected["consistent"], true, "{report}");
    assert_eq!(projected["velocity"]["omega[3]"], "0", "{report}");
    assert!(projected["position"].is_null(), "{report}");
}

/// The report of a run with ports, its rows and its sound.
#[test]
fn ports_are_counted_written_and_heard() {
    let motor = model("port/dc_motor");
    let (report, exit) = json(&[&motor, "--time", "2"]);
    assert_eq!(exit, Some(0), "{report}");
    let number = |value: &Value| value.as_f64().unwrap();
    assert!(number(&report["errors"]["power_balance_max"]) < 1e-15, "{report}");
    let (supplied, dissipated) = (&report["ports"]["supplied"], &report["ports"]["dissipated"]);
    // At rest the energy was that of the pendulum alone.
    let stored = number(&report["final"]["energy"]) - 0.061_208_719_054_813_62;
    assert!((stored - number(supplied) + number(dissipated)).abs() < 1e-14, "{report}");
    let keys: Vec<&String> = report["final"]["y"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["current", "speed", "y_u"]);
    let (rows, sound) = (temporary("motor.csv"), temporary("motor.wav"));
    let list = [&motor, "--time", "2", "--out", &rows.display().to_string()];
    assert!(run(&list).status.success());
    let text = std::fs::read_to_string(&rows).unwrap();
    let columns = "energy,current,speed,y_u,supplied,dissipated,power_balance";
    assert!(text.lines().next().unwrap().ends_with(columns), "{text}");
    let out = sound.display().to_string();
    let list = [&motor, "--time", "2", "--out", &out, "--signal", "speed"];
    let output = run(&list);
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && talk.contains("101 rows") && talk.contains("times"),
        "{talk}"
    );
    assert_eq!(std::fs::read(&sound).unwrap().len(), 58 + 4 * 101);
    let refusals: [(&[&str], &str); 2] = [
        (&["--time", "2", "--signal", "nothing"], "ISO-OUTPUT-008"),
        (&["--step", "2/5", "--time", "2"], "ISO-OUTPUT-009"),
    ];
    for (more, code) in refusals {
        let output = run(&[&[motor.as_str(), "--out", &out], more].concat());
        let talk = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && talk.contains(code), "{talk}");
    }
}

/// A joined file is read and run again.
#[test]
fn connected_systems_run() {
    let connect = |joins: &[&str]| {
        let (coil, cone) = (model("port/coil"), model("port/cone"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
        command.args(["connect", &format!("coil={coil}"), &format!("cone={cone}")]);
        for join in joins {
            command.args(["--join", join]);
        }
        command.output().unwrap()
    };
    let output = connect(&["coil.e,cone.force=27/5"]);
    let path = temporary("both.toml");
    std::fs::write(&path, output.stdout).unwrap();
    let list = [&path.display().to_string(), "--method", "discrete-gradient", "--time", "1/10"];
    let (report, exit) = json(&list);
    assert_eq!(exit, Some(0), "{report}");
    assert!(report["errors"]["power_balance_max"].as_f64().unwrap() < 1e-16, "{report}");
    assert!(report["final"]["y"]["cone_velocity"].as_f64().is_some(), "{report}");
    let refused = |joins: &[&str], words: &str| {
        let output = connect(joins);
        let talk = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && talk.contains(words), "{talk}");
    };
    refused(&["coil.e,cone.nothing"], "ISO-CONNECT-003");
    refused(&["coil.e,cone.force=1/0"], "`1/0` is not a number");
    refused(&["coil.e,cone.force", "cone.force,coil.e"], "joined twice");
}

/// Head-on: the energy changes by more than it is where a step goes through the centre. A method that promises to keep it
/// does not call that a result.
#[test]
fn a_collision_breaks_the_promise_of_an_energy_balance() {
    for unit in ["1", "1e-9"] {
        let text = format!(
            "coordinates = [\"x\", \"y\"]\nparameters = {{ s = \"{unit}\" }}\n\
             lagrangian.L = \"(x'^2 + y'^2)/2 + s^3/sqrt(x^2 + y^2)\"\n\
             initial.position = {{ x = \"s\", y = \"s/10^9\" }}\ninitial.velocity = {{ x = 0, y = 0 }}\n"
        );
        let file = written("collision.toml", &text);
        let with = |method: &str, more: &[&str]| {
            let asked = [file.as_str(), "--method", method, "--step", "0.01", "--time", "3"];
            json(&[&asked[..], more].concat())
        };
        let (report, exit) = with("avf", &[]);
        assert_eq!(
            (report["outcome"].as_str(), exit),
            (Some("promise-broken"), Some(1)),
            "{report}"
        );
        let failure = &report["failure"];
        let reason = failure["reason"].as_str().unwrap();
        assert!(reason.contains("the balance of energy"), "{reason}");
        // The state is the one before the step, which kept it.
        let kept = report["errors"]["energy_max"].as_f64().unwrap();
        let defect = failure["residual"].as_f64().unwrap();
        assert!(defect > 1e3 * kept, "{defect} {kept}");
        assert_eq!(report["steps_done"], failure["step"]);
        // The same system, away from the centre.
        let fine = [file.as_str(), "--method", "avf", "--step", "0.01", "--time", "1"];
        assert_eq!(json(&fine).0["outcome"], "completed", "{unit}");
    }
}

/// The residuals of the constraints at the initial values are reported, relative to the sizes of the problem, in any units; and
/// `--project` repairs it.
#[test]
fn consistency_of_the_start_is_told_in_every_unit_and_projected() {
    for unit in ["1", "1e-9", "1e9"] {
        let text = |x: &str, v: &str| {
            format!(
                "coordinates = [\"x\", \"y\"]\nparameters = {{ s = \"{unit}\" }}\n\
                 lagrangian.L = \"(x'^2 + y'^2)/2 - s*y\"\nconstraints.rod = \"x^2 + y^2 = s^2\"\n\
                 initial.position = {{ x = \"{x}\", y = 0 }}\n\
                 initial.velocity = {{ x = \"{v}\", y = \"s/2\" }}\n"
            )
        };
        let asked = ["--method", "rattle", "--step", "0.01", "--time", "1"];
        let run = |file: &str, more: &[&str]| json(&[&[file][..], &asked[..], more].concat()).0;
        let good = run(&written("on.toml", &text("s", "0")), &[]);
        assert_eq!(good["consistent"], true, "{unit}");
        let bad = written("off.toml", &text("1.1*s", "s/5"));
        let off = run(&bad, &[]);
        assert_eq!(off["consistent"], false, "{unit}");
        let scale: f64 = unit.parse().unwrap();
        let residual = |report: &Value, level: &str| {
            report["initial_residuals"][level].as_f64().unwrap() / (scale * scale)
        };
        assert!((residual(&off, "position") - 0.21).abs() < 1e-12, "{unit}");
        assert!((residual(&off, "velocity") - 0.44).abs() < 1e-12, "{unit}");
        let repaired = run(&bad, &["--project"]);
        assert_eq!(repaired["consistent"], true, "{unit}");
        assert!(residual(&repaired, "position") < 1e-14, "{unit}");
        assert!(residual(&repaired, "velocity") < 1e-14, "{unit}");
        assert_eq!(repaired["outcome"], "completed");
        // Members of an ensemble likewise.
        let table =
            written("consistency_members.csv", &format!("x,v_x\n{unit},0\n{},0\n", 1.1 * scale));
        let file = written("on.toml", &text("s", "0"));
        let ensemble = run(&file, &["--ensemble", &table]);
        assert_eq!(ensemble["consistent"], false);
        assert_eq!(ensemble["members"][0]["consistent"], true);
        assert_eq!(ensemble["members"][1]["consistent"], false);
        assert!((residual(&ensemble["members"][1], "position") - 0.21).abs() < 1e-12);
        let ensemble = run(&file, &["--ensemble", &table, "--project"]);
        assert_eq!(ensemble["consistent"], true, "{unit}");
        for member in ensemble["members"].as_array().unwrap() {
            assert_eq!(member["consistent"], true, "{unit}");
            assert_eq!(member["outcome"], "completed", "{unit}");
            assert!(residual(member, "position") < 1e-14, "{unit}");
        }
        // A warning without, none with it.
        for (more, warned) in [(&[][..], true), (&["--project"][..], false)] {
            let list = [&[file.as_str()][..], &asked[..], &["--ensemble", &table], more].concat();
            let told = String::from_utf8(self::run(&list).stderr).unwrap();
            assert_eq!(told.contains("1 of 2 members violate constraints"), warned, "{told}");
        }
        assert!(residual(&ensemble, "position") < 1e-14, "{unit}");
    }
    // Without constraints there is nothing to say.
    let free = json(&[&model("kepler"), "--method", "verlet", "--step", "0.01", "--time", "0.1"]).0;
    assert_eq!((free["consistent"].is_null(), free["initial_residuals"].is_null()), (true, true));
}

/// Four bars: the ground, two cranks and a rod between their ends, all in the unit `l`, with the squares of the second crank
/// and of the rod; the ends of the cranks and their velocities.
fn four_bar(file: &str, l: &str, squares: [&str; 2], ends: [&str; 4], rates: [&str; 4]) -> String {
    let [crank, rod] = squares;
    let list = |values: [&str; 4], unit: &str| {
        let names = ["x1", "y1", "x2", "y2"];
        let each = names.iter().zip(values).map(|(name, x)| format!("{name} = \"{x}*{unit}\""));
        each.collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "name = \"Four bars\"\ncoordinates = [\"x1\", \"y1\", \"x2\", \"y2\"]\n\
         [parameters]\nl = {l}\n\
         [lagrangian]\nL = \"(x1'^2 + y1'^2)/2 + (x2'^2 + y2'^2)/2\"\n\
         [constraints]\nfirst = \"x1^2 + y1^2 = l^2\"\n\
         second = \"(x2 - l)^2 + y2^2 = {crank}*l^2\"\n\
         rod = \"(x2 - x1)^2 + (y2 - y1)^2 = {rod}*l^2\"\n\
         [initial]\nposition = {{ {} }}\nvelocity = {{ {} }}\n",
        list(ends, "l"),
        list(rates, "1"),
    );
    let path = temporary(file);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

const RHOMBUS: [[&str; 4]; 2] = [["3/5", "4/5", "8/5", "4/5"], ["4/5", "-3/5", "4/5", "-3/5"]];

/// The cranks turn with the angular velocity 1 and lie flat when they have turned by atan(4/3).
#[test]
fn a_run_says_that_it_passes_a_flat_rhombus_whatever_the_units() {
    let flat = (4.0_f64 / 3.0).atan();
    let [ends, rates] = RHOMBUS;
    for (file, l, unit, [step, time]) in [
        ("rhombus.toml", "1", 1.0, ["0.01", "2"]),
        ("rhombus_in_small_units.toml", "1000000", 1e6, ["10000", "2000000"]),
        ("rhombus_in_large_units.toml", "0.0001", 1e-4, ["0.000001", "0.0002"]),
    ] {
        let path = four_bar(file, l, ["1", "1"], ends, rates);
        for method in ["gauss-2", "rattle", "rkd-midpoint", "rk4-c", "project:rk4", "dop853"] {
            let (report, _) = json(&[&path, "--method", method, "--step", step, "--time", time]);
            let singular = &report["singular"];
            assert_eq!(singular["step"], 92, "{file} {method}: {report}");
            let t = singular["t"].as_f64().unwrap() / unit;
            assert!((t - flat).abs() < 1e-3, "{file} {method}: {t}");
            assert!(singular["condition"].as_f64().unwrap() < 1e-3, "{file} {method}: {report}");
            assert_eq!(report["outcome"], "completed", "{file} {method}");
        }
    }
    let path = temporary("rhombus.toml").display().to_string();
    let text = run(&[&path, "--method", "gauss-2", "--step", "0.01", "--time", "2"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("singular in step 92"), "{text}");
}

/// The same linkage turned back before it is flat, and one whose second crank is two per cent longer and whose rod closes it:
/// it folds almost flat, and A keeps its rank.
#[test]
fn a_run_does_not_call_singular_what_only_comes_close() {
    let [ends, rates] = RHOMBUS;
    let path = four_bar("rhombus_before.toml", "1", ["1", "1"], ends, rates);
    let (report, _) = json(&[&path, "--method", "gauss-2", "--step", "0.01", "--time", "0.9"]);
    assert!(report["singular"].is_null(), "{report}");
    let (ends, rates) = (["0", "1", "1", "1.02"], ["1", "0", "1", "0"]);
    let path = four_bar("four_bars.toml", "1", ["1.0404", "1.0004"], ends, rates);
    let (report, _) = json(&[&path, "--method", "gauss-2", "--step", "0.01", "--time", "20"]);
    assert_eq!(report["outcome"], "completed");
    assert!(report["singular"].is_null(), "{report}");
}
