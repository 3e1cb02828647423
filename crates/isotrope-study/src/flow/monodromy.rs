//! The derivative of the flow map over a run.

use isotrope_kernel::integrate::{Tangent, Variations};
use isotrope_kernel::stepper::Layout;
use serde::Serialize;

use super::matrix::{Columns, dot, norm, orthonormal};
use super::{FlowError, Setting, begin};
use crate::stability::dense::Dense;
use crate::stability::eigen::{Complex, eigenvalues};

/// The monodromy matrix dΦ, Φ the map from the first state to the last one, in (q, p).
#[derive(Debug, Clone, Serialize)]
pub struct Monodromy {
    /// In which bases: `(q, p)`, `q` where momenta follow from positions, or orthonormal `tangent`
    /// vectors of the constraints at both ends.
    pub basis: &'static str,
    /// dΦ, row by row.
    pub matrix: Vec<Vec<f64>>,
    /// How Φ changes the volume: det dΦ without constraints, and the ratio of the volumes of dq∧dp on
    /// holonomic ones and on p = ϑ(q). `None` on nonholonomic ones.
    pub determinant: Option<f64>,
    /// |Φ(z) − z| in (q, p).
    pub gap: f64,
    /// Does the trajectory close? Then the multipliers are Floquet's.
    pub closed: bool,
    /// Eigenvalues as pairs of real and imaginary parts, by size; with constraints only where the
    /// trajectory closes.
    pub multipliers: Option<Vec<[f64; 2]>>,
}

/// A trajectory closes if its end differs from its beginning by less, relative to its size.
const CLOSED: f64 = 1e-6;

/// (δq, δp) of all directions.
pub(super) fn columns(tangent: &Tangent<'_>, layout: Layout) -> Columns {
    let n = layout.dimension;
    (0..tangent.directions())
        .map(|k| {
            let slots =
                (0..n).map(|i| layout.position(i)).chain((0..n).map(|i| layout.momentum(i)));
            slots.map(|slot| tangent.change(slot, k)).collect()
        })
        .collect()
}

/// dq∧dp on all pairs of columns, and with it a magnetic 2-form, given by its entries.
pub(super) fn form(columns: &Columns, n: usize, magnetic: &[f64]) -> Dense {
    let count = columns.len();
    let mut result = Dense::zero(count, count);
    for (a, one) in columns.iter().enumerate() {
        for (b, other) in columns.iter().enumerate() {
            let bent = magnetic.chunks_exact(n.max(1)).zip(one);
            let bent: f64 = bent.map(|(row, x)| x * dot(row, &other[..n])).sum();
            let value = dot(&one[..n], &other[n..]) - dot(&one[n..], &other[..n]) + bent;
            result.set(a, b, value);
        }
    }
    result
}

/// Components of columns in an orthonormal basis.
fn components(basis: &Columns, columns: &Columns) -> Dense {
    let mut result = Dense::zero(basis.len(), columns.len());
    for (j, column) in columns.iter().enumerate() {
        for (i, vector) in basis.iter().enumerate() {
            result.set(i, j, dot(vector, column));
        }
    }
    result
}

/// From the tangent vectors before and after.
pub(super) fn monodromy(
    setting: &Setting<'_>,
    variations: &Variations,
    tangent: &Tangent<'_>,
    (before, after): (Columns, Columns),
    (initial, parameters): (&[f64], &[f64]),
    (layout, has_form, magnetic): (Layout, bool, [&[f64]; 2]),
) -> Result<Monodromy, FlowError> {
    let n = layout.dimension;
    let [first, last] = magnetic;
    let ratio = form(&after, n, last).determinant() / form(&before, n, first).determinant();
    // Positions are all that there is where momenta follow from them.
    let first_order = setting.is_first_order();
    let size = if first_order { n } else { 2 * n };
    let cut = |list: Columns| -> Columns {
        list.into_iter().map(|column| column[..size].to_vec()).collect()
    };
    let (before, after) = (cut(before), cut(after));
    let free = before.len() == size;
    let begun = begin(variations, initial, parameters, &[])?;
    let place = |state: &[f64]| -> Vec<f64> {
        state[..n].iter().chain(&state[2 * n..3 * n]).copied().collect()
    };
    let (first, last) = (place(begun.state()), place(tangent.state()));
    let difference: Vec<f64> = last.iter().zip(&first).map(|(x, y)| x - y).collect();
    let gap = norm(&difference);
    let closed = gap <= CLOSED * (1.0 + norm(&first));
    let unit: Columns = (0..size).map(|k| (0..size).map(|i| f64::from(i == k)).collect()).collect();
    let from = if free { unit } else { orthonormal(&before) };
    let to = if free || closed {
        from.clone()
    } else {
        let state = tangent.state();
        let there = variations.admissible(state, parameters).ok_or(FlowError::NoStart)?;
        orthonormal(&columns(&begin(variations, state, parameters, &there)?, layout))
    };
    // dΦ B = A with both in components: Bᵀ dΦᵀ = Aᵀ.
    let (b, a) = (components(&from, &before), components(&to, &after));
    // Units of mass make momenta as small or large as they like: no pivot is too small but zero.
    let solved = b.transposed().solve(&a.transposed(), 0.0).ok_or(FlowError::NoStart)?;
    let matrix = solved.transposed();
    let determinant = if free && !first_order {
        Some(matrix.determinant())
    } else {
        has_form.then(|| ratio.abs().sqrt())
    };
    let multipliers = (free || closed).then(|| eigenvalues(&matrix)).flatten().map(|mut list| {
        // Conjugate pairs have the same size and real part but for rounding.
        let rounded = |x: f64| (x * 1e9).round();
        let key = |z: &Complex| [rounded(z.abs()), rounded(z.re), z.im];
        list.sort_by(|x, y| {
            let pairs = key(y).into_iter().zip(key(x));
            pairs.fold(std::cmp::Ordering::Equal, |order, (b, a)| order.then(b.total_cmp(&a)))
        });
        list.iter().map(|z| [z.re, z.im]).collect()
    });
    let row = |i: usize| (0..matrix.columns).map(|j| matrix.get(i, j)).collect();
    Ok(Monodromy {
        basis: match (first_order, free) {
            (true, _) => "q",
            (false, true) => "(q, p)",
            (false, false) => "tangent",
        },
        matrix: (0..matrix.rows).map(row).collect(),
        determinant,
        gap,
        closed,
        multipliers,
    })
}
