//! Table → the text of a file that reads back as the same table.

use std::fmt::Write as _;

use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::{Budget, Rational};
use isotrope_model::files::quoted;

use super::Declared;
use super::declared::{Claim, ClaimedOrder};
use crate::table::{StageProduct, Table, TableProblem};

/// The text of a file with this table and these claims.
///
/// A table modulo a node polynomial is written with explicit nodes, which needs their field
/// ([`Table::to_pointwise`]).
pub fn write_table(
    table: &Table,
    declared: &Declared,
    budget: &mut Budget,
) -> Result<String, TableProblem> {
    let explicit;
    let table = match table.product {
        StageProduct::Pointwise => table,
        StageProduct::Modulo(_) => {
            explicit = table.to_pointwise(budget)?;
            &explicit
        }
    };
    let mut text = String::new();
    line(&mut text, "name", &quoted(&table.name));
    line(&mut text, "stages", &table.stages.to_string());
    let writer = Writer { field: &table.field };
    line(&mut text, "a", &writer.matrix(&table.a));
    if table.abar != table.a {
        line(&mut text, "abar", &writer.matrix(&table.abar));
    }
    line(&mut text, "b", &writer.list(&table.b));
    if table.bbar != table.b {
        line(&mut text, "bbar", &writer.list(&table.bbar));
    }
    if table.btil != table.b {
        line(&mut text, "btil", &writer.list(&table.btil));
    }
    if !declared.is_empty() {
        text.push_str("\n[declared]\n");
        if let Some(class) = declared.class {
            line(&mut text, "class", &quoted(class.name()));
        }
        if let Some((order, _)) = declared.order {
            line(&mut text, "order", &order.to_string());
        }
        for (name, claims) in [("structure", &declared.structure), ("form", &declared.form)] {
            if !claims.is_empty() {
                line(&mut text, name, &by_class(claims));
            }
        }
    }
    Ok(text)
}

pub(super) fn line(text: &mut String, key: &str, value: &str) {
    // Writing into a string does not fail.
    let _ = writeln!(text, "{key} = {value}");
}

fn by_class(claims: &[Claim]) -> String {
    let claims: Vec<String> = claims
        .iter()
        .map(|claim| match claim.order {
            ClaimedOrder::Finite(order) => format!("{} = {order}", claim.class.name()),
            ClaimedOrder::Infinite => format!("{} = \"inf\"", claim.class.name()),
        })
        .collect();
    format!("{{ {} }}", claims.join(", "))
}

pub(super) struct Writer<'f> {
    pub(super) field: &'f NumberField,
}

impl Writer<'_> {
    pub(super) fn matrix(&self, rows: &[Vec<FieldElement>]) -> String {
        let rows: Vec<String> =
            rows.iter().map(|row| format!("    {},\n", self.list(row))).collect();
        format!("[\n{}]", rows.concat())
    }

    pub(super) fn list(&self, entries: &[FieldElement]) -> String {
        let entries: Vec<String> =
            entries.iter().map(|entry| format!("\"{}\"", self.entry(entry))).collect();
        format!("[{}]", entries.join(", "))
    }

    /// A polynomial in the generator: `1/4 - 1/6*sqrt(3)`. It reads back into the same field,
    /// with the same coefficients.
    fn entry(&self, element: &FieldElement) -> String {
        let generator = self.field.generator().to_string();
        let mut text = String::new();
        for (power, c) in element.coefficients().iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            let sign = match (text.is_empty(), c.is_negative()) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            text.push_str(&term(&c.abs(), &generator, power));
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }
}

fn term(factor: &Rational, generator: &str, power: usize) -> String {
    let powered = match power {
        0 => return factor.to_string(),
        1 => generator.to_owned(),
        _ => format!("({generator})^{power}"),
    };
    if factor.is_one() {
        return powered;
    }
    let (n, d) = (factor.numerator(), factor.denominator());
    match (n.is_one(), d.is_one()) {
        (true, _) => format!("{powered}/{d}"),
        (_, true) => format!("{n}*{powered}"),
        _ => format!("{n}*{powered}/{d}"),
    }
}
