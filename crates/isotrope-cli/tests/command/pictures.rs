//! Pictures that commands draw.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(["run", &crate::common::models().join("pendulum.toml").display().to_string()])
        .args(["--method", "rattle", "--step", "1/100", "--time", "2"])
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn pictures_are_drawn_beside_the_report_and_change_nothing() {
    let (time, phase) = (temporary("time.svg"), temporary("phase.png"));
    let paths = [time.to_str().unwrap(), phase.to_str().unwrap()];
    let [without, with] = [
        run(&["--json"]),
        run(&[
            "--json",
            "--plot",
            paths[0],
            "--plot-what",
            "constraints",
            "--plot",
            paths[1],
            "--plot-what",
            "phase",
        ]),
    ];
    let errors = |output: &Output| {
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (report["errors"].clone(), report["final"].clone())
    };
    assert_eq!(errors(&without), errors(&with));
    assert_eq!(String::from_utf8_lossy(&with.stderr).matches("picture in").count(), 2);
    let svg = std::fs::read_to_string(time).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("Pendulum") && svg.contains("rattle"));
    assert!(std::fs::read(phase).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_picture_needs_no_other_output_for_a_stride() {
    let path = temporary("stride.svg");
    let every = run(&["--plot", path.to_str().unwrap(), "--stride", "1"]);
    let size = std::fs::metadata(&path).unwrap().len();
    let some = run(&["--plot", path.to_str().unwrap(), "--stride", "20"]);
    assert!(every.status.success() && some.status.success());
    assert!(std::fs::metadata(&path).unwrap().len() < size);
}

#[test]
fn every_shipped_model_can_be_drawn() {
    let path = temporary("every.svg");
    for model in crate::common::all_systems() {
        let text = std::fs::read_to_string(&model).unwrap();
        let on_group = text.contains("[lie_group]");
        let [step, time] = crate::common::course(&text, "1/1000", "1/50");
        let (method, what) = if on_group { ("rkmk-rk4", "sphere") } else { ("rk4", "time") };
        let output = Command::new(env!("CARGO_BIN_EXE_isotrope"))
            .arg("run")
            .arg(&model)
            .args(["--method", method, "--step", step, "--time", time, "--plot"])
            .arg(&path)
            .args(["--plot-what", what])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(std::fs::read_to_string(&path).unwrap().contains("<path"));
    }
}

/// Expressions in columns, parameters and definitions are drawn; what is not a column is refused with the list.
#[test]
fn expressions_are_drawn() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("drawn");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let model = crate::common::models().join("pendulum.toml");
    let run = |plots: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_isotrope"));
        command.arg("run").arg(&model).args(["--method", "rattle", "--step", "0.1", "--time", "2"]);
        command.args(plots).current_dir(&folder).env("NO_COLOR", "1").output().unwrap()
    };
    let plots = [
        "--plot",
        "x^2 + y^2 - l^2, x'",
        "--plot",
        "phase.svg",
        "--plot-what",
        "y : v_y",
        "--plot",
        "energy",
    ];
    let output = run(&plots);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for (file, words) in [
        ("pendulum-run.svg", &["x^2 + y^2 - l^2", "time"][..]),
        ("phase.svg", &["y : v_y"]),
        ("pendulum-run-2.svg", &["energy"]),
    ] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        // Text may be drawn in parts.
        let plain: String = text.replace("<tspan>", "").replace("</tspan>", "");
        for word in words {
            let first = word.split(' ').next().unwrap();
            assert!(plain.contains(word) || plain.contains(first), "{file}: {word}");
        }
    }
    let refused = run(&["--plot", "x + z"]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2));
    assert!(told.contains("nothing is called `z`") && told.contains("lambda_rod"), "{told}");
    let refused = run(&["--plot", "x : y : x"]);
    assert_eq!(refused.status.code(), Some(2));
    let refused = run(&["--plot", "motion.pdf"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("motion.svg"));
}
