//! From values to places along an axis.

use super::chart::{Axis, Range, Scale};

/// What an axis shows: an interval of values, or of their logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Domain {
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
}

/// Beyond this, differences of numbers are not safe; such values are gaps.
const LARGEST: f64 = 1e300;
/// Below this, values of a linear axis are zero.
const SMALLEST: f64 = 1e-290;
/// Free space at both ends, as a part of the whole.
const PADDING: f64 = 0.045;

/// The place of a value before it is scaled to the axis, if it has one.
pub(super) fn place(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        Scale::Linear => (value.abs() <= LARGEST).then_some(value),
        Scale::Log10 => (value > 0.0 && value.is_finite()).then(|| value.log10()),
    }
}

impl Domain {
    /// The domain of an axis for data; `tight` leaves no free space at the ends.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>, tight: bool) -> Self {
        let scale = axis.scale;
        if let Range::Fixed { low, high } = axis.range
            && let (Some(low), Some(high)) = (place(scale, low), place(scale, high))
            && low != high
        {
            return Self { scale, low: low.min(high), high: low.max(high) }.widened();
        }
        let mut ends: Option<(f64, f64)> = None;
        for value in values.filter_map(|value| place(scale, value)) {
            let (low, high) = ends.unwrap_or((value, value));
            ends = Some((low.min(value), high.max(value)));
        }
        let (low, high) = ends.unwrap_or((0.0, 1.0));
        let domain = Self { scale, low, high }.widened();
        if tight || ends.is_none() || domain.low != low {
            return domain;
        }
        let padding = PADDING * (high - low);
        Self { low: low - padding, high: high + padding, ..domain }
    }

    /// An interval that is not too short to be divided.
    fn widened(self) -> Self {
        let size = self.low.abs().max(self.high.abs());
        let least = match self.scale {
            Scale::Linear if size < SMALLEST => return Self { low: -1.0, high: 1.0, ..self },
            // All values equal, or equal to rounding.
            Scale::Linear => size * 256.0 * f64::EPSILON,
            Scale::Log10 => 1e-9,
        };
        if self.high - self.low > least {
            return self;
        }
        let half = match self.scale {
            Scale::Linear if self.high == self.low => size * 0.1,
            Scale::Linear => least,
            Scale::Log10 => 0.5,
        };
        let middle = 0.5 * self.low + 0.5 * self.high;
        Self { low: middle - half, high: middle + half, ..self }
    }

    /// Where a value is, 0 at the low end and 1 at the high end.
    pub(super) fn fraction(&self, value: f64) -> Option<f64> {
        place(self.scale, value).map(|place| self.fraction_of_place(place))
    }

    pub(super) fn fraction_of_place(&self, place: f64) -> f64 {
        (place - self.low) / (self.high - self.low)
    }

    pub(super) fn length(&self) -> f64 {
        self.high - self.low
    }

    /// The same middle, another length.
    pub(super) fn with_length(self, length: f64) -> Self {
        let middle = 0.5 * (self.low + self.high);
        Self { low: middle - 0.5 * length, high: middle + 0.5 * length, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scale: Scale, values: &[f64]) -> Domain {
        let axis = Axis { scale, ..Axis::default() };
        Domain::new(&axis, values.iter().copied(), false)
    }

    #[test]
    fn every_value_that_has_a_place_is_inside() {
        let lists: [&[f64]; 9] = [
            &[],
            &[3.0],
            &[0.0],
            &[-2.0, -2.0],
            &[1.0, f64::NAN, 2.0, f64::INFINITY],
            &[1e300, -1e300],
            &[1.0, 1.0 + f64::EPSILON],
            &[1e-310, 0.0],
            &[-1.0, 0.0, 1e-9, 1e9],
        ];
        for values in lists {
            for scale in [Scale::Linear, Scale::Log10] {
                let domain = of(scale, values);
                assert!(domain.low < domain.high && (domain.length() / 1e3).is_finite());
                for &value in values {
                    if let Some(fraction) = domain.fraction(value) {
                        assert!((0.0..=1.0).contains(&fraction), "{values:?} {scale:?} {fraction}");
                    }
                }
            }
        }
    }

    #[test]
    fn zero_has_no_logarithm() {
        assert_eq!(place(Scale::Log10, 0.0), None);
        assert_eq!(place(Scale::Log10, -1.0), None);
        assert_eq!(of(Scale::Log10, &[0.0, -1.0]), of(Scale::Log10, &[]));
    }

    #[test]
    fn a_range_that_makes_no_sense_is_left_to_the_data() {
        let axis = |low, high| Axis {
            scale: Scale::Log10,
            range: Range::Fixed { low, high },
            ..Axis::default()
        };
        let data = [1.0, 100.0];
        let free = of(Scale::Log10, &data);
        for (low, high) in [(0.0, 1.0), (f64::NAN, 1.0), (2.0, 2.0), (-1.0, f64::INFINITY)] {
            assert_eq!(Domain::new(&axis(low, high), data.into_iter(), false), free);
        }
        let turned = Domain::new(&axis(1e3, 1e-3), data.into_iter(), false);
        assert!((turned.low + 3.0).abs() < 1e-12 && (turned.high - 3.0).abs() < 1e-12);
    }
}
