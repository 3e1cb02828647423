//! Expressions by themselves: written, compared, evaluated.

use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::print::{math_element, to_latex, to_mathml, to_text};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_model::codes::ExpressionCode;
use isotrope_tape::backend::{Backend, Machine};
use isotrope_tape::interpret::Scratch;
use isotrope_tape::{Builder, Formulas};
use rustc_hash::FxHashMap;

use crate::failure::Failure;
use crate::host::Host;

/// Operations for writing an expression.
const WRITE: u64 = 50_000_000;

/// An expression in symbols.
///
/// ```
/// use isotrope::{Expression, Host};
/// let energy = Expression::parse("m*(x'^2 + y'^2)/2")?;
/// assert_eq!(energy.symbols(), ["m", "x'", "y'"]);
/// assert_eq!(energy.latex()?, "\\frac{m \\left(\\dot{x}^{2} + \\dot{y}^{2}\\right)}{2}");
/// let same = Expression::parse("m*x'^2/2 + m*y'^2/2")?;
/// assert_eq!(energy.equals(&same, &Host::new())?, Some(true));
/// let formula = energy.formula(&["x'", "y'", "m"])?;
/// assert_eq!(formula.values(&[&[3.0], &[4.0], &[2.0]])?, [25.0]);
/// # Ok::<(), isotrope::Failure>(())
/// ```
#[derive(Debug, Clone)]
pub struct Expression {
    pool: Pool,
    id: ExprId,
}

/// An expression as machine code: numbers in, numbers out, with the bits that runs have.
#[derive(Debug)]
pub struct Formula {
    machine: Machine,
    inputs: usize,
}

fn too_long(error: OutOfBudget) -> Failure {
    let code = ExpressionCode::OutOfBudget;
    Failure::because(&error, (code, &error, code.hint()))
}

impl Expression {
    /// Reads a text in the grammar of model files; every name is a symbol.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let mut pool = Pool::new();
        let id = parse_expression(&mut pool, text).map_err(|error| {
            let code = ExpressionCode::Syntax;
            Failure::in_text(
                "expression",
                text,
                0..text.len(),
                (code.into(), error.to_string(), code.hint()),
            )
        })?;
        Ok(Self { pool, id })
    }

    /// As text that reads back.
    pub fn text(&self) -> Result<String, Failure> {
        to_text(&self.pool, self.id, &mut Budget::new(WRITE)).map_err(too_long)
    }

    /// In LaTeX, for math mode.
    pub fn latex(&self) -> Result<String, Failure> {
        to_latex(&self.pool, self.id, &mut Budget::new(WRITE)).map_err(too_long)
    }

    /// In MathML.
    pub fn mathml(&self) -> Result<String, Failure> {
        let content = to_mathml(&self.pool, self.id, &mut Budget::new(WRITE)).map_err(too_long)?;
        Ok(math_element(&content, false))
    }

    /// The names that occur in it, in alphabetical order.
    #[must_use]
    pub fn symbols(&self) -> Vec<String> {
        let symbols = self.pool.symbols_in(&[self.id]);
        let mut names: Vec<String> =
            symbols.into_iter().filter_map(|id| self.pool.name_of(id).map(str::to_owned)).collect();
        names.sort();
        names
    }

    /// Is it equal to another one wherever both have values? Proved, either way, or `None`: not decided.
    pub fn equals(&self, other: &Self, host: &Host) -> Result<Option<bool>, Failure> {
        host.quietly("comparing expressions", || {
            let mut pool = self.pool.clone();
            let text = other.text()?;
            let other = parse_expression(&mut pool, &text).map_err(|error| {
                let code = ExpressionCode::Syntax;
                Failure::plain(code, error, code.hint())
            })?;
            let difference = pool.sub(self.id, other);
            Ok(match is_zero(&mut pool, difference, &mut host.budget(host.limits.analyse)) {
                Zero::Yes => Some(true),
                Zero::No => Some(false),
                Zero::Unknown { .. } => None,
            })
        })
    }

    /// As machine code, with these names as inputs in this order.
    pub fn formula(&self, names: &[&str]) -> Result<Formula, Failure> {
        let mut pool = self.pool.clone();
        let inputs: Vec<ExprId> = names.iter().map(|name| pool.symbol(name)).collect();
        let unknown = |symbol: &ExprId| !inputs.contains(symbol);
        if let Some(symbol) = pool.symbols_in(&[self.id]).into_iter().find(unknown) {
            let name = pool.name_of(symbol).unwrap_or_default();
            let code = ExpressionCode::Unknown;
            return Err(Failure::plain(code, format!("`{name}` has no value"), code.hint()));
        }
        let refuse = |error: &(dyn std::error::Error + 'static)| {
            let code = ExpressionCode::OutOfBudget;
            Failure::because(error, (code, error, code.hint()))
        };
        let count = u32::try_from(inputs.len()).unwrap_or(u32::MAX);
        let formulas = Formulas::new(&pool, &[self.id]).map_err(|error| refuse(&error))?;
        let mut builder = Builder::new(1, count);
        let known: FxHashMap<ExprId, _> =
            (0..count).zip(&inputs).map(|(k, &input)| (input, builder.parameter(k))).collect();
        let values = formulas.record(&mut builder, &known).map_err(|error| refuse(&error))?;
        for (slot, value) in (0u32..).zip(values) {
            builder.store(slot, value);
        }
        let program = builder.finish().map_err(|error| refuse(&error))?;
        let machine = Machine::new(&program, Backend::Native).map_err(|error| refuse(&error))?;
        Ok(Formula { machine, inputs: inputs.len() })
    }
}

impl Formula {
    /// The values at many places: a list of numbers for each input, all of the same length, or of length one. Where the
    /// expression has no finite value the result is not a number.
    pub fn values(&self, inputs: &[&[f64]]) -> Result<Vec<f64>, Failure> {
        let length = inputs.iter().map(|list| list.len()).find(|&length| length != 1).unwrap_or(1);
        if inputs.len() != self.inputs
            || inputs.iter().any(|list| list.len() != 1 && list.len() != length)
        {
            let code = isotrope_model::codes::RequestCode::Array;
            let message = format!("the formula takes {} lists of the same length", self.inputs);
            return Err(Failure::plain(code, message, code.hint()));
        }
        let (mut scratch, mut at) = (Scratch::default(), vec![0.0; self.inputs]);
        let mut value = [0.0];
        Ok((0..length)
            .map(|k| {
                for (place, list) in at.iter_mut().zip(inputs) {
                    *place = if list.len() == 1 { list[0] } else { list[k] };
                }
                let ended = self.machine.run(&mut value, &at, 1, &mut scratch);
                if ended.is_complete() { value[0] } else { f64::NAN }
            })
            .collect())
    }
}
