//! A whole step: Gauss with two stages for the pendulum in Cartesian coordinates.

use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Ball, ExprId, Pool, Precision};
use isotrope_tape::interpret::{Scratch, run};
use isotrope_tape::math::Arithmetic;
use isotrope_tape::{Builder, Formulas, Passes, Program, ValueId};
use rustc_hash::FxHashMap;

/// Position and velocity at t = 1 from (sin 2, -cos 2) at rest with g = 9.81: from the angle, by
/// Taylor series with 30 digits.
const REFERENCE: [f64; 4] = [
    -0.996_820_775_693_798_5,
    -0.079_676_477_992_025_97,
    -0.248_509_560_903_592_8,
    3.109_066_810_056_996_3,
];

/// `base + sum of factor times value`.
fn combination(b: &mut Builder, base: ValueId, terms: &[(f64, ValueId)]) -> ValueId {
    terms.iter().fold(base, |sum, &(factor, value)| {
        let factor = b.constant(factor);
        let part = b.mul(factor, value);
        b.add(sum, part)
    })
}

/// An exact number, rounded once.
fn exact(text: &str) -> f64 {
    let mut pool = Pool::new();
    let id = parse_expression(&mut pool, text).unwrap();
    let precision = Precision::new(200);
    isotrope_algebra::evaluate::evaluate_ball(&pool, id, &FxHashMap::default(), precision)
        .unwrap()
        .to_f64()
}

/// The step with the stage accelerations as the only unknowns; positions and momenta are
/// eliminated. The state is (q, v, p, accelerations of the stages of the step before). The step is
/// one over `rate`.
fn gauss_2(rate: u32, passes: Passes) -> Program {
    let scaled = |text: &str, k: u32| exact(&format!("({text})/{rate}^{k}"));
    let mut pool = Pool::new();
    let acceleration: Vec<ExprId> =
        ["(g*y - x'^2 - y'^2)/(x^2 + y^2)*x", "(g*y - x'^2 - y'^2)/(x^2 + y^2)*y - g"]
            .iter()
            .map(|text| parse_expression(&mut pool, text).unwrap())
            .collect();
    let symbols: Vec<ExprId> =
        ["x", "y", "x'", "y'", "g"].iter().map(|name| pool.symbol(name)).collect();
    let field = Formulas::new(&pool, &acceleration).unwrap();

    let a = [["1/4", "1/4-sqrt(3)/6"], ["1/4+sqrt(3)/6", "1/4"]];
    let squares = [["1/24", "1/8-sqrt(3)/12"], ["1/8+sqrt(3)/12", "1/24"]];
    let c = ["1/2-sqrt(3)/6", "1/2+sqrt(3)/6"];
    // The line through the stages of the last step, one step later.
    let guess = [["-sqrt(3)", "1+sqrt(3)"], ["-1-sqrt(3)", "2+sqrt(3)"]];

    let mut b = Builder::with_passes(10, 1, passes);
    let state: Vec<ValueId> = (0..10).map(|slot| b.state(slot)).collect();
    let g = b.parameter(0);
    let minus_zero = b.constant(-0.0);
    // Unknown 2 i + d: component d of stage i.
    let mut variables = Vec::new();
    for row in guess {
        for d in 0..2 {
            let terms: Vec<(f64, ValueId)> =
                (0..2).map(|j| (scaled(row[j], 0), state[6 + 2 * j + d])).collect();
            let start = combination(&mut b, minus_zero, &terms);
            variables.push(b.variable(start));
        }
    }
    let current: Vec<ValueId> = variables.iter().map(|&k| b.current(k)).collect();
    let mut next = Vec::new();
    for i in 0..2 {
        let mut point = FxHashMap::default();
        for d in 0..2 {
            let velocity: Vec<(f64, ValueId)> =
                (0..2).map(|j| (scaled(a[i][j], 1), current[2 * j + d])).collect();
            let mut position = vec![(scaled(c[i], 1), state[2 + d])];
            position.extend((0..2).map(|j| (scaled(squares[i][j], 2), current[2 * j + d])));
            point.insert(symbols[2 + d], combination(&mut b, state[2 + d], &velocity));
            point.insert(symbols[d], combination(&mut b, state[d], &position));
        }
        point.insert(symbols[4], g);
        next.extend(field.record(&mut b, &point).unwrap());
    }
    let changes: Vec<ValueId> = (0..4)
        .map(|k| {
            b.set_next(variables[k], next[k]);
            let change = b.sub(next[k], current[k]);
            b.abs(change)
        })
        .collect();
    let residual = changes.into_iter().reduce(|sum, change| b.add(sum, change)).unwrap();
    let tolerance = b.constant(1e-10);
    b.iterate_until(residual, tolerance, 20);
    let last: Vec<ValueId> = variables.iter().map(|&k| b.last(k)).collect();
    for d in 0..2 {
        let (k1, k2) = (last[d], last[2 + d]);
        let half = scaled("1/2", 1);
        let velocity = combination(&mut b, state[2 + d], &[(half, k1), (half, k2)]);
        let momentum = combination(&mut b, state[4 + d], &[(half, k1), (half, k2)]);
        let (b1, b2) = (scaled("1/4+sqrt(3)/12", 2), scaled("1/4-sqrt(3)/12", 2));
        let terms = [(scaled("1", 1), state[2 + d]), (b1, k1), (b2, k2)];
        let position = combination(&mut b, state[d], &terms);
        b.store(d as u32, position);
        b.store(2 + d as u32, velocity);
        b.store(4 + d as u32, momentum);
    }
    for (k, &value) in last.iter().enumerate() {
        b.store(6 + k as u32, value);
    }
    b.finish().unwrap()
}

fn initial() -> [f64; 10] {
    let two = Ball::integer(2, Precision::new(100));
    let (x, y) = (two.sin().unwrap().to_f64(), -two.cos().unwrap().to_f64());
    let g = 9.81;
    let (ax, ay) = (g * y * x, g * y * y - g);
    [x, y, 0.0, 0.0, 0.0, 0.0, ax, ay, ax, ay]
}

/// The state at t = 1 and the rounds it took.
fn at_one(rate: u32) -> ([f64; 10], u64) {
    let program = gauss_2(rate, Passes::ALL);
    let mut state = initial();
    let steps = u64::from(rate);
    let outcome = run(&program, &mut state, &[9.81], steps, &mut Scratch::new(&program));
    assert!(outcome.is_complete() && outcome.steps == steps, "{outcome:?}");
    (state, outcome.iterations)
}

fn error(state: &[f64; 10]) -> f64 {
    state.iter().zip(REFERENCE).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn gauss_2_follows_the_pendulum_to_twelve_digits() {
    let (state, rounds) = at_one(2000);
    assert!(error(&state) < 1e-12, "{state:?}");
    // Momenta are velocities for a unit mass, and the rod keeps its length.
    assert!((state[4] - state[2]).abs() < 1e-13 && (state[5] - state[3]).abs() < 1e-13);
    assert!((state[0] * state[0] + state[1] * state[1] - 1.0).abs() < 1e-12);
    assert!(rounds < 4 * 2000, "{rounds} rounds");
}

#[test]
fn gauss_2_has_order_four() {
    let (coarse, fine) = (error(&at_one(100).0), error(&at_one(200).0));
    assert!((coarse / fine - 16.0).abs() < 0.5, "{coarse:e} and {fine:e}");
}

/// Without the passes the same trajectory, up to the roundings that fusing saves.
#[test]
fn passes_keep_the_trajectory() {
    let trajectory = |passes: Passes| {
        let program = gauss_2(1000, passes);
        let mut state = initial();
        let outcome = run(&program, &mut state, &[9.81], 100, &mut Scratch::new(&program));
        assert!(outcome.is_complete());
        state
    };
    let unfused = Passes { fuse: false, ..Passes::ALL };
    assert_eq!(trajectory(unfused), trajectory(Passes { hoist: false, ..unfused }));
    assert_eq!(trajectory(unfused), trajectory(Passes { eliminate: false, ..unfused }));
    for (a, b) in trajectory(unfused).into_iter().zip(trajectory(Passes::ALL)) {
        assert!((a - b).abs() < 1e-11);
    }
}

/// A hand-written step has few operations in its round: as an expert would write it.
#[test]
fn the_round_is_as_short_as_hand_written_code() {
    let program = gauss_2(1000, Passes::ALL);
    let round = program.iterate - program.before;
    assert!(round <= 49, "{program}");
}
