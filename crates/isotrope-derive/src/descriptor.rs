//! Descriptor systems: E x' = F(x, t) with F = (J − R) z + g u, a constant matrix E that may be singular, and efforts z
//! with Eᵀ z = ∇H.
//!
//! Where E is singular, combinations of the equations have no rates: constraints. Differentiated they are equations for
//! rates again, c_x x' = −c_t, which may give new constraints, until the rates are determined: the constraint algorithm.
//! How often that has to be done is the differentiation index. The rates of n independent rows, those of E first, are the
//! underlying equations x' = f(x, t). Then E f − F is a combination of constraints, and on them
//!
//! H' = ∇H·f + H_t = zᵀ E f + H_t = −zᵀ R z + yᵀ u + H_t,   y = gᵀ z.
//!
//! P. Kunkel and V. Mehrmann, Differential-Algebraic Equations (2006); V. Mehrmann and R. Morandin, Structure-preserving
//! discretization for port-Hamiltonian descriptor systems (2019).

use isotrope_algebra::calculus::{
    SparseRows, Substitution, derivative, directional_derivative, gradient, jacobian, substitute,
};
use isotrope_algebra::linear::{LinearError, Matrix, determinant, nullspace, rank, solve};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::print::to_text;
use isotrope_algebra::{Budget, ExprId, Internal, Node, OutOfBudget, Pool, Smoothness};
use isotrope_model::{DescriptorModel, Model, StateModel};

use super::manifold::{Added, Manifold};
use super::{DeriveError, InputSignal, Symbols};

/// E x' = F(x, t) and what follows from it.
#[derive(Debug, Clone)]
pub struct Descriptor {
    /// E.
    pub matrix: Vec<Vec<ExprId>>,
    /// z, with Eᵀ z = ∇H.
    pub effort: Vec<ExprId>,
    /// How often equations have to be differentiated until they determine all rates.
    pub index: usize,
    /// What the states satisfy, level by level.
    pub constraints: Vec<StateConstraint>,
    /// The partial derivatives of the constraints, with the inputs put in.
    pub jacobian: SparseRows,
    /// Rates of inputs that the equations contain.
    pub signals: Vec<InputSignal>,
    /// The equations hold where none of these vanishes.
    pub conditions: Vec<ExprId>,
    /// Do the rates solve the equations and stay on the constraints, wherever these hold?
    pub solved: Zero,
    /// Coordinates that E leaves free, and for each the vector of ker E that has 1 there and 0 at the others.
    pub kernel: Vec<(usize, Vec<ExprId>)>,
    /// How far to go along these vectors to the constraints, with the inputs put in; none where that is not a linear
    /// problem.
    pub correction: Option<Vec<ExprId>>,
}

/// A constraint of a descriptor system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateConstraint {
    /// How often equations were differentiated for it.
    pub level: usize,
    /// What vanishes, with the inputs as symbols.
    pub expression: ExprId,
    /// The same with the inputs put in.
    pub driven: ExprId,
}

/// A descriptor system with its rates, inputs as symbols.
pub(super) struct Underlying {
    pub(super) descriptor: Descriptor,
    pub(super) rate: Vec<ExprId>,
    /// Is H' = −zᵀ R z + yᵀ u + H_t on the constraints?
    pub(super) balance: Zero,
}

/// What shortening one expression may cost, in systems small enough to be read.
const SHORT: u64 = 100_000;
const READABLE: usize = 12;
/// What one proof may cost.
const PROOF: u64 = 3_000_000;

type Answer<T> = Result<Result<T, Vec<DeriveError>>, OutOfBudget>;

/// E as a matrix.
pub(super) fn matrix(given: &DescriptorModel, n: usize) -> Vec<Vec<ExprId>> {
    let mut matrix = vec![vec![ExprId::ZERO; n]; n];
    for entry in &given.matrix {
        matrix[entry.row][entry.column] = entry.value;
    }
    matrix
}

/// The efforts: given, ∂H/∂x_i where E has the row and the column of the identity, and x_i itself where both are zero.
/// Eᵀ z = ∇H is proved.
pub(super) fn efforts(
    pool: &mut Pool,
    symbols: &Symbols,
    given: &DescriptorModel,
    slopes: &[ExprId],
) -> Result<Vec<ExprId>, DeriveError> {
    let n = symbols.dimension();
    let matrix = matrix(given, n);
    let mut effort = Vec::with_capacity(n);
    for (i, &slope) in slopes.iter().enumerate() {
        let others = (0..n).filter(|&k| k != i);
        let alone = others.into_iter().all(|k| matrix[i][k].is_zero() && matrix[k][i].is_zero());
        effort.push(match given.efforts.iter().find(|effort| effort.coordinate == i) {
            Some(effort) => effort.value,
            None if alone && matrix[i][i] == ExprId::ONE => slope,
            None if alone && matrix[i][i].is_zero() => symbols.position[i],
            None => {
                let coordinate = symbols.names[i].clone();
                return Err(DeriveError::MissingEffort { coordinate, place: given.place });
            }
        });
    }
    for (j, &slope) in slopes.iter().enumerate() {
        let terms: Vec<ExprId> = (0..n).map(|i| pool.mul(matrix[i][j], effort[i])).collect();
        let sum = pool.sum(&terms);
        let defect = pool.sub(sum, slope);
        let answer = is_zero(pool, defect, &mut Budget::new(PROOF));
        if answer != Zero::Yes {
            let of = |effort: &&isotrope_model::Effort| !matrix[effort.coordinate][j].is_zero();
            let place = given.efforts.iter().find(of).map_or(given.place, |effort| effort.place);
            return Err(DeriveError::WrongEffort {
                coordinate: symbols.names[j].clone(),
                defect: text(pool, defect),
                decided: answer == Zero::No,
                place,
            });
        }
    }
    Ok(effort)
}

/// The efforts of a model that is not derived; none where it would be refused.
pub fn efforts_of(
    pool: &mut Pool,
    model: &Model,
    given: &DescriptorModel,
    hamiltonian: ExprId,
    budget: &mut Budget,
) -> Result<Option<Vec<ExprId>>, OutOfBudget> {
    let symbols = super::system::symbols_of(model);
    let slopes = gradient(pool, hamiltonian, &symbols.position, budget)?;
    Ok(efforts(pool, &symbols, given, &slopes).ok())
}

fn text(pool: &mut Pool, expression: ExprId) -> String {
    let short = simplify(pool, expression, &mut Budget::new(SHORT));
    to_text(pool, short, &mut Budget::new(SHORT)).unwrap_or_else(|_| "…".to_owned())
}

/// What the constraint algorithm starts from.
pub(super) struct Start<'a> {
    pub(super) state: &'a StateModel,
    pub(super) given: &'a DescriptorModel,
    pub(super) inputs: &'a [InputSignal],
    pub(super) effort: Vec<ExprId>,
    /// F = (J − R) z + g u.
    pub(super) right: Vec<ExprId>,
    /// ∇H, and −zᵀ R z + yᵀ u.
    pub(super) slopes: &'a [ExprId],
    pub(super) exchanged: ExprId,
}

/// The constraint algorithm.
pub(super) fn underlying(
    model: &mut Model,
    symbols: &Symbols,
    start: Start<'_>,
    budget: &mut Budget,
) -> Answer<Underlying> {
    let n = symbols.dimension();
    let place = start.given.place;
    let mut search = Search::new(symbols, &start);
    let pool = &mut model.pool;
    let index = loop {
        match search.round(pool, place, budget)? {
            Ok(Round::Determined) => break search.rounds,
            Ok(Round::New) => search.rounds += 1,
            Err(error) => return Ok(Err(vec![error])),
        }
    };
    let Some(Rates { rate, mut conditions, matrix: chosen }) = search.rates(pool, budget)? else {
        let (value, reason) = ("E".to_owned(), "an entry has no value");
        return Ok(Err(vec![DeriveError::SingularDescriptor { value, reason, place }]));
    };
    conditions.retain(|&condition| pool.as_number(condition).is_none());
    let determinant = match determinant(pool, &chosen, budget) {
        Ok(determinant) => determinant,
        Err(LinearError::OutOfBudget(stop)) => return Err(stop),
        Err(LinearError::Singular { .. } | LinearError::Undefined) => {
            return Err(Internal::new("rows that were solved have a determinant").into());
        }
    };
    if search.manifold.vanishes(pool, determinant) == Zero::Yes {
        let value = text(pool, determinant);
        let reason = "it is zero wherever the constraints hold";
        return Ok(Err(vec![DeriveError::SingularDescriptor { value, reason, place }]));
    }
    let Search { rows, right, constraints, manifold, signals, driven, .. } = search;
    // All rows, also those that were not solved.
    let mut solved = Zero::Yes;
    for (row, &right) in rows.iter().zip(&right) {
        let terms: Vec<ExprId> = row.iter().zip(&rate).map(|(&a, &b)| pool.mul(a, b)).collect();
        let sum = pool.sum(&terms);
        let defect = pool.sub(sum, right);
        solved = solved.and(manifold.vanishes(pool, defect));
    }
    let terms: Vec<ExprId> =
        start.slopes.iter().zip(&rate).map(|(&a, &b)| pool.mul(a, b)).collect();
    let total = pool.sum(&terms);
    let defect = pool.sub(total, start.exchanged);
    let balance = manifold.vanishes(pool, defect);
    let expressions: Vec<ExprId> = constraints.iter().map(|c| c.driven).collect();
    let jacobian = jacobian(pool, &expressions, &symbols.position, budget)?;
    let matrix = matrix(start.given, n);
    let kernel = kernel(pool, &matrix, budget)?;
    let correction = correction(pool, symbols, &expressions, &jacobian, &kernel, budget)?;
    let descriptor = Descriptor {
        matrix,
        effort: start.effort,
        index,
        constraints,
        jacobian,
        signals,
        conditions,
        solved,
        kernel,
        correction,
    };
    let determinant = substitute(pool, &[determinant], &driven, budget)?[0];
    if let Err(error) = begin(model, symbols, &descriptor, determinant, place, budget)? {
        return Ok(Err(vec![error]));
    }
    Ok(Ok(Underlying { descriptor, rate, balance }))
}

/// Rates that solve n rows.
struct Rates {
    rate: Vec<ExprId>,
    /// What was divided by.
    conditions: Vec<ExprId>,
    matrix: Matrix,
}

/// How a round ends.
enum Round {
    /// All rates are determined.
    Determined,
    /// There are new constraints.
    New,
}

/// Equations for rates, rows·x' = right, and constraints found so far.
struct Search<'a> {
    symbols: &'a Symbols,
    state: &'a StateModel,
    rows: Vec<Vec<ExprId>>,
    right: Vec<ExprId>,
    constraints: Vec<StateConstraint>,
    manifold: Manifold,
    /// Coordinates, those without rates first.
    variables: Vec<ExprId>,
    /// Inputs and their rates: for each symbol the number of its input.
    known: Vec<(InputSignal, usize)>,
    /// How many of them are rates of others.
    signals: Vec<InputSignal>,
    driven: Substitution,
    rounds: usize,
}

impl<'a> Search<'a> {
    fn new(symbols: &'a Symbols, start: &Start<'a>) -> Self {
        let n = symbols.dimension();
        let rows = matrix(start.given, n);
        let (mut variables, mut moving) = (Vec::new(), Vec::new());
        for (j, &symbol) in symbols.position.iter().enumerate() {
            let list =
                if rows.iter().all(|row| row[j].is_zero()) { &mut variables } else { &mut moving };
            list.push(symbol);
        }
        variables.extend(moving);
        let mut manifold = Manifold::default();
        let mut driven = Substitution::default();
        for input in start.inputs {
            manifold.drive(input.symbol, input.value);
            driven.insert(input.symbol, input.value);
        }
        Self {
            symbols,
            state: start.state,
            rows,
            right: start.right.clone(),
            constraints: Vec::new(),
            manifold,
            variables,
            known: start.inputs.iter().cloned().zip(0..).collect(),
            signals: Vec::new(),
            driven,
            rounds: 0,
        }
    }

    fn matrix(&self) -> Matrix {
        Matrix::from_rows(self.symbols.dimension(), &self.rows)
    }

    /// Looks for combinations of the equations without rates.
    fn round(
        &mut self,
        pool: &mut Pool,
        place: isotrope_model::Place,
        budget: &mut Budget,
    ) -> Result<Result<Round, DeriveError>, OutOfBudget> {
        let n = self.symbols.dimension();
        let across = self.matrix().transposed();
        let found = match nullspace(pool, &across, budget) {
            Ok(found) => found.basis,
            Err(LinearError::OutOfBudget(stop)) => return Err(stop),
            Err(_) => Vec::new(),
        };
        if self.rows.len() - found.len() == n {
            return Ok(Ok(Round::Determined));
        }
        let mut fresh = Vec::new();
        for vector in found {
            let terms: Vec<ExprId> =
                vector.iter().zip(&self.right).map(|(&a, &b)| pool.mul(a, b)).collect();
            let sum = pool.sum(&terms);
            let constraint = self.short(pool, sum);
            match self.manifold.add(pool, constraint, &self.variables)? {
                Added::Redundant => continue,
                Added::Contradiction(value) => {
                    let value = text(pool, value);
                    return Ok(Err(DeriveError::Contradictory { value, place }));
                }
                Added::New => {}
            }
            let driven = substitute(pool, &[constraint], &self.driven, budget)?[0];
            let level = self.rounds;
            self.constraints.push(StateConstraint { level, expression: constraint, driven });
            fresh.push(constraint);
        }
        if fresh.is_empty() || self.rounds > n {
            let free = self.free(pool, budget)?;
            return Ok(Err(DeriveError::Undetermined { coordinates: free, place }));
        }
        for constraint in fresh {
            match self.differentiate(pool, constraint, budget)? {
                Ok(()) => {}
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(Round::New))
    }

    /// Adds c_x x' = −c_t, with rates of inputs.
    fn differentiate(
        &mut self,
        pool: &mut Pool,
        constraint: ExprId,
        budget: &mut Budget,
    ) -> Result<Result<(), DeriveError>, OutOfBudget> {
        let row = gradient(pool, constraint, &self.symbols.position, budget)?;
        let row: Vec<ExprId> = row.into_iter().map(|entry| self.short(pool, entry)).collect();
        let mut terms = vec![derivative(pool, constraint, self.symbols.time, budget)?];
        for k in 0..self.known.len() {
            let (signal, input) = self.known[k].clone();
            if !pool.depends_on(constraint, &[signal.symbol]) {
                continue;
            }
            if jumps(pool, signal.value) {
                let given = &self.state.inputs[input];
                let (input, place) = (given.name.clone(), given.place);
                return Ok(Err(DeriveError::RateOfInput { input, place }));
            }
            let rate = self.rate_of(pool, &signal, input, budget)?;
            let slope = derivative(pool, constraint, signal.symbol, budget)?;
            terms.push(pool.mul(slope, rate));
        }
        let sum = pool.sum(&terms);
        let minus = pool.neg(sum);
        self.right.push(self.short(pool, minus));
        self.rows.push(row);
        Ok(Ok(()))
    }

    /// The symbol of the rate of an input.
    fn rate_of(
        &mut self,
        pool: &mut Pool,
        signal: &InputSignal,
        input: usize,
        budget: &mut Budget,
    ) -> Result<ExprId, OutOfBudget> {
        let name = format!("{}'", signal.name);
        if let Some((known, _)) = self.known.iter().find(|(known, _)| known.name == name) {
            return Ok(known.symbol);
        }
        let symbol = pool.symbol(&name);
        let value = derivative(pool, signal.value, self.symbols.time, budget)?;
        let value = self.short(pool, value);
        let rate = InputSignal { name, symbol, value };
        self.manifold.drive(symbol, value);
        self.driven.insert(symbol, value);
        self.signals.push(rate.clone());
        self.known.push((rate, input));
        Ok(symbol)
    }

    /// Names of coordinates whose rates nothing determines.
    fn free(&self, pool: &mut Pool, budget: &mut Budget) -> Result<Vec<String>, OutOfBudget> {
        let matrix = self.matrix();
        let basis = match nullspace(pool, &matrix, budget) {
            Ok(found) => found.basis,
            Err(LinearError::OutOfBudget(stop)) => return Err(stop),
            Err(_) => Vec::new(),
        };
        let names = &self.symbols.names;
        let takes_part = |i: &usize| basis.iter().any(|vector| !vector[*i].is_zero());
        Ok((0..names.len()).filter(takes_part).map(|i| names[i].clone()).collect())
    }

    /// The rates by n independent rows, the first that are.
    fn rates(&self, pool: &mut Pool, budget: &mut Budget) -> Result<Option<Rates>, OutOfBudget> {
        let across = self.matrix().transposed();
        let chosen = match rank(pool, &across, budget) {
            Ok(rank) => rank.pivot_columns,
            Err(LinearError::OutOfBudget(stop)) => return Err(stop),
            Err(_) => return Ok(None),
        };
        let rows: Vec<Vec<ExprId>> = chosen.iter().map(|&k| self.rows[k].clone()).collect();
        let right: Vec<ExprId> = chosen.iter().map(|&k| self.right[k]).collect();
        let matrix = Matrix::from_rows(self.symbols.dimension(), &rows);
        match solve(pool, &matrix, &right, budget) {
            Ok(solved) => {
                let rate = solved.solution.into_iter().map(|rate| self.short(pool, rate)).collect();
                Ok(Some(Rates { rate, conditions: solved.conditions, matrix }))
            }
            Err(LinearError::OutOfBudget(stop)) => Err(stop),
            Err(_) => Ok(None),
        }
    }

    fn short(&self, pool: &mut Pool, expression: ExprId) -> ExprId {
        match self.symbols.dimension() <= READABLE {
            true => simplify(pool, expression, &mut Budget::new(SHORT)),
            false => expression,
        }
    }
}

/// Has a function of time jumps or kinks, so that its rate is not a function?
fn jumps(pool: &Pool, value: ExprId) -> bool {
    pool.reachable(&[value]).into_iter().any(
        |id| matches!(pool.node(id), Node::Call(f, _) if f.smoothness() != Smoothness::Analytic),
    )
}

/// ker E: for each column without a pivot the vector with 1 there.
fn kernel(
    pool: &mut Pool,
    matrix: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Result<Vec<(usize, Vec<ExprId>)>, OutOfBudget> {
    let n = matrix.len();
    let matrix = Matrix::from_rows(n, matrix);
    let (rank, basis) = match (rank(pool, &matrix, budget), nullspace(pool, &matrix, budget)) {
        (Ok(rank), Ok(found)) => (rank, found.basis),
        (Err(LinearError::OutOfBudget(stop)), _) | (_, Err(LinearError::OutOfBudget(stop))) => {
            return Err(stop);
        }
        _ => return Ok(Vec::new()),
    };
    let free = (0..n).filter(|column| !rank.pivot_columns.contains(column));
    let mut kernel = Vec::with_capacity(basis.len());
    for (column, vector) in free.zip(basis) {
        let own = vector[column];
        let scaled = vector.iter().map(|&entry| pool.div(entry, own)).collect();
        kernel.push((column, scaled));
    }
    Ok(kernel)
}

/// δ with c(x + K δ) = 0, where the constraints that determine it are linear along K.
fn correction(
    pool: &mut Pool,
    symbols: &Symbols,
    constraints: &[ExprId],
    jacobian: &SparseRows,
    kernel: &[(usize, Vec<ExprId>)],
    budget: &mut Budget,
) -> Result<Option<Vec<ExprId>>, OutOfBudget> {
    let along: Vec<Vec<(ExprId, ExprId)>> = kernel
        .iter()
        .map(|(_, vector)| symbols.position.iter().copied().zip(vector.iter().copied()).collect())
        .collect();
    let (mut rows, mut right) = (Vec::new(), Vec::new());
    for (&constraint, partial) in constraints.iter().zip(jacobian) {
        let mut row = Vec::with_capacity(kernel.len());
        for (_, vector) in kernel {
            let terms: Vec<ExprId> =
                partial.iter().map(|&(j, value)| pool.mul(value, vector[j as usize])).collect();
            let sum = pool.sum(&terms);
            row.push(simplify(pool, sum, &mut Budget::new(SHORT)));
        }
        let mut linear = true;
        for direction in &along {
            for second in directional_derivative(pool, &row, direction, budget)? {
                linear &= is_zero(pool, second, &mut Budget::new(PROOF)) == Zero::Yes;
            }
        }
        if linear && row.iter().any(|entry| !entry.is_zero()) {
            rows.push(row);
            right.push(pool.neg(constraint));
        }
    }
    let across = Matrix::from_rows(kernel.len(), &rows).transposed();
    let chosen = match rank(pool, &across, budget) {
        Ok(rank) if rank.rank == kernel.len() => rank.pivot_columns,
        Err(LinearError::OutOfBudget(stop)) => return Err(stop),
        _ => return Ok(None),
    };
    let rows: Vec<Vec<ExprId>> = chosen.iter().map(|&k| rows[k].clone()).collect();
    let right: Vec<ExprId> = chosen.iter().map(|&k| right[k]).collect();
    let matrix = Matrix::from_rows(kernel.len(), &rows);
    match solve(pool, &matrix, &right, budget) {
        Ok(solved) => Ok(Some(solved.solution)),
        Err(LinearError::OutOfBudget(stop)) => Err(stop),
        Err(_) => Ok(None),
    }
}

/// Initial values that are left out, and whether the rates are determined where the motion begins.
fn begin(
    model: &mut Model,
    symbols: &Symbols,
    descriptor: &Descriptor,
    determinant: ExprId,
    place: isotrope_model::Place,
    budget: &mut Budget,
) -> Result<Result<(), DeriveError>, OutOfBudget> {
    if model.initial.absent.is_some() {
        return Ok(Ok(()));
    }
    let missing = model.initial.missing.clone();
    let pool = &mut model.pool;
    for &i in &missing {
        let places = symbols.position.iter().copied();
        let mut map: Substitution = places.zip(model.initial.position.iter().copied()).collect();
        map.insert(symbols.time, ExprId::ZERO);
        let shift = descriptor.correction.as_ref().and_then(|shifts| {
            let at = descriptor.kernel.iter().position(|(free, _)| *free == i)?;
            shifts.get(at).copied()
        });
        let value = match shift {
            Some(shift) => substitute(pool, &[shift], &map, budget)?[0],
            None => ExprId::UNDEFINED,
        };
        if value == ExprId::UNDEFINED {
            let coordinate = symbols.names[i].clone();
            return Ok(Err(DeriveError::InitialNotDetermined { coordinate, place }));
        }
        // Values that are left out are zero until all are known.
        model.initial.position_places[i] = place;
        model.initial.rate[i] = value;
    }
    for &i in &missing {
        model.initial.position[i] = std::mem::replace(&mut model.initial.rate[i], ExprId::ZERO);
    }
    let places = symbols.position.iter().copied();
    let mut map: Substitution = places.zip(model.initial.position.iter().copied()).collect();
    map.insert(symbols.time, ExprId::ZERO);
    let values: Substitution = model.parameters.iter().map(|p| (p.symbol, p.exact)).collect();
    let there = substitute(pool, &[determinant], &map, budget)?;
    let there = substitute(pool, &there, &values, budget)?[0];
    if is_zero(pool, there, &mut Budget::new(PROOF)) == Zero::Yes {
        let value = text(pool, determinant);
        let reason = "it is zero where the motion begins";
        return Ok(Err(DeriveError::SingularDescriptor { value, reason, place }));
    }
    Ok(Ok(()))
}
