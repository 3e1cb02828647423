//! Compiled code as a thing: what it refuses, where it lives, who may use it.

use crate::interpret::{self, End, Scratch};
use crate::tape::{Function, Op, Program, ProgramError, ValueId, Variable};
use crate::x86::{CompileError, InstructionSet, RunError, Target, compile};

fn available() -> Vec<Target> {
    let sets = [InstructionSet::Avx2, InstructionSet::Avx512];
    let sets = sets.into_iter().filter(|set| set.is_available());
    sets.flat_map(Target::all).collect()
}

/// x <- sqrt(p) by Heron's rule, from x.
fn heron(max_iterations: u32) -> Program {
    let v = ValueId;
    Program {
        ops: vec![
            Op::State(0),
            Op::Parameter(0),
            Op::Constant(0.5f64.to_bits()),
            Op::Constant(1e-15f64.to_bits()),
            Op::Variable(0),
            Op::Div(v(1), v(4)),
            Op::Add(v(4), v(5)),
            Op::Mul(v(2), v(6)),
            Op::Sub(v(7), v(4)),
            Op::Abs(v(8)),
            Op::Final(0),
        ],
        before: 4,
        iterate: 10,
        state: 1,
        parameters: 1,
        variables: vec![Variable { start: v(0), next: v(7) }],
        residual: Some((v(9), v(3))),
        max_iterations,
        stores: vec![(0, v(10))],
    }
}

/// Adds up `count` values, all of which are alive at the same time.
fn wide(count: u32) -> Program {
    let mut program = Program { state: 2, ..Program::default() };
    program.ops.push(Op::State(0));
    for k in 1..=count {
        program.ops.push(Op::Constant(f64::from(k).to_bits()));
        program.ops.push(Op::Mul(ValueId(0), ValueId(2 * k - 1)));
    }
    let mut sum = ValueId(0);
    for k in 1..=count {
        program.ops.push(Op::Add(sum, ValueId(2 * k)));
        sum = ValueId(program.ops.len() as u32 - 1);
    }
    program.before = program.ops.len() as u32;
    program.iterate = program.before;
    program.stores = vec![(1, sum)];
    program
}

#[test]
fn a_lane_that_ends_early_has_the_bits_of_a_run_alone() {
    let program = heron(60);
    for target in available() {
        let code = compile(&program, target).expect("compiles");
        let lanes = target.lanes as usize;
        // From one round to many.
        let parameters: Vec<f64> = (0..lanes).map(|k| 10f64.powi(3 * k as i32)).collect();
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
    let refused = compile(&wide(20_000), Target { set, lanes: 4 }).expect_err("too wide");
    assert!(matches!(refused, CompileError::Frame { values } if values > 16_384));
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

#[test]
fn a_frame_of_many_pages_works() {
    let program = wide(7_000);
    let expected: f64 = (0..=7_000).fold(0.0, |sum, k| sum + f64::from(k)) + 1.0;
    for target in available() {
        let Ok(code) = compile(&program, target) else {
            assert!(target.lanes > 1);
            continue;
        };
        let lanes = target.lanes as usize;
        let mut state = vec![1.0; 2 * lanes];
        code.run(&mut state, &[], 3).expect("lengths fit");
        assert!(state[lanes..].iter().all(|&x| x == expected));
    }
}

#[test]
fn calls_keep_every_register() {
    // More values than registers are alive across calls on both ways of a guard.
    let mut program = Program { state: 41, ..Program::default() };
    for k in 0..40 {
        program.ops.push(Op::State(k));
    }
    let v = ValueId;
    for k in 0..40 {
        program.ops.push(Op::Sqrt(v(k)));
    }
    program.ops.push(Op::Call(Function::Atan, v(41)));
    let bound = 3f64.to_bits();
    let guarded = Op::Guarded { function: Function::Sin, argument: v(42), fast: v(80), bound };
    program.ops.push(guarded);
    program.ops.push(Op::Call2(Function::Atan2, v(43), v(81)));
    let mut sum = v(82);
    for k in 40..80 {
        program.ops.push(Op::Fma(sum, v(k), v(k)));
        sum = v(program.ops.len() as u32 - 1);
    }
    program.ops.push(Op::Call(Function::Exp, v(40)));
    let last = v(program.ops.len() as u32 - 1);
    program.ops.push(Op::Div(sum, last));
    program.before = program.ops.len() as u32;
    program.iterate = program.before;
    program.stores = vec![(40, v(program.before - 1))];
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
    let Some(target) = Target::packed() else { return };
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
    let Some(target) = Target::scalar() else { return };
    let executable_bytes = || -> u64 {
        let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux has it");
        let sizes = maps.lines().filter_map(|line| {
            let (range, rest) = line.split_once(' ').expect("two columns");
            let access = &rest[..4];
            assert!(!(access.contains('w') && access.contains('x')), "{line}");
            let (begin, end) = range.split_once('-').expect("a range");
            let number = |text| u64::from_str_radix(text, 16).expect("an address");
            access.contains('x').then(|| number(end) - number(begin))
        });
        sizes.sum()
    };
    let before = executable_bytes();
    for _ in 0..2000 {
        compile(&heron(9), target).expect("compiles");
    }
    // Other tests map and unmap too; 2000 pages would stand out.
    assert!(executable_bytes() < before + 1000 * 4096);
}
