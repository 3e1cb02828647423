//! `root(63*x^4-70*x^2+15,3)` inside an expression: the third real root of a polynomial.
//!
//! The grammar of expressions has no such function, because its first argument is not a number.
//! Each occurrence is read here and covered by a name of the same length, so that the places
//! of everything else stay what they were.

use crate::Rational;
use crate::syntax::{
    Grammar, Kind, ParseLimits, Span, SyntaxErrorKind, Tree, is_name_character, parse,
};
use crate::univariate::IntegerPolynomial;

use super::reader::{ExactTextError, ExactTextProblem};

/// The degree of a polynomial inside `root(…)`.
const MOST_DEGREE: usize = 64;

/// One `root(…)` of a text.
#[derive(Debug)]
pub(super) struct RootText {
    /// Where it stands.
    pub(super) span: Span,
    /// Polynomial and number of the root; `None` if it was refused.
    pub(super) root: Option<(IntegerPolynomial, usize)>,
}

/// The text with every `root(…)` covered by a name, and what was covered.
pub(super) fn cover_roots(
    text: &str,
    limits: &mut ParseLimits,
    errors: &mut Vec<ExactTextError>,
) -> (String, Vec<RootText>) {
    const OPENING: &str = "root(";
    let mut covered = String::with_capacity(text.len());
    let mut roots = Vec::new();
    let mut position = 0;
    while let Some(found) = text.get(position..).and_then(|rest| rest.find(OPENING)) {
        let start = position + found;
        let inside = start + OPENING.len();
        let is_name = text[..start].chars().next_back().is_some_and(is_name_character);
        let end = closing_bracket(&text[inside..]).map(|length| inside + length);
        let (false, Some(end)) = (is_name, end) else {
            covered.push_str(&text[position..inside]);
            position = inside;
            continue;
        };
        let span = Span::new(start, end + 1);
        let root = read_root(text, inside, end, limits, errors);
        covered.push_str(&text[position..start]);
        let name = format!("root_{}", roots.len());
        covered.push_str(&format!("{name:_<width$}", width = end + 1 - start));
        roots.push(RootText { span, root });
        position = end + 1;
    }
    covered.push_str(text.get(position..).unwrap_or(""));
    (covered, roots)
}

/// Where the bracket closes that is open at the start.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn read_root(
    text: &str,
    start: usize,
    end: usize,
    limits: &mut ParseLimits,
    errors: &mut Vec<ExactTextError>,
) -> Option<(IntegerPolynomial, usize)> {
    let inner = text.get(start..end)?;
    let form = |span: Span| {
        let hint = "write root(x^3-x-1,1): a polynomial and which of its real roots, ascending";
        ExactTextError { span, problem: ExactTextProblem::RootForm, hint: Some(hint.into()) }
    };
    let Some(comma) = inner.rfind(',') else {
        errors.push(form(Span::new(start, end)));
        return None;
    };
    let number = inner.get(comma + 1..)?.trim().parse::<usize>().ok().filter(|number| *number > 0);
    if number.is_none() {
        errors.push(form(Span::new(start + comma + 1, end)));
    }
    let tree = match parse(inner.get(..comma)?, Grammar::Expression, &[], limits) {
        Ok(tree) => tree,
        Err(found) => {
            errors.extend(found.0.into_iter().map(|error| ExactTextError {
                span: error.span.shifted(Span::new(start, start).start),
                problem: ExactTextProblem::Syntax(error.kind),
                hint: error.hint,
            }));
            return None;
        }
    };
    let polynomial = match polynomial_of(&tree) {
        Ok(coefficients) => IntegerPolynomial::from_rationals(&coefficients),
        Err(span) => {
            errors.push(form(span.shifted(Span::new(start, start).start)));
            return None;
        }
    };
    if polynomial.is_constant() {
        errors.push(form(Span::new(start, start + comma)));
        return None;
    }
    Some((polynomial, number?))
}

/// The polynomial behind a tree with at most one name, or the place where it stops being one.
fn polynomial_of(tree: &Tree) -> Result<Vec<Rational>, Span> {
    let mut stack: Vec<Vec<Rational>> = Vec::new();
    for node in tree.nodes() {
        let refuse = node.span;
        let mut take = |count: usize| stack.split_off(stack.len().saturating_sub(count));
        let value = match node.kind {
            Kind::Number(number) => {
                vec![tree.numbers().get(number as usize).cloned().ok_or(refuse)?]
            }
            Kind::Name { name, primes: 0 } if name.index() == 0 => {
                vec![Rational::ZERO, Rational::ONE]
            }
            Kind::Negate | Kind::Subtract => {
                take(1).into_iter().flatten().map(|c| -c).collect::<Vec<_>>()
            }
            Kind::Divide => match take(1).concat().as_slice() {
                [divisor] => vec![divisor.recip().ok_or(refuse)?],
                _ => return Err(refuse),
            },
            Kind::Sum(count) => take(count as usize).into_iter().fold(Vec::new(), sum),
            Kind::Product(count) => {
                let mut value = vec![Rational::ONE];
                for factor in take(count as usize) {
                    value = product(&value, &factor).ok_or(refuse)?;
                }
                value
            }
            Kind::Power => {
                let operands = take(2);
                let [base, exponent] = operands.as_slice() else { return Err(refuse) };
                let exponent = match exponent.as_slice() {
                    [value] => value.as_integer().and_then(|e| usize::try_from(e).ok()),
                    _ => None,
                };
                let exponent = exponent.filter(|e| *e <= MOST_DEGREE).ok_or(refuse)?;
                let mut value = vec![Rational::ONE];
                for _ in 0..exponent {
                    value = product(&value, base).ok_or(refuse)?;
                }
                value
            }
            _ => return Err(refuse),
        };
        stack.push(value);
    }
    stack.pop().ok_or_else(|| tree.span())
}

fn sum(mut a: Vec<Rational>, b: Vec<Rational>) -> Vec<Rational> {
    a.resize(a.len().max(b.len()), Rational::ZERO);
    for (x, y) in a.iter_mut().zip(&b) {
        *x = &*x + y;
    }
    a
}

/// `None` above the degree and size that are read.
fn product(a: &[Rational], b: &[Rational]) -> Option<Vec<Rational>> {
    let bits = |values: &[Rational]| values.iter().map(Rational::bits).max().unwrap_or(0);
    if a.len() + b.len() > MOST_DEGREE + 2 || bits(a) + bits(b) > super::reader::MOST_BITS {
        return None;
    }
    let mut value = vec![Rational::ZERO; (a.len() + b.len()).saturating_sub(1)];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            value[i + j] = &value[i + j] + &(x * y);
        }
    }
    Some(value)
}

/// An error of the grammar about a `root` that never closes is better told as such.
pub(super) fn is_root_call(kind: &SyntaxErrorKind) -> bool {
    matches!(kind, SyntaxErrorKind::UnknownFunction(name) if name == "root")
}
