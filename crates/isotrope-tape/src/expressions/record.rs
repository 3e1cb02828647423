//! Recording: from steps to values of a builder.

use isotrope_algebra::ExprId;
use rustc_hash::FxHashMap;

use super::{ExpressionError, Formulas, Step, sum};
use crate::math::{self, Arithmetic};
use crate::{BinaryFunction, Builder, Function, ValueId};

impl Formulas {
    /// Records the expressions with these values of their symbols; gives the values of the
    /// expressions.
    pub fn record(
        &self,
        builder: &mut Builder,
        symbols: &FxHashMap<ExprId, ValueId>,
    ) -> Result<Vec<ValueId>, ExpressionError> {
        let mut values: Vec<ValueId> = Vec::with_capacity(self.steps.len());
        let mut solutions: FxHashMap<u32, Vec<ValueId>> = FxHashMap::default();
        let mut factors = vec![None; self.matrices.len()];
        for (at, step) in self.steps.iter().enumerate() {
            let value = match *step {
                Step::Constant(value) => builder.constant(value),
                Step::Symbol(k) => {
                    let (symbol, name) = &self.symbols[k as usize];
                    let unknown = || ExpressionError::UnknownSymbol { name: name.clone() };
                    *symbols.get(symbol).ok_or_else(unknown)?
                }
                Step::Sum(ref sum) => sum.record(builder, &values),
                Step::Product(ref product) => product.record(builder, &values),
                Step::Scaled(factor, slot) => sum::scaled(builder, factor, values[slot.0 as usize]),
                Step::Call(function, slot) => call(builder, function, values[slot.0 as usize]),
                Step::Atan2(y, x) => {
                    let (y, x) = (values[y.0 as usize], values[x.0 as usize]);
                    builder.call2(BinaryFunction::Atan2, y, x)
                }
                Step::System(matrix, ref right) => {
                    let factors = &mut factors[matrix as usize];
                    let matrix = &self.matrices[matrix as usize];
                    let solution = matrix.solve(builder, &values, right, factors);
                    // Nothing but its components uses the value of a system.
                    let first = solution.first().copied();
                    solutions.insert(at as u32, solution);
                    first.unwrap_or(ValueId(0))
                }
                Step::Component(system, index) => solutions[&system.0][index as usize],
            };
            values.push(value);
        }
        Ok(self.outputs.iter().map(|slot| values[slot.0 as usize]).collect())
    }
}

/// A function from the table, expanded where that is faster than a call. Sine and cosine of one
/// argument are the same operations up to the last ones, so the builder shares them.
fn call(builder: &mut Builder, function: Function, x: ValueId) -> ValueId {
    let expand = builder.passes.expand;
    match function {
        Function::Sin if expand => builder.strictly(|b| math::sincos(b, x)).0,
        Function::Cos if expand => builder.strictly(|b| math::sincos(b, x)).1,
        Function::Exp if expand => builder.strictly(|b| math::exp(b, x)),
        Function::Log if expand => builder.strictly(|b| math::log(b, x)),
        Function::Abs => builder.abs(x),
        Function::Heaviside => {
            let (zero, one) = (builder.constant(0.0), builder.constant(1.0));
            let before = builder.less(x, zero);
            builder.select(before, zero, one)
        }
        Function::Sign => {
            let numbers = [0.0, 1.0, -1.0].map(|number| builder.constant(number));
            let [zero, one, minus] = numbers;
            let (above, below) = (builder.less(zero, x), builder.less(x, zero));
            // 0, with no slope, and not a number where the argument is none.
            let otherwise = builder.mul(zero, x);
            let otherwise = builder.select(below, minus, otherwise);
            builder.select(above, one, otherwise)
        }
        _ => builder.call(function, x),
    }
}
