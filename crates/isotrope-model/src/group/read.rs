//! The table `[lie_group]` and what belongs to it in `[initial]`, as text with places.

use isotrope_algebra::syntax::Span;
use toml_edit::{Item, Value};

use crate::ModelCode;
use crate::diagnostics::{Place, shorten};
use crate::group::{GroupKind, RawGroup, RawRotation};
use crate::read::Reader;
use crate::text::Text;

const KEYS: [&str; 5] = ["group", "L", "inertia", "mass", "potential"];

impl Reader<'_> {
    /// The table, and its Lagrangian if it has one.
    pub(crate) fn lie_group<'d>(
        &mut self,
        item: &'d Item,
        place: Place,
    ) -> (Option<RawGroup<'d>>, Option<Text<'d>>) {
        let mut lagrangian = None;
        let mut given = false;
        let mut raw =
            RawGroup { factors: Vec::new(), place, inertia: None, mass: None, potential: None };
        let mut first_sugar = None;
        for (key, item) in self.table(item, "a table [lie_group]", place) {
            let here = key.whole();
            match key.text.as_ref() {
                "group" => raw.factors = self.factors(item, here),
                "L" => {
                    given = true;
                    lagrangian = self.expression(item, here);
                }
                "inertia" => raw.inertia = Some((here, self.matrix(item, here))),
                "mass" => raw.mass = self.expression(item, here),
                "potential" => raw.potential = self.expression(item, here),
                other => self.unknown_key(other, here, &KEYS, "[lie_group]"),
            }
            if matches!(key.text.as_ref(), "inertia" | "mass" | "potential") {
                first_sugar.get_or_insert(here);
            }
        }
        if let (true, Some(sugar)) = (given, first_sugar) {
            self.reporter
                .error(ModelCode::Group, sugar, "a Lagrangian is given, which says all of it")
                .hint("keep L, or inertia, mass and potential");
        }
        if !given && raw.inertia.is_none() {
            self.reporter
                .error(ModelCode::MissingSystem, place, "[lie_group] has neither `L` nor `inertia`")
                .hint("add L = \"…\", or inertia = [1, 2, 3] and potential = \"…\"");
        }
        if raw.factors.is_empty() {
            if self.reporter.is_empty() {
                self.reporter
                    .error(ModelCode::Group, place, "[lie_group] has no `group`")
                    .hint("write group = \"SO(3)\"");
            }
            self.reporter.mute_unknown();
            return (None, None);
        }
        (Some(raw), lagrangian)
    }

    fn factors(&mut self, item: &Item, place: Place) -> Vec<GroupKind> {
        let mut kinds = Vec::new();
        let mut one = |reader: &mut Self, text: Option<&str>, place: Place| {
            let kind = text.and_then(GroupKind::named);
            if kind.is_none() {
                let shown = text.map_or_else(|| "this".to_owned(), |t| format!("`{}`", shorten(t)));
                reader
                    .reporter
                    .error(
                        ModelCode::Group,
                        place,
                        format!("{shown} is not a group that this version knows"),
                    )
                    .hint(format!(
                        "there are {}; Rⁿ are ordinary coordinates",
                        GroupKind::names().join(", ")
                    ));
            }
            kinds.extend(kind);
        };
        match item.as_array() {
            Some(list) => {
                for value in list {
                    one(self, value.as_str(), span(value, place));
                }
            }
            None => one(self, item.as_str(), self.place(item, place)),
        }
        kinds
    }

    /// A diagonal or rows: numbers and expressions in lists.
    fn matrix<'d>(&mut self, item: &'d Item, place: Place) -> Vec<Vec<Text<'d>>> {
        let Some(list) = item.as_array() else {
            // A number: the inertia in the plane.
            return self.expression(item, place).map(|text| vec![vec![text]]).unwrap_or_default();
        };
        let rows = list.iter().all(Value::is_array);
        let mut matrix = Vec::new();
        for value in list {
            match value.as_array() {
                Some(row) if rows => {
                    matrix.push(row.iter().filter_map(|v| self.value(v, place)).collect());
                }
                _ => matrix.extend(self.value(value, place).map(|text| vec![text])),
            }
        }
        matrix
    }

    /// A number or an expression inside of a list.
    pub(crate) fn value<'d>(&mut self, value: &'d Value, place: Place) -> Option<Text<'d>> {
        let place = span(value, place);
        match value {
            Value::String(text) => Some(Text::toml(self.file, place.span, text.value())),
            Value::Integer(number) => Some(Text::rewritten(number.value().to_string(), place.span)),
            // Decimals are exact: the text counts, not the nearest double.
            Value::Float(number) if number.value().is_finite() => {
                let raw = self.file.get(place.span.range()).unwrap_or("").replace('_', "");
                Some(Text::rewritten(raw, place.span))
            }
            _ => {
                let message = "a number or an expression in quotes is wanted here";
                self.reporter.error(ModelCode::WrongType, place, message);
                None
            }
        }
    }

    fn list<'d>(&mut self, item: &'d Item, place: Place) -> Vec<Text<'d>> {
        match item.as_array() {
            Some(list) => list.iter().filter_map(|value| self.value(value, place)).collect(),
            None => {
                self.wrong_type(item, "a list of numbers", place);
                Vec::new()
            }
        }
    }

    /// One rotation, or a list of them.
    pub(crate) fn rotations<'d>(&mut self, item: &'d Item, place: Place) -> Vec<RawRotation<'d>> {
        if let Some(list) = item.as_array() {
            let mut rotations = Vec::new();
            for value in list {
                let here = span(value, place);
                let Some(table) = value.as_inline_table() else {
                    let message = "a rotation is wanted here";
                    self.reporter
                        .error(ModelCode::WrongType, here, message)
                        .hint("write { axis = [0, 0, 1], angle = \"pi/6\" }");
                    continue;
                };
                let (mut axis, mut angle) = (None, None);
                for (key, value) in table {
                    match key {
                        "axis" => {
                            let values = value.as_array().into_iter().flatten();
                            axis = Some(values.filter_map(|v| self.value(v, here)).collect());
                        }
                        "angle" => angle = self.value(value, here),
                        other => self.unknown_key(other, here, &["axis", "angle"], "a rotation"),
                    }
                }
                rotations.extend(self.rotation(axis, angle, here));
            }
            return rotations;
        }
        let (mut axis, mut angle) = (None, None);
        for (key, item) in self.table(item, "a rotation { axis = […], angle = … }", place) {
            let here = key.whole();
            match key.text.as_ref() {
                "axis" => axis = Some(self.list(item, here)),
                "angle" => angle = self.expression(item, here),
                other => self.unknown_key(other, here, &["axis", "angle"], "a rotation"),
            }
        }
        self.rotation(axis, angle, place).into_iter().collect()
    }

    fn rotation<'d>(
        &mut self,
        axis: Option<Vec<Text<'d>>>,
        angle: Option<Text<'d>>,
        place: Place,
    ) -> Option<RawRotation<'d>> {
        if angle.is_none() {
            self.reporter.error(ModelCode::Rotation, place, "a rotation has an angle").hint(
                "write { axis = [0, 0, 1], angle = \"pi/6\" }, in the plane { angle = \"pi/6\" }",
            );
        }
        Some(RawRotation { axis, angle: angle?, place })
    }

    /// One translation, or a list of them.
    pub(crate) fn translations<'d>(
        &mut self,
        item: &'d Item,
        place: Place,
    ) -> Vec<(Place, Vec<Text<'d>>)> {
        let lists = item.as_array().filter(|list| list.iter().all(Value::is_array));
        let Some(lists) = lists.filter(|list| !list.is_empty()) else {
            return vec![(place, self.list(item, place))];
        };
        let mut translations = Vec::new();
        for value in lists {
            let here = span(value, place);
            let values = value.as_array().into_iter().flatten();
            translations.push((here, values.filter_map(|v| self.value(v, here)).collect()));
        }
        translations
    }
}

fn span(value: &Value, fallback: Place) -> Place {
    value.span().map_or(fallback, |span| Place::file(Span::new(span.start, span.end)))
}
