//! How the end of a run depends on parameters and initial values.

use isotrope_kernel::integrate::{Change, Tangent, Variations};
use isotrope_kernel::stepper::Stepper;
use isotrope_model::Parameter;
use schemars::JsonSchema;
use serde::Serialize;

use super::{FlowError, Setting};

/// A derivative of the end.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Sensitivity {
    /// In what: a parameter, a coordinate or a velocity (`x'`) at the start.
    pub by: String,
    /// Of the positions.
    pub q: Vec<f64>,
    /// Of the velocities.
    pub v: Vec<f64>,
    /// Of the momenta.
    pub p: Vec<f64>,
}

/// A second derivative of the end.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct SecondSensitivity {
    /// In what.
    pub by: [String; 2],
    /// Of the positions.
    pub q: Vec<f64>,
    /// Of the velocities.
    pub v: Vec<f64>,
    /// Of the momenta.
    pub p: Vec<f64>,
}

/// Changes of constraints that are rounding, relative to those that other directions make.
const ROUNDING: f64 = 1e-12;

/// A direction with its name.
#[derive(Debug, Clone)]
pub struct Direction {
    /// The name.
    pub name: String,
    /// What changes.
    pub change: Change,
}

/// The number of a coordinate, or of a velocity after all coordinates; of a momentum, where a motion begins
/// with momenta.
pub(super) fn slot(setting: &Setting<'_>, name: &str) -> Option<usize> {
    start_names(setting).iter().position(|known| known == name)
}

/// What a motion begins with: `x`, … and `x'`, …, or `p_x`, … where velocities are functions of momenta.
pub(super) fn start_names(setting: &Setting<'_>) -> Vec<String> {
    let names = &setting.system.symbols.names;
    let rate = |name: &String| match setting.field.is_in_momenta() {
        true => format!("p_{name}"),
        false => format!("{name}'"),
    };
    names.iter().cloned().chain(names.iter().map(rate)).collect()
}

/// The parameters among the names.
pub(super) fn parameters(setting: &Setting<'_>, names: &[String]) -> Result<Vec<u32>, FlowError> {
    let mut list = Vec::new();
    for name in names {
        let structural = |p: &Parameter| p.structural && p.name == *name;
        if setting.system.model.parameters.iter().any(structural) {
            return Err(FlowError::Structural { name: name.clone() });
        }
        if setting.is_first_order() && slot(setting, name).is_some() && name.ends_with('\'') {
            return Err(FlowError::FirstOrder);
        }
        match (slot(setting, name), setting.parameter(name)) {
            (None, Some(number)) if !list.contains(&number) => list.push(number),
            (None, None) => return Err(FlowError::Name { name: name.clone() }),
            _ => {}
        }
    }
    Ok(list)
}

/// A unit change for each name.
pub(super) fn directions(
    setting: &Setting<'_>,
    names: &[String],
    parameters: &[u32],
) -> Result<Vec<Direction>, FlowError> {
    let size = 2 * setting.system.symbols.names.len();
    names
        .iter()
        .map(|name| {
            let place = slot(setting, name);
            let number = setting.parameter(name).filter(|_| place.is_none());
            let state = (0..size).map(|i| f64::from(Some(i) == place)).collect();
            let parameters = parameters.iter().map(|&k| f64::from(Some(k) == number)).collect();
            Ok(Direction { name: name.clone(), change: Change { state, parameters } })
        })
        .collect()
}

/// First and, if the variations have them, second derivatives of the end.
pub(super) fn sensitivities(
    variations: &Variations,
    directions: &[Direction],
    initial: &[f64],
    stepper: &Stepper,
    steps: u64,
) -> Result<(Vec<Sensitivity>, Vec<SecondSensitivity>), FlowError> {
    let parameters = &stepper.parameters;
    for direction in directions {
        let off = variations.leaves(initial, parameters, &direction.change);
        if off.ok_or(FlowError::NoStart)? > ROUNDING {
            return Err(FlowError::Leaves { name: direction.name.clone() });
        }
    }
    let changes: Vec<Change> = directions.iter().map(|d| d.change.clone()).collect();
    let mut tangent =
        Tangent::new(variations, initial, parameters, &changes).ok_or(FlowError::NoStart)?;
    tangent.advance(steps).map_err(|_| FlowError::NotReached)?;
    let layout = stepper.layout;
    let parts = [0..layout.dimension, layout.velocities(), layout.all_momenta()];
    let part = |k: usize, of: &dyn Fn(u32) -> f64| {
        parts[k].clone().map(|slot| of(slot as u32)).collect::<Vec<f64>>()
    };
    let mut first = Vec::new();
    let mut second = Vec::new();
    for (i, one) in directions.iter().enumerate() {
        let of = |slot: u32| tangent.change(slot, i);
        let (q, v, p) = (part(0, &of), part(1, &of), part(2, &of));
        first.push(Sensitivity { by: one.name.clone(), q, v, p });
        for (j, other) in directions.iter().enumerate().skip(i) {
            let of = |slot: u32| tangent.second(slot, i, j);
            let (q, v, p) = (part(0, &of), part(1, &of), part(2, &of));
            second.push(SecondSensitivity { by: [one.name.clone(), other.name.clone()], q, v, p });
        }
    }
    Ok((first, second))
}
