//! A curve in a plane, with memory that does not grow with the run.

/// Points, at most.
const MOST: usize = 1 << 17;

/// Points of a curve: all of them, or, of long runs, every second, fourth, …
#[derive(Debug, Clone)]
pub(super) struct Path {
    /// One in this many points is kept.
    stride: u64,
    seen: u64,
    points: Vec<(f64, f64)>,
}

impl Default for Path {
    fn default() -> Self {
        Self { stride: 1, seen: 0, points: Vec::new() }
    }
}

impl Path {
    /// Takes the next point.
    pub(super) fn push(&mut self, point: (f64, f64)) {
        if self.seen.is_multiple_of(self.stride) {
            if self.points.len() == MOST {
                self.points = self.points.iter().copied().step_by(2).collect();
                self.stride *= 2;
            }
            // After halving, this one may be between two that are kept.
            if self.seen.is_multiple_of(self.stride) {
                self.points.push(point);
            }
        }
        self.seen += 1;
    }

    pub(super) fn stride(&self) -> u64 {
        self.stride
    }

    pub(super) fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Do the points still show a curve? Not if they were thinned and neighbours are far apart.
    pub(super) fn is_curve(&self) -> bool {
        if self.stride == 1 {
            return true;
        }
        let ends = |pick: fn(&(f64, f64)) -> f64| {
            let low = self.points.iter().map(pick).fold(f64::INFINITY, f64::min);
            self.points.iter().map(pick).fold(f64::NEG_INFINITY, f64::max) - low
        };
        let (width, height) = (ends(|point| point.0), ends(|point| point.1));
        let far = |pair: &[(f64, f64)]| {
            let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            dx.abs() > 0.05 * width || dy.abs() > 0.05 * height
        };
        let jumps = self.points.windows(2).filter(|pair| far(pair)).count();
        jumps * 20 < self.points.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_points_are_equally_far_apart() {
        let mut path = Path::default();
        (0..1_000_000u32).for_each(|k| path.push((f64::from(k), 0.0)));
        assert!(path.points.len() <= MOST && path.points.len() > MOST / 2);
        let step = path.stride as f64;
        assert!(path.points.windows(2).all(|pair| pair[1].0 - pair[0].0 == step));
        assert_eq!(path.points[0], (0.0, 0.0));
        assert!(path.is_curve());
    }

    #[test]
    fn a_thinned_curve_that_jumps_is_none() {
        let mut path = Path::default();
        let value = |k: u32| f64::from(k.wrapping_mul(2_654_435_761));
        (0..300_000u32).for_each(|k| path.push((value(k), value(k + 7))));
        assert!(!path.is_curve());
    }
}
