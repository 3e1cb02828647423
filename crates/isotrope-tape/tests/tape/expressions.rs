//! Expressions on the tape against rigorous enclosures.

use isotrope_algebra::evaluate::evaluate_balls;
use isotrope_algebra::modular::Random;
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Ball, ExprId, Function, Pool, Precision, Rational};
use isotrope_tape::interpret::{Scratch, step};
use isotrope_tape::{Builder, ExpressionError, Formulas, Op, Passes, Program};
use rustc_hash::FxHashMap;

/// The program that stores the expressions behind the values of their symbols in the state.
pub fn compiled(pool: &Pool, expressions: &[ExprId], symbols: &[ExprId]) -> Program {
    compiled_with(pool, expressions, symbols, Passes::ALL)
}

fn compiled_with(
    pool: &Pool,
    expressions: &[ExprId],
    symbols: &[ExprId],
    passes: Passes,
) -> Program {
    let formulas = Formulas::new(pool, expressions).unwrap();
    let mut b = Builder::with_passes((symbols.len() + expressions.len()) as u32, 0, passes);
    let values = symbols.iter().enumerate().map(|(k, &id)| (id, b.state(k as u32))).collect();
    let results = formulas.record(&mut b, &values).unwrap();
    for (k, &result) in results.iter().enumerate() {
        b.store((symbols.len() + k) as u32, result);
    }
    b.finish().unwrap()
}

/// Values of the expressions at a point; none where one is not finite.
pub fn values(program: &Program, point: &[f64]) -> Option<Vec<f64>> {
    let mut state = vec![0.0; program.state as usize];
    state[..point.len()].copy_from_slice(point);
    let outcome = step(program, &mut state, &[], &mut Scratch::new(program));
    outcome.is_complete().then(|| state.split_off(point.len()))
}

/// An operation with this many bits may lose as much as 16 operations on doubles.
pub const BITS: u32 = 49;

/// Enclosures of the expressions at a point (whose numbers are short), with the bits asked for.
pub fn enclosures(
    pool: &Pool,
    expressions: &[ExprId],
    symbols: &[ExprId],
    point: &[f64],
    bits: u32,
) -> Option<Vec<Ball>> {
    let precision = Precision::new(bits);
    let exact: FxHashMap<ExprId, Ball> = symbols
        .iter()
        .zip(point)
        .map(|(&id, &x)| (id, Ball::from_f64(x, precision).unwrap()))
        .collect();
    evaluate_balls(pool, expressions, &exact, precision).ok()
}

/// The distance of a value from the true one in units of the last place. It may be large only where
/// an evaluation with 49 bits loses as much.
pub fn check(value: f64, rough: &Ball, fine: &Ball, what: &str) -> f64 {
    let ball = Ball::from_f64(value, Precision::new(64)).unwrap();
    let truth = fine.to_f64();
    let unit = (f64::from_bits(truth.abs().to_bits() + 1) - truth.abs()).max(f64::MIN_POSITIVE);
    let distance = ball.sub(fine).to_f64().abs() / unit;
    assert!(distance <= 4.0 || ball.overlaps(rough), "{what}: {value:e} is not in {rough:?}");
    distance
}

pub fn random_point(random: &mut Random, count: usize) -> Vec<f64> {
    (0..count).map(|_| (1 + random.below(3000)) as f64 / 1024.0).collect()
}

/// A random expression in four symbols, as a small graph with shared parts.
fn random_expression(pool: &mut Pool, random: &mut Random) -> ExprId {
    let mut made: Vec<ExprId> = ["x", "y", "z", "w"].iter().map(|name| pool.symbol(name)).collect();
    made.push(pool.ratio(random.below(19) as i64 - 9, 1 + random.below(7) as i64));
    made.push(ExprId::PI);
    for _ in 0..3 + random.below(12) {
        let pick =
            |random: &mut Random, made: &[ExprId]| made[random.below(made.len() as u64) as usize];
        let (a, b) = (pick(random, &made), pick(random, &made));
        let next = match random.below(18) {
            0..=3 => pool.add(a, b),
            4..=6 => pool.mul(a, b),
            7 => pool.sub(a, b),
            8 => pool.div(a, b),
            9 => pool.powi(a, 1 + random.below(5) as i64),
            10 => pool.powi(a, -1 - random.below(3) as i64),
            11 => {
                let number = pool.ratio(random.below(7) as i64 - 3, 1 + random.below(3) as i64);
                pool.mul(number, a)
            }
            12 => {
                let exponent = pool.ratio(random.below(7) as i64 - 3, 2 + random.below(2) as i64);
                pool.power(a, exponent)
            }
            13 => pool.atan2(a, b),
            14 => solve_component(pool, random, &made),
            15 => pool.power(a, b),
            _ => {
                let k = random.below(Function::ALL.len() as u64) as usize;
                let function = match random.below(3) {
                    0 => Function::ALL[k],
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

/// A component of the solution of a diagonally dominant system.
fn solve_component(pool: &mut Pool, random: &mut Random, made: &[ExprId]) -> ExprId {
    let size = 2 + random.below(4) as u32;
    let mut pick = || made[random.below(made.len() as u64) as usize];
    let mut entries = Vec::new();
    for i in 0..size {
        for j in 0..size {
            let angle = pick();
            let entry = match (i == j, (i + 2 * j) % 3) {
                (true, _) => {
                    let nine = pool.integer(9);
                    let part = pool.call(Function::Sin, angle);
                    pool.add(nine, part)
                }
                (false, 0) => continue,
                _ => pool.call(Function::Cos, angle),
            };
            entries.push((i, j, entry));
        }
    }
    let right: Vec<ExprId> = (0..size).map(|_| pick()).collect();
    pool.solve_node(&entries, &right)[0]
}

#[test]
fn random_expressions_are_evaluated_to_a_few_roundings() {
    let count = if std::env::var_os("ISOTROPE_LONG").is_some() { 200_000 } else { 20_000 };
    let mut random = Random::new(1729);
    let (mut compared, mut close) = (0, 0);
    let mut pool = Pool::new();
    for round in 0..count {
        if round % 500 == 0 {
            pool = Pool::new();
        }
        let symbols: Vec<ExprId> =
            ["x", "y", "z", "w"].iter().map(|name| pool.symbol(name)).collect();
        let e = random_expression(&mut pool, &mut random);
        let point = random_point(&mut random, 4);
        // Values out of reach of doubles, or outside of a domain, say nothing here.
        let rough = enclosures(&pool, &[e], &symbols, &point, BITS);
        let fine = enclosures(&pool, &[e], &symbols, &point, 200);
        let (Some(rough), Some(fine)) = (rough, fine) else { continue };
        let size = fine[0].to_f64().abs();
        if rough[0].accuracy() < 1 || !(1e-100..1e100).contains(&size) {
            continue;
        }
        let program = compiled(&pool, &[e], &symbols);
        let Some(found) = values(&program, &point) else { continue };
        let ulps = check(found[0], &rough[0], &fine[0], &format!("{program}"));
        compared += 1;
        close += u32::from(ulps <= 4.0);
    }
    assert!(compared > count / 2, "only {compared} compared");
    // Cancellation is rare.
    assert!(close * 100 > compared * 90, "{close} of {compared} within 4 units");
}

/// The passes keep bits on expressions too.
#[test]
fn unoptimised_expressions_have_the_same_bits() {
    let mut random = Random::new(4104);
    for _ in 0..300 {
        let mut pool = Pool::new();
        let symbols: Vec<ExprId> =
            ["x", "y", "z", "w"].iter().map(|name| pool.symbol(name)).collect();
        let outputs: Vec<ExprId> =
            (0..4).map(|_| random_expression(&mut pool, &mut random)).collect();
        let point = random_point(&mut random, 4);
        let Ok(_) = Formulas::new(&pool, &outputs) else { continue };
        // The order in sums follows the estimated times, which folding changes: so only these.
        let all = Passes { fuse: false, ..Passes::ALL };
        let some = Passes { hoist: false, eliminate: false, ..all };
        let a = compiled_with(&pool, &outputs, &symbols, all);
        let b = compiled_with(&pool, &outputs, &symbols, some);
        let (a, b) = (values(&a, &point), values(&b, &point));
        let bits =
            |v: Option<Vec<f64>>| v.map(|v| v.into_iter().map(f64::to_bits).collect::<Vec<_>>());
        assert_eq!(bits(a), bits(b));
    }
}

fn program_of(texts: &[&str], names: &[&str]) -> Program {
    let mut pool = Pool::new();
    let outputs: Vec<ExprId> =
        texts.iter().map(|text| parse_expression(&mut pool, text).unwrap()).collect();
    let symbols: Vec<ExprId> = names.iter().map(|name| pool.symbol(name)).collect();
    compiled(&pool, &outputs, &symbols)
}

fn count(program: &Program, wanted: fn(&Op) -> bool) -> usize {
    program.ops.iter().filter(|op| wanted(op)).count()
}

fn divisions(program: &Program) -> usize {
    count(program, |op| matches!(op, Op::Div(..)))
}

#[test]
fn a_quotient_is_one_division() {
    let program = program_of(&["x*y/(z*(x+y)^2*w)"], &["x", "y", "z", "w"]);
    assert_eq!(divisions(&program), 1, "{program}");
}

#[test]
fn equal_denominators_are_divided_by_once() {
    let program = program_of(&["x/(x^2+y^2)", "y/(x^2+y^2)^2", "x*y/(x^2+y^2)"], &["x", "y"]);
    assert_eq!(divisions(&program), 1, "{program}");
    let program = program_of(&["x/sqrt(x^2+y^2)^3", "y/sqrt(x^2+y^2)^3"], &["x", "y"]);
    assert_eq!(divisions(&program), 1, "{program}");
    assert_eq!(count(&program, |op| matches!(op, Op::Sqrt(_))), 1, "{program}");
}

#[test]
fn common_quotients_are_computed_once() {
    let texts = ["(g*y - w)/(x^2+y^2)*x", "(g*y - w)/(x^2+y^2)*y - g"];
    let program = program_of(&texts, &["x", "y", "w", "g"]);
    assert_eq!(divisions(&program), 1, "{program}");
    // g y - w, x², x² + y², the quotient times x, and times y minus g.
    let work = |op: &Op| matches!(op, Op::Mul(..) | Op::Fma(..) | Op::Fms(..) | Op::Fnma(..));
    assert_eq!(count(&program, work), 5, "{program}");
}

#[test]
fn sine_and_cosine_share_their_reduction() {
    let one = program_of(&["sin(x)"], &["x"]).ops.len();
    let both = program_of(&["sin(x)", "cos(x)"], &["x"]).ops.len();
    assert!(both < one + 12, "{one} operations for one, {both} for both");
}

/// The derivatives of x1 x2 … xn: every product but one factor.
#[test]
fn long_products_share_their_blocks() {
    const N: usize = 200;
    let mut pool = Pool::new();
    let symbols: Vec<ExprId> = (1..=N).map(|k| pool.symbol(&format!("x{k}"))).collect();
    let products: Vec<ExprId> = (0..N)
        .map(|k| {
            let others = [&symbols[..k], &symbols[k + 1..]].concat();
            pool.product(&others)
        })
        .collect();
    let program = compiled(&pool, &products, &symbols);
    let multiplications = count(&program, |op| matches!(op, Op::Mul(..)));
    // A block of its own on each of 8 levels, not N factors.
    assert!(multiplications <= 2 * 8 * N, "{multiplications}");
    let point: Vec<f64> = (0..N).map(|k| 1.0 + (k as f64 - 100.0) / 1e4).collect();
    let whole: f64 = point.iter().product();
    for (value, x) in values(&program, &point).unwrap().iter().zip(&point) {
        assert!((value * x / whole - 1.0).abs() < 1e-13);
    }
}

#[test]
fn powers_are_squared_repeatedly() {
    let program = program_of(&["x^8 + x^7"], &["x"]);
    assert_eq!(count(&program, |op| matches!(op, Op::Mul(..) | Op::Fma(..))), 5, "{program}");
}

/// Exact numbers are rounded once, whatever they are made of.
#[test]
fn constants_are_rounded_correctly() {
    let texts = ["(1/4 - sqrt(3)/6)*x", "pi^2/7*x", "x + sqrt(2)*sqrt(3)", "sin(1)*exp(1)*x"];
    let program = program_of(&texts, &["x"]);
    let found = values(&program, &[1.0]).unwrap();
    let mut pool = Pool::new();
    let precision = Precision::new(300);
    for (text, value) in texts.iter().zip(&found).take(2) {
        let id = parse_expression(&mut pool, text).unwrap();
        let x = pool.symbol("x");
        let one = [(x, Ball::one(precision))].into_iter().collect();
        let ball = &evaluate_balls(&pool, &[id], &one, precision).unwrap()[0];
        assert_eq!(Some(*value), ball.to_f64_certain(), "{text}");
    }
    let root_six = Ball::integer(6, precision).sqrt().unwrap().to_f64();
    assert_eq!(found[2], 1.0 + root_six);
    assert_eq!(count(&program, |op| matches!(op, Op::Sqrt(_) | Op::Call(..))), 0, "{program}");
}

#[test]
fn common_factors_of_coefficients_are_taken_out() {
    let program = program_of(&["(x*x' + y*y' - z*w)/2"], &["x", "x'", "y", "y'", "z", "w"]);
    // x x', two fused products, one half.
    let work = |op: &Op| matches!(op, Op::Mul(..) | Op::Fma(..) | Op::Fms(..) | Op::Fnma(..));
    assert_eq!(count(&program, work), 4, "{program}");
}

#[test]
fn refusals_say_what_is_missing() {
    let mut pool = Pool::new();
    let e = parse_expression(&mut pool, "x + y").unwrap();
    let formulas = Formulas::new(&pool, &[e]).unwrap();
    assert_eq!(formulas.symbols().len(), 2);
    let mut b = Builder::new(1, 0);
    let x = pool.symbol("x");
    let known = [(x, b.state(0))].into_iter().collect();
    let unknown = ExpressionError::UnknownSymbol { name: "y".into() };
    assert_eq!(formulas.record(&mut b, &known), Err(unknown));
    assert_eq!(Formulas::new(&pool, &[ExprId::UNDEFINED]).unwrap_err(), ExpressionError::Undefined);
    let half = pool.number(Rational::half());
    assert!(Formulas::new(&pool, &[half]).is_ok());
}
