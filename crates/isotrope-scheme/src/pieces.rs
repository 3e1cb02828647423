//! Means along a way of what has kinks and jumps, piece by piece.
//!
//! A contact is an energy such as K/2 max(u, 0)², whose gradient has a kink where u = 0: no formula of quadrature is
//! exact across it. Each term of an expression is therefore integrated by itself, from one zero of the arguments of its
//! `abs`, `sign` and `heaviside` to the next. Along a chord an affine u vanishes at
//!
//! τ = |u₀|/(|u₀| + |u₁|)
//!
//! if it changes its sign, and if it does not, to divide the way there does no harm: a formula without branches, good to
//! rounding, in every unit. Piecewise polynomials have exact means by this. Where u is not affine, or the way is not
//! straight, the zero is corrected once by the secant.
//!
//! `positive_power` has powers that are not polynomials, as in Hertz' contact.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::{ExprId, Function, Node, Pool, Rational, Smoothness};

use super::DiscretiseError;
use super::chord::piecewise_degree;
use super::mechanics::{Point, Writer};
use super::positive_power::PositivePower;
use super::stages::Numbers;
use isotrope_methods::table::Table;

/// Points on a piece where quadrature is not exact.
const POINTS: usize = 8;
/// The most points that a piece of a polynomial is given.
const MOST_POINTS: usize = 16;
/// Arguments in one term that the way is divided at.
const MOST_SWITCHES: usize = 4;

/// A way of a step, from τ = 0 to 1.
pub(super) struct Way<'w> {
    /// The place at τ.
    pub place: &'w dyn Fn(&mut Writer<'_>, ExprId) -> Point,
    /// Its degree in τ.
    pub degree: usize,
}

/// Terms with kinks of one expression among several.
#[derive(Clone)]
struct Term {
    of: usize,
    value: ExprId,
    /// The arguments that change sign.
    switches: Vec<ExprId>,
}

/// Expressions, with what has kinks apart from the rest.
pub(super) struct Parted {
    /// What is smooth: the expression itself, if all of it is.
    pub smooth: Vec<ExprId>,
    terms: Vec<Term>,
}

impl Parted {
    /// Sorts the terms of expressions by whether they have kinks in these variables. Terms with others of which the way
    /// knows nothing, and those with too many kinks, are left with the smooth ones.
    pub(super) fn new(
        pool: &mut Pool,
        expressions: &[ExprId],
        variables: &[ExprId],
        others: &[ExprId],
    ) -> Self {
        let mut parted = Self { smooth: Vec::with_capacity(expressions.len()), terms: Vec::new() };
        for (of, &expression) in expressions.iter().enumerate() {
            let mut rest = Vec::new();
            let before = parted.terms.len();
            for (value, part) in terms(pool, expression) {
                let switches = switches(pool, value, variables);
                let known = !pool.depends_on(value, others);
                if switches.is_empty() || switches.len() > MOST_SWITCHES || !known {
                    rest.push(part);
                } else {
                    parted.terms.push(Term { of, value: part, switches });
                }
            }
            let smooth = parted.terms.len() == before;
            parted.smooth.push(if smooth { expression } else { pool.sum(&rest) });
        }
        parted
    }

    /// With the kinks of one expression only.
    pub(super) fn only(&self, of: usize) -> Self {
        let terms = self.terms.iter().filter(|term| term.of == of).cloned().collect();
        Self { smooth: self.smooth.clone(), terms }
    }

    /// Are there no kinks?
    pub(super) fn is_smooth(&self) -> bool {
        self.terms.is_empty()
    }

    /// Means of the terms with kinks along a way, ∫ weight f dτ, for each of these weights, polynomials in τ; and whether
    /// they are exact.
    pub(super) fn means(
        &self,
        writer: &mut Writer<'_>,
        way: &Way<'_>,
        weights: &[Vec<Rational>],
        variables: &[ExprId],
    ) -> Result<(Vec<Vec<ExprId>>, bool), DiscretiseError> {
        let mut parts = vec![vec![Vec::new(); self.smooth.len()]; weights.len()];
        let mut exact = true;
        let mut breaks: Vec<(ExprId, ExprId)> = Vec::new();
        for term in &self.terms {
            if way.degree == 1
                && let [weight] = weights
                && let [constant] = &weight[..]
                && let Some(power) =
                    PositivePower::of(&mut writer.pool, term.value, &term.switches, variables)
            {
                let mean = power.mean(writer, way)?;
                parts[0][term.of].push(writer.pool.scale(constant, mean));
                continue;
            }
            let mut at = Vec::with_capacity(term.switches.len());
            for &u in &term.switches {
                let known = breaks.iter().find(|(argument, _)| *argument == u);
                let tau = match known {
                    Some(&(_, tau)) => tau,
                    None => {
                        let tau = zero(writer, way, u, variables)?;
                        breaks.push((u, tau));
                        tau
                    }
                };
                at.push(tau);
            }
            let degree = piecewise_degree(&writer.pool, &[term.value], variables);
            let most = weights.iter().map(Vec::len).max().unwrap_or(1);
            let wanted = degree.map(|degree| (degree * way.degree + most - 1) / 2 + 1);
            exact &= way.degree == 1 && wanted.is_some_and(|count| count <= MOST_POINTS);
            let count = wanted.map_or(POINTS, |count| count.min(MOST_POINTS));
            let gauss = Numbers::new(&Table::gauss(count)?, writer.digits, writer.budget)?;
            for [from, to] in pieces(writer, at) {
                let length = writer.pool.sub(to, from);
                for (k, part) in gauss.weights().iter().enumerate() {
                    let far = writer.pool.scale(&gauss.node(k), length);
                    let tau = writer.pool.add(from, far);
                    let tau = writer.define_one("τ", tau);
                    let value = value_at(writer, way, tau, term.value)?;
                    let share = writer.pool.scale(part, length);
                    for (weight, parts) in weights.iter().zip(&mut parts) {
                        let weight = polynomial(&mut writer.pool, weight, tau);
                        parts[term.of].push(writer.pool.product(&[share, weight, value]));
                    }
                }
            }
        }
        let sums = parts
            .iter()
            .map(|parts| parts.iter().map(|list| writer.pool.sum(list)).collect())
            .collect();
        Ok((sums, exact))
    }
}

/// The terms of a sum: without their coefficient, and with it.
fn terms(pool: &mut Pool, expression: ExprId) -> Vec<(ExprId, ExprId)> {
    let Node::Sum(pairs) = pool.node(expression) else { return vec![(expression, expression)] };
    let pairs: Vec<(ExprId, ExprId)> = pairs.iter().collect();
    pairs.into_iter().map(|(term, factor)| (term, pool.mul(factor, term))).collect()
}

/// The arguments of functions with kinks or jumps that move with these variables.
pub(super) fn switches(pool: &Pool, expression: ExprId, variables: &[ExprId]) -> Vec<ExprId> {
    let mut found = Vec::new();
    for id in pool.reachable(&[expression]) {
        if let Node::Call(function, argument) = pool.node(id)
            && function.smoothness() != Smoothness::Analytic
            && pool.depends_on(argument, variables)
            && !found.contains(&argument)
        {
            found.push(argument);
        }
    }
    found
}

/// Has an expression jumps in these variables?
pub(super) fn jumps(pool: &Pool, expression: ExprId, variables: &[ExprId]) -> bool {
    pool.reachable(&[expression]).into_iter().any(|id| {
        matches!(pool.node(id), Node::Call(function, argument)
            if function.smoothness() == Smoothness::Jumps && pool.depends_on(argument, variables))
    })
}

/// Where an argument vanishes on the way, or some place on it.
fn zero(
    writer: &mut Writer<'_>,
    way: &Way<'_>,
    u: ExprId,
    variables: &[ExprId],
) -> Result<ExprId, DiscretiseError> {
    let (start, end) = ends(writer, way, u)?;
    let sizes = [start, end].map(|u| writer.pool.call(Function::Abs, u));
    let both = writer.pool.add(sizes[0], sizes[1]);
    let both = not_zero(writer, both);
    let tau = writer.pool.div(sizes[0], both);
    let tau = writer.define_one("zero", tau);
    let affine = piecewise_degree(&writer.pool, &[u], variables).is_some_and(|degree| degree <= 1);
    if affine && way.degree == 1 {
        return Ok(tau);
    }
    let there = value_at(writer, way, tau, u)?;
    let up = writer.pool.call(Function::Sign, end);
    let back = writer.pool.mul(up, there);
    let back = writer.pool.div(back, both);
    let corrected = writer.pool.sub(tau, back);
    let corrected = writer.pool.clipped(corrected, ExprId::ZERO, ExprId::ONE);
    Ok(writer.define_one("zero", corrected))
}

/// The values of an expression at both ends of the way.
pub(super) fn ends(
    writer: &mut Writer<'_>,
    way: &Way<'_>,
    u: ExprId,
) -> Result<(ExprId, ExprId), DiscretiseError> {
    let mut both = [ExprId::ZERO; 2];
    for (value, tau) in both.iter_mut().zip([ExprId::ZERO, ExprId::ONE]) {
        let there = value_at(writer, way, tau, u)?;
        *value = writer.define_one("u", there);
    }
    Ok((both[0], both[1]))
}

/// A number, and 1 in the place of 0: a divisor for what vanishes with it, in every unit.
pub(super) fn not_zero(writer: &mut Writer<'_>, size: ExprId) -> ExprId {
    let size = writer.define_one("size", size);
    let sign = writer.pool.call(Function::Sign, size);
    let square = writer.pool.powi(sign, 2);
    let missing = writer.pool.sub(ExprId::ONE, square);
    let missing = writer.define_one("empty", missing);
    writer.pool.add(size, missing)
}

/// The pieces between 0, the sorted places, and 1.
fn pieces(writer: &mut Writer<'_>, mut places: Vec<ExprId>) -> Vec<[ExprId; 2]> {
    for end in (1..places.len()).rev() {
        for k in 0..end {
            let (a, b) = (places[k], places[k + 1]);
            let (low, high) = (writer.pool.smaller(a, b), writer.pool.larger(a, b));
            places[k] = writer.define_one("zero", low);
            places[k + 1] = writer.define_one("zero", high);
        }
    }
    let mut bounds = vec![ExprId::ZERO];
    bounds.append(&mut places);
    bounds.push(ExprId::ONE);
    bounds.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// An expression at a place of the way, with names for the coordinates it uses.
fn value_at(
    writer: &mut Writer<'_>,
    way: &Way<'_>,
    tau: ExprId,
    expression: ExprId,
) -> Result<ExprId, DiscretiseError> {
    let place = (way.place)(writer, tau);
    let symbols = writer.symbols;
    let below = writer.pool.reachable(&[expression]);
    let all = symbols.position.iter().zip(place.q).chain(symbols.velocity.iter().zip(place.v));
    let mut map = Substitution::default();
    for (&symbol, value) in all.chain([(&symbols.time, place.t)]) {
        if symbol != value && below.binary_search(&symbol).is_ok() {
            let plain = matches!(writer.pool.node(value), Node::Symbol(_) | Node::Number(_));
            let value = if plain { value } else { writer.define_one("x_τ", value) };
            map.insert(symbol, value);
        }
    }
    Ok(substitute(&mut writer.pool, &[expression], &map, writer.budget)?[0])
}

/// Σ c_k x^k.
pub(super) fn polynomial(pool: &mut Pool, coefficients: &[Rational], at: ExprId) -> ExprId {
    let mut terms = Vec::with_capacity(coefficients.len());
    for (k, coefficient) in (0..).zip(coefficients) {
        let power = pool.powi(at, k);
        terms.push(pool.scale(coefficient, power));
    }
    pool.sum(&terms)
}
