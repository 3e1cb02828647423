//! One initial value, stepped through time.

use isotrope_algebra::Stop;

use super::adaptive::{Adaptive, Effort, Memory, Missed};
use super::compiled::Compiled;
use super::consistency::Residuals;
use super::dependent::{Dependence, Independence};
use super::newton::{Limits, Solved, Workspace};
use super::outcome::{Failure, Outcome};
use super::promise::Promises;
use super::sizes;
use super::switching::Switching;
use crate::stepper::{Layout, Measured, Scales, Stepper};
use isotrope_tape::backend::Machine;
use isotrope_tape::interpret::{End, Scratch};

/// One initial value on its way.
#[derive(Debug)]
pub struct Integration<'c> {
    compiled: &'c Compiled,
    state: Vec<f64>,
    parameters: Vec<f64>,
    /// Steps made.
    pub steps: u64,
    /// Rounds of all iterations.
    pub rounds: u64,
    /// Steps that needed Newton's method instead of the fixed-point iteration.
    pub newton_steps: u64,
    /// What adaptive steps took.
    pub effort: Effort,
    ladder: Ladder,
    scratch: Scratch,
    workspace: Workspace,
    /// The state with the numbers of an adaptive step in progress.
    extended: Vec<f64>,
    /// The times at which adaptive steps end.
    switching: Option<Switching<'c>>,
    residuals: Residuals,
    promises: Promises,
    /// Looks at the rank of A, if that was asked for.
    independence: Option<Independence<'c>>,
}

/// Where an integration was, to make steps again.
struct Mark {
    state: Vec<f64>,
    steps: u64,
    rounds: u64,
    newton_steps: u64,
    effort: Effort,
    ladder: Ladder,
}

/// Which program makes the next steps: the fast one, or Newton's method for a while after the
/// fast one has failed. The longer it keeps failing, the longer it is left alone.
#[derive(Debug, Clone, Copy)]
struct Ladder {
    /// Steps that Newton's method still makes.
    resting: u64,
    /// How many it will make after the next failure.
    patience: u64,
    /// Steps of the fast program since its last failure.
    streak: u64,
}

/// The most steps by Newton's method before the fast program is tried again.
const LONGEST_REST: u64 = 1024;
/// States so much larger than the sizes of the problem are on their way to infinity.
const HUGE: f64 = 1e60;
/// Adaptive steps in a row of output, roughly.
const OWN_STEPS: u64 = 64;

impl<'c> Integration<'c> {
    /// From the initial values of the model.
    pub fn new(compiled: &'c Compiled) -> Result<Self, Failure> {
        let stepper = &compiled.stepper;
        Self::from(compiled, stepper.initial.clone(), stepper.parameters.clone())
    }

    /// From other initial values: a state in which q, v and t are filled in.
    pub fn from(
        compiled: &'c Compiled,
        mut state: Vec<f64>,
        parameters: Vec<f64>,
    ) -> Result<Self, Failure> {
        compiled.stepper.scaling.fill(&mut state, &parameters);
        Self::begun(compiled, state, parameters)
    }

    /// The same in units of given sizes: near an equilibrium, a state alone does not tell them.
    pub fn within(
        compiled: &'c Compiled,
        mut state: Vec<f64>,
        parameters: Vec<f64>,
        scales: &Scales,
    ) -> Result<Self, Failure> {
        scales.write(compiled.stepper.layout, &mut state);
        Self::begun(compiled, state, parameters)
    }

    /// From a state that an integration left behind: nothing is begun anew, and promises are not watched.
    #[must_use]
    pub fn onward(compiled: &'c Compiled, state: Vec<f64>, parameters: Vec<f64>) -> Self {
        let count = compiled.stepper.layout.count();
        let mut integration = Self::made(compiled, state, parameters);
        // A count that is none, infinite for one, does not matter: its state has no step.
        integration.steps = integration.number(count).clamp(0.0, 1e15) as u64;
        integration
    }

    fn made(compiled: &'c Compiled, state: Vec<f64>, parameters: Vec<f64>) -> Self {
        let adaptive = compiled.stepper.adaptive.as_ref();
        let switches = adaptive.map(|programs| &programs.switches).filter(|it| !it.is_empty());
        let switching = switches.map(|switches| Switching::new(switches, &parameters));
        Self {
            compiled,
            switching,
            state,
            parameters,
            steps: 0,
            rounds: 0,
            newton_steps: 0,
            effort: Effort::default(),
            ladder: Ladder { resting: 0, patience: 1, streak: 0 },
            scratch: Scratch::default(),
            workspace: Workspace::default(),
            extended: Vec::new(),
            residuals: Residuals::default(),
            promises: Promises::default(),
            independence: None,
        }
    }

    fn begun(
        compiled: &'c Compiled,
        state: Vec<f64>,
        parameters: Vec<f64>,
    ) -> Result<Self, Failure> {
        let mut integration = Self::made(compiled, state, parameters);
        let Self { state, parameters, scratch, .. } = &mut integration;
        let begun = compiled.start.run(state, parameters, 1, scratch);
        if begun.is_complete() {
            let Self { state, parameters, .. } = &mut integration;
            let levels = match compiled.stepper.layout.levels() {
                0 => None,
                _ => sizes::levels(compiled, state, parameters),
            };
            levels.iter().for_each(|levels| levels.write(compiled.stepper.layout, state));
            let residuals = Residuals::of(compiled, levels.as_ref());
            let consistent = residuals.consistent != Some(false);
            integration.promises = Promises::new(compiled, (state, parameters), consistent);
            integration.residuals = residuals;
            integration.look();
            return Ok(integration);
        }
        let guarded = match begun.end {
            End::NonFinite { slot } => integration.guarded(slot),
            _ => None,
        };
        let (outcome, reason) = match guarded {
            Some(reason) => (Outcome::NonFinite, format!("{reason} at the initial point")),
            None => (
                Outcome::Singular,
                "energy, multipliers or accelerations have no finite value at the initial point"
                    .to_owned(),
            ),
        };
        let time = integration.time();
        Err(Failure { outcome, step: 0, time, residual: None, reason })
    }

    /// The state: see [`Layout`](crate::stepper::Layout).
    #[must_use]
    pub fn state(&self) -> &[f64] {
        &self.state
    }

    /// Where its numbers are.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.compiled.stepper.layout
    }

    /// Its steps.
    #[must_use]
    pub fn stepper(&self) -> &'c super::super::stepper::Stepper {
        &self.compiled.stepper
    }

    /// Operations of a step that has difficulties, roughly.
    pub(super) fn operations(&self) -> u64 {
        let unknowns = self.compiled.stepper.careful.as_ref().map_or(0, |c| c.weights.len() as u64);
        let own = self.compiled.adaptive.as_ref().map_or(0, |a| OWN_STEPS * a.operations());
        4 * self.compiled.program.program().ops.len() as u64 + unknowns.pow(3) + own
    }

    /// The time.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.number(self.compiled.stepper.layout.time())
    }

    /// A number of the state.
    #[must_use]
    pub fn number(&self, slot: u32) -> f64 {
        self.state.get(slot as usize).copied().unwrap_or(f64::NAN)
    }

    /// Puts another number into the state; the one that was there.
    pub(super) fn replace(&mut self, slot: u32, number: f64) -> f64 {
        match self.state.get_mut(slot as usize) {
            Some(place) => std::mem::replace(place, number),
            None => f64::NAN,
        }
    }

    /// State and parameters.
    pub(super) fn parts(&self) -> (&[f64], &[f64]) {
        (&self.state, &self.parameters)
    }

    /// Goes on from a state that was reached elsewhere by the same steps, or lies near such a one.
    pub fn resume(&mut self, state: Vec<f64>, steps: u64) {
        self.state = state;
        self.steps = steps;
    }

    /// The state, when nothing else is wanted.
    #[must_use]
    pub fn into_state(self) -> Vec<f64> {
        self.state
    }

    /// What the initial values leave of the constraints.
    #[must_use]
    pub fn residuals(&self) -> Residuals {
        self.residuals
    }

    /// The largest violations of constraints on positions and on velocities so far; right after the
    /// start, those of the initial values.
    #[must_use]
    pub fn violations(&self) -> [f64; 2] {
        let (layout, own) = (self.layout(), Measured::Own);
        [layout.largest_position_error(own), layout.largest_velocity_error(own)]
            .map(|slot| self.number(slot))
    }

    /// Fills in energy and multipliers of the state, for output.
    pub fn fill_row(&mut self) {
        let Self { state, parameters, scratch, compiled, .. } = self;
        run_or_spoil(&compiled.row, state, parameters, scratch);
    }

    /// How many states inside of a step there are.
    pub(super) fn inside(&self) -> usize {
        self.compiled.dense.len()
    }

    /// The state inside of the last step, number `k` of them.
    pub(super) fn state_inside(&mut self, k: usize, inside: &mut Vec<f64>) {
        inside.clear();
        inside.extend_from_slice(&self.state);
        let Self { parameters, scratch, compiled, .. } = self;
        if let Some(machine) = compiled.dense.get(k) {
            run_or_spoil(machine, inside, parameters, scratch);
        }
    }

    /// Makes steps. After a failure the state is the one before the step that failed. Nothing is begun
    /// by a thread that was asked to stop.
    pub fn advance(&mut self, steps: u64) -> Result<(), Failure> {
        if self.promises.is_empty() {
            return self.make(steps);
        }
        let end = self.steps + steps;
        let mut begin = self.mark();
        loop {
            let advanced = self.make(end - self.steps);
            if !self.is_broken() {
                return advanced;
            }
            // The first step that may have broken a promise.
            let (mut kept, mut broken) = (begin.steps, self.steps);
            while broken - kept > 1 {
                let middle = kept + (broken - kept) / 2;
                self.restore(&begin);
                self.make(middle - kept)?;
                if self.is_broken() {
                    broken = middle;
                } else {
                    kept = middle;
                    begin = self.mark();
                }
            }
            self.restore(&begin);
            self.look();
            self.make(1)?;
            self.look();
            if let Some(broken) = self.promises.broken(self.compiled, &self.state, self.steps) {
                self.restore(&begin);
                return Err(broken.failure(self.compiled, self.steps, self.time()));
            }
            // The quantity is larger here than elsewhere, and so is its rounding.
            begin = self.mark();
        }
    }

    /// Does the state break a promise, by the sizes here and where they were measured before?
    pub(super) fn is_broken(&mut self) -> bool {
        let broken = |it: &Self| it.promises.broken(it.compiled, &it.state, it.steps).is_some();
        broken(self) && {
            self.look();
            broken(self)
        }
    }

    /// Measures the sizes of what is promised.
    fn look(&mut self) {
        let Self { promises, compiled, state, parameters, .. } = self;
        promises.look(compiled, state, parameters);
    }

    fn mark(&self) -> Mark {
        let Self { state, steps, rounds, newton_steps, effort, ladder, .. } = self;
        Mark {
            state: state.clone(),
            steps: *steps,
            rounds: *rounds,
            newton_steps: *newton_steps,
            effort: *effort,
            ladder: *ladder,
        }
    }

    fn restore(&mut self, mark: &Mark) {
        self.state.copy_from_slice(&mark.state);
        let Mark { steps, rounds, newton_steps, effort, ladder, .. } = mark;
        (self.steps, self.rounds, self.newton_steps) = (*steps, *rounds, *newton_steps);
        (self.effort, self.ladder) = (*effort, *ladder);
    }

    /// From now on, looks whether constraints become dependent on the way.
    pub fn watch_rank(&mut self) {
        self.independence = Independence::new(self.compiled, &self.state);
        self.look_at_rank();
    }

    /// The first place where constraints became dependent, if that is watched.
    #[must_use]
    pub fn dependence(&self) -> Option<Dependence> {
        self.independence.as_ref().and_then(|independence| independence.found)
    }

    fn look_at_rank(&mut self) {
        let at = (self.steps, self.time());
        if let Some(independence) = &mut self.independence {
            independence.look(at, &self.state, &self.parameters);
        }
    }

    /// Makes steps, whatever becomes of promises, and looks at the rank of A in between.
    fn make(&mut self, steps: u64) -> Result<(), Failure> {
        let mut left = steps;
        while left > 0 {
            let allowed = self.independence.as_ref().map(|it| it.allowed(self.steps));
            let some = allowed.map_or(left, |allowed| allowed.min(left));
            self.make_some(some)?;
            left -= some;
            self.look_at_rank();
        }
        Ok(())
    }

    fn make_some(&mut self, steps: u64) -> Result<(), Failure> {
        if Stop::requested() {
            return Err(Failure {
                outcome: Outcome::Interrupted,
                step: self.steps,
                time: self.time(),
                residual: None,
                reason: "a stop was requested".to_owned(),
            });
        }
        let compiled = self.compiled;
        if let Some(adaptive) = &compiled.adaptive {
            return (0..steps).try_for_each(|_| self.next_row(adaptive));
        }
        let mut left = steps;
        while left > 0 {
            let resting = self.ladder.resting.min(left);
            let Self { state, parameters, scratch, .. } = self;
            let (machine, asked) = match (&compiled.newton, resting) {
                (Some(newton), 1..) => (newton, resting),
                _ => (&compiled.program, left),
            };
            let careful_now = compiled.newton.is_none() && resting > 0;
            let outcome = if careful_now {
                None
            } else {
                Some(machine.run(state, parameters, asked, scratch))
            };
            if let Some(outcome) = outcome {
                self.steps += outcome.steps;
                self.rounds += outcome.iterations;
                left -= outcome.steps;
                if resting > 0 {
                    self.ladder.resting -= outcome.steps;
                    self.newton_steps += outcome.steps;
                } else {
                    self.ladder.streak += outcome.steps;
                }
                if outcome.is_complete() {
                    continue;
                }
                if resting == 0 && compiled.careful.is_some() {
                    // The fast program has failed: Newton's method for a while. How steps are
                    // cut into calls does not matter.
                    if self.ladder.streak > self.ladder.patience {
                        self.ladder.patience = 1;
                    }
                    self.ladder.streak = 0;
                    self.ladder.resting = self.ladder.patience;
                    self.ladder.patience = (2 * self.ladder.patience).min(LONGEST_REST);
                    if compiled.newton.is_some() {
                        continue;
                    }
                }
                self.careful(Some(outcome.end))?;
            } else {
                self.careful(None)?;
            }
            left -= 1;
            self.ladder.resting = self.ladder.resting.saturating_sub(1);
        }
        Ok(())
    }

    /// The next row of a method that chooses its own steps.
    fn next_row(&mut self, adaptive: &Adaptive) -> Result<(), Failure> {
        let compiled = self.compiled;
        let Stepper { layout, step, .. } = compiled.stepper;
        let time = (self.number(layout.count()) + 1.0) * step;
        let direction = 1.0_f64.copysign(step);
        let Self { state, parameters, scratch, extended, effort, switching, .. } = self;
        let switching = switching.as_mut();
        let memory = Memory { extended, scratch: &mut *scratch, switching };
        match adaptive.reach(time, direction, state, parameters, memory, effort) {
            Ok(()) => {}
            Err(Missed::NonFinite) => {
                return Err(self.failure(End::NonFinite { slot: u32::MAX }, None));
            }
            Err(Missed::Limit { error, reason }) => {
                let failure = self.failure(End::NotConverged, Some(error));
                return Err(Failure { outcome: Outcome::StepLimit, reason, ..failure });
            }
        }
        let outcome = compiled.program.run(state, parameters, 1, scratch);
        if !outcome.is_complete() {
            return Err(self.failure(outcome.end, None));
        }
        self.steps += 1;
        Ok(())
    }

    /// One step with new pivots, after `end` if that was the end of another way.
    fn careful(&mut self, end: Option<End>) -> Result<(), Failure> {
        let compiled = self.compiled;
        let stepper = &compiled.stepper;
        let Some(careful) = &compiled.careful else {
            return Err(self.failure(end.unwrap_or(End::NotConverged), None));
        };
        let limits = Limits {
            rounds: stepper.max_iterations,
            tolerance: stepper.tolerance,
            layout: stepper.layout,
        };
        let Self { state, parameters, workspace, rounds, .. } = self;
        let mut solved = careful.step(state, parameters, limits, workspace, rounds);
        // A step whose length should be found, and cannot, has the length that was asked for.
        let hold = stepper.pace.and_then(|pace| pace.hold).filter(|_| solved != Solved::Yes);
        if let Some(hold) = hold {
            state[hold.asked as usize] = 1.0;
            let held = careful.step(state, parameters, limits, workspace, rounds);
            if held == Solved::Yes {
                solved = held;
            } else {
                state[hold.asked as usize] = 0.0;
            }
        }
        match solved {
            Solved::Yes => {
                self.steps += 1;
                self.newton_steps += 1;
                Ok(())
            }
            Solved::Stalled { residual } => Err(self.failure(End::NotConverged, Some(residual))),
            Solved::Singular { residual } => Err(Failure {
                outcome: Outcome::Singular,
                residual: Some(residual),
                reason: "the linear system of Newton's method has no solution".to_owned(),
                ..self.failure(End::NotConverged, None)
            }),
            Solved::NonFinite => {
                let end = match end {
                    Some(end @ End::NonFinite { .. }) => end,
                    _ => End::NonFinite { slot: u32::MAX },
                };
                Err(self.failure(end, None))
            }
        }
    }

    /// The step after the state failed.
    fn failure(&mut self, end: End, residual: Option<f64>) -> Failure {
        if let End::NonFinite { slot } = end
            && let Some((_, reason)) = self.compiled.stepper.bounds.iter().find(|it| it.0 == slot)
        {
            let (step, time, reason) = (self.steps, self.time(), (*reason).to_owned());
            return Failure { outcome: Outcome::StepLimit, step, time, residual, reason };
        }
        let (outcome, reason) = match end {
            End::NonFinite { slot } if self.guarded(slot).is_some() => {
                (Outcome::NonFinite, self.guarded(slot).unwrap_or_default().to_owned())
            }
            End::NonFinite { .. } if self.is_singular() => (
                Outcome::Singular,
                "the equations of motion have no finite solution at the state that was reached"
                    .to_owned(),
            ),
            End::NonFinite { slot } => (
                Outcome::NonFinite,
                match self.describe(slot) {
                    Some(what) => format!("{what} is not a finite number after this step"),
                    None => "the equations of this step have no finite values".to_owned(),
                },
            ),
            _ => (
                Outcome::NewtonStalled,
                "the iteration for the unknowns of this step did not converge; a smaller step may help"
                    .to_owned(),
            ),
        };
        Failure { outcome, step: self.steps, time: self.time(), residual, reason }
    }

    /// Is the field without a value at the state, although the state is of ordinary size?
    fn is_singular(&mut self) -> bool {
        let layout = self.compiled.stepper.layout;
        let sizes = Scales::of(layout, &self.state).map(|scales| scales.moving(layout));
        let mut moving = self.state.iter().zip(sizes.iter().flatten());
        if moving.any(|(x, size)| x.abs() > HUGE * size) {
            return false;
        }
        let mut copy = self.state.clone();
        let Self { parameters, scratch, compiled, .. } = self;
        !compiled.start.run(&mut copy, parameters, 1, scratch).is_complete()
    }

    /// Why a step may not be taken, if the slot is the one that holds the reason.
    fn guarded(&self, slot: u32) -> Option<&'static str> {
        let pace = self.compiled.stepper.pace?;
        (pace.guard == slot).then_some(pace.reason)
    }

    /// What a slot holds, in words.
    fn describe(&self, slot: u32) -> Option<String> {
        let layout = self.compiled.stepper.layout;
        let (n, rates) = (layout.dimension as u32, layout.rates as u32);
        let stepper = &self.compiled.stepper;
        let name = |i: u32| stepper.names.get(i as usize).map_or("?", String::as_str);
        let rate = |i: u32| stepper.rate_names.get(i as usize).map_or("?", String::as_str);
        Some(match slot {
            u32::MAX => return None,
            s if s < n => format!("the coordinate {}", name(s)),
            s if layout.velocities().contains(&(s as usize)) => {
                format!("the velocity of {}", rate(s - layout.velocity(0)))
            }
            s if s < n + 2 * rates => format!("the momentum of {}", rate(s - layout.momentum(0))),
            s if s >= layout.multiplier(0) && s < layout.energy() => "a multiplier".to_owned(),
            s if s >= layout.energy() && s < layout.memory(0) => {
                "the energy, a constraint or a momentum".to_owned()
            }
            _ => "a number that the method carries along".to_owned(),
        })
    }
}

/// Runs a program that fills in numbers for output; those that have no value become NaN.
fn run_or_spoil(machine: &Machine, state: &mut [f64], parameters: &[f64], scratch: &mut Scratch) {
    if !machine.run(state, parameters, 1, scratch).is_complete() {
        for &(slot, _) in &machine.program().stores {
            if let Some(number) = state.get_mut(slot as usize) {
                *number = f64::NAN;
            }
        }
    }
}
