//! Coefficients of graded functions: a commutative ring with derivatives and a zero test.

use std::fmt::Debug;

use isotrope_algebra::calculus;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, Rational, RationalFunction};

use crate::work::zero_test;

/// A ring of coefficients. Polynomial and rational ones decide exactly whether they are zero;
/// expressions answer yes, no or unknown.
pub trait Coefficients {
    /// A coefficient.
    type Value: Clone + PartialEq + Debug;
    /// A sum under construction.
    type Sum: Default;

    /// Do coordinates of degree 0 belong to the coefficients?
    const HOLDS_BASE: bool;

    /// A number.
    fn number(&mut self, value: &Rational) -> Self::Value;
    /// A coordinate of degree 0, by its number among those.
    fn base(&mut self, index: usize) -> Self::Value;
    /// Adds `a b`, or subtracts it.
    fn add_product(
        &mut self,
        sum: &mut Self::Sum,
        a: &Self::Value,
        b: &Self::Value,
        negative: bool,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget>;
    /// Adds a value, or subtracts it.
    fn add_value(
        &mut self,
        sum: &mut Self::Sum,
        value: &Self::Value,
        negative: bool,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget>;
    /// The finished sum; `None` if it is zero at first sight.
    fn total(
        &mut self,
        sum: Self::Sum,
        budget: &mut Budget,
    ) -> Result<Option<Self::Value>, OutOfBudget>;
    /// The product with a number that is not zero.
    fn scale(&mut self, value: &Self::Value, factor: &Rational) -> Self::Value;
    /// The derivative along a coordinate of degree 0, by its number among those; `None` if it is
    /// zero at first sight.
    fn derivative(
        &mut self,
        value: &Self::Value,
        index: usize,
        budget: &mut Budget,
    ) -> Result<Option<Self::Value>, OutOfBudget>;
    /// A value over another base, whose coordinates of degree 0 are `base`, with `images` in their
    /// place; `None` if a denominator vanishes there.
    fn substitute(
        &mut self,
        value: &Self::Value,
        base: &[Self::Value],
        images: &[Self::Value],
        budget: &mut Budget,
    ) -> Result<Option<Self::Value>, OutOfBudget>;
    /// Is it identically zero?
    fn zero(&mut self, value: &Self::Value, budget: &mut Budget) -> Zero;
}

/// Numbers: all coordinates are in the monomials, functions are polynomials over Q.
#[derive(Debug, Clone, Copy, Default)]
pub struct Polynomials;

impl Coefficients for Polynomials {
    type Value = Rational;
    type Sum = Rational;
    const HOLDS_BASE: bool = false;

    fn number(&mut self, value: &Rational) -> Rational {
        value.clone()
    }
    fn base(&mut self, _: usize) -> Rational {
        Rational::ONE
    }
    fn add_product(
        &mut self,
        sum: &mut Rational,
        a: &Rational,
        b: &Rational,
        negative: bool,
        _: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        if let (Some(s), Some(a), Some(b)) = (sum.as_integer(), a.as_integer(), b.as_integer()) {
            let product = a.checked_mul(b);
            let total = product.and_then(|product| {
                if negative { s.checked_sub(product) } else { s.checked_add(product) }
            });
            if let Some(total) = total {
                *sum = Rational::integer(total);
                return Ok(());
            }
        }
        let product = a * b;
        *sum = if negative { &*sum - &product } else { &*sum + &product };
        Ok(())
    }
    fn add_value(
        &mut self,
        sum: &mut Rational,
        value: &Rational,
        negative: bool,
        _: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        *sum = if negative { &*sum - value } else { &*sum + value };
        Ok(())
    }
    fn total(&mut self, sum: Rational, _: &mut Budget) -> Result<Option<Rational>, OutOfBudget> {
        Ok((!sum.is_zero()).then_some(sum))
    }
    fn scale(&mut self, value: &Rational, factor: &Rational) -> Rational {
        value * factor
    }
    fn derivative(
        &mut self,
        _: &Rational,
        _: usize,
        _: &mut Budget,
    ) -> Result<Option<Rational>, OutOfBudget> {
        Ok(None)
    }
    fn substitute(
        &mut self,
        value: &Rational,
        _: &[Rational],
        _: &[Rational],
        _: &mut Budget,
    ) -> Result<Option<Rational>, OutOfBudget> {
        Ok(Some(value.clone()))
    }
    fn zero(&mut self, value: &Rational, _: &mut Budget) -> Zero {
        if value.is_zero() { Zero::Yes } else { Zero::No }
    }
}

/// Rational functions of the coordinates of degree 0, variables `0, 1, ...` in their order;
/// variables beyond them are parameters.
#[derive(Debug, Clone, Copy, Default)]
pub struct RationalFunctions;

impl Coefficients for RationalFunctions {
    type Value = RationalFunction;
    type Sum = RationalFunction;
    const HOLDS_BASE: bool = true;

    fn number(&mut self, value: &Rational) -> RationalFunction {
        RationalFunction::constant(value.clone())
    }
    fn base(&mut self, index: usize) -> RationalFunction {
        RationalFunction::variable(index)
    }
    fn add_product(
        &mut self,
        sum: &mut RationalFunction,
        a: &RationalFunction,
        b: &RationalFunction,
        negative: bool,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        let product = a.mul(b, budget)?;
        self.add_value(sum, &product, negative, budget)
    }
    fn add_value(
        &mut self,
        sum: &mut RationalFunction,
        value: &RationalFunction,
        negative: bool,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        *sum = if negative { sum.sub(value, budget)? } else { sum.add(value, budget)? };
        Ok(())
    }
    fn total(
        &mut self,
        sum: RationalFunction,
        _: &mut Budget,
    ) -> Result<Option<RationalFunction>, OutOfBudget> {
        Ok((!sum.is_zero()).then_some(sum))
    }
    fn scale(&mut self, value: &RationalFunction, factor: &Rational) -> RationalFunction {
        // A number neither cancels nor grows, so only a stop flag ends it: then nothing is an answer.
        let factor = RationalFunction::constant(factor.clone());
        value.mul(&factor, &mut Budget::unlimited()).unwrap_or_default()
    }
    fn derivative(
        &mut self,
        value: &RationalFunction,
        index: usize,
        budget: &mut Budget,
    ) -> Result<Option<RationalFunction>, OutOfBudget> {
        let slope = value.derivative(index, budget)?;
        Ok((!slope.is_zero()).then_some(slope))
    }
    fn substitute(
        &mut self,
        value: &RationalFunction,
        _: &[RationalFunction],
        images: &[RationalFunction],
        budget: &mut Budget,
    ) -> Result<Option<RationalFunction>, OutOfBudget> {
        // All at once: first under names that no image uses.
        let aside = images.iter().flat_map(|image| {
            let parts =
                [image.numerator(), image.denominator(), value.numerator(), value.denominator()];
            parts.map(|part| part.degrees().len())
        });
        let aside = aside.max().unwrap_or(0);
        let count = images.len();
        let rename = |index: usize| if index < count { index + aside } else { index };
        let numerator = value.numerator().rename_variables(rename, budget)?;
        let denominator = value.denominator().rename_variables(rename, budget)?;
        let Some(mut result) = RationalFunction::new(numerator, denominator, budget)? else {
            return Ok(None);
        };
        for (index, image) in images.iter().enumerate() {
            match result.substitute(index + aside, image, budget)? {
                Some(next) => result = next,
                None => return Ok(None),
            }
        }
        Ok(Some(result))
    }
    fn zero(&mut self, value: &RationalFunction, _: &mut Budget) -> Zero {
        if value.is_zero() { Zero::Yes } else { Zero::No }
    }
}

/// Any expressions of the coordinates of degree 0.
#[derive(Debug)]
pub struct Expressions<'pool> {
    /// Where they live.
    pub pool: &'pool mut Pool,
    /// The symbols of the coordinates of degree 0, in their order.
    pub base: Vec<ExprId>,
}

impl Coefficients for Expressions<'_> {
    type Value = ExprId;
    type Sum = Vec<ExprId>;
    const HOLDS_BASE: bool = true;

    fn number(&mut self, value: &Rational) -> ExprId {
        self.pool.number(value.clone())
    }
    fn base(&mut self, index: usize) -> ExprId {
        self.base.get(index).copied().unwrap_or(ExprId::UNDEFINED)
    }
    fn add_product(
        &mut self,
        sum: &mut Vec<ExprId>,
        a: &ExprId,
        b: &ExprId,
        negative: bool,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        budget.spend(1, "multiplying coefficients")?;
        let product = self.pool.mul(*a, *b);
        sum.push(if negative { self.pool.neg(product) } else { product });
        Ok(())
    }
    fn add_value(
        &mut self,
        sum: &mut Vec<ExprId>,
        value: &ExprId,
        negative: bool,
        _: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        sum.push(if negative { self.pool.neg(*value) } else { *value });
        Ok(())
    }
    fn total(
        &mut self,
        sum: Vec<ExprId>,
        budget: &mut Budget,
    ) -> Result<Option<ExprId>, OutOfBudget> {
        budget.spend(sum.len() as u64, "adding coefficients")?;
        let total = self.pool.sum(&sum);
        Ok((!total.is_zero()).then_some(total))
    }
    fn scale(&mut self, value: &ExprId, factor: &Rational) -> ExprId {
        self.pool.scale(factor, *value)
    }
    fn derivative(
        &mut self,
        value: &ExprId,
        index: usize,
        budget: &mut Budget,
    ) -> Result<Option<ExprId>, OutOfBudget> {
        let slope = calculus::derivative(self.pool, *value, self.base[index], budget)?;
        Ok((!slope.is_zero()).then_some(slope))
    }
    fn substitute(
        &mut self,
        value: &ExprId,
        base: &[ExprId],
        images: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Option<ExprId>, OutOfBudget> {
        let map = base.iter().copied().zip(images.iter().copied()).collect();
        let result = calculus::substitute(self.pool, &[*value], &map, budget)?[0];
        Ok((result != ExprId::UNDEFINED).then_some(result))
    }
    fn zero(&mut self, value: &ExprId, budget: &mut Budget) -> Zero {
        zero_test(self.pool, *value, budget)
    }
}
