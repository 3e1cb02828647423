//! Calls of functions in canonical form.

use super::{ExprId, Function, Kind, Pool};
use crate::functions::Parity;
use crate::number::Rational;

impl Pool {
    /// A function of one argument, with its exact value where it is known.
    pub fn call(&mut self, function: Function, argument: ExprId) -> ExprId {
        if argument == ExprId::UNDEFINED {
            return ExprId::UNDEFINED;
        }
        let descriptor = function.descriptor();
        if let Some(form) = (descriptor.canonical)(self, argument) {
            return form;
        }
        if descriptor.parity == Parity::None || !self.leads_negative(argument) {
            return self.plain_call(function, argument);
        }
        let positive = self.neg(argument);
        let value = self.plain_call(function, positive);
        if descriptor.parity == Parity::Odd { self.neg(value) } else { value }
    }

    /// The node of a call whose argument is in the form that the function wants.
    pub(crate) fn plain_call(&mut self, function: Function, argument: ExprId) -> ExprId {
        self.intern(Kind::Call, function, &[argument.0])
    }

    /// The argument, if the expression is a call of the function.
    pub(crate) fn argument_of(&self, function: Function, id: ExprId) -> Option<ExprId> {
        self.is_call(id, function).then(|| ExprId(self.payload(id)[0]))
    }

    /// max(a, b) = (a + b + |a − b|)/2.
    ///
    /// The kinks of an expression are those of its absolute values, and nothing else has to be known about maxima:
    /// derivatives, normal forms, contacts in energies, switching times.
    pub fn larger(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.selected(a, b, 1)
    }

    /// min(a, b) = (a + b − |a − b|)/2.
    pub fn smaller(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.selected(a, b, -1)
    }

    /// The number nearest to x from `low` to `high`, (low + high + |x − low| − |x − high|)/2, where low ≤ high.
    pub fn clipped(&mut self, x: ExprId, low: ExprId, high: ExprId) -> ExprId {
        let (above, below) = (self.sub(x, low), self.sub(x, high));
        let (above, below) = (self.call(Function::Abs, above), self.call(Function::Abs, below));
        let half = Rational::half();
        self.linear_combination(&[
            (half.clone(), low),
            (half.clone(), high),
            (half.clone(), above),
            (-half, below),
        ])
    }

    fn selected(&mut self, a: ExprId, b: ExprId, sign: i64) -> ExprId {
        let difference = self.sub(a, b);
        let size = self.call(Function::Abs, difference);
        let half = Rational::half();
        let part = Rational::integer(sign) * Rational::half();
        self.linear_combination(&[(half.clone(), a), (half, b), (part, size)])
    }

    /// The angle of the point `(x, y)` in (-pi, pi].
    pub fn atan2(&mut self, y: ExprId, x: ExprId) -> ExprId {
        if y == ExprId::UNDEFINED || x == ExprId::UNDEFINED {
            return ExprId::UNDEFINED;
        }
        let sign = |value: &Rational| match value {
            value if value.is_zero() => 0,
            value if value.is_negative() => -1,
            _ => 1,
        };
        if let (Some(b), Some(a)) = (self.as_number(y), self.as_number(x)) {
            let (b, a) = (b.clone(), a.clone());
            return match (sign(&b), sign(&a)) {
                (0, 0) => ExprId::UNDEFINED,
                (0, 1) => ExprId::ZERO,
                (0, _) => ExprId::PI,
                (s, 0) => self.scale(&(Rational::integer(s) * Rational::half()), ExprId::PI),
                (s, side) => {
                    let slope = self.div(y, x);
                    let angle = self.call(Function::Atan, slope);
                    if side > 0 {
                        angle
                    } else {
                        let turn = self.scale(&Rational::integer(s), ExprId::PI);
                        self.add(angle, turn)
                    }
                }
            };
        }
        self.intern(Kind::Atan2, Function::Atan, &[y.0, x.0])
    }
}
