//! Rows gathered into columns.

/// Bytes of a block, at most; it bounds the memory of a writer.
const BYTES: usize = 32 << 20;
/// Rows of a block, at most.
const ROWS: usize = 1 << 16;

/// A bounded number of rows, stored column by column as little-endian doubles.
#[derive(Debug)]
pub(super) struct Block {
    bytes: Vec<u8>,
    columns: usize,
    capacity: usize,
    rows: usize,
}

impl Block {
    /// An empty block.
    pub(super) fn new(columns: usize) -> Self {
        let columns = columns.max(1);
        let capacity = (BYTES / 8 / columns).clamp(1, ROWS);
        Self { bytes: vec![0; columns * capacity * 8], columns, capacity, rows: 0 }
    }

    /// Adds a row, whose length the caller has checked; the block must not be full.
    pub(super) fn push(&mut self, row: &[f64]) {
        let columns = self.bytes.chunks_exact_mut(self.capacity * 8);
        for (column, value) in columns.zip(row) {
            if let Some(place) = column.get_mut(self.rows * 8..self.rows * 8 + 8) {
                place.copy_from_slice(&value.to_le_bytes());
            }
        }
        self.rows += 1;
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// How many rows it takes.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows == self.capacity
    }

    /// The columns, each the bytes of its rows so far.
    pub(super) fn columns(&self) -> impl Iterator<Item = &[u8]> {
        let rows = self.rows * 8;
        self.bytes.chunks_exact(self.capacity * 8).map(move |column| &column[..rows])
    }

    /// The bytes of one column.
    pub(super) fn column(&self, index: usize) -> &[u8] {
        let start = index.min(self.columns - 1) * self.capacity * 8;
        &self.bytes[start..start + self.rows * 8]
    }

    pub(super) fn clear(&mut self) {
        self.rows = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This is the memory of a writer: nothing else grows with the number of rows.
    #[test]
    fn blocks_are_bounded_and_take_at_least_one_row() {
        for columns in [1, 8, 63, 64, 65, 7002, 100_000, 10_000_000] {
            let block = Block::new(columns);
            assert!((1..=ROWS).contains(&block.capacity()));
            assert!(block.bytes.len() <= BYTES.max(8 * columns));
            assert_eq!(block.columns().count(), columns);
        }
    }
}
