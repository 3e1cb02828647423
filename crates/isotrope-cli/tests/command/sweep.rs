//! Sweeps: a store is the same whoever made it, however often that was interrupted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sweep").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.arg("sweep").args(line.split_whitespace()).current_dir(folder).env("NO_COLOR", "1");
    command
}

fn sweep(folder: &Path, line: &str) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command(folder, line).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn done(folder: &Path, line: &str) -> String {
    let (code, out, err) = sweep(folder, line);
    assert_eq!(code, Some(0), "{line}: {out}{err}");
    out
}

const MODEL: &str = r#"
    name = "pendulum"
    coordinates = ["x"]
    parameters = { k = 1, c = 0 }
    lagrangian.L = "x'^2/2 + k*cos(x)"
    forces.x = "-c*x'"
    initial.position.x = 1
    initial.velocity.x = 0
    run = { method = "rk4", step = "1/10", time = 2 }
"#;

const STUDY: &str = r#"
    name = "a pendulum"
    model = "m.toml"
    run.method = ["rk4", "gauss-2"]
    [axes]
    k = [0.5, 1]
    x = { from = -1, to = 1, count = 20 }
    "x'" = { from = -1, to = 1, count = 15 }
    [measure]
    mean = { x2 = "x^2" }
    max = { x = "x" }
    strobe = { every = "1/2", last = 3 }
    section = { at = "x = 0", last = 1 }
    attractor = { points = [-1, 1], radius = 1 }
    [reduce]
    fraction = { of = "attractor", by = ["k"] }
    mean = { of = "energy_max", by = ["method"] }
"#;

fn study(name: &str) -> PathBuf {
    let folder = scratch(name);
    std::fs::write(folder.join("m.toml"), MODEL).unwrap();
    std::fs::write(folder.join("s.toml"), STUDY).unwrap();
    folder
}

/// Names and bytes of all parts.
fn parts(store: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries =
        std::fs::read_dir(store.join("parts")).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries.map(|path| (name(&path), std::fs::read(&path).unwrap())).collect()
}

#[test]
fn a_store_is_the_same_for_any_threads_and_shares() {
    let folder = study("shares");
    let run = "run s.toml --shard-size 64";
    done(&folder, &format!("{run} --store one --threads 1"));
    done(&folder, &format!("{run} --store two --threads 2"));
    let one = parts(&folder.join("one"));
    assert_eq!(one.len(), 20);
    assert!(one == parts(&folder.join("two")));
    for k in 1..=3 {
        done(&folder, &format!("{run} --store share{k} --shard {k}/3"));
    }
    done(&folder, "merge share1 share2 share3");
    assert!(one == parts(&folder.join("share1")));
    // One shard after the other, as another engine would.
    done(&folder, &format!("{run} --store work --max-seconds 0"));
    done(&folder, "work work --shards 7-9,0");
    assert_eq!(parts(&folder.join("work")).len(), 4);
    done(&folder, "work work --shards 0-19");
    assert!(one == parts(&folder.join("work")));
    // All of it is in the plan: the study and the model may be gone.
    std::fs::remove_file(folder.join("m.toml")).unwrap();
    let status: Value = serde_json::from_str(&done(&folder, "status work --json")).unwrap();
    assert_eq!(
        (status["complete"].as_bool(), status["members"].as_u64()),
        (Some(true), Some(1200))
    );
}

#[cfg(unix)]
#[test]
fn killed_at_any_moment_it_goes_on() {
    let folder = study("kills");
    let line = "run s.toml --shard-size 2 --store";
    done(&folder, &format!("{line} whole"));
    let whole = parts(&folder.join("whole"));
    let (mut kills, mut delay) = (0, 1);
    for _ in 0..60 {
        let mut child = command(&folder, &format!("{line} killed"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        delay = (delay * 7 + 3) % 101 + 1;
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        if child.wait().unwrap().success() {
            break;
        }
    }
    assert!(kills > 0, "it was too fast for any kill");
    done(&folder, &format!("{line} killed"));
    assert!(whole == parts(&folder.join("killed")));
    let left: Vec<String> = std::fs::read_dir(folder.join("killed/parts"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".parquet"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_damaged_part_is_moved_aside_and_computed_again() {
    let folder = study("damage");
    let line = "run s.toml --shard-size 400 --store b";
    done(&folder, line);
    let whole = parts(&folder.join("b"));
    let (name, bytes) = whole.first_key_value().unwrap();
    for place in [0, 5, bytes.len() / 2, bytes.len() - 9, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[place] ^= 4;
        std::fs::write(folder.join("b/parts").join(name), &changed).unwrap();
        let status: Value = serde_json::from_str(&done(&folder, "status b --json")).unwrap();
        assert_eq!(status["complete"], false);
        done(&folder, line);
        assert!(whole == parts(&folder.join("b")));
        assert!(folder.join("b/bad").is_dir());
    }
}

#[test]
fn measures_are_those_of_the_runs() {
    let folder = study("measures");
    done(&folder, "run s.toml --store b");
    // A member alone, by the command `run`.
    let rows = done(&folder, "table b --where k=0.5,x=-1,method=rk4 --out -");
    let mut lines = rows.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let line: Vec<&str> = lines.next().unwrap().split(',').collect();
    let cell = |name: &str| {
        let place = names
            .iter()
            .position(|own| *own == name)
            .unwrap_or_else(|| panic!("{name} in {names:?}"));
        line[place].parse::<f64>().unwrap()
    };
    let output = Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(["run", "m.toml", "--set", "k=0.5", "--initial", "x=-1", "--initial", "x'=-1"])
        .args(["--method", "rk4", "--out", "one.csv"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(output.status.success());
    let run = std::fs::read_to_string(folder.join("one.csv")).unwrap();
    let xs: Vec<f64> =
        run.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(xs.len(), 21);
    assert_eq!(cell("final_x"), xs[20]);
    let looks = &xs[1..];
    let mean = looks.iter().map(|x| x * x).sum::<f64>() / 20.0;
    assert!((cell("mean_x2") - mean).abs() < 1e-15, "{} {mean}", cell("mean_x2"));
    assert_eq!(cell("max_x"), looks.iter().copied().fold(f64::MIN, f64::max));
    assert_eq!(
        [cell("strobe_x_1"), cell("strobe_x_2"), cell("strobe_x_3")],
        [xs[10], xs[15], xs[20]]
    );
    let reduced: Value = serde_json::from_str(&done(&folder, "table b --reduce --json")).unwrap();
    assert_eq!(reduced["mean"].as_array().unwrap().len(), 2);
    let fractions = reduced["fraction"][0].as_object().unwrap();
    let sum: f64 = fractions
        .iter()
        .filter(|(key, _)| key.contains('='))
        .map(|(_, x)| x.as_f64().unwrap())
        .sum();
    assert!((sum - 1.0).abs() < 1e-12);
    // Pictures of both kinds.
    done(&folder, "picture b --at k=1,method=rk4 --color mean_x2 --out a.svg");
    done(&folder, "picture b --bifurcation x --out b.png");
    assert!(std::fs::read_to_string(folder.join("a.svg")).unwrap().contains("<image"));
    assert!(std::fs::read(folder.join("b.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn members_that_fail_are_rows_with_their_outcome() {
    let folder = scratch("failures");
    std::fs::write(
        folder.join("m.toml"),
        "coordinates = [\"x\"]\nequations.\"x'\" = \"x^2\"\ninitial.position.x = 1\nrun = { method = \"rk4\", step = \"1/10\", time = 20 }\n",
    )
    .unwrap();
    let text = "model = \"m.toml\"\naxes.x = [-1, 1]\n[reduce]\nmean = { of = \"x\" }\nmean_all = { of = \"x\", completed_only = true }\n";
    std::fs::write(folder.join("s.toml"), text).unwrap();
    let (code, out, err) = sweep(&folder, "run s.toml --store b");
    assert_eq!(code, Some(1), "{out}{err}");
    let table = done(&folder, "table b");
    assert!(table.contains("completed") && table.contains("non-finite"), "{table}");
    let reduced: Value = serde_json::from_str(&done(&folder, "table b --reduce --json")).unwrap();
    assert_eq!(reduced["mean"][0]["mean_x"], Value::Null);
    assert_eq!(reduced["mean_all"][0]["n_failed"], 1);
    assert!(reduced["mean_all"][0]["mean_x"].is_number());
    let (escaped, ..) = {
        std::fs::write(folder.join("e.toml"), format!("{text}[measure]\nescape = \"x > 100\"\n"))
            .unwrap();
        sweep(&folder, "run e.toml --store e")
    };
    assert_eq!(escaped, Some(0));
    assert!(done(&folder, "table e").contains("escaped"));
}

#[test]
fn what_is_wrong_with_a_study_is_told() {
    let folder = study("hostile");
    let axes = |axes: &str| format!("model = \"m.toml\"\n[axes]\n{axes}\n");
    let with = |more: &str| format!("{}{more}\n", axes("k = [1, 2]"));
    let cases: Vec<(String, &str)> = vec![
        (String::new(), "ISO-SWEEP-010"),
        ("model = \"m.toml\"".into(), "ISO-SWEEP-010"),
        ("axes.k = [1]".into(), "ISO-SWEEP-010"),
        ("model = 3\naxes.k = [1]".into(), "ISO-SWEEP-008"),
        ("model = \"m.toml".into(), "ISO-SWEEP-005"),
        ("model = \"m.toml\"\nmodel = \"m.toml\"".into(), "ISO-SWEEP-006"),
        (axes("k = []"), "ISO-SWEEP-011"),
        (axes("k = [nan]"), "ISO-SWEEP-011"),
        (axes("k = [inf]"), "ISO-SWEEP-011"),
        (axes("k = [1, \"two\"]"), "ISO-SWEEP-011"),
        (axes("k = 3"), "ISO-SWEEP-008"),
        (axes("k = { from = 0, to = 1, count = 0 }"), "ISO-SWEEP-011"),
        (axes("k = { from = 0, to = 1 }"), "ISO-SWEEP-011"),
        (axes("k = { from = 0, count = 3 }"), "ISO-SWEEP-011"),
        (axes("k = { from = nan, to = 1, count = 3 }"), "ISO-SWEEP-011"),
        (axes("k = { from = 0, to = 1, count = -3 }"), "ISO-SWEEP-008"),
        (axes("k = { log = [0, 1], count = 3 }"), "ISO-SWEEP-011"),
        (axes("k = { log = [-1, 1], count = 3 }"), "ISO-SWEEP-011"),
        (axes("k = { log = [1], count = 3 }"), "ISO-SWEEP-008"),
        (axes("k = { form = 0, to = 1, count = 3 }"), "ISO-SWEEP-007"),
        (axes("kk = [1]"), "ISO-SWEEP-012"),
        (axes("\"x'\" = [1]\nv_x = [1]"), "ISO-SWEEP-011"),
        (axes("k = { from = 0, to = 1, count = 1000000000000 }"), "ISO-SWEEP-016"),
        (axes("k = { file = \"none.csv\", column = \"k\" }"), "ISO-FILE-001"),
        (axes("k = { file = \"../../none.csv\", column = \"k\" }"), "ISO-SWEEP-015"),
        (axes("k = { file = \"f.csv\", column = \"z\" }"), "ISO-SWEEP-011"),
        ("model = \"/etc/passwd\"\naxes.k = [1]".into(), "ISO-SWEEP-015"),
        ("model = \"../../../m.toml\"\naxes.k = [1]".into(), "ISO-SWEEP-015"),
        ("model = \"other.toml\"\naxes.k = [1]".into(), "ISO-FILE-001"),
        ("model = \"s.toml\"\naxes.k = [1]".into(), "ISO-MODEL"),
        (with("[sample]\nkind = \"sobel\"\ncount = 3"), "ISO-SWEEP-013"),
        (with("[sample]\nkind = \"sobol\""), "ISO-SWEEP-013"),
        (with("[sample]\nkind = \"random\"\ncount = 0"), "ISO-SWEEP-013"),
        (with("[measure]\nescape = \"x\""), "ISO-SWEEP-014"),
        (with("[measure]\nattractor = { points = [], radius = 1 }"), "ISO-SWEEP-014"),
        (with("[measure]\nattractor = { points = [1], radius = 0 }"), "ISO-SWEEP-014"),
        (with("[measure]\nstrobe = { last = 3 }"), "ISO-SWEEP-014"),
        (with("[measure]\nstrobe = { every = 1, last = 0 }"), "ISO-SWEEP-014"),
        (with("[measure]\nmeans = { a = \"x\" }"), "ISO-SWEEP-007"),
        (with("[reduce]\nsum = { of = \"x\" }"), "ISO-SWEEP-007"),
        (with("[run]\ntime = true"), "ISO-SWEEP-008"),
        (with("sample = 3"), "ISO-SWEEP-008"),
        ("version = 2\nmodel = \"m.toml\"\naxes.k = [1]".into(), "ISO-SWEEP-009"),
        ("model = \"m.toml\"\naxes.k = [1]\n\u{0}".into(), "ISO-SWEEP-002"),
    ];
    std::fs::write(folder.join("f.csv"), "k\n1\n2\n").unwrap();
    for (text, code) in &cases {
        std::fs::write(folder.join("h.toml"), text).unwrap();
        let (exit, out, err) = sweep(&folder, "plan h.toml");
        assert_eq!(exit, Some(2), "{text}: {out}");
        assert!(err.contains(code), "{text}: {err}");
    }
    // What is found out when a group is compiled.
    for (text, code) in [
        (with("[run]\nmethod = \"nothing\""), "ISO-RUN-007"),
        (with("[run]\nstep = \"3/10\""), "ISO-RUN"),
        (with("[measure]\nmean = { a = \"y\" }"), "ISO-SWEEP-014"),
        (with("[measure]\nmean = { a = \"x +\" }"), "ISO-SWEEP-014"),
        (with("[measure]\nstrobe = { every = \"0.15\" }"), "ISO-SWEEP-014"),
        (with("[measure]\nattractor = { points = [[1, 2]], radius = 1 }"), "ISO-SWEEP-014"),
    ] {
        std::fs::write(folder.join("h.toml"), &text).unwrap();
        let (exit, out, err) = sweep(&folder, "run h.toml --store h");
        assert_eq!(exit, Some(2), "{text}: {out}");
        assert!(err.contains(code), "{text}: {err}");
        std::fs::remove_dir_all(folder.join("h")).unwrap();
    }
    // A store of something else is left alone.
    done(&folder, "run s.toml --store b");
    std::fs::write(folder.join("m.toml"), MODEL.replace("k = 1", "k = 2")).unwrap();
    let (exit, _, err) = sweep(&folder, "run s.toml --store b");
    assert!(exit == Some(2) && err.contains("ISO-SWEEP-003") && err.contains("`m.toml`"), "{err}");
    for (line, code) in [
        ("status m.toml", "ISO-SWEEP-017"),
        ("run s.toml --store .", "ISO-SWEEP-017"),
        ("work b --shards 99", "ISO-SWEEP-018"),
        ("run s.toml --store c --shard 4/3", "ISO-SWEEP-018"),
        ("table b --where z=1", "ISO-SWEEP-019"),
        ("picture b --color z --out z.png", "ISO-SWEEP-019"),
    ] {
        let (exit, out, err) = sweep(&folder, line);
        assert_eq!(exit, Some(2), "{line}: {out}");
        assert!(err.contains(code), "{line}: {err}");
    }
}
