//! `isotrope flow`: derivatives of the discrete flow.

use isotrope::{Failure, FlowRequest};

use super::{ready, show, told};
use crate::cli::{Flow, Format as _};
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Flow) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Flow) -> Result<Exit, Failure> {
    let host = host_writing(arguments.format.target().out)?;
    let asked = FlowRequest {
        method: Some(arguments.method.clone()),
        step: arguments.step.clone(),
        time: arguments.time.clone(),
        lyapunov: arguments.lyapunov,
        sensitivity: arguments.sensitivity.clone(),
        second: arguments.second,
        periodic: arguments.periodic,
        fix: arguments.fix.clone(),
        shoot: arguments.shoot.clone(),
        check: arguments.check.map(Into::into),
        backend: arguments.backend.into(),
    };
    let mut system = ready(&host, &arguments.model, &asked)?;
    let mut answer = system.flow(&asked)?;
    show(&host, &mut answer, &arguments.format)
}
