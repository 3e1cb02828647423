//! The tables that were chosen, why, and what each of them is certified to do.

use isotrope_algebra::number::field::FieldElement;
use isotrope_certify::{Certificate, DefectOrder};
use isotrope_construct::{Block as StageBlock, Route, Shape};

use super::block::{Block, Inline, Section, Tableau, count, math, paragraph, words};
use super::formula::Formula;
use super::notation::Notation;
use crate::construct::text::{claims, cost, why};
use crate::methods::evidence;
use isotrope_construct::exact;
use isotrope_construct::{Answer, Certified, CertifiedMethod};

/// Shapes that are listed.
const SHAPES: usize = 8;

/// How a method is called on the page.
pub fn title(number: usize) -> String {
    format!("Method {}", number + 1)
}

/// Tableaux, costs, error constants.
pub(super) fn chosen(answer: &Answer) -> Option<Section> {
    let construction = &answer.construction;
    construction.freedom().dimension().or_else(|| construction.solutions.len().checked_sub(1))?;
    let mut blocks = Vec::new();
    if answer.methods.is_empty() {
        blocks.push(paragraph(match construction.real_solutions {
            Some(0) => "All solutions are complex.",
            _ => "No real solution with simple entries was found; there may be others.",
        }));
    }
    if let Some(first) = answer.methods.first() {
        blocks.extend(choice(answer, first));
    }
    for (number, method) in answer.methods.iter().enumerate() {
        blocks.push(Block::Heading(title(number)));
        blocks.push(Block::Tableaux(tableaux(answer, method)));
        let found = match method.solution.route {
            Route::Basis => "on the set of solutions that the basis describes",
            Route::Numerical => "by Newton's method from many starts, recognised, proved",
            Route::Known => "as known tables, one for each group",
            Route::Theorem => "as the only one there is, by a theorem",
        };
        blocks.push(Block::Facts(vec![
            ("cost".to_owned(), vec![words(cost(method))]),
            (
                "error constant".to_owned(),
                error_constant(method.solution.error_constant, next_order(answer, method)),
            ),
            ("found".to_owned(), vec![words(found)]),
        ]));
    }
    Some(Section { id: "tables", title: "The methods", blocks })
}

/// The first order that a method does not have.
fn next_order(answer: &Answer, method: &CertifiedMethod) -> usize {
    let order = match &method.certified {
        Certified::Table { .. } => method.claims.order,
        Certified::Groups => None,
    };
    order.unwrap_or(answer.asked.wanted.order) + 1
}

/// The norm of the residuals of the next order; zero if its conditions hold as well.
fn error_constant(value: f64, next: usize) -> Vec<Inline> {
    // Residuals are exact, their norm is rounded.
    if value < 1e-14 {
        return vec![words(format!("0: all conditions of order {next} hold as well"))];
    }
    vec![
        words(format!("{value:.4}, the norm of ")),
        math(residual()),
        words(format!(" over the trees of order {next}")),
    ]
}

/// (w(t) − 1/γ(t))/σ(t).
fn residual() -> Formula {
    let of_t = |f: Formula| Formula::row([f, Formula::letter("t").enclosed()]);
    let gamma = of_t(Formula::new("\\gamma", "<mi>γ</mi>"));
    Formula::row([
        Formula::row([
            of_t(Formula::letter("w")),
            Formula::sign("-", "−"),
            Formula::digits(1),
            Formula::sign("/", "/"),
            gamma,
        ])
        .enclosed(),
        Formula::sign("/", "/"),
        of_t(Formula::new("\\sigma", "<mi>σ</mi>")),
    ])
}

/// Why the first method, and what was ruled out.
fn choice(answer: &Answer, first: &CertifiedMethod) -> Vec<Block> {
    let construction = &answer.construction;
    let mut blocks = vec![
        Block::Paragraph(vec![words(
            "The cost of a method is the sum of the cubes of the numbers of stages that must be \
                 solved for together. Shapes of the tables, that is which stages depend on which, are \
                 tried by ascending cost; among methods of equal cost the one with the smallest error \
                 constant comes first.",
        )]),
        paragraph(format!("Why method 1: {}.", why(answer, first))),
    ];
    let lists = [
        (&construction.excluded, "ruled out by the conditions"),
        (&construction.open, "left open: no simple real point was found"),
    ];
    for (shapes, what) in lists {
        if shapes.is_empty() {
            continue;
        }
        let rows: Vec<Vec<Vec<Inline>>> = shapes
            .iter()
            .take(SHAPES)
            .map(|s| vec![vec![words(shape(s))], vec![words(s.cost().to_string())]])
            .collect();
        let more = shapes.len().saturating_sub(SHAPES);
        let also = if more > 0 { format!("; {more} more are not listed") } else { String::new() };
        blocks.push(Block::Folded(
            format!("{} {what}{also}", count(shapes.len(), "cheaper shape")),
            vec![Block::Table(vec!["stages".to_owned(), "cost".to_owned()], rows)],
        ));
    }
    blocks
}

/// The blocks of stages in words.
fn shape(shape: &Shape) -> String {
    let block = |block: &StageBlock| match block {
        StageBlock::Explicit { diagonal } if diagonal.iter().any(|&d| d) => {
            "explicit with diagonal".to_owned()
        }
        StageBlock::Explicit { .. } => "explicit".to_owned(),
        StageBlock::Implicit { size: 1 } => "implicit".to_owned(),
        StageBlock::Implicit { size } => format!("{size} implicit together"),
    };
    shape.blocks.iter().map(block).collect::<Vec<_>>().join(", ")
}

/// One tableau for each group whose table differs from those before it.
pub(super) fn tableaux(answer: &Answer, method: &CertifiedMethod) -> Vec<Tableau> {
    let tables = &method.solution.tables;
    let field = &tables.field;
    let family = answer.construction.question.unknowns.family();
    let notation = Notation::new(family);
    let value = |x: &FieldElement| Formula::constant(&exact(field, x));
    let mut list: Vec<(Vec<Vec<FieldElement>>, Tableau)> = Vec::new();
    let mut pending: Vec<(Formula, Vec<FieldElement>)> = Vec::new();
    for (colour, (matrix, weights)) in tables.matrices.iter().zip(&tables.weights).enumerate() {
        let labelled = (notation.weights(colour), weights.clone());
        if matrix.is_empty() {
            pending.push(labelled);
            continue;
        }
        if let Some((_, tableau)) = list.iter_mut().find(|(known, _)| known == matrix) {
            tableau.title = Formula::row([
                tableau.title.clone(),
                Formula::sign("=", "="),
                notation.matrix(colour),
            ]);
            add_weights(tableau, labelled, &value);
            continue;
        }
        let node = |row: &Vec<FieldElement>| {
            let zero = field.rational(isotrope_algebra::Rational::ZERO);
            value(&row.iter().fold(zero, |sum, x| field.add(&sum, x)))
        };
        let mut tableau = Tableau {
            nodes: matrix.iter().map(node).collect(),
            rows: matrix.iter().map(|row| row.iter().map(value).collect()).collect(),
            weights: Vec::new(),
            title: notation.matrix(colour),
        };
        add_weights(&mut tableau, labelled, &value);
        list.push((matrix.clone(), tableau));
    }
    // Weights of groups without a matrix stand below the last one.
    if let Some((_, last)) = list.last_mut() {
        for labelled in pending {
            add_weights(last, labelled, &value);
        }
    }
    list.into_iter().map(|(_, tableau)| tableau).collect()
}

/// Equal weights share a row.
fn add_weights(
    tableau: &mut Tableau,
    (letter, weights): (Formula, Vec<FieldElement>),
    value: &impl Fn(&FieldElement) -> Formula,
) {
    let row: Vec<Formula> = weights.iter().map(value).collect();
    match tableau.weights.iter_mut().find(|(_, known)| *known == row) {
        Some((label, _)) => {
            *label = Formula::row([label.clone(), Formula::sign("=", "="), letter]);
        }
        None => tableau.weights.push((letter, row)),
    }
}

/// What each method does, computed from its table again.
pub(super) fn certificates(answer: &Answer) -> Option<Section> {
    if answer.methods.is_empty() {
        return None;
    }
    let mut blocks = Vec::new();
    for (number, method) in answer.methods.iter().enumerate() {
        blocks.push(Block::Heading(title(number)));
        match &method.certified {
            Certified::Table { certificate, .. } => blocks.extend(certified(certificate)),
            Certified::Groups => blocks.push(paragraph(format!(
                "Every condition was evaluated at the table, exactly: {}.",
                claims(answer, method)
            ))),
        }
    }
    Some(Section { id: "certificates", title: "Certificates", blocks })
}

fn certified(certificate: &Certificate) -> Vec<Block> {
    let order = certificate.order.map_or_else(|| "not certified".to_owned(), |o| o.to_string());
    let mut facts =
        vec![("order".to_owned(), vec![words(format!("{order}: {}", evidence(certificate)))])];
    if let Some(tree) = &certificate.first_failing_tree {
        let text = format!("the condition of the tree {tree} fails");
        facts.push(("next order".to_owned(), vec![words(text)]));
    }
    if let Some(energy) = certificate.energy {
        let text = format!("local defect of order {}", exponent(energy));
        facts.push(("energy".to_owned(), vec![words(text)]));
    }
    if let Some(symmetric) = certificate.symmetric {
        let text = if symmetric { "yes, the method is its own adjoint" } else { "no" };
        facts.push(("symmetric".to_owned(), vec![words(text)]));
    }
    let dash = |of: Option<DefectOrder>| of.map_or_else(|| "–".to_owned(), exponent);
    let rows = certificate
        .classes
        .iter()
        .map(|orders| {
            let weakest = orders.weakest.map_or_else(|| "–".to_owned(), |part| part.to_string());
            vec![
                vec![words(orders.class.name())],
                vec![words(dash(orders.structure))],
                vec![words(weakest)],
                vec![words(dash(orders.form))],
            ]
        })
        .collect();
    let columns = ["class", "structure", "fails first", "2-form"].map(str::to_owned).to_vec();
    let mut blocks = vec![Block::Facts(facts), Block::Table(columns, rows)];
    if let Some(sampling) = certificate.sampling {
        blocks.push(paragraph(format!(
            "A number m says that the local defect is of order m in h for the whole class, and for some \
             problem not better; inf that it vanishes, by an algebraic condition on the table. Finite \
             exponents above order + 1 rest on {} random problems and are wrong with probability below 2 \
             to the power -{}.",
            sampling.problems, sampling.bits
        )));
    }
    blocks
}

pub(super) fn exponent(of: DefectOrder) -> String {
    match of {
        DefectOrder::AtLeast(power) => format!("at least {power}"),
        _ => of.to_string(),
    }
}
