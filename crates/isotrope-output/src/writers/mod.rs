//! Trajectories on disk: rows of doubles under named columns, streamed with constant memory.
//!
//! | format | memory | a run that is killed leaves |
//! |---|---|---|
//! | [`Csv`] | a quarter of a megabyte | `NAME.csv.partial` without the last lines |
//! | [`Npz`] | one block of at most 32 MiB | `NAME.npz.partial.npy` without the last block |
//! | [`Parquet`] | one block of at most 32 MiB | `NAME.parquet.partial` without the last blocks |
//!
//! [`Wav`] writes one column as sound. Files are put in their places when they are whole: until then, and after a run
//! that was killed or met a full disk, an old file of that name is as it was.
//!
//! A run that ends early in an orderly way (a failed step, Ctrl-C) calls [`Writer::finish`] and
//! leaves all its rows; a writer that is dropped does the same as far as it can. Every double comes back bit for bit.
//!
//! Parquet and ZIP are written by hand: we need little of either format, and the index of a Parquet
//! file can be renewed while a run goes on, so that a killed run leaves what it has. Tests read the
//! files back with other implementations.

mod block;
mod columns;
mod csv;
mod error;
mod npz;
mod output;
mod parquet;
mod wav;

use std::path::{Path, PathBuf};

pub use columns::{Columns, group_columns, trajectory_columns};
pub use csv::{Csv, quoted};
pub use error::WriteError;
pub use npz::Npz;
pub use parquet::Parquet;
pub use parquet::part::{Part, PartColumn};
pub use wav::{Wav, is_sound};

use isotrope_kernel::integrate::Sink;

/// A sink that writes a file.
pub trait Writer: Sink + Send {
    /// Writes what is left in memory and completes the file.
    fn finish(self: Box<Self>) -> Result<Written, WriteError>;
}

/// What was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// How many rows are in it, the header not counted.
    pub rows: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// What numbers were multiplied with (sound).
    pub scale: Option<f64>,
}

/// A file that was begun.
type Begun = Result<Box<dyn Writer>, WriteError>;

/// A format of trajectories; each has its file in this folder.
#[derive(Debug)]
pub struct Format {
    /// How names of files of this format end, without the dot.
    pub extension: &'static str,
    /// Begins a file.
    create: fn(&Path, Columns) -> Begun,
}

/// Every format: help texts, hints and tests follow from this list.
pub static FORMATS: &[&Format] = &[&csv::FORMAT, &npz::FORMAT, &parquet::FORMAT];

impl Format {
    /// The format that the ending of a name asks for.
    ///
    /// ```
    /// use isotrope_output::writers::Format;
    /// assert_eq!(Format::of("run.NPZ".as_ref()).unwrap().extension, "npz");
    /// assert!(Format::of("run.xlsx".as_ref()).is_err());
    /// ```
    pub fn of(path: &Path) -> Result<&'static Self, WriteError> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        let known = extension.as_deref().and_then(|extension| {
            FORMATS.iter().find(|format| extension.eq_ignore_ascii_case(format.extension))
        });
        known.copied().ok_or_else(|| WriteError::UnknownFormat { path: path.to_owned(), extension })
    }
}

/// Opens a writer of the format that the ending of `path` asks for.
pub fn open(path: &Path, columns: &[String]) -> Result<Box<dyn Writer>, WriteError> {
    let format = Format::of(path)?;
    (format.create)(path, Columns::new(columns)?)
}
