//! The operations on numbers, and how many of them the expansions take.

use isotrope_algebra::modular::Random;
use isotrope_tape::math::{Arithmetic, Numbers, exp, log, sincos};
use isotrope_tape::{BinaryFunction, Function};

use crate::support::{any_exponent, count};

#[test]
fn masks_select_by_their_sign_and_comparisons_with_nan_are_false() {
    let a = &mut Numbers;
    assert_eq!(a.less(1.0, 2.0).to_bits(), u64::MAX);
    assert_eq!(a.less(2.0, 2.0).to_bits(), 0);
    assert_eq!(a.less_equal(2.0, 2.0).to_bits(), u64::MAX);
    assert_eq!(a.less(f64::NAN, 1.0).to_bits(), 0);
    assert_eq!(a.less_equal(f64::NAN, f64::NAN).to_bits(), 0);
    assert_eq!(a.select(-0.0, 1.0, 2.0), 1.0);
    assert_eq!(a.select(f64::from_bits(!(1 << 63)), 1.0, 2.0), 2.0);
}

#[test]
fn maximum_and_minimum_give_the_second_operand_in_doubt() {
    let a = &mut Numbers;
    assert_eq!(a.max(f64::NAN, 1.0), 1.0);
    assert!(a.max(1.0, f64::NAN).is_nan());
    assert_eq!(a.max(0.0, -0.0).to_bits(), (-0.0_f64).to_bits());
    assert_eq!(a.max(-0.0, 0.0).to_bits(), 0);
    assert_eq!(a.min(f64::NAN, 1.0), 1.0);
    assert!(a.min(1.0, f64::NAN).is_nan());
    assert_eq!(a.min(-0.0, 0.0).to_bits(), 0);
}

#[test]
fn words_shift_and_add_as_integers() {
    let a = &mut Numbers;
    let word = f64::from_bits(0x8000_0000_0000_0001);
    assert_eq!(a.shift_right(word, 63).to_bits(), 1);
    assert_eq!(a.shift_left(word, 63).to_bits(), 1 << 63);
    assert_eq!(a.shift_left(word, 64).to_bits(), 0);
    assert_eq!(a.shift_right(word, 255).to_bits(), 0);
    assert_eq!(a.add_integer(word, f64::from_bits(u64::MAX)).to_bits(), 1 << 63);
    assert_eq!(a.neg(f64::NAN).to_bits(), f64::NAN.to_bits() ^ 1 << 63);
    assert_eq!(a.abs(-f64::NAN).to_bits(), f64::NAN.to_bits());
}

#[test]
fn fused_operations_round_once() {
    let a = &mut Numbers;
    let x = 1.0 + f64::EPSILON;
    let square = a.mul(x, x);
    assert_eq!(a.fms(x, x, square), f64::EPSILON * f64::EPSILON);
    assert_eq!(a.fnma(x, x, square), -f64::EPSILON * f64::EPSILON);
    assert_eq!(a.fma(x, x, -square), f64::EPSILON * f64::EPSILON);
}

#[test]
fn expansions_and_calls_give_the_same_bits() {
    let mut random = Random::new(30);
    for _ in 0..count(100_000) {
        let x = any_exponent(&mut random);
        let (sine, cosine) = sincos(&mut Numbers, x);
        assert_eq!(sine.to_bits(), Function::Sin.evaluate(x).to_bits());
        assert_eq!(cosine.to_bits(), Function::Cos.evaluate(x).to_bits());
        assert_eq!(exp(&mut Numbers, x).to_bits(), Function::Exp.evaluate(x).to_bits());
        assert_eq!(log(&mut Numbers, x).to_bits(), Function::Log.evaluate(x).to_bits());
    }
}

/// Counts operations; values are depths, in operations one after the other.
#[derive(Default)]
struct Count(usize);

impl Count {
    fn operation<const N: usize>(&mut self, operands: [usize; N]) -> usize {
        self.0 += 1;
        operands.into_iter().max().map_or(0, |depth| depth + 1)
    }
}

macro_rules! count_operations {
    ($($name:ident($($operand:ident),*)),* $(,)?) => {
        $(fn $name(&mut self, $($operand: usize),*) -> usize {
            self.operation([$($operand),*])
        })*
    };
}

impl Arithmetic for Count {
    type Value = usize;
    fn bits(&mut self, _: u64) -> usize {
        0
    }
    count_operations!(
        add(a, b),
        sub(a, b),
        mul(a, b),
        div(a, b),
        fma(a, b, c),
        fms(a, b, c),
        fnma(a, b, c),
        sqrt(a),
        neg(a),
        abs(a),
        max(a, b),
        min(a, b),
        and(a, b),
        or(a, b),
        xor(a, b),
        add_integer(a, b),
        less(a, b),
        less_equal(a, b),
        select(mask, a, b),
    );
    fn shift_left(&mut self, a: usize, _: u8) -> usize {
        self.operation([a])
    }
    fn shift_right(&mut self, a: usize, _: u8) -> usize {
        self.operation([a])
    }
    fn call(&mut self, _: Function, a: usize) -> usize {
        self.operation([a])
    }
    fn call2(&mut self, _: BinaryFunction, a: usize, b: usize) -> usize {
        self.operation([a, b])
    }
    fn guarded(&mut self, _: Function, argument: usize, fast: usize, _: f64) -> usize {
        self.operation([argument, fast])
    }
}

/// Operations in all (with the guards), and in the longest chain: what a step pays.
#[test]
fn expansions_are_short() {
    let mut counted = Count::default();
    let (sine, cosine) = sincos(&mut counted, 0);
    assert_eq!((counted.0, sine, cosine), (39, 13, 13));
    let mut counted = Count::default();
    let depth = exp(&mut counted, 0);
    assert_eq!((counted.0, depth), (27, 13));
    let mut counted = Count::default();
    let depth = log(&mut counted, 0);
    assert_eq!((counted.0, depth), (37, 19));
}
