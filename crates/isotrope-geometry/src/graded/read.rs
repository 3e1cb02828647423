//! Graded functions from text: products keep the order in which they are written.
//!
//! The pool commutes factors, so a product of odd coordinates must not go through it: `d*c` is
//! `-c*d`. The syntax tree is therefore lowered into the graded algebra directly.

use isotrope_algebra::syntax::{Callee, Kind, Span, Tree};
use isotrope_algebra::{ExprId, OrInternal, Rational};

use super::{
    Coefficients, Element, Exponents, Expressions, GradedAlgebra, GradedError, Polynomials,
};

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// A coordinate of the algebra, by its number.
    Coordinate(usize),
    /// A number.
    Number(Rational),
    /// A constant of the coefficients.
    Parameter(ExprId),
}

/// Why a text is not a graded function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGradedError {
    /// Where.
    pub span: Span,
    /// Why.
    pub reason: ReadGradedReason,
}

/// Why a text is not a graded function.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadGradedReason {
    /// A name without meaning.
    #[error("`{0}` means nothing here")]
    UnknownName(String),
    /// A function or quotient that these coefficients do not have.
    #[error("this is not a polynomial")]
    NotPolynomial,
    /// A function of, or a division by, something that is not of degree 0.
    #[error("functions, quotients and general powers are allowed of coordinates of degree 0 only")]
    NotScalar,
    /// A division by zero.
    #[error("this has no value")]
    Undefined,
    /// Indices, primes, sums over an index, equations.
    #[error("graded functions are written with sums, products, powers and functions alone")]
    NotAllowed,
    /// The computation failed.
    #[error(transparent)]
    Graded(#[from] GradedError),
}

/// Coefficients that can be read.
pub trait ReadCoefficients: Coefficients {
    /// A parameter.
    fn parameter(&mut self, symbol: ExprId) -> Option<Self::Value>;
    /// π.
    fn pi(&mut self) -> Option<Self::Value>;
    /// `1/value`; `None` if there is none.
    fn reciprocal(&mut self, value: &Self::Value) -> Option<Self::Value>;
    /// `base^exponent`.
    fn power(&mut self, base: &Self::Value, exponent: &Self::Value) -> Option<Self::Value>;
    /// A function.
    fn call(&mut self, callee: Callee, arguments: &[Self::Value]) -> Option<Self::Value>;
    /// The number, if it is one.
    fn as_number(&self, value: &Self::Value) -> Option<Rational>;
}

impl ReadCoefficients for Polynomials {
    fn parameter(&mut self, _: ExprId) -> Option<Rational> {
        None
    }
    fn pi(&mut self) -> Option<Rational> {
        None
    }
    fn reciprocal(&mut self, value: &Rational) -> Option<Rational> {
        value.recip()
    }
    fn power(&mut self, _: &Rational, _: &Rational) -> Option<Rational> {
        None
    }
    fn call(&mut self, _: Callee, _: &[Rational]) -> Option<Rational> {
        None
    }
    fn as_number(&self, value: &Rational) -> Option<Rational> {
        Some(value.clone())
    }
}

impl ReadCoefficients for Expressions<'_> {
    fn parameter(&mut self, symbol: ExprId) -> Option<ExprId> {
        Some(symbol)
    }
    fn pi(&mut self) -> Option<ExprId> {
        Some(ExprId::PI)
    }
    fn reciprocal(&mut self, value: &ExprId) -> Option<ExprId> {
        let quotient = self.pool.powi(*value, -1);
        (quotient != ExprId::UNDEFINED).then_some(quotient)
    }
    fn power(&mut self, base: &ExprId, exponent: &ExprId) -> Option<ExprId> {
        let power = self.pool.power(*base, *exponent);
        (power != ExprId::UNDEFINED).then_some(power)
    }
    fn call(&mut self, callee: Callee, arguments: &[ExprId]) -> Option<ExprId> {
        let value = match (callee, arguments) {
            (Callee::Sqrt, [argument]) => self.pool.sqrt(*argument),
            (Callee::Atan2, [y, x]) => self.pool.atan2(*y, *x),
            (Callee::Max, [a, b]) => self.pool.larger(*a, *b),
            (Callee::Min, [a, b]) => self.pool.smaller(*a, *b),
            (Callee::Clip, [x, low, high]) => self.pool.clipped(*x, *low, *high),
            (callee, [argument]) => self.pool.call(callee.function()?, *argument),
            _ => return None,
        };
        (value != ExprId::UNDEFINED).then_some(value)
    }
    fn as_number(&self, value: &ExprId) -> Option<Rational> {
        self.pool.as_number(*value).cloned()
    }
}

impl<C: ReadCoefficients> GradedAlgebra<C> {
    /// The function that a syntax tree stands for, with products in the order of the text.
    pub fn read(
        &mut self,
        tree: &Tree,
        meaning: impl Fn(&str) -> Option<Meaning>,
    ) -> Result<Element<C::Value>, ReadGradedError> {
        let mut stack: Vec<Element<C::Value>> = Vec::new();
        for node in tree.nodes() {
            let value = self
                .node(tree, node.kind, &mut stack, &meaning)
                .map_err(|reason| ReadGradedError { span: node.span, reason })?;
            stack.push(value);
        }
        stack
            .pop()
            .ok_or(ReadGradedError { span: tree.span(), reason: ReadGradedReason::NotAllowed })
    }

    fn node(
        &mut self,
        tree: &Tree,
        kind: Kind,
        stack: &mut Vec<Element<C::Value>>,
        meaning: &impl Fn(&str) -> Option<Meaning>,
    ) -> Result<Element<C::Value>, ReadGradedReason> {
        let mut take = |count: u32| stack.split_off(stack.len().saturating_sub(count as usize));
        Ok(match kind {
            Kind::Number(at) => {
                let value = tree.numbers().get(at as usize).cloned();
                let value = value.or_noticed("a tree has the numbers it refers to");
                self.number(&value)
            }
            Kind::Pi => {
                let pi = self.coefficients.pi().ok_or(ReadGradedReason::NotPolynomial)?;
                self.scalar(pi)
            }
            Kind::Name { name, primes: 0 } => {
                let text = tree.name(name);
                match meaning(text) {
                    Some(Meaning::Coordinate(index)) => self.coordinate(index)?,
                    Some(Meaning::Number(value)) => self.number(&value),
                    Some(Meaning::Parameter(symbol)) => {
                        let value = self.coefficients.parameter(symbol);
                        let value = value.ok_or(ReadGradedReason::NotPolynomial)?;
                        self.scalar(value)
                    }
                    None => return Err(ReadGradedReason::UnknownName(text.to_owned())),
                }
            }
            Kind::Negate | Kind::Subtract => {
                let [part] = &take(1)[..] else { return Err(ReadGradedReason::NotAllowed) };
                self.negate(part)
            }
            Kind::Divide => {
                let [part] = &take(1)[..] else { return Err(ReadGradedReason::NotAllowed) };
                let value = self.as_scalar(part)?;
                let inverse = self.coefficients.reciprocal(&value);
                self.scalar(inverse.ok_or(ReadGradedReason::Undefined)?)
            }
            Kind::Sum(count) => {
                let parts = take(count);
                let parts: Vec<_> = parts.iter().map(|part| (part, false)).collect();
                self.combine(&parts)?
            }
            Kind::Product(count) => {
                let mut product = self.integer(1);
                for factor in take(count) {
                    product = self.multiply(&product, &factor)?;
                }
                product
            }
            Kind::Power => {
                let [base, exponent] = &take(2)[..] else {
                    return Err(ReadGradedReason::NotAllowed);
                };
                self.power(base, exponent)?
            }
            Kind::Call(callee) => {
                let mut arguments = Vec::new();
                for argument in take(callee.arity()) {
                    arguments.push(self.as_scalar(&argument)?);
                }
                let value = self.coefficients.call(callee, &arguments);
                self.scalar(value.ok_or(ReadGradedReason::NotPolynomial)?)
            }
            _ => return Err(ReadGradedReason::NotAllowed),
        })
    }

    /// The coefficient, if nothing but the monomial 1 occurs.
    fn as_scalar(&mut self, f: &Element<C::Value>) -> Result<C::Value, ReadGradedReason> {
        match f.terms() {
            [] => Ok(self.coefficients.number(&Rational::ZERO)),
            [(monomial, value)] if *monomial == self.coordinates().one() => Ok(value.clone()),
            // For polynomials the base is in the monomials: expressions may still read it.
            _ if !C::HOLDS_BASE => Err(ReadGradedReason::NotPolynomial),
            _ => Err(ReadGradedReason::NotScalar),
        }
    }

    fn power(
        &mut self,
        base: &Element<C::Value>,
        exponent: &Element<C::Value>,
    ) -> Result<Element<C::Value>, ReadGradedReason> {
        let exponent = self.as_scalar(exponent)?;
        let whole = self.coefficients.as_number(&exponent).and_then(|value| value.as_integer());
        let scalar = self.as_scalar(base);
        match (whole, scalar) {
            (Some(whole), scalar) if (0..=i64::from(Exponents::LARGEST)).contains(&whole) => {
                if let (Ok(value), true) = (&scalar, C::HOLDS_BASE) {
                    let power = self.coefficients.power(value, &exponent);
                    let power = power.ok_or(ReadGradedReason::Undefined)?;
                    return Ok(self.scalar(power));
                }
                let mut power = self.integer(1);
                for _ in 0..whole {
                    power = self.multiply(&power, base)?;
                }
                Ok(power)
            }
            (_, Ok(value)) => {
                let power = self.coefficients.power(&value, &exponent);
                Ok(self.scalar(power.ok_or(ReadGradedReason::NotPolynomial)?))
            }
            (_, Err(reason)) => Err(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use isotrope_algebra::syntax::{Grammar, ParseLimits, parse};
    use isotrope_algebra::{Budget, Pool};

    use super::*;

    const NAMES: [&str; 4] = ["x", "y", "c", "d"];

    fn tree(text: &str) -> Tree {
        let mut limits = ParseLimits { depth: 100, nodes: 1000, digits: 100 };
        parse(text, Grammar::Expression, &[], &mut limits).unwrap()
    }

    fn meaning(name: &str) -> Option<Meaning> {
        NAMES.iter().position(|known| *known == name).map(Meaning::Coordinate)
    }

    fn coordinates() -> [(String, i32); 4] {
        [("x", 0), ("y", 0), ("c", 1), ("d", 1)].map(|(name, degree)| (name.to_owned(), degree))
    }

    fn polynomials() -> GradedAlgebra<Polynomials> {
        GradedAlgebra::new(coordinates(), Polynomials, Budget::new(10_000)).unwrap()
    }

    #[test]
    fn products_keep_their_order_and_squares_of_odd_coordinates_vanish() {
        let mut algebra = polynomials();
        let mut read = |text: &str| algebra.read(&tree(text), meaning).unwrap();
        let (forth, back) = (read("x*c*d"), read("-d*x*c"));
        assert_eq!(forth, back);
        assert!(read("c^2").is_empty() && read("c*d*c").is_empty());
        assert_eq!(read("(x + c)*(x - c)"), read("x^2"));
        assert_eq!(read("(c + d)*(c - d)"), read("-2*c*d"));
        assert_eq!(read("3*x/2 - x"), read("x/2"));
    }

    #[test]
    fn what_is_no_polynomial_is_said_and_read_as_an_expression() {
        let mut algebra = polynomials();
        for text in ["sin(x)", "1/x", "x^(1/2)", "pi*x", "x^y"] {
            let refused = algebra.read(&tree(text), meaning).unwrap_err();
            assert_eq!(refused.reason, ReadGradedReason::NotPolynomial, "{text}");
        }
        let mut pool = Pool::new();
        let base = ["x", "y"].map(|name| pool.symbol(name)).to_vec();
        let coefficients = Expressions { pool: &mut pool, base };
        let mut algebra =
            GradedAlgebra::new(coordinates(), coefficients, Budget::new(10_000)).unwrap();
        for text in ["sin(x)*c", "c/x", "x^(1/2)*d*c", "pi*x", "sqrt(x)*atan2(x, y)"] {
            assert_eq!(algebra.read(&tree(text), meaning).unwrap().terms().len(), 1, "{text}");
        }
        for (text, reason) in [
            ("sin(c)", ReadGradedReason::NotScalar),
            ("x/c", ReadGradedReason::NotScalar),
            ("1/0", ReadGradedReason::Undefined),
            ("x/(1 - 1)", ReadGradedReason::Undefined),
            ("z", ReadGradedReason::UnknownName("z".to_owned())),
            ("x'", ReadGradedReason::NotAllowed),
        ] {
            assert_eq!(algebra.read(&tree(text), meaning).unwrap_err().reason, reason, "{text}");
        }
    }
}
