//! Charts of studies: errors against cost or step, sections, eigenvalues.

use isotrope_output::plot::{Axis, Chart, Colour, Dash, Direction, Guide, Series};

/// A curve with its name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    /// A method, a quantity.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// What errors are paid with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Seconds of the processor.
    Seconds,
    /// Evaluations of forces or residuals.
    Evaluations,
    /// Steps.
    Steps,
}

/// Errors against what they cost: (work, error), one curve a method.
#[must_use]
pub fn work_precision(title: &str, work: Work, error: &str, curves: Vec<Curve>) -> Chart {
    let label = match work {
        Work::Seconds => "CPU time in seconds",
        Work::Evaluations => "evaluations",
        Work::Steps => "steps",
    };
    marked(title, Axis::log(label), Axis::log(error), curves)
}

/// Errors against steps: (h, error), one curve a method, with lines of the slopes that the curves
/// have.
#[must_use]
pub fn convergence(title: &str, error: &str, curves: Vec<Curve>) -> Chart {
    let slopes = reference_slopes(&curves);
    let mut chart = marked(title, Axis::log("step $h$"), Axis::log(error), curves);
    chart.series.extend(slopes);
    chart
}

/// One line for each whole slope that some curve comes near to, through the middle of that curve
/// and moved a little downwards.
fn reference_slopes(curves: &[Curve]) -> Vec<Series> {
    const LARGEST: i32 = 12;
    let patterns = [Dash::Dotted, Dash::Dashed, Dash::DashDotted];
    let positive = |curve: &Curve| -> Vec<(f64, f64)> {
        let all = curve.points.iter().copied();
        all.filter(|&(h, e)| h > 0.0 && e > 0.0 && h.is_finite() && e.is_finite()).collect()
    };
    let mut slopes: Vec<Series> = Vec::new();
    let mut drawn: Vec<i32> = Vec::new();
    for curve in curves {
        let mut points = positive(curve);
        points.sort_by(|a, b| b.0.total_cmp(&a.0));
        // The two largest steps whose error is not yet rounding.
        let [(h, e), (half, smaller), ..] = points[..] else { continue };
        if h == half {
            continue;
        }
        let slope = (e / smaller).log10() / (h / half).log10();
        let whole = slope.round();
        if (slope - whole).abs() > 0.2 || !(1.0..=f64::from(LARGEST)).contains(&whole) {
            continue;
        }
        let order = whole as i32;
        if drawn.contains(&order) {
            continue;
        }
        drawn.push(order);
        let ends = points.iter().map(|point| point.0);
        let least = ends.fold(f64::INFINITY, f64::min);
        let low = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        // No further down than the curve itself.
        let line = |x: f64| 0.4 * e * (x / h).powi(order);
        let mut stop = least;
        while line(stop) < 0.2 * low && stop < h {
            stop *= 1.1;
        }
        let points = vec![(h, line(h)), (stop.min(h), line(stop.min(h)))];
        slopes.push(Series {
            colour: Colour::Soft,
            dash: patterns[slopes.len() % patterns.len()],
            ..Series::line(format!("slope {order}"), points)
        });
    }
    slopes
}

fn marked(title: &str, x: Axis, y: Axis, curves: Vec<Curve>) -> Chart {
    let series = curves.into_iter().map(|curve| Series::marked(curve.name, curve.points)).collect();
    Chart { title: title.to_owned(), x, y, series, ..Chart::default() }
}

/// Where trajectories cross a surface: one cloud for each.
#[must_use]
pub fn poincare_section(title: &str, x: &str, y: &str, clouds: Vec<Curve>) -> Chart {
    let series = clouds.into_iter().map(|cloud| Series::points(cloud.name, cloud.points)).collect();
    let (x, y) = (Axis::linear(x), Axis::linear(y));
    Chart { title: title.to_owned(), x, y, series, ..Chart::default() }
}

/// Eigenvalues along a parameter: (parameter, real or imaginary part), with critical values.
#[must_use]
pub fn eigenvalue_curves(
    title: &str,
    parameter: &str,
    part: &str,
    curves: Vec<Curve>,
    critical: &[(String, f64)],
) -> Chart {
    let series = curves.into_iter().map(|curve| Series::line(curve.name, curve.points)).collect();
    let guide =
        |(label, at): &(String, f64)| Guide { on: Direction::X, at: *at, label: label.clone() };
    let guides = critical.iter().map(guide).collect();
    let (x, y) = (Axis::linear(parameter), Axis::linear(part));
    Chart { title: title.to_owned(), x, y, series, guides, ..Chart::default() }
}

/// Eigenvalues in the complex plane: (real part, imaginary part).
#[must_use]
pub fn eigenvalues(title: &str, clouds: Vec<Curve>) -> Chart {
    poincare_section(title, "real part", "imaginary part", clouds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, factor: f64, order: i32, floor: f64) -> Curve {
        let point = |k: i32| {
            let h = 0.1 / f64::from(1 << k);
            (h, (factor * h.powi(order)).max(floor))
        };
        Curve { name: name.to_owned(), points: (0..8).map(point).collect() }
    }

    #[test]
    fn reference_lines_have_the_slopes_of_the_curves() {
        let curves = vec![
            curve("a", 3.0, 2, 0.0),
            curve("b", 1.0, 4, 1e-12),
            curve("c", 0.5, 2, 0.0),
            Curve { name: "zero".to_owned(), points: vec![(0.1, 0.0), (0.05, 0.0)] },
        ];
        let chart = convergence("", "error", curves);
        let slopes: Vec<&Series> =
            chart.series.iter().filter(|series| series.colour == Colour::Soft).collect();
        let names: Vec<&str> = slopes.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["slope 2", "slope 4"]);
        for (series, order) in slopes.iter().zip([2.0, 4.0]) {
            let [(h, e), (half, smaller)] = series.points[..] else { panic!() };
            let slope = (e / smaller).log10() / (h / half).log10();
            assert!((slope - order).abs() < 1e-9);
            // Not far below what it belongs to.
            assert!(smaller > 1e-14);
        }
    }
}
