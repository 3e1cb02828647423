//! From a scheme to programs.

use super::bracket::BracketProgram;
use super::constraint_matrix::MatrixProgram;
use super::field::{Field, Quantity};
use super::layout::{Layout, Measured, slot};
use super::monitors;
use super::programs::{Balanced, NewtonPrograms, Options, Stepper, StepperError};
use super::scales::Scaling;
use super::scheme::{Inside, Recorder, Scheme, Weight};
use isotrope_tape::interpret::{Scratch, step};
use isotrope_tape::math::Arithmetic as _;
use isotrope_tape::{Elimination, Program, ValueId, VariableId};

/// How the unknowns of a step are found.
#[derive(Clone, Copy)]
enum Way<'e> {
    FixedPoint,
    /// With the sizes of the rows of the Jacobian.
    Newton(&'e Elimination, &'e [f64]),
}

/// Systems up to this size compare their pivots with the rest of the column in every round.
const WATCHED: usize = 64;
/// A pivot smaller than this part of its column makes the step fail.
const SMALLEST_PIVOT: f64 = 1e-10;
/// Newton's method converges quadratically: it ends when its last correction is smaller than this
/// times the square root of the tolerance.
const QUADRATIC: f64 = 1e-3;
/// Up to this many coordinates, what iterations leave undone is compared with one size; beyond, with as many as
/// there are unknowns.
const SCALED: usize = 32;
/// What rounding does to positions, with room for what it does to forces.
const ROUNDING: f64 = 1024.0 * f64::EPSILON;
/// Multiplications of a Jacobian's elimination that are written out beside a fixed-point iteration.
const UNROLLED: u64 = 20_000;

/// The programs of a scheme.
pub(super) fn assemble(
    field: &Field,
    scheme: &dyn Scheme,
    options: &Options,
) -> Result<Stepper, StepperError> {
    let layout = Layout {
        dimension: field.dimension,
        rates: field.rates,
        constraints: field.constraint_names.len(),
        // On groups the level of positions is the norm of rotations, which changes do not leave, either.
        on_positions: field.position_constraints.max(field.rotations.len()),
        momenta: field.conserved_names.len(),
        shifted: scheme.is_staggered(),
        ports: scheme.has_exchange() && options.monitors,
        outputs: field.output_names.len(),
        in_momenta: field.is_in_momenta(),
        memory: scheme.memory(),
    };
    let start = start(field, scheme, layout)?;
    let mut initial = vec![0.0; layout.size() as usize];
    let n = field.dimension;
    initial[..n].copy_from_slice(&field.initial.0);
    initial[n..layout.moving()].copy_from_slice(&field.initial.1);
    let scaling = Scaling::new(field, layout, options.step.to_f64())?;
    let mut begun = initial.clone();
    scaling.fill(&mut begun, &field.parameter_values);
    let weights = weights(field, scheme, layout, &start, &begun)?;
    let unknowns = weights.len();
    let assembler = Assembler { field, scheme, options, layout, weights };
    let careful = match scheme.pattern() {
        Some(pattern) if unknowns > 0 => Some(assembler.careful(pattern)?),
        _ => None,
    };
    let (mut program, mut newton) = (None, None);
    let contracts = unknowns > 0 && assembler.contracts()?;
    if unknowns == 0 {
        program = Some(assembler.explicit()?);
    } else {
        if contracts {
            program = Some(assembler.implicit(Way::FixedPoint)?);
        }
        if let Some(careful) = &careful {
            let limit = if contracts { UNROLLED } else { Elimination::LIMIT };
            let measured = measured(careful, &start, &begun, &field.parameter_values);
            let values = measured.as_ref().map(|balanced| &balanced.entries[..]);
            let plan = Elimination::plan(unknowns, &careful.pattern, false, values, limit);
            let rows = measured.map_or_else(|| vec![1.0; unknowns], |balanced| balanced.rows);
            match plan {
                Ok(plan) => newton = Some(assembler.implicit(Way::Newton(&plan, &rows))?),
                // The iteration outside of compiled code is always there.
                Err(_) if contracts => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    let program = match program {
        Some(program) => program,
        None => newton.take().ok_or(StepperError::NoJacobian)?,
    };
    Ok(Stepper {
        layout,
        scaling,
        start,
        program,
        newton,
        careful,
        adaptive: None,
        pace: scheme.pace(layout),
        row: assembler.row()?,
        levels: levels(field, layout)?,
        matrix: MatrixProgram::new(field, layout)?,
        magnetic: magnetic(field, layout)?,
        dense: (1..options.dense).map(|k| assembler.dense(k)).collect::<Result<_, _>>()?,
        inside: if options.dense > 1 { scheme.polynomial() } else { None },
        initial,
        parameters: field.parameter_values.clone(),
        max_iterations: options.max_iterations,
        tolerance: options.tolerance,
        step: options.step.to_f64(),
        evaluations: scheme.evaluations(),
        names: field.coordinate_names.clone(),
        rate_names: field.rate_names.clone(),
        bracket: BracketProgram::new(field, layout)?,
        has_momenta: field.has_momenta,
        has_energy: field.has_energy,
        output_names: field.output_names.clone(),
        shown: scheme
            .shown()
            .into_iter()
            .map(|(name, k)| (name.to_owned(), layout.memory(k)))
            .collect(),
        defects: scheme
            .defects()
            .iter()
            .map(|one| {
                (one.name.clone(), [one.memory, one.largest, one.size].map(|k| layout.memory(k)))
            })
            .collect(),
        rotations: field.rotations.clone(),
        trivialisation: field.trivialisation.clone(),
        bounds: scheme
            .bounds()
            .iter()
            .map(|bound| (layout.memory(bound.memory), bound.reason))
            .collect(),
        constraint_names: field.constraint_names.clone(),
        conserved_names: field.conserved_names.clone(),
        has_positions: field.position_constraints > 0,
        holonomic: field.position_constraints >= field.constraint_names.len(),
        contracts,
    })
}

/// The Jacobian at the start, for the choice of pivots.
fn measured(
    careful: &NewtonPrograms,
    start: &Program,
    begun: &[f64],
    parameters: &[f64],
) -> Option<Balanced> {
    let mut state = begun.to_vec();
    step(start, &mut state, parameters, &mut Scratch::new(start)).is_complete().then_some(())?;
    let unknowns = careful.weights.len();
    let first = state.len() + 2 * unknowns;
    state.resize(first + careful.pattern.len(), 0.0);
    for program in [&careful.guess, &careful.evaluate] {
        let made = step(program, &mut state, parameters, &mut Scratch::new(program));
        made.is_complete().then_some(())?;
    }
    let entries = state.split_off(first);
    Some(careful.balanced(&state, &entries))
}

/// p = L_v, or v = H_p where there is no Lagrangian, the multipliers, what the scheme carries along, and what errors are compared with.
fn start(field: &Field, scheme: &dyn Scheme, layout: Layout) -> Result<Program, StepperError> {
    let mut recorder = Recorder::new(field, layout, 0);
    let velocities = field.at(&mut recorder.builder, Quantity::Velocity, &recorder.here)?;
    if field.is_in_momenta() {
        for (i, &value) in velocities.iter().enumerate() {
            recorder.builder.store(layout.velocity(i), value);
        }
        recorder.here.v = velocities;
    }
    let here = recorder.here.clone();
    let momenta = field.at(&mut recorder.builder, Quantity::Momentum, &here)?;
    for (i, &value) in momenta.iter().enumerate() {
        recorder.builder.store(layout.momentum(i), value);
    }
    let multipliers = field.at(&mut recorder.builder, Quantity::Multipliers, &here)?;
    for (j, &value) in multipliers.iter().enumerate() {
        recorder.builder.store(layout.multiplier(j), value);
    }
    monitors::start(&mut recorder, &momenta)?;
    for (k, value) in scheme.start(&mut recorder)?.into_iter().enumerate() {
        recorder.builder.store(layout.memory(k), value);
    }
    Ok(recorder.builder.finish()?)
}

/// Both levels of the constraints at the state.
fn levels(field: &Field, layout: Layout) -> Result<Program, StepperError> {
    let mut recorder = Recorder::new(field, layout, layout.levels());
    let here = recorder.here.clone();
    let mut values = match layout.on_positions {
        0 => Vec::new(),
        _ => field.at(&mut recorder.builder, Quantity::PositionLevel, &here)?,
    };
    values.extend(field.at(&mut recorder.builder, Quantity::VelocityLevel, &here)?);
    for (k, value) in values.into_iter().enumerate() {
        recorder.builder.store(layout.size() + slot(k), value);
    }
    Ok(recorder.builder.finish()?)
}

/// The entries of a magnetic 2-form at the state.
fn magnetic(field: &Field, layout: Layout) -> Result<Option<Program>, StepperError> {
    let Some(formulas) = &field.magnetic else { return Ok(None) };
    let mut recorder = Recorder::new(field, layout, layout.dimension * layout.dimension);
    let here = recorder.here.clone();
    let symbols = field.symbols(&mut recorder.builder, &here);
    let values = formulas.record(&mut recorder.builder, &symbols)?;
    for (k, value) in values.into_iter().enumerate() {
        recorder.builder.store(layout.size() + slot(k), value);
    }
    Ok(Some(recorder.builder.finish()?))
}

struct Assembler<'f> {
    field: &'f Field,
    scheme: &'f dyn Scheme,
    options: &'f Options,
    layout: Layout,
    /// By how much a change of each unknown counts.
    weights: Vec<Weight>,
}

/// By how much changes of unknowns count; for each impulse how far it moves positions at the start, in units of
/// their sizes, so that units of mass or of single constraints do not matter.
fn weights(
    field: &Field,
    scheme: &dyn Scheme,
    layout: Layout,
    start: &Program,
    begun: &[f64],
) -> Result<Vec<Weight>, StepperError> {
    let mut weights = scheme.weights(layout);
    let mut recorder = Recorder::new(field, layout, weights.len());
    let reach = scheme.reach(&mut recorder)?;
    if reach.is_empty() {
        return Ok(weights);
    }
    for (k, moved) in reach.iter().enumerate() {
        let builder = &mut recorder.builder;
        let mut sum = builder.constant(0.0);
        for &(i, far) in moved {
            let size = builder.state(layout.position_size(i));
            let part = builder.div(far, size);
            sum = builder.add(part, sum);
        }
        builder.store(layout.size() + slot(k), sum);
    }
    let program = recorder.builder.finish()?;
    let (mut state, parameters) = (begun.to_vec(), &field.parameter_values);
    let ready = step(start, &mut state, parameters, &mut Scratch::new(start)).is_complete();
    state.resize(begun.len() + weights.len(), 0.0);
    let measured =
        ready && step(&program, &mut state, parameters, &mut Scratch::new(&program)).is_complete();
    // Without a value at the start nothing will be integrated, either; those that move nothing are not counted.
    let found =
        state[begun.len()..].iter().map(|&x| if measured && x.is_finite() { x } else { 0.0 });
    let impulses = weights.iter_mut().filter(|weight| weight.of.is_none() && weight.factor == 0.0);
    impulses.zip(found).for_each(|(weight, found)| weight.factor = found);
    Ok(weights)
}

impl<'f> Assembler<'f> {
    fn recorder(&self, extra: usize) -> Recorder<'f> {
        Recorder::new(self.field, self.layout, extra)
    }

    /// Is there a fixed-point iteration?
    fn contracts(&self) -> Result<bool, StepperError> {
        let mut recorder = self.recorder(0);
        let guess = self.scheme.guess(&mut recorder)?;
        Ok(self.scheme.fixed_point(&mut recorder, &guess)?.is_some())
    }

    fn explicit(&self) -> Result<Program, StepperError> {
        let mut recorder = self.recorder(0);
        self.finish_step(&mut recorder, &[])?;
        Ok(recorder.builder.finish()?)
    }

    fn implicit(&self, way: Way<'_>) -> Result<Program, StepperError> {
        let mut recorder = self.recorder(0);
        let guess = self.scheme.guess(&mut recorder)?;
        let variables: Vec<VariableId> =
            guess.into_iter().map(|value| recorder.builder.variable(value)).collect();
        let current: Vec<ValueId> =
            variables.iter().map(|&variable| recorder.builder.current(variable)).collect();
        let (changes, bad_pivot) = match way {
            Way::FixedPoint => {
                let next = self.scheme.fixed_point(&mut recorder, &current)?;
                let next = next.ok_or(StepperError::NoJacobian)?;
                let mut changes = Vec::with_capacity(next.len());
                for ((&variable, &old), &new) in variables.iter().zip(&current).zip(&next) {
                    recorder.builder.set_next(variable, new);
                    changes.push(recorder.builder.sub(new, old));
                }
                (changes, None)
            }
            Way::Newton(plan, rows) => {
                let linearised = self.scheme.linearised(&mut recorder, &current)?;
                let watch = (current.len() > 1 && current.len() <= WATCHED).then_some(rows);
                let entries = &linearised.jacobian;
                let solved =
                    plan.record(&mut recorder.builder, entries, &linearised.residual, watch);
                for ((&variable, &old), &change) in
                    variables.iter().zip(&current).zip(&solved.solution)
                {
                    let next = recorder.builder.sub(old, change);
                    recorder.builder.set_next(variable, next);
                }
                let bad = solved.smallest.map(|smallest| {
                    let least = recorder.builder.constant(SMALLEST_PIVOT);
                    recorder.builder.less(smallest, least)
                });
                (solved.solution, bad)
            }
        };
        let residual = self.weighted(&mut recorder, &changes);
        let residual = match bad_pivot {
            // A division by almost nothing is not a correction to be trusted.
            Some(bad) => {
                let infinity = recorder.builder.constant(f64::INFINITY);
                recorder.builder.select(bad, infinity, residual)
            }
            None => residual,
        };
        let tolerance = self.tolerance(&mut recorder, way);
        recorder.builder.iterate_until(residual, tolerance, self.options.max_iterations);
        let found: Vec<ValueId> =
            variables.iter().map(|&variable| recorder.builder.last(variable)).collect();
        self.finish_step(&mut recorder, &found)?;
        Ok(recorder.builder.finish()?)
    }

    /// Σ weight |change|, divided by the factor that most unknowns have.
    fn weighted(&self, recorder: &mut Recorder<'_>, changes: &[ValueId]) -> ValueId {
        let unit = self.unit();
        let counted = changes.iter().zip(&self.weights).filter(|(_, weight)| weight.factor > 0.0);
        let scaled: Vec<ValueId> = counted
            .map(|(&change, weight)| {
                let mut scaled = change;
                if weight.factor != unit {
                    let factor = recorder.builder.constant(weight.factor / unit);
                    scaled = recorder.builder.mul(factor, scaled);
                }
                match weight.of {
                    Some(of) => {
                        let per = recorder.per(of);
                        recorder.builder.mul(per, scaled)
                    }
                    None => scaled,
                }
            })
            .collect();
        recorder.size(&scaled)
    }

    fn unit(&self) -> f64 {
        let factors = self.weights.iter().filter(|weight| weight.of.is_some());
        let unit = factors.map(|weight| weight.factor).fold(0.0, f64::max);
        if unit > 0.0 { unit } else { 1.0 }
    }

    /// When the iteration ends. What impulses do to positions is compared with the positions of the moment, too.
    fn tolerance(&self, recorder: &mut Recorder<'_>, way: Way<'_>) -> ValueId {
        let threshold = threshold(self.options.tolerance, matches!(way, Way::Newton(..)));
        // In many unknowns rounding errors of many numbers meet.
        let count = if self.layout.dimension > SCALED { self.weights.len() } else { 1 };
        let enough = recorder.builder.constant(count as f64 * threshold / self.unit());
        let enough = match way {
            Way::Newton(..) => self.above_rounding(recorder, enough),
            Way::FixedPoint => enough,
        };
        let Some(moved) = self.scheme.sized() else { return enough };
        let parts: Vec<ValueId> = moved
            .iter()
            .map(|&i| {
                let size = recorder.builder.state(self.layout.position_size(i));
                recorder.builder.div(recorder.here.q[i], size)
            })
            .collect();
        let far = recorder.size(&parts);
        recorder.builder.fma(far, enough, enough)
    }

    /// Positions are known to rounding, and velocities to that over the step: no iteration does better.
    fn above_rounding(&self, recorder: &mut Recorder<'_>, enough: ValueId) -> ValueId {
        let layout = self.layout;
        if layout.dimension != layout.rates {
            return enough;
        }
        let parts: Vec<ValueId> = (0..layout.dimension)
            .map(|i| {
                let per = recorder.per(layout.sized_velocity(i));
                recorder.builder.mul(recorder.here.q[i], per)
            })
            .collect();
        let size = recorder.size(&parts);
        let rounding = ROUNDING / (self.options.step.to_f64().abs() * self.unit());
        let rounding = recorder.builder.constant(rounding);
        recorder.builder.fma(rounding, size, enough)
    }

    /// Stores what the step leaves behind, and measures.
    fn finish_step(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<(), StepperError> {
        let layout = self.layout;
        let updated = self.scheme.update(recorder, unknowns)?;
        for i in 0..layout.dimension {
            recorder.builder.store(layout.position(i), updated.q[i]);
        }
        for i in 0..layout.rates {
            recorder.builder.store(layout.velocity(i), updated.v[i]);
            recorder.builder.store(layout.momentum(i), updated.p[i]);
        }
        for (j, &value) in updated.multipliers.iter().flatten().enumerate() {
            recorder.builder.store(layout.multiplier(j), value);
        }
        for (k, &value) in updated.memory.iter().enumerate() {
            recorder.builder.store(layout.memory(k), value);
        }
        let one = recorder.builder.constant(1.0);
        let count = recorder.builder.state(layout.count());
        let count = recorder.builder.add(count, one);
        let time = match updated.time {
            Some(time) => time,
            None => {
                // The time is a product, so that it does not drift.
                let step = recorder.builder.constant(self.options.step.to_f64());
                recorder.builder.mul(count, step)
            }
        };
        recorder.builder.store(layout.count(), count);
        recorder.builder.store(layout.time(), time);
        if !self.options.monitors {
            return Ok(());
        }
        let before = updated.work.map(|_| recorder.builder.state(layout.work()));
        let after = match (before, updated.work) {
            (Some(before), Some(work)) => {
                let sum = recorder.builder.add(before, work);
                recorder.builder.store(layout.work(), sum);
                Some(sum)
            }
            _ => None,
        };
        let [q, v, p] = [&updated.q, &updated.v, &updated.p].map(Clone::clone);
        let there = super::field::Point { q, v, p, t: time };
        match &updated.pair {
            Some(pair) => {
                let (own, shifted) = (Measured::Own, Measured::Shifted);
                let until = before.map(|before| recorder.builder.add(before, pair.work));
                monitors::measure(recorder, own, &pair.point, &pair.momenta, until)?;
                monitors::measure(recorder, shifted, &there, &updated.p, after)?;
            }
            None => monitors::measure(recorder, Measured::Own, &there, &updated.p, after)?,
        }
        if let Some(exchange) = updated.exchange {
            monitors::exchange(recorder, exchange, &there, updated.work)?;
        }
        Ok(())
    }

    /// Energy and, where the scheme has none of its own, multipliers at the state.
    fn row(&self) -> Result<Program, StepperError> {
        let layout = self.layout;
        let mut recorder = self.recorder(0);
        let here = recorder.here.clone();
        let energy = self.field.at(&mut recorder.builder, Quantity::Energy, &here)?;
        for value in energy {
            recorder.builder.store(layout.energy(), value);
        }
        let outputs = self.field.at(&mut recorder.builder, Quantity::Outputs, &here)?;
        for (k, value) in outputs.into_iter().enumerate() {
            recorder.builder.store(layout.output(k), value);
        }
        let mut probe = self.recorder(0);
        let guess = self.scheme.guess(&mut probe)?;
        if self.scheme.update(&mut probe, &guess)?.multipliers.is_none() {
            let values = self.field.at(&mut recorder.builder, Quantity::Multipliers, &here)?;
            for (j, value) in values.into_iter().enumerate() {
                recorder.builder.store(layout.multiplier(j), value);
            }
        }
        Ok(recorder.builder.finish()?)
    }

    /// The state at k/count of the last step: positions and velocities of the polynomial, momenta
    /// and multipliers that belong to them.
    fn dense(&self, k: u32) -> Result<Program, StepperError> {
        let layout = self.layout;
        let theta = f64::from(k) / f64::from(self.options.dense);
        let mut recorder = self.recorder(0);
        let Inside { q, v, p } =
            self.scheme.dense(&mut recorder, theta).ok_or(StepperError::NoDense)?;
        let back = recorder.builder.constant((theta - 1.0) * self.options.step.to_f64());
        let t = recorder.builder.add(recorder.here.t, back);
        let point = super::field::Point { q, v, p: p.unwrap_or_default(), t };
        let momenta = match point.p.is_empty() {
            true => self.field.at(&mut recorder.builder, Quantity::Momentum, &point)?,
            false => point.p.clone(),
        };
        let energy = self.field.at(&mut recorder.builder, Quantity::Energy, &point)?;
        let multipliers = self.field.at(&mut recorder.builder, Quantity::Multipliers, &point)?;
        for (i, &momentum) in momenta.iter().enumerate() {
            recorder.builder.store(layout.position(i), point.q[i]);
            recorder.builder.store(layout.velocity(i), point.v[i]);
            recorder.builder.store(layout.momentum(i), momentum);
        }
        for (j, &value) in multipliers.iter().enumerate() {
            recorder.builder.store(layout.multiplier(j), value);
        }
        for value in energy {
            recorder.builder.store(layout.energy(), value);
        }
        recorder.builder.store(layout.time(), t);
        Ok(recorder.builder.finish()?)
    }

    fn careful(&self, pattern: &[(usize, usize)]) -> Result<NewtonPrograms, StepperError> {
        let weights = self.weights.clone();
        let count = weights.len();
        let extra = 2 * count + pattern.len();
        let first = self.layout.size();
        let mut recorder = self.recorder(extra);
        for (k, value) in self.scheme.guess(&mut recorder)?.into_iter().enumerate() {
            recorder.builder.store(first + slot(k), value);
        }
        let guess = recorder.builder.finish()?;
        let mut recorder = self.recorder(extra);
        let plain = match self.scheme.plain_guess(&mut recorder)? {
            Some(values) => {
                for (k, value) in values.into_iter().enumerate() {
                    recorder.builder.store(first + slot(k), value);
                }
                Some(recorder.builder.finish()?)
            }
            None => None,
        };
        let mut recorder = self.recorder(extra);
        let unknowns = self.unknowns(&mut recorder, count);
        let linearised = self.scheme.linearised(&mut recorder, &unknowns)?;
        let values = linearised.residual.into_iter().chain(linearised.jacobian);
        for (k, value) in values.enumerate() {
            recorder.builder.store(first + slot(count + k), value);
        }
        let evaluate = recorder.builder.finish()?;
        let mut recorder = self.recorder(extra);
        let unknowns = self.unknowns(&mut recorder, count);
        self.finish_step(&mut recorder, &unknowns)?;
        let finish = recorder.builder.finish()?;
        Ok(NewtonPrograms { guess, plain, evaluate, finish, pattern: pattern.to_vec(), weights })
    }

    fn unknowns(&self, recorder: &mut Recorder<'_>, count: usize) -> Vec<ValueId> {
        let first = self.layout.size();
        (0..count).map(|k| recorder.builder.state(first + slot(k))).collect()
    }
}

/// The change at which an iteration ends.
pub(crate) fn threshold(tolerance: f64, newton: bool) -> f64 {
    if newton { QUADRATIC * tolerance.sqrt() } else { tolerance }
}
