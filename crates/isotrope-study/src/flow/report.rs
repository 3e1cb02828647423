//! What the study says.

use std::ops::Range;

use isotrope_kernel::integrate::{Compiled, Integration, Tangent, Variations};
use isotrope_kernel::stepper::Layout;
use isotrope_tape::interpret::{End, RunOutcome};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    FlowError, Lyapunov, Monodromy, SecondSensitivity, Sensitivity, Setting, Shooting, Symplectic,
    begin,
};
use crate::report::Failure;

/// Positions, velocities and momenta.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Point {
    /// The time.
    pub t: f64,
    /// Positions.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Momenta.
    pub p: Vec<f64>,
}

impl Point {
    pub(super) fn of(state: &[f64], layout: Layout) -> Self {
        let part = |range: Range<usize>| state.get(range).unwrap_or_default().to_vec();
        let t = state.get(layout.time() as usize).copied().unwrap_or(f64::NAN);
        let (v, p) = (part(layout.velocities()), part(layout.all_momenta()));
        Self { t, q: part(0..layout.dimension), v, p }
    }
}

/// What derivatives cost.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Cost {
    /// Tangent vectors that were carried along.
    pub directions: usize,
    /// Operations of the program of a step, loops counted once.
    pub operations: usize,
    /// Those of the program with derivatives.
    pub operations_with_derivatives: usize,
    /// How many directions one execution of it carries along.
    pub width: usize,
    /// Seconds of a step.
    pub seconds_per_step: f64,
    /// Seconds of a step with all directions.
    pub seconds_per_step_with_derivatives: f64,
}

/// The answer of `isotrope flow`. `None` (in JSON `null`) where something was not asked for.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct FlowReport {
    /// The name of the model.
    pub model: String,
    /// The method.
    pub method: String,
    /// Its step.
    pub step: f64,
    /// The time of the run.
    pub time: f64,
    /// Its steps.
    pub steps: u64,
    /// Did it arrive? `completed`, `newton-stalled` or `non-finite`.
    pub outcome: &'static str,
    /// Where and why not.
    pub failure: Option<Failure>,
    /// Coordinates, or the numbers of a configuration.
    pub coordinates: Vec<String>,
    /// Velocities: of the coordinates, or components of the algebra.
    pub velocities: Vec<String>,
    /// The dimension of the manifold on which steps act: 2n without constraints.
    pub dimension: usize,
    /// The first state.
    pub start: Point,
    /// The last one.
    pub end: Point,
    /// The derivative of the flow map.
    pub monodromy: Option<Monodromy>,
    /// What steps do to dq∧dp.
    pub symplectic: Symplectic,
    /// What they do to the bracket of a system in state space.
    pub poisson: Option<Symplectic>,
    /// Lyapunov exponents.
    pub lyapunov: Option<Lyapunov>,
    /// Derivatives of the end.
    pub sensitivities: Option<Vec<Sensitivity>>,
    /// Second derivatives of the end.
    pub second: Option<Vec<SecondSensitivity>>,
    /// What Newton's method found.
    pub shooting: Option<Shooting>,
    /// What derivatives cost.
    pub cost: Option<Cost>,
    /// Are steps equal in a parameter s and not in t? Then `step` and `time` are those of s.
    pub paced: bool,
    /// What could not be given, and why.
    pub remarks: Vec<String>,
    /// Is something missing that was asked for?
    #[serde(skip)]
    pub lacking: bool,
}

impl FlowReport {
    pub(super) fn new(
        setting: &Setting<'_>,
        tangent: &Tangent<'_>,
        layout: Layout,
        dimension: usize,
    ) -> Self {
        let request = setting.request;
        let start = Point::of(tangent.state(), layout);
        let step = request.options.step.to_f64();
        Self {
            model: setting.system.model.name.clone(),
            method: request.method.name().to_owned(),
            step,
            time: step * request.steps as f64,
            steps: request.steps,
            outcome: "completed",
            failure: None,
            coordinates: setting.field.coordinate_names.clone(),
            velocities: setting.field.rate_names.clone(),
            dimension,
            end: start.clone(),
            start,
            monodromy: None,
            symplectic: Symplectic::unknown(),
            poisson: None,
            lyapunov: None,
            sensitivities: None,
            second: None,
            shooting: None,
            cost: None,
            paced: false,
            remarks: Vec::new(),
            lacking: false,
        }
    }

    /// A run that did not arrive. The state is the one before the run: how far it came is known.
    pub(super) fn failed(self, tangent: &Tangent<'_>, layout: Layout, outcome: RunOutcome) -> Self {
        let (name, reason) = match outcome.end {
            End::NonFinite { .. } => {
                ("non-finite", "a number or its derivative is not finite after this step")
            }
            _ => (
                "newton-stalled",
                "the iteration for the unknowns of this step did not converge; a smaller step may help",
            ),
        };
        let failure = Failure {
            step: outcome.steps,
            t: outcome.steps as f64 * self.step,
            residual: None,
            reason: reason.to_owned(),
        };
        Self {
            outcome: name,
            failure: Some(failure),
            end: Point::of(tangent.state(), layout),
            ..self
        }
    }

    /// The exit of a command: is the answer the one that was hoped for?
    #[must_use]
    pub fn is_good(&self) -> bool {
        let found = |shot: &Shooting| shot.converged && !shot.equilibrium;
        self.outcome == "completed" && !self.lacking && self.shooting.as_ref().is_none_or(found)
    }
}

/// Runs of which the fastest counts, and their steps at most: other programs run, too.
const MEASURED: (usize, u64) = (5, 1000);
/// Operations of one of these runs at most: less than a tenth of a second.
const OPERATIONS: u64 = 20_000_000;

/// Times of steps with and without derivatives; those of steps that are not made are not numbers.
pub(super) fn cost(
    compiled: &Compiled,
    variations: &Variations,
    initial: &[f64],
    steps: u64,
    tangents: &[Vec<f64>],
) -> Result<Cost, FlowError> {
    let parameters = &compiled.stepper.parameters;
    let (runs, most) = MEASURED;
    let executions = tangents.len().div_ceil(variations.width().max(1)).max(1);
    let operations = (variations.program().ops.len() * executions).max(1) as u64;
    let steps = steps.min(most).min((OPERATIONS / operations).max(1));
    let (mut plain, mut with) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..runs {
        let integration = Integration::from(compiled, initial.to_vec(), parameters.clone());
        let mut integration = integration.map_err(|_| FlowError::NoStart)?;
        let clock = crate::clock::Stopwatch::start();
        if integration.advance(steps).is_ok() {
            plain = plain.min(clock.seconds());
        }
        let mut tangent = begin(variations, initial, parameters, tangents)?;
        let clock = crate::clock::Stopwatch::start();
        if tangent.advance(steps).is_ok() {
            with = with.min(clock.seconds());
        }
    }
    let count = steps.max(1) as f64;
    Ok(Cost {
        directions: tangents.len(),
        operations: compiled.step().program().ops.len(),
        operations_with_derivatives: variations.program().ops.len(),
        width: variations.width(),
        seconds_per_step: plain / count,
        seconds_per_step_with_derivatives: with / count,
    })
}
