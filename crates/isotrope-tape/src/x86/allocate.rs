//! Registers for values: the value that is needed last makes room (Belady), and a value that is
//! needed once more is read from memory by the instruction itself.
//!
//! Rounds and steps are loops: what the registers hold at the head of a loop is chosen from what
//! they hold at its end, so that going back costs as few moves as possible. For that the code is
//! laid out several times and the cheapest layout taken.

use super::bank::Bank;
use super::finish::early_stores;
use super::header::{RoundHeader, StepHeader};
use super::operation::Operation;
use super::place::{Action, Home, Machine, Place};
use super::plan::{Item, Origin, Plan, Value};
use super::trace::Trace;
use super::transfer::transfer;
use super::uses::{NEVER, Position, Uses, position};
use crate::backend::Effort;
use rustc_hash::FxHashMap;

/// The code of a step, with registers.
#[derive(Debug)]
pub(super) struct Allocation {
    /// What to load before the first step.
    pub(super) header: StepHeader,
    /// What to do, in order.
    pub(super) actions: Vec<Action>,
    /// Vectors of the frame; the last one is spare.
    pub(super) slots: u32,
    /// Instructions that only move values, those in rounds counted several times.
    cost: u64,
}

/// Layouts that are tried; of large programs, whose loops cost little beside what they compute,
/// fewer, and of those that take long to lay out one.
const LAYOUTS: usize = 5;
const LAYOUTS_IF_LARGE: usize = 2;
const LARGE: usize = 2_000;
const HUGE: usize = 100_000;

/// The search ends after this many attempts without improvement.
const PATIENCE: usize = 2;

/// How many rounds a step is thought to have.
pub(super) const ROUNDS: u64 = 5;

/// A value that is needed again within this many operations is worth a register of a value that is
/// needed later.
const SOON: Position = 48;

/// The same if a register is free.
const NEAR: Position = 48;

/// How much nearer the next use of a value may be that leaves its register for nothing, because it
/// is in memory already.
const IN_MEMORY: u64 = 2;
const IN_MEMORY_IN_ROUNDS: u64 = 8;

/// What a move costs, and an operand in memory that an instruction reads anyway.
pub(super) const MOVE: u64 = 4;
const FOLD: u64 = 1;

/// Finds registers for a plan.
pub(super) fn allocate(plan: &Plan, machine: Machine, effort: Effort) -> Allocation {
    let mut uses = Uses::new(plan);
    let mut step = StepHeader::new(machine.registers);
    let mut round = None;
    let mut best: Option<Allocation> = None;
    let mut worse = 0;
    let layouts = match plan.items.len() {
        _ if effort == Effort::Little => 1,
        items if items <= LARGE => LAYOUTS,
        items if items <= HUGE => LAYOUTS_IF_LARGE,
        _ => 1,
    };
    for _ in 0..layouts {
        uses.rewind();
        let mut allocator = Allocator::new(plan, machine, &mut uses, &step, round.as_ref());
        let (next_step, next_round) = allocator.layout(&step, round.as_ref());
        let found = allocator.finish(step);
        let settled = next_step == found.header && (next_round == round || !plan.iterates);
        if best.as_ref().is_none_or(|best| found.cost < best.cost) {
            best = Some(found);
            worse = 0;
        } else {
            worse += 1;
        }
        if settled || worse == PATIENCE {
            break;
        }
        (step, round) = (next_step, next_round);
    }
    best.unwrap_or_else(|| Allocation {
        header: StepHeader::new(machine.registers),
        actions: Vec::new(),
        slots: 0,
        cost: 0,
    })
}

/// A layout in the making.
pub(super) struct Allocator<'a> {
    pub(super) plan: &'a Plan,
    pub(super) machine: Machine,
    pub(super) uses: &'a mut Uses,
    pub(super) bank: Bank,
    pub(super) actions: Vec<Action>,
    /// Actions that are moves, weighted.
    pub(super) cost: u64,
    pub(super) weight: u64,
    /// Slots of the frame in all branches.
    pub(super) slots: u32,
    /// The register where a value is wanted at the end of a loop.
    pub(super) wanted: Vec<Option<u8>>,
    /// Registers that some value is wanted in.
    pub(super) reserved: u32,
    /// Places of the state that are written as soon as their value is known.
    pub(super) early: Vec<Option<u32>>,
    /// The variable that a value of the round becomes in the next one.
    becomes: FxHashMap<Value, Value>,
    /// What happened since the head of the innermost loop.
    pub(super) trace: Trace,
}

impl<'a> Allocator<'a> {
    fn new(
        plan: &'a Plan,
        machine: Machine,
        uses: &'a mut Uses,
        step: &StepHeader,
        round: Option<&RoundHeader>,
    ) -> Self {
        let mut wanted = vec![None; plan.origins.len()];
        let mut reserved = 0;
        let mut want = |value: Value, register: Option<u8>| {
            if let Some(register) = register {
                wanted[value as usize].get_or_insert(register);
                reserved |= 1 << register;
            }
        };
        for carried in &plan.carried {
            want(carried.next, round.and_then(|header| header.register(carried.variable)));
        }
        for &(place, value) in &plan.stores {
            want(value, step.register(plan, place));
        }
        let bank = Bank::new(plan, machine.registers);
        Self {
            plan,
            machine,
            uses,
            bank,
            actions: Vec::with_capacity(plan.items.len() * 2),
            cost: 0,
            weight: 1,
            slots: 0,
            wanted,
            reserved,
            early: early_stores(plan),
            becomes: plan.carried.iter().rev().map(|c| (c.next, c.variable)).collect(),
            trace: Trace::new(plan),
        }
    }

    fn finish(mut self, header: StepHeader) -> Allocation {
        let spare = self.slots;
        for action in &mut self.actions {
            // The spare place is known only now.
            if let Action::Move { from, to } = action {
                for place in [from, to] {
                    if *place == Place::Memory(SPARE) {
                        *place = Place::Memory(Home::Spill(spare));
                    }
                }
            }
        }
        Allocation { header, actions: self.actions, slots: spare + 1, cost: self.cost }
    }

    /// Lays out a step; gives the headers that would have suited it.
    fn layout(
        &mut self,
        step: &StepHeader,
        round: Option<&RoundHeader>,
    ) -> (StepHeader, Option<RoundHeader>) {
        let plan = self.plan;
        for (register, value) in step.held() {
            self.bank.put(value, register);
        }
        self.actions.push(Action::StepHead);
        self.items(0..plan.before);
        let next_round = plan.iterates.then(|| self.iteration(round));
        self.items(plan.after..plan.items.len());
        (self.end(step), next_round)
    }

    /// Moves values at the same time.
    pub(super) fn transfer(&mut self, moves: &[(Place, Place)]) {
        let before = self.actions.len();
        transfer(moves, self.machine.scratch(), SPARE, &mut self.actions);
        self.cost += self.weight * MOVE * (self.actions.len() - before) as u64;
    }

    /// Lays out items.
    pub(super) fn items(&mut self, range: std::ops::Range<usize>) {
        for item in range {
            self.item(item);
        }
    }

    fn item(&mut self, number: usize) {
        let plan = self.plan;
        let item = &plan.items[number];
        let now = position(plan, number);
        self.load_operands(item, now);
        let mut places = [Place::Register(0); 3];
        for (place, &operand) in places.iter_mut().zip(item.operands()) {
            *place = self.bank.place(operand);
        }
        // Operands that die make room for the result; their slots only after they are read.
        let mut dying = [None; 3];
        for (at, &operand) in item.operands().iter().enumerate() {
            if self.uses.next(operand, now) == NEVER
                && let Some(register) = self.bank.register(operand)
            {
                dying[at] = Some(register);
                self.bank.clear(register);
            }
        }
        let to = match item.result {
            Some(result) => self.result_register(item, result, dying, now),
            None => 0,
        };
        self.trace.touched |= u32::from(item.result.is_some()) << to;
        let live = self.bank.mask();
        self.actions.push(Action::Execute { item: number as u32, to, places, live });
        for &operand in item.operands() {
            // A variable has the same home in all rounds.
            if self.plan.origins[operand as usize] == Origin::Computed
                && self.uses.next(operand, now) == NEVER
            {
                self.bank.free_home(operand);
            }
        }
        if let Some(result) = item.result {
            self.store_early(result, to);
            if self.uses.next(result, now) != NEVER {
                self.bank.put(result, to);
            }
        }
    }

    /// Brings operands into registers: those that the instruction cannot read from memory, and
    /// those that are worth it.
    fn load_operands(&mut self, item: &Item, now: Position) {
        let operands = item.operands();
        let operation = item.operation;
        let mut allowed = self.machine.memory_operands(operation);
        for (at, &operand) in operands.iter().enumerate() {
            if self.bank.register(operand).is_some() {
                continue;
            }
            let Place::Memory(home) = self.bank.place(operand) else { continue };
            let twice = operands.iter().filter(|&&other| other == operand).count() > 1;
            let calls = allowed == 2;
            let readable = calls
                || !twice
                    && allowed > 0
                    && self.machine.reads_memory(operation, at, home)
                    && self.can_fold(item, at);
            let next = self.uses.next(operand, now);
            if readable && !self.is_worth_a_register(operands, next, now) {
                allowed -= usize::from(!calls);
                self.trace.folded[operand as usize] += 1;
                self.cost += self.weight * FOLD;
                continue;
            }
            let register = self.find_register(operands, now);
            self.bank.put(operand, register);
            self.push_move(Place::Memory(home), Place::Register(register));
        }
    }

    /// Can the operand be the one that is read from memory? It must be the last, or be exchanged
    /// with the last.
    fn can_fold(&self, item: &Item, at: usize) -> bool {
        match item.operation {
            Operation::Arithmetic(_) | Operation::Bitwise(_) => {
                at == 1 || item.operation.commutes()
            }
            _ => true,
        }
    }

    fn push_move(&mut self, from: Place, to: Place) {
        if let Place::Register(register) = to {
            self.trace.touched |= 1 << register;
        }
        self.cost += self.weight * MOVE;
        self.actions.push(Action::Move { from, to });
    }

    /// Is a value that is needed next at `next` worth a register, or does it stay in memory?
    fn is_worth_a_register(&mut self, pinned: &[Value], next: Position, now: Position) -> bool {
        if next == NEVER {
            return false;
        }
        if self.bank.held.iter().any(Option::is_none) {
            return next - now <= NEAR;
        }
        next - now <= SOON
            && self.victim(pinned, now).is_some_and(|(victim_next, register)| {
                let homed = self.bank.held[usize::from(register)]
                    .is_some_and(|value| self.bank.is_homed(value));
                victim_next > next && (homed || victim_next == NEVER)
            })
    }

    /// The register whose value is needed last, with when that is.
    fn victim(&mut self, pinned: &[Value], now: Position) -> Option<(Position, u8)> {
        let mut best: Option<(u64, Position, u8)> = None;
        for register in 0..self.machine.registers {
            let Some(value) = self.bank.held[usize::from(register)] else { continue };
            if pinned.contains(&value) {
                continue;
            }
            let next = self.uses.next(value, now);
            // A value that is in memory already leaves for nothing.
            let homed = self.bank.is_homed(value) || next == NEVER;
            let gain = match (homed, self.weight) {
                (false, _) => 1,
                (true, 1) => IN_MEMORY,
                // A round waits for what has been to memory and back.
                (true, _) => IN_MEMORY_IN_ROUNDS,
            };
            let score = u64::from(next - now.min(next)) * gain;
            if best.is_none_or(|(known, ..)| score > known) {
                best = Some((score, next, register));
            }
        }
        best.map(|(_, next, register)| (next, register))
    }

    /// An empty register, or one that is made empty; not that of a pinned value.
    fn find_register(&mut self, pinned: &[Value], now: Position) -> u8 {
        let free = |reserved: u32| {
            (0..self.machine.registers).find(|&register| {
                self.bank.held[usize::from(register)].is_none() && reserved >> register & 1 == 0
            })
        };
        if let Some(register) = free(self.reserved).or_else(|| free(0)) {
            return register;
        }
        let register = self.victim(pinned, now).map_or(0, |(_, register)| register);
        self.evict(register, now);
        register
    }

    /// Empties a register; a value that is still needed goes to memory.
    fn evict(&mut self, register: u8, now: Position) {
        if let Some(value) = self.bank.held[usize::from(register)] {
            if !self.bank.is_homed(value) && self.uses.next(value, now) != NEVER {
                self.move_in(value, now);
                let home = self.bank.find_home(value);
                self.push_move(Place::Register(register), Place::Memory(home));
                self.bank.set_homed(value, true);
            }
            self.trace.evicted[value as usize] = true;
            self.bank.clear(register);
        }
    }

    /// The next value of a variable goes where the variable was, if that is not needed any more:
    /// then it is there at the end of the round.
    fn move_in(&mut self, value: Value, now: Position) {
        if let Some(&variable) = self.becomes.get(&value)
            && !self.uses.is_from_outside(value)
            && self.bank.slot(value).is_none()
            && self.bank.slot(variable).is_some()
            && self.uses.last(variable) < now
        {
            self.bank.inherit_home(value, variable);
        }
    }

    /// A register for the result; one that needs no copy if there is a choice.
    fn result_register(
        &mut self,
        item: &Item,
        result: Value,
        dying: [Option<u8>; 3],
        now: Position,
    ) -> u8 {
        let empty = |bank: &Bank, register: u8| bank.held[usize::from(register)].is_none();
        if let Some(register) = self.wanted[result as usize]
            && empty(&self.bank, register)
        {
            return register;
        }
        let preferred = match item.operation {
            // The instruction overwrites one of its operands.
            Operation::Fused(_) => dying[2].or(dying[0]).or(dying[1]),
            Operation::Guarded { .. } => dying[1],
            Operation::Freeze { .. } => dying[0],
            _ => None,
        };
        preferred.unwrap_or_else(|| self.find_register(item.operands(), now))
    }
}

/// Stands for the spare place of the frame until its number is known.
const SPARE: Home = Home::Spill(u32::MAX);
