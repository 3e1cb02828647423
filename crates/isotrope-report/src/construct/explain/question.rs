//! What is asked: the equations, what they preserve, the family of methods and its unknowns.

use isotrope_construct::problem::{Problem, StructureKind};
use isotrope_construct::{Pattern, Unknowns};
use isotrope_methods::classes::{Class, Part};

use super::About;
use super::block::{Block, Inline, Section, count, math, paragraph, words};
use super::formula::Formula;
use super::notation::{Entries, Notation};
use isotrope_construct::Answer;
use isotrope_construct::Source;

/// Longer formulas are folded.
const LONG: usize = 600;
/// More stages than this have tables too wide to show.
const WIDE: usize = 7;

/// The system and its structure.
pub(super) fn problem(answer: &Answer, about: &About<'_>) -> Section {
    let mut blocks = match &answer.asked.source {
        Source::Class(class) => class_blocks(*class, about),
        Source::Problem(problem) => problem_blocks(problem),
    };
    blocks.push(wanted(answer));
    Section { id: "problem", title: "The problem", blocks }
}

fn wanted(answer: &Answer) -> Block {
    let wanted = answer.asked.wanted;
    let h = |power: usize| {
        Formula::row([
            Formula::letter("O"),
            Formula::letter("h").power(Formula::digits(power)).enclosed(),
        ])
    };
    let mut text = vec![
        words(format!(
            "Wanted are methods with {} whose solutions have order {}, a local error of ",
            count(wanted.stages, "stage"),
            wanted.order
        )),
        math(h(wanted.order + 1)),
    ];
    if let Some(structure) = wanted.structure {
        text.extend([words(", with a defect of the structure functions of "), math(h(structure))]);
    }
    if let Some(form) = wanted.form {
        text.extend([words(", with a defect of the 2-form of "), math(h(form))]);
    }
    text.push(words(" in one step. A method of order "));
    text.push(math(Formula::letter("k")));
    text.push(words(" has a structure defect of "));
    text.push(math(Formula::row([
        Formula::letter("O"),
        Formula::letter("h")
            .power(Formula::row([
                Formula::letter("k"),
                Formula::sign("+", "+"),
                Formula::digits(1),
            ]))
            .enclosed(),
    ])));
    text.push(words(" without further conditions."));
    Block::Paragraph(text)
}

fn class_blocks(class: Class, about: &About<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(model) = about.model {
        blocks.push(paragraph(format!(
            "{} is of the class {}; what holds for the class holds for it.",
            model.name,
            class.name()
        )));
    }
    blocks.push(paragraph(format!("The class {}: {}.", class.name(), class.description())));
    let letter = Formula::letter;
    let arguments = || Formula::list([letter("q"), letter("v")]).enclosed();
    let partial = |v: &str| {
        Formula::new(format!("\\partial {v}"), format!("<mrow><mo>∂</mo><mi>{v}</mi></mrow>"))
    };
    blocks.push(paragraph("With the multipliers eliminated its equations of motion are"));
    blocks.push(Block::Equations(vec![
        (letter("q").dotted(), letter("v")),
        (letter("v").dotted(), Formula::row([letter("f"), arguments()])),
        (letter("p").dotted(), Formula::row([letter("g"), arguments()])),
    ]));
    blocks.push(paragraph("and solutions stay where these structure functions vanish:"));
    let psi = Formula::new("\\psi", "<mi>ψ</mi>");
    let phi = || Formula::new("\\varphi", "<mi>φ</mi>");
    let mut functions = vec![(
        psi,
        Formula::row([
            letter("p"),
            Formula::sign("-", "−"),
            Formula::fraction(partial("L"), partial("v")),
        ]),
    )];
    let of_q = |f: Formula| Formula::row([f, letter("q").enclosed()]);
    if class.has(Part::PhiV) {
        functions.push((phi().below(letter("v")), Formula::row([of_q(letter("A")), letter("v")])));
    }
    if class.has(Part::PhiQ) {
        functions.push((phi().below(letter("q")), of_q(phi())));
    }
    blocks.push(Block::Equations(functions));
    blocks
}

fn problem_blocks(problem: &Problem) -> Vec<Block> {
    let pool = &problem.pool;
    let shown = |id| Formula::expression(pool, id);
    let unprintable = || Formula::words("(too long to print)");
    let mut blocks = vec![paragraph(match &problem.description {
        Some(text) => format!("{}: {text}", problem.name),
        None => format!("The system {}.", problem.name),
    })];
    let mut rates = Vec::new();
    for (group, (symbols, sides)) in
        problem.groups.iter().zip(problem.symbols().iter().zip(problem.rates()))
    {
        for (name, (_, &side)) in group.variables.iter().zip(symbols.iter().zip(sides)) {
            rates.push((Formula::name(name).dotted(), shown(side).unwrap_or_else(unprintable)));
        }
    }
    let mut text = vec![words(match problem.groups.len() {
        1 => "All variables are treated with one table: ".to_owned(),
        many => format!("The variables come in {many} groups, each with a table of its own: "),
    })];
    for (number, group) in problem.groups.iter().enumerate() {
        if number > 0 {
            text.push(words(", "));
        }
        let variables = Formula::list(group.variables.iter().map(|name| Formula::name(name)));
        text.push(math(Formula::name(&group.name).equals(variables.enclosed())));
    }
    text.push(words(". The equations are"));
    blocks.push(Block::Paragraph(text));
    blocks.push(folded_if_long("the right sides", rates));
    if !problem.parameters.is_empty() {
        let parameters = problem.parameters.iter().map(|parameter| match &parameter.value {
            Some(value) => Formula::name(&parameter.name).equals(Formula::number(value)),
            None => Formula::name(&parameter.name),
        });
        let symbols = problem.parameters.iter().any(|parameter| parameter.value.is_none());
        let also =
            if symbols { "; what has no value is a symbol, for all values at once." } else { "." };
        blocks.push(Block::Paragraph(vec![
            words("Parameters: "),
            math(Formula::list(parameters)),
            words(also),
        ]));
    }
    if !problem.manifold().is_empty() {
        blocks.push(paragraph("Solutions live where these functions vanish:"));
        let zero = |&id: &_| (shown(id).unwrap_or_else(unprintable), Formula::digits(0));
        let list = problem.manifold().iter().map(zero).collect();
        blocks.push(folded_if_long("the manifold", list));
    }
    blocks.push(paragraph("To be preserved are"));
    let functions = problem
        .structure
        .iter()
        .map(|function| {
            let kind = match function.kind {
                StructureKind::Invariant => "",
                StructureKind::Balance => " (stored minus supplied)",
                StructureKind::Manifold => " (a constraint)",
            };
            let name = Formula::words(&format!("{}{kind}", function.name));
            (name, shown(function.expression).unwrap_or_else(unprintable))
        })
        .collect();
    blocks.push(folded_if_long("the structure functions", functions));
    blocks
}

fn folded_if_long(what: &str, list: Vec<(Formula, Formula)>) -> Block {
    let length: usize = list.iter().map(|(_, right)| right.latex.len()).max().unwrap_or(0);
    let equations = Block::Equations(list);
    if length > LONG { Block::Folded(what.to_owned(), vec![equations]) } else { equations }
}

/// Stage and step equations, tables, unknowns.
pub(super) fn family(answer: &Answer) -> Section {
    let unknowns = &answer.construction.question.unknowns;
    let family = unknowns.family();
    let notation = Notation::new(family);
    let stages = unknowns.stages();
    let h = || Formula::letter("h");
    let plus = || Formula::sign("+", "+");
    let mut equations = Vec::new();
    let used = |colour: usize| {
        unknowns.tables().matrices.get(colour).is_some_and(|matrix| !matrix.is_empty())
    };
    let colours = 0..family.colours().len();
    for colour in colours.clone().filter(|&colour| used(colour)) {
        equations.push((
            notation.stage(colour, "i"),
            Formula::row([
                notation.variable(colour),
                plus(),
                h(),
                Formula::sum("j", stages),
                notation.entry(colour, "ij"),
                notation.rate(colour, "j"),
            ]),
        ));
    }
    for colour in colours.clone() {
        let Some(function) = notation.function(colour) else { continue };
        let needed = family.dependencies(colour).iter().map(|d| notation.stage(d.colour, "i"));
        let right = Formula::row([function, Formula::list(needed).enclosed()]);
        equations.push((notation.rate(colour, "i"), right));
    }
    for colour in colours {
        equations.push((
            notation.variable(colour).power(Formula::sign("+", "+")),
            Formula::row([
                notation.variable(colour),
                plus(),
                h(),
                Formula::sum("i", stages),
                notation.weight(colour, "i"),
                notation.rate(colour, "i"),
            ]),
        ));
    }
    let mut blocks = vec![
        paragraph("One step of the methods that are looked for, with its stages and its results:"),
        Block::Equations(equations),
    ];
    blocks.extend(tables(unknowns, &answer.asked.patterns));
    Section { id: "methods", title: "The family of methods", blocks }
}

fn tables(unknowns: &Unknowns, patterns: &[Pattern]) -> Vec<Block> {
    let entries = Entries::new(unknowns);
    let notation = Notation::new(unknowns.family());
    let mut text: Vec<Inline> = Vec::new();
    if patterns.is_empty() {
        text.push(words("All entries of the tables are free. "));
    } else {
        let names: Vec<String> =
            patterns.iter().map(|p| format!("{} ({})", p.name(), p.description())).collect();
        text.push(words(format!("The tables have the pattern {}. ", names.join(", "))));
    }
    text.push(words(format!("That leaves {}", count(unknowns.len(), "unknown"))));
    if unknowns.is_empty() {
        text.push(words("."));
    } else {
        // Apart from each other, so that lines can break.
        let before = std::iter::once(": ").chain(std::iter::repeat(", "));
        for (name, before) in entries.names().zip(before) {
            text.extend([words(before), math(name)]);
        }
        text.push(words("."));
    }
    let mut blocks = vec![Block::Paragraph(text)];
    if unknowns.stages() <= WIDE {
        let entry = |p: &_| entries.polynomial(p).whole();
        let mut list = Vec::new();
        let tables = unknowns.tables();
        for (colour, matrix) in tables.matrices.iter().enumerate() {
            if !matrix.is_empty() {
                let rows: Vec<Vec<Formula>> =
                    matrix.iter().map(|row| row.iter().map(entry).collect()).collect();
                list.push((notation.matrix(colour), Formula::matrix(&rows)));
            }
        }
        for (colour, weights) in tables.weights.iter().enumerate() {
            let row: Vec<Formula> = weights.iter().map(entry).collect();
            list.push((notation.weights(colour), Formula::list(row).enclosed()));
        }
        blocks.push(Block::Equations(list));
    }
    blocks
}
