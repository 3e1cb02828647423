//! What the builder does beside recording keeps every bit; fusing does what it says.

use isotrope_tape::interpret::{Scratch, StepOutcome, step};
use isotrope_tape::math::Arithmetic;
use isotrope_tape::{Builder, Op, Passes, Program};
use proptest::prelude::*;

use crate::random::{INPUTS, Kind, SPECIAL, Step, any_steps, program, recorded, same};

fn results(program: &Program, inputs: &[f64]) -> (StepOutcome, Vec<f64>) {
    let mut state = vec![0.0; program.state as usize];
    state[..INPUTS as usize].copy_from_slice(inputs);
    let outcome = step(program, &mut state, &[3.0], &mut Scratch::new(program));
    (outcome, state)
}

fn special() -> impl Strategy<Value = f64> {
    (0..SPECIAL.len()).prop_map(|k| SPECIAL[k])
}

fn inputs() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![special(), -3.0..3.0f64], INPUTS as usize)
}

fn small_integers(count: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-3..4i32).prop_map(f64::from), count)
}

fn assert_same(a: &Program, b: &Program, inputs: &[f64]) -> Result<(), TestCaseError> {
    let ((outcome, state), (other_outcome, other_state)) = (results(a, inputs), results(b, inputs));
    // An iteration that nothing needs has no rounds.
    if !a.variables.is_empty() && !b.variables.is_empty() {
        prop_assert_eq!(outcome, other_outcome, "\n{}\n{}", a, b);
    }
    prop_assert_eq!(outcome.is_complete(), other_outcome.is_complete());
    for (slot, (&x, &y)) in state.iter().zip(&other_state).enumerate() {
        prop_assert!(same(x, y), "slot {}: {:?} and {:?}\n{}\n{}", slot, x, y, a, b);
    }
    Ok(())
}

/// Each pass alone, and all of them but fusion.
const EXACT: [Passes; 5] = [
    Passes { share: true, ..Passes::NONE },
    Passes { simplify: true, ..Passes::NONE },
    Passes { hoist: true, ..Passes::NONE },
    Passes { eliminate: true, ..Passes::NONE },
    Passes { fuse: false, ..Passes::ALL },
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn sharing_simplifying_hoisting_and_eliminating_keep_every_bit(
        steps in any_steps(40),
        constants in prop::collection::vec(special(), 5),
        inputs in inputs(),
    ) {
        let plain = program(&steps, &constants, Kind::All, Passes::NONE);
        for passes in EXACT {
            let other = program(&steps, &constants, Kind::All, passes);
            assert_same(&plain, &other, &inputs)?;
        }
    }

    /// On small integers no product is rounded, so fusing must change nothing.
    #[test]
    fn fusing_changes_nothing_where_products_are_exact(
        steps in any_steps(12),
        constants in small_integers(3),
        inputs in small_integers(INPUTS as usize),
    ) {
        let passes = Passes { fuse: false, ..Passes::ALL };
        let plain = program(&steps, &constants, Kind::Ring, passes);
        let fused = program(&steps, &constants, Kind::Ring, Passes::ALL);
        assert_same(&plain, &fused, &inputs)?;
    }

    /// Executing a fused program is executing its operations, written out with explicit `fma`.
    #[test]
    fn a_fused_program_recorded_again_is_itself(
        steps in any_steps(40),
        constants in prop::collection::vec(special(), 5),
        inputs in inputs(),
    ) {
        let fused = program(&steps, &constants, Kind::All, Passes::ALL);
        let copy = replayed(&fused, Passes { fuse: false, ..Passes::ALL });
        assert_same(&fused, &copy, &inputs)?;
    }

    #[test]
    fn the_same_operations_give_the_same_program(
        steps in any_steps(40),
        constants in prop::collection::vec(special(), 5),
    ) {
        let once = program(&steps, &constants, Kind::All, Passes::ALL);
        let twice = program(&steps, &constants, Kind::All, Passes::ALL);
        prop_assert_eq!(&once, &twice);
        prop_assert_eq!(once.to_string(), twice.to_string());
        prop_assert!(once.ops.len() <= recorded(&steps, &constants, Kind::All, Passes::ALL).len() + 12);
    }
}

/// Records a program a second time.
fn replayed(program: &Program, passes: Passes) -> Program {
    let mut b = Builder::with_passes(program.state, program.parameters, passes);
    let mut values = Vec::new();
    let mut variables = Vec::new();
    for (at, &op) in program.ops.iter().enumerate() {
        if at == program.before as usize {
            for variable in &program.variables {
                variables.push(b.variable(values[variable.start.0 as usize]));
            }
        }
        let value = match op {
            Op::State(slot) => b.state(slot),
            Op::Parameter(slot) => b.parameter(slot),
            Op::Variable(k) => b.current(variables[k as usize]),
            Op::Final(k) => b.last(variables[k as usize]),
            op => op.perform(&mut b, |v| values[v.0 as usize]).unwrap(),
        };
        values.push(value);
    }
    for (variable, &id) in program.variables.iter().zip(&variables) {
        b.set_next(id, values[variable.next.0 as usize]);
    }
    if let Some((residual, tolerance)) = program.residual {
        let (r, t) = (values[residual.0 as usize], values[tolerance.0 as usize]);
        b.iterate_until(r, t, program.max_iterations);
    } else {
        b.iterate_times(program.max_iterations);
    }
    for &(slot, value) in &program.stores {
        b.store(slot, values[value.0 as usize]);
    }
    b.finish().unwrap()
}

/// A program of all pairs of special numbers for one operation.
fn pairs(passes: Passes, op: impl Fn(&mut Builder, [isotrope_tape::ValueId; 2])) -> Builder {
    let mut b = Builder::with_passes(2, 0, passes);
    let operands = [b.state(0), b.state(1)];
    op(&mut b, operands);
    b
}

#[test]
fn a_product_in_a_sum_is_rounded_once() {
    let (x, y) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
    let mut b = pairs(Passes::ALL, |b, [x, y]| {
        let product = b.mul(x, y);
        let one = b.constant(-1.0);
        let sum = b.add(product, one);
        b.store(0, sum);
    });
    let z = b.constant(1.0);
    b.store(1, z);
    let program = b.finish().unwrap();
    assert!(program.ops.iter().any(|op| matches!(op, Op::Fma(..))), "{program}");
    let mut state = [x, y];
    step(&program, &mut state, &[], &mut Scratch::new(&program));
    assert_eq!(state[0], x.mul_add(y, -1.0));
    assert_ne!(state[0], x * y - 1.0);
}

fn count(program: &Program, wanted: fn(&Op) -> bool) -> usize {
    program.ops.iter().filter(|op| wanted(op)).count()
}

#[test]
fn a_product_that_is_needed_elsewhere_stays_whole() {
    let program = pairs(Passes::ALL, |b, [x, y]| {
        let product = b.mul(x, y);
        let sum = b.add(product, x);
        let root = b.sqrt(product);
        b.store(0, sum);
        b.store(1, root);
    });
    let program = program.finish().unwrap();
    assert_eq!(count(&program, |op| matches!(op, Op::Fma(..))), 0, "{program}");
}

#[test]
fn a_product_that_only_feeds_sums_disappears_into_all_of_them() {
    let program = pairs(Passes::ALL, |b, [x, y]| {
        let product = b.mul(x, y);
        let sum = b.add(product, x);
        let difference = b.sub(y, product);
        b.store(0, sum);
        b.store(1, difference);
    });
    let program = program.finish().unwrap();
    assert_eq!(count(&program, |op| matches!(op, Op::Mul(..))), 0, "{program}");
    assert_eq!(count(&program, |op| matches!(op, Op::Fma(..) | Op::Fnma(..))), 2, "{program}");
}

#[test]
fn strict_sums_are_not_fused_even_if_shared() {
    let program = pairs(Passes::ALL, |b, [x, y]| {
        let product = b.mul(x, y);
        let sum = b.add(product, x);
        let again = b.strictly(|b| {
            let product = b.mul(x, y);
            b.add(product, x)
        });
        assert_eq!(sum, again);
        b.store(0, sum);
    });
    let program = program.finish().unwrap();
    assert_eq!(count(&program, |op| matches!(op, Op::Fma(..))), 0, "{program}");
}

/// What does not change in the iteration is computed once; what only the end needs, at the end.
#[test]
fn values_stand_in_the_region_where_they_belong() {
    let build = |passes| {
        let mut b = Builder::with_passes(2, 1, passes);
        let (x, g) = (b.state(0), b.parameter(0));
        let variable = b.variable(x);
        let current = b.current(variable);
        let invariant = b.div(g, x);
        let next = b.div(invariant, current);
        b.set_next(variable, next);
        let change = b.sub(next, current);
        let residual = b.abs(change);
        let tolerance = b.constant(1e300);
        b.iterate_until(residual, tolerance, 9);
        // Of the iteration, but needed only after it.
        let late = b.sqrt(residual);
        let last = b.last(variable);
        b.store(0, last);
        b.store(1, late);
        b.finish().unwrap()
    };
    let hoisted = build(Passes::ALL);
    let region = |program: &Program, wanted: fn(&Op) -> bool| {
        let at = program.ops.iter().position(wanted).unwrap() as u32;
        (at >= program.before) as u32 + (at >= program.iterate) as u32
    };
    let divisions = hoisted.ops[..hoisted.before as usize].iter();
    assert_eq!(divisions.filter(|op| matches!(op, Op::Div(..))).count(), 1, "{hoisted}");
    assert_eq!(region(&hoisted, |op| matches!(op, Op::Sqrt(_))), 2, "{hoisted}");
    let plain = build(Passes { hoist: false, ..Passes::ALL });
    assert_eq!(region(&plain, |op| matches!(op, Op::Div(..))), 1, "{plain}");
    let run = |program: &Program| {
        let mut state = [1.7, 0.0];
        step(program, &mut state, &[3.1], &mut Scratch::new(program));
        state
    };
    assert_eq!(run(&hoisted), run(&plain));
}

#[test]
fn sums_may_be_long_without_recursion() {
    let mut b = Builder::new(1, 0);
    let x = b.state(0);
    let mut sum = x;
    for _ in 0..200_000 {
        sum = b.sqrt(sum);
    }
    b.store(0, sum);
    assert_eq!(b.finish().unwrap().ops.len(), 200_001);
}

#[test]
fn steps_are_listed_readably() {
    let steps = [Step(4, 0, 1, 0), Step(0, 14, 2, 0), Step(8, 15, 3, 0), Step(0, 10, 16, 0)];
    let program = program(&steps, &[0.1, -0.0], Kind::All, Passes::ALL);
    let text = program.to_string();
    assert!(text.starts_with("state 22, parameters 1\nbefore\n  v0 = state 0\n"), "{text}");
    assert!(text.contains("iterate at most 3, until v"), "{text}");
    assert!(text.contains("state 4 <- v"), "{text}");
}
