//! Why a trajectory could not be written.

use std::io;
use std::path::{Path, PathBuf};

use isotrope_kernel::integrate::SinkError;
use isotrope_model::codes::OutputCode;

use super::FORMATS;

/// Why a trajectory could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The name of the file ends in no format we write.
    #[error(
        "{}",
        match extension {
            Some(extension) => format!("trajectories are not written as `.{extension}`"),
            None => format!("`{}` does not say in which format to write", path.display()),
        }
    )]
    UnknownFormat {
        /// The file asked for.
        path: PathBuf,
        /// How its name ends, if it has a dot.
        extension: Option<String>,
    },
    /// No column is to be written.
    #[error("a file without columns")]
    NoColumns,
    /// Two columns have the same name.
    #[error("two columns of the trajectory are called `{name}`")]
    DuplicateColumn {
        /// The name.
        name: String,
    },
    /// A row has not as many entries as there are columns.
    #[error("a row of {entries} entries for {columns} columns")]
    Width {
        /// How many columns there are.
        columns: usize,
        /// How many entries the row has.
        entries: usize,
    },
    /// The file cannot be made.
    #[error("cannot write `{}`: {source}", path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file was begun and cannot be written on.
    #[error(
        "cannot write `{}` to its end: {source}{}", path.display(), whereabouts(kept.as_deref(), *rows)
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// The file with what could be written, where that is of use.
        kept: Option<PathBuf>,
        /// How many rows that has.
        rows: u64,
        /// What the system says.
        source: io::Error,
    },
    /// The rows are on disk, but the archive of them could not be made.
    #[error(
        "cannot complete `{}`: {source}; its rows are in `{}`",
        path.display(), partial.display()
    )]
    Assemble {
        /// The archive.
        path: PathBuf,
        /// The file with the rows.
        partial: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The column that should be heard is not there.
    #[error("the trajectory has no column `{name}`")]
    NoSignal {
        /// The name.
        name: String,
        /// The columns there are.
        columns: Vec<String>,
    },
    /// Rows do not come in a whole number a second.
    #[error("{rate} rows per second are not a sampling rate")]
    Rate {
        /// How many.
        rate: f64,
    },
    /// A sample without a finite value.
    #[error("`{name}` has no finite value at t = {time}")]
    NoNumber {
        /// The column.
        name: String,
        /// When.
        time: f64,
    },
    /// The index of the file would be larger than its format allows.
    #[error(
        "`{}` cannot hold more rows: its format ends here{}",
        path.display(), whereabouts(kept.as_deref(), *rows)
    )]
    Full {
        /// The file.
        path: PathBuf,
        /// The file with what could be written, where that is of use.
        kept: Option<PathBuf>,
        /// How many rows that has.
        rows: u64,
    },
}

/// Where rows are that could be written.
fn whereabouts(kept: Option<&Path>, rows: u64) -> String {
    kept.filter(|_| rows > 0)
        .map_or_else(String::new, |kept| format!("; {rows} rows are in `{}`", kept.display()))
}

impl WriteError {
    /// Its stable code.
    pub fn code(&self) -> OutputCode {
        match self {
            Self::UnknownFormat { .. } => OutputCode::UnknownFormat,
            Self::NoColumns => OutputCode::NoColumns,
            Self::DuplicateColumn { .. } => OutputCode::DuplicateColumn,
            Self::Width { .. } => OutputCode::Width,
            Self::Create { .. } => OutputCode::Create,
            Self::Write { .. } | Self::Assemble { .. } => OutputCode::Write,
            Self::Full { .. } => OutputCode::Full,
            Self::NoSignal { .. } => OutputCode::NoSignal,
            Self::Rate { .. } => OutputCode::Rate,
            Self::NoNumber { .. } => OutputCode::NotFinite,
        }
    }

    /// A way out.
    pub fn hint(&self) -> String {
        match self {
            Self::UnknownFormat { path, .. } => {
                let names = FORMATS
                    .iter()
                    .map(|format| format!("`{}`", path.with_extension(format.extension).display()));
                let mut names: Vec<String> = names.collect();
                let last = names.pop().unwrap_or_default();
                format!("write {} or {last}", names.join(", "))
            }
            Self::NoSignal { columns, .. } => format!("there are {}", columns.join(", ")),
            Self::Create { path, source } if source.kind() == io::ErrorKind::NotFound => {
                match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                    Some(folder) => format!("make the folder `{}` first", folder.display()),
                    None => "check the name".to_owned(),
                }
            }
            _ => self.code().hint(),
        }
    }
}

impl From<WriteError> for SinkError {
    fn from(error: WriteError) -> Self {
        Self::new(error)
    }
}
