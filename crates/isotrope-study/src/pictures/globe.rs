//! Curves on a sphere: the axes of a body seen from space, its momentum seen from the body.

use isotrope_kernel::stepper::Rotation;
use isotrope_tape::math::{Numbers, sincos};

use rustc_hash::FxHashSet;

use super::path::Path;
use isotrope_output::plot::{Axis, Chart, Colour, Dash, Series};

/// What is drawn on the sphere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Traced {
    /// The axes of the body, columns of R.
    Axes(Rotation),
    /// The momentum of the body: three columns of a row, the first of them here.
    Momentum(usize),
}

/// A sphere with curves on it, seen from afar.
#[derive(Debug, Clone)]
pub(super) struct Globe {
    traced: Traced,
    /// The part of each curve in front, and behind.
    curves: Vec<[Path; 2]>,
    /// Where curves have been behind: a broken line that is drawn again and again would look like a solid one.
    passed: Vec<Passed>,
    radius: f64,
}

/// The cells of space through which a curve went.
#[derive(Debug, Clone, Default)]
struct Passed {
    cells: FxHashSet<[i64; 3]>,
    here: Option<[i64; 3]>,
}

impl Passed {
    /// Is this the first way of the curve through the cell of a point?
    fn is_new(&mut self, point: [f64; 3], size: f64) -> bool {
        let cell = point.map(|x| (x / size).floor() as i64);
        if self.here == Some(cell) {
            return true;
        }
        let new = self.cells.insert(cell);
        self.here = new.then_some(cell);
        new
    }
}

/// Cells along the radius of the sphere.
const CELLS: f64 = 40.0;

/// Where the eye is: 30 degrees to the side of the first axis, 20 above the plane of the first two.
const SIDE: (f64, f64) = (0.866_025_403_784_438_6, 0.5);
const ABOVE: (f64, f64) = (0.939_692_620_785_908_4, 0.342_020_143_325_668_7);
/// Points of a circle.
const CIRCLE: u32 = 180;

/// To the right, upwards, and towards the eye.
fn seen([x, y, z]: [f64; 3]) -> ((f64, f64), f64) {
    let across = SIDE.0 * y - SIDE.1 * x;
    let along = SIDE.0 * x + SIDE.1 * y;
    ((across, ABOVE.0 * z - ABOVE.1 * along), ABOVE.0 * along + ABOVE.1 * z)
}

impl Globe {
    pub(super) fn new(traced: Traced) -> Self {
        let count = match traced {
            Traced::Axes(_) => 3,
            Traced::Momentum(_) => 1,
        };
        let curves = (0..count).map(|_| [Path::default(), Path::default()]).collect();
        let radius = match traced {
            Traced::Axes(_) => 1.0,
            Traced::Momentum(_) => 0.0,
        };
        Self { traced, curves, passed: vec![Passed::default(); count], radius }
    }

    /// Takes the next row: the time, then the numbers of the configuration, ξ and the momenta.
    pub(super) fn row(&mut self, row: &[f64]) {
        let points: Vec<[f64; 3]> = match self.traced {
            Traced::Axes(rotation) => {
                let matrix = rotation.matrix(row.get(1..).unwrap_or_default());
                let at = |k: usize| matrix.get(k).copied().unwrap_or(f64::NAN);
                (0..3).map(|j| [at(j), at(3 + j), at(6 + j)]).collect()
            }
            Traced::Momentum(first) => {
                let at = |k: usize| row.get(first + k).copied().unwrap_or(f64::NAN);
                let point = [at(0), at(1), at(2)];
                let square: f64 = point.iter().map(|x| x * x).sum();
                self.radius = self.radius.max(square.sqrt());
                vec![point]
            }
        };
        let gap = (f64::NAN, f64::NAN);
        let size = self.radius.max(f64::MIN_POSITIVE) / CELLS;
        let curves = self.curves.iter_mut().zip(&mut self.passed);
        for (([front, behind], passed), point) in curves.zip(points) {
            let (place, depth) = seen(point);
            front.push(if depth >= 0.0 { place } else { gap });
            behind.push(if depth < 0.0 && passed.is_new(point, size) { place } else { gap });
        }
    }

    pub(super) fn chart(&self, title: &str) -> Chart {
        let radius = if self.radius > 0.0 { self.radius } else { 1.0 };
        let names: &[&str] = match self.traced {
            Traced::Axes(_) => &["first axis", "second axis", "third axis"],
            Traced::Momentum(_) => &["momentum of the body"],
        };
        let mut series = Vec::new();
        for (k, ([front, behind], name)) in self.curves.iter().zip(names).enumerate() {
            let colour = Colour::Index(k);
            let solid = Series::line((*name).to_owned(), front.points().to_vec());
            series.push(Series { dash: Dash::Solid, colour, ..solid });
            let hidden = Series::line(String::new(), behind.points().to_vec());
            series.push(Series { dash: Dash::Dotted, colour, ..hidden });
        }
        // The outline, and the front of the three circles in which planes of two axes meet the sphere.
        let outline = circle(|cos, sin| Some((cos, sin)), radius);
        series.push(Series { dash: Dash::Solid, colour: Colour::Soft, ..outline });
        for axis in 0..3 {
            let plane = circle(
                |cos, sin| {
                    let mut point = [0.0; 3];
                    point[(axis + 1) % 3] = cos;
                    point[(axis + 2) % 3] = sin;
                    let (place, depth) = seen(point);
                    (depth >= 0.0).then_some(place)
                },
                radius,
            );
            series.push(Series { dash: Dash::Solid, colour: Colour::Soft, ..plane });
        }
        let label = match self.traced {
            Traced::Axes(_) => "axes of the body, seen from space",
            Traced::Momentum(_) => "momentum $p$, seen from the body",
        };
        let x = Axis::linear(format!("{label} (broken lines: behind)"));
        Chart {
            title: title.to_owned(),
            x,
            y: Axis::linear(String::new()),
            series,
            aspect_equal: true,
            ..Chart::default()
        }
    }
}

/// The axes of a body on the sphere, from rows of time and state.
pub(crate) fn axes_on_sphere(
    rotation: Rotation,
    rows: impl Iterator<Item = Vec<f64>>,
    title: &str,
) -> Chart {
    let mut globe = Globe::new(Traced::Axes(rotation));
    rows.for_each(|row| globe.row(&row));
    globe.chart(title)
}

/// A closed curve over the angles of a circle, without a name.
fn circle(place: impl Fn(f64, f64) -> Option<(f64, f64)>, radius: f64) -> Series {
    let turn = 2.0 * std::f64::consts::PI / f64::from(CIRCLE);
    let points = (0..=CIRCLE)
        .map(|k| {
            let (sin, cos) = sincos(&mut Numbers, turn * f64::from(k));
            let (x, y) = place(cos, sin).unwrap_or((f64::NAN, f64::NAN));
            (radius * x, radius * y)
        })
        .collect();
    Series::line(String::new(), points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projection_keeps_lengths_together_with_the_depth() {
        for point in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, -0.48, 0.64]] {
            let ((x, y), depth) = seen(point);
            assert!((x * x + y * y + depth * depth - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_small_momentum_has_a_small_sphere_and_a_period_behind_is_drawn_once() {
        let mut globe = Globe::new(Traced::Momentum(1));
        for k in 0..2000 {
            let (sin, cos) = sincos(&mut Numbers, 0.01 * f64::from(k));
            globe.row(&[0.0, 0.02 * cos, 0.02 * sin, 0.0]);
        }
        assert!((globe.radius - 0.02).abs() < 1e-12);
        // 3.2 turns, of which the halves behind are seen once.
        let drawn = globe.curves[0][1].points().iter().filter(|point| point.0.is_finite()).count();
        assert!((300..330).contains(&drawn), "{drawn}");
    }

    #[test]
    fn a_body_at_rest_has_its_axes_where_space_has_them() {
        let rotation = Rotation { first: 0, count: 4, rate: 0, shifts: 0 };
        let mut globe = Globe::new(Traced::Axes(rotation));
        globe.row(&[0.0, 1.0, 0.0, 0.0, 0.0]);
        let place = globe.curves[2][0].points()[0];
        assert_eq!(place, seen([0.0, 0.0, 1.0]).0);
    }
}
