//! Charts of studies: errors against cost or step, sections, eigenvalues.

use isotrope_output::plot::{Axis, Chart, Colour, Dash, Direction, Guide, Series};

/// A curve with its name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    /// A method, a quantity.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// The slope that it has in theory, where that is known.
    pub slope: Option<usize>,
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

/// One line for each slope: that of theory, or else a whole one that the curve comes near to. It touches the curve
/// where that is steepest in the same way, and lies a little below.
fn reference_slopes(curves: &[Curve]) -> Vec<Series> {
    const LARGEST: i32 = 30;
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
        points.dedup_by(|a, b| a.0 == b.0);
        let between =
            |pair: &[(f64, f64)]| (pair[0].1 / pair[1].1).log10() / (pair[0].0 / pair[1].0).log10();
        // Without a theory, that of the two largest steps, whose error is not yet rounding.
        let measured =
            points.get(..2).map(between).filter(|slope| (slope - slope.round()).abs() <= 0.2);
        let known = curve.slope.and_then(|slope| i32::try_from(slope).ok());
        let order = known.or(measured.map(|slope| slope.round() as i32));
        let Some(order) = order.filter(|order| (1..=LARGEST).contains(order)) else { continue };
        let nearest = points.windows(2).min_by(|one, other| {
            let off = |pair: &[(f64, f64)]| (between(pair) - f64::from(order)).abs();
            off(one).total_cmp(&off(other))
        });
        let Some([anchor, _]) = nearest else { continue };
        if drawn.contains(&order) {
            continue;
        }
        drawn.push(order);
        let most = points.first().map_or(anchor.0, |point| point.0);
        let least = points.last().map_or(anchor.0, |point| point.0);
        let low = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        // No further down than the curve itself.
        let line = |x: f64| 0.4 * anchor.1 * (x / anchor.0).powi(order);
        let mut stop = least;
        while line(stop) < 0.2 * low && stop < most {
            stop *= 1.1;
        }
        let points = vec![(most, line(most)), (stop.min(most), line(stop.min(most)))];
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
        Curve { name: name.to_owned(), points: (0..8).map(point).collect(), slope: None }
    }

    #[test]
    fn reference_lines_have_the_slopes_of_the_curves() {
        let curves = vec![
            curve("a", 3.0, 2, 0.0),
            curve("b", 1.0, 4, 1e-12),
            curve("c", 0.5, 2, 0.0),
            Curve {
                name: "zero".to_owned(),
                points: vec![(0.1, 0.0), (0.05, 0.0)],
                slope: Some(3),
            },
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

    #[test]
    fn slopes_of_methods_are_drawn_where_they_are_reached() {
        // Far from its order at large steps, rounding at small ones.
        let point = |k: i32| {
            let h = 0.8 / f64::from(1 << k);
            (h, (h.powi(6) / (1.0 + 300.0 * h.powi(3))).max(1e-12))
        };
        let points: Vec<(f64, f64)> = (0..9).map(point).collect();
        let curve = Curve { name: "six".to_owned(), points: points.clone(), slope: Some(6) };
        let chart = convergence("", "error", vec![curve]);
        let line = chart.series.iter().find(|series| series.colour == Colour::Soft).unwrap();
        assert_eq!(line.name, "slope 6");
        // It runs along the part of the curve that has this slope.
        let (h, e) = line.points[0];
        let there = |x: f64| e * (x / h).powi(6);
        let close = points.iter().filter(|&&(x, y)| (0.2..=1.0).contains(&(there(x) / y))).count();
        assert!(close >= 2, "{close} points along the line");
    }
}
