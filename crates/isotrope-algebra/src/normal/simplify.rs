//! Expansion, normalisation, and simplification by choosing the shortest of several forms.

use rustc_hash::FxHashSet;

use super::factor::factor_common;
use super::generators::has_angles;
use super::{AngleSplitting, Fraction, Generators};
use crate::functions::Function;
use crate::number::Rational;
use crate::polynomial::MonomialOrder;
use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, OutOfBudget};

/// The expression as a quotient of expanded polynomials without common factors.
/// Angles stay whole; `sin^2` is rewritten by `1 - cos^2`.
pub fn normalise(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    normalise_with(pool, expression, AngleSplitting::Whole, budget)
}

fn normalise_with(
    pool: &mut Pool,
    expression: ExprId,
    splitting: AngleSplitting,
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    let mut generators = Generators::new(pool, &[expression], splitting, budget)?;
    let Some(fractions) = generators.fractions(pool, &[expression], budget)? else {
        return Ok(ExprId::UNDEFINED);
    };
    let reduced = generators.reduce(&fractions[0], budget)?;
    Ok(generators.to_expression(pool, &reduced))
}

/// The expression multiplied out, if it is a polynomial in its generators;
/// otherwise numerator and denominator are.
pub fn expand(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    let mut generators = Generators::new(pool, &[expression], AngleSplitting::Whole, budget)?;
    let Some(fractions) = generators.fractions(pool, &[expression], budget)? else {
        return Ok(ExprId::UNDEFINED);
    };
    let Fraction { numerator, denominator } = fractions[0].cancelled(budget)?;
    let numerator = generators.polynomial_to_expression(pool, &numerator);
    let denominator = generators.polynomial_to_expression(pool, &denominator);
    let inverse = pool.powi(denominator, -1);
    // Over a common denominator of one factor each term gets its own.
    Ok(pool.mul(numerator, inverse))
}

/// An equal expression that is as short as the forms tried here allow: as given, and
/// normal forms with angles whole and angles taken apart.
///
/// ```
/// use isotrope_algebra::{Budget, Function, Pool, normal::simplify};
/// let mut pool = Pool::new();
/// let (x, m) = (pool.symbol("x"), pool.symbol("m"));
/// let (s, c) = (pool.call(Function::Sin, x), pool.call(Function::Cos, x));
/// let (s2, c2) = (pool.powi(s, 2), pool.powi(c, 2));
/// let (a, b) = (pool.mul(m, s2), pool.mul(m, c2));
/// let sum = pool.add(a, b);
/// assert_eq!(simplify(&mut pool, sum, &mut Budget::new(10_000)), m);
/// ```
pub fn simplify(pool: &mut Pool, expression: ExprId, budget: &mut Budget) -> ExprId {
    let mut best = (size(pool, expression), expression);
    // The normal form of sign(u) is |u|/u, which has no value at 0.
    let finite = holds_a_sign(pool, expression).then(|| divisors(pool, expression));
    let mut consider = |pool: &Pool, form: ExprId| {
        let divides = |old: &FxHashSet<ExprId>| !divisors(pool, form).is_subset(old);
        if form != ExprId::UNDEFINED && !finite.as_ref().is_some_and(divides) {
            let cost = size(pool, form);
            if cost < best.0 {
                best = (cost, form);
            }
        }
    };
    if let Ok(form) = factor_common(pool, expression, budget) {
        consider(pool, form);
    }
    // A form that is out of reach is just not chosen.
    if let Ok(forms) = forms(pool, expression, AngleSplitting::Whole, budget) {
        forms.into_iter().for_each(|form| consider(pool, form));
    }
    if has_angles(pool, &[expression])
        && let Ok(forms) = forms(pool, expression, AngleSplitting::Split, budget)
    {
        forms.into_iter().for_each(|form| consider(pool, form));
    }
    best.1
}

fn holds_a_sign(pool: &Pool, expression: ExprId) -> bool {
    let nodes = pool.reachable(&[expression]);
    nodes.into_iter().any(|id| matches!(pool.node(id), Node::Call(Function::Sign, _)))
}

/// What an expression divides by.
pub(super) fn divisors(pool: &Pool, expression: ExprId) -> FxHashSet<ExprId> {
    let mut found = FxHashSet::default();
    for id in pool.reachable(&[expression]) {
        if let Node::Product(pairs) = pool.node(id) {
            let negative = |e: ExprId| pool.as_number(e).is_some_and(Rational::is_negative);
            found.extend(pairs.iter().filter(|pair| negative(pair.1)).map(|pair| pair.0));
        }
    }
    found
}

/// Angles beyond this many are not tried with the roles of sine and cosine exchanged.
const SWAPS: usize = 4;

/// Equal forms of an expression: normal forms with sines or cosines kept, Fourier sums.
fn forms(
    pool: &mut Pool,
    expression: ExprId,
    splitting: AngleSplitting,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let mut generators = Generators::new(pool, &[expression], splitting, budget)?;
    let Some(fractions) = generators.fractions(pool, &[expression], budget)? else {
        return Ok(Vec::new());
    };
    let mut reduced = generators.reduce(&fractions[0], budget)?;
    let mut forms = vec![generators.to_expression(pool, &reduced)];
    forms.extend(with_whole_part(pool, &generators, &reduced, budget)?);
    if splitting == AngleSplitting::Split {
        forms.extend(generators.to_fourier_expression(pool, &reduced, budget)?);
    }
    let bases: Vec<usize> = generators.circle_pairs().map(|pair| pair.0).take(SWAPS).collect();
    for base in bases {
        let swapped = generators.with_sine_kept(base);
        let candidate = swapped.reduce(&reduced, budget)?;
        let terms = |f: &Fraction| f.numerator.len() + f.denominator.len();
        if terms(&candidate) < terms(&reduced) {
            forms.push(swapped.to_expression(pool, &candidate));
            (generators, reduced) = (swapped, candidate);
        }
    }
    Ok(forms)
}

/// `n/d` as quotient plus remainder over `d`, where the division leaves something whole.
fn with_whole_part(
    pool: &mut Pool,
    generators: &Generators,
    fraction: &Fraction,
    budget: &mut Budget,
) -> Result<Option<ExprId>, OutOfBudget> {
    let Fraction { numerator, denominator } = fraction;
    if denominator.is_constant() {
        return Ok(None);
    }
    let divisors = std::slice::from_ref(denominator);
    let order = MonomialOrder::GradedReverseLex;
    let (quotients, remainder) = numerator.div_rem_by_all(divisors, order, budget)?;
    let Some(quotient) = quotients.first().filter(|quotient| !quotient.is_zero()) else {
        return Ok(None);
    };
    let rest = Fraction { numerator: remainder, denominator: denominator.clone() };
    let rest = generators.reduce(&rest, budget)?;
    let (whole, rest) =
        (generators.factored(pool, quotient), generators.to_expression(pool, &rest));
    Ok(Some(pool.add(whole, rest)))
}

/// The number of leaves and operations of the expression written as a tree (saturating).
pub fn size(pool: &Pool, expression: ExprId) -> u64 {
    let nodes = pool.reachable(&[expression]);
    let mut sizes: rustc_hash::FxHashMap<ExprId, u64> = rustc_hash::FxHashMap::default();
    for id in nodes {
        let mut total = match pool.node(id) {
            Node::Number(_) | Node::Pi | Node::Undefined | Node::Symbol(_) => 1,
            _ => 0,
        };
        match pool.node(id) {
            Node::Sum(pairs) | Node::Product(pairs) => {
                for (a, b) in pairs.iter() {
                    let unit = b == ExprId::ONE || b == ExprId::MINUS_ONE;
                    let second = if unit { 0 } else { sizes[&b] };
                    total = u64::saturating_add(
                        total,
                        sizes[&a].saturating_add(second).saturating_add(1),
                    );
                }
            }
            _ => pool.for_each_child(id, |child| {
                total = total.saturating_add(sizes[&child]).saturating_add(1);
            }),
        }
        sizes.insert(id, total);
    }
    sizes[&expression]
}
