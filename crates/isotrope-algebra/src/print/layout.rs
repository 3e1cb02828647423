//! From an expression to presentation: the step that all output formats share.
//!
//! The result is a graph of [`Shape`]s, as small as the expression itself: a subexpression
//! that occurs twice has one shape. Only the renderers write it out as a tree.

use super::order::{Order, call_parity, sign_passes};
use super::share::{self, Sharing};
use crate::functions::Parity;
use crate::{Budget, ExprId, Function, Node, OutOfBudget, Pool, Rational};

/// A shape of one [`Layout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShapeId(u32);

/// A piece of a formula as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A nonnegative integer, in digits.
    Number(Box<str>),
    /// π.
    Pi,
    /// What has no value.
    Undefined,
    /// A symbol.
    Name(Box<str>),
    /// The name of a shared subexpression: a position in [`Layout::definitions`].
    Definition(usize),
    /// Two terms or more, each with its sign (true: minus).
    Sum(Box<[(bool, ShapeId)]>),
    /// `-a`.
    Negative(ShapeId),
    /// Two factors or more.
    Product(Box<[ShapeId]>),
    /// A fraction.
    Fraction {
        /// Above the line.
        numerator: ShapeId,
        /// Below the line.
        denominator: ShapeId,
    },
    /// A power.
    Power {
        /// What is raised.
        base: ShapeId,
        /// To which power; neither 1 nor negative nor `1/n`.
        exponent: ShapeId,
    },
    /// A root.
    Root {
        /// What is under the root.
        radicand: ShapeId,
        /// 2 for the square root.
        degree: u32,
    },
    /// A function of one argument.
    Call(Function, ShapeId),
    /// `atan2(y, x)`.
    Atan2(ShapeId, ShapeId),
    /// A linear system, before a component of its solution is taken.
    System {
        /// Number of unknowns.
        size: usize,
        /// Nonzero entries (row, column, value), both from 0, row by row.
        entries: Box<[(u32, u32, ShapeId)]>,
        /// The right-hand side.
        right: Box<[ShapeId]>,
    },
    /// A component of the solution of a system.
    Solution {
        /// A [`Shape::System`].
        system: ShapeId,
        /// Which one, from 1.
        component: u64,
    },
}

/// Expressions as they are written, for any output format.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    shapes: Vec<Shape>,
    /// The expressions that were asked for.
    pub roots: Vec<ShapeId>,
    /// Shared subexpressions (name, shape); each uses only earlier ones.
    pub definitions: Vec<(String, ShapeId)>,
}

impl Layout {
    /// The shape behind an id.
    pub fn shape(&self, id: ShapeId) -> &Shape {
        // Ids are only made by `push`; another layout's id shows as undefined.
        self.shapes.get(id.0 as usize).unwrap_or(&Shape::Undefined)
    }

    fn push(&mut self, shape: Shape) -> ShapeId {
        self.shapes.push(shape);
        ShapeId((self.shapes.len() - 1) as u32)
    }
}

const DOING: &str = "laying out an expression";

/// Numbers below this are prime if the pool has them under a root, and may be written
/// under one root again: the pool takes them apart the same way.
const SMALL_PRIME: i64 = 1 << 12;
/// Radicands are put together up to this size.
const LARGEST_RADICAND: i64 = 1_000_000;

/// Decides how expressions are written: order, signs, fractions, roots, shared parts.
pub fn layout(
    pool: &Pool,
    roots: &[ExprId],
    sharing: Sharing,
    budget: &mut Budget,
) -> Result<Layout, OutOfBudget> {
    let order = Order::new(pool, roots, budget)?;
    let chosen = share::definitions(pool, &order, roots, sharing);
    let mut numbered: Vec<Option<usize>> = vec![None; order.ids.len()];
    for (number, &id) in chosen.iter().enumerate() {
        numbered[order.slot(id)] = Some(number);
    }
    let count = order.ids.len();
    let mut builder = Builder {
        pool,
        order: &order,
        layout: Layout::default(),
        bodies: vec![None; count],
        opposites: vec![None; count],
        numbered,
    };
    let prefix = share::free_prefix(pool, &order);
    let mut defined = vec![None; chosen.len()];
    for (slot, &id) in order.ids.iter().enumerate() {
        budget.spend(1, DOING)?;
        let body = builder.body_shape(id);
        builder.bodies[slot] = Some(match builder.numbered[slot] {
            Some(number) => {
                defined[number] = Some(body);
                builder.layout.push(Shape::Definition(number))
            }
            None => body,
        });
    }
    let roots = roots.iter().map(|&root| builder.plain(root)).collect();
    let mut layout = builder.layout;
    layout.roots = roots;
    layout.definitions = (defined.into_iter().flatten().enumerate())
        .map(|(number, shape)| (format!("{prefix}{}", number + 1), shape))
        .collect();
    Ok(layout)
}

struct Builder<'a> {
    pool: &'a Pool,
    order: &'a Order,
    layout: Layout,
    /// Shapes of the bodies (see [`Order`]), by slot.
    bodies: Vec<Option<ShapeId>>,
    /// Shapes of minus the body, for sums, computed when first needed.
    opposites: Vec<Option<ShapeId>>,
    /// Numbers of definitions, by slot.
    numbered: Vec<Option<usize>>,
}

/// Factors above and below the line.
#[derive(Default)]
struct Factors {
    above: Vec<ShapeId>,
    below: Vec<ShapeId>,
}

impl Builder<'_> {
    fn body(&mut self, id: ExprId) -> ShapeId {
        match self.bodies.get(self.order.slot(id)).copied().flatten() {
            Some(shape) => shape,
            // Children come before parents, so this does not happen.
            None => self.layout.push(Shape::Undefined),
        }
    }

    /// The expression itself, sign and all.
    fn plain(&mut self, id: ExprId) -> ShapeId {
        let negative = self.order.is_negative(id);
        if !negative {
            return self.body(id);
        }
        if self.is_written_sum(id) {
            return self.opposite(id);
        }
        let (negative, shape) = self.signed_term(id, &Rational::ONE, negative);
        if negative { self.layout.push(Shape::Negative(shape)) } else { shape }
    }

    /// Is it a sum of several terms that stands here itself, not by name?
    fn is_written_sum(&self, id: ExprId) -> bool {
        matches!(self.pool.node(id), Node::Sum(pairs) if pairs.len() > 1)
            && self.numbered[self.order.slot(id)].is_none()
    }

    /// Minus the body of a sum.
    fn opposite(&mut self, id: ExprId) -> ShapeId {
        let slot = self.order.slot(id);
        if let Some(shape) = self.opposites[slot] {
            return shape;
        }
        let body_sign = self.order.is_negative(id);
        let shape = if self.common_factor(id).is_some() && !self.is_mixed(id) {
            let body = self.body(id);
            self.layout.push(Shape::Negative(body))
        } else {
            self.sum_shape(id, !body_sign)
        };
        self.opposites[slot] = Some(shape);
        shape
    }

    /// Does a sum have terms of both signs?
    fn is_mixed(&self, id: ExprId) -> bool {
        let negative = |&(term, c): &(ExprId, ExprId)| self.order.term_is_negative(term, c);
        let pairs = self.order.pairs(id);
        pairs.iter().any(negative) && !pairs.iter().all(negative)
    }

    fn number(&mut self, value: &Rational) -> ShapeId {
        let numerator = self.digits(value.numerator().to_string());
        if value.is_integer() {
            return numerator;
        }
        let denominator = self.digits(value.denominator().to_string());
        self.layout.push(Shape::Fraction { numerator, denominator })
    }

    fn digits(&mut self, digits: String) -> ShapeId {
        self.layout.push(Shape::Number(digits.trim_start_matches('-').into()))
    }

    fn body_shape(&mut self, id: ExprId) -> ShapeId {
        let shape = match self.pool.node(id) {
            Node::Number(value) => return self.number(&value.abs()),
            Node::Pi => Shape::Pi,
            Node::Undefined => Shape::Undefined,
            Node::Symbol(symbol) => Shape::Name(self.pool.symbol_name(symbol).into()),
            Node::Sum(pairs) if pairs.len() == 1 => {
                return self.signed_term(id, &Rational::ONE, false).1;
            }
            Node::Sum(_) => return self.sum_shape(id, self.order.is_negative(id)),
            Node::Product(_) => {
                let factors = self.product_factors(id, false).1;
                return self.assemble(&Rational::ONE, factors);
            }
            Node::Call(function, argument) => {
                let argument = match call_parity(self.pool, function, argument) {
                    Parity::None => self.plain(argument),
                    _ => self.body(argument),
                };
                Shape::Call(function, argument)
            }
            Node::Atan2(y, x) => Shape::Atan2(self.plain(y), self.plain(x)),
            Node::System(system) => Shape::System {
                size: system.size(),
                entries: system
                    .entries()
                    .map(|(row, column, entry)| (row, column, self.plain(entry)))
                    .collect(),
                right: system.right().map(|value| self.plain(value)).collect(),
            },
            Node::Solution { system, index } => {
                Shape::Solution { system: self.body(system), component: u64::from(index) + 1 }
            }
        };
        self.layout.push(shape)
    }

    /// The sum, or minus the sum if `flipped`.
    fn sum_shape(&mut self, id: ExprId, flipped: bool) -> ShapeId {
        let order = self.order;
        let common = self.common_factor(id);
        let mut terms = Vec::with_capacity(order.pairs(id).len());
        for &(term, coefficient) in order.pairs(id) {
            let negative = order.term_is_negative(term, coefficient) != flipped;
            let size = match (&common, self.pool.as_number(coefficient)) {
                (None, Some(value)) => value.abs(),
                _ => Rational::ONE,
            };
            terms.push(self.signed_term(term, &size, negative));
        }
        // A sum that would begin with minus begins with its positive terms instead.
        if terms.first().is_some_and(|term| term.0) {
            terms.sort_by_key(|term| term.0);
        }
        let sum = self.layout.push(Shape::Sum(terms.into()));
        match common {
            None => sum,
            Some(common) => self.assemble(&common, Factors { above: vec![sum], below: Vec::new() }),
        }
    }

    /// The size that all coefficients of a sum share, if it is not 1: (x + y)/2. Terms with
    /// sums or fractions of their own are kept apart.
    fn common_factor(&self, id: ExprId) -> Option<Rational> {
        if !self.order.pairs(id).iter().all(|&(term, _)| self.is_flat(term)) {
            return None;
        }
        let mut sizes = (self.order.pairs(id).iter())
            .map(|&(_, coefficient)| self.pool.as_number(coefficient).map(Rational::abs));
        let first = sizes.next().flatten()?;
        (!first.is_one() && sizes.all(|size| size.as_ref() == Some(&first))).then_some(first)
    }

    /// Is it a product of positive powers of things that are not sums?
    fn is_flat(&self, term: ExprId) -> bool {
        match self.pool.node(term) {
            Node::Product(pairs) => pairs.iter().all(|(base, exponent)| {
                !matches!(self.pool.node(base), Node::Sum(_))
                    && self.pool.as_number(exponent).is_none_or(|e| !e.is_negative())
            }),
            _ => true,
        }
    }

    /// `size` times the body of a term, with a minus sign if `negative`; a factor may have
    /// taken the sign: -m (v^2 - g y) is m (g y - v^2).
    fn signed_term(&mut self, term: ExprId, size: &Rational, negative: bool) -> (bool, ShapeId) {
        if let Some(value) = self.pool.as_number(term).map(|value| &value.abs() * size) {
            return (negative, self.number(&value));
        }
        let (term, size) = match self.pool.node(term) {
            Node::Sum(pairs) if pairs.len() == 1 => {
                let (inner, coefficient) = pairs.get(0);
                let coefficient = self.pool.as_number(coefficient).map(Rational::abs);
                (inner, size * &coefficient.unwrap_or(Rational::ONE))
            }
            _ => (term, size.clone()),
        };
        let (absorbed, factors) = self.factors_of(term, negative);
        (negative != absorbed, self.assemble(&size, factors))
    }

    /// The factors of the body of a term; true if one of them took a minus sign.
    fn factors_of(&mut self, term: ExprId, negative: bool) -> (bool, Factors) {
        let slot = self.order.slot(term);
        match self.pool.node(term) {
            Node::Product(_) if self.numbered[slot].is_none() => {
                self.product_factors(term, negative)
            }
            _ => (false, Factors { above: vec![self.body(term)], below: Vec::new() }),
        }
    }

    fn product_factors(&mut self, product: ExprId, negative: bool) -> (bool, Factors) {
        let order = self.order;
        let mut factors = Factors::default();
        let taker = if negative { self.sign_taker(product) } else { None };
        let mut roots: Vec<(&Rational, i64)> = Vec::new();
        for &(base, exponent) in order.pairs(product) {
            let number = self.pool.as_number(exponent);
            if let (Some(prime), Some(exponent)) = (self.small_prime(base), number)
                && !exponent.is_integer()
            {
                let fitting = roots.iter_mut().find(|(e, radicand)| {
                    *e == exponent && radicand.saturating_mul(prime) <= LARGEST_RADICAND
                });
                match fitting {
                    Some((_, radicand)) => *radicand *= prime,
                    None => roots.push((exponent, prime)),
                }
                continue;
            }
            let passes = sign_passes(self.pool, base, exponent);
            let shape = match passes {
                _ if taker == Some(base) => self.opposite(base),
                Parity::None => self.plain(base),
                _ => self.body(base),
            };
            self.push_power(&mut factors, shape, exponent);
        }
        let mut numbers = Vec::new();
        for (exponent, radicand) in roots {
            let radicand = self.digits(radicand.to_string());
            numbers.push(self.rational_power(radicand, exponent));
        }
        factors.above.splice(0..0, numbers);
        (taker.is_some(), factors)
    }

    /// The factor that can take a minus sign and still begin with plus: a sum of mixed
    /// signs above the line, one without exponent if there is.
    fn sign_taker(&self, product: ExprId) -> Option<ExprId> {
        let takes = |&&(base, exponent): &&(ExprId, ExprId)| {
            sign_passes(self.pool, base, exponent) == Parity::Odd
                && self.pool.as_number(exponent).is_some_and(|e| !e.is_negative())
                && self.is_written_sum(base)
                && self.is_mixed(base)
        };
        let mut takers = self.order.pairs(product).iter().filter(takes);
        let plain = takers.clone().find(|(_, exponent)| *exponent == ExprId::ONE);
        plain.or_else(|| takers.next()).map(|(base, _)| *base)
    }

    fn small_prime(&self, base: ExprId) -> Option<i64> {
        let value = self.pool.as_number(base)?.as_integer()?;
        (2..SMALL_PRIME).contains(&value).then_some(value)
    }

    /// A power above or, if its exponent is negative, below the line.
    fn push_power(&mut self, factors: &mut Factors, base: ShapeId, exponent: ExprId) {
        let order = self.order;
        if let Some(value) = self.pool.as_number(exponent) {
            let power = self.rational_power(base, &value.abs());
            let side = if value.is_negative() { &mut factors.below } else { &mut factors.above };
            side.push(power);
            return;
        }
        // x^(a - b) stays above, x^(-a) and x^(-a - b) go below.
        let below = order.is_negative(exponent)
            && !(matches!(self.pool.node(exponent), Node::Sum(_)) && self.is_mixed(exponent));
        let exponent = if below { self.body(exponent) } else { self.plain(exponent) };
        let power = self.layout.push(Shape::Power { base, exponent });
        if below { factors.below.push(power) } else { factors.above.push(power) }
    }

    /// `base^exponent` for a positive exponent.
    fn rational_power(&mut self, base: ShapeId, exponent: &Rational) -> ShapeId {
        if exponent.is_one() {
            return base;
        }
        if let Some((1, degree)) = exponent.as_small()
            && let Ok(degree) = u32::try_from(degree)
        {
            return self.layout.push(Shape::Root { radicand: base, degree });
        }
        let exponent = self.number(exponent);
        self.layout.push(Shape::Power { base, exponent })
    }

    /// A coefficient times factors, as product or fraction.
    fn assemble(&mut self, coefficient: &Rational, factors: Factors) -> ShapeId {
        let Factors { mut above, mut below } = factors;
        let (numerator, denominator) = (coefficient.numerator(), coefficient.denominator());
        if above.is_empty() || !numerator.is_one() {
            let digits = self.digits(numerator.to_string());
            above.insert(0, digits);
        }
        if !denominator.is_one() {
            let digits = self.digits(denominator.to_string());
            below.insert(0, digits);
        }
        let numerator = self.product(above);
        if below.is_empty() {
            return numerator;
        }
        let denominator = self.product(below);
        self.layout.push(Shape::Fraction { numerator, denominator })
    }

    fn product(&mut self, mut factors: Vec<ShapeId>) -> ShapeId {
        match factors.pop() {
            Some(only) if factors.is_empty() => only,
            Some(last) => {
                factors.push(last);
                self.layout.push(Shape::Product(factors.into()))
            }
            None => self.digits("1".to_owned()),
        }
    }
}
