//! Rigorous real evaluation: every value comes with an enclosure.

use rustc_hash::FxHashMap;

use super::program::BallProgram;
use crate::number::{Ball, EvaluationError, Precision};
use crate::pool::{ExprId, Pool};

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
    let mut program = BallProgram::new(precision);
    let symbols = pool.reachable(expressions);
    let inputs: Vec<Ball> = symbols
        .iter()
        .filter_map(|symbol| {
            let value = values.get(symbol)?;
            program.input(*symbol);
            Some(value.clone())
        })
        .collect();
    program.outputs(pool, expressions)?;
    program.run(&inputs)
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
