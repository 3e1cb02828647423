//! Units of coordinates and of time: words for labels, with which nothing is computed.

use isotrope_algebra::syntax::nearest;
use toml_edit::Item;

use crate::ModelCode;
use crate::diagnostics::{Place, Reporter};
use crate::read::Reader;
use crate::text::Text;

/// The table `[units]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Units {
    /// Coordinates and parameters that have one, with their units.
    names: Vec<(String, String)>,
    /// That of time.
    time: Option<String>,
}

/// The table as given.
pub(crate) type RawUnits<'d> = Vec<(Text<'d>, String)>;

/// Letters of a unit, at most.
const LONGEST: usize = 30;

impl Units {
    /// The unit of a coordinate or a parameter.
    #[must_use]
    pub fn of(&self, name: &str) -> Option<&str> {
        self.names.iter().find(|(known, _)| known == name).map(|(_, unit)| unit.as_str())
    }

    /// The unit of time.
    #[must_use]
    pub fn time(&self) -> Option<&str> {
        self.time.as_deref()
    }

    /// The unit of the velocity of a coordinate, if both have one.
    #[must_use]
    pub fn of_velocity(&self, name: &str) -> Option<String> {
        let (unit, time) = (self.of(name)?, self.time()?);
        let whole = |unit: &str| match unit.contains([' ', '/', '*']) {
            true => format!("({unit})"),
            false => unit.to_owned(),
        };
        Some(format!("{}/{}", whole(unit), whole(time)))
    }

    /// Finds what the keys name: coordinates and parameters, `x[i]` for all of `x[1..N]`, and `t`.
    pub(crate) fn resolved(raw: &RawUnits<'_>, names: &[&str], reporter: &mut Reporter) -> Self {
        let mut units = Self::default();
        for (key, unit) in raw {
            let text = key.text.as_ref().trim();
            if text == "t" {
                units.time = Some(unit.clone());
                continue;
            }
            let before = units.names.len();
            let found = names.iter().filter(|name| stands_for(text, name));
            units.names.extend(found.map(|name| ((*name).to_owned(), unit.clone())));
            if units.names.len() == before {
                let hint = match nearest(text, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "units are those of coordinates, parameters and t".to_owned(),
                };
                let message =
                    format!("there is no coordinate or parameter `{text}` to have a unit");
                reporter.error(ModelCode::UnknownName, key.whole(), message).hint(hint);
            }
        }
        units
    }
}

/// Does a key mean this name? `x` and `x[i]` mean all `x[…]`.
fn stands_for(key: &str, name: &str) -> bool {
    let all = |stem: &str| name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('['));
    match key.split_once('[') {
        _ if key == name => true,
        None => all(key),
        Some((stem, index)) => !index.starts_with(|c: char| c.is_ascii_digit()) && all(stem),
    }
}

impl Reader<'_> {
    pub(crate) fn units<'d>(&mut self, item: &'d Item, place: Place) -> RawUnits<'d> {
        let mut units = Vec::new();
        for (key, item) in self.table(item, "a table [units]", place) {
            let unit = item.as_str().map(str::trim).filter(|unit| {
                let length = unit.chars().count();
                (1..=LONGEST).contains(&length) && !unit.contains(char::is_control)
            });
            match unit {
                Some(unit) => units.push((key, unit.to_owned())),
                None => {
                    let place = self.place(item, key.whole());
                    let message = "a unit is a short text";
                    self.reporter
                        .error(ModelCode::WrongType, place, message)
                        .hint("write x = \"m\", theta = \"rad\", t = \"s\"");
                }
            }
        }
        units
    }
}
