//! Tables and compositions by the names they are asked for.

use isotrope_algebra::{Budget, Rational};

use crate::composition::SymmetricComposition;
use crate::table::{Table, TableProblem, catalogue};

/// Compositions of Störmer–Verlet steps, by the decimals near which their coefficients are, from
/// the outermost to the one before the middle.
pub const COMPOSITIONS: [(&str, usize, &[&str]); 4] = [
    ("yoshida-4", 4, &["1.35120719195965763"]),
    ("yoshida-6", 6, &["0.784513610477560", "0.235573213359357", "-1.17767998417887"]),
    (
        "yoshida-8",
        8,
        &[
            "1.04242620869991",
            "1.82020630970714",
            "0.157739928123617",
            "2.44002732616735",
            "-0.00716989419708120",
            "-2.44699182370524",
            "-1.61582374150097",
        ],
    ),
    (
        "suzuki-umeno-8",
        8,
        &[
            "0.74167036435061295345",
            "-0.40910082580003159400",
            "0.19075471029623837995",
            "-0.57386247111608226666",
            "0.29906418130365592384",
            "0.33462491824529818378",
            "0.31529309239676659663",
        ],
    ),
];

/// The base of the compositions.
const VERLET: &str = "verlet";

/// Tables under the names they have in mechanics.
pub const ALIASES: [(&str, &str); 4] = [
    (VERLET, "sv"),
    ("rkd-midpoint", "midpoint"),
    ("rkd-trapezoid", "trapezoid"),
    ("rkd-lobatto", "lobatto-iiia-iiib-2"),
];

/// A table of the catalogue, under its own name or another one; without a certificate.
pub fn named_table(name: &str, budget: &mut Budget) -> Result<Option<Table>, TableProblem> {
    match ALIASES.iter().find(|(alias, _)| *alias == name) {
        Some((_, original)) => Ok(catalogue(original, budget)?.map(|table| table.named(name))),
        None => catalogue(name, budget),
    }
}

/// A base method and the coefficients of its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    /// The name of the method.
    pub name: String,
    /// The base: a symmetric method of order 2.
    pub base: Table,
    /// The coefficients.
    pub composition: SymmetricComposition,
}

/// A composition of the list by its name; without a certificate.
pub fn named_composition(
    name: &str,
    budget: &mut Budget,
) -> Result<Option<Composed>, TableProblem> {
    let Some(&(name, order, decimals)) = COMPOSITIONS.iter().find(|(known, ..)| *known == name)
    else {
        return Ok(None);
    };
    let missing = TableProblem::Stages { family: VERLET, stages: 2 };
    let base = named_table(VERLET, budget)?.ok_or(missing)?;
    let start: Vec<Rational> = decimals.iter().filter_map(|text| text.parse().ok()).collect();
    let composition = SymmetricComposition::new(order, start);
    Ok(Some(Composed { name: name.to_owned(), base, composition }))
}
