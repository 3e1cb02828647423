//! The documentation tells the truth: every command shown in it is run again.
//!
//! A fenced block that follows a line `<!-- run: isotrope derive models/pendulum.toml -->` is
//! the output of that command, run from the root of the repository. A line `…` in the block
//! stands for any number of lines. What the command says on stderr is part of the block if
//! the comment begins with `run+stderr:`; a block may end with `exit 1` or `exit 2`, which is
//! then the exit code that is wanted (0 otherwise).
//!
//! A line `<!-- picture: isotrope run … --plot docs/images/NAME.svg -->` names the command that
//! draws the picture below it; it is drawn again and has to be the same.
//!
//! Each command is a test of its own, so that they run beside each other; a command that stands on several pages
//! is run once. With `ISOTROPE_UPDATE_DOCS=1 cargo test -p isotrope-cli --test docs` blocks that are wrong are
//! written anew: the lines that are shown are kept where they can still be found, and whole blocks are written otherwise.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod lines;
mod page;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode, Output};

use libtest_mimic::{Arguments, Failed, Trial};

use lines::{agrees, renewed};
use page::{Picture, Shown, blocks, pages, pictures, root, words};

const ADVICE: &str =
    "ISOTROPE_UPDATE_DOCS=1 cargo test -p isotrope-cli --test docs writes this anew";

/// Runs the command from the root of the repository.
fn isotrope(words: &[String]) -> Output {
    assert_eq!(words[0], "isotrope", "only isotrope is run: {words:?}");
    Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(&words[1..])
        .current_dir(root())
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

/// What a command prints, as the lines of a block.
fn printed(command: &str, stderr: bool) -> Vec<String> {
    let output = isotrope(&words(command));
    let mut text = String::from_utf8(output.stdout).unwrap();
    if stderr {
        text.push_str(&String::from_utf8(output.stderr).unwrap());
    }
    let mut lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    match output.status.code() {
        Some(0) => {}
        code => lines.push(format!("exit {}", code.unwrap_or(-1))),
    }
    lines
}

/// Is every block of this command what it prints?
fn compare(command: &str, stderr: bool, shown: &[Shown]) -> Result<(), Failed> {
    let output = printed(command, stderr);
    let wrong: Vec<String> = shown
        .iter()
        .filter(|shown| !agrees(&shown.lines, &output))
        .map(|shown| format!("{}:{}", shown.page.display(), shown.inside.start))
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}: now it prints\n{}\n{ADVICE}", wrong.join(", "), output.join("\n")).into())
}

/// Draws a picture; the file that is kept, and what is drawn now.
fn draw(picture: &Picture) -> (std::path::PathBuf, String) {
    let kept = root().join(&picture.words[picture.file]);
    let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join(kept.file_name().unwrap());
    let mut words = picture.words.clone();
    words[picture.file] = drawn.display().to_string();
    assert!(isotrope(&words).status.success(), "{words:?}");
    (kept, std::fs::read_to_string(&drawn).unwrap())
}

fn compare_picture(picture: &Picture) -> Result<(), Failed> {
    let (kept, drawn) = draw(picture);
    match std::fs::read_to_string(&kept) {
        Ok(text) if text == drawn => Ok(()),
        _ => Err(format!("{} is no longer what is drawn\n{ADVICE}", kept.display()).into()),
    }
}

fn links_between_pages_lead_somewhere() {
    let mut broken = Vec::new();
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        for part in page.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap_or_default();
            let elsewhere = target.contains("://") || target.is_empty();
            if !elsewhere && !path.with_file_name(target).exists() {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// All tests.
fn trials() -> Vec<Trial> {
    let mut commands: BTreeMap<(String, bool), Vec<Shown>> = BTreeMap::new();
    for shown in pages().iter().flat_map(|page| blocks(page)) {
        commands.entry((shown.command.clone(), shown.stderr)).or_default().push(shown);
    }
    assert!(!commands.is_empty(), "the documentation shows no command at all");
    let mut trials: Vec<Trial> = Vec::new();
    for ((command, stderr), shown) in commands {
        let name = if stderr { format!("{command} with stderr") } else { command.clone() };
        trials.push(Trial::test(name, move || compare(&command, stderr, &shown)));
    }
    for picture in pages().iter().flat_map(|page| pictures(page)) {
        let name = format!("picture {}", picture.words[picture.file]);
        trials.push(Trial::test(name, move || compare_picture(&picture)));
    }
    let plain: [(&str, fn()); 2] = [
        ("links_between_pages_lead_somewhere", links_between_pages_lead_somewhere),
        (
            "an_elision_stands_for_any_number_of_lines",
            lines::an_elision_stands_for_any_number_of_lines,
        ),
    ];
    trials.extend(plain.map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    }));
    trials
}

/// Writes blocks and pictures anew where they are wrong.
fn update() {
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
        let mut changed = false;
        for shown in blocks(&path).into_iter().rev() {
            let output = printed(&shown.command, shown.stderr);
            if !agrees(&shown.lines, &output) {
                lines.splice(shown.inside.clone(), renewed(&shown.lines, &output));
                changed = true;
            }
        }
        if changed {
            std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        }
        for picture in pictures(&path) {
            let (kept, drawn) = draw(&picture);
            std::fs::write(kept, drawn).unwrap();
        }
    }
}

fn main() -> ExitCode {
    // nextest asks for a list and runs each test in a process of its own: nothing to write pages from.
    let beside_others = std::env::var_os("NEXTEST").is_some();
    if std::env::var_os("ISOTROPE_UPDATE_DOCS").is_some() && !beside_others {
        update();
    }
    libtest_mimic::run(&Arguments::from_args(), trials()).exit_code()
}
