//! `isotrope drift`: what methods do in the long run.

use std::path::Path;

use isotrope::rooms::output::writers::open;
use isotrope::rooms::study::drift::DriftReport;
use isotrope::{DriftRequest, Failure};

use super::{finish, ready, show, told, unwritten};
use crate::cli::Drift;
use crate::diagnostics;
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Drift) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Drift) -> Result<Exit, Failure> {
    let outputs = arguments.out.iter().chain(&arguments.format.json_file);
    let host = host_writing(outputs.map(|path| path.as_path()))?;
    let asked = DriftRequest {
        methods: (!arguments.methods.is_empty()).then(|| arguments.methods.join(",")),
        steps: arguments.step.clone(),
        time: arguments.time.clone(),
        section: arguments.section.clone(),
    };
    let mut system = ready(&host, &arguments.model, &asked)?;
    let mut report = system.drift(&asked)?;
    let written = arguments.out.as_ref().map_or(Ok(()), |path| write_crossings(path, &report));
    // A file that could not be written does not take the answer with it.
    let exit = show(&host, &mut report, &arguments.format)?;
    written.map(|()| exit)
}

/// Crossings of all methods as rows.
fn write_crossings(path: &Path, report: &DriftReport) -> Result<(), Failure> {
    let mut writer = open(path, &report.crossing_columns()).map_err(|error| unwritten(&error))?;
    let failed = report.write_crossings(&mut *writer).err();
    if let Some(line) = finish(Some(writer), failed)? {
        diagnostics::say(&line);
    }
    Ok(())
}
