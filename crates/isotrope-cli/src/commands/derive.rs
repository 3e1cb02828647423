//! `isotrope derive`: what a model says, exactly.

use isotrope::{DeriveRequest, Failure};

use super::{Shape, ready, told, write};
use crate::cli::Derive;
use crate::exit::Exit;
use crate::surroundings::host;

/// Runs the command.
pub fn run(arguments: &Derive) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Derive) -> Result<Exit, Failure> {
    let host = host();
    let asked = DeriveRequest { discrete: arguments.discrete.clone() };
    let system = ready(&host, &arguments.model, &asked)?;
    let format = Shape::of(arguments.json, arguments.latex, arguments.html).format();
    write(&host, arguments.out.as_deref(), &system.derived(&asked, format)?)?;
    Ok(Exit::Done)
}
