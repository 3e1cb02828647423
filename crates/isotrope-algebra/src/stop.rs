//! A flag that ends whatever is being computed.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Internal, OutOfBudget};

/// A flag that another thread may set; clones share it. Work under a flag ends with the flags of the
/// work that it is a part of, too.
///
/// Every [`Budget`](crate::Budget) that is made [during](Stop::during) a computation knows the flag
/// of its thread and runs out when it is set. So no signature has to carry it, and a computation of
/// many budgets ends as soon as any of them is spent.
///
/// ```
/// use isotrope_algebra::{Budget, Stop};
/// let stop = Stop::new();
/// stop.during(|| {
///     let mut budget = Budget::new(10);
///     assert!(budget.spend(1, "expanding").is_ok());
///     stop.set();
///     assert_eq!(
///         budget.spend(1, "expanding").unwrap_err().to_string(),
///         "interrupted while expanding"
///     );
/// });
/// ```
///
/// A violated invariant ([`Internal`]) is remembered here as well, in the flag of its thread and in those
/// around it: whatever returns the answer checks [`violated`](Stop::violated), so that an error that was read as
/// "not known" on the way still refuses the answer.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    own: Arc<Shared>,
    /// That of the work around.
    around: Option<Arc<Stop>>,
}

/// What clones of a flag share.
#[derive(Debug, Default)]
struct Shared {
    flag: AtomicBool,
    /// The first violated invariant that was not yet reported.
    violated: Mutex<Option<Internal>>,
}

thread_local! {
    static OF_THIS_THREAD: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

impl Stop {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to stop.
    pub fn set(&self) {
        self.own.flag.store(true, Ordering::Relaxed);
    }

    /// Asks to stop; was it asked before?
    pub fn set_again(&self) -> bool {
        self.own.flag.swap(true, Ordering::Relaxed)
    }

    /// Clears it: work under this flag may go on again.
    pub fn clear(&self) {
        self.own.flag.store(false, Ordering::Relaxed);
    }

    /// Was it asked to stop, it or the work around?
    #[must_use]
    pub fn is_set(&self) -> bool {
        let own = self.own.flag.load(Ordering::Relaxed);
        own || self.around.as_ref().is_some_and(|stop| stop.is_set())
    }

    /// The first invariant that was violated under this flag since it was last asked.
    #[must_use]
    pub fn violated(&self) -> Option<Internal> {
        self.own.violated.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Remembers a violated invariant for the flags that the work of this thread runs under.
    pub(crate) fn notice(internal: Internal) {
        let mut stop = Self::current();
        while let Some(Self { own, around }) = stop {
            let mut known = own.violated.lock().unwrap_or_else(PoisonError::into_inner);
            known.get_or_insert(internal);
            stop = around.map(Arc::unwrap_or_clone);
        }
    }

    /// Does some work under this flag.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let stop = match Self::current() {
            Some(around) if !Arc::ptr_eq(&around.own, &self.own) => {
                Self { own: Arc::clone(&self.own), around: Some(Arc::new(around)) }
            }
            Some(same) => same,
            None => self.clone(),
        };
        Self::under(Some(stop), work)
    }

    /// The flag under which this thread works.
    #[must_use]
    pub fn current() -> Option<Self> {
        OF_THIS_THREAD.with_borrow(Clone::clone)
    }

    /// Was this thread asked to stop?
    #[must_use]
    pub fn requested() -> bool {
        OF_THIS_THREAD.with_borrow(|stop| stop.as_ref().is_some_and(Self::is_set))
    }

    /// For loops without a budget: an error as soon as this thread was asked to stop.
    pub fn check(doing: &'static str) -> Result<(), OutOfBudget> {
        match Self::requested() {
            true => Err(OutOfBudget::interrupted(0, doing)),
            false => Ok(()),
        }
    }

    /// Does some work under the flag of another thread, or under none.
    pub fn under<T>(stop: Option<Self>, work: impl FnOnce() -> T) -> T {
        let _before = Before(OF_THIS_THREAD.replace(stop));
        work()
    }
}

/// Puts the flag back that was there before, however the work ends.
struct Before(Option<Stop>);

impl Drop for Before {
    fn drop(&mut self) {
        OF_THIS_THREAD.set(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;

    #[test]
    fn a_flag_ends_with_the_work_that_it_is_for() {
        let (outer, inner) = (Stop::new(), Stop::new());
        outer.during(|| {
            inner.during(|| inner.set());
            assert!(Budget::new(1).spend(1, "working").is_ok());
            assert!(inner.during(|| Budget::new(1).spend(1, "working")).is_err());
        });
        assert!(Stop::current().is_none());
    }

    #[test]
    fn work_ends_with_the_work_around_it_and_may_begin_again() {
        let (outer, inner) = (Stop::new(), Stop::new());
        let work = || inner.during(|| Budget::new(1).spend(1, "working"));
        outer.set();
        assert!(outer.during(work).is_err());
        assert!(work().is_ok());
        outer.clear();
        assert!(outer.during(work).is_ok());
    }

    #[test]
    fn a_violated_invariant_that_nobody_passes_on_is_told_once_by_every_flag_around() {
        let (outer, inner) = (Stop::new(), Stop::new());
        let first = outer.during(|| {
            inner.during(|| {
                let first = Internal::new("one is odd");
                let _ = Internal::new("two is even");
                first
            })
        });
        assert_eq!((inner.violated(), inner.violated()), (Some(first), None));
        assert_eq!((outer.violated(), outer.violated()), (Some(first), None));
        let _ = Internal::new("nobody answers for this");
        assert_eq!(outer.violated(), None);
    }

    #[test]
    fn budgets_of_other_threads_are_left_alone() {
        let stop = Stop::new();
        stop.set();
        let mine = stop.during(|| Budget::new(1).spend(1, "working"));
        let theirs = std::thread::spawn(|| Budget::new(1).spend(1, "working")).join().unwrap();
        assert!(mine.unwrap_err().interrupted);
        assert!(theirs.is_ok());
    }
}
