//! Programs with derivatives: from the program of a step to one that carries rates of the state along.
//!
//! Forward mode, on the tape: the new program has the operations of the old one, in the same order
//! of rounding, and beside them those of first and, for pairs of directions, of second derivatives.
//! It is a program as any other: every back end executes it, with the same bits.
//!
//! The state of the new program is that of the old one, followed by the rates of chosen slots in
//! each direction, followed by their second derivatives for each pair of directions. Directions may
//! move parameters, too: their rates follow the parameters.
//!
//! Functions that are expanded in the tape end in a guarded operation that names them, and are
//! differentiated there. The unknowns of an iteration are functions of the state by the equations
//! they solve: with Newton's method one round at the solution, after the loop, has their rates and
//! one more their second derivatives; rates of other contractions settle in the loop.
//!
//! ```
//! use isotrope_tape::interpret::{Scratch, step};
//! use isotrope_tape::math::Arithmetic;
//! use isotrope_tape::Builder;
//! use isotrope_tape::variation::{Directions, Iteration, differentiate};
//! // x <- x³.
//! let mut builder = Builder::new(1, 0);
//! let x = builder.state(0);
//! let square = builder.mul(x, x);
//! let cube = builder.mul(square, x);
//! builder.store(0, cube);
//! let program = builder.finish()?;
//! let directions = Directions {
//!     slots: vec![0],
//!     count: 1,
//!     pairs: vec![(0, 0)],
//!     parameters: vec![],
//!     iteration: Iteration::Newton,
//! };
//! let with_rates = differentiate(&program, &directions)?;
//! // At 2, with rate 1 and no second derivative: 8, 3·2², 6·2.
//! let mut state = [2.0, 1.0, 0.0];
//! step(&with_rates, &mut state, &[], &mut Scratch::new(&with_rates));
//! assert_eq!(state, [8.0, 12.0, 12.0]);
//! # Ok::<(), isotrope_tape::ProgramError>(())
//! ```

mod functions;
mod jet;
mod recorder;
mod slots;

pub use recorder::differentiate;
pub use slots::carried_slots;

/// How the unknowns of the iteration depend on the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Iteration {
    /// Newton's method: at the solution, one round has the rates of the unknowns whatever they were
    /// before (implicit function theorem), and one more the second derivatives. They are computed
    /// once, after the iteration.
    Newton,
    /// Any contraction: rates converge as values do, in the same loop.
    Contraction,
}

/// What a program is differentiated in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directions {
    /// The slots of the state that have rates.
    pub slots: Vec<u32>,
    /// How many directions there are.
    pub count: usize,
    /// Pairs of directions with second derivatives.
    pub pairs: Vec<(usize, usize)>,
    /// The parameters that have rates.
    pub parameters: Vec<u32>,
    /// What the iteration of the program is.
    pub iteration: Iteration,
}

impl Directions {
    /// Where the rate of `slots[index]` in a direction is, for a program on this many numbers.
    #[must_use]
    pub fn rate(&self, state: u32, direction: usize, index: usize) -> u32 {
        state + (direction * self.slots.len() + index) as u32
    }

    /// Where the second derivative of `slots[index]` for a pair is.
    #[must_use]
    pub fn second(&self, state: u32, pair: usize, index: usize) -> u32 {
        self.rate(state, self.count + pair, index)
    }

    /// Where the rate of `parameters[index]` in a direction is, for a program with this many
    /// parameters.
    #[must_use]
    pub fn parameter_rate(&self, parameters: u32, direction: usize, index: usize) -> u32 {
        parameters + (direction * self.parameters.len() + index) as u32
    }

    /// Numbers in the state of the new program.
    #[must_use]
    pub fn state_size(&self, state: u32) -> u32 {
        self.second(state, self.pairs.len(), 0)
    }

    /// Parameters of the new program.
    #[must_use]
    pub fn parameter_size(&self, parameters: u32) -> u32 {
        self.parameter_rate(parameters, self.count, 0)
    }
}
