//! The action of a step, summed up piece by piece: polynomials at nodes of quadrature.

use std::ops::Range;

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::{ExprId, Pool};

use super::lagrangian::{Action, DiscreteLagrangian, Piece};
use super::numerals::Numerals;
use super::quadrature::Quadrature;
use super::symbolic::{Condition, degree};
use crate::DiscretiseError;
use isotrope_derive::{ConstraintRows, Dynamics, System, Written};

/// What a step is made of.
pub(super) struct Assembly<'s> {
    system: &'s System,
    dynamics: &'s Dynamics,
    rows: &'s ConstraintRows,
    step: ExprId,
    points: &'s [Vec<ExprId>],
}

/// Sums over the pieces.
pub(super) struct Built {
    pub forces: Vec<Vec<ExprId>>,
    pub places: Vec<ExprId>,
    pub terms: Vec<ExprId>,
    pub quadratures: Vec<Vec<(ExprId, ExprId)>>,
    pub conditions: Vec<Condition>,
}

/// A piece with its place in the step.
struct Part<'p> {
    piece: &'p Piece,
    /// The part of the step before it.
    before: ExprId,
    /// Its points.
    range: Range<usize>,
    /// γh.
    length: ExprId,
    /// The nodes of its polynomial.
    ends: Vec<ExprId>,
}

impl<'s> Assembly<'s> {
    pub(super) fn new(
        system: &'s System,
        dynamics: &'s Dynamics,
        rows: &'s ConstraintRows,
        step: ExprId,
        points: &'s [Vec<ExprId>],
    ) -> Self {
        Self { system, dynamics, rows, step, points }
    }

    /// All pieces, one after the other.
    pub(super) fn all(
        &self,
        numerals: &mut Numerals<'_>,
        lagrangian: &DiscreteLagrangian,
    ) -> Result<Built, DiscretiseError> {
        let dimension = self.system.symbols.dimension();
        let mut built = Built {
            forces: vec![vec![ExprId::ZERO; dimension]; self.points.len()],
            places: vec![ExprId::ZERO],
            terms: Vec::new(),
            quadratures: Vec::new(),
            conditions: Vec::new(),
        };
        let (mut first, mut before) = (0, ExprId::ZERO);
        for piece in &lagrangian.pieces {
            let last = first + degree(piece);
            let fraction = numerals.write(&piece.fraction);
            let length = numerals.pool.mul(fraction, self.step);
            let nodes = numerals.nodes(Quadrature::Lobatto(degree(piece) + 1))?;
            let ends = nodes.iter().map(|node| node.0).collect();
            let part = Part { piece, before, range: first..last + 1, length, ends };
            for &end in &part.ends[1..] {
                let way = numerals.pool.mul(fraction, end);
                let place = numerals.pool.add(before, way);
                built.places.push(numerals.short(place));
            }
            match piece.action {
                Action::Galerkin { quadrature, .. } => {
                    self.galerkin(numerals, &mut built, &part, quadrature)?;
                }
                Action::Own { reversed } => self.own(numerals, &mut built, &part, reversed)?,
            }
            self.constrain(numerals, &mut built, &part)?;
            let until = numerals.pool.add(before, fraction);
            before = numerals.short(until);
            first = last;
        }
        Ok(built)
    }

    /// Q and Q' at a node of a piece, with the time there; and the shapes by which its points enter.
    fn place(
        &self,
        numerals: &mut Numerals<'_>,
        part: &Part<'_>,
        node: ExprId,
    ) -> (Substitution, Vec<(ExprId, ExprId)>) {
        let count = part.ends.len();
        let shapes: Vec<_> = (0..count).map(|k| numerals.shape(&part.ends, k, node)).collect();
        let pool = &mut numerals.pool;
        let combine = |pool: &mut Pool, pick: fn(&(ExprId, ExprId)) -> ExprId, i: usize| {
            let terms: Vec<ExprId> = shapes
                .iter()
                .zip(&self.points[part.range.clone()])
                .map(|(shape, point)| pool.mul(pick(shape), point[i]))
                .collect();
            pool.sum(&terms)
        };
        let symbols = &self.system.symbols;
        let mut map = Substitution::default();
        for (i, (&q, &v)) in symbols.position.iter().zip(&symbols.velocity).enumerate() {
            let place = combine(pool, |shape| shape.0, i);
            let slope = combine(pool, |shape| shape.1, i);
            map.insert(q, place);
            map.insert(v, pool.div(slope, part.length));
        }
        let way = pool.mul(part.length, node);
        let start = pool.mul(part.before, self.step);
        map.insert(symbols.time, pool.sum(&[symbols.time, start, way]));
        (map, shapes)
    }

    /// γh Σ b_i L(Q(c_i), Q'(c_i)), with forces in the same way.
    fn galerkin(
        &self,
        numerals: &mut Numerals<'_>,
        built: &mut Built,
        part: &Part<'_>,
        quadrature: Quadrature,
    ) -> Result<(), DiscretiseError> {
        let nodes = numerals.nodes(quadrature)?;
        let mut wanted = vec![self.dynamics.lagrangian];
        wanted.extend(&self.dynamics.forces);
        for &(node, weight) in &nodes {
            let (map, shapes) = self.place(numerals, part, node);
            let pool = &mut numerals.pool;
            let values = substitute(pool, &wanted, &map, numerals.budget)?;
            let factor = pool.mul(part.length, weight);
            built.terms.push(pool.mul(factor, values[0]));
            for (shape, forces) in shapes.iter().zip(&mut built.forces[part.range.clone()]) {
                for (force, &value) in forces.iter_mut().zip(&values[1..]) {
                    let push = pool.product(&[factor, shape.0, value]);
                    *force = pool.add(*force, push);
                }
            }
        }
        built.quadratures.push(nodes);
        Ok(())
    }

    /// That of the model; forces at the midpoint, half at each end.
    fn own(
        &self,
        numerals: &mut Numerals<'_>,
        built: &mut Built,
        part: &Part<'_>,
        reversed: bool,
    ) -> Result<(), DiscretiseError> {
        let Some(own) = &self.system.model.discrete else {
            return Err(DiscretiseError::NotApplicable { reason: super::own::MISSING });
        };
        let (middle, _) = self.place(numerals, part, ExprId::HALF);
        let pool = &mut numerals.pool;
        let ends = (part.range.start, part.range.end - 1);
        let (begin, end) = (&self.points[ends.0], &self.points[ends.1]);
        let start = pool.mul(part.before, self.step);
        let t = pool.add(self.system.symbols.time, start);
        let (from, to, h, at) = if reversed {
            (end, begin, pool.neg(part.length), pool.add(t, part.length))
        } else {
            (begin, end, part.length, t)
        };
        let mut map = Substitution::default();
        map.extend(own.begin.iter().copied().zip(from.iter().copied()));
        map.extend(own.end.iter().copied().zip(to.iter().copied()));
        map.insert(own.step, h);
        map.insert(self.system.symbols.time, at);
        let value = substitute(pool, &[own.lagrangian], &map, numerals.budget)?[0];
        built.terms.push(if reversed { pool.neg(value) } else { value });
        let forces = substitute(pool, &self.dynamics.forces, &middle, numerals.budget)?;
        let half = pool.mul(ExprId::HALF, part.length);
        for point in [ends.0, ends.1] {
            for (force, &value) in built.forces[point].iter_mut().zip(&forces) {
                let push = pool.mul(half, value);
                *force = pool.add(*force, push);
            }
        }
        built.quadratures.push(Vec::new());
        Ok(())
    }

    /// φ = 0 at the points after the first, A v + b = 0 of other constraints at the nodes of Gauss.
    fn constrain(
        &self,
        numerals: &mut Numerals<'_>,
        built: &mut Built,
        part: &Part<'_>,
    ) -> Result<(), DiscretiseError> {
        let rows = self.rows;
        if rows.is_empty() {
            return Ok(());
        }
        let middles = match degree(part.piece) {
            // Not those of the numbers of a table: one half needs none.
            1 => vec![ExprId::HALF],
            degree => numerals.nodes(Quadrature::Gauss(degree))?.iter().map(|n| n.0).collect(),
        };
        for (&end, &middle) in part.ends[1..].iter().zip(&middles) {
            for (node, on_position) in [(end, true), (middle, false)] {
                let here: Vec<usize> = (0..rows.len())
                    .filter(|&row| (rows.written[row] == Written::Position) == on_position)
                    .collect();
                if here.is_empty() {
                    continue;
                }
                let (map, _) = self.place(numerals, part, node);
                let level = if on_position { &rows.expressions } else { &rows.velocity_level };
                let wanted: Vec<ExprId> = here.iter().map(|&row| level[row]).collect();
                let values = substitute(&mut numerals.pool, &wanted, &map, numerals.budget)?;
                let pairs = here.into_iter().zip(values);
                let made = pairs.map(|(row, value)| Condition { row, on_position, value });
                built.conditions.extend(made);
            }
        }
        Ok(())
    }
}
