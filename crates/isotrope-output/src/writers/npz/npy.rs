//! The header of an `.npy` file.
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>

/// Bytes of every header we write: room for any shape of three numbers, and a multiple of 64.
pub(super) const HEADER: usize = 192;

/// The header of an array of little-endian doubles in C order.
pub(super) fn header(shape: &[u64]) -> [u8; HEADER] {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let mut numbers: String = shape.iter().map(|length| format!("{length}, ")).collect();
    // A tuple of one number is written `(5,)`.
    numbers.truncate(numbers.len() - if shape.len() == 1 { 1 } else { 2 });
    let text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({numbers}), }}");
    let mut header = [b' '; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..10].copy_from_slice(&((HEADER - 10) as u16).to_le_bytes());
    // The longest text, with three numbers of twenty digits, has 120 bytes.
    for (place, byte) in header[10..HEADER - 1].iter_mut().zip(text.bytes()) {
        *place = byte;
    }
    header[HEADER - 1] = b'\n';
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_header_fits() {
        let header = header(&[u64::MAX; 3]);
        let text = String::from_utf8_lossy(&header[10..]).into_owned();
        let n = u64::MAX;
        assert!(text.contains(&format!("'shape': ({n}, {n}, {n}), }} ")), "{text}");
    }

    #[test]
    fn one_dimension_is_a_tuple() {
        assert!(String::from_utf8_lossy(&header(&[7])[10..]).contains("'shape': (7,), }"));
    }
}
