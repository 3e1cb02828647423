//! What surrounds the computations of a command: files, standard input, signals, progress.

use std::io::{IsTerminal as _, Write};
use std::path::Path;
use std::sync::Once;

use isotrope::{Apart, Disk, Failure, FileError, FileIdentity, Files, Host, Stop};

use crate::cache::CacheFolder;
use crate::closed::output_is_open;
use crate::engine::{InAnotherProcess, own_program};
use crate::progress::Watcher;
use crate::signals::end_by;

/// Files of the disk; `-` is standard input and output.
#[derive(Debug, Clone, Copy)]
struct Streams;

impl Files for Streams {
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        if name != "-" {
            return Disk.read(name);
        }
        Disk::read_from(std::io::stdin().lock(), Path::new("-"))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        if name != "-" {
            return Disk.write(name, bytes);
        }
        standard(|out| out.write_all(bytes))
    }

    fn identity(&self, path: &Path) -> Option<FileIdentity> {
        if path.as_os_str() == "-" { None } else { Disk.identity(path) }
    }
}

/// Writes to standard output, portion by portion.
pub(crate) fn standard(
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), FileError> {
    output_is_open().map_err(FileError::Standard)?;
    let mut stdout = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        // A reader that has seen enough (`| head`) is not an error.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(FileError::Standard(error))
        }
        _ => Ok(()),
    }
}

/// What surrounds a command that will write these files: none of them may be one that it reads.
pub(crate) fn host_writing<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<Host, Failure> {
    let host = host();
    for path in outputs {
        host.files().will_write(path)?;
    }
    Ok(host)
}

/// What surrounds every command.
pub(crate) fn host() -> Host {
    let watcher = Watcher::default();
    let stop = Stop::new();
    let (flag, begun) = (stop.clone(), Once::new());
    Host::new()
        .with_files(Apart::new(Streams))
        .with_cache(CacheFolder::usual())
        .with_bases(InAnotherProcess { stop: stop.clone(), program: own_program() })
        .with_stop(stop)
        .watched(move |event| {
            // Until work begins signals end the program as usual, also while it waits for input.
            begun.call_once(|| end_by(&flag));
            watcher.tell(event);
        })
}

/// The name of a path for the host; `-` stays what it is.
pub(crate) fn name(path: &Path) -> String {
    path.display().to_string()
}

/// Columns of the terminal; a fixed number when the output is not one.
pub(crate) fn width() -> usize {
    const OTHERWISE: usize = 100;
    if !std::io::stdout().is_terminal() {
        return OTHERWISE;
    }
    match terminal_size::terminal_size() {
        Some((width, _)) => usize::from(width.0).clamp(40, 160),
        None => OTHERWISE,
    }
}
