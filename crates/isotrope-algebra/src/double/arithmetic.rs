//! The operations in which functions are written.

use crate::{BinaryFunction, Function};

/// Operations in which functions are written once: on numbers (the interpreter and tests) or on a
/// tape under construction, where each is the operation of the same name.
#[expect(missing_docs, reason = "each is the operation of the tape of that name")]
pub trait Arithmetic {
    /// A 64-bit word: a number, or the mask of a comparison.
    type Value: Copy;

    fn bits(&mut self, bits: u64) -> Self::Value;
    fn constant(&mut self, value: f64) -> Self::Value {
        self.bits(value.to_bits())
    }
    fn add(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn sub(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn mul(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn div(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a b + c`.
    fn fma(&mut self, a: Self::Value, b: Self::Value, c: Self::Value) -> Self::Value;
    /// `a b - c`.
    fn fms(&mut self, a: Self::Value, b: Self::Value, c: Self::Value) -> Self::Value;
    /// `c - a b`.
    fn fnma(&mut self, a: Self::Value, b: Self::Value, c: Self::Value) -> Self::Value;
    fn sqrt(&mut self, a: Self::Value) -> Self::Value;
    fn neg(&mut self, a: Self::Value) -> Self::Value;
    fn abs(&mut self, a: Self::Value) -> Self::Value;
    fn max(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn min(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn and(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn or(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn xor(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn shift_left(&mut self, a: Self::Value, count: u8) -> Self::Value;
    fn shift_right(&mut self, a: Self::Value, count: u8) -> Self::Value;
    fn add_integer(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn less(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn less_equal(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `mask ? a : b`.
    fn select(&mut self, mask: Self::Value, a: Self::Value, b: Self::Value) -> Self::Value;
    fn call(&mut self, function: Function, a: Self::Value) -> Self::Value;
    fn call2(&mut self, function: BinaryFunction, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `|argument| <= bound ? fast : function(argument)`.
    fn guarded(
        &mut self,
        function: Function,
        argument: Self::Value,
        fast: Self::Value,
        bound: f64,
    ) -> Self::Value;
}

/// Arithmetic on numbers: the meaning of every operation of the tape.
#[derive(Debug, Clone, Copy, Default)]
pub struct Numbers;

/// All ones or all zeros.
#[inline]
fn mask(condition: bool) -> f64 {
    f64::from_bits(if condition { u64::MAX } else { 0 })
}

#[inline]
fn by_bits(a: f64, b: f64, operation: impl Fn(u64, u64) -> u64) -> f64 {
    f64::from_bits(operation(a.to_bits(), b.to_bits()))
}

impl Arithmetic for Numbers {
    type Value = f64;

    #[inline]
    fn bits(&mut self, bits: u64) -> f64 {
        f64::from_bits(bits)
    }

    #[inline]
    fn add(&mut self, a: f64, b: f64) -> f64 {
        a + b
    }

    #[inline]
    fn sub(&mut self, a: f64, b: f64) -> f64 {
        a - b
    }

    #[inline]
    fn mul(&mut self, a: f64, b: f64) -> f64 {
        a * b
    }

    #[inline]
    fn div(&mut self, a: f64, b: f64) -> f64 {
        a / b
    }

    #[inline]
    fn fma(&mut self, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    #[inline]
    fn fms(&mut self, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, -c)
    }

    #[inline]
    fn fnma(&mut self, a: f64, b: f64, c: f64) -> f64 {
        (-a).mul_add(b, c)
    }

    #[inline]
    fn sqrt(&mut self, a: f64) -> f64 {
        a.sqrt()
    }

    #[inline]
    fn neg(&mut self, a: f64) -> f64 {
        -a
    }

    #[inline]
    fn abs(&mut self, a: f64) -> f64 {
        a.abs()
    }

    #[inline]
    fn max(&mut self, a: f64, b: f64) -> f64 {
        if a > b { a } else { b }
    }

    #[inline]
    fn min(&mut self, a: f64, b: f64) -> f64 {
        if a < b { a } else { b }
    }

    #[inline]
    fn and(&mut self, a: f64, b: f64) -> f64 {
        by_bits(a, b, |a, b| a & b)
    }

    #[inline]
    fn or(&mut self, a: f64, b: f64) -> f64 {
        by_bits(a, b, |a, b| a | b)
    }

    #[inline]
    fn xor(&mut self, a: f64, b: f64) -> f64 {
        by_bits(a, b, |a, b| a ^ b)
    }

    /// Counts of 64 and more shift everything out, as the machine's vector shifts do.
    #[inline]
    fn shift_left(&mut self, a: f64, count: u8) -> f64 {
        f64::from_bits(a.to_bits().checked_shl(u32::from(count)).unwrap_or(0))
    }

    #[inline]
    fn shift_right(&mut self, a: f64, count: u8) -> f64 {
        f64::from_bits(a.to_bits().checked_shr(u32::from(count)).unwrap_or(0))
    }

    #[inline]
    fn add_integer(&mut self, a: f64, b: f64) -> f64 {
        by_bits(a, b, u64::wrapping_add)
    }

    #[inline]
    fn less(&mut self, a: f64, b: f64) -> f64 {
        mask(a < b)
    }

    #[inline]
    fn less_equal(&mut self, a: f64, b: f64) -> f64 {
        mask(a <= b)
    }

    #[inline]
    fn select(&mut self, mask: f64, a: f64, b: f64) -> f64 {
        if mask.is_sign_negative() { a } else { b }
    }

    #[inline]
    fn call(&mut self, function: Function, a: f64) -> f64 {
        function.evaluate(a)
    }

    #[inline]
    fn call2(&mut self, function: BinaryFunction, a: f64, b: f64) -> f64 {
        function.evaluate(a, b)
    }

    #[inline]
    fn guarded(&mut self, function: Function, argument: f64, fast: f64, bound: f64) -> f64 {
        if argument.abs() <= bound { fast } else { function.evaluate(argument) }
    }
}
