//! Field operations and roots of algebraic numbers.

use std::cmp::Ordering;

use dashu_int::{IBig, UBig};

use super::{AlgebraicError, AlgebraicNumber, Candidates};
use crate::univariate::{IntegerPolynomial, RealRoot};
use crate::{Budget, OrInternal, OutOfBudget, Rational};

type Interval = (Rational, Rational);

/// A number whose interval is narrowed step by step.
struct Narrowing {
    minimal: IntegerPolynomial,
    root: RealRoot,
}

impl Narrowing {
    fn of(number: &AlgebraicNumber) -> Self {
        Self { minimal: number.minimal.clone(), root: number.root.clone() }
    }

    fn to(&mut self, bits: i64) -> Interval {
        self.root.refine(&self.minimal, bits);
        (self.root.low().clone(), self.root.high().clone())
    }
}

fn interval_product((a, b): &Interval, (c, d): &Interval) -> Interval {
    let rest = [a * d, b * c, b * d];
    let low = rest.iter().fold(a * c, |low, x| low.min(x.clone()));
    let high = rest.into_iter().fold(a * c, Rational::max);
    (low, high)
}

impl AlgebraicNumber {
    /// `-self`.
    #[must_use]
    pub fn neg(&self) -> Self {
        self.scale(&Rational::integer(-1))
    }

    /// `self + shift`.
    #[must_use]
    pub fn shift(&self, shift: &Rational) -> Self {
        Self {
            minimal: self.minimal.shift_roots(shift),
            root: self.root.shift(shift),
            ..self.clone()
        }
    }

    /// `factor * self`.
    #[must_use]
    pub fn scale(&self, factor: &Rational) -> Self {
        if factor.is_zero() {
            return Self::from(Rational::ZERO);
        }
        let index = if factor.is_negative() { self.count - 1 - self.index } else { self.index };
        Self {
            minimal: self.minimal.scale_roots(factor),
            index,
            count: self.count,
            root: self.root.scale(factor),
        }
    }

    /// `self + other`.
    pub fn add(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        if let Some(value) = other.as_rational() {
            return Ok(self.shift(value));
        }
        if let Some(value) = self.as_rational() {
            return Ok(other.shift(value));
        }
        let composed = self.minimal.composed_sum(&other.minimal, budget)?;
        let candidates = Candidates::of(&composed, budget)?;
        let (mut left, mut right) = (Narrowing::of(self), Narrowing::of(other));
        Self::select(
            candidates,
            |bits| {
                let ((a, b), (c, d)) = (left.to(bits), right.to(bits));
                (&a + &c, &b + &d)
            },
            budget,
        )
    }

    /// `self - other`.
    pub fn sub(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        if self == other {
            return Ok(Self::from(Rational::ZERO));
        }
        self.add(&other.neg(), budget)
    }

    /// `self * other`.
    pub fn mul(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        if let Some(value) = other.as_rational() {
            return Ok(self.scale(value));
        }
        if let Some(value) = self.as_rational() {
            return Ok(other.scale(value));
        }
        if self == other {
            return self.apply(&[Rational::ZERO, Rational::ZERO, Rational::ONE], budget);
        }
        let composed = self.minimal.composed_product(&other.minimal, budget)?;
        let candidates = Candidates::of(&composed, budget)?;
        let (mut left, mut right) = (Narrowing::of(self), Narrowing::of(other));
        Self::select(candidates, |bits| interval_product(&left.to(bits), &right.to(bits)), budget)
    }

    /// `1 / self`.
    pub fn recip(&self, budget: &mut Budget) -> Result<Self, AlgebraicError> {
        if let Some(value) = self.as_rational() {
            return value.recip().map(Self::from).ok_or(AlgebraicError::DivisionByZero);
        }
        // The interval of an irrational number can be moved off zero.
        let mut narrowing = Narrowing::of(self);
        while !narrowing.root.is_off_zero() {
            narrowing.root.bisect(&narrowing.minimal);
        }
        let number = Self::select(
            Candidates::Irreducible(self.minimal.reverse().primitive_part()),
            |bits| {
                let (low, high) = narrowing.to(bits);
                let inverse =
                    |value: &Rational| value.recip().or_noticed("the interval is off zero");
                (inverse(&high), inverse(&low))
            },
            budget,
        )?;
        Ok(number)
    }

    /// `self / other`.
    pub fn div(&self, other: &Self, budget: &mut Budget) -> Result<Self, AlgebraicError> {
        if self == other && !self.is_zero() {
            return Ok(Self::from(Rational::ONE));
        }
        let inverse = other.recip(budget)?;
        Ok(self.mul(&inverse, budget)?)
    }

    /// `self^exponent`, by squaring in the field of the number.
    pub fn powi(&self, exponent: i32, budget: &mut Budget) -> Result<Self, AlgebraicError> {
        if exponent < 0 {
            let inverse = self.recip(budget)?;
            return inverse.powu(exponent.unsigned_abs() as usize, budget);
        }
        self.powu(exponent.unsigned_abs() as usize, budget)
    }

    fn powu(&self, exponent: usize, budget: &mut Budget) -> Result<Self, AlgebraicError> {
        budget.spend(exponent as u64, "raising an algebraic number to a power")?;
        let mut monomial = vec![Rational::ZERO; exponent + 1];
        monomial[exponent] = Rational::ONE;
        Ok(self.apply(&monomial, budget)?)
    }

    /// The square root of a number not below zero.
    pub fn sqrt(&self, budget: &mut Budget) -> Result<Self, AlgebraicError> {
        self.nth_root(2, budget)
    }

    /// The real root of the degree: of any number when odd, not below zero when even.
    pub fn nth_root(&self, degree: u32, budget: &mut Budget) -> Result<Self, AlgebraicError> {
        let sign = self.sign();
        if degree == 0 || (degree.is_multiple_of(2) && sign == Ordering::Less) {
            return Err(AlgebraicError::NotReal { degree });
        }
        match sign {
            Ordering::Equal => return Ok(self.clone()),
            Ordering::Less => return Ok(self.neg().nth_root(degree, budget)?.neg()),
            Ordering::Greater => {}
        }
        let spread = self.minimal.substitute_power(degree as usize);
        budget.spend(spread.coefficients().len() as u64, "taking a root")?;
        let mut narrowing = Narrowing::of(self);
        let number = Self::select(
            Candidates::Coprime(vec![spread]),
            |bits| {
                // |x^(1/n) - y^(1/n)| <= |x - y|^(1/n).
                let (low, high) = narrowing.to(bits * i64::from(degree));
                (root_bound(&low, degree, bits, false), root_bound(&high, degree, bits, true))
            },
            budget,
        )?;
        Ok(number)
    }

    /// The value of a polynomial (rational coefficients, ascending) at the number.
    ///
    /// Works in the field generated by the number: the degree of the result divides the
    /// degree of the number, and nothing larger is factored on the way.
    pub fn apply(&self, polynomial: &[Rational], budget: &mut Budget) -> Result<Self, OutOfBudget> {
        if let Some(value) = self.as_rational() {
            return Ok(Self::from(horner(polynomial, value)));
        }
        let field = Field::new(&self.minimal);
        let n = self.degree();
        let operations = (polynomial.len().saturating_mul(n) + n * n * n) as u64;
        budget.spend(operations, "evaluating at an algebraic number")?;
        let element = field.reduce(polynomial.to_vec());
        let characteristic = field.characteristic_polynomial(&element);
        // A power of the minimal polynomial.
        let minimal = characteristic.square_free_part(budget)?;
        let mut narrowing = Narrowing::of(self);
        Self::select(
            Candidates::Irreducible(minimal),
            |bits| {
                let at = narrowing.to(bits);
                element.iter().rev().fold((Rational::ZERO, Rational::ZERO), |value, c| {
                    let (low, high) = interval_product(&value, &at);
                    (&low + c, &high + c)
                })
            },
            budget,
        )
    }
}

fn horner(polynomial: &[Rational], at: &Rational) -> Rational {
    polynomial.iter().rev().fold(Rational::ZERO, |value, c| &(&value * at) + c)
}

/// A bound of `value^(1/degree)` (`value` not below zero) on the grid of spacing `2^-bits`.
fn root_bound(value: &Rational, degree: u32, bits: i64, above: bool) -> Rational {
    if value.is_negative() {
        return Rational::ZERO;
    }
    let shift = bits.unsigned_abs() as usize;
    let scaled = value * &Rational::from(IBig::ONE << (shift * degree as usize));
    let root = scaled.floor().nth_root(degree as usize);
    let root = if above { root + IBig::ONE } else { root };
    Rational::from_big(root, UBig::ONE << shift).or_noticed("a power of two is not zero")
}

/// The field of rationals with a root of a polynomial adjoined; elements are coefficient lists.
#[derive(Debug, Clone)]
pub(in crate::number) struct Field {
    /// `x^n = sum reduction[i] x^i`.
    reduction: Vec<Rational>,
    /// Traces of `x^i` for `i < n`.
    traces: Vec<Rational>,
}

impl Field {
    pub(in crate::number) fn new(minimal: &IntegerPolynomial) -> Self {
        let lead = Rational::from(-minimal.leading());
        let n = minimal.degree().unwrap_or(0);
        let reduction: Vec<Rational> = minimal.coefficients()[..n]
            .iter()
            .map(|c| Rational::from(c.clone()).checked_div(&lead))
            .map(|quotient| quotient.or_noticed("a leading coefficient is not zero"))
            .collect();
        // Newton's identities: p_k = k r(n-k) + sum_{0<j<k} r(n-j) p_{k-j}.
        let mut traces = vec![Rational::integer(n as i64)];
        for k in 1..n {
            let mut sum = &reduction[n - k] * &Rational::integer(k as i64);
            for j in 1..k {
                sum = sum + &reduction[n - j] * &traces[k - j];
            }
            traces.push(sum);
        }
        Self { reduction, traces }
    }

    pub(in crate::number) fn degree(&self) -> usize {
        self.reduction.len()
    }

    pub(in crate::number) fn reduce(&self, mut element: Vec<Rational>) -> Vec<Rational> {
        let n = self.degree();
        while element.len() > n {
            let Some(top) = element.pop() else { break };
            let start = element.len() - n;
            for (value, r) in element[start..].iter_mut().zip(&self.reduction) {
                *value = &*value + &(&top * r);
            }
        }
        element.resize(n, Rational::ZERO);
        element
    }

    pub(in crate::number) fn mul(&self, a: &[Rational], b: &[Rational]) -> Vec<Rational> {
        let mut product = vec![Rational::ZERO; a.len() + b.len()];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] = &product[i + j] + &(x * y);
            }
        }
        self.reduce(product)
    }

    fn trace(&self, element: &[Rational]) -> Rational {
        let terms = element.iter().zip(&self.traces).map(|(a, t)| a * t);
        terms.fold(Rational::ZERO, |sum, term| sum + term)
    }

    /// From the traces of the powers, by Newton's identities.
    fn characteristic_polynomial(&self, element: &[Rational]) -> IntegerPolynomial {
        let n = self.degree();
        let mut power = element.to_vec();
        let mut sums = vec![Rational::integer(n as i64)];
        let mut coefficients = vec![Rational::ONE];
        for k in 1..=n {
            sums.push(self.trace(&power));
            power = self.mul(&power, element);
            let mut sum = Rational::ZERO;
            for j in 0..k {
                sum = sum + &coefficients[j] * &sums[k - j];
            }
            let inverse = Rational::new(-1, k as i64).or_noticed("k begins with one");
            coefficients.push(sum * inverse);
        }
        coefficients.reverse();
        IntegerPolynomial::from_rationals(&coefficients)
    }
}
