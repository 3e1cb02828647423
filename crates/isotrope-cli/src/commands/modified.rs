//! `isotrope modified`: the differential equations that a method solves exactly.

use isotrope::{Failure, Overrides, modified};

use super::{model, show, told};
use crate::cli::{Format as _, Modified};
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Modified) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Modified) -> Result<Exit, Failure> {
    let host = host_writing(arguments.format.target().out)?;
    let overrides = Overrides { set: arguments.set.clone(), initial: arguments.initial.clone() };
    let model = match &arguments.model {
        Some(path) => Some(model(&host, path, &overrides)?),
        None => None,
    };
    let mut answer = modified(&host, &arguments.method, arguments.order, model.as_ref())?;
    show(&host, &mut answer, &arguments.format)
}
