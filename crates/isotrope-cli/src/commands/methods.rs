//! `isotrope methods`: the methods with what was computed of them.

use isotrope::{Answer, Failure};

use super::{show, told};
use crate::cli::Methods;
use crate::exit::Exit;
use crate::surroundings::host;

/// Runs the command.
pub fn run(arguments: &Methods) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Methods) -> Result<Exit, Failure> {
    let host = host();
    let mut answer: Box<dyn Answer> = match &arguments.name {
        Some(name) => Box::new(isotrope::Methods::certificate(&host, name)?),
        None => Box::new(isotrope::Methods::certificates(&host)?),
    };
    show(&host, &mut *answer, &arguments.format)
}
