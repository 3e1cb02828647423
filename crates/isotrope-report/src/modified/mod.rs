//! The modified equations of a method as text, JSON and LaTeX.

mod json;
mod latex;
mod powers;
mod terms;
mod text;

pub use json::{ModifiedRecord, to_json};
pub use latex::to_latex;
pub use text::to_text;

use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::{Budget, Pool, print};
use isotrope_study::modified::Modified;

/// Bytes and pieces of one expression.
const PRINTED: u64 = 20_000_000;

/// A number of the method, written in a format.
fn number(modified: &Modified, number: &FieldElement, format: print::Format) -> String {
    let mut pool = Pool::new();
    let expression = modified.numbers.expression(&mut pool, number);
    let printed =
        print::Printer::new(format).print_one(&pool, expression, &mut Budget::new(PRINTED));
    printed.unwrap_or_else(|_| "?".to_owned())
}
