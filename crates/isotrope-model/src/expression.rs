//! Expressions of a model file: text, tree and place together.

use isotrope_algebra::syntax::{
    Grammar, LowerError, LowerErrorKind, ParseLimits, SyntaxError, SyntaxErrorKind, Tree, parse,
};

use crate::ModelCode;
use crate::diagnostics::Reporter;
use crate::text::Text;

/// An expression with the text it came from.
#[derive(Debug)]
pub(crate) struct Expression<'d> {
    pub(crate) text: Text<'d>,
    pub(crate) tree: Tree,
}

/// Reads an expression; errors are reported.
pub(crate) fn read_expression<'d>(
    text: Text<'d>,
    grammar: Grammar,
    binders: &[&str],
    limits: &mut ParseLimits,
    reporter: &mut Reporter,
) -> Option<Expression<'d>> {
    match parse(&text.text, grammar, binders, limits) {
        Ok(tree) => Some(Expression { text, tree }),
        Err(errors) => {
            for error in &errors.0 {
                report_syntax(&text, error, reporter);
            }
            None
        }
    }
}

pub(crate) fn report_syntax(text: &Text<'_>, error: &SyntaxError, reporter: &mut Reporter) {
    let code = match &error.kind {
        SyntaxErrorKind::ImplicitProduct { .. } => ModelCode::ImplicitProduct,
        SyntaxErrorKind::UnknownFunction(_) => ModelCode::UnknownFunction,
        SyntaxErrorKind::Arity { .. } | SyntaxErrorKind::BareFunction(_) => ModelCode::Arity,
        SyntaxErrorKind::InIndex(_) => ModelCode::IndexNotInteger,
        SyntaxErrorKind::TooDeep(_) => ModelCode::TooDeep,
        SyntaxErrorKind::TooLong => ModelCode::TooLarge,
        SyntaxErrorKind::TooManyDigits => ModelCode::NumberTooLong,
        _ => ModelCode::Syntax,
    };
    // An empty expression is shown by its quotes.
    let place = match error.kind {
        SyntaxErrorKind::Empty => text.whole(),
        _ => text.place(error.span),
    };
    let hint = error.hint.clone().or_else(|| way_out(&error.kind).map(str::to_owned));
    reporter.error(code, place, error.kind.to_string()).maybe_hint(hint);
}

/// What to do in a model file about an error that the grammar has no hint for.
fn way_out(kind: &SyntaxErrorKind) -> Option<&'static str> {
    Some(match kind {
        SyntaxErrorKind::TooManyDigits => "such a number is rarely meant; use fewer digits",
        SyntaxErrorKind::TooDeep(_) => "give the parts names under [define]",
        SyntaxErrorKind::TooLong => "indexed coordinates and sums describe large systems",
        SyntaxErrorKind::InIndex(_) => {
            "integers, integer parameters and summation indices may stand in an index"
        }
        SyntaxErrorKind::Equation => "write one side alone; equations go into [constraints]",
        SyntaxErrorKind::Empty => "write an expression between the quotes, or remove the line",
        _ => return None,
    })
}

pub(crate) fn report_lowering(text: &Text<'_>, error: &LowerError, reporter: &mut Reporter) {
    let (code, hint) = match &error.kind {
        LowerErrorKind::DivisionByZero
        | LowerErrorKind::NoValue(_)
        | LowerErrorKind::Undefined
        | LowerErrorKind::SolveIndex => {
            (ModelCode::Undefined, Some("this has no value whatever the coordinates are"))
        }
        LowerErrorKind::NumberTooLarge(_) => {
            (ModelCode::NumberTooLong, Some("such a number is rarely meant; is a power too large?"))
        }
        LowerErrorKind::ExponentTooLarge(_) => {
            (ModelCode::ExponentTooLarge, Some("is a power meant, or a product?"))
        }
        LowerErrorKind::IndexNotInteger => (
            ModelCode::IndexNotInteger,
            Some("integers, integer parameters and summation indices may stand in an index"),
        ),
        LowerErrorKind::TooLarge(_) => (
            ModelCode::TooLarge,
            Some("are the bounds of the sums and ranges what they should be?"),
        ),
    };
    reporter.error(code, text.place(error.span), error.kind.to_string()).maybe_hint(hint);
}
