//! What the registers hold at one point of the code, and which values have a copy in memory.

use super::place::{Home, Place};
use super::plan::{Plan, Value};

/// No register.
pub(super) const NOWHERE: u8 = u8::MAX;

/// Registers and homes at one point of the code.
#[derive(Debug, Clone)]
pub(super) struct Bank {
    /// The value in each register.
    pub(super) held: Vec<Option<Value>>,
    /// The register of each value.
    register: Vec<u8>,
    /// The home of each value, once it has one.
    home: Vec<Option<Home>>,
    /// Is the home up to date?
    homed: Vec<bool>,
    free_slots: Vec<u32>,
    /// Slots of the frame in use at most.
    pub(super) slots: u32,
}

impl Bank {
    /// All registers empty; numbers from outside are in memory.
    pub(super) fn new(plan: &Plan, registers: u8) -> Self {
        let home: Vec<Option<Home>> =
            (0..plan.origins.len()).map(|value| plan.home(value as Value)).collect();
        Self {
            held: vec![None; usize::from(registers)],
            register: vec![NOWHERE; home.len()],
            homed: home.iter().map(Option::is_some).collect(),
            home,
            free_slots: Vec::new(),
            slots: 0,
        }
    }

    /// The register of a value.
    pub(super) fn register(&self, value: Value) -> Option<u8> {
        let register = self.register[value as usize];
        (register != NOWHERE).then_some(register)
    }

    /// Is the value in memory?
    pub(super) fn is_homed(&self, value: Value) -> bool {
        self.homed[value as usize]
    }

    /// Where to read a value: its register if it has one. (A value that is nowhere is dead; the
    /// answer is then as good as any.)
    pub(super) fn place(&self, value: Value) -> Place {
        match self.register(value) {
            Some(register) => Place::Register(register),
            None => Place::Memory(self.home[value as usize].unwrap_or(Home::Spill(0))),
        }
    }

    /// The home of a value; a slot of the frame is found if it has none.
    pub(super) fn find_home(&mut self, value: Value) -> Home {
        *self.home[value as usize].get_or_insert_with(|| {
            Home::Spill(self.free_slots.pop().unwrap_or_else(|| {
                self.slots += 1;
                self.slots - 1
            }))
        })
    }

    /// The value has been written to its home.
    pub(super) fn set_homed(&mut self, value: Value, homed: bool) {
        self.homed[value as usize] = homed;
    }

    /// The value has been written to a place of the state that will not change again.
    pub(super) fn set_home(&mut self, value: Value, home: Home) {
        self.free_home(value);
        self.home[value as usize] = Some(home);
        self.homed[value as usize] = true;
    }

    /// Puts a value into a register, which must be empty.
    pub(super) fn put(&mut self, value: Value, register: u8) {
        self.held[usize::from(register)] = Some(value);
        self.register[value as usize] = register;
    }

    /// Empties a register.
    pub(super) fn clear(&mut self, register: u8) {
        if let Some(value) = self.held[usize::from(register)].take() {
            self.register[value as usize] = NOWHERE;
        }
    }

    /// Empties all registers.
    pub(super) fn clear_all(&mut self) {
        for register in 0..self.held.len() {
            self.clear(register as u8);
        }
    }

    /// The slot of the frame that is the home of a value.
    pub(super) fn slot(&self, value: Value) -> Option<u32> {
        match self.home[value as usize] {
            Some(Home::Spill(slot)) => Some(slot),
            _ => None,
        }
    }

    /// A value takes over the home of one that is dead, or will be as soon as it is written; the
    /// slot is given back by the heir.
    pub(super) fn inherit_home(&mut self, heir: Value, from: Value) {
        self.home[heir as usize] = self.home[from as usize];
    }

    /// The home of a value belongs to another one.
    pub(super) fn disown(&mut self, value: Value) {
        self.home[value as usize] = None;
        self.homed[value as usize] = false;
    }

    /// A dead value gives back its slot of the frame.
    pub(super) fn free_home(&mut self, value: Value) {
        if let Some(Home::Spill(slot)) = self.home[value as usize] {
            self.free_slots.push(slot);
            self.home[value as usize] = None;
            self.homed[value as usize] = false;
        }
    }

    /// Registers in use, as bits.
    pub(super) fn mask(&self) -> u32 {
        let bits = self.held.iter().enumerate();
        bits.fold(0, |mask, (register, held)| mask | u32::from(held.is_some()) << register)
    }
}
