//! TOML tree → the pieces of a model, as text with places.

use isotrope_algebra::syntax::{Span, nearest};
use toml_edit::{Item, TableLike, Value};

use crate::ModelCode;
use crate::diagnostics::{Place, Reporter, shorten};
use crate::group::{RawGroup, RawRotation};
use crate::magnetic::RawMagnetic;
use crate::scene::RawScene;
use crate::state::read::{RawInput, RawState};
use crate::systems::{self, SystemTable, TABLES};
use crate::text::Text;
use crate::units::RawUnits;

/// A key and the expression behind it; `None` if the value was refused already.
#[derive(Debug, Clone)]
pub(crate) struct Entry<'d> {
    pub(crate) key: Text<'d>,
    pub(crate) value: Option<Text<'d>>,
    /// Chetaev reactions; only constraints have it.
    pub(crate) chetaev: bool,
}

/// What `[run]` says of methods that choose their steps by the error.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawAdaptive<'d> {
    pub(crate) relative: Option<Text<'d>>,
    pub(crate) absolute: Option<Text<'d>>,
    /// Absolute tolerances of coordinates `x` and velocities `v_x`.
    pub(crate) each: Vec<Entry<'d>>,
    pub(crate) longest: Option<Text<'d>>,
    pub(crate) first: Option<Text<'d>>,
}

/// Which kind of system a file describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Formalism {
    Lagrangian,
    Hamiltonian,
    /// Equations of first order in state space.
    State,
}

/// The initial data as given.
#[derive(Debug, Default)]
pub(crate) struct RawInitial<'d> {
    pub(crate) position: Option<(Place, Vec<Entry<'d>>)>,
    pub(crate) velocity: Option<(Place, Vec<Entry<'d>>)>,
    pub(crate) momentum: Option<(Place, Vec<Entry<'d>>)>,
    /// Of a group: one rotation and one translation for each factor.
    pub(crate) rotations: Vec<RawRotation<'d>>,
    pub(crate) translations: Vec<(Place, Vec<Text<'d>>)>,
    /// The table.
    pub(crate) place: Place,
    /// It has keys that were refused, so what seems to be missing may not be.
    pub(crate) broken: bool,
}

/// The pieces of a model file.
#[derive(Debug, Default)]
pub(crate) struct RawModel<'d> {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) coordinates: Vec<Text<'d>>,
    /// Were coordinates given at all, even if badly?
    pub(crate) coordinates_given: bool,
    pub(crate) coordinates_place: Place,
    pub(crate) parameters: Vec<Entry<'d>>,
    pub(crate) definitions: Vec<Entry<'d>>,
    /// The table that gives the system.
    pub(crate) table: Option<&'static SystemTable>,
    pub(crate) system: Option<Text<'d>>,
    pub(crate) group: Option<RawGroup<'d>>,
    pub(crate) state: Option<RawState<'d>>,
    pub(crate) inputs: Vec<RawInput<'d>>,
    pub(crate) outputs: Vec<Entry<'d>>,
    /// Tables that not all kinds of systems have.
    pub(crate) special: Vec<(&'static str, Place)>,
    pub(crate) constraints: Vec<Entry<'d>>,
    pub(crate) forces: Vec<Entry<'d>>,
    pub(crate) gauge_fix: Vec<Entry<'d>>,
    pub(crate) magnetic: Option<RawMagnetic<'d>>,
    /// The discrete Lagrangian, and where its table is.
    pub(crate) discrete: Option<(Text<'d>, Place)>,
    /// The rate of time.
    pub(crate) rate: Option<Text<'d>>,
    pub(crate) initial: Option<RawInitial<'d>>,
    /// There are tables of unknown name, so what seems to be missing may not be.
    pub(crate) unknown_tables: bool,
    pub(crate) method: Option<String>,
    pub(crate) step: Option<Text<'d>>,
    pub(crate) time: Option<Text<'d>>,
    pub(crate) adaptive: RawAdaptive<'d>,
    pub(crate) scene: Option<RawScene<'d>>,
    pub(crate) units: RawUnits<'d>,
}

/// The other tables and keys of a file: before and after those that give a system.
const BEFORE: [&str; 6] = ["name", "description", "version", "coordinates", "parameters", "define"];
const AFTER: [&str; 12] = [
    "inputs",
    "outputs",
    "constraints",
    "forces",
    "gauge_fix",
    "magnetic",
    "discrete",
    "time",
    "initial",
    "run",
    "scene",
    "units",
];

/// All keys of a file.
fn top() -> Vec<&'static str> {
    let tables = TABLES.iter().map(|table| table.name);
    BEFORE.into_iter().chain(tables).chain(AFTER).collect()
}

/// Reads all tables; errors are reported and the rest is still read.
pub(crate) fn read_model<'d>(
    file: &str,
    root: &'d dyn TableLike,
    reporter: &mut Reporter,
) -> RawModel<'d> {
    let mut reader = Reader { file, reporter };
    let mut raw = RawModel::default();
    let mut system_key = None;
    for (key, item) in reader.items(root) {
        let place = key.whole();
        raw.special.extend(systems::special(&key.text).map(|name| (name, place)));
        if let Some(table) = systems::named(&key.text) {
            if let Some(first) = system_key {
                let names: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
                reader
                    .reporter
                    .error(
                        ModelCode::SecondSystem,
                        place,
                        "a model has one system, this is a second",
                    )
                    .hint(format!("keep one of [{}]", names.join("], [")))
                    .label(first, "the first is here");
                continue;
            }
            system_key = Some(place);
            raw.table = Some(table);
            (table.read)(&mut reader, item, place, &mut raw);
            continue;
        }
        match key.text.as_ref() {
            "name" => raw.name = reader.plain_string(item, "name", place),
            "description" => raw.description = reader.plain_string(item, "description", place),
            "version" => reader.version(item, place),
            "coordinates" => {
                raw.coordinates_given = true;
                raw.coordinates_place = place;
                raw.coordinates = reader.coordinates(item, place);
            }
            "parameters" => raw.parameters = reader.expressions(item, "parameters", place),
            "define" => raw.definitions = reader.expressions(item, "define", place),
            "inputs" => raw.inputs = reader.inputs(item, place),
            "outputs" => raw.outputs = reader.expressions(item, "outputs", place),
            "constraints" => raw.constraints = reader.constraints(item, place),
            "forces" => raw.forces = reader.expressions(item, "forces", place),
            "gauge_fix" => raw.gauge_fix = reader.expressions(item, "gauge_fix", place),
            "magnetic" => raw.magnetic = Some(reader.magnetic(item, place)),
            "discrete" => {
                let text = reader.system(item, "L", "discrete", place);
                raw.discrete = text.map(|text| (text, place));
            }
            "time" => raw.rate = reader.system(item, "rate", "time", place),
            "initial" => raw.initial = Some(reader.initial(item, place)),
            "run" => reader.run(item, place, &mut raw),
            "scene" => raw.scene = Some(reader.scene(item, place)),
            "units" => raw.units = reader.units(item, place),
            name => {
                raw.unknown_tables = true;
                reader.unknown_key(name, place, &top(), "a model file");
                reader.reporter.mute_unknown();
            }
        }
    }
    if system_key.is_none() && !raw.unknown_tables {
        reader
            .reporter
            .error(
                ModelCode::MissingSystem,
                Place::file(Span::new(0, 0)),
                "the model has neither a [lagrangian] nor a [hamiltonian]",
            )
            .hint("add [lagrangian] with L = \"…\"");
    }
    refuse_special_tables(&raw, reader.reporter);
    raw
}

/// Forces and constraints belong to mechanical systems, inputs and outputs to systems in state space.
fn refuse_special_tables(raw: &RawModel<'_>, reporter: &mut Reporter) {
    let Some(table) = raw.table else { return };
    for &(name, place) in raw.special.iter().filter(|(name, _)| !table.beside.contains(name)) {
        let (message, hint) = (table.refuse)(name);
        reporter.error(ModelCode::StateSpace, place, message).hint(hint);
    }
}

pub(crate) struct Reader<'r> {
    pub(crate) file: &'r str,
    pub(crate) reporter: &'r mut Reporter,
}

pub(crate) fn span_of(item: &Item) -> Option<Span> {
    item.span().map(|span| Span::new(span.start, span.end))
}

impl Reader<'_> {
    /// The keys and values of a table, with the places of the keys.
    pub(crate) fn items<'d>(&self, table: &'d dyn TableLike) -> Vec<(Text<'d>, &'d Item)> {
        table
            .iter()
            .filter_map(|(key, _)| table.get_key_value(key))
            .map(|(key, item)| {
                let span = key.span().map(|span| Span::new(span.start, span.end));
                let span = span.or_else(|| span_of(item)).unwrap_or_default();
                (Text::toml(self.file, span, key.get()), item)
            })
            .collect()
    }

    pub(crate) fn place(&self, item: &Item, fallback: Place) -> Place {
        span_of(item).map_or(fallback, Place::file)
    }

    pub(crate) fn wrong_type(&mut self, item: &Item, wanted: &str, fallback: Place) {
        let found = match item {
            Item::Value(Value::Boolean(_)) => "a truth value",
            Item::Value(Value::Datetime(_)) => "a date",
            Item::Value(Value::String(_)) => "a text",
            Item::Value(Value::Integer(_) | Value::Float(_)) => "a number",
            Item::Value(Value::Array(_)) => "a list",
            Item::ArrayOfTables(_) => "a list of tables",
            _ => "a table",
        };
        let place = self.place(item, fallback);
        let hint = matches!(item, Item::ArrayOfTables(_)).then_some("write it in single brackets");
        self.reporter
            .error(ModelCode::WrongType, place, format!("{wanted} is wanted here, not {found}"))
            .maybe_hint(hint);
    }

    pub(crate) fn unknown_key(&mut self, name: &str, place: Place, known: &[&str], owner: &str) {
        let hint = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("{owner} has {}", known.join(", ")),
        };
        let message = format!("{owner} has no key `{}`", shorten(name));
        self.reporter.error(ModelCode::UnknownKey, place, message).hint(hint);
    }

    pub(crate) fn table<'d>(
        &mut self,
        item: &'d Item,
        wanted: &str,
        place: Place,
    ) -> Vec<(Text<'d>, &'d Item)> {
        match item.as_table_like() {
            Some(table) => self.items(table),
            None => {
                self.wrong_type(item, wanted, place);
                Vec::new()
            }
        }
    }

    fn plain_string(&mut self, item: &Item, what: &str, place: Place) -> Option<String> {
        match item.as_str() {
            Some(text) => Some(text.to_owned()),
            None => {
                self.wrong_type(item, &format!("a text for `{what}`"), place);
                None
            }
        }
    }

    fn version(&mut self, item: &Item, place: Place) {
        if item.as_integer() != Some(1) {
            let place = self.place(item, place);
            self.reporter
                .error(ModelCode::Version, place, "this program reads version 1 of the format")
                .hint("write version = 1, or leave it out");
        }
    }

    fn coordinates<'d>(&mut self, item: &'d Item, place: Place) -> Vec<Text<'d>> {
        let Some(array) = item.as_array() else {
            self.wrong_type(item, "a list of names", place);
            return Vec::new();
        };
        let mut names = Vec::new();
        for value in array {
            let span = value.span().map_or(place.span, |span| Span::new(span.start, span.end));
            match value.as_str() {
                Some(name) => names.push(Text::toml(self.file, span, name)),
                None => {
                    self.reporter
                        .error(
                            ModelCode::WrongType,
                            Place::file(span),
                            "a name in quotes is wanted here",
                        )
                        .hint("write coordinates = [\"x\", \"y\"]");
                }
            }
        }
        names
    }

    /// A number, or an expression in quotes.
    pub(crate) fn expression<'d>(&mut self, item: &'d Item, place: Place) -> Option<Text<'d>> {
        let span = span_of(item).unwrap_or(place.span);
        match item {
            Item::Value(Value::String(text)) => Some(Text::toml(self.file, span, text.value())),
            Item::Value(Value::Integer(number)) => {
                Some(Text::rewritten(number.value().to_string(), span))
            }
            // Decimals are exact: the text counts, not the nearest double.
            Item::Value(Value::Float(_)) => {
                let raw = self.file.get(span.range()).unwrap_or("").replace('_', "");
                if raw.contains("inf") || raw.contains("nan") {
                    let message = format!("`{raw}` is not a number to compute with");
                    self.reporter.error(ModelCode::WrongType, Place::file(span), message);
                    return None;
                }
                Some(Text::rewritten(raw, span))
            }
            _ => {
                self.wrong_type(item, "a number or an expression in quotes", place);
                None
            }
        }
    }

    pub(crate) fn expressions<'d>(
        &mut self,
        item: &'d Item,
        what: &str,
        place: Place,
    ) -> Vec<Entry<'d>> {
        let mut entries = Vec::new();
        for (key, item) in self.table(item, &format!("a table `{what}`"), place) {
            let value = self.expression(item, key.whole());
            entries.push(Entry { key, value, chetaev: false });
        }
        entries
    }

    pub(crate) fn system<'d>(
        &mut self,
        item: &'d Item,
        letter: &str,
        name: &str,
        place: Place,
    ) -> Option<Text<'d>> {
        if item.as_table_like().is_none() {
            self.wrong_type(item, &format!("a table [{name}]"), place);
            return None;
        }
        let mut found = None;
        let mut given = false;
        for (key, item) in self.table(item, "a table", place) {
            let here = key.whole();
            if key.text == letter {
                given = true;
                found = self.expression(item, here);
            } else {
                self.unknown_key(&key.text, here, &[letter], &format!("[{name}]"));
            }
        }
        if !given {
            self.reporter
                .error(ModelCode::MissingSystem, place, format!("[{name}] has no `{letter}`"))
                .hint(format!("add {letter} = \"…\""));
        }
        found
    }

    fn constraints<'d>(&mut self, item: &'d Item, place: Place) -> Vec<Entry<'d>> {
        let mut entries = Vec::new();
        for (key, item) in self.table(item, "a table [constraints]", place) {
            let here = key.whole();
            let Some(table) = item.as_table_like() else {
                let value = self.expression(item, here);
                entries.push(Entry { key, value, chetaev: false });
                continue;
            };
            let (mut equation, mut chetaev, mut given) = (None, false, false);
            for (name, item) in self.items(table) {
                match name.text.as_ref() {
                    "equation" => {
                        given = true;
                        equation = self.expression(item, name.whole());
                    }
                    "chetaev" => match item.as_bool() {
                        Some(value) => chetaev = value,
                        None => self.wrong_type(item, "true or false", name.whole()),
                    },
                    other => {
                        self.unknown_key(
                            other,
                            name.whole(),
                            &["equation", "chetaev"],
                            "a constraint",
                        );
                    }
                }
            }
            if !given {
                let message = format!("the constraint `{}` has no equation", shorten(&key.text));
                self.reporter
                    .error(ModelCode::MissingEquation, here, message)
                    .hint("write { equation = \"… = 0\", chetaev = true }");
            }
            entries.push(Entry { key, value: equation, chetaev });
        }
        entries
    }

    fn magnetic<'d>(&mut self, item: &'d Item, place: Place) -> RawMagnetic<'d> {
        let mut raw = RawMagnetic { place, ..RawMagnetic::default() };
        for (key, item) in self.table(item, "a table [magnetic]", place) {
            let here = key.whole();
            if key.text == "primitive" {
                raw.primitive = Some((here, self.expressions(item, "primitive", here)));
            } else {
                let value = self.expression(item, here);
                raw.entries.push(Entry { key, value, chetaev: false });
            }
        }
        raw
    }

    fn initial<'d>(&mut self, item: &'d Item, place: Place) -> RawInitial<'d> {
        let mut raw = RawInitial { place, ..RawInitial::default() };
        for (key, item) in self.table(item, "a table [initial]", place) {
            let here = key.whole();
            match key.text.as_ref() {
                "position" => raw.position = Some((here, self.expressions(item, "position", here))),
                "velocity" => raw.velocity = Some((here, self.expressions(item, "velocity", here))),
                "momentum" => raw.momentum = Some((here, self.expressions(item, "momentum", here))),
                "rotation" => raw.rotations = self.rotations(item, here),
                "translation" => raw.translations = self.translations(item, here),
                other => {
                    raw.broken = true;
                    self.unknown_key(
                        other,
                        here,
                        &["position", "velocity", "momentum", "rotation", "translation"],
                        "[initial]",
                    );
                }
            }
        }
        raw
    }

    fn run<'d>(&mut self, item: &'d Item, place: Place, raw: &mut RawModel<'d>) {
        for (key, item) in self.table(item, "a table [run]", place) {
            let here = key.whole();
            match key.text.as_ref() {
                "method" => raw.method = self.plain_string(item, "method", here),
                "step" => raw.step = self.expression(item, here),
                "time" => raw.time = self.expression(item, here),
                "rtol" => raw.adaptive.relative = self.expression(item, here),
                "atol" if item.is_table_like() => {
                    raw.adaptive.each = self.expressions(item, "atol", here);
                }
                "atol" => raw.adaptive.absolute = self.expression(item, here),
                "max_step" => raw.adaptive.longest = self.expression(item, here),
                "first_step" => raw.adaptive.first = self.expression(item, here),
                other => {
                    let known =
                        ["method", "step", "time", "rtol", "atol", "max_step", "first_step"];
                    self.unknown_key(other, here, &known, "[run]");
                }
            }
        }
    }
}
