//! Where values are while the code runs.

use super::encode::Comparison;
use super::operation::Operation;

/// A place in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Home {
    /// An entry of the table of constants.
    Constant(u32),
    /// A vector of the state.
    State(u32),
    /// A vector of the parameters.
    Parameter(u32),
    /// A vector of the frame.
    Spill(u32),
}

/// A register or a place in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// A vector register.
    Register(u8),
    /// Memory.
    Memory(Home),
}

/// What the code does, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Copies a vector.
    Move {
        /// From there.
        from: Place,
        /// To there; through the scratch register if both are in memory.
        to: Place,
    },
    /// Executes an item of the plan.
    Execute {
        /// Its number.
        item: u32,
        /// The register of the result.
        to: u8,
        /// Its operands.
        places: [Place; 3],
        /// Registers that are still needed afterwards, without the result.
        live: u32,
    },
    /// A step begins.
    StepHead,
    /// The first round begins soon: rounds are counted from here.
    Enter,
    /// A round begins.
    RoundHead,
    /// Tests are done: leave the iteration, give up, or go on with the next round.
    Decide,
    /// Back to the head of the round. What follows happens instead of freezing, if no lane has
    /// ended.
    Unfrozen,
    /// Back to the head of the round. What follows happens after the iteration.
    Back,
    /// Is the number at this place finite? Gathered in the given register.
    Check {
        /// The number.
        place: Place,
        /// What gathers the answer.
        gather: u8,
        /// The first one of that register.
        first: bool,
    },
    /// If one of the numbers was not finite, the step fails. The answers are in `gather`.
    Judge {
        /// Gathering registers, as bits.
        gather: u32,
    },
    /// The step ends.
    StepEnd,
}

/// What a set of instructions allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Machine {
    /// Registers that values may live in; the next one is scratch.
    pub(super) registers: u8,
    /// Has it encodings of AVX-512?
    pub(super) evex: bool,
    /// Has a vector more than one lane?
    pub(super) packed: bool,
}

impl Machine {
    /// The register that no value lives in.
    pub(super) fn scratch(self) -> u8 {
        self.registers
    }

    /// May the operand be read from this memory?
    pub(super) fn reads_memory(self, operation: Operation, operand: usize, home: Home) -> bool {
        match operation {
            Operation::Arithmetic(_) | Operation::Fused(_) => true,
            Operation::Bitwise(_) => self.reads_wide(home),
            Operation::Compare(Comparison::Less | Comparison::LessEqual)
            | Operation::CompareMask(..) => operand == 1,
            Operation::Select => operand == 1 && self.reads_wide(home),
            Operation::SelectMask(_) => operand == 0,
            Operation::Freeze { .. } => operand == 1,
            // The order of the comparison in scalar code lets a NaN fail.
            Operation::Test { .. } => operand == usize::from(self.packed),
            Operation::Call(_) | Operation::Guarded { .. } => true,
            Operation::Compare(_)
            | Operation::SquareRoot
            | Operation::ShiftLeft(_)
            | Operation::ShiftRight(_) => false,
        }
    }

    /// Instructions on bits have no scalar form: with AVX2 they would read 16 bytes, of which
    /// only the table of constants has always enough; AVX-512 can read one number for all lanes.
    fn reads_wide(self, home: Home) -> bool {
        self.packed || self.evex || matches!(home, Home::Constant(_))
    }

    /// How many operands may be read from memory.
    pub(super) fn memory_operands(self, operation: Operation) -> usize {
        match operation {
            Operation::Call(_) | Operation::Guarded { .. } => 2,
            _ => 1,
        }
    }
}
