//! Numbers with a fixed number of binary places.

use dashu_int::{IBig, UBig};
use isotrope_algebra::{OrInternal, Rational};

/// A number times 2^places; which places, the [`Scale`] knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FixedPoint(pub IBig);

/// The number of binary places that [`FixedPoint`] numbers share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    /// Binary places.
    pub places: usize,
}

impl Scale {
    /// Enough places for this many decimal ones.
    pub fn decimal(digits: u32) -> Self {
        // log₂ 10 < 10/3.
        Self { places: digits as usize * 10 / 3 + 1 }
    }

    fn unit(self) -> IBig {
        IBig::ONE << self.places
    }

    /// 1.
    pub fn one(self) -> FixedPoint {
        FixedPoint(self.unit())
    }

    /// The nearest number below.
    pub fn rational(self, value: &Rational) -> FixedPoint {
        FixedPoint((value * &Rational::from(self.unit())).floor())
    }

    /// A finite double, rounded down; `None` for others.
    pub fn double(self, value: f64) -> Option<FixedPoint> {
        Some(self.rational(&Rational::from_f64(value)?))
    }

    /// The number as a rational.
    pub fn to_rational(self, value: &FixedPoint) -> Rational {
        self.ratio(&value.0, &IBig::ONE)
    }

    /// value / divisor.
    fn ratio(self, value: &IBig, divisor: &IBig) -> Rational {
        let one = UBig::ONE << self.places;
        let value = Rational::from_big(value.clone(), one).or_noticed("a power of two is not zero");
        value.checked_div(&Rational::from(divisor.clone())).or_noticed("the divisor is not zero")
    }

    /// value / divisor, rounded.
    pub fn ratio_to_f64(self, value: &IBig, divisor: &IBig) -> f64 {
        self.ratio(value, divisor).to_f64()
    }

    /// The product, rounded down.
    pub fn mul(self, x: &FixedPoint, y: &FixedPoint) -> FixedPoint {
        FixedPoint((&x.0 * &y.0) >> self.places)
    }

    /// The sum.
    pub fn add(self, x: &FixedPoint, y: &FixedPoint) -> FixedPoint {
        FixedPoint(&x.0 + &y.0)
    }
}
