//! What a very small step does.

use isotrope_algebra::Budget;
use isotrope_certify::{DefectOrder, LocalMethod, ProblemSizes, local_orders_in};
use isotrope_derive::System;
use isotrope_scheme::Method;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::compare::is_implicit;
use crate::report::{Quantities, Scales};

/// Exponents of one step on the model, measured with steps of 2^-24 of the time of the motion in numbers of 576 bits; none
/// where they could not be measured.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema, Serialize)]
pub struct Local {
    /// The order of the solution.
    #[serde(serialize_with = "exponent")]
    #[schemars(with = "Option<Exponent>")]
    pub k: Option<DefectOrder>,
    /// The local defect of constraints and Legendre map is O(hᵐ); in state space that of the balance of energy.
    #[serde(serialize_with = "exponent")]
    #[schemars(with = "Option<Exponent>")]
    pub m: Option<DefectOrder>,
    /// That of the energy.
    #[serde(serialize_with = "exponent")]
    #[schemars(with = "Option<Exponent>")]
    pub energy: Option<DefectOrder>,
    /// That of the 2-form on the constraint manifold, in state space that of the bracket.
    #[serde(serialize_with = "exponent")]
    #[schemars(with = "Option<Exponent>")]
    pub form: Option<DefectOrder>,
    /// Of grouped methods: the exponent of each function that the method was made to preserve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preserved: Vec<Preserved>,
    /// Does the step by −h undo the step by h?
    pub symmetric: Option<bool>,
}

/// The local defect of a function that a method was made to preserve.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Preserved {
    /// The function.
    pub name: String,
    /// The defect of one step is O(hᵐ).
    #[serde(serialize_with = "exponent")]
    #[schemars(with = "Option<Exponent>")]
    pub m: Option<DefectOrder>,
}

/// Operations for one method.
const BUDGET: u64 = 500_000_000;

impl Local {
    pub(super) fn of(system: &System, method: &Method, scales: Option<&Scales>) -> Self {
        if is_implicit(system, method) {
            return Self::default();
        }
        // Some have steps of their own.
        let Some(method) = LocalMethod::of(method) else { return Self::default() };
        // Plain equations have no structure to be kept.
        let without_energy = !system.mechanics.has_energy();
        let numbers = |list: &Quantities| list.0.iter().map(|entry| entry.1).collect();
        let sizes = scales.map(|scales| ProblemSizes {
            time: Some(scales.time),
            position: numbers(&scales.q),
            velocity: numbers(&scales.v),
            energy: scales.energy,
        });
        let sizes = sizes.unwrap_or_default();
        match local_orders_in(system, method, &sizes, &mut Budget::new(BUDGET)) {
            Ok(found) => Self {
                k: Some(found.order),
                m: match found.preserved.is_empty() {
                    false => Some(found.kept()),
                    true => Some(found.structure).filter(|_| !without_energy),
                },
                preserved: found
                    .preserved
                    .iter()
                    .map(|(name, m)| Preserved { name: name.clone(), m: Some(*m) })
                    .collect(),
                energy: Some(found.energy).filter(|_| !without_energy),
                form: found.form,
                symmetric: found.symmetric,
            },
            Err(_) => Self::default(),
        }
    }
}

/// A number, or "inf" for what is kept exactly.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
#[expect(dead_code, reason = "the schema of what `exponent` writes")]
enum Exponent {
    Power(u64),
    Infinite(String),
}

/// A number, or "inf" for what is kept exactly.
fn exponent<S: Serializer>(order: &Option<DefectOrder>, to: S) -> Result<S::Ok, S::Error> {
    match order {
        Some(DefectOrder::Exactly(power) | DefectOrder::AtLeast(power)) => {
            to.serialize_u64(*power as u64)
        }
        Some(DefectOrder::Infinite) => to.serialize_str("inf"),
        None => to.serialize_none(),
    }
}
