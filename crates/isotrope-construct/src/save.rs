//! A constructed method as a file.

use isotrope_algebra::Budget;
use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::syntax::Span;
use isotrope_certify::DefectOrder;
use isotrope_methods::classes::Class;
use isotrope_methods::table::{
    Claim, ClaimedOrder, Declared, GroupTable, GroupedDeclared, GroupedTable, Table, TableProblem,
    write_grouped, write_table,
};

use super::answer::{Answer, Certified, CertifiedMethod};
use super::ask::Source;
use crate::problem::Problem;

/// Operations for writing exact coefficients.
const BUDGET: u64 = 500_000_000;

/// The text of a table file with the orders that were certified; of a method with tables for
/// groups of its own, the tables by group.
pub fn saved(answer: &Answer, method: &CertifiedMethod) -> Result<String, TableProblem> {
    let family = answer.construction.question.unknowns.family();
    if let Source::Problem(problem) = &answer.asked.source
        && family.name() != "qvp"
    {
        return Ok(by_groups(answer, method, problem));
    }
    let table: Option<Table> = match &method.certified {
        Certified::Table { table, .. } => Some((**table).clone()),
        Certified::Groups => {
            let name = format!("constructed-{}", answer.asked.wanted.stages);
            method.solution.tables.table(family, &name).transpose()?
        }
    };
    match table {
        Some(table) => write_table(&table, &declared(answer, method), &mut Budget::new(BUDGET)),
        None => Err(TableProblem::Shape { part: "b", stages: answer.asked.wanted.stages }),
    }
}

/// The best combination of known tables as a file; `None` if there is none.
pub fn saved_combination(answer: &Answer) -> Option<Result<String, TableProblem>> {
    let combination = answer.combinations.as_ref()?.found.first()?;
    let Source::Class(class) = &answer.asked.source else { return None };
    let span = Span::default();
    let number = |order: usize| u32::try_from(order).unwrap_or(u32::MAX);
    let order = Some((number(combination.order()), span));
    let mut declared = Declared { order, ..Declared::default() };
    if let Some(orders) = combination.certificate.on(*class) {
        let claim = |order: DefectOrder| Claim { class: *class, order: claimed(order), span };
        declared.structure.extend(orders.structure.map(claim));
        declared.form.extend(orders.form.map(claim));
    }
    Some(write_table(&combination.table, &declared, &mut Budget::new(BUDGET)))
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
    let order = method.claims.order.map(|order| (number(order), span));
    let mut declared = Declared { order, ..Declared::default() };
    if let Source::Class(class) = &answer.asked.source {
        // Orders are those on the class: trees that its systems do not have ask for nothing.
        declared.class = Some(*class).filter(|class| *class != Class::Generic);
        let claim = |order: DefectOrder| Claim { class: *class, order: claimed(order), span };
        declared.structure.extend(method.claims.structure.map(claim));
        declared.form.extend(method.claims.form.map(claim));
    }
    declared
}

/// The file of a method with tables for the groups of a problem, which it carries along.
fn by_groups(answer: &Answer, method: &CertifiedMethod, problem: &Problem) -> String {
    let table = grouped(answer, method, problem);
    let span = Span::default();
    let number = |order: usize| u32::try_from(order).unwrap_or(u32::MAX);
    let declared = GroupedDeclared {
        class: problem.text.is_some().then(|| (problem.name.clone(), span)),
        order: method.claims.order.map(|order| (number(order), span)),
        structure: method.claims.structure.map(|structure| (claimed(structure), span)),
    };
    write_grouped(&table, &declared, problem.text.as_deref())
}

/// A method with tables for the groups of a problem.
pub fn grouped(answer: &Answer, method: &CertifiedMethod, problem: &Problem) -> GroupedTable {
    let tables = &method.solution.tables;
    let wanted = answer.asked.wanted;
    let kept = wanted.structure.unwrap_or(wanted.order + 1);
    let groups = problem.groups.iter().zip(&tables.matrices).zip(&tables.weights).enumerate();
    let groups = groups.map(|(number, ((group, matrix), weights))| GroupTable {
        name: group.name.clone(),
        variables: problem.variables(number),
        a: (!matrix.is_empty()).then(|| matrix.clone()),
        b: weights.clone(),
    });
    GroupedTable {
        name: format!("constructed-{}-{}-{kept}", wanted.stages, wanted.order),
        stages: wanted.stages,
        field: tables.field.clone(),
        groups: groups.collect(),
        preserved: Vec::new(),
    }
}

/// An exponent as it is declared.
fn claimed(structure: DefectOrder) -> ClaimedOrder {
    let number = |order: usize| u32::try_from(order).unwrap_or(u32::MAX);
    match structure {
        DefectOrder::Infinite => ClaimedOrder::Infinite,
        DefectOrder::Exactly(m) | DefectOrder::AtLeast(m) => ClaimedOrder::Finite(number(m)),
    }
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
