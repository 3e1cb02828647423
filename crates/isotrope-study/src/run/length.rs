//! How many steps a time takes.

use isotrope_algebra::{OrInternal, Rational};

use crate::report::shortest;

/// Why a step and a time do not fit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LengthError {
    /// A step of zero.
    #[error("the step is zero, or too small for a double")]
    ZeroStep,
    /// The step leads away from the end.
    #[error("a step of {} never reaches the time {}", shortest(*step), shortest(*time))]
    Backwards {
        /// The step.
        step: f64,
        /// The time.
        time: f64,
    },
    /// Not a whole number of steps.
    #[error(
        "the time {} is {} steps of {}, not a whole number",
        shortest(*time),
        shortest(*quotient),
        shortest(*step)
    )]
    NotWhole {
        /// The step.
        step: f64,
        /// The time.
        time: f64,
        /// Their quotient.
        quotient: f64,
        /// The nearest whole number.
        nearest: f64,
    },
    /// More steps than can be counted.
    #[error(
        "the time {} takes {} steps of {}, more than can be counted",
        shortest(*time),
        shortest(*quotient),
        shortest(*step)
    )]
    TooMany {
        /// The step.
        step: f64,
        /// The time.
        time: f64,
        /// Their quotient.
        quotient: f64,
    },
}

/// Steps are counted in doubles.
const MOST: f64 = 9e15;
/// How far from a whole number the quotient may be.
const SLACK: f64 = 1e-9;

/// time / step, if it is an integer to 1e-9.
pub fn steps(time: &Rational, step: &Rational) -> Result<u64, LengthError> {
    let Some(exact) = time / step else { return Err(LengthError::ZeroStep) };
    if step.to_f64() == 0.0 {
        return Err(LengthError::ZeroStep);
    }
    let (time, step, quotient) = (time.to_f64(), step.to_f64(), exact.to_f64());
    if quotient < 0.0 {
        return Err(LengthError::Backwards { step, time });
    }
    if quotient > MOST {
        return Err(LengthError::TooMany { step, time, quotient });
    }
    let nearest = quotient.round();
    let away = &exact - &Rational::from_f64(nearest).or_noticed("the number of steps is finite");
    // A step that is much longer than the time is not a number of steps, however near to none.
    let none = nearest == 0.0 && !exact.is_zero();
    if none || away.to_f64().abs() > SLACK {
        return Err(LengthError::NotWhole { step, time, quotient, nearest });
    }
    Ok(nearest as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(time: &str, step: &str) -> Result<u64, LengthError> {
        steps(&time.parse().unwrap(), &step.parse().unwrap())
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(count("10", "0.01"), Ok(1000));
        assert_eq!(count("0.3", "0.1"), Ok(3));
        assert_eq!(count("-1", "-1/100"), Ok(100));
        assert_eq!(count("0", "1/100"), Ok(0));
    }

    #[test]
    fn a_quotient_that_is_nearly_whole_is_taken() {
        assert_eq!(count("1", "0.33333333333333"), Ok(3));
        assert!(matches!(count("1", "1e10"), Err(LengthError::NotWhole { nearest: 0.0, .. })));
        assert!(matches!(count("1", "0.3333"), Err(LengthError::NotWhole { nearest: 3.0, .. })));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(count("1", "0"), Err(LengthError::ZeroStep));
        assert_eq!(count("1e-399", "1e-400"), Err(LengthError::ZeroStep));
        assert!(matches!(count("1", "-0.1"), Err(LengthError::Backwards { .. })));
        assert!(matches!(count("1e300", "1e-300"), Err(LengthError::TooMany { .. })));
    }
}
