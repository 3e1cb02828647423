//! The frame of a compiled function, and which general register holds what.

use super::encode::{Address, Assembler, Condition, General};

/// The state.
pub(super) const STATE: General = General::Rbx;
/// The frame; short displacements reach the first spilled values.
const FRAME: General = General::Rbp;
/// Steps left.
pub(super) const STEPS: General = General::R12;
/// The parameters.
pub(super) const PARAMETERS: General = General::R13;
/// Rounds left in this step.
pub(super) const ROUNDS: General = General::R14;
/// Rounds made in all steps (with those left of this one, while it iterates).
pub(super) const ITERATIONS: General = General::R15;

/// Registers that belong to the caller.
const SAVED: [General; 6] = [FRAME, STATE, STEPS, PARAMETERS, ROUNDS, ITERATIONS];

const PAGE: u32 = 4096;

/// The most bytes of spilled values kept on the stack: more might not fit on that of a thread,
/// and go to memory that the caller lends.
pub(super) const ON_STACK: u32 = 64 * 1024;

/// From the lowest address of the frame, which is aligned: fixed places of a vector each, then
/// saved registers, then spilled values, if they are few. Many of them are in memory of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// Bytes of a vector.
    vector: u32,
    /// Where spilled values begin; nothing if they are in memory of their own.
    spills: Option<u32>,
    /// Bytes on the stack.
    size: u32,
    /// Bytes of memory that the caller lends.
    lent: u32,
}

/// A place of the frame of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fixed {
    /// The stack pointer of the caller.
    Stack = 0,
    /// Where the report goes.
    Report = 8,
    /// Steps asked for.
    Steps = 16,
    /// Lanes that a function is called for.
    Lanes = 24,
    /// Lanes of the first copy whose iteration has not ended.
    Unfinished = 64,
    /// First arguments of calls.
    First = 128,
    /// Second arguments of calls.
    Second = 192,
}

/// Where saved registers begin.
const REGISTERS: u32 = 256;

/// How far the frame register is behind the first spilled value.
const BIAS: u32 = 128;

const ALIGNMENT: u32 = 64;

impl Frame {
    /// A frame for that many spilled vectors, with room to save that many registers; at most
    /// `on_stack` bytes of spilled values are on the stack.
    pub(super) fn new(vector: u32, registers: u32, slots: u32, on_stack: u32) -> Option<Self> {
        let fixed = (REGISTERS + registers * vector).next_multiple_of(ALIGNMENT);
        let spilled = slots.checked_mul(vector)?.checked_next_multiple_of(ALIGNMENT)?;
        // A displacement reaches all of them.
        i32::try_from(spilled.checked_add(BIAS)?).ok()?;
        Some(if spilled <= on_stack {
            Self { vector, spills: Some(fixed), size: fixed + spilled, lent: 0 }
        } else {
            Self { vector, spills: None, size: fixed, lent: spilled }
        })
    }

    /// Bytes of memory that the caller lends, aligned as a cache line.
    pub(super) fn lent(self) -> usize {
        self.lent as usize
    }

    fn at(self, offset: u32) -> Address {
        match self.spills {
            Some(spills) => Address::Base(FRAME, offset as i32 - (spills + BIAS) as i32),
            None => Address::Base(General::Rsp, offset as i32),
        }
    }

    /// A place of its own; of vectors the given lane.
    pub(super) fn fixed(self, fixed: Fixed, lane: u32) -> Address {
        self.at(fixed as u32 + 8 * lane)
    }

    /// Where a register is saved.
    pub(super) fn register(self, register: u8) -> Address {
        self.at(REGISTERS + u32::from(register) * self.vector)
    }

    /// A spilled value.
    pub(super) fn spill(self, slot: u32) -> Address {
        Address::Base(FRAME, (slot * self.vector) as i32 - BIAS as i32)
    }

    /// Enters the function: steps, state, parameters, report and lent memory are in the registers
    /// of the calling convention.
    pub(super) fn enter(self, assembler: &mut Assembler) {
        for register in SAVED {
            assembler.push(register);
        }
        assembler.copy(General::Rax, General::Rsp);
        if self.size > PAGE {
            // Every page is touched on the way down, so that the guard page cannot be missed.
            let probe = assembler.label();
            assembler.set(General::R11, self.size / PAGE);
            assembler.place(probe);
            assembler.add_immediate(General::Rsp, -(PAGE as i32));
            assembler.store(Address::Base(General::Rsp, 0), General::R11);
            assembler.decrement(General::R11);
            assembler.jump_if(Condition::NotZero, probe);
        }
        let rest = if self.size > PAGE { self.size % PAGE } else { self.size };
        assembler.add_immediate(General::Rsp, -(rest as i32));
        assembler.and_immediate(General::Rsp, -(ALIGNMENT as i32));
        let base = match self.spills {
            Some(spills) => Address::Base(General::Rsp, (spills + BIAS) as i32),
            None => Address::Base(General::R8, BIAS as i32),
        };
        assembler.address(FRAME, base);
        assembler.store(self.fixed(Fixed::Stack, 0), General::Rax);
        assembler.store(self.fixed(Fixed::Report, 0), General::Rcx);
        assembler.store(self.fixed(Fixed::Steps, 0), General::Rdi);
        assembler.copy(STEPS, General::Rdi);
        assembler.copy(STATE, General::Rsi);
        assembler.copy(PARAMETERS, General::Rdx);
        assembler.set(ITERATIONS, 0);
    }

    /// Leaves the function with the status in `rax`; writes the report.
    pub(super) fn leave(self, assembler: &mut Assembler) {
        assembler.load(General::Rcx, self.fixed(Fixed::Report, 0));
        assembler.load(General::Rdx, self.fixed(Fixed::Steps, 0));
        assembler.subtract(General::Rdx, STEPS);
        assembler.store(Address::Base(General::Rcx, 0), General::Rdx);
        assembler.store(Address::Base(General::Rcx, 8), ITERATIONS);
        assembler.load(General::Rsp, self.fixed(Fixed::Stack, 0));
        for register in SAVED.into_iter().rev() {
            assembler.pop(register);
        }
        assembler.ret();
    }
}
