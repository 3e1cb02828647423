//! The algebra of stage vectors: all a tree weight, or an exactness condition, is made of.

use isotrope_algebra::{OrInternal, Rational};

/// One of the two matrices of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `a`: the stages of q.
    Position,
    /// `abar`: the stages of v.
    Velocity,
}

/// One of the three weight vectors of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// `b`: the update of q.
    Position,
    /// `bbar`: the update of v.
    Velocity,
    /// `btil`: the update of p.
    Momentum,
}

/// Functions on the stages of a table, with their product, the matrices of the table as
/// operators on them and its weights as functionals.
///
/// Conditions written with these operations hold in every basis. So a collocation table is
/// used as it is, over Q, in the algebra Q\[x\]/M of functions on its nodes; its algebraic
/// entries are never computed.
pub trait Stages {
    /// Numbers of the table.
    type Scalar: Clone + PartialEq;

    /// The number of stages.
    fn dimension(&self) -> usize;
    /// Are vectors values at the stages, multiplied stage by stage?
    fn is_pointwise(&self) -> bool;
    /// A rational number.
    fn scalar(&self, value: &Rational) -> Self::Scalar;
    /// `x + y`.
    fn add(&self, x: &Self::Scalar, y: &Self::Scalar) -> Self::Scalar;
    /// `x - y`.
    fn sub(&self, x: &Self::Scalar, y: &Self::Scalar) -> Self::Scalar;
    /// `x y`.
    fn mul(&self, x: &Self::Scalar, y: &Self::Scalar) -> Self::Scalar;
    /// The function 1.
    fn unit(&self) -> Vec<Self::Scalar>;
    /// The product of two functions.
    fn multiply(&self, x: &[Self::Scalar], y: &[Self::Scalar]) -> Vec<Self::Scalar>;
    /// A matrix of the table applied to a function.
    fn apply(&self, operator: Operator, x: &[Self::Scalar]) -> Vec<Self::Scalar>;
    /// A weight vector of the table applied to a function.
    fn pair(&self, weights: Weights, x: &[Self::Scalar]) -> Self::Scalar;

    /// 0.
    fn zero(&self) -> Self::Scalar {
        self.scalar(&Rational::ZERO)
    }

    /// The vectors of the basis.
    fn basis(&self) -> Vec<Vec<Self::Scalar>> {
        let (zero, one) = (self.zero(), self.scalar(&Rational::ONE));
        (0..self.dimension())
            .map(|i| {
                let mut vector = vec![zero.clone(); self.dimension()];
                vector[i] = one.clone();
                vector
            })
            .collect()
    }

    /// A multiple of a vector.
    fn scale(&self, factor: &Rational, x: &[Self::Scalar]) -> Vec<Self::Scalar> {
        let factor = self.scalar(factor);
        x.iter().map(|entry| self.mul(&factor, entry)).collect()
    }

    /// A linear combination of numbers with small integer coefficients.
    fn combine(&self, terms: &[(i64, Self::Scalar)]) -> Self::Scalar {
        terms.iter().fold(self.zero(), |sum, (factor, term)| {
            let factor = self.scalar(&Rational::integer(*factor));
            self.add(&sum, &self.mul(&factor, term))
        })
    }
}

/// 1/n, n > 0.
pub fn unit_fraction(n: usize) -> Rational {
    i64::try_from(n).ok().and_then(|n| Rational::new(1, n)).or_noticed("n is positive and small")
}
