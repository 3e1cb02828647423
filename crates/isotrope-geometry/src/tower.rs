//! A growing family of brackets: the engine of the flags.
//!
//! All that matters about a bracket is what the forms see of it: `TQ/D` is spanned by the
//! values `alpha^a(Y)`, so ranks are ranks of matrices with one column per form, however many
//! coordinates there are. Brackets themselves are computed only for those that are kept.

use isotrope_algebra::evaluate::Fidelity;
use isotrope_algebra::linear::{LinearError, Matrix, determinant, nullspace, rank};
use isotrope_algebra::normal::{Zero, size};
use isotrope_algebra::{Budget, ExprId, Pool};

use crate::exterior::{ExteriorDerivatives, Interior, Seen, bracket_values};
use crate::form::contract;
use crate::generic_rank::independent_rows;
use crate::unevaluated::determinant_as_graph;
use crate::work::{simplified, with_share, zero_test};
use crate::{Distribution, VectorField, lie_bracket};

/// The part of the budget that formulas for conditions and proofs may spend.
const FORMULAS: u64 = 4;

/// The frame of a distribution with brackets added to it, generically independent.
#[derive(Clone)]
pub(crate) struct Tower {
    /// The frame of the distribution first, then the brackets kept.
    pub fields: Vec<VectorField>,
    /// `alpha^a` of each field.
    values: Vec<Vec<ExprId>>,
    /// `i_X d alpha^a` of each field, once needed.
    interiors: Vec<Option<Interior>>,
    /// The rank of the distribution.
    base: usize,
    /// Everything so far was decided by proofs.
    pub proved: bool,
}

/// A bracket that may be added.
struct Candidate {
    pair: (usize, usize),
    values: Vec<ExprId>,
}

impl Tower {
    pub fn new(distribution: &Distribution) -> Self {
        let fields = distribution.frame.clone();
        Self {
            values: vec![vec![ExprId::ZERO; distribution.forms.len()]; fields.len()],
            interiors: vec![None; fields.len()],
            base: fields.len(),
            fields,
            proved: distribution.in_kernel == Zero::Yes,
        }
    }

    /// The rank reached.
    pub fn rank(&self) -> usize {
        self.fields.len()
    }

    /// What the forms see of the brackets: one row per bracket, one column per form.
    fn seen(&self) -> &[Vec<ExprId>] {
        &self.values[self.base..]
    }

    /// Functions `c_a` such that the forms `c_a alpha^a` are those that vanish on all fields.
    pub fn annihilator(
        &self,
        pool: &mut Pool,
        forms: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<ExprId>>, LinearError> {
        if self.rank() == self.base + forms {
            return Ok(Vec::new());
        }
        Ok(nullspace(pool, &Matrix::from_rows(forms, self.seen()), budget)?.basis)
    }

    /// The brackets are independent where none of these vanishes.
    pub fn conditions(
        &self,
        pool: &mut Pool,
        forms: usize,
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, LinearError> {
        if self.seen().is_empty() {
            return Ok(Vec::new());
        }
        if let Some(exact) = where_independent(pool, self.seen(), budget) {
            return Ok(vec![exact]);
        }
        let seen = Matrix::from_rows(forms, self.seen());
        match with_share(budget, FORMULAS, |part| rank(pool, &seen, part)) {
            Ok(found) => Ok(found.conditions),
            Err(LinearError::OutOfBudget(stop)) => {
                // One minor, not multiplied out.
                let pivots = independent_rows(pool, self.seen(), Fidelity::Exact, budget)?;
                let pivots = pivots.ok_or(stop)?;
                let columns: Vec<usize> = pivots.iter().map(|pivot| pivot.1).collect();
                if columns.len() < self.seen().len() {
                    return Err(LinearError::Singular { rank: columns.len() });
                }
                Ok(vec![determinant_as_graph(pool, self.seen(), &columns, budget)?])
            }
            Err(error) => Err(error),
        }
    }

    /// Adds brackets `[Y_i, Y_j]` of these pairs until they are all in the span.
    pub fn extend(
        &mut self,
        pool: &mut Pool,
        distribution: &Distribution,
        exterior: &ExteriorDerivatives,
        pairs: impl Iterator<Item = (usize, usize)>,
        budget: &mut Budget,
    ) -> Result<(), LinearError> {
        let candidates = self.candidates(pool, distribution, exterior, pairs, budget)?;
        if candidates.is_empty() {
            return Ok(());
        }
        let forms = distribution.forms.len();
        let choice = self.choose(pool, forms, &candidates, budget)?;
        for &index in &choice.kept {
            let Candidate { pair: (i, j), values } = &candidates[index];
            let (x, y) = (&self.fields[*i], &self.fields[*j]);
            let bracket = lie_bracket(pool, &distribution.coordinates, x, y, budget)?;
            let values = values.iter().map(|&value| simplified(pool, value, budget)).collect();
            self.fields.push(bracket);
            self.values.push(values);
            self.interiors.push(None);
        }
        self.proved &= choice.kept_proved;
        // Nothing is outside everything.
        if choice.rest_proved || self.rank() == self.base + forms {
            return Ok(());
        }
        let annihilator =
            match with_share(budget, FORMULAS, |part| self.annihilator(pool, forms, part)) {
                Ok(annihilator) => annihilator,
                // The ranks stand, with the evidence of a random point.
                Err(LinearError::OutOfBudget(_)) => {
                    self.proved = false;
                    return Ok(());
                }
                Err(error) => return Err(error),
            };
        for (index, candidate) in candidates.iter().enumerate() {
            if choice.kept.contains(&index) {
                continue;
            }
            for combination in &annihilator {
                let value = contract(pool, combination, &candidate.values);
                self.proved &= zero_test(pool, value, budget) == Zero::Yes;
            }
        }
        Ok(())
    }

    /// What the forms see of the brackets of these pairs, shortest first; zeros left out.
    fn candidates(
        &mut self,
        pool: &mut Pool,
        distribution: &Distribution,
        exterior: &ExteriorDerivatives,
        pairs: impl Iterator<Item = (usize, usize)>,
        budget: &mut Budget,
    ) -> Result<Vec<Candidate>, LinearError> {
        let mut candidates = Vec::new();
        for (i, j) in pairs {
            let interior = match self.interiors[i].take() {
                Some(interior) => interior,
                None => exterior.interior(pool, &self.fields[i], budget)?,
            };
            let x = Seen { field: &self.fields[i], values: &self.values[i] };
            let y = Seen { field: &self.fields[j], values: &self.values[j] };
            let coordinates = &distribution.coordinates;
            let values = bracket_values(pool, coordinates, &x, &interior, &y, budget)?;
            self.interiors[i] = Some(interior);
            if values.iter().any(|value| !value.is_zero()) {
                candidates.push(Candidate { pair: (i, j), values });
            }
        }
        // Short brackets make short brackets of brackets.
        candidates.sort_by_cached_key(|candidate| {
            let sizes = candidate.values.iter().map(|&value| size(pool, value));
            (sizes.fold(0, u64::saturating_add), candidate.pair)
        });
        Ok(candidates)
    }

    /// A maximal independent choice of candidates, modulo the fields there are.
    fn choose(
        &self,
        pool: &mut Pool,
        forms: usize,
        candidates: &[Candidate],
        budget: &mut Budget,
    ) -> Result<Choice, LinearError> {
        let known = self.seen().len();
        let mut rows = self.seen().to_vec();
        rows.extend(candidates.iter().map(|candidate| candidate.values.clone()));
        let new = |row: usize| row.checked_sub(known);
        if let Some(rows) = independent_rows(pool, &rows, Fidelity::Exact, budget)? {
            let kept = rows.into_iter().filter_map(|(row, _)| new(row)).collect();
            return Ok(Choice { kept, kept_proved: true, rest_proved: false });
        }
        // No exact values (roots, logarithms): eliminate with formulas, and know all at once.
        let columns = Matrix::from_rows(forms, &rows).transposed();
        let found = rank(pool, &columns, budget)?;
        let kept = found.pivot_columns.into_iter().filter_map(new).collect();
        Ok(Choice { kept, kept_proved: found.proved, rest_proved: true })
    }
}

/// Rows longer than this are not multiplied with each other.
const LONGEST: u64 = 400;
/// Nor are more of them.
const MOST: usize = 5;

/// A function that vanishes exactly where the rows are dependent: their determinant, or that of their products with
/// each other (Gram), which is the sum of the squares of all minors. `None` if it is too long.
pub(crate) fn where_independent(
    pool: &mut Pool,
    rows: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Option<ExprId> {
    let length = rows.iter().flatten().map(|&entry| size(pool, entry)).fold(0, u64::saturating_add);
    if rows.len() > MOST || length > LONGEST {
        return None;
    }
    with_share(budget, FORMULAS, |part| {
        let columns = rows.first().map_or(0, Vec::len);
        let mut matrix = Matrix::from_rows(columns, rows);
        if rows.len() != columns {
            matrix = Matrix::zero(rows.len(), rows.len());
            for (i, first) in rows.iter().enumerate() {
                for (j, second) in rows.iter().enumerate() {
                    let product = contract(pool, first, second);
                    matrix.set(i, j, simplified(pool, product, part));
                }
            }
        }
        let found = determinant(pool, &matrix, part).ok()?;
        (!found.is_zero()).then(|| simplified(pool, found, part))
    })
}

/// Which candidates to keep.
struct Choice {
    /// Indices of candidates that are independent, modulo the fields there were.
    kept: Vec<usize>,
    /// Their independence is proved.
    kept_proved: bool,
    /// The dependence of the others needs no further proof.
    rest_proved: bool,
}
