//! Initial data: a position and a velocity (or momentum) for every coordinate.

use crate::ModelCode;
use crate::build::{coordinate_hint, given};
use crate::components::{Component, Targets};
use crate::diagnostics::{ModelError, Place, Reporter, shorten};
use crate::family::Rank;
use crate::key::read_key;
use crate::read::{Entry, Formalism, RawInitial};
use crate::scope::{Meaning, Scope};

/// Initial data as given.
#[derive(Default)]
pub(crate) struct Given<'d> {
    pub positions: Vec<Component<'d>>,
    pub rates: Vec<Component<'d>>,
    /// Where velocities are missed, if there are none at all: a Lagrangian that is affine in them does
    /// without, which is not known before it is read.
    pub no_velocities: Option<Place>,
    /// There are none: what a command that needs them says.
    pub absent: Option<Box<ModelError>>,
}

/// Positions and rates as given, with the overrides on top. Positions of `algebraic` coordinates may be left out.
pub(crate) fn read_initial<'d>(
    raw: Option<RawInitial<'d>>,
    coordinates_place: Place,
    unknown_tables: bool,
    overrides: Vec<Entry<'d>>,
    algebraic: &[usize],
    targets: &mut Targets<'_, 'd, '_>,
) -> Given<'d> {
    let missing = raw.is_none();
    let raw =
        raw.unwrap_or_else(|| RawInitial { place: coordinates_place, ..RawInitial::default() });
    let formalism = targets.scope.formalism;
    let (wanted, unwanted, rate_name, wrong_name) = match formalism {
        Some(Formalism::Hamiltonian) => (raw.momentum, raw.velocity, "momentum", "velocity"),
        _ => (raw.velocity, raw.momentum, "velocity", "momentum"),
    };
    let wrong_kind = unwanted.is_some() && formalism.is_some();
    if wrong_kind {
        let system = match formalism {
            Some(Formalism::State) => "system in state space",
            Some(Formalism::Hamiltonian) => "Hamiltonian system",
            _ => "Lagrangian system",
        };
        let place = unwanted.as_ref().map_or(raw.place, |(place, _)| *place);
        let start = if formalism == Some(Formalism::State) { "position" } else { rate_name };
        let message = format!("a {system} starts with a {start}, not with a {wrong_name}");
        let hint = format!("write {start} = {{ … }}");
        targets.reporter.error(ModelCode::WrongInitialKind, place, message).hint(hint);
    }
    let table = |given: Option<(Place, Vec<Entry<'d>>)>| match given {
        Some((place, entries)) => (Some(place), entries),
        None => (None, Vec::new()),
    };
    let (position_place, position_entries) = table(raw.position);
    let (rate_place, rate_entries) = table(wanted);
    let position_entries = targets.without_velocities_of_groups(position_entries);
    let mut positions = targets.read(position_entries, "an initial position");
    let mut rates = targets.read(rate_entries, &format!("an initial {rate_name}"));
    let overridden = !overrides.is_empty();
    for entry in overrides {
        override_one(entry, rate_name, targets, &mut positions, &mut rates);
    }
    if formalism.is_none() || targets.scope.families.is_empty() || (missing && unknown_tables) {
        return Given { positions, rates, ..Given::default() };
    }
    if missing && !overridden {
        let absent = Some(Box::new(absent(targets.scope, coordinates_place, rate_name)));
        return Given { absent, ..Given::default() };
    }
    if targets.refused {
        return Given { positions, rates, ..Given::default() };
    }
    if !raw.broken {
        check_complete(&positions, "position", algebraic, position_place, raw.place, targets);
    }
    let mut no_velocities = None;
    // Which coordinates of a state have velocities is known when their equations are read.
    if !raw.broken && !wrong_kind && formalism != Some(Formalism::State) {
        if rates.is_empty() && rate_place.is_none() && rate_name == "velocity" {
            no_velocities = Some(raw.place);
        } else {
            check_complete(&rates, rate_name, &[], rate_place, raw.place, targets);
        }
    }
    if formalism == Some(Formalism::State) {
        no_velocities = Some(raw.place);
    }
    Given { positions, rates, no_velocities, absent: None }
}

/// What a command says that needs initial data where there are none.
fn absent(scope: &Scope<'_>, place: Place, rate_name: &str) -> ModelError {
    let name = scope.families.first().map_or("x", |family| family.name.as_str());
    let hint = if scope.components > 0 {
        let first = scope.coordinates.first().map_or(name, |own| own.name.as_str());
        format!("add [initial] with velocity = {{ \"{first}\" = 0, … }}")
    } else {
        let rate = match scope.formalism {
            Some(Formalism::State) => String::new(),
            _ => format!(" and {rate_name} = {{ {name} = 0 }}"),
        };
        format!("add [initial] with position = {{ {name} = 0 }}{rate}")
    };
    ModelError {
        source: place.source,
        span: place.span,
        code: ModelCode::MissingInitial,
        message: "the initial data are missing".to_owned(),
        hint: Some(hint),
        labels: Vec::new(),
    }
}

impl<'d> Targets<'_, 'd, '_> {
    /// Positions without those of omega and v, which have none: they are refused.
    fn without_velocities_of_groups(&mut self, entries: Vec<Entry<'d>>) -> Vec<Entry<'d>> {
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries {
            let name = entry.key.text.split('[').next().unwrap_or_default().trim();
            match self.scope.meaning(name) {
                Some(Meaning::Coordinates { family, .. }) if self.scope.is_component(family) => {
                    let message = format!("`{}` is a velocity and has no position", shorten(name));
                    let hint = "where a body begins is given by rotation = … and translation = …";
                    let place = entry.key.whole();
                    self.reporter.error(ModelCode::NotACoordinate, place, message).hint(hint);
                    self.refused = true;
                }
                _ => kept.push(entry),
            }
        }
        kept
    }
}

/// Reports that the velocities of a system that needs them are missing.
pub(crate) fn report_no_velocities(place: Place, scope: &Scope, reporter: &mut Reporter) {
    let names: Vec<&str> = scope.coordinates.iter().map(|c| c.name.as_str()).collect();
    missing_value(&names, "velocity", None, place, reporter);
}

/// `--initial x=1`, `x'=2`, `p_x=3`.
fn override_one<'d>(
    entry: Entry<'d>,
    rate_name: &str,
    targets: &mut Targets<'_, 'd, '_>,
    positions: &mut Vec<Component<'d>>,
    rates: &mut Vec<Component<'d>>,
) {
    let Entry { key: text, value, .. } = entry;
    let Some(key) = read_key(&text, targets.parse, targets.reporter) else { return };
    let (family, rate) = match targets.scope.meaning(&key.name) {
        Some(Meaning::Coordinates { family, .. }) if key.primes <= 1 => {
            (family, key.primes == 1 || targets.scope.is_component(family))
        }
        Some(Meaning::Momenta(family)) if key.primes == 0 => (family, true),
        _ => {
            if !targets.scope.families.is_empty() {
                let name = shorten(&text.text);
                let hint = coordinate_hint(&key.name, targets.scope);
                targets
                    .reporter
                    .error(
                        ModelCode::OverrideTarget,
                        text.whole(),
                        format!("the model has no coordinate or {rate_name} `{name}`"),
                    )
                    .hint(hint);
            }
            return;
        }
    };
    let is_momentum = matches!(targets.scope.meaning(&key.name), Some(Meaning::Momenta(_)));
    if rate && is_momentum != (rate_name == "momentum") {
        let message = format!("this system starts with a {rate_name}");
        let base = key.name.strip_prefix("p_").unwrap_or(&key.name);
        let hint =
            if is_momentum { format!("write {base}'=…") } else { format!("write p_{base}=…") };
        targets.reporter.error(ModelCode::WrongInitialKind, text.whole(), message).hint(hint);
        return;
    }
    if let Some(mut component) = targets.component(&key, &text, value, family) {
        component.expanded.rank = Rank::Argument;
        if rate { rates.push(component) } else { positions.push(component) }
    }
}

/// Names of coordinates shown in one message.
const MOST_NAMES: usize = 8;

fn check_complete(
    components: &[Component<'_>],
    what: &str,
    optional: &[usize],
    table: Option<Place>,
    initial: Place,
    targets: &mut Targets<'_, '_, '_>,
) {
    let coordinates = &targets.scope.coordinates;
    let mut given = given(components, coordinates.len());
    if what == "position" {
        // The start on a group is given by a rotation and a translation.
        given.iter_mut().take(targets.scope.components).for_each(|given| *given = true);
    }
    for &i in optional {
        given[i] = true;
    }
    let missing = given.iter().zip(coordinates).filter(|(given, _)| !**given);
    let names: Vec<&str> = missing.map(|(_, c)| c.name.as_str()).collect();
    if !names.is_empty() {
        missing_value(&names, what, table, initial, targets.reporter);
    }
}

pub(crate) fn missing_value(
    names: &[&str],
    what: &str,
    table: Option<Place>,
    initial: Place,
    reporter: &mut Reporter,
) {
    let count = names.len();
    let mut names: Vec<&str> = names.iter().copied().take(MOST_NAMES).collect();
    if count > MOST_NAMES {
        names.push("…");
    }
    let first = names.first().copied().unwrap_or("x");
    let message = format!("the initial {what} of {} is missing", names.join(", "));
    let hint = match (table.is_some(), first.contains('[')) {
        (true, false) => format!("add {first} = 0 to {what}"),
        (true, true) => format!("add \"{first}\" = 0 to {what}"),
        (false, _) => format!("add {what} = {{ … }} to [initial]"),
    };
    reporter.error(ModelCode::MissingInitialValue, table.unwrap_or(initial), message).hint(hint);
}
