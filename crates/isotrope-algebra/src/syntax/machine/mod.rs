//! The stack machine that lowers a tree. It can stop at a name and be continued later,
//! so definitions that use each other need no recursion either.

mod cost;
mod solve;

use self::cost::{charge, coefficient_bits, power};
use super::lower::{LowerLimits, Reference, Resolution, Resolver};
use super::tree::{Kind, SyntaxNode, Tree};
use super::{Callee, LowerError, LowerErrorKind, Span};
use crate::pool::{ExprId, Pool};
use crate::{Budget, OrInternal, Rational};

/// How far a machine came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<W> {
    /// The value of the tree.
    Done(ExprId),
    /// Something else must be lowered first; then run the machine again.
    Wait(W),
    /// Something was refused; the resolver knows what.
    Refused,
}

struct Loop {
    /// First node of the body.
    body: usize,
    /// The last value of the index.
    last: i64,
    /// The terms so far are the values from here on.
    base: usize,
}

/// The lowering of one tree in progress.
pub struct Machine<'t> {
    tree: &'t Tree,
    position: usize,
    /// Values with the sign they will have in the sum they belong to.
    values: Vec<(ExprId, ExprId)>,
    integers: Vec<i64>,
    binders: Vec<i64>,
    loops: Vec<Loop>,
    refused: bool,
}

/// What a new node of the pool costs, in memory and time, against a step that makes none.
const NODE_COST: u64 = 3;

/// Numbers in one sum may have denominators of this many bits together.
const SUM_BITS: u64 = 1 << 20;

impl<'t> Machine<'t> {
    /// A machine at the beginning of a tree, with the values of the caller's binders.
    pub fn new(tree: &'t Tree, binders: &[i64]) -> Self {
        debug_assert_eq!(binders.len(), usize::from(tree.outer_binders));
        Self {
            tree,
            position: 0,
            values: Vec::with_capacity(16),
            integers: Vec::new(),
            binders: binders.to_vec(),
            loops: Vec::new(),
            refused: false,
        }
    }

    /// Runs until the end or until a name has to wait.
    pub fn run<R: Resolver>(
        &mut self,
        pool: &mut Pool,
        resolver: &mut R,
        limits: &LowerLimits,
        budget: &mut Budget,
    ) -> Progress<R::Wait> {
        while let Some(node) = self.tree.nodes.get(self.position) {
            let stop = budget.spend(1, "reading an expression").err();
            let too_large = stop.is_some();
            let step = if let Some(stop) = stop {
                Err(LowerErrorKind::TooLarge(stop.limit))
            } else if node.index && !matches!(node.kind, Kind::SumBegin(_)) {
                self.integer_step(node, pool, resolver)
            } else {
                match self.step(node, pool, resolver, limits, budget) {
                    Ok(Some(wait)) => return Progress::Wait(wait),
                    Ok(None) => Ok(()),
                    Err(kind) => Err(kind),
                }
            };
            if let Err(kind) = step {
                // One cause is enough; what follows from it would only be noise.
                if !self.refused || too_large {
                    let span = match kind {
                        LowerErrorKind::TooLarge(_) => self.outermost_loop().unwrap_or(node.span),
                        _ => node.span,
                    };
                    resolver.report(LowerError { span, kind });
                }
                return Progress::Refused;
            }
            self.position += 1;
        }
        match self.values.as_slice() {
            _ if self.refused => Progress::Refused,
            [(value, _)] => Progress::Done(*value),
            // A tree of the index grammar leaves one integer.
            [] => match self.integers.first() {
                Some(value) => Progress::Done(pool.integer(*value)),
                None => Progress::Refused,
            },
            _ => Progress::Refused,
        }
    }

    fn reference<'r>(
        &'r self,
        node: &SyntaxNode,
        name: super::NameId,
        indices: usize,
        primes: u8,
    ) -> Reference<'r>
    where
        't: 'r,
    {
        let start = self.integers.len().saturating_sub(indices);
        Reference {
            name,
            text: self.tree.name(name),
            indices: self.integers.get(start..).unwrap_or(&[]),
            primes,
            span: node.span,
        }
    }

    /// The bound of the outermost sum that is running: why an expression is too large.
    fn outermost_loop(&self) -> Option<Span> {
        let begin = self.loops.first()?.body.checked_sub(1)?;
        self.tree.nodes.get(begin).map(|node| node.span)
    }

    fn push(&mut self, value: ExprId) {
        self.values.push((value, ExprId::ONE));
    }

    fn pop(&mut self) -> ExprId {
        self.values.pop().map_or(ExprId::UNDEFINED, |(value, _)| value)
    }

    /// One node of integer arithmetic.
    fn integer_step<R: Resolver>(
        &mut self,
        node: &SyntaxNode,
        pool: &mut Pool,
        resolver: &mut R,
    ) -> Result<(), LowerErrorKind> {
        let wrong = LowerErrorKind::IndexNotInteger;
        let value = match node.kind {
            Kind::Number(number) => self
                .tree
                .numbers
                .get(number as usize)
                .and_then(Rational::as_integer)
                .ok_or(wrong)?,
            Kind::Binder(slot) => self.binders.get(usize::from(slot)).copied().ok_or(wrong)?,
            Kind::Name { name, primes } => {
                let reference = self.reference(node, name, 0, primes);
                match resolver.integer(pool, &reference) {
                    Some(value) => value,
                    None => {
                        self.refused = true;
                        return Err(wrong);
                    }
                }
            }
            Kind::Negate | Kind::Subtract => {
                self.integers.pop().and_then(i64::checked_neg).ok_or(wrong)?
            }
            // Division waits for its product: (i*(i+1))/2 is an integer although 1/2 is not.
            Kind::Divide => return Ok(()),
            Kind::Sum(count) => {
                let terms = self.take_integers(count);
                terms.iter().try_fold(0i64, |sum, term| sum.checked_add(*term)).ok_or(wrong)?
            }
            Kind::Product(count) => self.integer_product(count).ok_or(wrong)?,
            Kind::Power => {
                let (exponent, base) = (self.integers.pop(), self.integers.pop());
                base.zip(exponent.and_then(|e| u32::try_from(e).ok()))
                    .and_then(|(base, exponent)| base.checked_pow(exponent))
                    .ok_or(wrong)?
            }
            _ => return Err(wrong),
        };
        self.integers.push(value);
        Ok(())
    }

    fn take_integers(&mut self, count: u32) -> Vec<i64> {
        let start = self.integers.len().saturating_sub(count as usize);
        self.integers.split_off(start)
    }

    fn integer_product(&mut self, count: u32) -> Option<i64> {
        let factors = self.take_integers(count);
        // Which factors divide is in the tree: walk the children backwards.
        let mut end = self.position;
        let mut product = Rational::ONE;
        for factor in factors.iter().rev() {
            let child = self.tree.nodes.get(end.checked_sub(1)?)?;
            let factor = Rational::integer(*factor);
            product = match child.kind {
                Kind::Divide => product.checked_div(&factor)?,
                _ => product * factor,
            };
            end = child.first.index();
        }
        product.as_integer()
    }

    /// One node of an expression.
    fn step<R: Resolver>(
        &mut self,
        node: &SyntaxNode,
        pool: &mut Pool,
        resolver: &mut R,
        limits: &LowerLimits,
        budget: &mut Budget,
    ) -> Result<Option<R::Wait>, LowerErrorKind> {
        let before = pool.len();
        let value = match node.kind {
            Kind::Number(number) => {
                let value = self.tree.numbers.get(number as usize).cloned();
                let value = value.or_noticed("a tree has the numbers it refers to");
                pool.number(value)
            }
            Kind::Pi => ExprId::PI,
            Kind::Undefined => ExprId::UNDEFINED,
            Kind::Binder(slot) => {
                let value = self.binders.get(usize::from(slot)).copied();
                let value = value.or_noticed("an index has a value where it is used");
                pool.integer(value)
            }
            Kind::Name { name, primes } => {
                let reference = self.reference(node, name, 0, primes);
                match resolver.resolve(pool, &reference) {
                    Resolution::Value(value) => value,
                    Resolution::Wait(wait) => return Ok(Some(wait)),
                    Resolution::Refused => {
                        self.refused = true;
                        ExprId::ONE
                    }
                }
            }
            Kind::Indexed { name, indices, primes } => {
                let reference = self.reference(node, name, indices.into(), primes);
                let resolution = resolver.resolve(pool, &reference);
                if let Resolution::Wait(wait) = resolution {
                    return Ok(Some(wait));
                }
                self.take_integers(indices.into());
                match resolution {
                    Resolution::Value(value) => value,
                    _ => {
                        self.refused = true;
                        ExprId::ONE
                    }
                }
            }
            Kind::Subtract => {
                if let Some(top) = self.values.last_mut() {
                    top.1 = ExprId::MINUS_ONE;
                }
                return Ok(None);
            }
            Kind::Negate => {
                let value = self.pop();
                pool.neg(value)
            }
            Kind::Divide => {
                let value = self.pop();
                pool.power(value, ExprId::MINUS_ONE)
            }
            Kind::Sum(count) => self.finish_sum(count as usize, pool)?,
            Kind::Product(count) => self.product(count as usize, pool, limits)?,
            Kind::Power => {
                let (exponent, base) = (self.pop(), self.pop());
                power(pool, base, exponent, limits, budget)?
            }
            Kind::Call(callee) => self.call(callee, pool, limits, budget)?,
            Kind::SumBegin(_) => {
                self.begin_loop(budget)?;
                return Ok(None);
            }
            Kind::SumEnd(_) => match self.end_loop(pool)? {
                Some(value) => value,
                None => return Ok(None),
            },
            Kind::List(_) => return Ok(None),
            Kind::SolveDense(size) => self.solve_dense(size as usize, pool)?,
            Kind::SolveSparse { size, entries } => {
                self.solve_sparse(size as usize, entries as usize, pool)?
            }
            Kind::Equation => {
                let (right, left) = (self.pop(), self.pop());
                pool.sub(left, right)
            }
        };
        if value == ExprId::UNDEFINED && !limits.allow_undefined {
            return Err(undefined_at(node.kind));
        }
        let grown = (pool.len() - before) as u64;
        charge(pool, value, NODE_COST * grown, limits, budget)?;
        self.push(value);
        Ok(None)
    }

    fn finish_sum(&mut self, count: usize, pool: &mut Pool) -> Result<ExprId, LowerErrorKind> {
        let start = self.values.len().saturating_sub(count);
        let terms = self.values.get(start..).unwrap_or(&[]);
        let mut bits = 0;
        for (term, _) in terms {
            if let Some(number) = pool.as_number(*term).filter(|number| !number.is_integer()) {
                bits += number.bits();
            }
        }
        if bits > SUM_BITS {
            return Err(LowerErrorKind::NumberTooLarge(SUM_BITS));
        }
        let sum = pool.sum_of_scaled(terms);
        self.values.truncate(start);
        Ok(sum)
    }

    fn product(
        &mut self,
        count: usize,
        pool: &mut Pool,
        limits: &LowerLimits,
    ) -> Result<ExprId, LowerErrorKind> {
        let start = self.values.len().saturating_sub(count);
        let factors: smallvec::SmallVec<[ExprId; 8]> =
            self.values.drain(start..).map(|(value, _)| value).collect();
        let bits: u64 = factors.iter().map(|factor| coefficient_bits(pool, *factor)).sum();
        if bits > limits.number_bits {
            return Err(LowerErrorKind::NumberTooLarge(limits.number_bits));
        }
        Ok(pool.product(&factors))
    }

    fn call(
        &mut self,
        callee: Callee,
        pool: &mut Pool,
        limits: &LowerLimits,
        budget: &mut Budget,
    ) -> Result<ExprId, LowerErrorKind> {
        let last = self.pop();
        Ok(match (callee, callee.function()) {
            (_, Some(function)) => pool.call(function, last),
            (Callee::Atan2, _) => {
                let y = self.pop();
                pool.atan2(y, last)
            }
            (Callee::Max, _) => {
                let first = self.pop();
                pool.larger(first, last)
            }
            (Callee::Min, _) => {
                let first = self.pop();
                pool.smaller(first, last)
            }
            (Callee::Clip, _) => {
                let (low, x) = (self.pop(), self.pop());
                pool.clipped(x, low, last)
            }
            _ => power(pool, last, ExprId::HALF, limits, budget)?,
        })
    }

    /// The bounds are on the integer stack. An empty sum skips its body.
    fn begin_loop(&mut self, budget: &Budget) -> Result<(), LowerErrorKind> {
        let (last, from) = (self.integers.pop(), self.integers.pop());
        let (Some(last), Some(from)) = (last, from) else {
            return Err(LowerErrorKind::IndexNotInteger);
        };
        // Hopeless sums are refused before they are begun.
        if last.saturating_sub(from) > i64::try_from(budget.left()).unwrap_or(i64::MAX) {
            return Err(LowerErrorKind::TooLarge(budget.spent().saturating_add(budget.left())));
        }
        let base = self.values.len();
        self.loops.push(Loop { body: self.position + 1, last, base });
        self.binders.push(from);
        if from > last {
            // Jump to just before the end of this sum; `end_loop` sees that there is nothing.
            let mut depth = 0usize;
            while let Some(next) = self.tree.nodes.get(self.position + 1) {
                match next.kind {
                    Kind::SumBegin(_) => depth += 1,
                    Kind::SumEnd(_) if depth == 0 => break,
                    Kind::SumEnd(_) => depth -= 1,
                    _ => {}
                }
                self.position += 1;
            }
        }
        Ok(())
    }

    /// The body has been lowered once more: goes round again, or returns the sum.
    fn end_loop(&mut self, pool: &mut Pool) -> Result<Option<ExprId>, LowerErrorKind> {
        let Some(current) = self.loops.last() else { return Err(LowerErrorKind::Undefined) };
        let (body, last, base) = (current.body, current.last, current.base);
        if let Some(binder) = self.binders.last_mut()
            && *binder < last
            && !self.refused
        {
            *binder += 1;
            // The main loop steps on by one.
            self.position = body - 1;
            return Ok(None);
        }
        self.loops.pop();
        self.binders.pop();
        self.finish_sum(self.values.len() - base, pool).map(Some)
    }
}

fn undefined_at(kind: Kind) -> LowerErrorKind {
    match kind {
        Kind::Divide => LowerErrorKind::DivisionByZero,
        Kind::Power => LowerErrorKind::NoValue("^"),
        Kind::Call(callee) => LowerErrorKind::NoValue(callee.name()),
        Kind::SolveDense(_) | Kind::SolveSparse { .. } => LowerErrorKind::NoValue("solve"),
        _ => LowerErrorKind::Undefined,
    }
}

impl std::fmt::Debug for Machine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine")
            .field("position", &self.position)
            .field("of", &self.tree.nodes.len())
            .field("at", &self.tree.nodes.get(self.position).map_or(Span::default(), |n| n.span))
            .finish()
    }
}
