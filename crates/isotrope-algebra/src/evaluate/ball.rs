//! Rigorous real evaluation: every value comes with an enclosure.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::number::{Ball, EvaluationError, Precision};
use crate::pool::{ExprId, Function, Node, Pool, System};

/// Why an expression has no real value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateError {
    /// A function left its domain, a denominator vanished, or more bits are needed.
    #[error(transparent)]
    Number(#[from] EvaluationError),
    /// The expression contains `undefined`.
    #[error("the expression is undefined")]
    Undefined,
    /// A symbol has no value.
    #[error("`{name}` has no value")]
    UnknownSymbol {
        /// The symbol's name.
        name: String,
    },
}

/// Enclosures of several expressions, where `values` encloses their symbols.
///
/// ```
/// use isotrope_algebra::{ExprId, Pool, evaluate::evaluate_ball, number::Precision};
/// let mut pool = Pool::new();
/// let root = pool.sqrt(ExprId::TWO);
/// let ball = evaluate_ball(&pool, root, &Default::default(), Precision::new(128)).unwrap();
/// assert_eq!(ball.to_f64(), 2f64.sqrt());
/// ```
pub fn evaluate_balls(
    pool: &Pool,
    expressions: &[ExprId],
    values: &FxHashMap<ExprId, Ball>,
    precision: Precision,
) -> Result<Vec<Ball>, EvaluateError> {
    let mut known: FxHashMap<ExprId, Ball> = FxHashMap::default();
    let mut solved: FxHashMap<ExprId, Vec<Ball>> = FxHashMap::default();
    for id in pool.reachable(expressions) {
        let ball = match pool.node(id) {
            Node::Number(value) => Ball::from_rational(value, precision),
            Node::Pi => Ball::pi(precision),
            Node::Undefined => return Err(EvaluateError::Undefined),
            Node::Symbol(symbol) => match values.get(&id) {
                Some(ball) => ball.clone(),
                None => {
                    let name = pool.symbol_name(symbol).to_owned();
                    return Err(EvaluateError::UnknownSymbol { name });
                }
            },
            Node::Sum(pairs) => {
                let mut sum = Ball::zero(precision);
                for (term, coefficient) in pairs.iter() {
                    sum = sum.add(&known[&term].mul(&known[&coefficient])?);
                }
                sum
            }
            Node::Product(pairs) => {
                let mut product = Ball::one(precision);
                for (base, exponent) in pairs.iter() {
                    let power = match pool.as_number(exponent) {
                        Some(number) => match number.as_integer() {
                            Some(n) => known[&base].powi(n)?,
                            None => known[&base].pow_rational(number)?,
                        },
                        None => known[&base].pow(&known[&exponent])?,
                    };
                    product = product.mul(&power)?;
                }
                product
            }
            Node::Call(function, argument) => call(function, &known[&argument])?,
            Node::Atan2(y, x) => known[&y].atan2(&known[&x])?,
            Node::System(system) => {
                solved.insert(id, solve(system, &known, precision)?);
                Ball::zero(precision)
            }
            Node::Solution { system, index } => solved[&system][index as usize].clone(),
        };
        known.insert(id, ball);
    }
    Ok(expressions.iter().map(|id| known[id].clone()).collect())
}

/// An enclosure of one expression.
pub fn evaluate_ball(
    pool: &Pool,
    expression: ExprId,
    values: &FxHashMap<ExprId, Ball>,
    precision: Precision,
) -> Result<Ball, EvaluateError> {
    evaluate_balls(pool, &[expression], values, precision)
        .map(|mut balls| balls.pop().unwrap_or_else(|| Ball::zero(precision)))
}

fn call(function: Function, u: &Ball) -> Result<Ball, EvaluationError> {
    match function {
        Function::Sin => u.sin(),
        Function::Cos => u.cos(),
        Function::Tan => u.tan(),
        Function::Asin => u.asin(),
        Function::Acos => u.acos(),
        Function::Atan => u.atan(),
        Function::Sinh => u.sinh(),
        Function::Cosh => u.cosh(),
        Function::Tanh => u.tanh(),
        Function::Exp => u.exp(),
        Function::Log => u.log(),
        Function::Abs => Ok(u.abs()),
    }
}

/// Sparse elimination: in each column the largest pivot among the rows left.
fn solve(
    system: System<'_>,
    known: &FxHashMap<ExprId, Ball>,
    precision: Precision,
) -> Result<Vec<Ball>, EvaluationError> {
    let size = system.size();
    let mut rows: Vec<(BTreeMap<u32, Ball>, Ball)> =
        system.right().map(|value| (BTreeMap::new(), known[&value].clone())).collect();
    for (row, column, value) in system.entries() {
        rows[row as usize].0.insert(column, known[&value].clone());
    }
    let mut pivots: Vec<(BTreeMap<u32, Ball>, Ball)> = Vec::with_capacity(size);
    for column in 0..size as u32 {
        let best = (0..rows.len())
            .filter(|&row| rows[row].0.get(&column).is_some_and(Ball::excludes_zero))
            .max_by(|&a, &b| {
                let size = |row: usize| rows[row].0[&column].to_f64().abs();
                size(a).total_cmp(&size(b)).then(b.cmp(&a))
            })
            .ok_or(EvaluationError::DivisionByZero)?;
        let (pivot, right) = rows.swap_remove(best);
        let inverse = pivot[&column].recip()?;
        for (entries, side) in &mut rows {
            let Some(entry) = entries.remove(&column) else { continue };
            let factor = entry.mul(&inverse)?;
            for (&k, value) in pivot.range(column + 1..) {
                let part = factor.mul(value)?;
                let old = entries.remove(&k).unwrap_or_else(|| Ball::zero(precision));
                entries.insert(k, old.sub(&part));
            }
            *side = side.sub(&factor.mul(&right)?);
        }
        pivots.push((pivot, right));
    }
    let mut solution = vec![Ball::zero(precision); size];
    for column in (0..size).rev() {
        let (pivot, right) = &pivots[column];
        let mut value = right.clone();
        for (&k, entry) in pivot.range(column as u32 + 1..) {
            value = value.sub(&entry.mul(&solution[k as usize])?);
        }
        let diagonal = pivot.get(&(column as u32)).ok_or(EvaluationError::DivisionByZero)?;
        solution[column] = value.div(diagonal)?;
    }
    Ok(solution)
}
