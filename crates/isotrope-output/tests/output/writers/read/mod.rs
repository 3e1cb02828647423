//! Readers of what the writers write, independent of them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use parquet_format_safe::thrift::protocol::TCompactInputProtocol;
use parquet_format_safe::{FileMetaData, PageHeader, Type};

/// The names of columns and the bits of their values.
pub type Table = (Vec<String>, Vec<Vec<u64>>);

/// Reads a file of any of the formats, whole or as far as it is written.
pub fn read(path: &Path) -> Table {
    let name = path.to_str().unwrap();
    let whole = Path::new(name.strip_suffix(".partial").unwrap_or(name));
    match whole.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => csv(path),
        Some("npz") => npz(path),
        Some("parquet") => parquet(path),
        _ => panic!("a reader of {} is missing", path.display()),
    }
}

/// The columns that a killed run leaves, in the file beside the one that it was to write.
pub fn left_behind(path: &Path) -> Vec<Vec<u64>> {
    assert!(!path.exists());
    if path.extension().is_none_or(|extension| extension != "npz") {
        return read(format!("{}.partial", path.display()).as_ref()).1;
    }
    let (shape, values) = npy(&fs::read(path.with_extension("npz.partial.npy")).unwrap());
    let [_, columns, rows] = shape[..] else { panic!("{shape:?} is not blocks of columns") };
    let column =
        |k: usize| values.chunks(columns * rows).flat_map(move |block| &block[k * rows..][..rows]);
    (0..columns).map(|k| column(k).copied().collect()).collect()
}

fn csv(path: &Path) -> Table {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'), "the last line is whole");
    let mut lines = text.lines();
    let names: Vec<String> = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let mut columns = vec![Vec::new(); names.len()];
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), names.len());
        for (column, field) in columns.iter_mut().zip(fields) {
            column.push(field.parse::<f64>().unwrap().to_bits());
        }
    }
    (names, columns)
}

fn npz(path: &Path) -> Table {
    let mut archive = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut names = Vec::new();
    let mut columns = Vec::new();
    for k in 0..archive.len() {
        let mut member = archive.by_index(k).unwrap();
        names.push(member.name().strip_suffix(".npy").unwrap().to_owned());
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        let (shape, values) = npy(&bytes);
        assert_eq!(shape, [values.len()]);
        columns.push(values);
    }
    (names, columns)
}

/// Shape and values of an `.npy` file.
pub fn npy(bytes: &[u8]) -> (Vec<usize>, Vec<u64>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((length + 10) % 64, 0);
    let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    let rest = header.strip_prefix("{'descr': '<f8', 'fortran_order': False, 'shape': (").unwrap();
    let (shape, end) = rest.split_once(')').unwrap();
    assert_eq!(end.trim_end_matches(' '), ", }".to_owned() + &" ".repeat(end.len() - 4) + "\n");
    let shape = shape.split(',').filter(|n| !n.is_empty()).map(|n| n.trim().parse().unwrap());
    (shape.collect(), doubles(&bytes[10 + length..]))
}

fn doubles(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(8).map(|chunk| u64::from_le_bytes(chunk.try_into().unwrap())).collect()
}

fn parquet(path: &Path) -> Table {
    let bytes = fs::read(path).unwrap();
    let end = bytes.len();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let length = u32::from_le_bytes(bytes[end - 8..end - 4].try_into().unwrap()) as usize;
    let mut index = &bytes[end - 8 - length..end - 8];
    let mut protocol = TCompactInputProtocol::new(&mut index, 1 << 30);
    let index = FileMetaData::read_from_in_protocol(&mut protocol).unwrap();
    let names: Vec<String> = index.schema[1..].iter().map(|element| element.name.clone()).collect();
    assert_eq!(index.schema[0].num_children, Some(i32::try_from(names.len()).unwrap()));
    let mut columns: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for group in &index.row_groups {
        assert_eq!(group.columns.len(), names.len());
        for chunk in &group.columns {
            let data = chunk.meta_data.as_ref().unwrap();
            assert_eq!((data.type_, data.num_values), (Type::DOUBLE, group.num_rows));
            let start = usize::try_from(data.data_page_offset).unwrap();
            let size = usize::try_from(data.total_compressed_size).unwrap();
            let mut page = &bytes[start..start + size];
            let mut protocol = TCompactInputProtocol::new(&mut page, 1 << 30);
            let header = PageHeader::read_from_in_protocol(&mut protocol).unwrap();
            assert_eq!(usize::try_from(header.compressed_page_size).unwrap(), page.len());
            let values = header.data_page_header.unwrap().num_values;
            assert_eq!(i64::from(values), data.num_values);
            columns.entry(data.path_in_schema[0].clone()).or_default().extend(doubles(page));
        }
    }
    let columns: Vec<_> =
        names.iter().map(|name| columns.remove(name).unwrap_or_default()).collect();
    assert!(columns.iter().all(|column| column.len() as i64 == index.num_rows));
    (names, columns)
}
