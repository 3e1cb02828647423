//! How a run must end: a second telling of the interpreter, which knows what is defined.

use super::defined::{Defined, Known, Word};
use crate::interpret::End;
use crate::math::Arithmetic;
use crate::{Op, Program, ValueId};

/// How a run must end.
#[derive(Debug, Clone)]
pub struct Expected {
    /// The state at the beginning and after each step.
    pub states: Vec<Vec<f64>>,
    /// Rounds of each step, with the one that failed.
    pub rounds: Vec<u32>,
    pub end: End,
}

impl Expected {
    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.rounds.len() as u64 - u64::from(self.end != End::Completed)
    }
}

/// One step after the other; `None` if the bits of a NaN matter.
pub fn expect(
    program: &Program,
    state: &[f64],
    parameters: &[f64],
    steps: u64,
) -> Option<Expected> {
    let mut state: Vec<Word> = state.iter().copied().map(Word::new).collect();
    let numbers = |state: &[Word]| state.iter().map(|word| word.number).collect();
    let mut states = vec![numbers(&state)];
    let mut rounds_of_steps = vec![];
    let mut end = End::Completed;
    for _ in 0..steps {
        let mut values = vec![Word::new(0.0); program.ops.len()];
        let mut variables = vec![Word::new(0.0); program.variables.len()];
        let execute = |range: std::ops::Range<u32>, values: &mut [Word], variables: &[Word]| {
            for at in range {
                values[at as usize] = match program.ops[at as usize] {
                    Op::State(slot) => state[slot as usize],
                    Op::Parameter(slot) => Word::new(parameters[slot as usize]),
                    Op::Variable(k) | Op::Final(k) => variables[k as usize],
                    op => op
                        .perform(&mut Defined, |id: ValueId| values[id.0 as usize])
                        .expect("nothing from outside"),
                };
            }
        };
        execute(0..program.before, &mut values, &variables);
        for (k, variable) in program.variables.iter().enumerate() {
            variables[k] = values[variable.start.0 as usize];
        }
        let mut rounds = 0;
        let mut converged = program.variables.is_empty();
        while !converged && rounds < program.max_iterations {
            execute(program.before..program.iterate, &mut values, &variables);
            for (k, variable) in program.variables.iter().enumerate() {
                variables[k] = values[variable.next.0 as usize];
            }
            rounds += 1;
            converged = match program.residual {
                Some((residual, tolerance)) => {
                    let [residual, tolerance] =
                        [residual, tolerance].map(|id| values[id.0 as usize]);
                    let decided = Defined.less_equal(residual, tolerance);
                    if decided.known != Known::Bits {
                        return None;
                    }
                    decided.number.is_sign_negative()
                }
                None => rounds == program.max_iterations,
            };
        }
        rounds_of_steps.push(rounds);
        if !converged {
            end = End::NotConverged;
            break;
        }
        execute(program.iterate..program.ops.len() as u32, &mut values, &variables);
        let stores = program.stores.iter().map(|&(slot, id)| (slot, values[id.0 as usize]));
        if stores.clone().any(|(_, value)| value.known == Known::Nothing) {
            return None;
        }
        if let Some((slot, _)) = stores.clone().find(|(_, value)| !value.number.is_finite()) {
            end = End::NonFinite { slot };
            break;
        }
        for (slot, value) in stores {
            state[slot as usize] = value;
        }
        states.push(numbers(&state));
    }
    Some(Expected { states, rounds: rounds_of_steps, end })
}
