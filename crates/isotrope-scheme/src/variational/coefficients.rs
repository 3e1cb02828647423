//! Polynomials on [0, 1] and their values at the nodes of a piece.

use isotrope_algebra::{Budget, Internal, Rational};

use super::lagrangian::{Action, Piece};
use super::quadrature::{Quadrature, rational};
use crate::stages::Digits;
use isotrope_methods::table::TableProblem;

/// A matrix of numbers.
type Matrix = Vec<Vec<Rational>>;

/// The numbers of a piece. Its polynomial Q of degree s is given by its velocities W_j at the nodes of
/// Gauss: Q(τ) = q + γh Σ_j W_j ∫₀^τ ℓ_j; it is varied by its values at the nodes of Lobatto.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    /// γ.
    pub fraction: Rational,
    /// Nodes of quadrature and their weights.
    pub nodes: Vec<Rational>,
    pub weights: Vec<Rational>,
    /// ∫₀^c ℓ_j and ℓ_j(c) for each node of quadrature.
    pub places: Matrix,
    pub speeds: Matrix,
    /// l_k(c) and l_k'(c) for each k, where l_k is one at the k-th node of Lobatto.
    pub values: Matrix,
    pub slopes: Matrix,
    /// Nodes of Lobatto, with ∫₀^d ℓ_j.
    pub ends: Vec<Rational>,
    pub end_places: Matrix,
    /// Nodes of Gauss, with the same; velocities there are W.
    pub middles: Vec<Rational>,
    pub middle_places: Matrix,
    /// Weights of Lobatto.
    pub end_weights: Vec<Rational>,
}

/// Bits of nodes for steps in doubles: far below their rounding.
const ENOUGH_FOR_DOUBLES: i64 = 130;
/// Fractions up to this many bits stay as they are.
const SHORT: u64 = 64;

impl Numbers {
    pub(crate) fn new(
        piece: &Piece,
        digits: Digits,
        budget: &mut Budget,
    ) -> Result<Self, TableProblem> {
        let bits = match digits {
            Digits::Double => ENOUGH_FOR_DOUBLES,
            Digits::Bits(bits) => bits.into(),
        };
        let (degree, quadrature) = match piece.action {
            Action::Galerkin { degree, quadrature } => (degree, quadrature),
            Action::Own { .. } => (1, Quadrature::Gauss(1)),
        };
        let mut rule = |quadrature: Quadrature| -> Result<(Vec<Rational>, Vec<Rational>), _> {
            let nodes = quadrature.nodes(budget)?;
            let pairs = nodes.iter().map(|n| (rational(&n.at, bits), rational(&n.weight, bits)));
            Ok::<_, TableProblem>(pairs.unzip())
        };
        let (nodes, weights) = rule(quadrature)?;
        let (middles, _) = rule(Quadrature::Gauss(degree))?;
        let (ends, end_weights) = rule(Quadrature::Lobatto(degree + 1))?;
        let velocities = basis(&middles)?;
        let integrals: Matrix = velocities.iter().map(|p| integral(p)).collect();
        let shapes = basis(&ends)?;
        let round = |matrix: Matrix| -> Matrix {
            matrix.into_iter().map(|row| rounded(row, digits)).collect()
        };
        let at = |polynomials: &[Vec<Rational>], places: &[Rational]| -> Matrix {
            round(
                places.iter().map(|x| polynomials.iter().map(|p| value(p, x)).collect()).collect(),
            )
        };
        let turned = |polynomials: &[Vec<Rational>]| -> Matrix {
            round(polynomials.iter().map(|p| nodes.iter().map(|x| value(p, x)).collect()).collect())
        };
        let derivatives: Matrix = shapes.iter().map(|p| derivative(p)).collect();
        Ok(Self {
            places: at(&integrals, &nodes),
            speeds: at(&velocities, &nodes),
            values: turned(&shapes),
            slopes: turned(&derivatives),
            end_places: at(&integrals, &ends),
            middle_places: at(&integrals, &middles),
            fraction: rounded(vec![rational(&piece.fraction, bits)], digits).swap_remove(0),
            nodes: rounded(nodes, digits),
            weights: rounded(weights, digits),
            ends: rounded(ends, digits),
            middles: rounded(middles, digits),
            end_weights: rounded(end_weights, digits),
        })
    }

    /// s.
    pub(crate) fn degree(&self) -> usize {
        self.middles.len()
    }
}

/// Long fractions as doubles, where doubles are asked for.
fn rounded(numbers: Vec<Rational>, digits: Digits) -> Vec<Rational> {
    let round = |number: Rational| {
        if digits != Digits::Double || number.bits() <= SHORT {
            return number;
        }
        // What is left of a zero after rounding its nodes is not a coefficient; coefficients are pure numbers, of size 1.
        let value = number.to_f64();
        if value.abs() < 1e-30 {
            Rational::ZERO
        } else {
            Rational::from_f64(value).unwrap_or(number)
        }
    };
    numbers.into_iter().map(round).collect()
}

/// The polynomials that are one at one node and zero at the others; coefficients ascending.
fn basis(nodes: &[Rational]) -> Result<Matrix, Internal> {
    let one = |k: usize| -> Result<Vec<Rational>, Internal> {
        let mut polynomial = vec![Rational::ONE];
        for (_, node) in nodes.iter().enumerate().filter(|&(j, _)| j != k) {
            let factor = (&nodes[k] - node).inverse()?;
            let mut next = vec![Rational::ZERO; polynomial.len() + 1];
            for (power, c) in polynomial.iter().enumerate() {
                let scaled = c * &factor;
                next[power + 1] = &next[power + 1] + &scaled;
                next[power] = &next[power] - &(&scaled * node);
            }
            polynomial = next;
        }
        Ok(polynomial)
    };
    (0..nodes.len()).map(one).collect()
}

fn value(polynomial: &[Rational], x: &Rational) -> Rational {
    polynomial.iter().rev().fold(Rational::ZERO, |sum, c| &(&sum * x) + c)
}

fn integral(polynomial: &[Rational]) -> Vec<Rational> {
    let terms = polynomial.iter().zip(0..);
    let terms = terms.map(|(c, power)| c * &Rational::integral_of_power(power));
    std::iter::once(Rational::ZERO).chain(terms).collect()
}

fn derivative(polynomial: &[Rational]) -> Vec<Rational> {
    let terms = polynomial.iter().zip(0..).skip(1);
    terms.map(|(c, power)| c * &Rational::integer(power)).collect()
}
