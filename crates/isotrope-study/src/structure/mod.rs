//! Along trajectories: how far steps are from the Dirac structure of the model.
//!
//! `defect.rs` has one step at one base point, in the metric of the mass matrix; `evaluated.rs` has
//! expressions along a trajectory.

mod defect;
mod text;

use isotrope_algebra::Rational;
use isotrope_derive::System;
use isotrope_kernel::integrate::{Compiled, Flow, Integration, Outcome};
use isotrope_kernel::stepper::{Field, Options, Scales, Stepper};
use isotrope_tape::Function;
use isotrope_tape::interpret::Scratch;
use schemars::JsonSchema;
use serde::Serialize;

use crate::report::Failure;
use crate::run::{PrepareError, Prepared, Request, observe, prepare};
use defect::{Defect, State, Structure};

/// Why there is no defect to measure.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StructureError {
    /// No Lagrangian with masses in coordinates.
    #[error(
        "the structure defect is measured in the metric of the mass matrix, and the model has none"
    )]
    NoMassMatrix,
    /// Too many coordinates.
    #[error("{coordinates} coordinates: structure defects are measured of at most {largest}")]
    Large {
        /// How many.
        coordinates: usize,
        /// The most.
        largest: usize,
    },
    /// A function that cannot be evaluated.
    #[error("{reason}")]
    Expression {
        /// Why.
        reason: String,
    },
}

/// Where in T*Q the structure is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BasePoint {
    /// (q_k, p_k).
    Start,
    /// (q_k, p_{k+1}): the foot of the Dirac differential of Dirac-1.
    Staggered,
    /// The middle of both.
    Midpoint,
    /// (q_{k+1}, p_k).
    StaggeredAdjoint,
    /// (q_{k+1}, p_{k+1}).
    End,
}

impl BasePoint {
    /// All, in the order of reports.
    pub const ALL: [Self; 5] =
        [Self::Start, Self::Staggered, Self::Midpoint, Self::StaggeredAdjoint, Self::End];

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Staggered => "staggered",
            Self::Midpoint => "midpoint",
            Self::StaggeredAdjoint => "staggered-adjoint",
            Self::End => "end",
        }
    }

    /// The one that a method states; none for most.
    #[must_use]
    pub fn stated(method: &str) -> Option<Self> {
        match method {
            "dirac-1" => Some(Self::Staggered),
            "midpoint" | "variational-midpoint" => Some(Self::Midpoint),
            _ => None,
        }
    }

    fn of(self, from: &State, to: &State) -> State {
        let middle = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect()
        };
        let (t, q, p) = match self {
            Self::Start => (from.t, from.q.clone(), from.p.clone()),
            Self::Staggered => (from.t, from.q.clone(), to.p.clone()),
            Self::Midpoint => {
                (0.5 * (from.t + to.t), middle(&from.q, &to.q), middle(&from.p, &to.p))
            }
            Self::StaggeredAdjoint => (to.t, to.q.clone(), from.p.clone()),
            Self::End => (to.t, to.q.clone(), to.p.clone()),
        };
        State { t, q, p }
    }
}

/// The largest and the mean of a quantity over the steps of a run.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Size {
    /// The largest.
    pub max: f64,
    /// The mean.
    pub mean: f64,
    /// The power of h in the largest, from runs with h and h/2; `None` where there is none above rounding.
    pub exponent: Option<f64>,
    /// Is the largest no more than rounding leaves?
    pub rounding: bool,
}

/// The defect at one base point.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct AtBasePoint {
    /// Its name.
    pub base_point: &'static str,
    /// All parts in one: √(constraint² + legendre² + (h force)²).
    pub defect: Size,
    /// The distance of the discrete velocity from the admissible ones; `None` without constraints.
    pub constraint: Option<Size>,
    /// The distance of the discrete velocity from that of the base point.
    pub legendre: Size,
    /// The distance of p' − L_q − F from the reactions.
    pub force: Size,
    /// The same of every step, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_step: Option<PerStep>,
}

/// The defects of all steps, in their order.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema, Serialize)]
pub struct PerStep {
    /// All parts in one.
    pub defect: Vec<f64>,
    /// The admissible velocities; empty without constraints.
    pub constraint: Vec<f64>,
    /// The velocity.
    pub legendre: Vec<f64>,
    /// The force.
    pub force: Vec<f64>,
}

/// What a run of one method showed.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct StructureRow {
    /// The method.
    pub method: String,
    /// Its step.
    pub step: f64,
    /// The time asked for.
    pub time: f64,
    /// How it ended.
    pub outcome: &'static str,
    /// The base point that the method states.
    pub stated: Option<&'static str>,
    /// Base points at which all parts are at the level of rounding: there steps belong to the structure.
    pub satisfied_at: Vec<&'static str>,
    /// The largest defect at the stated base point, otherwise at the midpoint.
    pub structure_defect_max: Option<f64>,
    /// The defect at each base point.
    pub base_points: Vec<AtBasePoint>,
    /// Steps that were made.
    pub steps_done: u64,
    /// Where and why it ended before its time.
    pub failure: Option<Failure>,
}

/// What `isotrope geometry MODEL --methods …` says of trajectories.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct StructureReport {
    /// A row for each method.
    pub rows: Vec<StructureRow>,
}

/// Defects of a run so far, at all base points.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    structure: Structure,
    before: Option<State>,
    /// Largest, sums and rounding of the three parts and of the whole.
    most: [[f64; 4]; 5],
    sums: [[f64; 4]; 5],
    rounding: [[f64; 4]; 5],
    /// Steps that have a defect at all base points, and steps.
    counted: u64,
    seen: u64,
    /// The three parts and the whole in every step at all base points, if they are kept.
    steps: Option<[Vec<[f64; 4]>; 5]>,
    scratch: Scratch,
}

impl Watch {
    pub fn new(system: &System) -> Result<Self, StructureError> {
        Ok(Self {
            structure: Structure::new(system)?,
            before: None,
            most: [[0.0; 4]; 5],
            sums: [[0.0; 4]; 5],
            rounding: [[0.0; 4]; 5],
            counted: 0,
            seen: 0,
            steps: None,
            scratch: Scratch::default(),
        })
    }

    /// Keeps the defects of all steps.
    fn keeping(mut self) -> Self {
        self.steps = Some(Default::default());
        self
    }

    /// Examines one step from a state, if there is one.
    pub fn look_at_step(&mut self, compiled: &Compiled, state: &[f64]) {
        let parameters = compiled.stepper.parameters.clone();
        let Ok(mut alone) = Integration::from(compiled, state.to_vec(), parameters) else { return };
        self.before = None;
        self.look(&compiled.stepper, &alone);
        if alone.advance(1).is_ok() {
            self.look(&compiled.stepper, &alone);
        }
    }

    /// Examines a state, one step after the last one.
    pub fn look(&mut self, stepper: &Stepper, integration: &Integration<'_>) {
        let (layout, numbers) = (stepper.layout, integration.state());
        let n = layout.dimension;
        let to = State {
            t: integration.time(),
            q: numbers[..n].to_vec(),
            p: numbers[layout.all_momenta()].to_vec(),
        };
        if let Some(from) = &self.before {
            self.seen += 1;
            // Differences of late times have few digits: steps of one length are taken as they are.
            let even = stepper.pace.is_none();
            let h = if even { stepper.step } else { to.t - from.t };
            let energy = Scales::of(layout, numbers).map_or(0.0, |scales| scales.energy);
            let found = BasePoint::ALL.map(|base| {
                let at = base.of(from, &to);
                let (parameters, scratch) = (&stepper.parameters, &mut self.scratch);
                self.structure.defect((from, &to, h), &at, parameters, scratch)
            });
            self.counted += u64::from(found.iter().all(Option::is_some));
            for (k, defect) in found.into_iter().enumerate() {
                let Some(Defect { parts, rounding }) = defect else { continue };
                // What iterations leave of velocities, too, in the unit of the first parts: roots of energies.
                let moving = rounding[0] / f64::EPSILON / 64.0;
                let left = stepper.tolerance * moving.max(energy.sqrt());
                let rounding =
                    [rounding[0] + left, rounding[1] + left, rounding[2] + left / h.abs()];
                let with_whole =
                    |three: [f64; 3]| [three[0], three[1], three[2], Defect::whole(three, h)];
                if let Some(steps) = &mut self.steps {
                    steps[k].push(with_whole(parts));
                }
                for (at, value) in with_whole(parts).into_iter().enumerate() {
                    self.most[k][at] = self.most[k][at].max(value);
                    self.sums[k][at] += value;
                }
                for (at, value) in with_whole(rounding).into_iter().enumerate() {
                    self.rounding[k][at] = self.rounding[k][at].max(value);
                }
            }
        }
        self.before = Some(to);
    }

    /// The largest whole defect at a base point; `None` if it was not measured in every step.
    pub fn largest(&self, base: BasePoint) -> Option<f64> {
        let at = BasePoint::ALL.iter().position(|other| *other == base)?;
        let all = self.counted > 0 && self.counted == self.seen;
        all.then(|| self.most[at][3]).filter(|value| value.is_finite())
    }

    fn size(&self, base: usize, part: usize, half: Option<&Self>) -> Size {
        let (max, limit) = (self.most[base][part], self.rounding[base][part]);
        let exponent = half.and_then(|half| {
            let (finer, finer_limit) = (half.most[base][part], half.rounding[base][part]);
            let seen = max > limit && finer > finer_limit;
            let log = |x: f64| Function::Log.evaluate(x);
            seen.then(|| log(max / finer) / log(2.0)).filter(|power| power.is_finite())
        });
        let mean = self.sums[base][part] / self.counted.max(1) as f64;
        Size { max, mean, exponent, rounding: max <= limit }
    }

    fn base_points(&self, half: Option<&Self>) -> Vec<AtBasePoint> {
        if self.counted == 0 || self.counted != self.seen {
            return Vec::new();
        }
        let at = |(k, base): (usize, BasePoint)| AtBasePoint {
            base_point: base.name(),
            defect: self.size(k, 3, half),
            constraint: (self.structure.has_constraints()).then(|| self.size(k, 0, half)),
            legendre: self.size(k, 1, half),
            force: self.size(k, 2, half),
            per_step: self.steps.as_ref().map(|steps| {
                let part = |at: usize| steps[k].iter().map(|step| step[at]).collect();
                let constrained = self.structure.has_constraints();
                PerStep {
                    defect: part(3),
                    constraint: if constrained { part(0) } else { Vec::new() },
                    legendre: part(1),
                    force: part(2),
                }
            }),
        };
        BasePoint::ALL.into_iter().enumerate().map(at).collect()
    }
}

/// Runs a method twice, with its step and with half of it, and measures the defects of all steps; with
/// `per_step` those of the first run are kept one by one.
pub fn along_trajectory(
    system: &System,
    field: &Field,
    request: &Request,
    per_step: bool,
    control: &mut dyn FnMut(u64) -> Flow,
) -> Result<Result<StructureRow, PrepareError>, StructureError> {
    let mut watches = Vec::with_capacity(2);
    let mut first = None;
    for halvings in 0..2 {
        let Some(divisor) = Rational::new(1, 1 << halvings) else { continue };
        let step = &request.options.step * &divisor;
        let options = Options { step, ..request.options.clone() };
        let request = Request { options, steps: request.steps << halvings, ..request.clone() };
        let prepared = match prepare(system, field, &request) {
            Ok(prepared) => prepared,
            Err(error) => return Ok(Err(error)),
        };
        let mut watch = Watch::new(system)?;
        if per_step && halvings == 0 {
            watch = watch.keeping();
        }
        let report = follow(&prepared, &request, &mut watch, control);
        let outcome = report.outcome;
        first.get_or_insert((outcome, report.steps_done, report.failure));
        if outcome != Outcome::Completed && halvings > 0 {
            break;
        }
        watches.push(watch);
        if outcome != Outcome::Completed {
            break;
        }
    }
    let (outcome, steps_done, failure) = first.unwrap_or((Outcome::Interrupted, 0, None));
    let method = request.method.name();
    let stated = BasePoint::stated(method);
    let base_points = watches.first().map(|watch| watch.base_points(watches.get(1)));
    let base_points = base_points.unwrap_or_default();
    let whole = |found: &&AtBasePoint| {
        let parts = [Some(found.legendre), Some(found.force), found.constraint];
        parts.into_iter().flatten().all(|part| part.rounding)
    };
    Ok(Ok(StructureRow {
        method: method.to_owned(),
        step: request.options.step.to_f64(),
        time: request.time.to_f64(),
        outcome: outcome.name(),
        stated: stated.map(BasePoint::name),
        satisfied_at: base_points.iter().filter(whole).map(|found| found.base_point).collect(),
        structure_defect_max: watches
            .first()
            .and_then(|watch| watch.largest(stated.unwrap_or(BasePoint::Midpoint))),
        base_points,
        steps_done,
        failure,
    }))
}

fn follow(
    prepared: &Prepared,
    request: &Request,
    watch: &mut Watch,
    control: &mut dyn FnMut(u64) -> Flow,
) -> crate::report::RunReport {
    observe("", prepared, request, 1, &mut |integration| {
        watch.look(&prepared.compiled.stepper, integration);
        control(integration.steps)
    })
}

/// The row of a method that makes no sense for the model.
#[must_use]
pub fn not_applicable(request: &Request, reason: &str) -> StructureRow {
    StructureRow {
        method: request.method.name().to_owned(),
        step: request.options.step.to_f64(),
        time: request.time.to_f64(),
        outcome: Outcome::NotApplicable.name(),
        stated: None,
        satisfied_at: Vec::new(),
        structure_defect_max: None,
        base_points: Vec::new(),
        steps_done: 0,
        failure: Some(Failure { step: 0, t: 0.0, residual: None, reason: reason.to_owned() }),
    }
}
