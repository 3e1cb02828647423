//! A number field that grows: adjoining a further algebraic number.

use dashu_base::UnsignedAbs;
use dashu_int::IBig;

use super::euclid::gcd;
use super::{AlgebraicNumber, DEGREE_LIMIT, FieldElement, FieldError, NumberField};
use crate::linear::{Rationals, solve_rows};
use crate::number::algebraic::split_square;
use crate::{Budget, OrInternal, Rational};

/// Multiples of the new number that are tried for a primitive element. Only finitely many fail:
/// at most one for each pair of conjugates.
const MULTIPLES: i64 = 200;

/// The largest degree of a polynomial that is factored to find a common field.
const PRODUCT_LIMIT: usize = 128;

/// A field with a number adjoined, and the way into it.
#[derive(Debug, Clone)]
pub struct Extension {
    /// The larger field; the same as before if it had the number already.
    pub field: NumberField,
    /// The number that was adjoined, as an element of the larger field.
    pub element: FieldElement,
    /// The powers of the old generator in the larger field; `None` if the field is the same.
    powers: Option<Vec<FieldElement>>,
}

impl Extension {
    /// Is the field larger than before?
    pub fn is_proper(&self) -> bool {
        self.powers.is_some()
    }

    /// Operations that an embedding takes.
    pub(super) fn cost(&self, element: &FieldElement) -> u64 {
        let length = element.coefficients().len() as u64;
        let words = 1 + element.bits() / 64;
        length.saturating_mul(self.field.degree() as u64).saturating_mul(words)
    }

    /// An element of the old field as one of the larger field.
    pub fn embed(&self, element: &FieldElement) -> FieldElement {
        match &self.powers {
            None => element.clone(),
            Some(powers) => {
                let terms = element.coefficients().iter().zip(powers);
                terms.fold(FieldElement::zero(), |sum, (c, power)| {
                    self.field.add(&sum, &self.field.scale(power, c))
                })
            }
        }
    }
}

impl NumberField {
    /// The smallest field that contains this one and the number.
    ///
    /// The generator changes only if the field does. Fields of a degree above
    /// [`DEGREE_LIMIT`] are refused.
    pub fn adjoin(
        &self,
        number: &AlgebraicNumber,
        budget: &mut Budget,
    ) -> Result<Extension, FieldError> {
        if let Some(value) = number.as_rational() {
            return Ok(self.same(value.clone().into()));
        }
        if *number == *self.generator() {
            return Ok(self.same(self.generator_element()));
        }
        check_degree(number.degree())?;
        if self.is_rationals() {
            return adjoin_to_rationals(number, budget);
        }
        // A polynomial of this degree has to be factored first.
        let product = self.degree().saturating_mul(number.degree());
        if product > PRODUCT_LIMIT {
            return Err(FieldError::OutOfReach { field: self.degree(), number: number.degree() });
        }
        for multiple in (1..=MULTIPLES).flat_map(|k| [k, -k]) {
            let multiple = Rational::integer(multiple);
            let primitive = self.generator().add(&number.scale(&multiple), budget)?;
            check_degree(primitive.degree())?;
            if primitive.degree() < self.degree() {
                continue;
            }
            let field = Self::generated_by(primitive);
            // The common roots y of minpoly(y) and minpoly_theta(theta' - k y): only the number,
            // unless theta' is the same for another pair of conjugates.
            let minimal = number.minimal_polynomial().coefficients();
            let left = minimal.iter().map(|c| Rational::from(c.clone()).into()).collect();
            let right = field.substitute_old_generator(self, &multiple);
            let common = gcd(&field, left, right, budget)?;
            let [constant, _] = common.as_slice() else { continue };
            let element = field.neg(constant);
            let shift = field.scale(&element, &multiple);
            let generator = field.sub(&field.generator_element(), &shift);
            if field.degree() > self.degree() {
                let mut powers = vec![FieldElement::one()];
                for _ in 1..self.degree() {
                    powers.extend(powers.last().map(|last| field.mul(last, &generator)));
                }
                return Ok(Extension { field, element, powers: Some(powers) });
            }
            if let Some(element) = field.rewrite(&generator, &element) {
                return Ok(self.same(element));
            }
        }
        Err(FieldError::DegreeLimit { degree: self.degree(), limit: DEGREE_LIMIT })
    }

    fn same(&self, element: FieldElement) -> Extension {
        Extension { field: self.clone(), element, powers: None }
    }

    /// `minpoly_theta(theta' - k y)` as a polynomial in `y`, with `theta'` the generator here
    /// and `theta` that of `old`.
    fn substitute_old_generator(&self, old: &Self, multiple: &Rational) -> Vec<FieldElement> {
        let generator = self.generator_element();
        let minus = -multiple;
        let mut value: Vec<FieldElement> = Vec::new();
        for c in old.generator().minimal_polynomial().coefficients().iter().rev() {
            let mut next = vec![FieldElement::zero(); value.len() + 1];
            for (i, v) in value.iter().enumerate() {
                next[i] = self.add(&next[i], &self.mul(v, &generator));
                next[i + 1] = self.add(&next[i + 1], &self.scale(v, &minus));
            }
            next[0] = self.add(&next[0], &Rational::from(c.clone()).into());
            value = next;
        }
        value
    }

    /// The coefficients of `element` as a polynomial in `generator`, another generator of this
    /// field: linear equations for them.
    fn rewrite(&self, generator: &FieldElement, element: &FieldElement) -> Option<FieldElement> {
        let n = self.degree();
        let mut rows = vec![vec![Rational::ZERO; n + 1]; n];
        let mut power = FieldElement::one();
        for column in 0..=n {
            let source = if column == n { element } else { &power };
            for (row, c) in rows.iter_mut().zip(source.coefficients()) {
                row[column] = c.clone();
            }
            power = self.mul(&power, generator);
        }
        let Ok(solution) = solve_rows(&mut Rationals, rows);
        Some(self.element(solution?.into_iter().flatten().collect()))
    }
}

fn check_degree(degree: usize) -> Result<(), FieldError> {
    if degree > DEGREE_LIMIT {
        return Err(FieldError::DegreeLimit { degree, limit: DEGREE_LIMIT });
    }
    Ok(())
}

/// The field of one number. Quadratic fields are generated by the root of an integer, so that
/// `1/4+sqrt(3)/6` and `sqrt(12)` both lead to `sqrt(3)`; roots of rationals are generated by
/// the positive one.
fn adjoin_to_rationals(
    number: &AlgebraicNumber,
    budget: &mut Budget,
) -> Result<Extension, FieldError> {
    let minimal = number.minimal_polynomial();
    if number.degree() != 2 {
        let pure = minimal.coefficients().iter().filter(|c| !c.is_zero()).count() == 2;
        let flip = pure && number.is_negative();
        let field = NumberField::generated_by(if flip { number.neg() } else { number.clone() });
        let element = field.generator_element();
        let element = if flip { field.neg(&element) } else { element };
        return Ok(Extension { field, element, powers: Some(vec![FieldElement::one()]) });
    }
    let [c, b, a] = [0, 1, 2].map(|power| minimal.coefficient(power));
    let discriminant = IBig::from(b.sqr()) - IBig::from(4) * &a * c;
    let (outside, inside) = split_square(discriminant.unsigned_abs());
    let root = AlgebraicNumber::from(Rational::from(IBig::from(inside))).sqrt(budget)?;
    let twice = a.unsigned_abs() << 1;
    let rational =
        Rational::from_big(-b, twice.clone()).or_noticed("a polynomial of degree two has a square");
    let mut factor = Rational::from_big(outside.into(), twice)
        .or_noticed("a polynomial of degree two has a square");
    if number.root_number() == 1 {
        factor = -factor;
    }
    let field = NumberField::generated_by(root);
    let element = field.element(vec![rational, factor]);
    Ok(Extension { field, element, powers: Some(vec![FieldElement::one()]) })
}
