//! Why a trajectory could not be written.

use std::io;
use std::path::{Path, PathBuf};

use super::Format;
use isotrope_kernel::integrate::SinkError;

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
    #[error("cannot write to `{}` any more: {source}; it has {rows} rows", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// How many rows it has and keeps.
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
    #[error("{rate} rows a second are no sampling rate")]
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
    #[error("`{}` has {rows} rows, and its format has no room for more", path.display())]
    Full {
        /// The file.
        path: PathBuf,
        /// How many rows it has and keeps.
        rows: u64,
    },
}

impl WriteError {
    /// Every code with its explanation and an advice, for the documentation.
    pub const CODES: [(&'static str, &'static str, &'static str); 10] = [
        (
            "ISO-OUTPUT-001",
            "A trajectory in a format that is not written.",
            "End the name in `.csv`, `.npz` or `.parquet`; `run` also writes one column as `.wav`.",
        ),
        ("ISO-OUTPUT-002", "A trajectory without columns.", "Ask for at least one column."),
        (
            "ISO-OUTPUT-003",
            "Two columns of a trajectory have the same name.",
            "Rename the coordinate or the constraint in the model: a coordinate `v_x` beside `x` is the velocity of `x`, too.",
        ),
        (
            "ISO-OUTPUT-004",
            "A row that does not fit the columns.",
            "This is a mistake of the program; please report it.",
        ),
        (
            "ISO-OUTPUT-005",
            "The file of a trajectory cannot be made.",
            "Check that the folder exists and may be written to.",
        ),
        (
            "ISO-OUTPUT-006",
            "The file of a trajectory cannot be written on or completed.",
            "Make room on the disk, or write less with `--stride`.",
        ),
        (
            "ISO-OUTPUT-007",
            "A trajectory has more rows than its format has room for.",
            "Write fewer rows with `--stride`, or write `.csv` or `.npz`.",
        ),
        (
            "ISO-OUTPUT-008",
            "A column that should be written as sound does not exist.",
            "Name a column with `--signal`; `--out F.csv` shows which there are.",
        ),
        (
            "ISO-OUTPUT-009",
            "Sound of rows that do not come in a whole number a second.",
            "Take a step like `1/44100`, or a part of it and `--stride`.",
        ),
        (
            "ISO-OUTPUT-010",
            "A sample of sound has no finite value.",
            "Look at the column with `--out F.csv`.",
        ),
    ];

    fn entry(&self) -> (&'static str, &'static str, &'static str) {
        let number = match self {
            Self::UnknownFormat { .. } => 0,
            Self::NoColumns => 1,
            Self::DuplicateColumn { .. } => 2,
            Self::Width { .. } => 3,
            Self::Create { .. } => 4,
            Self::Write { .. } | Self::Assemble { .. } => 5,
            Self::Full { .. } => 6,
            Self::NoSignal { .. } => 7,
            Self::Rate { .. } => 8,
            Self::NoNumber { .. } => 9,
        };
        Self::CODES[number]
    }

    /// Its stable code.
    pub fn code(&self) -> &'static str {
        self.entry().0
    }

    /// A way out.
    pub fn hint(&self) -> String {
        match self {
            Self::UnknownFormat { path, .. } => {
                let names = Format::ALL.map(|format| format!("`{}`", with_extension(path, format)));
                format!("write {}, {} or {}", names[0], names[1], names[2])
            }
            Self::NoSignal { columns, .. } => format!("there are {}", columns.join(", ")),
            Self::Create { path, source } if source.kind() == io::ErrorKind::NotFound => {
                match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                    Some(folder) => format!("make the folder `{}` first", folder.display()),
                    None => "check the name".to_owned(),
                }
            }
            _ => {
                let advice = self.entry().2.trim_end_matches('.');
                let mut characters = advice.chars();
                let first = characters.next().map(|first| first.to_ascii_lowercase());
                first.into_iter().chain(characters).collect()
            }
        }
    }
}

fn with_extension(path: &Path, format: Format) -> String {
    path.with_extension(format.extension()).display().to_string()
}

impl From<WriteError> for SinkError {
    fn from(error: WriteError) -> Self {
        Self::new(error)
    }
}
