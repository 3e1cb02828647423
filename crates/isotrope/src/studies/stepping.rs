//! Single steps, for control loops: a state in, the next state out.

use std::sync::Arc;

use isotrope_kernel::integrate::{
    Change, Failure as Stuck, Integration, Order, Tangent, Variations,
};
use isotrope_kernel::stepper::Layout;
use isotrope_model::codes::{FlowCode, RequestCode};
use isotrope_study::parallel;
use isotrope_tape::backend::Backend;

use super::run::Steps;
use crate::failure::Failure;
use crate::host::Host;
use crate::system::System;

/// Steps of a method, one call at a time, with some parameters as inputs. Threads may share it.
///
/// ```
/// use std::sync::Arc;
/// use isotrope::{Host, Model, Overrides, Ready, RunRequest};
/// let file = br#"
///     coordinates = ["theta"]
///     parameters.g = 9.81
///     lagrangian.L = "theta'^2/2 + g*cos(theta)"
///     initial = { position.theta = 2, velocity.theta = 0 }
/// "#;
/// let model = Model::parse("pendulum.toml", file, &Overrides::default())?;
/// let mut system = model.derive(&Host::new())?;
/// let request = RunRequest { step: Some("1/100".into()), time: Some("1/100".into()), ..Default::default() };
/// let Ready::Steps(steps) = system.prepare(&request)? else { unreachable!() };
/// let stepping = system.stepping(Arc::new(steps), &["g"])?;
/// let start = stepping.initial(None).unwrap();
/// let heavy = stepping.advanced(start.clone(), &[9.81], 100).unwrap();
/// let light = stepping.advanced(start, &[0.0], 100).unwrap();
/// assert!(heavy[0] != light[0]);
/// # Ok::<(), isotrope::Failure>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stepping {
    steps: Arc<Steps>,
    inputs: Vec<usize>,
}

impl System {
    /// Steps as a function of the state and of these parameters.
    pub fn stepping(&self, steps: Arc<Steps>, inputs: &[&str]) -> Result<Stepping, Failure> {
        let model = &self.derived.model;
        let refuse =
            |message: String, hint: String| Err(Failure::plain(RequestCode::Input, message, hint));
        let mut numbers = Vec::with_capacity(inputs.len());
        for &name in inputs {
            let Some(number) = model.parameters.iter().position(|own| own.name == name) else {
                let known: Vec<&str> =
                    model.parameters.iter().map(|own| own.name.as_str()).collect();
                let hint = match known.is_empty() {
                    true => "the model has no parameters".to_owned(),
                    false => format!("the model has the parameters {}", known.join(", ")),
                };
                return refuse(format!("the model has no parameter `{name}`"), hint);
            };
            let own = &model.parameters[number];
            if own.structural {
                let message = format!("`{name}` decides what the system is, not how it moves");
                return refuse(message, "make a stepper for each value".to_owned());
            }
            let depends = |other: &&isotrope_model::Parameter| {
                model.pool.symbols_in(&[other.value]).contains(&own.symbol)
            };
            if let Some(other) = model.parameters.iter().find(depends) {
                let message = format!("the parameter `{}` is computed from `{name}`", other.name);
                return refuse(message, format!("write the value of `{}` out", other.name));
            }
            if numbers.contains(&number) {
                return refuse(format!("`{name}` is named twice"), RequestCode::Input.hint());
            }
            numbers.push(number);
        }
        Ok(Stepping { steps, inputs: numbers })
    }
}

impl Stepping {
    /// Where the numbers of a state are.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.steps.stepper().layout
    }

    /// How many numbers a state has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.steps.stepper().initial.len()
    }

    /// How many numbers a motion begins with: positions, then velocities or momenta; the state where that is all.
    #[must_use]
    pub fn moving(&self) -> usize {
        let (stepper, layout) = (self.steps.stepper(), self.layout());
        if stepper.is_first_order() { layout.dimension } else { layout.moving() }
    }

    /// How many inputs there are.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The numbers of the parameters that are inputs.
    #[must_use]
    pub fn input_numbers(&self) -> &[usize] {
        &self.inputs
    }

    fn parameters(&self, inputs: &[f64]) -> Vec<f64> {
        let mut parameters = self.steps.stepper().parameters.clone();
        for (&number, &value) in self.inputs.iter().zip(inputs) {
            parameters[number] = value;
        }
        parameters
    }

    /// The state in which the model begins, or the one with these positions and velocities (or momenta).
    pub fn initial(&self, moving: Option<&[f64]>) -> Result<Vec<f64>, Stuck> {
        let compiled = self.steps.compiled();
        let mut state = compiled.stepper.initial.clone();
        if let Some(moving) = moving {
            state[..moving.len()].copy_from_slice(moving);
        }
        let parameters = compiled.stepper.parameters.clone();
        Ok(Integration::from(compiled, state, parameters)?.into_state())
    }

    /// The state after some steps. A state is as long as [`Stepping::size`] says; without inputs, those of the model.
    pub fn advanced(&self, state: Vec<f64>, inputs: &[f64], steps: u64) -> Result<Vec<f64>, Stuck> {
        let mut integration =
            Integration::onward(self.steps.compiled(), state, self.parameters(inputs));
        integration.advance(steps)?;
        Ok(integration.into_state())
    }

    /// Many states with their inputs, in threads; 0 threads are as many as there are processors. Each gets the bits that
    /// it would get alone.
    pub fn side_by_side(
        &self,
        host: &Host,
        members: &[(Vec<f64>, Vec<f64>)],
        steps: u64,
        threads: usize,
    ) -> Result<Vec<Result<Vec<f64>, Stuck>>, Failure> {
        let threads = if threads == 0 { parallel::processors() } else { threads };
        let portion = members.len().div_ceil(threads).max(1);
        let portions: Vec<_> = members.chunks(portion).collect();
        host.quietly("making steps", || {
            let ends = parallel::map(&portions, |portion| {
                let one = |(state, inputs): &(Vec<f64>, Vec<f64>)| {
                    self.advanced(state.clone(), inputs, steps)
                };
                portion.iter().take_while(|_| !host.is_stopped()).map(one).collect::<Vec<_>>()
            });
            Ok(ends.into_iter().flatten().collect())
        })
    }

    /// The derivatives of a step that begins at a state, exactly: with respect to the numbers that a motion begins
    /// with, then with respect to the inputs; row by row.
    pub fn jacobian(&self, state: &[f64], inputs: &[f64]) -> Result<[Vec<f64>; 2], Failure> {
        let (compiled, moving) = (self.steps.compiled(), self.moving());
        let refused = |message: String| {
            let hint =
                "take a method with equal steps, and a state where it can make one".to_owned();
            Failure::plain(FlowCode::NoDerivatives, message, hint)
        };
        let numbers: Vec<u32> = self.inputs.iter().map(|&k| k as u32).collect();
        let count = moving + numbers.len();
        let variations =
            Variations::new(compiled, Order::First, count, &numbers, Backend::Interpreter)
                .map_err(|error| refused(error.to_string()))?;
        let unit = |length: usize, k: usize| -> Vec<f64> {
            (0..length).map(|i| f64::from(i == k)).collect()
        };
        let changes: Vec<Change> = (0..count)
            .map(|k| match k.checked_sub(moving) {
                None => Change { state: unit(moving, k), parameters: vec![0.0; numbers.len()] },
                Some(k) => Change { state: Vec::new(), parameters: unit(numbers.len(), k) },
            })
            .collect();
        let parameters = self.parameters(inputs);
        let none = || refused("the step has no derivative here".to_owned());
        let mut tangent =
            Tangent::new(&variations, state, &parameters, &changes).ok_or_else(none)?;
        tangent.advance(1).map_err(|_| none())?;
        let block = |columns: std::ops::Range<usize>| {
            let rows = 0..moving as u32;
            rows.flat_map(|row| columns.clone().map(move |k| (row, k)))
                .map(|(row, k)| tangent.change(row, k))
                .collect()
        };
        Ok([block(0..moving), block(moving..count)])
    }
}
