//! What every family of schemes tells the assembler.

use isotrope_scheme::{Defect, StepBound};

use super::field::{Field, Point};
use super::layout::Layout;
use super::pace::PaceSlots;
use super::programs::{Polynomial, StepperError};
use isotrope_tape::math::Arithmetic as _;
use isotrope_tape::{Builder, ValueId};

/// A program under construction with the state at the beginning of a step.
pub(super) struct Recorder<'f> {
    pub field: &'f Field,
    pub layout: Layout,
    pub builder: Builder,
    /// q, v and t.
    pub here: Point,
    /// p.
    pub momenta: Vec<ValueId>,
    /// Where the last round of an iteration evaluated the field, stage by stage.
    pub visited: Vec<Option<Point>>,
}

impl<'f> Recorder<'f> {
    /// For a program on a state of this layout and `extra` numbers after it.
    pub(super) fn new(field: &'f Field, layout: Layout, extra: usize) -> Self {
        let size = layout.size() + super::layout::slot(extra);
        let parameters = super::layout::slot(field.parameter_values.len());
        let mut builder = Builder::new(size, parameters);
        let (n, rates) = (layout.dimension, layout.rates);
        let momenta: Vec<ValueId> = (0..rates).map(|i| builder.state(layout.momentum(i))).collect();
        let here = Point {
            q: (0..n).map(|i| builder.state(layout.position(i))).collect(),
            v: (0..rates).map(|i| builder.state(layout.velocity(i))).collect(),
            p: momenta.clone(),
            t: builder.state(layout.time()),
        };
        Self { field, layout, builder, here, momenta, visited: Vec::new() }
    }

    /// base + change with what rounding lost before; and what it loses now.
    pub(super) fn add_with_lost(
        &mut self,
        base: ValueId,
        change: ValueId,
        lost: ValueId,
    ) -> (ValueId, ValueId) {
        self.builder.strictly(|builder| {
            let change = builder.add(change, lost);
            let sum = builder.add(base, change);
            let taken = builder.sub(sum, base);
            (sum, builder.sub(change, taken))
        })
    }

    /// Σ c_j x_j + base, rounded at the size of the base once: for what is kept.
    pub(super) fn combine(
        &mut self,
        base: ValueId,
        terms: impl IntoIterator<Item = (Option<f64>, ValueId)>,
    ) -> ValueId {
        match self.linear(terms) {
            Some(sum) => self.builder.add(base, sum),
            None => base,
        }
    }

    /// Σ c_j x_j; none without terms. Values with the same coefficient are added first.
    pub(super) fn linear(
        &mut self,
        terms: impl IntoIterator<Item = (Option<f64>, ValueId)>,
    ) -> Option<ValueId> {
        let mut groups: Vec<(f64, ValueId)> = Vec::new();
        for (factor, value) in terms {
            let Some(factor) = factor else { continue };
            match groups.iter_mut().find(|group| group.0 == factor) {
                Some(group) => group.1 = self.builder.add(group.1, value),
                None => groups.push((factor, value)),
            }
        }
        let (&(factor, value), rest) = groups.split_first()?;
        let factor = self.builder.constant(factor);
        let sum = self.builder.mul(factor, value);
        Some(self.chained(sum, rest.iter().map(|&(factor, value)| (Some(factor), value))))
    }

    /// base + Σ c_j x_j, rounded after each term: nothing has to wait but for the last value. For
    /// what is not kept from step to step.
    pub(super) fn chained(
        &mut self,
        base: ValueId,
        terms: impl IntoIterator<Item = (Option<f64>, ValueId)>,
    ) -> ValueId {
        let mut sum = base;
        for (factor, value) in terms {
            let Some(factor) = factor else { continue };
            let factor = self.builder.constant(factor);
            sum = self.builder.fma(factor, value, sum);
        }
        sum
    }

    /// Σ |x|: unlike a maximum it keeps NaN. In pairs, so that long sums are not long waits.
    pub(super) fn size(&mut self, values: &[ValueId]) -> ValueId {
        let mut level: Vec<ValueId> = values.iter().map(|&x| self.builder.abs(x)).collect();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.builder.add(a, b),
                    _ => pair[0],
                })
                .collect();
        }
        match level.first() {
            Some(&sum) => sum,
            None => self.builder.constant(0.0),
        }
    }

    /// One over a size and what the quantity is.
    pub(super) fn per(&mut self, of: SizedNumber) -> ValueId {
        let (value, size) = (self.builder.state(of.value), self.builder.state(of.size));
        let value = self.builder.abs(value);
        let whole = self.builder.add(value, size);
        let one = self.builder.constant(1.0);
        self.builder.div(one, whole)
    }

    /// The largest |x|; NaN if one is NaN.
    pub(super) fn largest(&mut self, values: &[ValueId]) -> Option<ValueId> {
        let sizes: Vec<ValueId> = values.iter().map(|&x| self.builder.abs(x)).collect();
        let largest = sizes.iter().copied().reduce(|a, b| self.builder.max(a, b))?;
        if sizes.len() == 1 {
            return Some(largest);
        }
        // A maximum may lose a NaN that a sum keeps; x - x is zero for finite x, and all that is
        // not finite ends the step.
        let sum = self.size(values);
        let nothing = self.builder.sub(sum, sum);
        Some(self.builder.add(largest, nothing))
    }
}

/// A change x of an unknown counts as `factor` · |x|, relative to what the quantity is and to its size in the problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// What turns it into a change of positions, velocities, momenta or a number.
    pub factor: f64,
    /// What it is a change of; none for numbers.
    pub of: Option<SizedNumber>,
}

/// Where a state has a quantity, and its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizedNumber {
    /// The quantity.
    pub value: u32,
    /// Its size.
    pub size: u32,
}

impl Weight {
    /// By how much a change of 1 counts at a state.
    #[must_use]
    pub fn at(self, state: &[f64]) -> f64 {
        let number = |slot: u32| state.get(slot as usize).copied().unwrap_or(0.0).abs();
        let whole = self.of.map_or(1.0, |of| number(of.size) + number(of.value));
        self.factor / whole
    }
}

impl Layout {
    /// The time with its size.
    pub(super) fn sized_time(self) -> SizedNumber {
        SizedNumber { value: self.time(), size: self.time_size() }
    }

    /// A position with its size.
    pub(super) fn sized_position(self, i: usize) -> SizedNumber {
        SizedNumber { value: self.position(i), size: self.position_size(i) }
    }

    /// A velocity with its size.
    pub(super) fn sized_velocity(self, i: usize) -> SizedNumber {
        SizedNumber { value: self.velocity(i), size: self.velocity_size(i) }
    }

    /// A momentum with its size.
    pub(super) fn sized_momentum(self, i: usize) -> SizedNumber {
        SizedNumber { value: self.momentum(i), size: self.momentum_size(i) }
    }
}

/// Residual and Jacobian at given unknowns.
pub(super) struct Linearised {
    pub residual: Vec<ValueId>,
    /// In the order of [`Scheme::pattern`].
    pub jacobian: Vec<ValueId>,
}

/// A place inside of a step.
pub(super) struct Inside {
    pub q: Vec<ValueId>,
    pub v: Vec<ValueId>,
    /// None where they follow from positions and velocities.
    pub p: Option<Vec<ValueId>>,
}

/// Where a staggered scheme measures.
pub(super) struct PairValues {
    pub point: Point,
    pub momenta: Vec<ValueId>,
    /// The work since the beginning of the step.
    pub work: ValueId,
}

/// What a step leaves behind.
pub(super) struct Updated {
    pub q: Vec<ValueId>,
    pub v: Vec<ValueId>,
    pub p: Vec<ValueId>,
    /// λ, if the scheme computes it.
    pub multipliers: Option<Vec<ValueId>>,
    /// The work in this step.
    pub work: Option<ValueId>,
    /// The numbers carried along.
    pub memory: Vec<ValueId>,
    /// The time after the step, where that is not a multiple of the step.
    pub time: Option<ValueId>,
    /// Where to measure, if not at q, v, p.
    pub pair: Option<PairValues>,
    /// What ports supplied and what was dissipated in this step.
    pub exchange: Option<[ValueId; 2]>,
}

/// A family of schemes, recorded on a tape.
///
/// The unknowns of a step are found from a guess by a fixed-point iteration where there is one, or
/// by Newton's method; the update is a function of them.
pub(super) trait Scheme {
    /// How many numbers it carries along.
    fn memory(&self) -> usize;

    /// Numbers carried along that are shown in rows of output, with their names.
    fn shown(&self) -> Vec<(&'static str, usize)> {
        Vec::new()
    }

    /// Functions that it is to preserve and measures itself.
    fn defects(&self) -> &[Defect] {
        &[]
    }

    /// Numbers carried along that end a step which is too large.
    fn bounds(&self) -> &[StepBound] {
        &[]
    }

    /// Does it measure at a pair of its own?
    fn is_staggered(&self) -> bool {
        false
    }

    /// Does it report what goes through the ports?
    fn has_exchange(&self) -> bool {
        false
    }

    /// Where it keeps the lengths of its steps, if it chooses them.
    fn pace(&self, _layout: Layout) -> Option<PaceSlots> {
        None
    }

    /// Evaluations of the field or of the residual in one round, or in an explicit step.
    fn evaluations(&self) -> u32 {
        1
    }

    /// The numbers carried along, before the first step.
    fn start(&self, recorder: &mut Recorder<'_>) -> Result<Vec<ValueId>, StepperError>;

    /// What a change of each unknown is, and what it is compared with.
    fn weights(&self, layout: Layout) -> Vec<Weight>;

    /// For the unknowns that are impulses, which coordinates they move, and how far one of size 1 does.
    fn reach(
        &self,
        _recorder: &mut Recorder<'_>,
    ) -> Result<Vec<Vec<(usize, ValueId)>>, StepperError> {
        Ok(Vec::new())
    }

    /// A guess for the unknowns.
    fn guess(&self, recorder: &mut Recorder<'_>) -> Result<Vec<ValueId>, StepperError>;

    /// A guess that does not use the step before.
    fn plain_guess(
        &self,
        _recorder: &mut Recorder<'_>,
    ) -> Result<Option<Vec<ValueId>>, StepperError> {
        Ok(None)
    }

    /// Which coordinates tell the size of a step; all of them if it does not say.
    fn sized(&self) -> Option<&[usize]> {
        None
    }

    /// The unknowns in the next round of a fixed-point iteration.
    fn fixed_point(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<Option<Vec<ValueId>>, StepperError>;

    /// Where the Jacobian of the residual is not zero; `None` if it is out of reach.
    fn pattern(&self) -> Option<&[(usize, usize)]>;

    /// Residual and Jacobian.
    fn linearised(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<Linearised, StepperError>;

    /// Positions, velocities and, unless they follow from these, momenta inside of the last step, from the state
    /// after it.
    fn dense(&self, _recorder: &mut Recorder<'_>, _theta: f64) -> Option<Inside> {
        None
    }

    /// What these lie on.
    fn polynomial(&self) -> Option<Polynomial> {
        None
    }

    /// What the step leaves behind.
    fn update(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<Updated, StepperError>;
}
