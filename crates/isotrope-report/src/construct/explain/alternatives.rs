//! What was asked for besides: cheaper methods that keep less, combinations of known tables.

use super::block::{Block, Section, paragraph, words};
use super::methods::{exponent, tableaux};
use crate::construct::text::{claims, cost};
use isotrope_construct::Answer;
use isotrope_construct::Source;

/// None if nothing of it was asked for.
pub(super) fn section(answer: &Answer) -> Option<Section> {
    let mut blocks = choices(answer);
    blocks.extend(combinations(answer));
    (!blocks.is_empty()).then_some(Section { id: "alternatives", title: "Other methods", blocks })
}

/// What less structure costs.
fn choices(answer: &Answer) -> Vec<Block> {
    let Some(choices) = &answer.choices else { return Vec::new() };
    let mut blocks = vec![
        Block::Heading("What the structure costs".to_owned()),
        paragraph("Each of these methods is the cheapest for what it keeps:"),
    ];
    for choice in choices {
        blocks.push(Block::Tableaux(tableaux(answer, &choice.method)));
        blocks.push(Block::Facts(vec![
            ("structure asked for".to_owned(), vec![words(choice.structure.to_string())]),
            ("certified".to_owned(), vec![words(claims(answer, &choice.method))]),
            ("cost".to_owned(), vec![words(cost(&choice.method))]),
        ]));
    }
    blocks
}

/// Known tables, one for each group.
fn combinations(answer: &Answer) -> Vec<Block> {
    let (Some(found), Source::Class(class)) = (&answer.combinations, &answer.asked.source) else {
        return Vec::new();
    };
    let mut blocks = vec![
        Block::Heading("Combinations of known tables".to_owned()),
        paragraph(format!(
            "Of {} combinations of known tables, one for each of q, v and p, {} answer the question.",
            found.counts.tried, found.counts.of_structure
        )),
    ];
    if found.found.is_empty() {
        return blocks;
    }
    let rows = found
        .found
        .iter()
        .map(|combination| {
            let [q, v, p] = combination.sources.clone();
            let structure = combination.structure(*class).map_or_else(|| "–".to_owned(), exponent);
            let cost = combination.certificate.cost.as_ref().map(|cost| cost.implicit_stages());
            let cost = match cost {
                Some(0) => "explicit".to_owned(),
                Some(count) => count.to_string(),
                None => "–".to_owned(),
            };
            let order = combination.order().to_string();
            [q, v, p, order, structure, cost].map(|text| vec![words(text)]).to_vec()
        })
        .collect();
    let columns = ["q", "v", "p", "order", "structure", "implicit stages"].map(str::to_owned);
    blocks.push(Block::Table(columns.to_vec(), rows));
    blocks
}
