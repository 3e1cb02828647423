//! The page of a comparison.

use isotrope_derive::{Analysis, System};
use isotrope_kernel::stepper::Rotation;
use isotrope_study::compare::{self, Comparison};
use isotrope_study::report::shortest;
use isotrope_study::scene::Scene;

use super::bodies::animation;
use super::html::sections;
use super::page::{Align, Cell, Column, ReportPage, Table, Tone};

/// What a page says besides the comparison.
#[derive(Debug, Clone, Copy)]
pub struct PageSource<'a> {
    /// The file of the model.
    pub model_text: &'a str,
    /// The command that makes the page again.
    pub command: &'a str,
    /// The rotations of a configuration on a Lie group.
    pub rotations: &'a [Rotation],
    /// What is drawn of the system.
    pub scene: &'a Scene,
}

/// A self-contained page: table, pictures, equations, model.
pub fn comparison_page(
    comparison: &Comparison,
    system: &mut System,
    analysis: &Analysis,
    source: PageSource<'_>,
) -> String {
    let names: Vec<String> = system.symbols.names.clone();
    let charts = compare::pictures(comparison, &names, source.rotations);
    let document = super::document(system, analysis);
    let equations = sections(&document, &system.model.pool);
    ReportPage {
        title: comparison.model.clone(),
        description: description(comparison),
        table: table(comparison),
        animation: animation(comparison, source.scene),
        charts,
        notes: notes(comparison),
        equations,
        model_text: source.model_text.to_owned(),
        reproduce: source.command.to_owned(),
    }
    .to_html()
}

fn description(comparison: &Comparison) -> String {
    let mut methods: Vec<&str> =
        comparison.rows.iter().map(|row| row.run.method.as_str()).collect();
    methods.sort_unstable();
    methods.dedup();
    let time = comparison.rows.first().map_or(0.0, |row| row.run.time);
    let reference = comparison.reference.as_ref().map_or_else(String::new, |reference| {
        format!(
            " The reference solution is that of {} with step {}; its error is about {:.0e}.",
            reference.method,
            shortest(reference.step),
            reference.estimated_error
        )
    });
    format!("{} methods over a time of {time}.{reference}", methods.len())
}

fn table(comparison: &Comparison) -> Table {
    let source = comparison.table();
    let columns = source
        .headings
        .iter()
        .zip(&source.meanings)
        .map(|(&title, &note)| {
            let word = matches!(title, "method" | "outcome");
            Column {
                title: title.to_owned(),
                note: note.to_owned(),
                align: if word { Align::Left } else { Align::Right },
                bars: !matches!(title, "method" | "outcome" | "order" | "step" | "cost"),
            }
        })
        .collect();
    let rows = source
        .lines
        .iter()
        .zip(&comparison.rows)
        .map(|(line, row)| {
            let complete = row.run.outcome.is_success();
            line.iter()
                .zip(&source.headings)
                .map(|(cell, &title)| {
                    let note = cell.note.clone().unwrap_or_default();
                    let tone = match title {
                        "outcome" if !complete => Tone::Bad,
                        _ if cell.text.is_empty() => Tone::Soft,
                        _ => Tone::Plain,
                    };
                    let text =
                        if cell.text.is_empty() { "–".to_owned() } else { cell.text.clone() };
                    Cell { value: cell.text.parse().ok(), text, note, tone }
                })
                .collect()
        })
        .collect();
    Table {
        title: "Methods".to_owned(),
        caption: "Largest errors over all steps; what the headings mean stands below.".to_owned(),
        columns,
        rows,
    }
}

fn notes(comparison: &Comparison) -> Vec<String> {
    let mut notes = vec![
        "Keeping a constraint is not keeping the geometry: a method can satisfy the constraints to \
         rounding and still lose energy over long times. isotrope methods NAME says what a method \
         keeps, and to which order; isotrope drift measures it."
            .to_owned(),
    ];
    if comparison.rows.iter().any(|row| row.run.errors_shifted.is_some()) {
        notes.push(
            "Errors of staggered schemes (dirac, dla) are measured at the pair that belongs to the \
             scheme, where their constraints hold; --json has those at what a step leaves behind."
                .to_owned(),
        );
    }
    notes
}
