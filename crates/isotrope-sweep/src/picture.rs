//! Pictures of stores: maps over two axes, bifurcation diagrams.

use isotrope::Failure;
use isotrope::codes::SweepCode;
use isotrope::rooms::output::plot::{
    Axis as ChartAxis, Chart, Heat, Range, Scale, Tint, formula_of,
};
use isotrope::rooms::output::writers::PartColumn;
use isotrope::rooms::tape::math::{Numbers, exp, log};

use crate::study::{Sample, Study, Values};
use crate::table::{Filter, Table};

/// What to draw.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The column across.
    pub x: Option<String>,
    /// The column upwards.
    pub y: Option<String>,
    /// The column that colours show.
    pub colour: Option<String>,
    /// Which members: `f = 0.2`.
    pub at: Vec<Filter>,
    /// A bifurcation diagram over this axis: what strobes (or sections) keep of `y`.
    pub bifurcation: Option<String>,
}

/// Cells of a density across and upwards.
const DENSITY: (usize, usize) = (900, 540);

/// Draws the picture that is asked for.
pub fn picture(study: &Study, table: &Table, request: &Request) -> Result<Chart, Failure> {
    let rows = table.chosen(&request.at)?;
    if rows.is_empty() {
        return Err(refuse("no member is chosen: see what is `--at`"));
    }
    match &request.bifurcation {
        Some(axis) => bifurcation(study, table, &rows, axis, request),
        None => map(study, table, &rows, request),
    }
}

/// Colours over two axes.
fn map(study: &Study, table: &Table, rows: &[usize], request: &Request) -> Result<Chart, Failure> {
    let default = |k: usize| study.axes.get(k).map(|axis| axis.name.clone());
    // The last axes are the fastest, and usually the plane.
    let axes = study.axes.len();
    let named = |given: &Option<String>, back: usize| {
        given
            .clone()
            .or_else(|| default(axes.checked_sub(back)?))
            .ok_or_else(|| refuse("a map has two axes: --x and --y"))
    };
    let (x, y) = (named(&request.x, 2)?, named(&request.y, 1)?);
    let colour = request.colour.clone().unwrap_or_else(|| usual_colour(table));
    let of = table.column(&colour)?;
    let outcomes = table.column("outcome")?;
    let (across, up) = (table.column(&x)?, table.column(&y)?);
    let [columns, tall] =
        [(&x, across), (&y, up)].map(|(name, column)| cells(study, name, column, rows));
    let mut values = vec![f64::NAN; columns.count * tall.count];
    let mut names: Vec<String> = Vec::new();
    let integers = matches!(of, PartColumn::Integers(_));
    let words = matches!(of, PartColumn::Words { .. });
    let mut met: Vec<i64> = Vec::new();
    for &row in rows {
        let (Some(a), Some(b), Some(value)) = (across.number(row), up.number(row), of.number(row))
        else {
            continue;
        };
        // Members that ended early have no value of their own, unless that is what is shown.
        let fine = words || matches!(outcomes.word(row), Some("completed" | "escaped"));
        if !fine {
            continue;
        }
        let (Some(i), Some(j)) = (columns.of(a), tall.of(b)) else { continue };
        values[j * columns.count + i] = value;
        if integers && !met.contains(&(value as i64)) {
            met.push(value as i64);
        }
    }
    if let PartColumn::Words { list, .. } = of {
        names.clone_from(list);
    } else if integers && met.len() <= 8 {
        met.sort_unstable();
        names = met
            .iter()
            .map(|label| if *label < 0 { "none".to_owned() } else { format!("{label}") })
            .collect();
        for value in &mut values {
            if let Some(place) = met.iter().position(|label| *label as f64 == *value) {
                *value = place as f64;
            }
        }
    }
    // Only what occurs is explained.
    if words {
        let used: Vec<usize> = (0..names.len()).filter(|k| values.contains(&(*k as f64))).collect();
        for value in &mut values {
            if let Some(place) = used.iter().position(|k| *k as f64 == *value) {
                *value = place as f64;
            }
        }
        names = used.iter().map(|&k| names[k].clone()).collect();
    }
    Ok(Chart {
        title: title(study, request),
        x: axis_of(&x, columns.logarithmic),
        y: axis_of(&y, tall.logarithmic),
        heat: Some(Heat {
            columns: columns.count,
            rows: tall.count,
            x: columns.ends,
            y: tall.ends,
            values,
            label: if names.is_empty() { label(&colour) } else { String::new() },
            names,
            ..Heat::default()
        }),
        ..Chart::default()
    })
}

/// What strobes keep, over an axis: a density, so that a million points are one picture.
fn bifurcation(
    study: &Study,
    table: &Table,
    rows: &[usize],
    axis: &str,
    request: &Request,
) -> Result<Chart, Failure> {
    let across = table.column(axis)?;
    let wanted = request.y.clone();
    let kept: Vec<&String> = table
        .all
        .names
        .iter()
        .filter(|name| {
            let rest = name.strip_prefix("strobe_").or_else(|| name.strip_prefix("section_"));
            rest.and_then(|rest| rest.rsplit_once('_'))
                .is_some_and(|(of, _)| wanted.as_deref().is_none_or(|y| of == y))
        })
        .collect();
    let Some(first) = kept.first() else {
        return Err(refuse("the study keeps no strobe or section of that: [measure] strobe"));
    };
    let of = first
        .trim_start_matches("strobe_")
        .trim_start_matches("section_")
        .rsplit_once('_')
        .map_or(String::new(), |(of, _)| of.to_owned());
    let mut points = Vec::new();
    for name in &kept {
        let column = table.column(name)?;
        let same = name.trim_start_matches("strobe_").trim_start_matches("section_");
        if same.rsplit_once('_').is_none_or(|(own, _)| own != of) {
            continue;
        }
        for &row in rows {
            if let (Some(x), Some(y)) = (across.number(row), column.number(row))
                && y.is_finite()
            {
                points.push((x, y));
            }
        }
    }
    let ends = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
    };
    let x = ends(&mut points.iter().map(|point| point.0));
    let y = ends(&mut points.iter().map(|point| point.1));
    let distinct = cells(study, axis, across, rows).count;
    let (columns, tall) = (DENSITY.0.min(distinct), DENSITY.1);
    let mut values = vec![f64::NAN; columns * tall];
    let place = |value: f64, (low, high): (f64, f64), count: usize| {
        let part = if high > low { (value - low) / (high - low) } else { 0.5 };
        ((part * count as f64) as usize).min(count - 1)
    };
    for (a, b) in points {
        let cell = &mut values[place(b, y, tall) * columns + place(a, x, columns)];
        *cell = if cell.is_nan() { 1.0 } else { *cell + 1.0 };
    }
    // A few points are as dark as many; where there is none there is paper.
    for value in values.iter_mut().filter(|value| value.is_finite()) {
        *value = value.min(8.0);
    }
    let margin = 0.03 * (y.1 - y.0).max(f64::MIN_POSITIVE);
    Ok(Chart {
        title: title(study, request),
        x: axis_of(axis, false),
        y: ChartAxis {
            range: Range::Fixed { low: y.0 - margin, high: y.1 + margin },
            ..axis_of(&of, false)
        },
        heat: Some(Heat {
            columns,
            rows: tall,
            x,
            y,
            values,
            tint: Tint::Density,
            ..Heat::default()
        }),
        ..Chart::default()
    })
}

/// The cells of an axis.
struct Cells {
    count: usize,
    /// Of the first and the last cell, from edge to edge.
    ends: (f64, f64),
    logarithmic: bool,
}

impl Cells {
    fn of(&self, value: f64) -> Option<usize> {
        let place = |value: f64| if self.logarithmic { value.abs().log10() } else { value };
        let (low, high) = (place(self.ends.0), place(self.ends.1));
        let part = (place(value) - low) / (high - low);
        let inside = part.is_finite() && (-1e-9..=1.0 + 1e-9).contains(&part);
        inside.then(|| ((part * self.count as f64).max(0.0) as usize).min(self.count - 1))
    }
}

/// The cells of a column: those of the grid of its axis, or a hundred.
fn cells(study: &Study, name: &str, column: &PartColumn, rows: &[usize]) -> Cells {
    const OTHERWISE: usize = 100;
    let axis = study.axes.iter().find(|axis| axis.name == name);
    let grid = axis.filter(|_| study.sample == Sample::Grid).map(|axis| &axis.values);
    if let Some(Values::Range { from, to, count, logarithmic }) = grid
        && *count > 1
    {
        let count = usize::try_from(*count).unwrap_or(OTHERWISE);
        let (low, high) = (from.min(*to), from.max(*to));
        let ends = match logarithmic {
            true => {
                let numbers = &mut Numbers;
                let ratio = log(numbers, high / low);
                let half = exp(numbers, ratio / (count - 1) as f64 / 2.0);
                (low / half, high * half)
            }
            false => {
                let half = (high - low) / (count - 1) as f64 / 2.0;
                (low - half, high + half)
            }
        };
        return Cells { count, ends, logarithmic: *logarithmic };
    }
    let values =
        rows.iter().filter_map(|&row| column.number(row)).filter(|value| value.is_finite());
    let ends = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let mut distinct: Vec<u64> =
        rows.iter().filter_map(|&row| Some(column.number(row)?.to_bits())).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let count = distinct.len().clamp(1, OTHERWISE);
    let half = (ends.1 - ends.0) / (count.max(2) - 1) as f64 / 2.0;
    let half = if half > 0.0 { half } else { 0.5 };
    Cells { count, ends: (ends.0 - half, ends.1 + half), logarithmic: false }
}

/// Where nothing is asked for: attractors, or the first thing that is measured.
fn usual_colour(table: &Table) -> String {
    let names = &table.all.names;
    let known = |prefix: &str| names.iter().find(|name| name.starts_with(prefix)).cloned();
    let usual = ["attractor", "lyapunov", "mean_", "max_", "min_"].into_iter().find_map(known);
    usual.unwrap_or_else(|| "outcome".to_owned())
}

fn axis_of(name: &str, logarithmic: bool) -> ChartAxis {
    let scale = if logarithmic { Scale::Log10 } else { Scale::Linear };
    ChartAxis { label: label(name), scale, ..ChartAxis::default() }
}

/// A name of a column as it is printed.
fn label(name: &str) -> String {
    let (before, name) = ["final_", "mean_", "max_", "min_"]
        .into_iter()
        .find_map(|prefix| name.strip_prefix(prefix).map(|rest| (prefix, rest)))
        .map_or(("", name), |(prefix, rest)| (prefix, rest));
    let before = match before {
        "final_" => "last ",
        "mean_" => "mean of ",
        "max_" => "largest ",
        "min_" => "least ",
        _ => "",
    };
    format!("{before}{}", formula_of(name))
}

fn title(study: &Study, request: &Request) -> String {
    let name = isotrope::rooms::algebra::print::visible(&study.name).replace('$', "");
    let at: Vec<String> = request.at.iter().map(Filter::text).collect();
    if at.is_empty() { name } else { format!("{name}, {}", at.join(", ")) }
}

fn refuse(message: &str) -> Failure {
    Failure::plain(SweepCode::Column, message, SweepCode::Column.hint())
}

#[cfg(test)]
mod tests {
    use isotrope::rooms::output::writers::Part;

    use super::*;
    use crate::study::{Axis, Measure, Runs};

    #[test]
    fn a_bifurcation_diagram_is_paper_where_nothing_is() {
        let study = Study {
            name: String::new(),
            model: String::new(),
            set: Vec::new(),
            run: Runs::default(),
            axes: vec![Axis { name: "A".into(), values: Values::List(vec![1.0, 2.0]) }],
            sample: Sample::Grid,
            measure: Measure::default(),
            reduce: Vec::new(),
        };
        let names = ["A", "outcome", "strobe_x_1", "strobe_x_2", "strobe_y_1"];
        let words = PartColumn::Words { list: vec!["completed".to_owned()], places: vec![0, 0] };
        let columns = vec![
            PartColumn::Numbers(vec![1.0, 2.0]),
            words,
            PartColumn::Numbers(vec![0.0, 0.5]),
            PartColumn::Numbers(vec![1.0, f64::NAN]),
            PartColumn::Numbers(vec![7.0, 8.0]),
        ];
        let all = Part { names: names.map(str::to_owned).to_vec(), columns, metadata: Vec::new() };
        let request = Request { bifurcation: Some("A".to_owned()), ..Request::default() };
        let chart = picture(&study, &Table { all }, &request).unwrap();
        let heat = chart.heat.unwrap();
        let drawn: Vec<f64> = heat.values.iter().copied().filter(|x| !x.is_nan()).collect();
        assert_eq!((heat.columns, heat.y, drawn), (2, (0.0, 1.0), vec![1.0; 3]));
    }
}
