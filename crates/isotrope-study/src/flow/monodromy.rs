//! The derivative of the flow map over a run.

use isotrope_algebra::double::linear::{
    Complex, DenseMatrix, OrthonormalBasis, dot, eigenvalues, norm,
};
use isotrope_kernel::integrate::{Tangent, Variations};
use isotrope_kernel::stepper::{Scales, Stepper};
use schemars::JsonSchema;
use serde::Serialize;

use super::{FlowError, Setting, begin};
use crate::canonical::{Columns, columns, form};

/// The monodromy matrix dΦ, Φ the map from the first state to the last one, in (q, p).
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Monodromy {
    /// In which bases: `(q, p)`, on Lie groups `body`, (g⁻¹δg, δμ), `q` where momenta follow from positions, or `tangent`
    /// vectors of the constraints at both ends, orthonormal in units of the sizes of the problem.
    pub basis: &'static str,
    /// dΦ, row by row.
    pub matrix: Vec<Vec<f64>>,
    /// How Φ changes the volume: det dΦ without constraints, and the ratio of the volumes of dq∧dp on
    /// holonomic ones and on p = ϑ(q). `None` on nonholonomic ones.
    pub determinant: Option<f64>,
    /// |Φ(z) − z| in (q, p), in units of the sizes of the problem.
    pub gap: f64,
    /// Does the trajectory close? Then the multipliers are Floquet's.
    pub closed: bool,
    /// Eigenvalues as pairs of real and imaginary parts, by size; with constraints only where the
    /// trajectory closes.
    pub multipliers: Option<Vec<[f64; 2]>>,
}

/// A trajectory closes if its end differs from its beginning by less, in units of the sizes of the problem.
const CLOSED: f64 = 1e-6;

/// Components of columns in an orthonormal basis.
fn components(basis: &Columns, columns: &Columns) -> DenseMatrix {
    let mut result = DenseMatrix::zero(basis.len(), columns.len());
    for (j, column) in columns.iter().enumerate() {
        for (i, vector) in basis.iter().enumerate() {
            result.set(i, j, dot(vector, column));
        }
    }
    result
}

/// An orthonormal basis of the span of tangent vectors.
fn orthonormal(columns: &Columns) -> Result<Columns, FlowError> {
    Ok(OrthonormalBasis::of_span(columns).ok_or(FlowError::NoStart)?.into_vectors())
}

/// Positions and momenta in units of sizes; rotations by their matrices, since a quaternion and its negative are one.
fn place(state: &[f64], stepper: &Stepper, scales: &Scales) -> Vec<f64> {
    let layout = stepper.layout;
    let of_rotation =
        |i: &usize| stepper.rotations.iter().any(|r| (r.first..r.first + r.count).contains(i));
    let mut place: Vec<f64> = (0..layout.dimension)
        .filter(|i| !of_rotation(i))
        .map(|i| state[i] / scales.position[i])
        .collect();
    place.extend(stepper.rotations.iter().flat_map(|rotation| rotation.matrix(state)));
    // Where there are no momenta, their place is empty.
    if stepper.has_momenta {
        let momentum = |i: usize| state[layout.momentum(i) as usize] / scales.momentum[i];
        place.extend((0..layout.rates).map(momentum));
    }
    place
}

/// The sizes of (δq, δp); on a group of (g⁻¹δg, δμ).
fn units(stepper: &Stepper, scales: &Scales) -> Vec<f64> {
    let algebra = |i: usize| scales.velocity[i] * scales.time;
    let positions: Vec<f64> = match &stepper.trivialisation {
        Some(_) => (0..stepper.layout.rates).map(algebra).collect(),
        None => scales.position.clone(),
    };
    positions.into_iter().chain(scales.momentum.iter().copied()).collect()
}

/// From the tangent vectors before and after.
pub(super) fn monodromy(
    setting: &Setting<'_>,
    variations: &Variations,
    tangent: &Tangent<'_>,
    (before, after): (Columns, Columns),
    (initial, parameters): (&[f64], &[f64]),
    (stepper, has_form): (&Stepper, bool),
) -> Result<Monodromy, FlowError> {
    let n = stepper.layout.rates;
    let begun = begin(variations, initial, parameters, &[])?;
    let scales = Scales::of(stepper.layout, begun.state()).ok_or(FlowError::NoStart)?;
    let units = units(stepper, &scales);
    // Actions in units of the largest: their products have values in all units.
    let first_form = form(&before, stepper, begun.state());
    let action = 1.0 / first_form.size().max(f64::MIN_POSITIVE);
    let ratio = form(&after, stepper, tangent.state()).scaled(action).determinant()
        / first_form.scaled(action).determinant();
    // Positions are all that there is where momenta follow from them.
    let first_order = setting.is_first_order();
    let size = if first_order { n } else { 2 * n };
    let cut = |list: Columns| -> Columns {
        let scaled = |column: Vec<f64>| {
            column.iter().zip(&units).take(size).map(|(x, unit)| x / unit).collect()
        };
        list.into_iter().map(scaled).collect()
    };
    let (before, after) = (cut(before), cut(after));
    let free = before.len() == size;
    let [first, last] = [begun.state(), tangent.state()].map(|at| place(at, stepper, &scales));
    let difference: Vec<f64> = last.iter().zip(&first).map(|(x, y)| x - y).collect();
    let gap = norm(&difference);
    let closed = gap <= CLOSED * norm(&first).max(1.0);
    let unit: Columns = (0..size).map(|k| (0..size).map(|i| f64::from(i == k)).collect()).collect();
    let from = if free { unit } else { orthonormal(&before)? };
    let to = if free || closed {
        from.clone()
    } else {
        let state = tangent.state();
        let there = variations.admissible(state, parameters).ok_or(FlowError::NoStart)?;
        orthonormal(&cut(columns(&begin(variations, state, parameters, &there)?, stepper)))?
    };
    // dΦ B = A with both in components: Bᵀ dΦᵀ = Aᵀ.
    let (b, a) = (components(&from, &before), components(&to, &after));
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
    // In (q, p) the matrix is that of the coordinates as they are.
    let entry = |i: usize, j: usize| {
        let unit = if free { units[i] / units[j] } else { 1.0 };
        matrix.get(i, j) * unit
    };
    let row = |i: usize| (0..matrix.columns()).map(|j| entry(i, j)).collect();
    Ok(Monodromy {
        basis: match (first_order, free) {
            (true, _) => "q",
            (false, true) if stepper.trivialisation.is_some() => "body",
            (false, true) => "(q, p)",
            (false, false) => "tangent",
        },
        matrix: (0..matrix.rows()).map(row).collect(),
        determinant,
        gap,
        closed,
        multipliers,
    })
}
