//! Canonical sums, products and powers.

use super::{ExprId, Function, Kind, Pool};
use crate::number::Rational;

/// Powers of numbers with more bits than this stay unevaluated.
pub(super) const MAX_BITS: u64 = 1 << 14;

/// A product under construction: a number times powers of bases.
#[derive(Debug, Default)]
pub(super) struct Factors {
    coefficient: Option<Rational>,
    powers: Vec<(ExprId, ExprId)>,
}

impl Factors {
    pub(super) fn scale(&mut self, value: &Rational) {
        if !value.is_one() {
            self.coefficient = Some(match &self.coefficient {
                None => value.clone(),
                Some(coefficient) => coefficient * value,
            });
        }
    }

    pub(super) fn push(&mut self, base: ExprId, exponent: ExprId) {
        self.powers.push((base, exponent));
    }
}

impl Pool {
    // ---- sums -------------------------------------------------------------------------

    /// `a + b`.
    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a.is_zero() {
            return b;
        }
        if b.is_zero() {
            return a;
        }
        self.sum(&[a, b])
    }

    /// `a - b`.
    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.sum_of_scaled(&[(a, ExprId::ONE), (b, ExprId::MINUS_ONE)])
    }

    /// `-a`.
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        self.sum_of_scaled(&[(a, ExprId::MINUS_ONE)])
    }

    /// `coefficient * a` for a number.
    pub fn scale(&mut self, coefficient: &Rational, a: ExprId) -> ExprId {
        let coefficient = self.number(coefficient.clone());
        self.sum_of_scaled(&[(a, coefficient)])
    }

    /// The sum of all.
    pub fn sum(&mut self, terms: &[ExprId]) -> ExprId {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        for &term in terms {
            self.push_term(&mut scratch, term, ExprId::ONE);
        }
        let result = self.sum_from(&mut scratch);
        self.scratch = scratch;
        result
    }

    /// The linear combination of all.
    pub fn linear_combination(&mut self, terms: &[(Rational, ExprId)]) -> ExprId {
        let scaled: Vec<_> = terms
            .iter()
            .map(|(coefficient, term)| (*term, self.number(coefficient.clone())))
            .collect();
        self.sum_of_scaled(&scaled)
    }

    /// The sum of (expression, number) pairs.
    pub(crate) fn sum_of_scaled(&mut self, terms: &[(ExprId, ExprId)]) -> ExprId {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        for &(term, coefficient) in terms {
            self.push_term(&mut scratch, term, coefficient);
        }
        let result = self.sum_from(&mut scratch);
        self.scratch = scratch;
        result
    }

    fn push_term(&mut self, terms: &mut Vec<(ExprId, ExprId)>, term: ExprId, coefficient: ExprId) {
        if coefficient.is_zero() && term != ExprId::UNDEFINED {
            return;
        }
        match self.kind(term) {
            Kind::Number => {
                let value = self.multiply_numbers(term, coefficient);
                terms.push((ExprId::ONE, value));
            }
            Kind::Sum => {
                for k in 0..self.pair_count(term) {
                    let (inner, c) = self.pair(term, k);
                    let c = self.multiply_numbers(c, coefficient);
                    terms.push((inner, c));
                }
            }
            _ => terms.push((term, coefficient)),
        }
    }

    fn sum_from(&mut self, terms: &mut Vec<(ExprId, ExprId)>) -> ExprId {
        terms.sort_unstable_by_key(|pair| pair.0);
        let mut kept = 0;
        let mut k = 0;
        while k < terms.len() {
            let (term, mut coefficient) = terms[k];
            k += 1;
            while k < terms.len() && terms[k].0 == term {
                coefficient = self.add_numbers(coefficient, terms[k].1);
                k += 1;
            }
            if term == ExprId::UNDEFINED {
                return ExprId::UNDEFINED;
            }
            if !coefficient.is_zero() {
                terms[kept] = (term, coefficient);
                kept += 1;
            }
        }
        terms.truncate(kept);
        match terms[..] {
            [] => ExprId::ZERO,
            [(ExprId::ONE, number)] => number,
            [(term, ExprId::ONE)] => term,
            _ => self.intern_pairs(Kind::Sum, terms),
        }
    }

    fn intern_pairs(&mut self, kind: Kind, pairs: &[(ExprId, ExprId)]) -> ExprId {
        let mut payload: smallvec::SmallVec<[u32; 32]> =
            smallvec::SmallVec::with_capacity(2 * pairs.len());
        for (a, b) in pairs {
            payload.push(a.0);
            payload.push(b.0);
        }
        self.intern(kind, Function::Sin, &payload)
    }

    fn value(&self, number: ExprId) -> &Rational {
        &self.numbers[self.headers[number.index()].start as usize]
    }

    fn add_numbers(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let value = self.value(a) + self.value(b);
        self.number(value)
    }

    fn multiply_numbers(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (a, b) {
            (ExprId::ONE, other) | (other, ExprId::ONE) => other,
            _ => {
                let value = self.value(a) * self.value(b);
                self.number(value)
            }
        }
    }

    // ---- products ---------------------------------------------------------------------

    /// `a b`.
    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (a, b) {
            (ExprId::ONE, other) | (other, ExprId::ONE) => other,
            _ => self.product(&[a, b]),
        }
    }

    /// `a / b`, undefined for `b = 0`.
    pub fn div(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let inverse = self.power(b, ExprId::MINUS_ONE);
        self.mul(a, inverse)
    }

    /// The product of all.
    pub fn product(&mut self, terms: &[ExprId]) -> ExprId {
        let mut factors = Factors::default();
        for &term in terms {
            self.push_factor(&mut factors, term);
        }
        self.product_from(factors)
    }

    fn push_factor(&mut self, factors: &mut Factors, factor: ExprId) {
        match self.kind(factor) {
            Kind::Number => {
                let value = self.value(factor).clone();
                factors.scale(&value);
            }
            Kind::Product => {
                for k in 0..self.pair_count(factor) {
                    let (base, exponent) = self.pair(factor, k);
                    factors.push(base, exponent);
                }
            }
            Kind::Sum => {
                let (content, primitive) = self.split_content(factor, true);
                factors.scale(&content);
                if self.kind(primitive) == Kind::Product {
                    self.push_factor(factors, primitive);
                } else {
                    factors.push(primitive, ExprId::ONE);
                }
            }
            _ => factors.push(factor, ExprId::ONE),
        }
    }

    /// Writes a sum as number times primitive part. With `signed` the first term of the
    /// primitive part gets a positive coefficient.
    fn split_content(&mut self, sum: ExprId, signed: bool) -> (Rational, ExprId) {
        let count = self.pair_count(sum);
        let (_, first) = self.pair(sum, 0);
        let mut content = self.value(first).abs();
        for k in 1..count {
            // The content is an integer from the first unit coefficient on: often 1 at once.
            let (_, coefficient) = self.pair(sum, k);
            content = content.gcd(self.value(coefficient));
        }
        if signed && self.leads_negative(sum) {
            content = -content;
        }
        if content.is_one() {
            return (content, sum);
        }
        let Some(inverse) = content.recip() else { return (Rational::ONE, sum) };
        let inverse = self.number(inverse);
        let primitive = self.sum_of_scaled(&[(sum, inverse)]);
        (content, primitive)
    }

    /// Is the coefficient of the first term that is not constant negative?
    pub(crate) fn leads_negative(&self, id: ExprId) -> bool {
        match self.kind(id) {
            Kind::Number => self.value(id).is_negative(),
            Kind::Sum => {
                let (term, mut coefficient) = self.pair(id, 0);
                if term == ExprId::ONE {
                    // A sum is never a bare constant, so there is a second term.
                    coefficient = self.pair(id, 1).1;
                }
                self.value(coefficient).is_negative()
            }
            _ => false,
        }
    }

    fn product_from(&mut self, mut factors: Factors) -> ExprId {
        // Merged exponents can make a factor simplify again (2^(1/2) 2^(1/2)); each round
        // removes at least one radical, so the loop ends.
        loop {
            if !self.merge_powers(&mut factors) {
                break;
            }
            let powers = std::mem::take(&mut factors.powers);
            for (base, exponent) in powers {
                self.push_power(&mut factors, base, exponent);
            }
        }
        let Factors { coefficient, powers } = factors;
        if powers.iter().any(|pair| pair.0 == ExprId::UNDEFINED) {
            return ExprId::UNDEFINED;
        }
        let coefficient = coefficient.unwrap_or(Rational::ONE);
        if coefficient.is_zero() {
            return ExprId::ZERO;
        }
        let product = match powers[..] {
            [] => return self.number(coefficient),
            [(base, ExprId::ONE)] => base,
            _ => self.intern_pairs(Kind::Product, &powers),
        };
        if coefficient.is_one() { product } else { self.scale(&coefficient, product) }
    }

    /// Sorts and merges equal bases; true when some merged power must be examined again.
    fn merge_powers(&mut self, factors: &mut Factors) -> bool {
        let powers = &mut factors.powers;
        powers.sort_unstable_by_key(|pair| pair.0);
        let mut again = false;
        let mut kept = 0;
        let mut k = 0;
        while k < powers.len() {
            let (base, mut exponent) = powers[k];
            k += 1;
            let mut merged = false;
            while k < powers.len() && powers[k].0 == base {
                exponent = self.add(exponent, powers[k].1);
                k += 1;
                merged = true;
            }
            if exponent.is_zero() && base != ExprId::UNDEFINED {
                continue;
            }
            again |= merged && self.power_simplifies(base, exponent);
            powers[kept] = (base, exponent);
            kept += 1;
        }
        powers.truncate(kept);
        again
    }

    fn power_simplifies(&self, base: ExprId, exponent: ExprId) -> bool {
        match self.kind(base) {
            Kind::Number => self.as_number(exponent).is_some(),
            Kind::Product | Kind::Sum => self.as_number(exponent).is_some_and(Rational::is_integer),
            Kind::Call => {
                matches!(self.headers[base.index()].function, Function::Abs | Function::Exp)
            }
            _ => false,
        }
    }

    /// `e b^(e-1)` times the other factors of a product that contains the factor `b^e`.
    pub(crate) fn lower_power(
        &mut self,
        product: ExprId,
        base: ExprId,
        exponent: ExprId,
    ) -> ExprId {
        let lowered = self.add(exponent, ExprId::MINUS_ONE);
        let mut factors = Factors::default();
        for k in 0..self.pair_count(product) {
            let (b, e) = self.pair(product, k);
            let e = if b == base { lowered } else { e };
            if b == base && (e == ExprId::ONE || self.power_simplifies(b, e)) {
                // x^2 y gives x y, (a + b)^2 y gives (a + b) y: still canonical factors.
                self.push_power(&mut factors, b, e);
            } else if !e.is_zero() {
                factors.push(b, e);
            }
        }
        match self.as_number(exponent).cloned() {
            Some(number) => {
                factors.scale(&number);
                self.product_from(factors)
            }
            None => {
                let rest = self.product_from(factors);
                self.mul(exponent, rest)
            }
        }
    }

    // ---- powers -----------------------------------------------------------------------

    /// `base^exponent` for an integer exponent.
    pub fn powi(&mut self, base: ExprId, exponent: i64) -> ExprId {
        let exponent = self.integer(exponent);
        self.power(base, exponent)
    }

    /// The square root.
    pub fn sqrt(&mut self, radicand: ExprId) -> ExprId {
        self.power(radicand, ExprId::HALF)
    }

    /// `base^exponent`. Zero to a negative power and broken powers of negative numbers
    /// are undefined; `x^0` is 1.
    pub fn power(&mut self, base: ExprId, exponent: ExprId) -> ExprId {
        match (base, exponent) {
            (ExprId::UNDEFINED, _) | (_, ExprId::UNDEFINED) => return ExprId::UNDEFINED,
            (_, ExprId::ZERO) | (ExprId::ONE, _) => return ExprId::ONE,
            (_, ExprId::ONE) => return base,
            _ => {}
        }
        let mut factors = Factors::default();
        self.push_power(&mut factors, base, exponent);
        self.product_from(factors)
    }

    fn push_power(&mut self, factors: &mut Factors, base: ExprId, exponent: ExprId) {
        let Some(number) = self.as_number(exponent).cloned() else {
            match self.kind(base) {
                Kind::Call if self.is_call(base, Function::Exp) => {
                    let argument = ExprId(self.payload(base)[0]);
                    let argument = self.mul(argument, exponent);
                    let value = self.call(Function::Exp, argument);
                    self.push_factor(factors, value);
                }
                _ => factors.push(base, exponent),
            }
            return;
        };
        if exponent == ExprId::ONE {
            return self.push_factor(factors, base);
        }
        let integer = number.is_integer();
        match self.kind(base) {
            Kind::Number => self.push_number_power(factors, base, exponent, &number),
            Kind::Product if integer => {
                for k in 0..self.pair_count(base) {
                    let (inner, e) = self.pair(base, k);
                    let e = self.mul(e, exponent);
                    if self.is_root_of_number(inner, e) {
                        let value = self.value(inner).clone();
                        let e = self.value(e).clone();
                        self.push_number_root(&value, &e, factors);
                    } else {
                        // x^(1/2) to the power 2 is x itself, which may be a product or a sum.
                        self.push_power_once(factors, inner, e);
                    }
                }
            }
            Kind::Product => self.push_broken_power_of_product(factors, base, exponent, &number),
            Kind::Sum => {
                let (content, primitive) = self.split_content(base, integer);
                if content.is_one() {
                    factors.push(primitive, exponent);
                } else {
                    let content = self.number(content);
                    self.push_power(factors, content, exponent);
                    self.push_power(factors, primitive, exponent);
                }
            }
            Kind::Call if self.is_call(base, Function::Exp) => {
                let argument = ExprId(self.payload(base)[0]);
                let argument = self.mul(argument, exponent);
                let value = self.call(Function::Exp, argument);
                self.push_factor(factors, value);
            }
            Kind::Call if self.is_call(base, Function::Abs) && is_even(&number) => {
                let argument = ExprId(self.payload(base)[0]);
                self.push_power(factors, argument, exponent);
            }
            _ => factors.push(base, exponent),
        }
    }

    /// A power whose base is already the base of a canonical factor.
    fn push_power_once(&mut self, factors: &mut Factors, base: ExprId, exponent: ExprId) {
        if exponent == ExprId::ONE || self.power_simplifies(base, exponent) {
            self.push_power(factors, base, exponent);
        } else {
            factors.push(base, exponent);
        }
    }

    fn push_number_power(
        &mut self,
        factors: &mut Factors,
        base: ExprId,
        exponent: ExprId,
        number: &Rational,
    ) {
        let value = self.value(base).clone();
        if value.is_one() {
            return;
        }
        if value.is_zero() {
            if number.is_negative() {
                factors.push(ExprId::UNDEFINED, ExprId::ONE);
            } else {
                factors.scale(&Rational::ZERO);
            }
        } else if number.is_integer() {
            match number.as_integer().and_then(|n| value.pow(n, MAX_BITS)) {
                Some(power) => factors.scale(&power),
                None => factors.push(base, exponent),
            }
        } else if value.is_negative() {
            factors.push(ExprId::UNDEFINED, ExprId::ONE);
        } else {
            self.push_number_root(&value, number, factors);
        }
    }

    /// `(x^2)^(1/2)` is `|x|`; other broken powers of products stay.
    fn push_broken_power_of_product(
        &mut self,
        factors: &mut Factors,
        base: ExprId,
        exponent: ExprId,
        number: &Rational,
    ) {
        let (inner, e) = self.pair(base, 0);
        let even = self.as_number(e).is_some_and(is_even);
        if self.pair_count(base) == 1 && even {
            let e = self.value(e) * number;
            let (absolute, e) = (self.call(Function::Abs, inner), self.number(e));
            self.push_power(factors, absolute, e);
        } else {
            factors.push(base, exponent);
        }
    }

    pub(super) fn is_call(&self, id: ExprId, function: Function) -> bool {
        let header = &self.headers[id.index()];
        header.kind == Kind::Call && header.function == function
    }
}

fn is_even(number: &Rational) -> bool {
    number.is_integer() && (number * &Rational::half()).is_integer()
}
