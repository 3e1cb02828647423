//! Schemes that are written as equations.

use isotrope_algebra::{Budget, ExprId};
use isotrope_derive::System;
use isotrope_methods::table::Table;
use isotrope_scheme::{
    Defect, Definition, EquationScheme, Equations, Size, StepBound, Steps, UnknownKind, discretise,
    discretise_canonical, discretise_first_order,
};
use rustc_hash::FxHashMap;

use super::field::{Field, Point};
use super::hermite::Hermite;
use super::layout::Layout;
use super::pace::{Lasting, PaceSlots};
use super::programs::{Options, Polynomial, Stepper, StepperError};
use super::scheme::{Inside, Linearised, PairValues, Recorder, Scheme, Updated, Weight};
use isotrope_tape::math::Arithmetic as _;
use isotrope_tape::{Formulas, ValueId};

/// The stepper of a scheme that is written as equations.
pub fn equations(
    system: &System,
    field: &Field,
    scheme: &EquationScheme,
    options: &Options,
    budget: &mut Budget,
) -> Result<Stepper, StepperError> {
    let equations = discretise(system, scheme, &options.step, budget)?;
    let scheme = Written::new(system, equations, options, budget)?;
    super::assemble::assemble(field, &scheme, options)
}

/// The stepper of a Runge–Kutta method on v = f(q), for a Lagrangian that is affine in the velocities.
pub(super) fn first_order(
    system: &System,
    field: &Field,
    table: &Table,
    options: &Options,
    budget: &mut Budget,
) -> Result<Stepper, StepperError> {
    let equations = discretise_first_order(system, table, &options.step, budget)?;
    let scheme = Written::new(system, equations, options, budget)?;
    super::assemble::assemble(field, &scheme, options)
}

/// The stepper of a Runge–Kutta method or a composition on Hamilton's equations.
pub(super) fn canonical(
    system: &System,
    field: &Field,
    steps: &Steps,
    options: &Options,
    budget: &mut Budget,
) -> Result<Stepper, StepperError> {
    let equations = discretise_canonical(system, steps, &options.step, budget)?;
    let scheme = Written::new(system, equations, options, budget)?;
    super::assemble::assemble(field, &scheme, options)
}

/// Formulas of all parts. Each evaluates the definitions it needs.
struct Written {
    momenta: Vec<ExprId>,
    memory: Vec<ExprId>,
    /// Those that are shown in rows of output.
    shown: Vec<(&'static str, usize)>,
    /// Those that are defects.
    defects: Vec<Defect>,
    unknowns: Vec<ExprId>,
    /// Groups of definitions in order, each with its formulas.
    definitions: Vec<(Vec<ExprId>, Formulas)>,
    /// How many of them the residual needs.
    groups_of_the_residual: usize,
    /// Which coordinates each impulse moves, and how far.
    reached: Vec<Vec<usize>>,
    reach: Formulas,
    /// Coordinates that the constraints contain.
    sized: Option<Vec<usize>>,
    /// Definitions that the start needs, likewise.
    before_the_start: Vec<(Vec<ExprId>, Formulas)>,
    start: Formulas,
    guess: Formulas,
    fixed_point: Option<Formulas>,
    pattern: Vec<(usize, usize)>,
    /// Residual, then Jacobian.
    linearised: Formulas,
    /// q, v, p, λ, the memory, then the pair if there is one.
    after: Formulas,
    work: Option<Formulas>,
    /// What ports supply and what is dissipated.
    exchange: Option<Formulas>,
    /// q⁺ − q and p⁺ − p, where they are summed up with what rounding loses.
    increments: Option<Formulas>,
    duration: Option<Lasting>,
    staggered: bool,
    kinds: Vec<UnknownKind>,
    sizes: Vec<Size>,
    hermite: Option<Hermite>,
    /// |h|.
    step: f64,
    evaluations: u32,
    counts: Counts,
    bounds: Vec<StepBound>,
}

#[derive(Clone, Copy)]
struct Counts {
    n: usize,
    rates: usize,
    m: usize,
}

impl Written {
    fn new(
        system: &System,
        mut equations: Equations,
        options: &Options,
        budget: &mut Budget,
    ) -> Result<Self, StepperError> {
        let rows = equations.jacobian(budget)?;
        let reach = equations.reach(budget)?;
        let guesses = equations.guesses(budget)?;
        let groups = equations.groups_of_the_residual();
        let pool = &equations.pool;
        let mut pattern = Vec::new();
        let mut linearised = equations.residual.clone();
        for (i, row) in rows.iter().enumerate() {
            for &(j, value) in row {
                pattern.push((i, j as usize));
                linearised.push(value);
            }
        }
        let after = &equations.after;
        let mut outcome = after.position.clone();
        outcome.extend(&after.velocity);
        outcome.extend(&after.momentum);
        outcome.extend(&after.multipliers);
        outcome.extend(equations.memory.iter().map(|memory| memory.next));
        if let Some(pair) = &equations.pair {
            outcome.extend(&pair.position);
            outcome.extend(&pair.velocity);
            outcome.extend(&pair.momentum);
            outcome.extend([pair.time, pair.work]);
        }
        let n = after.position.len();
        let reached: Vec<Vec<usize>> =
            reach.iter().map(|list| list.iter().map(|entry| entry.0).collect()).collect();
        let reach: Vec<ExprId> = reach.into_iter().flatten().map(|entry| entry.1).collect();
        let list = |expressions: &[ExprId]| Formulas::new(pool, expressions);
        let increments =
            after.increments.as_ref().filter(|_| options.compensated).map(|increments| {
                let both = increments.position.iter().chain(&increments.momentum);
                both.copied().collect::<Vec<ExprId>>()
            });
        let starts: Vec<ExprId> = equations.memory.iter().map(|memory| memory.start).collect();
        let groups_of = |list: &[Vec<Definition>]| -> Result<_, StepperError> {
            let mut groups = Vec::with_capacity(list.len());
            for group in list {
                let values: Vec<ExprId> = group.iter().map(|definition| definition.value).collect();
                let symbols: Vec<ExprId> = group.iter().map(|d| d.symbol).collect();
                groups.push((symbols, Formulas::new(pool, &values)?));
            }
            Ok(groups)
        };
        let duration = match &equations.duration {
            Some(duration) => Some(Lasting::new(&equations, duration)?),
            None => None,
        };
        Ok(Self {
            momenta: system.symbols.momentum.clone(),
            memory: equations.memory.iter().map(|memory| memory.symbol).collect(),
            shown: equations
                .memory
                .iter()
                .enumerate()
                .filter_map(|(k, memory)| Some((memory.shown?, k)))
                .collect(),
            defects: equations.defects.clone(),
            unknowns: equations.unknowns.iter().map(|u| u.symbol).collect(),
            definitions: groups_of(&equations.definitions)?,
            groups_of_the_residual: groups,
            reached,
            reach: list(&reach)?,
            sized: (equations.impulses > 0).then(|| constrained(system)),
            before_the_start: groups_of(&equations.before_the_start)?,
            start: list(&starts)?,
            guess: list(&guesses)?,
            fixed_point: equations.fixed_point.as_deref().map(list).transpose()?,
            pattern,
            linearised: list(&linearised)?,
            work: (!after.work.is_zero()).then(|| list(&[after.work])).transpose()?,
            exchange: match after.exchange {
                Some(exchange) => Some(list(&[exchange.supplied, exchange.dissipated])?),
                None => None,
            },
            increments: increments.as_deref().map(list).transpose()?,
            duration,
            after: list(&outcome)?,
            staggered: equations.pair.is_some(),
            sizes: equations.sizes.clone(),
            hermite: match options.dense > 1 && equations.duration.is_none() {
                true => Hermite::new(system, options, budget)?,
                false => None,
            },
            step: options.step.to_f64().abs(),
            kinds: equations.unknowns.iter().map(|unknown| unknown.kind).collect(),
            evaluations: equations.evaluations,
            counts: Counts { n, rates: after.velocity.len(), m: after.multipliers.len() },
            bounds: equations.bounds.clone(),
        })
    }

    fn before_the_pace(&self) -> usize {
        let lost = if self.increments.is_some() { 2 * self.counts.n } else { 0 };
        self.memory.len() + lost
    }

    /// Values for all symbols that can be known, with unknowns and definitions.
    fn symbols(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
        groups: usize,
    ) -> Result<FxHashMap<ExprId, ValueId>, StepperError> {
        let here = recorder.here.clone();
        let mut symbols = recorder.field.symbols(&mut recorder.builder, &here);
        symbols.extend(self.momenta.iter().copied().zip(recorder.momenta.iter().copied()));
        for (k, &symbol) in self.memory.iter().enumerate() {
            let slot = recorder.layout.memory(k);
            symbols.insert(symbol, recorder.builder.state(slot));
        }
        for size in &self.sizes {
            let slot = match size.of {
                UnknownKind::Velocity(i) => recorder.layout.velocity_size(i),
                UnknownKind::Momentum(i) => recorder.layout.momentum_size(i),
                UnknownKind::Position(i) => recorder.layout.position_size(i),
                UnknownKind::Time => recorder.layout.time_size(),
                // No other quantity has a size.
                _ => continue,
            };
            symbols.insert(size.symbol, recorder.builder.state(slot));
        }
        if unknowns.len() == self.unknowns.len() {
            symbols.extend(self.unknowns.iter().copied().zip(unknowns.iter().copied()));
            for (group, formulas) in &self.definitions[..groups] {
                let values = formulas.record(&mut recorder.builder, &symbols)?;
                symbols.extend(group.iter().copied().zip(values));
            }
        }
        Ok(symbols)
    }
}

/// The coordinates that stand in constraints.
fn constrained(system: &System) -> Vec<usize> {
    let of_states = system.mechanics.on_states().map(|(_, jacobian)| jacobian);
    let of_lagrangian = system.mechanics.lagrangian().map(|all| &all.rows.matrix);
    let Some(rows) = of_states.or(of_lagrangian) else { return Vec::new() };
    let mut found: Vec<usize> = rows.iter().flatten().map(|&(column, _)| column as usize).collect();
    found.sort_unstable();
    found.dedup();
    found
}

impl Scheme for Written {
    /// What the equations carry along, then what rounding has lost of q and p, then what there is to
    /// know of the lengths of steps or of where the last one began.
    fn memory(&self) -> usize {
        let inside = self.hermite.as_ref().map_or(0, Hermite::numbers);
        self.before_the_pace() + self.duration.as_ref().map_or(0, |_| Lasting::NUMBERS) + inside
    }

    fn pace(&self, layout: Layout) -> Option<PaceSlots> {
        self.duration.as_ref().map(|lasting| lasting.slots(layout, self.before_the_pace()))
    }

    fn defects(&self) -> &[Defect] {
        &self.defects
    }

    fn shown(&self) -> Vec<(&'static str, usize)> {
        self.shown.clone()
    }

    fn bounds(&self) -> &[StepBound] {
        &self.bounds
    }

    fn is_staggered(&self) -> bool {
        self.staggered
    }

    fn has_exchange(&self) -> bool {
        self.exchange.is_some()
    }

    fn evaluations(&self) -> u32 {
        self.evaluations
    }

    fn start(&self, recorder: &mut Recorder<'_>) -> Result<Vec<ValueId>, StepperError> {
        let here = recorder.here.clone();
        let mut symbols = recorder.field.symbols(&mut recorder.builder, &here);
        for (group, formulas) in &self.before_the_start {
            let values = formulas.record(&mut recorder.builder, &symbols)?;
            symbols.extend(group.iter().copied().zip(values));
        }
        let mut memory = self.start.record(&mut recorder.builder, &symbols)?;
        let zero = recorder.builder.constant(0.0);
        memory.resize(self.before_the_pace(), zero);
        if self.duration.is_some() {
            memory.extend(Lasting::start(recorder));
        }
        memory.resize(self.memory(), zero);
        Ok(memory)
    }

    fn weights(&self, layout: Layout) -> Vec<Weight> {
        let weight = |kind: &UnknownKind| match *kind {
            UnknownKind::Position(i) => Weight { factor: 1.0, of: Some(layout.sized_position(i)) },
            UnknownKind::Velocity(i) => Weight { factor: 1.0, of: Some(layout.sized_velocity(i)) },
            UnknownKind::Momentum(i) => Weight { factor: 1.0, of: Some(layout.sized_momentum(i)) },
            UnknownKind::MomentumRate(i) => {
                Weight { factor: self.step, of: Some(layout.sized_momentum(i)) }
            }
            UnknownKind::Time => Weight { factor: 1.0, of: Some(layout.sized_time()) },
            UnknownKind::Number => Weight { factor: 1.0, of: None },
            // What they do to positions is measured.
            UnknownKind::Impulse => Weight { factor: 0.0, of: None },
        };
        self.kinds.iter().map(weight).collect()
    }

    fn reach(
        &self,
        recorder: &mut Recorder<'_>,
    ) -> Result<Vec<Vec<(usize, ValueId)>>, StepperError> {
        // With impulses of zero: they move positions linearly.
        let zero = recorder.builder.constant(0.0);
        let unknowns = vec![zero; self.unknowns.len()];
        let symbols = self.symbols(recorder, &unknowns, self.definitions.len())?;
        let mut values = self.reach.record(&mut recorder.builder, &symbols)?.into_iter();
        let lists = self.reached.iter();
        Ok(lists.map(|list| list.iter().copied().zip(values.by_ref()).collect()).collect())
    }

    fn sized(&self) -> Option<&[usize]> {
        self.sized.as_deref()
    }

    fn guess(&self, recorder: &mut Recorder<'_>) -> Result<Vec<ValueId>, StepperError> {
        let here = recorder.here.clone();
        let mut symbols = recorder.field.symbols(&mut recorder.builder, &here);
        symbols.extend(self.momenta.iter().copied().zip(recorder.momenta.iter().copied()));
        for (k, &symbol) in self.memory.iter().enumerate() {
            let slot = recorder.layout.memory(k);
            symbols.insert(symbol, recorder.builder.state(slot));
        }
        Ok(self.guess.record(&mut recorder.builder, &symbols)?)
    }

    fn fixed_point(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<Option<Vec<ValueId>>, StepperError> {
        let Some(formulas) = &self.fixed_point else { return Ok(None) };
        let symbols = self.symbols(recorder, unknowns, self.groups_of_the_residual)?;
        Ok(Some(formulas.record(&mut recorder.builder, &symbols)?))
    }

    fn pattern(&self) -> Option<&[(usize, usize)]> {
        Some(&self.pattern)
    }

    fn linearised(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<Linearised, StepperError> {
        let symbols = self.symbols(recorder, unknowns, self.groups_of_the_residual)?;
        let mut residual = self.linearised.record(&mut recorder.builder, &symbols)?;
        let jacobian = residual.split_off(unknowns.len());
        Ok(Linearised { residual, jacobian })
    }

    fn dense(&self, recorder: &mut Recorder<'_>, theta: f64) -> Option<Inside> {
        let hermite = self.hermite.as_ref()?;
        hermite.inside(recorder, self.before_the_pace(), theta).ok()
    }

    fn polynomial(&self) -> Option<Polynomial> {
        self.hermite.as_ref().map(|_| Polynomial::Hermite)
    }

    fn update(
        &self,
        recorder: &mut Recorder<'_>,
        unknowns: &[ValueId],
    ) -> Result<Updated, StepperError> {
        let symbols = self.symbols(recorder, unknowns, self.definitions.len())?;
        let values = self.after.record(&mut recorder.builder, &symbols)?;
        let work = match &self.work {
            Some(work) => work.record(&mut recorder.builder, &symbols)?.first().copied(),
            None => None,
        };
        let mut values = values.into_iter();
        let mut take = |count: usize| -> Vec<ValueId> { values.by_ref().take(count).collect() };
        let Counts { n, rates, m } = self.counts;
        let (mut q, v, mut p) = (take(n), take(rates), take(rates));
        let (multipliers, mut memory) = (take(m), take(self.memory.len()));
        if let Some(increments) = &self.increments {
            let changes = increments.record(&mut recorder.builder, &symbols)?;
            let old = recorder.here.q.iter().chain(&recorder.momenta).copied();
            let old: Vec<ValueId> = old.collect();
            for (k, (sum, (change, old))) in
                q.iter_mut().chain(&mut p).zip(changes.into_iter().zip(old)).enumerate()
            {
                let slot = recorder.layout.memory(self.memory.len() + k);
                let lost = recorder.builder.state(slot);
                let (rounded, lost) = recorder.add_with_lost(old, change, lost);
                *sum = rounded;
                memory.push(lost);
            }
        }
        let time = match &self.duration {
            Some(lasting) => {
                let slots = lasting.slots(recorder.layout, self.before_the_pace());
                let (time, carried) = lasting.pass(recorder, &symbols, slots)?;
                memory.extend(carried);
                Some(time)
            }
            None => None,
        };
        if let Some(hermite) = &self.hermite {
            memory.extend(hermite.begin(recorder)?);
        }
        let pair = self.staggered.then(|| {
            let (q, v, momenta) = (take(n), take(rates), take(rates));
            let last = take(2);
            let at = |k: usize| last.get(k).copied().unwrap_or(recorder.here.t);
            let point = Point { q, v, p: momenta.clone(), t: at(0) };
            PairValues { point, momenta, work: at(1) }
        });
        let multipliers = (m > 0).then_some(multipliers);
        let exchange = match &self.exchange {
            Some(exchange) => match exchange.record(&mut recorder.builder, &symbols)?[..] {
                [supplied, dissipated] => Some([supplied, dissipated]),
                _ => None,
            },
            None => None,
        };
        Ok(Updated { q, v, p, multipliers, work, memory, time, pair, exchange })
    }
}
