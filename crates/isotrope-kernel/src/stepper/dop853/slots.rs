//! Where an adaptive method keeps what it carries along.

use crate::stepper::layout::{Layout, slot};

/// The components of the solution: positions, velocities and, where the energy changes by work,
/// the work. Their values and rates are kept in the memory of the state; what a step in progress
/// needs follows after the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdaptiveSlots {
    layout: Layout,
    /// Components: 2n, or n where the equations are of first order; and the work.
    pub components: usize,
    /// Those whose errors count: all but the work.
    pub counted: usize,
    /// Functions of the state whose signs matter.
    pub watched: usize,
}

/// The coefficients of the polynomial of a step, for each component.
pub(super) const POLYNOMIAL: usize = 8;
/// Stages that the dense output needs again: from 5 to 11.
pub(super) const KEPT_STAGES: std::ops::Range<usize> = 5..12;
const SCALARS: usize = 5;

impl AdaptiveSlots {
    pub(super) fn new(layout: Layout, components: usize, counted: usize) -> Self {
        Self { layout, components, counted, watched: 0 }
    }

    /// With room for functions of the state whose signs matter.
    pub(super) fn watching(self, watched: usize) -> Self {
        Self { watched, ..self }
    }

    /// The size of times.
    #[must_use]
    pub fn time_size(self) -> u32 {
        self.layout.time_size()
    }

    /// Numbers in the memory of the state.
    pub(super) fn memory(components: usize) -> usize {
        SCALARS + (2 + POLYNOMIAL) * components
    }

    /// Numbers after the state.
    #[must_use]
    pub fn extra(self) -> usize {
        (2 + KEPT_STAGES.len()) * self.components + 4 + 4 * self.watched
    }

    /// The time at which the last step began.
    #[must_use]
    pub fn begin(self) -> u32 {
        self.layout.memory(0)
    }
    /// Its length.
    #[must_use]
    pub fn length(self) -> u32 {
        self.layout.memory(1)
    }
    /// The time that the solution has reached.
    #[must_use]
    pub fn now(self) -> u32 {
        self.layout.memory(2)
    }
    /// The length of the next step; zero if there was none yet.
    #[must_use]
    pub fn next(self) -> u32 {
        self.layout.memory(3)
    }
    /// The error of the last step, relative to what is allowed.
    #[must_use]
    pub fn error_before(self) -> u32 {
        self.layout.memory(4)
    }
    /// A component of the solution.
    #[must_use]
    pub fn solution(self, i: usize) -> u32 {
        self.layout.memory(SCALARS + i)
    }
    /// The rate of a component.
    #[must_use]
    pub fn rate(self, i: usize) -> u32 {
        self.layout.memory(SCALARS + self.components + i)
    }
    /// Coefficient k of the polynomial of a component in the last step.
    pub(super) fn polynomial(self, k: usize, i: usize) -> u32 {
        self.layout.memory(SCALARS + (2 + k) * self.components + i)
    }
    fn after(self, k: usize) -> u32 {
        self.layout.size() + slot(k)
    }
    /// What a step compares: see the programs.
    #[must_use]
    pub fn compared(self, k: usize) -> u32 {
        self.after(k)
    }
    /// A component at the end of a step in progress.
    #[must_use]
    pub fn new_solution(self, i: usize) -> u32 {
        self.after(2 + i)
    }
    /// Its rate there.
    #[must_use]
    pub fn new_rate(self, i: usize) -> u32 {
        self.after(2 + self.components + i)
    }
    /// The first and the last time at which the field is smooth, so that stages see one side of a switching time.
    #[must_use]
    pub fn smooth(self) -> (u32, u32) {
        let first = 2 + (2 + KEPT_STAGES.len()) * self.components;
        (self.after(first), self.after(first + 1))
    }
    /// The value of a function that is watched at the beginning of a step, then its rate there, then both at its end.
    #[must_use]
    pub fn watched(self, k: usize) -> u32 {
        self.after(4 + (2 + KEPT_STAGES.len()) * self.components + 4 * k)
    }
    /// The rate of a component at a stage that the dense output needs.
    pub(super) fn stage(self, stage: usize, i: usize) -> u32 {
        self.after(2 + (2 + stage - KEPT_STAGES.start) * self.components + i)
    }
}
