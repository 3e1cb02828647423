//! The sparse representation, its constructors and its linear operations.

use std::cmp::Ordering;

use super::field::Field;
use super::monomial::{Monomial, MonomialOrder};
use crate::{Budget, OutOfBudget, Rational};

/// A polynomial with coefficients in `F`: terms in descending graded reverse
/// lexicographic order, no zero coefficients, so equality is structural.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PolynomialOver<F> {
    terms: Vec<(Monomial, F)>,
}

/// A polynomial with rational coefficients.
pub type Polynomial = PolynomialOver<Rational>;

/// The error for an exponent that does not fit: a computation that got there has run away.
pub(super) fn exponent_overflow(budget: &Budget) -> OutOfBudget {
    OutOfBudget::spent(
        budget.spent().saturating_add(budget.left()),
        "raising a variable to a power above 65535",
    )
}

impl<F: Field> PolynomialOver<F> {
    /// Zero.
    pub fn zero() -> Self {
        Self { terms: Vec::new() }
    }

    /// One.
    pub fn one() -> Self {
        Self::constant(F::one())
    }

    /// A constant.
    pub fn constant(value: F) -> Self {
        Self::term(Monomial::one(), value)
    }

    /// The variable with the given index.
    pub fn variable(index: usize) -> Self {
        Self::term(Monomial::variable(index), F::one())
    }

    /// A single term.
    pub fn term(monomial: Monomial, coefficient: F) -> Self {
        if coefficient.is_zero() {
            return Self::zero();
        }
        Self { terms: vec![(monomial, coefficient)] }
    }

    /// The sum of terms in any order, with repetitions.
    pub fn sum_of_terms(
        terms: impl IntoIterator<Item = (Monomial, F)>,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let mut terms: Vec<_> = terms.into_iter().collect();
        budget.spend(terms.len() as u64, "collecting terms")?;
        terms.sort_by(|a, b| b.0.cmp(&a.0));
        let mut sum: Vec<(Monomial, F)> = Vec::with_capacity(terms.len());
        for (monomial, coefficient) in terms {
            match sum.last_mut() {
                Some(last) if last.0 == monomial => last.1 = last.1.plus(&coefficient, budget)?,
                _ => sum.push((monomial, coefficient)),
            }
        }
        sum.retain(|(_, c)| !c.is_zero());
        Ok(Self { terms: sum })
    }

    /// From terms that are already in canonical order; zero coefficients are dropped.
    pub(super) fn from_sorted(mut terms: Vec<(Monomial, F)>) -> Self {
        terms.retain(|(_, c)| !c.is_zero());
        debug_assert!(terms.windows(2).all(|w| w[0].0 > w[1].0));
        Self { terms }
    }

    /// The terms, largest monomial first.
    pub fn terms(&self) -> &[(Monomial, F)] {
        &self.terms
    }

    /// The terms, largest monomial first.
    pub fn into_terms(self) -> Vec<(Monomial, F)> {
        self.terms
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Is it zero? (The same as [`PolynomialOver::is_zero`]: no terms.)
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Is it one?
    pub fn is_one(&self) -> bool {
        self.as_constant().is_some_and(|c| c.is_one())
    }

    /// Is it free of variables?
    pub fn is_constant(&self) -> bool {
        self.terms.first().is_none_or(|(m, _)| m.is_one())
    }

    /// The value, if it is free of variables.
    pub fn as_constant(&self) -> Option<F> {
        match self.terms.as_slice() {
            [] => Some(F::zero()),
            [(monomial, value)] if monomial.is_one() => Some(value.clone()),
            _ => None,
        }
    }

    /// The variable's index, if it is a variable.
    pub fn as_variable(&self) -> Option<usize> {
        match self.terms.as_slice() {
            [(monomial, c)] if monomial.degree() == 1 && c.is_one() => monomial.variables().next(),
            _ => None,
        }
    }

    /// The largest term in graded reverse lexicographic order; `None` for zero.
    pub fn leading_term(&self) -> Option<&(Monomial, F)> {
        self.terms.first()
    }

    /// The largest term in the given order; `None` for zero.
    pub fn leading_term_in(&self, order: MonomialOrder) -> Option<&(Monomial, F)> {
        match order {
            MonomialOrder::GradedReverseLex => self.terms.first(),
            _ => self.terms.iter().max_by(|a, b| a.0.compare(&b.0, order)),
        }
    }

    /// The coefficient of a monomial (zero if it does not occur).
    pub fn coefficient(&self, monomial: &Monomial) -> F {
        match self.terms.binary_search_by(|(m, _)| monomial.cmp(m)) {
            Ok(position) => self.terms[position].1.clone(),
            Err(_) => F::zero(),
        }
    }

    /// Total degree; `None` for zero.
    pub fn degree(&self) -> Option<u64> {
        self.terms.first().map(|(m, _)| m.degree())
    }

    /// Degree in one variable (0 for zero).
    pub fn degree_in(&self, variable: usize) -> u16 {
        self.terms.iter().map(|(m, _)| m.exponent(variable)).max().unwrap_or(0)
    }

    /// Degrees in `x0, x1, ...` up to the last variable that occurs.
    pub fn degrees(&self) -> Vec<u16> {
        let mut degrees = Vec::new();
        for (monomial, _) in &self.terms {
            let exponents = monomial.exponents();
            if exponents.len() > degrees.len() {
                degrees.resize(exponents.len(), 0);
            }
            for (degree, &exponent) in degrees.iter_mut().zip(exponents) {
                *degree = exponent.max(*degree);
            }
        }
        degrees
    }

    /// The variables that occur, ascending.
    pub fn variables(&self) -> Vec<usize> {
        let degrees = self.degrees();
        (0..degrees.len()).filter(|&index| degrees[index] > 0).collect()
    }

    /// The opposite.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { terms: self.terms.iter().map(|(m, c)| (m.clone(), c.negate())).collect() }
    }

    /// The sum.
    pub fn add(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        self.merge(other, F::clone, budget)
    }

    /// The difference.
    pub fn sub(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        self.merge(other, F::negate, budget)
    }

    fn merge(
        &self,
        other: &Self,
        sign: impl Fn(&F) -> F,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        budget.spend((self.len() + other.len()) as u64, "adding polynomials")?;
        let mut sum = Vec::with_capacity(self.len() + other.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (a.peek(), b.peek()) {
                (Some(x), Some(y)) => x.0.cmp(&y.0),
                (Some(_), None) => Ordering::Greater,
                (None, Some(_)) => Ordering::Less,
                (None, None) => break,
            };
            let left = if order.is_ge() { a.next() } else { None };
            let right = if order.is_le() { b.next() } else { None };
            match (left, right) {
                (Some((m, x)), Some((_, y))) => {
                    let total = x.plus(&sign(y), budget)?;
                    if !total.is_zero() {
                        sum.push((m.clone(), total));
                    }
                }
                (Some(term), None) => sum.push(term.clone()),
                (None, Some((m, y))) => sum.push((m.clone(), sign(y))),
                (None, None) => break,
            }
        }
        Ok(Self { terms: sum })
    }

    /// The product with a coefficient.
    pub fn scale(&self, factor: &F, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        self.mul_term(&Monomial::one(), factor, budget)
    }

    /// The product with a single term.
    pub fn mul_term(
        &self,
        monomial: &Monomial,
        coefficient: &F,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        if coefficient.is_zero() {
            return Ok(Self::zero());
        }
        budget.spend(self.len() as u64, "multiplying by a term")?;
        let mut terms = Vec::with_capacity(self.len());
        for (m, c) in &self.terms {
            let product = m.checked_mul(monomial).ok_or_else(|| exponent_overflow(budget))?;
            let value =
                if coefficient.is_one() { c.clone() } else { c.times(coefficient, budget)? };
            terms.push((product, value));
        }
        Ok(Self { terms })
    }

    /// The quotient by a monomial that divides every term; `None` otherwise.
    pub fn checked_div_monomial(&self, monomial: &Monomial) -> Option<Self> {
        let terms = self.terms.iter().map(|(m, c)| Some((m.checked_div(monomial)?, c.clone())));
        Some(Self { terms: terms.collect::<Option<_>>()? })
    }

    /// The same polynomial with leading coefficient one (zero stays zero).
    pub fn monic(&self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        match self.terms.first().and_then(|(_, c)| c.reciprocal()) {
            Some(inverse) => self.scale(&inverse, budget),
            None => Ok(self.clone()),
        }
    }

    /// Gives every variable a new index; equal new indices are multiplied together.
    pub fn rename_variables(
        &self,
        new_index: impl Fn(usize) -> usize,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let mut terms = Vec::with_capacity(self.len());
        for (monomial, coefficient) in &self.terms {
            let mut renamed = Monomial::one();
            for index in monomial.variables() {
                let power = Monomial::power(new_index(index), monomial.exponent(index));
                renamed = renamed.checked_mul(&power).ok_or_else(|| exponent_overflow(budget))?;
            }
            terms.push((renamed, coefficient.clone()));
        }
        Self::sum_of_terms(terms, budget)
    }

    /// The same polynomial with coefficients in another field.
    pub fn map_coefficients<G: Field>(&self, map: impl Fn(&F) -> G) -> PolynomialOver<G> {
        PolynomialOver::from_sorted(self.terms.iter().map(|(m, c)| (m.clone(), map(c))).collect())
    }
}

impl<F: Field> Default for PolynomialOver<F> {
    fn default() -> Self {
        Self::zero()
    }
}

impl Polynomial {
    /// A constant integer.
    pub fn integer(value: i64) -> Self {
        Self::constant(Rational::integer(value))
    }

    /// The sum of terms in any order, with repetitions.
    pub fn from_terms(terms: impl IntoIterator<Item = (Monomial, Rational)>) -> Self {
        // Collecting rational terms cannot grow, so only a stop flag ends it: then nothing is an answer.
        Self::sum_of_terms(terms, &mut Budget::unlimited()).unwrap_or_default()
    }
}
