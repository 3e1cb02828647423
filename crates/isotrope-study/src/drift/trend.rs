//! A trend against oscillations: does a quantity leave the band in which it oscillates?

use super::log;

/// What a series of (time, value) does in the long run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// The slope of the line through the means of blocks.
    pub slope: f64,
    /// Its standard uncertainty, from the scatter of these means.
    pub uncertainty: f64,
    /// The amplitude of the oscillation: half the width of the band within a block, its own line
    /// taken off; the median of the blocks in the first quarter.
    pub amplitude: f64,
    /// How far the means of blocks stray from the line: half their range.
    pub wander: f64,
    /// The largest size in the first quarter, and in the last.
    pub envelope: [f64; 2],
    /// The time from first to last.
    pub time: f64,
}

/// Blocks, and the fewest samples of one.
const BLOCKS: usize = 32;
const FEWEST: usize = 4;
/// Blocks of the first and of the last quarter.
const QUARTER: usize = BLOCKS / 4;
/// Neighbouring blocks cannot be more alike than this.
const MOST_ALIKE: f64 = 0.9;

impl Trend {
    /// Of a series; `None` if it is too short to tell.
    #[must_use]
    pub fn of(series: &[[f64; 2]]) -> Option<Self> {
        let (first, last) = (series.first()?, series.last()?);
        if series.len() < BLOCKS * FEWEST || series.iter().any(|[_, value]| !value.is_finite()) {
            return None;
        }
        let cut = |k: usize| k * series.len() / BLOCKS;
        let blocks: Vec<&[[f64; 2]]> = (0..BLOCKS).map(|k| &series[cut(k)..cut(k + 1)]).collect();
        let means: Vec<[f64; 2]> = blocks.iter().map(|block| mean(block)).collect();
        let line = Line::through(&means);
        let rest: Vec<f64> = means.iter().map(|&point| line.above(point)).collect();
        let mut amplitudes: Vec<f64> = blocks[..QUARTER]
            .iter()
            .map(|block| {
                let own = Line::through(block);
                half_range(block.iter().map(|&point| own.above(point)))
            })
            .collect();
        amplitudes.sort_by(f64::total_cmp);
        let largest = |blocks: &[&[[f64; 2]]]| {
            let sizes = blocks.iter().flat_map(|block| block.iter().map(|[_, value]| value.abs()));
            sizes.fold(0.0, f64::max)
        };
        Some(Self {
            slope: line.slope,
            uncertainty: uncertainty(&means, &rest),
            amplitude: amplitudes[QUARTER / 2],
            wander: half_range(rest.iter().copied()),
            envelope: [largest(&blocks[..QUARTER]), largest(&blocks[BLOCKS - QUARTER..])],
            time: (last[0] - first[0]).abs(),
        })
    }

    /// Does the line leave the band of the oscillation, its uncertainty taken off?
    #[must_use]
    pub fn drifts(&self) -> bool {
        (self.slope.abs() - self.uncertainty) * self.time > self.amplitude
    }

    /// Do means of blocks stray further than the oscillation reaches, line or no line?
    #[must_use]
    pub fn wanders(&self) -> bool {
        self.wander > 2.0 * self.amplitude
    }
}

/// The standard uncertainty of a slope. Means of blocks that are like their neighbours count for
/// fewer than they are: the variance grows by (1 + ρ)/(1 − ρ), ρ their correlation.
fn uncertainty(means: &[[f64; 2]], rest: &[f64]) -> f64 {
    let [time, _] = mean(means);
    let spread: f64 = means.iter().map(|[t, _]| (t - time) * (t - time)).sum();
    let squares: f64 = rest.iter().map(|x| x * x).sum();
    if squares == 0.0 || spread == 0.0 {
        return 0.0;
    }
    let neighbours: f64 = rest.iter().zip(&rest[1..]).map(|(x, y)| x * y).sum();
    let alike = (neighbours / squares).clamp(0.0, MOST_ALIKE);
    let variance = squares / (rest.len() - 2) as f64 / spread;
    (variance * (1.0 + alike) / (1.0 - alike)).sqrt()
}

fn mean(points: &[[f64; 2]]) -> [f64; 2] {
    let sum = points.iter().fold([0.0; 2], |sum, point| [sum[0] + point[0], sum[1] + point[1]]);
    sum.map(|x| x / points.len().max(1) as f64)
}

fn half_range(values: impl Iterator<Item = f64>) -> f64 {
    let (least, most) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    (most - least) / 2.0
}

/// A line by least squares.
pub(super) struct Line {
    centre: [f64; 2],
    pub slope: f64,
}

impl Line {
    pub(super) fn through(points: &[[f64; 2]]) -> Self {
        let centre = mean(points);
        let (mut product, mut square) = (0.0, 0.0);
        for [t, value] in points {
            product += (t - centre[0]) * (value - centre[1]);
            square += (t - centre[0]) * (t - centre[0]);
        }
        Self { centre, slope: if square > 0.0 { product / square } else { 0.0 } }
    }

    fn above(&self, [t, value]: [f64; 2]) -> f64 {
        value - self.centre[1] - self.slope * (t - self.centre[0])
    }
}

/// The exponent a of size ~ stepsᵃ, for a quantity that never falls; `None` if there is nothing to
/// grow.
pub(super) fn growth(sizes: &[[f64; 2]]) -> Option<f64> {
    // Points a factor of √2 apart: every scale counts the same.
    let mut points: Vec<[f64; 2]> = Vec::new();
    let mut next = 1.0;
    for &[steps, size] in sizes {
        if steps >= next && size > 0.0 {
            points.push([log(steps), log(size)]);
            next = steps * std::f64::consts::SQRT_2;
        }
    }
    (points.len() >= 4).then(|| Line::through(&points).slope)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "series to be judged; their last bits do not matter")]
mod tests {
    use super::*;

    fn series(value: impl Fn(f64) -> f64) -> Trend {
        let points: Vec<[f64; 2]> =
            (0..4000).map(|k| [f64::from(k), value(f64::from(k))]).collect();
        Trend::of(&points).unwrap()
    }

    #[test]
    fn an_oscillation_is_no_drift() {
        let trend = series(|t| 0.3 * (0.7 * t).sin() + 0.1 * (0.013 * t).cos());
        assert!(!trend.drifts() && !trend.wanders(), "{trend:?}");
        assert!((trend.amplitude - 0.3).abs() < 0.08, "{trend:?}");
    }

    #[test]
    fn a_slope_below_the_oscillation_is_no_drift() {
        assert!(!series(|t| 0.3 * (0.7 * t).sin() + 5e-5 * t).drifts());
        let trend = series(|t| 0.3 * (0.7 * t).sin() - 5e-4 * t);
        assert!(trend.drifts(), "{trend:?}");
        assert!((trend.slope + 5e-4).abs() < 3.0 * trend.uncertainty + 1e-7, "{trend:?}");
    }

    #[test]
    fn straying_without_a_direction_is_seen() {
        let trend = series(|t| 0.01 * (0.7 * t).sin() + (std::f64::consts::TAU * t / 4000.0).cos());
        assert!(trend.wanders() && !trend.drifts(), "{trend:?}");
    }

    #[test]
    fn growth_is_the_exponent() {
        let sizes: Vec<[f64; 2]> =
            (1..5000).map(|k| [f64::from(k), 1e-16 * f64::from(k).powf(1.5)]).collect();
        assert!((growth(&sizes).unwrap() - 1.5).abs() < 1e-3);
        assert_eq!(growth(&[[1.0, 0.0]]), None);
    }
}
