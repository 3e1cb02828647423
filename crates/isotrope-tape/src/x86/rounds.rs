//! Registers for the iteration: what they hold at the head of a round.

use super::allocate::{Allocator, ROUNDS};
use super::header::RoundHeader;
use super::place::{Action, Place};
use super::plan::{Origin, Value};
use super::trace::Trace;
use super::uses::{NEVER, Position};
use rustc_hash::FxHashMap;

impl Allocator<'_> {
    /// Lays out the iteration.
    pub(super) fn iteration(&mut self, round: Option<&RoundHeader>) -> RoundHeader {
        let (plan, entry, back) = (self.plan, self.uses.entry, self.uses.back);
        let natural;
        let header = match round {
            Some(header) => header,
            None => {
                natural = self.natural_header();
                for carried in &plan.carried {
                    let register = natural.register(carried.variable);
                    self.wanted[carried.next as usize] = register;
                    self.reserved |= register.map_or(0, |register| 1 << register);
                }
                &natural
            }
        };
        self.actions.push(Action::Enter);
        let start = plan.carried.iter().map(|carried| (carried.variable, carried.start)).collect();
        self.go_to_header(header, &start, entry);
        self.actions.push(Action::RoundHead);
        self.weight = ROUNDS;
        let outer = std::mem::replace(&mut self.trace, Trace::new(plan));
        self.items(plan.before..plan.freezes);
        self.actions.push(Action::Decide);
        let decided = self.bank.clone();
        let frozen = plan.freezes < plan.after;
        if frozen {
            // Most lanes end in the same round.
            self.weight = 1;
        }
        self.items(plan.freezes..plan.after);
        let next_header = self.header_here(back);
        let next = plan.carried.iter().map(|carried| (carried.variable, carried.next)).collect();
        self.go_to_header(header, &next, back);
        if frozen {
            self.weight = ROUNDS;
            self.actions.push(Action::Unfrozen);
            self.slots = self.slots.max(self.bank.slots);
            self.bank = decided.clone();
            let items = plan.items[plan.freezes..plan.after].iter();
            let next = items.map(|item| (item.operands()[0], item.operands()[1])).collect();
            self.go_to_header(header, &next, back);
        }
        self.actions.push(Action::Back);
        self.weight = 1;
        self.trace.leave(outer);
        self.slots = self.slots.max(self.bank.slots);
        self.bank = decided;
        self.bank.slots = self.slots;
        self.forget_dead();
        next_header
    }

    /// The header that asks for the fewest moves at the entry.
    fn natural_header(&mut self) -> RoundHeader {
        let entry = self.uses.entry;
        let mut header = RoundHeader::new(self.machine.registers);
        for register in 0..self.machine.registers {
            if let Some(value) = self.bank.held[usize::from(register)]
                && self.uses.next(value, entry) != NEVER
            {
                header.hold(value, register);
            }
        }
        for carried in &self.plan.carried {
            let first = self.uses.first(carried.variable);
            let inherited =
                self.bank.register(carried.start).filter(|&register| header.is_free(register));
            let register = inherited.or_else(|| header.free_register()).or_else(|| {
                // Who is needed last makes room, if it is needed later than the variable.
                let candidates = header.held().map(|(register, value)| {
                    let origin = self.plan.origins[value as usize];
                    let is_variable = matches!(origin, Origin::Variable(_));
                    let next = if is_variable { 0 } else { self.uses.next(value, entry) };
                    (next, register)
                });
                let (next, register) = candidates.max()?;
                (next > first).then_some(register)
            });
            match register {
                Some(register) => header.hold(carried.variable, register),
                None => header.home(carried.variable),
            }
        }
        self.complete_header(&mut header, entry);
        header
    }

    /// The header that asks for the fewest moves back from here.
    fn header_here(&mut self, back: Position) -> RoundHeader {
        let mut header = RoundHeader::new(self.machine.registers);
        let mut left = Vec::new();
        for carried in &self.plan.carried {
            match self.bank.register(carried.next) {
                Some(register) if header.is_free(register) => {
                    header.hold(carried.variable, register);
                }
                _ => left.push(carried.variable),
            }
        }
        for register in 0..self.machine.registers {
            // What had to make room once a round is better read from memory.
            if let Some(value) = self.bank.held[usize::from(register)]
                && header.is_free(register)
                && self.uses.is_from_outside(value)
                && self.uses.next(value, back) != NEVER
                && !self.trace.evicted[value as usize]
            {
                header.hold(value, register);
            }
        }
        // A round waits for its variables: they come before what is the same in all rounds.
        let mut in_registers = self.plan.carried.len() - left.len();
        for variable in left {
            let most = usize::from(self.machine.registers) * 2 / 3;
            let register = header.free_register().or_else(|| self.least_needed(&header, back));
            match register.filter(|_| in_registers < most) {
                Some(register) => {
                    header.hold(variable, register);
                    in_registers += 1;
                }
                None => header.home(variable),
            }
        }
        for (register, value) in self.trace.promotions(self.machine.registers) {
            if self.uses.is_from_outside(value) && header.is_free(register) && !header.holds(value)
            {
                header.hold(value, register);
            }
        }
        self.complete_header(&mut header, back);
        header
    }

    /// The register of a header whose value is the same in all rounds and needed last.
    fn least_needed(&mut self, header: &RoundHeader, now: Position) -> Option<u8> {
        let values = header.held().filter(|&(_, value)| self.uses.is_from_outside(value));
        let values: Vec<(u8, Value)> = values.collect();
        let latest = values.into_iter().max_by_key(|&(_, value)| self.uses.next(value, now))?;
        Some(latest.0)
    }

    /// Values from outside that are not in a register of the header must be in memory; those that
    /// are in memory by now had better be written before the iteration than in every round.
    fn complete_header(&mut self, header: &mut RoundHeader, now: Position) {
        for value in 0..self.plan.origins.len() as Value {
            if self.plan.origins[value as usize] != Origin::Computed
                || !self.uses.is_from_outside(value)
                || self.uses.next(value, now) == NEVER
            {
                continue;
            }
            let known = self.bank.register(value).is_some() || self.bank.is_homed(value);
            if known && (self.bank.is_homed(value) || !header.holds(value)) {
                header.home(value);
            }
        }
    }

    /// Moves values to where the header of the round has them. A variable takes the value that
    /// `sources` says.
    fn go_to_header(
        &mut self,
        header: &RoundHeader,
        sources: &FxHashMap<Value, Value>,
        now: Position,
    ) {
        let mut moves = Vec::new();
        let source = |value: Value| sources.get(&value).copied().unwrap_or(value);
        for (register, value) in header.held() {
            moves.push((self.bank.place(source(value)), Place::Register(register)));
        }
        let mut sources_in_memory: FxHashMap<Value, u32> = FxHashMap::default();
        for &value in header.homed() {
            *sources_in_memory.entry(source(value)).or_default() += 1;
        }
        for &value in header.homed() {
            let from = source(value);
            if from != value {
                let slot = self.bank.slot(from).filter(|_| self.bank.is_homed(from));
                if slot.is_some() && slot == self.bank.slot(value) {
                    continue;
                }
                if slot.is_some()
                    && self.bank.slot(value).is_none()
                    && self.plan.origins[from as usize] == Origin::Computed
                    && self.uses.next(from, now) == NEVER
                    && sources_in_memory[&from] == 1
                {
                    // The home of a value that dies here.
                    self.bank.inherit_home(value, from);
                    self.bank.disown(from);
                    continue;
                }
                let to = Place::Memory(self.bank.find_home(value));
                moves.push((self.bank.place(from), to));
            } else if !self.bank.is_homed(value) {
                let to = Place::Memory(self.bank.find_home(value));
                moves.push((self.bank.place(value), to));
            }
        }
        self.transfer(&moves);
        self.bank.clear_all();
        for (register, value) in header.held() {
            self.bank.put(value, register);
        }
        self.free_homes(now);
        for &value in header.homed() {
            self.bank.set_homed(value, true);
        }
    }

    /// Drops values that nothing behind the iteration needs.
    fn forget_dead(&mut self) {
        let now = self.uses.left();
        for register in 0..self.machine.registers {
            if let Some(value) = self.bank.held[usize::from(register)]
                && self.uses.next(value, now) == NEVER
            {
                self.bank.clear(register);
            }
        }
        self.free_homes(now);
    }

    /// Gives back slots of the frame of dead values.
    fn free_homes(&mut self, now: Position) {
        for value in 0..self.plan.origins.len() as Value {
            if self.plan.origins[value as usize] == Origin::Computed
                && self.uses.next(value, now) == NEVER
            {
                self.bank.free_home(value);
            }
        }
    }
}
