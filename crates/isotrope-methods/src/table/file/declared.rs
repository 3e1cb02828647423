//! What the author of a table claims.

use isotrope_algebra::syntax::{Span, nearest};
use toml_edit::{Item, Value};

use super::TableCode;
use super::read::Reader;
use crate::classes::Class;
use isotrope_model::files::{item_span, shorten};

/// An order that a file claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimedOrder {
    /// Up to this power of the step size.
    Finite(u32),
    /// Exactly: `"inf"`.
    Infinite,
}

impl std::fmt::Display for ClaimedOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Finite(order) => write!(f, "{order}"),
            Self::Infinite => f.write_str("inf"),
        }
    }
}

/// A claim about one class of systems, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The class.
    pub class: Class,
    /// What is claimed.
    pub order: ClaimedOrder,
    /// Where in the file.
    pub span: Span,
}

/// The `[declared]` table of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Declared {
    /// The class that plain values are about, where it is named.
    pub class: Option<Class>,
    /// The order of the solution, and where it stands.
    pub order: Option<(u32, Span)>,
    /// The order of the structure functions, by class.
    pub structure: Vec<Claim>,
    /// The order of the 2-form, by class.
    pub form: Vec<Claim>,
}

impl Declared {
    /// Is nothing claimed?
    pub fn is_empty(&self) -> bool {
        self.order.is_none() && self.structure.is_empty() && self.form.is_empty()
    }
}

const KEYS: [&str; 4] = ["order", "structure", "form", "class"];

impl Reader<'_> {
    pub(super) fn declared(&mut self, item: &Item, place: Span) -> Declared {
        let mut declared = Declared::default();
        let Some(table) = item.as_table_like() else {
            let hint = Some("write [declared] in a line of its own, then order = 2");
            self.wrong_type_hint(item, "a table [declared]", hint, place);
            return declared;
        };
        // The class of plain values, wherever it stands.
        let mut class = None;
        let items = self.items(table);
        for (key, item) in &items {
            if key.text == "class"
                && let Some(found) = self.class_value(item, key.whole().span)
            {
                class = Some(found);
            }
        }
        declared.class = class;
        for (key, item) in items {
            let here = key.whole().span;
            match key.text.as_ref() {
                "class" => {}
                "order" => {
                    let span = item_span(item).unwrap_or(here);
                    match self.claimed(item, "order", here) {
                        Some(ClaimedOrder::Finite(order)) => declared.order = Some((order, span)),
                        Some(ClaimedOrder::Infinite) => {
                            let message = "no method has order \"inf\"";
                            self.reporter.error(TableCode::DeclaredOrder, span, message);
                        }
                        None => {}
                    }
                }
                "structure" => {
                    let class = class.unwrap_or(Class::Generic);
                    declared.structure = self.claims(item, "structure", class, here);
                }
                // The exact flow of the generic class keeps no 2-form.
                "form" => {
                    let class = class.unwrap_or(Class::Symplectic);
                    declared.form = self.claims(item, "form", class, here);
                }
                _ => self.strange_key(&key, &KEYS, "[declared]"),
            }
        }
        declared
    }

    /// `5`, `"inf"` or `{ bilinear = "inf", sphere = 5 }`.
    fn claims(&mut self, item: &Item, what: &str, class: Class, place: Span) -> Vec<Claim> {
        let Some(table) = item.as_table_like() else {
            let span = item_span(item).unwrap_or(place);
            let order = self.claimed(item, what, place);
            return order.into_iter().map(|order| Claim { class, order, span }).collect();
        };
        let mut claims = Vec::new();
        for (key, item) in self.items(table) {
            let here = key.whole().span;
            let class = self.class(&key.text, here);
            let order = self.claimed(item, what, here);
            if let (Some(class), Some(order)) = (class, order) {
                let span = item_span(item).unwrap_or(here);
                claims.push(Claim { class, order, span });
            }
        }
        claims
    }

    pub(super) fn claimed(&mut self, item: &Item, what: &str, place: Span) -> Option<ClaimedOrder> {
        let span = item_span(item).unwrap_or(place);
        let order = match item {
            Item::Value(Value::Integer(number)) => {
                let order = u32::try_from(*number.value()).ok().filter(|order| *order > 0);
                order.map(ClaimedOrder::Finite)
            }
            Item::Value(Value::String(text)) => match text.value().trim() {
                "inf" => Some(ClaimedOrder::Infinite),
                digits => digits.parse().ok().filter(|order| *order > 0).map(ClaimedOrder::Finite),
            },
            Item::Value(Value::Float(number)) if *number.value() == f64::INFINITY => {
                Some(ClaimedOrder::Infinite)
            }
            Item::Value(Value::Float(_)) => None,
            _ => {
                let hint = Some("write a positive integer, or \"inf\"");
                self.wrong_type_hint(item, &format!("a number for `{what}`"), hint, place);
                return None;
            }
        };
        if order.is_none() {
            let raw = self.source.get(span.range()).unwrap_or("");
            let message = format!("`{what}` must be an order, and {} is not", shorten(raw));
            self.reporter.error(TableCode::DeclaredOrder, span, message);
        }
        order
    }

    fn class_value(&mut self, item: &Item, place: Span) -> Option<Class> {
        match item.as_str() {
            Some(name) => self.class(name, item_span(item).unwrap_or(place)),
            None => {
                let hint = Some("write class = \"bilinear\"");
                self.wrong_type_hint(item, "the name of a class in quotes", hint, place);
                None
            }
        }
    }

    fn class(&mut self, name: &str, span: Span) -> Option<Class> {
        let known = Class::ALL.into_iter().find(|class| class.name() == name);
        if known.is_none() {
            let names = || Class::ALL.into_iter().map(Class::name);
            let hint = nearest(name, names()).map(|near| format!("did you mean `{near}`?"));
            let message = format!("there is no class `{}`", shorten(name));
            self.reporter.with(TableCode::UnknownClass, span, message, hint, Vec::new());
        }
        known
    }
}
