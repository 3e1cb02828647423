//! The power of h with which errors vanish.

/// A measured slope: log₂ of the ratio of errors with halved steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Slope {
    /// The errors vanish like h to this power.
    Power(f64),
    /// They are as small as rounding from the first step on.
    Rounding,
    /// Too few errors above rounding to tell.
    Unknown,
}

impl Slope {
    /// The power, if there is one.
    #[must_use]
    pub fn power(self) -> Option<f64> {
        match self {
            Self::Power(power) => Some(power),
            Self::Rounding | Self::Unknown => None,
        }
    }
}

/// Errors below this, relative to the size of what is measured, may be rounding.
const ROUNDING: f64 = 1e-13;
/// The slope is taken from errors this far above rounding.
const MARGIN: f64 = 30.0;
/// At most so many errors, the finest, make a slope.
const WINDOW: usize = 3;

/// The slope of errors with steps that are halved from one to the next; `None` stands for a run
/// that did not complete. Only the finest steps above rounding count: the first ones are before
/// the asymptotic regime, the last ones are rounding.
#[must_use]
pub fn slope(errors: &[Option<f64>], size: f64) -> Slope {
    let floor = ROUNDING * size.max(1.0);
    let known: Vec<f64> = errors.iter().flatten().copied().collect();
    if known.is_empty() {
        return Slope::Unknown;
    }
    if known.iter().all(|&error| error < floor * MARGIN) {
        return Slope::Rounding;
    }
    // A run without a break, ending where rounding begins.
    let mut window: Vec<(f64, f64)> = Vec::new();
    for (level, error) in errors.iter().enumerate() {
        match *error {
            Some(error) if error > floor * MARGIN && error.is_finite() => {
                window.push((level as f64, -error.log2()));
            }
            _ if window.len() >= 2 => break,
            _ => window.clear(),
        }
    }
    let last = window.len().saturating_sub(WINDOW);
    let window = &window[last..];
    if window.len() < 2 {
        return Slope::Unknown;
    }
    let n = window.len() as f64;
    let (mean_x, mean_y) =
        (window.iter().map(|p| p.0).sum::<f64>() / n, window.iter().map(|p| p.1).sum::<f64>() / n);
    let (mut above, mut below) = (0.0, 0.0);
    for (x, y) in window {
        above += (x - mean_x) * (y - mean_y);
        below += (x - mean_x) * (x - mean_x);
    }
    Slope::Power(above / below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(order: f64, constant: f64, noise: f64) -> Vec<Option<f64>> {
        (2..14)
            .map(|level| {
                let h = 0.5f64.powi(level);
                Some(constant * h.powf(order) * (1.0 + 3.0 * h) + noise)
            })
            .collect()
    }

    #[test]
    fn powers_are_found_through_higher_terms_and_rounding() {
        for order in [1.0, 2.0, 4.0, 6.0] {
            let Slope::Power(found) = slope(&errors(order, 3.0, 1e-15), 1.0) else {
                unreachable!("no slope for order {order}")
            };
            assert!((found - order).abs() < 0.1, "{order} {found}");
        }
    }

    #[test]
    fn rounding_has_no_power() {
        assert_eq!(slope(&errors(1.0, 0.0, 1e-15), 1.0), Slope::Rounding);
        assert_eq!(slope(&[Some(0.0), Some(0.0)], 1.0), Slope::Rounding);
    }

    #[test]
    fn runs_that_failed_do_not_count() {
        let mut list = errors(2.0, 1.0, 0.0);
        list[0] = None;
        list[1] = Some(f64::INFINITY);
        assert!((slope(&list, 1.0).power().unwrap() - 2.0).abs() < 0.1);
        assert_eq!(slope(&[None, Some(1.0), None], 1.0), Slope::Unknown);
    }
}
