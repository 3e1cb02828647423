//! Expressions of a file, with the names they may use.

use std::collections::BTreeMap;

use crate::Text;
use crate::file_errors::FileReporter;
use isotrope_algebra::syntax::{
    Grammar, LowerError, LowerErrorKind, LowerLimits, ParseLimits, Reference, Resolution, Resolver,
    Span, SyntaxErrorKind, Tree, lower, nearest, parse,
};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::{FormulaCode, shorten};

/// Operations for all expressions of a file together.
const OPERATIONS: u64 = 3_000_000;

/// The names of a file and what they stand for.
pub struct Expressions {
    pub pool: Pool,
    names: BTreeMap<String, (ExprId, Span)>,
    limits: ParseLimits,
    budget: Budget,
}

impl Expressions {
    pub(super) fn new() -> Self {
        Self {
            pool: Pool::new(),
            names: BTreeMap::new(),
            limits: ParseLimits { depth: 2_000, nodes: 1_000_000, digits: 100_000 },
            budget: Budget::new(OPERATIONS),
        }
    }

    /// Gives a name a meaning; the place of its first declaration if it has one already.
    pub(super) fn declare(&mut self, name: &str, value: ExprId, span: Span) -> Result<(), Span> {
        match self.names.get(name) {
            Some((_, first)) => Err(*first),
            None => {
                self.names.insert(name.to_owned(), (value, span));
                Ok(())
            }
        }
    }

    /// Reads an expression, or an equation as left side minus right side; errors are reported.
    pub(super) fn read<C: FormulaCode>(
        &mut self,
        text: &Text<'_>,
        grammar: Grammar,
        reporter: &mut FileReporter<C>,
    ) -> Option<ExprId> {
        let tree = self.tree(text, grammar, reporter)?;
        let limits = LowerLimits { number_bits: 1 << 13, exponent: 10_000, allow_undefined: false };
        let mut names = Names { names: &self.names, text, reporter };
        lower(&tree, &[], &mut self.pool, &mut names, &limits, &mut self.budget)
    }

    /// Reads the tree of an expression; errors are reported.
    pub(super) fn tree<C: FormulaCode>(
        &mut self,
        text: &Text<'_>,
        grammar: Grammar,
        reporter: &mut FileReporter<C>,
    ) -> Option<Tree> {
        match parse(&text.text, grammar, &[], &mut self.limits) {
            Ok(tree) => Some(tree),
            Err(errors) => {
                for error in errors.0 {
                    let span = match error.kind {
                        SyntaxErrorKind::Empty => text.whole().span,
                        _ => text.place(error.span).span,
                    };
                    let code = match error.kind {
                        SyntaxErrorKind::TooDeep(_)
                        | SyntaxErrorKind::TooLong
                        | SyntaxErrorKind::TooManyDigits => C::TOO_LARGE,
                        _ => C::SYNTAX,
                    };
                    reporter.with(code, span, error.kind.to_string(), error.hint, Vec::new());
                }
                None
            }
        }
    }
}

struct Names<'n, 't, 'r, C> {
    names: &'n BTreeMap<String, (ExprId, Span)>,
    text: &'t Text<'t>,
    reporter: &'r mut FileReporter<C>,
}

impl<C: FormulaCode> Resolver for Names<'_, '_, '_, C> {
    type Wait = std::convert::Infallible;

    fn resolve(&mut self, _: &mut Pool, reference: &Reference<'_>) -> Resolution<Self::Wait> {
        let plain = reference.indices.is_empty() && reference.primes == 0;
        match self.names.get(reference.text) {
            Some((value, _)) if plain => return Resolution::Value(*value),
            _ => {}
        }
        let span = self.text.place(reference.span).span;
        let (message, hint) = if !plain {
            let message = "names have no primes and no indices here".to_owned();
            (message, Some("give the variable a name of its own, such as v_x or x1".to_owned()))
        } else {
            let near = nearest(reference.text, self.names.keys().map(String::as_str));
            let message = format!("`{}` means nothing here", shorten(reference.text));
            (message, near.map(|near| format!("did you mean `{near}`?")))
        };
        self.reporter.with(C::UNKNOWN_NAME, span, message, hint, Vec::new());
        Resolution::Refused
    }

    fn integer(&mut self, _: &mut Pool, reference: &Reference<'_>) -> Option<i64> {
        let kind = LowerErrorKind::IndexNotInteger;
        self.report(LowerError { span: reference.span, kind });
        None
    }

    fn report(&mut self, error: LowerError) {
        let code = match error.kind {
            LowerErrorKind::NumberTooLarge(_)
            | LowerErrorKind::ExponentTooLarge(_)
            | LowerErrorKind::TooLarge(_) => C::TOO_LARGE,
            LowerErrorKind::IndexNotInteger => C::SYNTAX,
            _ => C::UNDEFINED,
        };
        self.reporter.error(code, self.text.place(error.span).span, error.kind.to_string());
    }
}
