//! The interpreter: regions, iteration, outcomes.

use isotrope_tape::interpret::{End, RunOutcome, Scratch, run, step};
use isotrope_tape::math::Arithmetic;
use isotrope_tape::{Builder, Program};

/// Newton's iteration for the square root of a parameter, starting from the state.
fn heron(max_iterations: u32) -> Program {
    let mut b = Builder::new(1, 1);
    let (start, a, half) = (b.state(0), b.parameter(0), b.constant(0.5));
    let tolerance = b.constant(1e-14);
    let variable = b.variable(start);
    let x = b.current(variable);
    let quotient = b.div(a, x);
    let sum = b.add(x, quotient);
    let next = b.mul(half, sum);
    let change = b.sub(next, x);
    let residual = b.abs(change);
    b.set_next(variable, next);
    b.iterate_until(residual, tolerance, max_iterations);
    let root = b.last(variable);
    b.store(0, root);
    b.finish().unwrap()
}

#[test]
fn the_iteration_ends_at_the_tolerance() {
    let program = heron(50);
    let mut state = [1.0];
    let outcome = step(&program, &mut state, &[2.0], &mut Scratch::new(&program));
    assert!(outcome.is_complete());
    assert!((state[0] - 2f64.sqrt()).abs() < 1e-15);
    assert_eq!(outcome.iterations, 6);
}

#[test]
fn a_step_that_does_not_converge_changes_nothing() {
    let program = heron(3);
    let mut state = [1.0];
    let outcome = run(&program, &mut state, &[2.0], 10, &mut Scratch::new(&program));
    assert_eq!(outcome, RunOutcome { steps: 0, iterations: 3, end: End::NotConverged });
    assert_eq!(state[0], 1.0);
}

/// A NaN residual is not below any tolerance.
#[test]
fn nan_never_converges() {
    let program = heron(50);
    let mut state = [1.0];
    let outcome = step(&program, &mut state, &[f64::NAN], &mut Scratch::new(&program));
    assert!(!outcome.converged);
    assert_eq!(outcome.iterations, 50);
}

#[test]
fn the_first_step_that_is_not_finite_ends_the_run() {
    // x <- x², y <- y + 1.
    let mut b = Builder::new(2, 0);
    let (x, y, one) = (b.state(0), b.state(1), b.constant(1.0));
    let square = b.mul(x, x);
    let more = b.add(y, one);
    b.store(1, more);
    b.store(0, square);
    let program = b.finish().unwrap();
    let mut state = [2.0, 0.0];
    let outcome = run(&program, &mut state, &[], 100, &mut Scratch::new(&program));
    // 2^(2^9) is finite, its square is not.
    let expected = RunOutcome { steps: 9, iterations: 0, end: End::NonFinite { slot: 0 } };
    assert_eq!(outcome, expected);
    assert_eq!(state, [2f64.powi(512), 9.0]);
}

#[test]
fn stores_see_the_state_before_the_step() {
    // Exchange.
    let mut b = Builder::new(2, 0);
    let (x, y) = (b.state(0), b.state(1));
    b.store(0, y);
    b.store(1, x);
    let program = b.finish().unwrap();
    let mut state = [1.0, 2.0];
    assert!(run(&program, &mut state, &[], 3, &mut Scratch::new(&program)).is_complete());
    assert_eq!(state, [2.0, 1.0]);
}

#[test]
fn variables_change_all_at_once() {
    // Fibonacci: (a, b) <- (b, a + b), ten rounds; a third one keeps its value.
    let mut b = Builder::new(3, 0);
    let start = [b.state(0), b.state(1), b.state(2)];
    let variables = start.map(|start| b.variable(start));
    let [x, y, _] = variables.map(|variable| b.current(variable));
    let sum = b.add(x, y);
    b.set_next(variables[0], y);
    b.set_next(variables[1], sum);
    b.iterate_times(10);
    for (slot, variable) in variables.into_iter().enumerate() {
        let last = b.last(variable);
        b.store(slot as u32, last);
    }
    let program = b.finish().unwrap();
    let mut state = [0.0, 1.0, 7.0];
    let outcome = step(&program, &mut state, &[], &mut Scratch::new(&program));
    assert_eq!((outcome.iterations, outcome.converged), (10, true));
    assert_eq!(state, [55.0, 89.0, 7.0]);
}

/// A value of the last round, used after the iteration, is the one of that round.
#[test]
fn values_of_the_last_round_are_carried_out_of_it() {
    let mut b = Builder::new(1, 0);
    let zero = b.constant(0.0);
    let one = b.constant(1.0);
    let variable = b.variable(zero);
    let x = b.current(variable);
    let next = b.add(x, one);
    b.set_next(variable, next);
    b.iterate_times(4);
    let last = b.last(variable);
    // x is 3 and next is 4 in the last round.
    let hundred = b.constant(100.0);
    let ten = b.constant(10.0);
    let sum = b.fma(hundred, x, last);
    let sum = b.fma(ten, next, sum);
    b.store(0, sum);
    let program = b.finish().unwrap();
    let mut state = [0.0];
    step(&program, &mut state, &[], &mut Scratch::new(&program));
    assert_eq!(state[0], 344.0, "{program}");
}
