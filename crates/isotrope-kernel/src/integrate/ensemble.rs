//! Many initial values of one stepper: lanes of vectors, and threads. Every member gets the bits
//! it would get alone.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use isotrope_algebra::Stop;

use super::compiled::Compiled;
use super::consistency::Residuals;
use super::integration::Integration;
use super::outcome::{Failure, Outcome};
use super::packed::Packed;
use super::trajectory::BLOCK;

/// One initial value: a state in which q, v and t are filled in, and its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The state.
    pub state: Vec<f64>,
    /// Values of the parameters.
    pub parameters: Vec<f64>,
}

/// What became of a member.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberEnd {
    /// The last state, with energy and multipliers filled in.
    pub state: Vec<f64>,
    /// Steps made.
    pub steps: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// The step that was not made.
    pub failure: Option<Failure>,
    /// What its initial values leave of the constraints.
    pub residuals: Residuals,
}

/// How an ensemble is run.
#[derive(Clone, Copy)]
pub struct Crew<'a> {
    /// Steps of every member.
    pub steps: u64,
    /// Threads; at least one.
    pub threads: usize,
    /// Set from outside to end the run.
    pub stop: &'a Stop,
    /// Told how many more steps of all members were made.
    pub made: &'a (dyn Fn(u64) + Sync),
}

/// Steps between two checks of the stop flag.
fn block(integration: &Integration<'_>) -> u64 {
    (BLOCK / integration.operations().max(1)).clamp(1, 4096)
}

/// Numbers of the members of a portion, together: what an ensemble has in memory at once.
const PORTION: usize = 1 << 20;
/// Members of a portion, at most, and groups of lanes for every thread, at least.
const MEMBERS: usize = 1 << 13;
const GROUPS: usize = 16;

/// Runs all members.
pub fn run_ensemble(compiled: &Compiled, members: &[Member], crew: Crew<'_>) -> Vec<MemberEnd> {
    Runner::new(compiled).run(members, crew)
}

/// Runs members of one stepper, portion by portion; the code for lanes is made once.
#[derive(Debug)]
pub struct Runner<'a> {
    compiled: &'a Compiled,
    packed: Option<Packed>,
}

impl<'a> Runner<'a> {
    /// Makes the code for lanes, where this machine has them.
    #[must_use]
    pub fn new(compiled: &'a Compiled) -> Self {
        // Members that choose their own steps have nothing to do side by side.
        let packed = match &compiled.adaptive {
            Some(_) => None,
            None => Packed::new(&compiled.stepper.program),
        };
        Self { compiled, packed }
    }

    fn lanes(&self) -> usize {
        self.packed.as_ref().map_or(1, Packed::lanes)
    }

    /// How many members a portion has: whole groups of lanes, enough for all threads, and not more than fit
    /// into a few megabytes.
    #[must_use]
    pub fn portion(&self, threads: usize) -> usize {
        let stepper = &self.compiled.stepper;
        let numbers = stepper.initial.len() + stepper.parameters.len();
        let (lanes, least) = (self.lanes(), GROUPS * threads.max(1));
        let groups = PORTION / numbers.max(1) / lanes;
        lanes * groups.clamp(least, (MEMBERS / lanes).max(least))
    }

    /// Runs all members.
    #[must_use]
    pub fn run(&self, members: &[Member], crew: Crew<'_>) -> Vec<MemberEnd> {
        run_groups(self.compiled, self.packed.as_ref(), self.lanes(), members, crew)
    }
}

fn run_groups(
    compiled: &Compiled,
    packed: Option<&Packed>,
    lanes: usize,
    members: &[Member],
    crew: Crew<'_>,
) -> Vec<MemberEnd> {
    let groups: Vec<&[Member]> = members.chunks(lanes).collect();
    let results: Mutex<Vec<Option<Vec<MemberEnd>>>> = Mutex::new(vec![None; groups.len()]);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(group) = groups.get(index) else { break };
            let ends = match packed {
                Some(packed) if group.len() > 1 => side_by_side(compiled, packed, group, crew),
                _ => group.iter().map(|member| alone(compiled, member, crew)).collect(),
            };
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results[index] = Some(ends);
        }
    };
    let threads = crew.threads.min(groups.len());
    if threads < 2 {
        work();
    } else {
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
    }
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().flatten().flatten().collect()
}

/// One member from its start.
fn alone(compiled: &Compiled, member: &Member, crew: Crew<'_>) -> MemberEnd {
    match Integration::from(compiled, member.state.clone(), member.parameters.clone()) {
        Ok(integration) => finish(integration, crew),
        Err(failure) => {
            // Only the initial values are known.
            let layout = compiled.stepper.layout;
            let mut state = member.state.clone();
            for (slot, x) in (0u32..).zip(&mut state) {
                let known = slot < layout.momentum(0);
                if !known && slot != layout.time() && slot != layout.count() {
                    *x = f64::NAN;
                }
            }
            let (outcome, residuals) = (failure.outcome, Residuals::default());
            MemberEnd { state, steps: 0, outcome, failure: Some(failure), residuals }
        }
    }
}

/// The steps that a member still has to make.
fn finish(mut integration: Integration<'_>, crew: Crew<'_>) -> MemberEnd {
    let mut failure = None;
    let mut outcome = Outcome::Completed;
    while integration.steps < crew.steps {
        if crew.stop.is_set() {
            outcome = Outcome::Interrupted;
            break;
        }
        let before = integration.steps;
        let advanced = integration.advance(block(&integration).min(crew.steps - before));
        (crew.made)(integration.steps - before);
        if let Err(failed) = advanced {
            outcome = failed.outcome;
            failure = Some(failed);
            break;
        }
    }
    integration.fill_row();
    let (steps, residuals) = (integration.steps, integration.residuals());
    MemberEnd { state: integration.into_state(), steps, outcome, failure, residuals }
}

/// A member that leaves its lane goes on alone; one that has broken a promise there begins again, to find the step.
fn go_on(
    mut integration: Integration<'_>,
    compiled: &Compiled,
    member: &Member,
    crew: Crew<'_>,
) -> MemberEnd {
    match integration.is_broken() {
        true => alone(compiled, member, crew),
        false => finish(integration, crew),
    }
}

/// Members in lanes. A lane that fails is taken out and goes on alone; its place is filled with a
/// copy of a healthy one.
fn side_by_side(
    compiled: &Compiled,
    packed: &Packed,
    group: &[Member],
    crew: Crew<'_>,
) -> Vec<MemberEnd> {
    let mut ends: Vec<Option<MemberEnd>> = vec![None; group.len()];
    let mut started: Vec<Option<Integration<'_>>> = Vec::with_capacity(group.len());
    for (member, end) in group.iter().zip(&mut ends) {
        match Integration::from(compiled, member.state.clone(), member.parameters.clone()) {
            Ok(integration) => started.push(Some(integration)),
            Err(_) => {
                *end = Some(alone(compiled, member, crew));
                started.push(None);
            }
        }
    }
    let mut lanes = packed.load(started.iter().map(|one| one.as_ref().map(Integration::parts)));
    let most = started.iter().flatten().map(block).min().unwrap_or(1);
    let mut done = 0;
    while done < crew.steps && started.iter().any(Option::is_some) {
        if crew.stop.is_set() {
            break;
        }
        let ask = most.min(crew.steps - done);
        let (made, failed) = packed.run(&mut lanes, ask);
        done += made;
        let running = started.iter().flatten().count() as u64;
        (crew.made)(made * running);
        if failed == 0 {
            continue;
        }
        for (lane, slot) in started.iter_mut().enumerate() {
            if failed >> lane & 1 == 1
                && let Some(mut integration) = slot.take()
            {
                integration.resume(packed.lane(&lanes, lane), done);
                ends[lane] = Some(go_on(integration, compiled, &group[lane], crew));
            }
        }
        if let Some(healthy) = started.iter().position(Option::is_some) {
            let vacant =
                (0..packed.lanes()).filter(|&lane| started.get(lane).is_none_or(Option::is_none));
            for lane in vacant {
                packed.copy_lane(&mut lanes, healthy, lane);
            }
        }
    }
    for (lane, slot) in started.iter_mut().enumerate() {
        if let Some(mut integration) = slot.take() {
            integration.resume(packed.lane(&lanes, lane), done);
            ends[lane] = Some(go_on(integration, compiled, &group[lane], crew));
        }
    }
    ends.into_iter().flatten().collect()
}
