//! Text → [`Tree`], by operator precedence with an explicit stack.

mod brackets;
mod operators;

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

/// More errors than this in one text do not help.
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
                            self.pending.last().map_or(span, |pending| Span {
                                start: pending.start,
                                end: span.end,
                            }),
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
                text.parse::<Rational>().map_err(|_| error(span, SyntaxErrorKind::TooManyDigits))?
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
        '<' | '>' | '≤' | '≥' => {
            "inequalities are not supported; a constraint is an equation".into()
        }
        '√' => "write sqrt(…)".into(),
        '"' | '`' | '“' | '”' => "a velocity is written x' and an acceleration x''".into(),
        '\\' => "formulas are not TeX: write theta for \\theta and a/b for \\frac{a}{b}".into(),
        '%' | '&' | '|' | '!' | ';' | ':' | '?' | '@' | '#' | '$' | '~' => {
            "the operators are + - * / ^".into()
        }
        _ => return None,
    })
}
