//! Symmetric compositions of a symmetric method: S(γ₁h) ∘ … ∘ S(γₙh), γ a palindrome.
//!
//! A symmetric method is S(h) = exp(hX₁ + h³X₃ + h⁵X₅ + …) with fields X₁ (the system), X₃, …
//! that depend on the method. The composition has order p, whatever these fields are, when in
//! the algebra of words in the letters 1, 3, 5, … (of weight 1, 3, 5, …) its coefficients
//! agree with those of exp(X₁) for all words of weight at most p. Coefficients of group-like
//! elements are polynomials in those of Lyndon words, and those of even weight vanish by
//! symmetry; so only the Lyndon words of odd weight are equations: 1, 2, 4, 8 of them for
//! order 2, 4, 6, 8 (Yoshida 1990; Murua and Sanz-Serna 1999).
//!
//! The coefficients are the solution of these equations near a given decimal approximation.
//! That there is exactly one in a box around it is proved by Krawczyk's test in ball
//! arithmetic, so its digits can be had to any precision.

mod krawczyk;
mod words;

use isotrope_algebra::{Ball, EvaluationError, Precision, Rational};

use krawczyk::{Verification, solve};
use words::{Jet, Words};

/// A composition with palindromic coefficients, the middle one given by Σγ = 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymmetricComposition {
    /// The order its coefficients are to give.
    order: usize,
    /// Approximations of γ₁, …, γₘ; then γ_{m+1} = 1 − 2Σγ and back again.
    start: Vec<Rational>,
}

/// Why coefficients could not be certified.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompositionError {
    /// The number of coefficients is not the number of equations.
    #[error("{equations} equations for {unknowns} coefficients")]
    Count {
        /// Lyndon words of odd weight below the order, without the word 1.
        equations: usize,
        /// Free coefficients.
        unknowns: usize,
    },
    /// No solution was found, or proved, near the approximation.
    #[error("no solution of the order conditions could be proved near the given coefficients")]
    NotProved,
    /// Ball arithmetic gave up.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl SymmetricComposition {
    /// Coefficients near `start` that give order `order`.
    pub fn new(order: usize, start: Vec<Rational>) -> Self {
        Self { order, start }
    }

    /// The number of steps of the base method.
    pub fn length(&self) -> usize {
        2 * self.start.len() + 1
    }

    /// The decimals near which γ₁, …, γₘ are.
    pub fn start(&self) -> &[Rational] {
        &self.start
    }

    /// The order that [`Self::coefficients`] proves.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Is it S(γh) S((1 - 2γ)h) S(γh) with 2γ³ + (1 - 2γ)³ = 0? That has one real solution.
    pub fn is_triple_jump(&self) -> bool {
        self.order == 4 && self.start.len() == 1
    }

    /// Enclosures of γ₁, …, γₙ: in each box product there is exactly one solution of the order
    /// conditions, so the composition with those exact numbers has the order.
    pub fn coefficients(&self, precision: Precision) -> Result<Vec<Ball>, CompositionError> {
        let words = Words::up_to(self.order);
        let equations: Vec<usize> = words
            .lyndon()
            .filter(|&word| words.weight(word) % 2 == 1 && words.weight(word) > 1)
            .collect();
        let unknowns = self.start.len();
        if equations.len() != unknowns {
            return Err(CompositionError::Count { equations: equations.len(), unknowns });
        }
        let residual = |outer: &[Ball]| -> Result<Vec<Jet>, EvaluationError> {
            let product = words.product(&palindrome(&Jet::variables(outer))?)?;
            Ok(equations.iter().map(|&word| product[word].clone()).collect())
        };
        match solve(&self.start, precision, &residual)? {
            Verification::Unique(outer) => {
                let jets: Vec<Jet> = outer.into_iter().map(Jet::constant).collect();
                Ok(palindrome(&jets)?.into_iter().map(|jet| jet.value).collect())
            }
            Verification::NotProved => Err(CompositionError::NotProved),
        }
    }

    /// Words of weight at most `weight` whose coefficients, with these enclosures, certainly
    /// differ from those of exp(X₁): a proof that a generic symmetric base gives no higher
    /// order.
    pub fn failing_words(
        &self,
        coefficients: &[Ball],
        weight: usize,
    ) -> Result<Vec<String>, EvaluationError> {
        let words = Words::up_to(weight);
        let factors: Vec<Jet> = coefficients.iter().cloned().map(Jet::constant).collect();
        let product = words.product(&factors)?;
        let differs = |(word, coefficient): &(usize, &Jet)| {
            let value = &coefficient.value;
            let wanted = Ball::from_rational(&words.exponential(*word), value.precision());
            value.sub(&wanted).excludes_zero()
        };
        let failing = product.iter().enumerate().filter(differs);
        Ok(failing.map(|(word, _)| words.name(word)).collect())
    }
}

/// γ₁, …, γₘ, 1 − 2Σγ, γₘ, …, γ₁.
fn palindrome(outer: &[Jet]) -> Result<Vec<Jet>, EvaluationError> {
    let Some(first) = outer.first() else { return Ok(Vec::new()) };
    let precision = first.value.precision();
    let mut middle = Jet::constant(Ball::one(precision));
    for jet in outer {
        middle = middle.sub(jet).sub(jet);
    }
    Ok(outer.iter().cloned().chain([middle]).chain(outer.iter().rev().cloned()).collect())
}

#[cfg(test)]
mod tests;
