//! All pieces together: a model, or everything that is wrong with it.

use isotrope_algebra::calculus::{Substitution, gradient, jacobian};
use isotrope_algebra::evaluate::evaluate_ball;
use isotrope_algebra::syntax::{Grammar, LowerLimits, ParseLimits, Span, nearest};
use isotrope_algebra::{Budget, ExprId, Pool, Precision};
use rustc_hash::FxHashMap;

use crate::ModelCode;
use crate::ModelText;
use crate::components::{Component, Targets, spread};
use crate::diagnostics::{ModelError, Place, Reporter, Source, shorten};
use crate::expression::{Expression, read_expression};
use crate::family::{Expanded, expand, indexed_name};
use crate::initial::{Given, read_initial, report_no_velocities};
use crate::key::read_key;
use crate::limits;
use crate::magnetic::{RawMagnetic, check_system};
use crate::model::{
    AdaptiveDefaults, Constraint, Coordinate, GaugeCondition, Initial, Model,
    OwnDiscreteLagrangian, Parameter, RunDefaults, SystemKind, TimeRate,
};
use crate::open::{check_bytes, read_toml};
use crate::parameters::{MOST_CANDIDATES, Parameters, Symbolic, read_parameters};
use crate::read::{Entry, Formalism, RawAdaptive, RawModel, read_model};
use crate::resolve::{Context, Names};
use crate::scope::{DiscreteSymbols, Meaning, Scope};
use crate::text::Text;
use crate::units::Units;

/// Reads a model file: every error at once, or the typed model.
///
/// ```
/// use isotrope_model::{ModelText, parse_model};
/// let file = r#"
///     name = "Pendulum"
///     coordinates = ["theta"]
///     [parameters]
///     g = 9.81
///     [lagrangian]
///     L = "theta'^2/2 + g*cos(theta)"
///     [initial]
///     position = { theta = "pi/2" }
///     velocity = { theta = 0 }
/// "#;
/// let model = parse_model(&ModelText::new("pendulum.toml", file.as_bytes())).unwrap();
/// assert_eq!(model.coordinates[0].name, "theta");
///
/// let errors = parse_model(&ModelText::new("bad.toml", b"coordinates = [\"x\"]")).unwrap_err();
/// assert_eq!(errors[0].code.to_string(), "ISO-MODEL-010");
/// ```
pub fn parse_model(source: &ModelText<'_>) -> Result<Model, Vec<ModelError>> {
    let mut reporter = Reporter::default();
    let model = build(source, &mut reporter);
    match model {
        Some(model) if reporter.is_empty() => Ok(model),
        _ => Err(reporter.finish()),
    }
}

fn build(source: &ModelText<'_>, reporter: &mut Reporter) -> Option<Model> {
    let file = check_bytes(source.bytes, reporter)?;
    let set = split_overrides(&source.set, Source::Set, reporter);
    let initial = split_overrides(&source.initial, Source::Initial, reporter);
    let document = read_toml(file, reporter)?;
    let raw = read_model(file, document.as_table(), reporter);
    let mut builder = Builder {
        pool: Pool::new(),
        parse: limits::parse_limits(),
        lower: limits::lower_limits(),
        budget: limits::budget(),
        reporter,
    };
    builder.model(source, raw, set, initial)
}

/// `name=value` arguments as entries.
fn split_overrides<'d>(
    arguments: &[&'d str],
    source: fn(usize) -> Source,
    reporter: &mut Reporter,
) -> Vec<Entry<'d>> {
    let mut entries = Vec::new();
    for (position, argument) in arguments.iter().enumerate() {
        let source = source(position);
        let split = argument.find('=').filter(|at| !argument[..*at].trim().is_empty());
        let Some(at) = split else {
            let place = Place { source, span: Span::new(0, argument.len()) };
            reporter
                .error(ModelCode::OverrideForm, place, "this is not of the form name=value")
                .hint("write for example g=9.81 or theta=pi/6");
            continue;
        };
        entries.push(Entry {
            key: Text::argument(argument, 0..at, source),
            value: Some(Text::argument(argument, at + 1..argument.len(), source)),
            chetaev: false,
        });
    }
    entries
}

pub(crate) struct Builder<'r> {
    pub(crate) pool: Pool,
    pub(crate) parse: ParseLimits,
    pub(crate) lower: LowerLimits,
    pub(crate) budget: Budget,
    pub(crate) reporter: &'r mut Reporter,
}

/// A constraint before it is lowered.
struct RawConstraint<'d> {
    name: String,
    expanded: Expanded,
    expression: Expression<'d>,
    chetaev: bool,
    place: Place,
}

impl Builder<'_> {
    fn model<'d>(
        &mut self,
        source: &ModelText<'_>,
        raw: RawModel<'d>,
        set: Vec<Entry<'d>>,
        initial_overrides: Vec<Entry<'d>>,
    ) -> Option<Model> {
        check_system(&raw, self.reporter);
        let mut parameters = read_parameters(raw.parameters, set, &mut self.parse, self.reporter);
        parameters.evaluate(&mut self.pool, &self.lower, &mut self.budget, self.reporter);
        let mut scope =
            Scope::new(raw.table.map(|table| table.formalism), &parameters, &mut self.pool);
        if let Some(group) = &raw.group {
            scope.declare_group(group, &mut self.pool, self.reporter);
        }
        scope.declare_coordinates(
            &raw.coordinates,
            &mut parameters,
            &mut self.parse,
            &mut self.pool,
            self.reporter,
        );
        let refused = raw.unknown_tables || (raw.coordinates_given && !self.reporter.is_empty());
        if raw.coordinates.is_empty() && raw.group.is_none() && !refused {
            self.reporter
                .error(
                    ModelCode::NoCoordinates,
                    raw.coordinates_place,
                    "the model has no coordinates",
                )
                .hint("write coordinates = [\"x\", \"y\"]");
            self.reporter.mute_unknown();
        }
        scope.declare_definitions(
            raw.definitions,
            &mut parameters,
            &mut self.parse,
            &mut self.pool,
            self.reporter,
        );

        if let Some((_, place)) = &raw.discrete {
            scope.declare_discrete(*place, &mut self.pool, self.reporter);
        }
        let discrete = raw.discrete.and_then(|(text, _)| self.read(text, Grammar::Expression, &[]));
        let time_rate = raw.rate.and_then(|text| self.read(text, Grammar::Expression, &[]));
        let system = raw.system.and_then(|text| self.read(text, Grammar::Expression, &[]));
        let state = raw.state.map(|state| {
            let signals = (raw.inputs, raw.outputs);
            self.read_state(state, signals, &mut scope, &mut parameters)
        });
        let group = raw.group;
        let parts = group.as_ref().map(|group| self.read_group(group, raw.initial.as_ref()));
        let constraints = self.read_constraints(raw.constraints, &mut parameters);
        let count = scope.coordinates.len();
        let algebraic = state.as_ref().map_or(Vec::new(), |state| state.algebraic(count));
        let mut targets = Targets {
            scope: &scope,
            parameters: &mut parameters,
            pool: &mut self.pool,
            parse: &mut self.parse,
            reporter: self.reporter,
            refused: false,
        };
        let forces = targets.read(raw.forces, "a force");
        let gauge_fix = targets.read(raw.gauge_fix, "a gauge condition");
        let magnetic = raw.magnetic.map(|RawMagnetic { entries, primitive, place }| {
            let read = |(at, list)| (at, targets.read(list, "a component of the primitive"));
            (entries, primitive.map(read), place)
        });
        targets.refused = false;
        let initial_place = raw.initial.as_ref().map_or(raw.coordinates_place, |raw| raw.place);
        let Given { positions, rates, no_velocities, absent } = read_initial(
            raw.initial,
            raw.coordinates_place,
            raw.unknown_tables,
            initial_overrides,
            &algebraic,
            &mut targets,
        );
        let magnetic = magnetic.map(|(entries, primitive, place)| {
            self.read_magnetic(&scope, entries, primitive, place)
        });
        let scene = raw.scene.map(|scene| {
            if group.is_some() {
                scene.refuse_on_group(self.reporter);
            }
            self.read_scene(scene, &mut parameters)
        });
        let names: Vec<&str> = scope.coordinates.iter().map(|c| c.name.as_str()).collect();
        let adaptive = self.adaptive(raw.adaptive, &names, &mut parameters);
        let all: Vec<&str> = names
            .iter()
            .copied()
            .chain(parameters.list.iter().map(|parameter| parameter.name.as_str()))
            .collect();
        let units = Units::resolved(&raw.units, &all, self.reporter);
        let run = self.run(raw.method, raw.step, raw.time, &mut parameters);
        let run = RunDefaults { adaptive, ..run };

        let budget = std::mem::replace(&mut self.budget, Budget::new(0));
        let mut names =
            Names::new(&scope, &mut parameters, self.reporter, self.lower.clone(), budget);
        names.lower_definitions(&mut self.pool);
        let complete = raw.table.and_then(|table| table.complete);
        let mut in_state_space =
            state.as_ref().and_then(|state| state.lower(complete, &mut names, &mut self.pool));
        let system = match (&group, &parts) {
            _ if state.is_some() => None,
            (Some(group), Some(parts)) if system.is_none() => {
                parts.lower_system(group, &mut names, &mut self.pool)
            }
            _ => lower_system(&mut names, system.as_ref(), &mut self.pool),
        };
        if let (Some(place), Some(SystemKind::Lagrangian { lagrangian, .. })) =
            (no_velocities, &system)
            && !is_affine_in_velocities(&mut self.pool, *lagrangian, &scope.coordinates)
        {
            report_no_velocities(place, &scope, names.reporter);
        }
        let constraints = lower_constraints(&mut names, &constraints, &mut self.pool);
        let group = group.as_ref().zip(parts.as_ref()).and_then(|(group, parts)| {
            parts.finish(group, &constraints, discrete.is_some(), &mut names, &mut self.pool)
        });
        let discrete = discrete.as_ref().and_then(|expression| {
            let lagrangian = names.lower(expression, &[], Context::DISCRETE, &mut self.pool)?;
            let DiscreteSymbols { end, step } = scope.discrete.as_ref()?;
            let begin = scope.coordinates.iter().map(|coordinate| coordinate.position).collect();
            let place = expression.text.whole();
            Some(OwnDiscreteLagrangian { lagrangian, begin, end: end.clone(), step: *step, place })
        });
        let time_rate = time_rate.as_ref().and_then(|expression| {
            let value = names.lower(expression, &[], Context::RATE, &mut self.pool)?;
            Some(TimeRate { value, place: expression.text.whole() })
        });
        let count = scope.coordinates.len();
        let force_context = Context::force(scope.formalism);
        let forces = spread(&mut names, &forces, count, force_context, &mut self.pool);
        let gauge_fix = spread(&mut names, &gauge_fix, count, Context::GAUGE, &mut self.pool);
        let magnetic =
            magnetic.as_ref().and_then(|form| form.lower(&mut names, count, &mut self.pool));
        let positions = spread(&mut names, &positions, count, Context::INITIAL, &mut self.pool);
        let rates = spread(&mut names, &rates, count, Context::INITIAL, &mut self.pool);
        let scene = scene.as_ref().and_then(|scene| scene.lower(&mut names, &mut self.pool));
        let definitions = names.definitions();
        if let Some(state) = in_state_space.as_ref().filter(|_| absent.is_none()) {
            state.check_initial(&scope, &rates, initial_place, names.reporter);
        }
        if !self.reporter.is_empty() {
            return None;
        }

        let parameters = self.finish_parameters(parameters, &scope)?;
        let given = |list: &[Option<(ExprId, Place)>], other| -> (Vec<ExprId>, Vec<Place>) {
            list.iter().map(|component| component.unwrap_or((other, Place::default()))).unzip()
        };
        let unknown = if absent.is_some() { ExprId::UNDEFINED } else { ExprId::ZERO };
        let (position, position_places) = given(&positions, unknown);
        let (rate, rate_places) = given(&rates, unknown);
        let (force_values, _) = given(&forces, ExprId::ZERO);
        let mut coordinates = scope.coordinates;
        let mut initial = Initial {
            position,
            rate,
            has_rates: no_velocities.is_none(),
            position_places,
            rate_places,
            missing: algebraic.into_iter().filter(|&i| positions[i].is_none()).collect(),
            absent,
        };
        let mut forces: Vec<_> = force_values
            .into_iter()
            .zip(forces.iter().map(|force| force.map(|(_, place)| place)))
            .collect();
        if let Some(state) = &mut in_state_space {
            state.extend(&mut coordinates, &mut initial, &mut self.pool);
            forces.resize(coordinates.len(), (ExprId::ZERO, None));
        }
        let system =
            system.or(in_state_space.map(|state| SystemKind::State(Box::new(state.model))));
        let (forces, force_places) = forces.into_iter().unzip();
        let mut model = Model {
            name: raw.name.unwrap_or_else(|| file_stem(source.name)),
            description: raw.description,
            time: scope.time,
            coordinates,
            parameters,
            table: raw.table?,
            system: system?,
            group,
            constraints,
            forces,
            force_places,
            gauge_fix: gauge_conditions(&gauge_fix),
            magnetic,
            discrete,
            rate: time_rate,
            initial,
            run,
            definitions,
            scene,
            units,
            pool: std::mem::take(&mut self.pool),
        };
        fix_structural_parameters(&mut model)?;
        Some(model)
    }

    pub(crate) fn read<'d>(
        &mut self,
        text: Text<'d>,
        grammar: Grammar,
        binders: &[&str],
    ) -> Option<Expression<'d>> {
        read_expression(text, grammar, binders, &mut self.parse, self.reporter)
    }

    fn read_constraints<'d>(
        &mut self,
        entries: Vec<Entry<'d>>,
        parameters: &mut Parameters<'d>,
    ) -> Vec<RawConstraint<'d>> {
        let mut constraints: Vec<RawConstraint<'d>> = Vec::new();
        for Entry { key: text, value, chetaev } in entries {
            let Some(key) = read_key(&text, &mut self.parse, self.reporter) else { continue };
            if key.primes > 0 {
                let message = "a constraint is named without primes";
                self.reporter
                    .error(ModelCode::BadName, text.whole(), message)
                    .hint(format!("write {} = \"…\"", key.name));
                continue;
            }
            let expanded = expand(&key, &text, None, parameters, &mut self.pool, self.reporter);
            let Some(expanded) = expanded else { continue };
            let place = text.whole();
            let clash = constraints
                .iter()
                .find(|old| old.name == key.name && old.expanded.ranges.overlap(&expanded.ranges));
            if let Some(old) = clash {
                let message = format!("the constraint `{}` is given twice", shorten(&text.text));
                self.reporter
                    .error(ModelCode::DuplicateComponent, place, message)
                    .hint("keep one of the two")
                    .label(old.place, "first given here");
                continue;
            }
            let Some(value) = value else { continue };
            let expression = self.read(value, Grammar::Equation, &expanded.names());
            let Some(expression) = expression else { continue };
            constraints.push(RawConstraint {
                name: key.name,
                expanded,
                expression,
                chetaev,
                place,
            });
        }
        constraints
    }

    fn run<'d>(
        &mut self,
        method: Option<String>,
        step: Option<Text<'d>>,
        time: Option<Text<'d>>,
        parameters: &mut Parameters<'d>,
    ) -> RunDefaults {
        let step = self.run_setting(step, "step", parameters);
        let time = self.run_setting(time, "time", parameters);
        RunDefaults { step, time, method, adaptive: AdaptiveDefaults::default() }
    }

    fn adaptive<'d>(
        &mut self,
        raw: RawAdaptive<'d>,
        names: &[&str],
        parameters: &mut Parameters<'d>,
    ) -> AdaptiveDefaults {
        let mut each = Vec::new();
        for entry in raw.each {
            let name = entry.key.text.as_ref();
            let coordinate = name.strip_prefix("v_").filter(|rest| names.contains(rest));
            if !names.contains(&name) && coordinate.is_none() {
                let message = format!("`{name}` is neither a coordinate nor the velocity of one");
                self.reporter
                    .error(ModelCode::RunSetting, entry.key.whole(), message)
                    .hint("name coordinates, and velocities as v_NAME");
                continue;
            }
            let value = self.run_setting(entry.value, "absolute tolerance", parameters);
            each.extend(value.map(|value| (name.to_owned(), value)));
        }
        AdaptiveDefaults {
            relative: self.run_setting(raw.relative, "relative tolerance", parameters),
            absolute: self.run_setting(raw.absolute, "absolute tolerance", parameters),
            each,
            longest: self.run_setting(raw.longest, "longest step", parameters),
            first: self.run_setting(raw.first, "first step", parameters),
        }
    }

    /// A positive constant of `[run]`.
    fn run_setting<'d>(
        &mut self,
        text: Option<Text<'d>>,
        what: &str,
        parameters: &mut Parameters<'d>,
    ) -> Option<ExprId> {
        let expression = self.read(text?, Grammar::Expression, &[])?;
        let value = parameters.constant(
            &expression,
            &mut self.pool,
            &self.lower,
            &mut self.budget,
            self.reporter,
        )?;
        if not_positive(&self.pool, value) {
            let message = format!("the {what} must be positive");
            self.reporter
                .error(ModelCode::RunSetting, expression.text.whole(), message)
                .hint("write a positive number, such as 1/100");
        }
        Some(value)
    }

    fn finish_parameters(
        &mut self,
        parameters: Parameters<'_>,
        scope: &Scope<'_>,
    ) -> Option<Vec<Parameter>> {
        let symbols: FxHashMap<String, ExprId> = parameters
            .list
            .iter()
            .zip(&scope.parameter_symbols)
            .map(|(parameter, symbol)| (parameter.name.clone(), *symbol))
            .collect();
        let mut finished = Vec::with_capacity(parameters.list.len());
        for (position, raw) in parameters.list.iter().enumerate() {
            let expression = raw.expression.as_ref()?;
            let mut resolver = Symbolic { symbols: &symbols };
            let value = isotrope_algebra::syntax::lower(
                &expression.tree,
                &[],
                &mut self.pool,
                &mut resolver,
                &LowerLimits::default(),
                &mut limits::budget(),
            )?;
            finished.push(Parameter {
                name: raw.name.clone(),
                symbol: *scope.parameter_symbols.get(position)?,
                value,
                exact: parameters.exact(position)?,
                structural: parameters.structural.get(position).copied().unwrap_or(false),
                place: expression.text.whole(),
            });
        }
        Some(finished)
    }
}

/// A parameter that counts coordinates is a number in the equations too: a system of three
/// links has no equation with a free N in it.
fn fix_structural_parameters(model: &mut Model) -> Option<()> {
    let map: Substitution = model
        .parameters
        .iter()
        .filter(|parameter| parameter.structural)
        .map(|parameter| (parameter.symbol, parameter.exact))
        .collect();
    let used = |model: &Model| map.keys().any(|symbol| is_used(model, *symbol));
    if map.is_empty() || !used(model) {
        return Some(());
    }
    model.replace(&map, &mut Budget::new(1 << 32)).ok()?;
    Some(())
}

/// The conditions of the coordinates that have one.
fn gauge_conditions(given: &[Option<(ExprId, Place)>]) -> Vec<GaugeCondition> {
    let of = |(coordinate, entry): (usize, &Option<(ExprId, Place)>)| {
        entry.map(|(value, place)| GaugeCondition { coordinate, value, place })
    };
    given.iter().enumerate().filter_map(of).collect()
}

/// Was the symbol built into anything? Then some node of the pool refers to it.
fn is_used(model: &Model, symbol: ExprId) -> bool {
    let mut roots = model.system.expressions();
    roots.extend(model.constraints.iter().map(|constraint| constraint.expression));
    roots.extend(&model.forces);
    roots.extend(model.gauge_fix.iter().map(|condition| condition.value));
    roots.extend(&model.initial.position);
    roots.extend(&model.initial.rate);
    roots.extend(model.discrete.iter().map(|discrete| discrete.lagrangian));
    roots.extend(model.group.iter().flat_map(|group| &group.initial));
    roots.extend(model.rate.iter().map(|rate| rate.value));
    let magnetic = model.magnetic.iter();
    roots.extend(magnetic.clone().flat_map(|form| form.entries.iter().map(|entry| entry.value)));
    roots.extend(magnetic.flat_map(|form| &form.primitive).flat_map(|(list, _)| list));
    model.pool.reachable(&roots).binary_search(&symbol).is_ok()
}

/// Does the expression contain a position, velocity or momentum?
fn moves(pool: &Pool, value: ExprId, scope: &Scope<'_>) -> bool {
    // Coordinates are interned one after another, before anything is built from them.
    let Some((first, last)) = scope.coordinates.first().zip(scope.coordinates.last()) else {
        return false;
    };
    let first = first.position.min(first.momentum);
    let first = scope.entries.first().map_or(first, |&entry| entry.min(first));
    let range = first..=last.momentum.max(last.acceleration);
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![value];
    while let Some(id) = stack.pop() {
        if pool.as_symbol(id).is_some() {
            if range.contains(&id) {
                return true;
            }
        } else if seen.insert(id) {
            pool.for_each_child(id, |child| stack.push(child));
        }
    }
    false
}

/// Are all second derivatives in the velocities zero, as derived? Such a Lagrangian has equations of
/// first order, whose velocities follow from positions.
fn is_affine_in_velocities(
    pool: &mut Pool,
    lagrangian: ExprId,
    coordinates: &[Coordinate],
) -> bool {
    let velocities: Vec<ExprId> = coordinates.iter().map(|c| c.velocity).collect();
    let budget = &mut Budget::new(AFFINE_BUDGET);
    let Ok(first) = gradient(pool, lagrangian, &velocities, budget) else { return false };
    jacobian(pool, &first, &velocities, budget).is_ok_and(|rows| rows.iter().all(Vec::is_empty))
}

/// What the question whether a Lagrangian is affine in the velocities may cost.
const AFFINE_BUDGET: u64 = 20_000_000;

fn lower_system<'s, 'd>(
    names: &mut Names<'s, 'd, '_>,
    expression: Option<&'s Expression<'d>>,
    pool: &mut Pool,
) -> Option<SystemKind> {
    let expression = expression?;
    let place = expression.text.whole();
    let formalism = names.scope.formalism?;
    let (context, what) = match formalism {
        Formalism::Lagrangian => (Context::LAGRANGIAN, "Lagrangian"),
        Formalism::Hamiltonian => (Context::HAMILTONIAN, "Hamiltonian"),
        Formalism::State => return None,
    };
    let value = names.lower(expression, &[], context, pool)?;
    if !names.scope.coordinates.is_empty() && !moves(pool, value, names.scope) {
        let message = format!("the {what} depends on no coordinate, so nothing moves");
        names.reporter.error(ModelCode::ConstantSystem, place, message).hint(match formalism {
            Formalism::Lagrangian => "write kinetic minus potential energy: m*x'^2/2 - k*x^2/2",
            _ => "write kinetic plus potential energy: p_x^2/(2*m) + k*x^2/2",
        });
        return None;
    }
    Some(match formalism {
        Formalism::Lagrangian => SystemKind::Lagrangian { lagrangian: value, place },
        _ => SystemKind::Hamiltonian { hamiltonian: value, place },
    })
}

fn lower_constraints<'s, 'd>(
    names: &mut Names<'s, 'd, '_>,
    raw: &'s [RawConstraint<'d>],
    pool: &mut Pool,
) -> Vec<Constraint> {
    let mut constraints = Vec::new();
    for constraint in raw {
        let place = constraint.expression.text.whole();
        for offset in 0..constraint.expanded.count {
            let indices = constraint.expanded.ranges.indices(offset);
            let values = constraint.expanded.values(&indices);
            let value = names.lower(&constraint.expression, &values, Context::CONSTRAINT, pool);
            // An error of one instance is an error of all.
            let Some(expression) = value else { break };
            let name = indexed_name(&constraint.name, &indices);
            if !names.scope.coordinates.is_empty() && !moves(pool, expression, names.scope) {
                let message = match pool.as_number(expression) {
                    Some(number) if number.is_zero() => {
                        format!("the constraint `{name}` always holds")
                    }
                    Some(_) => format!("the constraint `{name}` never holds"),
                    None => format!("the constraint `{name}` contains no coordinate"),
                };
                names
                    .reporter
                    .error(ModelCode::ConstantConstraint, place, message)
                    .hint("a constraint is an equation for coordinates and velocities: x' = a*t");
                break;
            }
            constraints.push(Constraint { name, expression, chetaev: constraint.chetaev, place });
        }
    }
    constraints
}

/// Is a constant certainly zero or negative?
fn not_positive(pool: &Pool, value: ExprId) -> bool {
    match pool.as_number(value) {
        Some(number) => number.is_negative() || number.is_zero(),
        None => evaluate_ball(pool, value, &FxHashMap::default(), Precision::new(64))
            .is_ok_and(|ball| ball.is_negative()),
    }
}

fn file_stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.strip_suffix(".toml").unwrap_or(file).to_owned()
}

/// The nearest coordinate name as a hint.
pub(crate) fn coordinate_hint(name: &str, scope: &Scope<'_>) -> String {
    if let Some(Meaning::Entries(_)) = scope.meaning(name) {
        return "where a body begins is given by rotation = … and translation = … in [initial]; forces \
                belong to omega and v"
            .to_owned();
    }
    let names = scope.families.iter().map(|family| family.name.as_str()).take(MOST_CANDIDATES);
    match nearest(name, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<&str> = names.take(12).collect();
            format!("the coordinates are {}", names.join(", "))
        }
    }
}

/// The components that a list of entries gives, for messages about what is missing.
pub(crate) fn given(components: &[Component<'_>], count: usize) -> Vec<bool> {
    let mut given = vec![false; count];
    for component in components {
        for offset in 0..component.expanded.count {
            if let Some(flag) = component.coordinate(offset).and_then(|k| given.get_mut(k)) {
                *flag = true;
            }
        }
    }
    given
}
