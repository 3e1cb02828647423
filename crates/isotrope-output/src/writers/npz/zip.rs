//! A ZIP archive of stored members whose sizes and checksums are known beforehand, so that it can
//! be written from front to back. ZIP64 where a number does not fit into 32 bits.
//!
//! <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT>

use std::io::{self, Write};

/// Version 4.5 of the format brought ZIP64.
const VERSION: u16 = 45;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// Midnight of the first of January 1980, the beginning of time: the same run gives the same bytes.
const DATE: u16 = 1 << 5 | 1;

/// An archive that is being written.
pub(super) struct Archive<'w> {
    out: &'w mut dyn Write,
    /// Bytes written.
    position: u64,
    members: Vec<Member>,
    /// Numbers from here on go into ZIP64 fields.
    limit: u64,
}

struct Member {
    name: String,
    size: u64,
    checksum: u32,
    start: u64,
}

impl<'w> Archive<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, position: 0, members: Vec::new(), limit: u64::from(u32::MAX) }
    }

    /// An archive that uses ZIP64 for small files, too, so that tests need not write large ones.
    #[cfg(test)]
    pub(super) fn with_limit(out: &'w mut dyn Write, limit: u64) -> Self {
        Self { limit, ..Self::new(out) }
    }

    /// Begins a member; exactly `size` bytes of it follow.
    pub(super) fn begin(&mut self, name: &str, size: u64, checksum: u32) -> io::Result<()> {
        let member = Member { name: name.to_owned(), size, checksum, start: self.position };
        let mut extra = Extra::default();
        let large = size >= self.limit;
        // In this header both sizes have to be there or neither.
        let stored = extra.number(size, large);
        let unpacked = extra.number(size, large);
        let mut bytes = Vec::new();
        bytes.extend(0x0403_4b50_u32.to_le_bytes());
        member.common(&mut bytes, stored, unpacked, extra.length());
        bytes.extend(name.as_bytes());
        bytes.extend(extra.bytes());
        self.members.push(member);
        self.write_all(&bytes)
    }

    /// Writes the directory.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let start = self.position;
        let members = std::mem::take(&mut self.members);
        for member in &members {
            let entry = member.entry(self.limit);
            self.write_all(&entry)?;
        }
        let (count, size) = (members.len() as u64, self.position - start);
        let large = count >= 0xffff || size >= self.limit || start >= self.limit;
        let mut bytes = Vec::new();
        if large {
            let record = self.position;
            bytes.extend(0x0606_4b50_u32.to_le_bytes());
            bytes.extend(44_u64.to_le_bytes());
            bytes.extend(VERSION.to_le_bytes());
            bytes.extend(VERSION.to_le_bytes());
            bytes.extend([0; 8]); // numbers of disks
            for number in [count, count, size, start] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend(0x0706_4b50_u32.to_le_bytes());
            bytes.extend([0; 4]);
            bytes.extend(record.to_le_bytes());
            bytes.extend(1_u32.to_le_bytes());
        }
        let short = |number: u64| if large { u16::MAX } else { number as u16 };
        let long = |number: u64| if large { u32::MAX } else { number as u32 };
        bytes.extend(0x0605_4b50_u32.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(short(count).to_le_bytes());
        bytes.extend(short(count).to_le_bytes());
        bytes.extend(long(size).to_le_bytes());
        bytes.extend(long(start).to_le_bytes());
        bytes.extend([0; 2]);
        self.write_all(&bytes)
    }
}

impl Write for Archive<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.position += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Member {
    /// The fields that both headers of a member have, in the same order.
    fn common(&self, bytes: &mut Vec<u8>, stored: u32, unpacked: u32, extra: u16) {
        let name = u16::try_from(self.name.len()).unwrap_or(u16::MAX);
        for number in [VERSION, FLAGS, 0, 0, DATE] {
            bytes.extend(number.to_le_bytes());
        }
        for number in [self.checksum, stored, unpacked] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(name.to_le_bytes());
        bytes.extend(extra.to_le_bytes());
    }

    /// The entry of the directory.
    fn entry(&self, limit: u64) -> Vec<u8> {
        let mut extra = Extra::default();
        let stored = extra.number(self.size, self.size >= limit);
        let unpacked = extra.number(self.size, self.size >= limit);
        let start = extra.number(self.start, self.start >= limit);
        let mut bytes = Vec::new();
        bytes.extend(0x0201_4b50_u32.to_le_bytes());
        bytes.extend((3 << 8 | VERSION).to_le_bytes()); // made on Unix
        self.common(&mut bytes, stored, unpacked, extra.length());
        bytes.extend([0; 6]); // comment, disk, internal attributes
        bytes.extend((0o100_644_u32 << 16).to_le_bytes());
        bytes.extend(start.to_le_bytes());
        bytes.extend(self.name.as_bytes());
        bytes.extend(extra.bytes());
        bytes
    }
}

/// The numbers that do not fit into their places.
#[derive(Default)]
struct Extra(Vec<u8>);

impl Extra {
    /// What to write in the place of 32 bits.
    fn number(&mut self, number: u64, large: bool) -> u32 {
        if large {
            self.0.extend(number.to_le_bytes());
            u32::MAX
        } else {
            number as u32
        }
    }

    fn length(&self) -> u16 {
        // At most three numbers.
        if self.0.is_empty() { 0 } else { 4 + self.0.len() as u16 }
    }

    fn bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if !self.0.is_empty() {
            bytes.extend(1_u16.to_le_bytes());
            bytes.extend((self.0.len() as u16).to_le_bytes());
            bytes.extend(self.0);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use super::*;

    /// Reads an archive of two members back with another implementation.
    fn round_trip(limit: u64) {
        let members = [("t.npy", vec![1_u8; 40]), ("λ[3].npy", vec![7; 300])];
        let mut bytes = Vec::new();
        let mut archive = Archive::with_limit(&mut bytes, limit);
        for (name, content) in &members {
            archive.begin(name, content.len() as u64, crc32fast::hash(content)).unwrap();
            archive.write_all(content).unwrap();
        }
        archive.finish().unwrap();
        let mut read = ::zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(read.len(), 2);
        for (name, content) in &members {
            let mut found = Vec::new();
            // Reading to the end checks the checksum.
            read.by_name(name).unwrap().read_to_end(&mut found).unwrap();
            assert_eq!(found, *content);
        }
    }

    #[test]
    fn archives_are_read_by_others() {
        round_trip(u64::from(u32::MAX));
    }

    #[test]
    fn archives_with_large_numbers_are_read_by_others() {
        // From 0 on everything is large, from 100 on one of two sizes and one of two places.
        round_trip(0);
        round_trip(100);
    }
}
