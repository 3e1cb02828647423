//! Exact expressions as elements of a field that grows with them.

use rustc_hash::FxHashMap;

use super::root_text::{RootText, cover_roots, is_root_call};
use super::{AlgebraicError, AlgebraicNumber, FieldElement, FieldError, NumberField};
use crate::number::Rational;
use crate::syntax::{
    Callee, Grammar, Kind, ParseLimits, Span, SyntaxErrorKind, SyntaxNode, Tree, parse,
};
use crate::univariate::IntegerPolynomial;
use crate::{Budget, OutOfBudget};

const DOING: &str = "evaluating an exact expression";

/// Bits of the rational numbers that may come out.
pub(super) const MOST_BITS: u64 = 1 << 13;
/// The size of an exponent.
const MOST_EXPONENT: i64 = 1_000;

/// What is wrong with an exact expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExactTextProblem {
    /// It does not follow the grammar.
    #[error("{0}")]
    Syntax(SyntaxErrorKind),
    /// It contains something that is not an algebraic number: `pi`, `sin`, a name.
    #[error("`{what}` is not an exact algebraic number")]
    NotAlgebraic {
        /// What it contains.
        what: String,
    },
    /// A division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// An even root of a negative number.
    #[error("the root of degree {degree} is not real")]
    NotReal {
        /// The degree of the root.
        degree: u32,
    },
    /// An exponent that is not a rational number of moderate size.
    #[error("the exponent is not a fraction of moderate size")]
    Exponent,
    /// `root(…)` without a polynomial or a number.
    #[error("`root` takes a polynomial and the number of a real root")]
    RootForm,
    /// The polynomial has fewer real roots.
    #[error("the polynomial has {count} real roots, there is no number {wanted}")]
    NoSuchRoot {
        /// The number asked for.
        wanted: usize,
        /// How many there are.
        count: usize,
    },
    /// The numbers that come out are too long.
    #[error("a number of more than {MOST_BITS} bits comes out")]
    TooLarge,
    /// The field of all numbers together is too large.
    #[error("{0}")]
    Field(FieldError),
    /// The budget ran out.
    #[error("{0}")]
    OutOfBudget(OutOfBudget),
}

/// An exact expression that was refused: where and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct ExactTextError {
    /// Where in the text.
    pub span: Span,
    /// What is wrong.
    pub problem: ExactTextProblem,
    /// A way out, if one is known.
    pub hint: Option<String>,
}

/// Reads expressions such as `1/4-sqrt(3)/6`, `1/(2-2^(1/3))`, `root(63*x^4-70*x^2+15,3)` into
/// one number field, which grows as needed.
#[derive(Debug, Clone, Default)]
pub struct FieldReader {
    field: NumberField,
    elements: Vec<FieldElement>,
    /// Operands of the expression that is being read; `None` after an error.
    stack: Vec<Option<FieldElement>>,
    /// `(base, degree, root)`: each radical is taken once.
    radicals: Vec<(FieldElement, u32, FieldElement)>,
    /// `((polynomial, number), root)`: likewise.
    named_roots: Vec<((IntegerPolynomial, usize), FieldElement)>,
    /// Texts that were read, with the position of their element: tables repeat themselves.
    known: FxHashMap<String, usize>,
    limits: ParseLimits,
}

impl FieldReader {
    /// A reader that knows the rational numbers only.
    pub fn new() -> Self {
        Self {
            limits: ParseLimits { depth: 200, nodes: 200_000, digits: 200_000 },
            ..Self::default()
        }
    }

    /// The field so far.
    pub fn field(&self) -> &NumberField {
        &self.field
    }

    /// The field, and the elements in the order they were read.
    pub fn finish(self) -> (NumberField, Vec<FieldElement>) {
        (self.field, self.elements)
    }

    /// Adds a rational number to the elements.
    pub fn push_rational(&mut self, value: Rational) {
        self.elements.push(value.into());
    }

    /// Reads an expression and adds it to the elements; on error nothing is added and all
    /// errors of the text are returned.
    pub fn read(&mut self, text: &str, budget: &mut Budget) -> Result<(), Vec<ExactTextError>> {
        if let Some(element) = self.known.get(text).and_then(|known| self.elements.get(*known)) {
            self.elements.push(element.clone());
            return Ok(());
        }
        let mut errors = Vec::new();
        let (covered, roots) = cover_roots(text, &mut self.limits, &mut errors);
        match parse(&covered, Grammar::Expression, &[], &mut self.limits) {
            Ok(tree) => {
                self.stack.clear();
                for node in tree.nodes() {
                    let value = match self.value(node, &tree, &covered, &roots, budget) {
                        Ok(value) => value,
                        Err((problem, hint)) => {
                            let hint = hint.map(str::to_owned);
                            errors.push(ExactTextError { span: node.span, problem, hint });
                            None
                        }
                    };
                    self.stack.push(value);
                }
            }
            Err(found) => errors.extend(found.0.into_iter().map(|error| {
                let problem = if is_root_call(&error.kind) {
                    ExactTextProblem::RootForm
                } else {
                    ExactTextProblem::Syntax(error.kind)
                };
                ExactTextError { span: error.span, problem, hint: error.hint }
            })),
        }
        match self.stack.pop().flatten() {
            Some(element) if errors.is_empty() => {
                self.known.insert(text.to_owned(), self.elements.len());
                self.elements.push(element);
                Ok(())
            }
            _ => {
                errors.sort_by_key(|error| error.span);
                Err(errors)
            }
        }
    }

    fn take(&mut self, count: usize) -> Option<Vec<FieldElement>> {
        self.stack.split_off(self.stack.len().saturating_sub(count)).into_iter().collect()
    }

    fn value(
        &mut self,
        node: &SyntaxNode,
        tree: &Tree,
        text: &str,
        roots: &[RootText],
        budget: &mut Budget,
    ) -> Result<Option<FieldElement>, Refusal> {
        let work = self.field.degree().pow(2) as u64;
        budget.spend(work, DOING).map_err(out_of_budget)?;
        if let Some(root) = roots.iter().find(|root| root.span == node.span) {
            return match &root.root {
                Some((polynomial, number)) => {
                    self.named_root(polynomial, *number, budget).map(Some)
                }
                None => Ok(None),
            };
        }
        let value = match node.kind {
            Kind::Number(number) => {
                tree.numbers().get(number as usize).map(|value| value.clone().into())
            }
            Kind::Negate | Kind::Subtract => {
                self.take(1).and_then(|v| v.first().map(|v| self.field.neg(v)))
            }
            Kind::Divide => match self.take(1).and_then(|mut taken| taken.pop()) {
                Some(divisor) => Some(self.field.inverse(&divisor).map_err(refusal)?),
                None => None,
            },
            Kind::Sum(count) => self.take(count as usize).map(|terms| {
                terms.iter().fold(FieldElement::zero(), |sum, term| self.field.add(&sum, term))
            }),
            Kind::Product(count) => self.take(count as usize).map(|factors| {
                factors.iter().fold(FieldElement::one(), |p, factor| self.field.mul(&p, factor))
            }),
            Kind::Power => match self.take(2).as_deref() {
                Some([base, exponent]) => {
                    let (base, exponent) = (base.clone(), exponent.clone());
                    Some(self.power(base, &exponent, budget)?)
                }
                _ => None,
            },
            Kind::Call(Callee::Sqrt) => match self.take(1).and_then(|mut taken| taken.pop()) {
                Some(base) => Some(self.radical(base, 2, budget)?),
                None => None,
            },
            kind => {
                self.take(operands(kind));
                let what = text.get(node.span.range()).unwrap_or("").chars().take(40).collect();
                let hint = "entries are built from fractions, sqrt, ^ and root(polynomial,number)";
                return Err((ExactTextProblem::NotAlgebraic { what }, Some(hint)));
            }
        };
        if value.as_ref().is_some_and(|value| value.bits() > MOST_BITS) {
            return Err((ExactTextProblem::TooLarge, Some("is a power too large?")));
        }
        Ok(value)
    }

    fn power(
        &mut self,
        base: FieldElement,
        exponent: &FieldElement,
        budget: &mut Budget,
    ) -> Result<FieldElement, Refusal> {
        let hint = Some("write 2^(1/3), or sqrt(2)");
        let wrong = (ExactTextProblem::Exponent, hint);
        let (numerator, degree) =
            exponent.as_rational().and_then(Rational::as_small).ok_or(wrong.clone())?;
        let degree = u32::try_from(degree).ok().filter(|d| *d <= 32).ok_or(wrong.clone())?;
        if numerator.abs() > MOST_EXPONENT {
            return Err(wrong);
        }
        let root = if degree == 1 { base } else { self.radical(base, degree, budget)? };
        // The numbers of the field's equation enter with every product, too.
        let own = self.field.generator_element();
        let size = root.bits().max(self.field.mul(&own, &own).bits()) * self.field.degree() as u64;
        if size.saturating_mul(numerator.unsigned_abs()) > 8 * MOST_BITS {
            return Err((ExactTextProblem::TooLarge, Some("is a power too large?")));
        }
        let exponent = i32::try_from(numerator).map_err(|_| wrong)?;
        self.field.power(&root, exponent).map_err(refusal)
    }

    fn radical(
        &mut self,
        base: FieldElement,
        degree: u32,
        budget: &mut Budget,
    ) -> Result<FieldElement, Refusal> {
        let known = self.radicals.iter().find(|(b, d, _)| (b, *d) == (&base, degree));
        if let Some((_, _, root)) = known {
            return Ok(root.clone());
        }
        let number = self.field.to_algebraic(&base, budget).map_err(out_of_budget)?;
        let spread = number.degree() * degree as usize;
        if spread > super::DEGREE_LIMIT * 2 {
            return Err(refusal(FieldError::DegreeLimit {
                degree: spread,
                limit: super::DEGREE_LIMIT,
            }));
        }
        let root = number.nth_root(degree, budget).map_err(refusal)?;
        self.radicals.push((base, degree, FieldElement::zero()));
        let element = self.adjoin(&root, budget);
        // The base has been embedded into the larger field with everything else.
        let last = self.radicals.pop();
        let element = element?;
        if let Some((base, degree, _)) = last {
            self.radicals.push((base, degree, element.clone()));
        }
        Ok(element)
    }

    fn named_root(
        &mut self,
        polynomial: &IntegerPolynomial,
        number: usize,
        budget: &mut Budget,
    ) -> Result<FieldElement, Refusal> {
        let key = (polynomial.clone(), number);
        if let Some((_, element)) = self.named_roots.iter().find(|(known, _)| *known == key) {
            return Ok(element.clone());
        }
        let root = AlgebraicNumber::root(polynomial, number, budget).map_err(refusal)?;
        let element = self.adjoin(&root, budget)?;
        self.named_roots.push((key, element.clone()));
        Ok(element)
    }

    /// Grows the field and moves everything into it.
    fn adjoin(
        &mut self,
        number: &AlgebraicNumber,
        budget: &mut Budget,
    ) -> Result<FieldElement, Refusal> {
        let extension = self.field.adjoin(number, budget).map_err(refusal)?;
        if extension.is_proper() {
            let all = self
                .elements
                .iter_mut()
                .chain(self.stack.iter_mut().flatten())
                .chain(self.radicals.iter_mut().flat_map(|(base, _, root)| [base, root]))
                .chain(self.named_roots.iter_mut().map(|(_, root)| root));
            for element in all.filter(|element| element.as_rational().is_none()) {
                budget.spend(extension.cost(element), DOING).map_err(out_of_budget)?;
                *element = extension.embed(element);
            }
        }
        self.field = extension.field;
        Ok(extension.element)
    }
}

type Refusal = (ExactTextProblem, Option<&'static str>);

fn out_of_budget(error: OutOfBudget) -> Refusal {
    (ExactTextProblem::OutOfBudget(error), Some("is a simpler expression of the number known?"))
}

fn refusal(error: impl Into<FieldError>) -> Refusal {
    match error.into() {
        FieldError::Algebraic(AlgebraicError::DivisionByZero) => {
            (ExactTextProblem::DivisionByZero, None)
        }
        FieldError::Algebraic(AlgebraicError::NotReal { degree }) => {
            (ExactTextProblem::NotReal { degree }, Some("entries are real numbers"))
        }
        FieldError::Algebraic(AlgebraicError::NoSuchRoot { wanted, count }) => {
            let hint = "real roots are counted from one, ascending, repeated ones once";
            (ExactTextProblem::NoSuchRoot { wanted, count }, Some(hint))
        }
        FieldError::Algebraic(AlgebraicError::OutOfBudget(error)) => out_of_budget(error),
        error => {
            let hint = "all entries live in one field; fewer independent radicals keep it small";
            (ExactTextProblem::Field(error), Some(hint))
        }
    }
}

/// How many operands a node takes off the stack.
fn operands(kind: Kind) -> usize {
    match kind {
        Kind::Call(callee) => callee.arity() as usize,
        Kind::Indexed { indices, .. } => indices.into(),
        Kind::SumBegin(_) | Kind::SumEnd(_) | Kind::Equation => 2,
        Kind::List(count) => count as usize,
        Kind::SolveDense(_) => 3,
        Kind::SolveSparse { .. } => 4,
        _ => 0,
    }
}
