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

/// A cart with a pendulum, and its units.
fn cart(folder: &Path, units: &str) -> String {
    let text = format!(
        "coordinates = [\"x\", \"theta\"]\nparameters = {{ g = 10 }}\n{units}\n[lagrangian]\n\
         L = \"x'^2 + theta'^2/2 + x'*theta'*cos(theta) + g*cos(theta)\"\n[initial]\n\
         position = {{ x = 0, theta = \"pi/6\" }}\nvelocity = {{ x = 0, theta = 0 }}\n\
         [run]\nstep = \"1/100\"\ntime = 1\n"
    );
    let path = folder.join("cart.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Letters of a picture, without what they look like.
fn letters(path: &Path) -> String {
    let svg = std::fs::read_to_string(path).unwrap();
    let mut inside = false;
    let mut keep = |c: char| {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            _ => return (!inside).then_some(c),
        }
        None
    };
    svg.chars().filter_map(&mut keep).collect()
}

#[test]
fn units_stand_behind_labels_and_an_axis_has_one() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("p.svg");
    let draw = |model: &str, what: &str| {
        Command::new(env!("CARGO_BIN_EXE_isotrope"))
            .args(["run", model, "--plot", picture.to_str().unwrap(), "--plot-what", what])
            .env("NO_COLOR", "1")
            .output()
            .unwrap()
    };
    let units = "[units]\nx = \"m\"\ntheta = \"rad\"\nt = \"s\"";
    let model = cart(folder.path(), units);
    assert!(draw(&model, "x : v_x").status.success());
    let shown = letters(&picture);
    assert!(shown.contains("(m)") && shown.contains("(m/s)"), "{shown}");
    assert!(draw(&model, "time").status.success());
    let shown = letters(&picture);
    assert!(["(s)", "(m)", "(rad)"].iter().all(|unit| shown.contains(unit)), "{shown}");
    let refused = draw(&model, "phase");
    assert_eq!(refused.status.code(), Some(2));
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("ISO-RUN-010") && told.contains("different units"), "{told}");
    // One unit, or none: one picture.
    for units in ["[units]\nx = \"m\"\ntheta = \"m\"", "[units]\nt = \"s\"", ""] {
        let model = cart(folder.path(), units);
        assert!(draw(&model, "phase").status.success(), "{units}");
        assert!(!letters(&picture).contains("m/s"));
    }
    // Units are words: whatever they say is shown.
    let model = cart(folder.path(), "[units]\nx = \"</text><script>$\\\\input{x}\"");
    assert!(draw(&model, "x").status.success());
    assert!(!std::fs::read_to_string(&picture).unwrap().contains("<script>"));
    for (units, code) in [
        ("[units]\ny = \"m\"", "ISO-MODEL-024"),
        ("[units]\nx = 1", "ISO-MODEL-007"),
        ("[units]\nx = \"\"", "ISO-MODEL-007"),
        ("[units]\nx = \"a\\nb\"", "ISO-MODEL-007"),
    ] {
        let model = cart(folder.path(), units);
        let refused = draw(&model, "time");
        assert_eq!(refused.status.code(), Some(2), "{units}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(code), "{units}");
    }
}
