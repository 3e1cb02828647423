//! `[lie_group]`: configurations that are rotations and motions.
//!
//! The factors of the group come first, then Rⁿ: the coordinates of the file. Names of a factor are
//! `R[i,j]` and `x[i]` for the matrix and the translation, `omega[i]` and `v[i]` for the components of
//! the left-trivialised velocity; with several factors they carry its number, `R1[i,j]`.

pub(crate) mod build;
mod kinds;
pub(crate) mod read;

pub use kinds::GroupKind;

use isotrope_algebra::{ExprId, Function, Pool, Rational};

use crate::diagnostics::Place;
use crate::text::Text;

/// The group of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LieGroup {
    /// Its factors; the coordinates of the model come after them.
    pub factors: Vec<GroupKind>,
    /// The symbols of matrices and translations, factor by factor: R by rows, then x.
    pub entries: Vec<ExprId>,
    /// Their names.
    pub entry_names: Vec<String>,
    /// Where the motion begins, factor by factor: a rotation as (cos, sin) or as a quaternion of
    /// norm 1, then the translation.
    pub initial: Vec<ExprId>,
    /// How many coordinates of the model are components of its algebra: the first ones.
    pub components: usize,
    /// Where the table is.
    pub place: Place,
}

/// An initial rotation: about an axis, by an angle.
#[derive(Debug, Clone)]
pub(crate) struct RawRotation<'d> {
    pub(crate) axis: Option<Vec<Text<'d>>>,
    pub(crate) angle: Text<'d>,
    pub(crate) place: Place,
}

/// The table as given.
#[derive(Debug, Clone)]
pub(crate) struct RawGroup<'d> {
    pub(crate) factors: Vec<GroupKind>,
    pub(crate) place: Place,
    /// A diagonal, or rows.
    pub(crate) inertia: Option<(Place, Vec<Vec<Text<'d>>>)>,
    pub(crate) mass: Option<Text<'d>>,
    pub(crate) potential: Option<Text<'d>>,
}

impl RawGroup<'_> {
    /// The suffix of the names of a factor.
    pub(crate) fn suffix(&self, factor: usize) -> String {
        if self.factors.len() > 1 { (factor + 1).to_string() } else { String::new() }
    }
}

/// The numbers of a rotation about an axis by an angle.
pub(crate) fn rotation_numbers(
    pool: &mut Pool,
    kind: GroupKind,
    axis: &[ExprId],
    angle: ExprId,
) -> Vec<ExprId> {
    if kind.size() == 2 {
        return vec![pool.call(Function::Cos, angle), pool.call(Function::Sin, angle)];
    }
    let half = Rational::half();
    let half = pool.scale(&half, angle);
    let (cos, sin) = (pool.call(Function::Cos, half), pool.call(Function::Sin, half));
    let squares: Vec<ExprId> = axis.iter().map(|&x| pool.powi(x, 2)).collect();
    let square = pool.sum(&squares);
    let norm = pool.sqrt(square);
    let scale = pool.div(sin, norm);
    let mut numbers = vec![cos];
    numbers.extend(axis.iter().map(|&x| pool.mul(scale, x)));
    numbers
}

/// The numbers of the neutral rotation.
pub(crate) fn no_rotation(kind: GroupKind) -> Vec<ExprId> {
    (0..kind.numbers().len()).map(|k| if k == 0 { ExprId::ONE } else { ExprId::ZERO }).collect()
}

/// ½ ω·Iω + ½ m|v|² − V.
pub(crate) fn kinetic_minus_potential(
    pool: &mut Pool,
    (omega, v): (&[ExprId], &[ExprId]),
    inertia: &[Vec<ExprId>],
    mass: ExprId,
    potential: ExprId,
) -> ExprId {
    let half = Rational::half();
    let mut terms = Vec::new();
    for (i, row) in inertia.iter().enumerate() {
        for (j, &entry) in row.iter().enumerate() {
            let (Some(&a), Some(&b)) = (omega.get(i), omega.get(j)) else { continue };
            let product = pool.product(&[entry, a, b]);
            terms.push(pool.scale(&half, product));
        }
    }
    for &v in v {
        let square = pool.powi(v, 2);
        let product = pool.mul(mass, square);
        terms.push(pool.scale(&half, product));
    }
    terms.push(pool.neg(potential));
    pool.sum(&terms)
}
