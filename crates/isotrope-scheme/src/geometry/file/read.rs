//! Bytes → geometric object, or everything that is wrong with the file.

use isotrope_algebra::ExprId;
use isotrope_algebra::syntax::{Span, is_name, is_reserved, nearest};
use isotrope_model::Text;
use isotrope_model::document::FileKind;
use isotrope_model::file_errors::FileLabel;
use toml_edit::{Item, TableLike, Value};

use super::expressions::Expressions;
use super::{
    GeometryCode, GeometryFile, GeometryFileError, GeometryObject, GeometryText, PlacedTree,
    Reporter,
};
use crate::methods::table::file::{item_span, shorten, stem, value_kind, value_span};

const FILE: FileKind = FileKind {
    example: "\"x,y\" = \"z\"",
    too_large: "geometry files have at most 64 coordinates",
};

/// The sections with objects.
const OBJECTS: [&str; 6] =
    ["bivector", "two_form", "distribution", "dirac", "lie_algebra", "graded"];

const KEYS: [&str; 12] = [
    "name",
    "description",
    "version",
    "coordinates",
    "parameters",
    "define",
    "bivector",
    "two_form",
    "distribution",
    "dirac",
    "lie_algebra",
    "graded",
];

/// Does the text look like a geometry file, and not like a model? Files that are neither are
/// read as models.
pub fn is_geometry(bytes: &[u8]) -> bool {
    let mut reporter = Reporter::default();
    reporter.open(bytes, FILE).is_some_and(|(_, document)| {
        let root = document.as_table();
        let model = ["lagrangian", "hamiltonian"].iter().any(|key| root.contains_key(key));
        !model && OBJECTS.iter().any(|key| root.contains_key(key))
    })
}

/// Reads a geometry file: every error at once, or the object.
pub fn parse_geometry(source: &GeometryText<'_>) -> Result<GeometryFile, Vec<GeometryFileError>> {
    let mut reporter = Reporter::default();
    match build(source, &mut reporter) {
        Some(file) if reporter.is_empty() => Ok(file),
        _ => Err(reporter.finish()),
    }
}

fn build(source: &GeometryText<'_>, reporter: &mut Reporter) -> Option<GeometryFile> {
    let (file, document) = reporter.open(source.bytes, FILE)?;
    let mut reader = Reader { file, reporter, expressions: Expressions::new() };
    reader.file(source.name, document.as_table())
}

pub(super) struct Reader<'r> {
    pub(super) file: &'r str,
    pub(super) reporter: &'r mut Reporter,
    pub(super) expressions: Expressions,
}

impl Reader<'_> {
    fn file(&mut self, file_name: &str, root: &dyn TableLike) -> Option<GeometryFile> {
        for (key, item) in self.items(root) {
            let here = key.whole().span;
            self.known(&key, &KEYS, "a geometry file");
            if key.text == "version" && item.as_integer() != Some(1) {
                let span = item_span(item).unwrap_or(here);
                let message = "this program reads version 1 of the format";
                self.reporter.error(GeometryCode::Version, span, message);
            }
        }
        let name = self.plain(root, "name").unwrap_or_else(|| stem(file_name).to_owned());
        let description = self.plain(root, "description");
        let object = self.object(root);
        if !self.reporter.is_empty() {
            return None;
        }
        let pool = std::mem::take(&mut self.expressions.pool);
        Some(GeometryFile { name, description, pool, object: object? })
    }

    fn object(&mut self, root: &dyn TableLike) -> Option<GeometryObject> {
        let given: Vec<&str> = OBJECTS.into_iter().filter(|key| root.contains_key(key)).collect();
        let constants = self.parameters(root);
        match given[..] {
            ["lie_algebra"] => return self.lie_algebra(root),
            ["graded"] => return self.graded(root, constants),
            ["bivector" | "two_form" | "distribution" | "dirac"] | ["two_form", "distribution"] => {
            }
            [] => {
                let message = "the file has no geometric object";
                self.reporter.error(GeometryCode::Object, Span::new(0, 0), message);
                return None;
            }
            [first, second, ..] => {
                let message = format!("[{first}] and [{second}] do not belong together");
                let span = root.get(second).and_then(item_span).unwrap_or_default();
                self.reporter.error(GeometryCode::Object, span, message);
                return None;
            }
            [_] => return None,
        }
        let base = self.coordinates(root)?;
        for (key, text) in self.texts(root, "define") {
            if let Some(value) = self.expressions.read(&text, self.reporter) {
                self.declare(&key, value);
            }
        }
        match given[..] {
            ["bivector"] => {
                let matrix = self.pairs(root, "bivector", &base)?;
                Some(GeometryObject::Bivector { base, matrix })
            }
            ["two_form"] => {
                let matrix = self.pairs(root, "two_form", &base)?;
                Some(GeometryObject::TwoForm { base, matrix })
            }
            ["dirac"] => self.dirac(root, base),
            _ => self.distribution(root, base),
        }
    }

    /// Reports a key that is not one of those known.
    pub(super) fn known(&mut self, key: &Text<'_>, keys: &[&str], whose: &str) -> bool {
        let good = keys.contains(&key.text.as_ref());
        if !good {
            let hint = match nearest(&key.text, keys.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("{whose} has {}", keys.join(", ")),
            };
            let message = format!("{whose} has no key `{}`", shorten(&key.text));
            let span = key.whole().span;
            self.reporter.with(GeometryCode::UnknownKey, span, message, Some(hint), Vec::new());
        }
        good
    }

    /// The entries of a table with the places of their keys, in the order of the file.
    pub(super) fn items<'d>(&self, table: &'d dyn TableLike) -> Vec<(Text<'d>, &'d Item)> {
        table
            .iter()
            .filter_map(|(key, _)| table.get_key_value(key))
            .map(|(key, item)| {
                let span = key.span().map(|span| Span::new(span.start, span.end));
                let span = span.or_else(|| item_span(item)).unwrap_or_default();
                (Text::toml(self.file, span, key.get()), item)
            })
            .collect()
    }

    pub(super) fn wrong_type(&mut self, item: &Item, wanted: &str, place: Span) {
        let found = match item {
            Item::Value(value) => value_kind(value),
            Item::ArrayOfTables(_) => "a list of tables",
            _ => "a table",
        };
        let span = item_span(item).unwrap_or(place);
        let message = format!("{wanted} is wanted here, not {found}");
        self.reporter.error(GeometryCode::WrongType, span, message);
    }

    fn plain(&mut self, root: &dyn TableLike, key: &str) -> Option<String> {
        let item = root.get(key)?;
        let text = item.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(item, &format!("a text for `{key}`"), Span::default());
        }
        text
    }

    /// The entries of a section, if there is one.
    pub(super) fn section<'d>(
        &mut self,
        root: &'d dyn TableLike,
        key: &str,
    ) -> Vec<(Text<'d>, &'d Item)> {
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
    pub(super) fn texts<'d>(
        &mut self,
        root: &'d dyn TableLike,
        key: &str,
    ) -> Vec<(Text<'d>, Text<'d>)> {
        let mut texts = Vec::new();
        for (key, item) in self.section(root, key) {
            if let Some(text) = self.text(item, key.whole().span) {
                texts.push((key, text));
            }
        }
        texts
    }

    /// An integer, a decimal (exact as written), or an expression in quotes.
    pub(super) fn text<'d>(&mut self, item: &'d Item, place: Span) -> Option<Text<'d>> {
        let Some(value) = item.as_value() else {
            self.wrong_type(item, "an expression in quotes", place);
            return None;
        };
        let span = value_span(value, place);
        match value {
            Value::String(text) => Some(Text::toml(self.file, span, text.value())),
            Value::Integer(number) => Some(Text::rewritten(number.value().to_string(), span)),
            Value::Float(number) if number.value().is_finite() => {
                let raw = self.file.get(span.range()).unwrap_or("").replace('_', "");
                Some(Text::rewritten(raw, span))
            }
            _ => {
                self.wrong_type(item, "an expression in quotes", place);
                None
            }
        }
    }

    /// The tree of a graded expression, with the places of its parts.
    pub(super) fn placed(&mut self, text: &Text<'_>) -> Option<PlacedTree> {
        let tree = self.expressions.tree(text, self.reporter)?;
        let spans = tree.nodes().iter().map(|node| (node.span, text.place(node.span).span));
        Some(PlacedTree { spans: spans.collect(), place: text.whole().span, tree })
    }

    /// Gives a name a meaning; errors are reported.
    pub(super) fn declare(&mut self, name: &Text<'_>, value: ExprId) -> bool {
        let span = name.whole().span;
        if !is_name(&name.text) || is_reserved(&name.text) {
            let message = format!("`{}` is no name", shorten(&name.text));
            self.reporter.error(GeometryCode::BadName, span, message);
            return false;
        }
        let declared = self.expressions.declare(&name.text, value, span);
        if let Err(first) = declared {
            let message = format!("`{}` has two meanings", shorten(&name.text));
            let labels = vec![FileLabel { span: first, message: "the first is here".into() }];
            self.reporter.with(GeometryCode::RepeatedName, span, message, None, labels);
        }
        declared.is_ok()
    }
}
