//! Distributions: the kernels of one-forms.

use isotrope_algebra::linear::LinearError;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool};

use crate::VectorField;
use crate::explicit::explicit_frame;
use crate::form::annihilates;
use crate::unevaluated::unevaluated_frame;
use crate::work::with_share;

/// The part of the budget that explicit formulas for the frame may spend.
const EXPLICIT: u64 = 2;

/// A distribution `D = { v : alpha^a(v) = 0 }` on a chart, regular where its conditions hold.
#[derive(Debug, Clone)]
pub struct Distribution {
    /// The coordinates of the chart, symbols.
    pub coordinates: Vec<ExprId>,
    /// The forms `alpha^a`: one coefficient per coordinate.
    pub forms: Vec<Vec<ExprId>>,
    /// Fields that span the kernel of the forms.
    pub frame: Vec<VectorField>,
    /// The frame spans the kernel where none of these vanishes.
    pub conditions: Vec<ExprId>,
    /// The worst answer to `alpha^a(X_i) = 0`. It is not `Yes` only if the forms contain
    /// functions whose identities resist the zero test.
    pub in_kernel: Zero,
}

impl Distribution {
    /// The kernel of `forms`, which must be independent at a generic point: otherwise the
    /// error is [`LinearError::Singular`] with their rank.
    ///
    /// Each form has one coefficient per coordinate; missing ones count as zero, more are
    /// ignored. The frame is made of formulas without denominators. If these grow past half
    /// of the budget (long chains of constraints), its components are unevaluated solutions
    /// of linear systems instead, which never grow.
    pub fn from_forms(
        pool: &mut Pool,
        coordinates: &[ExprId],
        forms: &[Vec<ExprId>],
        budget: &mut Budget,
    ) -> Result<Self, LinearError> {
        let dimension = coordinates.len();
        let mut forms = forms.to_vec();
        forms.iter_mut().for_each(|form| form.resize(dimension, ExprId::ZERO));
        let explicit =
            with_share(budget, EXPLICIT, |part| explicit_frame(pool, coordinates, &forms, part));
        let (frame, conditions, in_kernel) = match explicit {
            Ok((frame, conditions)) => {
                let mut in_kernel = Zero::Yes;
                for form in &forms {
                    in_kernel = in_kernel.and(annihilates(pool, form, &frame, budget));
                }
                (frame, conditions, in_kernel)
            }
            Err(LinearError::OutOfBudget(stop)) => {
                let (frame, condition) = unevaluated_frame(pool, dimension, &forms, stop, budget)?;
                // By construction; a zero test would need the formulas that are out of reach.
                (frame, vec![condition], Zero::Yes)
            }
            Err(error) => return Err(error),
        };
        Ok(Self { coordinates: coordinates.to_vec(), forms, frame, conditions, in_kernel })
    }

    /// The kernel of `alpha^a + b^a dt` on the extended space with coordinates `(q, t)`, which
    /// constraints `A(q,t) q' + b(q,t) = 0` define. `offsets` are the `b^a`; missing ones are zero.
    ///
    /// A constraint `phi(q,t) = 0` differentiated in time gives the exact form `d phi` here, so
    /// integrability on this space is what "holonomic, perhaps moving" means.
    pub fn extended(
        pool: &mut Pool,
        coordinates: &[ExprId],
        time: ExprId,
        forms: &[Vec<ExprId>],
        offsets: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Self, LinearError> {
        let dimension = coordinates.len();
        let mut all = coordinates.to_vec();
        all.push(time);
        let mut extended = forms.to_vec();
        for (a, form) in extended.iter_mut().enumerate() {
            form.resize(dimension, ExprId::ZERO);
            form.push(offsets.get(a).copied().unwrap_or(ExprId::ZERO));
        }
        Self::from_forms(pool, &all, &extended, budget)
    }

    /// The rank of the distribution: the dimension of the allowed velocities.
    pub fn rank(&self) -> usize {
        self.frame.len()
    }

    /// The dimension of the chart.
    pub fn dimension(&self) -> usize {
        self.coordinates.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{budget, contact, distribution, field, row, sleigh, symbols};

    #[test]
    fn the_sleigh_may_drive_and_turn() {
        let mut pool = Pool::new();
        let sleigh = sleigh(&mut pool);
        let drive = field(&mut pool, &["cos(theta)", "sin(theta)", "0"]);
        let turn = field(&mut pool, &["0", "0", "1"]);
        assert_eq!(sleigh.frame, [drive, turn]);
        assert_eq!((sleigh.rank(), sleigh.dimension(), sleigh.in_kernel), (2, 3, Zero::Yes));
    }

    #[test]
    fn the_conditions_name_where_the_frame_degenerates() {
        // The kernel of x dx + y dy is spanned by (-y, x) away from the origin.
        let mut pool = Pool::new();
        let circles = distribution(&mut pool, &["x", "y"], &[&["x", "y"]]);
        assert_eq!(circles.conditions, row(&mut pool, &["x"]));
        assert!(contact(&mut pool).conditions.is_empty());
    }

    #[test]
    fn dependent_forms_are_refused_with_their_rank() {
        let mut pool = Pool::new();
        let q = symbols(&mut pool, &["x", "y", "z"]);
        let forms = [row(&mut pool, &["1", "x", "0"]), row(&mut pool, &["y", "x*y", "0"])];
        let found = Distribution::from_forms(&mut pool, &q, &forms, &mut budget());
        assert_eq!(found.unwrap_err(), LinearError::Singular { rank: 1 });
        let too_many = vec![row(&mut pool, &["1", "0", "0"]); 5];
        let found = Distribution::from_forms(&mut pool, &q, &too_many, &mut budget());
        assert_eq!(found.unwrap_err(), LinearError::Singular { rank: 1 });
    }

    #[test]
    fn undefined_coefficients_are_refused() {
        let mut pool = Pool::new();
        let q = symbols(&mut pool, &["x", "y"]);
        let form = vec![ExprId::UNDEFINED, ExprId::ONE];
        let found = Distribution::from_forms(&mut pool, &q, &[form], &mut budget());
        assert_eq!(found.unwrap_err(), LinearError::Undefined);
    }

    #[test]
    fn no_forms_allow_everything_and_enough_forms_nothing() {
        let mut pool = Pool::new();
        let free = distribution(&mut pool, &["x", "y"], &[]);
        let shifts = [0, 1].map(|k| VectorField::along_coordinate(2, k));
        assert_eq!(free.frame, shifts);
        let fixed = distribution(&mut pool, &["x", "y"], &[&["1", "x"], &["0", "y"]]);
        assert_eq!(fixed.rank(), 0);
        assert_eq!(distribution(&mut pool, &[], &[]).rank(), 0);
    }

    #[test]
    fn the_extended_space_has_time_as_its_last_coordinate() {
        let mut pool = Pool::new();
        let q = symbols(&mut pool, &["x", "y"]);
        let t = pool.symbol("t");
        let (form, offset) = (row(&mut pool, &["1", "-t"]), row(&mut pool, &["-y"]));
        let moving =
            Distribution::extended(&mut pool, &q, t, &[form], &offset, &mut budget()).unwrap();
        assert_eq!(moving.coordinates, symbols(&mut pool, &["x", "y", "t"]));
        assert_eq!(moving.forms, [row(&mut pool, &["1", "-t", "-y"])]);
        let fields = [field(&mut pool, &["t", "1", "0"]), field(&mut pool, &["y", "0", "1"])];
        assert_eq!(moving.frame, fields);
    }
}
