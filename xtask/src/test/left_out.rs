//! What a run of the test command did not check, and why.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::say;

/// What the tests say about themselves: one line each, `skipped: …` or `absent: …` (tests/skipped.rs).
#[derive(Debug)]
pub struct LeftOut {
    file: PathBuf,
    others: Vec<String>,
}

impl LeftOut {
    /// Nothing so far; tests write to a file in this folder.
    pub fn new(folder: &Path) -> Result<Self, String> {
        let file = folder.join("skipped.txt");
        let made = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, ""));
        made.map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        Ok(Self { file, others: Vec::new() })
    }

    /// The file that tests write to.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// A check that is not part of this run.
    pub fn note(&mut self, what: impl Into<String>) {
        self.others.push(what.into());
    }

    /// A check that somebody could make possible: as if a test had told it.
    pub fn skip(&self, line: &str) -> Result<(), String> {
        use std::io::Write as _;
        let file = std::fs::OpenOptions::new().append(true).open(&self.file);
        file.and_then(|mut file| writeln!(file, "{line}"))
            .map_err(|error| format!("cannot write {}: {error}", self.file.display()))
    }

    /// Prints everything; a skipped test is a failure where `strict`.
    pub fn print(&self, strict: bool) -> Result<(), String> {
        let text = std::fs::read_to_string(&self.file)
            .map_err(|error| format!("cannot read {}: {error}", self.file.display()))?;
        let lines: BTreeSet<&str> = text.lines().collect();
        if !lines.is_empty() || !self.others.is_empty() {
            say("\nleft out:");
        }
        for line in lines.iter().copied().chain(self.others.iter().map(String::as_str)) {
            say(&format!("  {line}"));
        }
        let skipped = lines.iter().filter(|line| line.starts_with("skipped:")).count();
        if strict && skipped > 0 {
            return Err(format!("{skipped} skipped, and with CI=true nothing may be"));
        }
        Ok(())
    }
}
