//! Bytes → problem, or everything that is wrong with the file.

use isotrope_algebra::syntax::{Grammar, Span, is_name, is_reserved, nearest};
use isotrope_algebra::{Budget, ExprId};
use isotrope_model::Text;
use isotrope_model::document::FileKind;
use isotrope_model::file_errors::FileLabel;
use toml_edit::{Item, TableLike, Value};

use super::expressions::Expressions;
use super::{ProblemCode, ProblemFileError, ProblemText, Reporter};
use crate::construct::problem::{Draft, Problem, ProblemError, StructureFunction, StructureKind};
use crate::methods::table::file::{item_span, shorten, stem, value_kind, value_span};

const FILE: FileKind = FileKind {
    example: "groups = { x = [\"x1\", \"x2\"] }",
    too_large: "problems have at most 32 groups and 200 variables",
};

const KEYS: [&str; 10] = [
    "name",
    "description",
    "version",
    "parameters",
    "groups",
    "define",
    "rates",
    "structure",
    "balance",
    "manifold",
];

/// Operations for reading off dependencies and checking what is preserved.
const OPERATIONS: u64 = 200_000_000;

/// Reads a problem file: every error at once, or the problem, checked: what is to be preserved is
/// constant along solutions.
pub fn parse_problem(source: &ProblemText<'_>) -> Result<Problem, Vec<ProblemFileError>> {
    let mut reporter = Reporter::default();
    match build(source, &mut reporter) {
        Some(problem) if reporter.is_empty() => Ok(problem),
        _ => Err(reporter.finish()),
    }
}

fn build(source: &ProblemText<'_>, reporter: &mut Reporter) -> Option<Problem> {
    let (file, document) = reporter.open(source.bytes, FILE)?;
    let mut reader = Reader { file, reporter, expressions: Expressions::new(), places: Vec::new() };
    reader.problem(source.name, document.as_table())
}

pub(super) struct Reader<'r> {
    pub(super) file: &'r str,
    pub(super) reporter: &'r mut Reporter,
    pub(super) expressions: Expressions,
    /// Where each structure function stands.
    places: Vec<(String, Span)>,
}

impl<'r> Reader<'r> {
    fn problem(&mut self, file_name: &str, root: &dyn TableLike) -> Option<Problem> {
        for (key, item) in self.items(root) {
            let here = key.whole().span;
            if !KEYS.contains(&key.text.as_ref()) {
                let hint = match nearest(&key.text, KEYS) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("a problem file has {}", KEYS.join(", ")),
                };
                let message = format!("a problem file has no key `{}`", shorten(&key.text));
                let code = ProblemCode::UnknownKey;
                self.reporter.with(code, here, message, Some(hint), Vec::new());
            }
            if key.text == "version" && item.as_integer() != Some(1) {
                let span = item_span(item).unwrap_or(here);
                let message = "this program reads version 1 of the format";
                self.reporter.error(ProblemCode::Version, span, message);
            }
        }
        let mut draft = Draft {
            name: self.plain(root, "name").unwrap_or_else(|| stem(file_name).to_owned()),
            description: self.plain(root, "description"),
            ..Draft::default()
        };
        draft.parameters = self.parameters(root);
        self.groups(root, &mut draft);
        for (key, text) in self.texts(root, "define") {
            if let Some(value) = self.read(&text, Grammar::Expression) {
                self.declare(&key, value);
            }
        }
        self.rates(root, &mut draft);
        for (section, kind, grammar) in [
            ("manifold", StructureKind::Manifold, Grammar::Equation),
            ("structure", StructureKind::Invariant, Grammar::Expression),
        ] {
            for (key, text) in self.texts(root, section) {
                let name = key.text.to_string();
                self.place(&name, &key, text.whole().span);
                if let Some(expression) = self.read(&text, grammar) {
                    draft.structure.push(StructureFunction {
                        part: name.clone(),
                        name,
                        kind,
                        expression,
                    });
                }
            }
        }
        self.balances(root, &mut draft);
        if self.places.is_empty() && self.reporter.is_empty() {
            let message = "the problem has nothing to preserve";
            let hint = "write an invariant under [structure], a balance under [balance], or equations under [manifold]";
            let code = ProblemCode::MissingPart;
            self.reporter.with(code, Span::new(0, 0), message, Some(hint.into()), Vec::new());
        }
        if !self.reporter.is_empty() {
            return None;
        }
        draft.pool = std::mem::take(&mut self.expressions.pool);
        let finished = draft.finish(&mut Budget::new(OPERATIONS));
        finished.map_err(|error| self.refuse(&error)).ok()
    }

    /// What is wrong with the mathematics, at the place of the function.
    fn refuse(&mut self, error: &ProblemError) {
        let code = match error {
            ProblemError::NotInvariant { .. } => ProblemCode::NotInvariant,
            ProblemError::NotBalanced { .. } => ProblemCode::NotBalanced,
            ProblemError::NotTangent { .. } => ProblemCode::NotTangent,
            ProblemError::Manifold => ProblemCode::Manifold,
            ProblemError::Undecided { .. } => ProblemCode::Undecided,
            ProblemError::Time | ProblemError::NotMechanical | ProblemError::OutOfBudget(_) => {
                ProblemCode::TooLarge
            }
        };
        let named = |name: &str| self.places.iter().find(|(known, _)| known == name);
        // The equations of the manifold were read first.
        let place = error.function().map_or_else(|| self.places.first(), named);
        let place = place.map_or_else(Span::default, |(_, span)| *span);
        let hint = Some(error.hint().to_owned());
        self.reporter.with(code, place, error.to_string(), hint, Vec::new());
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
        self.reporter.error(ProblemCode::WrongType, span, message);
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

    pub(super) fn read(&mut self, text: &Text<'_>, grammar: Grammar) -> Option<ExprId> {
        self.expressions.read(text, grammar, self.reporter)
    }

    /// Is the text a name? Otherwise it is reported.
    pub(super) fn named(&mut self, text: &Text<'_>) -> bool {
        let good = is_name(&text.text) && !is_reserved(&text.text);
        if !good {
            let message = format!("`{}` is no name", shorten(&text.text));
            self.reporter.error(ProblemCode::BadName, text.whole().span, message);
        }
        good
    }

    /// Gives a name a meaning; errors are reported.
    pub(super) fn declare(&mut self, name: &Text<'_>, value: ExprId) -> bool {
        if !self.named(name) {
            return false;
        }
        let span = name.whole().span;
        let declared = self.expressions.declare(&name.text, value, span);
        if let Err(first) = declared {
            let message = format!("`{}` has two meanings", shorten(&name.text));
            let labels = vec![FileLabel { span: first, message: "the first is here".into() }];
            self.reporter.with(ProblemCode::RepeatedName, span, message, None, labels);
        }
        declared.is_ok()
    }

    /// Remembers where a structure function stands; two of one name are reported.
    pub(super) fn place(&mut self, name: &str, key: &Text<'_>, span: Span) {
        if let Some((_, first)) = self.places.iter().find(|(known, _)| known == name) {
            let message = format!("`{}` is to be preserved twice", shorten(name));
            let labels = vec![FileLabel { span: *first, message: "the first is here".into() }];
            let here = key.whole().span;
            self.reporter.with(ProblemCode::RepeatedName, here, message, None, labels);
        }
        self.places.push((name.to_owned(), span));
    }
}
