//! Names are somebody else's words: no output obeys them, and files that are written with them are read again.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use isotrope::{Model, Overrides};
use proptest::prelude::*;

use crate::common::models;

/// What each of them would do if it were obeyed.
const NAMES: &[&str] = &[
    "two\nEVIL lines",
    "50 % of it",
    "\\input{x} \\write18{x}",
    "red\u{1b}[31m bell\u{7} back\u{8}",
    "</script><script>EVIL</script>",
    "<img src=x onerror=EVIL> ]]> --> <!--",
    "quotes \" ' `",
    "$x_1^2$ # & ~ {}",
    "钟摆 振り子",
    "right \u{202e}to\u{202c} left \u{200f}",
    "separators \u{2028}EVIL \u{2029}EVIL \r\nEVIL",
];

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A string of TOML.
fn quoted(name: &str) -> String {
    let mut out = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

/// A model of the box under another name.
fn renamed(file: &str, name: &str) -> String {
    let source = std::fs::read_to_string(models().join(file)).unwrap();
    let rest: Vec<&str> = source.lines().filter(|line| !line.starts_with("name")).collect();
    // Documents show the file itself, comments included.
    let comment = r"# \end\end{verbatim}{verbatim}\input{x}";
    format!("{comment}\nname = {}\n{}\n", quoted(name), rest.join("\n"))
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Written {
    Text,
    Json,
    Latex,
    Html,
    Svg,
}

use Written::{Html, Json, Latex, Svg, Text};

/// Every command that takes the name of a model or of a table, in every format that it writes. Files that it writes
/// begin with `out`.
const COMMANDS: &[(Written, &str)] = &[
    (Text, "derive m.toml"),
    (Json, "derive m.toml --json"),
    (Latex, "derive m.toml --latex"),
    (Html, "derive m.toml --html"),
    (Text, "derive m.toml --discrete variational-midpoint"),
    (Text, "check m.toml"),
    (Json, "check m.toml --json"),
    (Text, "run m.toml --step 0.1 --time 1"),
    (Json, "run m.toml --step 0.1 --time 1 --json"),
    (Svg, "run m.toml --step 0.1 --time 1 --plot out.svg"),
    (Svg, "run m.toml --step 0.1 --time 1 --plot out.svg --plot-what configuration"),
    (Text, "compare m.toml --methods rk4 --step 0.1 --time 1 --no-html"),
    (Json, "compare m.toml --methods rk4 --step 0.1 --time 1 --json --no-html"),
    (Text, "compare m.toml --methods rk4 --step 0.1 --time 1 --csv --no-html"),
    (Latex, "compare m.toml --methods rk4 --step 0.1 --time 1 --latex --no-html"),
    (Html, "compare m.toml --methods rk4 --step 0.1 --time 1 --html out.html"),
    (Text, "convergence m.toml --methods rk4 --levels 3"),
    (Json, "convergence m.toml --methods rk4 --levels 3 --json"),
    (Svg, "convergence m.toml --methods rk4 --levels 3 --plot out.svg"),
    (Text, "drift m.toml --methods rk4 --step 0.1 --time 10"),
    (Json, "drift m.toml --methods rk4 --step 0.1 --time 10 --json"),
    (Text, "flow m.toml --method rk4 --step 0.1 --time 1"),
    (Json, "flow m.toml --method rk4 --step 0.1 --time 1 --json"),
    (Text, "stability m.toml --vary g=1..2 --guess theta=0"),
    (Json, "stability m.toml --vary g=1..2 --guess theta=0 --json"),
    (Text, "methods --for m.toml"),
    (Text, "modified euler m.toml"),
    (Latex, "modified euler m.toml --latex"),
    (Text, "geometry sleigh.toml"),
    (Latex, "geometry sleigh.toml --latex"),
    (Html, "geometry sleigh.toml --html"),
    (Json, "geometry sleigh.toml --json"),
    (Text, "port port.toml"),
    (Json, "port port.toml --json"),
    (Text, "connect a=port.toml"),
    (Text, "certify table.toml"),
    (Json, "certify table.toml --json"),
    (Text, "run m.toml --method rkd:table.toml --step 0.1 --time 1"),
    (Text, "construct m.toml --stages 1 --order 1"),
    (Html, "construct m.toml --stages 1 --order 1 --explain out.html"),
    (Latex, "construct m.toml --stages 1 --order 1 --explain out.tex"),
];

fn folder_of(name: &str, folder: &Path) {
    for (file, to) in [
        ("pendulum_angle.toml", "m.toml"),
        ("sleigh.toml", "sleigh.toml"),
        ("port/coil.toml", "port.toml"),
    ] {
        std::fs::write(folder.join(to), renamed(file, name)).unwrap();
    }
    let table = format!("name = {}\na = [[0, 0], [1, 0]]\nb = [\"1/2\", \"1/2\"]\n", quoted(name));
    std::fs::write(folder.join("table.toml"), table).unwrap();
}

#[test]
fn no_output_obeys_a_name() {
    let folder = scratch("hostile");
    // Every command with a third of the names and every name with a third of the commands; all of them in long runs.
    let long = std::env::var_os("ISOTROPE_LONG").is_some();
    for (number, name) in NAMES.iter().enumerate() {
        folder_of(name, &folder);
        let turn = |(k, _): &(usize, &(Written, &str))| long || (k + number) % 3 == 0;
        for (_, (written, line)) in COMMANDS.iter().enumerate().filter(turn) {
            let words: Vec<&str> = line.split(' ').collect();
            let output = run(&folder, &words);
            let said = text(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 1)), "{line}, {name:?}: {said}");
            let shown = text(&output.stdout);
            let strange = |c: char| c.is_control() && c != '\n';
            assert!(!shown.contains(strange) && !said.contains(strange), "{line}: {shown} {said}");
            let file = words.iter().find(|word| word.starts_with("out."));
            let document = match file {
                Some(file) => std::fs::read_to_string(folder.join(file)).unwrap(),
                None => shown,
            };
            assert!(!document.contains(strange), "{line}, {name:?}");
            let outside = document.lines().any(|line| line.starts_with("EVIL"));
            assert!(!outside, "{line}, {name:?}: {document}");
            match written {
                Text => {}
                Json => drop(serde_json::from_str::<serde_json::Value>(&document).unwrap()),
                Latex => {
                    let mut obeyed = document.clone();
                    while let Some(begin) = obeyed.find("\\begin{verbatim}") {
                        let length = obeyed[begin..].find("\\end{verbatim}").unwrap();
                        obeyed.replace_range(begin..begin + length + 1, "");
                    }
                    assert!(!obeyed.contains("\\input{x}"), "{line}: {document}");
                    assert!(!obeyed.contains("\\write18"), "{line}: {document}");
                }
                Html | Svg => {
                    assert!(!document.contains("<script>EVIL"), "{line}: {document}");
                    assert!(!document.contains("</script><script>"), "{line}: {document}");
                    assert!(!document.contains("<img src=x"), "{line}: {document}");
                }
            }
        }
    }
}

/// What a command writes as a file is read again, with the name that it was given.
fn comes_back(folder: &Path, arguments: &[&str], file: &str) -> Result<String, String> {
    let output = run(folder, arguments);
    if output.status.code() != Some(0) {
        return Err(format!("{arguments:?}: {}", text(&output.stderr)));
    }
    let bytes = std::fs::read(folder.join(file)).map_err(|error| error.to_string())?;
    match Model::parse(file, &bytes, &Overrides::default()) {
        Ok(model) => Ok(model.name().to_owned()),
        Err(failure) => Err(format!("{failure}: {}", text(&bytes))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn files_with_any_name_are_read_again(name in "[ -~\\n\\t\u{1b}\u{7f}\u{85}é钟\u{202e}\"\\\\#']{1,24}") {
        prop_assume!(!name.trim().is_empty());
        let folder = scratch("hostile_files");
        folder_of(&name, &folder);
        let saved = ["port", "port.toml", "--form", "1", "--save", "saved.toml", "--force"];
        let back = comes_back(&folder, &saved, "saved.toml");
        prop_assert!(back.is_ok(), "{:?}", back);
        let connected = ["connect", "a=port.toml", "b=port.toml", "--out", "connected.toml"];
        let back = comes_back(&folder, &connected, "connected.toml");
        prop_assert!(back.is_ok(), "{:?}", back);
        let made = run(&folder, &["new", "--force", "--", &name]);
        if made.status.code() == Some(0) {
            let written = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
            let ours = ["m.toml", "sleigh.toml", "port.toml", "table.toml", "saved.toml", "connected.toml"];
            for path in written.filter(|path| !ours.iter().any(|other| path.ends_with(other))) {
                let bytes = std::fs::read(&path).unwrap();
                let back = Model::parse("new", &bytes, &Overrides::default());
                prop_assert!(back.is_ok(), "{:?}", back.map(|_| ()));
            }
        }
        let construct = ["construct", "m.toml", "--stages", "1", "--order", "1", "--save", "method.toml"];
        let output = run(&folder, &construct);
        prop_assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let output = run(&folder, &["certify", "method.toml"]);
        prop_assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    }
}
