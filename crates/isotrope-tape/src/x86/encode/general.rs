//! Instructions on integers: loop control, the frame, calls.

use super::{Address, Assembler, Label, Operand};

/// A general register, by its name in the manuals. Their order is that of their numbers.
#[cfg_attr(not(test), expect(dead_code, reason = "the numbering needs all of them"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x86) enum General {
    Rax,
    Rcx,
    Rdx,
    Rbx,
    Rsp,
    Rbp,
    Rsi,
    Rdi,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15,
}

impl General {
    /// Its number in instructions.
    pub(super) fn number(self) -> u8 {
        self as u8
    }
}

/// When to jump; the numbers are those of the opcodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x86) enum Condition {
    /// No carry: above or equal, and no NaN.
    AboveOrEqual = 3,
    /// Zero or equal.
    Zero = 4,
    /// Not zero.
    NotZero = 5,
    /// Above, as unsigned integers.
    Above = 7,
    /// Parity: a comparison with NaN.
    Unordered = 10,
}

impl Assembler {
    /// REX.W for two registers in the fields `reg` and `rm`.
    fn wide(&mut self, reg: u8, rm: u8) {
        self.bytes.push(0x48 | reg >> 3 << 2 | rm >> 3);
    }

    /// `opcode` with 64-bit registers in both fields.
    fn registers(&mut self, opcode: u8, reg: u8, rm: General) {
        self.wide(reg, rm.number());
        self.bytes.extend_from_slice(&[opcode, 0xC0 | (reg & 7) << 3 | rm.number() & 7]);
    }

    /// `opcode` with a 64-bit register and memory.
    fn with_memory(&mut self, opcode: u8, reg: General, address: Address) {
        let base = match address {
            Address::Base(base, _) => base.number(),
            Address::Constant(_) => 0,
        };
        self.wide(reg.number(), base);
        self.bytes.push(opcode);
        self.operand(reg.number(), Operand::Memory(address), 1, None);
    }

    /// `push register`.
    pub(in crate::x86) fn push(&mut self, register: General) {
        if register.number() >= 8 {
            self.bytes.push(0x41);
        }
        self.bytes.push(0x50 | register.number() & 7);
    }

    /// `pop register`.
    pub(in crate::x86) fn pop(&mut self, register: General) {
        if register.number() >= 8 {
            self.bytes.push(0x41);
        }
        self.bytes.push(0x58 | register.number() & 7);
    }

    /// `mov to, from`.
    pub(in crate::x86) fn copy(&mut self, to: General, from: General) {
        self.registers(0x89, from.number(), to);
    }

    /// `mov to, [address]`.
    pub(in crate::x86) fn load(&mut self, to: General, address: Address) {
        self.with_memory(0x8B, to, address);
    }

    /// `mov [address], from`.
    pub(in crate::x86) fn store(&mut self, address: Address, from: General) {
        self.with_memory(0x89, from, address);
    }

    /// `lea to, [address]`.
    pub(in crate::x86) fn address(&mut self, to: General, address: Address) {
        self.with_memory(0x8D, to, address);
    }

    /// `mov to, value`: 32 bits, extended with zeros.
    pub(in crate::x86) fn set(&mut self, to: General, value: u32) {
        if to.number() >= 8 {
            self.bytes.push(0x41);
        }
        self.bytes.push(0xB8 | to.number() & 7);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// `mov to, value`: all 64 bits.
    pub(in crate::x86) fn set_wide(&mut self, to: General, value: u64) {
        self.wide(0, to.number());
        self.bytes.push(0xB8 | to.number() & 7);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// `add to, value`.
    pub(in crate::x86) fn add_immediate(&mut self, to: General, value: i32) {
        self.registers(0x81, 0, to);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// `and to, value`; the value is extended with its sign.
    pub(in crate::x86) fn and_immediate(&mut self, to: General, value: i32) {
        self.registers(0x81, 4, to);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// `add to, from`.
    pub(in crate::x86) fn add(&mut self, to: General, from: General) {
        self.registers(0x01, from.number(), to);
    }

    /// `sub to, from`.
    pub(in crate::x86) fn subtract(&mut self, to: General, from: General) {
        self.registers(0x29, from.number(), to);
    }

    /// `or to, from`.
    pub(in crate::x86) fn or(&mut self, to: General, from: General) {
        self.registers(0x09, from.number(), to);
    }

    /// `test a, a`.
    pub(in crate::x86) fn test(&mut self, a: General) {
        self.registers(0x85, a.number(), a);
    }

    /// `cmp a, [address]`.
    pub(in crate::x86) fn compare_memory(&mut self, a: General, address: Address) {
        self.with_memory(0x3B, a, address);
    }

    /// `dec register`.
    pub(in crate::x86) fn decrement(&mut self, register: General) {
        self.registers(0xFF, 1, register);
    }

    /// `bt register, number`: the bit becomes the carry.
    pub(in crate::x86) fn bit_test(&mut self, register: General, number: u8) {
        self.wide(0, register.number());
        self.bytes.extend_from_slice(&[0x0F, 0xBA, 0xE0 | register.number() & 7, number]);
    }

    /// `jmp label`.
    pub(in crate::x86) fn jump(&mut self, label: Label) {
        self.bytes.push(0xE9);
        self.jump_gap(label);
    }

    /// `jcc label`.
    pub(in crate::x86) fn jump_if(&mut self, condition: Condition, label: Label) {
        self.bytes.extend_from_slice(&[0x0F, 0x80 | condition as u8]);
        self.jump_gap(label);
    }

    /// `call register`.
    pub(in crate::x86) fn call(&mut self, register: General) {
        if register.number() >= 8 {
            self.bytes.push(0x41);
        }
        self.bytes.extend_from_slice(&[0xFF, 0xD0 | register.number() & 7]);
    }

    /// `ret`.
    pub(in crate::x86) fn ret(&mut self) {
        self.bytes.push(0xC3);
    }
}
