//! The PNG format (RFC 2083): a header, the compressed dots, an end.

use miniz_oxide::deflate::compress_to_vec_zlib;

/// Writes red, green and blue of all dots, row by row, with `scale` dots for 1/96 inch.
pub(in crate::plot) fn encode(width: usize, height: usize, dots: &[u8], scale: f64) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::with_capacity(13);
    header.extend_from_slice(&(width as u32).to_be_bytes());
    header.extend_from_slice(&(height as u32).to_be_bytes());
    // Eight bits, true colour, the only methods there are, not interlaced.
    header.extend_from_slice(&[8, 2, 0, 0, 0]);
    chunk(b"IHDR", &header, &mut out);
    let per_metre = (scale * 96.0 / 0.0254).round() as u32;
    let mut density = [per_metre.to_be_bytes(), per_metre.to_be_bytes()].concat();
    density.push(1);
    chunk(b"pHYs", &density, &mut out);
    // Drawings have long equal runs; they are small without filters.
    let mut rows = Vec::with_capacity(dots.len() + height);
    for row in dots.chunks(3 * width.max(1)) {
        rows.push(0);
        rows.extend_from_slice(row);
    }
    chunk(b"IDAT", &compress_to_vec_zlib(&rows, 8), &mut out);
    chunk(b"IEND", &[], &mut out);
    out
}

fn chunk(kind: &[u8; 4], data: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(data.len() as u32).to_be_bytes());
    out.extend_from_slice(kind);
    out.extend_from_slice(data);
    let mut sum = crc32fast::Hasher::new();
    sum.update(kind);
    sum.update(data);
    out.extend_from_slice(&sum.finalize().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read_back() {
        let dots: Vec<u8> = (0..4 * 3 * 3).map(|k| k * 7).collect();
        let file = encode(4, 3, &dots, 2.0);
        assert!(file.starts_with(b"\x89PNG\r\n\x1a\n"));
        let mut rest = &file[8..];
        let mut read = Vec::new();
        while rest.len() >= 12 {
            let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
            let (kind, data) = (&rest[4..8], &rest[8..8 + length]);
            let sum = u32::from_be_bytes(rest[8 + length..12 + length].try_into().unwrap());
            assert_eq!(sum, crc32fast::hash(&rest[4..8 + length]));
            if kind == b"IDAT" {
                let rows = miniz_oxide::inflate::decompress_to_vec_zlib(data).unwrap();
                read = rows.chunks(13).flat_map(|row| row[1..].to_vec()).collect();
            }
            rest = &rest[12 + length..];
        }
        assert!(rest.is_empty());
        assert_eq!(read, dots);
    }
}
