//! Vector fields on a chart, and their brackets.

use isotrope_algebra::calculus::directional_derivative;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use crate::work::simplified;

/// A vector field on a chart: its components in the coordinates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorField {
    /// One component per coordinate.
    pub components: Vec<ExprId>,
}

impl VectorField {
    /// A vector field with these components.
    pub fn new(components: Vec<ExprId>) -> Self {
        Self { components }
    }

    /// The field `d/dq_index` on a chart with `dimension` coordinates.
    pub fn along_coordinate(dimension: usize, index: usize) -> Self {
        let component = |k| if k == index { ExprId::ONE } else { ExprId::ZERO };
        Self { components: (0..dimension).map(component).collect() }
    }
}

/// The Lie bracket `[X,Y]^i = X^j d_j Y^i - Y^j d_j X^i`, simplified.
///
/// ```
/// use isotrope_algebra::{Budget, ExprId, Pool};
/// use isotrope_geometry::{VectorField, lie_bracket};
/// let mut pool = Pool::new();
/// let q = [pool.symbol("x"), pool.symbol("y")];
/// let rotation = VectorField::new(vec![pool.neg(q[1]), q[0]]);
/// let shift = VectorField::along_coordinate(2, 0);
/// let bracket = lie_bracket(&mut pool, &q, &shift, &rotation, &mut Budget::new(1000)).unwrap();
/// assert_eq!(bracket, VectorField::along_coordinate(2, 1));
/// ```
pub fn lie_bracket(
    pool: &mut Pool,
    coordinates: &[ExprId],
    x: &VectorField,
    y: &VectorField,
    budget: &mut Budget,
) -> Result<VectorField, OutOfBudget> {
    let forward = along(pool, coordinates, x, &y.components, budget)?;
    let backward = along(pool, coordinates, y, &x.components, budget)?;
    let mut components = Vec::with_capacity(coordinates.len());
    for i in 0..coordinates.len() {
        let at = |part: &[ExprId]| part.get(i).copied().unwrap_or(ExprId::ZERO);
        let component = pool.sub(at(&forward), at(&backward));
        components.push(simplified(pool, component, budget));
    }
    Ok(VectorField { components })
}

/// The derivative `X(f)` of a function along a vector field, simplified.
pub fn apply_field(
    pool: &mut Pool,
    coordinates: &[ExprId],
    x: &VectorField,
    f: ExprId,
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    let derivatives = along(pool, coordinates, x, &[f], budget)?;
    let derivative = derivatives.first().copied().unwrap_or(ExprId::ZERO);
    Ok(simplified(pool, derivative, budget))
}

/// The derivatives of several functions along a vector field, as they come.
pub(crate) fn along(
    pool: &mut Pool,
    coordinates: &[ExprId],
    x: &VectorField,
    functions: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    if functions.iter().all(|&f| pool.as_number(f).is_some()) {
        return Ok(vec![ExprId::ZERO; functions.len()]);
    }
    let rates: Vec<_> = coordinates.iter().copied().zip(x.components.iter().copied()).collect();
    directional_derivative(pool, functions, &rates, budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{budget, symbols};
    use isotrope_algebra::Rational;
    use isotrope_algebra::normal::{Zero, is_zero};
    use proptest::prelude::*;

    /// Polynomial components: (coefficient, exponents of x, y, z) for each of three.
    type Recipe = Vec<Vec<(i64, [u8; 3])>>;

    fn any_field() -> impl Strategy<Value = Recipe> {
        let term = (-5i64..6, prop::array::uniform3(0u8..3));
        prop::collection::vec(prop::collection::vec(term, 0..4), 3)
    }

    fn build(pool: &mut Pool, q: &[ExprId], recipe: &Recipe) -> VectorField {
        let mut components = Vec::new();
        for terms in recipe {
            let mut parts = Vec::new();
            for (coefficient, exponents) in terms {
                let powers: Vec<_> =
                    q.iter().zip(exponents).map(|(&x, &e)| pool.powi(x, e.into())).collect();
                parts.push((Rational::integer(*coefficient), pool.product(&powers)));
            }
            components.push(pool.linear_combination(&parts));
        }
        VectorField::new(components)
    }

    fn bracket(pool: &mut Pool, q: &[ExprId], x: &VectorField, y: &VectorField) -> VectorField {
        lie_bracket(pool, q, x, y, &mut budget()).unwrap()
    }

    fn assert_sum_vanishes(pool: &mut Pool, fields: &[&VectorField]) {
        for i in 0..3 {
            let parts: Vec<_> = fields.iter().map(|field| field.components[i]).collect();
            let sum = pool.sum(&parts);
            assert_eq!(is_zero(pool, sum, &mut budget()), Zero::Yes);
        }
    }

    proptest! {
        #[test]
        fn the_bracket_is_antisymmetric(a in any_field(), b in any_field()) {
            let mut pool = Pool::new();
            let q = symbols(&mut pool, &["x", "y", "z"]);
            let (x, y) = (build(&mut pool, &q, &a), build(&mut pool, &q, &b));
            let (xy, yx) = (bracket(&mut pool, &q, &x, &y), bracket(&mut pool, &q, &y, &x));
            assert_sum_vanishes(&mut pool, &[&xy, &yx]);
            let xx = bracket(&mut pool, &q, &x, &x);
            prop_assert_eq!(xx.components, vec![ExprId::ZERO; 3]);
        }

        #[test]
        fn the_bracket_satisfies_the_jacobi_identity(
            a in any_field(), b in any_field(), c in any_field(),
        ) {
            let mut pool = Pool::new();
            let q = symbols(&mut pool, &["x", "y", "z"]);
            let fields = [&a, &b, &c].map(|recipe| build(&mut pool, &q, recipe));
            let cyclic = [(0, 1, 2), (1, 2, 0), (2, 0, 1)].map(|(i, j, k)| {
                let inner = bracket(&mut pool, &q, &fields[j], &fields[k]);
                bracket(&mut pool, &q, &fields[i], &inner)
            });
            assert_sum_vanishes(&mut pool, &[&cyclic[0], &cyclic[1], &cyclic[2]]);
        }

        #[test]
        fn the_bracket_is_the_commutator_of_derivatives(
            a in any_field(), b in any_field(), c in any_field(),
        ) {
            let mut pool = Pool::new();
            let q = symbols(&mut pool, &["x", "y", "z"]);
            let (x, y) = (build(&mut pool, &q, &a), build(&mut pool, &q, &b));
            let f = build(&mut pool, &q, &c).components[0];
            let commutator = bracket(&mut pool, &q, &x, &y);
            let apply = |pool: &mut Pool, field: &VectorField, f| {
                apply_field(pool, &q, field, f, &mut budget()).unwrap()
            };
            let (yf, xf) = (apply(&mut pool, &y, f), apply(&mut pool, &x, f));
            let (xyf, yxf) = (apply(&mut pool, &x, yf), apply(&mut pool, &y, xf));
            let bracket_f = apply(&mut pool, &commutator, f);
            let right = pool.sub(xyf, yxf);
            let difference = pool.sub(bracket_f, right);
            prop_assert_eq!(is_zero(&mut pool, difference, &mut budget()), Zero::Yes);
        }
    }

    #[test]
    fn parameters_are_constants() {
        let mut pool = Pool::new();
        let q = symbols(&mut pool, &["x", "y"]);
        let a = pool.symbol("a");
        let x = VectorField::new(vec![a, ExprId::ZERO]);
        let y = VectorField::new(vec![ExprId::ZERO, q[0]]);
        assert_eq!(bracket(&mut pool, &q, &x, &y).components, [ExprId::ZERO, a]);
    }

    #[test]
    fn a_spent_budget_stops_the_bracket() {
        let mut pool = Pool::new();
        let q = symbols(&mut pool, &["x", "y"]);
        let x = VectorField::new(vec![q[1], q[0]]);
        assert!(lie_bracket(&mut pool, &q, &x, &x, &mut Budget::new(0)).is_err());
    }
}
