//! Runge–Kutta steps on the field with eliminated multipliers: only the accelerations of stages
//! that need each other are unknown.

use isotrope_algebra::Budget;
use isotrope_derive::System;
use isotrope_methods::Composed;
use isotrope_methods::table::Table;

use super::coefficients::StepCoefficients;
use super::dense;
use super::field::{Field, Linearisation, Point, Quantity};
use super::layout::{Layout, slot};
use super::programs::{Options, Polynomial, Stepper, StepperError};
use super::scheme::{Inside, Linearised, Recorder, Scheme, Updated, Weight};
use super::stages::{Evaluation, different_stages, order_of_evaluation};
use isotrope_tape::ValueId;
use isotrope_tape::math::Arithmetic as _;

/// Fields with more coordinates whose accelerations are solves get no Jacobian: each entry would
/// be a solve of its own.
const LARGEST_LINEARISED: usize = 40;
/// Compositions with more unknowns have the fixed-point iteration only.
const MOST_UNKNOWNS: usize = 400;

/// The stepper of a table on the field of a system.
pub fn runge_kutta(
    system: &System,
    field: &Field,
    table: &Table,
    options: &Options,
    budget: &mut Budget,
) -> Result<Stepper, StepperError> {
    let coefficients = StepCoefficients::new(table, &options.step, budget)?;
    let scheme = RungeKutta::new(system, field, coefficients, options, budget)?;
    super::assemble::assemble(field, &scheme, options)
}

/// The stepper of a composition on the field of a system: all its steps as one table.
pub fn composition(
    system: &System,
    field: &Field,
    composed: &Composed,
    options: &Options,
    budget: &mut Budget,
) -> Result<Stepper, StepperError> {
    let coefficients = StepCoefficients::composed(composed, &options.step, budget)?;
    let scheme = RungeKutta::new(system, field, coefficients, options, budget)?;
    super::assemble::assemble(field, &scheme, options)
}

struct RungeKutta {
    dimension: usize,
    step: f64,
    compensated: bool,
    coefficients: StepCoefficients,
    order: Evaluation,
    /// Stages that are evaluations of their own.
    different: usize,
    linearisation: Option<Linearisation>,
    pattern: Option<Vec<(usize, usize)>>,
}

/// Accelerations of all stages, as far as they are known.
type Known = Vec<Option<Vec<ValueId>>>;

impl RungeKutta {
    fn new(
        system: &System,
        field: &Field,
        coefficients: StepCoefficients,
        options: &Options,
        budget: &mut Budget,
    ) -> Result<Self, StepperError> {
        let order = order_of_evaluation(&coefficients, field.velocities_matter);
        let different = different_stages(&coefficients, field.velocities_matter);
        let mut scheme = Self {
            dimension: field.dimension,
            step: options.step.to_f64(),
            compensated: options.compensated,
            coefficients,
            order,
            different,
            linearisation: None,
            pattern: None,
        };
        let unknowns = scheme.order.together.len() * field.dimension;
        if unknowns > 0 && field.dimension <= LARGEST_LINEARISED && unknowns <= MOST_UNKNOWNS {
            let linearisation = field.linearised(system, budget)?;
            scheme.pattern = Some(scheme.newton_pattern(&linearisation));
            scheme.linearisation = Some(linearisation);
        }
        Ok(scheme)
    }

    /// Entries of I − (h² Â f_q + h Ā f_v).
    fn newton_pattern(&self, linearisation: &Linearisation) -> Vec<(usize, usize)> {
        let n = self.dimension;
        let mut pattern: Vec<(usize, usize)> =
            (0..self.order.together.len() * n).map(|k| (k, k)).collect();
        for (a, &i) in self.order.together.iter().enumerate() {
            for (b, &j) in self.order.together.iter().enumerate() {
                for &(row, column) in &linearisation.pattern {
                    if self.factor(i, j, column).is_some() {
                        pattern.push((a * n + row, b * n + column % n));
                    }
                }
            }
        }
        pattern.sort_unstable();
        pattern.dedup();
        pattern
    }

    /// By what the derivative of f in a variable at stage i counts for the acceleration of stage j.
    fn factor(&self, i: usize, j: usize, column: usize) -> Option<f64> {
        if column < self.dimension {
            self.coefficients.position[i][j]
        } else {
            self.coefficients.velocity[i][j]
        }
    }

    /// Q_i, V_i, t_i, with the accelerations it needs.
    fn point(&self, recorder: &mut Recorder<'_>, stage: usize, known: &Known) -> Point {
        let coefficients = &self.coefficients;
        let here = recorder.here.clone();
        let mut point = Point { q: Vec::new(), v: Vec::new(), p: Vec::new(), t: here.t };
        for i in 0..self.dimension {
            let column = |row: &[Option<f64>]| column(row, known, i);
            point.v.push(recorder.chained(here.v[i], column(&coefficients.velocity[stage])));
            // What is the same in all rounds comes first.
            let mut terms = vec![(coefficients.nodes[stage], here.v[i])];
            terms.extend(column(&coefficients.position[stage]));
            point.q.push(recorder.chained(here.q[i], terms));
        }
        if let Some(node) = coefficients.nodes[stage] {
            let node = recorder.builder.constant(node);
            point.t = recorder.builder.add(here.t, node);
        }
        point
    }

    fn acceleration(
        &self,
        recorder: &mut Recorder<'_>,
        stage: usize,
        known: &Known,
    ) -> Result<Vec<ValueId>, StepperError> {
        let point = self.point(recorder, stage, known);
        Ok(recorder.field.at(&mut recorder.builder, Quantity::Acceleration, &point)?)
    }

    /// The stages that come first, and the unknown ones.
    fn known(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<Known, StepperError> {
        let mut known: Known = vec![None; self.coefficients.stages()];
        for &stage in &self.order.before {
            known[stage] = Some(self.acceleration(recorder, stage, &known)?);
        }
        let blocks = unknowns.chunks(self.dimension.max(1));
        for (&stage, block) in self.order.together.iter().zip(blocks) {
            known[stage] = Some(block.to_vec());
        }
        Ok(known)
    }

    fn is_implicit(&self) -> bool {
        !self.order.together.is_empty()
    }

    /// Slot of the acceleration of a stage in the step before.
    fn remembered(&self, recorder: &mut Recorder<'_>, stage: usize, i: usize) -> ValueId {
        let slot = recorder.layout.memory(stage * self.dimension + i);
        recorder.builder.state(slot)
    }

    /// base + change, with what rounding lost in the step before.
    fn accumulate(
        &self,
        recorder: &mut Recorder<'_>,
        base: ValueId,
        change: Option<ValueId>,
        which: usize,
        memory: &mut Vec<ValueId>,
    ) -> ValueId {
        let Some(change) = change else {
            if self.compensated {
                let lost = self.lost(recorder, which);
                memory.push(lost);
            }
            return base;
        };
        if !self.compensated {
            return recorder.builder.add(base, change);
        }
        let lost = self.lost(recorder, which);
        let (sum, lost) = recorder.add_with_lost(base, change, lost);
        memory.push(lost);
        sum
    }

    fn lost(&self, recorder: &mut Recorder<'_>, which: usize) -> ValueId {
        let offset =
            if self.is_implicit() { self.coefficients.stages() * self.dimension } else { 0 };
        let slot = recorder.layout.memory(offset + which);
        recorder.builder.state(slot)
    }

    /// Where a stage evaluated the field: in an iteration, where its last round did, which spares
    /// evaluations that would change nothing above the tolerance.
    fn visited(&self, recorder: &mut Recorder<'_>, stage: usize, known: &Known) -> Point {
        match recorder.visited.get(stage) {
            Some(Some(point)) => point.clone(),
            _ => self.point(recorder, stage, known),
        }
    }

    /// Σ h b̃_j p'_j: by p = M v where the mass matrix is constant.
    fn impulses(
        &self,
        recorder: &mut Recorder<'_>,
        known: &Known,
    ) -> Result<Vec<Option<ValueId>>, StepperError> {
        let n = self.dimension;
        let weights = &self.coefficients.momentum_weights;
        let field = recorder.field;
        let here = recorder.here.clone();
        if let Some(mass) = field.constant_mass(&mut recorder.builder, &here)? {
            let changes: Vec<Option<ValueId>> =
                (0..n).map(|i| recorder.linear(column(weights, known, i))).collect();
            return Ok(mass
                .iter()
                .map(|row| {
                    let mut sum: Option<ValueId> = None;
                    for &(j, entry) in row {
                        let Some(change) = changes[j] else { continue };
                        sum = Some(match sum {
                            Some(sum) => recorder.builder.fma(entry, change, sum),
                            None => recorder.builder.mul(entry, change),
                        });
                    }
                    sum
                })
                .collect());
        }
        let mut terms: Vec<Vec<(Option<f64>, ValueId)>> = vec![Vec::new(); n];
        for (stage, weight) in weights.iter().enumerate() {
            if weight.is_some() {
                let point = self.visited(recorder, stage, known);
                let rate = field.at(&mut recorder.builder, Quantity::MomentumRate, &point)?;
                for (list, value) in terms.iter_mut().zip(rate) {
                    list.push((*weight, value));
                }
            }
        }
        Ok(terms.into_iter().map(|list| recorder.linear(list)).collect())
    }

    /// Σ h b̃_j P_j.
    fn work(
        &self,
        recorder: &mut Recorder<'_>,
        known: &Known,
    ) -> Result<Option<ValueId>, StepperError> {
        let field = recorder.field;
        if !field.has_power() {
            return Ok(None);
        }
        let mut terms = Vec::new();
        for (stage, weight) in self.coefficients.momentum_weights.iter().enumerate() {
            if weight.is_some() {
                let point = self.visited(recorder, stage, known);
                let power = field.at(&mut recorder.builder, Quantity::Power, &point)?;
                terms.extend(power.into_iter().map(|value| (*weight, value)));
            }
        }
        Ok(recorder.linear(terms))
    }
}

/// Coefficients with component i of the accelerations that are known.
fn column(row: &[Option<f64>], known: &Known, i: usize) -> Vec<(Option<f64>, ValueId)> {
    row.iter().zip(known).filter_map(|(&factor, list)| Some((factor, list.as_ref()?[i]))).collect()
}

impl Scheme for RungeKutta {
    fn memory(&self) -> usize {
        let stages = if self.is_implicit() { self.coefficients.stages() } else { 0 };
        let lost = if self.compensated { 3 } else { 0 };
        (stages + lost) * self.dimension
    }

    fn evaluations(&self) -> u32 {
        let implicit = self.order.together.len();
        slot(if implicit > 0 { implicit } else { self.different })
    }

    /// f at the start for all stages; nothing lost yet.
    fn start(&self, recorder: &mut Recorder<'_>) -> Result<Vec<ValueId>, StepperError> {
        let mut memory = Vec::new();
        if self.is_implicit() {
            let here = recorder.here.clone();
            let f = recorder.field.at(&mut recorder.builder, Quantity::Acceleration, &here)?;
            for _ in 0..self.coefficients.stages() {
                memory.extend(&f);
            }
        }
        let zero = recorder.builder.constant(0.0);
        memory.resize(self.memory(), zero);
        Ok(memory)
    }

    /// Accelerations: h times one is a change of a velocity.
    fn weights(&self, layout: Layout) -> Vec<Weight> {
        let weight = |i| Weight { factor: self.step.abs(), of: Some(layout.sized_velocity(i)) };
        self.order.together.iter().flat_map(|_| (0..self.dimension).map(weight)).collect()
    }

    /// The polynomial of the step before, or its last values.
    fn guess(&self, recorder: &mut Recorder<'_>) -> Result<Vec<ValueId>, StepperError> {
        let mut guess = Vec::new();
        for &stage in &self.order.together {
            for i in 0..self.dimension {
                let value = match &self.coefficients.extrapolation {
                    Some(weights) if self.coefficients.stages() > 1 => {
                        let terms: Vec<_> = weights[stage]
                            .iter()
                            .enumerate()
                            .map(|(j, &w)| (Some(w), self.remembered(recorder, j, i)))
                            .collect();
                        recorder.linear(terms)
                    }
                    _ => None,
                };
                guess.push(match value {
                    Some(value) => value,
                    None => self.remembered(recorder, stage, i),
                });
            }
        }
        Ok(guess)
    }

    fn plain_guess(
        &self,
        recorder: &mut Recorder<'_>,
    ) -> Result<Option<Vec<ValueId>>, StepperError> {
        let here = recorder.here.clone();
        let f = recorder.field.at(&mut recorder.builder, Quantity::Acceleration, &here)?;
        Ok(Some(self.order.together.iter().flat_map(|_| f.clone()).collect()))
    }

    fn fixed_point(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<Option<Vec<ValueId>>, StepperError> {
        let known = self.known(recorder, unknowns)?;
        let mut latest = known.clone();
        let mut next = Vec::with_capacity(unknowns.len());
        recorder.visited = vec![None; self.coefficients.stages()];
        for &stage in &self.order.together {
            // Stages that do not wait for this one are taken as this round has found them.
            let taken: Known = (0..latest.len())
                .map(|j| {
                    let old = self.order.are_mutual(stage, j);
                    if old { known[j].clone() } else { latest[j].clone() }
                })
                .collect();
            let point = self.point(recorder, stage, &taken);
            let found = recorder.field.at(&mut recorder.builder, Quantity::Acceleration, &point)?;
            next.extend(&found);
            latest[stage] = Some(found);
            recorder.visited[stage] = Some(point);
        }
        Ok(Some(next))
    }

    fn pattern(&self) -> Option<&[(usize, usize)]> {
        self.pattern.as_deref()
    }

    fn linearised(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<Linearised, StepperError> {
        let (Some(linearisation), Some(pattern)) = (&self.linearisation, &self.pattern) else {
            return Err(StepperError::NoJacobian);
        };
        let n = self.dimension;
        let known = self.known(recorder, unknowns)?;
        let mut residual = Vec::with_capacity(unknowns.len());
        let mut terms: Vec<Vec<(Option<f64>, ValueId)>> = vec![Vec::new(); pattern.len()];
        for (a, &i) in self.order.together.iter().enumerate() {
            let point = self.point(recorder, i, &known);
            let symbols = recorder.field.symbols(&mut recorder.builder, &point);
            let values = linearisation.formulas.record(&mut recorder.builder, &symbols)?;
            for row in 0..n {
                residual.push(recorder.builder.sub(unknowns[a * n + row], values[row]));
            }
            for (&(row, column), &value) in linearisation.pattern.iter().zip(&values[n..]) {
                for (b, &j) in self.order.together.iter().enumerate() {
                    let place = (a * n + row, b * n + column % n);
                    if let (Some(factor), Ok(entry)) =
                        (self.factor(i, j, column), pattern.binary_search(&place))
                    {
                        terms[entry].push((Some(-factor), value));
                    }
                }
            }
        }
        let (one, zero) = (recorder.builder.constant(1.0), recorder.builder.constant(0.0));
        let jacobian = pattern
            .iter()
            .zip(terms)
            .map(|(&(row, column), list)| {
                recorder.combine(if row == column { one } else { zero }, list)
            })
            .collect();
        Ok(Linearised { residual, jacobian })
    }

    fn dense(&self, recorder: &mut Recorder<'_>, theta: f64) -> Option<Inside> {
        if !self.is_implicit() {
            return None;
        }
        let weights = dense::weights(&self.coefficients, self.step, theta)?;
        let here = recorder.here.clone();
        let (mut q, mut v) = (Vec::new(), Vec::new());
        for i in 0..self.dimension {
            let stages = 0..self.coefficients.stages();
            let last: Vec<ValueId> = stages.map(|j| self.remembered(recorder, j, i)).collect();
            let by = |weights: &[f64], sign: f64| -> Vec<(Option<f64>, ValueId)> {
                weights.iter().zip(&last).map(|(w, &f)| (Some(sign * w), f)).collect()
            };
            v.push(recorder.combine(here.v[i], by(&weights.velocity, -1.0)));
            let mut terms = by(&weights.position, 1.0);
            terms.push((Some((theta - 1.0) * self.step), here.v[i]));
            q.push(recorder.combine(here.q[i], terms));
        }
        Some(Inside { q, v, p: None })
    }

    fn polynomial(&self) -> Option<Polynomial> {
        Some(Polynomial::Collocation { stages: self.coefficients.stages() as u32 })
    }

    fn update(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<Updated, StepperError> {
        let n = self.dimension;
        let mut known = self.known(recorder, unknowns)?;
        for &stage in &self.order.after {
            known[stage] = Some(self.acceleration(recorder, stage, &known)?);
        }
        let mut memory = Vec::new();
        if self.is_implicit() {
            for list in known.iter().flatten() {
                memory.extend(list);
            }
        }
        let coefficients = &self.coefficients;
        let here = recorder.here.clone();
        let momenta = recorder.momenta.clone();
        let (mut q, mut v, mut p) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..n {
            let mut terms = vec![(coefficients.drift, here.v[i])];
            terms.extend(column(&coefficients.position_weights, &known, i));
            let change = recorder.linear(terms);
            q.push(self.accumulate(recorder, here.q[i], change, i, &mut memory));
        }
        for i in 0..n {
            let change = recorder.linear(column(&coefficients.velocity_weights, &known, i));
            v.push(self.accumulate(recorder, here.v[i], change, n + i, &mut memory));
        }
        for (i, change) in self.impulses(recorder, &known)?.into_iter().enumerate() {
            p.push(self.accumulate(recorder, momenta[i], change, 2 * n + i, &mut memory));
        }
        let work = self.work(recorder, &known)?;
        debug_assert_eq!(slot(memory.len()), slot(self.memory()));
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
