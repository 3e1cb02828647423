//! The stack machine that lowers a tree. It can stop at a name and be continued later,
//! so definitions that use each other need no recursion either.

use super::lower::{LowerLimits, Reference, Resolution, Resolver};
use super::tree::{Kind, SyntaxNode, Tree};
use super::{Callee, LowerError, LowerErrorKind, Span};
use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, Rational};

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
            let too_large = budget.spend(1, "reading an expression").is_err();
            let step = if too_large {
                Err(LowerErrorKind::TooLarge(budget.spent()))
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
                    resolver.report(LowerError { span: node.span, kind });
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
        let value = match node.kind {
            Kind::Number(number) => {
                let value = self.tree.numbers.get(number as usize).cloned().unwrap_or_default();
                pool.number(value)
            }
            Kind::Pi => ExprId::PI,
            Kind::Undefined => ExprId::UNDEFINED,
            Kind::Binder(slot) => {
                let value = self.binders.get(usize::from(slot)).copied().unwrap_or_default();
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
                self.begin_loop();
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
        charge(pool, value, limits, budget)?;
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
            _ => power(pool, last, ExprId::HALF, limits, budget)?,
        })
    }

    /// The bounds are on the integer stack. An empty sum skips its body.
    fn begin_loop(&mut self) {
        let (last, from) = (self.integers.pop(), self.integers.pop());
        let (Some(last), Some(from)) = (last, from) else { return };
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

    fn take_index(&mut self, pool: &Pool, size: usize) -> Result<u32, LowerErrorKind> {
        let value = self.pop();
        pool.as_number(value)
            .and_then(Rational::as_integer)
            .and_then(|index| u32::try_from(index - 1).ok())
            .filter(|index| (*index as usize) < size)
            .ok_or(LowerErrorKind::SolveIndex)
    }

    fn take_values(&mut self, count: usize) -> Vec<ExprId> {
        let start = self.values.len().saturating_sub(count);
        self.values.drain(start..).map(|(value, _)| value).collect()
    }

    fn solve_dense(&mut self, size: usize, pool: &mut Pool) -> Result<ExprId, LowerErrorKind> {
        let component = self.take_index(pool, size)?;
        let right = self.take_values(size);
        let matrix = self.take_values(size * size);
        let entries: Vec<_> = matrix
            .iter()
            .enumerate()
            .map(|(k, entry)| ((k / size) as u32, (k % size) as u32, *entry))
            .collect();
        component_of(pool, &entries, &right, component)
    }

    fn solve_sparse(
        &mut self,
        size: usize,
        count: usize,
        pool: &mut Pool,
    ) -> Result<ExprId, LowerErrorKind> {
        let component = self.take_index(pool, size)?;
        let right = self.take_values(size);
        let mut entries = Vec::with_capacity(count);
        for _ in 0..count {
            let value = self.pop();
            let column = self.take_index(pool, size)?;
            let row = self.take_index(pool, size)?;
            entries.push((row, column, value));
        }
        // The declared size must be the length of the right side.
        if self.take_index(pool, size)? as usize + 1 != size {
            return Err(LowerErrorKind::SolveIndex);
        }
        entries.sort_unstable();
        if entries.windows(2).any(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            return Err(LowerErrorKind::SolveIndex);
        }
        component_of(pool, &entries, &right, component)
    }
}

fn component_of(
    pool: &mut Pool,
    entries: &[(u32, u32, ExprId)],
    right: &[ExprId],
    component: u32,
) -> Result<ExprId, LowerErrorKind> {
    let system = pool.system(entries, right);
    Ok(pool.solution(system, component))
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

/// Bits of the number that a factor contributes to a product.
fn coefficient_bits(pool: &Pool, factor: ExprId) -> u64 {
    let number = match pool.node(factor) {
        Node::Number(number) => Some(number),
        Node::Sum(terms) => pool.as_number(terms.get(0).1),
        _ => None,
    };
    // A bit less each, so that products of small numbers cost little.
    number.map_or(0, |number| number.bits().saturating_sub(1))
}

/// Refuses powers that would make huge numbers, and charges for roots of numbers,
/// which are factored by trial.
fn power(
    pool: &mut Pool,
    base: ExprId,
    exponent: ExprId,
    limits: &LowerLimits,
    budget: &mut Budget,
) -> Result<ExprId, LowerErrorKind> {
    if let Some(number) = pool.as_number(exponent) {
        let size = number.as_small().map(|(n, d)| n.unsigned_abs().max(d.unsigned_abs()));
        let integer = number.is_integer();
        let base_bits = coefficient_bits(pool, base);
        if size.is_none_or(|size| size > limits.exponent.unsigned_abs()) {
            return Err(LowerErrorKind::ExponentTooLarge(limits.exponent));
        }
        let whole = number.as_small().map_or(u64::MAX, |(n, d)| (n / d).unsigned_abs());
        if base_bits.saturating_mul(whole) > limits.number_bits {
            return Err(LowerErrorKind::NumberTooLarge(limits.number_bits));
        }
        if !integer && base_bits > 0 {
            let trials = 1u64 << (base_bits / 2).min(12);
            budget
                .spend(trials / 8, "taking a root")
                .map_err(|stop| LowerErrorKind::TooLarge(stop.limit))?;
        }
    }
    Ok(pool.power(base, exponent))
}

/// Charges for the size of a result and refuses numbers that grew too long.
fn charge(
    pool: &Pool,
    value: ExprId,
    limits: &LowerLimits,
    budget: &mut Budget,
) -> Result<(), LowerErrorKind> {
    let mut words = 0;
    let mut longest = 0;
    match pool.node(value) {
        Node::Number(number) => longest = number.bits(),
        Node::Sum(pairs) => {
            for (_, coefficient) in pairs.iter() {
                longest = longest.max(pool.as_number(coefficient).map_or(0, Rational::bits));
            }
            words = pairs.len() as u64;
        }
        Node::Product(pairs) => words = pairs.len() as u64,
        _ => {}
    }
    if longest > limits.number_bits {
        return Err(LowerErrorKind::NumberTooLarge(limits.number_bits));
    }
    budget
        .spend(words + longest / 64, "reading an expression")
        .map_err(|stop| LowerErrorKind::TooLarge(stop.limit))
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
