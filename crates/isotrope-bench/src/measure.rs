//! Times, taken by turns.

use isotrope_algebra::Stop;
use std::time::Instant;

use cpu_time::ProcessTime;

use super::BenchError;
use super::c::Reference;

/// Which clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Time of this process on all processors: others on the machine matter little.
    Cpu,
    /// Time on the wall: the machine should be idle.
    Wall,
}

impl Clock {
    /// Its name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Wall => "wall",
        }
    }

    /// Seconds that some work takes.
    pub(super) fn time<T>(self, work: impl FnOnce() -> T) -> (f64, T) {
        match self {
            Self::Cpu => {
                let start = ProcessTime::now();
                let result = work();
                (start.elapsed().as_secs_f64(), result)
            }
            Self::Wall => {
                let start = Instant::now();
                let result = work();
                (start.elapsed().as_secs_f64(), result)
            }
        }
    }

    /// One number for several samples. On the wall clock others only add to the time, so the
    /// least is nearest to that of an idle machine.
    pub(super) fn typical(self, samples: &mut [f64]) -> Option<f64> {
        samples.sort_by(f64::total_cmp);
        match self {
            Self::Cpu => samples.get(samples.len() / 2).copied(),
            Self::Wall => samples.first().copied(),
        }
    }
}

/// Turns of both sides, and samples in a turn (the C programs take the same number).
const TURNS: usize = 7;
const SAMPLES: usize = 5;

/// What was measured on both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measured {
    pub(super) ns: f64,
    pub(super) c_ns: Option<f64>,
    /// What the C program says of its result.
    pub(super) c_accuracy: Option<f64>,
}

/// Measures some work, which counts `units`, and the C program by turns. `prepare` is not part of
/// the time.
pub(super) fn by_turns<S>(
    clock: Clock,
    units: f64,
    reference: Option<&Reference>,
    mut prepare: impl FnMut() -> S,
    mut work: impl FnMut(&mut S) -> Result<(), BenchError>,
) -> Result<Measured, BenchError> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut c_accuracy = None;
    for _ in 0..TURNS {
        for _ in 0..SAMPLES {
            Stop::check("measuring compiled steps")?;
            let mut state = prepare();
            let (seconds, result) = clock.time(|| work(&mut state));
            result?;
            ours.push(seconds * 1e9 / units);
        }
        for (ns, accuracy) in reference.iter().flat_map(|reference| reference.samples()) {
            theirs.push(ns);
            c_accuracy = Some(accuracy);
        }
    }
    Ok(Measured {
        ns: clock.typical(&mut ours).unwrap_or(f64::NAN),
        c_ns: clock.typical(&mut theirs),
        c_accuracy,
    })
}
