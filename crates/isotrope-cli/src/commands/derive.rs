//! `isotrope derive`: what a model says, exactly.

use isotrope::{DeriveRequest, Failure};

use super::{format, ready, told, write};
use crate::cli::{Derive, Format as _};
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Derive) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Derive) -> Result<Exit, Failure> {
    let host = host_writing(arguments.format.target().out)?;
    let asked = DeriveRequest {
        discrete: arguments.discrete.clone(),
        integrals: arguments.integrals,
        integrals_time: arguments.integrals_time,
    };
    let system = ready(&host, &arguments.model, &asked)?;
    let target = arguments.format.target();
    write(&host, target.out, &system.derived(&asked, format(target.shape))?)?;
    Ok(Exit::Done)
}
