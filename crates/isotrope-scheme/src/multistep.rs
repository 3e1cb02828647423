//! Multistep methods on the field with eliminated multipliers.

use isotrope_algebra::ExprId;

use super::DiscretiseError;
use super::before::{Rates, rates, step_before};
use super::mechanics::Writer;
use super::registry::{Capabilities, Entry, Family, Recipe, Theory};
use isotrope_methods::multistep::Multistep;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "multistep",
    citation: Some(
        "F. Bashforth, J. C. Adams, An Attempt to Test the Theories of Capillary Action (1883)",
    ),
    capabilities: Capabilities::MECHANICS,
    entries: &[Entry {
        name: "ab3",
        about: "Adams–Bashforth with three steps on the field with eliminated multipliers; steps \
                of rk4 backwards from the start to begin with",
        recipe: Recipe::Plain(adams_bashforth),
        theory: Theory::Multistep(|| Multistep::adams_bashforth(3)),
        ..Entry::BLANK
    }],
};

/// y⁺ = y + h (23 F − 16 F₋ + 5 F₋₋)/12 for y = (q, v, p): one evaluation of the field a step.
///
/// F₋ and F₋₋ of the first step belong to two steps of the classical Runge–Kutta method, backwards
/// from the start: they are wrong by h⁵, and no step of another method is among those made.
fn adams_bashforth(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    let here = writer.here();
    let (last, _) = step_before(writer, &here, "⁻")?;
    let (earlier, _) = step_before(writer, &last, "⁻⁻")?;
    let now = rates(writer, &here)?;
    let acceleration = writer.define("''", now.acceleration);
    let momentum = writer.define("_p'", now.momentum);
    let now = Rates { acceleration, momentum, ..now };
    let (last, earlier) = (rates(writer, &last)?, rates(writer, &earlier)?);
    let (q, v, p) = (here.q, here.v, writer.symbols.momentum.clone());
    let part = |rates: &dyn Fn(&Rates) -> Vec<ExprId>| [&now, &last, &earlier].map(rates);
    writer.after.position = advanced(writer, "'", &q, &part(&|r| r.velocity.clone()));
    writer.after.velocity = advanced(writer, "''", &v, &part(&|r| r.acceleration.clone()));
    writer.after.momentum = advanced(writer, "_p'", &p, &part(&|r| r.momentum.clone()));
    if !now.power.is_zero() {
        let powers = part(&|r| vec![r.power]);
        writer.after.work = advanced(writer, "_w'", &[ExprId::ZERO], &powers)[0];
    }
    Ok(())
}

/// y + h (23 F − 16 F₋ + 5 F₋₋)/12; of the three F the last two are before the start.
fn advanced(
    writer: &mut Writer<'_>,
    mark: &str,
    old: &[ExprId],
    [now, last, earlier]: &[Vec<ExprId>; 3],
) -> Vec<ExprId> {
    let [new, middle, far] = [(23, 12), (-4, 3), (5, 12)].map(|(numerator, denominator)| {
        let weight = writer.pool.ratio(numerator, denominator);
        writer.pool.mul(weight, writer.h)
    });
    let names = writer.symbols.names.clone();
    let mut next = Vec::with_capacity(old.len());
    for (i, name) in names.iter().enumerate().take(old.len()) {
        let before = writer.remember(&format!("{name}{mark}⁻"), last[i]);
        let long_before = writer.remember(&format!("{name}{mark}⁻⁻"), earlier[i]);
        writer.keep(before, now[i]);
        writer.keep(long_before, before);
        let parts = [(new, now[i]), (middle, before), (far, long_before)];
        let terms = parts.map(|(weight, rate)| writer.pool.mul(weight, rate));
        let change = writer.pool.sum(&terms);
        next.push(writer.pool.add(old[i], change));
    }
    next
}
