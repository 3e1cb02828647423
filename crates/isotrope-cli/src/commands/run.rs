//! `isotrope run`: a model, a method, a trajectory, and what was kept.

use std::mem::ManuallyDrop;
use std::path::Path;

use isotrope::codes::RunCode;
use isotrope::rooms::kernel::integrate::SinkError;
use isotrope::rooms::output::writers::{Columns, Wav, WriteError, Writer, is_sound, open};
use isotrope::rooms::report::ensemble::Json;
use isotrope::rooms::study::report::shortest;
use isotrope::{
    AdaptiveRequest, Disk, EnsembleAnswer, Failure, Host, Ready, RunRequest, Steps, System,
};

use super::{ended, finish, read, ready, show, told, unwritten, write};
use crate::cli::{Run, page_name};
use crate::diagnostics;
use crate::exit::Exit;
use crate::pictures::{Drawings, Kept};
use crate::surroundings::{host_writing, standard};

/// Bytes of a list of members that stay in memory.
const SPOOL: usize = 16 << 20;

/// Runs the command.
pub fn run(arguments: &Run) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Run) -> Result<Exit, Failure> {
    let outputs = arguments.out.iter().chain(&arguments.plot).chain(&arguments.format.json_file);
    let host = host_writing(outputs.map(|path| path.as_path()))?;
    if arguments.stride == Some(0) || arguments.threads == Some(0) {
        let message = "--stride and --threads count from 1";
        let hint = "leave them out, or give a larger number".to_owned();
        return Err(Failure::plain(RunCode::ZeroCount, message, hint));
    }
    if let Some(path) = &arguments.ensemble {
        host.files().will_read(path)?;
    }
    let asked = RunRequest {
        method: arguments.method.clone(),
        step: arguments.step.clone(),
        time: arguments.time.clone(),
        tolerance: arguments.tolerance,
        adaptive: AdaptiveRequest {
            rtol: arguments.rtol,
            atol: arguments.atol.clone(),
            max_step: arguments.max_step.clone(),
            first_step: arguments.first_step.clone(),
        },
        max_steps: arguments.max_steps,
        compensated: arguments.compensated,
        dense: arguments.dense,
        backend: arguments.backend.into(),
        project: arguments.project,
        watch: arguments.watch.into(),
    };
    // The end of the process frees everything at once.
    let mut system = ManuallyDrop::new(ready(&host, &arguments.model, &asked)?);
    match system.prepare(&asked)? {
        Ready::NotApplicable(mut report) => show(&host, &mut report, &arguments.format),
        Ready::Steps(steps) => match &arguments.ensemble {
            Some(path) => ensemble(arguments, &host, (&system, &steps), path),
            None => single(arguments, &host, (&mut system, &steps)),
        },
    }
}

/// One run from the initial values of the model.
fn single(
    arguments: &Run,
    host: &Host,
    (system, steps): (&mut System, &Steps),
) -> Result<Exit, Failure> {
    let stem = page_name(&arguments.model.model, "run").with_extension("");
    let stem = stem.to_string_lossy();
    let pair = (system, steps);
    let mut drawings = Drawings::new(&arguments.plot, &arguments.plot_what, &stem, pair)?;
    let mut writer = match &arguments.out {
        Some(path) if is_sound(path) => {
            Some(sound(arguments, steps, path).map_err(|error| unwritten(&error))?)
        }
        Some(path) => Some(open(path, &steps.columns()).map_err(|error| unwritten(&error))?),
        None => None,
    };
    let wanted = writer.is_some() || drawings.is_some();
    let stride = wanted.then(|| arguments.stride.unwrap_or(1));
    let mut kept = Kept { writer: writer.as_mut(), drawings: drawings.as_mut() };
    let mut answer = steps.run(stride, &mut kept);
    let mut written = finish(writer, answer.sink.take());
    let report = &mut answer.report;
    if let (Ok(Some(line)), Some(failure)) = (&mut written, &report.failure) {
        // A listener does not see the report.
        let (outcome, wanted) = (report.outcome, shortest(report.time));
        line.push_str(&format!(
            ", up to t = {} of {wanted}: the run failed ({outcome})",
            shortest(failure.t)
        ));
    }
    let drawn = drawings.map_or(Ok(Vec::new()), |drawings| drawings.write(host, &report.title()));
    let (file, pictures) = (written.iter().flatten(), drawn.iter().flatten());
    for line in report.timing().iter().chain(file).chain(pictures) {
        diagnostics::say(line);
    }
    // Files that could not be written do not take the answer with them.
    let exit = show(host, report, &arguments.format)?;
    written.and(drawn).map(|_| exit)
}

/// One column as sound.
fn sound(arguments: &Run, steps: &Steps, path: &Path) -> Result<Box<dyn Writer>, WriteError> {
    let rate = steps.sample_rate(arguments.stride.unwrap_or(1))?;
    let signal = arguments.signal.as_deref().unwrap_or_else(|| steps.signal());
    let columns = Columns::new(&steps.columns())?;
    Ok(Box::new(Wav::create(path, &columns, signal, rate)?))
}

/// Every member of a table.
fn ensemble(
    arguments: &Run,
    host: &Host,
    (system, steps): (&System, &Steps),
    path: &Path,
) -> Result<Exit, Failure> {
    let (name, bytes) = read(host, path)?;
    let members = system.members(steps, (&name, &bytes))?;
    drop(bytes);
    let mut writer = match &arguments.out {
        Some(out) => {
            let columns = EnsembleAnswer::columns(steps);
            Some(open(out, &columns).map_err(|error| unwritten(&error))?)
        }
        None => None,
    };
    // The list of all members is in memory as long as it is short.
    let mut json = match arguments.format.json {
        true => Some(Json::new(tempfile::spooled_tempfile(SPOOL))),
        false => None,
    };
    let threads = arguments.threads.unwrap_or(0);
    let (answer, told) = steps.run_members(&members, threads, &mut |member, row| {
        if let Some(writer) = &mut writer {
            writer.row(row)?;
        }
        if let Some(json) = &mut json {
            json.push(member).map_err(SinkError::new)?;
        }
        Ok(())
    });
    let written = finish(writer, told.err());
    let report = &answer.summary.report;
    diagnostics::say(&format!(
        "compiled in {:.3} s, ran for {:.3} s",
        report.compile_seconds, report.run_seconds
    ));
    if let Ok(Some(line)) = &written {
        diagnostics::say(line);
    }
    match json {
        Some(json) => match &arguments.format.json_file {
            Some(path) => Disk.write_portions(path, |out| answer.write_json(json, out))?,
            None => standard(|out| answer.write_json(json, out))?,
        },
        None => write(host, None, &answer.text())?,
    }
    written.map(|_| ended(host, answer.is_negative()))
}
