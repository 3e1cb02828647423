//! One constraint at a point of an algebra.

use super::algebra::{Algebra, Element};
use super::evaluate::products;
use super::problem::{Constraint, Ridges};
use super::scalars::Scalars;

impl<E: Clone> Constraint<E> {
    /// The row A(q).
    pub(super) fn row<A: Algebra>(&self, algebra: &A, q: &[Element<A>]) -> Vec<Element<A>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        let mut row: Vec<Element<A>> = self.linear.iter().map(|x| algebra.constant(x)).collect();
        for (entry, coefficients) in row.iter_mut().zip(&self.quadratic) {
            *entry = algebra.add(entry, &algebra.combine(coefficients, q));
        }
        if !self.ridges.weights.is_empty() {
            let terms = self.exponentials(algebra, q);
            for (i, entry) in row.iter_mut().enumerate() {
                let column = Ridges::column(&self.ridges.velocities, i);
                *entry = algebra.add(entry, &algebra.combine(&column, &terms));
            }
        }
        row
    }

    /// e^{l_k·q}, without the weights.
    fn exponentials<A: Algebra>(&self, algebra: &A, q: &[Element<A>]) -> Vec<Element<A>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        let positions = &self.ridges.positions;
        positions.iter().map(|l| algebra.exponential(&algebra.combine(l, q))).collect()
    }

    /// (dA/dt) v = (∂A/∂q · v) v.
    pub(super) fn turning<A: Algebra>(
        &self,
        algebra: &A,
        q: &[Element<A>],
        v: &[Element<A>],
    ) -> Element<A>
    where
        A::Scalars: Scalars<Element = E>,
    {
        let pulled: Vec<Element<A>> =
            self.quadratic.iter().map(|row| algebra.combine(row, v)).collect();
        let mut sum = algebra.dot(&pulled, v);
        if !self.ridges.weights.is_empty() {
            let terms = self.exponentials(algebra, q);
            let drift = Ridges::forms(algebra, &self.ridges.positions, v);
            let speeds = Ridges::forms(algebra, &self.ridges.velocities, v);
            let moving = products(algebra, &drift, &speeds);
            sum = algebra.add(&sum, &algebra.dot(&moving, &terms));
        }
        sum
    }

    /// φ(q).
    pub(super) fn position<A: Algebra>(&self, algebra: &A, q: &[Element<A>]) -> Option<Element<A>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        let scalars = algebra.scalars();
        let mut sum = algebra.combine(&self.linear, q);
        if !self.quadratic.is_empty() {
            let half = scalars.inverse(&scalars.add(&scalars.one(), &scalars.one()))?;
            let pulled: Vec<Element<A>> =
                self.quadratic.iter().map(|row| algebra.combine(row, q)).collect();
            let square = algebra.dot(&pulled, q);
            let square: Element<A> = square.iter().map(|x| scalars.mul(&half, x)).collect();
            sum = algebra.add(&sum, &square);
        }
        for term in self.ridges.terms(algebra, q, None) {
            sum = algebra.add(&sum, &term);
        }
        // φ(0) = 0: the constants Σ c_k are subtracted.
        for weight in &self.ridges.weights {
            if let Some(first) = sum.first_mut() {
                *first = scalars.sub(first, weight);
            }
        }
        Some(sum)
    }
}
