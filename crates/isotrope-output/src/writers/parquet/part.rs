//! Small tables as Parquet in memory: numbers, integers, words; and back.
//!
//! The bytes depend on the table alone, so a file is what it says it is if its table gives the same bytes again.

use sha2::{Digest, Sha256};

use super::MAGIC;
use super::thrift::{Compact, Element, Reader, Value};

/// `Type`
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
/// `Encoding`
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const RLE_DICTIONARY: i32 = 8;
/// `PageType`
const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;

/// The key of the checksum.
const CHECKSUM: &str = "isotrope.sha256";

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub enum PartColumn {
    /// Numbers.
    Numbers(Vec<f64>),
    /// Integers.
    Integers(Vec<i64>),
    /// Words of a short list, by their place in it.
    Words {
        /// The list.
        list: Vec<String>,
        /// One place a row.
        places: Vec<u32>,
    },
}

impl PartColumn {
    /// How many rows it has.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Integers(values) => values.len(),
            Self::Words { places, .. } => places.len(),
        }
    }

    /// The value in a row as a number; of words their place.
    #[must_use]
    pub fn number(&self, row: usize) -> Option<f64> {
        match self {
            Self::Numbers(values) => values.get(row).copied(),
            Self::Integers(values) => values.get(row).map(|&value| value as f64),
            Self::Words { places, .. } => places.get(row).map(|&place| f64::from(place)),
        }
    }

    /// The word in a row.
    #[must_use]
    pub fn word(&self, row: usize) -> Option<&str> {
        match self {
            Self::Words { list, places } => {
                list.get(*places.get(row)? as usize).map(String::as_str)
            }
            _ => None,
        }
    }

    fn kind(&self) -> i32 {
        match self {
            Self::Numbers(_) => DOUBLE,
            Self::Integers(_) => INT64,
            Self::Words { .. } => BYTE_ARRAY,
        }
    }
}

/// A table with what is said about it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// Names of the columns.
    pub names: Vec<String>,
    /// The columns, equally long.
    pub columns: Vec<PartColumn>,
    /// Keys and values.
    pub metadata: Vec<(String, String)>,
}

/// Where the pages of a column are.
struct Chunk {
    dictionary: Option<u64>,
    data: u64,
    end: u64,
}

impl Part {
    /// The rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, PartColumn::rows)
    }

    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&PartColumn> {
        let place = self.names.iter().position(|own| own == name)?;
        self.columns.get(place)
    }

    /// What is said under a key.
    #[must_use]
    pub fn said(&self, key: &str) -> Option<&str> {
        self.metadata.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }

    /// The bytes of a Parquet file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let chunks: Vec<Chunk> =
            self.columns.iter().map(|column| pages(column, &mut bytes)).collect();
        // Of the pages and of an index without it.
        let digest = Sha256::new().chain_update(&bytes).chain_update(self.index(&chunks, ""));
        let mut checksum = String::new();
        for byte in digest.finalize() {
            checksum.push_str(&format!("{byte:02x}"));
        }
        let index = self.index(&chunks, &checksum);
        bytes.extend_from_slice(&index);
        bytes.extend_from_slice(&u32::try_from(index.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend_from_slice(MAGIC);
        bytes
    }

    /// Reads what [`Part::to_bytes`] has written; `None` if a single bit is different.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let body = bytes.strip_suffix(MAGIC)?;
        let (body, length) = body.split_last_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let start = body.len().checked_sub(length)?;
        let index = Reader::new(&body[start..]).structure()?;
        let rows = usize::try_from(index.integer(3)?).ok().filter(|rows| *rows <= bytes.len())?;
        let schema = index.list(2)?.split_first()?.1;
        let [group] = index.list(4)? else { return None };
        let mut part = Self::default();
        for (element, chunk) in schema.iter().zip(group.list(1)?) {
            part.names.push(element.text(4)?);
            part.columns.push(column(bytes, chunk.field(3)?, rows)?);
        }
        for pair in index.list(5)? {
            let key = pair.text(1)?;
            if key != CHECKSUM {
                part.metadata.push((key, pair.text(2)?));
            }
        }
        (part.to_bytes() == bytes).then_some(part)
    }

    /// `FileMetaData`
    fn index(&self, chunks: &[Chunk], checksum: &str) -> Vec<u8> {
        let rows = self.rows() as i64;
        let mut compact = Compact::default();
        compact.begin();
        compact.i32(1, 1); // version
        compact.list(2, Element::Struct, self.columns.len() + 1); // schema
        compact.begin();
        compact.text(4, "schema"); // name
        compact.i32(5, i32::try_from(self.columns.len()).unwrap_or(i32::MAX)); // num_children
        compact.end();
        for (name, column) in self.names.iter().zip(&self.columns) {
            compact.begin();
            compact.i32(1, column.kind()); // type
            compact.i32(3, 0); // repetition_type: required
            compact.text(4, name); // name
            if column.kind() == BYTE_ARRAY {
                compact.i32(6, 0); // converted_type: UTF8
            }
            compact.end();
        }
        compact.i64(3, rows); // num_rows
        compact.list(4, Element::Struct, 1); // row_groups
        compact.begin();
        compact.list(1, Element::Struct, self.columns.len()); // columns
        let mut total = 0;
        for ((name, column), chunk) in self.names.iter().zip(&self.columns).zip(chunks) {
            let start = chunk.dictionary.unwrap_or(chunk.data);
            let size = (chunk.end - start).cast_signed();
            total += size;
            compact.begin(); // ColumnChunk
            compact.i64(2, start.cast_signed()); // file_offset
            compact.structure(3); // meta_data
            compact.i32(1, column.kind()); // type
            let encodings: &[i32] =
                if chunk.dictionary.is_some() { &[PLAIN, RLE, RLE_DICTIONARY] } else { &[PLAIN] };
            compact.list(2, Element::Integer, encodings.len()); // encodings
            encodings.iter().for_each(|&encoding| compact.integer_element(encoding));
            compact.list(3, Element::Text, 1); // path_in_schema
            compact.text_element(name);
            compact.i32(4, 0); // codec: uncompressed
            compact.i64(5, rows); // num_values
            compact.i64(6, size); // total_uncompressed_size
            compact.i64(7, size); // total_compressed_size
            compact.i64(9, chunk.data.cast_signed()); // data_page_offset
            if let Some(dictionary) = chunk.dictionary {
                compact.i64(11, dictionary.cast_signed()); // dictionary_page_offset
            }
            compact.end();
            compact.end();
        }
        compact.i64(2, total); // total_byte_size
        compact.i64(3, rows); // num_rows
        compact.end();
        compact.list(5, Element::Struct, self.metadata.len() + 1); // key_value_metadata
        let said = self.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        for (key, value) in said.chain([(CHECKSUM, checksum)]) {
            compact.begin();
            compact.text(1, key);
            compact.text(2, value);
            compact.end();
        }
        compact.text(6, concat!("isotrope version ", env!("CARGO_PKG_VERSION"))); // created_by
        compact.end();
        compact.take()
    }
}

/// Writes the pages of a column.
fn pages(column: &PartColumn, bytes: &mut Vec<u8>) -> Chunk {
    let mut dictionary = None;
    let (encoding, data) = match column {
        PartColumn::Numbers(values) => {
            (PLAIN, values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
        }
        PartColumn::Integers(values) => {
            (PLAIN, values.iter().flat_map(|value| value.to_le_bytes()).collect())
        }
        PartColumn::Words { list, places } => {
            dictionary = Some(bytes.len() as u64);
            let mut words = Vec::new();
            for word in list {
                words.extend_from_slice(
                    &u32::try_from(word.len()).unwrap_or(u32::MAX).to_le_bytes(),
                );
                words.extend_from_slice(word.as_bytes());
            }
            bytes.extend_from_slice(&page_header(DICTIONARY_PAGE, words.len(), list.len(), PLAIN));
            bytes.extend_from_slice(&words);
            (RLE_DICTIONARY, runs(places, width(list.len())))
        }
    };
    let start = bytes.len() as u64;
    bytes.extend_from_slice(&page_header(DATA_PAGE, data.len(), column.rows(), encoding));
    bytes.extend_from_slice(&data);
    Chunk { dictionary, data: start, end: bytes.len() as u64 }
}

/// `PageHeader`
fn page_header(kind: i32, bytes: usize, values: usize, encoding: i32) -> Vec<u8> {
    let short = |length: usize| i32::try_from(length).unwrap_or(i32::MAX);
    let mut compact = Compact::default();
    compact.begin();
    compact.i32(1, kind);
    compact.i32(2, short(bytes)); // uncompressed_page_size
    compact.i32(3, short(bytes)); // compressed_page_size
    compact.structure(if kind == DATA_PAGE { 5 } else { 7 });
    compact.i32(1, short(values)); // num_values
    compact.i32(2, encoding);
    if kind == DATA_PAGE {
        compact.i32(3, RLE); // definition_level_encoding
        compact.i32(4, RLE); // repetition_level_encoding
    }
    compact.end();
    compact.end();
    compact.take()
}

/// Bits of a place in a list of that length.
fn width(words: usize) -> u8 {
    (usize::BITS - words.saturating_sub(1).leading_zeros()).max(1) as u8
}

/// Runs of equal places: a width, then lengths (doubled) and places.
fn runs(places: &[u32], width: u8) -> Vec<u8> {
    let mut bytes = vec![width];
    for run in places.chunk_by(|one, other| one == other) {
        let mut length = (run.len() as u64) << 1;
        while length >= 0x80 {
            bytes.push((length & 0x7f) as u8 | 0x80);
            length >>= 7;
        }
        bytes.push(length as u8);
        bytes.extend_from_slice(&run[0].to_le_bytes()[..usize::from(width).div_ceil(8)]);
    }
    bytes
}

/// Reads a column whose `ColumnMetaData` is known.
fn column(bytes: &[u8], about: &Value, rows: usize) -> Option<PartColumn> {
    let page = |offset: i64| -> Option<(&[u8], Value)> {
        let mut reader = Reader::new(bytes.get(usize::try_from(offset).ok()?..)?);
        let header = reader.structure()?;
        let size = usize::try_from(header.integer(3)?).ok()?;
        Some((reader.rest().get(..size)?, header))
    };
    let (data, _) = page(about.integer(9)?)?;
    let eights = || {
        let (words, rest) = data.as_chunks::<8>();
        (rest.is_empty() && words.len() == rows).then_some(words)
    };
    match i32::try_from(about.integer(1)?).ok()? {
        DOUBLE => {
            Some(PartColumn::Numbers(eights()?.iter().map(|w| f64::from_le_bytes(*w)).collect()))
        }
        INT64 => {
            Some(PartColumn::Integers(eights()?.iter().map(|w| i64::from_le_bytes(*w)).collect()))
        }
        BYTE_ARRAY => {
            let (mut words, header) = page(about.integer(11)?)?;
            let count = usize::try_from(header.field(7)?.integer(1)?).ok()?;
            let mut list = Vec::new();
            for _ in 0..count {
                let (length, rest) = words.split_first_chunk::<4>()?;
                let (word, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
                list.push(String::from_utf8(word.to_vec()).ok()?);
                words = rest;
            }
            let places = places(data, rows)?;
            places.iter().all(|&place| (place as usize) < list.len()).then_some(())?;
            Some(PartColumn::Words { list, places })
        }
        _ => None,
    }
}

/// Reads what [`runs`] has written.
fn places(data: &[u8], rows: usize) -> Option<Vec<u32>> {
    let (&width, mut rest) = data.split_first()?;
    let bytes = usize::from(width).div_ceil(8);
    let mut places = Vec::new();
    while !rest.is_empty() {
        let mut length = 0_u64;
        for shift in (0..35).step_by(7) {
            let (&byte, next) = rest.split_first()?;
            rest = next;
            length |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let (place, next) = rest.split_at_checked(bytes)?;
        rest = next;
        let mut four = [0; 4];
        four.get_mut(..bytes)?.copy_from_slice(place);
        let length = usize::try_from(length >> 1).ok().filter(|n| places.len() + n <= rows)?;
        places.resize(places.len() + length, u32::from_le_bytes(four));
    }
    (places.len() == rows).then_some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part() -> Part {
        Part {
            names: ["x", "member", "outcome"].map(str::to_owned).to_vec(),
            columns: vec![
                PartColumn::Numbers(vec![0.5, f64::NAN, -0.0, f64::INFINITY]),
                PartColumn::Integers(vec![1, -2, i64::MAX, 0]),
                PartColumn::Words {
                    list: vec!["completed".into(), "left".into(), "lost".into()],
                    places: vec![0, 0, 2, 1],
                },
            ],
            metadata: vec![("hash".into(), "12ab".into())],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = part().to_bytes();
        let again = Part::from_bytes(&bytes).unwrap();
        assert_eq!(again.to_bytes(), bytes);
        assert_eq!(again.columns[1..], part().columns[1..]);
        assert_eq!(again.said("hash"), Some("12ab"));
        assert_eq!(again.column("outcome").unwrap().word(2), Some("lost"));
    }

    #[test]
    fn a_single_bit_is_noticed_everywhere() {
        let bytes = part().to_bytes();
        for place in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[place / 8] ^= 1 << (place % 8);
            assert!(Part::from_bytes(&changed).is_none(), "bit {place}");
        }
        for length in 0..bytes.len() {
            assert!(Part::from_bytes(&bytes[..length]).is_none());
        }
    }
}
