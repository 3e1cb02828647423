//! `isotrope certify`: the orders of a table file, and whether the declared ones hold.

use isotrope::{Failure, Methods};

use super::{read, show, told};
use crate::cli::{Certify, Format as _};
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Certify) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Certify) -> Result<Exit, Failure> {
    let host = host_writing(arguments.format.target().out)?;
    let (name, bytes) = read(&host, &arguments.file)?;
    let mut certificate = Methods::certify(&host, &name, &bytes)?;
    show(&host, &mut certificate, &arguments.format)
}
