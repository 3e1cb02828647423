//! Apache Parquet: columns of doubles in row groups, read by pandas, polars, DuckDB, Arrow.
//!
//! Of the format we need the simplest part only, required columns of plain doubles, so it is
//! written here: a file is `PAR1`, pages, an index, `PAR1`. Writing it ourselves lets the index be
//! renewed while the run goes on.

mod index;
mod thrift;

use std::path::Path;

use super::block::Block;
use super::output::Output;
use super::{Columns, WriteError, Writer, Written};
use crate::{Sink, SinkError};
use index::Index;

const MAGIC: &[u8; 4] = b"PAR1";
/// An index in the middle of a run may cost this part of the data written since the last one.
const SHARE: u64 = 16;

/// Writes row groups of up to 65536 rows, each column one page of plain uncompressed doubles.
///
/// The file is written in place. The index of row groups stands at its end and is written anew
/// after every group (seldom enough to cost little in very wide files) and overwritten by the
/// next: a run that is killed leaves a file with all complete groups, unless it is killed in the
/// instant in which a group is written.
#[derive(Debug)]
pub struct Parquet {
    output: Output,
    block: Block,
    index: Index,
    /// Bytes of groups that no index on disk tells of.
    unlisted: u64,
    finished: bool,
}

impl Parquet {
    /// Begins the file.
    pub fn create(path: &Path, columns: Columns) -> Result<Self, WriteError> {
        let block = Block::new(columns.count());
        let output = Output::create(path)?;
        let mut parquet =
            Self { output, block, index: Index::new(columns), unlisted: 0, finished: false };
        parquet
            .output
            .append(|out| out.write_all(MAGIC))
            .map_err(|source| parquet.write_error(source))?;
        parquet.put_index()?;
        Ok(parquet)
    }

    fn write_error(&self, source: std::io::Error) -> WriteError {
        let path = self.output.path().to_owned();
        WriteError::Write { path, rows: self.index.rows(), source }
    }

    /// Writes the rows in memory as a row group.
    fn put_group(&mut self) -> Result<(), WriteError> {
        if self.block.rows() == 0 {
            return Ok(());
        }
        let Self { output, block, index, .. } = self;
        let start = output.end();
        let written = if index.has_room() {
            let header = index::page_header(block.rows());
            let result = output.append(|out| {
                block.columns().try_for_each(|column| {
                    out.write_all(&header)?;
                    out.write_all(column)
                })
            });
            result.map(|()| index.add(start, block.rows(), header.len()))
        } else {
            block.clear();
            let path = output.path().to_owned();
            return Err(WriteError::Full { path, rows: index.rows() });
        };
        // Rows that cannot be written are given up: memory has to stay bounded.
        block.clear();
        if let Err(source) = written {
            let error = self.write_error(source);
            // The group has overwritten the index; without it nothing could be read.
            let _ = self.put_index();
            return Err(error);
        }
        self.unlisted += self.output.end() - start;
        Ok(())
    }

    fn put_index(&mut self) -> Result<u64, WriteError> {
        let Self { output, index, .. } = self;
        let result = output.put_tail(|out| {
            let length = index.write(out)?;
            out.write_all(&length.to_le_bytes())?;
            out.write_all(MAGIC)
        });
        self.unlisted = 0;
        result.map_err(|source| self.write_error(source))
    }

    fn complete(&mut self) -> Result<Written, WriteError> {
        self.finished = true;
        self.put_group()?;
        let tail = self.put_index()?;
        let path = self.output.path().to_owned();
        Ok(Written { path, rows: self.index.rows(), bytes: self.output.end() + tail })
    }
}

impl Sink for Parquet {
    fn row(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.index.columns().check(row)?;
        self.block.push(row);
        if self.block.is_full() {
            self.put_group()?;
            if self.unlisted >= SHARE * self.index.size() {
                self.put_index()?;
            }
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
