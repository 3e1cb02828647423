//! The expression pool: every expression is a node of one shared graph.
//!
//! Equal expressions get equal [`ExprId`]s (hash-consing), so equality is one integer
//! comparison and common subexpressions exist once. A node's children always have smaller
//! ids than the node, so ascending id order is a topological order: every algorithm here is
//! a loop over ids, never a recursion, and depth cannot overflow the stack.
//!
//! Constructors build canonical forms: sums as sorted lists of (term, rational coefficient),
//! products as sorted lists of (base, exponent), with coefficients only in sums. They do what is
//! cheap and always an improvement, and never expand. An unevaluated linear system is a node
//! (`System`) and its components are nodes (`Solution`), so a solve can stand inside an expression.
//!
//! Inside the pool the order is that of creation. For readers the printer ranks expressions again,
//! by a rule that depends on the mathematics only (`print/order.rs`).

mod build;
mod call;
mod roots;
#[cfg(test)]
mod tests;
mod walk;

use std::hash::Hasher;

use crate::OrInternal;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use crate::functions::Function;
use crate::number::Rational;

/// An expression; meaningless in any other pool than the one that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

/// A symbol; meaningless in any other pool than the one that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);

impl ExprId {
    /// The number 0.
    pub const ZERO: Self = Self(0);
    /// The number 1.
    pub const ONE: Self = Self(1);
    /// The number -1.
    pub const MINUS_ONE: Self = Self(2);
    /// The number 2.
    pub const TWO: Self = Self(3);
    /// The number 1/2.
    pub const HALF: Self = Self(4);
    /// The circle constant.
    pub const PI: Self = Self(5);
    /// What has no real value (1/0, log 0, ...); it absorbs everything built on it.
    pub const UNDEFINED: Self = Self(6);

    /// Position in the pool; ascending positions are a topological order.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Is it the number 0 (structurally)?
    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `start` is an index into `numbers`.
    Number,
    Pi,
    Undefined,
    /// `start` is an index into `symbols`.
    Symbol,
    /// Payload: term, coefficient, term, coefficient, ... (ascending terms).
    Sum,
    /// Payload: base, exponent, base, exponent, ... (ascending bases).
    Product,
    /// Payload: argument; the function is in the header.
    Call,
    /// Payload: y, x.
    Atan2,
    /// Payload: size, then (row, column, entry) triples, then the right-hand side.
    System,
    /// Payload: system, index.
    Solution,
}

#[derive(Debug, Clone, Copy)]
struct Header {
    kind: Kind,
    function: Function,
    start: u32,
    length: u32,
    hash: u32,
}

/// One node, seen from outside.
#[derive(Debug, Clone, Copy)]
pub enum Node<'a> {
    /// An exact rational number.
    Number(&'a Rational),
    /// The circle constant.
    Pi,
    /// What has no real value.
    Undefined,
    /// A symbol.
    Symbol(SymbolId),
    /// A linear combination. Terms are never sums, and never numbers except
    /// [`ExprId::ONE`], the constant part. A scaled expression is a sum of one term.
    Sum(Pairs<'a>),
    /// A product of powers, without numeric coefficient. A power is a product of one factor.
    Product(Pairs<'a>),
    /// A function of one argument.
    Call(Function, ExprId),
    /// The angle of the point (x, y), as `Atan2(y, x)`.
    Atan2(ExprId, ExprId),
    /// A linear system `A x = b`, kept unevaluated; only [`Node::Solution`] refers to it.
    System(System<'a>),
    /// Component `index` of the solution of a system.
    Solution {
        /// The system, a [`Node::System`].
        system: ExprId,
        /// Which unknown, from 0.
        index: u32,
    },
}

/// The (term, coefficient) pairs of a sum or the (base, exponent) pairs of a product.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'a>(&'a [u32]);

impl<'a> Pairs<'a> {
    /// Number of pairs.
    pub fn len(self) -> usize {
        self.0.len() / 2
    }

    /// Never true in a pool; here because `len` is.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Pair `k`: (term, coefficient) of a sum, (base, exponent) of a product.
    pub fn get(self, k: usize) -> (ExprId, ExprId) {
        (ExprId(self.0[2 * k]), ExprId(self.0[2 * k + 1]))
    }

    /// The pairs in canonical order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (ExprId, ExprId)> + Clone + 'a {
        self.0.chunks_exact(2).map(|pair| (ExprId(pair[0]), ExprId(pair[1])))
    }
}

/// An unevaluated square linear system.
#[derive(Debug, Clone, Copy)]
pub struct System<'a> {
    size: u32,
    entries: &'a [u32],
    right: &'a [u32],
}

impl<'a> System<'a> {
    /// Number of equations and unknowns.
    pub fn size(self) -> usize {
        self.size as usize
    }

    /// Nonzero entries (row, column, value), row by row.
    pub fn entries(self) -> impl ExactSizeIterator<Item = (u32, u32, ExprId)> + Clone + 'a {
        self.entries.chunks_exact(3).map(|entry| (entry[0], entry[1], ExprId(entry[2])))
    }

    /// The right-hand side.
    pub fn right(self) -> impl ExactSizeIterator<Item = ExprId> + Clone + 'a {
        self.right.iter().map(|&id| ExprId(id))
    }
}

/// The pool of expressions. All constructors bring their result to canonical form.
///
/// ```
/// use isotrope_algebra::Pool;
/// let mut pool = Pool::new();
/// let x = pool.symbol("x");
/// let y = pool.symbol("y");
/// let (a, b) = (pool.add(x, y), pool.add(y, x));
/// assert_eq!(a, b);
/// let difference = pool.sub(a, b);
/// assert!(difference.is_zero());
/// ```
#[derive(Debug, Clone)]
pub struct Pool {
    headers: Vec<Header>,
    payload: Vec<u32>,
    numbers: Vec<Rational>,
    number_ids: FxHashMap<Rational, ExprId>,
    symbols: Vec<Box<str>>,
    symbol_ids: FxHashMap<Box<str>, ExprId>,
    table: HashTable<u32>,
    walk: walk::Walk,
    scratch: Vec<(ExprId, ExprId)>,
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}

fn hash_of(kind: Kind, function: Function, payload: &[u32]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write_u32((kind as u32) << 8 | function as u32);
    for pair in payload.chunks(2) {
        hasher.write_u64(u64::from(pair[0]) << 32 | u64::from(*pair.get(1).unwrap_or(&0)));
    }
    (hasher.finish() >> 32) as u32 ^ hasher.finish() as u32
}

impl Pool {
    /// A pool that holds only the constants.
    pub fn new() -> Self {
        let mut pool = Self {
            headers: Vec::new(),
            payload: Vec::new(),
            numbers: Vec::new(),
            number_ids: FxHashMap::default(),
            symbols: Vec::new(),
            symbol_ids: FxHashMap::default(),
            table: HashTable::new(),
            walk: walk::Walk::default(),
            scratch: Vec::new(),
        };
        for value in [
            Rational::ZERO,
            Rational::ONE,
            Rational::integer(-1),
            Rational::integer(2),
            Rational::half(),
        ] {
            pool.number(value);
        }
        pool.push(Kind::Pi, Function::Sin, 0, 0, 0);
        pool.push(Kind::Undefined, Function::Sin, 0, 0, 0);
        pool
    }

    fn push(
        &mut self,
        kind: Kind,
        function: Function,
        start: u32,
        length: u32,
        hash: u32,
    ) -> ExprId {
        let id = self.headers.len() as u32;
        self.headers.push(Header { kind, function, start, length, hash });
        ExprId(id)
    }

    fn intern(&mut self, kind: Kind, function: Function, payload: &[u32]) -> ExprId {
        let hash = hash_of(kind, function, payload);
        let (headers, stored) = (&self.headers, &self.payload);
        let found = self.table.find(spread(hash), |&id| {
            let header = &headers[id as usize];
            header.hash == hash
                && header.kind == kind
                && header.function == function
                && &stored[header.start as usize..(header.start + header.length) as usize]
                    == payload
        });
        if let Some(&id) = found {
            return ExprId(id);
        }
        let start = self.payload.len() as u32;
        self.payload.extend_from_slice(payload);
        let id = self.push(kind, function, start, payload.len() as u32, hash);
        let headers = &self.headers;
        self.table.insert_unique(spread(hash), id.0, |&id| spread(headers[id as usize].hash));
        id
    }

    /// Number of nodes made so far.
    pub fn len(&self) -> usize {
        self.headers.len()
    }

    /// A pool is never empty: it holds the constants.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// A number.
    pub fn number(&mut self, value: Rational) -> ExprId {
        if let Some(&id) = self.number_ids.get(&value) {
            return id;
        }
        let index = self.numbers.len() as u32;
        self.numbers.push(value.clone());
        let id = self.push(Kind::Number, Function::Sin, index, 0, 0);
        self.number_ids.insert(value, id);
        id
    }

    /// An integer.
    pub fn integer(&mut self, value: i64) -> ExprId {
        self.number(Rational::integer(value))
    }

    /// `numerator / denominator`, undefined for a zero denominator.
    pub fn ratio(&mut self, numerator: i64, denominator: i64) -> ExprId {
        match Rational::new(numerator, denominator) {
            Some(value) => self.number(value),
            None => ExprId::UNDEFINED,
        }
    }

    /// The symbol with this name; the same one each time.
    pub fn symbol(&mut self, name: &str) -> ExprId {
        if let Some(&id) = self.symbol_ids.get(name) {
            return id;
        }
        let index = self.symbols.len() as u32;
        self.symbols.push(name.into());
        let id = self.push(Kind::Symbol, Function::Sin, index, 0, 0);
        self.symbol_ids.insert(name.into(), id);
        id
    }

    /// The symbol with this name, if the pool has it.
    pub fn find_symbol(&self, name: &str) -> Option<ExprId> {
        self.symbol_ids.get(name).copied()
    }

    /// The name of a symbol.
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol.0 as usize]
    }

    /// The name of an expression that is a symbol.
    pub fn name_of(&self, id: ExprId) -> Option<&str> {
        self.as_symbol(id).map(|symbol| self.symbol_name(symbol))
    }

    /// The name of a symbol; anything else has the number of its node for a name.
    pub fn label(&self, id: ExprId) -> String {
        self.name_of(id).map_or_else(|| format!("#{}", id.index()), str::to_owned)
    }

    /// The coefficient of a term of a sum, which is a number in every canonical form.
    pub fn coefficient(&self, id: ExprId) -> Rational {
        self.as_number(id).cloned().or_noticed("the coefficients of a canonical form are numbers")
    }

    /// The symbol that an expression is, if it is one.
    pub fn as_symbol(&self, id: ExprId) -> Option<SymbolId> {
        let header = &self.headers[id.index()];
        (header.kind == Kind::Symbol).then_some(SymbolId(header.start))
    }

    /// The number that an expression is, if it is one.
    pub fn as_number(&self, id: ExprId) -> Option<&Rational> {
        let header = &self.headers[id.index()];
        (header.kind == Kind::Number).then(|| &self.numbers[header.start as usize])
    }

    fn kind(&self, id: ExprId) -> Kind {
        self.headers[id.index()].kind
    }

    fn payload(&self, id: ExprId) -> &[u32] {
        let header = &self.headers[id.index()];
        &self.payload[header.start as usize..(header.start + header.length) as usize]
    }

    fn pair(&self, id: ExprId, k: usize) -> (ExprId, ExprId) {
        let start = self.headers[id.index()].start as usize + 2 * k;
        (ExprId(self.payload[start]), ExprId(self.payload[start + 1]))
    }

    fn pair_count(&self, id: ExprId) -> usize {
        self.headers[id.index()].length as usize / 2
    }

    /// The node behind an id.
    pub fn node(&self, id: ExprId) -> Node<'_> {
        let header = &self.headers[id.index()];
        match header.kind {
            Kind::Number => Node::Number(&self.numbers[header.start as usize]),
            Kind::Pi => Node::Pi,
            Kind::Undefined => Node::Undefined,
            Kind::Symbol => Node::Symbol(SymbolId(header.start)),
            Kind::Sum => Node::Sum(Pairs(self.payload(id))),
            Kind::Product => Node::Product(Pairs(self.payload(id))),
            Kind::Call => Node::Call(header.function, ExprId(self.payload(id)[0])),
            Kind::Atan2 => {
                let arguments = self.payload(id);
                Node::Atan2(ExprId(arguments[0]), ExprId(arguments[1]))
            }
            Kind::System => {
                let payload = self.payload(id);
                let size = payload[0];
                let (entries, right) = payload[1..].split_at(payload.len() - 1 - size as usize);
                Node::System(System { size, entries, right })
            }
            Kind::Solution => {
                let payload = self.payload(id);
                Node::Solution { system: ExprId(payload[0]), index: payload[1] }
            }
        }
    }

    /// Calls `visit` for every direct child (terms, coefficients, bases, exponents, ...).
    pub fn for_each_child(&self, id: ExprId, mut visit: impl FnMut(ExprId)) {
        match self.node(id) {
            Node::Number(_) | Node::Pi | Node::Undefined | Node::Symbol(_) => {}
            Node::Sum(pairs) | Node::Product(pairs) => {
                for &child in pairs.0 {
                    visit(ExprId(child));
                }
            }
            Node::Call(_, argument) => visit(argument),
            Node::Atan2(y, x) => {
                visit(y);
                visit(x);
            }
            Node::System(system) => {
                system.entries().for_each(|(_, _, entry)| visit(entry));
                system.right().for_each(visit);
            }
            Node::Solution { system, .. } => visit(system),
        }
    }

    /// The unevaluated solution of `A x = b`: one expression per unknown.
    ///
    /// `entries` are (row, column, value) of the square matrix `A`, zeros left out.
    /// Systems of size one are divided at once.
    pub fn solve_node(&mut self, entries: &[(u32, u32, ExprId)], right: &[ExprId]) -> Vec<ExprId> {
        let system = self.system(entries, right);
        (0..right.len() as u32).map(|index| self.solution(system, index)).collect()
    }

    /// The node of a linear system; [`Pool::solution`] takes its components.
    pub(crate) fn system(&mut self, entries: &[(u32, u32, ExprId)], right: &[ExprId]) -> ExprId {
        let mut entries: Vec<_> =
            entries.iter().filter(|entry| !entry.2.is_zero()).copied().collect();
        entries.sort_unstable();
        let undefined = |id: ExprId| id == ExprId::UNDEFINED;
        if right.iter().any(|&id| undefined(id)) || entries.iter().any(|entry| undefined(entry.2)) {
            return ExprId::UNDEFINED;
        }
        let mut payload = Vec::with_capacity(1 + 3 * entries.len() + right.len());
        payload.push(right.len() as u32);
        for (row, column, value) in entries {
            payload.extend([row, column, value.0]);
        }
        payload.extend(right.iter().map(|id| id.0));
        self.intern(Kind::System, Function::Sin, &payload)
    }

    /// Component `index` of an unevaluated system.
    pub(crate) fn solution(&mut self, system: ExprId, index: u32) -> ExprId {
        if let Node::System(parts) = self.node(system) {
            if parts.right().all(ExprId::is_zero) {
                return ExprId::ZERO;
            }
            if parts.size() == 1 {
                let right = parts.right().next().unwrap_or(ExprId::UNDEFINED);
                let entry = parts.entries().next().map_or(ExprId::ZERO, |entry| entry.2);
                return self.div(right, entry);
            }
        } else {
            return ExprId::UNDEFINED;
        }
        self.intern(Kind::Solution, Function::Sin, &[system.0, index])
    }
}

/// Spreads 32 stored hash bits over the 64 that the table reads (it uses the top 7 as tags).
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
