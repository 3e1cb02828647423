use super::{ExprId, Node, Pool};
use crate::Rational;
use crate::functions::Function;

#[test]
fn sums_and_products_are_canonical() {
    let mut p = Pool::new();
    let (x, y, z) = (p.symbol("x"), p.symbol("y"), p.symbol("z"));
    let xy = p.add(x, y);
    let a = p.add(xy, z);
    let yz = p.add(y, z);
    let b = p.add(x, yz);
    assert_eq!(a, b);
    let (p1, p2) = (p.mul(x, y), p.mul(y, x));
    assert_eq!(p1, p2);
    let square = p.mul(x, x);
    assert_eq!(square, p.powi(x, 2));
    let quotient = p.div(square, x);
    assert_eq!(quotient, x);
}

#[test]
fn numeric_coefficients_distribute_and_contents_come_out() {
    let mut p = Pool::new();
    let (x, y) = (p.symbol("x"), p.symbol("y"));
    let sum = p.add(x, y);
    let twice = p.scale(&Rational::integer(2), sum);
    let (x2, y2) = (p.add(x, x), p.add(y, y));
    assert_eq!(twice, p.add(x2, y2));
    // (2x + 2y)(x + y) = 2 (x + y)^2, and (x - y)/(y - x) = -1.
    let product = p.mul(twice, sum);
    let square = p.powi(sum, 2);
    assert_eq!(product, p.scale(&Rational::integer(2), square));
    let (d1, d2) = (p.sub(x, y), p.sub(y, x));
    assert_eq!(p.div(d1, d2), ExprId::MINUS_ONE);
}

#[test]
fn roots_of_numbers_are_canonical() {
    let mut p = Pool::new();
    let (twelve, three, six, two) = (p.integer(12), p.integer(3), p.integer(6), p.integer(2));
    let root = p.sqrt(twelve);
    let root3 = p.sqrt(three);
    assert_eq!(root, p.scale(&Rational::integer(2), root3));
    let (r2, r6) = (p.sqrt(two), p.sqrt(six));
    assert_eq!(p.mul(r2, root3), r6);
    assert_eq!(p.mul(r2, r2), ExprId::TWO);
    let third = p.ratio(1, 3);
    let inverse = p.sqrt(third);
    assert_eq!(inverse, p.mul(third, root3));
    let minus = p.integer(-4);
    assert_eq!(p.sqrt(minus), ExprId::UNDEFINED);
    let four = p.integer(4);
    assert_eq!(p.sqrt(four), ExprId::TWO);
}

#[test]
fn roots_of_squares_are_absolute_values() {
    let mut p = Pool::new();
    let x = p.symbol("x");
    let square = p.powi(x, 2);
    let root = p.sqrt(square);
    assert_eq!(root, p.call(Function::Abs, x));
    assert_eq!(p.powi(root, 2), square);
}

#[test]
fn trigonometric_values_and_shifts() {
    let mut p = Pool::new();
    let x = p.symbol("x");
    let sixth = p.scale(&Rational::new(1, 6).unwrap(), ExprId::PI);
    assert_eq!(p.call(Function::Sin, sixth), ExprId::HALF);
    let half = p.scale(&Rational::half(), ExprId::PI);
    let shifted = p.add(x, half);
    let cosine = p.call(Function::Cos, x);
    assert_eq!(p.call(Function::Sin, shifted), cosine);
    let minus = p.neg(x);
    let sine = p.call(Function::Sin, x);
    assert_eq!(p.call(Function::Sin, minus), p.neg(sine));
    assert_eq!(p.call(Function::Cos, minus), cosine);
    let tenth = p.scale(&Rational::new(1, 10).unwrap(), ExprId::PI);
    let value = p.call(Function::Sin, tenth);
    // 4 s = sqrt(5) - 1
    let five = p.integer(5);
    let root = p.sqrt(five);
    let expected = p.sub(root, ExprId::ONE);
    assert_eq!(p.scale(&Rational::integer(4), value), expected);
}

#[test]
fn undefined_absorbs() {
    let mut p = Pool::new();
    let x = p.symbol("x");
    let bad = p.div(x, ExprId::ZERO);
    assert_eq!(bad, ExprId::UNDEFINED);
    assert_eq!(p.add(x, bad), ExprId::UNDEFINED);
    assert_eq!(p.mul(ExprId::ZERO, bad), ExprId::UNDEFINED);
    assert_eq!(p.call(Function::Sin, bad), ExprId::UNDEFINED);
    assert_eq!(p.sub(bad, bad), ExprId::UNDEFINED);
}

#[test]
fn depth_does_not_overflow_the_stack() {
    let mut p = Pool::new();
    let x = p.symbol("x");
    let mut deep = x;
    for _ in 0..200_000 {
        let sine = p.call(Function::Sin, deep);
        deep = p.add(sine, x);
    }
    let budget = &mut crate::Budget::new(10_000_000);
    let slope = crate::calculus::derivative(&mut p, deep, x, budget).unwrap();
    assert_ne!(slope, ExprId::ZERO);
    let map = [(x, ExprId::ZERO)].into_iter().collect();
    let value = crate::calculus::substitute(&mut p, &[deep], &map, budget).unwrap();
    assert_eq!(value[0], ExprId::ZERO);
    assert!(!p.depends_on(value[0], &[x]));
}

#[test]
fn huge_powers_stay_unevaluated() {
    let mut p = Pool::new();
    let nine = p.integer(9);
    let tower = p.powi(nine, 387_420_489);
    assert!(matches!(p.node(tower), Node::Product(_)));
}

#[test]
fn a_huge_broken_power_of_a_number_ends_and_is_stable() {
    let mut p = Pool::new();
    let exponent = p.ratio(40_001, 2);
    let power = p.power(ExprId::TWO, exponent);
    assert!(matches!(p.node(power), Node::Product(_)));
    let square = p.mul(power, power);
    let expected = p.powi(ExprId::TWO, 40_001);
    assert_eq!(square, expected);
}

#[test]
fn tangents_undo_arctangents_of_either_sign() {
    let mut p = Pool::new();
    let x = p.symbol("x");
    let angle = p.call(Function::Atan, x);
    let minus = p.neg(angle);
    assert_eq!(p.call(Function::Tan, angle), x);
    assert_eq!(p.call(Function::Tan, minus), p.neg(x));
}
