//! Powers of h, seen by comparing two steps, and how defects grow from step to step.

use super::SmallStepError;
use super::vectors::{Vector, difference, is_below, size};
use crate::DefectOrder;

/// The larger of two steps is 2^`APART` times the smaller.
pub(super) const APART: i64 = 4;

/// Vectors below 2^`zero` count as zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub zero: i64,
    /// How far a ratio may be from a power of h.
    pub tolerance: f64,
    /// What is measured.
    pub what: &'static str,
}

/// The same quantity for the larger and the smaller step.
#[derive(Debug, Clone)]
pub(super) struct Both {
    pub large: Vector,
    pub small: Vector,
}

impl Both {
    fn minus(&self, other: &Self) -> Self {
        Self {
            large: difference(&self.large, &other.large),
            small: difference(&self.small, &other.small),
        }
    }
}

impl Seen {
    /// The m of x = O(hᵐ).
    pub(super) fn exponent(self, x: &Both) -> Result<DefectOrder, SmallStepError> {
        if is_below(&x.large, self.zero) && is_below(&x.small, self.zero) {
            return Ok(DefectOrder::Infinite);
        }
        let (large, small) = (size(&x.large), size(&x.small));
        if is_below(&x.small, self.zero) {
            let least = large.shift(-self.zero)?.to_f64();
            return Ok(DefectOrder::AtLeast(power(least).0));
        }
        let (found, rest) = power(large.div(&small)?.to_f64());
        if (rest - 1.0).abs() < self.tolerance {
            Ok(DefectOrder::Exactly(found))
        } else {
            Err(SmallStepError::Exponent { what: self.what })
        }
    }

    /// The exponent after a time T, from values after N, 2N, 3N, 4N steps. The coefficient of hʲ
    /// is a polynomial in the number of steps, but for layers that die out, of degree j − m; a
    /// coefficient that is bounded is an error of the order of its power of h.
    pub(super) fn global(self, samples: &[Both; 4]) -> Result<Growth, SmallStepError> {
        let [first, second, third, fourth] = samples;
        let value = self.exponent(first)?;
        let steps = [second.minus(first), third.minus(second), fourth.minus(third)];
        let change = self.exponent(&steps[0])?;
        let (DefectOrder::Exactly(power) | DefectOrder::AtLeast(power)) = change else {
            return Ok(Growth::Clear(value));
        };
        let degree = self.degree(&steps);
        // Where the smaller step shows nothing, the power is a bound.
        let of = match change {
            DefectOrder::AtLeast(_) => DefectOrder::AtLeast,
            _ => DefectOrder::Exactly,
        };
        Ok(match degree {
            Some(degree) => Growth::Clear(earlier(value, of(power.saturating_sub(degree)))),
            // At worst of degree two.
            None => match earlier(value, DefectOrder::Exactly(power.saturating_sub(2))) {
                DefectOrder::Exactly(least) | DefectOrder::AtLeast(least) => Growth::Unclear(least),
                DefectOrder::Infinite => Growth::Unclear(0),
            },
        })
    }

    /// The degree of the polynomial that has these differences; zero if they die out.
    fn degree(self, steps: &[Both; 3]) -> Option<usize> {
        let length = |x: &Both| size(&x.small).to_f64();
        let first = length(&steps[0]);
        let small = |x: f64| x <= first / 64.0;
        let last = length(&steps[2]);
        let bends = [steps[1].minus(&steps[0]), steps[2].minus(&steps[1])];
        // Growth is linear from the beginning, or once a layer has died out.
        if small(length(&bends[0])) || length(&bends[1]) <= last / 64.0 {
            return Some(1);
        }
        if length(&steps[1]) < 0.8 * first && last < 0.6 * first {
            return Some(0);
        }
        small(length(&bends[1].minus(&bends[0]))).then_some(2)
    }
}

/// How a defect behaves over many steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Growth {
    /// Its exponent after a fixed time.
    Clear(DefectOrder),
    /// More steps are needed to tell; it is at least this.
    Unclear(usize),
}

/// The m for which ratio / 2^(`APART` m) is near one, and that quotient.
fn power(ratio: f64) -> (usize, f64) {
    let base = f64::from(1_u16 << APART);
    let mut rest = ratio;
    let mut power = 0;
    while rest > 4.0 && power < 128 {
        rest /= base;
        power += 1;
    }
    (power, rest)
}

/// The smaller exponent.
pub(super) fn earlier(one: DefectOrder, other: DefectOrder) -> DefectOrder {
    match (one, other) {
        (DefectOrder::Infinite, x) | (x, DefectOrder::Infinite) => x,
        (
            DefectOrder::Exactly(a) | DefectOrder::AtLeast(a),
            DefectOrder::Exactly(b) | DefectOrder::AtLeast(b),
        ) => {
            if a <= b {
                one
            } else {
                other
            }
        }
    }
}
