//! Runge–Kutta steps on the field with eliminated multipliers.

use isotrope_algebra::{Budget, Rational};
use isotrope_scheme::methods::table::Table;

use super::coefficients::{CoefficientsError, StepCoefficients};
use super::field::Field;
use crate::math::Arithmetic;
use crate::tape::{Builder, ExpressionError, Program, ProgramError, ValueId, VariableId};

/// Choices for a stepper.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The step, exactly.
    pub step: Rational,
    /// The iteration of the stages ends when accelerations change by less than this, divided by
    /// the step.
    pub tolerance: f64,
    /// Rounds after which it gives up.
    pub max_iterations: u32,
}

/// Why there is no stepper.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepperError {
    /// The coefficients.
    #[error(transparent)]
    Coefficients(#[from] CoefficientsError),
    /// The field.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// The program; never seen.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// A program for steps, with the layout of its state: q, v, p (n numbers each), the time, the
/// number of steps, then the stage accelerations of the step before.
#[derive(Debug, Clone)]
pub struct Stepper {
    /// The program of a step.
    pub program: Program,
    /// The program that fills the stage accelerations before the first step.
    pub start: Program,
    /// The state before the first step, accelerations still to be filled.
    pub initial: Vec<f64>,
    /// Values of the parameters.
    pub parameters: Vec<f64>,
    /// The number of coordinates.
    pub dimension: usize,
}

/// Slots of the state.
#[derive(Debug, Clone, Copy)]
struct Layout {
    dimension: usize,
    stages: usize,
}

impl Layout {
    fn position(self, i: usize) -> u32 {
        slot(i)
    }
    fn velocity(self, i: usize) -> u32 {
        slot(self.dimension + i)
    }
    fn momentum(self, i: usize) -> u32 {
        slot(2 * self.dimension + i)
    }
    fn time(self) -> u32 {
        slot(3 * self.dimension)
    }
    fn count(self) -> u32 {
        slot(3 * self.dimension + 1)
    }
    fn memory(self, stage: usize, i: usize) -> u32 {
        slot(3 * self.dimension + 2 + stage * self.dimension + i)
    }
    fn size(self) -> u32 {
        slot(3 * self.dimension + 2 + self.stages * self.dimension)
    }
}

fn slot(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The stepper of a table on a field.
pub fn runge_kutta(
    field: &Field,
    table: &Table,
    options: &Options,
    budget: &mut Budget,
) -> Result<Stepper, StepperError> {
    let coefficients = StepCoefficients::new(table, &options.step, budget)?;
    let layout = Layout { dimension: field.dimension, stages: coefficients.stages() };
    let program = Recorder::new(field, &coefficients, options, layout).record()?;
    let start = start(field, layout)?;
    let mut initial = vec![0.0; layout.size() as usize];
    initial[..field.dimension].copy_from_slice(&field.initial.0);
    initial[field.dimension..2 * field.dimension].copy_from_slice(&field.initial.1);
    Ok(Stepper {
        program,
        start,
        initial,
        parameters: field.parameter_values.clone(),
        dimension: field.dimension,
    })
}

/// p = ∂L/∂v, and f at the start as the first guess of all stages.
fn start(field: &Field, layout: Layout) -> Result<Program, StepperError> {
    let parameters = slot(field.parameter_values.len());
    let mut builder = Builder::new(layout.size(), parameters);
    let n = layout.dimension;
    let q: Vec<ValueId> = (0..n).map(|i| builder.state(layout.position(i))).collect();
    let v: Vec<ValueId> = (0..n).map(|i| builder.state(layout.velocity(i))).collect();
    let t = builder.state(layout.time());
    let f = field.acceleration(&mut builder, &q, &v, t)?;
    let p = field.momentum(&mut builder, &q, &v, t)?;
    for i in 0..n {
        builder.store(layout.momentum(i), p[i]);
        for stage in 0..layout.stages {
            builder.store(layout.memory(stage, i), f[i]);
        }
    }
    Ok(builder.finish()?)
}

struct Recorder<'f> {
    field: &'f Field,
    coefficients: &'f StepCoefficients,
    options: &'f Options,
    layout: Layout,
    builder: Builder,
    q: Vec<ValueId>,
    v: Vec<ValueId>,
    t: ValueId,
}

impl<'f> Recorder<'f> {
    fn new(
        field: &'f Field,
        coefficients: &'f StepCoefficients,
        options: &'f Options,
        layout: Layout,
    ) -> Self {
        let mut builder = Builder::new(layout.size(), slot(field.parameter_values.len()));
        let n = layout.dimension;
        let q = (0..n).map(|i| builder.state(layout.position(i))).collect();
        let v = (0..n).map(|i| builder.state(layout.velocity(i))).collect();
        let t = builder.state(layout.time());
        Self { field, coefficients, options, layout, builder, q, v, t }
    }

    fn record(mut self) -> Result<Program, StepperError> {
        let (stages, n) = (self.layout.stages, self.layout.dimension);
        let order = order_of_evaluation(self.coefficients);
        // Accelerations of all stages, as far as they are known.
        let mut known: Vec<Option<Vec<ValueId>>> = vec![None; stages];
        // Where the fields were evaluated; in the iteration, where its last round did.
        let mut points: Vec<Option<Point>> = vec![None; stages];
        for &stage in &order.before {
            let (point, acceleration) = self.stage(stage, &known)?;
            (known[stage], points[stage]) = (Some(acceleration), Some(point));
        }
        if !order.together.is_empty() {
            let mut variables: Vec<(usize, Vec<VariableId>)> = Vec::new();
            for &stage in &order.together {
                let guess = self.guess(stage);
                let list = guess.into_iter().map(|value| self.builder.variable(value)).collect();
                variables.push((stage, list));
            }
            let mut current = known.clone();
            for (stage, list) in &variables {
                current[*stage] = Some(list.iter().map(|&x| self.builder.current(x)).collect());
            }
            let mut change: Option<ValueId> = None;
            for (stage, list) in &variables {
                let (point, next) = self.stage(*stage, &current)?;
                points[*stage] = Some(point);
                for (i, (&variable, &value)) in list.iter().zip(&next).enumerate() {
                    self.builder.set_next(variable, value);
                    let old = current[*stage].as_ref().map_or(value, |list| list[i]);
                    let difference = self.builder.sub(value, old);
                    let size = self.builder.abs(difference);
                    // A maximum would lose NaN; a sum keeps it, and then nothing converges.
                    change = Some(match change {
                        Some(sum) => self.builder.add(sum, size),
                        None => size,
                    });
                }
            }
            if let Some(residual) = change {
                let tolerance = self.builder.constant(self.options.tolerance);
                self.builder.iterate_until(residual, tolerance, self.options.max_iterations);
            }
            for (stage, list) in &variables {
                known[*stage] = Some(list.iter().map(|&x| self.builder.last(x)).collect());
            }
        }
        for &stage in &order.after {
            let (point, acceleration) = self.stage(stage, &known)?;
            (known[stage], points[stage]) = (Some(acceleration), Some(point));
        }
        self.update(&known, &points, n)?;
        Ok(self.builder.finish()?)
    }

    /// base + Σ c_j x_j, rounded at the size of the base once: for what is kept from step to step.
    /// Values with the same coefficient are added first.
    fn combine(
        &mut self,
        base: Option<ValueId>,
        terms: impl IntoIterator<Item = (Option<f64>, ValueId)>,
    ) -> ValueId {
        let mut groups: Vec<(f64, ValueId)> = Vec::new();
        for (factor, value) in terms {
            let Some(factor) = factor else { continue };
            match groups.iter_mut().find(|group| group.0 == factor) {
                Some(group) => group.1 = self.builder.add(group.1, value),
                None => groups.push((factor, value)),
            }
        }
        let sum = match (base, &groups[..]) {
            (Some(base), &[(factor, value)]) => {
                let factor = self.builder.constant(factor);
                return self.builder.fma(factor, value, base);
            }
            _ => self.accumulate(None, &groups),
        };
        match (base, sum) {
            (Some(base), Some(sum)) => self.builder.add(base, sum),
            (value, None) | (None, value) => value.unwrap_or_else(|| self.builder.constant(0.0)),
        }
    }

    /// base + Σ c_j x_j, rounded after each term: a round waits for nothing but its variables.
    fn accumulate(&mut self, base: Option<ValueId>, terms: &[(f64, ValueId)]) -> Option<ValueId> {
        let mut sum = base;
        for &(factor, value) in terms {
            let factor = self.builder.constant(factor);
            sum = Some(match sum {
                Some(sum) => self.builder.fma(factor, value, sum),
                None => self.builder.mul(factor, value),
            });
        }
        sum
    }

    /// Q_i and V_i from the accelerations it needs, and f there.
    fn stage(
        &mut self,
        stage: usize,
        known: &[Option<Vec<ValueId>>],
    ) -> Result<(Point, Vec<ValueId>), StepperError> {
        let coefficients = self.coefficients;
        let n = self.layout.dimension;
        let (mut q, mut v) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for i in 0..n {
            let column = |row: &[Option<f64>]| -> Vec<(f64, ValueId)> {
                let entries = row.iter().zip(known);
                entries.filter_map(|(&factor, list)| Some((factor?, list.as_ref()?[i]))).collect()
            };
            let (velocity, position) = (self.v[i], self.q[i]);
            let terms = column(&coefficients.velocity[stage]);
            v.push(self.accumulate(Some(velocity), &terms).unwrap_or(velocity));
            // What does not change in the iteration comes first.
            let mut terms = column(&coefficients.position[stage]);
            terms.splice(0..0, coefficients.nodes[stage].map(|node| (node, velocity)));
            q.push(self.accumulate(Some(position), &terms).unwrap_or(position));
        }
        let t = match coefficients.nodes[stage] {
            Some(node) => {
                let node = self.builder.constant(node);
                self.builder.add(self.t, node)
            }
            None => self.t,
        };
        let acceleration = self.field.acceleration(&mut self.builder, &q, &v, t)?;
        Ok((Point { q, v, t }, acceleration))
    }

    /// The polynomial of the step before, or its last values.
    fn guess(&mut self, stage: usize) -> Vec<ValueId> {
        let (n, stages) = (self.layout.dimension, self.layout.stages);
        (0..n)
            .map(|i| match &self.coefficients.extrapolation {
                Some(weights) if stages > 1 => {
                    let mut sum: Option<ValueId> = None;
                    for (j, &weight) in weights[stage].iter().enumerate() {
                        let old = self.builder.state(self.layout.memory(j, i));
                        let weight = self.builder.constant(weight);
                        sum = Some(match sum {
                            Some(sum) => self.builder.fma(weight, old, sum),
                            None => self.builder.mul(weight, old),
                        });
                    }
                    sum.unwrap_or(self.t)
                }
                _ => self.builder.state(self.layout.memory(stage, i)),
            })
            .collect()
    }

    fn update(
        &mut self,
        known: &[Option<Vec<ValueId>>],
        points: &[Option<Point>],
        n: usize,
    ) -> Result<(), StepperError> {
        let coefficients = self.coefficients;
        let column = |row: &[Option<f64>], i: usize| -> Vec<(Option<f64>, ValueId)> {
            row.iter().zip(known).filter_map(|(&c, list)| Some((c, list.as_ref()?[i]))).collect()
        };
        let mut increments = Vec::with_capacity(n);
        for i in 0..n {
            let (position, velocity) = (self.q[i], self.v[i]);
            let mut terms = vec![(coefficients.drift, velocity)];
            terms.extend(column(&coefficients.position_weights, i));
            let moved = self.combine(Some(position), terms);
            let kicked = self.combine(Some(velocity), column(&coefficients.velocity_weights, i));
            self.builder.store(self.layout.position(i), moved);
            self.builder.store(self.layout.velocity(i), kicked);
            // Σ h b̃_j F_j, for p = M v.
            increments.push(self.combine(None, column(&coefficients.momentum_weights, i)));
            for (stage, list) in known.iter().enumerate() {
                if let Some(list) = list {
                    self.builder.store(self.layout.memory(stage, i), list[i]);
                }
            }
        }
        self.momenta(points, &increments, n)?;
        let one = self.builder.constant(1.0);
        let count = self.builder.state(self.layout.count());
        let count = self.builder.add(count, one);
        // The time is a product, so that it does not drift.
        let step = self.builder.constant(self.options.step.to_f64());
        let time = self.builder.mul(count, step);
        self.builder.store(self.layout.count(), count);
        self.builder.store(self.layout.time(), time);
        Ok(())
    }

    fn momenta(
        &mut self,
        points: &[Option<Point>],
        increments: &[ValueId],
        n: usize,
    ) -> Result<(), StepperError> {
        let mut sums: Vec<ValueId> =
            (0..n).map(|i| self.builder.state(self.layout.momentum(i))).collect();
        if let Some(mass) = self.field.constant_mass() {
            for (i, row) in mass.iter().enumerate() {
                let terms: Vec<_> =
                    row.iter().map(|&(j, entry)| (Some(entry), increments[j])).collect();
                sums[i] = self.combine(Some(sums[i]), terms);
            }
        } else {
            let mut terms: Vec<Vec<(Option<f64>, ValueId)>> = vec![Vec::new(); n];
            for (weight, point) in self.coefficients.momentum_weights.iter().zip(points) {
                let (&Some(weight), Some(Point { q, v, t })) = (weight, point) else { continue };
                let rate = self.field.momentum_rate(&mut self.builder, q, v, *t)?;
                for (list, value) in terms.iter_mut().zip(rate) {
                    list.push((Some(weight), value));
                }
            }
            for (sum, list) in sums.iter_mut().zip(terms) {
                *sum = self.combine(Some(*sum), list);
            }
        }
        for (i, &sum) in sums.iter().enumerate() {
            self.builder.store(self.layout.momentum(i), sum);
        }
        Ok(())
    }
}

/// Where a stage evaluates the fields.
#[derive(Debug, Clone)]
struct Point {
    q: Vec<ValueId>,
    v: Vec<ValueId>,
    t: ValueId,
}

/// Which stages are computed one after the other, before and after those that need each other.
struct Evaluation {
    before: Vec<usize>,
    together: Vec<usize>,
    after: Vec<usize>,
}

fn order_of_evaluation(coefficients: &StepCoefficients) -> Evaluation {
    let size = coefficients.stages();
    let needs = |i: usize, j: usize| {
        coefficients.position[i][j].is_some() || coefficients.velocity[i][j].is_some()
    };
    let mut reaches: Vec<Vec<bool>> =
        (0..size).map(|i| (0..size).map(|j| needs(i, j)).collect()).collect();
    for k in 0..size {
        let through = reaches[k].clone();
        for row in reaches.iter_mut().filter(|row| row[k]) {
            for (entry, &further) in row.iter_mut().zip(&through) {
                *entry |= further;
            }
        }
    }
    let cyclic: Vec<bool> = (0..size).map(|i| reaches[i][i]).collect();
    let depends = |i: usize| (0..size).any(|j| reaches[i][j] && cyclic[j]);
    let feeds = |i: usize| (0..size).any(|j| reaches[j][i] && cyclic[j]);
    // A stage between two cycles is computed with them.
    let together: Vec<usize> =
        (0..size).filter(|&i| cyclic[i] || (depends(i) && feeds(i))).collect();
    let rest = (0..size).filter(|i| !together.contains(i));
    let (mut after, mut before): (Vec<usize>, Vec<usize>) = rest.partition(|&i| depends(i));
    // A stage comes after all it needs: it reaches more.
    let depth = |i: &usize| reaches[*i].iter().filter(|&&entry| entry).count();
    before.sort_by_key(depth);
    after.sort_by_key(depth);
    Evaluation { before, together, after }
}
