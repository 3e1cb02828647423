//! Flows with formulas: coordinates that rest, move uniformly, grow exponentially or turn in pairs.

use isotrope_algebra::calculus::{Substitution, derivative, substitute};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Function, OutOfBudget, Pool, Rational};

/// What shortening one expression may cost.
const SHORT: u64 = 50_000;
/// What one proof may cost.
const PROOF: u64 = 500_000;
/// Powers of τ up to this one are integrated.
const MOST_POWER: i64 = 6;

/// The flow x ↦ φ_τ(x) of x' = X(x), found coordinate by coordinate and then verified: φ_0 = 1 and
/// ∂_τ φ = X(φ), proved. `None` where there is no such formula here.
pub(super) fn exact_flow(
    pool: &mut Pool,
    positions: &[ExprId],
    field: &[ExprId],
    tau: ExprId,
    budget: &mut Budget,
) -> Result<Option<Vec<ExprId>>, OutOfBudget> {
    let n = positions.len();
    let mut solution = Solution {
        pool,
        positions,
        field,
        tau,
        images: (0..n).map(|i| field[i].is_zero().then_some(positions[i])).collect(),
    };
    while !solution.images.iter().all(Option::is_some) {
        if !solution.advance(budget)? {
            return Ok(None);
        }
    }
    let images: Vec<ExprId> = solution.images.into_iter().flatten().collect();
    Ok(is_flow(pool, positions, field, tau, &images, budget)?.then_some(images))
}

struct Solution<'p> {
    pool: &'p mut Pool,
    positions: &'p [ExprId],
    field: &'p [ExprId],
    tau: ExprId,
    /// Where coordinates go, as far as that is known.
    images: Vec<Option<ExprId>>,
}

impl Solution<'_> {
    /// Solves for one more coordinate, or for two that depend on each other.
    fn advance(&mut self, budget: &mut Budget) -> Result<bool, OutOfBudget> {
        let open: Vec<usize> =
            (0..self.images.len()).filter(|&i| self.images[i].is_none()).collect();
        let needs: Vec<Vec<usize>> = open.iter().map(|&i| self.needs(i, &open)).collect();
        for (&i, needs) in open.iter().zip(&needs) {
            if needs.iter().all(|&j| j == i) {
                let image = self.alone(i, budget)?;
                self.images[i] = image;
                return Ok(image.is_some());
            }
        }
        for (a, &i) in open.iter().enumerate() {
            for (b, &j) in open.iter().enumerate().skip(a + 1) {
                let inside = |list: &[usize]| list.iter().all(|&k| k == i || k == j);
                if inside(&needs[a]) && inside(&needs[b]) {
                    let Some((x, y)) = self.pair(i, j, budget)? else { return Ok(false) };
                    (self.images[i], self.images[j]) = (Some(x), Some(y));
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Which coordinates without a solution the rate of one contains.
    fn needs(&self, i: usize, open: &[usize]) -> Vec<usize> {
        let below = self.pool.reachable(&[self.field[i]]);
        let used = |&j: &usize| below.binary_search(&self.positions[j]).is_ok();
        open.iter().copied().filter(used).collect()
    }

    /// The rate of a coordinate with everything put in that is known.
    fn rate(&mut self, i: usize, budget: &mut Budget) -> Result<ExprId, OutOfBudget> {
        let known = self.positions.iter().zip(&self.images);
        let map: Substitution = known
            .filter_map(|(&x, image)| image.filter(|&image| image != x).map(|image| (x, image)))
            .collect();
        let rate = substitute(self.pool, &[self.field[i]], &map, budget)?[0];
        Ok(self.short(rate))
    }

    fn short(&mut self, expression: ExprId) -> ExprId {
        simplify(self.pool, expression, &mut Budget::new(SHORT))
    }

    fn vanishes(&mut self, expression: ExprId) -> bool {
        is_zero(self.pool, expression, &mut Budget::new(PROOF)) == Zero::Yes
    }

    /// x' = g(τ), a polynomial in τ, or x' = a x.
    fn alone(&mut self, i: usize, budget: &mut Budget) -> Result<Option<ExprId>, OutOfBudget> {
        let (x, tau) = (self.positions[i], self.tau);
        let rate = self.rate(i, budget)?;
        if !self.pool.depends_on(rate, &[x]) {
            return self.integrated(x, rate, budget);
        }
        let slope = derivative(self.pool, rate, x, budget)?;
        let slope = self.short(slope);
        if self.pool.depends_on(slope, &[x, tau]) {
            return Ok(None);
        }
        let linear = self.pool.mul(slope, x);
        let rest = self.pool.sub(rate, linear);
        if !self.vanishes(rest) {
            return Ok(None);
        }
        let exponent = self.pool.mul(slope, tau);
        let growth = self.pool.call(Function::Exp, exponent);
        Ok(Some(self.pool.mul(x, growth)))
    }

    /// x + ∫ g dτ for a polynomial g.
    fn integrated(
        &mut self,
        x: ExprId,
        rate: ExprId,
        budget: &mut Budget,
    ) -> Result<Option<ExprId>, OutOfBudget> {
        let tau = self.tau;
        let at_zero: Substitution = [(tau, ExprId::ZERO)].into_iter().collect();
        let (mut terms, mut next, mut factor) = (vec![x], rate, Rational::ONE);
        for power in 1..=MOST_POWER {
            let value = substitute(self.pool, &[next], &at_zero, budget)?[0];
            // τ^k/k! times the derivative of order k − 1 at zero.
            let Some(inverse) = Rational::new(1, power) else { return Ok(None) };
            factor = &factor * &inverse;
            let monomial = self.pool.powi(tau, power);
            let monomial = self.pool.scale(&factor, monomial);
            terms.push(self.pool.mul(value, monomial));
            if !self.pool.depends_on(next, &[tau]) {
                return Ok(Some(self.pool.sum(&terms)));
            }
            let further = derivative(self.pool, next, tau, budget)?;
            next = self.short(further);
        }
        Ok(None)
    }

    /// x' = b y, y' = c x with −c/b constant: a rotation, or a hyperbolic one.
    fn pair(
        &mut self,
        i: usize,
        j: usize,
        budget: &mut Budget,
    ) -> Result<Option<(ExprId, ExprId)>, OutOfBudget> {
        let (x, y) = (self.positions[i], self.positions[j]);
        let (f, g) = (self.rate(i, budget)?, self.rate(j, budget)?);
        let b = derivative(self.pool, f, y, budget)?;
        let c = derivative(self.pool, g, x, budget)?;
        let (b, c) = (self.short(b), self.short(c));
        let moving = [x, y, self.tau];
        if self.pool.depends_on(b, &moving) || self.pool.depends_on(c, &moving) || b.is_zero() {
            return Ok(None);
        }
        let (by, cx) = (self.pool.mul(b, y), self.pool.mul(c, x));
        let (rest, other) = (self.pool.sub(f, by), self.pool.sub(g, cx));
        if !self.vanishes(rest) || !self.vanishes(other) {
            return Ok(None);
        }
        let quotient = self.pool.div(c, b);
        let quotient = self.pool.neg(quotient);
        let ratio = self.short(quotient);
        if self.pool.depends_on(ratio, self.positions) {
            return Ok(None);
        }
        // −c/b = r: the frequency is b √r, and y moves with √r times the amplitude of x.
        let hyperbolic = self.pool.as_number(ratio).is_some_and(Rational::is_negative);
        let size = if hyperbolic { self.pool.neg(ratio) } else { ratio };
        let root = self.pool.sqrt(size);
        let angle = self.pool.product(&[b, root, self.tau]);
        let (even, odd) = match hyperbolic {
            true => (Function::Cosh, Function::Sinh),
            false => (Function::Cos, Function::Sin),
        };
        let (even, odd) = (self.pool.call(even, angle), self.pool.call(odd, angle));
        let (xe, ye) = (self.pool.mul(x, even), self.pool.mul(y, even));
        let yo = self.pool.mul(y, odd);
        let yo = self.pool.div(yo, root);
        let xo = self.pool.product(&[x, odd, root]);
        let xo = if hyperbolic { xo } else { self.pool.neg(xo) };
        Ok(Some((self.pool.add(xe, yo), self.pool.add(ye, xo))))
    }
}

/// φ_0 = 1 and ∂_τ φ = X(φ)?
fn is_flow(
    pool: &mut Pool,
    positions: &[ExprId],
    field: &[ExprId],
    tau: ExprId,
    images: &[ExprId],
    budget: &mut Budget,
) -> Result<bool, OutOfBudget> {
    let at_zero: Substitution = [(tau, ExprId::ZERO)].into_iter().collect();
    let begin = substitute(pool, images, &at_zero, budget)?;
    let moved: Substitution = positions.iter().copied().zip(images.iter().copied()).collect();
    let there = substitute(pool, field, &moved, budget)?;
    for i in 0..positions.len() {
        if field[i].is_zero() && images[i] == positions[i] {
            continue;
        }
        let rate = derivative(pool, images[i], tau, budget)?;
        let defects = [pool.sub(begin[i], positions[i]), pool.sub(rate, there[i])];
        if defects.iter().any(|&d| is_zero(pool, d, &mut Budget::new(PROOF)) != Zero::Yes) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotrope_algebra::syntax::parse_expression;

    fn flow(names: &[&str], field: &[&str]) -> Option<Vec<String>> {
        let mut pool = Pool::new();
        let positions: Vec<ExprId> = names.iter().map(|name| pool.symbol(name)).collect();
        let tau = pool.symbol("tau");
        let field: Vec<ExprId> =
            field.iter().map(|text| parse_expression(&mut pool, text).unwrap()).collect();
        let budget = &mut Budget::new(10_000_000);
        let images = exact_flow(&mut pool, &positions, &field, tau, budget).unwrap()?;
        let text = |&id: &ExprId| isotrope_algebra::print::to_text(&pool, id, budget_of()).unwrap();
        Some(images.iter().map(text).collect())
    }

    fn budget_of() -> &'static mut Budget {
        Box::leak(Box::new(Budget::new(1_000_000)))
    }

    #[test]
    fn pairs_turn_exponentials_grow_and_chains_are_polynomials() {
        let turned = flow(&["a", "x", "y"], &["0", "a*y", "-a*x"]).unwrap();
        assert_eq!(turned[1], "x*cos(a*tau) + y*sin(a*tau)");
        let grown = flow(&["u", "v"], &["0", "u*v"]).unwrap();
        assert_eq!(grown[1], "v*exp(u*tau)");
        let chain = flow(&["x", "y", "z"], &["y^2", "z", "3"]).unwrap();
        assert_eq!(chain[2], "z + 3*tau");
        assert!(flow(&["x", "y"], &["a*y", "-4*a*x"]).is_some());
        assert!(flow(&["x", "y"], &["a*y", "a*x/9"]).is_some());
    }

    #[test]
    fn what_has_no_formula_here_is_not_called_solved() {
        assert!(flow(&["x"], &["x^3"]).is_none());
        assert!(flow(&["x", "y"], &["y", "-sin(x)"]).is_none());
        assert!(flow(&["x", "y"], &["x*y", "-x*y"]).is_none());
    }
}
