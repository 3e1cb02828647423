//! The instructions of each operation.

use super::calls::Callees;
use crate::compiled::Called;
use crate::math::Arithmetic;
use crate::{BinaryFunction, Function};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::immediates::Ieee64;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;

/// A 64-bit word, in the shape in which it was computed. (Where the same word is needed in another
/// shape twice, Cranelift converts it once.)
#[derive(Debug, Clone, Copy)]
pub(super) enum Word {
    /// Bits that are known now.
    Constant(u64),
    /// A number.
    Number(Value),
    /// An integer.
    Integer(Value),
    /// All ones if the condition is 1, all zeros if it is 0.
    Condition(Value),
}

/// Appends the instructions of operations to a function.
pub(super) struct Operations<'a, 'b> {
    pub(super) builder: &'a mut FunctionBuilder<'b>,
    pub(super) callees: &'a Callees,
}

impl Operations<'_, '_> {
    /// The word as a number.
    pub(super) fn number(&mut self, word: Word) -> Value {
        match word {
            Word::Constant(bits) => self.builder.ins().f64const(Ieee64::with_bits(bits)),
            Word::Number(value) => value,
            Word::Integer(value) => self.cast(types::F64, value),
            Word::Condition(_) => {
                let integer = self.integer(word);
                self.cast(types::F64, integer)
            }
        }
    }

    fn integer(&mut self, word: Word) -> Value {
        match word {
            Word::Constant(bits) => self.builder.ins().iconst(types::I64, bits.cast_signed()),
            Word::Number(value) => self.cast(types::I64, value),
            Word::Integer(value) => value,
            Word::Condition(value) => self.builder.ins().bmask(types::I64, value),
        }
    }

    fn cast(&mut self, to: Type, value: Value) -> Value {
        self.builder.ins().bitcast(to, MemFlagsData::new(), value)
    }

    fn compare(&mut self, comparison: FloatCC, a: Word, b: Word) -> Value {
        let (a, b) = (self.number(a), self.number(b));
        self.builder.ins().fcmp(comparison, a, b)
    }

    /// `condition ? a : b`.
    fn choose(&mut self, condition: Value, a: Word, b: Word) -> Word {
        if matches!(a, Word::Integer(_)) && matches!(b, Word::Integer(_)) {
            let (a, b) = (self.integer(a), self.integer(b));
            return Word::Integer(self.builder.ins().select(condition, a, b));
        }
        let (a, b) = (self.number(a), self.number(b));
        Word::Number(self.builder.ins().select(condition, a, b))
    }

    /// `a b + c` on numbers.
    fn fused(&mut self, a: Value, b: Value, c: Value) -> Word {
        let Some(callee) = self.callees.fused else {
            return Word::Number(self.builder.ins().fma(a, b, c));
        };
        let call = self.builder.ins().call(callee, &[a, b, c]);
        Word::Number(self.builder.inst_results(call)[0])
    }

    fn called(&mut self, function: Called, arguments: &[Value]) -> Value {
        let Some(callee) = self.callees.get(function) else {
            // All functions of the program are declared.
            return self.number(Word::Constant(f64::NAN.to_bits()));
        };
        let call = self.builder.ins().call(callee, arguments);
        self.builder.inst_results(call)[0]
    }
}

/// An operation on two numbers.
macro_rules! numbers {
    ($($name:ident: $instruction:ident),+) => {
        $(fn $name(&mut self, a: Word, b: Word) -> Word {
            let (a, b) = (self.number(a), self.number(b));
            Word::Number(self.builder.ins().$instruction(a, b))
        })+
    };
}

/// An operation on one number.
macro_rules! number {
    ($($name:ident: $instruction:ident),+) => {
        $(fn $name(&mut self, a: Word) -> Word {
            let a = self.number(a);
            Word::Number(self.builder.ins().$instruction(a))
        })+
    };
}

/// An operation on bits.
macro_rules! bits {
    ($($name:ident: $instruction:ident),+) => {
        $(fn $name(&mut self, a: Word, b: Word) -> Word {
            if let (Word::Condition(a), Word::Condition(b)) = (a, b) {
                return Word::Condition(self.builder.ins().$instruction(a, b));
            }
            let (a, b) = (self.integer(a), self.integer(b));
            Word::Integer(self.builder.ins().$instruction(a, b))
        })+
    };
}

impl Arithmetic for Operations<'_, '_> {
    type Value = Word;

    fn bits(&mut self, bits: u64) -> Word {
        Word::Constant(bits)
    }

    numbers!(add: fadd, sub: fsub, mul: fmul, div: fdiv);
    number!(sqrt: sqrt, neg: fneg, abs: fabs);
    bits!(and: band, or: bor, xor: bxor);

    fn fma(&mut self, a: Word, b: Word, c: Word) -> Word {
        let (a, b, c) = (self.number(a), self.number(b), self.number(c));
        self.fused(a, b, c)
    }

    fn fms(&mut self, a: Word, b: Word, c: Word) -> Word {
        let (a, b, c) = (self.number(a), self.number(b), self.number(c));
        let c = self.builder.ins().fneg(c);
        self.fused(a, b, c)
    }

    fn fnma(&mut self, a: Word, b: Word, c: Word) -> Word {
        let (a, b, c) = (self.number(a), self.number(b), self.number(c));
        let a = self.builder.ins().fneg(a);
        self.fused(a, b, c)
    }

    /// Not `fmax`, which has another opinion of NaN and of the signs of zeros.
    fn max(&mut self, a: Word, b: Word) -> Word {
        let condition = self.compare(FloatCC::GreaterThan, a, b);
        self.choose(condition, a, b)
    }

    fn min(&mut self, a: Word, b: Word) -> Word {
        let condition = self.compare(FloatCC::LessThan, a, b);
        self.choose(condition, a, b)
    }

    fn shift_left(&mut self, a: Word, count: u8) -> Word {
        let (a, count) = (self.integer(a), i64::from(count));
        let count = self.builder.ins().iconst(types::I64, count);
        Word::Integer(self.builder.ins().ishl(a, count))
    }

    fn shift_right(&mut self, a: Word, count: u8) -> Word {
        let (a, count) = (self.integer(a), i64::from(count));
        let count = self.builder.ins().iconst(types::I64, count);
        Word::Integer(self.builder.ins().ushr(a, count))
    }

    fn add_integer(&mut self, a: Word, b: Word) -> Word {
        let (a, b) = (self.integer(a), self.integer(b));
        Word::Integer(self.builder.ins().iadd(a, b))
    }

    fn less(&mut self, a: Word, b: Word) -> Word {
        Word::Condition(self.compare(FloatCC::LessThan, a, b))
    }

    fn less_equal(&mut self, a: Word, b: Word) -> Word {
        Word::Condition(self.compare(FloatCC::LessThanOrEqual, a, b))
    }

    fn select(&mut self, mask: Word, a: Word, b: Word) -> Word {
        let condition = match mask {
            Word::Condition(condition) => condition,
            _ => {
                let mask = self.integer(mask);
                let zero = self.builder.ins().iconst(types::I64, 0);
                self.builder.ins().icmp(IntCC::SignedLessThan, mask, zero)
            }
        };
        self.choose(condition, a, b)
    }

    fn call(&mut self, function: Function, a: Word) -> Word {
        let a = self.number(a);
        Word::Number(self.called(Called::One(function), &[a]))
    }

    fn call2(&mut self, function: BinaryFunction, a: Word, b: Word) -> Word {
        let (a, b) = (self.number(a), self.number(b));
        Word::Number(self.called(Called::Two(function), &[a, b]))
    }

    fn guarded(&mut self, function: Function, argument: Word, fast: Word, bound: f64) -> Word {
        let (argument, fast) = (self.number(argument), self.number(fast));
        let magnitude = self.builder.ins().fabs(argument);
        let bound = self.number(Word::Constant(bound.to_bits()));
        let within = self.builder.ins().fcmp(FloatCC::LessThanOrEqual, magnitude, bound);
        let (beyond, join) = (self.builder.create_block(), self.builder.create_block());
        let value = self.builder.append_block_param(join, types::F64);
        self.builder.set_cold_block(beyond);
        self.builder.ins().brif(within, join, &[fast.into()], beyond, &[]);
        self.builder.switch_to_block(beyond);
        let called = self.called(Called::One(function), &[argument]);
        self.builder.ins().jump(join, &[called.into()]);
        self.builder.switch_to_block(join);
        Word::Number(value)
    }
}
