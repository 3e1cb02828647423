//! Random programs have the same bits on every road.

use super::defined::{Defined, Known, Word};
use super::emulator::emulate;
use super::generate::{Random, Shape, program};
use crate::interpret::{self, End, Scratch};
use crate::math::Arithmetic;
use crate::tape::{Op, Program, ValueId};
use crate::x86::compile::assemble;
use crate::x86::{InstructionSet, Target, compile};

/// How a run must end.
#[derive(Debug, Clone, PartialEq)]
struct Expected {
    state: Vec<u64>,
    /// Rounds of each step, with the one that failed.
    rounds: Vec<u32>,
    end: End,
}

fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

/// One step after the other, a second telling of the interpreter; `None` if the bits of a NaN
/// matter.
fn expect(program: &Program, state: &[f64], parameters: &[f64], steps: u64) -> Option<Expected> {
    let mut state: Vec<Word> = state.iter().copied().map(Word::new).collect();
    let mut rounds_of_steps = vec![];
    let mut end = End::Completed;
    for _ in 0..steps {
        let mut values = vec![Word::new(0.0); program.ops.len()];
        let mut variables = vec![Word::new(0.0); program.variables.len()];
        let execute = |range: std::ops::Range<u32>, values: &mut [Word], variables: &[Word]| {
            for at in range {
                values[at as usize] = match program.ops[at as usize] {
                    Op::State(slot) => state[slot as usize],
                    Op::Parameter(slot) => Word::new(parameters[slot as usize]),
                    Op::Variable(k) | Op::Final(k) => variables[k as usize],
                    op => op
                        .perform(&mut Defined, |id: ValueId| values[id.0 as usize])
                        .expect("nothing from outside"),
                };
            }
        };
        execute(0..program.before, &mut values, &variables);
        for (k, variable) in program.variables.iter().enumerate() {
            variables[k] = values[variable.start.0 as usize];
        }
        let mut rounds = 0;
        let mut converged = program.variables.is_empty();
        while !converged && rounds < program.max_iterations {
            execute(program.before..program.iterate, &mut values, &variables);
            for (k, variable) in program.variables.iter().enumerate() {
                variables[k] = values[variable.next.0 as usize];
            }
            rounds += 1;
            converged = match program.residual {
                Some((residual, tolerance)) => {
                    let [residual, tolerance] =
                        [residual, tolerance].map(|id| values[id.0 as usize]);
                    let decided = Defined.less_equal(residual, tolerance);
                    if decided.known != Known::Bits {
                        return None;
                    }
                    decided.number.is_sign_negative()
                }
                None => rounds == program.max_iterations,
            };
        }
        rounds_of_steps.push(rounds);
        if !converged {
            end = End::NotConverged;
            break;
        }
        execute(program.iterate..program.ops.len() as u32, &mut values, &variables);
        let stores = program.stores.iter().map(|&(slot, id)| (slot, values[id.0 as usize]));
        if stores.clone().any(|(_, value)| value.known == Known::Nothing) {
            return None;
        }
        if let Some((slot, _)) = stores.clone().find(|(_, value)| !value.number.is_finite()) {
            end = End::NonFinite { slot };
            break;
        }
        for (slot, value) in stores {
            state[slot as usize] = value;
        }
    }
    let state = state.into_iter().map(|word| bits(word.number)).collect();
    Some(Expected { state, rounds: rounds_of_steps, end })
}

/// Numbers of lanes side by side.
fn weave(lanes: &[Vec<f64>]) -> Vec<f64> {
    let numbers = lanes[0].len();
    (0..numbers).flat_map(|at| lanes.iter().map(move |lane| lane[at])).collect()
}

/// How often each road was taken.
#[derive(Debug, Default)]
struct Tally {
    programs: usize,
    undefined: usize,
    completed: usize,
    steps: usize,
    emulated: usize,
    executed: usize,
}

struct Case<'a> {
    seed: u64,
    program: &'a Program,
    states: Vec<Vec<f64>>,
    parameters: Vec<Vec<f64>>,
    expected: Vec<Expected>,
    steps: u64,
}

impl Case<'_> {
    /// Compiled code for a target does what the interpreter does, lane by lane.
    fn check(&self, target: Target, emulated: bool) {
        let lanes = target.lanes as usize;
        let name = format!("seed {} for {target:?}, emulated: {emulated}", self.seed);
        let expected = &self.expected[..lanes];
        let made =
            |lane: &Expected| lane.rounds.len() as u64 - u64::from(lane.end != End::Completed);
        let steps = expected.iter().map(made).min().expect("there are lanes");
        let fails = |lane: &Expected| made(lane) == steps && lane.end != End::Completed;
        let mut rounds: u64 = 0;
        for step in 0..expected.iter().map(|lane| lane.rounds.len()).max().unwrap_or(0) {
            if step as u64 > steps {
                break;
            }
            let each = expected.iter().filter_map(|lane| lane.rounds.get(step));
            rounds += u64::from(each.max().copied().unwrap_or(0));
        }
        let mut state = weave(&self.states[..lanes]);
        let parameters = weave(&self.parameters[..lanes]);
        let first = expected.iter().position(fails);
        if emulated {
            let code = assemble(self.program, target).expect("the program is valid");
            let found = emulate(target.set, &code, &mut state, &parameters, self.steps);
            assert_eq!((found.1, found.2), (steps, rounds), "{name}: steps and rounds");
            assert_eq!(found.0 == 0, first.is_none(), "{name}: status");
        } else {
            let code = compile(self.program, target).expect("the program is valid");
            let found = code.run(&mut state, &parameters, self.steps).expect("lengths fit");
            assert_eq!((found.steps, found.iterations), (steps, rounds), "{name}");
            assert_eq!(found.end, first.map_or(End::Completed, |k| expected[k].end), "{name}");
            let failed = (0..lanes).filter(|&lane| fails(&expected[lane]));
            assert_eq!(found.failed, failed.fold(0, |bits, lane| bits | 1 << lane), "{name}");
        }
        for lane in 0..lanes {
            let mut alone = self.states[lane].clone();
            let parameters = &self.parameters[lane];
            let mut scratch = Scratch::new(self.program);
            let outcome = interpret::run(self.program, &mut alone, parameters, steps, &mut scratch);
            assert_eq!((outcome.steps, outcome.end), (steps, End::Completed), "{name}");
            for (slot, &number) in alone.iter().enumerate() {
                let only_written = !self.program.ops.contains(&Op::State(slot as u32));
                if first.is_some() && only_written {
                    continue;
                }
                let found = state[slot * lanes + lane];
                assert_eq!(
                    bits(found),
                    bits(number),
                    "{name}: slot {slot} of lane {lane} is {found:e} instead of {number:e}"
                );
            }
        }
    }
}

fn check(seed: u64, shape: Shape, tally: &mut Tally) {
    let mut random = Random::new(seed);
    let program = program(&mut random, shape);
    program.validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    tally.programs += 1;
    let steps = 1 + random.below(4) as u64;
    let mut case = Case {
        seed,
        program: &program,
        states: vec![],
        parameters: vec![],
        expected: vec![],
        steps,
    };
    let mut tries = 0;
    while case.states.len() < 16 && tries < 40 {
        tries += 1;
        let mut numbers = |count: u32| -> Vec<f64> {
            (0..count).map(|_| random.number(shape.strange * 3)).collect()
        };
        let (state, parameters) = (numbers(program.state), numbers(program.parameters));
        match expect(&program, &state, &parameters, steps) {
            Some(expected) => {
                tally.completed += usize::from(expected.end == End::Completed);
                tally.steps += expected.rounds.len();
                case.states.push(state);
                case.parameters.push(parameters);
                case.expected.push(expected);
            }
            None => tally.undefined += 1,
        }
    }
    if case.states.is_empty() {
        return;
    }
    // Lanes that are missing are filled by repetition.
    for lane in case.states.len()..16 {
        case.states.push(case.states[lane % tries.min(lane)].clone());
        case.parameters.push(case.parameters[lane % tries.min(lane)].clone());
        case.expected.push(case.expected[lane % tries.min(lane)].clone());
    }
    for set in [InstructionSet::Avx2, InstructionSet::Avx512] {
        for target in Target::all(set) {
            if set.is_available() {
                case.check(target, false);
                tally.executed += 1;
            }
            // The emulator is slower; the machine's own code is enough for most programs.
            if !set.is_available() || seed.is_multiple_of(16) {
                case.check(target, true);
                tally.emulated += 1;
            }
        }
    }
}

/// Ten thousand programs; with `ISOTROPE_LONG` a million, or as many as it says.
fn programs() -> u64 {
    let Some(long) = std::env::var_os("ISOTROPE_LONG") else { return 10_000 };
    long.to_str().and_then(|text| text.parse().ok()).filter(|&count| count > 1).unwrap_or(1_000_000)
}

fn check_many(count: u64, first: u64, shape: Shape) -> Tally {
    let threads = 2;
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let mut tally = Tally::default();
                    for seed in (0..count).filter(|seed| seed % threads == thread) {
                        check(first + seed, shape, &mut tally);
                    }
                    tally
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("a program failed")).collect()
    });
    let sum = |f: fn(&Tally) -> usize| tallies.iter().map(f).sum();
    let tally = Tally {
        programs: sum(|t| t.programs),
        undefined: sum(|t| t.undefined),
        completed: sum(|t| t.completed),
        steps: sum(|t| t.steps),
        emulated: sum(|t| t.emulated),
        executed: sum(|t| t.executed),
    };
    println!("{shape:?}: {tally:?}");
    tally
}

#[test]
fn small_programs_have_the_same_bits_on_every_road() {
    let shape = Shape { operations: 14, strange: 10, far: 3, defined: false };
    let tally = check_many(programs() * 6 / 10, 0, shape);
    assert!(tally.completed > tally.programs);
}

#[test]
fn ordinary_programs_have_the_same_bits_on_every_road() {
    let shape = Shape { operations: 60, strange: 40, far: 3, defined: true };
    check_many(programs() * 3 / 10, 1_000_000_000, shape);
}

#[test]
fn programs_that_spill_have_the_same_bits_on_every_road() {
    let shape = Shape { operations: 700, strange: 300, far: 2, defined: true };
    check_many(programs() / 10, 2_000_000_000, shape);
}
