//! From expressions of the algebra to values on a tape.
//!
//! [`Formulas::new`] reads the expressions once and decides everything that needs exact numbers:
//! constants are rounded correctly, once each; denominators that occur several times become one
//! reciprocal; linear systems get their order of pivots. [`Formulas::record`] then records them as
//! often as wanted, with other values for the symbols each time (the stages of a step).

mod constant;
mod error;
mod factors;
mod plan;
mod product;
mod record;
mod solve;
mod sum;

use isotrope_algebra::{ExprId, Function, Pool};

pub use error::ExpressionError;

use product::Product;
use solve::Matrix;
use sum::Sum;

/// The number of a step of [`Formulas`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Slot(u32);

/// One value that the formulas need.
#[derive(Debug, Clone)]
enum Step {
    Constant(f64),
    /// An index into the symbols.
    Symbol(u32),
    Sum(Sum),
    Product(Product),
    /// A constant times a value.
    Scaled(f64, Slot),
    Call(Function, Slot),
    Atan2(Slot, Slot),
    /// A linear system: an index into the matrices, and the right-hand side. Its components are
    /// `Component`s.
    System(u32, Box<[Slot]>),
    /// A component of the solution of a system.
    Component(Slot, u32),
}

/// Expressions made ready for the tape.
///
/// ```
/// use isotrope_algebra::{Pool, syntax::parse_expression};
/// use isotrope_tape::{Builder, Formulas};
/// let mut pool = Pool::new();
/// let expression = parse_expression(&mut pool, "sqrt(3)/6*x + x^2")?;
/// let x = pool.symbol("x");
/// let formulas = Formulas::new(&pool, &[expression])?;
/// let mut builder = Builder::new(1, 0);
/// let values = [(x, builder.state(0))].into_iter().collect();
/// let results = formulas.record(&mut builder, &values)?;
/// builder.store(0, results[0]);
/// let program = builder.finish()?;
/// // One constant, one product, one fused multiply-add.
/// assert_eq!(program.ops.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Formulas {
    steps: Vec<Step>,
    symbols: Vec<(ExprId, String)>,
    /// Matrices of linear systems; systems with the same one share its elimination.
    matrices: Vec<Matrix>,
    outputs: Vec<Slot>,
}

impl Formulas {
    /// Plans the evaluation of several expressions, which share their common parts.
    pub fn new(pool: &Pool, expressions: &[ExprId]) -> Result<Self, ExpressionError> {
        plan::plan(pool, expressions)
    }

    /// The symbols that need values, in the order in which they are met.
    pub fn symbols(&self) -> impl ExactSizeIterator<Item = ExprId> + '_ {
        self.symbols.iter().map(|(symbol, _)| *symbol)
    }
}
