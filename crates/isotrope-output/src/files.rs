//! Where whole files are read and written.
//!
//! Libraries ask for files through [`Files`]; the caller decides what a name means. [`Disk`]
//! is the usual answer, [`NoFiles`] that of a page or of a service that must not read anything.

use std::path::{Path, PathBuf};

use isotrope_model::codes::FilesCode;

/// Files are read up to here, and longer ones are refused.
const LARGEST: u64 = 256 << 20;

/// Reads and writes whole files by their names.
pub trait Files: Send + Sync {
    /// The bytes of a file.
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError>;

    /// Writes a file whole, or not at all.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError>;

    /// What tells a plain file from all others, whatever it is called; nothing for what is not there, for
    /// pipes and devices, and where there are no files.
    fn identity(&self, _: &Path) -> Option<FileIdentity> {
        None
    }

    /// A file will be written: refused if it is one of those that are read ([`Apart`](crate::apart::Apart)).
    fn will_write(&self, _: &Path) -> Result<(), FileError> {
        Ok(())
    }

    /// A file will be read: refused if it is one of those that will be written.
    fn will_read(&self, _: &Path) -> Result<(), FileError> {
        Ok(())
    }
}

/// What tells a file from all others: the same for all its names and links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileIdentity {
    /// Device and number.
    Number(u64, u64),
    /// The path without links, where files have no numbers.
    Path(PathBuf),
}

/// What is wrong with a file that has nothing to do with its contents.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// There is none.
    #[error("there is no file `{}`", path.display())]
    Missing {
        /// Its name.
        path: PathBuf,
        /// What may have been meant.
        near: Option<PathBuf>,
    },
    /// A directory.
    #[error("`{}` is a directory, not a file", path.display())]
    Directory {
        /// Its name.
        path: PathBuf,
        /// A model in it.
        inside: Option<PathBuf>,
    },
    /// Reading failed.
    #[error("cannot read `{}`: {}", .0.display(), .1)]
    Unreadable(PathBuf, std::io::Error),
    /// Longer than anything that is read.
    #[error("`{}` is longer than {} MiB", .0.display(), LARGEST >> 20)]
    TooLong(PathBuf),
    /// It would be overwritten.
    #[error("`{}` exists already", .0.display())]
    Exists(PathBuf),
    /// It is read, and would be overwritten.
    #[error(
        "`{}` is read and would be overwritten{}",
        input.display(),
        if input == output { String::new() } else { format!(": `{}` is the same file", output.display()) }
    )]
    SameFile {
        /// Its name as something that is read.
        input: PathBuf,
        /// Its name as something that is written.
        output: PathBuf,
    },
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
    pub fn code(&self) -> FilesCode {
        match self {
            Self::Missing { .. } => FilesCode::Missing,
            Self::Directory { .. } => FilesCode::Directory,
            Self::Unreadable(..) => FilesCode::Unreadable,
            Self::Exists(_) => FilesCode::Exists,
            Self::SameFile { .. } => FilesCode::SameFile,
            Self::Unwritable(..) => FilesCode::Unwritable,
            Self::Standard(_) => FilesCode::StandardStreams,
            Self::NoFiles { .. } => FilesCode::NoFiles,
            Self::TooLong(_) => FilesCode::TooLong,
        }
    }

    /// The way out, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Missing { near: Some(near), .. } => {
                Some(format!("did you mean `{}`?", near.display()))
            }
            Self::Missing { near: None, .. } => Some(
                "`isotrope new NAME` writes a model to start from; a table file is shown by \
                 `isotrope certify --help`"
                    .to_owned(),
            ),
            Self::Directory { inside, .. } => {
                let inside = inside.as_ref()?;
                Some(format!("name a file in it, such as `{}`", inside.display()))
            }
            Self::Exists(_) => Some("choose another name, or replace it with --force".to_owned()),
            Self::SameFile { .. } => Some("write to another file".to_owned()),
            Self::TooLong(_) => Some("split it into several files".to_owned()),
            Self::NoFiles { .. } => Some("name a method of the list instead of a file".to_owned()),
            Self::Unreadable(..) | Self::Unwritable(..) | Self::Standard(_) => None,
        }
    }
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
    use std::hash::{BuildHasher as _, RandomState};
    use std::io::{ErrorKind, Read, Write};
    use std::path::{Path, PathBuf};

    use super::{FileError, FileIdentity, Files, LARGEST};

    /// The file system of the machine; names are paths.
    #[derive(Debug, Clone, Copy, Default)]
    pub struct Disk;

    impl Disk {
        /// The bytes of a file, whose name need not be text.
        pub fn read_path(self, path: &Path) -> Result<Vec<u8>, FileError> {
            if path.is_dir() {
                let inside = first_model(path);
                return Err(FileError::Directory { path: path.to_owned(), inside });
            }
            let file = std::fs::File::open(path).map_err(|error| match error.kind() {
                ErrorKind::NotFound => {
                    let near = path.with_extension("toml");
                    let near = (path.extension().is_none() && near.exists()).then_some(near);
                    FileError::Missing { path: path.to_owned(), near }
                }
                _ => FileError::Unreadable(path.to_owned(), error),
            })?;
            Self::read_from(file, path)
        }

        /// Everything that comes from somewhere; `path` is what it is called.
        pub fn read_from(source: impl Read, path: &Path) -> Result<Vec<u8>, FileError> {
            let mut bytes = Vec::new();
            let read = source.take(LARGEST + 1).read_to_end(&mut bytes);
            read.map_err(|error| FileError::Unreadable(path.to_owned(), error))?;
            if bytes.len() as u64 > LARGEST {
                return Err(FileError::TooLong(path.to_owned()));
            }
            Ok(bytes)
        }

        /// Writes a file whole, or not at all; its name need not be text.
        pub fn write_path(self, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
            self.write_portions(path, |file| file.write_all(bytes))
        }

        /// The same, portion by portion.
        pub fn write_portions(
            self,
            path: &Path,
            write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
        ) -> Result<(), FileError> {
            whole(path, write).map_err(|error| FileError::Unwritable(path.to_owned(), error))
        }
    }

    impl Files for Disk {
        fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
            self.read_path(Path::new(name))
        }

        fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
            self.write_path(Path::new(name), bytes)
        }

        fn identity(&self, path: &Path) -> Option<FileIdentity> {
            let known = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
            identity(path, &known)
        }
    }

    #[cfg(unix)]
    fn identity(_: &Path, known: &std::fs::Metadata) -> Option<FileIdentity> {
        use std::os::unix::fs::MetadataExt as _;
        Some(FileIdentity::Number(known.dev(), known.ino()))
    }

    #[cfg(not(unix))]
    fn identity(path: &Path, _: &std::fs::Metadata) -> Option<FileIdentity> {
        std::fs::canonicalize(path).ok().map(FileIdentity::Path)
    }

    /// The first model of a directory.
    fn first_model(directory: &Path) -> Option<PathBuf> {
        let entries = std::fs::read_dir(directory).ok()?;
        let names = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        names.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).min()
    }

    /// What a path leads to through links, also to a file that is not there yet.
    fn target(path: &Path) -> PathBuf {
        let mut target = path.to_owned();
        // The system gives up after 40 links.
        for _ in 0..40 {
            let Ok(next) = std::fs::read_link(&target) else { break };
            target = match target.parent() {
                Some(folder) => folder.join(next),
                None => next,
            };
        }
        target
    }

    /// Writes beside the file and puts it in its place, so that it is whole or as it was. Where nothing
    /// can be written beside it, and to what is not a plain file of one name (a pipe, a device, a file with
    /// several hard links), it is written directly.
    fn whole(
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        let target = target(path);
        let known = std::fs::metadata(&target).ok();
        if known.as_ref().is_some_and(|known| !known.is_file() || has_other_names(known)) {
            return through(std::fs::File::create(&target)?, write).map(drop);
        }
        if known.is_some() {
            // A file that may not be written to is not replaced either.
            std::fs::OpenOptions::new().write(true).open(&target)?;
        }
        let unique = RandomState::new().hash_one(std::process::id());
        let beside = target.with_file_name(format!(".isotrope-{unique:016x}"));
        let made = std::fs::OpenOptions::new().write(true).create_new(true).open(&beside);
        let Ok(file) = made else {
            return through(std::fs::File::create(&target)?, write).map(drop);
        };
        let written = (|| {
            if let Some(known) = &known {
                file.set_permissions(known.permissions())?;
            }
            through(file, write)?.sync_all()?;
            std::fs::rename(&beside, &target)
        })();
        if written.is_err() {
            // What was begun is of no use to anybody.
            let _ = std::fs::remove_file(&beside);
        }
        written
    }

    /// Writes everything, in blocks.
    fn through(
        file: std::fs::File,
        write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> std::io::Result<std::fs::File> {
        let mut buffer = std::io::BufWriter::new(file);
        write(&mut buffer)?;
        buffer.into_inner().map_err(std::io::IntoInnerError::into_error)
    }

    #[cfg(unix)]
    fn has_other_names(known: &std::fs::Metadata) -> bool {
        std::os::unix::fs::MetadataExt::nlink(known) > 1
    }

    #[cfg(not(unix))]
    fn has_other_names(_: &std::fs::Metadata) -> bool {
        false
    }
}

#[cfg(all(test, feature = "files", unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_links_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let text = |name: &str| std::fs::read_to_string(at(name)).unwrap();
        Disk.write_path(&at("a"), b"one").unwrap();
        Disk.write_path(&at("a"), b"two").unwrap();
        assert_eq!(text("a"), "two");
        std::os::unix::fs::symlink("a", at("link")).unwrap();
        std::os::unix::fs::symlink("new", at("dangling")).unwrap();
        std::fs::hard_link(at("a"), at("other")).unwrap();
        Disk.write_path(&at("link"), b"three").unwrap();
        Disk.write_path(&at("dangling"), b"four").unwrap();
        assert_eq!([text("a"), text("other"), text("new")], ["three", "three", "four"]);
        assert!(at("link").is_symlink() && at("dangling").is_symlink());
        Disk.write_path(&at(&"n".repeat(250)), b"long").unwrap();
        assert!(Disk.write_path(&at("no/where"), b"").is_err());
        assert!(Disk.write_path(folder.path(), b"").is_err());
        // Nothing is left beside them.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 6);
    }

    #[test]
    fn what_is_not_there_is_told_by_its_code() {
        let code = |name: &str| Disk.read(name).unwrap_err().code();
        assert_eq!([code("no such file"), code("/")], [FilesCode::Missing, FilesCode::Directory]);
        assert_eq!(NoFiles.read("a").unwrap_err().code(), FilesCode::NoFiles);
        let endless = std::io::repeat(b'x');
        let refused = Disk::read_from(endless, std::path::Path::new("-")).unwrap_err();
        assert_eq!(refused.code(), FilesCode::TooLong);
    }
}
