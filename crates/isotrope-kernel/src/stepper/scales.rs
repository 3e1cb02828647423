//! The sizes of a problem, in its own units.
//!
//! No iteration, error control or verdict compares a number with 1: it compares positions with sizes of
//! positions, velocities with sizes of velocities, energies with the size of the energy. These sizes are
//! measured at the start of a run, for each coordinate by itself, so that they change with the units of
//! length, mass and time, and with the unit of every single coordinate, as the quantities do:
//!
//! * The *time* T is 1/ω with ω = √(|v'|/|q|), of the largest position and acceleration among all coordinates,
//!   weighted by the roots of their masses; |v|/|q| where nothing pushes, |v'|/|v| at the origin; the step where that
//!   is longer or where nothing moves. Without masses the largest ω of all coordinates. Where positions and velocities
//!   are zero it is the time after which the push is no longer what it was: what a power of time makes of it.
//! * A *velocity* has the size max(|v|, T |v'|), and at least a millionth of the one at which its coordinate would
//!   have as much energy as the others, √(max M_jj V_j² / M_ii): a smaller one may be rounding. That is the size of
//!   one that neither moves nor is pushed; without a mass |q|/T, or the largest velocity there is.
//! * A *position* has the size max(|q|, T V). Numbers of rotations have the size 1.
//! * A *state* x' = f(x), or positions and momenta where there are no velocities to begin with, has the size max(|x|, T |f|), with f evaluated a
//!   few steps ahead where both vanish.
//! * *Momenta* and the *energy* have the sizes that they have at the velocities V, or at the start if they are
//!   larger there.

use super::field::{Field, Quantity, Rotation};
use super::layout::{Layout, slot};
use super::programs::StepperError;
use super::scheme::Recorder;
use isotrope_tape::Program;
use isotrope_tape::interpret::{Scratch, step};

/// Looks ahead of a system in state space.
const LOOKS: usize = 8;
/// Looks ahead of a system at rest that is pushed later, in steps.
const LATER: usize = 4096;
/// A velocity has at least this part of the size at which its coordinate has as much energy as the others.
const LEAST_SHARE: f64 = 1e-6;
/// How far ahead second derivatives are looked for, in units of the time that rates tell.
const LOOK: f64 = 1e-3;
/// Times at which a push is looked at, as powers of four: from 10^-60 to 10^60 of every unit.
const PUSHES: std::ops::RangeInclusive<i32> = -100..=100;
/// The push of a coordinate counts if it is at least this part of the largest.
const LEAST_PUSH: f64 = 1e-6;
/// By how much powers of time differ where a push no longer is one.
const BENT: f64 = 0.5;
/// A displacement, in the size of positions, that rounding does not hide.
const TILT: f64 = 1.0 / 1_099_511_627_776.0;
/// A push of this part of what a displacement by the size of positions causes is rounding.
const CANCELLED: f64 = 512.0 * f64::EPSILON;
/// A power of time is a whole number up to this.
const WHOLE: f64 = 1e-2;
/// Halvings of the logarithm of a time.
const HALVINGS: usize = 44;
/// Places between a time and a sixteenth of it.
const PLACES: usize = 64;

/// How the sizes of a problem are measured.
#[derive(Debug, Clone)]
pub struct Scaling {
    /// Writes rates (of velocities, of a state, or of positions and momenta), diagonal of the mass matrix, momenta and energy after
    /// the state.
    probe: Program,
    layout: Layout,
    /// How far looks go where nothing tells.
    step: f64,
    /// Times are not shorter: the step, unless the method chooses it.
    least: f64,
    kind: Kind,
    has_energy: bool,
    rotations: Vec<Rotation>,
}

/// What a motion begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Positions and velocities.
    Motion,
    /// A state x, with x' = f(x).
    State,
    /// Positions and momenta.
    Phase,
}

/// The sizes of a problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Scales {
    /// Of times.
    pub time: f64,
    /// Of positions.
    pub position: Vec<f64>,
    /// Of velocities.
    pub velocity: Vec<f64>,
    /// Of momenta; without meaning where there are no momenta.
    pub momentum: Vec<f64>,
    /// Of the energy.
    pub energy: f64,
}

impl Scales {
    /// The sizes of what a motion begins with: of positions, then of velocities or of momenta.
    #[must_use]
    pub fn moving(self, layout: Layout) -> Vec<f64> {
        let second = if layout.in_momenta { self.momentum } else { self.velocity };
        self.position.into_iter().chain(second).collect()
    }

    /// The sizes that a state has been given; none before its run has begun.
    #[must_use]
    pub fn of(layout: Layout, state: &[f64]) -> Option<Self> {
        let number = |slot: u32| state.get(slot as usize).copied().filter(|x| *x > 0.0);
        Some(Self {
            time: number(layout.time_size())?,
            position: (0..layout.dimension)
                .map(|i| number(layout.position_size(i)))
                .collect::<Option<_>>()?,
            velocity: (0..layout.rates)
                .map(|i| number(layout.velocity_size(i)))
                .collect::<Option<_>>()?,
            momentum: (0..layout.rates)
                .map(|i| number(layout.momentum_size(i)))
                .collect::<Option<_>>()?,
            energy: number(layout.energy_size())?,
        })
    }

    /// Writes the sizes into a state.
    pub fn write(&self, layout: Layout, state: &mut [f64]) {
        let mut put = |slot: u32, number: f64| {
            if let Some(place) = state.get_mut(slot as usize) {
                *place = number;
            }
        };
        for (i, &size) in self.position.iter().enumerate() {
            put(layout.position_size(i), size);
        }
        for (i, &size) in self.velocity.iter().enumerate() {
            put(layout.velocity_size(i), size);
        }
        for (i, &size) in self.momentum.iter().enumerate() {
            put(layout.momentum_size(i), size);
        }
        put(layout.time_size(), self.time);
        put(layout.energy_size(), self.energy);
    }
}

/// What a probe finds; numbers that are not finite count as missing.
struct Look {
    rate: Vec<f64>,
    mass: Vec<f64>,
    momentum: Vec<f64>,
    energy: f64,
}

impl Scaling {
    pub(super) fn new(field: &Field, layout: Layout, step: f64) -> Result<Self, StepperError> {
        let mut recorder = Recorder::new(field, layout, Look::count(layout));
        let here = recorder.here.clone();
        let (kind, rates) = match (field.rate.is_some(), field.is_in_momenta()) {
            (true, _) => (Kind::State, [Quantity::Rate, Quantity::Velocity]),
            (_, true) => (Kind::Phase, [Quantity::Velocity, Quantity::MomentumRate]),
            (..) => (Kind::Motion, [Quantity::Acceleration, Quantity::Velocity]),
        };
        let mut at = layout.size();
        for (quantity, count) in [
            (rates[0], layout.rates),
            (rates[1], layout.rates),
            (Quantity::Mass, layout.rates),
            (Quantity::Momentum, layout.rates),
            (Quantity::Energy, 1),
        ] {
            let values = field.at(&mut recorder.builder, quantity, &here)?;
            for (k, value) in values.into_iter().enumerate().take(count) {
                recorder.builder.store(at + slot(k), value);
            }
            at += slot(count);
        }
        Ok(Self {
            probe: recorder.builder.finish()?,
            layout,
            step: step.abs(),
            least: step.abs(),
            kind,
            has_energy: field.has_energy,
            rotations: field.rotations.clone(),
        })
    }

    /// For a method whose steps have lengths of their own: times may be shorter than what it calls a step.
    pub(super) fn without_steps(self) -> Self {
        Self { least: 0.0, ..self }
    }

    /// Writes the sizes of the problem into a state in which positions, velocities and the time are filled in.
    pub fn fill(&self, state: &mut [f64], parameters: &[f64]) {
        self.measure(state, parameters).write(self.layout, state);
    }

    /// The sizes of the problem that starts at a state.
    #[must_use]
    pub fn measure(&self, state: &[f64], parameters: &[f64]) -> Scales {
        let (n, moving) = (self.layout.dimension, self.layout.moving());
        let first: Vec<f64> = state.iter().copied().take(moving).map(finite).collect();
        let (q, second) = first.split_at(n.min(first.len()));
        let look = self.look(state, parameters);
        let mut scales = match self.kind {
            Kind::State => self.in_state_space(state, parameters, q, &look),
            Kind::Phase => self.in_state_space(state, parameters, &first, &look),
            Kind::Motion => {
                let pushed = look.rate.iter().chain(&first).any(|&x| x != 0.0);
                let rate = match self.tilted(state, parameters, &look) {
                    Some(rate) if pushed => rate,
                    _ if pushed => look.rate.clone(),
                    _ => self.later(state, parameters),
                };
                let told = || self.told(state, parameters);
                self.of_motion(q, second, [&rate, &look.mass], &told)
            }
        };
        // Momenta and energy at the sizes of velocities, or of the state.
        let mut there = state.to_vec();
        let (range, values): (_, Vec<f64>) = match self.kind {
            Kind::Motion => (n..moving, scales.velocity.clone()),
            Kind::State => (0..n, scales.position.clone()),
            Kind::Phase => (n..moving, scales.momentum.clone()),
        };
        if let Some(part) = there.get_mut(range) {
            part.copy_from_slice(&values);
        }
        let there = self.look(&there, parameters);
        scales.energy = look.energy.abs().max(there.energy.abs());
        if self.kind != Kind::Phase {
            let pairs = look.momentum.iter().zip(&there.momentum);
            scales.momentum = pairs.map(|(a, b)| a.abs().max(b.abs())).collect();
            // p = M v + c: where both cancel, as at p = 0, each of them is a size.
            let moving = there.mass.iter().zip(&scales.velocity);
            for (p, (m, v)) in scales.momentum.iter_mut().zip(moving) {
                *p = p.max((m * v).abs());
            }
        }
        let energies = scales.momentum.iter().zip(&scales.velocity).map(|(p, v)| p * v);
        if self.has_energy && scales.energy == 0.0 {
            scales.energy = energies.fold(0.0, f64::max);
        }
        for (p, &v) in scales.momentum.iter_mut().zip(&scales.velocity) {
            *p = positive(*p).or(positive(scales.energy / v)).unwrap_or(1.0);
        }
        scales.energy = positive(scales.energy).unwrap_or(1.0);
        scales
    }

    /// The time of the motion, whatever the step is; `None` where nothing tells one.
    #[must_use]
    pub fn time(&self, state: &[f64], parameters: &[f64]) -> Option<f64> {
        let told = self.told(state, parameters);
        let step = told.unwrap_or(self.step);
        let time = Self { step, least: 0.0, ..self.clone() }.measure(state, parameters).time;
        (told.is_some() || time != step).then_some(time)
    }

    /// Do rates follow from the state?
    pub(crate) fn is_first_order(&self) -> bool {
        self.kind == Kind::State
    }

    fn look(&self, state: &[f64], parameters: &[f64]) -> Look {
        let size = self.layout.size() as usize;
        let mut extended: Vec<f64> = state.iter().copied().take(size).collect();
        extended.resize(size + Look::count(self.layout), 0.0);
        // Whether all of them have values does not matter: those that do are there.
        let program = &self.probe;
        step(program, &mut extended, parameters, &mut Scratch::new(program));
        let mut found = extended.drain(size..).map(finite);
        let rates = self.layout.rates;
        let mut take = |count: usize| found.by_ref().take(count).collect::<Vec<f64>>();
        let mut rate = take(2 * rates);
        if self.kind != Kind::Phase {
            rate.truncate(rates);
        }
        let (mass, momentum) = (take(rates), take(rates));
        Look { rate, mass, momentum, energy: take(1).first().copied().unwrap_or(0.0) }
    }

    /// At rest, where the push is what rounding leaves of forces that cancel: what would push it if it were displaced by
    /// its own size. `None` elsewhere.
    fn tilted(&self, state: &[f64], parameters: &[f64], look: &Look) -> Option<Vec<f64>> {
        let n = self.layout.dimension;
        let (q, rest) = state.split_at_checked(n)?;
        let v = rest.get(..self.layout.rates)?;
        let of_coordinates = self.rotations.is_empty() && q.len() == v.len();
        if !of_coordinates || v.iter().any(|&v| v != 0.0) || look.mass.iter().any(|&m| m <= 0.0) {
            return None;
        }
        let largest = |list: &[f64]| {
            let weighted = list.iter().zip(&look.mass).map(|(x, m)| x.abs() * m.sqrt());
            weighted.filter(|x| x.is_finite()).fold(0.0, f64::max)
        };
        let size = positive(largest(q))?;
        let mut there = state.to_vec();
        for (i, (q, m)) in there.iter_mut().zip(&look.mass).enumerate() {
            // To different sides: a common shift may change nothing.
            let side = if i % 3 == 1 { -1.0 } else { 1.0 };
            *q += side * TILT * size / m.sqrt();
        }
        let displaced = self.look(&there, parameters).rate;
        let change = displaced.iter().zip(&look.rate).map(|(a, b)| (a - b) / TILT);
        let change: Vec<f64> = change.collect();
        (largest(&look.rate) <= CANCELLED * largest(&change)).then_some(change)
    }

    /// What pushes a system at rest later, at its place.
    fn later(&self, state: &[f64], parameters: &[f64]) -> Vec<f64> {
        let start = state;
        let mut state = state.to_vec();
        let time = self.layout.time() as usize;
        let steps = (1..=LATER).map(|k| k as f64 * self.step);
        for later in self.told(start, parameters).into_iter().chain(steps) {
            if let Some(t) = state.get_mut(time) {
                *t = later;
            }
            let rate = self.look(&state, parameters).rate;
            if rate.iter().any(|&a| a != 0.0) {
                return rate;
            }
        }
        vec![0.0; self.look(&state, parameters).rate.len()]
    }

    /// Sizes of positions and velocities.
    fn of_motion(
        &self,
        q: &[f64],
        v: &[f64],
        [a, mass]: [&[f64]; 2],
        told: &dyn Fn() -> Option<f64>,
    ) -> Scales {
        let on_group = !self.rotations.is_empty() || q.len() != v.len();
        // On a group the numbers of a configuration are not coordinates of velocities.
        let place = |i: usize| if on_group { 0.0 } else { q[i].abs() };
        // Coordinates times the roots of their masses have one unit: one that starts at zero has the time of the
        // others.
        let mut fastest = if !on_group && mass.iter().all(|&m| m > 0.0) {
            let largest = |list: &[f64]| {
                let weighted = list.iter().zip(mass).map(|(x, m)| x.abs() * m.sqrt());
                weighted.filter(|x| x.is_finite()).fold(0.0, f64::max)
            };
            rate(largest(q), largest(v), largest(a))
        } else {
            let rates = (0..v.len()).map(|i| rate(place(i), v[i].abs(), a[i].abs()));
            rates.fold(0.0, f64::max)
        };
        if on_group {
            for rotation in &self.rotations {
                let turning = rotation.rate..rotation.rate + rotation.size().1;
                let rates = turning.flat_map(|i| [v[i].abs(), a[i].abs().sqrt()]);
                fastest = rates.fold(fastest, f64::max);
            }
        }
        let time = self.duration(fastest, told);
        let mut velocity: Vec<f64> =
            v.iter().zip(a).map(|(v, a)| v.abs().max(time * a.abs())).collect();
        let energies = velocity.iter().zip(mass).map(|(v, m)| m.abs() * v * v);
        let energy = energies.filter(|x| x.is_finite()).fold(0.0, f64::max);
        for (i, size) in velocity.iter_mut().enumerate() {
            let shared = (energy / mass[i].abs()).sqrt();
            let shared = positive(shared).or(positive(place(i) / time)).unwrap_or(0.0);
            // What is much smaller may be rounding.
            *size = if *size == 0.0 { shared } else { size.max(LEAST_SHARE * shared) };
        }
        let largest = velocity.iter().copied().fold(0.0, f64::max);
        for size in velocity.iter_mut().filter(|size| **size == 0.0) {
            *size = positive(largest).unwrap_or(1.0 / time);
        }
        let position = if on_group {
            self.of_configuration(q, &velocity, time)
        } else {
            q.iter().zip(&velocity).map(|(q, v)| q.abs().max(time * v)).collect()
        };
        Scales { time, position, velocity, momentum: Vec::new(), energy: 0.0 }
    }

    /// Rotations have the size 1, translations what the fastest of them reaches.
    fn of_configuration(&self, q: &[f64], velocity: &[f64], time: f64) -> Vec<f64> {
        let turning = |k: usize| {
            let rotation = |it: &&Rotation| (it.first..it.first + it.count).contains(&k);
            self.rotations.iter().find(rotation).is_some()
        };
        let rates: Vec<f64> = velocity
            .iter()
            .enumerate()
            .filter(|(i, _)| {
                let spins = |it: &Rotation| (it.rate..it.rate + it.size().1).contains(i);
                !self.rotations.iter().any(spins)
            })
            .map(|(_, &v)| v)
            .collect();
        let fastest = rates.into_iter().fold(0.0, f64::max);
        let size = |(k, q): (usize, &f64)| {
            if turning(k) { 1.0 } else { positive(q.abs().max(time * fastest)).unwrap_or(1.0) }
        };
        q.iter().enumerate().map(size).collect()
    }

    /// Sizes of a state and of its rates.
    fn in_state_space(&self, state: &[f64], parameters: &[f64], x: &[f64], look: &Look) -> Scales {
        let fastest = self.fastest(state, parameters, x, &look.rate);
        let time = self.duration(fastest, &|| self.told(state, parameters));
        let mut sizes: Vec<f64> =
            x.iter().zip(&look.rate).map(|(x, f)| x.abs().max(time * f.abs())).collect();
        let (mut ahead, mut rate) = (state.to_vec(), look.rate.clone());
        for _ in 0..LOOKS {
            if sizes.iter().all(|&size| size > 0.0) {
                break;
            }
            ahead = self.ahead(&ahead, &rate, self.step);
            rate = self.look(&ahead, parameters).rate;
            for (size, f) in sizes.iter_mut().zip(&rate).filter(|(size, _)| **size == 0.0) {
                *size = time * f.abs();
            }
        }
        if sizes.iter().all(|&size| size == 0.0) {
            let rate = self.later(state, parameters);
            sizes = rate.iter().map(|f| time * f.abs()).collect();
        }
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        for size in sizes.iter_mut().filter(|size| **size == 0.0) {
            *size = positive(largest).unwrap_or(1.0);
        }
        let momentum = sizes.split_off(self.layout.dimension.min(sizes.len()));
        let rates = sizes.iter().zip(&look.rate);
        let velocity = rates.map(|(size, f)| f.abs().max(size / time)).collect();
        Scales { time, position: sizes, velocity, momentum, energy: 0.0 }
    }

    /// The largest of |x'|/|x| and √(|x''|/|x|), with second derivatives from a look ahead.
    fn fastest(&self, state: &[f64], parameters: &[f64], x: &[f64], rate: &[f64]) -> f64 {
        let first = x.iter().zip(rate).map(|(x, f)| (f / x).abs()).filter(|x| x.is_finite());
        let mut fastest = first.fold(0.0_f64, f64::max);
        if fastest == 0.0
            && let Some(time) = self.told(state, parameters)
        {
            // Second derivatives may vanish, too: x'' of a momentum's third power does at rest.
            return 1.0 / time;
        }
        // A small part of the time that rates alone tell. Not longer than a step: rates that are rounding tell nothing.
        let far = positive(LOOK / fastest).unwrap_or(self.step).min(self.step);
        let ahead = self.look(&self.ahead(state, rate, far), parameters).rate;
        for ((x, f), next) in x.iter().zip(rate).zip(&ahead) {
            let (x, f, second) = (x.abs(), f.abs(), ((next - f) / far).abs());
            let rates = [f / x, (second / x).sqrt()];
            fastest = rates.into_iter().filter(|x| x.is_finite()).fold(fastest, f64::max);
        }
        fastest
    }

    /// A state after a step of Euler's method.
    fn ahead(&self, state: &[f64], rate: &[f64], step: f64) -> Vec<f64> {
        let mut ahead = state.to_vec();
        ahead.iter_mut().zip(rate).for_each(|(x, f)| *x += step * f);
        if let Some(t) = ahead.get_mut(self.layout.time() as usize) {
            *t += step;
        }
        ahead
    }

    /// 1/ω, not shorter than a step.
    fn duration(&self, fastest: f64, told: &dyn Fn() -> Option<f64>) -> f64 {
        positive(1.0 / fastest).or_else(told).unwrap_or(self.step).max(self.least)
    }

    /// The time after which a push is no longer what a power of time makes of it: it may begin at zero, as sin(ωt) does.
    fn told(&self, state: &[f64], parameters: &[f64]) -> Option<f64> {
        let start = self.look(state, parameters);
        let n = self.layout.dimension;
        let push = |time: f64| -> Vec<f64> {
            let mut there = match self.kind {
                Kind::Motion => state.to_vec(),
                // By the rate in the middle: along the first rate alone a product of momenta never pushes back.
                Kind::State | Kind::Phase => {
                    let middle = self.ahead(state, &start.rate, time / 2.0);
                    let rate = self.look(&middle, parameters).rate;
                    self.ahead(state, &rate, time)
                }
            };
            if self.kind == Kind::Motion {
                // On a group positions are not sums of velocities.
                let turns = !self.rotations.is_empty();
                for (i, a) in start.rate.iter().enumerate() {
                    let v = state.get(n + i).copied().unwrap_or(0.0);
                    if let Some(q) = there.get_mut(i).filter(|_| !turns) {
                        *q += time * (v + time * a / 2.0);
                    }
                    if let Some(v) = there.get_mut(n + i) {
                        *v += time * a;
                    }
                }
                if let Some(t) = there.get_mut(self.layout.time() as usize) {
                    *t += time;
                }
            }
            let look = self.look(&there, parameters);
            match self.kind {
                Kind::Motion => {
                    let weighted = look.rate.iter().zip(&look.mass);
                    weighted.map(|(a, m)| a.abs() * positive(*m).unwrap_or(1.0).sqrt()).collect()
                }
                Kind::State | Kind::Phase => look.rate.iter().map(|f| f.abs()).collect(),
            }
        };
        // The power of time that each push goes with, from a time to its double.
        let powers = |time: f64| -> Vec<Option<f64>> {
            let (one, two) = (push(time), push(2.0 * time));
            let largest = match self.kind {
                Kind::Motion => one.iter().copied().fold(0.0, f64::max),
                Kind::State | Kind::Phase => 0.0,
            };
            let counts = |x: f64| x.is_normal() && x >= LEAST_PUSH * largest;
            let pairs = one.iter().zip(&two);
            pairs.map(|(&x, &y)| counts(x).then(|| finite((y / x).log2()))).collect()
        };
        let mut known: Vec<Option<f64>> = vec![None; start.rate.len()];
        let mut before = known.clone();
        let bent = |known: &[Option<f64>], found: &[Option<f64>]| {
            let pairs = known.iter().zip(found);
            pairs.filter_map(|(a, b)| a.zip(*b)).any(|(a, b)| (a - b).abs() > BENT)
        };
        for exponent in PUSHES {
            let time = 4f64.powi(exponent);
            let found = powers(time);
            if bent(&known, &found) {
                // The first time at which it bends, wherever the powers of four lie.
                let places =
                    (0..=PLACES).map(|k| time / 16.0 * (4.0 * k as f64 / PLACES as f64).exp2());
                let places: Vec<f64> = places.collect();
                let first = places.iter().position(|&time| bent(&known, &powers(time)));
                let first = first.unwrap_or(PLACES).max(1);
                let (mut low, mut high) = (places[first - 1], places[first]);
                for _ in 0..HALVINGS {
                    let middle = (low * high).sqrt();
                    let side = if bent(&known, &powers(middle)) { &mut high } else { &mut low };
                    *side = middle;
                }
                return Some(high);
            }
            // A power is known where two looks show it: next to the smallest numbers there are, one may be anything.
            for ((known, before), found) in known.iter_mut().zip(&mut before).zip(found) {
                let whole = found.filter(|power| (power - power.round()).abs() <= WHOLE);
                let whole = whole.map(f64::round);
                *known = if whole.is_some() && whole == *before { whole } else { *known };
                *before = whole;
            }
        }
        None
    }
}

impl Look {
    fn count(layout: Layout) -> usize {
        4 * layout.rates + 1
    }
}

/// The rate √(a/q) of a motion; v/q where nothing pushes, a/v at the origin.
fn rate(q: f64, v: f64, a: f64) -> f64 {
    let rates = [(a / q).sqrt(), v / q, a / v];
    rates.into_iter().find_map(positive).unwrap_or(0.0)
}

fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { 0.0 }
}

/// A size that can be divided by.
fn positive(x: f64) -> Option<f64> {
    (x.is_normal() && x > 0.0).then_some(x)
}
