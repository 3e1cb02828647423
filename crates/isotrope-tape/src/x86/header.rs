//! What the registers hold at the head of a loop.

use super::bank::Bank;
use super::plan::{Origin, Plan, Value};
use super::uses::{NEVER, Uses};

/// Registers at the beginning of a step: numbers from outside, all of which are in memory too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StepHeader {
    held: Vec<Option<Value>>,
}

impl StepHeader {
    /// Nothing in registers.
    pub(super) fn new(registers: u8) -> Self {
        Self { held: vec![None; usize::from(registers)] }
    }

    /// Registers and what they hold.
    pub(super) fn held(&self) -> impl Iterator<Item = (u8, Value)> {
        held(&self.held)
    }

    /// Leaves out values that do not stay in their register.
    pub(super) fn forget(&mut self, evicted: &[bool]) {
        for held in &mut self.held {
            *held = held.filter(|&value| !evicted[value as usize]);
        }
    }

    /// One more value in a register, if that is empty.
    pub(super) fn hold(&mut self, value: Value, register: u8) {
        if !self.held.contains(&Some(value)) {
            self.held[usize::from(register)].get_or_insert(value);
        }
    }

    /// The register of a number of the state.
    pub(super) fn register(&self, plan: &Plan, place: u32) -> Option<u8> {
        let found =
            self.held().find(|&(_, value)| plan.origins[value as usize] == Origin::State(place));
        found.map(|(register, _)| register)
    }

    /// The header that asks for the fewest moves at the end of a step: a number of the state is
    /// where its new value is; what stays the same stays where it is.
    pub(super) fn from_end(plan: &Plan, bank: &Bank, uses: &mut Uses) -> Self {
        let mut header = vec![None; bank.held.len()];
        for &(place, value) in &plan.stores {
            if let Some(register) = bank.register(value)
                && let Some(state) = plan.state(place)
                && header[usize::from(register)].is_none()
            {
                header[usize::from(register)] = Some(state);
            }
        }
        for (register, place) in header.iter_mut().enumerate() {
            if let Some(value) = bank.held[register]
                && place.is_none()
                && uses.next(value, uses.finish) != NEVER
            {
                *place = Some(value);
            }
        }
        Self { held: header }
    }
}

/// Registers at the beginning of a round, and which values are in memory there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RoundHeader {
    held: Vec<Option<Value>>,
    homed: Vec<Value>,
}

impl RoundHeader {
    /// Nothing in registers.
    pub(super) fn new(registers: u8) -> Self {
        Self { held: vec![None; usize::from(registers)], homed: Vec::new() }
    }

    /// Registers and what they hold.
    pub(super) fn held(&self) -> impl Iterator<Item = (u8, Value)> {
        held(&self.held)
    }

    /// Values in memory, without numbers from outside, which always are.
    pub(super) fn homed(&self) -> &[Value] {
        &self.homed
    }

    /// The value is in the register; what was there before has to be in memory.
    pub(super) fn hold(&mut self, value: Value, register: u8) {
        self.held[usize::from(register)] = Some(value);
    }

    /// The value is in memory.
    pub(super) fn home(&mut self, value: Value) {
        self.homed.push(value);
    }

    /// The register of a value.
    pub(super) fn register(&self, value: Value) -> Option<u8> {
        self.held().find(|pair| pair.1 == value).map(|pair| pair.0)
    }

    /// Is the value in a register?
    pub(super) fn holds(&self, value: Value) -> bool {
        self.held.contains(&Some(value))
    }

    /// Is the register empty?
    pub(super) fn is_free(&self, register: u8) -> bool {
        self.held[usize::from(register)].is_none()
    }

    /// An empty register.
    pub(super) fn free_register(&self) -> Option<u8> {
        self.held.iter().position(Option::is_none).map(|register| register as u8)
    }
}

fn held(registers: &[Option<Value>]) -> impl Iterator<Item = (u8, Value)> {
    let pairs = registers.iter().enumerate();
    pairs.filter_map(|(register, held)| held.map(|value| (register as u8, value)))
}
