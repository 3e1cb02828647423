//! Compiled code as a thing: what it refuses, where it lives, who may use it.

use crate::compiled::tests::programs::{heron, many_calls, wide};
use crate::interpret::{self, End, Scratch};
use crate::x86::{CompileError, InstructionSet, RunError, Target, compile};
use crate::{Op, Program, ProgramError, ValueId};

fn available() -> Vec<Target> {
    let sets = [InstructionSet::Avx2, InstructionSet::Avx512];
    if !InstructionSet::Avx512.is_available() {
        skipped!(machine: "no AVX-512: its code runs on the emulator only");
    }
    if !InstructionSet::Avx2.is_available() {
        skipped!(machine: "no AVX2: its code runs on the emulator only");
    }
    let sets = sets.into_iter().filter(|set| set.is_available());
    sets.flat_map(Target::all).collect()
}

#[test]
fn a_lane_that_ends_early_has_the_bits_of_a_run_alone() {
    let program = heron(60);
    for target in available() {
        let code = compile(&program, target).expect("compiles");
        let lanes = target.lanes as usize;
        // From one round to many, in sixteen lanes to 54: less than 60, and all roots are numbers.
        let parameters: Vec<f64> = (0..lanes).map(|k| 64f64.powi(k as i32)).collect();
        let mut state = vec![1.0; lanes];
        let outcome = code.run(&mut state, &parameters, 1).expect("lengths fit");
        assert_eq!((outcome.steps, outcome.end), (1, End::Completed));
        let mut rounds = 0;
        for lane in 0..lanes {
            let mut alone = [1.0];
            let scratch = &mut Scratch::new(&program);
            let one = interpret::run(&program, &mut alone, &parameters[lane..=lane], 1, scratch);
            rounds = rounds.max(one.iterations);
            assert_eq!(state[lane].to_bits(), alone[0].to_bits());
        }
        assert_eq!(outcome.iterations, rounds);
    }
}

#[test]
fn a_step_that_fails_leaves_all_lanes_as_they_were() {
    for target in available() {
        let lanes = target.lanes as usize;
        let code = compile(&heron(8), target).expect("compiles");
        let mut state = vec![1.0; lanes];
        let mut parameters = vec![2.0; lanes];
        parameters[lanes - 1] = f64::NAN;
        let outcome = code.run(&mut state, &parameters, 7).expect("lengths fit");
        assert_eq!((outcome.steps, outcome.iterations), (0, 8));
        assert_eq!((outcome.end, outcome.failed), (End::NotConverged, 1 << (lanes - 1)));
        assert_eq!(state, vec![1.0; lanes]);
        // Doubling overflows after some steps, in the lane that is ahead.
        let program = Program {
            ops: vec![Op::State(0), Op::Add(ValueId(0), ValueId(0))],
            before: 2,
            iterate: 2,
            state: 1,
            stores: vec![(0, ValueId(1))],
            ..Program::default()
        };
        let code = compile(&program, target).expect("compiles");
        let mut state = vec![1.0; lanes];
        state[0] = 2f64.powi(1000);
        let outcome = code.run(&mut state, &[], 100).expect("lengths fit");
        assert_eq!((outcome.steps, outcome.failed), (23, 1));
        assert_eq!(outcome.end, End::NonFinite { slot: 0 });
        assert_eq!(state[0], 2f64.powi(1023));
        assert!(state[1..].iter().all(|&x| x == 2f64.powi(23)));
    }
}

#[test]
fn no_steps_change_nothing() {
    for target in available() {
        let code = compile(&heron(8), target).expect("compiles");
        let mut state = vec![f64::NAN; target.lanes as usize];
        let outcome = code.run(&mut state, &vec![2.0; target.lanes as usize], 0);
        let outcome = outcome.expect("lengths fit");
        assert_eq!((outcome.steps, outcome.iterations, outcome.end), (0, 0, End::Completed));
        assert!(state.iter().all(|x| x.is_nan()));
    }
}

#[test]
fn what_cannot_be_compiled_or_run_is_refused() {
    let set = InstructionSet::Avx2;
    if !set.is_available() {
        skipped!(machine: "no AVX2: what cannot be compiled for it");
        return;
    }
    let program = heron(8);
    for lanes in [0, 2, 3, 16] {
        let refused = compile(&program, Target { set, lanes }).expect_err("no such code");
        assert_eq!(refused, CompileError::Lanes { lanes });
    }
    let mut wrong = program.clone();
    wrong.ops[5] = Op::Div(ValueId(1), ValueId(9));
    let refused = compile(&wrong, Target { set, lanes: 1 }).expect_err("uses the future");
    let expected = ProgramError::Operand { at: 5, operand: 9 };
    assert_eq!(refused, CompileError::Program(expected));
    let huge = Program { state: 1 << 28, ..Program::default() };
    let refused = compile(&huge, Target { set, lanes: 1 }).expect_err("too long");
    assert_eq!(refused, CompileError::Length);
    let other = InstructionSet::Avx512;
    if !other.is_available() {
        let refused = compile(&program, Target { set: other, lanes: 1 }).expect_err("lacking");
        assert_eq!(refused, CompileError::Unavailable { set: other });
    }
    let code = compile(&program, Target { set, lanes: 4 }).expect("compiles");
    let refused = code.run(&mut [1.0; 3], &[2.0; 4], 1).expect_err("too short");
    assert_eq!(refused, RunError::Length { what: "the state", found: 3, expected: 4 });
    assert!(code.run(&mut [1.0; 4], &[2.0; 5], 1).is_err());
}

/// On the stack, and in memory that is lent to the code; in several threads at once.
#[test]
fn a_frame_of_many_pages_works() {
    for count in [1_000, 7_000, 30_000] {
        let program = wide(count);
        let expected = (0..=count).fold(0.0, |sum, k| sum + f64::from(k)) + 1.0;
        for target in available() {
            let code = compile(&program, target).expect("compiles");
            let lanes = target.lanes as usize;
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        let mut state = vec![1.0; 2 * lanes];
                        for _ in 0..3 {
                            code.run(&mut state, &[], 3).expect("lengths fit");
                            assert!(state[lanes..].iter().all(|&x| x == expected));
                        }
                    });
                }
            });
        }
    }
}

#[test]
fn calls_keep_every_register() {
    let program = many_calls();
    for target in available() {
        let code = compile(&program, target).expect("compiles");
        let lanes = target.lanes as usize;
        let number = |slot: usize, lane: usize| 0.5 + ((slot * 7 + lane * 5) % 31) as f64;
        let mut state: Vec<f64> =
            (0..41 * lanes).map(|at| number(at / lanes, at % lanes)).collect();
        code.run(&mut state, &[], 2).expect("lengths fit");
        for lane in 0..lanes {
            let mut alone: Vec<f64> = (0..41).map(|slot| number(slot, lane)).collect();
            interpret::run(&program, &mut alone, &[], 2, &mut Scratch::new(&program));
            assert_eq!(state[40 * lanes + lane].to_bits(), alone[40].to_bits(), "{target:?}");
        }
    }
}

#[test]
fn code_is_shared_between_threads() {
    let Some(target) = Target::packed() else {
        return skipped!(machine: "no AVX2, so no machine code");
    };
    let lanes = target.lanes as usize;
    let code = compile(&heron(60), target).expect("compiles");
    std::thread::scope(|scope| {
        for thread in 1..4u32 {
            let code = &code;
            scope.spawn(move || {
                let square = f64::from(thread * thread);
                let mut state = vec![1.0; lanes];
                code.run(&mut state, &vec![square; lanes], 1000).expect("lengths fit");
                assert!(state.iter().all(|&x| x == f64::from(thread)));
            });
        }
    });
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_freed_and_never_writable_and_executable() {
    use crate::compiled::tests::memory::executable_bytes;
    let Some(target) = Target::scalar() else {
        return skipped!(machine: "no AVX2, so no machine code");
    };
    let before = executable_bytes();
    for _ in 0..2000 {
        compile(&heron(9), target).expect("compiles");
    }
    // Other tests map and unmap too; 2000 pages would stand out.
    assert!(executable_bytes() < before + 1000 * 4096);
}
