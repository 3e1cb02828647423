//! Trajectories on disk: rows of doubles under named columns, streamed with constant memory.
//!
//! | format | memory | a run that is killed leaves |
//! |---|---|---|
//! | [`Csv`] | a quarter of a megabyte | the file, without the last lines |
//! | [`Npz`] | one block of at most 32 MiB | the old file, and `NAME.npz.partial.npy` without the last block |
//! | [`Parquet`] | one block of at most 32 MiB | the file, without the last blocks |
//!
//! [`Wav`] writes one column as sound; a run that is killed leaves the old file.
//!
//! A run that ends early in an orderly way (a failed step, Ctrl-C) calls [`Writer::finish`] and
//! leaves all its rows; a writer that is dropped does the same as far as it can. Files that
//! can be read before their end are begun anew when their writers are opened, the others are put in their places
//! when they are whole. Every double comes back bit for bit.
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

/// The formats of trajectories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text, one line a row.
    Csv,
    /// NumPy's archive of arrays, one array a column.
    Npz,
    /// Apache Parquet, uncompressed.
    Parquet,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Npz, Self::Parquet];

    /// How names of files of this format end.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Npz => "npz",
            Self::Parquet => "parquet",
        }
    }

    /// The format that the ending of a name asks for.
    ///
    /// ```
    /// use isotrope_output::writers::Format;
    /// assert_eq!(Format::of("run.npz".as_ref()).ok(), Some(Format::Npz));
    /// assert!(Format::of("run.xlsx".as_ref()).is_err());
    /// ```
    pub fn of(path: &Path) -> Result<Self, WriteError> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        let known = extension.as_deref().and_then(|extension| {
            Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
        });
        known.ok_or_else(|| WriteError::UnknownFormat { path: path.to_owned(), extension })
    }
}

/// Opens a writer of the format that the ending of `path` asks for.
pub fn open(path: &Path, columns: &[String]) -> Result<Box<dyn Writer>, WriteError> {
    let format = Format::of(path)?;
    let columns = Columns::new(columns)?;
    Ok(match format {
        Format::Csv => Box::new(Csv::create(path, &columns)?),
        Format::Npz => Box::new(Npz::create(path, columns)?),
        Format::Parquet => Box::new(Parquet::create(path, columns)?),
    })
}
