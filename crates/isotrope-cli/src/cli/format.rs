//! How answers are written: the same arguments for every command.
//!
//! `--json`, `--latex` and `--html` choose the form, `--out` the file; a file right behind the form is the same
//! (`--html page.html`). Without a file answers go to standard output, but for pages on a terminal, which
//! nobody reads: they are written to MODEL-COMMAND.html.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::Args;

/// The shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
    /// A complete document.
    Latex,
    /// A self-contained page.
    Html,
}

/// What an answer becomes, and where it goes.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// Its shape.
    pub shape: Shape,
    /// The file; otherwise standard output.
    pub out: Option<&'a Path>,
}

/// Arguments that say how an answer is written.
pub trait Format {
    /// What they ask for.
    fn target(&self) -> Target<'_>;
}

/// Answers as text or JSON.
#[derive(Debug, Args)]
pub struct JsonFormat {
    /// JSON; `isotrope schema` describes its keys, and expressions in it parse back. --json FILE.json writes it to a file.
    #[arg(long)]
    pub json: bool,
    /// That file, where `--out` is something else or there is none; the command line is read so that it follows --json.
    #[arg(long, hide = true, value_name = "FILE", requires = "json")]
    pub json_file: Option<PathBuf>,
}

/// The same, to standard output or to a file.
#[derive(Debug, Args)]
pub struct FileFormat {
    // A doc comment here would become the help text.
    #[command(flatten)]
    pub json: JsonFormat,
    /// Write to a file instead of standard output; --json FILE.json, --latex FILE.tex and --html FILE.html do the same.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// The same, and LaTeX.
#[derive(Debug, Args)]
pub struct LatexFormat {
    // A doc comment here would become the help text.
    #[command(flatten)]
    pub file: FileFormat,
    /// A complete LaTeX document.
    #[arg(long, conflicts_with = "json")]
    pub latex: bool,
}

/// The same, and pages.
#[derive(Debug, Args)]
pub struct DocumentFormat {
    // A doc comment here would become the help text.
    #[command(flatten)]
    pub latex: LatexFormat,
    /// One self-contained HTML page with MathML; without a file, on a terminal, it is written to MODEL-COMMAND.html.
    #[arg(long, conflicts_with_all = ["json", "latex"])]
    pub html: bool,
}

impl Format for JsonFormat {
    fn target(&self) -> Target<'_> {
        let shape = if self.json { Shape::Json } else { Shape::Text };
        Target { shape, out: self.json_file.as_deref() }
    }
}

impl Format for FileFormat {
    fn target(&self) -> Target<'_> {
        let target = self.json.target();
        Target { out: self.out.as_deref().or(target.out), ..target }
    }
}

impl Format for LatexFormat {
    fn target(&self) -> Target<'_> {
        let target = self.file.target();
        if self.latex { Target { shape: Shape::Latex, ..target } } else { target }
    }
}

impl Format for DocumentFormat {
    fn target(&self) -> Target<'_> {
        let target = self.latex.target();
        if self.html { Target { shape: Shape::Html, ..target } } else { target }
    }
}

impl DocumentFormat {
    /// Chooses a file for a page that would flood a terminal: pendulum-derive.html for `derive models/pendulum.toml`.
    pub fn spare_the_terminal(&mut self, model: &Path, command: &str) -> Option<PathBuf> {
        let floods = self.html && self.latex.file.out.is_none();
        if !floods || !std::io::stdout().is_terminal() {
            return None;
        }
        let page = page_name(model, command);
        self.latex.file.out = Some(page.clone());
        Some(page)
    }
}

/// pendulum-compare.html for models/pendulum.toml, in the current directory.
pub fn page_name(model: &Path, command: &str) -> PathBuf {
    let stem = model.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
    let stem = if stem == "-" || stem.is_empty() { "model".to_owned() } else { stem };
    PathBuf::from(format!("{stem}-{command}.html"))
}
