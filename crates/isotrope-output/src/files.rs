//! Where whole files are read and written.
//!
//! Libraries ask for files through [`Files`]; whoever calls them decides what a name means. [`Disk`]
//! is the usual answer, [`NoFiles`] that of a page or of a service that must not read anything.

use std::path::PathBuf;

/// Reads and writes whole files by their names.
pub trait Files: Send + Sync {
    /// The bytes of a file.
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError>;

    /// Writes a file whole, or not at all.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError>;
}

/// What is wrong with a file that has nothing to do with its contents.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// There is none.
    #[error("there is no file `{}`", .0.display())]
    Missing(PathBuf),
    /// A directory.
    #[error("`{}` is a directory, not a file", .0.display())]
    Directory(PathBuf),
    /// Reading failed.
    #[error("cannot read `{}`: {}", .0.display(), .1)]
    Unreadable(PathBuf, std::io::Error),
    /// It would be overwritten.
    #[error("`{}` exists already", .0.display())]
    Exists(PathBuf),
    /// Writing failed.
    #[error("cannot write `{}`: {}", .0.display(), .1)]
    Unwritable(PathBuf, std::io::Error),
    /// Standard input or output failed.
    #[error("cannot use the standard streams: {0}")]
    Standard(std::io::Error),
    /// There is no file system.
    #[error("`{name}` is a file, and there are no files here")]
    NoFiles {
        /// The name.
        name: String,
    },
}

impl FileError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing(_) => "ISO-FILE-001",
            Self::Directory(_) => "ISO-FILE-002",
            Self::Unreadable(..) => "ISO-FILE-003",
            Self::Exists(_) => "ISO-FILE-004",
            Self::Unwritable(..) => "ISO-FILE-005",
            Self::Standard(_) => "ISO-FILE-006",
            Self::NoFiles { .. } => "ISO-FILE-008",
        }
    }

    /// The way out, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Missing(path) => Some(missing(path)),
            Self::Directory(path) => first_model(path),
            Self::Exists(_) => Some("choose another name, or replace it with --force".to_owned()),
            Self::NoFiles { .. } => Some("name a method of the list instead of a file".to_owned()),
            Self::Unreadable(..) | Self::Unwritable(..) | Self::Standard(_) => None,
        }
    }
}

fn missing(path: &std::path::Path) -> String {
    match path.extension() {
        None if path.with_extension("toml").exists() => {
            format!("did you mean `{}.toml`?", path.display())
        }
        _ => "`isotrope new NAME` writes a model to start from; a table file is shown by \
              `isotrope certify --help`"
            .to_owned(),
    }
}

fn first_model(directory: &std::path::Path) -> Option<String> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(directory)
        .ok()?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    names.sort();
    names.first().map(|path| format!("name a file in it, such as `{}`", path.display()))
}

/// No file system: every name is refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        Err(FileError::NoFiles { name: name.to_owned() })
    }

    fn write(&self, name: &str, _: &[u8]) -> Result<(), FileError> {
        Err(FileError::NoFiles { name: name.to_owned() })
    }
}

#[cfg(feature = "files")]
pub use disk::Disk;

#[cfg(feature = "files")]
mod disk {
    use std::io::{ErrorKind, Read as _, Write as _};
    use std::path::Path;

    use super::{FileError, Files};

    /// Files are read up to here; what needs more is refused by its reader.
    const LARGEST: u64 = 64 << 20;

    /// The file system of the machine; names are paths.
    #[derive(Debug, Clone, Copy, Default)]
    pub struct Disk;

    /// Writes beside the file and puts it in its place, so that it is whole or as it was. What is no
    /// plain file (a pipe, a device) is written to directly.
    fn whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        // A link stays a link: what it leads to is written.
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if std::fs::metadata(&target).is_ok_and(|known| !known.is_file()) {
            return std::fs::write(path, bytes);
        }
        let Some(name) = target.file_name() else { return std::fs::write(path, bytes) };
        let mut beside = std::ffi::OsString::from(".");
        beside.push(name);
        beside.push(format!(".{}", std::process::id()));
        let beside = target.with_file_name(beside);
        let written = std::fs::File::create(&beside).and_then(|mut file| {
            if let Ok(known) = std::fs::metadata(&target) {
                file.set_permissions(known.permissions())?;
            }
            file.write_all(bytes)?;
            file.sync_all()?;
            std::fs::rename(&beside, &target)
        });
        if written.is_err() {
            // What was begun is of no use to anybody.
            let _ = std::fs::remove_file(&beside);
        }
        written
    }

    impl Files for Disk {
        fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
            let path = Path::new(name);
            if path.is_dir() {
                return Err(FileError::Directory(path.to_owned()));
            }
            let unreadable = |error| FileError::Unreadable(path.to_owned(), error);
            let file = std::fs::File::open(path).map_err(|error| match error.kind() {
                ErrorKind::NotFound => FileError::Missing(path.to_owned()),
                _ => unreadable(error),
            })?;
            let mut bytes = Vec::new();
            file.take(LARGEST).read_to_end(&mut bytes).map_err(unreadable)?;
            Ok(bytes)
        }

        fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
            let path = Path::new(name);
            whole(path, bytes).map_err(|error| FileError::Unwritable(path.to_owned(), error))
        }
    }
}
