//! Comma-separated text: readable everywhere, larger and slower than the others.

use std::path::Path;

use super::columns::check_width;
use super::output::Output;
use super::{Columns, Format, WriteError, Writer, Written};
use isotrope_kernel::integrate::{Sink, SinkError};

pub(super) static FORMAT: Format =
    Format { extension: "csv", create: |path, columns| Ok(Box::new(Csv::create(path, &columns)?)) };

/// Lines are handed to the system in portions of about this many bytes.
const PORTION: usize = 1 << 18;

/// Writes a header line and then one line per row. Decimals are the shortest that read back as the
/// same double, so nothing is lost.
///
/// Until the run ends the file is called `NAME.csv.partial` and grows by whole lines: a run that is killed leaves all but
/// the last portion there.
#[derive(Debug)]
pub struct Csv {
    output: Output,
    columns: usize,
    /// Whole lines that are not yet written.
    lines: Vec<u8>,
    /// How many.
    waiting: u64,
    rows: u64,
    /// Nothing more can or has to be written.
    ended: bool,
}

impl Csv {
    /// Begins the file with its header.
    pub fn create(path: &Path, columns: &Columns) -> Result<Self, WriteError> {
        let header: Vec<String> = columns.names().iter().map(|name| quoted(name)).collect();
        let mut lines = header.join(",").into_bytes();
        lines.push(b'\n');
        let (output, columns) = (Output::beside(path)?, columns.count());
        let mut csv = Self { output, columns, lines, waiting: 0, rows: 0, ended: false };
        csv.write()?;
        Ok(csv)
    }

    fn write(&mut self) -> Result<(), WriteError> {
        let Self { output, lines, waiting, rows, .. } = self;
        let result = output.append(|out| out.write_all(lines));
        // Lines that cannot be written are given up: memory has to stay bounded.
        lines.clear();
        let waiting = std::mem::take(waiting);
        match result {
            Ok(()) => {
                *rows += waiting;
                Ok(())
            }
            Err(source) => Err(self.failed(source)),
        }
    }

    /// Nothing more can be written.
    fn failed(&mut self, source: std::io::Error) -> WriteError {
        self.ended = true;
        let (path, rows) = (self.output.path().to_owned(), self.rows);
        WriteError::Write { path, kept: self.output.give_up(rows), rows, source }
    }

    fn complete(&mut self) -> Result<Written, WriteError> {
        self.write()?;
        self.output.put_in_place().map_err(|source| self.failed(source))?;
        self.ended = true;
        let path = self.output.path().to_owned();
        Ok(Written { path, rows: self.rows, bytes: self.output.end(), scale: None })
    }
}

impl Sink for Csv {
    fn row(&mut self, row: &[f64]) -> Result<(), SinkError> {
        check_width(self.columns, row)?;
        let mut buffer = zmij::Buffer::new();
        for (k, value) in row.iter().enumerate() {
            if k > 0 {
                self.lines.push(b',');
            }
            self.lines.extend_from_slice(buffer.format(*value).as_bytes());
        }
        self.lines.push(b'\n');
        self.waiting += 1;
        if self.lines.len() >= PORTION {
            self.write()?;
        }
        Ok(())
    }
}

impl Writer for Csv {
    fn finish(mut self: Box<Self>) -> Result<Written, WriteError> {
        self.complete()
    }
}

impl Drop for Csv {
    fn drop(&mut self) {
        if !self.ended {
            // Nobody is left to tell.
            let _ = self.complete();
        }
    }
}

/// A text as a field (RFC 4180).
#[must_use]
pub fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
