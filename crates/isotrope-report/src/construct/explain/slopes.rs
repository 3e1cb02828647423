//! Measured orders of the constructed methods, beside the certified ones.

use isotrope_output::plot::Chart;
use isotrope_study::convergence::{Convergence, Errors, Row};
use isotrope_study::pictures::{self, Curve};
use isotrope_study::report::shortest;

use super::block::{Block, Inline, Section, paragraph, words};
use super::methods::exponent;
use isotrope_construct::Answer;

/// Below this a defect is rounding.
const ROUNDING: f64 = 1e-14;

/// What was measured: a row for each method that is a table for q, v and p.
#[derive(Debug)]
pub struct Measured {
    /// The measured orders.
    pub study: Convergence,
}

/// The table and the picture.
pub(super) fn section(answer: &Answer, measured: &Measured) -> Section {
    let study = &measured.study;
    let power =
        |value: Option<f64>| words(value.map_or_else(|| "–".to_owned(), |v| format!("{v:.2}")));
    // The 2-form is measured where the exact flow keeps it.
    let with_form = study.rows.iter().any(|row| row.local.form.is_some());
    let rows: Vec<Vec<Vec<Inline>>> = study
        .rows
        .iter()
        .zip(answer.methods.iter().filter(|method| answer.table_of(method).is_some()))
        .map(|(row, method)| {
            let (global, local) = (&row.global, &row.local);
            let constraint = global.constraint_velocity;
            let certified = (
                method.claims.order.map_or_else(|| "–".to_owned(), |order| order.to_string()),
                method.claims.structure.map_or_else(|| "–".to_owned(), exponent),
            );
            let measured = |of: Option<_>| of.map_or_else(|| "–".to_owned(), exponent);
            let mut cells = vec![
                vec![words(row.method.clone())],
                vec![words(format!("({}, {})", certified.0, certified.1))],
                vec![words(format!("({}, {})", measured(local.k), measured(local.m)))],
                vec![power(global.solution)],
                vec![power(global.constraint_position)],
                vec![power(constraint)],
                vec![power(global.legendre)],
                vec![power(global.energy)],
            ];
            if with_form {
                let pair = (measured(method.claims.form), measured(local.form));
                cells.push(vec![words(format!("{}, {}", pair.0, pair.1))]);
            }
            cells
        })
        .collect();
    let mut columns: Vec<String> = [
        "method",
        "certified (k, m)",
        "one step (k, m)",
        "solution",
        "positions",
        "velocities",
        "Legendre",
        "energy",
    ]
    .map(str::to_owned)
    .to_vec();
    if with_form {
        columns.push("2-form".to_owned());
    }
    let reference = study.reference.as_ref().map_or_else(String::new, |reference| {
        format!(
            " The reference solution is that of {} with step {}; its error is about {:.0e}.",
            reference.method,
            shortest(reference.step),
            reference.estimated_error
        )
    });
    let steps = study.rows.iter().map(|row| row.steps.as_slice()).max_by_key(|s| s.len());
    let ladder = match steps {
        Some([first, .., last]) => format!(" with steps from {first} down to {last}"),
        _ => String::new(),
    };
    let mut blocks = vec![
        paragraph(format!(
            "{} was integrated over a time of {}{ladder}.{reference} The pair (k, m) of one step is \
             measured with very small steps in long numbers: order of the solution, and exponent of the \
             local defect of constraints and Legendre map. The other columns are slopes over all \
             steps: of the distance to the reference solution, of the constraints on positions and on \
             velocities, of the Legendre map and of the energy; none stands where there is nothing but \
             rounding. The slope of a structure function is at least m - 1. One model can be \
             better than its class.",
            study.model, study.time
        )),
        Block::Table(columns, rows),
        Block::Picture(
            format!("Distance to the reference solution against the step, {}.", study.model),
            Box::new(study.chart()),
        ),
    ];
    if with_form {
        blocks.push(paragraph(
            "The last column has the exponents of the 2-form on the constraint manifold, the certified \
             one and that of one step.",
        ));
    }
    if let Some(chart) = defects(study) {
        let caption = format!("The largest defect of a structure function, {}.", study.model);
        blocks.push(Block::Picture(caption, Box::new(chart)));
    }
    let stopped = study.rows.iter().filter(|row| row.global.solution.is_none());
    blocks.extend(stopped.map(|row| paragraph(format!("{}: {}", row.method, row.reason))));
    Section { id: "slopes", title: "Measured slopes", blocks }
}

/// Defects above rounding against steps; `None` if there are none.
fn defects(study: &Convergence) -> Option<Chart> {
    let curve = |row: &Row| {
        let Errors { constraint_position, constraint_velocity, legendre, .. } = &row.errors;
        let kinds = [constraint_position, constraint_velocity, legendre];
        let largest = |level: usize| {
            let sizes = kinds.iter().filter_map(|kind| kind.get(level).copied().flatten());
            sizes.reduce(f64::max).filter(|&size| size > ROUNDING)
        };
        let points: Vec<(f64, f64)> = row
            .steps
            .iter()
            .enumerate()
            .filter_map(|(level, &step)| Some((step, largest(level)?)))
            .collect();
        (points.len() > 1).then(|| Curve { name: row.method.clone(), points, slope: None })
    };
    let curves: Vec<Curve> = study.rows.iter().filter_map(curve).collect();
    (!curves.is_empty())
        .then(|| pictures::convergence(&study.model, "defect of the structure", curves))
}
