//! Parameters: exact values that may use each other.

use isotrope_algebra::syntax::{
    Grammar, LowerError, LowerLimits, ParseLimits, Reference, Resolution, Resolver, Span, Tree,
    is_reserved, nearest,
};
use isotrope_algebra::{Budget, ExprId, Pool, Rational};
use rustc_hash::FxHashMap;

use crate::ModelCode;
use crate::diagnostics::{Place, Reporter, Source, shorten};
use crate::expression::{Expression, read_expression, report_lowering};
use crate::key::read_key;
use crate::read::Entry;
use crate::text::Text;
use crate::work::{Workshop, lower_with};

/// Names that a misspelt one is compared with.
pub(crate) const MOST_CANDIDATES: usize = 2_000;

/// A parameter with its expression; `None` if that could not be read.
pub(crate) struct RawParameter<'d> {
    pub(crate) name: String,
    pub(crate) name_place: Place,
    pub(crate) expression: Option<Expression<'d>>,
}

#[derive(Clone, Copy)]
enum State {
    New,
    Busy,
    Done(ExprId),
    Failed,
}

/// All parameters and what is known about their values.
pub(crate) struct Parameters<'d> {
    pub(crate) list: Vec<RawParameter<'d>>,
    pub(crate) by_name: FxHashMap<String, usize>,
    states: Vec<State>,
    pub(crate) structural: Vec<bool>,
}

/// Reads the names and expressions of parameters, with the overrides in place.
pub(crate) fn read_parameters<'d>(
    entries: Vec<Entry<'d>>,
    overrides: Vec<Entry<'d>>,
    limits: &mut ParseLimits,
    reporter: &mut Reporter,
) -> Parameters<'d> {
    let mut list: Vec<RawParameter<'d>> = Vec::new();
    let mut by_name = FxHashMap::default();
    let mut values: Vec<Option<Text<'d>>> = Vec::new();
    for Entry { key, value, .. } in entries {
        let Some(read) = read_key(&key, limits, reporter) else {
            reporter.mute_unknown();
            continue;
        };
        if !read.indices.is_empty() || read.primes > 0 {
            reporter
                .error(ModelCode::BadName, key.whole(), "a parameter has no index and no prime")
                .hint("families of values go into [define]: \"m[i=1..N]\" = \"…\"");
            reporter.mute_unknown();
            continue;
        }
        let name = read.name;
        if !check_name(&name, key.whole(), reporter) {
            continue;
        }
        by_name.insert(name.clone(), list.len());
        list.push(RawParameter { name, name_place: key.whole(), expression: None });
        values.push(value);
    }
    let mut overridden = FxHashMap::default();
    for Entry { key, value, .. } in overrides {
        let name = key.text.trim().to_owned();
        match by_name.get(&name) {
            Some(position) => {
                if let Some(slot) = values.get_mut(*position) {
                    *slot = value;
                }
                if let Some(first) = overridden.insert(name.clone(), key.whole()) {
                    reporter
                        .error(
                            ModelCode::DuplicateKey,
                            key.whole(),
                            format!("`{name}` is set twice"),
                        )
                        .hint("keep one of the two")
                        .label(first, "first set here");
                }
            }
            None => {
                let hint = match nearest(
                    &name,
                    list.iter().map(|p| p.name.as_str()).take(MOST_CANDIDATES),
                ) {
                    Some(near) => Some(format!("did you mean `{near}`?")),
                    None if list.is_empty() => Some("the model has no parameters".to_owned()),
                    None => {
                        let names: Vec<&str> =
                            list.iter().map(|p| p.name.as_str()).take(12).collect();
                        Some(format!(
                            "the parameters are {}; initial data are given by --initial",
                            names.join(", ")
                        ))
                    }
                };
                let message = format!("the model has no parameter `{}`", shorten(&name));
                reporter.error(ModelCode::OverrideTarget, key.whole(), message).maybe_hint(hint);
            }
        }
    }
    for (parameter, value) in list.iter_mut().zip(values) {
        parameter.expression = value
            .and_then(|value| read_expression(value, Grammar::Expression, &[], limits, reporter));
    }
    let states = vec![State::New; list.len()];
    let structural = vec![false; list.len()];
    Parameters { list, by_name, states, structural }
}

/// May this name be declared?
pub(crate) fn check_name(name: &str, place: Place, reporter: &mut Reporter) -> bool {
    if name == "t" || is_reserved(name) {
        let what = match name {
            "t" => "the time",
            "pi" | "π" => "the circle constant",
            "undefined" => "what has no value",
            _ => "a function",
        };
        reporter
            .error(ModelCode::ReservedName, place, format!("`{name}` is already {what}"))
            .hint(format!("choose another name, such as {name}_1"));
        return false;
    }
    true
}

impl<'d> Parameters<'d> {
    /// Evaluates all parameters; afterwards [`Parameters::exact`] knows them.
    pub(crate) fn evaluate(
        &mut self,
        pool: &mut Pool,
        limits: &LowerLimits,
        budget: &mut Budget,
        reporter: &mut Reporter,
    ) {
        let Self { list, by_name, states, .. } = self;
        let mut workshop =
            Closed { list, by_name, states, reporter, stack: Vec::new(), text: None };
        for job in 0..workshop.list.len() {
            if !matches!(workshop.states.get(job), Some(State::New)) {
                continue;
            }
            let Some((tree, binders)) = workshop.start(job) else { continue };
            let value = lower_with(Some(job), tree, &binders, pool, &mut workshop, limits, budget);
            workshop.finish(job, value);
        }
    }

    /// The value of a parameter, without other parameters; `None` if it has none.
    pub(crate) fn exact(&self, parameter: usize) -> Option<ExprId> {
        match self.states.get(parameter) {
            Some(State::Done(value)) => Some(*value),
            _ => None,
        }
    }

    /// Lowers an expression to a constant without parameters.
    pub(crate) fn constant(
        &mut self,
        expression: &Expression<'_>,
        pool: &mut Pool,
        limits: &LowerLimits,
        budget: &mut Budget,
        reporter: &mut Reporter,
    ) -> Option<ExprId> {
        let Self { list, by_name, states, .. } = self;
        let text = Some(&expression.text);
        let mut workshop = Closed { list, by_name, states, reporter, stack: Vec::new(), text };
        lower_with(None, &expression.tree, &[], pool, &mut workshop, limits, budget)
    }

    /// The value of integer arithmetic with parameters, for bounds. Errors are reported
    /// at `span` of `text`.
    pub(crate) fn integer(
        &mut self,
        tree: &Tree,
        text: &Text<'_>,
        span: Span,
        pool: &mut Pool,
        reporter: &mut Reporter,
    ) -> Option<i64> {
        let mut resolver = Integers { parameters: self, text, span, reporter };
        let limits = LowerLimits::default();
        let mut budget = Budget::new(10_000);
        let value =
            isotrope_algebra::syntax::lower(tree, &[], pool, &mut resolver, &limits, &mut budget)?;
        pool.as_number(value).and_then(isotrope_algebra::Rational::as_integer)
    }

    /// The integer value of a parameter that is used as an index.
    pub(crate) fn as_integer(
        &mut self,
        name: &str,
        place: Place,
        pool: &Pool,
        reporter: &mut Reporter,
    ) -> Option<i64> {
        let Some(position) = self.by_name.get(name).copied() else {
            let names = self.list.iter().map(|p| p.name.as_str()).take(MOST_CANDIDATES);
            reporter.unknown(name, place, || {
                Some(match nearest(name, names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("give it a number: [parameters] {} = 3", shorten(name)),
                })
            });
            return None;
        };
        if let Some(flag) = self.structural.get_mut(position) {
            *flag = true;
        }
        let value = self.exact(position)?;
        let integer = pool.as_number(value).and_then(isotrope_algebra::Rational::as_integer);
        if integer.is_none() {
            // The value is what must change, so the error is there, once for all uses.
            let given = self.list.get(position).and_then(|p| p.expression.as_ref());
            let at = given.map_or(place, |expression| expression.text.whole());
            reporter
                .error(
                    ModelCode::IndexNotInteger,
                    at,
                    format!("`{name}` is used in an index and must be an integer"),
                )
                .hint("give it a whole number")
                .label(place, "used here");
        }
        integer
    }
}

/// Parameters as values: the result contains no symbols.
struct Closed<'p, 'd, 'r> {
    list: &'p [RawParameter<'d>],
    by_name: &'p FxHashMap<String, usize>,
    states: &'p mut Vec<State>,
    reporter: &'r mut Reporter,
    stack: Vec<usize>,
    /// The text being lowered if it is not that of a parameter.
    text: Option<&'p Text<'d>>,
}

impl<'p, 'd> Closed<'p, 'd, '_> {
    fn text(&self) -> Option<&'p Text<'d>> {
        match self.stack.last() {
            Some(job) => self
                .list
                .get(*job)
                .and_then(|p| p.expression.as_ref())
                .map(|expression| &expression.text),
            None => self.text,
        }
    }

    fn place(&self, span: Span) -> Place {
        self.text().map_or(Place { source: Source::File, span }, |text| text.place(span))
    }
}

impl Resolver for Closed<'_, '_, '_> {
    type Wait = usize;

    fn resolve(&mut self, pool: &mut Pool, reference: &Reference<'_>) -> Resolution<usize> {
        let place = self.place(reference.span);
        let name = reference.text;
        let Some(position) = self.by_name.get(name).copied() else {
            if let Some(degree) = degree(pool, reference) {
                return Resolution::Value(degree);
            }
            let names = self.list.iter().map(|p| p.name.as_str()).take(MOST_CANDIDATES);
            if name == "t" {
                self.reporter
                    .error(ModelCode::NotConstant, place, "the time is not a constant")
                    .hint("what depends on the time goes into [define]");
            } else {
                self.reporter.unknown(name, place, || {
                    Some(match nearest(name, names) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "only parameters, numbers and pi may stand here".to_owned(),
                    })
                });
            }
            return Resolution::Refused;
        };
        if !reference.indices.is_empty() {
            self.reporter
                .error(ModelCode::Indexing, place, format!("`{name}` has no index"))
                .hint(format!("write {name}"));
            return Resolution::Refused;
        }
        if reference.primes > 0 {
            self.reporter
                .error(
                    ModelCode::NoRate,
                    place,
                    format!("`{name}` is a parameter and does not move"),
                )
                .hint(format!("write {name} without the prime"));
            return Resolution::Refused;
        }
        match self.states.get(position) {
            Some(State::Done(value)) => Resolution::Value(*value),
            Some(State::New | State::Busy) => Resolution::Wait(position),
            _ => Resolution::Refused,
        }
    }

    fn integer(&mut self, _: &mut Pool, reference: &Reference<'_>) -> Option<i64> {
        let place = self.place(reference.span);
        self.reporter.error(
            ModelCode::IndexNotInteger,
            place,
            "the bounds of a sum in [parameters] must be numbers",
        );
        None
    }

    fn report(&mut self, error: LowerError) {
        if let Some(text) = self.text() {
            report_lowering(text, &error, self.reporter);
        }
    }
}

impl<'p> Workshop<'p> for Closed<'p, '_, '_> {
    fn start(&mut self, job: usize) -> Option<(&'p Tree, Vec<i64>)> {
        let state = self.states.get_mut(job)?;
        let list = self.list;
        match (&*state, list.get(job).and_then(|p| p.expression.as_ref())) {
            (State::New, Some(expression)) => {
                *state = State::Busy;
                self.stack.push(job);
                Some((&expression.tree, Vec::new()))
            }
            (State::New, None) => {
                // Its text was refused already; further uses add no error.
                *state = State::Failed;
                None
            }
            _ => None,
        }
    }

    fn finish(&mut self, job: usize, value: Option<ExprId>) {
        self.stack.pop();
        if let Some(state) = self.states.get_mut(job) {
            *state = match (value, &*state) {
                (Some(value), State::Busy) => State::Done(value),
                _ => State::Failed,
            };
        }
    }

    fn cycle(&mut self, path: &[usize]) {
        let Some(first) = path.first() else { return };
        if let Some(state) = self.states.get_mut(*first) {
            *state = State::Failed;
        }
        let name = |job: &usize| self.list.get(*job).map_or("", |p| p.name.as_str());
        let mut names: Vec<&str> = path.iter().map(name).take(8).collect();
        if path.len() > names.len() {
            names.push("…");
        }
        names.push(name(first));
        let place = self.list.get(*first).map_or_else(Place::default, |p| p.name_place);
        let message = format!("the parameters go in a circle: {}", names.join(" → "));
        self.reporter.error(ModelCode::Cycle, place, message).hint("give one of them a number");
    }
}

/// Integer arithmetic in a key.
struct Integers<'p, 'd, 't, 'r> {
    parameters: &'p mut Parameters<'d>,
    text: &'p Text<'t>,
    span: Span,
    reporter: &'r mut Reporter,
}

impl Resolver for Integers<'_, '_, '_, '_> {
    type Wait = usize;

    fn resolve(&mut self, _: &mut Pool, _: &Reference<'_>) -> Resolution<usize> {
        Resolution::Refused
    }

    fn integer(&mut self, pool: &mut Pool, reference: &Reference<'_>) -> Option<i64> {
        let place = self.text.place(self.span);
        self.parameters.as_integer(reference.text, place, pool, self.reporter)
    }

    fn report(&mut self, error: LowerError) {
        let error = LowerError { span: self.span, ..error };
        report_lowering(self.text, &error, self.reporter);
    }
}

/// `deg`, the degree of angles, where nothing else is called so.
pub(crate) fn degree(pool: &mut Pool, reference: &Reference<'_>) -> Option<ExprId> {
    let plain = reference.indices.is_empty() && reference.primes == 0;
    let part = Rational::new(1, 180).filter(|_| plain && reference.text == "deg")?;
    Some(pool.scale(&part, ExprId::PI))
}

/// Every parameter's value as written, other parameters as symbols.
pub(crate) struct Symbolic<'p> {
    pub(crate) symbols: &'p FxHashMap<String, ExprId>,
}

impl Resolver for Symbolic<'_> {
    type Wait = usize;

    fn resolve(&mut self, pool: &mut Pool, reference: &Reference<'_>) -> Resolution<usize> {
        // Everything was checked when the exact value was computed.
        match self.symbols.get(reference.text).copied().or_else(|| degree(pool, reference)) {
            Some(value) => Resolution::Value(value),
            None => Resolution::Refused,
        }
    }

    fn integer(&mut self, _: &mut Pool, _: &Reference<'_>) -> Option<i64> {
        None
    }

    fn report(&mut self, _: LowerError) {}
}
