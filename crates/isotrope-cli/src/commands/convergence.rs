//! `isotrope convergence`: measured orders beside the computed ones.

use isotrope::{ConvergenceRequest, Failure};

use super::{ready, show, told};
use crate::cli::{Convergence, Format as _};
use crate::exit::Exit;
use crate::pictures::Drawing;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Convergence) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Convergence) -> Result<Exit, Failure> {
    let host =
        host_writing(arguments.format.target().out.into_iter().chain(arguments.plot.as_deref()))?;
    let drawing = arguments.plot.as_deref().map(Drawing::new).transpose()?;
    let asked = ConvergenceRequest {
        methods: arguments.methods.clone(),
        step: arguments.step.clone(),
        levels: arguments.levels,
        time: arguments.time.clone(),
    };
    let mut system = ready(&host, &arguments.model, &asked)?;
    let mut measured = system.convergence(&asked)?;
    // The answer first: it is not lost with a picture.
    let exit = show(&host, &mut measured, &arguments.format)?;
    if let Some(drawing) = drawing {
        drawing.write(&host, &measured.chart())?;
    }
    Ok(exit)
}
