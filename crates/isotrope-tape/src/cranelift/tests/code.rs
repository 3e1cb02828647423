//! Compiled code as a thing: what it refuses, where it lives, who may use it.

use super::compile_plain;
use crate::compiled::tests::programs::{chain, heron, many_calls};
use crate::cranelift::{CompileError, RunError, compile};
use crate::interpret::{self, End, Scratch};
use crate::{Function, Op, Program, ProgramError, ValueId, Variable};

#[test]
fn a_step_that_does_not_converge_leaves_the_state_as_it_was() {
    let program = heron(8);
    for code in [compile(&program).expect("compiles"), compile_plain(&program)] {
        let mut state = [1.0];
        let outcome = code.run(&mut state, &[f64::NAN], 7).expect("lengths fit");
        assert_eq!((outcome.steps, outcome.iterations), (0, 8));
        assert_eq!((outcome.end, outcome.failed), (End::NotConverged, 1));
        assert_eq!(state, [1.0]);
        // From near the root few rounds are enough, from afar eight are not.
        let outcome = code.run(&mut state, &[2.0], 7).expect("lengths fit");
        assert_eq!((outcome.steps, outcome.end), (7, End::Completed));
        let outcome = code.run(&mut state, &[1e30], 7).expect("lengths fit");
        assert_eq!((outcome.steps, outcome.end), (0, End::NotConverged));
        assert!((state[0] - 2f64.sqrt()).abs() < 1e-15);
    }
}

#[test]
fn a_step_that_is_not_finite_leaves_the_state_as_it_was() {
    // State 1 is only written, and before the overflow is noticed its value is known.
    let v = ValueId;
    let program = Program {
        ops: vec![Op::State(0), Op::Add(v(0), v(0)), Op::Constant(7f64.to_bits())],
        before: 3,
        iterate: 3,
        state: 3,
        stores: vec![(1, v(0)), (2, v(2)), (0, v(1))],
        ..Program::default()
    };
    let code = compile(&program).expect("compiles");
    let mut state = [2f64.powi(1000), 0.0, 0.0];
    let outcome = code.run(&mut state, &[], 100).expect("lengths fit");
    assert_eq!((outcome.steps, outcome.failed), (23, 1));
    assert_eq!(outcome.end, End::NonFinite { slot: 0 });
    assert_eq!(state, [2f64.powi(1023), 2f64.powi(1022), 7.0]);
    for start in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let mut state = [start, 3.0, 4.0];
        let outcome = code.run(&mut state, &[], 100).expect("lengths fit");
        assert_eq!((outcome.steps, outcome.end), (0, End::NonFinite { slot: 1 }));
        assert_eq!(state.map(f64::to_bits), [start, 3.0, 4.0].map(f64::to_bits));
    }
}

#[test]
fn variables_change_places_at_once() {
    // Each round moves all variables by one place.
    for (count, rounds) in [(2, 1), (2, 2), (2, 5), (32, 7), (33, 1), (100, 103)] {
        let v = ValueId;
        let mut ops: Vec<Op> = (0..count).map(Op::State).collect();
        ops.extend((0..count).map(Op::Variable));
        ops.extend((0..count).map(Op::Final));
        let program = Program {
            ops,
            before: count,
            iterate: 2 * count,
            state: count,
            variables: (0..count)
                .map(|k| Variable { start: v(k), next: v(count + (k + 1) % count) })
                .collect(),
            max_iterations: rounds,
            stores: (0..count).map(|k| (k, v(2 * count + k))).collect(),
            ..Program::default()
        };
        let code = compile(&program).expect("compiles");
        let mut state: Vec<f64> = (0..count).map(f64::from).collect();
        let outcome = code.run(&mut state, &[], 1).expect("lengths fit");
        assert_eq!((outcome.steps, outcome.iterations), (1, u64::from(rounds)));
        let expected: Vec<f64> = (0..count).map(|k| f64::from((k + rounds) % count)).collect();
        assert_eq!(state, expected);
    }
}

#[test]
fn long_chains_have_the_bits_of_the_interpreter() {
    // With few and many variables, with few and many operations.
    for count in [30, 60, 300] {
        let program = chain(count);
        let code = compile(&program).expect("compiles");
        let mut state: Vec<f64> = (0..count).map(|k| f64::from(k % 7)).collect();
        let mut expected = state.clone();
        let found = code.run(&mut state, &[], 20).expect("lengths fit");
        let scratch = &mut Scratch::new(&program);
        let outcome = interpret::run(&program, &mut expected, &[], 20, scratch);
        assert_eq!((outcome.steps, outcome.end), (20, End::Completed));
        assert_eq!((found.steps, found.iterations), (outcome.steps, outcome.iterations));
        assert_eq!(state, expected);
    }
}

#[test]
fn no_steps_change_nothing() {
    let code = compile(&heron(8)).expect("compiles");
    let mut state = [f64::NAN];
    let outcome = code.run(&mut state, &[2.0], 0).expect("lengths fit");
    assert_eq!((outcome.steps, outcome.iterations, outcome.end), (0, 0, End::Completed));
    assert!(state[0].is_nan());
    // A program without operations makes steps, too.
    let code = compile(&Program::default()).expect("compiles");
    assert_eq!(code.run(&mut [], &[], 5).expect("lengths fit").steps, 5);
}

#[test]
fn what_cannot_be_compiled_or_run_is_refused() {
    let program = heron(8);
    let mut wrong = program.clone();
    wrong.ops[5] = Op::Div(ValueId(1), ValueId(9));
    let refused = compile(&wrong).expect_err("uses the future");
    let expected = ProgramError::Operand { at: 5, operand: 9 };
    assert_eq!(refused, CompileError::Program(expected));
    let refused = compile(&kept(70_000)).map(|_| ()).expect_err("too many values");
    assert!(matches!(refused, CompileError::Frame { bytes } if bytes > 512 * 1024));
    let huge = Program { state: 1 << 28, ..Program::default() };
    assert_eq!(compile(&huge).expect_err("too long"), CompileError::Length);
    let code = compile(&program).expect("compiles");
    let refused = code.run(&mut [1.0; 3], &[2.0], 1).expect_err("too long");
    assert_eq!(refused, RunError::Length { what: "the state", found: 3, expected: 1 });
    assert!(code.run(&mut [1.0], &[], 1).is_err());
}

/// Adds up numbers of the state, all of which are read before a call.
fn kept(count: u32) -> Program {
    let mut ops: Vec<Op> = (0..count).map(Op::State).collect();
    ops.push(Op::Call(Function::Atan, ValueId(0)));
    for k in 0..count {
        ops.push(Op::Add(ValueId(count + k), ValueId(k)));
    }
    let end = ops.len() as u32;
    let stores = vec![(0, ValueId(end - 1))];
    Program { ops, before: end, iterate: end, state: count, stores, ..Program::default() }
}

#[test]
fn a_frame_of_many_pages_works() {
    let mut state: Vec<f64> = (0..5_000).map(f64::from).collect();
    let code = compile(&kept(5_000)).expect("compiles");
    assert!(code.length() > 5_000);
    let outcome = code.run(&mut state, &[], 1).expect("lengths fit");
    assert_eq!((outcome.steps, state[0]), (1, f64::from(4_999 * 2_500)));
}

#[test]
fn calls_keep_every_register() {
    let program = many_calls();
    for code in [compile(&program).expect("compiles"), compile_plain(&program)] {
        let mut state: Vec<f64> = (0..41).map(|slot| 0.5 + f64::from((slot * 7) % 31)).collect();
        let mut expected = state.clone();
        code.run(&mut state, &[], 2).expect("lengths fit");
        interpret::run(&program, &mut expected, &[], 2, &mut Scratch::new(&program));
        assert_eq!(state[40].to_bits(), expected[40].to_bits());
    }
}

#[test]
fn code_is_shared_between_threads() {
    let code = compile(&heron(60)).expect("compiles");
    std::thread::scope(|scope| {
        for thread in 1..4u32 {
            let code = &code;
            scope.spawn(move || {
                let mut state = [1.0];
                code.run(&mut state, &[f64::from(thread * thread)], 1000).expect("lengths fit");
                assert_eq!(state[0], f64::from(thread));
            });
        }
    });
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_freed_and_never_writable_and_executable() {
    use crate::compiled::tests::memory::executable_bytes;
    let before = executable_bytes();
    for _ in 0..2000 {
        compile(&heron(9)).expect("compiles");
    }
    // Other tests map and unmap too; 2000 pages would stand out.
    assert!(executable_bytes() < before + 1000 * 4096);
}
