//! Operators: what follows an operand, and how operators wait for their right side.

use super::{MOST_PRIMES, OPERATOR, Outcome, Parser, Pending, PendingKind, error, hinted, shorten};
use crate::syntax::Span;
use crate::syntax::error::{SyntaxError, SyntaxErrorKind};
use crate::syntax::lexer::Token;
use crate::syntax::tree::Kind;

impl Parser<'_, '_> {
    /// Reads what follows an operand until another operand is wanted (false) or the text ends (true).
    pub(super) fn operators(&mut self) -> Outcome<bool> {
        loop {
            let (token, span) = self.lexer.peek();
            match token {
                Token::Plus | Token::Minus => {
                    self.lexer.next();
                    self.reduce(2)?;
                    self.add(token == Token::Minus, span)?;
                    return Ok(false);
                }
                Token::Star | Token::Slash => {
                    self.lexer.next();
                    self.reduce(3)?;
                    self.multiply(token == Token::Slash, span)?;
                    return Ok(false);
                }
                Token::Caret => {
                    self.lexer.next();
                    let (first, start) = (self.last_first(), self.operand);
                    self.push(PendingKind::Power, first, start)?;
                    return Ok(false);
                }
                Token::Comma => {
                    self.lexer.next();
                    self.reduce(1)?;
                    self.comma(span)?;
                    return Ok(false);
                }
                Token::Equals => {
                    self.lexer.next();
                    self.reduce(1)?;
                    self.equals(span)?;
                    return Ok(false);
                }
                Token::Prime(count) => {
                    self.lexer.next();
                    self.prime(count, span)?;
                }
                Token::RightParen | Token::RightBracket | Token::RightBrace => {
                    self.lexer.next();
                    self.reduce(1)?;
                    self.close(token, span)?;
                }
                Token::End => {
                    self.reduce(1)?;
                    return self.finish(span).map(|()| true);
                }
                Token::Number | Token::Name | Token::LeftParen => {
                    self.implicit_product(span)?;
                    self.reduce(3)?;
                    self.multiply(false, span)?;
                    return Ok(false);
                }
                Token::LeftBracket if self.primed() => {
                    let problem = self.unexpected(token, span, OPERATOR);
                    let hint = "the index comes before the prime: x[1]'";
                    return Err(SyntaxError { hint: Some(hint.into()), ..problem });
                }
                _ => return Err(self.unexpected(token, span, OPERATOR)),
            }
        }
    }

    pub(super) fn primed(&self) -> bool {
        self.primable
            && matches!(
                self.tree.nodes.last().map(|node| node.kind),
                Some(Kind::Name { primes: 1.., .. })
            )
    }

    pub(super) fn implicit_product(&mut self, span: Span) -> Outcome<()> {
        let left = shorten(self.lexer.text(self.operand));
        let right = shorten(self.lexer.text(span));
        let hint = if right == "(" && self.primed() {
            format!("write {left} without (t), or {left}*(…) for a product")
        } else if right == "(" {
            format!("write {left}*(…)")
        } else if right.starts_with('_') && left.bytes().all(|b| b.is_ascii_digit()) {
            "digits are written without separators".to_owned()
        } else {
            format!("write {left}*{right}")
        };
        let place = Span { start: self.operand.start.min(span.start), end: span.end };
        self.report(hinted(place, SyntaxErrorKind::ImplicitProduct { left, right }, hint))
    }

    pub(super) fn last_first(&self) -> u32 {
        self.tree.nodes.last().map_or(0, |node| node.first.0)
    }

    /// Completes pending operators of at least this precedence.
    pub(super) fn reduce(&mut self, precedence: u8) -> Outcome<()> {
        while let Some(top) = self.pending.pop_if(|top| top.kind.precedence() >= precedence) {
            let whole = |parser: &Self| Span { start: top.start, end: parser.operand.end };
            match top.kind {
                PendingKind::Sum { terms, minus, operator } => {
                    self.finish_term(minus, operator)?;
                    self.node(Kind::Sum(terms + 1), top.first, whole(self))?;
                }
                PendingKind::Product { factors, divide, operator } => {
                    self.finish_factor(divide, operator)?;
                    self.node(Kind::Product(factors + 1), top.first, whole(self))?;
                }
                PendingKind::Negate => self.node(Kind::Negate, top.first, whole(self))?,
                PendingKind::Power => self.node(Kind::Power, top.first, whole(self))?,
                PendingKind::Bracket { .. } => {}
            }
        }
        Ok(())
    }

    pub(super) fn finish_term(&mut self, minus: bool, operator: u32) -> Outcome<()> {
        if !minus {
            return Ok(());
        }
        let span = Span { start: operator, end: self.operand.end };
        self.node(Kind::Subtract, self.last_first(), span)
    }

    pub(super) fn finish_factor(&mut self, divide: bool, operator: u32) -> Outcome<()> {
        if !divide {
            return Ok(());
        }
        let span = Span { start: operator, end: self.operand.end };
        self.node(Kind::Divide, self.last_first(), span)
    }

    pub(super) fn add(&mut self, minus: bool, span: Span) -> Outcome<()> {
        if let Some(Pending { kind: PendingKind::Sum { terms, minus: before, operator }, .. }) =
            self.pending.last()
        {
            let (terms, before, operator) = (*terms + 1, *before, *operator);
            self.finish_term(before, operator)?;
            if let Some(top) = self.pending.last_mut() {
                top.kind = PendingKind::Sum { terms, minus, operator: span.start };
            }
            return Ok(());
        }
        let kind = PendingKind::Sum { terms: 1, minus, operator: span.start };
        self.push(kind, self.last_first(), self.operand)
    }

    pub(super) fn multiply(&mut self, divide: bool, span: Span) -> Outcome<()> {
        if let Some(Pending {
            kind: PendingKind::Product { factors, divide: before, operator },
            ..
        }) = self.pending.last()
        {
            let (factors, before, operator) = (*factors + 1, *before, *operator);
            self.finish_factor(before, operator)?;
            if let Some(top) = self.pending.last_mut() {
                top.kind = PendingKind::Product { factors, divide, operator: span.start };
            }
            return Ok(());
        }
        let kind = PendingKind::Product { factors: 1, divide, operator: span.start };
        self.push(kind, self.last_first(), self.operand)
    }

    pub(super) fn prime(&mut self, count: u8, span: Span) -> Outcome<()> {
        if !self.primable {
            let problem = hinted(span, SyntaxErrorKind::Prime, "a velocity is written x' or x[1]'");
            return self.report(problem);
        }
        self.add_primes(count, span.end)
            .map_err(|()| error(span, SyntaxErrorKind::TooDeep(MOST_PRIMES.into())))
    }

    /// Adds primes to the last node if it is a name.
    pub(super) fn add_primes(&mut self, count: u8, end: u32) -> Result<(), ()> {
        let Some(node) = self.tree.nodes.last_mut() else { return Err(()) };
        let (Kind::Name { primes, .. } | Kind::Indexed { primes, .. }) = &mut node.kind else {
            return Err(());
        };
        *primes = primes.checked_add(count).filter(|primes| *primes <= MOST_PRIMES).ok_or(())?;
        node.span.end = end;
        self.operand.end = end;
        Ok(())
    }
}
