//! Balls of reals as a field of scalars.

use isotrope_algebra::modular::Random;
use isotrope_algebra::{Ball, Precision, Rational};

use super::scalars::{Scalars, Vanishing};

/// The reals, enclosed in balls of a given precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Enclosures {
    precision: Precision,
}

/// A ball around a real number; `None` when nothing is known of it (a result too large).
#[derive(Debug, Clone)]
pub struct Enclosure(pub Option<Ball>);

impl From<Ball> for Enclosure {
    fn from(ball: Ball) -> Self {
        Self(Some(ball))
    }
}

impl Enclosures {
    /// Balls of the given precision.
    pub fn new(precision: Precision) -> Self {
        Self { precision }
    }

    /// The precision of every result.
    pub fn precision(&self) -> Precision {
        self.precision
    }
}

impl Scalars for Enclosures {
    type Element = Enclosure;

    fn zero(&self) -> Enclosure {
        Ball::zero(self.precision).into()
    }

    fn one(&self) -> Enclosure {
        Ball::one(self.precision).into()
    }

    fn rational(&self, value: &Rational) -> Option<Enclosure> {
        Some(Ball::from_rational(value, self.precision).into())
    }

    fn add(&self, x: &Enclosure, y: &Enclosure) -> Enclosure {
        Enclosure(x.0.as_ref().zip(y.0.as_ref()).map(|(x, y)| x.add(y)))
    }

    fn sub(&self, x: &Enclosure, y: &Enclosure) -> Enclosure {
        Enclosure(x.0.as_ref().zip(y.0.as_ref()).map(|(x, y)| x.sub(y)))
    }

    fn mul(&self, x: &Enclosure, y: &Enclosure) -> Enclosure {
        Enclosure(x.0.as_ref().zip(y.0.as_ref()).and_then(|(x, y)| x.mul(y).ok()))
    }

    fn inverse(&self, x: &Enclosure) -> Option<Enclosure> {
        x.0.as_ref().and_then(|x| x.recip().ok()).map(Enclosure::from)
    }

    fn random(&self, random: &mut Random) -> Enclosure {
        // Odd multiples of 1/8 below one: never zero, and exact in every precision.
        let odd = 2 * i64::from(random.below(8) as u32) - 7;
        Enclosure(Ball::integer(odd, self.precision).shift(-3).ok())
    }

    fn is_exactly_zero(&self, x: &Enclosure) -> bool {
        x.0.as_ref().is_some_and(Ball::is_zero)
    }

    fn vanishing(&self, x: &Enclosure) -> Vanishing {
        match &x.0 {
            Some(ball) if ball.excludes_zero() => Vanishing::NonZero,
            Some(ball) if ball.radius_is_below(-i64::from(self.precision.bits() / 4)) => {
                Vanishing::Zero
            }
            _ => Vanishing::Undecided,
        }
    }
}
