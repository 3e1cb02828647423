//! Expressions of a model at places of a trajectory.

use isotrope_algebra::{ExprId, Pool};
use isotrope_derive::System;
use isotrope_tape::interpret::{Scratch, step};
use isotrope_tape::{Builder, ExpressionError, Formulas, Program, ProgramError};
use rustc_hash::FxHashMap;

/// A place (t, q, v).
pub(crate) type Place<'a> = (f64, &'a [f64], &'a [f64]);

/// A list of expressions in positions, velocities, the time and parameters, ready to be evaluated.
#[derive(Debug, Clone)]
pub(crate) struct Evaluated {
    program: Program,
    /// How many positions and velocities it takes.
    lengths: [usize; 2],
    count: usize,
}

/// Why expressions cannot be evaluated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EvaluatedError {
    /// A name without a value, or an expression without one.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A program; never seen.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl Evaluated {
    /// From expressions of a pool that has the symbols of the system.
    pub fn new(
        system: &System,
        pool: &Pool,
        expressions: &[ExprId],
    ) -> Result<Self, EvaluatedError> {
        let symbols = &system.symbols;
        let moving = symbols.position.iter().chain(&symbols.velocity);
        let inputs: Vec<ExprId> = moving.chain([&symbols.time]).copied().collect();
        let lengths = [symbols.position.len(), symbols.velocity.len()];
        Ok(Self { lengths, ..Self::of_inputs(system, pool, expressions, &inputs)? })
    }

    /// From expressions in these symbols and the parameters of the system.
    pub fn of_inputs(
        system: &System,
        pool: &Pool,
        expressions: &[ExprId],
        inputs: &[ExprId],
    ) -> Result<Self, EvaluatedError> {
        let formulas = Formulas::new(pool, expressions)?;
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let first = count(inputs.len());
        let parameters = &system.model.parameters;
        let mut builder = Builder::new(first + count(expressions.len()), count(parameters.len()));
        let mut known: FxHashMap<ExprId, _> =
            (0..).zip(inputs).map(|(k, &input)| (input, builder.state(k))).collect();
        for (k, parameter) in (0..).zip(parameters) {
            known.insert(parameter.symbol, builder.parameter(k));
        }
        for (k, result) in (first..).zip(formulas.record(&mut builder, &known)?) {
            builder.store(k, result);
        }
        Ok(Self { program: builder.finish()?, lengths: [0, 0], count: expressions.len() })
    }

    /// The values at a place; `None` where one of them is not finite, or where it is not a point of the
    /// system.
    pub fn at(
        &self,
        (t, q, v): Place<'_>,
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Option<Vec<f64>> {
        if [q.len(), v.len()] != self.lengths {
            return None;
        }
        self.with([q, v, &[t]].concat(), parameters, scratch)
    }

    /// The values for these inputs.
    pub fn with(
        &self,
        inputs: Vec<f64>,
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Option<Vec<f64>> {
        let mut state = inputs;
        self.within(&mut state, parameters, scratch).map(<[f64]>::to_vec)
    }

    /// The values for the inputs in a buffer, in that buffer.
    pub fn within<'b>(
        &self,
        buffer: &'b mut Vec<f64>,
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Option<&'b [f64]> {
        let first = buffer.len();
        buffer.resize(self.program.state as usize, 0.0);
        step(&self.program, buffer, parameters, scratch).is_complete().then_some(())?;
        Some(&buffer[first..first + self.count])
    }
}
