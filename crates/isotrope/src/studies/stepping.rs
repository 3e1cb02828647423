//! Single steps, for control loops: a state in, the next state out.

use std::sync::{Arc, OnceLock};

use isotrope_kernel::integrate::{
    Change, Crew, Failure as Stuck, Integration, Member, Order, Outcome, Runner, SideBySide,
    Tangent, Variations,
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
/// let start = stepping.initial(None, &[9.81]).unwrap();
/// let heavy = stepping.advanced(start.clone(), &[9.81], 100).unwrap();
/// let light = stepping.advanced(start, &[0.0], 100).unwrap();
/// assert!(heavy[0] != light[0]);
/// # Ok::<(), isotrope::Failure>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stepping {
    steps: Arc<Steps>,
    inputs: Vec<usize>,
    /// Code for several states at once, made when it is first needed.
    lanes: OnceLock<Arc<SideBySide>>,
    /// Code for derivatives, too; `None` where there are none.
    variations: OnceLock<Result<Arc<Variations>, String>>,
}

/// States or derivatives of states, one for each member; those that were not reached say why.
pub type Ends<T> = Vec<Result<T, Stuck>>;

/// Where steps lead, and how that depends on where they begin: row by row, with respect to what a motion begins with,
/// and to the inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Derivatives {
    /// What a motion begins with, at the end.
    pub moving: Vec<f64>,
    /// By the same at the beginning.
    pub by_state: Vec<f64>,
    /// By the inputs.
    pub by_inputs: Vec<f64>,
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
        let (lanes, variations) = (OnceLock::new(), OnceLock::new());
        Ok(Stepping { steps, inputs: numbers, lanes, variations })
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

    /// The state in which the model begins, or the one with these positions and velocities (or momenta); what the method
    /// remembers is computed with these inputs.
    pub fn initial(&self, moving: Option<&[f64]>, inputs: &[f64]) -> Result<Vec<f64>, Stuck> {
        let compiled = self.steps.compiled();
        let mut state = compiled.stepper.initial.clone();
        if let Some(moving) = moving {
            state[..moving.len()].copy_from_slice(moving);
        }
        Ok(Integration::from(compiled, state, self.parameters(inputs))?.into_state())
    }

    /// The state after some steps. A state is as long as [`Stepping::size`] says; without inputs, those of the model.
    pub fn advanced(&self, state: Vec<f64>, inputs: &[f64], steps: u64) -> Result<Vec<f64>, Stuck> {
        let mut integration =
            Integration::onward(self.steps.compiled(), state, self.parameters(inputs));
        integration.advance(steps)?;
        Ok(integration.into_state())
    }

    /// Many states with their inputs, in lanes and threads; 0 threads are as many as there are processors. Each gets
    /// the bits that it would get alone.
    pub fn side_by_side(
        &self,
        host: &Host,
        members: Vec<(Vec<f64>, Vec<f64>)>,
        steps: u64,
        threads: usize,
    ) -> Result<Ends<Vec<f64>>, Failure> {
        let member = |(state, inputs): (Vec<f64>, Vec<f64>)| Member {
            state,
            parameters: self.parameters(&inputs),
        };
        let members: Vec<Member> = members.into_iter().map(member).collect();
        let threads = if threads == 0 { parallel::processors() } else { threads };
        host.quietly("making steps", || {
            let compiled = self.steps.compiled();
            let code = self.lanes.get_or_init(|| Arc::new(SideBySide::new(compiled)));
            let crew = Crew { steps, threads, stop: host.stop(), made: &|_| {}, watch: None };
            let ends = Runner::with(compiled, Arc::clone(code)).onward(&members, crew);
            if ends.iter().any(|end| end.outcome == Outcome::Interrupted) {
                return Err(Failure::Interrupted { doing: "making steps".to_owned() });
            }
            Ok(ends.into_iter().map(|end| end.failure.map_or(Ok(end.state), Err)).collect())
        })
    }

    /// The derivatives of a step that begins at a state, exactly: with respect to the numbers that a motion begins
    /// with, then with respect to the inputs; row by row.
    pub fn jacobian(&self, state: &[f64], inputs: &[f64]) -> Result<[Vec<f64>; 2], Failure> {
        let Derivatives { by_state, by_inputs, .. } = self.linearised(state, inputs, 1)?;
        Ok([by_state, by_inputs])
    }

    /// Where many motions lead after some steps, and how that depends exactly on where they begin.
    pub fn derivatives(
        &self,
        host: &Host,
        members: &[(Vec<f64>, Vec<f64>)],
        steps: u64,
    ) -> Result<Vec<Derivatives>, Failure> {
        let start = &self.steps.stepper().initial;
        host.quietly("making steps and their derivatives", || {
            let ends = parallel::map(members, |(moving, inputs)| {
                let mut state = start.clone();
                state[..moving.len()].copy_from_slice(moving);
                self.linearised(&state, inputs, steps)
            });
            ends.into_iter().collect()
        })
    }

    /// Steps from a state, carried along with its changes in every direction.
    fn linearised(
        &self,
        state: &[f64],
        inputs: &[f64],
        steps: u64,
    ) -> Result<Derivatives, Failure> {
        let (compiled, moving) = (self.steps.compiled(), self.moving());
        let refused = |message: String| {
            let hint =
                "take a method with equal steps, and a state where it can make one".to_owned();
            Failure::plain(FlowCode::NoDerivatives, message, hint)
        };
        let numbers: Vec<u32> = self.inputs.iter().map(|&k| k as u32).collect();
        let count = moving + numbers.len();
        let made = self.variations.get_or_init(|| {
            Variations::new(compiled, Order::First, count, &numbers, Backend::Native)
                .map(Arc::new)
                .map_err(|error| error.to_string())
        });
        let variations = made.as_ref().map_err(|error| refused(error.clone()))?;
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
        let none = || refused("the steps have no derivative here".to_owned());
        let mut tangent =
            Tangent::new(variations, state, &parameters, &changes).ok_or_else(none)?;
        tangent.advance(steps).map_err(|_| none())?;
        let block = |columns: std::ops::Range<usize>| {
            let rows = 0..moving as u32;
            rows.flat_map(|row| columns.clone().map(move |k| (row, k)))
                .map(|(row, k)| tangent.change(row, k))
                .collect()
        };
        let end = tangent.state()[..moving].to_vec();
        Ok(Derivatives { moving: end, by_state: block(0..moving), by_inputs: block(moving..count) })
    }
}
