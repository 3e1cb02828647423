//! `isotrope conditions`: what a class of systems asks of a method that preserves its structure.

use isotrope_scheme::methods::classes::Part;

use super::answer;
use crate::cli::{Conditions, StructurePart};
use crate::conditions::{list, to_json, to_latex, to_text};
use crate::diagnostics;
use crate::exit::Exit;
use crate::progress::Progress;

/// Runs the command.
pub fn run(arguments: &Conditions) -> Exit {
    let part = arguments.part.map(|part| match part {
        StructurePart::Psi => Part::Psi,
        StructurePart::PhiV => Part::PhiV,
        StructurePart::PhiQ => Part::PhiQ,
        StructurePart::All => Part::All,
        StructurePart::Form => Part::Form,
    });
    let progress = Progress::start("expanding random problems of the class in trees");
    let listing = list(&arguments.class, part, arguments.order, arguments.given);
    drop(progress);
    let listing = match listing {
        Ok(listing) => listing,
        Err(error) => {
            diagnostics::plain(error.code(), &error.message(), error.hint().as_deref());
            return Exit::CouldNotRun;
        }
    };
    let text = match (arguments.json, arguments.latex) {
        (true, _) => format!("{:#}\n", to_json(&listing)),
        (_, true) => to_latex(&listing),
        _ => to_text(&listing),
    };
    answer(arguments.out.as_deref(), &text, Exit::Done)
}
