//! A comparison as it moved: the scene of the system, method by method.

use isotrope_study::compare::{Comparison, Row, Sample};
use isotrope_study::report::shortest;
use isotrope_study::scene::Scene;

use super::page::{Animation, Frame};

/// Methods that can be chosen, and frames of each.
const METHODS: usize = 6;
const FRAMES: usize = 240;
/// Bodies side by side, and points of one picture.
const BODIES: usize = 3;
const POINTS: usize = 60;
/// What is drawn reaches this far from the middle, whose panel reaches to 1.
const REACH: f64 = 0.85;

/// The motion of the nearest methods to the reference; none without anything to draw or without a run.
pub(super) fn animation(comparison: &Comparison, scene: &Scene) -> Option<Animation> {
    let points = if scene.is_in_space() { scene.points.len() } else { 0 };
    if (scene.bodies.is_empty() && points == 0) || points > POINTS {
        return None;
    }
    let mut rows: Vec<&Row> =
        comparison.rows.iter().filter(|row| row.track.samples.len() > 1).collect();
    let error = |row: &Row| row.reference_max.unwrap_or(f64::INFINITY);
    rows.sort_by(|a, b| error(a).total_cmp(&error(b)));
    rows.truncate(METHODS);
    // The nearest says how far the picture reaches: others may be on their way to infinity.
    let nearest = rows.first()?;
    let places = |sample: &Sample| scene.bodies_at(&sample.state).into_iter().map(|body| body.1);
    let farthest = size(nearest.track.samples.iter().flat_map(places));
    let seen = |sample: &Sample| points_at(scene, sample).into_iter().flatten();
    let extent = size(nearest.track.samples.iter().flat_map(seen));
    let shrink = if extent > 0.0 { REACH / extent } else { 1.0 };
    let rows = rows.into_iter().map(|row| {
        let stride = row.track.samples.len().div_ceil(FRAMES).max(1);
        let kept = row.track.samples.iter().step_by(stride);
        let frame = |sample: &Sample| Frame {
            time: sample.time,
            bodies: scene.bodies_at(&sample.state).into_iter().take(BODIES).collect(),
            points: match points_at(scene, sample) {
                Some(places) => places
                    .into_iter()
                    .map(|place| Some(place.map(|x| (shrink * x).clamp(-9.0, 9.0))))
                    .collect(),
                None => vec![None; points],
            },
        };
        (format!("{}, step {}", row.run.method, shortest(row.run.step)), kept.map(frame).collect())
    });
    Some(Animation {
        boxes: scene.bodies.iter().take(BODIES).map(|body| body.half_sides).collect(),
        scale: if farthest > 0.0 { REACH / farthest } else { 0.0 },
        links: scene.links.clone(),
        radii: scene.points.iter().map(|point| shrink * point.radius.unwrap_or(0.0)).collect(),
        planar: scene.points.first().is_some_and(|point| point.at.len() == 2),
        rows: rows.collect(),
    })
}

/// Where the points of the scene are; none where it has none in space.
fn points_at(scene: &Scene, sample: &Sample) -> Option<Vec<[f64; 3]>> {
    if !scene.is_in_space() {
        return None;
    }
    let (q, v) = sample.state.split_at_checked(scene.coordinates)?;
    scene.points_at(sample.time, q, v)
}

/// The largest distance from the origin.
fn size(places: impl Iterator<Item = [f64; 3]>) -> f64 {
    places
        .map(|[x, y, z]| (x * x + y * y + z * z).sqrt())
        .filter(|length| length.is_finite())
        .fold(0.0, f64::max)
}
