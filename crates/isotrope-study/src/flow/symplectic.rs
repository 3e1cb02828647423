//! Is a step symplectic, dΦᵀ J dΦ = J on the tangent vectors of the constraints, or a Poisson map?

use isotrope_algebra::Rational;
use isotrope_kernel::integrate::{Compiled, Integration, Order, Variations};
use isotrope_tape::Function;
use isotrope_tape::backend::Backend;
use schemars::JsonSchema;
use serde::Serialize;

use super::poisson::BracketDefect;
use super::{FlowError, Setting, advance, begin, bracket_defect};
use crate::canonical::{columns, form, terms};
use crate::run::Request;

/// What steps are asked to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    /// dq∧dp.
    Form,
    /// The bracket of a system in state space.
    Bracket,
}

impl Structure {
    fn verdict(self, kept: bool) -> &'static str {
        match (self, kept) {
            (Self::Form, true) => "symplectic",
            (Self::Form, false) => "not-symplectic",
            (Self::Bracket, true) => "poisson",
            (Self::Bracket, false) => "not-poisson",
        }
    }
}

/// What one step does to dq∧dp, or to a bracket.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Symplectic {
    /// `symplectic`, `not-symplectic` or `not-applicable`; of a bracket `poisson` or `not-poisson`.
    pub verdict: &'static str,
    /// Why it does not apply.
    pub reason: Option<String>,
    /// The largest entry of dΦᵀ J dΦ − J over the steps that were examined, on tangent vectors (δq, δv) that
    /// are orthonormal in units of the sizes of the problem: an action; of a bracket that of dΦ D dΦᵀ − D∘Φ, in
    /// units of the sizes of the state.
    pub defect_max: Option<f64>,
    /// The time of the step that has it.
    pub defect_time: Option<f64>,
    /// What rounding may leave there.
    pub rounding: Option<f64>,
    /// Steps that were examined.
    pub looked_at: u64,
    /// Steps and the largest defects that they have at some states of the run: a defect of a method
    /// grows with the step, rounding does not. Where none is seen the steps grow until they are as long
    /// as the motion allows, or until there are none.
    pub ladder: Vec<[f64; 2]>,
    /// The power of h in the defect, from two steps of the ladder.
    pub power: Option<f64>,
}

/// The most steps of a run that are examined.
const LOOKS: u64 = 512;
/// Steps that are examined however many directions there are, if the run has as many.
const FEWEST_LOOKS: u64 = 8;
/// Products of numbers that all looks together may take: a look holds all pairs of directions against each other.
const PRODUCTS: u64 = 100_000_000;
/// States at which other steps are tried.
const STATES: usize = 8;
/// Other steps that are always tried: the step times these.
const FACTORS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];
/// Larger ones than these, at most. They are tried while the defect is not seen: that of a small step
/// may be below rounding, whatever the method.
const CLIMB: usize = 24;
/// The longest of them, in units of the time in which neighbouring motions turn or part.
const LONGEST: f64 = 2.0;
/// Defects of which an order can be read, relative to rounding.
const CLEAR: f64 = 30.0;
/// The power of h that a defect has at least, between two steps of the ladder.
const LEAST_POWER: f64 = 1.0;
/// The same for defects that are not clear, among three steps, and how far above those of the smallest
/// steps they begin.
const STEADY_POWER: f64 = 2.5;
const RISEN: f64 = 10.0;
/// How far beside a trajectory brackets are evaluated, relative to the state.
const BESIDE: f64 = 0.125;
/// Rounding of a defect, relative to the terms of the form.
const ROUNDING: f64 = 2e-13;

impl Symplectic {
    /// Do steps keep the structure?
    #[must_use]
    pub fn is_kept(&self) -> bool {
        matches!(self.verdict, "symplectic" | "poisson")
    }

    pub(super) fn not_asked_for() -> Self {
        let reason = "not looked at beside other questions: there are many directions, and \
                      --check symplectic holds all pairs of them against each other";
        Self { reason: Some(reason.to_owned()), ..Self::unknown() }
    }

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
    /// The largest entry of the bracket before and after the step; 1 for a form.
    strength: f64,
    /// How much the step turns or parts neighbouring motions: √Σ |Aᵢⱼ Aⱼᵢ|, A = dΦ − 1 in (q, v), which
    /// units do not change.
    turn: f64,
}

/// A step of the ladder.
#[derive(Debug, Clone, Copy)]
struct Rung {
    step: f64,
    defect: f64,
    limit: f64,
}

impl Rung {
    fn is_clear(&self) -> bool {
        self.defect > CLEAR * self.limit
    }

    /// The power of h between two steps.
    fn power(&self, next: &Self) -> f64 {
        let log = |x: f64| Function::Log.evaluate(x);
        log(next.defect / self.defect) / log(next.step / self.step)
    }
}

/// The defect of the step from a state.
fn defect(
    setting: &Setting<'_>,
    compiled: &Compiled,
    variations: &Variations,
    state: &[f64],
) -> Option<Defect> {
    let stepper = &compiled.stepper;
    if stepper.bracket.is_some() {
        let found = bracket_defect(compiled, variations, state)?;
        let BracketDefect { value, size, turn, strength } = found;
        return Some(Defect { value, size, turn, strength });
    }
    let parameters = &stepper.parameters;
    let tangents = setting.tangents(variations, state, parameters)?;
    let mut tangent = begin(variations, state, parameters, &tangents).ok()?;
    let before = columns(&tangent, stepper);
    let first = form(&before, stepper, tangent.state());
    let size = terms(&before, stepper, tangent.state());
    tangent.advance(1).ok()?;
    let after = columns(&tangent, stepper);
    let value = form(&after, stepper, tangent.state()).plus(-1.0, &first).size();
    let size = terms(&after, stepper, tangent.state()).max(size);
    let mut turn = 0.0;
    // Tangent vectors are orthonormal in units of the sizes of the problem.
    let sizes = variations.sizes(state, parameters);
    let images: Vec<Vec<f64>> = (0..tangents.len())
        .map(|j| {
            let scaled = sizes.iter().enumerate();
            scaled.map(|(k, size)| tangent.change(k as u32, j) / size).collect()
        })
        .collect();
    let entry = |i: usize, j: usize| {
        let pairs = tangents[i].iter().zip(&sizes).zip(&images[j]);
        pairs.map(|((x, size), image)| x / size * image).sum::<f64>() - f64::from(i == j)
    };
    let entries: Vec<Vec<f64>> =
        (0..tangents.len()).map(|i| (0..tangents.len()).map(|j| entry(i, j)).collect()).collect();
    for (i, row) in entries.iter().enumerate() {
        turn += (0..tangents.len()).map(|j| (row[j] * entries[j][i]).abs()).sum::<f64>();
    }
    let size = size.max(f64::MIN_POSITIVE);
    value.is_finite().then_some(Defect { value, size, turn: turn.sqrt(), strength: 1.0 })
}

/// What another step does at these states; `None` if it does not exist everywhere: then it says
/// nothing.
fn rung(
    setting: &Setting<'_>,
    states: &[Vec<f64>],
    factor: f64,
) -> Result<Option<Rung>, FlowError> {
    let Some(factor) = Rational::from_f64(factor) else { return Ok(None) };
    let step = &setting.request.options.step * &factor;
    // A few steps: not worth machine code.
    let backend = Backend::Interpreter;
    let request = Request { backend, ..setting.request.clone() };
    let other = Setting { request: &request, ..*setting }.with_step(&step)?;
    let count = 2 * other.compiled.stepper.layout.dimension;
    let variations = Variations::new(&other.compiled, Order::First, count, &[], backend)?;
    let (mut most, mut limit): (f64, f64) = (0.0, 0.0);
    for state in states {
        let Some(found) = defect(setting, &other.compiled, &variations, state) else {
            return Ok(None);
        };
        (most, limit) = (most.max(found.value), limit.max(ROUNDING * found.size));
    }
    let step = step.to_f64();
    Ok((!states.is_empty()).then_some(Rung { step, defect: most, limit }))
}

/// Half, once, twice and four times the step and, while no defect is seen, larger ones: until it is,
/// until there is no such step, or until the step is as long as the motion allows.
fn climb(setting: &Setting<'_>, states: &[Vec<f64>], turn: f64) -> Result<Vec<Rung>, FlowError> {
    let mut ladder = Vec::new();
    for factor in FACTORS {
        ladder.extend(rung(setting, states, factor)?);
    }
    let mut factor = FACTORS.last().copied().unwrap_or(1.0);
    for _ in 0..CLIMB {
        if order(&ladder).is_some() {
            break;
        }
        // In large strides first: orders are read near the end.
        factor *= if factor * turn < LONGEST / 64.0 { 4.0 } else { 2.0 };
        if factor * turn > LONGEST {
            break;
        }
        let Some(next) = rung(setting, states, factor)? else { break };
        ladder.push(next);
    }
    Ok(ladder)
}

/// The order of the defect, from the first steps that show it: two clearly above rounding, or three with
/// one power. (The terms of the form may differ in size by units; then rounding is less than thought.)
fn order(ladder: &[Rung]) -> Option<f64> {
    let clear = |pair: &&[Rung]| pair.iter().all(Rung::is_clear);
    let mut powers = ladder.windows(2).filter(clear).map(|pair| pair[0].power(&pair[1]));
    if let Some(power) = powers.find(|&power| power >= LEAST_POWER) {
        return Some(power);
    }
    let share = |rung: &Rung| rung.defect / rung.limit;
    let floor = ladder.iter().take(2).map(share).fold(f64::EPSILON / ROUNDING, f64::max);
    ladder.windows(3).find_map(|three| {
        let [low, middle, high] = three else { return None };
        let (first, second) = (low.power(middle), middle.power(high));
        let rises = share(low) > RISEN * floor && share(middle) > share(low);
        let steady = first.min(second) >= STEADY_POWER && (first - second).abs() < 1.0;
        (rises && share(high) > share(middle) && steady).then_some(first)
    })
}

/// States beside one: all coordinates larger, or all smaller, by fractions of their own size, and where one is zero
/// of the size that it has in the problem.
fn displaced(state: &[f64], sizes: &[f64]) -> [Vec<f64>; 2] {
    [BESIDE, -BESIDE].map(|fraction| {
        let mut other = state.to_vec();
        for (k, (x, &size)) in other.iter_mut().zip(sizes).enumerate() {
            // Not all by the same factor: a bracket may be homogeneous.
            let fraction = fraction / (1.0 + k as f64);
            *x += fraction * if *x == 0.0 { size } else { *x };
        }
        other
    })
}

/// How many steps of a run are examined: fewer where there are many directions.
fn looks(compiled: &Compiled) -> u64 {
    let moving = compiled.stepper.layout.moving() as u64;
    let each = moving.saturating_pow(3).max(1);
    (PRODUCTS / each).clamp(FEWEST_LOOKS, LOOKS)
}

/// Are there so many directions that not all steps are examined that would be?
pub(super) fn takes_long(compiled: &Compiled) -> bool {
    looks(compiled) < LOOKS
}

/// Examines steps of the run and, at some of its states, at other steps.
pub(super) fn check(
    setting: &Setting<'_>,
    compiled: &Compiled,
    variations: &Variations,
    initial: &[f64],
    structure: Structure,
) -> Result<Symplectic, FlowError> {
    let unknown = Symplectic::unknown();
    let missing = match structure {
        Structure::Form => setting.without_form(compiled),
        Structure::Bracket => setting.without_map(compiled),
    };
    if let Some(reason) = missing {
        return Ok(Symplectic { reason: Some(reason.to_owned()), ..unknown });
    }
    let steps = setting.request.steps;
    let stride = steps.div_ceil(looks(compiled)).max(1);
    let parameters = compiled.stepper.parameters.clone();
    let mut integration = Integration::from(compiled, initial.to_vec(), parameters)
        .map_err(|_| FlowError::NoStart)?;
    let (mut worst, mut rounding, mut at, mut looked, mut turn) = (0.0, 0.0, 0.0, 0, 0.0);
    let mut states = Vec::new();
    let mut strength: f64 = 0.0;
    let keep = (steps / stride).div_ceil(STATES as u64).max(1);
    while integration.steps < steps {
        if let Some(found) = defect(setting, compiled, variations, integration.state()) {
            if looked % keep == 0 && states.len() < STATES {
                states.push(integration.state().to_vec());
            }
            looked += 1;
            strength = strength.max(found.strength);
            rounding = f64::max(rounding, ROUNDING * found.size);
            turn = f64::max(turn, found.turn);
            if found.value > worst {
                (worst, at) = (found.value, integration.time());
            }
        }
        let ask = stride.min(steps - integration.steps);
        if advance(&mut integration, ask).is_none() {
            break;
        }
    }
    // The largest defect beside the trajectory, and what rounding may leave there.
    let mut aside: (f64, f64) = (0.0, 0.0);
    if structure == Structure::Bracket {
        // A Poisson map is one on all leaves, and a trajectory stays on one, perhaps where the bracket
        // vanishes: states beside it are examined as well.
        let mut beside = Vec::new();
        let n = compiled.stepper.layout.dimension;
        let sizes = variations.sizes(initial, &compiled.stepper.parameters);
        let sizes = sizes.get(..n).unwrap_or_default();
        for state in states.iter().flat_map(|state| displaced(state, sizes)) {
            let Some(found) = defect(setting, compiled, variations, &state) else { continue };
            aside = (aside.0.max(found.value), aside.1.max(ROUNDING * found.size));
            turn = f64::max(turn, found.turn);
            beside.push((found.strength, state));
        }
        if strength == 0.0 {
            (worst, rounding) = aside;
            beside.retain(|(strength, _)| *strength > 0.0);
            beside.truncate(STATES);
            states = beside.into_iter().map(|(_, state)| state).collect();
            if states.is_empty() {
                let reason = "the bracket vanishes at all states that were examined, where every map keeps it: \
                              start elsewhere";
                return Ok(Symplectic {
                    reason: Some(reason.to_owned()),
                    looked_at: looked,
                    ..unknown
                });
            }
        }
    }
    let ladder = climb(setting, &states, turn)?;
    let power = order(&ladder);
    // Rounding of steps that are much larger is not that of the run: there a power is asked for.
    let mut near = ladder.iter().take(FACTORS.len());
    let beyond = worst > rounding
        || aside.0 > aside.1
        || power.is_some()
        || near.any(|r| r.defect > r.limit);
    Ok(Symplectic {
        verdict: structure.verdict(!beyond),
        reason: None,
        defect_max: Some(worst),
        defect_time: Some(at),
        rounding: Some(rounding),
        looked_at: looked,
        ladder: ladder.iter().map(|rung| [rung.step, rung.defect]).collect(),
        power,
    })
}
