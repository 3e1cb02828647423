//! The entries of the tables as unknowns.

use isotrope_algebra::ideal::RealPoint;
use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget, Rational};

use super::pattern::Pattern;
use super::shape::diagonals;
use super::solution::GroupTables;
use super::weights::SymbolicTables;
use isotrope_methods::trees::Family;

/// One entry of the table of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// An entry of the matrix of the stages.
    Matrix {
        /// The colour of the group.
        colour: usize,
        /// The row, from zero.
        row: usize,
        /// The column, from zero.
        column: usize,
    },
    /// A weight of the step.
    Weight {
        /// The colour of the group.
        colour: usize,
        /// The stage, from zero.
        stage: usize,
    },
}

/// Why the unknowns could not be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownsError {
    /// A prescribed entry that no table has.
    #[error("there is no entry `{name}`")]
    NoEntry {
        /// The name that was given.
        name: String,
        /// Names of entries there are.
        known: Vec<String>,
    },
    /// An entry that the pattern fixes has another prescribed value.
    #[error("the pattern makes `{name}` zero, so it cannot be {value}")]
    Contradiction {
        /// The entry.
        name: String,
        /// The prescribed value.
        value: Rational,
    },
    /// One entry prescribed twice.
    #[error("`{name}` is prescribed twice")]
    Twice {
        /// The entry.
        name: String,
    },
    /// No stage, or more than systems of this kind can be solved for.
    #[error("{stages} stages: one to {limit} can be constructed")]
    Stages {
        /// The number asked for.
        stages: usize,
        /// The largest number.
        limit: usize,
    },
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// Operations for comparing tables with a pattern.
const EVALUATION: u64 = 50_000_000;

/// Stages beyond which no system of conditions is within reach.
pub const CONSTRUCTED_STAGES: usize = 10;

/// The tables of a family of methods with `stages` stages; entries that no pattern and no
/// prescription fixes are variables.
#[derive(Debug, Clone)]
pub struct Unknowns {
    family: Family,
    stages: usize,
    tables: SymbolicTables,
    /// The entry that each variable stands for (the first, if several are equal).
    places: Vec<Place>,
    /// Linear relations that a pattern asks for.
    relations: Vec<Polynomial>,
}

impl Unknowns {
    /// The unknowns of the tables of a family.
    ///
    /// Matrices come first, by colour and by rows, then the weights; a group that no other
    /// depends on has no matrix.
    pub fn new(
        family: &Family,
        stages: usize,
        patterns: &[Pattern],
        prescribed: &[(String, Rational)],
        budget: &mut Budget,
    ) -> Result<Self, UnknownsError> {
        if stages == 0 || stages > CONSTRUCTED_STAGES {
            return Err(UnknownsError::Stages { stages, limit: CONSTRUCTED_STAGES });
        }
        let has = |pattern| patterns.contains(&pattern);
        let colours = family.colours().len();
        let used: Vec<bool> = (0..colours)
            .map(|colour| {
                (0..colours).any(|parent| {
                    family.dependencies(parent).iter().any(|dependency| dependency.colour == colour)
                })
            })
            .collect();
        let mut builder = Builder {
            family,
            prescribed,
            taken: vec![false; prescribed.len()],
            places: Vec::new(),
        };
        let diagonal = diagonals(family).into_iter().next().unwrap_or_default();
        let mut matrices: Vec<Vec<Vec<Polynomial>>> = Vec::with_capacity(colours);
        for colour in 0..colours {
            if !used[colour] {
                matrices.push(Vec::new());
                continue;
            }
            let first = (0..colour).find(|&other| used[other]);
            if let (true, Some(first)) = (has(Pattern::EqualTables), first) {
                matrices.push(matrices[first].clone());
                continue;
            }
            let mut matrix = Vec::with_capacity(stages);
            for row in 0..stages {
                let mut entries = Vec::with_capacity(stages);
                for column in 0..stages {
                    let free = diagonal.get(colour).copied().unwrap_or(false);
                    let zero = (has(Pattern::Strict) && column >= row)
                        || (has(Pattern::Lower) && column > row)
                        || (has(Pattern::Explicit) && (column > row || (column == row && !free)));
                    entries.push(builder.entry(Place::Matrix { colour, row, column }, zero)?);
                }
                matrix.push(entries);
            }
            matrices.push(matrix);
        }
        let equal = has(Pattern::EqualWeights) || has(Pattern::EqualTables);
        let mut weights: Vec<Vec<Polynomial>> = Vec::with_capacity(colours);
        for colour in 0..colours {
            if let (true, Some(first)) = (equal, weights.first()) {
                weights.push(first.clone());
                continue;
            }
            let mut list = Vec::with_capacity(stages);
            for stage in 0..stages {
                list.push(builder.entry(Place::Weight { colour, stage }, false)?);
            }
            weights.push(list);
        }
        if let Some(open) = builder.taken.iter().position(|taken| !taken) {
            let name = prescribed[open].0.clone();
            let known = builder.places.iter().map(|&place| place_name(family, place)).collect();
            return Err(UnknownsError::NoEntry { name, known });
        }
        let places = builder.places;
        let tables = SymbolicTables { matrices, weights };
        let mut relations =
            if has(Pattern::Symmetric) { symmetry(&tables, budget)? } else { Vec::new() };
        if has(Pattern::StifflyAccurate) {
            relations.extend(last_stages(&tables, budget)?);
        }
        Ok(Self { family: family.clone(), stages, tables, places, relations })
    }

    /// The family of trees.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// The number of stages.
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Is every entry fixed?
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The tables.
    pub fn tables(&self) -> &SymbolicTables {
        &self.tables
    }

    /// The entry a variable stands for.
    pub fn place(&self, variable: usize) -> Option<Place> {
        self.places.get(variable).copied()
    }

    /// Linear relations that a pattern asks for, as polynomials that vanish.
    pub fn relations(&self) -> &[Polynomial] {
        &self.relations
    }

    /// Are all groups given one and the same table, of which every entry is free?
    #[must_use]
    pub fn is_one_free_table(&self) -> bool {
        let stages = self.stages;
        let matrices = self.tables.matrices.iter().filter(|matrix| !matrix.is_empty());
        let mut matrices = matrices.collect::<Vec<_>>();
        matrices.dedup();
        let equal =
            matrices.len() == 1 && self.tables.weights.windows(2).all(|two| two[0] == two[1]);
        equal && self.relations.is_empty() && self.places.len() == stages * (stages + 1)
    }

    /// The values of the unknowns in some tables; `None` if those are not of this pattern.
    #[must_use]
    pub fn point(&self, tables: &GroupTables) -> Option<RealPoint> {
        let entry = |place: &Place| -> Option<FieldElement> {
            match *place {
                Place::Matrix { colour, row, column } => {
                    tables.matrices.get(colour)?.get(row)?.get(column).cloned()
                }
                Place::Weight { colour, stage } => tables.weights.get(colour)?.get(stage).cloned(),
            }
        };
        let coordinates = self.places.iter().map(entry).collect::<Option<Vec<_>>>()?;
        let point = RealPoint { field: tables.field.clone(), coordinates };
        let budget = &mut Budget::new(EVALUATION);
        let same = GroupTables::of(&self.tables, &point, budget).ok()?;
        let whole = same
            .matrices
            .iter()
            .zip(&tables.matrices)
            .all(|(own, other)| own.is_empty() || own == other);
        if !whole || same.weights != tables.weights {
            return None;
        }
        let mut relations = self.relations.iter();
        let kept =
            relations.all(|one| point.evaluate(one, budget).is_ok_and(|value| value.is_zero()));
        kept.then_some(point)
    }

    /// The names of the variables: `a21`, `abar11`, `btil2`.
    pub fn names(&self) -> Vec<String> {
        self.places.iter().map(|&place| place_name(&self.family, place)).collect()
    }
}

/// The name of an entry, `a21` or, beyond nine stages, `a[10,1]`.
pub fn place_name(family: &Family, place: Place) -> String {
    let colour = |colour: usize| family.colours().get(colour);
    match place {
        Place::Matrix { colour: c, row, column } => {
            let symbol = colour(c).map_or("a", |colour| colour.matrix());
            let (row, column) = (row + 1, column + 1);
            if row > 9 || column > 9 {
                format!("{symbol}[{row},{column}]")
            } else {
                format!("{symbol}{row}{column}")
            }
        }
        Place::Weight { colour: c, stage } => {
            let symbol = colour(c).map_or("b", |colour| colour.weights());
            match stage + 1 {
                stage if stage > 9 => format!("{symbol}[{stage}]"),
                stage => format!("{symbol}{stage}"),
            }
        }
    }
}

struct Builder<'a> {
    family: &'a Family,
    prescribed: &'a [(String, Rational)],
    taken: Vec<bool>,
    places: Vec<Place>,
}

impl Builder<'_> {
    fn entry(&mut self, place: Place, zero: bool) -> Result<Polynomial, UnknownsError> {
        let name = place_name(self.family, place);
        let mut value = None;
        for (index, (wanted, number)) in self.prescribed.iter().enumerate() {
            if *wanted != name {
                continue;
            }
            if value.is_some() {
                return Err(UnknownsError::Twice { name });
            }
            self.taken[index] = true;
            value = Some(number.clone());
        }
        match value {
            Some(value) if zero && !value.is_zero() => {
                Err(UnknownsError::Contradiction { name, value })
            }
            Some(value) => Ok(Polynomial::constant(value)),
            None if zero => Ok(Polynomial::zero()),
            None => {
                self.places.push(place);
                Ok(Polynomial::variable(self.places.len() - 1))
            }
        }
    }
}

/// a_sj − b_j of all groups that have a matrix.
fn last_stages(
    tables: &SymbolicTables,
    budget: &mut Budget,
) -> Result<Vec<Polynomial>, OutOfBudget> {
    let mut relations = Vec::new();
    for (matrix, weights) in tables.matrices.iter().zip(&tables.weights) {
        for (entry, weight) in matrix.last().into_iter().flatten().zip(weights) {
            let relation = entry.sub(weight, budget)?;
            if !relation.is_zero() && !relations.contains(&relation) {
                relations.push(relation);
            }
        }
    }
    Ok(relations)
}

/// a_σiσj + a_ij − b_j and b_j − b_σj, σ reversing the stages.
fn symmetry(tables: &SymbolicTables, budget: &mut Budget) -> Result<Vec<Polynomial>, OutOfBudget> {
    let mut relations = Vec::new();
    for (matrix, weights) in tables.matrices.iter().zip(&tables.weights) {
        let last = weights.len().saturating_sub(1);
        for (row, entries) in matrix.iter().enumerate() {
            for (column, entry) in entries.iter().enumerate() {
                let mirrored = &matrix[last - row][last - column];
                let sum = entry.add(mirrored, budget)?.sub(&weights[column], budget)?;
                relations.push(sum);
            }
        }
        for (stage, weight) in weights.iter().enumerate() {
            relations.push(weight.sub(&weights[last - stage], budget)?);
        }
    }
    relations.retain(|relation| !relation.is_zero());
    relations.sort_by_key(|relation| relation.to_string());
    relations.dedup();
    Ok(relations)
}
