//! Times at which a field has kinks or jumps: the zeros of what stands in `abs`, `sign` and `heaviside` and depends on
//! nothing but the time. Tables of inputs are written with `heaviside`, so their rows are among them.

use isotrope_algebra::calculus::derivative;
use isotrope_algebra::evaluate::BallProgram;
use isotrope_algebra::{Budget, ExprId, Node, Pool, Precision, Smoothness};

/// More than enough for the derivative of an argument.
const BUDGET: u64 = 1_000_000;
/// Bits of enclosures where a zero is a quotient, and where it has to be searched for.
const QUOTIENT_BITS: u32 = 128;
const SEARCH_BITS: u32 = 96;

/// Functions of time and parameters whose zeros are switching times, as programs on balls with the parameters and, last,
/// the time as inputs.
#[derive(Debug, Clone, Default)]
pub struct Switches {
    /// a t + b: all values, then all slopes.
    pub(crate) affine: Option<BallProgram>,
    /// Others, each with its derivative.
    pub(crate) curved: Vec<[BallProgram; 2]>,
}

impl Switches {
    /// The switches of expressions.
    pub(super) fn new(
        pool: &mut Pool,
        expressions: &[ExprId],
        moving: &[ExprId],
        parameters: &[ExprId],
        time: ExprId,
    ) -> Self {
        let mut arguments: Vec<ExprId> = Vec::new();
        for id in pool.reachable(expressions) {
            if let Node::Call(function, argument) = pool.node(id)
                && function.smoothness() != Smoothness::Analytic
                && pool.depends_on(argument, &[time])
                && !pool.depends_on(argument, moving)
            {
                arguments.push(argument);
            }
        }
        arguments.sort_unstable();
        arguments.dedup();
        let (mut values, mut slopes, mut switches) = (Vec::new(), Vec::new(), Self::default());
        let program = |pool: &Pool, bits: u32, outputs: &[ExprId]| {
            let mut program = BallProgram::new(Precision::new(bits));
            parameters.iter().chain([&time]).for_each(|&symbol| program.input(symbol));
            program.outputs(pool, outputs).is_ok().then_some(program)
        };
        for argument in arguments {
            let Ok(slope) = derivative(pool, argument, time, &mut Budget::new(BUDGET)) else {
                continue;
            };
            if !pool.depends_on(slope, &[time]) && !has_branches(pool, argument) {
                values.push(argument);
                slopes.push(slope);
            } else if let Some(value) = program(pool, SEARCH_BITS, &[argument])
                && let Some(slope) = program(pool, SEARCH_BITS, &[slope])
            {
                switches.curved.push([value, slope]);
            }
        }
        values.append(&mut slopes);
        if !values.is_empty() {
            switches.affine = program(pool, QUOTIENT_BITS, &values);
        }
        switches
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.affine.is_none() && self.curved.is_empty()
    }
}

/// Is there a kink or a jump inside an argument? Then a constant slope does not say that it is affine.
fn has_branches(pool: &Pool, argument: ExprId) -> bool {
    pool.reachable(&[argument]).into_iter().any(|id| {
        matches!(pool.node(id), Node::Call(function, _) if function.smoothness() != Smoothness::Analytic)
    })
}
