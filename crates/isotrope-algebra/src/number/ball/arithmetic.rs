//! Field operations, powers and roots.

use std::cmp::Ordering;

use dashu_base::{BitTest, SquareRootRem, UnsignedAbs};
use dashu_int::IBig;

use super::dyadic::{Dyadic, signed};
use super::magnitude::Magnitude;
use super::{Ball, EvaluationError, Precision};
use crate::Rational;

/// Roots up to this degree are taken of integers, the rest through logarithms.
const MAX_INTEGER_ROOT: u32 = 16;

impl Ball {
    /// `-self`.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self { mid: self.mid.neg(), ..self.clone() }
    }

    /// `self + other`.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        let precision = self.precision.max(other.precision);
        let (mid, error) = self.mid.add_rounded(&other.mid, precision.0);
        Self::rounded(&mid, self.rad.add(other.rad).add(error), precision)
    }

    /// `self - other`.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    /// `self * other`; refused only when too large to represent.
    pub fn mul(&self, other: &Self) -> Result<Self, EvaluationError> {
        let precision = self.precision.max(other.precision);
        // |a b - A B| <= |A| rb + |B| ra + ra rb.
        let (a, b) = (Magnitude::above_dyadic(&self.mid), Magnitude::above_dyadic(&other.mid));
        let error = a.mul(other.rad).add(b.mul(self.rad)).add(self.rad.mul(other.rad));
        Self::rounded(&self.mid.mul(&other.mid), error, precision).bounded("multiplication")
    }

    /// `self * 2^shift`.
    pub fn shift(&self, shift: i64) -> Result<Self, EvaluationError> {
        let overflow = EvaluationError::Overflow { function: "multiplication" };
        if shift.unsigned_abs() > 1 << 40 {
            return Err(overflow);
        }
        Self::rounded(&self.mid.shift(shift), self.rad.shift(shift), self.precision)
            .bounded("multiplication")
    }

    /// `self / other`.
    pub fn div(&self, other: &Self) -> Result<Self, EvaluationError> {
        if other.is_zero() {
            return Err(EvaluationError::DivisionByZero);
        }
        let near_zero = EvaluationError::Precision { function: "division" };
        if other.contains_zero() {
            return Err(near_zero);
        }
        let precision = self.precision.max(other.precision);
        let (mid, mut error) =
            self.mid.div(&other.mid, precision.0 + 2).ok_or(near_zero.clone())?;
        if !(self.rad.is_zero() && other.rad.is_zero()) {
            // |a/b - A/B| <= (|A| rb + |B| ra) / (|B| (|B| - rb)).
            let size = other.mid.abs();
            let smallest = size.sub_radius_down(other.rad, 64);
            if !smallest.is_positive() {
                return Err(near_zero);
            }
            let (a, b) = (Magnitude::above_dyadic(&self.mid), Magnitude::above_dyadic(&size));
            let spread = a.mul(other.rad).add(b.mul(self.rad));
            let spread = spread.div(&size.round_down(64).mul(&smallest)).ok_or(near_zero)?;
            error = error.add(spread);
        }
        Self::rounded(&mid, error, precision).bounded("division")
    }

    /// `1 / self`.
    pub fn recip(&self) -> Result<Self, EvaluationError> {
        Self::one(self.precision).div(self)
    }

    /// `|self|`.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_exact() || self.excludes_zero() {
            return Self { mid: self.mid.abs(), ..self.clone() };
        }
        let (low, high) = (self.lower().neg(), self.upper());
        let high = if low.cmp(&high) == Ordering::Greater { low } else { high };
        Self::between(&Dyadic::zero(), &high, self.precision)
    }

    /// `self^exponent`; the empty product `x^0` is one for every `x`.
    pub fn powi(&self, exponent: i64) -> Result<Self, EvaluationError> {
        if exponent < 0 && self.is_zero() {
            return Err(EvaluationError::DivisionByZero);
        }
        // Each of the at most 2 log2(n) products loses a bit or two relative to n.
        let mut count = exponent.unsigned_abs();
        let spare = 8 + 2 * (64 - count.leading_zeros());
        let working = self.precision.plus(spare);
        let mut square = self.with_precision(working);
        let mut result = Self::one(working);
        while count > 0 {
            if count & 1 == 1 {
                result = result.mul(&square)?;
            }
            count >>= 1;
            if count > 0 {
                square = square.mul(&square)?;
            }
        }
        if exponent < 0 {
            result = result.recip()?;
        }
        Ok(result.with_precision(self.precision))
    }

    /// Image of the ball under a monotone function that is defined on all of it.
    pub(super) fn monotone(
        &self,
        function: impl Fn(&Dyadic, Precision) -> Result<Self, EvaluationError>,
    ) -> Result<Self, EvaluationError> {
        if self.is_exact() {
            return function(&self.mid, self.precision);
        }
        let low = function(&self.lower(), self.precision)?;
        let high = function(&self.upper(), self.precision)?;
        Ok(low.hull(&high))
    }

    /// Like [`Ball::monotone`], but with one evaluation when `spread` bounds how far the
    /// function moves over the ball, given its value at the midpoint.
    pub(super) fn monotone_with_spread(
        &self,
        function: impl Fn(&Dyadic, Precision) -> Result<Self, EvaluationError>,
        spread: impl Fn(&Self) -> Option<Magnitude>,
    ) -> Result<Self, EvaluationError> {
        if !self.is_exact() && self.accuracy() >= 8 {
            let value = function(&self.mid, self.precision)?;
            if let Some(spread) = spread(&value) {
                return Ok(Self { rad: value.rad.add(spread), ..value });
            }
        }
        self.monotone(function)
    }

    /// A positive lower bound of `|self|` of few bits, if zero is excluded.
    pub(super) fn smallest_size(&self) -> Option<Dyadic> {
        let smallest = self.mid.abs().sub_radius_down(self.rad, 32);
        smallest.is_positive().then_some(smallest)
    }

    /// Where the ball lies relative to the domain `x > 0` (or `x >= 0`).
    pub(super) fn demand_positive(&self, function: &'static str) -> Result<(), EvaluationError> {
        if self.is_positive() {
            Ok(())
        } else if self.is_negative() || self.is_zero() {
            Err(EvaluationError::Domain { function })
        } else {
            Err(EvaluationError::Precision { function })
        }
    }

    /// The unit step: 1 from zero on, 0 before.
    pub fn unit_step(&self) -> Result<Self, EvaluationError> {
        if self.is_positive() || self.is_zero() {
            Ok(Self::one(self.precision))
        } else if self.is_negative() {
            Ok(Self::zero(self.precision))
        } else {
            Err(EvaluationError::Precision { function: "heaviside" })
        }
    }

    /// The sign: 1 above zero, -1 below, 0 at zero.
    pub fn sign(&self) -> Result<Self, EvaluationError> {
        if self.is_positive() {
            Ok(Self::one(self.precision))
        } else if self.is_negative() {
            Ok(Self::one(self.precision).neg())
        } else if self.is_zero() {
            Ok(Self::zero(self.precision))
        } else {
            Err(EvaluationError::Precision { function: "sign" })
        }
    }

    /// The square root; exact for exact squares.
    pub fn sqrt(&self) -> Result<Self, EvaluationError> {
        self.nth_root_named(2, "sqrt")
    }

    /// The real root of degree `degree` of a number not below zero.
    pub fn nth_root(&self, degree: u32) -> Result<Self, EvaluationError> {
        self.nth_root_named(degree, "root")
    }

    fn nth_root_named(&self, degree: u32, function: &'static str) -> Result<Self, EvaluationError> {
        if degree == 0 {
            return Err(EvaluationError::Domain { function });
        }
        if self.is_zero() {
            return Ok(self.clone());
        }
        self.demand_positive(function)?;
        if degree > MAX_INTEGER_ROOT {
            let exponent = Rational::new(1, degree.into()).unwrap_or(Rational::ONE);
            return self.power_by_logarithm(&exponent);
        }
        self.monotone_with_spread(
            |x, precision| Ok(root_of_point(x, degree, precision)),
            |root| {
                // The slope x^(1/n) / (n x) is largest at the smallest x.
                let slope = Magnitude::above_dyadic(&root.upper());
                let n = Dyadic::new(degree.into(), 0);
                slope.mul(self.rad).div(&self.smallest_size()?.mul(&n))
            },
        )
    }

    /// `self^exponent` for a positive number (any number when the exponent is an integer).
    pub fn pow_rational(&self, exponent: &Rational) -> Result<Self, EvaluationError> {
        if let Some(exponent) = exponent.as_integer() {
            return self.powi(exponent);
        }
        if self.is_zero() {
            return if exponent.is_negative() {
                Err(EvaluationError::DivisionByZero)
            } else {
                Ok(self.clone())
            };
        }
        self.demand_positive("power")?;
        if let Some((n, d)) = exponent.as_small()
            && d.unsigned_abs() <= MAX_INTEGER_ROOT.into()
        {
            let spare = 16 + 2 * (64 - n.unsigned_abs().leading_zeros());
            let working = self.with_precision(self.precision.plus(spare));
            let root = working.nth_root_named(d.unsigned_abs() as u32, "power")?;
            return Ok(root.powi(n)?.with_precision(self.precision));
        }
        self.power_by_logarithm(exponent)
    }

    /// `self^exponent = exp(exponent log self)` for a positive number.
    pub fn pow(&self, exponent: &Self) -> Result<Self, EvaluationError> {
        self.demand_positive("power")?;
        let precision = self.precision.max(exponent.precision);
        // The absolute error of the argument of exp is the relative error of the result.
        let size = (self.mid.top().abs().max(exponent.mid.top().clamp(0, 64)) as u64).max(2);
        let spare = 16 + 64 - size.leading_zeros() + exponent.mid.top().clamp(0, 64) as u32;
        let working = self.with_precision(precision.plus(spare));
        Ok(exponent.mul(&working.log()?)?.exp()?.with_precision(precision))
    }

    fn power_by_logarithm(&self, exponent: &Rational) -> Result<Self, EvaluationError> {
        let bits = u32::try_from(exponent.bits()).unwrap_or(64).min(64);
        self.pow(&Self::from_rational(exponent, self.precision.plus(32 + bits)))
            .map(|power| power.with_precision(self.precision))
    }
}

/// The root of a positive point.
fn root_of_point(x: &Dyadic, degree: u32, precision: Precision) -> Ball {
    let degree_wide = i64::from(degree);
    let wanted = degree_wide * (i64::from(precision.0) + 4);
    let mut shift = (wanted - x.mantissa.bit_len() as i64).max(0);
    shift += (x.exponent - shift).rem_euclid(degree_wide);
    let value = (&x.mantissa).unsigned_abs() << shift as usize;
    let exponent = (x.exponent - shift) / degree_wide;
    let (root, exact) = if degree == 2 {
        let (root, rest) = value.sqrt_rem();
        (root, rest.is_zero())
    } else {
        let root = value.nth_root(degree as usize);
        let exact = root.pow(degree as usize) == value;
        (root, exact)
    };
    let error = if exact { Magnitude::ZERO } else { Magnitude::power_of_two(exponent) };
    Ball::rounded(&Dyadic::new(signed(false, root), exponent), error, precision)
}

/// The exact difference `1 - x` as a ball of enough bits (`x` of moderate size).
pub(super) fn one_minus(x: &Dyadic, precision: Precision) -> Ball {
    let (mid, error) = Dyadic::new(IBig::ONE, 0).add_rounded(&x.neg(), precision.0);
    Ball::rounded(&mid, error, precision)
}
