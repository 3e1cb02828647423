//! Arithmetic that knows which bits are defined.
//!
//! Sign and payload of a NaN that arithmetic makes are not: a program may pass such a NaN on, but
//! what it makes of its bits is undefined.

use crate::math::{Arithmetic, Numbers};
use crate::{BinaryFunction, Function};

/// What is known of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// All bits.
    Bits,
    /// That it is a NaN.
    Nan,
    /// Nothing.
    Nothing,
}

/// A number and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    pub number: f64,
    pub known: Known,
}

impl Word {
    pub fn new(number: f64) -> Self {
        Self { number, known: Known::Bits }
    }
}

/// Arithmetic on such words.
pub struct Defined;

/// The result of arithmetic: a NaN is only that.
fn rounded<const N: usize>(operands: [Word; N], f: impl Fn([f64; N]) -> f64) -> Word {
    let number = f(operands.map(|word| word.number));
    let known = if operands.iter().any(|word| word.known == Known::Nothing) {
        Known::Nothing
    } else if number.is_nan() {
        Known::Nan
    } else {
        Known::Bits
    };
    Word { number, known }
}

/// The result of an operation on bits.
fn bitwise(a: Word, b: Word, number: f64) -> Word {
    let defined = a.known == Known::Bits && b.known == Known::Bits;
    Word { number, known: if defined { Known::Bits } else { Known::Nothing } }
}

/// One of two words, if what decides is known.
fn choose(decided: bool, chosen: Word) -> Word {
    if decided { chosen } else { Word { known: Known::Nothing, ..chosen } }
}

fn compared(a: Word, b: Word, number: f64) -> Word {
    let undefined = a.known == Known::Nothing || b.known == Known::Nothing;
    Word { number, known: if undefined { Known::Nothing } else { Known::Bits } }
}

impl Arithmetic for Defined {
    type Value = Word;

    fn bits(&mut self, bits: u64) -> Word {
        Word::new(f64::from_bits(bits))
    }
    fn add(&mut self, a: Word, b: Word) -> Word {
        rounded([a, b], |[a, b]| Numbers.add(a, b))
    }
    fn sub(&mut self, a: Word, b: Word) -> Word {
        rounded([a, b], |[a, b]| Numbers.sub(a, b))
    }
    fn mul(&mut self, a: Word, b: Word) -> Word {
        rounded([a, b], |[a, b]| Numbers.mul(a, b))
    }
    fn div(&mut self, a: Word, b: Word) -> Word {
        rounded([a, b], |[a, b]| Numbers.div(a, b))
    }
    fn fma(&mut self, a: Word, b: Word, c: Word) -> Word {
        rounded([a, b, c], |[a, b, c]| Numbers.fma(a, b, c))
    }
    fn fms(&mut self, a: Word, b: Word, c: Word) -> Word {
        rounded([a, b, c], |[a, b, c]| Numbers.fms(a, b, c))
    }
    fn fnma(&mut self, a: Word, b: Word, c: Word) -> Word {
        rounded([a, b, c], |[a, b, c]| Numbers.fnma(a, b, c))
    }
    fn sqrt(&mut self, a: Word) -> Word {
        rounded([a], |[a]| Numbers.sqrt(a))
    }
    fn neg(&mut self, a: Word) -> Word {
        Word { number: Numbers.neg(a.number), ..a }
    }
    fn abs(&mut self, a: Word) -> Word {
        Word { number: Numbers.abs(a.number), ..a }
    }
    fn max(&mut self, a: Word, b: Word) -> Word {
        let decided = a.known != Known::Nothing && b.known != Known::Nothing;
        choose(decided, if a.number > b.number { a } else { b })
    }
    fn min(&mut self, a: Word, b: Word) -> Word {
        let decided = a.known != Known::Nothing && b.known != Known::Nothing;
        choose(decided, if a.number < b.number { a } else { b })
    }
    fn and(&mut self, a: Word, b: Word) -> Word {
        bitwise(a, b, Numbers.and(a.number, b.number))
    }
    fn or(&mut self, a: Word, b: Word) -> Word {
        bitwise(a, b, Numbers.or(a.number, b.number))
    }
    fn xor(&mut self, a: Word, b: Word) -> Word {
        bitwise(a, b, Numbers.xor(a.number, b.number))
    }
    fn shift_left(&mut self, a: Word, count: u8) -> Word {
        bitwise(a, a, Numbers.shift_left(a.number, count))
    }
    fn shift_right(&mut self, a: Word, count: u8) -> Word {
        bitwise(a, a, Numbers.shift_right(a.number, count))
    }
    fn add_integer(&mut self, a: Word, b: Word) -> Word {
        bitwise(a, b, Numbers.add_integer(a.number, b.number))
    }
    fn less(&mut self, a: Word, b: Word) -> Word {
        compared(a, b, Numbers.less(a.number, b.number))
    }
    fn less_equal(&mut self, a: Word, b: Word) -> Word {
        compared(a, b, Numbers.less_equal(a.number, b.number))
    }
    fn select(&mut self, mask: Word, a: Word, b: Word) -> Word {
        let chosen = if mask.number.is_sign_negative() { a } else { b };
        choose(mask.known == Known::Bits, chosen)
    }
    fn call(&mut self, function: Function, a: Word) -> Word {
        rounded([a], |[a]| Numbers.call(function, a))
    }
    fn call2(&mut self, function: BinaryFunction, a: Word, b: Word) -> Word {
        rounded([a, b], |[a, b]| Numbers.call2(function, a, b))
    }
    fn guarded(&mut self, function: Function, argument: Word, fast: Word, bound: f64) -> Word {
        let chosen =
            if argument.number.abs() <= bound { fast } else { self.call(function, argument) };
        choose(argument.known != Known::Nothing, chosen)
    }
}
