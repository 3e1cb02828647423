//! `isotrope explain`: what the code of an error means.

use isotrope::{Failure, explain};

use super::{show, told};
use crate::cli::Explain;
use crate::exit::Exit;
use crate::surroundings::host;

/// Runs the command.
pub fn run(arguments: &Explain) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Explain) -> Result<Exit, Failure> {
    let mut answer = explain(&arguments.code)?;
    show(&host(), &mut answer, &arguments.format)
}
