//! Sound: one column of a trajectory as a RIFF/WAVE file of 32-bit floating-point samples.

use std::path::Path;

use super::output::Output;
use super::{Columns, WriteError, Writer, Written};
use isotrope_kernel::integrate::{Sink, SinkError};

/// The largest sample is scaled to this.
const PEAK: f64 = 0.99;
/// Bytes before the samples: RIFF, the format (18 bytes, IEEE floating point), `fact`, the head of the data.
const HEADER: u64 = 58;
/// Samples that are handed to the system at once.
const PORTION: usize = 1 << 15;

/// Does the name of a file ask for sound?
#[must_use]
pub fn is_sound(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wav"))
}

/// Writes one column, a sample a row. Samples are written as they are and scaled when the run ends, so that
/// memory does not grow with its length.
#[derive(Debug)]
pub struct Wav {
    output: Output,
    columns: usize,
    name: String,
    /// Where the signal is in a row.
    signal: usize,
    rate: u32,
    samples: Vec<f32>,
    rows: u64,
    peak: f64,
}

impl Wav {
    /// Begins the file: the name of the column, and samples in a second. The first column is the time.
    pub fn create(
        path: &Path,
        columns: &Columns,
        signal: &str,
        rate: u32,
    ) -> Result<Self, WriteError> {
        let Some(at) = columns.names().iter().position(|name| name == signal) else {
            let columns = columns.names().to_vec();
            return Err(WriteError::NoSignal { name: signal.to_owned(), columns });
        };
        let mut output = Output::beside(path)?;
        let header = header(rate, 0);
        let made = output.append(|out| out.write_all(&header));
        made.map_err(|source| WriteError::Create { path: path.to_owned(), source })?;
        Ok(Self {
            output,
            columns: columns.count(),
            name: signal.to_owned(),
            signal: at,
            rate,
            samples: Vec::with_capacity(PORTION),
            rows: 0,
            peak: 0.0,
        })
    }

    fn failed(&self, source: std::io::Error) -> WriteError {
        let path = self.output.path().to_owned();
        WriteError::Write { path, kept: None, rows: self.rows, source }
    }

    fn write(&mut self) -> Result<(), WriteError> {
        let bytes: Vec<u8> = self.samples.drain(..).flat_map(f32::to_le_bytes).collect();
        let written = self.output.append(|out| out.write_all(&bytes));
        written.map_err(|source| self.failed(source))
    }

    /// Multiplies the samples on disk.
    fn scale(&mut self, factor: f64) -> std::io::Result<()> {
        let mut at = HEADER;
        let mut bytes = vec![0; 4 * PORTION];
        while at < self.output.end() {
            let left = usize::try_from(self.output.end() - at).unwrap_or(usize::MAX);
            let part = bytes.get_mut(..left.min(4 * PORTION)).unwrap_or_default();
            self.output.read(at, part)?;
            for sample in part.chunks_exact_mut(4) {
                if let Ok(number) = <[u8; 4]>::try_from(&*sample) {
                    let scaled = f64::from(f32::from_le_bytes(number)) * factor;
                    sample.copy_from_slice(&(scaled as f32).to_le_bytes());
                }
            }
            self.output.patch(at, part)?;
            at += part.len() as u64;
        }
        Ok(())
    }
}

impl Sink for Wav {
    fn row(&mut self, row: &[f64]) -> Result<(), SinkError> {
        super::columns::check_width(self.columns, row)?;
        // The last row of a run may come before its time.
        let (time, step) = (row.first().copied().unwrap_or(0.0), 1.0 / f64::from(self.rate));
        if (time - self.rows as f64 * step).abs() > 0.01 * step {
            return Ok(());
        }
        let value = row.get(self.signal).copied().unwrap_or(f64::NAN);
        if !value.is_finite() {
            return Err(WriteError::NoNumber { name: self.name.clone(), time }.into());
        }
        if self.rows >= u64::from(u32::MAX / 4) - HEADER {
            let path = self.output.path().to_owned();
            return Err(WriteError::Full { path, kept: None, rows: self.rows }.into());
        }
        self.peak = self.peak.max(value.abs());
        self.samples.push(value as f32);
        self.rows += 1;
        if self.samples.len() >= PORTION {
            self.write()?;
        }
        Ok(())
    }
}

impl Writer for Wav {
    fn finish(mut self: Box<Self>) -> Result<Written, WriteError> {
        self.write()?;
        let factor = if self.peak > 0.0 { PEAK / self.peak } else { 1.0 };
        let scaled = self.scale(factor);
        let header = header(self.rate, u32::try_from(self.rows).unwrap_or(u32::MAX));
        let completed = scaled
            .and_then(|()| self.output.patch(0, &header))
            .and_then(|()| self.output.put_in_place());
        completed.map_err(|source| self.failed(source))?;
        let path = self.output.path().to_owned();
        Ok(Written { path, rows: self.rows, bytes: self.output.end(), scale: Some(factor) })
    }
}

/// The bytes before the samples.
fn header(rate: u32, samples: u32) -> Vec<u8> {
    let data = samples.saturating_mul(4);
    let mut bytes = Vec::with_capacity(HEADER as usize);
    bytes.extend(b"RIFF");
    bytes.extend((HEADER as u32 - 8).saturating_add(data).to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend(18u32.to_le_bytes());
    // IEEE floating point, one channel.
    bytes.extend(3u16.to_le_bytes());
    bytes.extend(1u16.to_le_bytes());
    bytes.extend(rate.to_le_bytes());
    bytes.extend(rate.saturating_mul(4).to_le_bytes());
    bytes.extend(4u16.to_le_bytes());
    bytes.extend(32u16.to_le_bytes());
    bytes.extend(0u16.to_le_bytes());
    bytes.extend(b"fact");
    bytes.extend(4u32.to_le_bytes());
    bytes.extend(samples.to_le_bytes());
    bytes.extend(b"data");
    bytes.extend(data.to_le_bytes());
    bytes
}
