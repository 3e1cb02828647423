//! What LaTeX and MathML have in common: formulas in two dimensions.

use super::layout::{Layout, Shape, ShapeId};
use super::name::split_primes;
use super::render::Level;
use crate::functions::Notation;

/// How tightly a shape binds when fractions, roots and exponents enclose what they hold.
pub(super) fn binding(shape: &Shape) -> Level {
    match shape {
        Shape::Sum(_) | Shape::Negative(_) => Level::Sum,
        Shape::Product(_) => Level::Product,
        Shape::Call(function, _) if function.descriptor().notation == Notation::Bars => Level::Atom,
        Shape::Fraction { .. } | Shape::Power { .. } | Shape::Call(..) => Level::Power,
        // x^{(3)} has its exponent already.
        Shape::Name(name) if split_primes(name).1 > 2 => Level::Power,
        _ => Level::Atom,
    }
}

/// A function, or a power of one, that is written as an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operator<'a> {
    /// How LaTeX writes the function.
    pub(super) latex: &'static str,
    /// How MathML writes it.
    pub(super) mathml: &'static str,
    /// Digits of the exponent, if it is not 1.
    pub(super) exponent: Option<&'a str>,
    pub(super) argument: ShapeId,
}

/// The shape as an operator, if it is written as one.
pub(super) fn operator(layout: &Layout, id: ShapeId) -> Option<Operator<'_>> {
    let (function, exponent, argument) = match layout.shape(id) {
        Shape::Call(function, argument) => (*function, None, *argument),
        Shape::Power { base, exponent } => match (layout.shape(*base), layout.shape(*exponent)) {
            (Shape::Call(function, argument), Shape::Number(digits)) => {
                (*function, Some(&**digits), *argument)
            }
            _ => return None,
        },
        _ => return None,
    };
    match function.descriptor().notation {
        Notation::Operator { latex, mathml, takes_exponent }
            if takes_exponent || exponent.is_none() =>
        {
            Some(Operator { latex, mathml, exponent, argument })
        }
        _ => None,
    }
}

/// May the argument of an operator go without parentheses?
pub(super) fn is_simple_argument(layout: &Layout, argument: ShapeId) -> bool {
    matches!(
        layout.shape(argument),
        Shape::Name(_) | Shape::Pi | Shape::Definition(_) | Shape::Number(_)
    )
}

/// Would it run together with what stands before it?
pub(super) fn begins_with_digit(layout: &Layout, id: ShapeId) -> bool {
    match layout.shape(id) {
        Shape::Number(_) => true,
        Shape::Power { base, .. } => matches!(layout.shape(*base), Shape::Number(_)),
        _ => false,
    }
}

/// Numerator and denominator of a number, which exponents write on one line.
pub(super) fn as_ratio(layout: &Layout, id: ShapeId) -> Option<(&str, &str)> {
    match layout.shape(id) {
        Shape::Fraction { numerator, denominator } => {
            match (layout.shape(*numerator), layout.shape(*denominator)) {
                (Shape::Number(n), Shape::Number(d)) => Some((n, d)),
                _ => None,
            }
        }
        _ => None,
    }
}
