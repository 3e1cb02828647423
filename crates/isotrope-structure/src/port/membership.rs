//! Which functions are combinations of the derivatives of an energy?
//!
//! Gröbner bases over the field of the parameters, by Buchberger's algorithm: the ideals here
//! have as many generators as a system has states, and what is asked of them has to be exact.

use isotrope_algebra::{Budget, MonomialOrder, PolynomialOver, RationalFunction};

use super::PortError;

/// Polynomials over the field of the parameters.
pub(super) type OverParameters = PolynomialOver<RationalFunction>;

const ORDER: MonomialOrder = MonomialOrder::GradedReverseLex;

/// An ideal with a basis in which remainders are unique.
pub(super) struct IdealOverParameters {
    basis: Vec<OverParameters>,
}

impl IdealOverParameters {
    /// The ideal of these polynomials.
    pub fn new(generators: &[OverParameters], budget: &mut Budget) -> Result<Self, PortError> {
        let mut ideal = Self { basis: Vec::new() };
        let mut pairs: Vec<(u64, usize, usize)> = Vec::new();
        for generator in generators {
            let rest = ideal.remainder(generator, budget)?;
            ideal.insert(rest, &mut pairs, budget)?;
        }
        while !pairs.is_empty() {
            pairs.sort_unstable();
            let (_, i, j) = pairs.remove(0);
            if let Some(pair) = s_polynomial(&ideal.basis[i], &ideal.basis[j], budget)? {
                let rest = ideal.remainder(&pair, budget)?;
                ideal.insert(rest, &mut pairs, budget)?;
            }
        }
        Ok(ideal)
    }

    fn insert(
        &mut self,
        element: OverParameters,
        pairs: &mut Vec<(u64, usize, usize)>,
        budget: &mut Budget,
    ) -> Result<(), PortError> {
        let Some((lead, _)) = element.leading_term() else { return Ok(()) };
        for (index, other) in self.basis.iter().enumerate() {
            // Coprime leading monomials: the pair reduces to zero (Buchberger's first criterion).
            if let Some((other, _)) = other.leading_term()
                && !other.gcd(lead).is_one()
            {
                pairs.push((other.lcm(lead).degree(), index, self.basis.len()));
            }
        }
        self.basis.push(element.monic(budget)?);
        Ok(())
    }

    /// The remainder; zero exactly for the elements of the ideal.
    pub fn remainder(
        &self,
        f: &OverParameters,
        budget: &mut Budget,
    ) -> Result<OverParameters, PortError> {
        Ok(f.normal_form(&self.basis, ORDER, budget)?)
    }

    /// Does the ideal contain the polynomial?
    pub fn contains(&self, f: &OverParameters, budget: &mut Budget) -> Result<bool, PortError> {
        Ok(self.remainder(f, budget)?.is_zero())
    }
}

/// The combination of two monic polynomials in which their leading terms cancel.
fn s_polynomial(
    f: &OverParameters,
    g: &OverParameters,
    budget: &mut Budget,
) -> Result<Option<OverParameters>, PortError> {
    let (Some((a, _)), Some((b, _))) = (f.leading_term(), g.leading_term()) else {
        return Ok(None);
    };
    let lcm = a.lcm(b);
    let (Some(up), Some(down)) = (lcm.checked_div(a), lcm.checked_div(b)) else {
        return Ok(None);
    };
    let one = RationalFunction::one();
    let left = OverParameters::term(up, one.clone()).mul(f, budget)?;
    let right = OverParameters::term(down, one).mul(g, budget)?;
    Ok(Some(left.sub(&right, budget)?))
}
