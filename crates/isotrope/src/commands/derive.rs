//! `isotrope derive`: what a model says, exactly.

use super::{answer, derive_and_analyse, load, width};
use crate::cli::Derive;
use crate::exit::Exit;
use crate::report::{self, Format};

/// Runs the command.
pub fn run(arguments: &Derive) -> Exit {
    let mut bytes = Vec::new();
    let (model, origin) = match load(&arguments.model, &mut bytes) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let (mut system, analysis) = match derive_and_analyse(model, &origin) {
        Ok(derived) => derived,
        Err(exit) => return exit,
    };
    let format = match (arguments.json, arguments.latex, arguments.html) {
        (true, ..) => Format::Json,
        (_, true, _) => Format::Latex,
        (_, _, true) => Format::Html,
        _ => Format::Text { width: width() },
    };
    let text = report::derivation(&mut system, &analysis, format);
    answer(arguments.out.as_deref(), &text, Exit::Done)
}
