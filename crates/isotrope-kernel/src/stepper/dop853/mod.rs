//! The method of Dormand and Prince of order 8 with estimates of order 5 and 3 and a polynomial of
//! order 7 (Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, II.5 and II.6), on
//! the field with eliminated multipliers. The steps of the solution are its own; what other
//! methods call a step is the distance of two rows, read off the polynomial.

mod coefficients;
mod slots;
#[cfg(test)]
mod tests;

use super::field::{Field, Point, Quantity};
use super::layout::Layout;
use super::programs::{AdaptivePrograms, Options, Stepper, StepperError};
use super::scheme::{Linearised, Recorder, Scheme, Updated, Weight};
use super::watched::Watched;
use coefficients::{ALL_STAGES, DENSE, Entry, FIFTH, MATRIX, NODES, STAGES, THIRD};
use isotrope_tape::math::Arithmetic as _;
use isotrope_tape::{Program, ValueId};
pub use slots::AdaptiveSlots;
use slots::{KEPT_STAGES, POLYNOMIAL};

/// The rows of the method for a system.
pub fn dop853(field: &Field, options: &Options) -> Result<Stepper, StepperError> {
    let scheme = Rows { step: options.step.to_f64(), components: components(field) };
    let mut stepper = super::assemble::assemble(field, &scheme, options)?;
    stepper.scaling = stepper.scaling.without_steps();
    let steps = Steps {
        field,
        tolerance: options.tolerance,
        absolute: options.adaptive.absolute.clone(),
        slots: AdaptiveSlots::new(stepper.layout, scheme.components, solved(field))
            .watching(field.watched.as_ref().map_or(0, |watched| watched.count)),
        layout: stepper.layout,
    };
    stepper.adaptive = Some(AdaptivePrograms {
        first: steps.first()?,
        attempt: steps.attempt()?,
        dense: steps.dense()?,
        again: (!field.switches.is_empty()).then(|| steps.again()).transpose()?,
        switches: field.switches.clone(),
        watch: field.watched.as_ref().map(|watched| steps.watch(watched)).transpose()?,
        slots: steps.slots,
        lengths: options.adaptive.lengths,
        evaluations: [1, STAGES as u32, (ALL_STAGES - STAGES - 1) as u32],
    });
    Ok(stepper)
}

/// Positions, velocities and, if there is any, the work.
fn components(field: &Field) -> usize {
    solved(field) + usize::from(field.has_power())
}

/// What is integrated besides the work: positions and velocities, or momenta where velocities are functions
/// of them, or positions alone where the equations are of first order.
fn solved(field: &Field) -> usize {
    if field.rate.is_some() { field.dimension } else { 2 * field.dimension }
}

/// The place that the first components describe. Of first order, velocities are rates there.
fn place(
    recorder: &mut Recorder<'_>,
    values: &[ValueId],
    t: ValueId,
) -> Result<Point, StepperError> {
    let field = recorder.field;
    let n = field.dimension;
    let q = values[..n].to_vec();
    if field.is_in_momenta() {
        let mut point = Point { q, v: Vec::new(), p: values[n..2 * n].to_vec(), t };
        point.v = field.at(&mut recorder.builder, Quantity::Velocity, &point)?;
        return Ok(point);
    }
    if field.rate.is_none() {
        return Ok(Point { v: values[n..2 * n].to_vec(), q, p: Vec::new(), t });
    }
    let mut point = Point { v: q.clone(), q, p: Vec::new(), t };
    point.v = field.at(&mut recorder.builder, Quantity::Rate, &point)?;
    Ok(point)
}

/// The solution at the next row, from the polynomial of the step that contains it.
struct Rows {
    step: f64,
    components: usize,
}

impl Scheme for Rows {
    fn memory(&self) -> usize {
        AdaptiveSlots::memory(self.components)
    }

    fn evaluations(&self) -> u32 {
        0
    }

    fn start(&self, recorder: &mut Recorder<'_>) -> Result<Vec<ValueId>, StepperError> {
        let here = recorder.here.clone();
        let zero = recorder.builder.constant(0.0);
        let one = recorder.builder.constant(1.0);
        let mut memory = vec![here.t, zero, here.t, zero, one];
        memory.extend(&here.q);
        if recorder.field.rate.is_none() {
            memory.extend(if recorder.field.is_in_momenta() { &here.p } else { &here.v });
        }
        if recorder.field.has_power() {
            memory.push(zero);
        }
        memory.extend(rates(recorder, &here)?);
        memory.resize(self.memory(), zero);
        Ok(memory)
    }

    fn weights(&self, _: Layout) -> Vec<Weight> {
        Vec::new()
    }

    fn guess(&self, _: &mut Recorder<'_>) -> Result<Vec<ValueId>, StepperError> {
        Ok(Vec::new())
    }

    fn fixed_point(
        &self,
        _: &mut Recorder<'_>,
        _: &[ValueId],
    ) -> Result<Option<Vec<ValueId>>, StepperError> {
        Ok(None)
    }

    fn pattern(&self) -> Option<&[(usize, usize)]> {
        None
    }

    fn linearised(&self, _: &mut Recorder<'_>, _: &[ValueId]) -> Result<Linearised, StepperError> {
        Err(StepperError::NoJacobian)
    }

    fn update(&self, recorder: &mut Recorder<'_>, _: &[ValueId]) -> Result<Updated, StepperError> {
        let layout = recorder.layout;
        let slots = AdaptiveSlots::new(layout, self.components, solved(recorder.field));
        let builder = &mut recorder.builder;
        // The time of the row, as it will be stored.
        let (one, step) = (builder.constant(1.0), builder.constant(self.step));
        let count = builder.state(layout.count());
        let count = builder.add(count, one);
        let time = builder.mul(count, step);
        let (begin, length) = (builder.state(slots.begin()), builder.state(slots.length()));
        let since = builder.sub(time, begin);
        let theta = builder.div(since, length);
        let rest = builder.sub(one, theta);
        let mut values = Vec::with_capacity(self.components);
        for i in 0..self.components {
            // r₀ + θ(r₁ + θ'(r₂ + θ(r₃ + θ'(r₄ + θ(r₅ + θ'(r₆ + θ r₇)))))), θ' = 1 − θ.
            let mut sum = builder.state(slots.polynomial(POLYNOMIAL - 1, i));
            for k in (0..POLYNOMIAL - 1).rev() {
                let factor = if k % 2 == 0 { theta } else { rest };
                let coefficient = builder.state(slots.polynomial(k, i));
                sum = builder.fma(factor, sum, coefficient);
            }
            values.push(sum);
        }
        let point = place(recorder, &values, time)?;
        let work = values.get(solved(recorder.field)).map(|&total| {
            let before = recorder.builder.state(layout.work());
            recorder.builder.sub(total, before)
        });
        let p = recorder.field.at(&mut recorder.builder, Quantity::Momentum, &point)?;
        let Point { q, v, .. } = point;
        let memory = Vec::new();
        Ok(Updated {
            q,
            v,
            p,
            multipliers: None,
            work,
            memory,
            time: None,
            pair: None,
            exchange: None,
        })
    }
}

/// v, f (or p' of Hamilton's equations) and, if there is any, the power.
fn rates(recorder: &mut Recorder<'_>, point: &Point) -> Result<Vec<ValueId>, StepperError> {
    let field = recorder.field;
    let mut rates = point.v.clone();
    if field.rate.is_none() {
        let second = match field.is_in_momenta() {
            true => Quantity::MomentumRate,
            false => Quantity::Acceleration,
        };
        rates.extend(field.at(&mut recorder.builder, second, point)?);
    }
    rates.extend(field.at(&mut recorder.builder, Quantity::Power, point)?);
    Ok(rates)
}

/// The programs of the steps of the solution.
struct Steps<'f> {
    field: &'f Field,
    tolerance: f64,
    /// Of each component; none is relative to the size of the problem.
    absolute: Vec<Option<f64>>,
    slots: AdaptiveSlots,
    layout: Layout,
}

/// What every step begins with.
struct Begin<'f> {
    recorder: Recorder<'f>,
    time: ValueId,
    step: ValueId,
    solution: Vec<ValueId>,
    rates: Vec<ValueId>,
}

impl<'f> Steps<'f> {
    fn begin(&self) -> Begin<'f> {
        let slots = self.slots;
        let mut recorder = Recorder::new(self.field, self.layout, slots.extra());
        let builder = &mut recorder.builder;
        let time = builder.state(slots.now());
        let step = builder.state(slots.next());
        let all = 0..slots.components;
        let solution = all.clone().map(|i| builder.state(slots.solution(i))).collect();
        let rates = all.map(|i| builder.state(slots.rate(i))).collect();
        Begin { recorder, time, step, solution, rates }
    }

    /// How large errors of components of these sizes may be: relative · |y| + absolute, with relative times the
    /// size of the problem for an absolute tolerance that was not asked for.
    fn allowed(&self, recorder: &mut Recorder<'_>, sizes: &[ValueId]) -> Vec<ValueId> {
        let (layout, n) = (self.layout, self.layout.dimension);
        let builder = &mut recorder.builder;
        let relative = builder.constant(self.tolerance);
        let mut allowed = Vec::with_capacity(sizes.len());
        for (i, &size) in sizes.iter().enumerate().take(solved(self.field)) {
            let absolute = match self.absolute.get(i).copied().flatten() {
                Some(absolute) => builder.constant(absolute),
                None => {
                    let slot = match i.checked_sub(n) {
                        None => layout.position_size(i),
                        Some(i) if layout.in_momenta => layout.momentum_size(i),
                        Some(i) => layout.velocity_size(i),
                    };
                    let own = builder.state(slot);
                    builder.mul(relative, own)
                }
            };
            allowed.push(builder.fma(relative, size, absolute));
        }
        allowed
    }

    /// Σ (x/allowed)²; work is not counted.
    fn norm(
        &self,
        recorder: &mut Recorder<'_>,
        values: &[ValueId],
        allowed: &[ValueId],
    ) -> ValueId {
        let mut sum = recorder.builder.constant(0.0);
        for (&value, &allowed) in values.iter().zip(allowed) {
            let part = recorder.builder.div(value, allowed);
            sum = recorder.builder.fma(part, part, sum);
        }
        sum
    }

    /// For the length of the first step: a small one h, and the size of h times the second
    /// derivative, with the field after a step of Euler's method.
    fn first(&self) -> Result<Program, StepperError> {
        let Begin { mut recorder, time, solution, rates, .. } = self.begin();
        let sizes: Vec<ValueId> = solution.iter().map(|&y| recorder.builder.abs(y)).collect();
        let allowed = self.allowed(&mut recorder, &sizes);
        let size = self.norm(&mut recorder, &solution, &allowed);
        let speed = self.norm(&mut recorder, &rates, &allowed);
        let builder = &mut recorder.builder;
        let (tiny, hundredth) = (builder.constant(1e-10), builder.constant(0.01));
        let ratio = builder.div(size, speed);
        let ratio = builder.sqrt(ratio);
        let usual = builder.mul(hundredth, ratio);
        let (small_part, time_size) =
            (builder.constant(1e-6), builder.state(self.layout.time_size()));
        let least = builder.mul(small_part, time_size);
        // In units of the time of the problem.
        let moved = builder.mul(speed, time_size);
        let moved = builder.mul(moved, time_size);
        let slow = builder.less(moved, tiny);
        let small = builder.less(size, tiny);
        let usual = builder.select(small, least, usual);
        let mut step = builder.select(slow, least, usual);
        // In the direction of time: the sign of what was asked for.
        let asked = builder.state(self.slots.next());
        let zero = builder.constant(0.0);
        let backwards = builder.less(asked, zero);
        let negative = builder.neg(step);
        step = builder.select(backwards, negative, step);
        let moved: Vec<ValueId> =
            solution.iter().zip(&rates).map(|(&y, &f)| builder.fma(step, f, y)).collect();
        let t = builder.add(time, step);
        let point = place(&mut recorder, &moved, t)?;
        let there = self::rates(&mut recorder, &point)?;
        let changes: Vec<ValueId> =
            there.iter().zip(&rates).map(|(&x, &y)| recorder.builder.sub(x, y)).collect();
        let change = self.norm(&mut recorder, &changes, &allowed);
        let builder = &mut recorder.builder;
        let change = builder.sqrt(change);
        let second = builder.div(change, step);
        let second = builder.abs(second);
        let second = builder.mul(second, time_size);
        let speed = builder.sqrt(speed);
        let largest = builder.max(second, speed);
        // Rates in units of the time of the problem.
        let largest = builder.mul(largest, time_size);
        builder.store(self.slots.next(), step);
        builder.store(self.slots.compared(0), largest);
        Ok(recorder.builder.finish()?)
    }

    /// A step: the solution and its rate at the end, and the squares of both estimates of its
    /// error.
    fn attempt(&self) -> Result<Program, StepperError> {
        let slots = self.slots;
        let Begin { mut recorder, time, step, solution, rates } = self.begin();
        let mut stages = vec![rates];
        for i in 1..STAGES {
            let (point, _) = self.point(&mut recorder, i, time, step, &solution, &stages)?;
            stages.push(self::rates(&mut recorder, &point)?);
        }
        let (end, values) = self.point(&mut recorder, STAGES, time, step, &solution, &stages)?;
        let mut sizes = Vec::with_capacity(values.len());
        for (&old, &new) in solution.iter().zip(&values) {
            let (old, new) = (recorder.builder.abs(old), recorder.builder.abs(new));
            sizes.push(recorder.builder.max(old, new));
        }
        let allowed = self.allowed(&mut recorder, &sizes);
        for (k, weights) in [FIFTH, THIRD].into_iter().enumerate() {
            let estimate: Vec<ValueId> = (0..values.len())
                .map(|i| self.combination(&mut recorder, weights, &stages, i))
                .collect();
            let size = self.norm(&mut recorder, &estimate, &allowed);
            recorder.builder.store(slots.compared(k), size);
        }
        let end = self::rates(&mut recorder, &end)?;
        for i in 0..slots.components {
            recorder.builder.store(slots.new_solution(i), values[i]);
            recorder.builder.store(slots.new_rate(i), end[i]);
            for stage in KEPT_STAGES {
                recorder.builder.store(slots.stage(stage, i), stages[stage][i]);
            }
        }
        Ok(recorder.builder.finish()?)
    }

    /// The rates where a step begins.
    fn again(&self) -> Result<Program, StepperError> {
        let Begin { mut recorder, time, solution, .. } = self.begin();
        let t = self.smooth(&mut recorder, time);
        let point = place(&mut recorder, &solution, t)?;
        for (i, rate) in self::rates(&mut recorder, &point)?.into_iter().enumerate() {
            recorder.builder.store(self.slots.rate(i), rate);
        }
        Ok(recorder.builder.finish()?)
    }

    /// What switches by the state at both ends of a step that was made.
    fn watch(&self, watched: &Watched) -> Result<Program, StepperError> {
        let slots = self.slots;
        let Begin { mut recorder, time, step, solution, rates } = self.begin();
        let builder = &mut recorder.builder;
        let all = 0..slots.components;
        let end: Vec<ValueId> = all.clone().map(|i| builder.state(slots.new_solution(i))).collect();
        let last: Vec<ValueId> = all.map(|i| builder.state(slots.new_rate(i))).collect();
        let later = builder.add(time, step);
        for (side, (values, rates, t)) in
            [(solution, rates, time), (end, last, later)].into_iter().enumerate()
        {
            let t = self.smooth(&mut recorder, t);
            let n = self.field.dimension;
            let q = values[..n].to_vec();
            let v = values.get(n..2 * n).map_or_else(|| q.clone(), <[ValueId]>::to_vec);
            let point = Point { q, p: v.clone(), v, t };
            let symbols = self.field.symbols(&mut recorder.builder, &point);
            let rates = &rates[..solved(self.field)];
            let found = watched.record(&mut recorder.builder, &symbols, rates)?;
            for (k, (value, rate)) in found.into_iter().enumerate() {
                let first = slots.watched(k) + 2 * side as u32;
                recorder.builder.store(first, value);
                recorder.builder.store(first + 1, rate);
            }
        }
        Ok(recorder.builder.finish()?)
    }

    /// A time, moved to the side of switching times on which the step is.
    fn smooth(&self, recorder: &mut Recorder<'_>, time: ValueId) -> ValueId {
        if self.field.switches.is_empty() {
            return time;
        }
        let builder = &mut recorder.builder;
        let (first, last) = self.slots.smooth();
        let (first, last) = (builder.state(first), builder.state(last));
        let time = builder.max(time, first);
        builder.min(time, last)
    }

    /// The polynomial of a step that was made; to be run before its end becomes the solution.
    fn dense(&self) -> Result<Program, StepperError> {
        let slots = self.slots;
        let Begin { mut recorder, time, step, solution, rates } = self.begin();
        let all = 0..slots.components;
        let builder = &mut recorder.builder;
        let end: Vec<ValueId> = all.clone().map(|i| builder.state(slots.new_solution(i))).collect();
        // Stages 1 to 4 have no weight from here on.
        let mut stages = vec![rates.clone(); KEPT_STAGES.start];
        for stage in KEPT_STAGES {
            stages.push(all.clone().map(|i| builder.state(slots.stage(stage, i))).collect());
        }
        stages.push(all.clone().map(|i| builder.state(slots.new_rate(i))).collect());
        for i in STAGES + 1..ALL_STAGES {
            let (point, _) = self.point(&mut recorder, i, time, step, &solution, &stages)?;
            stages.push(self::rates(&mut recorder, &point)?);
        }
        for i in all {
            let (first, last) = (stages[0][i], stages[STAGES][i]);
            let mut polynomial = vec![solution[i]];
            let builder = &mut recorder.builder;
            let change = builder.sub(end[i], solution[i]);
            let bend = builder.fms(step, first, change);
            let rest = builder.sub(change, bend);
            polynomial.extend([change, bend, builder.fnma(step, last, rest)]);
            for weights in DENSE {
                let sum = self.combination(&mut recorder, weights, &stages, i);
                polynomial.push(recorder.builder.mul(step, sum));
            }
            for (k, &value) in polynomial.iter().enumerate() {
                recorder.builder.store(slots.polynomial(k, i), value);
            }
        }
        recorder.builder.store(slots.begin(), time);
        recorder.builder.store(slots.length(), step);
        Ok(recorder.builder.finish()?)
    }

    /// The argument of a stage, and all its components.
    fn point(
        &self,
        recorder: &mut Recorder<'_>,
        stage: usize,
        time: ValueId,
        step: ValueId,
        solution: &[ValueId],
        stages: &[Vec<ValueId>],
    ) -> Result<(Point, Vec<ValueId>), StepperError> {
        let mut values = Vec::with_capacity(solution.len());
        for (i, &value) in solution.iter().enumerate() {
            let slope = self.combination(recorder, MATRIX[stage], stages, i);
            values.push(recorder.builder.fma(step, slope, value));
        }
        let node = recorder.builder.constant(NODES[stage]);
        let t = recorder.builder.fma(node, step, time);
        let t = self.smooth(recorder, t);
        Ok((place(recorder, &values, t)?, values))
    }

    /// Σ w_j k_j of a component.
    fn combination(
        &self,
        recorder: &mut Recorder<'_>,
        weights: &[Entry],
        stages: &[Vec<ValueId>],
        i: usize,
    ) -> ValueId {
        let terms = weights.iter().map(|&(j, weight)| (Some(weight), stages[j][i]));
        match recorder.linear(terms) {
            Some(sum) => sum,
            None => recorder.builder.constant(0.0),
        }
    }
}
