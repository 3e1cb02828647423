//! `construct --explain`: the derivation as a document.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::integrating::{flow, refuse};
use super::{derive_and_analyse, load, write};
use crate::cli::{Construct, ModelArguments};
use crate::construct::Answer;
use crate::construct::explain::{About, Format, GivenModel, explain, measure, measure_on_example};
use crate::exit::Exit;
use crate::progress::Progress;

/// The format of the document that is asked for, before anything is computed.
pub(super) fn format(path: &Path) -> Result<Format, Exit> {
    Format::of(path).ok_or_else(|| {
        let message = format!("`{}` is neither a page nor a LaTeX document", path.display());
        refuse("ISO-CONSTRUCT-010", &message, "give a file that ends in .html or .tex")
    })
}

/// Measures the methods and writes the document.
pub(super) fn write_explanation(
    path: &Path,
    arguments: &Construct,
    found: &Answer,
) -> Result<(), Exit> {
    let format = format(path)?;
    let command = command(arguments);
    // A page is long enough without a way to stop in the middle: Ctrl-C ends the program.
    let stop = AtomicBool::new(false);
    let control = &mut || flow(&stop);
    let text = match &arguments.model {
        Some(model) => {
            let model =
                ModelArguments { model: model.clone(), set: Vec::new(), initial: Vec::new() };
            let mut bytes = Vec::new();
            let (parsed, origin) = load(&model, &mut bytes)?;
            let (system, analysis) = derive_and_analyse(parsed, &origin)?;
            let progress = Progress::start("measuring slopes");
            let measured = measure(found, &system, &analysis, control);
            drop(progress);
            let file = String::from_utf8_lossy(origin.bytes);
            let given = GivenModel { name: &system.model.name, text: &file };
            let about =
                About { model: Some(given), measured: measured.as_ref(), command: &command };
            explain(found, &about, format)
        }
        None => {
            let progress = Progress::start("measuring slopes");
            let measured = measure_on_example(found, control);
            drop(progress);
            let about = About { model: None, measured: measured.as_ref(), command: &command };
            explain(found, &about, format)
        }
    };
    write(Some(path), &text).map_err(|error| error.report())
}

/// The command line once more.
fn command(arguments: &Construct) -> String {
    let quoted = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.to_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    };
    let mut words = vec!["isotrope".to_owned(), "construct".to_owned()];
    if let Some(model) = &arguments.model {
        words.push(quoted(&model.display().to_string()));
    }
    let mut option = |name: &str, value: &str| words.extend([name.to_owned(), quoted(value)]);
    option("--stages", &arguments.stages.to_string());
    option("--order", &arguments.order.to_string());
    for (name, value) in [("--structure", arguments.structure), ("--form", arguments.form)] {
        if let Some(value) = value {
            option(name, &value.to_string());
        }
    }
    if let Some(class) = &arguments.class {
        option("--class", class);
    }
    if let Some(groups) = &arguments.groups {
        option("--groups", &groups.display().to_string());
    }
    for pattern in &arguments.pattern {
        option("--pattern", pattern);
    }
    for entry in &arguments.fix {
        option("--fix", entry);
    }
    option("--methods", &arguments.methods.to_string());
    if let Some(path) = &arguments.explain {
        option("--explain", &path.display().to_string());
    }
    for (name, given) in [
        ("--symbolic", arguments.symbolic),
        ("--pareto", arguments.pareto),
        ("--combinations", arguments.combinations),
    ] {
        if given {
            words.push(name.to_owned());
        }
    }
    words.join(" ")
}
