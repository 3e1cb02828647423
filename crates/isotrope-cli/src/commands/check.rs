//! `isotrope check`: are the initial data consistent, is the initial point regular?

use isotrope::{CheckRequest, Failure};

use super::{ready, show, told};
use crate::cli::{Check, Format as _};
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Check) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Check) -> Result<Exit, Failure> {
    let host = host_writing(arguments.format.target().out)?;
    let asked = CheckRequest { tolerance: arguments.tolerance, project: arguments.project };
    let mut system = ready(&host, &arguments.model, &asked)?;
    let mut answer = system.check(&asked)?;
    show(&host, &mut answer, &arguments.format)
}
