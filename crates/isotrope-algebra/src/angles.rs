//! Arguments of sines, cosines and exponentials as integer combinations of base angles.

use rustc_hash::FxHashMap;

use crate::calculus::collect;
use crate::evaluate::NotExact;
use crate::functions::{Function, Relation};
use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, OutOfBudget, Rational};

/// An argument as an integer combination of base angles: (base, multiple).
pub(crate) type Angle = Vec<(u32, i64)>;

/// Is it one of the functions whose argument is an angle or an exponent?
pub(crate) fn has_angle(function: Function) -> bool {
    matches!(function.descriptor().relation, Relation::Circle(_) | Relation::Exponential(_))
}

/// Some arguments, split.
#[derive(Debug, Clone)]
pub(crate) struct Angles {
    /// The combination of each argument.
    pub angles: FxHashMap<ExprId, Angle>,
    /// Base `k` is `bases[k].0 / bases[k].1`.
    pub bases: Vec<(ExprId, i64)>,
}

impl Angles {
    /// Splits the arguments; with `polynomial_only` everything else is refused, so that the
    /// base angles are linearly independent over Q for sure.
    pub fn split(
        pool: &mut Pool,
        arguments: &[ExprId],
        polynomial_only: bool,
        budget: &mut Budget,
    ) -> Result<Self, NotExact> {
        split_angles(pool, arguments, polynomial_only, budget)
    }

    /// Every argument its own base angle: nothing is taken apart.
    pub fn whole(arguments: &[ExprId]) -> Self {
        Self {
            angles: arguments.iter().enumerate().map(|(k, &a)| (a, vec![(k as u32, 1)])).collect(),
            bases: arguments.iter().map(|&argument| (argument, 1)).collect(),
        }
    }
}

/// Writes every argument as an integer combination of base angles that are linearly
/// independent over Q: monomials divided by the common denominator of their coefficients.
fn split_angles(
    pool: &mut Pool,
    arguments: &[ExprId],
    polynomial_only: bool,
    budget: &mut Budget,
) -> Result<Angles, NotExact> {
    let mut parts: Vec<(ExprId, Vec<(ExprId, Rational)>)> = Vec::with_capacity(arguments.len());
    for &argument in arguments {
        let split = match split_monomials(pool, argument, budget)? {
            Some(split) => split,
            None if !polynomial_only => terms_of(pool, argument),
            None => return Err(NotExact::Function { at: argument }),
        };
        parts.push((argument, split));
    }
    let mut bases: FxHashMap<ExprId, (u32, i64)> = FxHashMap::default();
    for (term, coefficient) in parts.iter().flat_map(|(_, split)| split) {
        let next = bases.len() as u32;
        let entry = bases.entry(*term).or_insert((next, 1));
        let Some((_, d)) = coefficient.as_small() else {
            return Err(NotExact::Function { at: *term });
        };
        entry.1 = lcm(entry.1, d).ok_or(NotExact::Function { at: *term })?;
    }
    let mut angles = FxHashMap::default();
    for (argument, split) in parts {
        let mut combination = Vec::with_capacity(split.len());
        for (term, coefficient) in split {
            let (base, denominator) = bases[&term];
            let multiple = (&coefficient * &Rational::integer(denominator))
                .as_integer()
                .filter(|n| n.unsigned_abs() < 1 << 40)
                .ok_or(NotExact::Function { at: term })?;
            combination.push((base, multiple));
        }
        angles.insert(argument, combination);
    }
    let mut table = vec![(ExprId::ZERO, 1); bases.len()];
    let mut entries: Vec<_> = bases.into_iter().collect();
    entries.sort_unstable();
    for (term, (base, denominator)) in entries {
        table[base as usize] = (term, denominator);
    }
    Ok(Angles { angles, bases: table })
}

fn lcm(a: i64, b: i64) -> Option<i64> {
    let g = Rational::integer(a).gcd(&Rational::integer(b)).as_integer()?;
    (a / g).checked_mul(b).filter(|l| *l < 1 << 40)
}

fn terms_of(pool: &Pool, argument: ExprId) -> Vec<(ExprId, Rational)> {
    match pool.node(argument) {
        Node::Sum(pairs) => pairs.iter().map(|(term, c)| (term, pool.coefficient(c))).collect(),
        Node::Number(value) => vec![(ExprId::ONE, value.clone())],
        _ => vec![(argument, Rational::ONE)],
    }
}

/// The argument as a rational combination of monomials in symbols, if it is a polynomial.
fn split_monomials(
    pool: &mut Pool,
    argument: ExprId,
    budget: &mut Budget,
) -> Result<Option<Vec<(ExprId, Rational)>>, OutOfBudget> {
    let is_monomial = |pool: &Pool, term: ExprId| match pool.node(term) {
        Node::Symbol(_) => true,
        Node::Number(_) => term == ExprId::ONE,
        Node::Product(pairs) => pairs.iter().all(|(base, exponent)| {
            pool.as_symbol(base).is_some()
                && pool.as_number(exponent).is_some_and(|e| e.is_integer() && !e.is_negative())
        }),
        _ => false,
    };
    let terms = terms_of(pool, argument);
    if terms.iter().all(|(term, _)| is_monomial(pool, *term)) {
        return Ok(Some(terms));
    }
    let symbols = pool.symbols_in(&[argument]);
    match collect(pool, argument, &symbols, budget) {
        Ok(collected) => {
            let mut split = Vec::with_capacity(collected.len());
            for (monomial, coefficient) in collected {
                let Some(number) = pool.as_number(coefficient).cloned() else { return Ok(None) };
                let powers: Vec<_> = monomial
                    .iter()
                    .map(|&(k, e)| pool.powi(symbols[k as usize], e.into()))
                    .collect();
                split.push((pool.product(&powers), number));
            }
            Ok(Some(split))
        }
        Err(crate::calculus::CollectError::NotPolynomial { .. }) => Ok(None),
        Err(crate::calculus::CollectError::OutOfBudget(stop)) => Err(stop),
    }
}
