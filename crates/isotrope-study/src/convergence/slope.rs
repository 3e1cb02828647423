//! The power of h with which errors vanish.

/// A measured slope: log of the ratio of errors over that of the steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Slope {
    /// The errors vanish like h to this power.
    Power(f64),
    /// The power at the finest steps, where neighbouring slopes still vary.
    Bending(f64),
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
            Self::Power(power) | Self::Bending(power) => Some(power),
            Self::Rounding | Self::Unknown => None,
        }
    }
}

/// Errors below this, relative to the size of what is measured, may be rounding.
const ROUNDING: f64 = 1e-13;
/// The slope is taken from errors this far above rounding.
const MARGIN: f64 = 30.0;

/// Neighbouring slopes differ by less than this where they are those of a power; see [`spread`].
const BEND: f64 = 0.3;
/// Slopes are taken between steps that are at least this many halvings apart, where there are enough of them.
const APART: f64 = 0.6;
/// Where they differ by less than this they have come to their limit.
const STEADY: f64 = 0.05;
/// Slopes that come to their limit differ by at most this part of the difference before.
const SHRINKING: f64 = 0.75;
/// A limit of slopes that is further away than this many of their last difference is not known.
const FARTHEST: f64 = 3.0;
/// Below this, relative to the size of what is measured, rounding may bend a slope.
const NEAR: f64 = 1e-9;
/// From one step to the next errors fall by no more than this power of two.
const STEEPEST: f64 = 20.0;

/// Between large errors and rounding there are log(1e12)/p halvings of the step: slopes of high powers are
/// differences over short distances, and are known to the same part of themselves as those of low ones, not to
/// the same number. Up to fourth order that is the number.
#[must_use]
pub(super) fn spread(power: f64) -> f64 {
    (power / 4.0).max(1.0)
}

fn steep(window: &[Point], error: f64) -> bool {
    let digits = -error.max(f64::MIN_POSITIVE).log2();
    window.last().is_some_and(|before| digits - before.error > STEEPEST)
}

/// The slope of errors, which belong to steps that fall; `None` stands for a run that did not complete. Only
/// the finest steps above rounding count: the first ones are before the asymptotic regime, the last ones are
/// rounding. `size` is that of the quantity whose errors they are.
#[must_use]
pub fn slope(steps: &[f64], errors: &[Option<f64>], size: f64) -> Slope {
    let rounding = ROUNDING * MARGIN * size;
    // Digits of steps and errors of runs without a break, ending where rounding begins.
    let mut window: Vec<Point> = Vec::new();
    for (step, error) in steps.iter().zip(errors) {
        match *error {
            Some(error) if error > rounding && error.is_finite() => {
                window.push(Point { step: -step.log2(), error: -(error / size).log2() });
            }
            // A fall that no order explains: what was before it was not about h.
            Some(error) if steep(&window, error / size) => window.clear(),
            Some(_) if window.len() >= 2 => break,
            _ => window.clear(),
        }
    }
    if window.len() < 2 {
        let finest = errors.iter().rev().find_map(|error| *error);
        let rounded = finest.is_some_and(|error| error <= rounding);
        return if rounded { Slope::Rounding } else { Slope::Unknown };
    }
    settled(&window).or_else(|| fitted(&window)).unwrap_or(Slope::Unknown)
}

/// Errors that are larger than two to the minus this, relative, are before any power.
const SMALL: f64 = 7.0;
/// So few errors fit every line.
const FIT: usize = 5;

/// The slope of a line through the digits of small errors, where neighbouring slopes go up and down (an error that
/// passes through zero as h changes) but the line as a whole is known.
fn fitted(window: &[Point]) -> Option<Slope> {
    let points: Vec<&Point> = window.iter().filter(|point| point.error > SMALL).collect();
    if points.len() < FIT {
        return None;
    }
    let count = points.len() as f64;
    let mean = |of: &dyn Fn(&Point) -> f64| points.iter().map(|it| of(it)).sum::<f64>() / count;
    let (step, error) = (mean(&|it| it.step), mean(&|it| it.error));
    let square = mean(&|it| (it.step - step).powi(2));
    let slope = mean(&|it| (it.step - step) * (it.error - error)) / square;
    let rest = mean(&|it| (it.error - error - slope * (it.step - step)).powi(2));
    let deviation = (rest / square / (count - 2.0)).sqrt();
    (slope > 0.0 && deviation <= BEND * spread(slope)).then_some(Slope::Bending(slope))
}

/// Digits of a step, and of the error that it leaves.
#[derive(Debug, Clone, Copy)]
struct Point {
    step: f64,
    error: f64,
}

/// The slope of the finest three errors whose slopes agree, if no finer one contradicts. Near rounding it must not
/// be lower than what was seen before: that would be the plateau of long sums, or of the reference. Of steps that are
/// closer together than [`APART`] some are left out between the three: their slopes would be differences of almost equal numbers.
fn settled(window: &[Point]) -> Option<Slope> {
    let found = settled_over(window, APART);
    found.or_else(|| settled_over(window, APART / 2.0))
}

fn settled_over(window: &[Point], apart: f64) -> Option<Slope> {
    let slope = |one: &Point, other: &Point| (other.error - one.error) / (other.step - one.step);
    // The finest of the larger steps that is not too close.
    let larger = |point: &Point| window.iter().rev().find(|it| point.step - it.step >= apart);
    let mut best: Option<Slope> = None;
    for c in window {
        let Some(b) = larger(c) else { continue };
        let Some(a) = larger(b) else { continue };
        let (before, after) = (slope(a, b), slope(b, c));
        let mean = slope(a, c);
        let is_near = -c.error < NEAR.log2();
        let known = best.and_then(Slope::power);
        let bend = BEND * spread(mean);
        if (after - before).abs() > bend || mean < 0.0 {
            // What was settled before is so no longer, unless rounding bends it.
            best = best.filter(|_| {
                known.is_some_and(|known| is_near || (after - known).abs() <= 2.0 * bend)
            });
            continue;
        }
        let plateau = is_near && known.is_some_and(|known| mean < 0.9 * known);
        if !plateau {
            let first = larger(a).filter(|_| !is_near).map(|earlier| slope(earlier, a));
            best = Some(limit(first, [before, after], mean));
        }
    }
    best
}

/// Where slopes go that still differ: h^p (1 + c h^r) has slopes p + c' h^r, whose differences shrink by one factor,
/// and Aitken's extrapolation finds p. Slopes that do not shrink so are called bending.
fn limit(first: Option<f64>, [before, after]: [f64; 2], mean: f64) -> Slope {
    let last = after - before;
    if last.abs() <= STEADY {
        return Slope::Power(mean);
    }
    let shrunk =
        first.map(|first| last / (before - first)).filter(|q| (0.0..=SHRINKING).contains(q));
    match shrunk.map(|q| last * q / (1.0 - q)) {
        Some(rest) if rest.abs() <= FARTHEST * last.abs() => Slope::Power(after + rest),
        _ if last.abs() <= 2.0 * STEADY => Slope::Power(mean),
        _ => Slope::Bending(mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Halved steps, as in `errors`.
    fn halved(errors: &[Option<f64>], size: f64) -> Slope {
        let steps: Vec<f64> = (0..errors.len()).map(|k| 0.25 * 0.5f64.powi(k as i32)).collect();
        slope(&steps, errors, size)
    }

    fn errors(order: i32, constant: f64, noise: f64) -> Vec<Option<f64>> {
        (2..14)
            .map(|level| {
                let h = 0.5f64.powi(level);
                Some(constant * h.powi(order) * (1.0 + 3.0 * h) + noise)
            })
            .collect()
    }

    #[test]
    fn powers_are_found_through_higher_terms_and_rounding() {
        for order in [1, 2, 4, 6] {
            let Slope::Power(found) = halved(&errors(order, 3.0, 1e-15), 1.0) else {
                unreachable!("no slope for order {order}")
            };
            assert!((found - f64::from(order)).abs() < 0.1, "{order} {found}");
        }
    }

    #[test]
    fn rounding_has_no_power() {
        assert_eq!(halved(&errors(1, 0.0, 1e-15), 1.0), Slope::Rounding);
        assert_eq!(halved(&[Some(0.0), Some(0.0)], 1.0), Slope::Rounding);
    }

    #[test]
    fn what_blows_up_with_large_steps_and_vanishes_with_small_ones_is_rounding() {
        let errors = [9.2, 3.7e-3, 1e-15, 1e-15, 2e-15].map(Some);
        assert_eq!(halved(&errors, 1.0), Slope::Rounding);
        let errors = [5.6e-12, 2.4e-12, 7.5e-15, 1e-15].map(Some);
        assert_eq!(halved(&errors, 1.0), Slope::Rounding);
    }

    #[test]
    fn a_plateau_above_rounding_does_not_count() {
        let list = errors(3, 1e-2, 6e-12);
        assert!(
            (halved(&list, 1.0).power().unwrap() - 3.0).abs() < 0.15,
            "{:?}",
            halved(&list, 1.0)
        );
    }

    #[test]
    fn runs_that_failed_do_not_count() {
        let mut list = errors(2, 1.0, 0.0);
        list[0] = None;
        list[1] = Some(f64::INFINITY);
        assert!((halved(&list, 1.0).power().unwrap() - 2.0).abs() < 0.1);
        assert_eq!(halved(&[None, Some(1.0), None], 1.0), Slope::Unknown);
    }

    #[test]
    fn slopes_that_do_not_settle_are_no_power() {
        let mut digits = 0.0_f64;
        let list: Vec<Option<f64>> = [0.0, 3.8, 3.6, 3.0, 2.7, 3.9]
            .into_iter()
            .map(|slope| {
                digits += slope;
                Some((-digits).exp2())
            })
            .collect();
        assert_eq!(halved(&list, 1.0), Slope::Unknown);
    }

    #[test]
    fn slopes_do_not_depend_on_units() {
        for size in [1e-24, 1.0, 1e24] {
            let list: Vec<_> = errors(4, 3.0, 1e-15).iter().map(|e| e.map(|e| e * size)).collect();
            let found = halved(&list, size).power().unwrap();
            assert!((found - 4.0).abs() < 0.1, "{size} {found}");
        }
    }

    /// h (1 + 3h): slopes 1.6, 1.4, 1.2, 1.1; h² (1 − 4h²) likewise from below.
    #[test]
    fn slopes_that_bend_to_a_limit_are_followed_there() {
        let list: Vec<_> = (2..7)
            .map(|level| 0.5f64.powi(level))
            .map(|h| Some(1e-2 * h * (1.0 - 2.0 * h)))
            .collect();
        let Slope::Power(found) = halved(&list, 1.0) else { unreachable!("{list:?}") };
        assert!((found - 1.0).abs() < 0.02, "{found}");
        let last = (list[3].unwrap() / list[4].unwrap()).log2();
        assert!((last - 1.0).abs() > 0.03, "{last}");
    }

    #[test]
    fn slopes_that_vary_on_their_way_are_called_bending() {
        let mut digits = 0.0_f64;
        let list: Vec<_> = [0.0, 2.1, 2.3, 2.55]
            .into_iter()
            .map(|slope| {
                digits += slope;
                Some((-digits).exp2())
            })
            .collect();
        assert!(matches!(halved(&list, 1.0), Slope::Bending(_)), "{:?}", halved(&list, 1.0));
    }

    /// An error that passes through zero as h changes: neighbouring slopes go from 3 to 13, the line is of order 8.
    #[test]
    fn errors_that_go_up_and_down_have_the_slope_of_their_line() {
        let steps: Vec<f64> = (0..12).map(|k| 0.5 * 0.8f64.powi(k)).collect();
        let bumps = [0.0, 0.9, -0.8, 0.3, -0.9, 0.7, 0.2, -0.9, 0.8, -0.3, 0.9, -0.6];
        let list: Vec<_> =
            steps.iter().zip(bumps).map(|(h, bump)| Some(h.powi(8) * f64::exp2(bump))).collect();
        let found = slope(&steps, &list, 1.0);
        let Slope::Bending(power) = found else { unreachable!("{found:?}") };
        assert!((power - 8.0).abs() < 0.5, "{power}");
    }

    /// Slopes 15.6, 15.1, 15.7: to the same part of themselves as 3.9, 3.8, 3.9.
    #[test]
    fn high_powers_are_known_to_the_same_part_of_themselves() {
        let mut digits = 5.0_f64;
        let steps: Vec<f64> = (0..4).map(|k| f64::exp2(-0.6 * f64::from(k))).collect();
        let list: Vec<_> = [0.0, 15.6, 15.1, 15.7]
            .into_iter()
            .map(|slope| {
                digits += 0.6 * slope;
                Some((-digits).exp2())
            })
            .collect();
        let found = slope(&steps, &list, 1.0);
        assert!(matches!(found, Slope::Bending(power) if (power - 15.4).abs() < 0.3), "{found:?}");
    }
}
