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
//! With `ISOTROPE_UPDATE_DOCS=1` blocks that are wrong are written anew: the lines that are
//! shown are kept where they can still be found, and whole blocks are written otherwise.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

const ELISION: &str = "…";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All pages: the root of the repository and docs/.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for folder in [root(), root().join("docs")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// A command shown on a page with the lines that are shown of its output.
#[derive(Debug)]
struct Shown {
    command: String,
    stderr: bool,
    /// Line numbers of the first line inside the fence and of the closing fence.
    inside: std::ops::Range<usize>,
    lines: Vec<String>,
}

fn blocks(page: &str) -> Vec<Shown> {
    let lines: Vec<&str> = page.lines().collect();
    let mut blocks = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        // Indented, it is an example of how to write one.
        let Some(comment) = line.strip_prefix("<!-- run") else { continue };
        let comment = comment
            .trim_end()
            .strip_suffix("-->")
            .unwrap_or_else(|| panic!("never closed: {line}"));
        let (stderr, command) = match comment.strip_prefix("+stderr:") {
            Some(command) => (true, command),
            None => {
                (false, comment.strip_prefix(':').unwrap_or_else(|| panic!("no colon: {line}")))
            }
        };
        let fence = lines.get(number + 1).copied().unwrap_or_default();
        assert!(fence.starts_with("```"), "no fenced block after: {line}");
        let start = number + 2;
        let length = lines[start..].iter().position(|line| *line == "```").unwrap();
        blocks.push(Shown {
            command: command.trim().to_owned(),
            stderr,
            inside: start..start + length,
            lines: lines[start..start + length].iter().map(|line| (*line).to_owned()).collect(),
        });
    }
    blocks
}

/// Splits a command line; double quotes hold words together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in command.chars() {
        match character {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn output(shown: &Shown) -> Vec<String> {
    let words = words(&shown.command);
    assert_eq!(words[0], "isotrope", "only isotrope is run: {}", shown.command);
    let output = Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(&words[1..])
        .current_dir(root())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    if shown.stderr {
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

/// Do the lines agree, where an elision stands for any number of lines?
fn agrees(shown: &[String], output: &[String]) -> bool {
    let parts: Vec<&[String]> = shown.split(|line| line == ELISION).collect();
    let (first, rest) = parts.split_first().unwrap();
    let Some((last, middle)) = rest.split_last() else { return *first == output };
    if !output.starts_with(first) {
        return false;
    }
    let mut output = &output[first.len()..];
    for part in middle.iter().filter(|part| !part.is_empty()) {
        let Some(at) = output.windows(part.len()).position(|window| window == *part) else {
            return false;
        };
        output = &output[at + part.len()..];
    }
    output.ends_with(last)
}

/// New lines for a block: those shown that are still there, with elisions between them.
fn renewed(shown: &[String], output: &[String]) -> Vec<String> {
    let mut kept = vec![false; output.len()];
    let mut from = 0;
    for line in shown.iter().filter(|line| *line != ELISION) {
        if let Some(at) = output[from..].iter().position(|other| other == line) {
            kept[from + at] = true;
            from += at + 1;
        }
    }
    if !shown.iter().any(|line| line == ELISION) || !kept.contains(&true) {
        return output.to_vec();
    }
    // A changed line stands between lines that are still there: gaps no longer than before
    // are shown, others are left out.
    let mut lines: Vec<String> = Vec::new();
    for (number, line) in output.iter().enumerate() {
        let near = number > 0 && kept[number - 1] && kept.get(number + 1) == Some(&true);
        if kept[number] || near {
            lines.push(line.clone());
        } else if lines.last().is_none_or(|last| last != ELISION) {
            lines.push(ELISION.to_owned());
        }
    }
    lines
}

#[test]
fn every_output_in_the_documentation_is_what_the_command_prints() {
    let update = std::env::var_os("ISOTROPE_UPDATE_DOCS").is_some();
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
        let mut changed = false;
        for shown in blocks(&page).into_iter().rev() {
            count += 1;
            let output = output(&shown);
            if agrees(&shown.lines, &output) {
                continue;
            }
            if update {
                lines.splice(shown.inside.clone(), renewed(&shown.lines, &output));
                changed = true;
            } else {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let line = shown.inside.start;
                let (command, output) = (&shown.command, output.join("\n"));
                wrong.push(format!("{name}:{line}: `{command}` now prints\n{output}\n"));
            }
        }
        if changed {
            std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        }
    }
    assert!(count > 0, "the documentation shows no command at all");
    assert!(
        wrong.is_empty(),
        "{}\nISOTROPE_UPDATE_DOCS=1 writes these blocks anew",
        wrong.join("\n")
    );
}

#[test]
fn every_picture_in_the_documentation_is_what_the_command_draws() {
    let update = std::env::var_os("ISOTROPE_UPDATE_DOCS").is_some();
    let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join("picture.svg");
    let mut wrong = Vec::new();
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        for line in page.lines() {
            let Some(comment) = line.strip_prefix("<!-- picture:") else { continue };
            let mut words = words(comment.trim().trim_end_matches("-->").trim());
            let at = words.iter().position(|word| word == "--plot").unwrap() + 1;
            let kept = root().join(&words[at]);
            words[at] = drawn.display().to_string();
            let status = Command::new(env!("CARGO_BIN_EXE_isotrope"))
                .args(&words[1..])
                .current_dir(root())
                .output()
                .unwrap()
                .status;
            assert!(status.success(), "{line}");
            let picture = std::fs::read_to_string(&drawn).unwrap();
            if update {
                std::fs::write(kept, picture).unwrap();
            } else if std::fs::read_to_string(&kept).ok() != Some(picture) {
                wrong.push(line.to_owned());
            }
        }
    }
    let advice = "ISOTROPE_UPDATE_DOCS=1 draws these pictures anew";
    assert!(wrong.is_empty(), "{}\n{advice}", wrong.join("\n"));
}

#[test]
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

#[test]
fn an_elision_stands_for_any_number_of_lines() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let output = lines("a\nb\nc\nd");
    for good in ["a\nb\nc\nd", "…", "a\n…", "…\nd", "a\n…\nd", "…\nb\nc\n…", "a\n…\nb\n…\nc\nd"]
    {
        assert!(agrees(&lines(good), &output), "{good}");
    }
    for bad in ["a", "a\nb\nc", "b\n…", "…\nc", "…\nc\n…\nb\n…", "a\n…\ne", "x\n…"] {
        assert!(!agrees(&lines(bad), &output), "{bad}");
    }
}
