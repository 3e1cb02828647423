//! The index at the end of a Parquet file: its schema and where the columns of each group are.
//!
//! Names and numbers of fields are those of
//! <https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift>.

use std::io::{self, Write};

use super::thrift::{Compact, Element};
use crate::writers::Columns;

/// `Type.DOUBLE`
const DOUBLE: i32 = 5;
/// `Encoding.PLAIN`
const PLAIN: i32 = 0;
/// `Encoding.RLE`, of levels that required columns do not have
const RLE: i32 = 3;

/// Bytes of the entry of a column, its name not counted, at most: seven numbers of ten bytes.
const ENTRY: u64 = 96;
/// The length of an index is a number of 32 bits.
const LONGEST: u64 = 1 << 31;

/// One row group.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// Where it begins.
    start: u64,
    rows: usize,
    /// Bytes of the header of each page; all columns of a group are equally long.
    header: usize,
}

/// What the file contains so far.
#[derive(Debug)]
pub(super) struct Index {
    columns: Columns,
    groups: Vec<Group>,
    rows: u64,
    /// Bytes that one more group adds to the index, at most.
    entry: u64,
}

impl Index {
    pub(super) fn new(columns: Columns) -> Self {
        let names: u64 = columns.names().iter().map(|name| name.len() as u64).sum();
        let entry = names + (columns.count() as u64 + 1) * ENTRY;
        Self { columns, groups: Vec::new(), rows: 0, entry }
    }

    pub(super) fn columns(&self) -> &Columns {
        &self.columns
    }

    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// An upper bound of its bytes; the schema is not longer than the entry of a group.
    pub(super) fn size(&self) -> u64 {
        (self.groups.len() as u64 + 1) * self.entry
    }

    /// Bytes of a group of that many rows.
    pub(super) fn group_bytes(&self, rows: usize) -> u64 {
        ((page_header(rows).len() + rows * 8) * self.columns.count()) as u64
    }

    /// Is there room for one more group?
    pub(super) fn has_room(&self) -> bool {
        self.size() + self.entry < LONGEST
    }

    pub(super) fn add(&mut self, start: u64, rows: usize, header: usize) {
        self.groups.push(Group { start, rows, header });
        self.rows += rows as u64;
    }

    /// Writes the index (`FileMetaData`) and returns its length.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<u32> {
        let mut compact = Compact::default();
        let mut length = 0;
        compact.begin();
        compact.i32(1, 1); // version
        compact.list(2, Element::Struct, self.columns.count() + 1); // schema
        compact.begin();
        compact.text(4, "schema"); // name
        compact.i32(5, i32::try_from(self.columns.count()).unwrap_or(i32::MAX)); // num_children
        compact.end();
        for name in self.columns.names() {
            compact.begin();
            compact.i32(1, DOUBLE); // type
            compact.i32(3, 0); // repetition_type: required
            compact.text(4, name); // name
            compact.end();
        }
        compact.i64(3, self.rows.cast_signed()); // num_rows
        compact.list(4, Element::Struct, self.groups.len()); // row_groups
        for group in &self.groups {
            self.write_group(*group, &mut compact);
            // A long index passes through memory in parts.
            length += flush(&mut compact, out)?;
        }
        compact.text(6, concat!("isotrope version ", env!("CARGO_PKG_VERSION"))); // created_by
        compact.end();
        length += flush(&mut compact, out)?;
        u32::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge.into())
    }

    /// `RowGroup`
    fn write_group(&self, group: Group, compact: &mut Compact) {
        let chunk = (group.header + group.rows * 8) as u64;
        compact.begin();
        compact.list(1, Element::Struct, self.columns.count()); // columns
        for (k, name) in (0..).zip(self.columns.names()) {
            let start = (group.start + k * chunk).cast_signed();
            compact.begin(); // ColumnChunk
            compact.i64(2, start); // file_offset
            compact.structure(3); // meta_data
            compact.i32(1, DOUBLE); // type
            compact.list(2, Element::Integer, 1); // encodings
            compact.integer_element(PLAIN);
            compact.list(3, Element::Text, 1); // path_in_schema
            compact.text_element(name);
            compact.i32(4, 0); // codec: uncompressed
            compact.i64(5, group.rows as i64); // num_values
            compact.i64(6, chunk.cast_signed()); // total_uncompressed_size
            compact.i64(7, chunk.cast_signed()); // total_compressed_size
            compact.i64(9, start); // data_page_offset
            compact.end();
            compact.end();
        }
        compact.i64(2, (chunk * self.columns.count() as u64).cast_signed()); // total_byte_size
        compact.i64(3, group.rows as i64); // num_rows
        compact.end();
    }
}

fn flush(compact: &mut Compact, out: &mut dyn Write) -> io::Result<u64> {
    let bytes = compact.take();
    out.write_all(&bytes)?;
    Ok(bytes.len() as u64)
}

/// The header of a page of plain doubles (`PageHeader`).
pub(super) fn page_header(rows: usize) -> Vec<u8> {
    let rows = i32::try_from(rows).unwrap_or(i32::MAX);
    let mut compact = Compact::default();
    compact.begin();
    compact.i32(1, 0); // type: data page
    compact.i32(2, rows.saturating_mul(8)); // uncompressed_page_size
    compact.i32(3, rows.saturating_mul(8)); // compressed_page_size
    compact.structure(5); // data_page_header
    compact.i32(1, rows); // num_values
    compact.i32(2, PLAIN); // encoding
    compact.i32(3, RLE); // definition_level_encoding
    compact.i32(4, RLE); // repetition_level_encoding
    compact.end();
    compact.end();
    compact.take()
}
