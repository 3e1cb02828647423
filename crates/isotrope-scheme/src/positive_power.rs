//! Means of powers of a positive part along a chord, for exponents that are not integers: with m = max(u, 0),
//!
//! ∫ m^e dτ = (m₁^(e+1) − m₀^(e+1))/((e+1)(u₁ − u₀)),   e > 0,
//!
//! for an affine u. Hertz' contact has e = 3/2, a piano's felt about 2.5.

use isotrope_algebra::{ExprId, Function, Node, Pool, Rational};

use super::DiscretiseError;
use super::chord::piecewise_degree;
use super::mechanics::Writer;
use super::pieces::{Way, ends, not_zero};
use super::stages::Numbers;
use isotrope_methods::table::Table;

/// factor · (u + |u|)^e, e no integer, with u affine and the rest constant; a factor 1 + sign(u) is 2 where this is not
/// zero.
pub(super) struct PositivePower {
    factor: ExprId,
    u: ExprId,
    /// A multiple of u + |u|, as it is written.
    base: ExprId,
    exponent: ExprId,
}

impl PositivePower {
    /// Recognises a term with these arguments of functions with kinks.
    pub(super) fn of(
        pool: &mut Pool,
        term: ExprId,
        switches: &[ExprId],
        variables: &[ExprId],
    ) -> Option<Self> {
        let [u] = *switches else { return None };
        if piecewise_degree(pool, &[u], variables) != Some(1) {
            return None;
        }
        let (product, coefficient) = match pool.node(term) {
            Node::Sum(pairs) if pairs.len() == 1 => pairs.get(0),
            _ => (term, ExprId::ONE),
        };
        let Node::Product(pairs) = pool.node(product) else { return None };
        let pairs: Vec<(ExprId, ExprId)> = pairs.iter().collect();
        let (size, sign) = (pool.call(Function::Abs, u), pool.call(Function::Sign, u));
        // The positive part of u, or of −u, and its slope.
        let sides = [(u, sign), (pool.neg(u), pool.neg(sign))];
        for (u, sign) in sides {
            let (twice, slope) = (pool.add(u, size), pool.add(ExprId::ONE, sign));
            let mut factors = vec![coefficient];
            let mut found = None;
            let mut other = false;
            for &(base, exponent) in &pairs {
                if !pool.depends_on(base, variables) && !pool.depends_on(exponent, variables) {
                    factors.push(pool.power(base, exponent));
                } else if found.is_none()
                    && is_broken(pool, exponent)
                    && multiple(pool, base, twice)
                {
                    found = Some((base, exponent));
                } else if exponent == ExprId::ONE && multiple(pool, base, slope) {
                    // base = c (1 + sign): 2c.
                    let ratio = pool.div(base, slope);
                    factors.push(pool.scale(&Rational::integer(2), ratio));
                } else {
                    other = true;
                }
            }
            if let (Some((base, exponent)), false) = (found, other) {
                return Some(Self { factor: pool.product(&factors), u, base, exponent });
            }
        }
        None
    }

    /// With b = c (u + |u|) in the place of m, b₁ − b₀ = 2 c share (u₁ − u₀) where
    /// share = (1 + (u₀ + u₁)/(|u₀| + |u₁|))/2.
    pub(super) fn mean(
        &self,
        writer: &mut Writer<'_>,
        way: &Way<'_>,
    ) -> Result<ExprId, DiscretiseError> {
        let (u0, u1) = ends(writer, way, self.u)?;
        let (b0, b1) = ends(writer, way, self.base)?;
        let sizes = [u0, u1].map(|u| writer.pool.call(Function::Abs, u));
        let both = writer.pool.add(sizes[0], sizes[1]);
        let both = not_zero(writer, both);
        let sum = writer.pool.add(u0, u1);
        let balance = writer.pool.div(sum, both);
        let share = writer.pool.add(ExprId::ONE, balance);
        let share = writer.pool.scale(&Rational::half(), share);
        let share = writer.define_one("share", share);
        let mean = self.between(writer, b0, b1)?;
        Ok(writer.pool.product(&[self.factor, share, mean]))
    }

    /// The mean of b^e from b₀ to b₁, both not negative: (b₁^(e+1) − b₀^(e+1))/((e+1)(b₁ − b₀)) where they are far
    /// apart, and by quadrature where that would lose digits: with |b₁ − b₀| ≤ (b₀ + b₁)/4 the eight points of Gauss
    /// leave (4 + √15)⁻¹⁶.
    fn between(
        &self,
        writer: &mut Writer<'_>,
        b0: ExprId,
        b1: ExprId,
    ) -> Result<ExprId, DiscretiseError> {
        let e = self.exponent;
        let difference = writer.pool.sub(b1, b0);
        let difference = writer.define_one("way", difference);
        let size = writer.pool.call(Function::Abs, difference);
        let size = writer.pool.scale(&Rational::integer(-4), size);
        let excess = writer.pool.sum(&[b0, b1, size]);
        let near = writer.pool.call(Function::Heaviside, excess);
        let near = writer.define_one("near", near);
        let far = writer.pool.sub(ExprId::ONE, near);
        let far = writer.define_one("far", far);
        let more = writer.pool.add(e, ExprId::ONE);
        let (p0, p1) = (writer.pool.power(b0, more), writer.pool.power(b1, more));
        let above = writer.pool.sub(p1, p0);
        let divisor = writer.pool.mul(far, difference);
        let divisor = writer.pool.add(divisor, near);
        let divisor = writer.define_one("divisor", divisor);
        let quotient = writer.pool.div(above, divisor);
        let quotient = writer.pool.div(quotient, more);
        let mut terms = vec![writer.pool.mul(far, quotient)];
        let gauss = Numbers::new(&Table::gauss(8)?, writer.digits, writer.budget)?;
        for (k, weight) in gauss.weights().iter().enumerate() {
            let rest = &Rational::ONE - &gauss.node(k);
            let (x, y) = (writer.pool.scale(&rest, b0), writer.pool.scale(&gauss.node(k), b1));
            let place = writer.pool.add(x, y);
            let value = writer.pool.power(place, e);
            let value = writer.pool.scale(weight, value);
            terms.push(writer.pool.mul(near, value));
        }
        let mean = writer.pool.sum(&terms);
        Ok(writer.define_one("mean", mean))
    }
}

/// An exponent above zero that is not an integer, or one that only a run knows.
fn is_broken(pool: &Pool, exponent: ExprId) -> bool {
    match pool.as_number(exponent) {
        Some(number) => !number.is_integer() && !number.is_negative(),
        None => true,
    }
}

/// Is one expression a positive multiple of another?
fn multiple(pool: &mut Pool, a: ExprId, b: ExprId) -> bool {
    let quotient = pool.div(a, b);
    pool.as_number(quotient).is_some_and(|number| !number.is_negative())
}
