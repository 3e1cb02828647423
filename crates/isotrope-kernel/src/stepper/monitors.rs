//! What is measured while stepping: energy, constraints, Legendre map, momenta.

use super::field::{Point, Quantity};
use super::layout::Measured;
use super::programs::StepperError;
use super::scheme::Recorder;
use isotrope_tape::ValueId;
use isotrope_tape::math::Arithmetic as _;

/// Values at the start that later ones are compared with.
pub(super) fn start(recorder: &mut Recorder<'_>, momenta: &[ValueId]) -> Result<(), StepperError> {
    let (field, layout) = (recorder.field, recorder.layout);
    let here = recorder.here.clone();
    let energy = field.at(&mut recorder.builder, Quantity::Energy, &here)?;
    let conserved = field.at(&mut recorder.builder, Quantity::Conserved, &here)?;
    let zero = recorder.builder.constant(0.0);
    for &value in &energy {
        recorder.builder.store(layout.first_energy(), value);
        recorder.builder.store(layout.energy(), value);
    }
    for (j, &value) in conserved.iter().enumerate() {
        recorder.builder.store(layout.first_conserved(j), value);
    }
    recorder.builder.store(layout.work(), zero);
    if layout.ports {
        let sums = [layout.supplied(), layout.dissipated()];
        let errors = [layout.power_balance(), layout.largest_power_balance()];
        sums.into_iter().chain(errors).for_each(|slot| recorder.builder.store(slot, zero));
    }
    let places: &[Measured] =
        if layout.shifted { &[Measured::Own, Measured::Shifted] } else { &[Measured::Own] };
    for &place in places {
        recorder.builder.store(layout.energy_error(place), zero);
        recorder.builder.store(layout.largest_energy_error(place), zero);
        for j in 0..layout.momenta {
            recorder.builder.store(layout.largest_momentum_error(place, j), zero);
        }
        let phi = field.at(&mut recorder.builder, Quantity::PositionLevel, &here)?;
        let phi = recorder.largest(&phi).unwrap_or(zero);
        recorder.builder.store(layout.largest_position_error(place), phi);
        let rate = field.at(&mut recorder.builder, Quantity::VelocityLevel, &here)?;
        let rate = recorder.largest(&rate).unwrap_or(zero);
        recorder.builder.store(layout.largest_velocity_error(place), rate);
        let defect = legendre(recorder, &here, momenta)?.unwrap_or(zero);
        recorder.builder.store(layout.largest_legendre_error(place), defect);
    }
    Ok(())
}

fn legendre(
    recorder: &mut Recorder<'_>,
    point: &Point,
    momenta: &[ValueId],
) -> Result<Option<ValueId>, StepperError> {
    let field = recorder.field;
    let wanted = field.at(&mut recorder.builder, Quantity::Momentum, point)?;
    let pairs = momenta.iter().zip(&wanted);
    let defects: Vec<ValueId> = pairs.map(|(&p, &w)| recorder.builder.sub(p, w)).collect();
    Ok(recorder.largest(&defects))
}

/// Largest errors so far, with those at a point. `work` is the work until that point.
pub(super) fn measure(
    recorder: &mut Recorder<'_>,
    place: Measured,
    point: &Point,
    momenta: &[ValueId],
    work: Option<ValueId>,
) -> Result<(), StepperError> {
    let (field, layout) = (recorder.field, recorder.layout);
    let energy = field.at(&mut recorder.builder, Quantity::Energy, point)?;
    let first = recorder.builder.state(layout.first_energy());
    for value in energy {
        let mut change = recorder.builder.sub(value, first);
        if let Some(work) = work {
            change = recorder.builder.sub(change, work);
        }
        let size = recorder.builder.abs(change);
        recorder.builder.store(layout.energy_error(place), size);
        keep(recorder, layout.largest_energy_error(place), Some(size));
    }
    let phi = field.at(&mut recorder.builder, Quantity::PositionLevel, point)?;
    let rate = field.at(&mut recorder.builder, Quantity::VelocityLevel, point)?;
    if place == Measured::Own && layout.levels() > 0 {
        let relative = weighted(recorder, &phi[..layout.on_positions.min(phi.len())], 0);
        keep(recorder, layout.relative_position_error(), relative);
        let relative = weighted(recorder, &rate, layout.on_positions);
        keep(recorder, layout.relative_velocity_error(), relative);
    }
    let phi = recorder.largest(&phi);
    keep(recorder, layout.largest_position_error(place), phi);
    let rate = recorder.largest(&rate);
    keep(recorder, layout.largest_velocity_error(place), rate);
    let defect = legendre(recorder, point, momenta)?;
    keep(recorder, layout.largest_legendre_error(place), defect);
    let conserved = field.at(&mut recorder.builder, Quantity::Conserved, point)?;
    for (j, value) in conserved.into_iter().enumerate() {
        let first = recorder.builder.state(layout.first_conserved(j));
        let change = recorder.builder.sub(value, first);
        let size = recorder.builder.abs(change);
        keep(recorder, layout.largest_momentum_error(place, j), Some(size));
    }
    Ok(())
}

/// The largest of some levels of constraints, each in its own size; `first` is the first of their weights.
fn weighted(recorder: &mut Recorder<'_>, levels: &[ValueId], first: usize) -> Option<ValueId> {
    let layout = recorder.layout;
    let mut relative = Vec::with_capacity(levels.len());
    for (k, &value) in levels.iter().enumerate() {
        let weight = recorder.builder.state(layout.level_weight(first + k));
        relative.push(recorder.builder.mul(value, weight));
    }
    recorder.largest(&relative)
}

/// What went through the ports, and by how much the change of the energy in a step differs from the work.
///
/// The state has the energy before the step: the start and every step leave it there.
pub(super) fn exchange(
    recorder: &mut Recorder<'_>,
    [supplied, dissipated]: [ValueId; 2],
    point: &Point,
    work: Option<ValueId>,
) -> Result<(), StepperError> {
    let (field, layout) = (recorder.field, recorder.layout);
    let builder = &mut recorder.builder;
    for (slot, part) in [(layout.supplied(), supplied), (layout.dissipated(), dissipated)] {
        let before = builder.state(slot);
        let sum = builder.add(before, part);
        builder.store(slot, sum);
    }
    let energy = field.at(builder, Quantity::Energy, point)?;
    for value in energy {
        let builder = &mut recorder.builder;
        let before = builder.state(layout.energy());
        let mut defect = builder.sub(value, before);
        if let Some(work) = work {
            defect = builder.sub(defect, work);
        }
        builder.store(layout.energy(), value);
        builder.store(layout.power_balance(), defect);
        let size = builder.abs(defect);
        keep(recorder, layout.largest_power_balance(), Some(size));
    }
    Ok(())
}

/// The larger of an error and the largest so far.
fn keep(recorder: &mut Recorder<'_>, slot: u32, size: Option<ValueId>) {
    if let Some(size) = size {
        let old = recorder.builder.state(slot);
        // The machine's maximum gives its second operand if one is NaN; what is stored is never
        // NaN, so that an error without a value ends the step.
        let larger = recorder.builder.max(old, size);
        recorder.builder.store(slot, larger);
    }
}
