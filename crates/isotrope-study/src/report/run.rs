//! What `isotrope run` answers.

use std::borrow::Cow;

use isotrope_kernel::integrate::Outcome;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Quantities;
use super::number::shortest;
use super::quantities::{Applicable, Finite};

/// Where and why a run ended before its time.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Failure {
    /// The step that was not taken, from 0.
    pub step: u64,
    /// The time at its beginning.
    #[serde(with = "Finite")]
    pub t: f64,
    /// What was left of the equations of the step.
    #[serde(with = "Applicable")]
    pub residual: Option<f64>,
    /// The reason, for people.
    pub reason: String,
}

/// The state at the end, or at the last step that was taken.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct FinalState {
    /// Time.
    #[serde(with = "Finite")]
    pub t: f64,
    /// Positions.
    pub q: Quantities,
    /// Velocities.
    pub v: Option<Quantities>,
    /// Momenta.
    pub p: Option<Quantities>,
    /// Multipliers, by the names of constraints.
    pub lambda: Option<Quantities>,
    /// Rotation matrices by rows, one body after the other (Lie groups).
    #[serde(rename = "R", default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Vec<f64>>,
    /// Angular velocities that belong to the body momenta, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omega: Option<Vec<f64>>,
    /// Energy.
    #[serde(with = "Applicable", default)]
    pub energy: Option<f64>,
    /// Outputs (state space).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<Quantities>,
}

/// Absolute maxima over all steps; `None` where a quantity does not apply.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
pub struct Errors {
    /// Largest defect of energy, or of its balance where forces do work.
    #[serde(with = "Applicable")]
    pub energy_max: Option<f64>,
    /// The same at the end.
    #[serde(with = "Applicable")]
    pub energy_final: Option<f64>,
    /// Largest violation of a holonomic constraint.
    #[serde(with = "Applicable")]
    pub constraint_position_max: Option<f64>,
    /// Largest violation of a constraint on velocities.
    #[serde(with = "Applicable")]
    pub constraint_velocity_max: Option<f64>,
    /// Largest defect |R Rᵀ − 1| of a rotation (Lie groups).
    #[serde(with = "Applicable", default, skip_serializing_if = "Option::is_none")]
    pub orthogonality_max: Option<f64>,
    /// Largest defect of the balance of power in a step, ΔH − supplied + dissipated (ports).
    #[serde(with = "Applicable", default, skip_serializing_if = "Option::is_none")]
    pub power_balance_max: Option<f64>,
    /// Largest component of p - dL/dv.
    #[serde(with = "Applicable")]
    pub legendre_max: Option<f64>,
    /// Largest change of each conserved momentum.
    pub momentum_max: Quantities,
    /// Largest defect of each function that the method was made to preserve (grouped methods).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure_max: Option<Quantities>,
}

/// The energy that went through the ports of a system until the last step, by the quadrature of the method.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Ports {
    /// By the inputs, ∫ yᵀ u.
    #[serde(with = "Finite")]
    pub supplied: f64,
    /// By R, ∫ ∇Hᵀ R ∇H.
    #[serde(with = "Finite")]
    pub dissipated: f64,
}

/// The largest residuals of constraints at the start.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct InitialResiduals {
    /// Of constraints on positions.
    #[serde(with = "Applicable")]
    pub position: Option<f64>,
    /// Of constraints on velocities, hidden ones included.
    #[serde(with = "Applicable")]
    pub velocity: Option<f64>,
}

/// A place where constraints become dependent: the rank of A drops.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Singular {
    /// The step that passes it, from 0.
    pub step: u64,
    /// The time, between the ends of that step.
    #[serde(with = "Finite")]
    pub t: f64,
    /// The smallest singular value of A there, each row divided by its largest norm on the way and columns in the sizes of velocities.
    #[serde(with = "Finite")]
    pub condition: f64,
}

/// What the run took.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
pub struct Cost {
    /// Iterations of Newton's method, or of the fixed-point iteration in its place.
    pub newton_iterations: Option<u64>,
    /// Evaluations of the residual.
    pub residual_evaluations: Option<u64>,
    /// Steps that a method made which chooses their lengths itself.
    #[serde(default)]
    pub accepted_steps: Option<u64>,
    /// Steps of such a method whose error was too large.
    #[serde(default)]
    pub rejected_steps: Option<u64>,
    /// Seconds from the scheme to machine code.
    #[serde(with = "Applicable")]
    pub compile_seconds: Option<f64>,
    /// Seconds of stepping.
    #[serde(with = "Applicable")]
    pub run_seconds: Option<f64>,
    /// Nanoseconds of one step, on average.
    #[serde(with = "Applicable")]
    pub ns_per_step: Option<f64>,
}

/// The time that steps took, where they are not all of the same length.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Durations {
    /// The shortest.
    #[serde(with = "Finite")]
    pub shortest: f64,
    /// The longest.
    #[serde(with = "Finite")]
    pub longest: f64,
    /// Of energy-exact methods: steps in which no length kept the discrete energy, and the one asked
    /// for was taken.
    pub held: Option<u64>,
}

/// The sizes of the problem, in its own units: what iterations, tolerances and verdicts are relative to.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Scales {
    /// Of times.
    #[serde(with = "Finite")]
    pub time: f64,
    /// Of positions, or of a state.
    pub q: Quantities,
    /// Of velocities, or of the rates of a state.
    pub v: Quantities,
    /// Of momenta.
    pub p: Quantities,
    /// Of the energy.
    #[serde(with = "Applicable")]
    pub energy: Option<f64>,
    /// Of constraints on positions: by how much the left side changes when positions change by their sizes.
    #[serde(with = "Applicable")]
    pub constraint_position: Option<f64>,
    /// Of constraints on velocities, likewise.
    #[serde(with = "Applicable")]
    pub constraint_velocity: Option<f64>,
    /// Of conserved quantities, likewise.
    pub conserved: Quantities,
    /// Of functions that the method was made to preserve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure: Option<Quantities>,
}

/// What `isotrope run` answers. Its JSON has exactly these keys in this order; numbers have all
/// their digits, and `null` stands for what does not apply or is not finite.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct RunReport {
    /// The name of the model.
    pub model: String,
    /// The name of the method.
    pub method: String,
    /// Step size.
    #[serde(with = "Finite")]
    pub step: f64,
    /// The time asked for.
    #[serde(with = "Finite")]
    pub time: f64,
    /// The number of steps asked for.
    pub steps: u64,
    /// How it ended.
    #[serde(with = "OutcomeName")]
    pub outcome: Outcome,
    /// Where and why, unless it completed.
    pub failure: Option<Failure>,
    /// The last state.
    #[serde(rename = "final")]
    pub final_state: FinalState,
    /// Errors at (q_k, v_k).
    pub errors: Errors,
    /// Errors at (q_{k+1}, M^-1 p_{k+1}), of staggered schemes.
    pub errors_shifted: Option<Errors>,
    /// The lengths of its steps in time; none where all are the same.
    #[serde(default)]
    pub durations: Option<Durations>,
    /// What went through the ports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ports: Option<Ports>,
    /// Do the initial values satisfy the constraints, relative to the sizes of the problem? `null` without
    /// constraints, and where they have no value.
    #[serde(default)]
    pub consistent: Option<bool>,
    /// What the initial values leave of the constraints.
    #[serde(default)]
    pub initial_residuals: Option<InitialResiduals>,
    /// The first place where constraints become dependent on the way; `null` if none was seen.
    #[serde(default)]
    pub singular: Option<Singular>,
    /// What it took.
    pub cost: Cost,
    /// The number of steps that were made.
    pub steps_done: u64,
    /// The sizes of the problem; none if the run could not begin.
    #[serde(default)]
    pub scales: Option<Scales>,
}

impl RunReport {
    /// The title of its pictures, with a formula in it.
    #[must_use]
    pub fn title(&self) -> String {
        let (model, method) = (self.model.replace('$', "\\$"), self.method.replace('$', "\\$"));
        format!("{model}: {method}, $h = {}$", shortest(self.step))
    }
}

/// Outcomes by their names.
struct OutcomeName;

impl JsonSchema for OutcomeName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Outcome".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = Outcome::ALL.into_iter().map(Outcome::name).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}

impl OutcomeName {
    fn serialize<S: Serializer>(outcome: &Outcome, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(outcome.name())
    }

    fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Outcome, D::Error> {
        let name = String::deserialize(from)?;
        let known = Outcome::ALL.into_iter().find(|outcome| outcome.name() == name);
        known.ok_or_else(|| D::Error::custom(format!("`{name}` is not an outcome")))
    }
}
