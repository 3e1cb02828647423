//! References → expressions, with the rules about what may stand where.

use isotrope_algebra::calculus::directional_derivative;
use isotrope_algebra::syntax::{
    LowerError, LowerLimits, Reference, Resolution, Resolver, Span, Tree,
};
use isotrope_algebra::{Budget, ExprId, Pool};
use rustc_hash::FxHashMap;

use crate::ModelCode;
use crate::diagnostics::{Place, Reporter};
use crate::expression::{Expression, report_lowering};
use crate::family::indexed_name;
use crate::parameters::{Parameters, degree};
use crate::read::Formalism;
use crate::scope::{Meaning, Scope};
use crate::text::Text;
use crate::work::{Workshop, lower_with};

/// What an expression contains, as bits.
pub(crate) mod contents {
    pub(crate) const POSITION: u8 = 1;
    pub(crate) const VELOCITY: u8 = 2;
    pub(crate) const MOMENTUM: u8 = 4;
    pub(crate) const TIME: u8 = 8;
    /// Positions at the end of a step, and the step.
    pub(crate) const STEP: u8 = 16;
    /// Inputs of a system in state space.
    pub(crate) const INPUT: u8 = 32;
    /// Second derivatives of coordinates.
    pub(crate) const ACCELERATION: u8 = 64;
}
use contents::{ACCELERATION, INPUT, MOMENTUM, POSITION, STEP, TIME, VELOCITY};

/// Where an expression stands: what may occur in it, and its name for messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub(crate) allowed: u8,
    pub(crate) name: &'static str,
}

impl Context {
    pub(crate) const LAGRANGIAN: Self =
        Self { allowed: POSITION | VELOCITY | TIME, name: "a Lagrangian" };
    pub(crate) const HAMILTONIAN: Self =
        Self { allowed: POSITION | MOMENTUM | TIME, name: "a Hamiltonian" };
    pub(crate) const CONSTRAINT: Self =
        Self { allowed: POSITION | VELOCITY | TIME, name: "a constraint" };
    pub(crate) const GAUGE: Self =
        Self { allowed: POSITION | MOMENTUM | TIME, name: "a gauge condition" };
    pub(crate) const DISCRETE: Self =
        Self { allowed: POSITION | STEP | TIME, name: "a discrete Lagrangian" };
    pub(crate) const POTENTIAL: Self = Self { allowed: POSITION | TIME, name: "a potential" };
    pub(crate) const INERTIA: Self = Self { allowed: 0, name: "an inertia" };
    pub(crate) const RATE: Self = Self { allowed: POSITION, name: "the rate of time" };
    pub(crate) const MAGNETIC: Self = Self { allowed: POSITION, name: "a magnetic 2-form" };
    pub(crate) const SCENE: Self =
        Self { allowed: POSITION | VELOCITY | TIME, name: "a body of a picture" };
    pub(crate) const RADIUS: Self = Self { allowed: 0, name: "a radius" };
    pub(crate) const INITIAL: Self = Self { allowed: 0, name: "the initial data" };
    pub(crate) const STATE_FUNCTION: Self =
        Self { allowed: POSITION | TIME, name: "a Hamiltonian in state space" };
    pub(crate) const STRUCTURE: Self = Self { allowed: POSITION, name: "a structure matrix" };
    /// Equations have to be linear in accelerations, which is checked when they are solved.
    pub(crate) const EQUATION: Self =
        Self { allowed: POSITION | VELOCITY | ACCELERATION | TIME | INPUT, name: "an equation" };
    pub(crate) const SIGNAL: Self = Self { allowed: TIME, name: "an input" };
    /// The balance of power asks nothing of u: inputs of ports may feed the state back.
    pub(crate) const FEEDBACK: Self = Self { allowed: POSITION | TIME, name: "an input of a port" };
    pub(crate) const OUTPUT: Self =
        Self { allowed: POSITION | VELOCITY | TIME | INPUT, name: "an output" };

    pub(crate) fn force(formalism: Option<Formalism>) -> Self {
        let rate = match formalism {
            Some(Formalism::Lagrangian) => VELOCITY,
            Some(Formalism::Hamiltonian) => MOMENTUM,
            Some(Formalism::State) => 0,
            None => VELOCITY | MOMENTUM,
        };
        Self { allowed: POSITION | rate | TIME, name: "a force" }
    }

    fn definition(formalism: Option<Formalism>) -> Self {
        let more = match formalism {
            Some(Formalism::Lagrangian) => 0,
            Some(Formalism::State) => INPUT,
            Some(Formalism::Hamiltonian) | None => MOMENTUM,
        };
        Self { allowed: POSITION | VELOCITY | TIME | more, name: "a definition" }
    }
}

#[derive(Debug, Clone, Copy)]
enum State {
    New,
    Busy,
    Done { value: ExprId, contents: u8 },
    Failed,
}

struct Frame<'s, 'd> {
    text: &'s Text<'d>,
    context: Context,
    contents: u8,
}

/// Resolves the names of a model; lowers definitions when they are first used.
pub(crate) struct Names<'s, 'd, 'r> {
    pub(crate) scope: &'s Scope<'d>,
    pub(crate) parameters: &'r mut Parameters<'d>,
    pub(crate) reporter: &'r mut Reporter,
    pub(crate) limits: LowerLimits,
    pub(crate) budget: Budget,
    derivative_budget: Budget,
    states: Vec<State>,
    rates: FxHashMap<usize, Option<ExprId>>,
    frames: Vec<Frame<'s, 'd>>,
}

impl<'s, 'd, 'r> Names<'s, 'd, 'r> {
    pub(crate) fn new(
        scope: &'s Scope<'d>,
        parameters: &'r mut Parameters<'d>,
        reporter: &'r mut Reporter,
        limits: LowerLimits,
        budget: Budget,
    ) -> Self {
        Self {
            scope,
            parameters,
            reporter,
            limits,
            derivative_budget: budget.clone(),
            budget,
            states: vec![State::New; scope.instances],
            rates: FxHashMap::default(),
            frames: Vec::new(),
        }
    }

    /// Lowers all definitions, used or not, so that all their errors are found.
    pub(crate) fn lower_definitions(&mut self, pool: &mut Pool) {
        for job in 0..self.states.len() {
            if !matches!(self.states.get(job), Some(State::New)) {
                continue;
            }
            let Some((tree, binders)) = self.start(job) else { continue };
            let value = self.run(Some(job), tree, &binders, pool);
            self.finish(job, value);
        }
    }

    /// The values of all definitions that have one, with their names.
    pub(crate) fn definitions(&self) -> Vec<(String, ExprId)> {
        let mut list = Vec::new();
        for definition in &self.scope.definitions {
            for offset in 0..definition.expanded.count {
                if let Some(State::Done { value, .. }) = self.states.get(definition.first + offset)
                {
                    let indices = definition.expanded.ranges.indices(offset);
                    list.push((indexed_name(&definition.name, &indices), *value));
                }
            }
        }
        list
    }

    /// Lowers an expression in its context.
    pub(crate) fn lower(
        &mut self,
        expression: &'s Expression<'d>,
        binders: &[i64],
        context: Context,
        pool: &mut Pool,
    ) -> Option<ExprId> {
        self.frames.push(Frame { text: &expression.text, context, contents: 0 });
        let value = self.run(None, &expression.tree, binders, pool);
        self.frames.pop();
        value
    }

    fn run(
        &mut self,
        job: Option<usize>,
        tree: &'s Tree,
        binders: &[i64],
        pool: &mut Pool,
    ) -> Option<ExprId> {
        let limits = self.limits.clone();
        let mut budget = std::mem::replace(&mut self.budget, Budget::new(0));
        let value = lower_with(job, tree, binders, pool, self, &limits, &mut budget);
        self.budget = budget;
        value
    }

    fn place(&self, span: Span) -> Place {
        self.frames.last().map_or_else(|| Place::file(span), |frame| frame.text.place(span))
    }

    fn allows(&self, what: u8) -> bool {
        self.frames.last().is_some_and(|frame| frame.context.allowed & what != 0)
    }

    /// Notes what is used, and refuses what may not be used here.
    fn admit(&mut self, used: u8, reference: &Reference<'_>, indirect: bool) -> bool {
        let place = self.place(reference.span);
        let Some(frame) = self.frames.last_mut() else { return false };
        let wrong = used & !frame.context.allowed;
        frame.contents |= used;
        if wrong == 0 {
            return true;
        }
        let Context { allowed, name } = frame.context;
        let shown = indexed_name(reference.text, reference.indices);
        if wrong & STEP != 0 {
            let message = format!("`{shown}` belongs to a step, and {name} to no step");
            self.reporter
                .error(ModelCode::StepSymbol, place, message)
                .hint("steps and positions at their end stand in [discrete]");
            return false;
        }
        let what = if wrong & INPUT != 0 {
            "input"
        } else if wrong & MOMENTUM != 0 {
            "momentum"
        } else if wrong & VELOCITY != 0 {
            "velocity"
        } else if wrong & TIME != 0 {
            "time"
        } else {
            "coordinate"
        };
        if allowed == 0 {
            let message = if indirect {
                format!("`{shown}` is not constant, and {name} must be")
            } else {
                format!("{name} must be constant, and `{shown}` is not")
            };
            self.reporter
                .error(ModelCode::NotConstant, place, message)
                .hint("numbers, parameters and pi may stand here");
            return false;
        }
        let code = if wrong & INPUT != 0 {
            ModelCode::StateSpace
        } else if wrong & MOMENTUM != 0 {
            ModelCode::Momentum
        } else {
            ModelCode::Velocity
        };
        let message = match indirect {
            true => format!("`{shown}` contains a {what}, which {name} may not"),
            false => format!("{name} contains no {what}"),
        };
        let hint = match (code, self.scope.formalism) {
            _ if allowed == TIME => {
                Some("the time t, parameters and numbers may stand here".to_owned())
            }
            _ if allowed == POSITION => {
                Some("positions, parameters and numbers may stand here".to_owned())
            }
            _ if allowed & STEP != 0 => {
                let base = reference.text.strip_prefix("p_").unwrap_or(reference.text);
                Some(format!("write a difference quotient, as in ({base}_next - {base})/h"))
            }
            (_, Some(Formalism::State)) => {
                Some("the coordinates are the state: write it with them".to_owned())
            }
            (ModelCode::Velocity, _) if allowed & MOMENTUM != 0 => {
                Some(format!("write it with the momentum p_{}", reference.text))
            }
            (ModelCode::Velocity, _) => {
                Some("what depends on velocities belongs to the Lagrangian: L = \"…\"".to_owned())
            }
            (_, Some(Formalism::Lagrangian)) => {
                let base = reference.text.strip_prefix("p_").unwrap_or(reference.text);
                Some(format!("write it with the velocity {base}'"))
            }
            _ => Some("write it with velocities".to_owned()),
        };
        self.reporter.error(code, place, message).maybe_hint(hint.filter(|_| !indirect));
        false
    }

    fn refuse(
        &mut self,
        code: ModelCode,
        reference: &Reference<'_>,
        message: String,
        hint: Option<String>,
    ) -> Resolution<usize> {
        let place = self.place(reference.span);
        self.reporter.error(code, place, message).maybe_hint(hint);
        Resolution::Refused
    }

    fn coordinate(&mut self, coordinate: usize, reference: &Reference<'_>) -> Resolution<usize> {
        let scope = self.scope;
        let Some(symbols) = scope.coordinates.get(coordinate) else { return Resolution::Refused };
        let (value, used) = match reference.primes {
            0 if coordinate < scope.components => (symbols.velocity, VELOCITY),
            1 if coordinate < scope.components => {
                let message = format!("`{}'` is an acceleration", symbols.name);
                let hint = format!("the velocity is {} itself", symbols.name);
                return self.refuse(ModelCode::Acceleration, reference, message, Some(hint));
            }
            0 => (symbols.position, POSITION),
            1 => (symbols.velocity, VELOCITY),
            2 if self.allows(ACCELERATION) => (symbols.acceleration, ACCELERATION),
            primes => {
                let name = self.frames.last().map_or("an expression", |frame| frame.context.name);
                let (what, also) = match primes > 2 && self.allows(ACCELERATION) {
                    true => ("a third derivative", "positions, velocities and accelerations"),
                    false => ("an acceleration", "positions and velocities"),
                };
                let message = format!("{name} may not contain {what}");
                let hint = format!("{also} may stand here");
                return self.refuse(ModelCode::Acceleration, reference, message, Some(hint));
            }
        };
        if self.admit(used, reference, false) {
            Resolution::Value(value)
        } else {
            Resolution::Refused
        }
    }

    fn defined(
        &mut self,
        group: usize,
        reference: &Reference<'_>,
        pool: &mut Pool,
    ) -> Resolution<usize> {
        let scope = self.scope;
        let Some(instance) = scope.instance(group, reference.indices) else {
            let name = reference.text;
            let indexed = scope.is_indexed(group);
            if reference.indices.is_empty() == indexed {
                return self.indexing(reference, indexed);
            }
            let message = format!("`{}` is not defined", indexed_name(name, reference.indices));
            let hint = format!("[define] has {name} for other indices");
            return self.refuse(ModelCode::IndexOutOfRange, reference, message, Some(hint));
        };
        match self.states.get(instance).copied() {
            Some(State::New | State::Busy) => Resolution::Wait(instance),
            Some(State::Done { value, contents }) if reference.primes == 0 => {
                if self.admit(contents, reference, true) {
                    Resolution::Value(value)
                } else {
                    Resolution::Refused
                }
            }
            Some(State::Done { value, contents }) => {
                self.rate(instance, value, contents, reference, pool)
            }
            _ => Resolution::Refused,
        }
    }

    /// The prime of a definition is its derivative along the motion.
    fn rate(
        &mut self,
        instance: usize,
        value: ExprId,
        contents: u8,
        reference: &Reference<'_>,
        pool: &mut Pool,
    ) -> Resolution<usize> {
        let name = reference.text;
        if contents & MOMENTUM != 0 {
            let message = format!("`{name}` contains momenta, so `{name}'` would contain forces");
            return self.refuse(ModelCode::Momentum, reference, message, None);
        }
        if contents & VELOCITY != 0 || (reference.primes > 1 && contents != 0) {
            let message = format!(
                "`{name}{}` would contain accelerations",
                "'".repeat(reference.primes.into())
            );
            let hint = "positions and velocities may stand here".to_owned();
            return self.refuse(ModelCode::Acceleration, reference, message, Some(hint));
        }
        let used = if contents & POSITION != 0 { contents | VELOCITY } else { contents };
        if !self.admit(used, reference, true) {
            return Resolution::Refused;
        }
        let cached = match self.rates.get(&instance) {
            Some(rate) => *rate,
            None => {
                let scope = self.scope;
                let symbols = pool.symbols_in(&[value]);
                let by_position: Vec<(ExprId, ExprId)> = symbols
                    .iter()
                    .filter_map(|symbol| {
                        if *symbol == scope.time {
                            return Some((*symbol, ExprId::ONE));
                        }
                        if let Some(rate) = scope.entry_rates.iter().find(|rate| rate.0 == *symbol)
                        {
                            return Some(*rate);
                        }
                        // Positions are interned in order, so their ids ascend.
                        let at =
                            scope.coordinates.binary_search_by_key(symbol, |c| c.position).ok()?;
                        scope.coordinates.get(at).map(|c| (*symbol, c.velocity))
                    })
                    .collect();
                let rate = directional_derivative(
                    pool,
                    &[value],
                    &by_position,
                    &mut self.derivative_budget,
                );
                let rate = rate.ok().and_then(|rates| rates.first().copied());
                self.rates.insert(instance, rate);
                rate
            }
        };
        match cached {
            Some(rate) if rate != ExprId::UNDEFINED => Resolution::Value(rate),
            Some(_) => {
                let message = format!("`{name}'` has no value");
                self.refuse(ModelCode::Undefined, reference, message, None)
            }
            None => {
                let message = format!("the derivative `{name}'` is too large");
                self.refuse(ModelCode::TooLarge, reference, message, None)
            }
        }
    }

    /// An entry of a matrix, or a component of a translation.
    fn entry(&mut self, family: usize, reference: &Reference<'_>) -> Resolution<usize> {
        let scope = self.scope;
        let Some(family) = scope.entry_families.get(family) else { return Resolution::Refused };
        if reference.primes > 0 {
            let name = reference.text;
            let message = format!("`{name}'` is not written with a prime");
            let hint = "velocities of a group are its omega and v".to_owned();
            return self.refuse(ModelCode::NoRate, reference, message, Some(hint));
        }
        let Some(offset) = family.ranges.offset(reference.indices) else {
            let message = format!("`{}` takes indices {}", reference.text, family.ranges);
            return self.refuse(ModelCode::Indexing, reference, message, None);
        };
        match scope.entries.get(family.first + offset) {
            Some(&symbol) if self.admit(POSITION, reference, false) => Resolution::Value(symbol),
            _ => Resolution::Refused,
        }
    }

    fn indexing(&mut self, reference: &Reference<'_>, indexed: bool) -> Resolution<usize> {
        let name = reference.text;
        let (message, hint) = if indexed {
            (format!("`{name}` is indexed"), format!("write {name}[1] or {name}[i]"))
        } else {
            (format!("`{name}` has no index"), format!("write {name}"))
        };
        self.refuse(ModelCode::Indexing, reference, message, Some(hint))
    }

    /// A symbol of a discrete Lagrangian.
    fn of_step(&mut self, meaning: Meaning, reference: &Reference<'_>) -> Resolution<usize> {
        let Some(symbols) = &self.scope.discrete else { return Resolution::Refused };
        let value = match meaning {
            Meaning::Next(family) => match self.scope.coordinate(family, reference.indices) {
                Some(coordinate) => symbols.end.get(coordinate).copied(),
                None => return self.outside(family, reference),
            },
            _ => Some(symbols.step),
        };
        if reference.primes > 0 {
            let message = format!("`{}` may not carry a prime", reference.text);
            return self.refuse(ModelCode::NoRate, reference, message, None);
        }
        match value {
            Some(value) if self.admit(STEP, reference, false) => Resolution::Value(value),
            _ => Resolution::Refused,
        }
    }

    fn outside(&mut self, family: usize, reference: &Reference<'_>) -> Resolution<usize> {
        let scope = self.scope;
        let Some(family) = scope.families.get(family) else { return Resolution::Refused };
        let indexed = !family.ranges.0.is_empty();
        if reference.indices.is_empty() == indexed {
            return self.indexing(reference, indexed);
        }
        let name = indexed_name(reference.text, reference.indices);
        if reference.indices.len() != family.ranges.0.len() {
            let message = format!(
                "`{}` takes {} {}, found {}",
                reference.text,
                family.ranges.0.len(),
                if family.ranges.0.len() == 1 { "index" } else { "indices" },
                reference.indices.len()
            );
            return self.refuse(ModelCode::Indexing, reference, message, None);
        }
        let message = format!("`{name}` is outside the range {}", family.ranges);
        let hint = format!("define it if it is fixed: [define] \"{name}\" = \"0\"");
        self.refuse(ModelCode::IndexOutOfRange, reference, message, Some(hint))
    }
}

impl Resolver for Names<'_, '_, '_> {
    type Wait = usize;

    fn resolve(&mut self, pool: &mut Pool, reference: &Reference<'_>) -> Resolution<usize> {
        let scope = self.scope;
        let Some(meaning) = scope.meaning(reference.text) else {
            if let Some(degree) = degree(pool, reference) {
                return Resolution::Value(degree);
            }
            let place = self.place(reference.span);
            self.reporter.unknown(reference.text, place, || scope.hint(reference.text));
            return Resolution::Refused;
        };
        let remove_prime = || Some(format!("write {} without the prime", reference.text));
        let unmoving = |what: &str| format!("`{}` is {what} and has no velocity", reference.text);
        match meaning {
            Meaning::Time | Meaning::Parameter(_) | Meaning::Input(_)
                if !reference.indices.is_empty() =>
            {
                self.indexing(reference, false)
            }
            Meaning::Input(_) if reference.primes > 0 => {
                self.refuse(ModelCode::NoRate, reference, unmoving("an input"), remove_prime())
            }
            Meaning::Input(position) => match scope.inputs.get(position) {
                Some(symbol) if self.admit(INPUT, reference, false) => Resolution::Value(*symbol),
                _ => Resolution::Refused,
            },
            Meaning::Time if reference.primes > 0 => {
                self.refuse(ModelCode::NoRate, reference, unmoving("the time"), remove_prime())
            }
            Meaning::Parameter(_) if reference.primes > 0 => {
                self.refuse(ModelCode::NoRate, reference, unmoving("a parameter"), remove_prime())
            }
            Meaning::Time => match self.admit(TIME, reference, false) {
                true => Resolution::Value(scope.time),
                false => Resolution::Refused,
            },
            Meaning::Parameter(position) => match scope.parameter_symbols.get(position) {
                Some(symbol) => Resolution::Value(*symbol),
                None => Resolution::Refused,
            },
            Meaning::Coordinates { family, group } => {
                match (scope.coordinate(family, reference.indices), group) {
                    (Some(coordinate), _) => self.coordinate(coordinate, reference),
                    (None, Some(group)) if scope.instance(group, reference.indices).is_some() => {
                        self.defined(group, reference, pool)
                    }
                    _ => self.outside(family, reference),
                }
            }
            Meaning::Momenta(family) => {
                let Some(coordinate) = scope.coordinate(family, reference.indices) else {
                    return self.outside(family, reference);
                };
                if reference.primes > 0 {
                    let message = format!("`{}` may not carry a prime", reference.text);
                    return self.refuse(ModelCode::NoRate, reference, message, None);
                }
                if !self.admit(MOMENTUM, reference, false) {
                    return Resolution::Refused;
                }
                match scope.coordinates.get(coordinate) {
                    Some(symbols) => Resolution::Value(symbols.momentum),
                    None => Resolution::Refused,
                }
            }
            Meaning::Entries(family) => self.entry(family, reference),
            Meaning::Next(_) | Meaning::Step => self.of_step(meaning, reference),
            Meaning::Defined(group) => self.defined(group, reference, pool),
        }
    }

    fn integer(&mut self, pool: &mut Pool, reference: &Reference<'_>) -> Option<i64> {
        let place = self.place(reference.span);
        match self.scope.meaning(reference.text) {
            Some(Meaning::Parameter(_)) if reference.primes == 0 => {
                self.parameters.as_integer(reference.text, place, pool, self.reporter)
            }
            Some(_) => {
                let message =
                    format!("`{}` may not stand in an index", indexed_name(reference.text, &[]));
                self.reporter
                    .error(ModelCode::IndexNotInteger, place, message)
                    .hint("integers, integer parameters and summation indices may");
                None
            }
            None => {
                let scope = self.scope;
                self.reporter.unknown(reference.text, place, || scope.hint(reference.text));
                None
            }
        }
    }

    fn report(&mut self, error: LowerError) {
        if let Some(frame) = self.frames.last() {
            report_lowering(frame.text, &error, self.reporter);
        }
    }
}

impl<'s> Workshop<'s> for Names<'s, '_, '_> {
    fn start(&mut self, job: usize) -> Option<(&'s Tree, Vec<i64>)> {
        let scope = self.scope;
        let state = self.states.get_mut(job)?;
        let (definition, indices) = scope.definition_of(job)?;
        match (*state, &definition.expression) {
            (State::New, Some(expression)) => {
                *state = State::Busy;
                let context = Context::definition(scope.formalism);
                self.frames.push(Frame { text: &expression.text, context, contents: 0 });
                Some((&expression.tree, definition.expanded.values(&indices)))
            }
            (State::New, None) => {
                *state = State::Failed;
                None
            }
            _ => None,
        }
    }

    fn finish(&mut self, job: usize, value: Option<ExprId>) {
        let contents = self.frames.pop().map_or(0, |frame| frame.contents);
        if let Some(state) = self.states.get_mut(job) {
            *state = match (value, &*state) {
                (Some(value), State::Busy) => State::Done { value, contents },
                _ => State::Failed,
            };
        }
    }

    fn cycle(&mut self, path: &[usize]) {
        let Some(first) = path.first() else { return };
        if let Some(state) = self.states.get_mut(*first) {
            *state = State::Failed;
        }
        let scope = self.scope;
        let name = |job: &usize| {
            scope.definition_of(*job).map_or_else(String::new, |(definition, indices)| {
                indexed_name(&definition.name, &indices)
            })
        };
        let mut names: Vec<String> = path.iter().take(8).map(name).collect();
        if path.len() > names.len() {
            names.push("…".to_owned());
        }
        names.push(name(first));
        let place = scope.definition_of(*first).map_or_else(Place::default, |(d, _)| d.place);
        let message = format!("the definitions go in a circle: {}", names.join(" → "));
        self.reporter
            .error(ModelCode::Cycle, place, message)
            .hint("write one of them without the others");
    }
}
