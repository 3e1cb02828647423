//! Members of an ensemble get the bits they would get alone.

use isotrope_algebra::Stop;
use isotrope_kernel::integrate::{
    Compiled, Crew, Integration, Member, MemberEnd, Outcome, run_ensemble,
};
use isotrope_tape::backend::Backend;

use super::{stepper, system};

const STEPS: u64 = 300;

/// Pendula from many angles with different gravity; one of them starts at the pivot, where the
/// constraint has no direction, and one is so fast that the fixed-point iteration fails.
fn members(compiled: &Compiled) -> Vec<Member> {
    (0..37)
        .map(|k| {
            let mut state = compiled.stepper.initial.clone();
            let mut parameters = compiled.stepper.parameters.clone();
            let (sine, cosine) = libm::sincos(0.1 + 0.08 * f64::from(k));
            (state[0], state[1]) = (sine, -cosine);
            parameters[1] *= 1.0 + 0.01 * f64::from(k);
            match k {
                5 => (state[0], state[1]) = (0.0, 0.0),
                20 => (state[2], state[3]) = (60.0 * cosine, 60.0 * sine),
                _ => {}
            }
            Member { state, parameters }
        })
        .collect()
}

fn run(compiled: &Compiled, members: &[Member], threads: usize) -> Vec<MemberEnd> {
    let stop = Stop::new();
    run_ensemble(
        compiled,
        members,
        Crew { steps: STEPS, threads, stop: &stop, made: &|_| {}, watch: None },
    )
}

fn bits(state: &[f64]) -> Vec<u64> {
    state.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn members_get_the_bits_they_get_alone() {
    for method in ["gauss-2", "rk4", "rattle", "dirac-1-position"] {
        let stepper = stepper(&system("pendulum", vec![]), method, "1/50");
        let compiled = Compiled::new(stepper, Backend::Native).unwrap();
        let members = members(&compiled);
        let ends = run(&compiled, &members, 1);
        assert_eq!(ends.len(), members.len());
        assert_eq!(ends[5].outcome, Outcome::Singular, "{method}");
        for (k, (member, end)) in members.iter().zip(&ends).enumerate() {
            let alone =
                Integration::from(&compiled, member.state.clone(), member.parameters.clone());
            let Ok(mut alone) = alone else { continue };
            let advanced = alone.advance(STEPS);
            alone.fill_row();
            assert_eq!(advanced.err(), end.failure, "{method} {k}");
            assert_eq!(alone.steps, end.steps, "{method} {k}");
            assert_eq!(bits(alone.state()), bits(&end.state), "{method} {k}");
        }
        for (one, other) in run(&compiled, &members, 3).iter().zip(&ends) {
            assert_eq!((one.steps, &one.failure), (other.steps, &other.failure), "{method}");
            assert_eq!(bits(&one.state), bits(&other.state), "{method}");
        }
    }
}
