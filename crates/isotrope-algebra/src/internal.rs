//! Violated invariants: what cannot happen is reported with its place, never replaced by a default.

use std::fmt;
use std::panic::Location;

use crate::Stop;

/// Something that a theorem or the code before it excludes: a mistake in isotrope, not in its input.
///
/// It remembers where it was made, and travels like any other error. The [`Stop`] of its thread knows of it
/// too, so that it refuses the answer even where an error on the way is taken for "not known".
///
/// ```
/// use isotrope_algebra::{Internal, OrInternal};
/// let found: Result<u8, Internal> = None.or_internal("a gcd divides both polynomials");
/// assert!(found.unwrap_err().to_string().ends_with("should hold that a gcd divides both polynomials"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Internal {
    /// Where it was noticed.
    pub place: &'static Location<'static>,
    /// What should have been true.
    pub what: &'static str,
}

impl Internal {
    /// What to do about it.
    pub const HINT: &'static str = "this is a bug in isotrope, not a mistake in your input: please report it, with the model and the command";

    /// `what` does not hold, at the place of the caller.
    #[must_use]
    #[track_caller]
    pub fn new(what: &'static str) -> Self {
        let internal = Self { place: Location::caller(), what };
        Stop::notice(internal);
        internal
    }

    /// The violated invariant behind an error, if that is what it comes from.
    #[must_use]
    pub fn behind(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        let causes = std::iter::successors(Some(error), |error| error.source());
        causes.filter_map(|error| error.downcast_ref::<Self>()).next().copied()
    }
}

impl fmt::Display for Internal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, what } = self;
        write!(f, "internal error at {}:{}: it should hold that {what}", place.file(), place.line())
    }
}

impl std::error::Error for Internal {}

/// Turns a missing value into an [`Internal`] error that says why it should be there.
pub trait OrInternal<T> {
    /// The value, or what should have been true and where.
    fn or_internal(self, what: &'static str) -> Result<T, Internal>;

    /// For functions that cannot fail: the value, or a default for an answer that will be refused, since
    /// the [`Stop`] of this thread knows what should have been true.
    fn or_noticed(self, what: &'static str) -> T
    where
        T: Default;
}

impl<T> OrInternal<T> for Option<T> {
    #[track_caller]
    fn or_internal(self, what: &'static str) -> Result<T, Internal> {
        match self {
            Some(value) => Ok(value),
            None => Err(Internal::new(what)),
        }
    }

    #[track_caller]
    fn or_noticed(self, what: &'static str) -> T
    where
        T: Default,
    {
        match self {
            Some(value) => value,
            None => {
                let _noticed = Internal::new(what);
                T::default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OutOfBudget;

    #[test]
    fn a_violated_invariant_names_the_line_that_noticed_it() {
        let line = line!() + 1;
        let error = None::<u8>.or_internal("one is odd").unwrap_err();
        assert_eq!((error.place.line(), error.place.file()), (line, file!()));
    }

    #[test]
    fn a_violated_invariant_is_found_behind_what_carries_it() {
        let error = Internal::new("one is odd");
        let carried = OutOfBudget::from(error);
        assert_eq!(Internal::behind(&carried), Some(error));
        assert_eq!(carried.to_string(), error.to_string());
        assert_eq!(Internal::behind(&OutOfBudget::spent(1, "counting")), None);
    }
}
