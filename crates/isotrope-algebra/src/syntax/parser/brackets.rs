//! Brackets: commas, closing, and the shape of what they hold.

use super::{
    Bracket, Grammar, MOST_INDICES, OPERATOR, Outcome, Parser, Pending, PendingKind, error, hinted,
};
use crate::syntax::Span;
use crate::syntax::error::{SyntaxError, SyntaxErrorKind};
use crate::syntax::lexer::Token;
use crate::syntax::tree::Kind;

impl Parser<'_, '_> {
    pub(super) fn comma(&mut self, span: Span) -> Outcome<()> {
        let first = self.pending.last().map_or(0, |top| top.first);
        let found = self.unexpected(Token::Comma, span, OPERATOR);
        let Some(Pending {
            kind: PendingKind::Bracket { bracket, arguments, outer_index }, ..
        }) = self.pending.last_mut()
        else {
            return Err(found);
        };
        *arguments += 1;
        let (arguments, outer_index) = (*arguments, *outer_index);
        match bracket {
            Bracket::Paren => Err(found),
            Bracket::Sum { begin, binder } if arguments == 4 => {
                *begin = self.tree.nodes.len() as u32;
                let name = self.lexer.text(*binder).to_owned();
                let slot = u16::try_from(self.binders.len()).unwrap_or(u16::MAX);
                self.binders.push(name);
                self.index = outer_index;
                let place = Span { start: self.operand.start, end: self.operand.end };
                self.node(Kind::SumBegin(slot), first, place)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn equals(&mut self, span: Span) -> Outcome<()> {
        if let Some(top) = self.pending.last() {
            return Err(match top.kind {
                PendingKind::Bracket { bracket, .. } => error(
                    Span { start: top.start, end: span.end },
                    SyntaxErrorKind::Unclosed(bracket.opening()),
                ),
                _ => error(span, SyntaxErrorKind::Equation),
            });
        }
        if self.grammar != Grammar::Equation {
            return Err(error(span, SyntaxErrorKind::Equation));
        }
        if self.equals.is_some() {
            return Err(error(span, SyntaxErrorKind::SecondEquals));
        }
        if self.lexer.peek() == (Token::Equals, Span { start: span.end, end: span.end + 1 }) {
            self.lexer.next();
            self.report(hinted(span, SyntaxErrorKind::SecondEquals, "write = for =="))?;
        }
        self.equals = Some(self.position());
        Ok(())
    }

    pub(super) fn close(&mut self, token: Token, span: Span) -> Outcome<()> {
        let unopened = error(
            span,
            SyntaxErrorKind::Unopened(self.lexer.text(span).chars().next().unwrap_or(')')),
        );
        let Some(top) = self.pending.pop() else { return Err(unopened) };
        let PendingKind::Bracket { bracket, arguments, outer_index } = top.kind else {
            return Err(unopened);
        };
        if bracket.closing() != token {
            return Err(unopened);
        }
        self.primable = false;
        let place = Span { start: top.start, end: span.end };
        let arity = |function: &str, expected: u32, found: u32| {
            let function = function.to_owned();
            error(place, SyntaxErrorKind::Arity { function, expected, found })
        };
        match bracket {
            Bracket::Paren | Bracket::Refused => self.operand = place,
            Bracket::Call(callee) => {
                if arguments != callee.arity() {
                    self.report(arity(callee.name(), callee.arity(), arguments))?;
                }
                self.node(Kind::Call(callee), top.first, place)?;
            }
            Bracket::Dot => {
                if arguments != 1 {
                    self.report(arity("dot", 1, arguments))?;
                } else if self.last_first() != top.first || self.add_primes(1, span.end).is_err() {
                    let hint = "write dot(x) or x' for the velocity of the coordinate x";
                    self.report(hinted(place, SyntaxErrorKind::Dot, hint))?;
                } else if let Some(node) = self.tree.nodes.last_mut() {
                    node.span = place;
                }
                self.operand = place;
                self.primable = true;
            }
            Bracket::Sum { begin, .. } => {
                if arguments >= 4 {
                    self.binders.pop();
                }
                if arguments != 4 {
                    let problem = arity("sum", 4, arguments);
                    let hint = Some("write sum(i, 1, N, …)".into());
                    self.report(SyntaxError { hint, ..problem })?;
                }
                self.index = outer_index;
                self.node(Kind::SumEnd(begin), top.first, place)?;
            }
            Bracket::Index(name) => {
                self.index = outer_index;
                if arguments > MOST_INDICES {
                    self.report(arity(self.tree.name(name), MOST_INDICES, arguments))?;
                }
                let indices = u8::try_from(arguments).unwrap_or(u8::MAX);
                self.node(Kind::Indexed { name, indices, primes: 0 }, top.first, place)?;
                self.primable = true;
            }
            Bracket::List { .. } => self.node(Kind::List(arguments), top.first, place)?,
            Bracket::Solve => {
                let shape = self.solve_shape(arguments);
                match shape {
                    Ok(kind) => self.node(kind, top.first, place)?,
                    Err(why) => {
                        self.report(error(place, SyntaxErrorKind::SolveShape(why)))?;
                        self.operand = place;
                    }
                }
            }
        }
        self.index = outer_index;
        Ok(())
    }

    /// The roots of the last `count` subtrees, in order.
    pub(super) fn last_roots(&self, count: u32) -> Vec<usize> {
        let mut roots = Vec::new();
        let mut end = self.tree.nodes.len();
        for _ in 0..count {
            let Some(root) = end.checked_sub(1) else { break };
            roots.push(root);
            end = self.tree.nodes.get(root).map_or(0, |node| node.first.index());
        }
        roots.reverse();
        roots
    }

    pub(super) fn list_length(&self, root: usize) -> Option<u32> {
        match self.tree.nodes.get(root)?.kind {
            Kind::List(count) => Some(count),
            _ => None,
        }
    }

    /// Do all children of the list at `root` have this many items?
    pub(super) fn rows_have(&self, root: usize, items: u32) -> bool {
        let mut end = root;
        let first = self.tree.nodes.get(root).map_or(root, |node| node.first.index());
        while end > first {
            if self.list_length(end - 1) != Some(items) {
                return false;
            }
            end = self.tree.nodes.get(end - 1).map_or(0, |node| node.first.index());
        }
        true
    }

    pub(super) fn solve_shape(&self, arguments: u32) -> Result<Kind, &'static str> {
        if !self.errors.is_empty() {
            // After an error the nodes need not line up; the tree is thrown away anyway.
            return Ok(Kind::SolveDense(0));
        }
        match *self.last_roots(arguments) {
            [matrix, right, _] if arguments == 3 => {
                let size = self.list_length(right).ok_or("the right side is not a list")?;
                if self.list_length(matrix) != Some(size) || !self.rows_have(matrix, size) {
                    return Err("the matrix is not square of the size of the right side");
                }
                Ok(Kind::SolveDense(size))
            }
            [_, matrix, right, _] if arguments == 4 => {
                let size = self.list_length(right).ok_or("the right side is not a list")?;
                let entries = self.list_length(matrix).ok_or("the entries are not a list")?;
                if !self.rows_have(matrix, 3) {
                    return Err("an entry is {row, column, value}");
                }
                Ok(Kind::SolveSparse { size, entries })
            }
            _ => Err("write solve([[a, b], [c, d]], [e, f], 1)"),
        }
    }

    pub(super) fn finish(&mut self, end: Span) -> Outcome<()> {
        if let Some(Pending { kind: PendingKind::Bracket { bracket, .. }, start, .. }) =
            self.pending.last()
        {
            let place = Span { start: *start, end: end.start };
            return Err(error(place, SyntaxErrorKind::Unclosed(bracket.opening())));
        }
        if self.equals.is_some() {
            let start = self.tree.nodes.first().map_or(0, |node| node.span.start);
            self.node(Kind::Equation, 0, Span { start, end: self.operand.end })?;
        }
        Ok(())
    }
}
