//! Methods with a table for each group of variables, on x' = F(x):
//!
//! ```text
//! X_i = x + h Σ a^g_ij K_j,   K_i = F_x(X_i),   x⁺ = x + h Σ b^g_i K_i     for a variable x of the group g
//! ```
//!
//! The variables are those of a system in state space, (q, p) of Hamilton's equations, or (q, q') of a Lagrangian system
//! with its multipliers eliminated, with the momenta if the groups name them. Only what waits for itself is unknown, seen
//! for every variable by itself. A right side that depends on time takes it where the stages of its own group are.
//!
//! What is to be preserved is measured on the way: S(x⁺) − S(x) − h Σ b_i s(X_i) of all steps, with the weights of the group
//! that integrates the supply s, is carried along.

mod power;
mod variables;

use isotrope_algebra::calculus::{Substitution, derivative, substitute};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{ExprId, Function, Node, OrInternal, OutOfBudget, Pool, Rational};
use isotrope_methods::table::{GroupNumbers, GroupedTable, NotAPartition, Preserved};

use crate::equations::{Defect, Exchange, UnknownKind};
use crate::mechanics::{Point, Writer};
use crate::registry::{Capabilities, Entry, Family as Methods, InStateSpace, Recipe};
use crate::stages::{Digits, count, sum};
use crate::{DiscretiseError, degenerate};
use power::{Power, powers, powers_of};
use variables::{Kind, Variables};

pub use variables::{grouped_family, grouped_variables};

/// The family.
pub(crate) static FAMILY: Methods = Methods {
    name: "grouped",
    citation: None,
    capabilities: Capabilities { state_space: InStateSpace::Also, ..Capabilities::MECHANICS },
    entries: &[Entry {
        name: "grouped:",
        about: "a table for each group of variables, from a file",
        recipe: Recipe::Grouped,
        ..Entry::BLANK
    }],
};

/// Why groups make no steps on Lie groups.
const NO_VARIABLES: &str =
    "the system has no variables for groups: bodies on Lie groups are moved by methods with `lie-`";
const NO_PARTITION: &str =
    "the groups of the method are no partition of the variables of the system";
const NO_MATRIX: &str =
    "right sides depend on stages of a group that has no matrix `a`, or on the time there";
const DESCRIPTOR: &str =
    "the system is E x' = … with a singular matrix E: some variables have no rates of their own";

/// Everything that a step is written from.
struct Stages<'t> {
    variables: Variables,
    groups: Vec<usize>,
    numbers: &'t [GroupNumbers],
    stages: usize,
    /// For each variable those that its rate depends on, and whether time is.
    on: Vec<(Vec<usize>, bool)>,
    /// For each variable its values at the stages.
    places: Vec<Vec<Option<ExprId>>>,
    /// For each variable its slopes at the stages.
    slopes: Vec<Vec<Option<ExprId>>>,
    unknown: Vec<Vec<bool>>,
    needed: Vec<Vec<bool>>,
}

/// Beyond this many slopes, all that wait for themselves are unknown: fewer are looked for by trying.
const TRIED: usize = 400;

pub(crate) fn write(writer: &mut Writer<'_>, table: &GroupedTable) -> Result<(), DiscretiseError> {
    let refused = |reason| DiscretiseError::NotApplicable { reason };
    if writer.state.is_some_and(|state| state.descriptor.is_some()) {
        return Err(refused(DESCRIPTOR));
    }
    let variables = Variables::of(writer, table);
    if variables.names.is_empty() {
        return Err(refused(NO_VARIABLES));
    }
    let groups =
        table.partition(&variables.names).map_err(|_: NotAPartition| refused(NO_PARTITION))?;
    let bits = match writer.digits {
        Digits::Double => None,
        Digits::Bits(bits) => Some(bits),
    };
    let numbers = table.numbers(bits)?;
    let functions = functions(writer, table, &variables)?;
    let mut stages = Stages::new(writer, (table, &numbers), variables, groups);
    stages.plan(&functions, writer);
    stages.declare(writer);
    stages.fill(writer)?;
    stages.residual(writer)?;
    stages.finish(writer, functions)
}

/// A function that is to be preserved, in the symbols of the system.
struct Measured {
    name: String,
    stored: ExprId,
    supply: Option<(ExprId, usize)>,
    weak: bool,
}

/// Those functions whose names mean something here.
fn functions(
    writer: &mut Writer<'_>,
    table: &GroupedTable,
    variables: &Variables,
) -> Result<Vec<Measured>, DiscretiseError> {
    let mut known = variables.symbols.clone();
    known.extend(&writer.parameters);
    let mut read = |text: &str, preserved: &Preserved| -> Result<Option<ExprId>, OutOfBudget> {
        let Ok(mut value) = parse_expression(&mut writer.pool, text) else { return Ok(None) };
        let mut map = Substitution::default();
        for (name, number) in &preserved.parameters {
            let symbol = writer.pool.symbol(name);
            if !known.contains(&symbol) {
                map.insert(symbol, writer.pool.number(number.clone()));
            }
        }
        if let [replaced] = substitute(&mut writer.pool, &[value], &map, writer.budget)?[..] {
            value = replaced;
        }
        Ok(Some(value).filter(|&value| is_known(&writer.pool, value, &known)))
    };
    let mut found = Vec::new();
    for preserved in &table.preserved {
        let Some(stored) = read(&preserved.stored, preserved)? else { continue };
        let supply = match &preserved.supply {
            None => None,
            Some((text, group)) => match read(text, preserved)? {
                Some(supply) => Some((supply, *group)),
                None => continue,
            },
        };
        let (name, weak) = (preserved.name.clone(), preserved.weak);
        found.push(Measured { name, stored, supply, weak });
    }
    Ok(found)
}

/// Are all symbols of an expression known?
fn is_known(pool: &Pool, expression: ExprId, known: &[ExprId]) -> bool {
    let below = pool.reachable(&[expression]);
    below.iter().all(|id| !matches!(pool.node(*id), Node::Symbol(_)) || known.contains(id))
}

impl<'t> Stages<'t> {
    fn new(
        writer: &Writer<'_>,
        (table, numbers): (&'t GroupedTable, &'t [GroupNumbers]),
        variables: Variables,
        groups: Vec<usize>,
    ) -> Self {
        let pool = &writer.pool;
        let on = variables.rates.iter().map(|&rate| {
            let below = pool.reachable(&[rate]);
            let there = |symbol: &ExprId| below.binary_search(symbol).is_ok();
            let some = (0..variables.symbols.len()).filter(|&m| there(&variables.symbols[m]));
            (some.collect(), there(&writer.symbols.time))
        });
        let (count, stages) = (variables.symbols.len(), table.stages);
        Self {
            on: on.collect(),
            places: vec![vec![None; stages]; count],
            slopes: vec![vec![None; stages]; count],
            unknown: vec![vec![false; stages]; count],
            needed: vec![vec![false; stages]; count],
            variables,
            groups,
            numbers,
            stages,
        }
    }

    fn count(&self) -> usize {
        self.variables.symbols.len()
    }

    /// The row of the stage i of a variable; none where its group has no matrix.
    fn row(&self, variable: usize, stage: usize) -> Option<&'t [Rational]> {
        let rows = self.numbers[self.groups[variable]].a.as_ref()?;
        rows.get(stage).map(Vec::as_slice)
    }

    fn weights(&self, variable: usize) -> &'t [Rational] {
        &self.numbers[self.groups[variable]].b
    }

    /// The slopes that the value of a variable at a stage consists of.
    fn parts(&self, variable: usize, stage: usize) -> Vec<usize> {
        let row = self.row(variable, stage).unwrap_or(&[]);
        let used = row.iter().enumerate().filter(|(_, number)| !number.is_zero());
        used.map(|(j, _)| variable * self.stages + j).collect()
    }

    /// Which slopes are needed, and which of them are unknown.
    fn plan(&mut self, functions: &[Measured], writer: &Writer<'_>) {
        let slots = self.count() * self.stages;
        let waits: Vec<Vec<usize>> = (0..slots)
            .map(|slot| {
                let (n, i) = (slot / self.stages, slot % self.stages);
                self.on[n].0.iter().flat_map(|&m| self.parts(m, i)).collect()
            })
            .collect();
        let mut ends: Vec<usize> = (0..slots)
            .filter(|slot| !self.weights(slot / self.stages)[slot % self.stages].is_zero())
            .collect();
        // What supplies and powers are functions of.
        let mut measured: Vec<ExprId> =
            functions.iter().filter_map(|function| Some(function.supply?.0)).collect();
        measured.extend(powers(writer));
        let below = writer.pool.reachable(&measured);
        for m in 0..self.count() {
            if below.binary_search(&self.variables.symbols[m]).is_ok() {
                (0..self.stages).for_each(|i| ends.extend(self.parts(m, i)));
            }
        }
        let needed = reached(&waits, &ends, &vec![false; slots]);
        let none = vec![false; slots];
        let mut unknown: Vec<bool> = (0..slots)
            .map(|slot| needed[slot] && reached(&waits, &waits[slot], &none)[slot])
            .collect();
        // Rates of positions first: they are the simplest.
        let mut order: Vec<usize> = (0..slots).filter(|&slot| unknown[slot]).collect();
        order.sort_by_key(|&slot| self.on[slot / self.stages].0.len());
        for slot in if order.len() <= TRIED { order } else { Vec::new() } {
            unknown[slot] = false;
            if reached(&waits, &waits[slot], &unknown)[slot] {
                unknown[slot] = true;
            }
        }
        for slot in 0..slots {
            self.needed[slot / self.stages][slot % self.stages] = needed[slot];
            self.unknown[slot / self.stages][slot % self.stages] = unknown[slot];
        }
    }

    /// Unknown slopes, with those at the beginning as a guess.
    fn declare(&mut self, writer: &mut Writer<'_>) {
        for i in 0..self.stages {
            for n in 0..self.count() {
                if !self.unknown[n][i] {
                    continue;
                }
                let name = format!("{}'_{}", self.variables.names[n], i + 1);
                let rate = self.variables.rates[n];
                self.slopes[n][i] = Some(match self.variables.kinds[n] {
                    Kind::Velocity(k) => {
                        let guess = match writer.rates {
                            Some(_) => writer.symbols.velocity[k],
                            None => rate,
                        };
                        writer.unknown(&name, UnknownKind::Velocity(k), guess)
                    }
                    Kind::Acceleration(k) => {
                        let guess = writer.pool.mul(writer.h, rate);
                        let change = writer.unknown(&name, UnknownKind::Velocity(k), guess);
                        writer.pool.div(change, writer.h)
                    }
                    Kind::Force(k) => writer.unknown(&name, UnknownKind::MomentumRate(k), rate),
                });
            }
        }
    }

    /// Everything that does not wait for something, until nothing is left.
    fn fill(&mut self, writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
        loop {
            let mut changed = false;
            for i in 0..self.stages {
                for m in 0..self.count() {
                    changed |= self.settle(writer, m, i);
                }
                for n in 0..self.count() {
                    if self.slopes[n][i].is_none()
                        && self.needed[n][i]
                        && let Some(found) = self.rate(writer, n, i)?
                    {
                        let name = format!("{}'_{}", self.variables.names[n], i + 1);
                        self.slopes[n][i] = Some(writer.define_one(&name, found));
                        changed = true;
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// The value of a variable at a stage, once its parts are known.
    fn settle(&mut self, writer: &mut Writer<'_>, m: usize, i: usize) -> bool {
        let Some(row) = self.row(m, i).filter(|_| self.places[m][i].is_none()) else {
            return false;
        };
        let known = row.iter().zip(&self.slopes[m]);
        if known.into_iter().any(|(number, slope)| !number.is_zero() && slope.is_none()) {
            return false;
        }
        let start = self.variables.symbols[m];
        let moved = combined(writer, start, row, &self.slopes[m]);
        self.places[m][i] = Some(match moved == start {
            true => start,
            false => writer.define_one(&format!("{}_{}", self.variables.names[m], i + 1), moved),
        });
        true
    }

    /// The rate of a variable at a stage; none while values are missing.
    fn rate(
        &self,
        writer: &mut Writer<'_>,
        n: usize,
        i: usize,
    ) -> Result<Option<ExprId>, DiscretiseError> {
        self.at(writer, self.variables.rates[n], (n, i))
    }

    /// A function of the variables at a stage, and of time where the stage of a variable is.
    fn at(
        &self,
        writer: &mut Writer<'_>,
        function: ExprId,
        (n, i): (usize, usize),
    ) -> Result<Option<ExprId>, DiscretiseError> {
        let below = writer.pool.reachable(&[function]);
        let there = |symbol: &ExprId| below.binary_search(symbol).is_ok();
        let refused = DiscretiseError::NotApplicable { reason: NO_MATRIX };
        let mut map = Substitution::default();
        for (m, symbol) in self.variables.symbols.iter().enumerate() {
            if there(symbol) {
                if self.row(m, i).is_none() {
                    return Err(refused);
                }
                let Some(place) = self.places[m][i] else { return Ok(None) };
                map.insert(*symbol, place);
            }
        }
        let time = writer.symbols.time;
        if there(&time) {
            let Some(row) = self.row(n, i) else { return Err(refused) };
            let ahead = writer.pool.scale(&sum(row), writer.h);
            map.insert(time, writer.pool.add(time, ahead));
        }
        map.retain(|from, to| from != to);
        let found = substitute(&mut writer.pool, &[function], &map, writer.budget)?;
        Ok(found.first().copied())
    }

    /// What must vanish: unknown slopes less the rates at their stages.
    fn residual(&self, writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
        let mut next = Vec::new();
        let mut rounds = 0;
        for i in 0..self.stages {
            rounds += usize::from((0..self.count()).any(|n| self.unknown[n][i]));
            for n in 0..self.count() {
                if !self.unknown[n][i] {
                    continue;
                }
                let found = self.rate(writer, n, i)?;
                let found = found.or_internal("every stage has its values")?;
                let found = match self.variables.kinds[n] {
                    Kind::Acceleration(_) => writer.pool.mul(writer.h, found),
                    Kind::Velocity(_) | Kind::Force(_) => found,
                };
                let name = format!("{}'_found_{}", self.variables.names[n], i + 1);
                let found = writer.define_one(&name, found);
                let unknown = writer.unknowns[next.len()].symbol;
                writer.residual.push(writer.pool.sub(unknown, found));
                next.push(found);
            }
        }
        writer.evaluations = count(if rounds > 0 { rounds } else { self.stages });
        writer.fixed_point = (!next.is_empty()).then_some(next);
        Ok(())
    }

    /// h Σ b_i s(X_i), with the weights of a group, for what belongs to a variable of it.
    fn integrated(
        &self,
        writer: &mut Writer<'_>,
        function: ExprId,
        (variable, weights): (usize, &[Rational]),
    ) -> Result<ExprId, DiscretiseError> {
        let mut terms = Vec::new();
        for (i, weight) in weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            let value = self.at(writer, function, (variable, i))?;
            let value = value.or_internal("every stage has its values")?;
            let factor = writer.pool.scale(weight, writer.h);
            terms.push(writer.pool.mul(factor, value));
        }
        Ok(writer.pool.sum(&terms))
    }

    /// What the step leaves behind, and what it measures.
    fn finish(
        &self,
        writer: &mut Writer<'_>,
        functions: Vec<Measured>,
    ) -> Result<(), DiscretiseError> {
        let n = writer.symbols.dimension();
        let mut ways = Vec::with_capacity(self.count());
        let mut ends = Vec::with_capacity(self.count());
        for m in 0..self.count() {
            let way = combined(writer, ExprId::ZERO, self.weights(m), &self.slopes[m]);
            let start = self.variables.symbols[m];
            let moved = writer.pool.add(start, way);
            ways.push(way);
            ends.push(writer.define_one(&format!("{}⁺", self.variables.names[m]), moved));
        }
        self.work(writer)?;
        if writer.rates.is_some() {
            degenerate::finish(writer, ends.clone(), ways, None)?;
        } else {
            let there =
                Point { q: ends[..n].to_vec(), v: ends[n..2 * n].to_vec(), t: writer.later() };
            writer.after.momentum = match ends.get(2 * n..) {
                Some(momenta) if !momenta.is_empty() => momenta.to_vec(),
                _ => writer.at(&there, &writer.dynamics.momenta)?,
            };
            (writer.after.position, writer.after.velocity) = (there.q, there.v);
        }
        let map: Substitution =
            self.variables.symbols.iter().copied().zip(ends.iter().copied()).collect();
        for function in functions {
            let after = substitute(&mut writer.pool, &[function.stored], &map, writer.budget)?;
            let mut change = writer.pool.sub(after[0], function.stored);
            if let Some((supply, group)) = function.supply {
                let weights = &self.numbers[group].b;
                let own = self.groups.iter().position(|&of| of == group).unwrap_or(0);
                let supplied = self.integrated(writer, supply, (own, weights))?;
                change = writer.pool.sub(change, supplied);
            }
            let memory = writer.remembered();
            let sum = writer.remember(&format!("defect_{}", function.name), ExprId::ZERO);
            let largest = writer.remember(&format!("largest_{}", function.name), ExprId::ZERO);
            let next = writer.pool.add(sum, change);
            // No definition: what is carried along is no part of the step.
            writer.keep(sum, next);
            let change = writer.pool.call(Function::Abs, next);
            let next = larger(writer, largest, change);
            writer.keep(largest, next);
            let here = self.size(writer, function.stored)?;
            let size = writer.remember(&format!("size_{}", function.name), here);
            let next = larger(writer, size, here);
            writer.keep(size, next);
            let name = function.name;
            let (largest, size) = (memory + 1, memory + 2);
            let weak = function.weak;
            writer.defects.push(Defect { name, memory, largest, size, weak });
        }
        Ok(())
    }

    /// Σ |x ∂S/∂x|: how large the parts of a function are, even where it vanishes.
    fn size(&self, writer: &mut Writer<'_>, function: ExprId) -> Result<ExprId, OutOfBudget> {
        let mut parts = Vec::with_capacity(self.count());
        for &symbol in &self.variables.symbols {
            let slope = derivative(&mut writer.pool, function, symbol, writer.budget)?;
            let part = writer.pool.mul(symbol, slope);
            parts.push(writer.pool.call(Function::Abs, part));
        }
        Ok(writer.pool.sum(&parts))
    }

    /// The work of what supplies and dissipates: what belongs to a variable has the weights of its group.
    fn work(&self, writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
        let powers = powers_of(writer, self.count())?;
        let (mut supplied, mut dissipated) = (Vec::new(), Vec::new());
        for Power { variable, supplied: gained, dissipated: lost } in powers.parts {
            let weights = self.weights(variable);
            supplied.push(self.integrated(writer, gained, (variable, weights))?);
            dissipated.push(self.integrated(writer, lost, (variable, weights))?);
        }
        let both = [supplied, dissipated].map(|terms| writer.pool.sum(&terms));
        let [supplied, dissipated] = both;
        writer.after.work = writer.pool.sub(supplied, dissipated);
        if powers.is_port {
            writer.after.exchange = Some(Exchange { supplied, dissipated });
        }
        Ok(())
    }
}

/// The larger of two numbers.
fn larger(writer: &mut Writer<'_>, x: ExprId, y: ExprId) -> ExprId {
    let apart = writer.pool.sub(x, y);
    let apart = writer.pool.call(Function::Abs, apart);
    let twice = writer.pool.sum(&[x, y, apart]);
    writer.pool.scale(&Rational::half(), twice)
}

/// base + h Σ c_j x_j, of one variable.
fn combined(
    writer: &mut Writer<'_>,
    base: ExprId,
    row: &[Rational],
    slopes: &[Option<ExprId>],
) -> ExprId {
    let mut terms = vec![base];
    for (number, slope) in row.iter().zip(slopes).filter(|(number, _)| !number.is_zero()) {
        if let Some(slope) = slope {
            let factor = writer.pool.scale(number, writer.h);
            terms.push(writer.pool.mul(factor, *slope));
        }
    }
    writer.pool.sum(&terms)
}

/// What is waited for, from `ends` on; nothing waits for what is known.
fn reached(waits: &[Vec<usize>], ends: &[usize], known: &[bool]) -> Vec<bool> {
    let mut seen = vec![false; waits.len()];
    let mut open = ends.to_vec();
    while let Some(slot) = open.pop() {
        if !std::mem::replace(&mut seen[slot], true) && !known[slot] {
            open.extend(&waits[slot]);
        }
    }
    seen
}
