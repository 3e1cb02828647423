//! The formulas of a file, with the names they use.

use crate::Text;
use crate::file_errors::{FileLabel, FileReporter};
use isotrope_algebra::ExprId;
use isotrope_algebra::syntax::{Grammar, Span, Tree, is_name, is_reserved};
use toml_edit::{Array, TableLike};

use super::expressions::Expressions;
use super::{FormulaCode, TomlReader, shorten, value_kind, value_span};

/// A file with formulas that is being read.
pub struct FormulaReader<'r, C> {
    /// Its tree.
    pub toml: TomlReader<'r, C>,
    /// Its names and expressions.
    pub expressions: Expressions,
}

impl<'r, C: FormulaCode> FormulaReader<'r, C> {
    /// A reader of a text that reports what is wrong.
    pub fn new(source: &'r str, reporter: &'r mut FileReporter<C>) -> Self {
        Self { toml: TomlReader { source, reporter }, expressions: Expressions::new() }
    }

    /// Was nothing reported so far?
    pub fn is_clean(&self) -> bool {
        self.toml.reporter.is_empty()
    }

    /// Reports an error at a place.
    pub fn error(&mut self, code: C, span: Span, message: impl Into<String>) {
        self.toml.reporter.error(code, span, message);
    }

    /// An error with a hint of its own.
    pub fn hinted(
        &mut self,
        code: C,
        span: Span,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        self.toml.reporter.with(code, span, message, hint, Vec::new());
    }

    /// Reads an expression; errors are reported.
    pub fn read(&mut self, text: &Text<'_>) -> Option<ExprId> {
        self.expressions.read(text, Grammar::Expression, self.toml.reporter)
    }

    /// Reads an equation as left side minus right side; errors are reported.
    pub fn equation(&mut self, text: &Text<'_>) -> Option<ExprId> {
        self.expressions.read(text, Grammar::Equation, self.toml.reporter)
    }

    /// The tree of an expression; errors are reported.
    pub fn tree(&mut self, text: &Text<'_>) -> Option<Tree> {
        self.expressions.tree(text, Grammar::Expression, self.toml.reporter)
    }

    /// Is the text a name? Otherwise it is reported.
    pub fn named(&mut self, text: &Text<'_>) -> bool {
        let good = is_name(&text.text) && !is_reserved(&text.text);
        if !good {
            let message = format!("`{}` is not a name", shorten(&text.text));
            self.error(C::BAD_NAME, text.whole().span, message);
        }
        good
    }

    /// Gives a name a meaning; errors are reported.
    pub fn declare(&mut self, name: &Text<'_>, value: ExprId) -> bool {
        if !self.named(name) {
            return false;
        }
        let span = name.whole().span;
        let declared = self.expressions.declare(&name.text, value, span);
        if let Err(first) = declared {
            let message = format!("`{}` has two meanings", shorten(&name.text));
            let labels = vec![FileLabel { span: first, message: "the first is here".into() }];
            self.toml.reporter.with(C::REPEATED_NAME, span, message, None, labels);
        }
        declared.is_ok()
    }

    /// A list of names, each declared as a symbol; `what` they name is for messages.
    pub fn symbols(&mut self, list: &Array, what: &str, place: Span) -> Vec<(String, ExprId)> {
        let mut symbols = Vec::with_capacity(list.len());
        for value in list {
            let span = value_span(value, place);
            let Some(name) = value.as_str() else {
                let message = format!("{what} is wanted here, not {}", value_kind(value));
                self.error(C::WRONG_TYPE, span, message);
                continue;
            };
            let symbol = self.expressions.pool.symbol(name);
            if self.declare(&Text::toml(self.toml.source, span, name), symbol) {
                symbols.push((name.to_owned(), symbol));
            }
        }
        symbols
    }

    /// The section `parameters`: rational numbers, or symbols that stand for all values.
    pub fn parameters(&mut self, root: &dyn TableLike) -> Vec<(String, ExprId)> {
        let mut parameters = Vec::new();
        for (key, text) in self.toml.texts(root, "parameters") {
            let value = if text.text.trim() == "symbol" {
                self.expressions.pool.symbol(&key.text)
            } else {
                let Some(value) = self.read(&text) else { continue };
                if self.expressions.pool.as_number(value).is_none() {
                    let name = shorten(&key.text);
                    let message = format!("the value of `{name}` is not a rational number");
                    self.error(C::PARAMETER, text.whole().span, message);
                    continue;
                }
                value
            };
            if self.declare(&key, value) {
                parameters.push((key.text.to_string(), value));
            }
        }
        parameters
    }

    /// The section `define`: abbreviations, in the order of the file.
    pub fn definitions(&mut self, root: &dyn TableLike) {
        for (key, text) in self.toml.texts(root, "define") {
            if let Some(value) = self.read(&text) {
                self.declare(&key, value);
            }
        }
    }
}
