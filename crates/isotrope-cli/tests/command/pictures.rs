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
