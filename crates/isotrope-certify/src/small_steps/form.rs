//! The 2-form dq ∧ dp on the constraint manifold, after a step from it. On a group positions change by g⁻¹δg, and
//! the canonical form has one term more.

use isotrope_algebra::Ball;
use isotrope_algebra::modular::Random;

use super::exponents::{APART, Both, Seen};
use super::mechanics::{Mechanics, Place};
use super::stepper::Stepper;
use super::vectors::{Vector, difference, midpoints, moved, zero};
use super::{SmallStepError, precision, small_step};
use crate::DefectOrder;

/// The smaller step is 2^-`STEP`.
pub(super) const STEP: i64 = 20;
/// Tangent vectors are differences of this size, 2^-`INCREMENT`.
pub(super) const INCREMENT: i64 = 240;
/// Defects below 2^`ZERO` are zero: what differences leave.
pub(super) const ZERO: i64 = -200;

/// The exponent of the local defect of the form.
pub(super) fn form_order(
    mechanics: &Mechanics,
    stepper: &Stepper,
    start: &Place,
    random: &mut Random,
) -> Result<DefectOrder, SmallStepError> {
    let increment = Ball::one(precision()).shift(-INCREMENT)?;
    let first = tangent(mechanics, start, &increment, random)?;
    let second = tangent(mechanics, start, &increment, random)?;
    let defect = |bits: i64| -> Result<Vector, SmallStepError> {
        let h = small_step(bits)?;
        let run = |place: &Place| -> Result<[(Vector, Vector); 2], SmallStepError> {
            let state = stepper.start(mechanics, place, &h)?;
            let (next, _) = stepper.step(mechanics, &state, &h)?;
            Ok([(state.place.q, state.p), (next.place.q, next.p)])
        };
        let (base, one, other) = (run(start)?, run(&first)?, run(&second)?);
        let mut forms = Vec::new();
        for time in 0..2 {
            let along = |x: &[(Vector, Vector); 2]| -> Result<(Vector, Vector), SmallStepError> {
                let lengthen = |x: Vector| -> Result<Vector, SmallStepError> {
                    x.iter().map(|x| Ok(x.shift(INCREMENT)?)).collect()
                };
                let mut q = lengthen(difference(&x[time].0, &base[time].0))?;
                if let Some(group) = &mechanics.group {
                    q = mechanics.turned(group, &base[time].0, &q)?;
                }
                Ok((q, lengthen(difference(&x[time].1, &base[time].1))?))
            };
            let ((dq, dp), (eq, ep)) = (along(&one)?, along(&other)?);
            let mut form = match &mechanics.group {
                Some(group) => mechanics.curvature(group, &base[time].1, [&dq, &eq])?,
                None => zero(),
            };
            for i in 0..dq.len() {
                form = form.add(&dq[i].mul(&ep[i])?).sub(&eq[i].mul(&dp[i])?);
            }
            forms.push(form.midpoint());
        }
        Ok(vec![forms[1].sub(&forms[0])])
    };
    let both = Both { large: defect(STEP - APART)?, small: defect(STEP)? };
    Seen { zero: ZERO, tolerance: 1.0 / 4.0, what: "2-form" }.exponent(&both)
}

/// A place on the constraint manifold that is an increment away, in a random direction.
fn tangent(
    mechanics: &Mechanics,
    start: &Place,
    increment: &Ball,
    random: &mut Random,
) -> Result<Place, SmallStepError> {
    let mut direction = |count: usize| -> Vector {
        (0..count)
            .map(|_| {
                let number = i64::try_from(random.below(19)).unwrap_or(0) - 9;
                Ball::integer(number, precision())
            })
            .collect()
    };
    let place = Place {
        t: start.t.clone(),
        q: midpoints(&moved(&start.q, increment, &direction(start.q.len()))?),
        v: midpoints(&moved(&start.v, increment, &direction(start.v.len()))?),
    };
    mechanics.projected(&place)
}
