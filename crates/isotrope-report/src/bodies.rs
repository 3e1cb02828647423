//! The bodies of a comparison on a Lie group, as they moved.

use isotrope_algebra::evaluate::evaluate_balls;
use isotrope_algebra::{Ball, ExprId, Precision};
use isotrope_derive::{Mechanics, System};
use isotrope_kernel::stepper::Rotation;
use isotrope_study::compare::{Comparison, Row, Sample};

use super::page::{Animation, Frame};

/// Methods that can be chosen, and frames of each.
const METHODS: usize = 6;
const FRAMES: usize = 240;
/// Bodies side by side.
const BODIES: usize = 3;
/// Half the sides of a box whose moments are not known.
const BOX: [f64; 3] = [0.6, 0.42, 0.28];
/// Half the diagonal of boxes, and the thinnest side.
const DIAGONAL: f64 = 0.72;
const THIN: f64 = 0.06;

/// The motion of the nearest methods to the reference; none without rotations or without a run.
pub(super) fn animation(
    comparison: &Comparison,
    system: &System,
    rotations: &[Rotation],
) -> Option<Animation> {
    let rotations = rotations.get(..BODIES.min(rotations.len()))?;
    let mut rows: Vec<&Row> =
        comparison.rows.iter().filter(|row| row.track.samples.len() > 1).collect();
    let error = |row: &Row| row.reference_max.unwrap_or(f64::INFINITY);
    rows.sort_by(|a, b| error(a).total_cmp(&error(b)));
    rows.truncate(METHODS);
    if rows.is_empty() || rotations.is_empty() {
        return None;
    }
    let farthest = rows
        .iter()
        .flat_map(|row| &row.track.samples)
        .flat_map(|sample| rotations.iter().map(|rotation| place(*rotation, sample)))
        .map(|[x, y, z]| (x * x + y * y + z * z).sqrt())
        .filter(|length| length.is_finite())
        .fold(0.0, f64::max);
    let rows = rows.into_iter().map(|row| {
        let stride = row.track.samples.len().div_ceil(FRAMES).max(1);
        let kept = row.track.samples.iter().step_by(stride);
        let frame = |sample: &Sample| Frame {
            time: sample.time,
            bodies: rotations.iter().map(|r| (matrix(*r, sample), place(*r, sample))).collect(),
        };
        (format!("{}, step {}", row.run.method, row.run.step), kept.map(frame).collect())
    });
    Some(Animation {
        boxes: rotations.iter().map(|rotation| sides(system, *rotation)).collect(),
        scale: if farthest > 0.0 { 0.85 / farthest } else { 0.0 },
        rows: rows.collect(),
    })
}

/// As a rotation of space; one of the plane is about the third axis.
fn matrix(rotation: Rotation, sample: &Sample) -> [f64; 9] {
    match rotation.matrix(&sample.state)[..] {
        [a, b, c, d] => [a, b, 0.0, c, d, 0.0, 0.0, 0.0, 1.0],
        [a, b, c, d, e, f, g, h, i] => [a, b, c, d, e, f, g, h, i],
        _ => [f64::NAN; 9],
    }
}

fn place(rotation: Rotation, sample: &Sample) -> [f64; 3] {
    let first = rotation.first + rotation.count;
    let mut place = [0.0; 3];
    for (to, from) in place.iter_mut().zip(sample.state.iter().skip(first).take(rotation.shifts)) {
        *to = *from;
    }
    place
}

/// Half the sides of a homogeneous box with the moments of the body, where these are numbers: aᵢ² is
/// proportional to the two other moments less its own.
fn sides(system: &System, rotation: Rotation) -> [f64; 3] {
    let Some(moments) = moments(system, rotation) else { return BOX };
    let sum: f64 = moments.iter().sum();
    let squares = moments.map(|moment| (0.5 * sum - moment).max(0.0));
    let size = squares.iter().sum::<f64>().sqrt();
    if !(size.is_finite() && size > 0.0) {
        return BOX;
    }
    squares.map(|square| (DIAGONAL * square.sqrt() / size).max(THIN))
}

fn moments(system: &System, rotation: Rotation) -> Option<[f64; 3]> {
    let Mechanics::Group(group) = &system.mechanics else { return None };
    let entry = |k: usize| -> Option<ExprId> {
        let row = group.dynamics.mass.get(rotation.rate + k)?;
        row.iter().find(|(column, _)| *column as usize == rotation.rate + k).map(|entry| entry.1)
    };
    if rotation.count != 4 {
        return None;
    }
    let entries = [entry(0)?, entry(1)?, entry(2)?];
    let (pool, precision) = (&system.model.pool, Precision::new(64));
    let exact: Vec<ExprId> = system.model.parameters.iter().map(|p| p.exact).collect();
    let values = evaluate_balls(pool, &exact, &Default::default(), precision).ok()?;
    let symbols = system.model.parameters.iter().map(|p| p.symbol);
    let values = symbols.zip(values).collect();
    let found = evaluate_balls(pool, &entries, &values, precision).ok()?;
    found.iter().map(Ball::to_f64).collect::<Vec<f64>>().try_into().ok()
}
