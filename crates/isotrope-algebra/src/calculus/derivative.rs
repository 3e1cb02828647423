//! Derivatives: one sparse forward sweep gives all partial derivatives at once.

use rustc_hash::FxHashMap;

use crate::functions::Function;
use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, OutOfBudget};

/// Rows of (column, value) pairs with ascending columns; zeros are left out.
pub type SparseRows = Vec<Vec<(u32, ExprId)>>;

const DOING: &str = "differentiating";

/// The partial derivatives of every expression with respect to every variable (symbols):
/// row `i` holds the nonzero `(j, d expressions[i] / d variables[j])`.
///
/// Cost and result are linear in the number of nonzero partial derivatives of all
/// subexpressions, so a chain of a thousand links costs a thousand times one link.
pub fn jacobian(
    pool: &mut Pool,
    expressions: &[ExprId],
    variables: &[ExprId],
    budget: &mut Budget,
) -> Result<SparseRows, OutOfBudget> {
    let seeds: FxHashMap<ExprId, (u32, ExprId)> = variables
        .iter()
        .enumerate()
        .map(|(column, &variable)| (variable, (column as u32, ExprId::ONE)))
        .collect();
    sweep(pool, expressions, &seeds, budget)
}

/// The partial derivatives of one expression, zeros included.
pub fn gradient(
    pool: &mut Pool,
    expression: ExprId,
    variables: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let rows = jacobian(pool, &[expression], variables, budget)?;
    let mut dense = vec![ExprId::ZERO; variables.len()];
    for &(column, value) in rows.iter().flatten() {
        dense[column as usize] = value;
    }
    Ok(dense)
}

/// The partial derivative of one expression with respect to one symbol.
///
/// ```
/// use isotrope_algebra::{Budget, Pool, calculus::derivative};
/// let mut pool = Pool::new();
/// let x = pool.symbol("x");
/// let square = pool.powi(x, 2);
/// let twice = pool.add(x, x);
/// assert_eq!(derivative(&mut pool, square, x, &mut Budget::new(100)).unwrap(), twice);
/// ```
pub fn derivative(
    pool: &mut Pool,
    expression: ExprId,
    variable: ExprId,
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    let rows = jacobian(pool, &[expression], &[variable], budget)?;
    Ok(rows[0].first().map_or(ExprId::ZERO, |entry| entry.1))
}

/// The derivative along a curve or vector field: `sum_k (d e / d x_k) rate_k` for the given
/// (symbol, rate) pairs. The total time derivative has rates `(q, q')`, `(q', q'')`, `(t, 1)`.
pub fn directional_derivative(
    pool: &mut Pool,
    expressions: &[ExprId],
    rates: &[(ExprId, ExprId)],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let seeds: FxHashMap<ExprId, (u32, ExprId)> = rates
        .iter()
        .filter(|(_, rate)| !rate.is_zero())
        .map(|&(symbol, rate)| (symbol, (0, rate)))
        .collect();
    let rows = sweep(pool, expressions, &seeds, budget)?;
    Ok(rows.into_iter().map(|row| row.first().map_or(ExprId::ZERO, |entry| entry.1)).collect())
}

/// Sparse rows of all nodes of a sweep, stored in one vector.
struct Rows {
    spans: Vec<(u32, u32)>,
    entries: Vec<(u32, ExprId)>,
}

impl Rows {
    fn get(&self, slot: usize) -> &[(u32, ExprId)] {
        let (start, end) = self.spans[slot];
        &self.entries[start as usize..end as usize]
    }
}

fn sweep(
    pool: &mut Pool,
    expressions: &[ExprId],
    seeds: &FxHashMap<ExprId, (u32, ExprId)>,
    budget: &mut Budget,
) -> Result<SparseRows, OutOfBudget> {
    let order = pool.walk(expressions);
    budget.spend(order.len() as u64, DOING)?;
    let mut rows = Rows { spans: Vec::with_capacity(order.len()), entries: Vec::new() };
    // (column, factor, derivative): contributions of one node, before they are summed.
    let mut parts: Vec<(u32, ExprId, ExprId)> = Vec::new();
    for &id in &order {
        let start = rows.entries.len();
        parts.clear();
        match pool.node(id) {
            Node::Number(_) | Node::Pi | Node::Undefined => {}
            Node::Symbol(_) => {
                if let Some(&seed) = seeds.get(&id) {
                    rows.entries.push(seed);
                }
            }
            Node::Sum(pairs) => {
                for (term, coefficient) in pairs.iter() {
                    for &(column, value) in rows.get(pool.slot(term)) {
                        parts.push((column, coefficient, value));
                    }
                }
                sum_parts(pool, &mut parts, &mut rows.entries, true);
            }
            Node::Product(_) => {
                product_parts(pool, id, &rows, &mut parts);
                sum_parts(pool, &mut parts, &mut rows.entries, false);
            }
            Node::Call(function, argument) => {
                let slot = pool.slot(argument);
                if !rows.get(slot).is_empty() {
                    let outer = function.derivative(pool, argument, id);
                    parts.extend(rows.get(slot).iter().map(|&(c, value)| (c, outer, value)));
                }
                sum_parts(pool, &mut parts, &mut rows.entries, false);
            }
            Node::Atan2(y, x) => {
                let (slot_y, slot_x) = (pool.slot(y), pool.slot(x));
                if !(rows.get(slot_y).is_empty() && rows.get(slot_x).is_empty()) {
                    let (y2, x2) = (pool.powi(y, 2), pool.powi(x, 2));
                    let norm = pool.add(x2, y2);
                    let by_y = pool.div(x, norm);
                    let minus_y = pool.neg(y);
                    let by_x = pool.div(minus_y, norm);
                    parts.extend(rows.get(slot_y).iter().map(|&(c, value)| (c, by_y, value)));
                    parts.extend(rows.get(slot_x).iter().map(|&(c, value)| (c, by_x, value)));
                }
                sum_parts(pool, &mut parts, &mut rows.entries, false);
            }
            Node::System(_) => system_parts(pool, id, &mut rows),
            Node::Solution { system, index } => {
                let systems: Vec<_> = rows.get(pool.slot(system)).to_vec();
                for (column, derived) in systems {
                    let value = pool.solution(derived, index);
                    rows.entries.push((column, value));
                }
            }
        }
        let end = rows.entries.len();
        budget.spend((end - start) as u64, DOING)?;
        rows.spans.push((start as u32, end as u32));
    }
    Ok(expressions.iter().map(|&id| rows.get(pool.slot(id)).to_vec()).collect())
}

/// Adds up contributions column by column. With `numeric` the factors are numbers.
fn sum_parts(
    pool: &mut Pool,
    parts: &mut [(u32, ExprId, ExprId)],
    out: &mut Vec<(u32, ExprId)>,
    numeric: bool,
) {
    if !parts.is_sorted_by_key(|part| part.0) {
        parts.sort_by_key(|part| part.0);
    }
    let mut terms: smallvec::SmallVec<[(ExprId, ExprId); 8]> = smallvec::SmallVec::new();
    for group in parts.chunk_by(|a, b| a.0 == b.0) {
        terms.clear();
        for &(_, factor, value) in group {
            terms.push(if numeric {
                (value, factor)
            } else {
                (pool.mul(factor, value), ExprId::ONE)
            });
        }
        let value = match terms[..] {
            [(value, ExprId::ONE)] => value,
            _ => pool.sum_of_scaled(&terms),
        };
        if !value.is_zero() {
            out.push((group[0].0, value));
        }
    }
}

/// Product rule: for each factor `b^e`, `e b^(e-1)` times the others, times `db`;
/// and `log(b)` times the product, times `de`.
fn product_parts(pool: &mut Pool, id: ExprId, rows: &Rows, parts: &mut Vec<(u32, ExprId, ExprId)>) {
    let Node::Product(pairs) = pool.node(id) else { return };
    let pairs: smallvec::SmallVec<[(ExprId, ExprId); 8]> = pairs.iter().collect();
    for (base, exponent) in pairs {
        let row = rows.get(pool.slot(base));
        if !row.is_empty() {
            let outer = pool.lower_power(id, base, exponent);
            parts.extend(row.iter().map(|&(column, value)| (column, outer, value)));
        }
        let row = rows.get(pool.slot(exponent));
        if !row.is_empty() {
            let logarithm = pool.call(Function::Log, base);
            let outer = pool.mul(logarithm, id);
            parts.extend(row.iter().map(|&(column, value)| (column, outer, value)));
        }
    }
}

/// `A x = b` gives `A x' = b' - A' x`: the same matrix, another right-hand side.
fn system_parts(pool: &mut Pool, id: ExprId, rows: &mut Rows) {
    let Node::System(system) = pool.node(id) else { return };
    let entries: Vec<_> = system.entries().collect();
    let right: Vec<_> = system.right().collect();
    let mut columns: Vec<u32> = Vec::new();
    for child in entries.iter().map(|entry| entry.2).chain(right.iter().copied()) {
        columns.extend(rows.get(pool.slot(child)).iter().map(|entry| entry.0));
    }
    columns.sort_unstable();
    columns.dedup();
    for column in columns {
        let partial = |pool: &Pool, rows: &Rows, child: ExprId| {
            let row = rows.get(pool.slot(child));
            row.binary_search_by_key(&column, |entry| entry.0).ok().map(|k| row[k].1)
        };
        let mut terms: Vec<Vec<ExprId>> =
            right.iter().map(|&value| partial(pool, rows, value).into_iter().collect()).collect();
        for &(row, unknown, value) in &entries {
            if let Some(rate) = partial(pool, rows, value) {
                let x = pool.solution(id, unknown);
                let term = pool.mul(rate, x);
                let term = pool.neg(term);
                terms[row as usize].push(term);
            }
        }
        let derived: Vec<_> = terms.iter().map(|terms| pool.sum(terms)).collect();
        if derived.iter().all(|value| value.is_zero()) {
            continue;
        }
        let system = pool.system(&entries, &derived);
        rows.entries.push((column, system));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_rule_and_chain_rule() {
        let mut pool = Pool::new();
        let (x, y) = (pool.symbol("x"), pool.symbol("y"));
        let xy = pool.mul(x, y);
        let f = pool.call(Function::Sin, xy);
        let rows = jacobian(&mut pool, &[f], &[x, y], &mut Budget::new(100)).unwrap();
        let cosine = pool.call(Function::Cos, xy);
        let (dx, dy) = (pool.mul(y, cosine), pool.mul(x, cosine));
        assert_eq!(rows[0], vec![(0, dx), (1, dy)]);
    }

    #[test]
    fn the_derivative_of_an_unevaluated_solution_solves_the_differentiated_system() {
        // x = 1/a as a 1x1 system is divided at once; use 2x2 diag(a, 1).
        let mut pool = Pool::new();
        let a = pool.symbol("a");
        let x = pool.solve_node(&[(0, 0, a), (1, 1, ExprId::ONE)], &[ExprId::ONE, a]);
        let d = derivative(&mut pool, x[0], a, &mut Budget::new(1000)).unwrap();
        let minus = pool.neg(x[0]);
        let expected = pool.solve_node(&[(0, 0, a), (1, 1, ExprId::ONE)], &[minus, ExprId::ONE]);
        assert_eq!(d, expected[0]);
    }
}
