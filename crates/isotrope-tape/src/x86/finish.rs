//! The end of a step: new numbers are checked and stored.

use super::allocate::{Allocator, MOVE};
use super::bank::Bank;
use super::encode::Arithmetic;
use super::header::StepHeader;
use super::operation::Operation;
use super::place::{Action, Home, Place};
use super::plan::{Origin, Plan, Value};

/// From this many stores on, several registers gather whether they are finite.
const MANY: usize = 8;
/// The number of these registers.
const GATHERING: usize = 4;

impl Allocator<'_> {
    /// Writes the value to the state at once if nothing reads that place.
    pub(super) fn store_early(&mut self, result: Value, register: u8) {
        if let Some(place) = self.early[result as usize] {
            let (from, home) = (Place::Register(register), Home::State(place));
            self.actions.push(Action::Move { from, to: Place::Memory(home) });
            self.bank.set_home(result, home);
        }
    }

    /// Checks and stores the new state; gives the header that would have suited.
    pub(super) fn end(&mut self, header: &StepHeader) -> StepHeader {
        let mut next_header = StepHeader::from_end(self.plan, &self.bank, self.uses);
        next_header.forget(&self.trace.evicted);
        for (register, value) in self.trace.promotions(self.machine.registers) {
            if self.plan.home(value).is_some() {
                next_header.hold(value, register);
            }
        }
        self.check();
        let mut moves = Vec::new();
        for &(place, value) in &self.plan.stores {
            if self.early[value as usize] != Some(place) {
                moves.push((self.bank.place(value), Place::Memory(Home::State(place))));
            }
        }
        let stores = moves.len() as u64;
        for (register, value) in header.held() {
            let from = match self.plan.origins[value as usize] {
                Origin::State(place) => self.plan.stored_at(place).unwrap_or(value),
                _ => value,
            };
            moves.push((self.bank.place(from), Place::Register(register)));
        }
        self.transfer(&moves);
        // Stores are needed in any case.
        self.cost -= (stores * MOVE).min(self.cost);
        self.slots = self.slots.max(self.bank.slots);
        self.actions.push(Action::StepEnd);
        next_header
    }

    /// Are all stored numbers finite?
    fn check(&mut self) {
        let stored = |bank: &Bank, register: u8| {
            self.plan.stores.iter().any(|&(_, value)| bank.register(value) == Some(register))
        };
        let mut gather: Vec<u8> = vec![self.machine.scratch()];
        if self.plan.stores.len() > MANY {
            let free: Vec<u8> = (0..self.machine.registers)
                .filter(|&register| !stored(&self.bank, register))
                .take(GATHERING - 1)
                .collect();
            for &register in &free {
                // Whatever it holds is in memory, or not needed any more.
                self.bank.clear(register);
            }
            gather.extend(free);
        }
        let mut used = 0;
        for (number, value) in to_check(self.plan).into_iter().enumerate() {
            let register = gather[number % gather.len()];
            let first = used >> register & 1 == 0;
            used |= 1 << register;
            let place = self.bank.place(value);
            self.actions.push(Action::Check { place, gather: register, first });
        }
        if used != 0 {
            self.actions.push(Action::Judge { gather: used });
        }
    }
}

/// Stored values that must be checked so that an infinity or NaN among all of them is seen:
/// those from which no other one is computed by operations that hand on what is not finite.
fn to_check(plan: &Plan) -> Vec<Value> {
    let mut seen = vec![false; plan.origins.len()];
    let mut left = vec![false; plan.origins.len()];
    for &(_, value) in &plan.stores {
        seen[value as usize] = true;
        left[value as usize] = true;
    }
    for item in plan.items.iter().rev() {
        let handed_on = match item.operation {
            Operation::Arithmetic(
                Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply,
            )
            | Operation::Fused(_)
            | Operation::SquareRoot => item.operands(),
            Operation::Arithmetic(Arithmetic::Divide) => &item.operands()[..1],
            _ => &[],
        };
        if item.result.is_some_and(|result| seen[result as usize]) {
            for &operand in handed_on {
                seen[operand as usize] = true;
                left[operand as usize] = false;
            }
        }
    }
    let stored = plan.stores.iter().map(|&(_, value)| value);
    stored.filter(|&value| std::mem::take(&mut left[value as usize])).collect()
}

/// Places of the state that are only written, by a value of the last region: they are written as
/// soon as the value is known, so that it needs no register.
pub(super) fn early_stores(plan: &Plan) -> Vec<Option<u32>> {
    let mut early = vec![None; plan.origins.len()];
    let last = if plan.iterates { plan.after } else { 0 };
    let mut in_last = vec![false; plan.origins.len()];
    for result in plan.items[last..].iter().filter_map(|item| item.result) {
        in_last[result as usize] = true;
    }
    for &(place, value) in &plan.stores {
        if in_last[value as usize] && !plan.read.contains(&place) {
            early[value as usize].get_or_insert(place);
        }
    }
    early
}
