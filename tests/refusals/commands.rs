//! Commands that are refused, each with its code.

use std::collections::BTreeSet;
use std::path::Path;

use crate::command::{run, told};
use crate::monsters::lagrangian;

/// A code and a command that shows it.
pub type Case = (&'static str, &'static [&'static str]);

/// What is refused whatever the model says; `good.toml` and its like are made by [`prepare`].
pub const CASES: &[Case] = &[
    ("ISO-FILE-001", &["derive", "absent.toml"]),
    ("ISO-FILE-002", &["derive", "."]),
    ("ISO-FILE-004", &["new", "taken"]),
    ("ISO-FILE-005", &["derive", "good.toml", "--out", "absent/report.txt"]),
    ("ISO-FILE-007", &["new", "folder/name"]),
    ("ISO-FILE-010", &["derive", "good.toml", "--out", "good.toml"]),
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
    ("ISO-CONDITIONS-004", &["conditions", "--class", "sphere", "--order", "2", "--given", "2"]),
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
    ("ISO-RUN-001", &["run", "good.toml", "--step", "1/10", "--time", "1", "--tolerance", "0"]),
    (
        "ISO-RUN-002",
        &["run", "good.toml", "--step", "1/10", "--time", "1", "--stride", "0", "--out", "run.csv"],
    ),
    ("ISO-RUN-003", &["run", "good.toml", "--step", "x", "--time", "1"]),
    ("ISO-RUN-003", &["run", "good.toml", "--step", "1/10"]),
    ("ISO-RUN-004", &["run", "good.toml", "--step", "0.3", "--time", "1"]),
    ("ISO-RUN-006", &["run", "good.toml", "--step", "1/10", "--time", "1", "--method", "gauss-40"]),
    ("ISO-RUN-007", &["run", "good.toml", "--step", "1/10", "--time", "1", "--method", "gaus-3"]),
    ("ISO-RUN-009", &["run", "good.toml", "--step", "1/10", "--time", "1", "--plot", "run.pdf"]),
    (
        "ISO-RUN-009",
        &[
            "run",
            "good.toml",
            "--step",
            "1/10",
            "--time",
            "1",
            "--plot",
            "run.svg",
            "--plot",
            "run.svg",
        ],
    ),
    (
        "ISO-RUN-010",
        &[
            "run",
            "good.toml",
            "--step",
            "1/10",
            "--time",
            "1",
            "--plot",
            "run.svg",
            "--plot-what",
            "constraints",
        ],
    ),
    (
        "ISO-FILE-001",
        &["run", "good.toml", "--step", "1/10", "--time", "1", "--method", "rkd:absent.toml"],
    ),
    (
        "ISO-ENSEMBLE-007",
        &["run", "good.toml", "--step", "1/10", "--time", "1", "--ensemble", "bad.csv"],
    ),
    ("ISO-RUN-005", &["run", "root.toml", "--ensemble", "k.csv", "--step", "1/10", "--time", "1"]),
    ("ISO-OUTPUT-001", &["run", "good.toml", "--step", "1/10", "--time", "1", "--out", "run.xlsx"]),
    ("ISO-EXPLAIN-001", &["explain", "NOTHING-1"]),
    ("ISO-DISCRETE-001", &["derive", "good.toml", "--discrete", "rk4"]),
    (
        "ISO-FLOW-003",
        &[
            "flow",
            "good.toml",
            "--method",
            "gauss-2",
            "--step",
            "1/10",
            "--time",
            "1",
            "--sensitivity",
            "z",
        ],
    ),
    (
        "ISO-FLOW-006",
        &[
            "flow",
            "good.toml",
            "--method",
            "gauss-2",
            "--step",
            "1/10",
            "--time",
            "1",
            "--shoot",
            "x=1",
        ],
    ),
    ("ISO-RUN-015", &["derive", "good.toml", "--reduce"]),
    ("ISO-RUN-014", &["run", "free.toml", "--step", "1/10", "--time", "1"]),
    ("ISO-RUN-013", &["run", "pivot.toml", "--step", "1/10", "--time", "1", "--project"]),
    ("ISO-RUN-011", &["compare", "good.toml", "--steps", "1/10", "--time", "1", "--methods", ","]),
];

/// The files that the commands name.
fn prepare(directory: &Path) {
    std::fs::write(directory.join("taken.toml"), "").unwrap();
    // At the pivot the constraint has no direction.
    let pivot = "coordinates = [\"x\", \"y\"]\nlagrangian.L = \"(x'^2 + y'^2)/2\"\n\
                 constraints.rod = \"x^2 + y^2 = 1\"\ninitial.position = { x = 0, y = 0 }\n\
                 initial.velocity = { x = 0, y = 0 }\n";
    std::fs::write(directory.join("pivot.toml"), pivot).unwrap();
    std::fs::write(directory.join("good.toml"), lagrangian("x'^2/2 + y'^2/2")).unwrap();
    std::fs::write(directory.join("free.toml"), lagrangian("(x' - y)^2/2")).unwrap();
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
}

#[test]
fn commands_are_refused_with_their_codes() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    prepare(directory);
    for (code, arguments) in CASES {
        let outcome = run(directory, arguments);
        assert_eq!(outcome.exit, Some(2), "{arguments:?}: {}", outcome.stderr);
        let expected = BTreeSet::from([(*code).to_owned()]);
        assert_eq!(told(&outcome.stderr), expected, "{}", outcome.stderr);
    }
}
