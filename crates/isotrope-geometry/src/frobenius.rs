//! Frobenius' theorem: a distribution integrates exactly if it is closed under brackets.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use crate::exterior::{ExteriorDerivatives, Seen, bracket_values};
use crate::work::{simplified, zero_test};
use crate::{Distribution, VectorField, lie_bracket};

/// A bracket that leaves the distribution: the proof that the constraints do not integrate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstruction {
    /// Index of a frame field.
    pub first: usize,
    /// Index of another frame field.
    pub second: usize,
    /// The bracket of the two.
    pub bracket: VectorField,
    /// Index of a form that does not vanish on the bracket.
    pub form: usize,
    /// The value of that form on the bracket: the component `T(X_first, X_second, alpha^form)`
    /// of the Courant tensor of `D_Delta`.
    pub value: ExprId,
}

/// Do the constraints integrate?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Involutivity {
    /// Proved: all brackets of the frame stay in the distribution, so it is tangent to leaves
    /// and the constraints are (locally) constraints on positions.
    Integrable,
    /// Proved: this bracket leaves the distribution.
    NotIntegrable(Obstruction),
    /// No bracket is known to leave, but this one is not proved to stay.
    Undecided {
        /// Index of a frame field.
        first: usize,
        /// Index of another frame field.
        second: usize,
        /// Index of the form whose value on their bracket is undecided.
        form: usize,
        /// Random points at which that value vanished.
        points: u32,
    },
}

/// Tests `alpha^a([X_i, X_j]) = 0` for all forms and all pairs of the frame.
pub fn frobenius(
    pool: &mut Pool,
    distribution: &Distribution,
    budget: &mut Budget,
) -> Result<Involutivity, OutOfBudget> {
    let exterior = ExteriorDerivatives::new(pool, distribution, budget)?;
    let zeros = vec![ExprId::ZERO; distribution.forms.len()];
    let frame = &distribution.frame;
    let mut answer = Involutivity::Integrable;
    for (first, x) in frame.iter().enumerate() {
        let interior = exterior.interior(pool, x, budget)?;
        let x = Seen { field: x, values: &zeros };
        for (second, y) in frame.iter().enumerate().skip(first + 1) {
            let seen = Seen { field: y, values: &zeros };
            let coordinates = &distribution.coordinates;
            let values = bracket_values(pool, coordinates, &x, &interior, &seen, budget)?;
            for (form, value) in values.into_iter().enumerate() {
                match zero_test(pool, value, budget) {
                    Zero::Yes => {}
                    Zero::No => {
                        let bracket = lie_bracket(pool, coordinates, x.field, y, budget)?;
                        let value = simplified(pool, value, budget);
                        let found = Obstruction { first, second, bracket, form, value };
                        return Ok(Involutivity::NotIntegrable(found));
                    }
                    Zero::Unknown { points } => {
                        budget.spend(1, "testing whether constraints integrate")?;
                        if answer == Involutivity::Integrable {
                            answer = Involutivity::Undecided { first, second, form, points };
                        }
                    }
                }
            }
        }
    }
    // The values above are those of the brackets only if the frame is in the kernel.
    if answer == Involutivity::Integrable && distribution.rank() > 1 {
        let points = match distribution.in_kernel {
            Zero::Yes => return Ok(answer),
            Zero::No => 0,
            Zero::Unknown { points } => points,
        };
        answer = Involutivity::Undecided { first: 0, second: 1, form: 0, points };
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        budget, contact, distribution, field, rolling_disc, row, sleigh, symbols,
    };

    fn answer(pool: &mut Pool, given: &Distribution) -> Involutivity {
        frobenius(pool, given, &mut budget()).unwrap()
    }

    fn obstruction(pool: &mut Pool, given: &Distribution) -> Obstruction {
        match answer(pool, given) {
            Involutivity::NotIntegrable(obstruction) => obstruction,
            other => panic!("expected an obstruction, found {other:?}"),
        }
    }

    #[test]
    fn the_contact_distribution_is_not_integrable_and_its_bracket_is_named() {
        // X = d/dx, Y = d/dy + x d/dz, [X,Y] = d/dz, (dz - x dy)(d/dz) = 1.
        let mut pool = Pool::new();
        let contact = contact(&mut pool);
        let found = obstruction(&mut pool, &contact);
        let bracket = field(&mut pool, &["0", "0", "1"]);
        let value = ExprId::ONE;
        assert_eq!(found, Obstruction { first: 0, second: 1, bracket, form: 0, value });
    }

    #[test]
    fn the_blade_of_the_sleigh_is_not_a_rail() {
        let mut pool = Pool::new();
        let sleigh = sleigh(&mut pool);
        let found = obstruction(&mut pool, &sleigh);
        assert_eq!(found.bracket, field(&mut pool, &["sin(theta)", "-cos(theta)", "0"]));
        assert_eq!(found.value, ExprId::ONE);
    }

    #[test]
    fn the_rolling_disc_is_not_integrable() {
        let mut pool = Pool::new();
        let disc = rolling_disc(&mut pool);
        let found = obstruction(&mut pool, &disc);
        assert_eq!((found.first, found.second), (0, 1));
    }

    #[test]
    fn spheres_are_leaves() {
        let mut pool = Pool::new();
        let spheres = distribution(&mut pool, &["x", "y", "z"], &[&["x", "y", "z"]]);
        assert_eq!(answer(&mut pool, &spheres), Involutivity::Integrable);
    }

    #[test]
    fn an_integrating_factor_does_not_matter() {
        // exp(x y)/(1 + z^2) d(x^2 y + sin z): not closed, but integrable.
        let mut pool = Pool::new();
        let factor = "exp(x*y)/(1 + z^2)";
        let form = ["2*x*y", "x^2", "cos(z)"].map(|entry| format!("{factor}*({entry})"));
        let form: Vec<&str> = form.iter().map(String::as_str).collect();
        let scaled = distribution(&mut pool, &["x", "y", "z"], &[&form]);
        assert_eq!(answer(&mut pool, &scaled), Involutivity::Integrable);
    }

    #[test]
    fn two_forms_that_fail_alone_can_integrate_together() {
        // Two contact forms that together span dy and dz.
        let mut pool = Pool::new();
        let names = ["x", "y", "z", "w"];
        let first: &[&str] = &["0", "-x", "1", "0"];
        let second: &[&str] = &["0", "w", "1", "0"];
        for alone in [first, second] {
            let alone = distribution(&mut pool, &names, &[alone]);
            assert!(matches!(answer(&mut pool, &alone), Involutivity::NotIntegrable(_)));
        }
        let both = distribution(&mut pool, &names, &[first, second]);
        assert_eq!(answer(&mut pool, &both), Involutivity::Integrable);
        // And dz - x dy with dy itself.
        let pair =
            distribution(&mut pool, &["x", "y", "z"], &[&["0", "-x", "1"], &["0", "1", "0"]]);
        assert_eq!(answer(&mut pool, &pair), Involutivity::Integrable);
    }

    #[test]
    fn lines_always_integrate() {
        let mut pool = Pool::new();
        let forms: [&[&str]; 2] = [&["y", "-x*z", "1"], &["sin(z)", "x", "y"]];
        let lines = distribution(&mut pool, &["x", "y", "z"], &forms);
        assert_eq!(lines.rank(), 1);
        assert_eq!(answer(&mut pool, &lines), Involutivity::Integrable);
    }

    #[test]
    fn in_the_plane_every_form_integrates_but_not_with_time() {
        // x' = t y' is a rail at each instant, yet on (x, y, t) it is a contact form.
        let mut pool = Pool::new();
        let q = symbols(&mut pool, &["x", "y"]);
        let t = pool.symbol("t");
        let form = row(&mut pool, &["1", "-t"]);
        let still =
            Distribution::from_forms(&mut pool, &q, std::slice::from_ref(&form), &mut budget())
                .unwrap();
        assert_eq!(answer(&mut pool, &still), Involutivity::Integrable);
        let moving = Distribution::extended(&mut pool, &q, t, &[form], &[], &mut budget()).unwrap();
        assert!(matches!(answer(&mut pool, &moving), Involutivity::NotIntegrable(_)));
    }

    #[test]
    fn a_moving_holonomic_constraint_integrates_on_the_extended_space() {
        // phi = x^2 + y^2 - (1 + sin(w t)/2)^2.
        let mut pool = Pool::new();
        let q = symbols(&mut pool, &["x", "y"]);
        let t = pool.symbol("t");
        let form = row(&mut pool, &["2*x", "2*y"]);
        let offset = row(&mut pool, &["-(1 + sin(w*t)/2)*w*cos(w*t)"]);
        let moving =
            Distribution::extended(&mut pool, &q, t, &[form], &offset, &mut budget()).unwrap();
        assert_eq!(moving.rank(), 2);
        assert_eq!(answer(&mut pool, &moving), Involutivity::Integrable);
    }

    #[test]
    fn what_cannot_be_decided_is_said_to_be_undecided() {
        // x (log(x y) - log(x) - log(y)) dz + dy: dy for x, y > 0, but no rule here knows it.
        let mut pool = Pool::new();
        let entry = "x*(log(x*y) - log(x) - log(y))";
        let given = distribution(&mut pool, &["x", "y", "z"], &[&["0", "1", entry]]);
        let found = answer(&mut pool, &given);
        assert!(matches!(found, Involutivity::Undecided { points: 1.., .. }), "{found:?}");
    }

    #[test]
    fn a_small_budget_is_an_error_not_an_answer() {
        let mut pool = Pool::new();
        let sleigh = sleigh(&mut pool);
        assert!(frobenius(&mut pool, &sleigh, &mut Budget::new(3)).is_err());
    }
}
