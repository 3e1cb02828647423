//! `isotrope derive`: what a model says, exactly.

use isotrope::{Failure, discrete_scheme};

use super::{Shape, load, told, write};
use crate::cli::Derive;
use crate::exit::Exit;
use crate::surroundings::host;

/// Runs the command.
pub fn run(arguments: &Derive) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Derive) -> Result<Exit, Failure> {
    let host = host();
    let model = load(&host, &arguments.model)?;
    // A name that means nothing is refused before the work begins.
    if let Some(name) = &arguments.discrete {
        discrete_scheme(&host, name)?;
    }
    let format = Shape::of(arguments.json, arguments.latex, arguments.html).format();
    let mut system = model.derive(&host)?;
    let text = match &arguments.discrete {
        None => system.report(format)?,
        Some(name) => system.discretisation(name)?.report(format)?,
    };
    write(&host, arguments.out.as_deref(), &text)?;
    Ok(Exit::Done)
}
