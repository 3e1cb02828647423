//! Pages of the documentation, and what they show.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All pages: the root of the repository and docs/.
pub fn pages() -> Vec<PathBuf> {
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
pub struct Shown {
    /// The page it stands on.
    pub page: PathBuf,
    /// The command.
    pub command: String,
    /// Does the block show what the command says on standard error?
    pub stderr: bool,
    /// Line numbers of the first line inside the fence and of the closing fence.
    pub inside: std::ops::Range<usize>,
    /// The lines of the block.
    pub lines: Vec<String>,
}

/// The commands that a page shows.
pub fn blocks(page: &Path) -> Vec<Shown> {
    let text = std::fs::read_to_string(page).unwrap();
    let lines: Vec<&str> = text.lines().collect();
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
            page: page.to_owned(),
            command: command.trim().to_owned(),
            stderr,
            inside: start..start + length,
            lines: lines[start..start + length].iter().map(|line| (*line).to_owned()).collect(),
        });
    }
    blocks
}

/// Splits a command line; double quotes hold words together.
pub fn words(command: &str) -> Vec<String> {
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

/// A picture of a page, with the command that draws it.
#[derive(Debug)]
pub struct Picture {
    /// The words of the command; one of them is the file.
    pub words: Vec<String>,
    /// Which.
    pub file: usize,
}

/// The pictures that a page shows.
pub fn pictures(page: &Path) -> Vec<Picture> {
    let text = std::fs::read_to_string(page).unwrap();
    let comments = text.lines().filter_map(|line| line.strip_prefix("<!-- picture:"));
    let pictures = comments.map(|comment| {
        let words = words(comment.trim().trim_end_matches("-->").trim());
        let file = words.iter().position(|word| word == "--plot").unwrap() + 1;
        Picture { words, file }
    });
    pictures.collect()
}
