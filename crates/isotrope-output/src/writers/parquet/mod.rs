//! Apache Parquet: columns of doubles in row groups, read by pandas, polars, DuckDB, Arrow.
//!
//! We need only the simplest part of the format, required columns of plain doubles, so it is
//! written here: a file is `PAR1`, pages, an index, `PAR1`. Writing it ourselves lets the index be
//! renewed while the run goes on.

mod index;
pub(super) mod part;
mod thrift;

use std::path::Path;

use super::block::Block;
use super::output::Output;
use super::{Columns, Format, WriteError, Writer, Written};
use index::Index;
use isotrope_kernel::integrate::{Sink, SinkError};

pub(super) static FORMAT: Format = Format {
    extension: "parquet",
    create: |path, columns| Ok(Box::new(Parquet::create(path, columns)?)),
};

const MAGIC: &[u8; 4] = b"PAR1";
/// Data written between two indices, in multiples of the size of an index: what is written most
/// should be data.
const SHARE: u64 = 64;

/// Writes row groups of up to 65536 rows, each column one page of plain uncompressed doubles.
///
/// Until the run ends the file is called `NAME.parquet.partial`, and can be read: readers look for its index at its end.
/// While the run goes on the index therefore stands some way ahead of the data, behind a gap into which the next groups
/// are written; before the gap is full the index is written again, still farther ahead. A run that
/// is killed leaves a file whose index tells of all groups but the last ones, and is missing only
/// if the run was killed in the instant in which it was written. The end of the run closes the gap.
#[derive(Debug)]
pub struct Parquet {
    output: Output,
    block: Block,
    index: Index,
    /// Where the index begins.
    index_start: u64,
    finished: bool,
}

impl Parquet {
    /// Begins the file.
    pub fn create(path: &Path, columns: Columns) -> Result<Self, WriteError> {
        let block = Block::new(columns.count());
        let output = Output::beside(path)?;
        let index = Index::new(columns);
        let mut parquet = Self { output, block, index, index_start: 0, finished: false };
        let begun = parquet.output.append(|out| out.write_all(MAGIC));
        begun.map_err(|source| parquet.write_error(source))?;
        parquet.make_room()?;
        Ok(parquet)
    }

    /// Nothing more can be written: what there is gets an index, as far as that can be written.
    fn write_error(&mut self, source: std::io::Error) -> WriteError {
        self.finished = true;
        let _ = self.put_tail(self.output.end());
        let (path, rows) = (self.output.path().to_owned(), self.index.rows());
        WriteError::Write { path, kept: self.output.give_up(rows), rows, source }
    }

    /// Writes the rows in memory as a row group.
    fn put_group(&mut self) -> Result<(), WriteError> {
        let Self { output, block, index, .. } = self;
        if block.rows() == 0 {
            return Ok(());
        }
        if !index.has_room() {
            block.clear();
            let (path, rows) = (output.path().to_owned(), index.rows());
            self.finished = true;
            self.put_index(self.output.end())?;
            return Err(WriteError::Full { path, kept: self.output.give_up(rows), rows });
        }
        let start = output.end();
        let header = index::page_header(block.rows());
        let result = output.append(|out| {
            block.columns().try_for_each(|column| {
                out.write_all(&header)?;
                out.write_all(column)
            })
        });
        if result.is_ok() {
            index.add(start, block.rows(), header.len());
        }
        // Rows that cannot be written are given up: memory has to stay bounded.
        block.clear();
        result.map_err(|source| self.write_error(source))
    }

    /// Sees to it that the next group does not overwrite the index.
    fn make_room(&mut self) -> Result<(), WriteError> {
        let group = self.index.group_bytes(self.block.capacity());
        let end = self.output.end();
        if self.index_start >= end + group {
            return Ok(());
        }
        let ahead = end + group + SHARE * self.index.size();
        self.put_index(ahead.max(self.output.length()))
    }

    fn put_index(&mut self, at: u64) -> Result<(), WriteError> {
        self.put_tail(at).map_err(|source| self.write_error(source))
    }

    fn put_tail(&mut self, at: u64) -> std::io::Result<()> {
        let Self { output, index, .. } = self;
        self.index_start = at;
        output.put_tail(at, |out| {
            let length = index.write(out)?;
            out.write_all(&length.to_le_bytes())?;
            out.write_all(MAGIC)
        })
    }

    fn complete(&mut self) -> Result<Written, WriteError> {
        self.put_group()?;
        self.put_index(self.output.end())?;
        self.finished = true;
        self.output.put_in_place().map_err(|source| self.write_error(source))?;
        let path = self.output.path().to_owned();
        let (rows, bytes) = (self.index.rows(), self.output.length());
        Ok(Written { path, rows, bytes, scale: None })
    }
}

impl Sink for Parquet {
    fn row(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.index.columns().check(row)?;
        self.block.push(row);
        if self.block.is_full() {
            self.put_group()?;
            self.make_room()?;
        }
        Ok(())
    }
}

impl Writer for Parquet {
    fn finish(mut self: Box<Self>) -> Result<Written, WriteError> {
        self.complete()
    }
}

impl Drop for Parquet {
    fn drop(&mut self) {
        if !self.finished {
            // Nobody is left to tell.
            let _ = self.complete();
        }
    }
}
