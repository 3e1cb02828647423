//! What surrounds a computation: files, a watcher, a flag to stop, limits.

use std::sync::Arc;

use isotrope_algebra::ideal::{BasisEngine, F4};
use isotrope_algebra::{Budget, Stop};
use isotrope_kernel::integrate::Flow;
use isotrope_output::files::{Files, NoFiles};

use crate::failure::Failure;

/// Progress, for people who wait.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event<'a> {
    /// Something that can take long begins; what came before it is over.
    Begin(&'a str),
    /// Steps were made.
    Steps {
        /// Those that are done.
        done: u64,
        /// All of them.
        of: u64,
    },
    /// What was begun is over.
    End,
    /// A remark that is not part of the answer.
    Note(&'a str),
}

/// Engines for bases of ideals. The implementation decides how much each may take.
pub trait Bases: Send + Sync {
    /// An engine for the basis that decides the answer, one for attempts along the way, and one for
    /// bases that only make an answer shorter. `seconds` is the time for everything.
    fn engines(&self, seconds: u64) -> [Box<dyn BasisEngine>; 3];

    /// Sets a flag after some time, unless what is returned is dropped before. Without a clock it is never set.
    fn alarm(&self, _milliseconds: u64, _stop: &Stop) -> Alarm {
        Alarm::none()
    }
}

/// Keeps an alarm waiting; dropped, it never rings.
pub struct Alarm(Option<Stop>);

impl Alarm {
    /// No alarm.
    #[must_use]
    pub fn none() -> Self {
        Self(None)
    }

    /// An alarm that is called off by a flag.
    #[must_use]
    pub fn called_off_by(flag: Stop) -> Self {
        Self(Some(flag))
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if let Some(flag) = &self.0 {
            flag.set();
        }
    }
}

/// Bases are computed in this process, which has no clock: each ends with the flag, and after as many operations as
/// about its share of the time, so the same bases are out of reach on every machine. What there is for everything is
/// not kept count of.
#[derive(Debug, Clone, Copy, Default)]
pub struct InThisProcess;

impl InThisProcess {
    /// Operations that are counted as a second.
    pub const OPERATIONS: u64 = 1_000_000_000;
}

impl Bases for InThisProcess {
    fn engines(&self, seconds: u64) -> [Box<dyn BasisEngine>; 3] {
        shares(seconds).map(|share| {
            Box::new(F4::new(share.saturating_mul(Self::OPERATIONS))) as Box<dyn BasisEngine>
        })
    }
}

/// Of the seconds that there are for everything, those for the basis that decides, for one along the way (8 at most),
/// and for one that only makes an answer shorter (1).
#[must_use]
pub fn shares(seconds: u64) -> [u64; 3] {
    [(seconds / 2).max(1), (seconds / 8).clamp(1, 8), 1]
}

/// Keeps from run to run what took long to compute. It does what it can: what cannot be written is not kept,
/// what cannot be read is computed again, and neither is an error.
pub trait Cache: Send + Sync {
    /// What was kept under a name.
    fn get(&self, name: &str) -> Option<Vec<u8>>;

    /// Keeps it.
    fn put(&self, name: &str, bytes: &[u8]);
}

/// Nothing is kept.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCache;

impl Cache for NoCache {
    fn get(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn put(&self, _: &str, _: &[u8]) {}
}

/// How many elementary operations each kind of work may take before it gives up.
///
/// Operations are counted, not seconds: the same request has the same answer on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The equations of motion.
    pub derive: u64,
    /// Each part of their geometry and of what they conserve.
    pub analyse: u64,
    /// The steps of each method, from its scheme to machine code.
    pub prepare: u64,
    /// The coefficients of a method.
    pub coefficients: u64,
    /// The certificate of a method.
    pub certify: u64,
    /// What a geometric object is.
    pub geometry: u64,
    /// Port-Hamiltonian forms.
    pub port: u64,
    /// Equilibria and critical values.
    pub stability: u64,
    /// The class of a model.
    pub classify: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            derive: 200_000_000,
            analyse: 100_000_000,
            prepare: 2_000_000_000,
            coefficients: 1_000_000_000,
            certify: 2_000_000_000,
            geometry: 50_000_000,
            port: 400_000_000,
            stability: 200_000_000,
            classify: 1_000_000_000,
        }
    }
}

/// What surrounds a computation. Clones share files, watcher and flag.
#[derive(Clone)]
pub struct Host {
    /// How much work may be done.
    pub limits: Limits,
    files: Arc<dyn Files>,
    bases: Arc<dyn Bases>,
    cache: Arc<dyn Cache>,
    tell: Arc<dyn Fn(Event<'_>) + Send + Sync>,
    stop: Stop,
}

impl Default for Host {
    /// No files, no cache, no watcher, the usual limits.
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            files: Arc::new(NoFiles),
            bases: Arc::new(InThisProcess),
            cache: Arc::new(NoCache),
            tell: Arc::new(|_| {}),
            stop: Stop::new(),
        }
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").field("limits", &self.limits).field("stop", &self.stop).finish()
    }
}

impl Host {
    /// No files, no cache, no watcher, the usual limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With files.
    #[must_use]
    pub fn with_files(self, files: impl Files + 'static) -> Self {
        Self { files: Arc::new(files), ..self }
    }

    /// With engines for bases of ideals.
    #[must_use]
    pub fn with_bases(self, bases: impl Bases + 'static) -> Self {
        Self { bases: Arc::new(bases), ..self }
    }

    /// With a place to keep what took long to compute.
    #[must_use]
    pub fn with_cache(self, cache: impl Cache + 'static) -> Self {
        Self { cache: Arc::new(cache), ..self }
    }

    /// With a watcher, which is called with what happens.
    #[must_use]
    pub fn watched(self, tell: impl Fn(Event<'_>) + Send + Sync + 'static) -> Self {
        Self { tell: Arc::new(tell), ..self }
    }

    /// With a flag that ends computations.
    #[must_use]
    pub fn with_stop(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// With limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The files.
    #[must_use]
    pub fn files(&self) -> &dyn Files {
        &*self.files
    }

    /// The flag that ends computations.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Was it asked to stop, by its own flag or by that of the work around?
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.during(Stop::requested)
    }

    pub(crate) fn cache(&self) -> &dyn Cache {
        &*self.cache
    }

    pub(crate) fn bases(&self) -> &dyn Bases {
        &*self.bases
    }

    /// Calls the watcher.
    pub fn tell(&self, event: Event<'_>) {
        (self.tell)(event);
    }

    /// A remark that is not part of the answer.
    pub(crate) fn note(&self, text: &str) {
        self.tell(Event::Note(text));
    }

    /// Does some work under the flag, and announces it to the watcher. Interrupted work has no answer, nor has work
    /// during which an invariant was violated.
    pub fn during<T>(
        &self,
        doing: &str,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let done = self.partly(doing, work);
        self.answered(doing, done)
    }

    /// The same for short work, which is not announced.
    pub(crate) fn quietly<T>(
        &self,
        doing: &str,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let done = self.stop.during(work);
        self.answered(doing, done)
    }

    fn answered<T>(&self, doing: &str, done: Result<T, Failure>) -> Result<T, Failure> {
        match self.is_stopped() {
            true => Err(Failure::Interrupted { doing: doing.to_owned() }),
            false => self.sound(done),
        }
    }

    /// An answer, unless an invariant was violated on the way to it.
    pub(crate) fn sound<T>(&self, done: Result<T, Failure>) -> Result<T, Failure> {
        match (self.stop.violated(), done) {
            // What is refused for this reason already may know its place in the model.
            (Some(_), Err(failure)) if failure.is_own_mistake() => Err(failure),
            (Some(internal), _) => Err(Failure::from(internal)),
            (None, done) => done,
        }
    }

    /// The same for work whose parts are an answer when it is interrupted; [`Host::sound`] is left to the
    /// caller.
    pub(crate) fn partly<T>(&self, doing: &str, work: impl FnOnce() -> T) -> T {
        self.tell(Event::Begin(doing));
        let done = self.stop.during(work);
        self.tell(Event::End);
        done
    }

    /// A budget, under the flag.
    pub(crate) fn budget(&self, limit: u64) -> Budget {
        self.stop.during(|| Budget::new(limit))
    }

    /// Go on until the flag is set.
    pub(crate) fn flow(&self) -> Flow {
        if self.is_stopped() { Flow::Stop } else { Flow::Continue }
    }

    /// Reports the progress of steps; returns whether to go on.
    pub(crate) fn steps(&self, done: u64, of: u64) -> Flow {
        self.tell(Event::Steps { done, of });
        self.flow()
    }
}

#[cfg(test)]
mod tests {
    use isotrope_algebra::{Internal, OutOfBudget};

    use super::*;

    #[test]
    fn work_that_reads_a_violated_invariant_as_unknown_has_no_answer() {
        let host = Host::new();
        let search = |found: Result<u8, OutOfBudget>| Ok(found.ok());
        let spent = host.during("searching", || search(Err(OutOfBudget::spent(1, "searching"))));
        assert_eq!(spent, Ok(None));
        let violated = host.during("searching", || search(Err(Internal::new("one is odd").into())));
        assert!(violated.unwrap_err().is_own_mistake());
        // It is reported once: the next request has its own answer.
        assert_eq!(host.during("searching", || search(Ok(1))), Ok(Some(1)));
    }
}
