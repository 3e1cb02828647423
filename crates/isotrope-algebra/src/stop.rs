//! A flag that ends whatever is being computed.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::OutOfBudget;

/// A flag that somebody else may set; clones share it. Work under a flag ends with the flags of the
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
#[derive(Debug, Clone, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// That of the work around.
    around: Option<Arc<Stop>>,
}

thread_local! {
    static OF_THIS_THREAD: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

impl Stop {
    /// A flag that nobody has set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to stop.
    pub fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Asks to stop; was it asked before?
    pub fn set_again(&self) -> bool {
        self.flag.swap(true, Ordering::Relaxed)
    }

    /// Takes it back: whoever has this flag may work again.
    pub fn clear(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// Was it asked to stop, it or the work around?
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.around.as_ref().is_some_and(|stop| stop.is_set())
    }

    /// Does some work under this flag.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let stop = match Self::current() {
            Some(around) if !Arc::ptr_eq(&around.flag, &self.flag) => {
                Self { flag: Arc::clone(&self.flag), around: Some(Arc::new(around)) }
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
    fn budgets_of_other_threads_are_left_alone() {
        let stop = Stop::new();
        stop.set();
        let mine = stop.during(|| Budget::new(1).spend(1, "working"));
        let theirs = std::thread::spawn(|| Budget::new(1).spend(1, "working")).join().unwrap();
        assert!(mine.unwrap_err().interrupted);
        assert!(theirs.is_ok());
    }
}
