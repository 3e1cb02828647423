//! The Lobatto IIIA–IIIB pair as rational numbers.

use isotrope_algebra::number::field::FieldError;
use isotrope_algebra::number::{AlgebraicError, AlgebraicNumber};
use isotrope_algebra::{Budget, Rational};

use super::DiscretiseError;
use super::stages::Digits;
use isotrope_methods::table::{Entry, Table, TableProblem, catalogue};

/// Coefficients; those that are irrational are correct to as many bits as asked for.
pub(super) struct Lobatto {
    pub a: Vec<Vec<Rational>>,
    pub abar: Vec<Vec<Rational>>,
    pub b: Vec<Rational>,
    /// c_i = Σ_j a_ij.
    pub nodes: Vec<Rational>,
}

/// Bits of coefficients for steps in doubles: far below their rounding.
const ENOUGH_FOR_DOUBLES: i64 = 130;

/// The pair with this number of stages.
pub(super) fn lobatto(
    stages: usize,
    digits: Digits,
    budget: &mut Budget,
) -> Result<Lobatto, DiscretiseError> {
    let bits = match digits {
        Digits::Double => ENOUGH_FOR_DOUBLES,
        Digits::Bits(bits) => bits.into(),
    };
    let none =
        DiscretiseError::NotApplicable { reason: "there is no table with this number of stages" };
    match coefficients(stages, bits, budget) {
        Ok(found) => found.ok_or(none),
        Err(TableProblem::Field(FieldError::Algebraic(AlgebraicError::OutOfBudget(error)))) => {
            Err(error.into())
        }
        Err(_) => Err(none),
    }
}

fn coefficients(
    stages: usize,
    bits: i64,
    budget: &mut Budget,
) -> Result<Option<Lobatto>, TableProblem> {
    let name = format!("lobatto-iiia-iiib-{stages}");
    let Some(table) = catalogue(&name, budget)? else { return Ok(None) };
    let mut matrix = |entry: fn(usize, usize) -> Entry| -> Result<Option<Vec<Vec<Rational>>>, _> {
        let row = |row| (0..stages).map(move |column| entry(row, column));
        (0..stages).map(|i| numbers(&table, row(i), bits, budget)).collect()
    };
    let Some(a) = matrix(|row, column| Entry::A { row, column })? else { return Ok(None) };
    let Some(abar) = matrix(|row, column| Entry::Abar { row, column })? else { return Ok(None) };
    let Some(b) = numbers(&table, (0..stages).map(Entry::B), bits, budget)? else {
        return Ok(None);
    };
    let sum = |row: &Vec<Rational>| row.iter().fold(Rational::ZERO, |sum, x| &sum + x);
    let nodes = a.iter().map(sum).collect();
    Ok(Some(Lobatto { a, abar, b, nodes }))
}

fn numbers(
    table: &Table,
    entries: impl Iterator<Item = Entry>,
    bits: i64,
    budget: &mut Budget,
) -> Result<Option<Vec<Rational>>, TableProblem> {
    entries
        .map(|entry| Ok(table.exact(entry, budget)?.map(|number| rational(&number, bits))))
        .collect()
}

fn rational(number: &AlgebraicNumber, bits: i64) -> Rational {
    number.as_rational().cloned().unwrap_or_else(|| number.bounds(bits).0)
}
