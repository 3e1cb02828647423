//! The basis of all conditions, and the set of solutions.

use isotrope_construct::{Freedom, SolutionFamily};

use super::block::{Block, Inline, Section, count, math, paragraph, words};
use super::formula::{Formula, Line};
use super::notation::{Entries, Notation};
use isotrope_construct::Answer;

/// Terms of an element that is shown at once.
const SHORT: usize = 14;
/// Elements that are shown at once.
const FEW: usize = 30;

/// The basis with its proof, or the contradiction.
pub(super) fn basis(answer: &Answer) -> Section {
    let construction = &answer.construction;
    let entries = Entries::new(&construction.question.unknowns);
    let mut blocks = Vec::new();
    match &construction.ideal {
        None => blocks.push(paragraph(
            "A Groebner basis of all conditions was out of reach within the time limit.",
        )),
        Some(ideal) => {
            let generators = ideal.generators().len();
            blocks.push(paragraph(format!(
                "The conditions that are not identities, {}, generate an ideal whose reduced Groebner basis in graded reverse lexicographic \
                 order has {}.",
                count(generators, "polynomial"),
                count(ideal.basis().len(), "element")
            )));
            blocks.push(paragraph(if ideal.is_exact() {
                "It is proved over the rationals: all S-polynomials of the basis and all conditions \
                 reduce to zero modulo it, so it is a basis and its ideal contains the conditions. Modulo \
                 a prime the conditions have a basis with the same leading monomials, so their ideal has \
                 at least as many polynomials of every degree, and the two ideals are equal."
            } else {
                "It was reconstructed from bases modulo several primes; that is not a proof."
            }));
            let (short, long): (Vec<Line>, Vec<Line>) = ideal
                .basis()
                .iter()
                .map(|element| entries.polynomial(element))
                .partition(|line| line.pieces.len() <= SHORT);
            let folded = |title: &str, lines: Vec<Line>| {
                Block::Folded(
                    format!("{} {title}", count(lines.len(), "element")),
                    vec![Block::Lines(lines)],
                )
            };
            match short.len() {
                0 => {}
                n if n > FEW => blocks.push(folded("of the basis", short)),
                _ => blocks.push(Block::Lines(short)),
            }
            if !long.is_empty() {
                blocks.push(folded(&format!("with more than {SHORT} terms"), long));
            }
            blocks.push(paragraph(match ideal.dimension() {
                None => "The basis is 1: the conditions have no common zero, real or complex."
                    .to_owned(),
                Some(0) => "Its dimension is 0: there are finitely many solutions.".to_owned(),
                Some(dimension) => format!(
                    "Its dimension is {dimension}: that is how many entries can be chosen, on the largest \
                     components."
                ),
            }));
        }
    }
    if construction.freedom() == Freedom::Contradiction {
        blocks.extend(contradiction(answer, &entries));
    }
    Section { id: "basis", title: "The basis", blocks }
}

fn contradiction(answer: &Answer, entries: &Entries) -> Vec<Block> {
    let construction = &answer.construction;
    let trees = &construction.question.trees;
    let notation = Notation::new(trees.family());
    let equations: Vec<_> = construction
        .contradiction
        .conditions
        .iter()
        .filter_map(|&(level, number)| construction.levels.get(level)?.equations.get(number))
        .collect();
    if equations.is_empty() {
        return Vec::new();
    }
    let minimal = construction.contradiction.minimal;
    let needed = if minimal { ", and none of them can be left out" } else { "" };
    let mut rows: Vec<Vec<Vec<Inline>>> = Vec::new();
    let mut lines = Vec::new();
    for equation in &equations {
        let tree = equation.tree.as_ref().and_then(|name| trees.find(name));
        rows.push(match tree {
            Some(tree) => vec![
                vec![math(notation.tree(trees, tree))],
                vec![math(notation.order_condition(trees, tree))],
            ],
            None => vec![vec![words("–")], vec![words(equation.text.clone())]],
        });
        lines.push(entries.polynomial(&equation.polynomial).equal_to(Formula::digits(0)));
    }
    vec![
        Block::Heading("A contradiction".to_owned()),
        paragraph(format!(
            "There is no such method. These {} contradict each other{needed} (bases modulo a prime):",
            count(equations.len(), "condition")
        )),
        Block::Table(vec!["tree".to_owned(), "condition".to_owned()], rows),
        Block::Folded(
            "The same in the entries of the tables".to_owned(),
            vec![Block::Lines(lines)],
        ),
    ]
}

/// Components and families; none without solutions.
pub(super) fn families(answer: &Answer) -> Option<Section> {
    let construction = &answer.construction;
    let dimension = construction.freedom().dimension()?;
    let entries = Entries::new(&construction.question.unknowns);
    let mut blocks = Vec::new();
    match &construction.components {
        Some(parts) => {
            let number = count(parts.components.len(), "component");
            let sure = if parts.complete {
                "over the rationals"
            } else {
                "; it was not proved that they split no further"
            };
            blocks.push(paragraph(format!(
                "The set of solutions has dimension {dimension} and {number} {sure}."
            )));
        }
        None => blocks.push(paragraph("The components of the set of solutions are out of reach.")),
    }
    if let Some(real) = construction.real_solutions {
        blocks.push(paragraph(match real {
            0 => "All solutions are complex: there is no such method with real entries.".to_owned(),
            1 => "Up to the order of the stages there is exactly one real solution.".to_owned(),
            _ => format!("Up to the order of the stages there are {real} real solutions."),
        }));
    }
    for (number, family) in construction.families.iter().enumerate() {
        blocks.extend(component(family, number, construction.families.len(), &entries));
    }
    Some(Section { id: "solutions", title: "The set of solutions", blocks })
}

fn component(family: &SolutionFamily, number: usize, all: usize, entries: &Entries) -> Vec<Block> {
    let mut blocks = Vec::new();
    if all > 1 {
        let (number, dimension) = (number + 1, family.dimension);
        blocks.push(Block::Heading(format!("Component {number}, of dimension {dimension}")));
    }
    if !family.free.is_empty() {
        let free = family.free.iter().map(|&variable| entries.name(variable));
        blocks.push(Block::Paragraph(vec![
            words("Free are "),
            math(Formula::list(free)),
            words(match &family.parametrisation {
                Some(_) => "; the other entries are",
                None => "; the other entries satisfy",
            }),
        ]));
    }
    let lines: Vec<Line> = match &family.parametrisation {
        Some(functions) => functions
            .iter()
            .enumerate()
            .filter(|(variable, _)| !family.free.contains(variable))
            .map(|(variable, function)| entries.quotient(function).after(entries.name(variable)))
            .collect(),
        None => family
            .ideal
            .basis()
            .iter()
            .map(|g| entries.polynomial(g).equal_to(Formula::digits(0)))
            .collect(),
    };
    let longest = lines.iter().map(|line| line.whole().latex.len()).max().unwrap_or(0);
    blocks.push(if longest > 900 {
        Block::Folded(count(lines.len(), "equation"), vec![Block::Lines(lines)])
    } else {
        Block::Lines(lines)
    });
    blocks
}
