//! Discrete gradients: ∇̄H(x, x⁺)·(x⁺ − x) = H(x⁺) − H(x), with the matrices in the middle of the chord.
//!
//! O. Gonzalez, Time integration and discrete Hamiltonian systems (1996); T. Itoh and K. Abe,
//! Hamiltonian-conserving discrete canonical equations based on variational difference quotients (1988).
//! The mean value of ∇H along the chord is the collocation with one stage.

use isotrope_algebra::{ExprId, Rational};

use super::{Form, Quadrature, along, dot, finish, lowered, on_chord, ratio};
use crate::DiscretiseError;
use crate::mechanics::{Point, Writer};
use crate::pieces::Way;
use crate::registry::Written;
use crate::stages::Numbers;

/// ∇̄H = ∇H(middle) + N GΔx/(Δx·GΔx) with N = ΔH − ∇H(middle)·Δx, in the metric G = diag(1/s_i²) of the sizes s_i
/// that the coordinates have in the problem: the same step in every unit of every coordinate.
///
/// With Δx = h k: ∇̄H = ∇H(middle) + (M − ∇H(middle))·k Gk/(k·Gk), where M is the mean of ∇H along the chord.
///
/// What has kinks goes in by its mean: a sum of discrete gradients is one, and ∇H in the middle of a chord that just
/// touches an obstacle is not a good guide.
///
/// With a matrix E the correction would have to be in the range of Eᵀ: there the mean M itself is taken, as `avf` does.
pub(crate) fn gonzalez(writer: &mut Writer<'_>) -> Written {
    if writer.state.is_some_and(|state| state.descriptor.is_some()) {
        return super::average(writer);
    }
    let form = Form::new(writer)?;
    let half = Rational::half();
    let slope = writer.unknown_stage(&half, 0);
    let Quadrature { numbers: quadrature, mut exact } = form.quadrature(writer, 1)?;
    let Means { gradient: mean, kinks, explicit } =
        means(writer, &form, &quadrature, &slope, &mut exact)?;
    let middle = on_chord(writer, &slope, &half, "_½");
    let at_middle = writer.at(&middle, form.smooth().0)?;
    let excess = writer.drifted(&mean, ExprId::MINUS_ONE, &at_middle);
    let missing = dot(writer, &excess, &slope);
    let lowered = lowered(writer, &slope);
    let square = dot(writer, &slope, &lowered);
    let factor = ratio(writer, missing, square);
    let factor = writer.define_one("excess", factor);
    let effort = writer.drifted(&at_middle, factor, &lowered);
    let effort = writer.drifted(&effort, ExprId::ONE, &kinks);
    let mut effort = writer.define("_e", effort);
    let (weights, slopes) = ([Rational::ONE], [slope]);
    if !exact {
        let end = on_chord(writer, &slopes[0], &Rational::ONE, "_end");
        let made = form.balanced(writer, &weights, &slopes, vec![effort], (&end, explicit))?;
        effort = made.concat();
    }
    let flow = form.flow(writer, &middle, &effort)?;
    finish(writer, &weights, &slopes, &[flow], explicit)
}

/// Means along the chord.
struct Means {
    /// Of the smooth part of ∇H.
    gradient: Vec<ExprId>,
    /// Of the rest of it.
    kinks: Vec<ExprId>,
    /// Of H_t.
    explicit: ExprId,
}

/// The means of ∇H and H_t along the chord.
fn means(
    writer: &mut Writer<'_>,
    form: &Form,
    quadrature: &Numbers,
    slope: &[ExprId],
    exact: &mut bool,
) -> Result<Means, DiscretiseError> {
    let (gradient, explicit) = form.smooth();
    let mut values = Vec::with_capacity(quadrature.count());
    let mut rates = Vec::with_capacity(quadrature.count());
    for k in 0..quadrature.count() {
        let place = on_chord(writer, slope, &quadrature.node(k), &format!("_{}", k + 1));
        values.push(writer.at(&place, gradient)?);
        rates.push(writer.at(&place, explicit)?);
    }
    let place = |writer: &mut Writer<'_>, tau: ExprId| along(writer, slope, tau);
    let way = Way { place: &place, degree: 1 };
    let (kinks, kinks_exact) = form.kinks(writer, &way, &[vec![Rational::ONE]])?;
    *exact &= kinks_exact;
    let mut kinks = kinks.concat();
    let rate = kinks.split_off(slope.len());
    let zeros = vec![ExprId::ZERO; slope.len()];
    let mean = writer.combined(&zeros, quadrature.weights(), ExprId::ONE, &values);
    let rate = writer.combined(&rate, quadrature.weights(), ExprId::ONE, &rates);
    let gradient = writer.define("_m", mean);
    Ok(Means { gradient, kinks, explicit: rate[0] })
}

/// In which order the coordinates go from their old to their new values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ways {
    /// As they are listed.
    There,
    /// The mean of that and of the reverse order. Exchanging x and x⁺ exchanges the two ways.
    ThereAndBack,
}

/// ∇̄_iH = (H(x⁺_1, …, x⁺_i, x_{i+1}, …) − H(x⁺_1, …, x⁺_{i−1}, x_i, …))/(x⁺_i − x_i), a mean of H_i along one
/// edge. Half of the step of time is taken before the edges, and half of it after them.
pub(super) fn itoh_abe(writer: &mut Writer<'_>, ways: Ways) -> Written {
    if writer.state.is_some_and(|state| state.descriptor.is_some()) {
        return Err(DiscretiseError::NotApplicable {
            reason: "the system has a matrix E: differences of H along coordinates are ∇H and no efforts; take \
                     avf, avf-4 or avf-6",
        });
    }
    let form = Form::new(writer)?;
    let half = Rational::half();
    let slope = writer.unknown_stage(&half, 0);
    let Quadrature { numbers: quadrature, mut exact } = form.quadrature(writer, 1)?;
    let here = writer.here();
    let end = on_chord(writer, &slope, &Rational::ONE, "_end");
    let middle = on_chord(writer, &slope, &half, "_½");
    let mut effort = edges(writer, &form, &quadrature, (&here, &end), &slope, &mut exact)?;
    if ways == Ways::ThereAndBack {
        // Back from the new to the old values in the order as listed: the same edges as in the reverse order.
        let back: Vec<ExprId> = slope.iter().map(|&k| writer.pool.neg(k)).collect();
        let other = edges(writer, &form, &quadrature, (&end, &here), &back, &mut exact)?;
        let sums = writer.drifted(&effort, ExprId::ONE, &other);
        effort = sums.iter().map(|&sum| writer.pool.mul(ExprId::HALF, sum)).collect();
    }
    let mut effort = writer.define("_e", effort);
    let explicit = resting(writer, &form, &quadrature, [&here, &end])?;
    let (weights, slopes) = ([Rational::ONE], [slope]);
    if !exact {
        let made = form.balanced(writer, &weights, &slopes, vec![effort], (&end, explicit))?;
        effort = made.concat();
    }
    let flow = form.flow(writer, &middle, &effort)?;
    finish(writer, &weights, &slopes, &[flow], explicit)
}

/// The means of H_i along the edges from one place to another, in the order of the coordinates.
fn edges(
    writer: &mut Writer<'_>,
    form: &Form,
    quadrature: &Numbers,
    (from, to): (&Point, &Point),
    slope: &[ExprId],
    exact: &mut bool,
) -> Result<Vec<ExprId>, DiscretiseError> {
    let halfway = writer.pool.mul(ExprId::HALF, writer.h);
    let t = writer.pool.add(writer.symbols.time, halfway);
    let mut place = Point { t, ..from.clone() };
    let mut means = Vec::with_capacity(slope.len());
    for (i, &rate) in slope.iter().enumerate() {
        let mut terms = Vec::with_capacity(quadrature.count());
        for (k, weight) in quadrature.weights().iter().enumerate() {
            let way = writer.pool.scale(&quadrature.node(k), writer.h);
            let way = writer.pool.mul(way, rate);
            place.q[i] = writer.pool.add(from.q[i], way);
            let value = writer.at(&place, &form.parted.smooth[i..=i])?[0];
            terms.push(writer.pool.scale(weight, value));
        }
        let moved = |writer: &mut Writer<'_>, tau: ExprId| {
            let way = writer.pool.product(&[tau, writer.h, rate]);
            let mut there = place.clone();
            there.q[i] = writer.pool.add(from.q[i], way);
            there
        };
        let way = Way { place: &moved, degree: 1 };
        let (kinks, kinks_exact) = form.kinks_of(writer, i, &way)?;
        *exact &= kinks_exact;
        terms.push(kinks);
        means.push(writer.pool.sum(&terms));
        place.q[i] = to.q[i];
    }
    Ok(means)
}

/// The mean of H_t, for half of the step at each of two places.
fn resting(
    writer: &mut Writer<'_>,
    form: &Form,
    quadrature: &Numbers,
    places: [&Point; 2],
) -> Result<ExprId, DiscretiseError> {
    let half = Rational::half();
    let mut terms = Vec::new();
    for (place, first) in places.into_iter().zip([Rational::ZERO, half.clone()]) {
        for (k, weight) in quadrature.weights().iter().enumerate() {
            let part = &first + &(&half * &quadrature.node(k));
            let later = writer.pool.scale(&part, writer.h);
            let t = writer.pool.add(writer.symbols.time, later);
            // What jumps and bends with time is taken in the middle of the pieces.
            let value = writer.at(&Point { t, ..place.clone() }, &[form.explicit])?[0];
            terms.push(writer.pool.scale(&(&half * weight), value));
        }
    }
    Ok(writer.pool.sum(&terms))
}
