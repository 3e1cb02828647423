//! The fields that elimination runs over.

use std::convert::Infallible;
use std::marker::PhantomData;

use crate::modular;
use crate::number::Rational;
use crate::polynomial::Field;
use crate::{Budget, OutOfBudget};

/// A field with an exact zero test. Elements are plain data; the context knows how to compute with
/// them, what that costs and when to stop.
pub trait ExactField {
    /// An element.
    type Element: Clone;
    /// Why a computation ends early; [`Infallible`] if it never does.
    type Stop;

    /// Zero.
    fn zero(&self) -> Self::Element;

    /// One.
    fn one(&self) -> Self::Element;

    /// Is it zero?
    fn is_zero(&self, x: &Self::Element) -> bool;

    /// `-x`.
    fn negate(&self, x: &Self::Element) -> Self::Element;

    /// `1/x`; `None` for zero.
    fn inverse(&self, x: &Self::Element) -> Option<Self::Element>;

    /// `x y`.
    fn times(&mut self, x: &Self::Element, y: &Self::Element) -> Result<Self::Element, Self::Stop>;

    /// `x - factor y`.
    fn minus_product(
        &mut self,
        x: &Self::Element,
        factor: &Self::Element,
        y: &Self::Element,
    ) -> Result<Self::Element, Self::Stop>;

    /// Takes multiples of rows with pivots one off a row until its first entry stands in a column without a pivot: that
    /// column, or none if nothing is left. `by_pivot` has the place of the row with a pivot in a column.
    fn clear(
        &mut self,
        row: &mut [Self::Element],
        rows: &[(usize, Vec<Self::Element>)],
        by_pivot: &[Option<usize>],
    ) -> Result<Option<usize>, Self::Stop> {
        for column in 0..row.len() {
            if self.is_zero(&row[column]) {
                continue;
            }
            let Some(known) = by_pivot[column] else { return Ok(Some(column)) };
            subtract_multiple(self, row, &rows[known].1, column)?;
        }
        Ok(None)
    }

    /// Pays for a combination of rows with that many entries.
    fn spend(&mut self, entries: usize) -> Result<(), Self::Stop>;
}

/// The integers modulo a prime below 2^63.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residues(
    /// The prime.
    pub u64,
);

impl ExactField for Residues {
    type Element = u64;
    type Stop = Infallible;

    fn zero(&self) -> u64 {
        0
    }

    fn one(&self) -> u64 {
        1
    }

    fn is_zero(&self, x: &u64) -> bool {
        *x == 0
    }

    fn negate(&self, x: &u64) -> u64 {
        modular::sub(0, *x, self.0)
    }

    fn inverse(&self, x: &u64) -> Option<u64> {
        modular::inverse(*x, self.0)
    }

    fn times(&mut self, x: &u64, y: &u64) -> Result<u64, Infallible> {
        Ok(modular::mul(*x, *y, self.0))
    }

    fn minus_product(&mut self, x: &u64, factor: &u64, y: &u64) -> Result<u64, Infallible> {
        Ok(modular::sub(*x, modular::mul(*factor, *y, self.0), self.0))
    }

    /// Remainders are taken once for as many products as a sum has room for.
    fn clear(
        &mut self,
        row: &mut [u64],
        rows: &[(usize, Vec<u64>)],
        by_pivot: &[Option<usize>],
    ) -> Result<Option<usize>, Infallible> {
        let prime = self.0;
        let room = u128::MAX / (u128::from(prime) * u128::from(prime)) - 1;
        let mut sums: Vec<u128> = row.iter().map(|&entry| u128::from(entry)).collect();
        let (mut added, mut first) = (0, None);
        for column in 0..row.len() {
            let entry = modular::remainder(sums[column], prime);
            sums[column] = u128::from(entry);
            if entry == 0 {
                continue;
            }
            let Some(known) = by_pivot[column] else {
                first = Some(column);
                break;
            };
            if added == room {
                for sum in &mut sums[column..] {
                    *sum = u128::from(modular::remainder(*sum, prime));
                }
                added = 0;
            }
            let factor = u128::from(prime - entry);
            for (sum, &pivot) in sums[column..].iter_mut().zip(&rows[known].1[column..]) {
                *sum += factor * u128::from(pivot);
            }
            added += 1;
            sums[column] = 0;
        }
        for (entry, sum) in row.iter_mut().zip(sums) {
            *entry = modular::remainder(sum, prime);
        }
        Ok(first)
    }

    fn spend(&mut self, _: usize) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Clears `column` of a row with a row whose pivot, one, stands there.
pub(super) fn subtract_multiple<F: ExactField + ?Sized>(
    field: &mut F,
    row: &mut [F::Element],
    pivot: &[F::Element],
    column: usize,
) -> Result<(), F::Stop> {
    field.spend(pivot.len() - column)?;
    let factor = row[column].clone();
    for (entry, pivot) in row[column..].iter_mut().zip(&pivot[column..]) {
        if !field.is_zero(pivot) {
            *entry = field.minus_product(entry, &factor, pivot)?;
        }
    }
    Ok(())
}

/// The rational numbers, for systems so small that no budget is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rationals;

impl ExactField for Rationals {
    type Element = Rational;
    type Stop = Infallible;

    fn zero(&self) -> Rational {
        Rational::ZERO
    }

    fn one(&self) -> Rational {
        Rational::ONE
    }

    fn is_zero(&self, x: &Rational) -> bool {
        x.is_zero()
    }

    fn negate(&self, x: &Rational) -> Rational {
        -x
    }

    fn inverse(&self, x: &Rational) -> Option<Rational> {
        x.recip()
    }

    fn times(&mut self, x: &Rational, y: &Rational) -> Result<Rational, Infallible> {
        Ok(x * y)
    }

    fn minus_product(
        &mut self,
        x: &Rational,
        factor: &Rational,
        y: &Rational,
    ) -> Result<Rational, Infallible> {
        Ok(x - &(factor * y))
    }

    fn spend(&mut self, _: usize) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Any field of coefficients of polynomials (rationals, rational functions), within a budget.
#[derive(Debug)]
pub struct Budgeted<'b, F> {
    budget: &'b mut Budget,
    /// What an entry of a row costs, besides the operations of the field itself.
    entry: u64,
    doing: &'static str,
    field: PhantomData<F>,
}

impl<'b, F: Field> Budgeted<'b, F> {
    /// The field, where an entry of a row costs that much.
    pub fn new(budget: &'b mut Budget, entry: u64, doing: &'static str) -> Self {
        Self { budget, entry, doing, field: PhantomData }
    }
}

impl<F: Field> ExactField for Budgeted<'_, F> {
    type Element = F;
    type Stop = OutOfBudget;

    fn zero(&self) -> F {
        F::zero()
    }

    fn one(&self) -> F {
        F::one()
    }

    fn is_zero(&self, x: &F) -> bool {
        x.is_zero()
    }

    fn negate(&self, x: &F) -> F {
        x.negate()
    }

    fn inverse(&self, x: &F) -> Option<F> {
        x.reciprocal()
    }

    fn times(&mut self, x: &F, y: &F) -> Result<F, OutOfBudget> {
        x.times(y, self.budget)
    }

    fn minus_product(&mut self, x: &F, factor: &F, y: &F) -> Result<F, OutOfBudget> {
        let product = factor.times(y, self.budget)?;
        x.plus(&product.negate(), self.budget)
    }

    fn spend(&mut self, entries: usize) -> Result<(), OutOfBudget> {
        self.budget.spend(self.entry.saturating_mul(entries as u64), self.doing)
    }
}
