//! What the names of a model mean.

use isotrope_algebra::syntax::{Grammar, ParseLimits, nearest, reserved_names};
use isotrope_algebra::{ExprId, Pool};
use rustc_hash::FxHashMap;

use crate::ModelCode;
use crate::diagnostics::{Place, Reporter, shorten};
use crate::expression::{Expression, read_expression};
use crate::family::{Expanded, Ranges, expand, indexed_name};
use crate::key::read_key;
use crate::limits;
use crate::model::Coordinate;
use crate::parameters::{MOST_CANDIDATES, Parameters, check_name};
use crate::read::{Entry, Formalism};
use crate::text::Text;

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Meaning {
    Time,
    Parameter(usize),
    /// Coordinates; indices outside their range may be defined.
    Coordinates {
        family: usize,
        group: Option<usize>,
    },
    Momenta(usize),
    /// Entries of a matrix, or a translation, of a group.
    Entries(usize),
    /// Positions at the end of a step.
    Next(usize),
    /// The step.
    Step,
    /// An input of a system in state space.
    Input(usize),
    Defined(usize),
}

/// Coordinates of one name.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) name: String,
    pub(crate) ranges: Ranges,
    /// Position of its first coordinate.
    pub(crate) first: usize,
}

/// One line of `[define]`.
pub(crate) struct Definition<'d> {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) expanded: Expanded,
    /// `None` if its text was refused.
    pub(crate) expression: Option<Expression<'d>>,
    /// The number of its first instance.
    pub(crate) first: usize,
}

/// The definitions of one name.
#[derive(Debug, Default)]
pub(crate) struct Group {
    /// By index tuple, those that define one component.
    singles: FxHashMap<Vec<i64>, usize>,
    /// Those that define a range.
    ranges: Vec<usize>,
}

/// The symbols that only a discrete Lagrangian has.
#[derive(Debug)]
pub(crate) struct DiscreteSymbols {
    /// Positions at the end of a step, one for each coordinate.
    pub(crate) end: Vec<ExprId>,
    pub(crate) step: ExprId,
}

/// Everything that is declared.
pub(crate) struct Scope<'d> {
    pub(crate) formalism: Option<Formalism>,
    pub(crate) time: ExprId,
    pub(crate) coordinates: Vec<Coordinate>,
    /// The symbols of a discrete Lagrangian, if there is one.
    pub(crate) discrete: Option<DiscreteSymbols>,
    pub(crate) parameter_symbols: Vec<ExprId>,
    /// Symbols of the inputs.
    pub(crate) inputs: Vec<ExprId>,
    pub(crate) families: Vec<Family>,
    /// Symbols of matrices and translations of a group, with their names.
    pub(crate) entries: Vec<ExprId>,
    pub(crate) entry_names: Vec<String>,
    /// Their derivatives along the motion.
    pub(crate) entry_rates: Vec<(ExprId, ExprId)>,
    pub(crate) entry_families: Vec<Family>,
    /// The first coordinates are components of an algebra: names without prime are velocities.
    pub(crate) components: usize,
    pub(crate) definitions: Vec<Definition<'d>>,
    pub(crate) instances: usize,
    groups: Vec<Group>,
    names: FxHashMap<String, (Meaning, Place)>,
}

impl<'d> Scope<'d> {
    /// A scope of the time and the parameters.
    pub(crate) fn new(
        formalism: Option<Formalism>,
        parameters: &Parameters<'d>,
        pool: &mut Pool,
    ) -> Self {
        let time = pool.symbol("t");
        let mut names = FxHashMap::default();
        names.insert("t".to_owned(), (Meaning::Time, Place::default()));
        let mut parameter_symbols = Vec::new();
        for (position, parameter) in parameters.list.iter().enumerate() {
            let meaning = Meaning::Parameter(position);
            names.insert(parameter.name.clone(), (meaning, parameter.name_place));
            parameter_symbols.push(pool.symbol(&parameter.name));
        }
        Self {
            formalism,
            time,
            coordinates: Vec::new(),
            discrete: None,
            parameter_symbols,
            inputs: Vec::new(),
            families: Vec::new(),
            entries: Vec::new(),
            entry_names: Vec::new(),
            entry_rates: Vec::new(),
            entry_families: Vec::new(),
            components: 0,
            definitions: Vec::new(),
            instances: 0,
            groups: Vec::new(),
            names,
        }
    }

    pub(crate) fn meaning(&self, name: &str) -> Option<Meaning> {
        self.names.get(name).map(|(meaning, _)| *meaning)
    }

    pub(crate) fn declare(
        &mut self,
        name: &str,
        meaning: Meaning,
        place: Place,
        reporter: &mut Reporter,
    ) -> bool {
        if let Some((_, first)) = self.names.get(name) {
            reporter
                .error(ModelCode::NameCollision, place, format!("`{name}` is declared twice"))
                .hint("give one of the two another name")
                .label(*first, "first declared here");
            return false;
        }
        self.names.insert(name.to_owned(), (meaning, place));
        true
    }

    /// Declares coordinates with their velocities, accelerations and momenta.
    pub(crate) fn declare_coordinates(
        &mut self,
        texts: &[Text<'d>],
        parameters: &mut Parameters<'d>,
        limits: &mut ParseLimits,
        pool: &mut Pool,
        reporter: &mut Reporter,
    ) {
        for text in texts {
            let key = read_key(text, limits, reporter).filter(|key| {
                if key.primes > 0 {
                    reporter
                        .error(
                            ModelCode::BadName,
                            text.whole(),
                            "a coordinate is declared without primes",
                        )
                        .hint(format!("write \"{}\"", key.name));
                }
                key.primes == 0
            });
            let declared = key.and_then(|key| {
                let place = text.whole();
                if !check_name(&key.name, place, reporter) {
                    return None;
                }
                let expanded = expand(&key, text, None, parameters, pool, reporter)?;
                if let Some(index) = expanded.binders.iter().flatten().next() {
                    reporter
                        .error(
                            ModelCode::BadRange,
                            place,
                            format!("the index `{index}` is not needed here"),
                        )
                        .hint(format!("write \"{}[1..N]\"", key.name));
                }
                if expanded.count == 0 {
                    let message = format!("the range {} is empty", expanded.ranges);
                    reporter
                        .error(ModelCode::BadRange, place, message)
                        .hint("the first index may not be larger than the last");
                    return None;
                }
                if self.coordinates.len() + expanded.count > limits::COORDINATES {
                    let message = format!("more than {} coordinates", limits::COORDINATES);
                    reporter.error(ModelCode::TooLarge, place, message);
                    return None;
                }
                self.add_family(key.name, expanded.ranges, expanded.count, place, pool, reporter)
            });
            if declared.is_none() {
                reporter.mute_unknown();
            }
        }
    }

    /// Declares what a discrete Lagrangian adds: `x_next` for each coordinate, and the step `h`.
    pub(crate) fn declare_discrete(
        &mut self,
        place: Place,
        pool: &mut Pool,
        reporter: &mut Reporter,
    ) {
        if !self.declare("h", Meaning::Step, place, reporter) {
            return;
        }
        let mut end = Vec::with_capacity(self.coordinates.len());
        for family in 0..self.families.len() {
            let name = format!("{}_next", self.families[family].name);
            if !self.declare(&name, Meaning::Next(family), place, reporter) {
                return;
            }
            let Family { first, ranges, .. } = &self.families[family];
            let count = self.families.get(family + 1).map_or(self.coordinates.len(), |f| f.first);
            let indices = (0..count - first).map(|offset| ranges.indices(offset));
            end.extend(indices.map(|indices| pool.symbol(&indexed_name(&name, &indices))));
        }
        self.discrete = Some(DiscreteSymbols { end, step: pool.symbol("h") });
    }

    fn add_family(
        &mut self,
        name: String,
        ranges: Ranges,
        count: usize,
        place: Place,
        pool: &mut Pool,
        reporter: &mut Reporter,
    ) -> Option<()> {
        let meaning = Meaning::Coordinates { family: self.families.len(), group: None };
        if !self.declare(&name, meaning, place, reporter) {
            // Where another coordinate keeps the name its uses are as they should be.
            return matches!(self.meaning(&name), Some(Meaning::Coordinates { .. })).then_some(());
        }
        // A state has no momenta, and its coordinates may have their names.
        let in_state_space = self.formalism == Some(Formalism::State);
        let momentum = if in_state_space { format!("p({name})") } else { format!("p_{name}") };
        let family = self.families.len();
        match self.names.get(&momentum) {
            _ if in_state_space => {}
            Some((_, first)) => {
                reporter
                    .error(
                        ModelCode::MomentumCollision,
                        *first,
                        format!("`{momentum}` is the momentum of the coordinate `{name}`"),
                    )
                    .hint("give it another name")
                    .label(place, "the coordinate is declared here");
            }
            None => {
                self.names.insert(momentum.clone(), (Meaning::Momenta(family), place));
            }
        }
        let first = self.coordinates.len();
        for offset in 0..count {
            let indices = ranges.indices(offset);
            let mut symbol = indexed_name(&name, &indices);
            let own = symbol.clone();
            let position = pool.symbol(&symbol);
            symbol.push('\'');
            let velocity = pool.symbol(&symbol);
            symbol.push('\'');
            let acceleration = pool.symbol(&symbol);
            let momentum = pool.symbol(&indexed_name(&momentum, &indices));
            self.coordinates.push(Coordinate {
                name: own,
                position,
                velocity,
                acceleration,
                momentum,
                place,
            });
        }
        self.families.push(Family { name, ranges, first });
        Some(())
    }

    /// Declares definitions.
    pub(crate) fn declare_definitions(
        &mut self,
        entries: Vec<Entry<'d>>,
        parameters: &mut Parameters<'d>,
        limits: &mut ParseLimits,
        pool: &mut Pool,
        reporter: &mut Reporter,
    ) {
        for Entry { key: text, value, .. } in entries {
            let declared =
                self.declare_definition(&text, value, parameters, limits, pool, reporter);
            if declared.is_none() {
                reporter.mute_unknown();
            }
        }
    }

    fn declare_definition(
        &mut self,
        text: &Text<'d>,
        value: Option<Text<'d>>,
        parameters: &mut Parameters<'d>,
        limits: &mut ParseLimits,
        pool: &mut Pool,
        reporter: &mut Reporter,
    ) -> Option<()> {
        let place = text.whole();
        let key = read_key(text, limits, reporter)?;
        if key.primes > 0 {
            reporter.error(ModelCode::BadName, place, "a definition is named without primes").hint(
                "the prime of a definition is its derivative in time; it need not be defined",
            );
            return None;
        }
        check_name(&key.name, place, reporter).then_some(())?;
        let expanded = expand(&key, text, None, parameters, pool, reporter)?;
        if self.instances + expanded.count > limits::INSTANCES {
            reporter.error(ModelCode::TooLarge, place, "too many definitions");
            return None;
        }
        let group = self.group_for(&key.name, !key.indices.is_empty(), place, reporter)?;
        let number = self.definitions.len();
        let clash = self.clash(group, &key.name, &expanded);
        if let Some((first, what)) = clash {
            let message = format!("`{}` is {what} already", shorten(&text.text));
            reporter
                .error(ModelCode::NameCollision, place, message)
                .hint("give it another name, or other indices")
                .label(first, "here");
            return Some(());
        }
        if let Some(group) = self.groups.get_mut(group) {
            if expanded.ranges.0.iter().all(|(from, to)| from == to) {
                group.singles.insert(expanded.ranges.indices(0), number);
            } else if group.ranges.len() < limits::RANGES {
                group.ranges.push(number);
            } else {
                reporter.error(ModelCode::TooLarge, place, "too many ranges under one name");
            }
        }
        let expression = value.and_then(|value| {
            read_expression(value, Grammar::Expression, &expanded.names(), limits, reporter)
        });
        let first = self.instances;
        self.instances += expanded.count;
        self.definitions.push(Definition { name: key.name, place, expanded, expression, first });
        Some(())
    }

    /// The group of definitions of a name. Indexed definitions may extend indexed coordinates.
    fn group_for(
        &mut self,
        name: &str,
        indexed: bool,
        place: Place,
        reporter: &mut Reporter,
    ) -> Option<usize> {
        let fresh = self.groups.len();
        let group = match self.names.get_mut(name) {
            Some((Meaning::Defined(group), _)) => return Some(*group),
            Some((Meaning::Coordinates { group, family }, _))
                if indexed
                    && self.families.get(*family).is_some_and(|f| !f.ranges.0.is_empty()) =>
            {
                *group.get_or_insert(fresh)
            }
            _ => {
                self.declare(name, Meaning::Defined(fresh), place, reporter).then_some(())?;
                fresh
            }
        };
        if group == fresh {
            self.groups.push(Group::default());
        }
        Some(group)
    }

    /// The place of something that is already defined for one of the index tuples.
    fn clash(&self, group: usize, name: &str, new: &Expanded) -> Option<(Place, &'static str)> {
        if let Some((Meaning::Coordinates { family, .. }, place)) = self.names.get(name)
            && self.families.get(*family)?.ranges.overlap(&new.ranges)
        {
            return Some((*place, "a coordinate"));
        }
        let group = self.groups.get(group)?;
        let single = new.ranges.0.iter().all(|(from, to)| from == to);
        let old = if single {
            group.singles.get(&new.ranges.indices(0)).copied()
        } else {
            let overlaps = |number: &&usize| {
                self.definitions
                    .get(**number)
                    .is_some_and(|d| d.expanded.ranges.overlap(&new.ranges))
            };
            group.ranges.iter().find(overlaps).copied()
        };
        Some((self.definitions.get(old?)?.place, "defined"))
    }

    /// The instance of a defined name with these indices.
    pub(crate) fn instance(&self, group: usize, indices: &[i64]) -> Option<usize> {
        let group = self.groups.get(group)?;
        let single = if group.singles.is_empty() { None } else { group.singles.get(indices) };
        if let Some(number) = single {
            return self.definitions.get(*number).map(|definition| definition.first);
        }
        group.ranges.iter().find_map(|number| {
            let definition = self.definitions.get(*number)?;
            Some(definition.first + definition.expanded.ranges.offset(indices)?)
        })
    }

    /// Has the name definitions with indices, or without?
    pub(crate) fn is_indexed(&self, group: usize) -> bool {
        self.groups.get(group).is_some_and(|group| !group.singles.contains_key(&[] as &[i64]))
    }

    /// The definition and the indices of an instance.
    pub(crate) fn definition_of(&self, instance: usize) -> Option<(&Definition<'d>, Vec<i64>)> {
        // Empty ranges share their first number with the next definition: take the last.
        let after = self.definitions.partition_point(|definition| definition.first <= instance);
        let definition = self.definitions.get(after.checked_sub(1)?)?;
        Some((definition, definition.expanded.ranges.indices(instance - definition.first)))
    }

    /// The position of the coordinate `name[indices]`.
    pub(crate) fn coordinate(&self, family: usize, indices: &[i64]) -> Option<usize> {
        let family = self.families.get(family)?;
        Some(family.first + family.ranges.offset(indices)?)
    }

    /// What an unknown name might have meant.
    pub(crate) fn hint(&self, name: &str) -> Option<String> {
        let coordinate = |text: &str| {
            matches!(self.meaning(text), Some(Meaning::Coordinates { .. })).then(|| text.to_owned())
        };
        for suffix in ["ddot", "_ddot", "dot", "_dot", "Dot"] {
            if let Some(base) = name.strip_suffix(suffix).and_then(coordinate) {
                let primes = if suffix.contains("ddot") { "''" } else { "'" };
                return Some(format!("write {base}{primes} or dot({base})"));
            }
        }
        for prefix in ["v_", "d_", "v", "d"] {
            if let Some(base) = name.strip_prefix(prefix).and_then(coordinate) {
                return Some(format!("the velocity of {base} is written {base}'"));
            }
        }
        if name == "e" {
            return Some("Euler's number is exp(1)".to_owned());
        }
        let mut known: Vec<&str> = self.names.keys().map(String::as_str).collect();
        known.sort_unstable();
        known.retain(|word| !matches!(self.meaning(word), Some(Meaning::Momenta(_))));
        // A hint is not worth a minute on a hostile file.
        known.truncate(MOST_CANDIDATES);
        for word in reserved_names() {
            known.push(word);
        }
        let near = nearest(name, known);
        Some(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "declare `{}` under [parameters] or [define], or as a coordinate",
                shorten(name)
            ),
        })
    }
}
