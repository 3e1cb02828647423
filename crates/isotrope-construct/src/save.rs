//! A constructed method as a file.

use isotrope_algebra::Budget;
use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::syntax::Span;
use isotrope_certify::DefectOrder;
use isotrope_methods::table::{Claim, ClaimedOrder, Declared, Table, TableProblem, write_table};

use super::answer::{Answer, Certified, CertifiedMethod};
use super::ask::Source;

/// Operations for writing exact coefficients.
const BUDGET: u64 = 500_000_000;

/// The text of a table file with the orders that were certified; of a method with tables for
/// groups of its own, the tables by group.
pub fn saved(answer: &Answer, method: &CertifiedMethod) -> Result<String, TableProblem> {
    let family = answer.construction.question.unknowns.family();
    let table: Option<Table> = match &method.certified {
        Certified::Table { table, .. } => Some((**table).clone()),
        Certified::Groups => {
            let name = format!("constructed-{}", answer.asked.wanted.stages);
            method.solution.tables.table(family, &name).transpose()?
        }
    };
    match table {
        Some(table) => write_table(&table, &declared(answer, method), &mut Budget::new(BUDGET)),
        None => Ok(by_groups(answer, method)),
    }
}

/// Are the methods tables for q, v and p?
pub fn is_table(answer: &Answer) -> bool {
    let family = answer.construction.question.unknowns.family();
    answer.methods.first().is_some_and(|m| m.solution.tables.coefficients(family).is_some())
}

fn declared(answer: &Answer, method: &CertifiedMethod) -> Declared {
    // Nothing was read, so there is no place to name.
    let span = Span::default();
    let number = |order: usize| u32::try_from(order).unwrap_or(u32::MAX);
    // Of the table: the order on a class can be higher.
    let order = match &method.certified {
        Certified::Table { certificate, .. } => certificate.order,
        Certified::Groups => method.claims.order,
    };
    let order = order.map(|order| (number(order), span));
    let mut declared = Declared { order, ..Declared::default() };
    if let (Source::Class(class), Some(structure)) = (&answer.asked.source, method.claims.structure)
    {
        let order = match structure {
            DefectOrder::Infinite => ClaimedOrder::Infinite,
            DefectOrder::Exactly(m) | DefectOrder::AtLeast(m) => ClaimedOrder::Finite(number(m)),
        };
        declared.structure.push(Claim { class: *class, order, span });
    }
    declared
}

fn by_groups(answer: &Answer, method: &CertifiedMethod) -> String {
    let tables = &method.solution.tables;
    let unknowns = &answer.construction.question.unknowns;
    let list = |x: &Vec<FieldElement>| {
        let texts: Vec<String> =
            x.iter().map(|e| format!("\"{}\"", exact(&tables.field, e))).collect();
        format!("[{}]", texts.join(", "))
    };
    let mut text = format!("stages = {}\n", unknowns.stages());
    let colours = unknowns.family().colours();
    for ((colour, matrix), weights) in colours.iter().zip(&tables.matrices).zip(&tables.weights) {
        text.push_str(&format!("\n[groups.{}]\n", colour.name()));
        if !matrix.is_empty() {
            let rows: Vec<String> = matrix.iter().map(list).collect();
            text.push_str(&format!("a = [{}]\n", rows.join(", ")));
        }
        text.push_str(&format!("b = {}\n", list(weights)));
    }
    text
}

/// Operations for writing one number.
const EXACT_BUDGET: u64 = 50_000_000;

/// An exact number as text.
pub fn exact(field: &NumberField, element: &FieldElement) -> String {
    if let Some(value) = element.as_rational() {
        return value.to_string();
    }
    match field.to_algebraic(element, &mut Budget::new(EXACT_BUDGET)) {
        Ok(number) => number.to_string(),
        Err(_) => field.to_f64(element).map_or_else(|_| "?".to_owned(), |value| value.to_string()),
    }
}
