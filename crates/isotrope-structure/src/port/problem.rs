//! The equations, taken apart.

use isotrope_algebra::calculus::{Substitution, derivative, substitute};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::{PortError, Values};

/// The most states.
const STATES: usize = 10;

/// `x' = f(x, u)` with `f` affine in the inputs.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The states.
    pub states: Vec<ExprId>,
    /// Their rates.
    pub rates: Vec<ExprId>,
    /// The inputs.
    pub inputs: Vec<ExprId>,
    /// The outputs, as functions of the states.
    pub outputs: Vec<ExprId>,
    /// The rates without inputs.
    pub drift: Vec<ExprId>,
    /// The columns of the inputs.
    pub columns: Vec<Vec<ExprId>>,
    /// Values of parameters.
    pub values: Values,
    /// All symbols that occur beside the states.
    pub symbols: Vec<ExprId>,
}

impl Problem {
    /// Takes the inputs out of the rates.
    pub fn new(
        pool: &mut Pool,
        states: Vec<ExprId>,
        rates: Vec<ExprId>,
        inputs: Vec<ExprId>,
        outputs: Vec<ExprId>,
        values: Values,
        budget: &mut Budget,
    ) -> Result<Self, PortError> {
        if states.len() > STATES {
            return Err(PortError::TooManyStates { states: states.len(), limit: STATES });
        }
        let name = |pool: &Pool, id: ExprId| pool.label(id);
        if let Some(t) = pool.find_symbol("t")
            && !states.contains(&t)
            && let Some(place) = rates.iter().position(|&f| pool.depends_on(f, &[t]))
        {
            return Err(PortError::Time { state: name(pool, states[place]) });
        }
        if rates.contains(&ExprId::UNDEFINED) {
            return Err(PortError::Undefined);
        }
        let mut columns = Vec::with_capacity(inputs.len());
        for &input in &inputs {
            let mut column = Vec::with_capacity(rates.len());
            for (&state, &rate) in states.iter().zip(&rates) {
                let slope = derivative(pool, rate, input, budget)?;
                let slope = simplify(pool, slope, budget);
                for &other in &inputs {
                    let bend = derivative(pool, slope, other, budget)?;
                    if is_zero(pool, bend, budget) != Zero::Yes {
                        let (state, input) = (name(pool, state), name(pool, input));
                        return Err(PortError::NotAffine { state, input });
                    }
                }
                column.push(slope);
            }
            columns.push(column);
        }
        let without: Substitution = inputs.iter().map(|&u| (u, ExprId::ZERO)).collect();
        let columns: Vec<Vec<ExprId>> = columns
            .into_iter()
            .map(|column| substitute(pool, &column, &without, budget))
            .collect::<Result<_, _>>()?;
        let drift = substitute(pool, &rates, &without, budget)?;
        let drift = drift.into_iter().map(|f| simplify(pool, f, budget)).collect();
        let symbols = pool.symbols_in(&rates).into_iter().filter(|s| !states.contains(s)).collect();
        Ok(Self { states, rates, inputs, outputs, drift, columns, values, symbols })
    }
}
