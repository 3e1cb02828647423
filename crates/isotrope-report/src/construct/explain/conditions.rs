//! Order conditions with their trees, structure conditions, and what each level adds.

use isotrope_construct::symbolic::Route;
use isotrope_construct::{Aim, Freedom, Level, LevelReport};
use isotrope_methods::trees::{TreeId, Trees};

use super::block::{Block, DrawnTree, Inline, Section, count, mark, math, paragraph, words};
use super::formula::{Formula, Line};
use super::notation::{Entries, Notation};
use super::sketch::Sketch;
use isotrope_construct::Answer;
use isotrope_construct::Source;

/// Longer galleries and lists are folded.
const GALLERY: usize = 24;

/// Levels with what is known of them.
fn levels(answer: &Answer) -> impl Iterator<Item = (&Level, Option<&LevelReport>)> {
    let construction = &answer.construction;
    let reports = construction.reports.iter().map(Some).chain(std::iter::repeat(None));
    construction.levels.iter().zip(reports)
}

/// Trees, drawn, with w(t) = 1/γ(t).
pub(super) fn order(answer: &Answer) -> Section {
    let question = &answer.construction.question;
    let trees = &question.trees;
    let notation = Notation::new(trees.family());
    let weight = |t: &str| Formula::row([Formula::letter("w"), Formula::letter(t).enclosed()]);
    let gamma =
        Formula::row([Formula::new("\\gamma", "<mi>γ</mi>"), Formula::letter("t").enclosed()]);
    let mut blocks = vec![Block::Paragraph(vec![
        words(
            "The solution and one step of a method are series over rooted trees whose vertices have \
             the colours of the groups. A method has order ",
        ),
        math(Formula::digits(question.order)),
        words(" if and only if "),
        math(weight("t").equals(Formula::fraction(Formula::digits(1), gamma))),
        words(
            " for all trees with at most that many vertices that such systems have. Weights are written with the vector of \
             ones and the componentwise product of vectors, ",
        ),
        math(Formula::sign("\\odot", "⊙")),
        words(
            ". A condition is marked new if it does not follow from all levels before it and the \
             conditions of its level before it.",
        ),
    ])];
    for (level, report) in levels(answer) {
        match level.aim {
            Aim::Pattern => {
                let entries = Entries::new(&question.unknowns);
                let lines = equations(&entries, level, report);
                blocks.push(Block::Heading("Relations of the pattern".to_owned()));
                blocks.push(Block::Lines(lines));
            }
            Aim::Order(order) => {
                blocks.push(Block::Heading(format!("Order {order}")));
                let gallery = gallery(trees, &notation, level, report);
                blocks.extend(gallery);
            }
            Aim::Structure(_) => {}
        }
    }
    Section { id: "order", title: "Order conditions", blocks }
}

fn gallery(
    trees: &Trees,
    notation: &Notation<'_>,
    level: &Level,
    report: Option<&LevelReport>,
) -> Vec<Block> {
    let new = report.and_then(|report| report.new.as_ref());
    let drawn = |(number, tree): (usize, TreeId)| DrawnTree {
        sketch: Sketch::new(trees, tree),
        forest: trees.forest(tree),
        name: notation.tree(trees, tree),
        condition: notation.order_condition(trees, tree),
        mark: mark(new, number),
    };
    // A class may not have all trees of an order: those of the conditions are drawn.
    let listed = level
        .equations
        .iter()
        .enumerate()
        .filter_map(|(number, equation)| Some((number, trees.find(equation.tree.as_ref()?)?)));
    let all: Vec<DrawnTree> = listed.map(drawn).collect();
    let trees = count(all.len(), "tree");
    if all.len() <= GALLERY {
        return vec![Block::Trees(all)];
    }
    // What is new is shown, the rest is folded.
    let (fresh, rest): (Vec<DrawnTree>, Vec<DrawnTree>) =
        all.into_iter().partition(|tree| tree.mark == Some(super::block::NEW));
    let mut blocks = Vec::new();
    let shown = !fresh.is_empty() && fresh.len() <= GALLERY;
    if shown {
        blocks.push(paragraph(format!("Of {trees} these bring new conditions:")));
        blocks.push(Block::Trees(fresh));
        blocks.push(Block::Folded(
            format!("The other {}", count(rest.len(), "tree")),
            vec![Block::Trees(rest)],
        ));
    } else {
        let every = fresh.into_iter().chain(rest).collect();
        blocks.push(Block::Folded(format!("All {trees}"), vec![Block::Trees(every)]));
    }
    blocks
}

fn equations(entries: &Entries, level: &Level, report: Option<&LevelReport>) -> Vec<Line> {
    let new = report.and_then(|report| report.new.as_ref());
    level
        .equations
        .iter()
        .enumerate()
        .map(|(number, equation)| {
            let line = entries.polynomial(&equation.polynomial).equal_to(Formula::digits(0));
            line.marked(mark(new, number))
        })
        .collect()
}

/// Structure conditions, power by power; none if only an order was asked for.
pub(super) fn structure(answer: &Answer) -> Option<Section> {
    let question = &answer.construction.question;
    if question.structure.is_empty() {
        return None;
    }
    let notation = Notation::new(question.trees.family());
    let entries = Entries::new(&question.unknowns);
    let mut blocks = vec![Block::Paragraph(sources(answer))];
    for (level, report) in levels(answer) {
        let Aim::Structure(power) = level.aim else { continue };
        let Some(conditions) = question.structure.iter().find(|s| s.power == power) else {
            continue;
        };
        blocks.push(Block::Heading(format!("The coefficient of h to the power {power}")));
        let new = report.and_then(|report| report.new.as_ref());
        let weights: Vec<Line> = conditions
            .conditions
            .iter()
            .enumerate()
            .map(|(number, condition)| {
                let line = notation.structure_condition(&question.trees, condition);
                line.marked(mark(new, number))
            })
            .collect();
        let number = weights.len();
        let list = Block::Lines(weights);
        blocks.push(match number {
            0 => {
                paragraph("No condition: the coefficient vanishes for every method of this order.")
            }
            _ if number > GALLERY => Block::Folded(count(number, "condition"), vec![list]),
            _ => list,
        });
        if number > 0 {
            blocks.push(Block::Folded(
                "The same in the entries of the tables".to_owned(),
                vec![Block::Lines(equations(&entries, level, report))],
            ));
        }
    }
    Some(Section { id: "structure", title: "Structure conditions", blocks })
}

/// How structure conditions were found.
fn sources(answer: &Answer) -> Vec<Inline> {
    let asked = &answer.asked;
    let mut text = vec![words(format!(
        "One step is a series in the weights of trees, so each coefficient of the powers of h in the \
         structure functions after the step is a polynomial in these weights. For methods of order {} \
         they vanish under the conditions below, in which the weights of trees up to that order have \
         their values. ",
        asked.wanted.order
    ))];
    match &asked.source {
        Source::Class(class) => {
            let problems: usize = asked.of_class.iter().map(|found| found.problems).sum();
            let checks: usize = asked.of_class.iter().map(|found| found.checks).sum();
            text.push(words(format!(
                "They were found by exact expansion over prime fields on {problems} random problems of \
                 the class {class}, and {checks} coefficients of steps of random methods agree with \
                 them. "
            )));
        }
        Source::Problem(problem) => {
            let route = asked.of_problem.as_ref().map(|found| found.route());
            text.push(words(match route {
                Some(Route::Points { points }) => format!(
                    "They were found from exact values of the Taylor coefficients of {} at {points} \
                     points, over prime fields. ",
                    problem.name
                ),
                _ => format!(
                    "They were found by exact Taylor expansion of the structure functions of {}: the \
                     coefficients have normal forms, and the conditions are proved. ",
                    problem.name
                ),
            }));
        }
    }
    if !asked.failure_probability.is_zero() {
        text.push(words("That a condition was missed has a probability below "));
        text.push(math(Formula::scientific(asked.failure_probability.to_f64())));
        text.push(words("."));
    }
    text
}

/// How many conditions, which are new, what is left.
pub(super) fn summary(answer: &Answer) -> Section {
    let construction = &answer.construction;
    let start = vec![
        vec![words("the tables")],
        vec![words("–")],
        vec![words("–")],
        vec![words(construction.question.unknowns.len().to_string())],
    ];
    let row = |report: &LevelReport| {
        let name = match report.aim {
            Aim::Pattern => words("relations of the pattern"),
            Aim::Order(order) => words(format!("order {order}")),
            Aim::Structure(power) => words(format!("structure, power {power} of h")),
        };
        let new =
            report.new.as_ref().map_or_else(|| "not known".to_owned(), |n| n.len().to_string());
        let left = match report.freedom {
            Freedom::Dimension(dimension) => dimension.to_string(),
            Freedom::Contradiction => "no solution".to_owned(),
            Freedom::OutOfReach => "basis out of reach".to_owned(),
        };
        vec![
            vec![name],
            vec![words(report.conditions.to_string())],
            vec![words(new)],
            vec![words(left)],
        ]
    };
    let rows = std::iter::once(start).chain(construction.reports.iter().map(row)).collect();
    let columns = ["level", "conditions", "new", "dimension left"].map(str::to_owned).to_vec();
    let blocks = vec![
        paragraph(
            "Is a condition new? It is not if its remainder modulo a Groebner basis of the levels \
             before is zero, or a combination of the remainders of others of its level. The dimension \
             is that of the set of complex solutions; levels on the way are computed modulo a prime.",
        ),
        Block::Table(columns, rows),
    ];
    Section { id: "levels", title: "Level by level", blocks }
}
