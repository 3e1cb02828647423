//! A file that grows at its end and keeps what is whole when a write fails.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::WriteError;

/// Bytes gathered before they are handed to the system.
const BUFFER: usize = 1 << 18;

/// A file with a part that is final and possibly, some way behind it, something temporary.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    /// Where the file is until it is whole, and where it goes then.
    beside: Option<(PathBuf, PathBuf)>,
    file: File,
    /// Where the final part ends.
    end: u64,
    /// Where the file ends.
    length: u64,
    /// Where the next write goes, if known.
    position: Option<u64>,
}

impl Output {
    /// Creates the file, or empties it.
    pub(super) fn create(path: &Path) -> Result<Self, WriteError> {
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)
            .map_err(|source| WriteError::Create { path: path.to_owned(), source })?;
        let path = path.to_owned();
        Ok(Self { path, beside: None, file, end: 0, length: 0, position: Some(0) })
    }

    /// Begins the file beside its place, as `NAME.partial`: until [`Output::put_in_place`] an old file stays as it
    /// is. What is no plain file of one name (a pipe, a device) is written directly.
    pub(super) fn beside(path: &Path) -> Result<Self, WriteError> {
        let target = match std::fs::symlink_metadata(path) {
            Err(_) => path.to_owned(),
            Ok(_) => match std::fs::canonicalize(path) {
                Ok(target) if is_alone(&target) => {
                    // A file that may not be written to is not replaced either.
                    let writable = File::options().write(true).open(&target);
                    writable
                        .map_err(|source| WriteError::Create { path: path.to_owned(), source })?;
                    target
                }
                _ => return Self::create(path),
            },
        };
        let mut name = target.as_os_str().to_owned();
        name.push(".partial");
        let temporary = PathBuf::from(name);
        let named = |source| WriteError::Create { path: path.to_owned(), source };
        let mut output = Self::create(&temporary).map_err(|error| match error {
            WriteError::Create { source, .. } => named(source),
            other => other,
        })?;
        output.path = path.to_owned();
        output.beside = Some((temporary, target));
        Ok(output)
    }

    /// The file is whole: it goes where it belongs.
    pub(super) fn put_in_place(&mut self) -> io::Result<()> {
        let Some((temporary, target)) = &self.beside else { return Ok(()) };
        if let Ok(known) = std::fs::metadata(target) {
            self.file.set_permissions(known.permissions())?;
        }
        self.file.sync_all()?;
        std::fs::rename(temporary, target)?;
        self.beside = None;
        Ok(())
    }

    /// The file cannot be completed, and an old one stays as it was. Where rows are in it they are kept, and this is where.
    pub(super) fn give_up(&mut self, rows: u64) -> Option<PathBuf> {
        // Without rows it is removed in the end.
        let kept = (rows > 0).then(|| self.beside.take())?;
        Some(kept.map_or_else(|| self.path.clone(), |(temporary, _)| temporary))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where the final part ends.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Adds to the final part, all or nothing: after an error the file is as long as before.
    pub(super) fn append(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.end += self.write_at(self.end, write)?;
        self.length = self.length.max(self.end);
        self.position = Some(self.end);
        Ok(())
    }

    /// Writes something behind the final part and lets the file end with it; what is appended
    /// later may overwrite it.
    pub(super) fn put_tail(
        &mut self,
        at: u64,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let length = at + self.write_at(at, write)?;
        self.file.set_len(length)?;
        self.length = length;
        Ok(())
    }

    /// Where the file ends, what is temporary included.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Overwrites bytes of the final part.
    pub(super) fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.position = None;
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(bytes)
    }

    /// Reads bytes of the final part.
    pub(super) fn read(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.position = None;
        self.file.seek(SeekFrom::Start(at))?;
        io::Read::read_exact(&mut self.file, bytes)
    }

    /// Writes from a place on and returns how much.
    fn write_at(
        &mut self,
        at: u64,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<u64> {
        // Pipes cannot seek, and never have to.
        if self.position != Some(at) {
            self.file.seek(SeekFrom::Start(at))?;
        }
        self.position = None;
        let mut counted = Counted { inner: BufWriter::with_capacity(BUFFER, &self.file), count: 0 };
        let result = write(&mut counted).and_then(|()| counted.flush());
        let count = counted.count;
        // Dropping may write a rest, so the file is cut afterwards.
        drop(counted);
        match result {
            Ok(()) => Ok(count),
            Err(error) => {
                // What was written in part is of no use; if it cannot be cut off, the first error
                // is still the one to tell.
                let _ = self.file.set_len(self.length);
                Err(error)
            }
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((temporary, _)) = &self.beside {
            // What was begun is of no use to anybody.
            let _ = std::fs::remove_file(temporary);
        }
    }
}

/// Is it a plain file with one name?
fn is_alone(path: &Path) -> bool {
    let Ok(known) = std::fs::metadata(path) else { return false };
    #[cfg(unix)]
    let one = std::os::unix::fs::MetadataExt::nlink(&known) == 1;
    #[cfg(not(unix))]
    let one = true;
    known.is_file() && one
}

struct Counted<W> {
    inner: W,
    count: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
