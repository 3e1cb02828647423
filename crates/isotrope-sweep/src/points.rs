//! The points of a study, each by its number.

use isotrope::rooms::algebra::modular::Random;

use crate::sobol::Sobol;
use crate::study::{Axis, Sample};

/// The points.
#[derive(Debug, Clone)]
pub struct Points {
    axes: Vec<Axis>,
    sample: Sample,
    sobol: Sobol,
    /// Of a Latin sample: the stratum of every point, axis by axis.
    strata: Vec<Vec<u32>>,
}

impl Points {
    /// Those of these axes.
    #[must_use]
    pub fn new(axes: &[Axis], sample: Sample) -> Self {
        let strata = match sample {
            Sample::Latin { count, seed } => {
                (0..axes.len()).map(|axis| shuffled(count, seed, axis)).collect()
            }
            _ => Vec::new(),
        };
        Self { axes: axes.to_vec(), sample, sobol: Sobol::new(axes.len()), strata }
    }

    /// How many there are.
    #[must_use]
    pub fn count(axes: &[Axis], sample: Sample) -> u128 {
        match sample {
            Sample::Grid => axes.iter().map(|axis| u128::from(axis.values.count())).product(),
            Sample::Random { count, .. }
            | Sample::Latin { count, .. }
            | Sample::Sobol { count } => u128::from(count),
        }
    }

    /// The coordinates of a point.
    pub fn point(&self, number: u64, into: &mut Vec<f64>) {
        let start = into.len();
        match self.sample {
            Sample::Grid => {
                let mut rest = number;
                for axis in self.axes.iter().rev() {
                    let count = axis.values.count().max(1);
                    into.push(axis.values.nth(rest % count));
                    rest /= count;
                }
                into[start..].reverse();
            }
            Sample::Random { seed, .. } => {
                for (k, axis) in (0..).zip(&self.axes) {
                    into.push(axis.values.between(fraction(seed, k, number)));
                }
            }
            Sample::Latin { count, seed } => {
                for (k, (axis, strata)) in (0..).zip(self.axes.iter().zip(&self.strata)) {
                    let stratum = strata.get(number as usize).copied().unwrap_or(0);
                    let part = (f64::from(stratum) + fraction(seed, k, number)) / count as f64;
                    into.push(axis.values.between(part));
                }
            }
            Sample::Sobol { .. } => {
                for (k, axis) in self.axes.iter().enumerate() {
                    into.push(axis.values.between(self.sobol.coordinate(k, number)));
                }
            }
        }
    }
}

/// A random number that depends on seed, axis and point alone.
fn fraction(seed: u64, axis: u64, point: u64) -> f64 {
    let start = Random::new(seed ^ (axis << 56)).next_u64();
    Random::new(start ^ point.wrapping_mul(0x2545_f491_4f6c_dd1d)).fraction()
}

/// The numbers below a count in a random order.
fn shuffled(count: u64, seed: u64, axis: usize) -> Vec<u32> {
    let mut random = Random::new(Random::new(seed).next_u64() ^ (axis as u64) << 32);
    let mut list: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
    for k in (1..list.len()).rev() {
        list.swap(k, random.below(k as u64 + 1) as usize);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Values;

    fn axes() -> Vec<Axis> {
        let range = |from, to, count, logarithmic| Values::Range { from, to, count, logarithmic };
        vec![
            Axis { name: "f".into(), values: Values::List(vec![0.2, 0.25]) },
            Axis { name: "x".into(), values: range(-2.0, 2.0, 5, false) },
            Axis { name: "k".into(), values: range(1e-3, 10.0, 5, true) },
        ]
    }

    fn point(points: &Points, number: u64) -> Vec<f64> {
        let mut into = Vec::new();
        points.point(number, &mut into);
        into
    }

    #[test]
    fn grids_run_through_the_last_axis_first() {
        let points = Points::new(&axes(), Sample::Grid);
        assert_eq!(Points::count(&axes(), Sample::Grid), 50);
        let first = point(&points, 0);
        // The first value of a logarithmic axis is that which is written.
        assert_eq!(first, [0.2, -2.0, 1e-3]);
        let second = point(&points, 1);
        assert!((second[2] - 1e-2).abs() < 1e-15 && second[1] == -2.0);
        assert_eq!(point(&points, 5)[..2], [0.2, -1.0]);
        assert_eq!(point(&points, 49), [0.25, 2.0, 10.0]);
    }

    #[test]
    fn latin_points_are_in_every_stratum_once() {
        let points = Points::new(&axes(), Sample::Latin { count: 100, seed: 7 });
        let mut seen = [false; 100];
        for number in 0..100 {
            let x = point(&points, number)[1];
            let stratum = ((x + 2.0) * 25.0) as usize;
            assert!(!std::mem::replace(&mut seen[stratum], true));
        }
    }

    #[test]
    fn random_points_depend_on_the_seed_alone() {
        let one = Points::new(&axes(), Sample::Random { count: 10, seed: 1 });
        let two = Points::new(&axes(), Sample::Random { count: 1000, seed: 1 });
        let other = Points::new(&axes(), Sample::Random { count: 10, seed: 2 });
        assert_eq!(point(&one, 3), point(&two, 3));
        assert_ne!(point(&one, 3), point(&other, 3));
        let mean = (0..1000).map(|n| point(&two, n)[1]).sum::<f64>() / 1000.0;
        assert!(mean.abs() < 0.15, "{mean}");
    }
}
