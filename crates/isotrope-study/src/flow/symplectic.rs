//! Is a step symplectic? dΦᵀ J dΦ = J on the tangent vectors of the constraints.

use isotrope_algebra::Rational;
use isotrope_kernel::integrate::{Compiled, Integration, Order, Variations};
use isotrope_kernel::math::evaluate;
use isotrope_kernel::tape::Function;
use serde::Serialize;

use super::monodromy::{columns, form};
use super::{FlowError, Setting, begin};

/// What one step does to dq∧dp.
#[derive(Debug, Clone, Serialize)]
pub struct Symplectic {
    /// `symplectic`, `not-symplectic` or `not-applicable`.
    pub verdict: &'static str,
    /// Why it does not apply.
    pub reason: Option<String>,
    /// The largest entry of dΦᵀ J dΦ − J over the steps that were looked at, on orthonormal tangent
    /// vectors (δq, δv).
    pub defect_max: Option<f64>,
    /// The time of the step that has it.
    pub defect_time: Option<f64>,
    /// What rounding may leave there.
    pub rounding: Option<f64>,
    /// Steps that were looked at.
    pub looked_at: u64,
    /// Steps and the largest defects that they have at some states of the run: a defect of a method
    /// grows with the step, rounding does not.
    pub ladder: Vec<[f64; 2]>,
    /// The power of h in the defect, from two steps of the ladder.
    pub power: Option<f64>,
}

/// Steps of a run that are looked at, at most.
const LOOKS: u64 = 512;
/// States at which other steps are tried.
const STATES: usize = 8;
/// Other steps: the step times these.
const FACTORS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];
/// Rounding of a defect, relative to the terms of the form.
const ROUNDING: f64 = 2e-13;

impl Symplectic {
    pub(super) fn unknown() -> Self {
        Self {
            verdict: "not-applicable",
            reason: Some("the run did not arrive".to_owned()),
            defect_max: None,
            defect_time: None,
            rounding: None,
            looked_at: 0,
            ladder: Vec::new(),
            power: None,
        }
    }
}

/// A defect, and the size of the terms of which it is the rest.
#[derive(Debug, Clone, Copy)]
struct Defect {
    value: f64,
    size: f64,
}

/// The defect of the step from a state.
fn defect(compiled: &Compiled, variations: &Variations, state: &[f64]) -> Option<Defect> {
    let stepper = &compiled.stepper;
    let (layout, parameters) = (stepper.layout, &stepper.parameters);
    let tangents = variations.admissible(state, parameters)?;
    let mut tangent = begin(variations, state, parameters, &tangents).ok()?;
    let before = columns(&tangent, layout);
    tangent.advance(1).ok()?;
    let after = columns(&tangent, layout);
    let n = layout.dimension;
    let value = form(&after, n).plus(-1.0, &form(&before, n)).size();
    let half = |list: &[Vec<f64>], p: bool| {
        let parts = list.iter().map(|c| super::matrix::norm(if p { &c[n..] } else { &c[..n] }));
        parts.fold(0.0, f64::max)
    };
    let size =
        (half(&after, false) * half(&after, true)).max(half(&before, false) * half(&before, true));
    value.is_finite().then_some(Defect { value, size: size.max(f64::MIN_POSITIVE) })
}

/// Looks at steps of the run and, at some of its states, at other steps.
pub(super) fn check(
    setting: &Setting<'_>,
    compiled: &Compiled,
    variations: &Variations,
    initial: &[f64],
) -> Result<Symplectic, FlowError> {
    let unknown = Symplectic::unknown();
    if let Some(reason) = setting.without_form(compiled) {
        return Ok(Symplectic { reason: Some(reason.to_owned()), ..unknown });
    }
    let steps = setting.request.steps;
    let stride = steps.div_ceil(LOOKS).max(1);
    let parameters = compiled.stepper.parameters.clone();
    let mut integration = Integration::from(compiled, initial.to_vec(), parameters)
        .map_err(|_| FlowError::NoStart)?;
    let (mut worst, mut rounding, mut at, mut looked) = (0.0, 0.0, 0.0, 0);
    let mut states = Vec::new();
    let keep = (steps / stride).div_ceil(STATES as u64).max(1);
    while integration.steps < steps {
        if let Some(found) = defect(compiled, variations, integration.state()) {
            if looked % keep == 0 && states.len() < STATES {
                states.push(integration.state().to_vec());
            }
            looked += 1;
            rounding = f64::max(rounding, ROUNDING * found.size);
            if found.value > worst {
                (worst, at) = (found.value, integration.time());
            }
        }
        if integration.advance(stride.min(steps - integration.steps)).is_err() {
            break;
        }
    }
    let log = |x: f64| evaluate(Function::Log, x);
    let (mut ladder, mut beyond) = (Vec::new(), worst > rounding);
    let mut above = Vec::new();
    for factor in FACTORS {
        let Some(factor) = Rational::from_f64(factor) else { continue };
        let step = &setting.request.options.step * &factor;
        let other = setting.with_step(&step)?;
        let stepper = &other.compiled.stepper;
        let count = 2 * stepper.layout.dimension;
        let variations =
            Variations::new(&other.compiled, Order::First, count, &[], setting.request.backend)?;
        let found: Vec<Defect> =
            states.iter().filter_map(|state| defect(&other.compiled, &variations, state)).collect();
        // A step that does not exist everywhere says nothing.
        if found.len() < states.len() || found.is_empty() {
            continue;
        }
        let most = found.iter().fold(0.0, |m, d| f64::max(m, d.value));
        let limit = found.iter().fold(0.0, |m, d| f64::max(m, ROUNDING * d.size));
        beyond |= most > limit;
        ladder.push([step.to_f64(), most]);
        // A slope needs more than a start above rounding.
        if most > 30.0 * limit {
            above.push([step.to_f64(), most]);
        }
    }
    let power = above
        .windows(2)
        .next()
        .map(|pair| log(pair[1][1] / pair[0][1]) / log(pair[1][0] / pair[0][0]));
    Ok(Symplectic {
        verdict: if beyond { "not-symplectic" } else { "symplectic" },
        reason: None,
        defect_max: Some(worst),
        defect_time: Some(at),
        rounding: Some(rounding),
        looked_at: looked,
        ladder,
        power,
    })
}
