//! Long chains: programs, machine code and cost grow with their length, not faster.
#![cfg(all(target_arch = "x86_64", unix))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[macro_use]
#[path = "../../../../tests/skipped.rs"]
mod skipped;

use isotrope_algebra::{Budget, Rational};
use isotrope_derive::derive;
use isotrope_kernel::stepper::{Field, Options, Stepper, stepper};
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::Method;
use isotrope_tape::interpret::{Scratch, run, step};
use isotrope_tape::x86::{InstructionSet, Target, compile};

fn chain(links: usize, method: &str) -> Stepper {
    let path = format!("{}/../../models/chain.toml", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    let set = format!("N={links}");
    let text = ModelText { set: vec![&set], ..ModelText::new("chain", &bytes) };
    let budget = &mut Budget::new(2_000_000_000);
    let system = derive(parse_model(&text).unwrap(), budget).unwrap();
    let field = Field::new(&system, &[]).unwrap();
    let method = Method::named(method, budget).unwrap().unwrap();
    let step: Rational = "1/1000".parse().unwrap();
    let options = Options { monitors: false, ..Options::new(step) };
    stepper(&method, &system, &field, &options, budget).unwrap()
}

/// The state after this many steps, by the interpreter.
fn interpreted(stepper: &Stepper, steps: u64) -> (Vec<f64>, Vec<f64>) {
    let mut start = stepper.initial.clone();
    stepper.scaling.fill(&mut start, &stepper.parameters);
    let scratch = &mut Scratch::new(&stepper.start);
    assert!(step(&stepper.start, &mut start, &stepper.parameters, scratch).is_complete());
    let mut end = start.clone();
    let scratch = &mut Scratch::new(&stepper.program);
    let outcome = run(&stepper.program, &mut end, &stepper.parameters, steps, scratch);
    assert!(outcome.is_complete(), "{outcome:?}");
    (start, end)
}

/// Every number once for each lane.
fn spread(numbers: &[f64], lanes: usize) -> Vec<f64> {
    numbers.iter().flat_map(|&x| std::iter::repeat_n(x, lanes)).collect()
}

fn check_bits(stepper: &Stepper, target: Target) {
    let (start, end) = interpreted(stepper, 3);
    let code = compile(&stepper.program, target).unwrap();
    let lanes = target.lanes as usize;
    let mut state = spread(&start, lanes);
    let outcome = code.run(&mut state, &spread(&stepper.parameters, lanes), 3).unwrap();
    assert_eq!(outcome.steps, 3);
    for (found, wanted) in state.iter().zip(spread(&end, lanes)) {
        assert_eq!(found.to_bits(), wanted.to_bits(), "{target:?}");
    }
}

#[test]
fn machine_code_of_chains_has_the_bits_of_the_interpreter() {
    for method in ["gauss-2", "rattle"] {
        let stepper = chain(25, method);
        for set in [InstructionSet::Avx2, InstructionSet::Avx512] {
            if !set.is_available() {
                skipped!(machine: "an instruction set is missing: long chains on AVX2 or AVX-512");
                continue;
            }
            for target in Target::all(set) {
                check_bits(&stepper, target);
            }
        }
    }
}

/// A thousand links: more values at the same time than a stack should hold.
#[test]
fn a_long_chain_is_compiled_and_has_the_bits_of_the_interpreter() {
    let Some(target) = Target::scalar() else {
        return skipped!(machine: "no AVX2, so no machine code");
    };
    check_bits(&chain(1000, "gauss-2"), target);
}

/// Twice the links: twice the operations and the code, up to what does not depend on them.
#[test]
fn operations_and_code_are_linear_in_the_links() {
    let Some(target) = Target::scalar() else {
        return skipped!(machine: "no AVX2, so no machine code");
    };
    let [small, middle, large] = [40, 80, 160].map(|links| {
        let program = chain(links, "gauss-2").program;
        (program.ops.len(), compile(&program, target).unwrap().length())
    });
    assert_eq!(large.0 - middle.0, 2 * (middle.0 - small.0));
    let (first, second) = (middle.1 - small.1, large.1 - middle.1);
    assert!((second as f64 / first as f64 - 2.0).abs() < 0.1, "{first} and {second} bytes");
    // A link takes about 150 operations.
    assert!(second / 80 < 2000, "{} bytes for each link", second / 80);
}
