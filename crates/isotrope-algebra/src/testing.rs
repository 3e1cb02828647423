//! Random expressions for property tests.

use proptest::prelude::*;

use crate::{ExprId, Function, Pool};

/// Symbols that random expressions use.
pub(crate) const SYMBOLS: [&str; 10] =
    ["x", "y", "theta1", "x'", "theta1'", "m", "g", "p_x", "q[2]", "q[10]'"];

/// How to build an expression in any pool; parts may be used many times.
#[derive(Debug, Clone)]
pub(crate) struct Recipe(Vec<Step>);

/// One step; operands are positions counted back from the last result.
#[derive(Debug, Clone)]
enum Step {
    Number(i64, i64),
    Pi,
    Symbol(usize),
    Add(usize, usize),
    Subtract(usize, usize),
    Multiply(usize, usize),
    Divide(usize, usize),
    RationalPower(usize, i64, i64),
    Power(usize, usize),
    Call(Function, usize),
    Atan2(usize, usize),
    Solve { size: usize, first: usize, component: usize },
}

fn any_step() -> impl Strategy<Value = Step> {
    let back = || 0usize..12;
    let pair = move || (back(), back());
    prop_oneof![
        3 => (-12i64..13, 1i64..7).prop_map(|(n, d)| Step::Number(n, d)),
        1 => Just(Step::Pi),
        8 => (0..SYMBOLS.len()).prop_map(Step::Symbol),
        5 => pair().prop_map(|(a, b)| Step::Add(a, b)),
        4 => pair().prop_map(|(a, b)| Step::Subtract(a, b)),
        6 => pair().prop_map(|(a, b)| Step::Multiply(a, b)),
        3 => pair().prop_map(|(a, b)| Step::Divide(a, b)),
        3 => (back(), -3i64..4, 1i64..4).prop_map(|(a, n, d)| Step::RationalPower(a, n, d)),
        1 => pair().prop_map(|(a, b)| Step::Power(a, b)),
        4 => (0..Function::ALL.len(), back()).prop_map(|(f, a)| Step::Call(Function::ALL[f], a)),
        1 => pair().prop_map(|(a, b)| Step::Atan2(a, b)),
        1 => (2usize..9, back(), 0usize..9)
            .prop_map(|(size, first, component)| Step::Solve { size, first, component }),
    ]
}

/// A random expression with up to 24 steps: all functions, rationals, powers, solve nodes.
pub(crate) fn any_expression() -> impl Strategy<Value = Recipe> {
    prop::collection::vec(any_step(), 1..24).prop_map(Recipe)
}

impl Recipe {
    /// Is the canonical form the same, up to signs, whatever was made first in the pool?
    ///
    /// Two rules of the pool depend on creation order: acos(-u) is pi - acos(u) for the u that
    /// begins with plus, and (x - y) merges with a root of x - y only if it begins with plus.
    pub(crate) fn is_independent_of_creation(&self) -> bool {
        self.0.iter().all(|step| match step {
            Step::Call(function, _) => *function != Function::Acos,
            Step::RationalPower(_, n, d) => n % d == 0,
            Step::Power(..) => false,
            _ => true,
        })
    }

    /// Builds the expression; the last step is the result.
    pub(crate) fn build(&self, pool: &mut Pool) -> ExprId {
        let mut made = vec![ExprId::ONE];
        for step in &self.0 {
            let at = |back: usize| made[made.len() - 1 - back % made.len()];
            let value = match *step {
                Step::Number(n, d) => pool.ratio(n, d),
                Step::Pi => ExprId::PI,
                Step::Symbol(symbol) => pool.symbol(SYMBOLS[symbol]),
                Step::Add(a, b) => pool.add(at(a), at(b)),
                Step::Subtract(a, b) => pool.sub(at(a), at(b)),
                Step::Multiply(a, b) => pool.mul(at(a), at(b)),
                Step::Divide(a, b) => pool.div(at(a), at(b)),
                Step::RationalPower(a, n, d) => {
                    let exponent = pool.ratio(n, d);
                    pool.power(at(a), exponent)
                }
                // Towers of numbers are a matter of limits, not of algebra.
                Step::Power(a, b) if pool.as_number(at(b)).is_some_and(|n| n.bits() > 8) => at(a),
                Step::Power(a, b) => pool.power(at(a), at(b)),
                Step::Call(function, a) => pool.call(function, at(a)),
                Step::Atan2(a, b) => pool.atan2(at(a), at(b)),
                Step::Solve { size, first, component } => {
                    let mut entries: Vec<_> = (0..2 * size)
                        .map(|k| ((k / 2) as u32, ((k + k / 3) % size) as u32, at(first + k)))
                        .collect();
                    entries.dedup_by_key(|entry| (entry.0, entry.1));
                    let right: Vec<_> = (0..size).map(|k| at(first + 2 * k)).collect();
                    pool.solve_node(&entries, &right)[component % size]
                }
            };
            // One undefined part would make everything after it undefined.
            made.push(if value == ExprId::UNDEFINED { pool.symbol("x") } else { value });
        }
        made[made.len() - 1]
    }
}
