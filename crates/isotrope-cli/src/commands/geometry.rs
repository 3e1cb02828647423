//! `isotrope geometry`: Dirac structures, brackets and homological fields.

use isotrope::{Failure, GeometryRequest, Overrides, geometry};

use super::{read, show, told};
use crate::cli::{Format as _, Geometry};
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Geometry) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Geometry) -> Result<Exit, Failure> {
    let host = host_writing(arguments.format.target().out)?;
    let (name, bytes) = read(&host, &arguments.file)?;
    let overrides = Overrides { set: arguments.set.clone(), initial: arguments.initial.clone() };
    let methods = &arguments.methods;
    let asked = GeometryRequest {
        methods: (!methods.is_empty()).then(|| methods.join(",")),
        step: arguments.step.clone(),
        time: arguments.time.clone(),
        per_step: arguments.per_step,
    };
    let mut answer = geometry(&host, (&name, &bytes), &overrides, &asked)?;
    show(&host, &mut answer, &arguments.format)
}
