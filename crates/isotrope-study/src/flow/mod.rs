//! Derivatives of the discrete flow over a run: the monodromy matrix and its eigenvalues, what a step
//! does to the symplectic form, Lyapunov exponents, sensitivities to initial values and parameters,
//! and Newton's method on the ends of trajectories (shooting).

mod error;
mod lyapunov;
mod monodromy;
mod poisson;
mod report;
mod sensitivity;
mod shooting;
mod symplectic;
mod text;

use isotrope_algebra::{Rational, Stop};
use isotrope_derive::System;
use isotrope_kernel::integrate::{Change, Compiled, Integration, Order, Tangent, Variations};
use isotrope_kernel::stepper::{Field, Options};
use isotrope_tape::interpret::End;

use crate::canonical::columns;
use crate::run::{Prepared, Request, prepare};

pub use error::FlowError;
pub use lyapunov::Lyapunov;
pub use monodromy::Monodromy;
pub(crate) use poisson::bracket_defect;
pub use report::{Cost, FlowReport, Point};
pub use sensitivity::{Direction, SecondSensitivity, Sensitivity};
pub use shooting::{Iterate, Shooting, Target};
use symplectic::Structure;
pub use symplectic::Symplectic;

/// What to compute beside the monodromy matrix.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Lyapunov exponents.
    pub lyapunov: bool,
    /// Derivatives of the end: names of parameters, coordinates and velocities (`x'`).
    pub sensitivity: Vec<String>,
    /// Second derivatives, too.
    pub second: bool,
    /// A problem for Newton's method; everything else is then computed for its solution.
    pub target: Option<Target>,
    /// Is the 2-form or the bracket asked about, however long that takes?
    pub checked: bool,
}

/// A system and a method, and how long they run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub system: &'a System,
    pub field: &'a Field,
    pub request: &'a Request,
}

impl Setting<'_> {
    /// The same method with another step.
    fn with_step(&self, step: &Rational) -> Result<Prepared, FlowError> {
        let options = Options { step: step.clone(), ..self.request.options.clone() };
        let request = Request { options, ..self.request.clone() };
        Ok(prepare(self.system, self.field, &request)?)
    }

    /// The number of a parameter.
    fn parameter(&self, name: &str) -> Option<u32> {
        let place = self.system.model.parameters.iter().position(|p| p.name == name)?;
        u32::try_from(place).ok()
    }

    /// Are the equations of first order, so that velocities (and momenta) follow from positions?
    pub(crate) fn is_first_order(&self) -> bool {
        self.system.mechanics.first_order().is_some()
    }

    /// Do the equations of motion contain the time?
    fn is_driven(&self) -> bool {
        let (pool, time) = (&self.system.model.pool, self.system.symbols.time);
        let mut parts = self.system.mechanics.ingredients().into_iter();
        parts.any(|expression| pool.depends_on(expression, &[time]))
    }

    /// Tangent vectors (δq, δv) of the manifold on which steps act, orthonormal in units of the sizes of the
    /// problem. Where velocities follow from positions: δq alone. `None` where they have no value.
    pub(crate) fn tangents(
        &self,
        variations: &Variations,
        state: &[f64],
        parameters: &[f64],
    ) -> Option<Vec<Vec<f64>>> {
        if !self.is_first_order() {
            return variations.admissible(state, parameters);
        }
        let n = self.system.symbols.dimension();
        let sizes = variations.sizes(state, parameters);
        let unit = |k: usize| (0..2 * n).map(|i| if i == k { sizes[k] } else { 0.0 }).collect();
        Some((0..n).map(unit).collect())
    }

    /// Do steps act on a symplectic manifold?
    fn without_form(&self, compiled: &Compiled) -> Option<&'static str> {
        let stepper = &compiled.stepper;
        if !stepper.has_momenta {
            return Some("a state has no momenta, and there is no dq∧dp");
        }
        if !stepper.holonomic {
            return Some(
                "nonholonomic constraints: dq∧dp is not a symplectic form on them, and the flow keeps none",
            );
        }
        if self.system.mechanics.working_forces().iter().any(|force| !force.is_zero()) {
            return Some("forces change dq∧dp by themselves");
        }
        self.without_map(compiled)
    }

    /// Are steps maps of the state?
    fn without_map(&self, compiled: &Compiled) -> Option<&'static str> {
        (!compiled.stepper.is_one_step())
            .then_some("a step needs more than the last state, so it is not a map of the state")
    }
}

/// The derivatives of a run from the initial values of the model.
pub fn flow(
    system: &System,
    field: &Field,
    request: &Request,
    wanted: &Wanted,
) -> Result<FlowReport, FlowError> {
    // Configurations on a group have no names of which one could be fixed or changed alone.
    if system.mechanics.group().is_some()
        && (wanted.target.is_some() || !wanted.sensitivity.is_empty())
    {
        return Err(FlowError::Group);
    }
    let mut request = request.clone();
    request.options.monitors = false;
    let setting = Setting { system, field, request: &request };
    let parameters = sensitivity::parameters(&setting, &wanted.sensitivity)?;
    let mut prepared = setting.with_step(&request.options.step)?;
    let mut initial = prepared.compiled.stepper.initial.clone();
    let mut shot = None;
    let mut solved = request.clone();
    if let Some(target) = &wanted.target {
        let (result, start, step) = shooting::shoot(&setting, &prepared, target)?;
        initial = start;
        if let Some(step) = step {
            prepared = setting.with_step(&step)?;
            solved.options.step = step;
        }
        shot = Some(result);
    }
    let setting = Setting { system, field, request: &solved };
    let compiled = &prepared.compiled;
    let stepper = &compiled.stepper;
    let layout = stepper.layout;
    let backend = request.backend;
    let first = Variations::new(compiled, Order::First, 2 * layout.dimension, &[], backend)?;
    let values = &stepper.parameters;
    let tangents = setting.tangents(&first, &initial, values).ok_or(FlowError::NoStart)?;
    let mut tangent = begin(&first, &initial, values, &tangents)?;
    let mut report = FlowReport::new(&setting, &tangent, layout, tangents.len());
    report.shooting = shot;
    report.paced = stepper.pace.is_some();
    let before = columns(&tangent, stepper);
    let kept = setting.without_form(compiled).is_none();
    match tangent.advance(request.steps) {
        Ok(()) => {
            report.end = Point::of(tangent.state(), layout);
            let ends = (before, columns(&tangent, stepper));
            let start = (initial.as_slice(), values.as_slice());
            let found =
                monodromy::monodromy(&setting, &first, &tangent, ends, start, (stepper, kept))?;
            report.monodromy = Some(found);
        }
        Err(outcome) => {
            // Tangent vectors of chaotic motions leave the range of numbers long before the motion does.
            let mut alone = Integration::from(compiled, initial.clone(), values.clone())
                .map_err(|_| FlowError::NoStart)?;
            if !matches!(outcome.end, End::NonFinite { .. })
                || advance(&mut alone, request.steps).is_none()
            {
                return Ok(report.failed(&tangent, layout, outcome));
            }
            report.end = Point::of(alone.state(), layout);
            report.remarks.push(format!(
                "the derivative of the flow map grows beyond the range of numbers after {} steps: \
                 there is no matrix",
                outcome.steps
            ));
        }
    }
    report.cost = Some(report::cost(compiled, &first, &initial, request.steps, &tangents)?);
    let check = |structure| symplectic::check(&setting, compiled, &first, &initial, structure);
    // One direction should not wait for all pairs of many.
    let something_else = !wanted.sensitivity.is_empty() || wanted.target.is_some();
    let looked = wanted.checked || !something_else || !symplectic::takes_long(compiled);
    report.symplectic = if looked { check(Structure::Form)? } else { Symplectic::not_asked_for() };
    if stepper.bracket.is_some() && looked {
        report.poisson = Some(check(Structure::Bracket)?);
    }
    if !stepper.has_momenta {
        report.start.p.clear();
        report.end.p.clear();
    }
    if wanted.lyapunov {
        match lyapunov::spectrum(&setting, &first, &initial, stepper, kept) {
            Ok(found) => report.lyapunov = Some(found),
            Err(reason) => {
                report.remarks.push(format!("no Lyapunov exponents: {reason}"));
                report.lacking = true;
            }
        }
    }
    if !wanted.sensitivity.is_empty() {
        let directions = sensitivity::directions(&setting, &wanted.sensitivity, &parameters)?;
        let order = if wanted.second { Order::Second } else { Order::First };
        let all = Variations::new(compiled, order, directions.len(), &parameters, backend)?;
        let (mut first, mut second) =
            sensitivity::sensitivities(&all, &directions, &initial, stepper, request.steps)?;
        if !stepper.has_momenta {
            first.iter_mut().for_each(|by| by.p.clear());
            second.iter_mut().for_each(|by| by.p.clear());
        }
        report.sensitivities = Some(first);
        report.second = wanted.second.then_some(second);
    }
    Ok(report)
}

/// Steps between two looks at the flag.
const BLOCK: u64 = 4096;

/// Makes steps; `None` if one fails, or once this thread was asked to stop.
fn advance(integration: &mut Integration<'_>, steps: u64) -> Option<()> {
    let end = integration.steps + steps;
    while integration.steps < end {
        integration.advance(BLOCK.min(end - integration.steps)).ok()?;
        Stop::check("making steps").ok()?;
    }
    Some(())
}

/// A state with tangent vectors.
pub(crate) fn begin<'v>(
    variations: &'v Variations,
    state: &[f64],
    parameters: &[f64],
    tangents: &[Vec<f64>],
) -> Result<Tangent<'v>, FlowError> {
    let of = |state: &Vec<f64>| Change { state: state.clone(), parameters: Vec::new() };
    let changes: Vec<Change> = tangents.iter().map(of).collect();
    Tangent::new(variations, state, parameters, &changes).ok_or(FlowError::NoStart)
}
