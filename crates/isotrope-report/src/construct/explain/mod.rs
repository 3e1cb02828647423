//! The derivation as a paper gives it: a page, or a LaTeX document.

mod alternatives;
mod block;
mod conditions;
mod formula;
mod latex;
mod methods;
mod notation;
mod page;
mod question;
mod sketch;
mod slopes;
mod solutions;
#[cfg(test)]
mod tests;

use std::path::Path;

use isotrope_construct::Freedom;

use block::{Block, Section, count};
use isotrope_construct::Answer;
use isotrope_construct::Source;

pub use methods::title as method_title;
pub use slopes::Measured;

/// The format of an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A self-contained page.
    Html,
    /// A complete LaTeX document.
    Latex,
}

impl Format {
    /// The format of a file, by the end of its name.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "html" | "htm" => Some(Self::Html),
            "tex" => Some(Self::Latex),
            _ => None,
        }
    }
}

/// A model that was given.
#[derive(Debug, Clone, Copy)]
pub struct GivenModel<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its file.
    pub text: &'a str,
}

/// What is reported besides the answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    /// The model that the class was read off.
    pub model: Option<GivenModel<'a>>,
    /// Measured slopes.
    pub measured: Option<&'a Measured>,
    /// The command that writes the document again.
    pub command: &'a str,
}

/// A document before it is written.
struct Explanation {
    title: String,
    lead: String,
    /// Styles of the trees for LaTeX.
    tree_styles: String,
    sections: Vec<Section>,
}

/// Writes how an answer was found.
pub fn explain(answer: &Answer, about: &About<'_>, format: Format) -> String {
    let mut sections = vec![
        Some(question::problem(answer, about)),
        Some(question::family(answer)),
        Some(conditions::order(answer)),
        conditions::structure(answer),
        Some(conditions::summary(answer)),
        Some(solutions::basis(answer)),
        solutions::families(answer),
        methods::chosen(answer),
        methods::certificates(answer),
        alternatives::section(answer),
        about.measured.map(|measured| slopes::section(answer, measured)),
    ];
    if let Some(model) = about.model {
        let blocks = vec![Block::Code(model.text.to_owned())];
        sections.push(Some(Section { id: "model", title: "The model", blocks }));
    }
    let blocks =
        vec![block::paragraph("This document was written by"), Block::Code(wrapped(about.command))];
    sections.push(Some(Section { id: "reproduce", title: "Reproduce this page", blocks }));
    let explanation = Explanation {
        title: title(answer),
        lead: lead(answer),
        tree_styles: answer.construction.question.unknowns.family().forest_styles(),
        sections: sections.into_iter().flatten().collect(),
    };
    match format {
        Format::Html => page::to_html(&explanation),
        Format::Latex => latex::to_latex(&explanation),
    }
}

/// A command in lines that fit, broken before options.
fn wrapped(command: &str) -> String {
    const WIDTH: usize = 76;
    let mut out = String::new();
    let mut used = 0;
    for (number, option) in command.split(" --").enumerate() {
        let option = if number == 0 { option.to_owned() } else { format!("--{option}") };
        if number > 0 && used + option.len() > WIDTH {
            out.push_str(" \\\n    ");
            used = 4;
        } else if number > 0 {
            out.push(' ');
        }
        used += option.len() + 1;
        out.push_str(&option);
    }
    out
}

fn title(answer: &Answer) -> String {
    let wanted = answer.asked.wanted;
    let on = match &answer.asked.source {
        Source::Class(class) => format!("the class {class}"),
        Source::Problem(problem) => problem.name.clone(),
    };
    let structure = wanted.structure.map_or_else(String::new, |m| format!(", structure {m}"));
    let form = wanted.form.map_or_else(String::new, |m| format!(", 2-form {m}"));
    format!("{}, order {}{structure}{form}: {on}", count(wanted.stages, "stage"), wanted.order)
}

/// The result in a few sentences.
fn lead(answer: &Answer) -> String {
    let construction = &answer.construction;
    let conditions: usize = construction.levels.iter().map(|level| level.equations.len()).sum();
    let unknowns = count(construction.question.unknowns.len(), "unknown");
    let mut text = format!("{} in {unknowns}. ", count(conditions, "condition"));
    text.push_str(&match construction.freedom() {
        Freedom::Contradiction => format!(
            "They contradict each other: there is no such method. {} of them suffice for that.",
            construction.contradiction.conditions.len()
        ),
        Freedom::Dimension(0) => match construction.real_solutions {
            Some(1) => {
                "Up to the order of the stages exactly one method satisfies them.".to_owned()
            }
            Some(0) => "All their solutions are complex.".to_owned(),
            _ => "They have finitely many solutions.".to_owned(),
        },
        Freedom::Dimension(dimension) => format!(
            "Their solutions form a set of dimension {dimension}{}.",
            match construction.families.len() {
                0 | 1 => String::new(),
                many => format!(" with {many} components"),
            }
        ),
        Freedom::OutOfReach => "Their basis is out of reach.".to_owned(),
    });
    if let Some(first) = answer.methods.first() {
        text.push_str(&format!(
            " The method that is chosen: {}; {}.",
            super::text::claims(answer, first),
            super::text::cost(first)
        ));
    }
    text
}
