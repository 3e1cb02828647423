//! Canonical function calls: signs, multiples of pi, known values, inverse pairs.

use super::{ExprId, Function, Kind, Pool};
use crate::number::Rational;

impl Pool {
    /// A function of one argument, with its exact value where it is known.
    pub fn call(&mut self, function: Function, argument: ExprId) -> ExprId {
        if argument == ExprId::UNDEFINED {
            return ExprId::UNDEFINED;
        }
        match function {
            Function::Sin | Function::Cos => return self.sine_or_cosine(function, argument),
            Function::Tan => return self.tangent(argument),
            Function::Abs => return self.absolute_value(argument),
            Function::Heaviside => return self.unit_step(argument),
            _ => {}
        }
        if let Some(value) = self.known_value(function, argument) {
            return value;
        }
        if self.leads_negative(argument) && (function.is_odd() || function.is_even()) {
            let positive = self.neg(argument);
            let value = self.plain_call(function, positive);
            return if function.is_odd() { self.neg(value) } else { value };
        }
        if function == Function::Acos && self.leads_negative(argument) {
            let positive = self.neg(argument);
            let value = self.plain_call(function, positive);
            return self.sub(ExprId::PI, value);
        }
        self.plain_call(function, argument)
    }

    fn plain_call(&mut self, function: Function, argument: ExprId) -> ExprId {
        self.intern(Kind::Call, function, &[argument.0])
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

    fn known_value(&mut self, function: Function, argument: ExprId) -> Option<ExprId> {
        let inner = |pool: &Self, wanted| {
            pool.is_call(argument, wanted).then(|| ExprId(pool.payload(argument)[0]))
        };
        match function {
            Function::Exp => {
                if argument.is_zero() {
                    return Some(ExprId::ONE);
                }
                inner(self, Function::Log)
            }
            Function::Log => {
                if argument == ExprId::ONE {
                    return Some(ExprId::ZERO);
                }
                if self.as_number(argument).is_some_and(|n| n.is_zero() || n.is_negative()) {
                    return Some(ExprId::UNDEFINED);
                }
                inner(self, Function::Exp)
            }
            Function::Sinh | Function::Tanh => argument.is_zero().then_some(ExprId::ZERO),
            Function::Cosh => argument.is_zero().then_some(ExprId::ONE),
            Function::Asin | Function::Acos | Function::Atan => {
                let value = self.as_number(argument)?.clone();
                let size = value.abs();
                let angle = if function == Function::Atan {
                    match size {
                        _ if size.is_zero() => Rational::ZERO,
                        _ if size.is_one() => Rational::new(1, 4)?,
                        _ => return None,
                    }
                } else {
                    match size {
                        _ if size.is_zero() => Rational::ZERO,
                        _ if size.is_one() => Rational::half(),
                        _ if size == Rational::half() => Rational::new(1, 6)?,
                        _ if size > Rational::ONE => return Some(ExprId::UNDEFINED),
                        _ => return None,
                    }
                };
                let angle = if value.is_negative() { -angle } else { angle };
                let angle =
                    if function == Function::Acos { Rational::half() - angle } else { angle };
                Some(self.scale(&angle, ExprId::PI))
            }
            _ => None,
        }
    }

    /// Splits `argument = r pi + rest`.
    fn split_pi(&mut self, argument: ExprId) -> (Rational, ExprId) {
        if argument == ExprId::PI {
            return (Rational::ONE, ExprId::ZERO);
        }
        if self.kind(argument) == Kind::Sum {
            for k in 0..self.pair_count(argument) {
                let (term, coefficient) = self.pair(argument, k);
                if term == ExprId::PI {
                    let Some(value) = self.as_number(coefficient).cloned() else { break };
                    let minus = self.scale(&-&value, ExprId::PI);
                    return (value, self.add(argument, minus));
                }
            }
        }
        (Rational::ZERO, argument)
    }

    fn sine_or_cosine(&mut self, function: Function, argument: ExprId) -> ExprId {
        let (turns, rest) = self.split_pi(argument);
        // cos(x) = sin(x + pi/2): count quarter turns from the sine.
        let offset = if function == Function::Cos { 1 } else { 0 };
        if rest.is_zero() {
            return self
                .sine_of_pi_multiple(&(turns + Rational::half() * Rational::integer(offset)));
        }
        let doubled = &turns * &Rational::integer(2);
        if doubled.is_integer() {
            let quarters = &doubled + &Rational::integer(offset);
            let quarters = modulo(&quarters, 4).as_integer().unwrap_or(0);
            let function = if quarters % 2 == 0 { Function::Sin } else { Function::Cos };
            let value = self.signed_call(function, rest);
            return if quarters >= 2 { self.neg(value) } else { value };
        }
        // A broken multiple of pi stays, between -1 and 1.
        let reduced = modulo(&(turns + Rational::ONE), 2) - Rational::ONE;
        let shift = self.scale(&reduced, ExprId::PI);
        let argument = self.add(rest, shift);
        self.signed_call(function, argument)
    }

    fn signed_call(&mut self, function: Function, argument: ExprId) -> ExprId {
        if self.leads_negative(argument) {
            let positive = self.neg(argument);
            let value = self.signed_call_positive(function, positive);
            return if function == Function::Sin { self.neg(value) } else { value };
        }
        self.signed_call_positive(function, argument)
    }

    fn signed_call_positive(&mut self, function: Function, argument: ExprId) -> ExprId {
        let inverse = if function == Function::Sin { Function::Asin } else { Function::Acos };
        if self.is_call(argument, inverse) {
            return ExprId(self.payload(argument)[0]);
        }
        self.plain_call(function, argument)
    }

    /// `sin(r pi)` exactly where a formula with square roots of integers exists.
    fn sine_of_pi_multiple(&mut self, r: &Rational) -> ExprId {
        let mut r = modulo(r, 2);
        let negative = r >= Rational::ONE;
        if negative {
            r = r - Rational::ONE;
        }
        if r > Rational::half() {
            r = Rational::ONE - r;
        }
        let value = match r.as_small() {
            Some((0, 1)) => ExprId::ZERO,
            Some((1, 2)) => ExprId::ONE,
            Some((1, 6)) => ExprId::HALF,
            Some((1, 4)) => self.surds(&[(1, 2, 2)]),
            Some((1, 3)) => self.surds(&[(1, 2, 3)]),
            Some((1, 12)) => self.surds(&[(1, 4, 6), (-1, 4, 2)]),
            Some((5, 12)) => self.surds(&[(1, 4, 6), (1, 4, 2)]),
            Some((1, 10)) => self.surds(&[(1, 4, 5), (-1, 4, 1)]),
            Some((3, 10)) => self.surds(&[(1, 4, 5), (1, 4, 1)]),
            // The smaller of the two complementary angles names the value.
            _ if r > Rational::quarter() => {
                let angle = self.scale(&(Rational::half() - r), ExprId::PI);
                self.plain_call(Function::Cos, angle)
            }
            _ => {
                let angle = self.scale(&r, ExprId::PI);
                self.plain_call(Function::Sin, angle)
            }
        };
        if negative { self.neg(value) } else { value }
    }

    /// A sum of `n/d sqrt(k)`.
    fn surds(&mut self, terms: &[(i64, i64, i64)]) -> ExprId {
        let terms: Vec<_> = terms
            .iter()
            .map(|&(numerator, denominator, radicand)| {
                let radicand = self.integer(radicand);
                let root = self.sqrt(radicand);
                (root, self.ratio(numerator, denominator))
            })
            .collect();
        self.sum_of_scaled(&terms)
    }

    fn tangent(&mut self, argument: ExprId) -> ExprId {
        let (turns, rest) = self.split_pi(argument);
        let reduced = modulo(&turns, 1);
        if rest.is_zero() {
            let sine = self.sine_of_pi_multiple(&reduced);
            let cosine = self.sine_of_pi_multiple(&(&reduced + &Rational::half()));
            let known =
                |pool: &Self, id| !matches!(pool.kind(id), Kind::Call) && !pool.has_call(id);
            if known(self, sine) && known(self, cosine) {
                return self.div(sine, cosine);
            }
        }
        let shift = self.scale(&reduced, ExprId::PI);
        let argument = self.add(rest, shift);
        if self.leads_negative(argument) {
            let positive = self.neg(argument);
            let value = self.tangent_of_positive(positive);
            return self.neg(value);
        }
        self.tangent_of_positive(argument)
    }

    fn tangent_of_positive(&mut self, argument: ExprId) -> ExprId {
        if self.is_call(argument, Function::Atan) {
            return ExprId(self.payload(argument)[0]);
        }
        self.plain_call(Function::Tan, argument)
    }

    /// Does a (shallow) sum contain a function call as a term?
    fn has_call(&self, id: ExprId) -> bool {
        self.kind(id) == Kind::Sum
            && (0..self.pair_count(id)).any(|k| self.kind(self.pair(id, k).0) == Kind::Call)
    }

    fn unit_step(&mut self, argument: ExprId) -> ExprId {
        match self.as_number(argument) {
            Some(number) if number.is_negative() => ExprId::ZERO,
            Some(_) => ExprId::ONE,
            None => self.plain_call(Function::Heaviside, argument),
        }
    }

    fn absolute_value(&mut self, argument: ExprId) -> ExprId {
        if let Some(value) = self.as_number(argument).map(Rational::abs) {
            return self.number(value);
        }
        match self.kind(argument) {
            Kind::Pi => argument,
            Kind::Call if self.is_call(argument, Function::Abs) => argument,
            Kind::Call
                if self.is_call(argument, Function::Exp)
                    || self.is_call(argument, Function::Cosh)
                    || self.is_call(argument, Function::Acos) =>
            {
                argument
            }
            Kind::Sum if self.pair_count(argument) == 1 => {
                let (term, coefficient) = self.pair(argument, 0);
                let size = self.coefficient(coefficient).abs();
                let inner = self.absolute_value(term);
                self.scale(&size, inner)
            }
            Kind::Sum if self.leads_negative(argument) => {
                let positive = self.neg(argument);
                self.plain_call(Function::Abs, positive)
            }
            Kind::Product if self.is_surely_nonnegative(argument) => argument,
            _ => self.plain_call(Function::Abs, argument),
        }
    }

    /// A product of even powers, roots of numbers and square roots.
    fn is_surely_nonnegative(&self, product: ExprId) -> bool {
        (0..self.pair_count(product)).all(|k| {
            let (base, exponent) = self.pair(product, k);
            let positive = |id| match self.as_number(id) {
                Some(number) => !number.is_negative(),
                None => id == ExprId::PI,
            };
            positive(base)
                || self.as_number(exponent).is_some_and(|e| {
                    // A real power with even numerator, or with even denominator, is not negative.
                    let even = |n: &dashu_int::IBig| (n % dashu_int::IBig::from(2)).is_zero();
                    even(&e.numerator()) || even(&e.denominator().into())
                })
        })
    }
}

/// The representative of `value` modulo `period` in [0, period).
fn modulo(value: &Rational, period: i64) -> Rational {
    let period = Rational::integer(period);
    match value.checked_div(&period) {
        Some(turns) => value - &(period * Rational::from(turns.floor())),
        None => value.clone(),
    }
}
