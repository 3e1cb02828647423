//! A hundred thousand random expressions: derivatives, simplification and printing keep
//! their values and their meaning. (A million with ISOTROPE_LONG set.)
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use isotrope_algebra::calculus::{derivative, series, substitute};
use isotrope_algebra::evaluate::{Fidelity, FieldPlan, evaluate_balls};
use isotrope_algebra::modular::Random;
use isotrope_algebra::normal::{expand, simplify};
use isotrope_algebra::number::{Ball, Precision};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Function, Pool, Rational, print};
use rustc_hash::FxHashMap;

fn count() -> u64 {
    if std::env::var_os("ISOTROPE_LONG").is_some() { 1_000_000 } else { 100_000 }
}

/// A random expression in x, y and theta, as a small graph with shared parts.
fn random_expression(pool: &mut Pool, random: &mut Random) -> ExprId {
    let mut made: Vec<ExprId> =
        ["x", "y", "theta", "x'", "p_x"].iter().map(|name| pool.symbol(name)).collect();
    let (numerator, denominator) = (random.below(19) as i64 - 9, 1 + random.below(5) as i64);
    made.push(pool.ratio(numerator, denominator));
    let steps = 3 + random.below(9);
    for _ in 0..steps {
        let pick =
            |random: &mut Random, made: &[ExprId]| made[random.below(made.len() as u64) as usize];
        let (a, b) = (pick(random, &made), pick(random, &made));
        let next = match random.below(16) {
            0..=3 => pool.add(a, b),
            4..=6 => pool.mul(a, b),
            7 => pool.sub(a, b),
            8 => pool.div(a, b),
            9 => pool.powi(a, 1 + random.below(4) as i64),
            10 => pool.powi(a, -1 - random.below(2) as i64),
            11 => {
                let number = pool.ratio(random.below(7) as i64 - 3, 1 + random.below(3) as i64);
                pool.mul(number, a)
            }
            12 => {
                let exponent = pool.ratio(1 + random.below(3) as i64, 2 + random.below(2) as i64);
                pool.power(a, exponent)
            }
            13 => pool.atan2(a, b),
            _ => {
                let function = Function::ALL[random.below(Function::ALL.len() as u64) as usize];
                // Mostly sines and cosines, as in mechanics.
                let function = match random.below(3) {
                    0 => function,
                    1 => Function::Sin,
                    _ => Function::Cos,
                };
                pool.call(function, a)
            }
        };
        if next != ExprId::UNDEFINED {
            made.push(next);
        }
    }
    made[made.len() - 1]
}

/// Two expressions that must be equal: exactly at random points of a prime field where that
/// is possible, otherwise by overlapping enclosures at a real point.
/// `None` if neither road gave a value.
fn equal_somewhere(pool: &mut Pool, a: ExprId, b: ExprId, random: &mut Random) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    if let Ok(plan) = FieldPlan::new(pool, &[a, b], Fidelity::Exact, &mut Budget::new(20_000)) {
        let values = plan.evaluate_somewhere(pool, random, &FxHashMap::default(), 8)?;
        return Some(values[0] == values[1]);
    }
    let precision = Precision::new(160);
    for _ in 0..4 {
        let values: FxHashMap<ExprId, Ball> = pool
            .symbols_in(&[a, b])
            .into_iter()
            .map(|symbol| {
                let value = Rational::new(1 + random.below(300) as i64, 307).unwrap();
                (symbol, Ball::from_rational(&value, precision))
            })
            .collect();
        if let Ok(balls) = evaluate_balls(pool, &[a, b], &values, precision) {
            return Some(balls[0].overlaps(&balls[1]));
        }
    }
    None
}

fn text(pool: &Pool, id: ExprId) -> String {
    print::to_text(pool, id, &mut Budget::new(1_000_000)).unwrap()
}

#[test]
fn a_hundred_thousand_expressions_survive() {
    let mut random = Random::new(20_261_115);
    let (mut simplified, mut differentiated) = (0u64, 0u64);
    let mut pool = Pool::new();
    for round in 0..count() {
        if round % 500 == 0 {
            pool = Pool::new();
        }
        let e = random_expression(&mut pool, &mut random);
        let printed = text(&pool, e);
        let back = parse_expression(&mut pool, &printed);
        assert_eq!(back.as_ref().ok(), Some(&e), "{printed} did not read back: {back:?}");

        let budget = &mut Budget::new(30_000);
        let short = simplify(&mut pool, e, budget);
        if let Some(equal) = equal_somewhere(&mut pool, e, short, &mut random) {
            assert!(equal, "{printed} simplified to {}", text(&pool, short));
            simplified += 1;
        }
        if let Ok(expanded) = expand(&mut pool, e, &mut Budget::new(30_000)) {
            let equal = equal_somewhere(&mut pool, e, expanded, &mut random);
            assert_ne!(equal, Some(false), "{printed} expanded to {}", text(&pool, expanded));
        }

        // The derivative is the first Taylor coefficient of e(x + h): another algorithm.
        let (x, h) = (pool.symbol("x"), pool.symbol("h"));
        let slope = derivative(&mut pool, e, x, &mut Budget::new(100_000)).unwrap();
        let shifted = pool.add(x, h);
        let map = [(x, shifted)].into_iter().collect();
        let moved = substitute(&mut pool, &[e], &map, &mut Budget::new(100_000)).unwrap()[0];
        if let Ok(coefficients) = series(&mut pool, moved, h, 1, &mut Budget::new(100_000))
            && let Some(equal) = equal_somewhere(&mut pool, slope, coefficients[1], &mut random)
        {
            let (here, other) = (text(&pool, slope), text(&pool, coefficients[1]));
            assert!(equal, "d/dx {printed} = {here} but the series says {other}");
            differentiated += 1;
        }
    }
    // Some expressions have no value anywhere (log of a negative square); most have.
    assert!(simplified > count() * 8 / 10, "only {simplified} compared");
    assert!(differentiated > count() * 7 / 10, "only {differentiated} compared");
}
