//! Discrete Lagrangians as formulas: what is printed, and what the compiled step is checked against.

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::number::AlgebraicNumber;
use isotrope_algebra::{Budget, ExprId, Pool, Rational};

use super::lagrangian::{Action, DiscreteLagrangian, Piece};
use super::quadrature::{Node, Quadrature, ratio};
use crate::derive::{Mechanics, PointSymmetry, System};
use crate::discretise::DiscretiseError;

/// The action of a step as a formula.
#[derive(Debug, Clone)]
pub struct DiscreteAction {
    /// Holds all expressions; those of the system are in it.
    pub pool: Pool,
    /// h.
    pub step: ExprId,
    /// Points of a step: its beginning, those in which the action is stationary, its end.
    pub points: Vec<Vec<ExprId>>,
    /// Where the points are in the step.
    pub places: Vec<ExprId>,
    /// S, whose stationary value is L_d.
    pub action: ExprId,
    /// ∂S/∂q for each point.
    pub derivatives: Vec<Vec<ExprId>>,
    /// The discrete force on each point.
    pub forces: Vec<Vec<ExprId>>,
    /// Nodes and weights of each piece.
    pub quadratures: Vec<Vec<(ExprId, ExprId)>>,
    /// Are all numbers exact? Those of many points are written to twenty digits.
    pub exact: bool,
}

/// Operations for shortening one number.
const SHORTENING: u64 = 20_000;

struct Numerals<'b> {
    pool: Pool,
    exact: bool,
    budget: &'b mut Budget,
}

impl Numerals<'_> {
    /// A number as a formula: with a square root at most.
    fn write(&mut self, number: &AlgebraicNumber) -> ExprId {
        if let Some(rational) = number.as_rational() {
            return self.pool.number(rational.clone());
        }
        if number.degree() > 2 {
            self.exact = false;
            return self.pool.number(decimal(number));
        }
        let polynomial = number.minimal_polynomial();
        let [plus, zero, minus] = [1, 0, -1].map(|at| polynomial.evaluate(&Rational::integer(at)));
        let half = ratio(1, 2);
        let a = &(&(&plus + &minus) * &half) - &zero;
        let b = &(&plus - &minus) * &half;
        let four = Rational::integer(4);
        let discriminant = &(&b * &b) - &(&four * &(&a * &zero));
        let twice = (&a + &a).recip().unwrap_or_default();
        let discriminant = self.pool.number(discriminant);
        let root = self.pool.sqrt(discriminant);
        let sign = if number.root_number() == 1 { -&twice } else { twice.clone() };
        let root = self.pool.scale(&sign, root);
        let rest = self.pool.number(&-&b * &twice);
        self.pool.add(rest, root)
    }

    fn short(&mut self, number: ExprId) -> ExprId {
        simplify(&mut self.pool, number, &mut Budget::new(SHORTENING))
    }

    /// Π_{j≠k} (x − d_j)/(d_k − d_j) and its derivative.
    fn shape(&mut self, nodes: &[ExprId], k: usize, x: ExprId) -> (ExprId, ExprId) {
        let pool = &mut self.pool;
        let mut factors = Vec::new();
        for j in (0..nodes.len()).filter(|&j| j != k) {
            let below = pool.sub(nodes[k], nodes[j]);
            let above = pool.sub(x, nodes[j]);
            factors.push((pool.div(above, below), pool.powi(below, -1)));
        }
        let product = |pool: &mut Pool, skip: Option<usize>| -> ExprId {
            let kept = factors.iter().enumerate().filter(|(j, _)| Some(*j) != skip);
            let list: Vec<ExprId> = kept.map(|(_, factor)| factor.0).collect();
            pool.product(&list)
        };
        let value = product(pool, None);
        let terms: Vec<ExprId> = (0..factors.len())
            .map(|j| {
                let others = product(pool, Some(j));
                pool.mul(factors[j].1, others)
            })
            .collect();
        let slope = pool.sum(&terms);
        (self.short(value), self.short(slope))
    }

    fn nodes(&mut self, quadrature: Quadrature) -> Result<Vec<(ExprId, ExprId)>, DiscretiseError> {
        let nodes = quadrature.nodes(self.budget)?;
        Ok(nodes.iter().map(|Node { at, weight }| (self.write(at), self.write(weight))).collect())
    }
}

/// Twenty digits after the point.
fn decimal(number: &AlgebraicNumber) -> Rational {
    let scale = (0..20).fold(Rational::ONE, |power, _| &power * &Rational::integer(10));
    let (near, _) = number.bounds(90);
    let scaled = &(&near * &scale) + &ratio(1, 2);
    let below = scale.recip().unwrap_or_default().denominator();
    let whole = Rational::from_big(scaled.floor(), below);
    whole.unwrap_or(near)
}

/// Expressions of the system, and what they become at a point of a step.
struct Continuous {
    lagrangian: ExprId,
    forces: Vec<ExprId>,
    position: Vec<ExprId>,
    velocity: Vec<ExprId>,
    time: ExprId,
}

impl DiscreteAction {
    /// The action of a discrete Lagrangian on a system.
    pub fn new(
        system: &System,
        lagrangian: &DiscreteLagrangian,
        budget: &mut Budget,
    ) -> Result<Self, DiscretiseError> {
        let Mechanics::Lagrangian { dynamics, .. } = &system.mechanics else {
            return Err(DiscretiseError::NotApplicable { reason: "the system has no Lagrangian" });
        };
        let continuous = Continuous {
            lagrangian: dynamics.lagrangian,
            forces: dynamics.forces.clone(),
            position: system.symbols.position.clone(),
            velocity: system.symbols.velocity.clone(),
            time: system.symbols.time,
        };
        let mut numerals = Numerals { pool: system.model.pool.clone(), exact: true, budget };
        let step = fresh(&mut numerals.pool, "h");
        let count = 1 + lagrangian.pieces.iter().map(degree).sum::<usize>();
        let names = &system.symbols.names;
        let mut points = vec![continuous.position.clone()];
        for k in 1..count {
            let mark = if k + 1 == count { "next".to_owned() } else { k.to_string() };
            let symbols = names.iter().map(|name| {
                // x[3] becomes x_next[3].
                let (base, index) = name.split_at(name.find('[').unwrap_or(name.len()));
                fresh(&mut numerals.pool, &format!("{base}_{mark}{index}"))
            });
            points.push(symbols.collect());
        }
        let mut built = Built {
            forces: vec![vec![ExprId::ZERO; names.len()]; count],
            places: vec![ExprId::ZERO],
            terms: Vec::new(),
            quadratures: Vec::new(),
        };
        let (mut first, mut before) = (0, ExprId::ZERO);
        for piece in &lagrangian.pieces {
            let last = first + degree(piece);
            let range = first..last + 1;
            before = match piece.action {
                Action::Galerkin { quadrature, .. } => {
                    let piece = (piece, quadrature, before);
                    built.galerkin(&mut numerals, &continuous, step, piece, &points, range)?
                }
                Action::Own { reversed } => {
                    let piece = (piece, reversed, before);
                    built.own(&mut numerals, system, &continuous, step, piece, &points, range)?
                }
            };
            first = last;
        }
        let Numerals { mut pool, exact, budget } = numerals;
        let action = pool.sum(&built.terms);
        let mut derivatives = Vec::with_capacity(points.len());
        for point in &points {
            derivatives.push(gradient(&mut pool, action, point, budget)?);
        }
        let Built { forces, places, quadratures, .. } = built;
        Ok(Self { pool, step, points, places, action, derivatives, forces, quadratures, exact })
    }

    /// p = −D₁S − F₀: the discrete Legendre transform at the beginning.
    pub fn momenta_before(&mut self) -> Vec<ExprId> {
        let parts = self.derivatives[0].iter().zip(&self.forces[0]);
        let pool = &mut self.pool;
        parts
            .map(|(&derivative, &force)| {
                let sum = pool.add(derivative, force);
                pool.neg(sum)
            })
            .collect()
    }

    /// p⁺ = D₂S + F₁: the discrete Legendre transform at the end.
    pub fn momenta_after(&mut self) -> Vec<ExprId> {
        let last = self.points.len() - 1;
        let parts = self.derivatives[last].iter().zip(&self.forces[last]);
        let pool = &mut self.pool;
        parts.map(|(&derivative, &force)| pool.add(derivative, force)).collect()
    }

    /// D₂L_d(q⁻, q) + D₁L_d(q, q⁺) with forces, where nothing is stationary between; with the symbols
    /// of q⁻.
    pub fn euler_lagrange(
        &mut self,
        names: &[String],
        budget: &mut Budget,
    ) -> Result<Option<(Vec<ExprId>, Vec<ExprId>)>, DiscretiseError> {
        let [begin, end] = self.points.as_slice() else { return Ok(None) };
        let (begin, end) = (begin.clone(), end.clone());
        let pool = &mut self.pool;
        let before: Vec<ExprId> =
            names.iter().map(|name| fresh(pool, &format!("{name}_prev"))).collect();
        let arriving = self.momenta_after();
        let map: Substitution = begin
            .iter()
            .copied()
            .zip(before.iter().copied())
            .chain(end.iter().copied().zip(begin.iter().copied()))
            .collect();
        let arriving = substitute(&mut self.pool, &arriving, &map, budget)?;
        let leaving = self.momenta_before();
        let pairs = arriving.into_iter().zip(leaving);
        let equations = pairs.map(|(a, b)| self.pool.sub(a, b)).collect();
        Ok(Some((before, equations)))
    }

    /// Is the action unchanged by a symmetry of the Lagrangian, acting on all points at once? Then
    /// the momentum p·ξ − G is the same at both ends of a step.
    pub fn is_invariant(
        &mut self,
        system: &System,
        symmetry: &PointSymmetry,
        budget: &mut Budget,
    ) -> Result<Zero, DiscretiseError> {
        let mut terms = Vec::new();
        for (point, derivative) in self.points.clone().iter().zip(&self.derivatives.clone()) {
            let map: Substitution =
                system.symbols.position.iter().copied().zip(point.iter().copied()).collect();
            let field = substitute(&mut self.pool, &symmetry.field, &map, budget)?;
            let pairs = field.into_iter().zip(derivative);
            terms.extend(pairs.map(|(xi, &d)| self.pool.mul(xi, d)).collect::<Vec<_>>());
        }
        // ξ(S) = G(q⁺) − G(q).
        if let (Some(first), Some(last)) = (self.points.first(), self.points.last()) {
            for (point, sign) in [(first.clone(), 1), (last.clone(), -1)] {
                let map: Substitution =
                    system.symbols.position.iter().copied().zip(point).collect();
                let gauge = substitute(&mut self.pool, &[symmetry.gauge], &map, budget)?;
                let sign = self.pool.number(Rational::integer(sign));
                terms.push(self.pool.mul(sign, gauge[0]));
            }
        }
        let sum = self.pool.sum(&terms);
        Ok(is_zero(&mut self.pool, sum, budget))
    }
}

fn degree(piece: &Piece) -> usize {
    match piece.action {
        Action::Galerkin { degree, .. } => degree,
        Action::Own { .. } => 1,
    }
}

/// A symbol that the pool does not have.
fn fresh(pool: &mut Pool, name: &str) -> ExprId {
    let mut name = name.to_owned();
    while pool.find_symbol(&name).is_some() {
        name.push('_');
    }
    pool.symbol(&name)
}

/// Sums over the pieces.
struct Built {
    forces: Vec<Vec<ExprId>>,
    places: Vec<ExprId>,
    terms: Vec<ExprId>,
    quadratures: Vec<Vec<(ExprId, ExprId)>>,
}

type Range = std::ops::Range<usize>;

impl Built {
    /// Adds a piece; gives the part of the step up to its end.
    fn galerkin(
        &mut self,
        numerals: &mut Numerals<'_>,
        continuous: &Continuous,
        step: ExprId,
        (piece, quadrature, before): (&Piece, Quadrature, ExprId),
        points: &[Vec<ExprId>],
        range: Range,
    ) -> Result<ExprId, DiscretiseError> {
        let fraction = numerals.write(&piece.fraction);
        let ends: Vec<ExprId> =
            numerals.nodes(Quadrature::Lobatto(degree(piece) + 1))?.iter().map(|n| n.0).collect();
        for &end in &ends[1..] {
            let part = numerals.pool.mul(fraction, end);
            let place = numerals.pool.add(before, part);
            self.places.push(numerals.short(place));
        }
        let length = numerals.pool.mul(fraction, step);
        let nodes = numerals.nodes(quadrature)?;
        for &(node, weight) in &nodes {
            let shapes: Vec<_> = (0..ends.len()).map(|k| numerals.shape(&ends, k, node)).collect();
            let pool = &mut numerals.pool;
            let combine = |pool: &mut Pool, pick: fn(&(ExprId, ExprId)) -> ExprId, i: usize| {
                let terms: Vec<ExprId> = shapes
                    .iter()
                    .zip(&points[range.clone()])
                    .map(|(shape, point)| pool.mul(pick(shape), point[i]))
                    .collect();
                pool.sum(&terms)
            };
            let mut map = Substitution::default();
            for (i, (&q, &v)) in continuous.position.iter().zip(&continuous.velocity).enumerate() {
                let place = combine(pool, |shape| shape.0, i);
                let slope = combine(pool, |shape| shape.1, i);
                map.insert(q, place);
                map.insert(v, pool.div(slope, length));
            }
            let way = pool.mul(length, node);
            let start = pool.mul(before, step);
            let t = pool.sum(&[continuous.time, start, way]);
            map.insert(continuous.time, t);
            let mut wanted = vec![continuous.lagrangian];
            wanted.extend(&continuous.forces);
            let values = substitute(pool, &wanted, &map, numerals.budget)?;
            let factor = pool.mul(length, weight);
            self.terms.push(pool.mul(factor, values[0]));
            for (shape, forces) in shapes.iter().zip(&mut self.forces[range.clone()]) {
                for (force, &value) in forces.iter_mut().zip(&values[1..]) {
                    let part = pool.product(&[factor, shape.0, value]);
                    *force = pool.add(*force, part);
                }
            }
        }
        self.quadratures.push(nodes);
        Ok(numerals.pool.add(before, fraction))
    }

    fn own(
        &mut self,
        numerals: &mut Numerals<'_>,
        system: &System,
        continuous: &Continuous,
        step: ExprId,
        (piece, reversed, before): (&Piece, bool, ExprId),
        points: &[Vec<ExprId>],
        range: Range,
    ) -> Result<ExprId, DiscretiseError> {
        let Some(own) = &system.model.discrete else {
            return Err(DiscretiseError::NotApplicable {
                reason: "the model has no discrete Lagrangian of its own: write one as `[discrete] L`",
            });
        };
        let fraction = numerals.write(&piece.fraction);
        let pool = &mut numerals.pool;
        let length = pool.mul(fraction, step);
        let (begin, end) = (&points[range.start], &points[range.end - 1]);
        let start = pool.mul(before, step);
        let t = pool.add(continuous.time, start);
        let after = pool.add(t, length);
        let (from, to, h, at) =
            if reversed { (end, begin, pool.neg(length), after) } else { (begin, end, length, t) };
        let mut map = Substitution::default();
        map.extend(own.begin.iter().copied().zip(from.iter().copied()));
        map.extend(own.end.iter().copied().zip(to.iter().copied()));
        map.insert(own.step, h);
        map.insert(continuous.time, at);
        let value = substitute(pool, &[own.lagrangian], &map, numerals.budget)?[0];
        self.terms.push(if reversed { pool.neg(value) } else { value });
        let mut middle = Substitution::default();
        for (i, (&q, &v)) in continuous.position.iter().zip(&continuous.velocity).enumerate() {
            let sum = pool.add(begin[i], end[i]);
            middle.insert(q, pool.mul(ExprId::HALF, sum));
            let difference = pool.sub(end[i], begin[i]);
            middle.insert(v, pool.div(difference, length));
        }
        let half = pool.mul(ExprId::HALF, length);
        let between = pool.add(t, half);
        middle.insert(continuous.time, between);
        let forces = substitute(pool, &continuous.forces, &middle, numerals.budget)?;
        for point in [range.start, range.end - 1] {
            for (force, &value) in self.forces[point].iter_mut().zip(&forces) {
                let part = pool.mul(half, value);
                *force = pool.add(*force, part);
            }
        }
        let until = pool.add(before, fraction);
        self.places.push(until);
        self.quadratures.push(Vec::new());
        Ok(until)
    }
}
