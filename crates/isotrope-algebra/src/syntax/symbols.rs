//! Reading an expression in which every name is a symbol: the printer's inverse.

use std::fmt::Write as _;

use super::lower::{LowerLimits, Reference, Resolution, Resolver, lower};
use super::parser::{Grammar, ParseLimits, parse};
use super::{LowerError, LowerErrorKind, SyntaxErrors};
use crate::Budget;
use crate::pool::{ExprId, Pool};

/// Why a text is not an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It does not follow the grammar.
    #[error(transparent)]
    Syntax(#[from] SyntaxErrors),
    /// It follows the grammar but means nothing.
    #[error("{0} at {start}..{end}", start = .0.span.start, end = .0.span.end)]
    Meaning(#[from] LowerError),
}

/// Operations after which a text is refused; only nested sums reach it.
const READ_BUDGET: u64 = 1 << 32;

/// Reads an expression; every name, with its indices and primes, becomes the symbol of
/// that very name. What the pool prints reads back as the same expression.
///
/// ```
/// use isotrope_algebra::{Pool, syntax::parse_expression};
/// let mut pool = Pool::new();
/// let read = parse_expression(&mut pool, "-x[3]'^2 + sum(i, 1, 2, i*θ)").unwrap();
/// let (velocity, theta) = (pool.symbol("x[3]'"), pool.symbol("θ"));
/// let (square, angles) = (pool.powi(velocity, 2), pool.integer(3));
/// let angles = pool.mul(angles, theta);
/// assert_eq!(read, pool.sub(angles, square));
/// ```
pub fn parse_expression(pool: &mut Pool, text: &str) -> Result<ExprId, ReadError> {
    read(pool, text, &LowerLimits::default())
}

pub(super) fn read(pool: &mut Pool, text: &str, limits: &LowerLimits) -> Result<ExprId, ReadError> {
    let tree = parse(text, Grammar::Expression, &[], &mut ParseLimits::default())?;
    let mut resolver = Symbols { name: String::new(), error: None };
    let mut budget = Budget::new(READ_BUDGET);
    let value = lower(&tree, &[], pool, &mut resolver, limits, &mut budget);
    value.ok_or_else(|| {
        ReadError::Meaning(
            resolver
                .error
                .unwrap_or(LowerError { span: tree.span(), kind: LowerErrorKind::Undefined }),
        )
    })
}

struct Symbols {
    name: String,
    error: Option<LowerError>,
}

impl Resolver for Symbols {
    type Wait = std::convert::Infallible;

    fn resolve(&mut self, pool: &mut Pool, reference: &Reference<'_>) -> Resolution<Self::Wait> {
        self.name.clear();
        self.name.push_str(reference.text);
        for (position, index) in reference.indices.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = write!(self.name, "{}{index}", if position == 0 { "[" } else { "," });
        }
        if !reference.indices.is_empty() {
            self.name.push(']');
        }
        self.name.extend((0..reference.primes).map(|_| '\''));
        Resolution::Value(pool.symbol(&self.name))
    }

    fn integer(&mut self, _: &mut Pool, reference: &Reference<'_>) -> Option<i64> {
        let kind = LowerErrorKind::IndexNotInteger;
        self.error.get_or_insert(LowerError { span: reference.span, kind });
        None
    }

    fn report(&mut self, error: LowerError) {
        self.error.get_or_insert(error);
    }
}
