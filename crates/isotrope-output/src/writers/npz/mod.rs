//! NumPy's `.npz`: a ZIP archive with one array per column, `numpy.load(path)["t"]`.

mod npy;
mod zip;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use super::block::Block;
use super::output::Output;
use super::{Columns, Format, WriteError, Writer, Written};
use isotrope_kernel::integrate::{Sink, SinkError};

pub(super) static FORMAT: Format =
    Format { extension: "npz", create: |path, columns| Ok(Box::new(Npz::create(path, columns)?)) };

/// Writes one array of doubles for each column, stored and not compressed.
///
/// An archive has its columns one after the other, and rows come with all columns at once. So
/// blocks of rows go to a second file beside the output, `NAME.npz.partial.npy`, and are put in
/// order when the run ends; then that file is removed. For this moment the disk has to hold the
/// data twice.
///
/// The second file is an array of its own, of shape (blocks, columns, rows in a block): a run that
/// is killed, or an archive for which the disk has no room, leaves the rows there.
#[derive(Debug)]
pub struct Npz {
    output: Output,
    columns: Columns,
    block: Block,
    partial: Option<Partial>,
    /// Checksums of the columns as far as they are in the partial file.
    checksums: Vec<Hasher>,
    finished: bool,
}

/// The blocks on disk.
#[derive(Debug)]
struct Partial {
    output: Output,
    blocks: u64,
}

impl Npz {
    /// Begins the file.
    pub fn create(path: &Path, columns: Columns) -> Result<Self, WriteError> {
        let block = Block::new(columns.count());
        let output = Output::beside(path)?;
        let checksums = vec![Hasher::new(); columns.count()];
        Ok(Self { output, columns, block, partial: None, checksums, finished: false })
    }

    /// Where the rows are until the run ends.
    fn partial_path(&self) -> PathBuf {
        let mut name = self.output.path().as_os_str().to_owned();
        name.push(".partial.npy");
        name.into()
    }

    fn rows_on_disk(&self) -> u64 {
        let blocks = self.partial.as_ref().map_or(0, |partial| partial.blocks);
        blocks * self.block.capacity() as u64
    }

    /// Moves a full block to disk. Short runs never come here and need no second file.
    fn put_block(&mut self) -> Result<(), WriteError> {
        let path = self.partial_path();
        let rows = self.rows_on_disk();
        let partial = match &mut self.partial {
            Some(partial) => partial,
            None => self.partial.insert(Partial { output: Output::create(&path)?, blocks: 0 }),
        };
        let shape = |blocks| [blocks, self.columns.count() as u64, self.block.capacity() as u64];
        let result = if partial.blocks == 0 && partial.output.end() == 0 {
            partial.output.append(|out| out.write_all(&npy::header(&shape(0))))
        } else {
            Ok(())
        };
        let block = &self.block;
        let result = result
            .and_then(|()| {
                partial.output.append(|out| block.columns().try_for_each(|c| out.write_all(c)))
            })
            .and_then(|()| partial.output.patch(0, &npy::header(&shape(partial.blocks + 1))));
        if result.is_ok() {
            partial.blocks += 1;
            for (checksum, column) in self.checksums.iter_mut().zip(block.columns()) {
                checksum.update(column);
            }
        }
        // Rows that cannot be written are given up: memory has to stay bounded.
        self.block.clear();
        result.map_err(|source| {
            let kept = Some(path);
            WriteError::Write { path: self.output.path().to_owned(), kept, rows, source }
        })
    }

    fn complete(&mut self) -> Result<Written, WriteError> {
        self.finished = true;
        let rows = self.rows_on_disk() + self.block.rows() as u64;
        let partial = self.partial_path();
        let result = self.assemble(rows).and_then(|()| self.output.put_in_place());
        let path = self.output.path().to_owned();
        match (result, self.partial.take()) {
            (Ok(()), spool) => {
                if spool.is_some() {
                    drop(spool);
                    // The archive is complete; a file that cannot be removed does no harm.
                    let _ = fs::remove_file(partial);
                }
                Ok(Written { path, rows, bytes: self.output.end(), scale: None })
            }
            (Err(source), Some(_)) => Err(WriteError::Assemble { path, partial, source }),
            (Err(source), None) => Err(WriteError::Write { path, kept: None, rows: 0, source }),
        }
    }

    /// Writes the archive.
    fn assemble(&mut self, rows: u64) -> io::Result<()> {
        let Self { output, columns, block, partial, checksums, .. } = self;
        let header = npy::header(&[rows]);
        let size = header.len() as u64 + rows * 8;
        let mut piece = vec![0; block.capacity() * 8];
        output.append(|out| {
            let mut archive = zip::Archive::new(out);
            for (k, name) in columns.names().iter().enumerate() {
                let mut checksum = Hasher::new();
                checksum.update(&header);
                if let Some(on_disk) = checksums.get(k) {
                    checksum.combine(on_disk);
                }
                checksum.update(block.column(k));
                archive.begin(&format!("{name}.npy"), size, checksum.finalize())?;
                archive.write_all(&header)?;
                if let Some(Partial { output: spool, blocks }) = partial {
                    for index in 0..*blocks {
                        let before = index * columns.count() as u64 + k as u64;
                        let at = npy::HEADER as u64 + before * piece.len() as u64;
                        spool.read(at, &mut piece)?;
                        archive.write_all(&piece)?;
                    }
                }
                archive.write_all(block.column(k))?;
            }
            archive.finish()
        })
    }
}

impl Sink for Npz {
    fn row(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.columns.check(row)?;
        self.block.push(row);
        if self.block.is_full() {
            self.put_block()?;
        }
        Ok(())
    }
}

impl Writer for Npz {
    fn finish(mut self: Box<Self>) -> Result<Written, WriteError> {
        self.complete()
    }
}

impl Drop for Npz {
    fn drop(&mut self) {
        if !self.finished {
            // Nobody is left to tell.
            let _ = self.complete();
        }
    }
}
