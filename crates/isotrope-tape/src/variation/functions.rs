//! Derivatives of the functions of the table, on the tape.

use super::jet::{Jet, Partials, Rules};
use crate::math::{self, Arithmetic as _};
use crate::{BinaryFunction, Builder, ExpressionError, Formulas, Function, ProgramError, ValueId};
use isotrope_algebra::calculus::derivative;
use isotrope_algebra::{Budget, Pool};

/// More than enough for the derivative of one function.
const BUDGET: u64 = 100_000;

impl Rules<'_> {
    /// Of `value` = function(x).
    pub(super) fn function(
        &mut self,
        function: Function,
        x: ValueId,
        value: ValueId,
        jet: &Jet,
    ) -> Result<Jet, ProgramError> {
        let (slope, curvature) = match short_form(self.builder, function, x, value) {
            Some(known) => known,
            None => from_expression(self.builder, function, x)
                .map_err(|reason| ProgramError::Derivative { function, reason })?,
        };
        Ok(self.chain(slope, Some(curvature), jet))
    }

    /// Of `value` = function(x, y), atan2 or a power.
    pub(super) fn function2(
        &mut self,
        function: BinaryFunction,
        (x, a): (ValueId, &Jet),
        (y, b): (ValueId, &Jet),
        value: ValueId,
    ) -> Jet {
        let partials = match function {
            BinaryFunction::Atan2 => arc(self.builder, x, y),
            BinaryFunction::Pow => power(self.builder, (x, y, value), !b.is_still()),
        };
        self.chain2(&partials, a, b)
    }
}

/// f'(x) and f''(x) from the derivative in the table. What is not needed is left out at the end.
fn from_expression(
    b: &mut Builder,
    function: Function,
    x: ValueId,
) -> Result<(ValueId, ValueId), ExpressionError> {
    let mut pool = Pool::new();
    let argument = pool.symbol("x");
    let value = pool.call(function, argument);
    let slope = function.derivative(&mut pool, argument, value);
    let curvature = derivative(&mut pool, slope, argument, &mut Budget::new(BUDGET))?;
    let symbols = [(argument, x)].into_iter().collect();
    let values = Formulas::new(&pool, &[slope, curvature])?.record(b, &symbols)?;
    Ok((values[0], values[1]))
}

/// f'(x) and f''(x), given f(x), where they are shorter than what the expression gives.
fn short_form(
    b: &mut Builder,
    function: Function,
    x: ValueId,
    value: ValueId,
) -> Option<(ValueId, ValueId)> {
    let (one, two) = (b.constant(1.0), b.constant(2.0));
    Some(match function {
        Function::Sin => {
            let (sine, cosine) = b.strictly(|b| math::sincos(b, x));
            (cosine, b.neg(sine))
        }
        Function::Cos => {
            let (sine, cosine) = b.strictly(|b| math::sincos(b, x));
            (b.neg(sine), b.neg(cosine))
        }
        Function::Tan => {
            let slope = b.fma(value, value, one);
            let twice = b.mul(two, value);
            (slope, b.mul(twice, slope))
        }
        Function::Asin | Function::Acos => {
            let square = b.fnma(x, x, one);
            let root = b.sqrt(square);
            let slope = b.div(one, root);
            let cube = b.div(slope, square);
            let curvature = b.mul(x, cube);
            match function {
                Function::Asin => (slope, curvature),
                _ => (b.neg(slope), b.neg(curvature)),
            }
        }
        Function::Atan => {
            let square = b.fma(x, x, one);
            let slope = b.div(one, square);
            let twice = b.mul(two, x);
            let part = b.mul(slope, slope);
            let product = b.mul(twice, part);
            (slope, b.neg(product))
        }
        Function::Sinh => (b.call(Function::Cosh, x), value),
        Function::Cosh => (b.call(Function::Sinh, x), value),
        Function::Tanh => {
            let slope = b.fnma(value, value, one);
            let twice = b.mul(two, value);
            let product = b.mul(twice, slope);
            (slope, b.neg(product))
        }
        Function::Log => {
            let slope = b.div(one, x);
            let square = b.mul(slope, slope);
            (slope, b.neg(square))
        }
        Function::Exp => (value, value),
        _ => return None,
    })
}

/// Of the angle of the point (x, y), called with (y, x).
fn arc(b: &mut Builder, y: ValueId, x: ValueId) -> Partials {
    let part = b.mul(y, y);
    let square = b.fma(x, x, part);
    let in_y = b.div(x, square);
    let quotient = b.div(y, square);
    let in_x = b.neg(quotient);
    let product = b.mul(in_x, in_y);
    let twice = b.add(product, product);
    let (xx, yy) = (b.mul(in_x, in_x), b.mul(in_y, in_y));
    let mixed = b.sub(xx, yy);
    let opposite = b.neg(twice);
    Partials { first: (Some(in_y), Some(in_x)), second: (Some(twice), Some(mixed), Some(opposite)) }
}

/// Of xʸ. The logarithm only where the exponent moves: then the base is positive.
fn power(b: &mut Builder, (x, y, value): (ValueId, ValueId, ValueId), moves: bool) -> Partials {
    let (one, two) = (b.constant(1.0), b.constant(2.0));
    let (less, lesser) = (b.sub(y, one), b.sub(y, two));
    let (below, lower) =
        (b.call2(BinaryFunction::Pow, x, less), b.call2(BinaryFunction::Pow, x, lesser));
    let in_x = b.mul(y, below);
    let product = b.mul(y, less);
    let bent = b.mul(product, lower);
    if !moves {
        return Partials { first: (Some(in_x), None), second: (Some(bent), None, None) };
    }
    let log = b.call(Function::Log, x);
    let in_y = b.mul(value, log);
    let again = b.fma(y, log, one);
    let mixed = b.mul(below, again);
    let square = b.mul(in_y, log);
    Partials { first: (Some(in_x), Some(in_y)), second: (Some(bent), Some(mixed), Some(square)) }
}
