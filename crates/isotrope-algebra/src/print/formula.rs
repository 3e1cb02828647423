//! What LaTeX and MathML have in common: formulas in two dimensions.

use super::layout::{Layout, Shape, ShapeId};
use super::name::split_primes;
use super::render::Level;
use crate::Function;

/// How tightly a shape binds when fractions, roots and exponents enclose what they hold.
pub(super) fn binding(shape: &Shape) -> Level {
    match shape {
        Shape::Sum(_) | Shape::Negative(_) => Level::Sum,
        Shape::Product(_) => Level::Product,
        Shape::Call(Function::Abs, _) => Level::Atom,
        Shape::Fraction { .. } | Shape::Power { .. } | Shape::Call(..) => Level::Power,
        // x^{(3)} has its exponent already.
        Shape::Name(name) if split_primes(name).1 > 2 => Level::Power,
        _ => Level::Atom,
    }
}

/// Is it written as a word before its argument, like the sine?
pub(super) fn is_operator(function: Function) -> bool {
    !matches!(function, Function::Abs | Function::Exp)
}

/// Functions whose powers are written between name and argument: `sin^2 x`.
fn takes_exponent(function: Function) -> bool {
    is_operator(function) && function != Function::Log
}

/// A function, or a power of one, that is written as an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operator<'a> {
    pub(super) function: Function,
    /// Digits of the exponent, if it is not 1.
    pub(super) exponent: Option<&'a str>,
    pub(super) argument: ShapeId,
}

/// The shape as an operator, if it is written as one.
pub(super) fn operator(layout: &Layout, id: ShapeId) -> Option<Operator<'_>> {
    match layout.shape(id) {
        Shape::Call(function, argument) if is_operator(*function) => {
            Some(Operator { function: *function, exponent: None, argument: *argument })
        }
        Shape::Power { base, exponent } => match (layout.shape(*base), layout.shape(*exponent)) {
            (Shape::Call(function, argument), Shape::Number(digits))
                if takes_exponent(*function) =>
            {
                Some(Operator { function: *function, exponent: Some(digits), argument: *argument })
            }
            _ => None,
        },
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
