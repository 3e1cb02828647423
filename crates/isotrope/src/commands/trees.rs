//! `isotrope trees`: the coloured trees of a family of methods, one order condition each.

use isotrope_scheme::methods::trees::Family;

use super::{answer, width};
use crate::cli::{TreeFamily, Trees};
use crate::diagnostics;
use crate::exit::Exit;
use crate::trees::{TreesError, list, to_json, to_latex, to_text};

/// Runs the command.
pub fn run(arguments: &Trees) -> Exit {
    let family = match &arguments.groups {
        Some(text) => match Family::parse(text) {
            Ok(family) => family,
            Err(error) => {
                let (span, error) = (error.span.clone(), TreesError::Groups(error));
                let (code, message, hint) = (error.code(), error.message(), error.hint());
                diagnostics::in_argument("--groups", text, span, code, &message, Some(&hint));
                return Exit::CouldNotRun;
            }
        },
        None => match arguments.family {
            TreeFamily::Rk => Family::runge_kutta(),
            TreeFamily::Prk => Family::partitioned(),
            TreeFamily::Nystrom => Family::nystrom(),
            TreeFamily::Qvp => Family::qvp(),
        },
    };
    let listing = match list(family, arguments.natural, arguments.order, arguments.counts) {
        Ok(listing) => listing,
        Err(error) => {
            diagnostics::plain(error.code(), &error.message(), Some(&error.hint()));
            return Exit::CouldNotRun;
        }
    };
    let text = match (arguments.json, arguments.latex) {
        (true, _) => format!("{:#}\n", to_json(&listing)),
        (_, true) => to_latex(&listing),
        _ => to_text(&listing, width(), arguments.draw),
    };
    answer(arguments.out.as_deref(), &text, Exit::Done)
}
