//! Many initial values of one stepper: lanes of vectors, and threads. Every member gets the bits
//! it would get alone.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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

/// Looks at members on their way, between steps.
pub trait Watch: Sync {
    /// A member begins; one that breaks a promise in its lane begins again.
    fn begin(&self, _member: usize) {}

    /// The number of steps after which it looks next, when that many are done.
    fn next(&self, done: u64) -> u64;

    /// Looks at a member; whether it goes on. What energy and multipliers are there is from the last row.
    fn look(&self, member: usize, state: &[f64], done: u64) -> bool;
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
    /// Looks at members on their way.
    pub watch: Option<&'a dyn Watch>,
}

impl Crew<'_> {
    /// The steps until something else happens, when that many are done.
    fn ask(&self, most: u64, done: u64) -> u64 {
        let next = self.watch.map_or(u64::MAX, |watch| watch.next(done).max(done + 1));
        most.min(self.steps - done).min(next - done)
    }

    /// Is it time to look?
    fn looks(&self, before: u64, done: u64) -> Option<&dyn Watch> {
        self.watch.filter(|watch| watch.next(before) == done)
    }
}

/// What a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    /// Where a motion begins: in the end energy and multipliers are filled in.
    Start,
    /// A state that an integration left behind, which is all that is wanted.
    Within,
}

impl From {
    fn integration(self, compiled: &Compiled, member: Member) -> Result<Integration<'_>, Failure> {
        let Member { state, parameters } = member;
        match self {
            Self::Start => Integration::from(compiled, state, parameters),
            Self::Within => Ok(Integration::onward(compiled, state, parameters)),
        }
    }
}

/// Machine code that makes the steps of several members at once, where this machine has it.
#[derive(Debug)]
pub struct SideBySide(Option<Packed>);

impl SideBySide {
    /// Makes it.
    #[must_use]
    pub fn new(compiled: &Compiled) -> Self {
        // Members that choose their own steps have nothing to do side by side.
        Self(match &compiled.adaptive {
            Some(_) => None,
            None => Packed::new(&compiled.stepper.program),
        })
    }
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
    code: Arc<SideBySide>,
}

impl<'a> Runner<'a> {
    /// Makes the code for lanes, where this machine has them.
    #[must_use]
    pub fn new(compiled: &'a Compiled) -> Self {
        Self::with(compiled, Arc::new(SideBySide::new(compiled)))
    }

    /// With code that was made before.
    #[must_use]
    pub fn with(compiled: &'a Compiled, code: Arc<SideBySide>) -> Self {
        Self { compiled, code }
    }

    fn lanes(&self) -> usize {
        self.code.0.as_ref().map_or(1, Packed::lanes)
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
        self.run_groups(members, crew, From::Start)
    }

    /// Makes steps from states that integrations left behind, and leaves such states behind.
    #[must_use]
    pub fn onward(&self, members: &[Member], crew: Crew<'_>) -> Vec<MemberEnd> {
        self.run_groups(members, crew, From::Within)
    }

    fn run_groups(&self, members: &[Member], crew: Crew<'_>, from: From) -> Vec<MemberEnd> {
        let team = Team { compiled: self.compiled, crew, from };
        run_groups(team, self.code.0.as_ref(), self.lanes(), members)
    }
}

/// What all members have in common.
#[derive(Clone, Copy)]
struct Team<'a> {
    compiled: &'a Compiled,
    crew: Crew<'a>,
    from: From,
}

fn run_groups(
    team: Team<'_>,
    packed: Option<&Packed>,
    lanes: usize,
    members: &[Member],
) -> Vec<MemberEnd> {
    let groups: Vec<&[Member]> = members.chunks(lanes).collect();
    let results: Mutex<Vec<Option<Vec<MemberEnd>>>> = Mutex::new(vec![None; groups.len()]);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(group) = groups.get(index) else { break };
            let first = index * lanes;
            let ends = match packed {
                Some(packed) if group.len() > 1 => side_by_side(team, packed, (first, group)),
                _ => (first..).zip(group.iter()).map(|member| alone(team, member)).collect(),
            };
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results[index] = Some(ends);
        }
    };
    let threads = team.crew.threads.min(groups.len());
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

/// One member, under its number, from its start.
fn alone(team: Team<'_>, (number, member): (usize, &Member)) -> MemberEnd {
    if let Some(watch) = team.crew.watch {
        watch.begin(number);
    }
    match team.from.integration(team.compiled, member.clone()) {
        Ok(integration) => finish(integration, team, (number, 0)),
        Err(failure) => {
            // Only the initial values are known.
            let layout = team.compiled.stepper.layout;
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

/// The steps that a member still has to make, of which some are done.
fn finish(
    mut integration: Integration<'_>,
    team: Team<'_>,
    (number, done): (usize, u64),
) -> MemberEnd {
    let crew = team.crew;
    let mut failure = None;
    let mut outcome = Outcome::Completed;
    let start = integration.steps - done;
    while integration.steps - start < crew.steps {
        if crew.stop.is_set() {
            outcome = Outcome::Interrupted;
            break;
        }
        let before = integration.steps - start;
        let advanced = integration.advance(crew.ask(block(&integration), before));
        let done = integration.steps - start;
        (crew.made)(done - before);
        if let Err(failed) = advanced {
            outcome = failed.outcome;
            failure = Some(failed);
            break;
        }
        if let Some(watch) = crew.looks(before, done)
            && !watch.look(number, integration.state(), done)
        {
            break;
        }
    }
    ended(integration, team, outcome, failure)
}

fn ended(
    mut integration: Integration<'_>,
    team: Team<'_>,
    outcome: Outcome,
    failure: Option<Failure>,
) -> MemberEnd {
    if team.from == From::Start {
        integration.fill_row();
    }
    let (steps, residuals) = (integration.steps, integration.residuals());
    MemberEnd { state: integration.into_state(), steps, outcome, failure, residuals }
}

/// A member that leaves its lane goes on alone; one that has broken a promise there begins again, to find the step.
fn go_on(
    mut integration: Integration<'_>,
    team: Team<'_>,
    (number, member): (usize, &Member),
    done: u64,
) -> MemberEnd {
    match integration.is_broken() {
        true => alone(team, (number, member)),
        false => finish(integration, team, (number, done)),
    }
}

/// Members in lanes. A lane that fails is taken out and goes on alone; its place is filled with a
/// copy of a healthy one.
fn side_by_side(
    team: Team<'_>,
    packed: &Packed,
    (first, group): (usize, &[Member]),
) -> Vec<MemberEnd> {
    let Team { compiled, crew, from } = team;
    let mut ends: Vec<Option<MemberEnd>> = vec![None; group.len()];
    let mut started: Vec<Option<Integration<'_>>> = Vec::with_capacity(group.len());
    for ((number, member), end) in (first..).zip(group).zip(&mut ends) {
        match from.integration(compiled, member.clone()) {
            Ok(integration) => {
                if let Some(watch) = crew.watch {
                    watch.begin(number);
                }
                started.push(Some(integration));
            }
            Err(_) => {
                *end = Some(alone(team, (number, member)));
                started.push(None);
            }
        }
    }
    let mut lanes = packed.load(started.iter().map(|one| one.as_ref().map(Integration::parts)));
    let most = started.iter().flatten().map(block).min().unwrap_or(1);
    let mut done = 0;
    let mut seen = Vec::new();
    while done < crew.steps && started.iter().any(Option::is_some) {
        if crew.stop.is_set() {
            break;
        }
        let before = done;
        let (made, failed) = packed.run(&mut lanes, crew.ask(most, done));
        done += made;
        let running = started.iter().flatten().count() as u64;
        (crew.made)(made * running);
        let mut left = false;
        if let Some(watch) = crew.looks(before, done) {
            for (lane, slot) in started.iter_mut().enumerate().filter(|(_, slot)| slot.is_some()) {
                packed.read_lane(&lanes, lane, &mut seen);
                if !watch.look(first + lane, &seen, done)
                    && let Some(mut integration) = slot.take()
                {
                    let steps = integration.steps + done;
                    integration.resume(seen.clone(), steps);
                    ends[lane] = Some(ended(integration, team, Outcome::Completed, None));
                    left = true;
                }
            }
        }
        if failed == 0 && !left {
            continue;
        }
        for (lane, slot) in started.iter_mut().enumerate() {
            if failed >> lane & 1 == 1
                && let Some(mut integration) = slot.take()
            {
                let steps = integration.steps + done;
                integration.resume(packed.lane(&lanes, lane), steps);
                ends[lane] = Some(go_on(integration, team, (first + lane, &group[lane]), done));
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
            let steps = integration.steps + done;
            integration.resume(packed.lane(&lanes, lane), steps);
            ends[lane] = Some(go_on(integration, team, (first + lane, &group[lane]), done));
        }
    }
    ends.into_iter().flatten().collect()
}
