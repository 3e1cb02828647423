//! From actions to instructions.

use super::allocate::Allocation;
use super::calls::Call;
use super::encode::{
    Address, Arithmetic, Assembler, Bitwise, Comparison, Condition, General, Label, Operand,
    Vector, Width,
};
use super::frame::{Fixed, Frame, ITERATIONS, PARAMETERS, ROUNDS, STATE, STEPS};
use super::masks::{SCRATCH_MASK, freeze_mask};
use super::operation::Operation;
use super::place::{Action, Home, Machine, Place};
use super::plan::Plan;
use crate::compiled::{Called, status};

/// Loops begin on a boundary of the instruction fetch.
const LOOP_ALIGNMENT: usize = 32;

/// Code under construction, with what it refers to.
pub(super) struct Emitter<'a> {
    pub(super) assembler: Assembler,
    pub(super) plan: &'a Plan,
    pub(super) machine: Machine,
    pub(super) width: Width,
    pub(super) frame: Frame,
    pub(super) max_iterations: u32,
    /// Calls that are out of the way of ordinary arguments.
    pub(super) cold: Vec<(Label, Label, Call)>,
    /// The copy whose mask is in the scratch register (AVX2).
    mask_at_hand: u8,
    step_head: Label,
    round_head: Label,
    round_exit: Label,
    /// Where all lanes take their next values.
    unfrozen: Label,
    not_converged: Label,
    non_finite: Label,
    leave: Label,
}

impl<'a> Emitter<'a> {
    /// An emitter for one function.
    pub(super) fn new(
        plan: &'a Plan,
        machine: Machine,
        width: Width,
        frame: Frame,
        max_iterations: u32,
    ) -> Self {
        let mut assembler = Assembler::new(machine.evex);
        let mut label = || assembler.label();
        let [step_head, round_head, round_exit, unfrozen] = [label(), label(), label(), label()];
        let [not_converged, non_finite, leave] = [label(), label(), label()];
        Self {
            assembler,
            plan,
            machine,
            width,
            frame,
            max_iterations,
            cold: Vec::new(),
            mask_at_hand: 0,
            step_head,
            round_head,
            round_exit,
            unfrozen,
            not_converged,
            non_finite,
            leave,
        }
    }

    /// Writes the whole function.
    pub(super) fn function(mut self, allocation: &Allocation) -> Assembler {
        let done = self.assembler.label();
        self.frame.enter(&mut self.assembler);
        for (register, value) in allocation.header.held() {
            if let Some(home) = self.plan.home(value) {
                self.load(Vector(register), Place::Memory(home));
            }
        }
        self.assembler.test(STEPS);
        self.assembler.jump_if(Condition::Zero, done);
        for &action in &allocation.actions {
            self.action(action);
        }
        self.assembler.place(done);
        self.assembler.set(General::Rax, status::COMPLETED);
        self.assembler.place(self.leave);
        if self.machine.packed {
            self.assembler.zero_upper();
        }
        self.frame.leave(&mut self.assembler);
        for (label, status) in
            [(self.not_converged, status::NOT_CONVERGED), (self.non_finite, status::NON_FINITE)]
        {
            self.assembler.place(label);
            self.assembler.set(General::Rax, status);
            self.assembler.jump(self.leave);
        }
        self.cold_calls();
        self.assembler
    }

    fn action(&mut self, action: Action) {
        match action {
            Action::Move { from, to } => self.shift(from, to),
            Action::Execute { item, to, places, live } => {
                self.execute(item as usize, Vector(to), places, live);
            }
            Action::StepHead => {
                self.assembler.align(LOOP_ALIGNMENT);
                self.assembler.place(self.step_head);
            }
            Action::Enter => {
                self.assembler.set(ROUNDS, self.max_iterations);
                self.assembler.add(ITERATIONS, ROUNDS);
            }
            Action::RoundHead => {
                self.assembler.align(LOOP_ALIGNMENT);
                self.assembler.place(self.round_head);
            }
            Action::Decide => self.decide(),
            Action::Unfrozen => {
                self.assembler.jump(self.round_head);
                self.assembler.place(self.unfrozen);
            }
            Action::Back => {
                self.assembler.jump(self.round_head);
                self.assembler.place(self.round_exit);
                self.assembler.subtract(ITERATIONS, ROUNDS);
            }
            Action::Check { place, gather, first } => {
                // x - x and 0 x are NaN for an infinity or NaN, and 0 (of either sign) otherwise.
                let gather = Vector(gather);
                let operand = self.operand(place);
                match place {
                    Place::Register(register) if first => {
                        let (number, subtract) = (Vector(register), Arithmetic::Subtract);
                        self.assembler.arithmetic(subtract, self.width, gather, number, operand);
                    }
                    _ => {
                        if first {
                            self.clear(gather);
                        }
                        let multiply = Arithmetic::Multiply;
                        self.assembler.arithmetic(multiply, self.width, gather, gather, operand);
                    }
                }
            }
            Action::Judge { gather } => self.judge(gather),
            Action::StepEnd => {
                self.assembler.decrement(STEPS);
                self.assembler.jump_if(Condition::NotZero, self.step_head);
            }
        }
    }

    /// The address of a home.
    pub(super) fn address(&self, home: Home) -> Address {
        let vector = self.width.bytes() as i32;
        match home {
            Home::Constant(entry) => Address::Constant(entry),
            Home::State(place) => Address::Base(STATE, place as i32 * vector),
            Home::Parameter(place) => Address::Base(PARAMETERS, place as i32 * vector),
            Home::Spill(slot) => self.frame.spill(slot),
        }
    }

    /// An operand of an instruction with a scalar form.
    pub(super) fn operand(&self, place: Place) -> Operand {
        match place {
            Place::Register(register) => Operand::Register(Vector(register)),
            Place::Memory(home) => self.memory(home, self.machine.packed),
        }
    }

    /// An operand of an instruction without a scalar form.
    fn wide_operand(&self, place: Place) -> Operand {
        match place {
            Place::Register(register) => Operand::Register(Vector(register)),
            Place::Memory(home) if self.machine.packed => self.memory(home, true),
            Place::Memory(home) if self.machine.evex => Operand::Broadcast(self.address(home)),
            Place::Memory(home) => Operand::Memory(self.address(home)),
        }
    }

    /// With AVX-512 the table has each constant once.
    fn memory(&self, home: Home, packed: bool) -> Operand {
        let address = self.address(home);
        if packed && self.machine.evex && matches!(home, Home::Constant(_)) {
            Operand::Broadcast(address)
        } else {
            Operand::Memory(address)
        }
    }

    pub(super) fn scratch(&self) -> Vector {
        Vector(self.machine.scratch())
    }

    /// Brings a value to a register.
    pub(super) fn load(&mut self, to: Vector, from: Place) {
        if from != Place::Register(to.0) {
            let operand = self.operand(from);
            self.assembler.load_vector(self.width, to, operand);
        }
    }

    /// The register of a value; the scratch register, if it was in memory.
    pub(super) fn in_register(&mut self, place: Place) -> Vector {
        match place {
            Place::Register(register) => Vector(register),
            Place::Memory(_) => {
                let scratch = self.scratch();
                self.load(scratch, place);
                scratch
            }
        }
    }

    fn shift(&mut self, from: Place, to: Place) {
        match to {
            Place::Register(register) => self.load(Vector(register), from),
            Place::Memory(home) => {
                let register = self.in_register(from);
                let address = self.address(home);
                self.assembler.store_vector(self.width, address, register);
            }
        }
    }

    /// Executes an item that is not plain arithmetic; the others are in `lower.rs`.
    fn execute(&mut self, number: usize, to: Vector, places: [Place; 3], live: u32) {
        let [a, b, _] = places;
        let item = &self.plan.items[number];
        match item.operation {
            Operation::Call(function) => {
                let arguments = [a, if item.operands().len() > 1 { b } else { a }];
                let call = Call { function, arguments, fast: None, to, live };
                self.call(call);
            }
            Operation::Guarded { function, bound, magnitude } => {
                let function = Called::One(function);
                let call = Call { function, arguments: [a, a], fast: Some(b), to, live };
                self.guarded(call, bound, magnitude);
            }
            Operation::Test { copy } => self.test(copy, a, b),
            Operation::Freeze { copy } => self.freeze(copy, to, a, b),
            operation => self.lower(operation, to, places),
        }
    }

    /// Has the iteration ended in this copy?
    fn test(&mut self, copy: u8, residual: Place, tolerance: Place) {
        if !self.machine.packed {
            self.assembler.decrement(ROUNDS);
            // Carry, and so no jump, if one is NaN.
            let (tolerance, residual) = (self.in_register(tolerance), self.operand(residual));
            self.assembler.compare_flags(tolerance, residual);
            self.assembler.jump_if(Condition::AboveOrEqual, self.round_exit);
            return;
        }
        let (residual, tolerance) = (self.in_register(residual), self.operand(tolerance));
        let comparison = Comparison::NotLessEqual;
        if self.machine.evex {
            let mask = freeze_mask(copy);
            self.assembler.compare_mask(comparison, self.width, mask, residual, tolerance);
            return;
        }
        let scratch = self.scratch();
        if copy > 0 {
            let unfinished = self.frame.fixed(Fixed::Unfinished, 0);
            self.assembler.store_vector(self.width, unfinished, scratch);
        }
        self.assembler.compare_vector(comparison, self.width, scratch, residual, tolerance);
        if copy == 0 {
            self.assembler.signs_to_general(General::Rax, scratch);
        } else {
            self.assembler.signs_to_general(General::Rcx, scratch);
            self.assembler.copy(General::Rdx, General::Rax);
            self.assembler.add(General::Rdx, General::Rcx);
            self.assembler.or(General::Rax, General::Rcx);
        }
        self.mask_at_hand = copy;
    }

    /// Leaves the iteration, gives up, or goes on.
    fn decide(&mut self) {
        if !self.plan.has_residual {
            self.assembler.decrement(ROUNDS);
            self.assembler.jump_if(Condition::Zero, self.round_exit);
            return;
        }
        let last = (self.plan.freezes - self.plan.tests - 1) as u8;
        if self.machine.packed {
            self.assembler.decrement(ROUNDS);
            if self.machine.evex {
                self.assembler.masks_are_zero(freeze_mask(0), freeze_mask(last));
            } else {
                self.assembler.test(General::Rax);
            }
            self.assembler.jump_if(Condition::Zero, self.round_exit);
        }
        self.assembler.test(ROUNDS);
        self.assembler.jump_if(Condition::Zero, self.not_converged);
        if self.plan.freezes < self.plan.after {
            self.skip_freezes(last);
        }
    }

    /// If no lane has ended, nothing has to be frozen, and the next round need not wait for the
    /// tests. (Masks are largest if all their bits are set, and so is their sum.)
    fn skip_freezes(&mut self, last: u8) {
        if self.machine.evex {
            self.assembler.mask_to_general(General::Rdx, freeze_mask(0));
            if last > 0 {
                self.assembler.mask_to_general(General::Rcx, freeze_mask(last));
                self.assembler.add(General::Rdx, General::Rcx);
            }
        } else if last == 0 {
            self.assembler.copy(General::Rdx, General::Rax);
        }
        let all = ((1 << self.width.lanes()) - 1) * (i32::from(last) + 1);
        self.assembler.add_immediate(General::Rdx, -all);
        self.assembler.jump_if(Condition::Zero, self.unfrozen);
    }

    /// Lanes that have not ended take the next value, the others keep the variable.
    fn freeze(&mut self, copy: u8, to: Vector, variable: Place, next: Place) {
        let next = self.operand(next);
        let Place::Register(variable) = variable else { return };
        let variable = Vector(variable);
        if self.machine.evex {
            self.assembler.blend_mask(self.width, to, freeze_mask(copy), next, variable);
            return;
        }
        let scratch = self.scratch();
        if self.mask_at_hand != copy {
            let unfinished = Operand::Memory(self.frame.fixed(Fixed::Unfinished, 0));
            self.assembler.load_vector(self.width, scratch, unfinished);
            self.mask_at_hand = copy;
        }
        self.assembler.blend_vector(self.width, to, scratch, next, variable);
    }

    fn clear(&mut self, register: Vector) {
        let same = Operand::Register(register);
        self.assembler.bitwise(Bitwise::Xor, self.width, register, register, same);
    }

    /// Fails the step if a gathered number is NaN.
    fn judge(&mut self, gather: u32) {
        let mut registers = (0..32).filter(|register| gather >> register & 1 == 1).map(Vector);
        let Some(first) = registers.next() else { return };
        for other in registers {
            let other = Operand::Register(other);
            self.assembler.arithmetic(Arithmetic::Add, self.width, first, first, other);
        }
        let (same, comparison) = (Operand::Register(first), Comparison::Unordered);
        if !self.machine.packed {
            self.assembler.compare_flags(first, same);
            self.assembler.jump_if(Condition::Unordered, self.non_finite);
            return;
        }
        if self.machine.evex {
            let mask = SCRATCH_MASK;
            self.assembler.compare_mask(comparison, self.width, mask, first, same);
            self.assembler.masks_are_zero(mask, mask);
        } else {
            self.assembler.compare_vector(comparison, self.width, first, first, same);
            self.assembler.signs_to_general(General::Rax, first);
            self.assembler.test(General::Rax);
        }
        self.assembler.jump_if(Condition::NotZero, self.non_finite);
    }

    /// An operand on bits, for `lower.rs`.
    pub(super) fn bits(&self, place: Place) -> Operand {
        self.wide_operand(place)
    }
}
