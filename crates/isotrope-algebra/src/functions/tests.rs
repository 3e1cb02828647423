//! What has to hold for every function of the table.

use rustc_hash::{FxHashMap, FxHashSet};

use super::*;
use crate::Budget;
use crate::calculus::{derivative, series, substitute};
use crate::evaluate::evaluate_ball;
use crate::modular::Random;
use crate::number::{Precision, Rational};
use crate::pool::Node;
use crate::print;
use crate::syntax::{Callee, is_reserved, parse_expression};

const PRECISION: u32 = 160;

/// Rational points inside the interval of samples, none of them a half-integer.
fn points(function: Function) -> Vec<Rational> {
    let (low, high) = function.samples();
    let mut random = Random::new(function as u64);
    (0..40)
        .map(|_| {
            let share = Rational::new(1 + random.below(305) as i64, 307).unwrap();
            Rational::integer(low) + share * Rational::integer(high - low)
        })
        .collect()
}

/// The value of an expression in x.
fn value(pool: &mut Pool, expression: ExprId, at: &Rational) -> Ball {
    let precision = Precision::new(PRECISION);
    let x = pool.symbol("x");
    let values: FxHashMap<_, _> = [(x, Ball::from_rational(at, precision))].into_iter().collect();
    evaluate_ball(pool, expression, &values, precision).unwrap()
}

fn call_of_x(pool: &mut Pool, function: Function) -> ExprId {
    let x = pool.symbol("x");
    pool.call(function, x)
}

/// Both enclosures are good, and they meet.
fn assert_equal(a: &Ball, b: &Ball, what: &str) {
    let good = |ball: &Ball| ball.accuracy() > 80 || ball.radius_is_below(-80);
    assert!(good(a) && good(b), "{what}: {a:?}, {b:?}");
    assert!(a.overlaps(b), "{what}: {a:?}, {b:?}");
}

#[test]
fn names_and_aliases_are_unique_and_reserved() {
    let mut seen = FxHashSet::default();
    for function in Function::ALL {
        let descriptor = function.descriptor();
        assert!(is_reserved(descriptor.name), "{function}");
        for name in std::iter::once(&descriptor.name).chain(descriptor.aliases) {
            assert!(seen.insert(*name), "{name}");
        }
        assert_eq!(Function::from_name(descriptor.name), Some(function));
        assert_eq!(Callee::from_name(descriptor.name), Some(Callee::Function(function)));
        assert!(function.meaning().ends_with('.'), "{function}");
    }
}

#[test]
fn doubles_lie_next_to_enclosures() {
    for function in Function::ALL {
        for at in points(function) {
            let x = at.to_f64();
            let exact = Ball::from_f64(x, Precision::new(PRECISION)).unwrap();
            let ball = function.ball(&exact).unwrap();
            let (nearest, double) = (ball.to_f64(), function.evaluate(x));
            let distance = (nearest - double).abs() / (nearest.abs() * f64::EPSILON).max(5e-324);
            assert!(distance <= 2.0, "{function}({x}) = {double}, nearest {nearest}");
            assert_eq!(function.entry()(x).to_bits(), double.to_bits());
        }
        assert!(function.evaluate(f64::NAN).is_nan() || function == Function::Heaviside);
    }
}

#[test]
fn slopes_are_the_derivative_in_double_precision() {
    let mut pool = Pool::new();
    for function in Function::ALL {
        let call = call_of_x(&mut pool, function);
        let x = pool.symbol("x");
        let slope = derivative(&mut pool, call, x, &mut Budget::new(1000)).unwrap();
        for at in points(function) {
            let exact = value(&mut pool, slope, &at).to_f64();
            let double = function.slope(at.to_f64(), function.evaluate(at.to_f64()));
            // The argument itself is rounded, and where the slope is steep that is not seen.
            let scale = exact.abs().max(1.0) * exact.abs().max(1.0);
            assert!(
                (exact - double).abs() <= 1e-12 * scale,
                "{function}'({at}): {double}, {exact}"
            );
        }
    }
}

#[test]
fn derivatives_are_coefficients_of_the_series() {
    let mut pool = Pool::new();
    let budget = &mut Budget::new(1_000_000);
    let (x, h) = (pool.symbol("x"), pool.symbol("h"));
    let shifted = pool.add(x, h);
    let map = [(x, shifted)].into_iter().collect();
    for function in Function::ALL {
        let call = pool.call(function, x);
        let moved = substitute(&mut pool, &[call], &map, budget).unwrap()[0];
        let coefficients = series(&mut pool, moved, h, 4, budget).unwrap();
        let mut expected = call;
        let mut factorial = 1;
        for (k, coefficient) in coefficients.into_iter().enumerate() {
            if k > 0 {
                factorial *= k as i64;
                expected = derivative(&mut pool, expected, x, budget).unwrap();
            }
            let scaled = pool.scale(&Rational::integer(factorial), coefficient);
            for at in points(function).into_iter().take(8) {
                let (a, b) = (value(&mut pool, scaled, &at), value(&mut pool, expected, &at));
                assert_equal(&a, &b, &format!("{function}, order {k}, at {at}"));
            }
        }
    }
}

#[test]
fn a_derivative_uses_its_value_and_earlier_functions_where_the_series_follows_from_it() {
    let mut pool = Pool::new();
    for function in Function::ALL {
        if !matches!(function.descriptor().series, SeriesRule::ByDerivative) {
            continue;
        }
        let (u, known) = (pool.symbol("u"), pool.symbol("f"));
        let slope = function.derivative(&mut pool, u, known);
        for id in pool.reachable(&[slope]) {
            if let Node::Call(used, _) = pool.node(id) {
                assert!(used < function, "{function}' contains {used}");
            }
        }
    }
}

#[test]
fn signs_pass_as_the_parity_says() {
    let mut pool = Pool::new();
    for function in Function::ALL {
        let x = pool.symbol("x");
        let (plus, minus) = (pool.call(function, x), pool.neg(x));
        let mirrored = pool.call(function, minus);
        match function.descriptor().parity {
            Parity::Even => assert_eq!(mirrored, plus, "{function}"),
            Parity::Odd => assert_eq!(mirrored, pool.neg(plus), "{function}"),
            Parity::None => assert_ne!(mirrored, plus, "{function}"),
        }
        let (low, high) = function.samples();
        if low + high != 0 {
            continue;
        }
        for at in points(function) {
            let (a, b) = (value(&mut pool, plus, &at), value(&mut pool, mirrored, &at));
            let other = -&at;
            assert_equal(&b, &value(&mut pool, plus, &other), function.name());
            match function.descriptor().parity {
                Parity::Even => assert_equal(&b, &a, function.name()),
                Parity::Odd => assert_equal(&b, &a.neg(), function.name()),
                Parity::None => {}
            }
        }
    }
}

#[test]
fn known_values_are_values() {
    let mut pool = Pool::new();
    for function in Function::ALL {
        let (low, high) = function.samples();
        for number in 2 * low..=2 * high {
            let at = Rational::integer(number) * Rational::half();
            let argument = pool.number(at.clone());
            let call = pool.call(function, argument);
            let precision = Precision::new(PRECISION);
            match function.ball(&Ball::from_rational(&at, precision)) {
                Ok(ball) => {
                    let known = evaluate_ball(&pool, call, &FxHashMap::default(), precision);
                    assert_equal(&ball, &known.unwrap(), &format!("{function}({at})"));
                }
                Err(_) => assert_eq!(call, ExprId::UNDEFINED, "{function}({at})"),
            }
        }
    }
}

#[test]
fn texts_read_back_and_formulas_name_the_function() {
    let mut pool = Pool::new();
    let budget = &mut Budget::new(100_000);
    for function in Function::ALL {
        let call = call_of_x(&mut pool, function);
        for expression in [call, pool.powi(call, 3), pool.powi(call, -1)] {
            let text = print::to_text(&pool, expression, budget).unwrap();
            assert!(text.contains(function.name()), "{text}");
            assert_eq!(parse_expression(&mut pool, &text).ok(), Some(expression), "{text}");
        }
        let latex = print::to_latex(&pool, call, budget).unwrap();
        let mathml = print::to_mathml(&pool, call, budget).unwrap();
        match function.descriptor().notation {
            Notation::Operator { latex: word, mathml: other, .. } => {
                assert!(latex.contains(word) && mathml.contains(other), "{latex}, {mathml}");
            }
            Notation::Bars => assert!(latex.contains('|') && mathml.contains('|')),
            Notation::PowerOfE => assert!(latex.contains("^{x}") && mathml.contains("<msup>")),
        }
    }
}

#[test]
fn the_documentation_lists_every_function() {
    let page = include_str!("../../../../docs/model-files.md");
    let line = page.lines().find(|line| line.starts_with("| functions |")).unwrap();
    let words: Vec<_> = line.split(|c: char| !c.is_alphanumeric()).collect();
    for callee in Callee::all() {
        assert!(words.contains(&callee.name()), "{}", callee.name());
    }
}

#[test]
fn maxima_minima_and_clipping_are_absolute_values() {
    let mut pool = Pool::new();
    for (call, written) in [
        ("max(a, b)", "(a + b + abs(a - b))/2"),
        ("min(a, b)", "(a + b - abs(a - b))/2"),
        ("clip(x, a, b)", "(a + b + abs(x - a) - abs(x - b))/2"),
        ("max(x, 0)^2", "((x + abs(x))/2)^2"),
        ("max(2, 3) + 10*min(2, 3) + 100*clip(7, -1, 1)", "123"),
        ("clip(x, -1, 1) + sign(-3*x)", "(abs(x + 1) - abs(x - 1))/2 - sign(x)"),
        ("sign(-2) + 10*sign(0) + 100*sign(pi)", "99"),
    ] {
        let call = parse_expression(&mut pool, call).unwrap();
        assert_eq!(call, parse_expression(&mut pool, written).unwrap(), "{written}");
    }
}

#[test]
fn the_slope_of_an_absolute_value_is_its_sign_and_the_zero_test_knows() {
    use crate::normal::{Zero, is_zero, simplify};
    let mut pool = Pool::new();
    let budget = &mut Budget::new(1_000_000);
    let x = pool.symbol("x");
    let size = pool.call(Function::Abs, x);
    let slope = derivative(&mut pool, size, x, budget).unwrap();
    assert_eq!(slope, pool.call(Function::Sign, x));
    for identity in [
        "sign(x)*abs(x) - x",
        "sign(x)^2 - 1",
        "sign(x) - x/abs(x)",
        "sign(x*y)*abs(x*y) - x*y",
        "max(x, y) - min(x, y) - abs(x - y)",
        "(x + abs(x))*(1 + sign(x)) - 2*(x + abs(x))",
    ] {
        let difference = parse_expression(&mut pool, identity).unwrap();
        assert_eq!(is_zero(&mut pool, difference, budget), Zero::Yes, "{identity}");
    }
    for other in ["sign(x) - 1", "sign(x) - sign(y)", "sign(x) + x/abs(x)"] {
        let difference = parse_expression(&mut pool, other).unwrap();
        assert_eq!(is_zero(&mut pool, difference, budget), Zero::No, "{other}");
    }
    // No form is preferred that has no value at 0.
    for text in ["sign(x)*y + y", "(x + abs(x))*(1 + sign(x))", "y*(sign(x) + x*sign(x))"] {
        let expression = parse_expression(&mut pool, text).unwrap();
        let short = simplify(&mut pool, expression, budget);
        let text = print::to_text(&pool, short, budget).unwrap();
        assert!(!text.contains('/') && !text.contains("^-"), "{text}");
    }
}
