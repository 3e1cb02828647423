//! Steps that are not all of the same length.
//!
//! Equations may say how long their step takes; the time is then summed up in the state, with the
//! shortest and the longest step beside it. An energy-exact step that fails is made again with a
//! flag in the state that fixes its length.

use isotrope_algebra::ExprId;
use isotrope_scheme::{Duration, Equations};
use rustc_hash::FxHashMap;

use super::layout::Layout;
use super::programs::StepperError;
use super::scheme::Recorder;
use isotrope_tape::math::Arithmetic as _;
use isotrope_tape::{Formulas, ValueId};

/// Where a state keeps the lengths of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaceSlots {
    /// What rounding has lost of the time.
    pub lost: u32,
    /// The shortest step so far; `f64::MAX` before the first.
    pub shortest: u32,
    /// The longest step so far.
    pub longest: u32,
    /// A number that is finite only where the step may be taken.
    pub guard: u32,
    /// Why it may not be.
    pub reason: &'static str,
    /// For steps whose length is found with the other unknowns.
    pub hold: Option<HoldSlots>,
}

/// How a step is forced to have the requested length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HoldSlots {
    /// One if the next step has to.
    pub asked: u32,
    /// How many steps did.
    pub count: u32,
}

/// The duration of a step.
pub(super) struct Lasting {
    value: Formulas,
    /// Which of the numbers carried along they are.
    guard: usize,
    hold: Option<(usize, usize)>,
    reason: &'static str,
}

/// Longer than any step.
const LONGEST: f64 = f64::MAX;

impl Lasting {
    /// Numbers carried along besides those of the equations.
    pub(super) const NUMBERS: usize = 3;

    pub(super) fn new(equations: &Equations, duration: &Duration) -> Result<Self, StepperError> {
        let index = |symbol: ExprId| {
            equations.memory.iter().position(|memory| memory.symbol == symbol).unwrap_or(0)
        };
        Ok(Self {
            value: Formulas::new(&equations.pool, &[duration.value])?,
            guard: index(duration.guard),
            hold: duration.hold.map(|hold| (index(hold.asked), index(hold.count))),
            reason: duration.reason,
        })
    }

    pub(super) fn slots(&self, layout: Layout, first: usize) -> PaceSlots {
        let at = |k: usize| layout.memory(k);
        PaceSlots {
            lost: at(first),
            shortest: at(first + 1),
            longest: at(first + 2),
            guard: at(self.guard),
            reason: self.reason,
            hold: self.hold.map(|(asked, count)| HoldSlots { asked: at(asked), count: at(count) }),
        }
    }

    /// Nothing is lost, and no step is made.
    pub(super) fn start(recorder: &mut Recorder<'_>) -> [ValueId; Self::NUMBERS] {
        [0.0, LONGEST, 0.0].map(|number| recorder.builder.constant(number))
    }

    /// The time after the step, and what is carried along.
    pub(super) fn pass(
        &self,
        recorder: &mut Recorder<'_>,
        symbols: &FxHashMap<ExprId, ValueId>,
        slots: PaceSlots,
    ) -> Result<(ValueId, [ValueId; Self::NUMBERS]), StepperError> {
        let recorded = self.value.record(&mut recorder.builder, symbols)?;
        let duration = recorded.first().copied().unwrap_or(recorder.here.t);
        let [lost, shortest, longest] =
            [slots.lost, slots.shortest, slots.longest].map(|slot| recorder.builder.state(slot));
        let (time, lost) = recorder.add_with_lost(recorder.here.t, duration, lost);
        let shorter = recorder.builder.less(duration, shortest);
        let shortest = recorder.builder.select(shorter, duration, shortest);
        let longest = recorder.builder.max(duration, longest);
        Ok((time, [lost, shortest, longest]))
    }
}
