//! What a comparison looks like.

use isotrope_kernel::stepper::Rotation;

use super::{Comparison, Row, Sample};
use crate::pictures::axes_on_sphere;
use crate::report::shortest;
use isotrope_output::plot::{Axis, Chart, Series};

/// Motions this many times larger than the best one are not shown.
const FAR: f64 = 20.0;
/// Curves of one chart; more would hide each other.
const MOST_CURVES: usize = 8;

/// The axes of the first body that turns in space, as the method nearest to the reference moved it; none without.
fn axes(comparison: &Comparison, rotations: &[Rotation]) -> Option<(String, Chart)> {
    let rotation = rotations.iter().find(|rotation| rotation.count == 4).copied()?;
    let error = |row: &Row| row.reference_max.unwrap_or(f64::INFINITY);
    let known = comparison.rows.iter().filter(|row| row.track.samples.len() > 1);
    let row = known.min_by(|a, b| error(a).total_cmp(&error(b)))?;
    let samples = row.track.samples.iter();
    let rows = samples.map(|sample| [&[sample.time][..], &sample.state].concat());
    let caption = format!(
        "The axes of the body on the sphere of space, by {} with step {}.",
        row.run.method,
        shortest(row.run.step)
    );
    Some((caption, axes_on_sphere(rotation, rows, "Axes of the body")))
}

/// What a chart over time shows of a sample.
type Pick = fn(&Sample) -> Option<f64>;

/// Charts with captions: precision against work, then what happens over time, then the motion.
/// `names` are the coordinates, `rotations` those of a configuration on a Lie group.
#[must_use]
pub fn pictures(
    comparison: &Comparison,
    names: &[String],
    rotations: &[Rotation],
) -> Vec<(String, Chart)> {
    let turning = !rotations.is_empty();
    let mut charts = Vec::new();
    charts.extend(work_and_precision(comparison));
    let over_time: [(&str, &str, &str, Pick); 4] = [
        (
            "Energy",
            "$|E - E_0 - W|$",
            "The error of the energy, less the work of forces.",
            |sample| Some(sample.energy),
        ),
        if turning {
            (
                "Orthogonality",
                "$|R R^T - 1|$",
                "The largest distance of the matrices from rotations up to each time.",
                |sample| Some(sample.constraints[0]),
            )
        } else {
            (
                "Constraints on positions",
                "$|φ(q)|$",
                "The largest violation of the constraints on positions up to each time.",
                |sample| Some(sample.constraints[0]),
            )
        },
        (
            "Constraints on velocities",
            "$|A v + b|$",
            "The largest violation of the constraints on velocities up to each time.",
            |sample| Some(sample.constraints[1]),
        ),
        (
            "Distance",
            "distance",
            "The distance to the reference solution, the largest over positions and velocities.",
            |sample| sample.distance,
        ),
    ];
    let rows = shown(comparison);
    let mut methods: Vec<&str> =
        comparison.rows.iter().map(|row| row.run.method.as_str()).collect();
    methods.sort_unstable();
    methods.dedup();
    let which = match methods.len() {
        all if all > rows.len() => format!(
            " Shown: {} of {all} methods, from the nearest to the reference to the furthest; equal ones once.",
            rows.len()
        ),
        _ => String::new(),
    };
    for (title, label, caption, pick) in over_time {
        let series: Vec<Series> = rows
            .iter()
            .map(|row| {
                let points = row.track.samples.iter();
                let points = points.filter_map(|sample| Some((sample.time, pick(sample)?)));
                Series::line(&row.run.method, points.filter(|point| point.1 > 0.0).collect())
            })
            .filter(|series| !series.points.is_empty())
            .collect();
        if series.is_empty() {
            continue;
        }
        let (title, x) = (title.to_owned(), Axis::linear("$t$"));
        let chart = Chart { title, x, y: Axis::log(label), series, ..Chart::default() };
        charts.push((format!("{caption}{which}"), chart));
    }
    charts.extend(if turning { axes(comparison, rotations) } else { motion(&rows, names) });
    charts
}

/// The rows whose curves are shown: with the smallest step, the nearest to the reference first.
fn shown(comparison: &Comparison) -> Vec<&Row> {
    let finest = comparison.rows.iter().map(|row| row.run.step.abs()).reduce(f64::min);
    let mut rows: Vec<&Row> = comparison
        .rows
        .iter()
        .filter(|row| Some(row.run.step.abs()) == finest && row.run.steps_done > 0)
        .collect();
    let size = |row: &Row| row.reference_max.or(row.run.errors.energy_max).unwrap_or(f64::INFINITY);
    rows.sort_by(|a, b| size(a).total_cmp(&size(b)));
    // What has left for infinity would press all others into one line.
    let extent = rows.first().map_or(1.0, |row| extent(row));
    rows.retain(|row| size(row) < FAR * extent);
    // The same numbers under another name are one curve.
    rows.dedup_by(|a, b| a.track == b.track);
    if rows.len() > MOST_CURVES {
        // From the best to the worst, evenly.
        let last = rows.len() - 1;
        rows = (0..MOST_CURVES).map(|k| rows[k * last / (MOST_CURVES - 1)]).collect();
    }
    rows
}

/// The largest number of a motion, at least 1.
fn extent(row: &Row) -> f64 {
    let numbers = row.track.samples.iter().flat_map(|sample| &sample.state);
    numbers.fold(1.0, |largest: f64, x| largest.max(x.abs()))
}

/// Distance against time of computation; methods with several steps are curves.
fn work_and_precision(comparison: &Comparison) -> Option<(String, Chart)> {
    let mut series: Vec<Series> = Vec::new();
    for row in &comparison.rows {
        let seconds = row.run.cost.run_seconds;
        let (Some(work), Some(distance)) = (seconds, row.reference_max) else { continue };
        if !row.run.outcome.is_success() || distance <= 0.0 || work <= 0.0 {
            continue;
        }
        let point = (work, distance);
        match series.iter_mut().find(|known| known.name == row.run.method) {
            Some(known) => known.points.push(point),
            None => series.push(Series::marked(&row.run.method, vec![point])),
        }
    }
    for known in &mut series {
        known.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    (!series.is_empty()).then(|| {
        let chart = Chart {
            title: "Work and precision".to_owned(),
            x: Axis::log("seconds of computation"),
            y: Axis::log("distance to the reference"),
            series,
            ..Chart::default()
        };
        ("Lower and further left is better.".to_owned(), chart)
    })
}

/// The motion itself: the plane of the first two coordinates, or position and velocity of one.
fn motion(rows: &[&Row], names: &[String]) -> Option<(String, Chart)> {
    let n = names.len();
    let (first, second, plane) = match names {
        [] => return None,
        [_] => (0, 1, false),
        _ => (0, 1, true),
    };
    // The best, one in the middle and the worst.
    let picks: Vec<&&Row> = match rows.len() {
        0 => return None,
        1 | 2 => rows.iter().collect(),
        many => vec![&rows[0], &rows[many / 2], &rows[many - 1]],
    };
    let series: Vec<Series> = picks
        .into_iter()
        .map(|row| {
            let samples = row.track.samples.iter().filter(|sample| sample.state.len() == 2 * n);
            let points = samples.map(|sample| (sample.state[first], sample.state[second]));
            Series::line(&row.run.method, points.collect())
        })
        .collect();
    let label = |name: &str| format!("${name}$");
    let (y, caption) = if plane {
        (label(&names[1]), "The motion in the plane of the first two coordinates.")
    } else {
        (format!("${}'$", names[0]), "The motion in the plane of position and velocity.")
    };
    let chart = Chart {
        title: if plane { "Motion" } else { "Phase plane" }.to_owned(),
        x: Axis::linear(label(&names[0])),
        y: Axis::linear(y),
        series,
        aspect_equal: plane && is_plane(names),
        ..Chart::default()
    };
    Some((caption.to_owned(), chart))
}

/// Are the first two coordinates lengths of one plane?
fn is_plane(names: &[String]) -> bool {
    let stem = |name: &str| name.trim_end_matches(|c: char| !c.is_alphabetic()).to_owned();
    names.len() >= 2 && stem(&names[0]) == "x" && stem(&names[1]) == "y"
}
