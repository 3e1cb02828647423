//! Text → [`Tree`], by operator precedence with an explicit stack.

use rustc_hash::FxHashMap;

use super::error::{SyntaxError, SyntaxErrorKind, SyntaxErrors};
use super::function::{is_reserved, similar_function};
use super::lexer::{Lexer, Token};
use super::tree::{Kind, NameId, NodeId, SyntaxNode, Tree};
use super::{Callee, Span};
use crate::Rational;

/// What the text may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grammar {
    /// An expression.
    Expression,
    /// An expression, or two with `=` between them.
    Equation,
    /// Integer arithmetic, as inside an index.
    Index,
}

/// How much text may be read. Each parse consumes `nodes` and `digits`, so one value
/// bounds any number of expressions.
#[derive(Debug, Clone)]
pub struct ParseLimits {
    /// Open brackets and pending operators at any moment.
    pub depth: usize,
    /// Nodes left.
    pub nodes: usize,
    /// Digits (written out, so `1e100` counts a hundred) left.
    pub digits: usize,
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self { depth: 10_000, nodes: 20_000_000, digits: 50_000_000 }
    }
}

/// More errors than this in one text help nobody.
const MOST_ERRORS: usize = 20;
const MOST_PRIMES: u8 = 9;
const MOST_INDICES: u32 = 8;
const MOST_BINDERS: usize = 32;

/// Reads an expression.
///
/// `binders` are the index names that the surroundings declare (`i` of `"rod[i=1..N]"`),
/// outermost first; they become [`Kind::Binder`] like those of `sum`.
pub fn parse(
    text: &str,
    grammar: Grammar,
    binders: &[&str],
    limits: &mut ParseLimits,
) -> Result<Tree, SyntaxErrors> {
    let mut parser = Parser {
        lexer: Lexer::new(text),
        grammar,
        limits,
        tree: Tree { outer_binders: binders.len() as u16, ..Tree::default() },
        names: FxHashMap::default(),
        binders: binders.iter().map(|name| (*name).to_owned()).collect(),
        pending: Vec::new(),
        operand: Span::default(),
        primable: false,
        index: grammar == Grammar::Index,
        equals: None,
        errors: Vec::new(),
    };
    match parser.run() {
        Ok(()) if parser.errors.is_empty() => Ok(parser.tree),
        Ok(()) => Err(SyntaxErrors(parser.errors)),
        Err(last) => {
            parser.errors.push(last);
            Err(SyntaxErrors(parser.errors))
        }
    }
}

/// An operator that waits for its right side, or a bracket that waits to be closed.
struct Pending {
    kind: PendingKind,
    /// First node of what it will become.
    first: u32,
    /// First byte of what it will become.
    start: u32,
}

#[derive(Clone, Copy)]
enum PendingKind {
    Sum { terms: u32, minus: bool, operator: u32 },
    Product { factors: u32, divide: bool, operator: u32 },
    Negate,
    Power,
    Bracket { bracket: Bracket, arguments: u32, outer_index: bool },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Paren,
    Call(Callee),
    /// A call that was already refused; reading goes on to find more errors.
    Refused,
    Dot,
    Solve,
    /// A summation index and, once the bounds are read, where the body begins.
    Sum {
        binder: Span,
        begin: u32,
    },
    Index(NameId),
    List {
        brace: bool,
    },
}

impl Bracket {
    fn opening(self) -> char {
        match self {
            Self::Index(_) | Self::List { brace: false } => '[',
            Self::List { brace: true } => '{',
            _ => '(',
        }
    }

    fn closing(self) -> Token {
        match self.opening() {
            '[' => Token::RightBracket,
            '{' => Token::RightBrace,
            _ => Token::RightParen,
        }
    }
}

impl PendingKind {
    fn precedence(self) -> u8 {
        match self {
            Self::Bracket { .. } => 0,
            Self::Sum { .. } => 1,
            Self::Product { .. } => 2,
            Self::Negate => 3,
            Self::Power => 4,
        }
    }
}

type Outcome<T> = Result<T, SyntaxError>;

struct Parser<'t, 'l> {
    lexer: Lexer<'t>,
    grammar: Grammar,
    limits: &'l mut ParseLimits,
    tree: Tree,
    names: FxHashMap<&'t str, NameId>,
    binders: Vec<String>,
    pending: Vec<Pending>,
    /// The operand just completed, with its brackets.
    operand: Span,
    /// May a prime follow?
    primable: bool,
    /// Are we inside an index?
    index: bool,
    /// The nodes of the left side of an equation end here.
    equals: Option<u32>,
    errors: Vec<SyntaxError>,
}

fn error(span: Span, kind: SyntaxErrorKind) -> SyntaxError {
    SyntaxError { span, kind, hint: None }
}

fn hinted(span: Span, kind: SyntaxErrorKind, hint: impl Into<String>) -> SyntaxError {
    SyntaxError { span, kind, hint: Some(hint.into()) }
}

const OPERAND: &str = "a number, a name or `(`";
const OPERATOR: &str = "an operator or the end";

impl<'t> Parser<'t, '_> {
    fn run(&mut self) -> Outcome<()> {
        if self.lexer.peek().0 == Token::End {
            return Err(error(self.lexer.peek().1, SyntaxErrorKind::Empty));
        }
        loop {
            self.operand()?;
            if self.operators()? {
                return Ok(());
            }
        }
    }

    /// Records an error after which reading can go on.
    fn report(&mut self, problem: SyntaxError) -> Outcome<()> {
        if self.errors.len() + 1 >= MOST_ERRORS {
            return Err(problem);
        }
        self.errors.push(problem);
        Ok(())
    }

    fn found(&self, token: Token, span: Span) -> String {
        match token {
            Token::End => "the end".to_owned(),
            _ => format!("`{}`", shorten(self.lexer.text(span))),
        }
    }

    fn unexpected(&self, token: Token, span: Span, expected: &'static str) -> SyntaxError {
        match token {
            Token::Unknown(character) => {
                let kind = SyntaxErrorKind::Character(character);
                SyntaxError { span, kind, hint: character_hint(character) }
            }
            _ => {
                let kind = SyntaxErrorKind::Expected { expected, found: self.found(token, span) };
                error(span, kind)
            }
        }
    }

    fn node(&mut self, kind: Kind, first: u32, span: Span) -> Outcome<()> {
        match self.limits.nodes.checked_sub(1) {
            Some(left) => self.limits.nodes = left,
            None => return Err(error(span, SyntaxErrorKind::TooLong)),
        }
        self.tree.nodes.push(SyntaxNode { kind, index: self.index, span, first: NodeId(first) });
        self.operand = span;
        Ok(())
    }

    fn leaf(&mut self, kind: Kind, span: Span) -> Outcome<()> {
        self.node(kind, self.position(), span)
    }

    fn position(&self) -> u32 {
        u32::try_from(self.tree.nodes.len()).unwrap_or(u32::MAX)
    }

    fn push(&mut self, kind: PendingKind, first: u32, span: Span) -> Outcome<()> {
        if self.pending.len() >= self.limits.depth {
            return Err(error(span, SyntaxErrorKind::TooDeep(self.limits.depth)));
        }
        self.pending.push(Pending { kind, first, start: span.start });
        Ok(())
    }

    fn open(&mut self, bracket: Bracket, index: bool, span: Span) -> Outcome<()> {
        let kind = PendingKind::Bracket { bracket, arguments: 1, outer_index: self.index };
        let first = self.position();
        self.push(kind, first, span)?;
        self.index = index;
        Ok(())
    }

    /// Reads prefixes and opening brackets up to and including one operand.
    fn operand(&mut self) -> Outcome<()> {
        loop {
            let (token, span) = self.lexer.next();
            self.primable = false;
            match token {
                Token::Number => return self.number(span),
                Token::Name => {
                    if self.name(span)? {
                        return Ok(());
                    }
                }
                Token::Plus => {}
                Token::Minus => self.push(PendingKind::Negate, self.position(), span)?,
                Token::LeftParen => self.open(Bracket::Paren, self.index, span)?,
                Token::LeftBracket | Token::LeftBrace if self.list_allowed() => {
                    self.open(Bracket::List { brace: token == Token::LeftBrace }, false, span)?;
                }
                Token::RightParen => {
                    let problem = self.unexpected(token, span, OPERAND);
                    return Err(match self.pending.last().map(|pending| pending.kind) {
                        Some(PendingKind::Bracket {
                            bracket: Bracket::Call(callee),
                            arguments,
                            ..
                        }) => error(
                            span,
                            SyntaxErrorKind::Arity {
                                function: callee.name().to_owned(),
                                expected: callee.arity(),
                                found: arguments - 1,
                            },
                        ),
                        _ => problem,
                    });
                }
                _ => return Err(self.unexpected(token, span, OPERAND)),
            }
        }
    }

    fn list_allowed(&self) -> bool {
        matches!(
            self.pending.last(),
            Some(Pending {
                kind: PendingKind::Bracket {
                    bracket: Bracket::Solve | Bracket::List { .. } | Bracket::Refused,
                    ..
                },
                ..
            })
        )
    }

    fn number(&mut self, span: Span) -> Outcome<()> {
        let text = self.lexer.text(span);
        let value = match text.parse::<i64>() {
            Ok(value) => {
                self.spend_digits(text.len(), span)?;
                Rational::integer(value)
            }
            Err(_) => {
                let exponent = text
                    .split_once(['e', 'E'])
                    .map_or(0, |(_, exponent)| exponent.parse::<i64>().unwrap_or(i64::MAX));
                let digits = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
                self.spend_digits(text.len().saturating_add(digits), span)?;
                text.parse::<Rational>()
                    .map_err(|_| error(span, SyntaxErrorKind::TooManyDigits))?
            }
        };
        if self.index && value.as_integer().is_none() {
            self.report(error(span, SyntaxErrorKind::InIndex("a fraction")))?;
        }
        let number = u32::try_from(self.tree.numbers.len()).unwrap_or(u32::MAX);
        self.tree.numbers.push(value);
        self.leaf(Kind::Number(number), span)
    }

    fn spend_digits(&mut self, digits: usize, span: Span) -> Outcome<()> {
        if digits > Rational::MAX_DIGITS || digits > self.limits.digits {
            return Err(error(span, SyntaxErrorKind::TooManyDigits));
        }
        self.limits.digits -= digits;
        Ok(())
    }

    fn intern(&mut self, text: &'t str) -> NameId {
        let names = &mut self.tree.names;
        *self.names.entry(text).or_insert_with(|| {
            names.push(text.to_owned());
            NameId(u32::try_from(names.len() - 1).unwrap_or(u32::MAX))
        })
    }

    /// A name: an operand by itself (true), or the opening of a call or an index (false).
    fn name(&mut self, span: Span) -> Outcome<bool> {
        let text = self.lexer.text(span);
        let (next, next_span) = self.lexer.peek();
        match next {
            Token::LeftParen => {
                self.lexer.next();
                self.call(text, span)?;
                return Ok(false);
            }
            Token::LeftBracket => {
                self.lexer.next();
                if is_reserved(text) {
                    return Err(error(span, SyntaxErrorKind::BareFunction(text.to_owned())));
                }
                if self.index {
                    self.report(error(
                        span.to(next_span),
                        SyntaxErrorKind::InIndex("an indexed name"),
                    ))?;
                }
                let name = self.intern(text);
                self.open(Bracket::Index(name), true, span)?;
                return Ok(false);
            }
            _ => {}
        }
        if let Some(slot) = self.binders.iter().rposition(|binder| binder == text) {
            self.leaf(Kind::Binder(u16::try_from(slot).unwrap_or(u16::MAX)), span)?;
            return Ok(true);
        }
        let constant = match text {
            "pi" | "π" => Some(Kind::Pi),
            "undefined" => Some(Kind::Undefined),
            _ => None,
        };
        if let Some(kind) = constant {
            if self.index {
                self.report(error(span, SyntaxErrorKind::InIndex("a constant")))?;
            }
            self.leaf(kind, span)?;
            return Ok(true);
        }
        if is_reserved(text) {
            let problem = SyntaxErrorKind::BareFunction(text.to_owned());
            self.report(hinted(span, problem, format!("write {text}(…)")))?;
        }
        let name = self.intern(text);
        self.leaf(Kind::Name { name, primes: 0 }, span)?;
        self.primable = true;
        Ok(true)
    }

    fn call(&mut self, text: &'t str, span: Span) -> Outcome<()> {
        if self.index {
            self.report(error(span, SyntaxErrorKind::InIndex("a function")))?;
        }
        match text {
            "dot" => self.open(Bracket::Dot, self.index, span),
            "solve" => self.open(Bracket::Solve, false, span),
            "sum" => self.sum(span),
            _ => match Callee::from_name(text) {
                Some(callee) => self.open(Bracket::Call(callee), self.index, span),
                None => {
                    let hint = match similar_function(text) {
                        Some(similar) => format!("did you mean `{similar}`?"),
                        None => format!("for a product write {text}*(…)"),
                    };
                    let problem = SyntaxErrorKind::UnknownFunction(text.to_owned());
                    self.report(hinted(span, problem, hint))?;
                    self.open(Bracket::Refused, self.index, span)
                }
            },
        }
    }

    /// `sum(` has been read; reads `i,`.
    fn sum(&mut self, span: Span) -> Outcome<()> {
        let (token, name) = self.lexer.next();
        let (comma, comma_span) = self.lexer.peek();
        if token != Token::Name || is_reserved(self.lexer.text(name)) {
            let problem = self.unexpected(token, name, "the name of a summation index");
            return Err(SyntaxError { hint: Some("write sum(i, 1, N, …)".into()), ..problem });
        }
        if comma != Token::Comma {
            let problem = self.unexpected(comma, comma_span, "`,` after the summation index");
            return Err(SyntaxError { hint: Some("write sum(i, 1, N, …)".into()), ..problem });
        }
        self.lexer.next();
        if self.binders.len() >= MOST_BINDERS {
            return Err(error(span, SyntaxErrorKind::TooDeep(MOST_BINDERS)));
        }
        // The name becomes visible with the body, not in its own bounds.
        self.open(Bracket::Sum { binder: name, begin: 0 }, true, span)?;
        if let Some(Pending { kind: PendingKind::Bracket { arguments, .. }, .. }) =
            self.pending.last_mut()
        {
            *arguments = 2;
        }
        Ok(())
    }

    /// Reads what follows an operand until another operand is wanted (false) or the text ends (true).
    fn operators(&mut self) -> Outcome<bool> {
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

    fn primed(&self) -> bool {
        self.primable
            && matches!(
                self.tree.nodes.last().map(|node| node.kind),
                Some(Kind::Name { primes: 1.., .. })
            )
    }

    fn implicit_product(&mut self, span: Span) -> Outcome<()> {
        let left = shorten(self.lexer.text(self.operand));
        let right = shorten(self.lexer.text(span));
        let hint = if right == "(" {
            format!("write {left}*(…)")
        } else if right.starts_with('_') && left.bytes().all(|b| b.is_ascii_digit()) {
            "digits are written without separators".to_owned()
        } else {
            format!("write {left}*{right}")
        };
        let place = Span { start: self.operand.start.min(span.start), end: span.end };
        self.report(hinted(place, SyntaxErrorKind::ImplicitProduct { left, right }, hint))
    }

    fn last_first(&self) -> u32 {
        self.tree.nodes.last().map_or(0, |node| node.first.0)
    }

    /// Completes pending operators of at least this precedence.
    fn reduce(&mut self, precedence: u8) -> Outcome<()> {
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

    fn finish_term(&mut self, minus: bool, operator: u32) -> Outcome<()> {
        if !minus {
            return Ok(());
        }
        let span = Span { start: operator, end: self.operand.end };
        self.node(Kind::Subtract, self.last_first(), span)
    }

    fn finish_factor(&mut self, divide: bool, operator: u32) -> Outcome<()> {
        if !divide {
            return Ok(());
        }
        let span = Span { start: operator, end: self.operand.end };
        self.node(Kind::Divide, self.last_first(), span)
    }

    fn add(&mut self, minus: bool, span: Span) -> Outcome<()> {
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

    fn multiply(&mut self, divide: bool, span: Span) -> Outcome<()> {
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

    fn prime(&mut self, count: u8, span: Span) -> Outcome<()> {
        if !self.primable {
            let problem = hinted(span, SyntaxErrorKind::Prime, "a velocity is written x' or x[1]'");
            return self.report(problem);
        }
        self.add_primes(count, span.end)
            .map_err(|()| error(span, SyntaxErrorKind::TooDeep(MOST_PRIMES.into())))
    }

    /// Adds primes to the last node if it is a name.
    fn add_primes(&mut self, count: u8, end: u32) -> Result<(), ()> {
        let Some(node) = self.tree.nodes.last_mut() else { return Err(()) };
        let (Kind::Name { primes, .. } | Kind::Indexed { primes, .. }) = &mut node.kind else {
            return Err(());
        };
        *primes = primes.checked_add(count).filter(|primes| *primes <= MOST_PRIMES).ok_or(())?;
        node.span.end = end;
        self.operand.end = end;
        Ok(())
    }

    fn comma(&mut self, span: Span) -> Outcome<()> {
        let first = self.pending.last().map_or(0, |top| top.first);
        let found = self.unexpected(Token::Comma, span, OPERATOR);
        let Some(Pending { kind: PendingKind::Bracket { bracket, arguments, outer_index }, .. }) =
            self.pending.last_mut()
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

    fn equals(&mut self, span: Span) -> Outcome<()> {
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

    fn close(&mut self, token: Token, span: Span) -> Outcome<()> {
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
    fn last_roots(&self, count: u32) -> Vec<usize> {
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

    fn list_length(&self, root: usize) -> Option<u32> {
        match self.tree.nodes.get(root)?.kind {
            Kind::List(count) => Some(count),
            _ => None,
        }
    }

    /// Do all children of the list at `root` have this many items?
    fn rows_have(&self, root: usize, items: u32) -> bool {
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

    fn solve_shape(&self, arguments: u32) -> Result<Kind, &'static str> {
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

    fn finish(&mut self, end: Span) -> Outcome<()> {
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

/// At most thirty characters of a text, for messages.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(30) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

fn character_hint(character: char) -> Option<String> {
    Some(match character {
        '⁰' => "write ^0".into(),
        '¹' => "write ^1".into(),
        '²' => "write ^2".into(),
        '³' => "write ^3".into(),
        '⁴'..='⁹' => {
            format!("write ^{}", u32::from(character) - 0x2070)
        }
        '\u{307}' => "a velocity is written x'".into(),
        '\u{308}' => "an acceleration is written x''".into(),
        '–' | '—' | '‐' => "write - for minus".into(),
        '<' | '>' | '≤' | '≥' => "inequalities are not supported; a constraint is an equation".into(),
        '√' => "write sqrt(…)".into(),
        '"' | '`' | '“' | '”' => "a velocity is written x' and an acceleration x''".into(),
        '%' | '&' | '|' | '!' | ';' | ':' | '?' | '@' | '#' | '$' | '~' | '\\' => {
            "the operators are + - * / ^".into()
        }
        _ => return None,
    })
}
