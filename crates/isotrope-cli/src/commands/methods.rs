//! `isotrope methods`: the methods with what was computed of them.

use isotrope::{Answer, Failure, Overrides};

use super::{model, show, told};
use crate::cli::{Format as _, Methods};
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Methods) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Methods) -> Result<Exit, Failure> {
    let host = host_writing(arguments.format.target().out)?;
    if let Some(path) = &arguments.model {
        let overrides =
            Overrides { set: arguments.set.clone(), initial: arguments.initial.clone() };
        let mut answer = model(&host, path, &overrides)?.derive(&host)?.recommend()?;
        return show(&host, &mut answer, &arguments.format);
    }
    let mut answer: Box<dyn Answer> = match &arguments.name {
        Some(name) => Box::new(isotrope::Methods::certificate(&host, name)?),
        None => Box::new(isotrope::Methods::certificates(&host)?),
    };
    show(&host, &mut *answer, &arguments.format)
}
