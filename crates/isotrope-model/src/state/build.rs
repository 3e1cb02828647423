//! Systems in state space: from texts to expressions.

use isotrope_algebra::evaluate::evaluate_ball;
use isotrope_algebra::syntax::{Grammar, is_name};
use isotrope_algebra::{ExprId, Function, Pool, Precision};
use rustc_hash::FxHashMap;

use crate::ModelCode;
use crate::build::Builder;
use crate::components::{Component, Targets, spread};
use crate::diagnostics::{Place, Reporter, shorten};
use crate::expression::{Expression, read_expression};
use crate::initial::missing_value;
use crate::key::{PRIMES, read_key};
use crate::model::{Coordinate, Initial};
use crate::parameters::{Parameters, check_name};
use crate::read::Entry;
use crate::resolve::{Context, Names};
use crate::scope::{Meaning, Scope};
use crate::state::cells::{Cell, Triangle, lower_cells};
use crate::state::coupled::Residual;
use crate::state::read::{RawInput, RawSignal, RawState};
use crate::state::{DescriptorModel, Effort, Input, MatrixEntry, Output, StateKind, StateModel};

/// Rows of the table of an input: the function that it describes has as many pieces.
const MOST_ROWS: usize = 1_000;

/// A number and where it is.
pub(super) type Placed = (ExprId, Place);

/// A system in state space with all its texts read.
pub(crate) struct StateParts<'d> {
    kind: StateKind,
    place: Place,
    hamiltonian: Option<Expression<'d>>,
    /// Equations of first and of second order.
    first: Vec<Component<'d>>,
    second: Vec<Component<'d>>,
    /// Equations whose left-hand sides are expressions.
    implicit: Vec<(Expression<'d>, Expression<'d>)>,
    skew: Vec<Cell<'d>>,
    symmetric: Vec<Cell<'d>>,
    /// For each input its column.
    columns: Vec<Vec<Cell<'d>>>,
    inputs: Vec<InputParts<'d>>,
    outputs: Vec<(String, Place, Expression<'d>)>,
    descriptor: Option<DescriptorParts<'d>>,
}

/// E and the efforts that are given.
struct DescriptorParts<'d> {
    place: Place,
    matrix: Vec<Cell<'d>>,
    efforts: Vec<Cell<'d>>,
}

struct InputParts<'d> {
    name: String,
    symbol: ExprId,
    place: Place,
    signal: Signal<'d>,
}

enum Signal<'d> {
    Refused,
    Formula(Expression<'d>),
    Table { value: ExprId, range: (ExprId, ExprId) },
}

/// What a table makes of what is written in it: its equations, where they are more than the entries of a matrix
/// and a Hamiltonian. Nothing if that cannot be, which is reported.
pub(crate) type Complete = fn(&mut StateModel, Written<'_, '_, '_, '_>) -> Option<()>;

/// What a table can make its equations of, beside the model so far.
pub(crate) struct Written<'w, 's, 'd, 'r> {
    /// The equations `x' = …` and `x'' = …` that are given, by coordinate.
    pub(crate) first: Vec<Option<Placed>>,
    pub(crate) second: Vec<Option<Placed>>,
    /// What vanishes where the equations `x'' + x = …` hold.
    pub(super) implicit: Vec<Residual>,
    /// Which coordinates have an acceleration in some equation.
    pub(super) accelerated: Vec<bool>,
    /// Was nothing refused so far?
    pub(super) sound: bool,
    /// The coordinates are in its scope.
    pub(crate) names: &'w mut Names<'s, 'd, 'r>,
    pub(crate) pool: &'w mut Pool,
}

/// A lowered system, and which of its equations are of second order.
pub(crate) struct Lowered {
    pub(crate) model: StateModel,
    second: Vec<usize>,
}

impl Builder<'_> {
    /// Reads the texts of a system in state space and declares its inputs.
    pub(crate) fn read_state<'d>(
        &mut self,
        raw: RawState<'d>,
        (inputs, outputs): (Vec<RawInput<'d>>, Vec<Entry<'d>>),
        scope: &mut Scope<'d>,
        parameters: &mut Parameters<'d>,
    ) -> StateParts<'d> {
        let inputs = inputs
            .into_iter()
            .filter_map(|input| self.declare_input(input, scope, parameters))
            .collect();
        let hamiltonian =
            raw.hamiltonian.and_then(|text| self.read(text, Grammar::Expression, &[]));
        let mut targets = Targets {
            scope,
            parameters,
            pool: &mut self.pool,
            parse: &mut self.parse,
            reporter: self.reporter,
            refused: false,
        };
        let (first, second, implicit) = targets.equations(raw.equations);
        let skew = self.cells(raw.skew, scope, parameters, Triangle::Skew);
        let symmetric = self.cells(raw.symmetric, scope, parameters, Triangle::Symmetric);
        let efforts =
            raw.efforts.map_or(Vec::new(), |(_, entries)| self.column(entries, scope, parameters));
        let descriptor = raw.descriptor.map(|(place, entries)| {
            let matrix = self.cells(entries, scope, parameters, Triangle::Whole);
            DescriptorParts { place, matrix, efforts }
        });
        let mut parts = StateParts {
            kind: raw.kind,
            place: raw.place,
            hamiltonian,
            first,
            second,
            implicit,
            skew,
            symmetric,
            columns: Vec::new(),
            inputs,
            outputs: Vec::new(),
            descriptor,
        };
        parts.columns.resize_with(parts.inputs.len(), Vec::new);
        for (name, entries) in raw.columns {
            let found = parts.inputs.iter().position(|input| input.name == name.text);
            let Some(input) = found else {
                let message =
                    format!("g has a column for `{}`, which is not an input", shorten(&name.text));
                self.reporter
                    .error(ModelCode::StructureEntry, name.whole(), message)
                    .hint(format!("declare it: [inputs] {} = \"…\"", shorten(&name.text)));
                continue;
            };
            let column = self.column(entries, scope, parameters);
            parts.columns[input].extend(column);
        }
        for Entry { key, value, .. } in outputs {
            let place = key.whole();
            if !is_name(&key.text) {
                let message = format!("`{}` is not a name", shorten(&key.text));
                self.reporter.error(ModelCode::BadName, place, message);
                continue;
            }
            let expression = value.and_then(|text| self.read(text, Grammar::Expression, &[]));
            parts.outputs.extend(expression.map(|read| (key.text.to_string(), place, read)));
        }
        parts
    }

    fn declare_input<'d>(
        &mut self,
        input: RawInput<'d>,
        scope: &mut Scope<'d>,
        parameters: &mut Parameters<'d>,
    ) -> Option<InputParts<'d>> {
        let RawInput { name, signal } = input;
        let place = name.whole();
        let key = read_key(&name, &mut self.parse, self.reporter)?;
        if key.primes > 0 || !key.indices.is_empty() {
            self.reporter
                .error(ModelCode::BadName, place, "an input is a name without indices and primes")
                .hint("call it u, or u1, u2, …");
            return None;
        }
        let meaning = Meaning::Input(scope.inputs.len());
        if !check_name(&key.name, place, self.reporter)
            || !scope.declare(&key.name, meaning, place, self.reporter)
        {
            return None;
        }
        let symbol = self.pool.symbol(&key.name);
        scope.inputs.push(symbol);
        let signal = match signal {
            Some(RawSignal::Formula(text)) => match self.read(text, Grammar::Expression, &[]) {
                Some(expression) => Signal::Formula(expression),
                None => Signal::Refused,
            },
            Some(RawSignal::Table { rows, hold, place }) => {
                let mut numbers = Vec::with_capacity(rows.len());
                for (t, u) in rows {
                    let mut number = |text| {
                        let at = crate::text::Text::whole(&text);
                        let read = self.read(text, Grammar::Expression, &[])?;
                        let value = parameters.constant(
                            &read,
                            &mut self.pool,
                            &self.lower,
                            &mut self.budget,
                            self.reporter,
                        )?;
                        Some((value, at))
                    };
                    numbers.extend(number(t).zip(number(u)));
                }
                match self.table(&numbers, hold, place, scope.time) {
                    Some((value, range)) => Signal::Table { value, range },
                    None => Signal::Refused,
                }
            }
            None => Signal::Refused,
        };
        Some(InputParts { name: key.name, symbol, place, signal })
    }

    /// The function of a table: on each piece its own formula, chosen by steps at the rows. The first
    /// and the last piece go on beyond the table, where they are not used.
    fn table(
        &mut self,
        rows: &[(Placed, Placed)],
        hold: bool,
        place: Place,
        time: ExprId,
    ) -> Option<(ExprId, (ExprId, ExprId))> {
        let enough = if hold { 1 } else { 2 };
        if rows.len() < enough || rows.len() > MOST_ROWS {
            let message = match rows.len() < enough {
                true => format!("a table that is {} has at least {enough} rows", way(hold)),
                false => format!("a table has at most {MOST_ROWS} rows"),
            };
            self.reporter
                .error(ModelCode::InputTable, place, message)
                .hint("add rows [t, u], or write the input as a formula");
            return None;
        }
        let pool = &mut self.pool;
        for pair in rows.windows(2) {
            let (before, (after, at)) = (pair[0].0.0, pair[1].0);
            let difference = pool.sub(after, before);
            let ball = evaluate_ball(pool, difference, &FxHashMap::default(), Precision::new(128));
            if !ball.is_ok_and(|ball| ball.is_positive()) {
                self.reporter
                    .error(ModelCode::InputTable, at, "the times of a table grow from row to row")
                    .hint("sort the rows, and keep one of two with the same time");
                return None;
            }
        }
        let last = rows.len() - 1;
        let pieces = if hold { rows.len() } else { last };
        let step = |pool: &mut Pool, k: usize| {
            let since = pool.sub(time, rows[k].0.0);
            pool.call(Function::Heaviside, since)
        };
        let mut terms = Vec::with_capacity(pieces);
        for k in 0..pieces {
            let ((t, _), (u, _)) = rows[k];
            let mut value = u;
            if !hold {
                let ((t_next, _), (u_next, _)) = rows[k + 1];
                let (rise, run) = (pool.sub(u_next, u), pool.sub(t_next, t));
                let (slope, since) = (pool.div(rise, run), pool.sub(time, t));
                let part = pool.mul(slope, since);
                value = pool.add(u, part);
            }
            let begun = if k == 0 { ExprId::ONE } else { step(pool, k) };
            let ended = if k + 1 == pieces { ExprId::ZERO } else { step(pool, k + 1) };
            let here = pool.sub(begun, ended);
            terms.push(pool.mul(here, value));
        }
        let end = rows[last].0.0;
        Some((pool.sum(&terms), (rows[0].0.0, end)))
    }
}

fn way(hold: bool) -> &'static str {
    if hold { "held" } else { "linear" }
}

impl<'d> Targets<'_, 'd, '_> {
    /// Equations `x' = …`, `x'' = …` and those whose left-hand sides are expressions.
    fn equations(
        &mut self,
        entries: Vec<Entry<'d>>,
    ) -> (Vec<Component<'d>>, Vec<Component<'d>>, Vec<(Expression<'d>, Expression<'d>)>) {
        let (mut first, mut second, mut implicit) = (Vec::new(), Vec::new(), Vec::new());
        for Entry { key: text, value, .. } in entries {
            if is_side_of_equation(&text.text) {
                let mut read = |text| {
                    read_expression(text, Grammar::Expression, &[], self.parse, self.reporter)
                };
                let left = read(text);
                implicit.extend(left.zip(value.and_then(read)));
                continue;
            }
            let Some(key) = read_key(&text, self.parse, self.reporter) else { continue };
            if key.primes == 0 || key.primes > 2 {
                let message = format!("`{}` is not a rate", shorten(&text.text));
                self.reporter
                    .error(ModelCode::MissingRate, text.whole(), message)
                    .hint(format!("write \"{0}'\" = \"…\" or \"{0}''\" = \"…\"", key.name));
                continue;
            }
            let Some(family) = self.family(&key, &text, "an equation") else { continue };
            let component = self.component(&key, &text, value, family);
            if key.primes == 1 { first.extend(component) } else { second.extend(component) }
        }
        (first, second, implicit)
    }
}

/// Is the key of an equation an expression with rates, and not a rate alone? Operators inside of brackets belong
/// to indices.
fn is_side_of_equation(key: &str) -> bool {
    let mut depth = 0i32;
    let operates = |character: char| {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            '+' | '-' | '−' | '*' | '·' | '/' | '^' | '(' => return depth == 0,
            _ => {}
        }
        false
    };
    key.contains(PRIMES) && key.chars().any(operates)
}

impl<'d> DescriptorParts<'d> {
    fn lower<'s>(&'s self, names: &mut Names<'s, 'd, '_>, pool: &mut Pool) -> DescriptorModel {
        let matrix = lower_cells(&self.matrix, names, Context::STATE_FUNCTION, pool);
        let mut moving: Vec<ExprId> = names.scope.coordinates.iter().map(|c| c.position).collect();
        moving.push(names.scope.time);
        for entry in &matrix {
            if pool.depends_on(entry.value, &moving) {
                let message = "E depends on the state or on time, but has to be constant";
                names.reporter.error(ModelCode::Descriptor, entry.place, message).hint(
                    "use coordinates whose rates have constant factors, such as momenta or charges",
                );
            }
        }
        let efforts = lower_cells(&self.efforts, names, Context::STATE_FUNCTION, pool).into_iter();
        let efforts = efforts.map(|MatrixEntry { row, value, place, .. }| Effort {
            coordinate: row,
            value,
            place,
        });
        DescriptorModel { matrix, efforts: efforts.collect(), place: self.place }
    }
}

impl<'d> StateParts<'d> {
    /// Coordinates whose rates stand in no equation: their columns of E are zero, and their initial values follow from
    /// constraints.
    pub(crate) fn algebraic(&self, coordinates: usize) -> Vec<usize> {
        let Some(descriptor) = &self.descriptor else { return Vec::new() };
        let column = |j: usize| descriptor.matrix.iter().any(|cell| cell.column == j);
        (0..coordinates).filter(|&j| !column(j)).collect()
    }

    /// All expressions. `complete` is what the table makes of them.
    pub(crate) fn lower<'s>(
        &'s self,
        complete: Option<Complete>,
        names: &mut Names<'s, 'd, '_>,
        pool: &mut Pool,
    ) -> Option<Lowered> {
        let before = names.reporter.is_empty();
        let count = names.scope.coordinates.len();
        let hamiltonian = self
            .hamiltonian
            .as_ref()
            .and_then(|read| names.lower(read, &[], Context::STATE_FUNCTION, pool));
        let skew = lower_cells(&self.skew, names, Context::STRUCTURE, pool);
        let symmetric = lower_cells(&self.symmetric, names, Context::STRUCTURE, pool);
        let descriptor = self.descriptor.as_ref().map(|parts| parts.lower(names, pool));
        let columns = self.columns.iter().map(|column| {
            lower_cells(column, names, Context::STRUCTURE, pool)
                .into_iter()
                .map(|entry| (entry.row, entry.value))
                .collect()
        });
        let columns: Vec<Vec<(usize, ExprId)>> = columns.collect();
        let signal = match self.kind {
            StateKind::Port => Context::FEEDBACK,
            StateKind::Poisson | StateKind::Equations => Context::SIGNAL,
        };
        let mut inputs = Vec::new();
        for input in &self.inputs {
            let (value, range) = match &input.signal {
                Signal::Refused => (None, None),
                Signal::Formula(read) => (names.lower(read, &[], signal, pool), None),
                Signal::Table { value, range } => (Some(*value), Some(*range)),
            };
            inputs.extend(value.map(|value| Input {
                name: input.name.clone(),
                symbol: input.symbol,
                value,
                range,
                place: input.place,
            }));
        }
        let mut outputs = Vec::new();
        for (name, place, read) in &self.outputs {
            let value = names.lower(read, &[], Context::OUTPUT, pool);
            outputs.extend(value.map(|value| Output { name: name.clone(), value, place: *place }));
        }
        let first = spread(names, &self.first, count, Context::EQUATION, pool);
        let second = spread(names, &self.second, count, Context::EQUATION, pool);
        let mut implicit = Vec::with_capacity(self.implicit.len());
        for (left, right) in &self.implicit {
            let place = left.text.whole();
            let left = names.lower(left, &[], Context::EQUATION, pool);
            let right = names.lower(right, &[], Context::EQUATION, pool);
            let sides = left.zip(right);
            implicit.extend(
                sides.map(|(left, right)| Residual { value: pool.sub(left, right), place }),
            );
        }
        let sound = before && names.reporter.is_empty();
        let explicit = first.iter().chain(&second).flatten().map(|rate| rate.0);
        let all: Vec<ExprId> = explicit.chain(implicit.iter().map(|r| r.value)).collect();
        let below = pool.reachable(&all);
        let occurs = |symbol: &ExprId| below.binary_search(symbol).is_ok();
        let coordinates = names.scope.coordinates.iter();
        let accelerated: Vec<bool> = coordinates.map(|c| occurs(&c.acceleration)).collect();
        let mut lowered = Lowered {
            second: (0..count).filter(|&i| second[i].is_some() || accelerated[i]).collect(),
            model: StateModel {
                kind: self.kind,
                place: self.place,
                hamiltonian,
                rates: Vec::new(),
                skew,
                symmetric,
                columns,
                inputs,
                outputs,
                descriptor,
            },
        };
        if let Some(complete) = complete {
            let written = Written { first, second, implicit, accelerated, sound, names, pool };
            complete(&mut lowered.model, written)?;
        }
        Some(lowered)
    }
}

impl Lowered {
    /// Velocities are given where equations are of second order, and only there.
    pub(crate) fn check_initial(
        &self,
        scope: &Scope<'_>,
        rates: &[Option<(ExprId, Place)>],
        initial: Place,
        reporter: &mut Reporter,
    ) {
        let coordinates = scope.coordinates.iter().zip(rates).enumerate();
        let missing =
            coordinates.clone().filter(|(i, (_, rate))| rate.is_none() && self.second.contains(i));
        let names: Vec<&str> = missing.map(|(_, (c, _))| c.name.as_str()).collect();
        if !names.is_empty() {
            missing_value(&names, "velocity", None, initial, reporter);
        }
        for (i, (coordinate, rate)) in coordinates {
            if let (Some((_, place)), false) = (rate, self.second.contains(&i)) {
                let message = format!("the rate of `{}` follows from the state", coordinate.name);
                reporter
                    .error(ModelCode::WrongInitialKind, *place, message)
                    .hint("remove it; only equations of second order start with velocities");
            }
        }
    }

    /// Adds q' to the state where equations are of second order.
    pub(crate) fn extend(
        &mut self,
        coordinates: &mut Vec<Coordinate>,
        initial: &mut Initial,
        pool: &mut Pool,
    ) {
        for &i in &self.second {
            let Some(coordinate) = coordinates.get_mut(i) else { continue };
            let name = format!("{}'", coordinate.name);
            let added = Coordinate {
                position: coordinate.velocity,
                velocity: coordinate.acceleration,
                acceleration: pool.symbol(&format!("{name}''")),
                momentum: pool.symbol(&format!("p({name})")),
                place: coordinate.place,
                name,
            };
            coordinate.velocity = pool.symbol(&format!("d{}/dt", coordinate.name));
            coordinate.acceleration = pool.symbol(&format!("d²{}/dt²", coordinate.name));
            coordinates.push(added);
            initial.position.push(initial.rate.get(i).copied().unwrap_or(ExprId::ZERO));
            let place = initial.rate_places.get(i).copied().unwrap_or_default();
            initial.position_places.push(place);
        }
        initial.rate = vec![ExprId::ZERO; coordinates.len()];
        initial.rate_places = vec![Place::default(); coordinates.len()];
        initial.has_rates = false;
    }
}
