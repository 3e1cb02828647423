//! `isotrope stability`: equilibria along a parameter, critical values, and what methods make of
//! them.

use isotrope::{Failure, StabilityRequest};

use super::{load, show, told};
use crate::cli::{Format as _, Stability};
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Stability) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Stability) -> Result<Exit, Failure> {
    let host = host_writing(arguments.format.target().out)?;
    let asked = StabilityRequest {
        vary: arguments.vary.clone(),
        guess: arguments.guess.clone(),
        points: arguments.points,
        methods: arguments.methods.clone(),
        step: arguments.step.clone(),
    };
    let mut report = load(&host, &arguments.model)?.stability(&host, &asked)?;
    show(&host, &mut report, &arguments.format)
}
