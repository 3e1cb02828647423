//! What switches by the state: the arguments of `abs`, `sign` and `heaviside` that move with it, and their gradients.

use isotrope_algebra::calculus::jacobian;
use isotrope_algebra::{Budget, ExprId, Node, Pool, Smoothness};
use isotrope_tape::math::Arithmetic as _;
use isotrope_tape::{Builder, ExpressionError, Formulas, ValueId};
use rustc_hash::FxHashMap;

use super::field::FieldError;

/// More than enough for the gradients of arguments.
const BUDGET: u64 = 10_000_000;

/// Functions of the state and of time whose signs a step should see.
#[derive(Debug, Clone)]
pub(super) struct Watched {
    /// How many there are.
    pub(super) count: usize,
    /// Their values, then the entries of their gradients.
    formulas: Formulas,
    /// Function and variable of each entry: components of the solution, then the time.
    pattern: Vec<(usize, usize)>,
}

impl Watched {
    /// The switches of expressions in the components of a solution.
    pub(super) fn new(
        pool: &mut Pool,
        expressions: &[ExprId],
        components: &[ExprId],
        time: ExprId,
    ) -> Result<Option<Self>, FieldError> {
        let mut values: Vec<ExprId> = Vec::new();
        for id in pool.reachable(expressions) {
            if let Node::Call(function, argument) = pool.node(id)
                && function.smoothness() != Smoothness::Analytic
                && pool.depends_on(argument, components)
            {
                values.push(argument);
            }
        }
        values.sort_unstable();
        values.dedup();
        let count = values.len();
        if count == 0 {
            return Ok(None);
        }
        let mut variables = components.to_vec();
        variables.push(time);
        let rows = jacobian(pool, &values, &variables, &mut Budget::new(BUDGET))?;
        let mut pattern = Vec::new();
        for (k, row) in rows.iter().enumerate() {
            for &(variable, value) in row {
                pattern.push((k, variable as usize));
                values.push(value);
            }
        }
        Ok(Some(Self { count, formulas: Formulas::new(pool, &values)?, pattern }))
    }

    /// The values, each with its rate, where the components have these rates.
    pub(super) fn record(
        &self,
        builder: &mut Builder,
        symbols: &FxHashMap<ExprId, ValueId>,
        rates: &[ValueId],
    ) -> Result<Vec<(ValueId, ValueId)>, ExpressionError> {
        let values = self.formulas.record(builder, symbols)?;
        let mut moving = vec![builder.constant(0.0); self.count];
        for (&(k, variable), &slope) in self.pattern.iter().zip(&values[self.count..]) {
            moving[k] = match rates.get(variable) {
                Some(&rate) => builder.fma(slope, rate, moving[k]),
                None => builder.add(slope, moving[k]),
            };
        }
        Ok(values.into_iter().zip(moving).collect())
    }
}
