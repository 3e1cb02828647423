//! Brackets of degree −n: Schouten (n = 1), Courant (n = 2), BV (n = −1).

use isotrope_algebra::Rational;

use super::{Coefficients, Element, GradedAlgebra, GradedError, GradedField};

/// A bracket of degree `-n` by its Darboux pairs `(q, p)` with `|q| + |p| = n` and `{p, q} = 1`:
///
/// `{f,g} = sum (d_r f/dp)(d_l g/dq) - (-1)^{|p||q|} (d_r f/dq)(d_l g/dp)`.
///
/// It satisfies `{f,g} = -(-1)^{(|f|+n)(|g|+n)} {g,f}`, `{f,gh} = {f,g}h + (-1)^{(|f|+n)|g|} g{f,h}`
/// and the graded Jacobi identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DarbouxBracket {
    degree: i32,
    pairs: Vec<(usize, usize)>,
}

impl DarbouxBracket {
    /// The `n` of the degree `-n`.
    pub fn degree(&self) -> i32 {
        self.degree
    }

    /// The pairs `(q, p)`, numbers of coordinates.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }
}

impl<C: Coefficients> GradedAlgebra<C> {
    /// The bracket of degree `-n` with these pairs `(q, p)`; their degrees must add up to `n`, and no
    /// coordinate may stand in two places.
    pub fn darboux(
        &self,
        n: i32,
        pairs: Vec<(usize, usize)>,
    ) -> Result<DarbouxBracket, GradedError> {
        for &(q, p) in &pairs {
            let (of_q, of_p) = (self.coordinates().degree(q)?, self.coordinates().degree(p)?);
            if of_q + of_p != n {
                return Err(GradedError::NotConjugate {
                    position: self.coordinates().name(q).to_owned(),
                    momentum: self.coordinates().name(p).to_owned(),
                    position_degree: of_q,
                    momentum_degree: of_p,
                    degree: n,
                });
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        for index in pairs.iter().flat_map(|&(q, p)| [q, p]) {
            if !seen.insert(index) {
                let coordinate = self.coordinates().name(index).to_owned();
                return Err(GradedError::RepeatedPair { coordinate });
            }
        }
        Ok(DarbouxBracket { degree: n, pairs })
    }

    /// `{f, g}`.
    pub fn bracket(
        &mut self,
        bracket: &DarbouxBracket,
        f: &Element<C::Value>,
        g: &Element<C::Value>,
    ) -> Result<Element<C::Value>, GradedError> {
        if std::ptr::eq(f, g)
            && let Ok(degree) = self.degree(f)
        {
            return self.self_bracket(bracket, f, degree.unwrap_or(bracket.degree));
        }
        let mut parts = Vec::with_capacity(2 * bracket.pairs.len());
        for &(q, p) in &bracket.pairs {
            let both_odd =
                self.coordinates().degree(q)? % 2 != 0 && self.coordinates().degree(p)? % 2 != 0;
            let (left, right) = (self.right_derivative(f, p)?, self.left_derivative(g, q)?);
            parts.push((left, right, false));
            let (left, right) = (self.right_derivative(f, q)?, self.left_derivative(g, p)?);
            parts.push((left, right, !both_odd));
        }
        let pairs: Vec<_> = parts.iter().map(|(f, g, negative)| (f, g, *negative)).collect();
        self.products(&pairs)
    }

    /// `{f, f}` of a homogeneous function: zero if `|f| + n` is even; otherwise both sums of the
    /// formula are equal, and one of them is computed.
    fn self_bracket(
        &mut self,
        bracket: &DarbouxBracket,
        f: &Element<C::Value>,
        degree: i32,
    ) -> Result<Element<C::Value>, GradedError> {
        if (degree + bracket.degree) % 2 == 0 {
            return Ok(Element::zero());
        }
        let mut parts = Vec::with_capacity(bracket.pairs.len());
        for &(q, p) in &bracket.pairs {
            parts.push((self.right_derivative(f, p)?, self.left_derivative(f, q)?));
        }
        let pairs: Vec<_> = parts.iter().map(|(f, g)| (f, g, false)).collect();
        let half = self.products(&pairs)?;
        Ok(self.scale(&half, &Rational::integer(2)))
    }

    /// The Hamiltonian vector field `X_f = {f, .}` of a homogeneous function.
    pub fn hamiltonian_field(
        &mut self,
        bracket: &DarbouxBracket,
        f: &Element<C::Value>,
    ) -> Result<GradedField<C::Value>, GradedError> {
        let degree = self.degree(f)?.unwrap_or(bracket.degree) - bracket.degree;
        let mut components = Vec::with_capacity(self.coordinates().len());
        for index in 0..self.coordinates().len() {
            let coordinate = self.coordinate(index)?;
            components.push(self.bracket(bracket, f, &coordinate)?);
        }
        self.field(degree, components)
    }

    /// The derived bracket `{{f, theta}, g}`.
    pub fn derived_bracket(
        &mut self,
        bracket: &DarbouxBracket,
        theta: &Element<C::Value>,
        f: &Element<C::Value>,
        g: &Element<C::Value>,
    ) -> Result<Element<C::Value>, GradedError> {
        let inner = self.bracket(bracket, f, theta)?;
        self.bracket(bracket, &inner, g)
    }
}
