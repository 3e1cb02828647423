//! Instructions on vectors of doubles and of 64-bit words.

use super::prefix::{Fields, Form, Length};
use super::{Address, Assembler, General, Operand};

/// A vector register: 0 to 15 with AVX2, 0 to 31 with AVX-512.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x86) struct Vector(pub(in crate::x86) u8);

/// A mask register of AVX-512, 1 to 7 (0 means no mask).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x86) struct Mask(pub(in crate::x86) u8);

/// How many doubles an instruction computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x86) enum Width {
    /// One.
    One,
    /// Four: 256 bits.
    Four,
    /// Eight: 512 bits.
    Eight,
}

/// Operations that round or choose, by their opcodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x86) enum Arithmetic {
    Add = 0x58,
    Multiply = 0x59,
    Subtract = 0x5C,
    Minimum = 0x5D,
    Divide = 0x5E,
    Maximum = 0x5F,
}

/// Fused multiply-adds; the numbers are the opcodes of their order 132 for vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x86) enum Fused {
    /// `a b + c`.
    MultiplyAdd = 0x98,
    /// `a b - c`.
    MultiplySubtract = 0x9A,
    /// `c - a b`.
    NegativeMultiplyAdd = 0x9C,
}

/// Which operands of a fused instruction are multiplied: `D213` is first = second first + third.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x86) enum FusedOrder {
    /// `first third ± second`.
    D132 = 0x00,
    /// `second first ± third`.
    D213 = 0x10,
    /// `second third ± first`.
    D231 = 0x20,
}

/// Operations on bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x86) enum Bitwise {
    And,
    Or,
    Xor,
    AddInteger,
}

/// Comparisons, by their number in instructions; none raises an exception for a quiet NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x86) enum Comparison {
    /// One is NaN.
    Unordered = 0x03,
    /// `a < b`.
    Less = 0x11,
    /// `a <= b`.
    LessEqual = 0x12,
    /// Not `a <= b`: greater, or one is NaN.
    NotLessEqual = 0x16,
}

impl Width {
    /// How many doubles.
    pub(in crate::x86) fn lanes(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// Bytes of a vector in memory.
    pub(in crate::x86) fn bytes(self) -> u32 {
        8 * self.lanes()
    }

    /// The length of an instruction with a scalar form.
    fn length(self) -> Length {
        match self {
            Self::One => Length::Scalar,
            _ => self.full(),
        }
    }

    /// The length of an instruction that has no scalar form.
    fn full(self) -> Length {
        match self {
            Self::One => Length::Xmm,
            Self::Four => Length::Ymm,
            Self::Eight => Length::Zmm,
        }
    }

    /// Prefix `F2` for one double, `66` for vectors of them.
    fn prefix(self) -> u8 {
        if self == Self::One { 3 } else { 1 }
    }
}

fn fields(reg: Vector, second: Vector) -> Fields {
    Fields { reg: reg.0, second: second.0, mask: 0, immediate: None }
}

/// The field of an operand that an instruction does not have.
const NONE: Vector = Vector(0);

impl Assembler {
    /// `to = a · b`, on one double or all of them.
    pub(in crate::x86) fn arithmetic(
        &mut self,
        operation: Arithmetic,
        width: Width,
        to: Vector,
        a: Vector,
        b: Operand,
    ) {
        let form = Form::new(1, width.prefix(), operation as u8);
        self.instruction(form, width.length(), fields(to, a), b);
    }

    /// `vfmadd`, `vfmsub`, `vfnmadd` in the given order.
    pub(in crate::x86) fn fused(
        &mut self,
        operation: Fused,
        order: FusedOrder,
        width: Width,
        first: Vector,
        second: Vector,
        third: Operand,
    ) {
        let opcode = operation as u8 + order as u8 + u8::from(width == Width::One);
        let form = Form::new(2, 1, opcode).wide();
        self.instruction(form, width.length(), fields(first, second), third);
    }

    /// The square root of a register.
    pub(in crate::x86) fn square_root(&mut self, width: Width, to: Vector, from: Vector) {
        let form = Form::new(1, width.prefix(), 0x51);
        // The scalar form copies the upper half from its second operand: the same register, so
        // that it waits for nothing else.
        let second = if width == Width::One { from } else { NONE };
        self.instruction(form, width.length(), fields(to, second), Operand::Register(from));
    }

    /// `to = a · b` on bits. An operand in memory of width `One` has 16 bytes unless broadcast.
    pub(in crate::x86) fn bitwise(
        &mut self,
        operation: Bitwise,
        width: Width,
        to: Vector,
        a: Vector,
        b: Operand,
    ) {
        let form = Form::new(
            1,
            1,
            match operation {
                Bitwise::And => 0x54,
                Bitwise::Or => 0x56,
                Bitwise::Xor => 0x57,
                Bitwise::AddInteger => 0xD4,
            },
        );
        self.instruction(form, width.full(), fields(to, a), b);
    }

    /// Bits shifted to the left.
    pub(in crate::x86) fn shift_left(&mut self, width: Width, to: Vector, from: Vector, by: u8) {
        self.shift(6, width, to, from, by);
    }

    /// Bits shifted to the right; zeros come in.
    pub(in crate::x86) fn shift_right(&mut self, width: Width, to: Vector, from: Vector, by: u8) {
        self.shift(2, width, to, from, by);
    }

    /// The field `reg` tells which shift it is; the second operand is the result.
    fn shift(&mut self, which: u8, width: Width, to: Vector, from: Vector, by: u8) {
        let fields = Fields { reg: which, second: to.0, mask: 0, immediate: Some(by) };
        let form = Form::new(1, 1, 0x73);
        self.instruction(form, width.full(), fields, Operand::Register(from));
    }

    /// `to = a ? b`, all ones or all zeros (AVX).
    pub(in crate::x86) fn compare_vector(
        &mut self,
        comparison: Comparison,
        width: Width,
        to: Vector,
        a: Vector,
        b: Operand,
    ) {
        let form = Form::new(1, width.prefix(), 0xC2);
        let fields = Fields { immediate: Some(comparison as u8), ..fields(to, a) };
        self.instruction(form, width.length(), fields, b);
    }

    /// `to = a ? b`, one bit a lane (AVX-512).
    pub(in crate::x86) fn compare_mask(
        &mut self,
        comparison: Comparison,
        width: Width,
        to: Mask,
        a: Vector,
        b: Operand,
    ) {
        let form = Form::new(1, width.prefix(), 0xC2).evex_only();
        let fields = Fields { immediate: Some(comparison as u8), ..fields(Vector(to.0), a) };
        self.instruction(form, width.length(), fields, b);
    }

    /// `to = mask ? a : b`, by the sign bits of the mask (AVX).
    pub(in crate::x86) fn blend_vector(
        &mut self,
        width: Width,
        to: Vector,
        mask: Vector,
        a: Operand,
        b: Vector,
    ) {
        let form = Form::new(3, 1, 0x4B);
        let fields = Fields { immediate: Some(mask.0 << 4), ..fields(to, b) };
        self.instruction(form, width.full(), fields, a);
    }

    /// `to = mask ? a : b`, by the bits of the mask (AVX-512).
    pub(in crate::x86) fn blend_mask(
        &mut self,
        width: Width,
        to: Vector,
        mask: Mask,
        a: Operand,
        b: Vector,
    ) {
        let form = Form::new(2, 1, 0x65).evex_only();
        let fields = Fields { mask: mask.0, ..fields(to, b) };
        self.instruction(form, width.full(), fields, a);
    }

    /// Bits of a mask to words of all ones or all zeros (AVX-512).
    pub(in crate::x86) fn mask_to_vector(&mut self, width: Width, to: Vector, from: Mask) {
        let form = Form::new(2, 2, 0x38).evex_only();
        let from = Operand::Register(Vector(from.0));
        self.instruction(form, width.full(), fields(to, NONE), from);
    }

    /// Sign bits of words to bits of a mask (AVX-512).
    pub(in crate::x86) fn vector_to_mask(&mut self, width: Width, to: Mask, from: Vector) {
        let form = Form::new(2, 2, 0x39).evex_only();
        let fields = fields(Vector(to.0), NONE);
        self.instruction(form, width.full(), fields, Operand::Register(from));
    }

    /// A register to another, whole.
    pub(in crate::x86) fn copy_vector(&mut self, width: Width, to: Vector, from: Vector) {
        let form = Form::new(1, 1, 0x28);
        self.instruction(form, width.full(), fields(to, NONE), Operand::Register(from));
    }

    /// Memory to a register; one double of memory for all lanes if the operand is a broadcast.
    pub(in crate::x86) fn load_vector(&mut self, width: Width, to: Vector, from: Operand) {
        match from {
            Operand::Register(from) => self.copy_vector(width, to, from),
            Operand::Broadcast(address) if width != Width::One => {
                let form = Form::new(2, 1, 0x19).element();
                let from = Operand::Memory(address);
                self.instruction(form, width.full(), fields(to, NONE), from);
            }
            Operand::Memory(address) | Operand::Broadcast(address) => {
                let form = Form::new(1, width.prefix(), 0x10);
                let from = Operand::Memory(address);
                self.instruction(form, width.length(), fields(to, NONE), from);
            }
        }
    }

    /// A register to memory.
    pub(in crate::x86) fn store_vector(&mut self, width: Width, to: Address, from: Vector) {
        let form = Form::new(1, width.prefix(), 0x11);
        self.instruction(form, width.length(), fields(from, NONE), Operand::Memory(to));
    }

    /// Compares one double with another: the flags tell.
    pub(in crate::x86) fn compare_flags(&mut self, a: Vector, b: Operand) {
        let form = Form::new(1, 1, 0x2E);
        self.instruction(form, Length::Scalar, fields(a, NONE), b);
    }

    /// The bits of one double to a general register.
    pub(in crate::x86) fn bits_to_general(&mut self, to: General, from: Vector) {
        let form = Form::new(1, 1, 0x7E).wide();
        let to = Operand::Register(Vector(to.number()));
        self.instruction(form, Length::Xmm, fields(from, NONE), to);
    }

    /// Sign bits of four words to bits of a general register (AVX).
    pub(in crate::x86) fn signs_to_general(&mut self, to: General, from: Vector) {
        let form = Form::new(1, 1, 0x50);
        let fields = fields(Vector(to.number()), NONE);
        self.instruction(form, Length::Ymm, fields, Operand::Register(from));
    }

    /// Eight bits of a mask to a general register (AVX-512).
    pub(in crate::x86) fn mask_to_general(&mut self, to: General, from: Mask) {
        let form = Form::new(1, 1, 0x93);
        let fields = fields(Vector(to.number()), NONE);
        self.instruction(form, Length::Xmm, fields, Operand::Register(Vector(from.0)));
    }

    /// Are the eight bits of both masks zero? The flag tells (AVX-512).
    pub(in crate::x86) fn masks_are_zero(&mut self, a: Mask, b: Mask) {
        let form = Form::new(1, 1, 0x98);
        let fields = fields(Vector(a.0), NONE);
        self.instruction(form, Length::Xmm, fields, Operand::Register(Vector(b.0)));
    }

    /// Clears the upper halves of registers 0 to 15: code that follows may use old encodings.
    pub(in crate::x86) fn zero_upper(&mut self) {
        self.bytes.extend_from_slice(&[0xC5, 0xF8, 0x77]);
    }
}
