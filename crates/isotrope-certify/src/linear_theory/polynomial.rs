//! Polynomials with coefficients in a real number field: division, Sturm's chains, roots.

use std::cmp::Ordering;

use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::{Budget, OrInternal, OutOfBudget, Precision, Rational};
use isotrope_methods::table::TableProblem;

const DOING: &str = "deciding about a stability function";

/// Ascending coefficients without leading zeros.
pub(super) type Polynomial = Vec<FieldElement>;

/// Computes with polynomials over a real number field, within a budget.
pub(super) struct Real<'f, 'b> {
    pub field: &'f NumberField,
    budget: &'b mut Budget,
}

/// Where a polynomial becomes positive on the positive half-axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rise {
    /// Nowhere.
    Never,
    /// At once.
    AtZero,
    /// Behind a root between these bounds.
    Within(Rational, Rational),
}

impl<'f, 'b> Real<'f, 'b> {
    pub fn new(field: &'f NumberField, budget: &'b mut Budget) -> Self {
        Self { field, budget }
    }

    /// Pays for so many products.
    pub fn pay(&mut self, products: usize, sample: &[FieldElement]) -> Result<(), OutOfBudget> {
        let words = 1 + sample.iter().map(FieldElement::bits).max().unwrap_or(0) / 64;
        let degree = self.field.degree() as u64;
        let each = degree * degree * words.saturating_add(words.saturating_mul(words) / 8);
        self.budget.spend((products as u64).saturating_mul(each), DOING)
    }

    pub fn trimmed(mut polynomial: Polynomial) -> Polynomial {
        while polynomial.last().is_some_and(FieldElement::is_zero) {
            polynomial.pop();
        }
        polynomial
    }

    pub fn rational(&self, value: i64) -> FieldElement {
        self.field.rational(Rational::integer(value))
    }

    pub fn combine(&self, x: &[FieldElement], factor: i64, y: &[FieldElement]) -> Polynomial {
        let factor = self.rational(factor);
        let zero = FieldElement::zero();
        let sum = (0..x.len().max(y.len())).map(|k| {
            let (x, y) = (x.get(k).unwrap_or(&zero), y.get(k).unwrap_or(&zero));
            self.field.add(x, &self.field.mul(&factor, y))
        });
        Self::trimmed(sum.collect())
    }

    pub fn times(
        &mut self,
        x: &[FieldElement],
        y: &[FieldElement],
    ) -> Result<Polynomial, OutOfBudget> {
        self.pay(x.len() * y.len(), x)?;
        let mut product = vec![FieldElement::zero(); (x.len() + y.len()).saturating_sub(1)];
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate() {
                product[i + j] = self.field.add(&product[i + j], &self.field.mul(x, y));
            }
        }
        Ok(Self::trimmed(product))
    }

    /// p(−x).
    pub fn reflected(&self, x: &[FieldElement]) -> Polynomial {
        let signed = x.iter().enumerate();
        signed.map(|(k, c)| if k % 2 == 1 { self.field.neg(c) } else { c.clone() }).collect()
    }

    /// Real and imaginary part of p(iy), the second divided by y, as polynomials of y².
    pub fn on_imaginary_axis(&self, x: &[FieldElement]) -> (Polynomial, Polynomial) {
        let part = |first: usize| {
            let every = x.iter().skip(first).step_by(2).enumerate();
            let signed = every.map(|(k, c)| if k % 2 == 1 { self.field.neg(c) } else { c.clone() });
            Self::trimmed(signed.collect())
        };
        (part(0), part(1))
    }

    /// |p(iy)|² as a polynomial of y².
    pub fn square_on_imaginary_axis(
        &mut self,
        x: &[FieldElement],
    ) -> Result<Polynomial, OutOfBudget> {
        let (even, odd) = self.on_imaginary_axis(x);
        let even = self.times(&even, &even)?;
        let mut odd = self.times(&odd, &odd)?;
        if !odd.is_empty() {
            odd.insert(0, FieldElement::zero());
        }
        Ok(self.combine(&even, 1, &odd))
    }

    /// Quotient and remainder; the divisor is not zero.
    pub fn divided(
        &mut self,
        x: &[FieldElement],
        y: &[FieldElement],
    ) -> Result<(Polynomial, Polynomial), TableProblem> {
        let Some(lead) = y.last() else { return Ok((Vec::new(), x.to_vec())) };
        let inverse = self.field.inverse(lead)?;
        let mut rest = x.to_vec();
        let steps = (rest.len() + 1).saturating_sub(y.len());
        let mut quotient = vec![FieldElement::zero(); steps];
        for k in (0..steps).rev() {
            self.pay(y.len() + 1, &rest)?;
            let q = self.field.mul(&rest[k + y.len() - 1], &inverse);
            for (value, d) in rest[k..].iter_mut().zip(y) {
                *value = self.field.sub(value, &self.field.mul(&q, d));
            }
            quotient[k] = q;
        }
        Ok((Self::trimmed(quotient), Self::trimmed(rest)))
    }

    /// The greatest common divisor, up to a factor.
    pub fn common(
        &mut self,
        x: &[FieldElement],
        y: &[FieldElement],
    ) -> Result<Polynomial, TableProblem> {
        let (mut x, mut y) = (x.to_vec(), y.to_vec());
        while !y.is_empty() {
            let (_, rest) = self.divided(&x, &y)?;
            (x, y) = (y, self.moderate(rest)?);
        }
        Ok(x)
    }

    /// Divided by the size of the leading coefficient: signs stay, numbers stay short.
    fn moderate(&mut self, polynomial: Polynomial) -> Result<Polynomial, TableProblem> {
        let Some(lead) = polynomial.last() else { return Ok(polynomial) };
        let mut inverse = self.field.inverse(lead)?;
        if self.sign(lead)? == Ordering::Less {
            inverse = self.field.neg(&inverse);
        }
        self.pay(polynomial.len(), &polynomial)?;
        Ok(polynomial.iter().map(|c| self.field.mul(c, &inverse)).collect())
    }

    pub fn sign(&self, x: &FieldElement) -> Result<Ordering, TableProblem> {
        if x.is_zero() {
            return Ok(Ordering::Equal);
        }
        let ball = self.field.enclosure(x, Precision::new(16))?;
        Ok(if ball.is_negative() { Ordering::Less } else { Ordering::Greater })
    }

    fn sign_at(&mut self, x: &[FieldElement], at: &Rational) -> Result<Ordering, TableProblem> {
        self.pay(x.len(), x)?;
        let at = self.field.rational(at.clone());
        let value = x
            .iter()
            .rev()
            .fold(FieldElement::zero(), |value, c| self.field.add(&self.field.mul(&value, &at), c));
        self.sign(&value)
    }

    /// Where a polynomial first becomes positive for growing x > 0.
    pub fn rise(&mut self, polynomial: &[FieldElement]) -> Result<Rise, TableProblem> {
        let Some(first) = polynomial.iter().position(|c| !c.is_zero()) else {
            return Ok(Rise::Never);
        };
        let polynomial = &polynomial[first..];
        if self.sign(&polynomial[0])? == Ordering::Greater {
            return Ok(Rise::AtZero);
        }
        let chain = self.sturm_chain(polynomial)?;
        let (mut low, mut high) = (Rational::ZERO, Rational::ONE);
        let all = self.variations_at_end(&chain)?;
        while self.variations(&chain, &high)? != all
            || self.sign_at(&chain[0], &high)? == Ordering::Equal
        {
            high = &high + &high;
        }
        // One root after the other: between them the sign is that at any point.
        loop {
            let here = self.variations(&chain, &low)?;
            if here == all {
                return Ok(Rise::Never);
            }
            let mut right = high.clone();
            while here - self.variations(&chain, &right)? > 1 {
                right = self.between(&chain[0], &low, &right)?;
            }
            if self.sign_at(polynomial, &right)? != Ordering::Greater {
                low = right;
                continue;
            }
            for _ in 0..DIGITS {
                let middle = self.between(&chain[0], &low, &right)?;
                if self.variations(&chain, &middle)? == here {
                    low = middle;
                } else {
                    right = middle;
                }
            }
            return Ok(Rise::Within(low, right));
        }
    }

    /// A point inside that is no root.
    fn between(
        &mut self,
        square_free: &[FieldElement],
        left: &Rational,
        right: &Rational,
    ) -> Result<Rational, TableProblem> {
        let mut part = Rational::half();
        loop {
            let point = left + &(&(right - left) * &part);
            if self.sign_at(square_free, &point)? != Ordering::Equal {
                return Ok(point);
            }
            part = &part * &Rational::new(3, 4).or_noticed("three quarters");
        }
    }

    /// The chain of the square-free part: it counts distinct roots.
    fn sturm_chain(
        &mut self,
        polynomial: &[FieldElement],
    ) -> Result<Vec<Polynomial>, TableProblem> {
        let derivative = self.derivative(polynomial);
        let common = self.common(polynomial, &derivative)?;
        let (square_free, _) = self.divided(polynomial, &common)?;
        let square_free = self.moderate(square_free)?;
        let derivative = self.derivative(&square_free);
        let mut chain = vec![square_free, derivative];
        while let [.., before, last] = &chain[..]
            && !last.is_empty()
        {
            let (before, last) = (before.clone(), last.clone());
            let (_, rest) = self.divided(&before, &last)?;
            let rest = self.moderate(rest)?;
            chain.push(rest.iter().map(|c| self.field.neg(c)).collect());
        }
        chain.pop();
        Ok(chain)
    }

    fn derivative(&self, polynomial: &[FieldElement]) -> Polynomial {
        let terms = polynomial.iter().zip(0_i64..).skip(1);
        terms.map(|(c, k)| self.field.mul(c, &self.rational(k))).collect()
    }

    fn variations(&mut self, chain: &[Polynomial], at: &Rational) -> Result<usize, TableProblem> {
        let mut signs = Vec::with_capacity(chain.len());
        for polynomial in chain {
            signs.push(self.sign_at(polynomial, at)?);
        }
        Ok(changes(&signs))
    }

    fn variations_at_end(&mut self, chain: &[Polynomial]) -> Result<usize, TableProblem> {
        let mut signs = Vec::with_capacity(chain.len());
        for polynomial in chain {
            signs.push(polynomial.last().map_or(Ok(Ordering::Equal), |lead| self.sign(lead))?);
        }
        Ok(changes(&signs))
    }

    /// Have all roots a negative real part? By Routh's scheme, exactly.
    pub fn is_hurwitz(&mut self, polynomial: &[FieldElement]) -> Result<bool, TableProblem> {
        let descending: Vec<FieldElement> = polynomial.iter().rev().cloned().collect();
        let mut above: Polynomial = descending.iter().step_by(2).cloned().collect();
        let mut below: Polynomial = descending.iter().skip(1).step_by(2).cloned().collect();
        let Some(first) = above.first() else { return Ok(false) };
        let sign = self.sign(first)?;
        for _ in 1..polynomial.len() {
            let Some(pivot) = below.first() else { return Ok(false) };
            if self.sign(pivot)? != sign {
                return Ok(false);
            }
            let factor = self.field.div(&above[0], pivot)?;
            self.pay(above.len(), &above)?;
            let zero = FieldElement::zero();
            let next: Polynomial = (1..above.len())
                .map(|k| {
                    let under = below.get(k).unwrap_or(&zero);
                    self.field.sub(&above[k], &self.field.mul(&factor, under))
                })
                .collect();
            above = std::mem::replace(&mut below, next);
        }
        Ok(true)
    }
}

/// Bits of the end points of intervals.
const DIGITS: usize = 60;

/// Changes of sign, zeros left out.
fn changes(signs: &[Ordering]) -> usize {
    let signs: Vec<_> = signs.iter().filter(|sign| **sign != Ordering::Equal).collect();
    signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
}
