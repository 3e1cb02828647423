//! Numbers of a discrete Lagrangian as formulas: square roots at most, decimals elsewhere.

use isotrope_algebra::normal::simplify;
use isotrope_algebra::number::AlgebraicNumber;
use isotrope_algebra::{Budget, ExprId, OrInternal, Pool, Rational};

use super::quadrature::{Node, Quadrature, ratio};
use crate::DiscretiseError;

/// Operations for shortening one number.
const SHORTENING: u64 = 20_000;

/// Writes numbers into a pool.
pub(super) struct Numerals<'b> {
    pub pool: Pool,
    /// Were all of them written exactly?
    pub exact: bool,
    pub budget: &'b mut Budget,
}

impl Numerals<'_> {
    /// A number as a formula: with a square root at most.
    pub fn write(&mut self, number: &AlgebraicNumber) -> ExprId {
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
        let twice = (&a + &a).recip().or_noticed("a polynomial of degree two has a square");
        let discriminant = self.pool.number(discriminant);
        let root = self.pool.sqrt(discriminant);
        let sign = if number.root_number() == 1 { -&twice } else { twice.clone() };
        let root = self.pool.scale(&sign, root);
        let rest = self.pool.number(&-&b * &twice);
        self.pool.add(rest, root)
    }

    /// A number in fewer words.
    pub fn short(&mut self, number: ExprId) -> ExprId {
        simplify(&mut self.pool, number, &mut Budget::new(SHORTENING))
    }

    /// Π_{j≠k} (x − d_j)/(d_k − d_j) and its derivative.
    pub fn shape(&mut self, nodes: &[ExprId], k: usize, x: ExprId) -> (ExprId, ExprId) {
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

    /// The nodes and weights of a formula of quadrature.
    pub fn nodes(
        &mut self,
        quadrature: Quadrature,
    ) -> Result<Vec<(ExprId, ExprId)>, DiscretiseError> {
        let nodes = quadrature.nodes(self.budget)?;
        Ok(nodes.iter().map(|Node { at, weight }| (self.write(at), self.write(weight))).collect())
    }
}

/// Twenty digits after the point.
fn decimal(number: &AlgebraicNumber) -> Rational {
    let scale = (0..20).fold(Rational::ONE, |power, _| &power * &Rational::integer(10));
    let (near, _) = number.bounds(90);
    let scaled = &(&near * &scale) + &ratio(1, 2);
    let below = scale.recip().or_noticed("a power of ten is not zero").denominator();
    let whole = Rational::from_big(scaled.floor(), below);
    whole.unwrap_or(near)
}
