//! Formulas of quadrature on [0, 1].

use isotrope_algebra::number::AlgebraicNumber;
use isotrope_algebra::{Budget, OrInternal, Rational};

use isotrope_methods::table::{Entry, Table, TableProblem};

/// A formula of quadrature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quadrature {
    /// The rectangle at the beginning.
    Left,
    /// The rectangle at the end.
    Right,
    /// The formula of Gauss with this many points.
    Gauss(usize),
    /// The formula of Lobatto with this many points, both ends among them.
    Lobatto(usize),
}

/// A node with its weight, exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it is.
    pub at: AlgebraicNumber,
    /// Its weight.
    pub weight: AlgebraicNumber,
}

impl Quadrature {
    /// How many points it has.
    #[must_use]
    pub fn points(self) -> usize {
        match self {
            Self::Left | Self::Right => 1,
            Self::Gauss(points) | Self::Lobatto(points) => points,
        }
    }

    /// The same read backwards.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            // They are their own mirror images.
            symmetric @ (Self::Gauss(_) | Self::Lobatto(_)) => symmetric,
        }
    }

    /// Its nodes in ascending order with their weights.
    pub fn nodes(self, budget: &mut Budget) -> Result<Vec<Node>, TableProblem> {
        let table = match self {
            Self::Left | Self::Right => {
                let at = if self == Self::Left { Rational::ZERO } else { Rational::ONE };
                let node = Node { at: at.into(), weight: Rational::ONE.into() };
                return Ok(vec![node]);
            }
            Self::Gauss(points) => Table::gauss(points)?,
            Self::Lobatto(points) => Table::lobatto_iiia(points)?,
        };
        let places = table.nodes(budget)?;
        let mut nodes = Vec::with_capacity(places.len());
        for (k, at) in places.into_iter().enumerate() {
            let entry = Entry::B(k);
            let weight = table.exact(entry, budget)?.ok_or(TableProblem::Undecided(entry))?;
            nodes.push(Node { at, weight });
        }
        Ok(nodes)
    }

    /// The largest u such that polynomials of degree below u are integrated exactly.
    pub fn order(self, budget: &mut Budget) -> Result<usize, TableProblem> {
        let nodes = self.nodes(budget)?;
        let place = |number: &AlgebraicNumber| -> Rational { rational(number, BITS) };
        let near = half_to_the(BITS / 2);
        let most = 2 * nodes.len();
        let mut terms: Vec<Rational> = nodes.iter().map(|node| place(&node.weight)).collect();
        for degree in 0..most {
            let sum = terms.iter().fold(Rational::ZERO, |sum, term| &sum + term);
            let wanted = ratio(1, degree + 1);
            // Moments are algebraic of a small height: they do not come so close without being equal.
            if (&sum - &wanted).abs() > near {
                return Ok(degree);
            }
            for (term, node) in terms.iter_mut().zip(&nodes) {
                *term = &*term * &place(&node.at);
            }
        }
        Ok(most)
    }
}

/// Bits of numbers that decide about equality.
const BITS: i64 = 256;

fn half_to_the(exponent: i64) -> Rational {
    (0..exponent).fold(Rational::ONE, |power, _| &power * &Rational::half())
}

/// A fraction of small numbers.
pub(super) fn ratio(numerator: usize, denominator: usize) -> Rational {
    let small = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    Rational::new(small(numerator), small(denominator)).or_noticed("the denominator is not zero")
}

/// A number, to this many bits where it is irrational.
pub(super) fn rational(number: &AlgebraicNumber, bits: i64) -> Rational {
    number.as_rational().cloned().unwrap_or_else(|| number.bounds(bits).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2r for Gauss, 2r − 2 for Lobatto, one for rectangles: from the moments themselves.
    #[test]
    fn orders_of_quadrature_are_those_of_the_books() {
        let budget = &mut Budget::new(100_000_000);
        for points in 1..=3 {
            assert_eq!(Quadrature::Gauss(points).order(budget).unwrap(), 2 * points);
            let lobatto = Quadrature::Lobatto(points + 1);
            assert_eq!(lobatto.order(budget).unwrap(), 2 * points);
        }
        assert_eq!(Quadrature::Left.order(budget).unwrap(), 1);
        assert_eq!(Quadrature::Right.order(budget).unwrap(), 1);
    }
}
