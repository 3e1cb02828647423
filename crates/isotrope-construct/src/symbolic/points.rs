//! Rows from values at random points of the manifold, over two primes.

use isotrope_algebra::linear::Echelon;
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::{Budget, ExprId, Node, OrInternal, OutOfBudget, Pool, Rational};
use rustc_hash::FxHashMap;

use super::SymbolicError;
use super::differentials::Coefficient;
use crate::problem::{Chart, Points};
use isotrope_methods::classes::conditions::forests::column_key;
use isotrope_methods::classes::conditions::reconstruction::reconstruct;
use isotrope_methods::classes::{Condition, Forest, PrimeField, Residue};
use isotrope_methods::trees::Trees;

/// Points that must add nothing before the search ends.
const SURPLUS: usize = 3;

/// The degree that sines, exponentials and other functions are counted with, as rational
/// functions of the random numbers they are evaluated at.
const FUNCTION_DEGREE: u64 = 64;

/// The monomials of one structure function at one power of h.
struct Block {
    structure: usize,
    order: usize,
    columns: Vec<Forest>,
    /// Places of the values, by column.
    places: Vec<usize>,
}

/// Conditions found at points.
pub(super) struct Found {
    /// By structure function and power of h from 1.
    pub rows: Vec<Vec<Vec<Condition>>>,
    /// Points used with both primes.
    pub points: usize,
    /// A bound for the probability that a row is missing.
    pub failure_probability: Rational,
}

/// Finds the row spaces of the coefficients, by structure function and power of h.
pub(super) fn rows(
    pool: &mut Pool,
    chart: &Chart,
    trees: &Trees,
    coefficients: &[Vec<Vec<Coefficient>>],
    budget: &mut Budget,
) -> Result<Found, SymbolicError> {
    let mut outputs: Vec<ExprId> = Vec::new();
    let mut blocks = Vec::new();
    for (structure, by_order) in coefficients.iter().enumerate() {
        for (order, list) in by_order.iter().enumerate() {
            let mut columns: Vec<(Forest, usize)> = Vec::new();
            for coefficient in list {
                columns.push((coefficient.forest.clone(), outputs.len()));
                outputs.push(coefficient.value);
            }
            columns.sort_by_cached_key(|(forest, _)| column_key(trees, forest));
            let (columns, places) = columns.into_iter().unzip();
            blocks.push(Block { structure, order, columns, places });
        }
    }
    let points = Points::new(pool, chart, &outputs, budget)?;
    let random = &mut Random::new(0x5347_1968);
    let first = search(pool, &points, &blocks, random, budget)?;
    let second = search(pool, &points.modulo_second_prime(), &blocks, random, budget)?;
    let empty = || coefficients.iter().map(|by_order| vec![Vec::new(); by_order.len()]).collect();
    let mut rows: Vec<Vec<Vec<Condition>>> = empty();
    for ((block, space), other) in blocks.iter().zip(&first.spaces).zip(&second.spaces) {
        let conditions = reconstruct(&block.columns, (&first.field, space), (&second.field, other))
            .ok_or(SymbolicError::Reconstruction { order: block.order + 1 })?;
        rows[block.structure][block.order] = conditions;
    }
    let points = first.points + second.points;
    let degree = degree(pool, chart, &outputs, budget)?;
    let failure_probability = failure(degree, blocks.len(), points);
    Ok(Found { rows, points, failure_probability })
}

struct Search {
    field: PrimeField,
    spaces: Vec<Echelon<Residue>>,
    points: usize,
}

fn search(
    pool: &Pool,
    points: &Points,
    blocks: &[Block],
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Search, SymbolicError> {
    let field = PrimeField::new(points.prime()).ok_or(SymbolicError::Singular)?;
    let mut spaces: Vec<Echelon<Residue>> =
        blocks.iter().map(|b| Echelon::new(b.columns.len())).collect();
    let mut unchanged = 0;
    let mut drawn = 0;
    while unchanged < SURPLUS {
        let values = points.draw(pool, random, budget)?.ok_or(SymbolicError::Singular)?;
        drawn += 1;
        let mut grown = false;
        for (block, space) in blocks.iter().zip(&mut spaces) {
            let row: Vec<Residue> =
                block.places.iter().map(|at| field.element(values[*at])).collect();
            budget.spend((space.rank() * row.len()) as u64, "reducing conditions")?;
            let Ok(new) = space.insert(&mut &field, row);
            grown |= new;
        }
        unchanged = if grown { 0 } else { unchanged + 1 };
    }
    Ok(Search { field, spaces, points: drawn })
}

/// For a space that is too small some functional vanishes on it but not on all points: a function
/// of the given degree, which is zero at a random point with probability at most degree/p, and at
/// all surplus points with its power.
fn failure(degree: u64, blocks: usize, points: usize) -> Rational {
    let one = Rational::from(1);
    let prime = i64::try_from(modular::PRIME / 2).ok();
    let chance = i64::try_from(degree)
        .ok()
        .zip(prime)
        .and_then(|(degree, prime)| Rational::new(degree, prime))
        .unwrap_or_else(|| one.clone());
    let tries = Rational::from(i64::try_from(blocks.saturating_mul(points)).unwrap_or(i64::MAX));
    let power = (0..SURPLUS).fold(one.clone(), |product, _| &product * &chance);
    (&power * &tries).min(one)
}

/// A bound for the degree of any linear combination of the functions over a common denominator,
/// on the manifold.
fn degree(
    pool: &Pool,
    chart: &Chart,
    outputs: &[ExprId],
    budget: &mut Budget,
) -> Result<u64, OutOfBudget> {
    let nodes = pool.reachable(outputs);
    budget.spend(nodes.len() as u64, "bounding degrees")?;
    // Degrees of numerator and denominator; those of distinct denominators add up.
    let mut degrees: FxHashMap<ExprId, (u64, u64)> = FxHashMap::default();
    for id in nodes {
        let bound = match pool.node(id) {
            Node::Number(_) | Node::Undefined => (0, 0),
            Node::Pi | Node::Symbol(_) => (1, 0),
            Node::Sum(pairs) => pairs.iter().fold((0, 0), |sum: (u64, u64), (term, _)| {
                let term = degrees.get(&term).copied().or_noticed("parts come before the whole");
                let left = sum.0.saturating_add(term.1);
                let right = term.0.saturating_add(sum.1);
                (left.max(right), sum.1.saturating_add(term.1))
            }),
            Node::Product(pairs) => pairs.iter().fold((0, 0), |product: (u64, u64), (base, e)| {
                let (n, d) = degrees.get(&base).copied().or_noticed("parts come before the whole");
                let power = pool.as_number(e).and_then(Rational::as_small);
                let (n, d, count) = match power {
                    Some((e, 1)) if e < 0 => (d, n, e.unsigned_abs()),
                    Some((e, 1)) => (n, d, e.unsigned_abs()),
                    _ => (n.max(d), n.max(d), FUNCTION_DEGREE),
                };
                let times = |x: u64| x.saturating_mul(count);
                (product.0.saturating_add(times(n)), product.1.saturating_add(times(d)))
            }),
            Node::Call(..) | Node::Atan2(..) => (FUNCTION_DEGREE, FUNCTION_DEGREE),
            Node::System(system) => {
                let entries = system.entries().map(|(_, _, value)| value).chain(system.right());
                let sum = entries.fold(0u64, |sum, entry| {
                    let (n, d) =
                        degrees.get(&entry).copied().or_noticed("parts come before the whole");
                    sum.saturating_add(n).saturating_add(d)
                });
                (sum, sum)
            }
            Node::Solution { system, .. } => {
                degrees.get(&system).copied().or_noticed("parts come before the whole")
            }
        };
        degrees.insert(id, bound);
    }
    let all = outputs.iter().fold(0u64, |sum, id| {
        let (n, d) = degrees.get(id).copied().or_noticed("parts come before the whole");
        sum.saturating_add(n).saturating_add(d)
    });
    // Each root multiplies the number of points over one point of the chart.
    let roots = chart.roots.iter().fold(1u64, |product, root| {
        product.saturating_mul(root.coefficients.len().saturating_sub(1) as u64)
    });
    Ok(all.saturating_mul(roots).saturating_mul(4))
}
