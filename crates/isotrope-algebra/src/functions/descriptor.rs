//! Everything the program knows about a function of one argument.

use crate::calculus::Expander;
use crate::number::{Ball, EvaluationError};
use crate::pool::{ExprId, Pool};

/// A function of one argument: everything the rest of isotrope asks about it.
///
/// The fields that are not plain data are functions, so that a descriptor is a `static` and a new
/// function is one file. What a field leaves open is proved by the tests beside the list, which
/// run over every function: enclosures contain the double-precision values, the derivative is the
/// first coefficient of the series, signs and texts come back.
pub(crate) struct Descriptor {
    /// The name in the grammar and in texts.
    pub name: &'static str,
    /// Other people's names for it, for hints.
    pub aliases: &'static [&'static str],
    /// What happens to a sign.
    pub parity: Parity,
    /// Where it has derivatives.
    pub smoothness: Smoothness,
    /// How formulas write it.
    pub notation: Notation,
    /// How normal form and prime field see it.
    pub relation: Relation,
    /// The canonical form of a call where it is not the call itself: known values, inverse pairs,
    /// [`ExprId::UNDEFINED`] for a number outside the domain. Signs are moved by the caller,
    /// according to the parity. Only what always holds.
    pub canonical: fn(&mut Pool, ExprId) -> Option<ExprId>,
    /// `f'(u)`, given `u` and `f(u)`; it uses the latter instead of another call of `f`.
    pub derivative: fn(&mut Pool, ExprId, ExprId) -> ExprId,
    /// Its power series.
    pub series: SeriesRule,
    /// A rigorous enclosure; outside the domain an error that names the function.
    pub ball: fn(&Ball) -> Result<Ball, EvaluationError>,
    /// The value in double precision, with the same bits on every machine.
    pub double: fn(f64) -> f64,
    /// The derivative in double precision, given the argument and the value.
    pub slope: fn(f64, f64) -> f64,
    /// An interval inside the domain from which tests draw arguments.
    pub samples: (i64, i64),
}

/// What happens to a sign under a function or a power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parity {
    /// `f(-x) = f(x)`.
    Even,
    /// `f(-x) = -f(x)`.
    Odd,
    /// The sign has to stay where it is.
    None,
}

/// Where a function has derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Smoothness {
    /// Of every order inside its domain.
    Analytic,
    /// Continuous with kinks, as the absolute value.
    Kinks,
    /// Not continuous, as the unit step.
    Jumps,
}

/// How LaTeX and MathML write a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// A word before its argument.
    Operator {
        /// The word in LaTeX.
        latex: &'static str,
        /// The word in MathML.
        mathml: &'static str,
        /// Do powers stand between word and argument, as in sin² x?
        takes_exponent: bool,
    },
    /// Bars around the argument.
    Bars,
    /// The argument as an exponent of e.
    PowerOfE,
}

/// The identities between calls of a function that normal form and prime field know of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// None: every call is a generator of its own, and an unknown function over the prime field.
    Generator,
    /// Rational in the point (cos, sin) of the unit circle at its argument.
    Circle(Circular),
    /// Rational in the exponential of its argument.
    Exponential(Hyperbolic),
    /// `|u|² = u²`.
    AbsoluteValue,
    /// `u/|u|`, as it is where u is not zero.
    Sign,
}

/// A rational function of the point (c, s) of the unit circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Circular {
    /// `s`.
    Sine,
    /// `c`.
    Cosine,
    /// `s/c`.
    Tangent,
}

/// A rational function of an exponential e.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hyperbolic {
    /// `e`.
    Exponential,
    /// `(e - 1/e)/2`.
    Sine,
    /// `(e + 1/e)/2`.
    Cosine,
    /// The quotient of the last two.
    Tangent,
}

/// How the power series of `f(u)` follows from that of `u`.
#[derive(Clone, Copy)]
pub(crate) enum SeriesRule {
    /// By integrating `f'(u) u'`. The derivative may contain `f(u)` and functions that stand
    /// before `f` in the list, which is why this ends.
    ByDerivative,
    /// By a recurrence of its own.
    Own(Recurrence),
}

/// The series of `f(u)` from that of `u`: the expression that is expanded, for errors; the
/// coefficients of `u`; and the value `f(u_0)`.
pub(crate) type Recurrence =
    fn(&mut Expander<'_>, &mut Pool, ExprId, &[ExprId], ExprId) -> crate::calculus::SeriesResult;
