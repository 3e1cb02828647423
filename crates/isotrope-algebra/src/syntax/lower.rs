//! [`Tree`] → pool: what names mean is the caller's business, the rest is here.

use super::machine::{Machine, Progress};
use super::tree::{NameId, Tree};
use super::{LowerError, Span};
use crate::Budget;
use crate::pool::{ExprId, Pool};

/// A use of a name: `x[3]'` with its indices evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Reference<'r> {
    /// Which name of the tree; lets a resolver look each name up once.
    pub name: NameId,
    /// Its text.
    pub text: &'r str,
    /// The indices; empty for a plain name.
    pub indices: &'r [i64],
    /// How many primes follow.
    pub primes: u8,
    /// Where it stands.
    pub span: Span,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution<W> {
    /// This expression.
    Value(ExprId),
    /// Something that must be lowered first; the machine stops and can be continued.
    Wait(W),
    /// Nothing; the resolver has recorded why. Lowering goes on to find more errors.
    Refused,
}

/// Gives names their meaning.
pub trait Resolver {
    /// What may have to be lowered before a reference can be resolved.
    type Wait;
    /// The expression behind a reference.
    fn resolve(&mut self, pool: &mut Pool, reference: &Reference<'_>) -> Resolution<Self::Wait>;
    /// The integer behind a name in an index or in the bounds of a sum; `None` if it
    /// was refused (and recorded).
    fn integer(&mut self, pool: &mut Pool, reference: &Reference<'_>) -> Option<i64>;
    /// Records an error that lowering itself found.
    fn report(&mut self, error: LowerError);
}

/// What may come out of lowering.
#[derive(Debug, Clone)]
pub struct LowerLimits {
    /// Bits of numerators and denominators.
    pub number_bits: u64,
    /// Size of constant exponents.
    pub exponent: i64,
    /// May the result be undefined?
    pub allow_undefined: bool,
}

impl Default for LowerLimits {
    /// Wide limits, for expressions that this program printed itself.
    fn default() -> Self {
        Self { number_bits: 1 << 24, exponent: i64::MAX, allow_undefined: true }
    }
}

/// Lowers a tree whose resolver never waits. An equation `a = b` becomes `a - b`.
///
/// `None` if anything was refused; the resolver knows what.
pub fn lower<R: Resolver>(
    tree: &Tree,
    binders: &[i64],
    pool: &mut Pool,
    resolver: &mut R,
    limits: &LowerLimits,
    budget: &mut Budget,
) -> Option<ExprId> {
    let mut machine = Machine::new(tree, binders);
    match machine.run(pool, resolver, limits, budget) {
        Progress::Done(value) => Some(value),
        Progress::Refused | Progress::Wait(_) => None,
    }
}
