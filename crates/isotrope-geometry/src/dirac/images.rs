//! Backward and forward images along maps.

use isotrope_algebra::calculus::{Substitution, jacobian, substitute};
use isotrope_algebra::linear::{LinearError, Matrix, nullspace};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::{DiracStructure, Generator};

/// The coefficients of two lists of columns in a combination that vanishes.
pub(super) type Relation = (Vec<ExprId>, Vec<ExprId>);

/// The combinations of the columns `(first | second)` that vanish, each as the coefficients of
/// `first` and those of `second`.
pub(super) fn relations(
    pool: &mut Pool,
    first: &Matrix,
    second: &Matrix,
    budget: &mut Budget,
) -> Result<Vec<Relation>, LinearError> {
    let rows: Vec<Vec<ExprId>> =
        (0..first.rows()).map(|i| [first.row(i), second.row(i)].concat()).collect();
    let width = first.columns() + second.columns();
    let space = nullspace(pool, &Matrix::from_rows(width, &rows), budget)?;
    let split = |vector: Vec<ExprId>| {
        let (head, tail) = vector.split_at(first.columns());
        (head.to_vec(), tail.to_vec())
    };
    Ok(space.basis.into_iter().map(split).collect())
}

pub(super) fn negated(pool: &mut Pool, matrix: &Matrix) -> Matrix {
    let mut result = matrix.clone();
    for i in 0..matrix.rows() {
        for j in 0..matrix.columns() {
            let entry = pool.neg(matrix.get(i, j));
            result.set(i, j, entry);
        }
    }
    result
}

/// The matrices of `V` and `A` with expressions in place of the coordinates.
fn at(
    pool: &mut Pool,
    structure: &DiracStructure,
    images: &[ExprId],
    budget: &mut Budget,
) -> Result<DiracStructure, LinearError> {
    let map: Substitution = structure.base.iter().copied().zip(images.iter().copied()).collect();
    let mut generators = Vec::with_capacity(structure.generators.len());
    for generator in &structure.generators {
        let vector = substitute(pool, &generator.vector, &map, budget)?;
        let covector = substitute(pool, &generator.covector, &map, budget)?;
        generators.push(Generator { vector, covector });
    }
    Ok(DiracStructure { base: structure.base.clone(), generators })
}

impl DiracStructure {
    /// The backward image `{ v + phi^* b : phi_* v + b in D }` along a map `phi` from a manifold
    /// with coordinates `source`; `images` are the coordinates of this base as functions of them.
    ///
    /// It is a Lagrangian subspace at every point; check the rank for where it is a bundle.
    pub fn backward_image(
        &self,
        pool: &mut Pool,
        source: &[ExprId],
        images: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Self, LinearError> {
        let there = at(pool, self, images, budget)?;
        let slope = slope(pool, images, source, budget)?;
        let vectors = there.vectors().transposed();
        let vectors = negated(pool, &vectors);
        let covectors = there.covectors().transposed();
        let mut generators = Vec::new();
        for (vector, combination) in relations(pool, &slope, &vectors, budget)? {
            let covector = covectors.apply(pool, &combination);
            let covector = slope.transposed().apply(pool, &covector);
            generators.push(Generator { vector, covector });
        }
        Ok(Self { base: source.to_vec(), generators: nonzero(generators) })
    }

    /// The forward image `{ phi_* v + b : v + phi^* b in D }` along a map `phi` from this base:
    /// `images` are the coordinates `target` as functions of this base, `section` the point of
    /// this base over a point of the target. It depends on the section unless the structure is
    /// invariant along the fibres.
    pub fn forward_image(
        &self,
        pool: &mut Pool,
        target: &[ExprId],
        images: &[ExprId],
        section: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Self, LinearError> {
        // Images of linear relations are taken at a point: over special sections there are more
        // solutions than restrictions of those over generic points.
        let map: Substitution = self.base.iter().copied().zip(section.iter().copied()).collect();
        let here = at(pool, self, section, budget)?;
        let general = slope(pool, images, &self.base, budget)?;
        let entries = substitute(pool, general.entries(), &map, budget)?;
        let rows: Vec<Vec<ExprId>> =
            entries.chunks(self.base.len().max(1)).map(<[ExprId]>::to_vec).collect();
        let slope = Matrix::from_rows(self.base.len(), &rows);
        let covectors = here.covectors().transposed();
        let covectors = negated(pool, &covectors);
        let vectors = here.vectors().transposed();
        let mut generators = Vec::new();
        for (covector, combination) in relations(pool, &slope.transposed(), &covectors, budget)? {
            let vector = vectors.apply(pool, &combination);
            let vector = slope.apply(pool, &vector);
            generators.push(Generator { vector, covector });
        }
        Ok(Self { base: target.to_vec(), generators: nonzero(generators) })
    }
}

fn slope(
    pool: &mut Pool,
    images: &[ExprId],
    source: &[ExprId],
    budget: &mut Budget,
) -> Result<Matrix, LinearError> {
    let mut slope = Matrix::zero(images.len(), source.len());
    for (i, row) in jacobian(pool, images, source, budget)?.into_iter().enumerate() {
        for (j, entry) in row {
            slope.set(i, j as usize, entry);
        }
    }
    Ok(slope)
}

fn nonzero(generators: Vec<Generator>) -> Vec<Generator> {
    let is_zero = |list: &[ExprId]| list.iter().all(|entry| entry.is_zero());
    generators.into_iter().filter(|g| !(is_zero(&g.vector) && is_zero(&g.covector))).collect()
}
