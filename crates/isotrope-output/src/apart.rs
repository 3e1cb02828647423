//! Files that are read and files that are written are kept apart.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::files::{FileError, FileIdentity, Files};

/// Files of one request, none of which is both read and written, whatever its names: a report written over its own
/// model would destroy the model.
///
/// A caller that knows beforehand what it will write announces it with [`Files::will_write`], and is refused when
/// one of these files is read, not after the work.
#[derive(Debug)]
pub struct Apart<F> {
    files: F,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    inputs: Vec<(PathBuf, FileIdentity)>,
    outputs: Vec<(PathBuf, FileIdentity)>,
}

impl<F: Files> Apart<F> {
    /// Nothing is read or written yet.
    pub fn new(files: F) -> Self {
        Self { files, known: Mutex::default() }
    }
}

/// The name under which a file is in a list.
fn name_in(list: &[(PathBuf, FileIdentity)], identity: &FileIdentity) -> Option<PathBuf> {
    list.iter().find(|known| known.1 == *identity).map(|known| known.0.clone())
}

impl<F: Files> Files for Apart<F> {
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        self.will_read(Path::new(name))?;
        self.files.read(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        self.will_write(Path::new(name))?;
        self.files.write(name, bytes)
    }

    fn identity(&self, path: &Path) -> Option<FileIdentity> {
        self.files.identity(path)
    }

    fn will_write(&self, path: &Path) -> Result<(), FileError> {
        let Some(identity) = self.identity(path) else { return Ok(()) };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match name_in(&known.inputs, &identity) {
            Some(input) => Err(FileError::SameFile { input, output: path.to_owned() }),
            None => {
                known.outputs.push((path.to_owned(), identity));
                Ok(())
            }
        }
    }

    fn will_read(&self, path: &Path) -> Result<(), FileError> {
        let Some(identity) = self.identity(path) else { return Ok(()) };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match name_in(&known.outputs, &identity) {
            Some(output) => Err(FileError::SameFile { input: path.to_owned(), output }),
            None => {
                known.inputs.push((path.to_owned(), identity));
                Ok(())
            }
        }
    }
}

#[cfg(all(test, feature = "files", unix))]
mod tests {
    use super::*;
    use crate::files::Disk;

    #[test]
    fn a_file_that_is_read_is_not_written_under_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(at("model"), "one").unwrap();
        std::os::unix::fs::symlink("model", at("link")).unwrap();
        std::fs::hard_link(at("model"), at("other")).unwrap();
        for name in ["model", "link", "other", "./model"] {
            let files = Apart::new(Disk);
            files.read(&at("model")).unwrap();
            let refused = files.write(&at(name), b"two").unwrap_err();
            assert!(matches!(refused, FileError::SameFile { .. }), "{refused}");
            // Before anything is read, too.
            let files = Apart::new(Disk);
            files.will_write(Path::new(&at(name))).unwrap();
            assert!(files.read(&at("model")).is_err());
        }
        let files = Apart::new(Disk);
        files.read(&at("model")).unwrap();
        files.write(&at("new"), b"two").unwrap();
        assert_eq!(std::fs::read_to_string(at("model")).unwrap(), "one");
        // Devices can be read and written.
        files.will_read(Path::new("/dev/null")).unwrap();
        files.will_write(Path::new("/dev/null")).unwrap();
    }
}
