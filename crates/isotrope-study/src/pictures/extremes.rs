//! A quantity against time, with memory that does not grow with the run.

/// Pieces of time, at most; more than a picture has columns.
const MOST: usize = 4096;

/// A value and when it was taken.
type At = (f64, f64);

/// The least and the largest value of each piece of time.
#[derive(Debug, Clone)]
pub(super) struct Extremes {
    /// Values of a complete piece.
    width: u64,
    /// Values of the last piece so far.
    filled: u64,
    /// Least and largest of each piece; none if no value was finite.
    pieces: Vec<Option<(At, At)>>,
}

impl Default for Extremes {
    fn default() -> Self {
        Self { width: 1, filled: 1, pieces: Vec::new() }
    }
}

fn join(a: Option<(At, At)>, b: Option<(At, At)>) -> Option<(At, At)> {
    let (Some((low, high)), Some((other_low, other_high))) = (a, b) else { return a.or(b) };
    let low = if other_low.1 < low.1 { other_low } else { low };
    let high = if other_high.1 > high.1 { other_high } else { high };
    Some((low, high))
}

impl Extremes {
    /// Takes the next value.
    pub(super) fn push(&mut self, time: f64, value: f64) {
        let here = (time, value);
        let new = value.is_finite().then_some((here, here));
        if self.filled < self.width {
            if let Some(last) = self.pieces.last_mut() {
                *last = join(*last, new);
            }
            self.filled += 1;
            return;
        }
        if self.pieces.len() == MOST {
            let pairs = self.pieces.chunks(2);
            self.pieces = pairs.map(|pair| pair.iter().copied().fold(None, join)).collect();
            self.width *= 2;
        }
        self.pieces.push(new);
        self.filled = 1;
    }

    /// The curve; a piece without values is a gap.
    pub(super) fn curve(&self) -> Vec<(f64, f64)> {
        let mut points = Vec::new();
        for piece in &self.pieces {
            match *piece {
                None => points.push((f64::NAN, f64::NAN)),
                Some((low, high)) if low.0 == high.0 => points.push(low),
                Some((low, high)) if low.0 < high.0 => points.extend([low, high]),
                Some((low, high)) => points.extend([high, low]),
            }
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_runs_are_kept_as_they_are() {
        let mut kept = Extremes::default();
        let values: Vec<(f64, f64)> = (0..MOST as u32).map(|k| (f64::from(k), 1.0)).collect();
        values.iter().for_each(|&(t, value)| kept.push(t, value));
        assert_eq!(kept.curve(), values);
    }

    #[test]
    fn long_runs_keep_every_extreme_with_bounded_memory() {
        let mut kept = Extremes::default();
        let count = 1_000_003u32;
        let value = |k: u32| f64::from(k.wrapping_mul(2_654_435_761));
        (0..count).for_each(|k| kept.push(f64::from(k), value(k)));
        assert!(kept.pieces.len() <= MOST && kept.pieces.len() > MOST / 4);
        let curve = kept.curve();
        assert!(curve.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        // By the other road: extremes of the same pieces, from all values at once.
        let all: Vec<(f64, f64)> = (0..count).map(|k| (f64::from(k), value(k))).collect();
        for (chunk, piece) in all.chunks(kept.width as usize).zip(&kept.pieces) {
            let (low, high) = piece.unwrap();
            let values = || chunk.iter().map(|at| at.1);
            assert_eq!(low.1, values().fold(f64::INFINITY, f64::min));
            assert_eq!(high.1, values().fold(f64::NEG_INFINITY, f64::max));
            assert!(chunk.contains(&low) && chunk.contains(&high));
        }
    }

    #[test]
    fn values_that_are_not_finite_are_gaps() {
        let mut kept = Extremes::default();
        for value in [1.0, f64::NAN, 2.0] {
            kept.push(0.0, value);
        }
        let curve = kept.curve();
        assert!(curve[1].1.is_nan() && curve.len() == 3);
    }
}
