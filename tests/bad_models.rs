//! Bad models: each is refused with the codes it names, and what the user reads is kept as
//! a snapshot. Monsters that are too large for a file are made here; they are refused in
//! time and in little memory.
//!
//! A bad model begins with `# expect: CODE…`; a second line `# arguments: …` gives the
//! command line. `ISOTROPE_UPDATE_DOCS=1 cargo test --test bad_models` writes docs/errors.md.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "the costs are worth seeing with --nocapture")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use isotrope::rooms::construct::problem::file::problem_codes;
use isotrope::rooms::derive::DeriveError;
use isotrope::rooms::methods::table::file::table_codes;
use isotrope::rooms::model::{Code, codes};
use isotrope::rooms::output::writers::WriteError;
use isotrope::rooms::structure::connect::ConnectError;
use isotrope::rooms::structure::geometry::file::geometry_codes;
use isotrope::rooms::structure::port::PortError;
use isotrope::rooms::study::ensemble::ensemble_codes;
use isotrope::rooms::study::modified::ModifiedProblem;
use isotrope::rooms::study::stability::StabilityError;

/// The promise is one second; slow machines and unoptimised builds get some room.
const TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });
/// Kilobytes of memory.
const MEMORY: u64 = 256 << 10;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

struct Outcome {
    exit: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
    time: Duration,
    /// Largest resident memory in kilobytes, where the system tells.
    memory: u64,
}

/// Runs the command in `directory` and watches what it costs.
fn run(directory: &Path, arguments: &[&str]) -> Outcome {
    let name: String =
        arguments.iter().flat_map(|a| a.chars()).filter(|c| c.is_alphanumeric()).collect();
    let file = |kind: &str| Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{kind}"));
    let (stdout, stderr) = (file("stdout"), file("stderr"));
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(arguments)
        .current_dir(directory)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(File::create(&stdout).unwrap())
        .stderr(File::create(&stderr).unwrap())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    let exit = loop {
        memory = peak_memory(&status).unwrap_or(0).max(memory);
        if let Some(exit) = child.try_wait().unwrap() {
            break exit;
        }
        if start.elapsed() > TIME * 3 {
            // Its exit code will say that it was killed.
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    Outcome {
        exit: exit.code(),
        time: start.elapsed(),
        stdout: std::fs::read(stdout).unwrap(),
        stderr: std::fs::read_to_string(stderr).unwrap(),
        memory,
    }
}

fn peak_memory(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The codes in brackets, as they are printed: `error[ISO-MODEL-024]`.
fn told(stderr: &str) -> BTreeSet<String> {
    let parts = stderr.split("error[").skip(1);
    parts.filter_map(|part| part.split_once(']')).map(|(code, _)| code.to_owned()).collect()
}

fn bad_models() -> Vec<(String, Vec<String>, Vec<String>)> {
    let words = |line: Option<&str>, prefix: &str| -> Vec<String> {
        let line = line.and_then(|line| line.strip_prefix(prefix)).unwrap_or("");
        line.split_whitespace().map(str::to_owned).collect()
    };
    let mut models = Vec::new();
    for entry in std::fs::read_dir(root().join("tests/bad_models")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        let expected = words(lines.next(), "# expect: ");
        assert!(!expected.is_empty(), "{} expects nothing", path.display());
        let arguments = words(lines.next(), "# arguments: ");
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        models.push((name, expected, arguments));
    }
    models.sort();
    models
}

/// What is not as it should be, besides the snapshot.
fn complaints(name: &str, expected: &[String], outcome: &Outcome) -> Vec<String> {
    let Outcome { exit, stdout, stderr, time, memory } = outcome;
    println!("{name}: {} ms, {} MB", time.as_millis(), memory >> 10);
    let expected: BTreeSet<String> = expected.iter().cloned().collect();
    let mut complaints = Vec::new();
    let mut complain = |wrong: bool, what: String| {
        if wrong {
            complaints.push(format!("{name} {what}"));
        }
    };
    complain(*exit != Some(2), format!("ends with {exit:?}"));
    complain(!stdout.is_empty(), "writes to stdout".to_owned());
    complain(told(stderr) != expected, format!("tells {:?}, not {expected:?}", told(stderr)));
    complain(*time > TIME, format!("takes {time:?}"));
    complain(*memory > MEMORY, format!("takes {memory} kB"));
    if complaints.is_empty() {
        insta::with_settings!({
            snapshot_path => "snapshots/bad_models",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name, stderr);
        });
    }
    complaints
}

#[test]
fn bad_models_are_refused_with_a_place_a_reason_and_a_way_out() {
    let models = bad_models();
    assert!(models.len() >= 70, "{} bad models", models.len());
    let mut wrong = Vec::new();
    for (name, expected, arguments) in models {
        let mut command = vec!["derive", name.as_str()];
        command.extend(arguments.iter().map(String::as_str));
        let outcome = run(&root().join("tests/bad_models"), &command);
        wrong.extend(complaints(name.trim_end_matches(".toml"), &expected, &outcome));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_code_is_shown_by_a_bad_model() {
    let mut shown: BTreeSet<String> =
        bad_models().into_iter().flat_map(|(_, expected, _)| expected).collect();
    shown.extend(monsters().into_iter().map(|monster| monster.code.to_owned()));
    let all = Code::ALL.iter().map(Code::to_string);
    let all = all.chain(DeriveError::CODES.map(str::to_owned));
    let missing: Vec<String> = all.filter(|code| !shown.contains(code)).collect();
    assert!(missing.is_empty(), "no bad model shows {missing:?}");
}

struct Monster {
    name: &'static str,
    code: &'static str,
    bytes: Vec<u8>,
}

/// A model of two coordinates with this Lagrangian.
fn lagrangian(text: &str) -> String {
    format!(
        "coordinates = [\"x\", \"y\"]\n\n[lagrangian]\nL = \"{text}\"\n\n[initial]\n\
         position = {{ x = 1, y = 0 }}\nvelocity = {{ x = 0, y = 0 }}\n"
    )
}

/// A model of forty coordinates with this constraint.
fn constraint(text: &str) -> String {
    format!(
        "coordinates = [\"x[1..40]\"]\n\n[lagrangian]\nL = \"sum(i, 1, 40, x[i]'^2/2)\"\n\n\
         [constraints]\nmonster = \"{text}\"\n\n[initial]\n\
         position = {{ \"x[i]\" = 0 }}\nvelocity = {{ \"x[i]\" = 0 }}\n"
    )
}

/// Files that are too large or too strange to be kept.
fn monsters() -> Vec<Monster> {
    const MILLION: usize = 1_000_000;
    let mut monsters = Vec::new();
    let mut add = |name, code, bytes: Vec<u8>| monsters.push(Monster { name, code, bytes });
    let text = |text: String| text.into_bytes();

    let mut latin = text(lagrangian("x'^2/2 + y'^2/2"));
    latin.splice(0..0, *b"name = \"Schwingung \xfcber Eck\"\n");
    add("not_utf8", "ISO-MODEL-001", latin);
    add("not_utf8_cut", "ISO-MODEL-001", b"# \xe2\x82".to_vec());
    add("not_text", "ISO-MODEL-001", (0..=255).cycle().skip(128).take(MILLION).collect());
    add("nul", "ISO-MODEL-002", text(lagrangian("x'^2/2 +\0 y'^2/2")));
    add("only_nul", "ISO-MODEL-002", vec![0; MILLION]);
    add("escape_character", "ISO-MODEL-002", text(lagrangian("x'^2/2 +\x1b[31m y'^2/2")));

    let digits = "9".repeat(10 * MILLION);
    let parameter = |value: &str| lagrangian("x'^2/2 + y'^2/2") + "\n[parameters]\nm = " + value;
    add("number_10_megabytes", "ISO-MODEL-003", text(parameter(&digits)));
    add("number_10_megabytes_quoted", "ISO-MODEL-003", text(parameter(&format!("\"{digits}\""))));
    add("number_1_megabyte", "ISO-MODEL-004", text(parameter(&digits[..MILLION])));
    add(
        "number_1_megabyte_quoted",
        "ISO-MODEL-031",
        text(parameter(&format!("\"{}\"", &digits[..MILLION]))),
    );
    add(
        "decimal_half_a_megabyte",
        "ISO-MODEL-031",
        text(parameter(&format!("0.{}", &digits[..MILLION / 2]))),
    );

    let nested = |depth: usize| "(".repeat(depth) + "x" + &")".repeat(depth);
    add("nested_a_million_deep", "ISO-MODEL-003", text(lagrangian(&nested(MILLION))));
    add("nested_400000_deep", "ISO-MODEL-030", text(lagrangian(&nested(400_000))));
    add(
        "nested_functions",
        "ISO-MODEL-030",
        text(lagrangian(&("sin(".repeat(100_000) + "x" + &")".repeat(100_000)))),
    );
    add("nested_signs", "ISO-MODEL-030", text(lagrangian(&("-".repeat(900_000) + "x"))));
    add("nested_powers", "ISO-MODEL-030", text(lagrangian(&("x^".repeat(400_000) + "x"))));
    add("nested_arrays", "ISO-MODEL-003", text(format!("a = {}", "[".repeat(MILLION))));
    add("nested_arrays_in_the_limit", "ISO-MODEL-004", text(format!("a = {}", "[".repeat(40_000))));
    add("dotted_keys", "ISO-MODEL-003", text("a.".repeat(500_000) + "a = 1\n"));

    let factors: Vec<String> = (1..=40).map(|k| format!("(1 + x[{k}]')")).collect();
    add(
        "product_of_2_to_the_40_terms",
        "ISO-DERIVE-009",
        text(constraint(&(factors.join("*") + " = 2"))),
    );
    add("power_of_a_sum", "ISO-DERIVE-009", text(constraint("sum(i, 1, 40, x[i]')^1000 = 1")));
    add(
        "sum_of_2_to_the_40_terms",
        "ISO-MODEL-003",
        text(lagrangian("x'^2 + y'^2 + sum(i, 1, 2^40, cos(i*x))")),
    );
    let sums = (0..20).map(|k| format!("sum(i{k}, 0, 3, ")).collect::<String>();
    let sums = sums + "cos(i0*x + i19*y)" + &")".repeat(20);
    add(
        "nested_sums_of_2_to_the_40_terms",
        "ISO-MODEL-003",
        text(lagrangian(&format!("x'^2 + y'^2 + {sums}"))),
    );

    let mut circle = lagrangian("x'^2/2 + y'^2/2") + "\n[parameters]\na0 = \"a20000\"\n";
    for k in 1..=20_000 {
        let _ = writeln!(circle, "a{k} = \"a{}\"", k - 1);
    }
    add("circle_of_20000_parameters", "ISO-MODEL-029", text(circle));
    let mut strangers = lagrangian("x'^2/2 + y'^2/2") + "\n[parameters]\n";
    for k in 0..40_000 {
        let _ = writeln!(strangers, "a{k} = \"b{k}\"");
    }
    add("unknown_names_40000", "ISO-MODEL-024", text(strangers));
    add("keys_160000", "ISO-MODEL-003", text("a = 1\n".repeat(160_000)));
    add("broken_lines", "ISO-MODEL-004", text("x = = 1\n".repeat(10_000)));
    monsters
}

#[test]
fn monsters_are_refused_in_time_and_in_little_memory() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut wrong = Vec::new();
    for Monster { name, code, bytes } in monsters() {
        let file = format!("{name}.toml");
        std::fs::write(directory.join(&file), bytes).unwrap();
        let outcome = run(directory, &["derive", &file]);
        wrong.extend(complaints(&format!("monster_{name}"), &[code.to_owned()], &outcome));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What can be wrong with files: code, meaning, way out.
const FILE_CODES: [(&str, &str, &str); 10] = [
    (
        "ISO-FILE-001",
        "There is no such file.",
        "Correct the name; `isotrope new NAME` writes a model to start from.",
    ),
    ("ISO-FILE-002", "A directory where a model is wanted.", "Name a file in it."),
    ("ISO-FILE-003", "A file that cannot be read.", "Check its permissions."),
    (
        "ISO-FILE-004",
        "The file exists already.",
        "Choose another name, or replace it with `--force`.",
    ),
    (
        "ISO-FILE-005",
        "A file that cannot be written.",
        "Check that the directory exists and may be written.",
    ),
    (
        "ISO-FILE-006",
        "Standard input or output cannot be used.",
        "Check where they lead; is the disk full?",
    ),
    (
        "ISO-FILE-007",
        "A name from which `new` cannot make a file in the current folder.",
        "Use letters and digits, without a folder.",
    ),
    (
        "ISO-FILE-008",
        "A file is named where there are no files: in a page, or in a program that brings none.",
        "Name a method of the list instead of a file.",
    ),
    ("ISO-FILE-009", "A file that is longer than anything that is read.", "Split it."),
    ("ISO-CHECK-001", "A tolerance that is not a size.", "Give a number that is not negative."),
];

/// What can be wrong with a list of trees: code, meaning, way out.
const TREES_CODES: [(&str, &str, &str); 4] = [
    (
        "ISO-TREES-001",
        "Groups of variables that cannot be read.",
        "Write each group with those its rate depends on: `q=v^1; v=q,v`.",
    ),
    (
        "ISO-TREES-002",
        "`--natural` for a family without velocities.",
        "Use it with `--family qvp` or `nystrom`; in `--groups` write the degree, `v^2`.",
    ),
    (
        "ISO-TREES-003",
        "An order that is zero or unreasonably large.",
        "Choose an order up to 20, or up to 50 with `--counts`.",
    ),
    (
        "ISO-TREES-004",
        "More trees than can be listed or counted.",
        "Choose a smaller order; `--counts` counts without listing.",
    ),
];

/// What can be wrong with a question about a method: code, meaning, way out.
const METHODS_CODES: [(&str, &str, &str); 3] = [
    (
        "ISO-METHODS-001",
        "There is no method of this name.",
        "`isotrope methods` lists all; `isotrope certify FILE` takes a table of your own.",
    ),
    (
        "ISO-METHODS-002",
        "A method of a family that does not exist or is too large to certify.",
        "Choose another number of stages.",
    ),
    (
        "ISO-CERTIFY-001",
        "A table that is too large to certify.",
        "Write the coefficients with fewer different roots, or take fewer stages.",
    ),
];

const BENCH_CODES: [(&str, &str, &str); 1] = [(
    "ISO-BENCH-001",
    "A workload that cannot be measured, because the machine has no code for it.",
    "Use x86-64 with AVX2 and FMA.",
)];

/// What can be wrong with a question about a class: code, meaning, way out.
const CONDITIONS_CODES: [(&str, &str, &str); 6] = [
    (
        "ISO-CONDITIONS-001",
        "There is no class of this name.",
        "Choose one of those that `isotrope conditions --help` lists.",
    ),
    (
        "ISO-CONDITIONS-002",
        "A quantity that the class does not have.",
        "φ_q needs holonomic constraints, the 2-form these or none; see docs/conditions.md.",
    ),
    (
        "ISO-CONDITIONS-003",
        "A power of h that is zero or too large.",
        "Choose an order from 1 to 6.",
    ),
    (
        "ISO-CONDITIONS-004",
        "An order of the method that leaves no conditions.",
        "Choose `--given` below `--order`.",
    ),
    (
        "ISO-CONDITIONS-005",
        "The conditions could not be computed within bounds.",
        "Choose a smaller order.",
    ),
    (
        "ISO-CONDITIONS-006",
        "A model that is no problem in positions, velocities and momenta: its equations depend on time, or it has no Lagrangian.",
        "Write it as a problem in groups, with time as a variable; see docs/groups.md.",
    ),
];

/// What can be wrong with a construction: code, meaning, way out.
const CONSTRUCT_CODES: [(&str, &str, &str); 10] = [
    (
        "ISO-CONSTRUCT-001",
        "There is no class of this name.",
        "The message lists the classes; see docs/conditions.md.",
    ),
    (
        "ISO-CONSTRUCT-002",
        "There is no pattern of this name.",
        "The message lists the patterns; see docs/construct.md.",
    ),
    (
        "ISO-CONSTRUCT-003",
        "Entries that cannot be prescribed, or a number of stages beyond what is solved for.",
        "Name an entry that is free and give it an exact value: `--fix a21=1/2`.",
    ),
    (
        "ISO-CONSTRUCT-004",
        "An order, or a power of the step, that is out of range.",
        "The message says what can be asked for.",
    ),
    (
        "ISO-CONSTRUCT-005",
        "The 2-form of systems that do not keep it.",
        "Ask for `--structure`, or for the form of a holonomic class.",
    ),
    (
        "ISO-CONSTRUCT-006",
        "The conditions could not be computed within bounds.",
        "Ask for a lower `--structure`, or a simpler problem.",
    ),
    (
        "ISO-CONSTRUCT-007",
        "The conditions could not be solved.",
        "Ask for fewer stages, a narrower `--pattern`, or a longer `--time-limit`.",
    ),
    (
        "ISO-CONSTRUCT-008",
        "A model whose class cannot be read off.",
        "Name a class with `--class`.",
    ),
    (
        "ISO-CONSTRUCT-009",
        "There is no method to save, or its coefficients cannot be written.",
        "See what was found; ask for a simpler method.",
    ),
    (
        "ISO-CONSTRUCT-010",
        "A derivation that is to be written to a file of an unknown kind.",
        "Let the name end in `.html` or `.tex`.",
    ),
];

/// What can be wrong with a run: code, meaning, way out.
const RUN_CODES: [(&str, &str, &str); 11] = [
    (
        "ISO-RUN-001",
        "A tolerance that is not between 0 and 1.",
        "Give a small number, such as 1e-13.",
    ),
    (
        "ISO-RUN-002",
        "A stride or a number of threads that is zero.",
        "Leave it out, or count from 1.",
    ),
    (
        "ISO-RUN-003",
        "A step or a time that is missing or not a number.",
        "Give `--step` and `--time` as decimals or exact constants, or write `[run]` in the model.",
    ),
    (
        "ISO-RUN-004",
        "A time that is not a whole number of steps.",
        "Choose a time that is a whole number of steps, with the same sign.",
    ),
    (
        "ISO-RUN-005",
        "A member of an ensemble for which the model has no values.",
        "Change the table of members.",
    ),
    (
        "ISO-RUN-006",
        "Steps that cannot be derived or compiled for this model.",
        "Take a smaller system, fewer stages or another method.",
    ),
    (
        "ISO-RUN-007",
        "There is no method of this name that can be run.",
        "`isotrope methods` lists all; `rkd:FILE` takes a table of your own.",
    ),
    (
        "ISO-RUN-008",
        "An output that would overwrite the table of members.",
        "Write to another file.",
    ),
    (
        "ISO-RUN-009",
        "A picture without a file of its own that ends in `.svg` or `.png`.",
        "Give each `--plot` another name, and not more `--plot-what` than `--plot`.",
    ),
    (
        "ISO-RUN-010",
        "A picture that the model does not have: no points of the plane, no constraints.",
        "Choose another `--plot-what`.",
    ),
    (
        "ISO-RUN-011",
        "A list of methods without a name.",
        "Name some, separated by commas, or `published` or `all`; `isotrope methods` lists them.",
    ),
];

/// What can be wrong with a question about long runs: code, meaning, way out.
const DRIFT_CODES: [(&str, &str, &str); 2] = [
    (
        "ISO-DRIFT-001",
        "Steps that do not fit the methods.",
        "Give one step for all methods, or one for each.",
    ),
    (
        "ISO-DRIFT-002",
        "A section that cannot be read, or names something that the model does not have.",
        "Write an expression in coordinates, velocities (`x'`), the time and parameters, or an equation of two.",
    ),
];

#[test]
fn file_errors_have_their_codes() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(directory.join("taken.toml"), "").unwrap();
    std::fs::write(directory.join("good.toml"), lagrangian("x'^2/2 + y'^2/2")).unwrap();
    std::fs::write(
        directory.join("quartic.toml"),
        "coordinates = [\"x\"]\n\n[hamiltonian]\nH = \"p_x^4 + x^2\"\n\n[initial]\n\
         position = { x = 1 }\nmomentum = { x = 1 }\n",
    )
    .unwrap();
    std::fs::write(directory.join("bad.csv"), "z\n1\n").unwrap();
    std::fs::write(
        directory.join("root.toml"),
        lagrangian("x'^2/2 + y'^2/2")
            .replace("[lagrangian]", "[parameters]\nk = 1\n\n[lagrangian]")
            .replace("x = 1", "x = \"log(k)\""),
    )
    .unwrap();
    std::fs::write(directory.join("k.csv"), "k\n-1\n").unwrap();
    let timed = ["--step", "1/10", "--time", "1"];
    let timed = |rest: &[&'static str]| [&["run", "good.toml"], rest, &timed].concat();
    let cases: [(&str, &[&str]); 40] = [
        ("ISO-FILE-001", &["derive", "absent.toml"]),
        ("ISO-FILE-002", &["derive", "."]),
        ("ISO-FILE-004", &["new", "taken"]),
        ("ISO-FILE-005", &["derive", "good.toml", "--out", "absent/report.txt"]),
        ("ISO-FILE-007", &["new", "folder/name"]),
        ("ISO-CHECK-001", &["check", "good.toml", "--tolerance=-1"]),
        ("ISO-TREES-001", &["trees", "--groups", "x=y"]),
        ("ISO-TREES-002", &["trees", "--family", "rk", "--natural"]),
        ("ISO-TREES-003", &["trees", "--order", "1000"]),
        ("ISO-TREES-004", &["trees", "--order", "20"]),
        ("ISO-METHODS-001", &["methods", "gaus-3"]),
        ("ISO-METHODS-002", &["methods", "gauss-0"]),
        ("ISO-CONDITIONS-001", &["conditions", "--class", "round"]),
        ("ISO-CONDITIONS-002", &["conditions", "--class", "bilinear", "--part", "form"]),
        ("ISO-CONDITIONS-003", &["conditions", "--class", "sphere", "--order", "7"]),
        (
            "ISO-CONDITIONS-004",
            &["conditions", "--class", "sphere", "--order", "2", "--given", "2"],
        ),
        ("ISO-CONSTRUCT-001", &["construct", "--stages", "2", "--order", "2", "--class", "round"]),
        ("ISO-CONSTRUCT-002", &["construct", "--stages", "2", "--order", "2", "--pattern", "x"]),
        ("ISO-CONSTRUCT-003", &["construct", "--stages", "2", "--order", "2", "--fix", "a33=1"]),
        ("ISO-CONSTRUCT-004", &["construct", "--stages", "2", "--order", "0"]),
        ("ISO-CONSTRUCT-005", &["construct", "--stages", "2", "--order", "2", "--form", "4"]),
        (
            "ISO-CONSTRUCT-010",
            &["construct", "--stages", "1", "--order", "1", "--explain", "derivation.pdf"],
        ),
        ("ISO-MODIFIED-001", &["modified", "rattle"]),
        ("ISO-MODIFIED-002", &["modified", "yoshida-6"]),
        ("ISO-MODIFIED-003", &["modified", "euler", "--order", "9"]),
        ("ISO-MODIFIED-004", &["modified", "euler", "quartic.toml"]),
        ("ISO-RUN-001", &timed(&["--tolerance", "0"])),
        ("ISO-RUN-002", &timed(&["--stride", "0", "--out", "run.csv"])),
        ("ISO-RUN-003", &["run", "good.toml", "--step", "x", "--time", "1"]),
        ("ISO-RUN-003", &["run", "good.toml", "--step", "1/10"]),
        ("ISO-RUN-004", &["run", "good.toml", "--step", "0.3", "--time", "1"]),
        ("ISO-RUN-006", &timed(&["--method", "gauss-40"])),
        ("ISO-RUN-007", &timed(&["--method", "gaus-3"])),
        ("ISO-RUN-009", &timed(&["--plot", "run.pdf"])),
        ("ISO-RUN-009", &timed(&["--plot", "run.svg", "--plot", "run.svg"])),
        ("ISO-RUN-010", &timed(&["--plot", "run.svg", "--plot-what", "constraints"])),
        ("ISO-FILE-001", &timed(&["--method", "rkd:absent.toml"])),
        ("ISO-ENSEMBLE-007", &timed(&["--ensemble", "bad.csv"])),
        (
            "ISO-RUN-005",
            &["run", "root.toml", "--ensemble", "k.csv", "--step", "1/10", "--time", "1"],
        ),
        ("ISO-OUTPUT-001", &timed(&["--out", "run.xlsx"])),
    ];
    for (code, arguments) in cases {
        let outcome = run(directory, arguments);
        assert_eq!(outcome.exit, Some(2), "{arguments:?}: {}", outcome.stderr);
        assert_eq!(told(&outcome.stderr), BTreeSet::from([code.to_owned()]), "{}", outcome.stderr);
    }
}

/// The page of all codes, from what the program knows about them.
fn errors_page() -> String {
    let mut page = String::from(
        "# Errors\n\n\
         Every refusal has a stable code, a place, a reason and a way out; all errors of a file\n\
         are told at once. The command ends with exit code 2. One bad model for each code is in\n\
         `tests/bad_models`, what the program says about it in `tests/snapshots/bad_models`.\n\n\
         This page is made by a test: `ISOTROPE_UPDATE_DOCS=1 cargo test --test bad_models`.\n",
    );
    let mut section = |title: &str, rows: &mut dyn Iterator<Item = (String, String, String)>| {
        let _ = write!(page, "\n## {title}\n\n| code | meaning | way out |\n|---|---|---|\n");
        for (code, meaning, advice) in rows {
            let _ = writeln!(page, "| {code} | {meaning} | {advice} |");
        }
    };
    section(
        "Model files",
        &mut codes().map(|(code, meaning)| {
            (code.to_string(), meaning.to_owned(), code.advice().to_owned())
        }),
    );
    section(
        "Table files",
        &mut table_codes().map(|(code, meaning)| {
            (code.to_string(), meaning.to_owned(), code.advice().to_owned())
        }),
    );
    section(
        "Problem files",
        &mut problem_codes().map(|(code, meaning)| {
            (code.to_string(), meaning.to_owned(), code.advice().to_owned())
        }),
    );
    section(
        "Geometry files",
        &mut geometry_codes().map(|(code, meaning)| {
            (code.to_string(), meaning.to_owned(), code.advice().to_owned())
        }),
    );
    section(
        "Derivation",
        &mut DeriveError::CODES.iter().zip(DeriveError::EXPLANATIONS).map(
            |(code, (meaning, advice))| ((*code).to_owned(), meaning.to_owned(), advice.to_owned()),
        ),
    );
    section(
        "Files",
        &mut FILE_CODES.iter().map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    section(
        "Trees",
        &mut TREES_CODES.iter().map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    section(
        "Methods",
        &mut METHODS_CODES.iter().map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    section(
        "Runs",
        &mut RUN_CODES.iter().chain(&WriteError::CODES).map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    section(
        "Long runs",
        &mut DRIFT_CODES.iter().map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    section(
        "Stability",
        &mut StabilityError::CODES.iter().map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    section(
        "Port-Hamiltonian forms",
        &mut PortError::CODES.iter().chain(&ConnectError::CODES).map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    section(
        "Ensembles",
        &mut ensemble_codes().map(|(code, meaning)| {
            (code.to_string(), meaning.to_owned(), code.advice().to_owned())
        }),
    );
    section(
        "Conditions",
        &mut CONDITIONS_CODES.iter().map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    section(
        "Constructions",
        &mut CONSTRUCT_CODES.iter().map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    section(
        "Modified equations",
        &mut ModifiedProblem::CODES.iter().map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    section(
        "Bench",
        &mut BENCH_CODES.iter().map(|(code, meaning, advice)| {
            ((*code).to_owned(), (*meaning).to_owned(), (*advice).to_owned())
        }),
    );
    page
}

#[test]
fn the_page_of_errors_is_what_the_program_knows() {
    let path = root().join("docs/errors.md");
    let page = errors_page();
    if std::env::var_os("ISOTROPE_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, page, "run ISOTROPE_UPDATE_DOCS=1 cargo test --test bad_models");
}
