//! Is an expression identically zero? Three answers: yes, no, unknown.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::simplify::divisors;
use super::{AngleSplitting, Generators};
use crate::evaluate::{Fidelity, FieldPlan, evaluate_ball};
use crate::modular::Random;
use crate::number::{Ball, Precision};
use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, OrInternal, OutOfBudget, Rational};

/// The answer to "is it identically zero?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zero {
    /// Proved: its normal form is zero.
    Yes,
    /// Proved: it has a nonzero value somewhere.
    No,
    /// Not decided; it vanished at this many random points.
    Unknown {
        /// Random points at which it was zero to all digits computed.
        points: u32,
    },
}

impl Zero {
    /// Proved zero, or zero at every one of at least one random points.
    pub fn is_plausible(self) -> bool {
        match self {
            Self::Yes => true,
            Self::No => false,
            Self::Unknown { points } => points > 0,
        }
    }

    /// The answer to "are both zero?".
    ///
    /// ```
    /// use isotrope_algebra::normal::Zero;
    /// let unknown = |points| Zero::Unknown { points };
    /// assert_eq!(Zero::Yes.and(Zero::Yes), Zero::Yes);
    /// assert_eq!(Zero::Yes.and(unknown(3)), unknown(3));
    /// assert_eq!(unknown(8).and(unknown(3)), unknown(3));
    /// assert_eq!(unknown(0).and(Zero::No), Zero::No);
    /// ```
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Unknown { points: p }, Self::Unknown { points: q }) => {
                Self::Unknown { points: p.min(q) }
            }
            (Self::Unknown { points }, Self::Yes) | (Self::Yes, Self::Unknown { points }) => {
                Self::Unknown { points }
            }
            (Self::Yes, Self::Yes) => Self::Yes,
        }
    }
}

/// Random points tried before giving up on a proof of "no".
const POINTS: u32 = 8;
/// Points drawn to find `POINTS` regular ones.
const TRIES: u32 = 64;

/// Decides whether `expression` is identically zero.
///
/// Exact for polynomial, rational and trigonometric expressions (angle sums included);
/// elsewhere "no" is proved by a rigorous enclosure that excludes zero, "yes" by a zero
/// normal form, and otherwise the answer counts the random points at which it vanished.
///
/// ```
/// use isotrope_algebra::{Budget, Function, Pool, normal::{Zero, is_zero}};
/// let mut pool = Pool::new();
/// let x = pool.symbol("x");
/// let (s, c) = (pool.call(Function::Sin, x), pool.call(Function::Cos, x));
/// let (s2, c2) = (pool.powi(s, 2), pool.powi(c, 2));
/// let one = pool.add(s2, c2);
/// let zero = pool.sub(one, isotrope_algebra::ExprId::ONE);
/// assert_eq!(is_zero(&mut pool, zero, &mut Budget::new(1000)), Zero::Yes);
/// ```
pub fn is_zero(pool: &mut Pool, expression: ExprId, budget: &mut Budget) -> Zero {
    if expression.is_zero() {
        return Zero::Yes;
    }
    if expression == ExprId::UNDEFINED {
        return Zero::Unknown { points: 0 };
    }
    if pool.as_number(expression).is_some() {
        return Zero::No;
    }
    let points = match nonzero_modulo_prime(pool, expression, budget) {
        Some(true) => return Zero::No,
        Some(false) => POINTS,
        None => match nonzero_in_balls(pool, expression) {
            Ok(()) => return Zero::No,
            Err(points) => points,
        },
    };
    let parts = by_divisors(pool, expression);
    let zero = match parts.len() > 1
        && parts.iter().all(|&part| has_zero_form(pool, part, budget) == Ok(true))
    {
        true => Ok(true),
        false => has_zero_form(pool, expression, budget),
    };
    match zero {
        Ok(true) => Zero::Yes,
        _ => Zero::Unknown { points },
    }
}

/// Is the normal form zero?
fn has_zero_form(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<bool, OutOfBudget> {
    let mut generators = Generators::new(pool, &[expression], AngleSplitting::Split, budget)?;
    let Some(fractions) = generators.fractions(pool, &[expression], budget)? else {
        return Ok(false);
    };
    Ok(fractions[0].numerator.reduce(generators.rules(), budget)?.is_zero())
}

/// Sums of the terms with the same divisors, which add up to the expression. Where all of them vanish, as forces
/// between many bodies do pair by pair, no common denominator is needed.
fn by_divisors(pool: &mut Pool, expression: ExprId) -> Vec<ExprId> {
    let mut parts: BTreeMap<Vec<ExprId>, Vec<ExprId>> = BTreeMap::new();
    for term in distributed(pool, expression) {
        let mut divisors: Vec<ExprId> = divisors(pool, term).into_iter().collect();
        divisors.sort_unstable();
        parts.entry(divisors).or_default().push(term);
    }
    parts.into_values().map(|terms| pool.sum(&terms)).collect()
}

/// The terms of a sum; those with a sum of quotients as a factor are multiplied out with it.
fn distributed(pool: &mut Pool, expression: ExprId) -> Vec<ExprId> {
    let terms = |pool: &Pool, id: ExprId| match pool.node(id) {
        Node::Sum(pairs) => pairs.iter().collect(),
        _ => vec![(id, ExprId::ONE)],
    };
    let mut found = Vec::new();
    for (term, coefficient) in terms(pool, expression) {
        let factors: Vec<(ExprId, ExprId)> = match pool.node(term) {
            Node::Product(pairs) => pairs.iter().collect(),
            _ => vec![(term, ExprId::ONE)],
        };
        let divides = |&(base, exponent): &(ExprId, ExprId)| {
            exponent == ExprId::ONE
                && matches!(pool.node(base), Node::Sum(_))
                && !divisors(pool, base).is_empty()
        };
        let Some(at) = factors.iter().position(divides) else {
            found.push(pool.mul(term, coefficient));
            continue;
        };
        let mut beside = vec![coefficient];
        for (k, &(base, exponent)) in factors.iter().enumerate() {
            if k != at {
                beside.push(pool.power(base, exponent));
            }
        }
        for (inner, number) in terms(pool, factors[at].0) {
            let product = [beside.as_slice(), &[inner, number]].concat();
            found.push(pool.product(&product));
        }
    }
    found
}

/// `Some(true)`: nonzero, proved. `Some(false)`: zero at all points tried. `None`: no exact
/// evaluation over the prime field.
fn nonzero_modulo_prime(pool: &mut Pool, expression: ExprId, budget: &mut Budget) -> Option<bool> {
    let plan = FieldPlan::new(pool, &[expression], Fidelity::Exact, budget).ok()?;
    let mut random = Random::new(0x1507_0909);
    let nothing = FxHashMap::default();
    let mut regular = 0;
    for _ in 0..TRIES {
        if let Some(values) = plan.evaluate(pool, &mut random, &nothing) {
            if values[0] != 0 {
                return Some(true);
            }
            regular += 1;
            if regular == POINTS {
                return Some(false);
            }
        }
    }
    (regular > 0).then_some(false)
}

/// `Ok`: nonzero, proved by an enclosure. `Err(n)`: the enclosures at n points contain zero.
fn nonzero_in_balls(pool: &Pool, expression: ExprId) -> Result<(), u32> {
    let symbols = pool.symbols_in(&[expression]);
    let mut random = Random::new(0x0515_2025);
    let mut vanished = 0;
    for attempt in 0..TRIES {
        let point: FxHashMap<ExprId, Rational> = symbols
            .iter()
            .map(|&symbol| {
                // Mostly small positive numbers: inside the domains of roots and logarithms.
                let size = 1 + random.below(997) as i64;
                let value = Rational::new(size, 499).or_noticed("499 is not zero");
                let negative = attempt % 2 == 1 && random.below(2) == 1;
                (symbol, if negative { -value } else { value })
            })
            .collect();
        let mut narrow = false;
        for bits in [128, 512] {
            let precision = Precision::new(bits);
            let values = symbols
                .iter()
                .map(|symbol| (*symbol, Ball::from_rational(&point[symbol], precision)))
                .collect();
            match evaluate_ball(pool, expression, &values, precision) {
                Ok(ball) if ball.excludes_zero() => return Ok(()),
                Ok(ball) => narrow = ball.radius_is_below(-64),
                Err(_) => break,
            }
        }
        if narrow {
            vanished += 1;
            if vanished == POINTS || symbols.is_empty() {
                break;
            }
        }
    }
    Err(vanished)
}
