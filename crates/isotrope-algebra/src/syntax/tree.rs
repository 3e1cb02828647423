//! The syntax tree: one flat array in postfix order.

use std::fmt::{self, Write as _};

use super::{Callee, Span};
use crate::Rational;

/// A node of one [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

/// A name of one [`Tree`]; equal texts have equal ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(super) u32);

impl NodeId {
    /// Position in [`Tree::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl NameId {
    /// Position in [`Tree::names`]: names are numbered in the order they first appear.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is. Children stand before their parent, so a subtree is a contiguous range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An exact literal: a position in the tree's table of numbers.
    Number(u32),
    /// π.
    Pi,
    /// The word `undefined`.
    Undefined,
    /// A name with primes: `x`, `x'`.
    Name {
        /// Which name.
        name: NameId,
        /// How many primes follow.
        primes: u8,
    },
    /// A name with indices and primes: `x[i-1]'`. Children: the indices.
    Indexed {
        /// Which name.
        name: NameId,
        /// How many indices.
        indices: u8,
        /// How many primes follow.
        primes: u8,
    },
    /// A summation index, or one that the caller declared; counted from the outermost.
    Binder(u16),
    /// `-a`.
    Negate,
    /// A term of a sum that is subtracted: the `- b` of `a - b`.
    Subtract,
    /// A factor of a product that divides: the `/ b` of `a / b`.
    Divide,
    /// A sum of that many terms.
    Sum(u32),
    /// A product of that many factors.
    Product(u32),
    /// `base ^ exponent`.
    Power,
    /// A function of its arguments.
    Call(Callee),
    /// The bounds of `sum(i, from, to, …)` are complete, its body follows.
    SumBegin(u16),
    /// `sum(i, from, to, body)`; the payload is the position of its [`Kind::SumBegin`].
    SumEnd(u32),
    /// `[a, b, …]` or `{a, b, …}`, only inside `solve`.
    List(u32),
    /// A component of a linear solve written densely: `solve([[…]], […], k)`, of that size.
    SolveDense(u32),
    /// The same with the nonzero entries listed: `solve(n, {{row, column, entry}, …}, […], k)`.
    SolveSparse {
        /// Number of unknowns.
        size: u32,
        /// Number of entries.
        entries: u32,
    },
    /// `left = right`; only at the root.
    Equation,
}

/// One node: what it is, where it is, and where its subtree begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxNode {
    /// What it is.
    pub kind: Kind,
    /// Is it part of an index, where arithmetic is on integers?
    pub index: bool,
    /// Where it is in the text.
    pub span: Span,
    /// The first node of its subtree (itself, if it is a leaf).
    pub first: NodeId,
}

/// The syntax tree of one expression.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    pub(super) nodes: Vec<SyntaxNode>,
    pub(super) names: Vec<String>,
    pub(super) numbers: Vec<Rational>,
    /// Names of the binders, outermost first, one for each slot ever used at that depth.
    pub(super) outer_binders: u16,
}

impl Tree {
    /// All nodes, children before parents; the root is last.
    pub fn nodes(&self) -> &[SyntaxNode] {
        &self.nodes
    }

    /// The names that occur, each once.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The text of a name.
    pub fn name(&self, name: NameId) -> &str {
        self.names.get(name.index()).map_or("", String::as_str)
    }

    /// The literals that occur.
    pub fn numbers(&self) -> &[Rational] {
        &self.numbers
    }

    /// Is it an equation?
    pub fn is_equation(&self) -> bool {
        matches!(self.nodes.last(), Some(SyntaxNode { kind: Kind::Equation, .. }))
    }

    /// The span of the whole tree.
    pub fn span(&self) -> Span {
        self.nodes.last().map_or_else(Span::default, |node| node.span)
    }

    /// The name, if the tree is nothing but a name without primes.
    pub fn as_bare_name(&self) -> Option<&str> {
        match self.nodes.as_slice() {
            [SyntaxNode { kind: Kind::Name { name, primes: 0 }, .. }] => Some(self.name(*name)),
            _ => None,
        }
    }
}

impl fmt::Display for Tree {
    /// Fully parenthesised text that reads back as the same tree.
    ///
    /// Binders are printed as `i0`, `i1`, … by depth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stack: Vec<String> = Vec::new();
        for node in &self.nodes {
            let text = self.show(node, &mut stack)?;
            stack.push(text);
        }
        f.write_str(stack.last().map_or("", String::as_str))
    }
}

impl Tree {
    fn show(&self, node: &SyntaxNode, stack: &mut Vec<String>) -> Result<String, fmt::Error> {
        let mut take = |count: usize| stack.split_off(stack.len().saturating_sub(count));
        let mut text = String::new();
        match node.kind {
            Kind::Number(number) => match self.numbers.get(number as usize) {
                Some(value) if value.is_integer() => write!(text, "{value}")?,
                // A decimal literal: its denominator is a power of ten over common factors.
                Some(value) => write!(text, "{}", decimal(value))?,
                None => {}
            },
            Kind::Pi => text.push_str("pi"),
            Kind::Undefined => text.push_str("undefined"),
            Kind::Name { name, primes } => {
                text.push_str(self.name(name));
                text.extend((0..primes).map(|_| '\''));
            }
            Kind::Indexed { name, indices, primes } => {
                write!(text, "{}[{}]", self.name(name), take(indices.into()).join(", "))?;
                text.extend((0..primes).map(|_| '\''));
            }
            Kind::Binder(slot) => write!(text, "i{slot}")?,
            Kind::Negate => write!(text, "(-{})", take(1).concat())?,
            Kind::Subtract => write!(text, " - {}", take(1).concat())?,
            Kind::Divide => write!(text, " / {}", take(1).concat())?,
            Kind::Sum(count) => joined(&mut text, &take(count as usize), '+')?,
            Kind::Product(count) => joined(&mut text, &take(count as usize), '*')?,
            Kind::Power => write!(text, "({})", take(2).join(" ^ "))?,
            Kind::Call(callee) => {
                let arguments = take(callee.arity() as usize);
                write!(text, "{}({})", callee.name(), arguments.join(", "))?;
            }
            Kind::SumBegin(slot) => write!(text, "sum(i{slot}, {}", take(2).join(", "))?,
            Kind::SumEnd(_) => write!(text, "{})", take(2).join(", "))?,
            Kind::List(count) => write!(text, "[{}]", take(count as usize).join(", "))?,
            Kind::SolveDense(_) => write!(text, "solve({})", take(3).join(", "))?,
            Kind::SolveSparse { .. } => write!(text, "solve({})", take(4).join(", "))?,
            Kind::Equation => write!(text, "{}", take(2).join(" = "))?,
        }
        Ok(text)
    }
}

fn joined(text: &mut String, parts: &[String], operator: char) -> fmt::Result {
    text.push('(');
    for (position, part) in parts.iter().enumerate() {
        if position > 0 && !part.starts_with(' ') {
            write!(text, " {operator} ")?;
        }
        text.push_str(part);
    }
    text.push(')');
    Ok(())
}

/// Decimal text of a rational whose denominator divides a power of ten.
fn decimal(value: &Rational) -> String {
    let mut scaled = value.clone();
    let mut places = 0;
    while !scaled.is_integer() && places <= Rational::MAX_DIGITS {
        scaled = &scaled * &Rational::integer(10);
        places += 1;
    }
    format!("{scaled}e-{places}")
}
