//! Power products of variables and their orders.

use std::cmp::Ordering;
use std::fmt;

use smallvec::SmallVec;

/// A power product `x0^e0 x1^e1 ...`.
///
/// Trailing zero exponents are not stored, so equality does not depend on how many
/// variables there are. The order of the type (`Ord`) is [`MonomialOrder::GradedReverseLex`].
///
/// ```
/// use isotrope_algebra::polynomial::Monomial;
/// let m = Monomial::from_exponents(&[2, 1, 0]);
/// assert_eq!(m.degree(), 3);
/// assert_eq!(m, Monomial::from_exponents(&[2, 1]));
/// assert_eq!(m.checked_div(&Monomial::variable(0)), Some(Monomial::from_exponents(&[1, 1])));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Monomial {
    degree: u64,
    exponents: SmallVec<[u16; 12]>,
}

/// A total order of the monomials that multiplication respects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum MonomialOrder {
    /// Degree first; then the smaller power of the last variable is the larger monomial.
    #[default]
    GradedReverseLex,
    /// The larger power of the first variable is the larger monomial.
    Lex,
    /// Degree first, then [`MonomialOrder::Lex`].
    GradedLex,
}

impl Monomial {
    /// The empty product, 1.
    pub fn one() -> Self {
        Self::default()
    }

    /// The variable with the given index.
    pub fn variable(index: usize) -> Self {
        Self::power(index, 1)
    }

    /// A power of one variable.
    pub fn power(index: usize, exponent: u16) -> Self {
        let mut exponents = SmallVec::new();
        if exponent > 0 {
            exponents.resize(index + 1, 0);
            exponents[index] = exponent;
        }
        Self { degree: exponent.into(), exponents }
    }

    /// The product with these exponents of `x0, x1, ...`.
    pub fn from_exponents(exponents: &[u16]) -> Self {
        Self::canonical(SmallVec::from_slice(exponents))
    }

    fn canonical(mut exponents: SmallVec<[u16; 12]>) -> Self {
        while exponents.last() == Some(&0) {
            exponents.pop();
        }
        let degree = exponents.iter().map(|&e| u64::from(e)).sum();
        Self { degree, exponents }
    }

    /// Exponents of `x0, x1, ...` up to the last variable that occurs.
    pub fn exponents(&self) -> &[u16] {
        &self.exponents
    }

    /// Exponent of one variable.
    pub fn exponent(&self, index: usize) -> u16 {
        self.exponents.get(index).copied().unwrap_or(0)
    }

    /// Sum of the exponents.
    pub fn degree(&self) -> u64 {
        self.degree
    }

    /// Is it the empty product?
    pub fn is_one(&self) -> bool {
        self.exponents.is_empty()
    }

    /// The variables that occur, ascending.
    pub fn variables(&self) -> impl Iterator<Item = usize> + '_ {
        self.exponents.iter().enumerate().filter(|(_, e)| **e > 0).map(|(index, _)| index)
    }

    /// The product; `None` when an exponent would pass 65535.
    pub fn checked_mul(&self, other: &Self) -> Option<Self> {
        let (long, short) = self.long_and_short(other);
        let mut exponents = long.exponents.clone();
        for (e, f) in exponents.iter_mut().zip(&short.exponents) {
            *e = e.checked_add(*f)?;
        }
        Some(Self { degree: self.degree + other.degree, exponents })
    }

    /// The product when the caller has already bounded the exponents.
    pub(super) fn mul_bounded(&self, other: &Self) -> Self {
        let (long, short) = self.long_and_short(other);
        let mut exponents = long.exponents.clone();
        for (e, f) in exponents.iter_mut().zip(&short.exponents) {
            debug_assert!(e.checked_add(*f).is_some());
            *e = e.wrapping_add(*f);
        }
        Self { degree: self.degree + other.degree, exponents }
    }

    fn long_and_short<'a>(&'a self, other: &'a Self) -> (&'a Self, &'a Self) {
        if self.exponents.len() >= other.exponents.len() { (self, other) } else { (other, self) }
    }

    /// The quotient; `None` when it is not a monomial.
    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        if !divisor.divides(self) {
            return None;
        }
        let mut exponents = self.exponents.clone();
        for (e, f) in exponents.iter_mut().zip(&divisor.exponents) {
            *e -= f;
        }
        Some(Self::canonical(exponents))
    }

    /// Is `other` a multiple of this monomial?
    pub fn divides(&self, other: &Self) -> bool {
        self.degree <= other.degree
            && self.exponents.len() <= other.exponents.len()
            && self.exponents.iter().zip(&other.exponents).all(|(e, f)| e <= f)
    }

    /// `self^exponent`; `None` when an exponent would pass 65535.
    pub fn checked_pow(&self, exponent: u32) -> Option<Self> {
        let mut exponents = self.exponents.clone();
        for e in &mut exponents {
            *e = u16::try_from(u32::from(*e).checked_mul(exponent)?).ok()?;
        }
        Some(Self::canonical(exponents))
    }

    /// Greatest common divisor.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        Self::canonical(
            self.exponents.iter().zip(&other.exponents).map(|(e, f)| *e.min(f)).collect(),
        )
    }

    /// Least common multiple.
    #[must_use]
    pub fn lcm(&self, other: &Self) -> Self {
        let (long, short) = self.long_and_short(other);
        let mut exponents = long.exponents.clone();
        for (e, f) in exponents.iter_mut().zip(&short.exponents) {
            *e = (*e).max(*f);
        }
        Self::canonical(exponents)
    }

    /// The same monomial with another exponent of one variable.
    #[must_use]
    pub fn with_exponent(&self, index: usize, exponent: u16) -> Self {
        let mut exponents = self.exponents.clone();
        if index >= exponents.len() {
            if exponent == 0 {
                return self.clone();
            }
            exponents.resize(index + 1, 0);
        }
        exponents[index] = exponent;
        Self::canonical(exponents)
    }

    /// Compares in the given order.
    pub fn compare(&self, other: &Self, order: MonomialOrder) -> Ordering {
        match order {
            MonomialOrder::GradedReverseLex => self.cmp(other),
            // A shorter list that is a prefix of the longer one is smaller in both senses.
            MonomialOrder::Lex => self.exponents.cmp(&other.exponents),
            MonomialOrder::GradedLex => {
                self.degree.cmp(&other.degree).then_with(|| self.exponents.cmp(&other.exponents))
            }
        }
    }
}

impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> Ordering {
        self.degree.cmp(&other.degree).then_with(|| {
            // With equal degrees, the one that reaches further has the larger last power.
            other
                .exponents
                .len()
                .cmp(&self.exponents.len())
                .then_with(|| other.exponents.iter().rev().cmp(self.exponents.iter().rev()))
        })
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Monomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_one() {
            return write!(f, "1");
        }
        for (position, index) in self.variables().enumerate() {
            let star = if position > 0 { "*" } else { "" };
            match self.exponent(index) {
                1 => write!(f, "{star}x{index}")?,
                e => write!(f, "{star}x{index}^{e}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_monomial() -> impl Strategy<Value = Monomial> {
        proptest::collection::vec(0u16..4, 0..5).prop_map(|e| Monomial::from_exponents(&e))
    }

    proptest! {
        #[test]
        fn every_order_respects_multiplication(
            a in any_monomial(), b in any_monomial(), c in any_monomial()
        ) {
            use MonomialOrder::{GradedLex, GradedReverseLex, Lex};
            for order in [GradedReverseLex, Lex, GradedLex] {
                let (ac, bc) = (a.checked_mul(&c).unwrap(), b.checked_mul(&c).unwrap());
                prop_assert_eq!(a.compare(&b, order), ac.compare(&bc, order));
                prop_assert_eq!(a.compare(&b, order) == Ordering::Equal, a == b);
                prop_assert_ne!(Monomial::one().compare(&a, order), Ordering::Greater);
            }
        }

        #[test]
        fn gcd_times_lcm_is_the_product(a in any_monomial(), b in any_monomial()) {
            prop_assert_eq!(a.gcd(&b).checked_mul(&a.lcm(&b)), a.checked_mul(&b));
            prop_assert!(a.gcd(&b).divides(&a) && b.divides(&a.lcm(&b)));
            prop_assert_eq!(a.checked_mul(&b).unwrap().checked_div(&b), Some(a));
        }
    }

    #[test]
    fn overflow_is_refused() {
        let m = Monomial::power(3, 40_000);
        assert_eq!(m.checked_mul(&m), None);
        assert_eq!(m.checked_pow(2), None);
        assert_eq!(m.checked_pow(1), Some(m));
    }

    #[test]
    fn graded_reverse_lex_looks_at_the_last_variable() {
        // x^2 > x y > y^2 > x z > y z > z^2
        let list = [[2, 0, 0], [1, 1, 0], [0, 2, 0], [1, 0, 1], [0, 1, 1], [0, 0, 2]];
        let sorted: Vec<_> = list.iter().map(|e| Monomial::from_exponents(e)).collect();
        assert!(sorted.windows(2).all(|w| w[0] > w[1]));
    }
}
