//! Calls of functions, one lane after the other.

use super::emit::Emitter;
use super::encode::{Bitwise, Comparison, Condition, General, Operand, Vector, Width};
use super::frame::Fixed;
use super::masks::SCRATCH_MASK;
use super::place::{Home, Place};
use crate::compiled::Called;

/// A call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    /// What is called.
    pub(super) function: Called,
    /// Its arguments; the same one twice if there is one.
    pub(super) arguments: [Place; 2],
    /// The value for lanes that need no call.
    pub(super) fast: Option<Place>,
    /// The register of the result.
    pub(super) to: Vector,
    /// Registers that are still needed afterwards.
    pub(super) live: u32,
}

impl Emitter<'_> {
    /// Calls in every lane, here.
    pub(super) fn call(&mut self, call: Call) {
        self.save_or_restore(call.live, true);
        self.write(Fixed::First, call.arguments[0]);
        if call.function.arguments() > 1 {
            self.write(Fixed::Second, call.arguments[1]);
        }
        if self.machine.packed {
            self.assembler.zero_upper();
        }
        for lane in 0..self.width.lanes() {
            self.call_lane(call.function, lane, Fixed::First);
        }
        self.save_or_restore(call.live, false);
        self.read(call.to, Fixed::First);
    }

    /// The fast value, unless an argument is beyond the bound: then away to the cold code.
    pub(super) fn guarded(&mut self, call: Call, bound: u32, magnitude: u32) {
        let [argument, _] = call.arguments;
        if self.machine.packed {
            let (width, scratch) = (self.width, self.scratch());
            let register = self.in_register(argument);
            let magnitude = self.operand(Place::Memory(Home::Constant(magnitude)));
            self.assembler.bitwise(Bitwise::And, width, scratch, register, magnitude);
            let bound = self.operand(Place::Memory(Home::Constant(bound)));
            let comparison = Comparison::NotLessEqual;
            if self.machine.evex {
                let mask = SCRATCH_MASK;
                self.assembler.compare_mask(comparison, width, mask, scratch, bound);
                self.assembler.mask_to_general(General::Rax, mask);
            } else {
                self.assembler.compare_vector(comparison, width, scratch, scratch, bound);
                self.assembler.signs_to_general(General::Rax, scratch);
            }
            self.assembler.test(General::Rax);
        } else {
            // As integers without sign, numbers are ordered as their magnitudes, NaN beyond all.
            match argument {
                Place::Register(register) => {
                    self.assembler.bits_to_general(General::Rax, Vector(register));
                }
                Place::Memory(home) => {
                    let address = self.address(home);
                    self.assembler.load(General::Rax, address);
                }
            }
            self.assembler.add(General::Rax, General::Rax);
            let bound = self.address(Home::Constant(bound));
            self.assembler.compare_memory(General::Rax, bound);
        }
        let (enter, back) = (self.assembler.label(), self.assembler.label());
        let beyond = if self.machine.packed { Condition::NotZero } else { Condition::Above };
        self.assembler.jump_if(beyond, enter);
        if let Some(fast) = call.fast {
            self.load(call.to, fast);
        }
        self.assembler.place(back);
        self.cold.push((enter, back, call));
    }

    /// Writes the calls that are out of the way.
    pub(super) fn cold_calls(&mut self) {
        for (enter, back, call) in std::mem::take(&mut self.cold) {
            self.assembler.place(enter);
            let lanes = self.frame.fixed(Fixed::Lanes, 0);
            self.assembler.store(lanes, General::Rax);
            self.save_or_restore(call.live, true);
            self.write(Fixed::First, call.arguments[0]);
            if let Some(fast) = call.fast {
                self.write(Fixed::Second, fast);
            }
            if self.machine.packed {
                self.assembler.zero_upper();
            }
            for lane in 0..self.width.lanes() {
                let skip = self.assembler.label();
                if self.machine.packed {
                    self.assembler.load(General::Rax, lanes);
                    self.assembler.bit_test(General::Rax, lane as u8);
                    self.assembler.jump_if(Condition::AboveOrEqual, skip);
                }
                self.call_lane(call.function, lane, Fixed::Second);
                self.assembler.place(skip);
            }
            self.save_or_restore(call.live, false);
            self.read(call.to, Fixed::Second);
            self.assembler.jump(back);
        }
    }

    /// Calls with the numbers of one lane; the result goes to that lane of `result`.
    fn call_lane(&mut self, function: Called, lane: u32, result: Fixed) {
        let first = Operand::Memory(self.frame.fixed(Fixed::First, lane));
        self.assembler.load_vector(Width::One, Vector(0), first);
        if function.arguments() > 1 {
            let second = Operand::Memory(self.frame.fixed(Fixed::Second, lane));
            self.assembler.load_vector(Width::One, Vector(1), second);
        }
        self.assembler.set_wide(General::Rax, function.address());
        self.assembler.call(General::Rax);
        let result = self.frame.fixed(result, lane);
        self.assembler.store_vector(Width::One, result, Vector(0));
    }

    fn write(&mut self, to: Fixed, from: Place) {
        let register = self.in_register(from);
        let address = self.frame.fixed(to, 0);
        self.assembler.store_vector(self.width, address, register);
    }

    fn read(&mut self, to: Vector, from: Fixed) {
        let from = Operand::Memory(self.frame.fixed(from, 0));
        self.assembler.load_vector(self.width, to, from);
    }

    /// A called function keeps no vector register.
    fn save_or_restore(&mut self, live: u32, save: bool) {
        for register in (0..self.machine.registers).filter(|register| live >> register & 1 == 1) {
            let address = self.frame.register(register);
            if save {
                self.assembler.store_vector(self.width, address, Vector(register));
            } else {
                let from = Operand::Memory(address);
                self.assembler.load_vector(self.width, Vector(register), from);
            }
        }
    }
}
