//! A random program with what it must compute, for any number of lanes.

use super::expected::{Expected, expect};
use super::generate::{Random, Shape, program};
use crate::compiled::Outcome;
use crate::interpret::{self, End, Scratch};
use crate::{Op, Program};
use std::ops::Range;

/// Lanes of a case.
pub const LANES: usize = 16;

/// A program and runs of it that are known to have defined bits.
pub struct Case {
    pub seed: u64,
    pub program: Program,
    pub steps: u64,
    parameters: Vec<Vec<f64>>,
    expected: Vec<Expected>,
}

/// One number for all NaN.
fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

/// Numbers of lanes side by side.
fn weave(lanes: &[&[f64]]) -> Vec<f64> {
    let numbers = lanes[0].len();
    (0..numbers).flat_map(|at| lanes.iter().map(move |lane| lane[at])).collect()
}

impl Case {
    /// The case of a seed; `None` if the bits of a NaN always matter.
    pub fn new(seed: u64, shape: Shape) -> Option<Self> {
        let mut random = Random::new(seed);
        let program = program(&mut random, shape);
        program.validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let steps = 1 + random.below(4) as u64;
        let mut case = Self { seed, program, steps, parameters: vec![], expected: vec![] };
        for _ in 0..40 {
            if case.expected.len() == LANES {
                break;
            }
            let mut numbers = |count: u32| -> Vec<f64> {
                (0..count).map(|_| random.number(shape.strange * 3)).collect()
            };
            let state = numbers(case.program.state);
            let parameters = numbers(case.program.parameters);
            if let Some(expected) = expect(&case.program, &state, &parameters, steps) {
                case.check_interpreter(&parameters, &expected);
                case.parameters.push(parameters);
                case.expected.push(expected);
            }
        }
        // Lanes that are missing are filled by repetition.
        let found = case.expected.len();
        for lane in found..if found == 0 { 0 } else { LANES } {
            case.parameters.push(case.parameters[lane - found].clone());
            case.expected.push(case.expected[lane - found].clone());
        }
        (found > 0).then_some(case)
    }

    /// The interpreter gives what is expected.
    fn check_interpreter(&self, parameters: &[f64], expected: &Expected) {
        let mut state = expected.states[0].clone();
        let scratch = &mut Scratch::new(&self.program);
        let outcome = interpret::run(&self.program, &mut state, parameters, self.steps, scratch);
        let rounds: u64 = expected.rounds.iter().map(|&rounds| u64::from(rounds)).sum();
        let seed = self.seed;
        assert_eq!((outcome.steps, outcome.end), (expected.steps(), expected.end), "seed {seed}");
        assert_eq!(outcome.iterations, rounds, "seed {seed}");
        let last = &expected.states[outcome.steps as usize];
        assert!(state.iter().zip(last).all(|(&a, &b)| bits(a) == bits(b)), "seed {seed}");
    }

    /// Lanes that make all steps.
    pub fn completed(&self) -> usize {
        self.expected.iter().filter(|lane| lane.end == End::Completed).count()
    }

    /// State and parameters for some lanes.
    pub fn input(&self, lanes: Range<usize>) -> (Vec<f64>, Vec<f64>) {
        let expected = &self.expected[lanes.clone()];
        let states: Vec<&[f64]> = expected.iter().map(|lane| &lane.states[0][..]).collect();
        let parameters: Vec<&[f64]> = self.parameters[lanes].iter().map(Vec::as_slice).collect();
        (weave(&states), weave(&parameters))
    }

    /// The outcome for some lanes.
    pub fn outcome(&self, lanes: Range<usize>) -> Outcome {
        let expected = &self.expected[lanes];
        let steps = expected.iter().map(Expected::steps).min().expect("there are lanes");
        let fails = |lane: &Expected| lane.steps() == steps && lane.end != End::Completed;
        // Of each step up to the one that fails, the rounds of the lane that has most.
        let iterations = (0..=steps as usize)
            .map(|step| {
                let each = expected.iter().filter_map(|lane| lane.rounds.get(step));
                u64::from(each.max().copied().unwrap_or(0))
            })
            .sum();
        let first = expected.iter().find(|lane| fails(lane));
        let failed = (0..expected.len()).filter(|&lane| fails(&expected[lane]));
        Outcome {
            steps,
            iterations,
            end: first.map_or(End::Completed, |lane| lane.end),
            failed: failed.fold(0, |bits, lane| bits | 1 << lane),
        }
    }

    /// The state after the run is as expected; after a failure without numbers that the program
    /// only writes, if the code writes them `early`.
    pub fn check_state(&self, lanes: Range<usize>, state: &[f64], early: bool, name: &str) {
        let outcome = self.outcome(lanes.clone());
        for (lane, expected) in self.expected[lanes.clone()].iter().enumerate() {
            let expected = &expected.states[outcome.steps as usize];
            for (slot, &number) in expected.iter().enumerate() {
                let is_read = || self.program.ops.contains(&Op::State(slot as u32));
                if early && outcome.failed != 0 && !is_read() {
                    continue;
                }
                let found = state[slot * lanes.len() + lane];
                assert_eq!(
                    bits(found),
                    bits(number),
                    "seed {} for {name}: slot {slot} of lane {lane} is {found:e} instead of \
                     {number:e}",
                    self.seed
                );
            }
        }
    }
}
