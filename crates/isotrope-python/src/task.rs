//! Work in a thread of its own: the lock of the interpreter is released, Ctrl-C ends it, progress is told.

use std::ffi::OsString;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use isotrope::{Disk, Event, Failure, Host, Stop};
use isotrope_cli::cache::CacheFolder;
use isotrope_cli::engine::InAnotherProcess;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use crate::errors;

/// Between two looks at signals and progress.
const LOOK: Duration = Duration::from_millis(50);

/// Bytes of the stack of a worker, as much as a main thread usually has.
const STACK: usize = 8 << 20;

/// What the worker has told.
#[derive(Default)]
struct Told {
    doing: String,
    done: u64,
    of: u64,
    /// Was anything told since the last look?
    news: bool,
    notes: Vec<String>,
}

/// What surrounds a call.
pub struct Watch<'py> {
    /// Called with (done, of, doing).
    pub progress: Option<Bound<'py, PyAny>>,
    /// What is an answer although it was interrupted: then Ctrl-C raises nothing.
    pub keeps_part: bool,
}

fn locked(told: &Mutex<Told>) -> MutexGuard<'_, Told> {
    told.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The words that start the command once more, for engines in a second process.
fn program(py: Python<'_>) -> PyResult<Vec<OsString>> {
    let executable: Option<OsString> = py.import("sys")?.getattr("executable")?.extract()?;
    let words = executable.map(|path| vec![path, "-m".into(), "isotrope".into()]);
    Ok(words.unwrap_or_default())
}

/// Signals and progress; an exception of either ends the work.
fn look(py: Python<'_>, progress: Option<&Py<PyAny>>, told: &Mutex<Told>) -> PyResult<()> {
    py.check_signals()?;
    let Some(progress) = progress else { return Ok(()) };
    let news = {
        let mut told = locked(told);
        std::mem::take(&mut told.news).then(|| (told.done, told.of, told.doing.clone()))
    };
    if let Some(news) = news {
        progress.call1(py, news)?;
    }
    Ok(())
}

/// Does some work in another thread. Remarks become warnings.
pub fn run<T: Send>(
    py: Python<'_>,
    watch: Watch<'_>,
    work: impl FnOnce(&Host) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let stop = Stop::new();
    let told = Arc::new(Mutex::new(Told::default()));
    let bases = InAnotherProcess { stop: stop.clone(), program: program(py)? };
    let listener = Arc::clone(&told);
    let host = Host::new()
        .with_files(Disk)
        .with_cache(CacheFolder::usual())
        .with_bases(bases)
        .with_stop(stop.clone())
        .watched(move |event| {
            let mut told = locked(&listener);
            match event {
                Event::Begin(doing) => {
                    (told.done, told.of) = (0, 0);
                    doing.clone_into(&mut told.doing);
                    told.news = true;
                }
                Event::Steps { done, of } => {
                    (told.done, told.of, told.news) = (done, of, true);
                }
                Event::End => {}
                Event::Note(text) => told.notes.push(text.to_owned()),
            }
        });
    let progress = watch.progress.map(Bound::unbind);
    let mut raised: Option<PyErr> = None;
    let ended = py.detach(|| {
        let (ready, done) = channel();
        std::thread::scope(|scope| {
            let host = &host;
            let worker = Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let answer = work(host);
                // Whoever waits hears of a panic because the channel is closed.
                let _ = ready.send(());
                answer
            })?;
            while let Err(RecvTimeoutError::Timeout) = done.recv_timeout(LOOK) {
                let seen = Python::attach(|py| look(py, progress.as_ref(), &told));
                if let Err(error) = seen {
                    stop.set();
                    raised.get_or_insert(error);
                }
            }
            Ok(worker.join())
        })
    });
    let answer = match ended {
        Err(error) => return Err(errors::impossible(&error)),
        Ok(Err(payload)) => return Err(errors::bug(py, &*payload)),
        Ok(Ok(answer)) => answer,
    };
    if let Some(error) = raised {
        let interrupted = error.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py);
        if !(watch.keeps_part && interrupted && answer.is_ok()) {
            return Err(error);
        }
    }
    for note in &locked(&told).notes {
        warn(py, note)?;
    }
    answer.map_err(|failure| errors::refused(py, &failure))
}

/// A remark as a warning of the package, at the line that called it.
fn warn(py: Python<'_>, note: &str) -> PyResult<()> {
    let kind = py
        .import("isotrope.errors")
        .and_then(|module| module.getattr("Remark"))
        .unwrap_or_else(|_| py.get_type::<PyUserWarning>().into_any());
    let text = note.strip_prefix("warning: ").unwrap_or(note);
    py.import("warnings")?.call_method1("warn", (text, kind, 4))?;
    Ok(())
}

/// Short work in this thread: a panic becomes an exception of the package.
pub fn guarded<T>(py: Python<'_>, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(done) => done,
        Err(payload) => Err(errors::bug(py, &*payload)),
    }
}
