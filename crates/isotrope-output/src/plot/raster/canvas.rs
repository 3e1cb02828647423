//! Dots of three colours.

use super::mask::Mask;
use crate::plot::palette::Rgb;

/// A picture.
#[derive(Debug, Clone)]
pub(super) struct Canvas {
    width: usize,
    bytes: Vec<u8>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize, paper: Rgb) -> Self {
        Self { width, bytes: paper.repeat(width * height) }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.bytes.len() / (3 * self.width)
    }

    /// Red, green and blue of all dots, row by row.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Covers what a mask covers with a colour.
    pub(super) fn blend(&mut self, mask: &Mask, colour: Rgb) {
        for (row, first, coverage) in mask.rows() {
            let start = 3 * (row * self.width + first);
            let Some(dots) = self.bytes.get_mut(start..start + 3 * coverage.len()) else {
                continue;
            };
            for (dot, &part) in dots.chunks_exact_mut(3).zip(coverage) {
                if part <= 0.0 {
                    continue;
                }
                for (byte, ink) in dot.iter_mut().zip(colour) {
                    let mixed = f32::from(*byte) * (1.0 - part) + f32::from(ink) * part;
                    *byte = mixed.round() as u8;
                }
            }
        }
    }
}
