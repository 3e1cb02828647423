//! Instructions for operations on numbers.

use super::emit::Emitter;
use super::encode::{Fused, FusedOrder, Operand, Vector};
use super::masks::SCRATCH_MASK;
use super::operation::Operation;
use super::place::Place;

impl Emitter<'_> {
    /// Executes an operation whose result depends on its operands alone. The result may share a
    /// register with an operand; at most one operand is in memory.
    pub(super) fn lower(&mut self, operation: Operation, to: Vector, places: [Place; 3]) {
        let [a, b, c] = places;
        let width = self.width;
        match operation {
            Operation::Arithmetic(arithmetic) => {
                let (a, b) = if operation.commutes() { register_first(a, b) } else { (a, b) };
                let (a, b) = (self.in_register(a), self.operand(b));
                self.assembler.arithmetic(arithmetic, width, to, a, b);
            }
            Operation::Fused(fused) => self.fused(fused, to, a, b, c),
            Operation::Bitwise(bitwise) => {
                let (a, b) = register_first(a, b);
                let (a, b) = (self.in_register(a), self.bits(b));
                self.assembler.bitwise(bitwise, width, to, a, b);
            }
            Operation::SquareRoot => {
                let a = self.in_register(a);
                self.assembler.square_root(width, to, a);
            }
            Operation::ShiftLeft(by) => {
                let a = self.in_register(a);
                self.assembler.shift_left(width, to, a, by);
            }
            Operation::ShiftRight(by) => {
                let a = self.in_register(a);
                self.assembler.shift_right(width, to, a, by);
            }
            Operation::Compare(comparison) => {
                let (a, b) = (self.in_register(a), self.operand(b));
                if self.machine.evex {
                    self.assembler.compare_mask(comparison, width, SCRATCH_MASK, a, b);
                    self.assembler.mask_to_vector(width, to, SCRATCH_MASK);
                } else {
                    self.assembler.compare_vector(comparison, width, to, a, b);
                }
            }
            Operation::CompareMask(comparison, mask) => {
                let (a, b) = (self.in_register(a), self.operand(b));
                self.assembler.compare_mask(comparison, width, mask, a, b);
            }
            Operation::Select => {
                let mask = self.in_register(a);
                let Place::Register(otherwise) = c else { return };
                let (value, otherwise) = (self.bits(b), Vector(otherwise));
                if self.machine.evex {
                    self.assembler.vector_to_mask(width, SCRATCH_MASK, mask);
                    self.assembler.blend_mask(width, to, SCRATCH_MASK, value, otherwise);
                } else {
                    self.assembler.blend_vector(width, to, mask, value, otherwise);
                }
            }
            Operation::SelectMask(mask) => {
                let (value, otherwise) = (self.bits(a), self.in_register(b));
                self.assembler.blend_mask(width, to, mask, value, otherwise);
            }
            Operation::Call(_)
            | Operation::Guarded { .. }
            | Operation::Test { .. }
            | Operation::Freeze { .. } => {}
        }
    }

    /// `a b + c` and its relatives: the instruction overwrites one of its operands, and reads
    /// another one from memory if need be.
    fn fused(&mut self, fused: Fused, to: Vector, a: Place, b: Place, c: Place) {
        let target = Place::Register(to.0);
        // The factors commute: `a` is the one that is overwritten.
        let exchange = b == target || is_memory(b) && a != target;
        let (a, b) = if exchange { (b, a) } else { (a, b) };
        if c == target {
            let (a, b) = register_first(a, b);
            let (a, b) = (self.in_register(a), self.operand(b));
            self.assembler.fused(fused, FusedOrder::D231, self.width, to, a, b);
        } else if a == target || is_memory(a) {
            self.load(to, a);
            match b {
                Place::Register(b) => {
                    let c = self.operand(c);
                    self.assembler.fused(fused, FusedOrder::D213, self.width, to, Vector(b), c);
                }
                Place::Memory(_) => {
                    let (c, b) = (self.in_register(c), self.operand(b));
                    self.assembler.fused(fused, FusedOrder::D132, self.width, to, c, b);
                }
            }
        } else {
            self.load(to, c);
            let (a, b): (Vector, Operand) = (self.in_register(a), self.operand(b));
            self.assembler.fused(fused, FusedOrder::D231, self.width, to, a, b);
        }
    }
}

fn is_memory(place: Place) -> bool {
    matches!(place, Place::Memory(_))
}

/// Exchanges the operands if the first is in memory.
fn register_first(a: Place, b: Place) -> (Place, Place) {
    if is_memory(a) { (b, a) } else { (a, b) }
}
