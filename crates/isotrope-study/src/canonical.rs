//! The canonical form on changes of a state: dq∧dp, with a magnetic 2-form dq∧dp + B, and on a Lie group what the
//! trivialisation makes of it.

use isotrope_algebra::double::linear::DenseMatrix;
use isotrope_kernel::integrate::Tangent;
use isotrope_kernel::stepper::Stepper;

/// Columns of the same length.
pub(crate) type Columns = Vec<Vec<f64>>;

/// (δq, δp) of all directions; on a group (g⁻¹δg, δμ).
pub(crate) fn columns(tangent: &Tangent<'_>, stepper: &Stepper) -> Columns {
    let layout = stepper.layout;
    let numbers = &tangent.state()[..layout.dimension];
    (0..tangent.directions())
        .map(|k| {
            let change = |slot: u32| tangent.change(slot, k);
            let q: Vec<f64> = (0..layout.dimension).map(|i| change(layout.position(i))).collect();
            let mut column = match &stepper.trivialisation {
                Some(body) => body.algebra(numbers, &q),
                None => q,
            };
            column.extend((0..layout.rates).map(|i| change(layout.momentum(i))));
            column
        })
        .collect()
}

/// The form on all pairs of columns at a state.
pub(crate) fn form(columns: &Columns, stepper: &Stepper, state: &[f64]) -> DenseMatrix {
    pairs(columns, stepper, state, |term| term)
}

/// The largest sum of the sizes of the terms of the form over all pairs of columns: what rounding of it is relative
/// to. All terms are actions, whatever the units of the coordinates are.
pub(crate) fn terms(columns: &Columns, stepper: &Stepper, state: &[f64]) -> f64 {
    pairs(columns, stepper, state, f64::abs).size()
}

/// Sums over all terms of the form on pairs of columns.
fn pairs(
    columns: &Columns,
    stepper: &Stepper,
    state: &[f64],
    counted: fn(f64) -> f64,
) -> DenseMatrix {
    let (layout, count) = (stepper.layout, columns.len());
    let n = layout.rates;
    let mu: Vec<f64> = (0..n).map(|i| state[layout.momentum(i) as usize]).collect();
    let magnetic = stepper.magnetic_form(state);
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| counted(x * y)).sum::<f64>();
    let mut result = DenseMatrix::zero(count, count);
    for (a, one) in columns.iter().enumerate() {
        for (b, other) in columns.iter().enumerate().take(a) {
            let mut value =
                product(&one[..n], &other[n..]) + counted(-1.0) * product(&one[n..], &other[..n]);
            if let Some(body) = &stepper.trivialisation {
                value += counted(body.curvature(&mu, &one[..n], &other[..n]));
            }
            let bent = magnetic.chunks_exact(n.max(1)).zip(one);
            value += bent.map(|(row, x)| counted(*x) * product(row, &other[..n])).sum::<f64>();
            result.set(a, b, value);
            result.set(b, a, -value);
        }
    }
    result
}
