//! Isolated zeros to many digits.

use isotrope_algebra::double::linear::OrthogonalFactorisation;
use isotrope_algebra::{Budget, OutOfBudget, Rational};

use super::compiled::CompiledSystem;
use super::fixed::{FixedPoint, Scale};
use super::snap::free_variables;

/// Places beyond those asked for; they absorb the rounding of values and of the slopes.
const GUARD: usize = 48;
/// A step with the slopes in doubles gains at least a digit, or the zero is not simple.
const LEAST_GAIN: f64 = 0.1;
/// The slopes at a simple zero are not this close to singular.
const RANK_THRESHOLD: f64 = 1e-9;

/// A zero to `places` correct binary places, held with some more.
#[derive(Debug, Clone)]
pub(super) struct Polished {
    pub point: Vec<FixedPoint>,
    pub scale: Scale,
    /// Binary places that are correct.
    pub places: usize,
}

/// Newton's steps x − J⁺F(x) with F in long numbers and J once and for all in doubles: as the
/// polynomials vanish together, each step gains as many digits as J has. `None`: they do not
/// converge.
pub(super) fn polish(
    system: &CompiledSystem,
    start: &[f64],
    fixed: &[Option<Rational>],
    places: usize,
    budget: &mut Budget,
) -> Result<Option<Polished>, OutOfBudget> {
    let scale = Scale { places: places + GUARD };
    let goal = power_of_half(places);
    let free = free_variables(fixed);
    let (_, slopes) = system.values_and_slopes(start, &free);
    let factored = OrthogonalFactorisation::new(slopes);
    if factored.rank(RANK_THRESHOLD) < free.len() {
        return Ok(None);
    }
    let mut point = Vec::with_capacity(start.len());
    for (value, fixed) in start.iter().zip(fixed) {
        let value = match fixed {
            Some(exact) => Some(scale.rational(exact)),
            None => scale.double(*value),
        };
        let Some(value) = value else { return Ok(None) };
        point.push(value);
    }
    let mut last = f64::INFINITY;
    loop {
        budget.spend(1 + system.cost() * (scale.places as u64 / 64), "polishing a solution")?;
        let values = system.values_at_fixed(&point, scale);
        let right: Vec<f64> = values.iter().map(|x| -x).collect();
        let step = factored.solve(&right, free.len());
        let length = step.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if length <= goal {
            // Overdetermined: J⁺F = 0 does not say F = 0.
            let largest = values.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let vanishes = largest <= 1024.0 * goal;
            return Ok(vanishes.then_some(Polished { point, scale, places }));
        }
        if length.is_nan() || length > LEAST_GAIN * last {
            return Ok(None);
        }
        last = length;
        for (&variable, change) in free.iter().zip(&step) {
            let Some(change) = scale.double(*change) else { return Ok(None) };
            point[variable] = scale.add(&point[variable], &change);
        }
    }
}

fn power_of_half(exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |power, _| power / 2.0)
}

#[cfg(test)]
mod tests {
    use dashu_int::IBig;
    use isotrope_algebra::polynomial::{Monomial, Polynomial};

    use super::*;

    /// x^power = value, as a polynomial in variable 0.
    fn root(power: u16, value: i64) -> Polynomial {
        let constant = Rational::integer(-value);
        Polynomial::from_terms([
            (Monomial::power(0, power), Rational::ONE),
            (Monomial::one(), constant),
        ])
    }

    #[test]
    fn a_common_zero_of_too_many_equations_has_the_digits_of_an_integer_square_root() {
        let budget = &mut Budget::new(1_000_000);
        // x² = 2 and x⁶ = 8.
        let system = CompiledSystem::new(&[root(2, 2), root(6, 8)], 1, budget).unwrap();
        let places = 400;
        let found = polish(&system, &[2.0_f64.sqrt()], &[None], places, budget).unwrap().unwrap();
        let square = IBig::from(2) << (2 * found.scale.places);
        let error = &found.point[0].0 * &found.point[0].0 - square;
        // (x + e)² − x² = 2 x e + e².
        let bound = IBig::from(4) << (2 * found.scale.places - places);
        assert!(error < bound && error > -bound);
    }

    #[test]
    fn near_zeros_that_are_none_are_not_polished() {
        let budget = &mut Budget::new(1_000_000);
        // x² = 2 and x = 1414213562373095048/10^18: equal to 1e-18 only.
        let linear = Polynomial::from_terms([
            (Monomial::variable(0), Rational::integer(1_000_000_000_000_000_000)),
            (Monomial::one(), Rational::integer(-1_414_213_562_373_095_048)),
        ]);
        let system = CompiledSystem::new(&[root(2, 2), linear], 1, budget).unwrap();
        assert!(polish(&system, &[2.0_f64.sqrt()], &[None], 200, budget).unwrap().is_none());
        // A double zero: x² = 0.
        let system = CompiledSystem::new(&[root(2, 0)], 1, budget).unwrap();
        assert!(polish(&system, &[1e-9], &[None], 200, budget).unwrap().is_none());
    }
}
