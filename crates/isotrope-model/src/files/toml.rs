//! The tree of a file, with places.

use crate::Text;
use crate::file_errors::FileReporter;
use isotrope_algebra::syntax::{Span, nearest};
use toml_edit::{Item, TableLike, Value};

use super::TomlCode;

/// A file that is being read.
pub struct TomlReader<'r, C> {
    /// Its text.
    pub source: &'r str,
    /// What is wrong with it.
    pub reporter: &'r mut FileReporter<C>,
}

impl<C: TomlCode> TomlReader<'_, C> {
    /// The entries of a table with the places of their keys, in the order of the file.
    pub fn items<'d>(&self, table: &'d dyn TableLike) -> Vec<(Text<'d>, &'d Item)> {
        table
            .iter()
            .filter_map(|(key, _)| table.get_key_value(key))
            .map(|(key, item)| {
                let span = key.span().map(|span| Span::new(span.start, span.end));
                let span = span.or_else(|| item_span(item)).unwrap_or_default();
                (Text::toml(self.source, span, key.get()), item)
            })
            .collect()
    }

    /// Reports a key that is not one of those known to `owner`.
    pub fn known(&mut self, key: &Text<'_>, keys: &[&str], owner: &str) -> bool {
        let good = keys.contains(&key.text.as_ref());
        if !good {
            let hint = match nearest(&key.text, keys.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("{owner} has {}", keys.join(", ")),
            };
            self.unknown_key(key, owner, hint);
        }
        good
    }

    /// Reports a key that its owner does not have.
    pub fn unknown_key(&mut self, key: &Text<'_>, owner: &str, hint: String) {
        let message = format!("{owner} has no key `{}`", shorten(&key.text));
        let span = key.whole().span;
        self.reporter.with(C::UNKNOWN_KEY, span, message, Some(hint), Vec::new());
    }

    /// Reports a version of the format that is not read.
    pub fn version(&mut self, root: &dyn TableLike) {
        if let Some(item) = root.get("version").filter(|item| item.as_integer() != Some(1)) {
            let message = "this program reads version 1 of the format";
            self.reporter.error(C::VERSION, span_of(item), message);
        }
    }

    /// Reports a value of the wrong type.
    pub fn wrong_type(&mut self, item: &Item, wanted: &str, place: Span) {
        self.wrong_type_hint(item, wanted, None, place);
    }

    /// The same with a hint.
    pub fn wrong_type_hint(&mut self, item: &Item, wanted: &str, hint: Option<&str>, place: Span) {
        let found = match item {
            Item::Value(value) => value_kind(value),
            Item::ArrayOfTables(_) => "a list of tables",
            _ => "a table",
        };
        let span = item_span(item).unwrap_or(place);
        let message = format!("{wanted} is wanted here, not {found}");
        let hint = hint.map(str::to_owned);
        self.reporter.with(C::WRONG_TYPE, span, message, hint, Vec::new());
    }

    /// A text that is not an expression, such as a name.
    pub fn plain(&mut self, root: &dyn TableLike, key: &str) -> Option<String> {
        let item = root.get(key)?;
        let text = item.as_str().map(str::to_owned);
        if text.is_none() {
            let hint = format!("write {key} = \"…\"");
            let wanted = format!("a text for `{key}`");
            self.wrong_type_hint(item, &wanted, Some(&hint), Span::default());
        }
        text
    }

    /// The entries of a section, if there is one.
    pub fn section<'d>(&mut self, root: &'d dyn TableLike, key: &str) -> Vec<(Text<'d>, &'d Item)> {
        match root.get(key).map(|item| (item, item.as_table_like())) {
            Some((_, Some(table))) => self.items(table),
            Some((item, None)) => {
                self.wrong_type(item, &format!("a table for `{key}`"), Span::default());
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// A section of expressions.
    pub fn texts<'d>(&mut self, root: &'d dyn TableLike, key: &str) -> Vec<(Text<'d>, Text<'d>)> {
        let mut texts = Vec::new();
        for (key, item) in self.section(root, key) {
            if let Some(text) = self.text(item, key.whole().span) {
                texts.push((key, text));
            }
        }
        texts
    }

    /// An integer, a decimal (exact as written), or an expression in quotes.
    pub fn text<'d>(&mut self, item: &'d Item, place: Span) -> Option<Text<'d>> {
        let text = item.as_value().and_then(|value| self.value_text(value, place));
        if text.is_none() {
            self.wrong_type(item, "an expression in quotes", place);
        }
        text
    }

    /// The same for an entry of a list; nothing is reported.
    pub fn value_text<'d>(&self, value: &'d Value, place: Span) -> Option<Text<'d>> {
        let span = value_span(value, place);
        match value {
            Value::String(text) => Some(Text::toml(self.source, span, text.value())),
            Value::Integer(number) => Some(Text::rewritten(number.value().to_string(), span)),
            Value::Float(number) if number.value().is_finite() => {
                let raw = self.source.get(span.range()).unwrap_or("").replace('_', "");
                Some(Text::rewritten(raw, span))
            }
            _ => None,
        }
    }
}

/// Where an item stands.
pub fn item_span(item: &Item) -> Option<Span> {
    item.span().map(|span| Span::new(span.start, span.end))
}

/// Where an item stands; the beginning of the file for what was not read from one.
pub fn span_of(item: &Item) -> Span {
    span_in(Some(item))
}

/// The same of an item that may be missing.
pub fn span_in(item: Option<&Item>) -> Span {
    item.and_then(item_span).unwrap_or(Span::new(0, 0))
}

/// Where a value stands, or the place of what holds it.
pub fn value_span(value: &Value, fallback: Span) -> Span {
    value.span().map_or(fallback, |span| Span::new(span.start, span.end))
}

/// The type of a value, for messages.
pub fn value_kind(value: &Value) -> &'static str {
    match value {
        Value::Boolean(_) => "a truth value",
        Value::Datetime(_) => "a date",
        Value::String(_) => "a text",
        Value::Float(number) if !number.value().is_finite() => "an infinity",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::Array(_) => "a list",
        Value::InlineTable(_) => "a table",
    }
}

/// At most forty characters of a text, for messages.
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// The name of a file without folders and extension.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".toml").unwrap_or(name)
}
