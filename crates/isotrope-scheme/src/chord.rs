//! Averages along the chord of a step, by quadrature.

use isotrope_algebra::calculus::SparseRows;
use isotrope_algebra::{ExprId, Node, Pool, Rational, Smoothness};
use rustc_hash::FxHashMap;

use super::DiscretiseError;
use super::mechanics::{Point, Writer};
use super::pieces::{Parted, Way};
use super::stages::{Numbers, count as evaluations};
use isotrope_methods::table::Table;

/// Points of quadrature where it is not exact: an error of h¹⁷ in a step.
const POINTS: usize = 8;

/// The straight way from (q, p, t) to (q⁺, p⁺, t⁺), with places on it and their weights.
pub(super) struct Chord {
    pub weights: Vec<Rational>,
    /// Q = q + τ(q⁺ − q) and the velocities that belong to P = p + τ(p⁺ − p).
    pub places: Vec<Point>,
    /// (q⁺ − q)/h and v⁺.
    ends: [Vec<ExprId>; 2],
}

impl Chord {
    /// The chord for velocities w = (q⁺ − q)/h, momenta p⁺ at the end and, where the Legendre map is
    /// the same everywhere, velocities v⁺.
    pub(super) fn new(
        writer: &mut Writer<'_>,
        w: &[ExprId],
        v_next: &[ExprId],
        p_next: &[ExprId],
    ) -> Result<Self, DiscretiseError> {
        let count = points(writer);
        let gauss = Numbers::new(&Table::gauss(count)?, writer.digits, writer.budget)?;
        writer.evaluations = evaluations(count);
        let mut places = Vec::with_capacity(count);
        for k in 0..count {
            places.push(place(
                writer,
                &gauss.node(k),
                &format!("_{}", k + 1),
                (w, v_next, p_next),
            )?);
        }
        Ok(Self { weights: gauss.weights().to_vec(), places, ends: [w.to_vec(), v_next.to_vec()] })
    }

    /// Σ b_k x_k for vectors at the places.
    pub(super) fn mean(&self, writer: &mut Writer<'_>, values: &[Vec<ExprId>]) -> Vec<ExprId> {
        let zeros = vec![ExprId::ZERO; values.first().map_or(0, Vec::len)];
        writer.combined(&zeros, &self.weights, ExprId::ONE, values)
    }

    /// The mean of expressions along the chord; what has kinks, piece by piece.
    pub(super) fn average(
        &self,
        writer: &mut Writer<'_>,
        expressions: &[ExprId],
    ) -> Result<Vec<ExprId>, DiscretiseError> {
        let (smooth, kinks) = self.parts(writer, expressions)?;
        let mut values = Vec::with_capacity(self.places.len());
        for place in &self.places {
            values.push(writer.at(place, &smooth)?);
        }
        let mean = self.mean(writer, &values);
        Ok(writer.drifted(&mean, ExprId::ONE, &kinks))
    }

    /// The smooth parts of expressions, and the means of the rest along the chord.
    pub(super) fn parts(
        &self,
        writer: &mut Writer<'_>,
        expressions: &[ExprId],
    ) -> Result<(Vec<ExprId>, Vec<ExprId>), DiscretiseError> {
        let (variables, others) = variables(writer);
        let parted = Parted::new(&mut writer.pool, expressions, &variables, &others);
        let [w, v_next] = &self.ends;
        let place = |writer: &mut Writer<'_>, tau: ExprId| along(writer, tau, w, v_next);
        let way = Way { place: &place, degree: 1 };
        let (kinks, _) = parted.means(writer, &way, &[vec![Rational::ONE]], &variables)?;
        Ok((parted.smooth, kinks.concat()))
    }

    /// The mean of rows of a matrix.
    pub(super) fn rows(
        &self,
        writer: &mut Writer<'_>,
        rows: &SparseRows,
    ) -> Result<SparseRows, DiscretiseError> {
        let entries: Vec<ExprId> = rows.iter().flatten().map(|entry| entry.1).collect();
        let mut means = self.average(writer, &entries)?.into_iter();
        let columns = rows.iter().map(|row| row.iter().map(|entry| entry.0));
        Ok(columns.map(|row| row.zip(means.by_ref()).collect()).collect())
    }
}

/// What moves along the chord by a formula: positions, the time and, where the mass matrix is constant, velocities; and
/// what does not.
fn variables(writer: &Writer<'_>) -> (Vec<ExprId>, Vec<ExprId>) {
    let symbols = writer.symbols;
    let mut variables = symbols.position.clone();
    variables.push(symbols.time);
    if writer.varying_mass {
        return (variables, symbols.velocity.clone());
    }
    variables.extend(&symbols.velocity);
    (variables, Vec::new())
}

/// Positions, time and, where the mass matrix is constant, velocities at τ.
fn along(writer: &mut Writer<'_>, tau: ExprId, w: &[ExprId], v_next: &[ExprId]) -> Point {
    let here = writer.here();
    let way = writer.pool.mul(tau, writer.h);
    let q = writer.drifted(&here.q, way, w);
    let t = writer.pool.add(here.t, way);
    let change: Vec<ExprId> =
        v_next.iter().zip(&here.v).map(|(&new, &old)| writer.pool.sub(new, old)).collect();
    let v = writer.drifted(&here.v, tau, &change);
    Point { q, v, t }
}

/// The place at τ.
pub(super) fn place(
    writer: &mut Writer<'_>,
    tau: &Rational,
    mark: &str,
    (w, v_next, p_next): (&[ExprId], &[ExprId], &[ExprId]),
) -> Result<Point, DiscretiseError> {
    let here = writer.here();
    let way = writer.pool.scale(tau, writer.h);
    let moved = writer.drifted(&here.q, way, w);
    let q = writer.define(mark, moved);
    let t = writer.pool.add(here.t, way);
    let rest = &Rational::ONE - tau;
    let mixed = |writer: &mut Writer<'_>, old: &[ExprId], new: &[ExprId]| -> Vec<ExprId> {
        let pairs = old.iter().zip(new);
        pairs
            .map(|(&x, &y)| {
                let (x, y) = (writer.pool.scale(&rest, x), writer.pool.scale(tau, y));
                writer.pool.add(x, y)
            })
            .collect()
    };
    let v = if writer.varying_mass {
        let old = writer.symbols.momentum.clone();
        let p = mixed(writer, &old, p_next);
        let point = Point { q: q.clone(), v: here.v, t };
        writer.velocities(&point, &p, &Vec::new(), &[])?.0
    } else {
        mixed(writer, &here.v, v_next)
    };
    let v = writer.define(&format!("'{mark}"), v);
    Ok(Point { q, v, t })
}

/// As many points as polynomials along the chord need, or [`POINTS`].
fn points(writer: &mut Writer<'_>) -> usize {
    if writer.varying_mass {
        return POINTS;
    }
    let mut expressions = writer.dynamics.gradient.clone();
    expressions.push(writer.dynamics.explicit_time);
    let rows = writer.rows;
    expressions.extend(rows.matrix.iter().flatten().map(|entry| entry.1));
    expressions.extend(&rows.offset);
    let (variables, others) = variables(writer);
    let smooth = Parted::new(&mut writer.pool, &expressions, &variables, &others).smooth;
    match degree(&writer.pool, &smooth, &variables) {
        // k points are exact up to degree 2k − 1.
        Some(degree) => (degree / 2 + 1).min(POINTS),
        None => POINTS,
    }
}

/// A bound of the degree of polynomials in these variables; `None` if an expression is not a polynomial.
pub(super) fn degree(pool: &Pool, expressions: &[ExprId], variables: &[ExprId]) -> Option<usize> {
    bound(pool, expressions, variables, false)
}

/// The same for what is a polynomial on each side of the zeros of affine functions.
pub(super) fn piecewise_degree(
    pool: &Pool,
    expressions: &[ExprId],
    variables: &[ExprId],
) -> Option<usize> {
    bound(pool, expressions, variables, true)
}

fn bound(pool: &Pool, expressions: &[ExprId], variables: &[ExprId], pieces: bool) -> Option<usize> {
    let mut degrees: FxHashMap<ExprId, Option<usize>> = FxHashMap::default();
    for id in pool.reachable(expressions) {
        let known = |x: ExprId| degrees.get(&x).copied().unwrap_or(Some(0));
        let found = match pool.node(id) {
            Node::Number(_) | Node::Pi => Some(0),
            Node::Symbol(_) => Some(usize::from(variables.contains(&id))),
            Node::Sum(pairs) => pairs
                .iter()
                .map(|(term, _)| known(term))
                .try_fold(0, |most: usize, degree| Some(most.max(degree?))),
            Node::Product(pairs) => pairs
                .iter()
                .map(|(base, exponent)| match (known(base)?, known(exponent)?) {
                    (0, 0) => Some(0),
                    (degree, 0) => {
                        let power = pool.as_number(exponent)?.as_integer()?;
                        degree.checked_mul(usize::try_from(power).ok()?)
                    }
                    _ => None,
                })
                .try_fold(0, |sum: usize, degree| sum.checked_add(degree?)),
            Node::Call(function, argument) => {
                let inner = known(argument);
                match (function.smoothness(), inner) {
                    (_, Some(0)) => Some(0),
                    (Smoothness::Kinks, Some(1)) if pieces => Some(1),
                    (Smoothness::Jumps, Some(1)) if pieces => Some(0),
                    _ => None,
                }
            }
            _ => {
                let mut constant = true;
                pool.for_each_child(id, |child| constant &= known(child) == Some(0));
                constant.then_some(0)
            }
        };
        degrees.insert(id, found);
    }
    expressions
        .iter()
        .map(|id| degrees.get(id).copied().flatten())
        .try_fold(0, |most: usize, degree| Some(most.max(degree?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_those_of_polynomials() {
        let mut pool = Pool::new();
        let (x, y, k) = (pool.symbol("x"), pool.symbol("y"), pool.symbol("k"));
        let square = pool.powi(x, 2);
        let cubic = pool.product(&[square, y, k]);
        let sum = pool.add(cubic, y);
        assert_eq!(degree(&pool, &[sum], &[x, y]), Some(3));
        assert_eq!(degree(&pool, &[sum], &[x]), Some(2));
        let inverse = pool.powi(x, -1);
        assert_eq!(degree(&pool, &[inverse], &[x]), None);
        assert_eq!(degree(&pool, &[inverse], &[y]), Some(0));
        let sine = pool.call(isotrope_algebra::Function::Sin, x);
        assert_eq!(degree(&pool, &[sine], &[x]), None);
        assert_eq!(degree(&pool, &[sine], &[y]), Some(0));
    }
}
