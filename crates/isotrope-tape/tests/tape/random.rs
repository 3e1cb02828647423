//! Random programs: the same operations recorded with any choice of passes.

use isotrope_tape::math::Arithmetic;
use isotrope_tape::{BinaryFunction, Builder, Function, Passes, Program, ValueId};
use proptest::prelude::*;

/// Numbers in the state that a random program reads.
pub const INPUTS: u32 = 4;
/// Results that are stored; each in three forms that are always finite.
pub const OUTPUTS: u32 = 6;

/// Numbers that break careless identities.
pub const SPECIAL: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -4.0,
    3.0,
    0.1,
    -7.25,
    1e300,
    -1e-300,
    f64::MIN_POSITIVE,
    5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// One operation: what, and which earlier values.
#[derive(Debug, Clone, Copy)]
pub struct Step(pub u8, pub u16, pub u16, pub u16);

/// Which operations a random program may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// All.
    All,
    /// Sums, differences, negatives, and products of numbers cut off at ±8: on integers, all of
    /// them are exact.
    Ring,
}

pub fn any_steps(count: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), any::<u16>(), any::<u16>(), any::<u16>());
    prop::collection::vec(step.prop_map(|(what, a, b, c)| Step(what, a, b, c)), 1..count)
}

/// A value with what is known of it without asking the builder.
#[derive(Clone, Copy)]
struct Known {
    id: ValueId,
    /// Are its bits determined? Which NaN arithmetic gives is not.
    exact: bool,
    /// 0 before, 1 iterate, 2 after.
    region: u8,
}

/// Records the steps. Values of all three regions mix freely; two variables, up to three rounds.
pub fn program(steps: &[Step], constants: &[f64], kind: Kind, passes: Passes) -> Program {
    recorded(steps, constants, kind, passes).finish().unwrap()
}

pub fn recorded(steps: &[Step], constants: &[f64], kind: Kind, passes: Passes) -> Builder {
    let mut b = Builder::with_passes(INPUTS + 3 * OUTPUTS, 1, passes);
    let mut made: Vec<Known> = Vec::new();
    let known = |id, exact, region| Known { id, exact, region };
    for slot in 0..INPUTS {
        made.push(known(b.state(slot), true, 0));
    }
    made.push(known(b.parameter(0), true, 0));
    for &value in constants {
        made.push(known(b.constant(value), true, 0));
    }
    let starts = [made[0].id, made[1].id];
    let variables = starts.map(|start| b.variable(start));
    for variable in variables {
        made.push(known(b.current(variable), false, 1));
        made.push(known(b.last(variable), false, 2));
    }
    for &step in steps {
        let value = operation(&mut b, &made, step, kind);
        made.push(value);
    }
    // The last values of a region that the iteration sees.
    let seen: Vec<ValueId> = made.iter().filter(|v| v.region < 2).map(|v| v.id).collect();
    for (k, &variable) in variables.iter().enumerate() {
        b.set_next(variable, seen[seen.len() - 1 - k]);
    }
    let (next, current) = (seen[seen.len() - 1], b.current(variables[0]));
    let change = b.sub(next, current);
    let residual = b.abs(change);
    let tolerance = b.constant(1e100);
    if steps.len().is_multiple_of(2) {
        b.iterate_until(residual, tolerance, 3);
    } else {
        b.iterate_times(3);
    }
    for k in 0..OUTPUTS {
        let value = made[made.len() - 1 - k as usize].id;
        store(&mut b, INPUTS + 3 * k, value);
    }
    b
}

/// Stores three finite numbers that tell all values apart, up to the kind of NaN.
fn store(b: &mut Builder, slot: u32, value: ValueId) {
    let [largest, other, ten, minus_ten, yes, no, infinity] =
        [f64::MAX, 1.5, 10.0, -10.0, 1.0, 2.0, f64::INFINITY].map(|c| b.constant(c));
    let size = b.abs(value);
    let finite = b.less_equal(size, largest);
    let number = b.select(finite, value, other);
    b.store(slot, number);
    let low = b.min(value, ten);
    let clamped = b.max(low, minus_ten);
    b.store(slot + 1, clamped);
    let ordered = b.less_equal(size, infinity);
    let ordered = b.select(ordered, yes, no);
    b.store(slot + 2, ordered);
}

fn operation(b: &mut Builder, made: &[Known], Step(what, x, y, z): Step, kind: Kind) -> Known {
    let pick = |k: u16| made[k as usize % made.len()];
    let (x, y, z) = (pick(x), pick(y), pick(z));
    let (one, two) = (x.region, x.region.max(y.region));
    let three = two.max(z.region);
    let exact = x.exact && y.exact;
    let (id, exact, region) = match (kind, what % if kind == Kind::Ring { 8 } else { 30 }) {
        (_, 0 | 1) => (b.add(x.id, y.id), false, two),
        (_, 2 | 3) => (b.sub(x.id, y.id), false, two),
        (Kind::Ring, 4..=6) => {
            let (x, y) = (cut(b, x.id), cut(b, y.id));
            (b.mul(x, y), false, two)
        }
        (_, 4..=6) => (b.mul(x.id, y.id), false, two),
        (_, 7) => (b.neg(x.id), x.exact, one),
        (_, 8 | 9) => (b.div(x.id, y.id), false, two),
        (_, 10) => (b.fma(x.id, y.id, z.id), false, three),
        (_, 11) => (b.fms(x.id, y.id, z.id), false, three),
        (_, 12) => (b.fnma(x.id, y.id, z.id), false, three),
        (_, 13) => (b.sqrt(x.id), false, one),
        (_, 14) => (b.abs(x.id), x.exact, one),
        (_, 15) => (b.max(x.id, y.id), false, two),
        (_, 16) => (b.min(x.id, y.id), false, two),
        (_, 17) if exact => (b.and(x.id, y.id), true, two),
        (_, 18) if exact => (b.or(x.id, y.id), true, two),
        (_, 19) if exact => (b.xor(x.id, y.id), true, two),
        (_, 20) if x.exact => (b.shift_left(x.id, 5), true, one),
        (_, 21) if x.exact => (b.shift_right(x.id, 3), true, one),
        (_, 22) if exact => (b.add_integer(x.id, y.id), true, two),
        (_, 23) => (b.less(x.id, y.id), true, two),
        (_, 24) => (b.less_equal(x.id, y.id), true, two),
        (_, 25) if x.exact => (b.select(x.id, y.id, z.id), y.exact && z.exact, three),
        (_, 26) => (b.call(Function::Atan, x.id), false, one),
        (_, 27) => (b.call2(BinaryFunction::Atan2, x.id, y.id), false, two),
        (_, 28) => (b.guarded(Function::Tanh, x.id, y.id, 2.0), false, two),
        _ => (b.mul(x.id, x.id), false, one),
    };
    Known { id, exact, region }
}

/// A number brought between -8 and 8.
fn cut(b: &mut Builder, value: ValueId) -> ValueId {
    let (low, high) = (b.constant(-8.0), b.constant(8.0));
    let value = b.min(value, high);
    b.max(value, low)
}

/// The same bits, or both NaN.
pub fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}
