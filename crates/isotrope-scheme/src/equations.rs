//! The equations of one step.

use isotrope_algebra::calculus::{SparseRows, Substitution, jacobian, substitute};
use isotrope_algebra::{Budget, ExprId, Function, Node, OutOfBudget, Pool, Stop};

/// A name for an intermediate expression; later expressions use the symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The symbol.
    pub symbol: ExprId,
    /// What it stands for; may contain symbols defined before.
    pub value: ExprId,
}

/// What an unknown is: the size of the problem that its changes are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownKind {
    /// A position of this coordinate.
    Position(usize),
    /// A velocity of this coordinate, or a change of one.
    Velocity(usize),
    /// A momentum of this coordinate.
    Momentum(usize),
    /// The rate of a momentum of this coordinate, compared by how far it moves the momentum in a step.
    MomentumRate(usize),
    /// An impulse, compared by how far it moves positions.
    Impulse,
    /// A time.
    Time,
    /// A number without a unit.
    Number,
}

/// A number that the step has to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown {
    /// Its symbol.
    pub symbol: ExprId,
    /// What it is.
    pub kind: UnknownKind,
    /// A guess from what is known before the step.
    pub guess: ExprId,
}

/// A symbol that stands for a size of the problem, measured at the start of a run: a positive number in the unit of
/// the quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The symbol.
    pub symbol: ExprId,
    /// Of what it is the size: a position, a velocity or a momentum.
    pub of: UnknownKind,
}

/// A number carried from step to step besides q, v, p and the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Its symbol.
    pub symbol: ExprId,
    /// Its value before the first step, a function of q, v, t there.
    pub start: ExprId,
    /// Its value after a step.
    pub next: ExprId,
    /// Its name in rows of output, where it belongs there.
    pub shown: Option<&'static str>,
}

/// A number carried along that is not a number where a step is too large to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepBound {
    /// Which of the numbers carried along.
    pub memory: usize,
    /// What is too large, for people.
    pub reason: &'static str,
}

/// What a function that is to be preserved has changed by, measured by the scheme itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// The name of the function.
    pub name: String,
    /// The number carried along that is its change, less what was supplied.
    pub memory: usize,
    /// The largest absolute value of that.
    pub largest: usize,
    /// How large its parts were.
    pub size: usize,
    /// Is it preserved on a manifold only?
    pub weak: bool,
}

/// The time that a step takes, where that is not the step it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duration {
    /// t⁺ − t.
    pub value: ExprId,
    /// A number carried along that is finite only where the step may be taken.
    pub guard: ExprId,
    /// Why it may not be.
    pub reason: &'static str,
    /// For steps whose length is an unknown.
    pub hold: Option<Hold>,
}

/// Numbers carried along that let a step have the length that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    /// One for a step that is to have it, set by the code that makes the steps; zero otherwise.
    pub asked: ExprId,
    /// How many steps had it for this reason.
    pub count: ExprId,
}

/// Where a scheme that is staggered wants its errors to be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Positions.
    pub position: Vec<ExprId>,
    /// Velocities.
    pub velocity: Vec<ExprId>,
    /// Momenta.
    pub momentum: Vec<ExprId>,
    /// The time.
    pub time: ExprId,
    /// The work between the beginning of the step and that time.
    pub work: ExprId,
}

/// What a step leaves behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct After {
    /// q⁺.
    pub position: Vec<ExprId>,
    /// v⁺.
    pub velocity: Vec<ExprId>,
    /// p⁺.
    pub momentum: Vec<ExprId>,
    /// λ, one for each constraint; none if λ(q, v, t) of the field at the end is meant.
    pub multipliers: Vec<ExprId>,
    /// The work of forces and moving constraints in this step, by the quadrature of the scheme.
    pub work: ExprId,
    /// q⁺ − q and p⁺ − p, for schemes that can sum them up with what rounding loses.
    pub increments: Option<Increments>,
    /// What went through the ports of a system in state space, by the quadrature of the scheme.
    pub exchange: Option<Exchange>,
}

/// The energy that ports supply and that is dissipated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// ∫ yᵀ u.
    pub supplied: ExprId,
    /// ∫ ∇Hᵀ R ∇H.
    pub dissipated: ExprId,
}

/// What a step adds to positions and momenta.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Increments {
    /// q⁺ − q.
    pub position: Vec<ExprId>,
    /// p⁺ − p.
    pub momentum: Vec<ExprId>,
}

impl After {
    /// Nothing yet.
    pub(super) fn empty() -> Self {
        Self {
            position: Vec::new(),
            velocity: Vec::new(),
            momentum: Vec::new(),
            multipliers: Vec::new(),
            work: ExprId::ZERO,
            increments: None,
            exchange: None,
        }
    }
}

/// One step: symbols of the state are those of the system (q, v, p, t).
#[derive(Debug, Clone)]
pub struct Equations {
    /// Holds all expressions.
    pub pool: Pool,
    /// Groups of definitions; those of a group use only symbols of groups before.
    pub definitions: Vec<Vec<Definition>>,
    /// The unknowns: velocities, then impulses.
    pub unknowns: Vec<Unknown>,
    /// How many of them, the last ones, are impulses that move positions.
    pub impulses: usize,
    /// What vanishes, one for each unknown.
    pub residual: Vec<ExprId>,
    /// For each unknown its value for the next round of a fixed-point iteration; none where that
    /// does not contract.
    pub fixed_point: Option<Vec<ExprId>>,
    /// What the step leaves behind.
    pub after: After,
    /// The time that the step takes, if that is not h.
    pub duration: Option<Duration>,
    /// Where errors are measured, if not at what the step leaves behind.
    pub pair: Option<Pair>,
    /// What is carried from step to step.
    pub memory: Vec<Memory>,
    /// Sizes of the problem that the equations contain.
    pub sizes: Vec<Size>,
    /// Groups of definitions that the first values of the memory use.
    pub before_the_start: Vec<Vec<Definition>>,
    /// Evaluations of the field or of the residual in one round, or in an explicit step.
    pub evaluations: u32,
    /// Limits of the step.
    pub bounds: Vec<StepBound>,
    /// Functions that are to be preserved: names, and which of the numbers carried along are the defect so far
    /// and the largest one.
    pub defects: Vec<Defect>,
}

impl Equations {
    /// How many groups of definitions, from the first, the residual needs.
    #[must_use]
    pub fn groups_of_the_residual(&self) -> usize {
        self.groups(&self.residual)
    }

    fn groups(&self, expressions: &[ExprId]) -> usize {
        let below = self.pool.reachable(expressions);
        let used = |d: &Definition| below.binary_search(&d.symbol).is_ok();
        self.definitions.iter().rposition(|group| group.iter().any(used)).map_or(0, |last| last + 1)
    }

    /// The Jacobian of the residual in the unknowns, through the definitions.
    pub fn jacobian(&mut self, budget: &mut Budget) -> Result<SparseRows, OutOfBudget> {
        let rows = self.derivatives(&self.residual.clone(), budget)?;
        if !self.has_contacts() {
            return Ok(rows);
        }
        let entries: Vec<ExprId> = rows.iter().flatten().map(|entry| entry.1).collect();
        let mut finite = finite_powers(&mut self.pool, &entries, budget)?.into_iter();
        let columns = rows.iter().map(|row| row.iter().map(|entry| entry.0));
        Ok(columns.map(|row| row.zip(finite.by_ref()).collect()).collect())
    }

    /// The guesses for the unknowns, finite beside a contact.
    pub fn guesses(&mut self, budget: &mut Budget) -> Result<Vec<ExprId>, OutOfBudget> {
        let guesses: Vec<ExprId> = self.unknowns.iter().map(|unknown| unknown.guess).collect();
        if !self.has_contacts() {
            return Ok(guesses);
        }
        finite_powers(&mut self.pool, &guesses, budget)
    }

    /// For each impulse the coordinates that it moves, with |∂q⁺/∂Λ|.
    pub fn reach(&mut self, budget: &mut Budget) -> Result<Vec<Vec<(usize, ExprId)>>, OutOfBudget> {
        // Which of the impulses an unknown is.
        let mut count = 0;
        let places: Vec<Option<usize>> = self
            .unknowns
            .iter()
            .map(|unknown| {
                let is_impulse = unknown.kind == UnknownKind::Impulse;
                count += usize::from(is_impulse);
                is_impulse.then(|| count - 1)
            })
            .collect();
        let mut terms: Vec<Vec<(usize, ExprId)>> = vec![Vec::new(); count];
        if count == 0 {
            return Ok(terms);
        }
        let rows = self.derivatives(&self.after.position.clone(), budget)?;
        for (coordinate, row) in rows.into_iter().enumerate() {
            for (column, value) in row {
                if let Some(impulse) = places[column as usize] {
                    terms[impulse].push((coordinate, self.pool.call(Function::Abs, value)));
                }
            }
        }
        Ok(terms)
    }

    /// Are there absolute values or unit steps?
    fn has_contacts(&self) -> bool {
        let mut all = self.residual.clone();
        all.extend(self.definitions.iter().flatten().map(|definition| definition.value));
        let one_sided = |id: &ExprId| {
            matches!(self.pool.node(*id), Node::Call(Function::Abs | Function::Heaviside, _))
        };
        self.pool.reachable(&all).iter().any(one_sided)
    }

    fn derivatives(
        &mut self,
        expressions: &[ExprId],
        budget: &mut Budget,
    ) -> Result<SparseRows, OutOfBudget> {
        let groups = self.groups(expressions);
        let pool = &mut self.pool;
        let unknowns = self.unknowns.len();
        let definitions = || self.definitions[..groups].iter().flatten();
        let mut variables: Vec<ExprId> = self.unknowns.iter().map(|u| u.symbol).collect();
        variables.extend(definitions().map(|d| d.symbol));
        let values: Vec<ExprId> = definitions().map(|d| d.value).collect();
        let partial = jacobian(pool, &values, &variables, budget)?;
        // Rows of the derivatives of definitions, in order: each uses only earlier ones.
        let mut total: SparseRows = Vec::with_capacity(partial.len());
        for row in partial {
            let row = chain_rule(pool, &row, unknowns, &total)?;
            total.push(row);
        }
        let partial = jacobian(pool, expressions, &variables, budget)?;
        partial.iter().map(|row| chain_rule(pool, row, unknowns, &total)).collect()
    }
}

/// Beside a contact the slope of max(u, 0)^(1/2) is 0 · 0^(−1/2): there the power counts as 0, written with s = sign(b)²
/// as s b^(e s).
fn finite_powers(
    pool: &mut Pool,
    entries: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let mut images = Substitution::default();
    for id in pool.reachable(entries) {
        let Node::Product(pairs) = pool.node(id) else { continue };
        let pairs: Vec<(ExprId, ExprId)> = pairs.iter().collect();
        let infinite = |pool: &Pool, exponent: ExprId| match pool.as_number(exponent) {
            Some(number) => number.is_negative() && !number.is_integer(),
            None => true,
        };
        if !pairs.iter().any(|pair| infinite(pool, pair.1)) {
            continue;
        }
        let mut factors = Vec::with_capacity(pairs.len());
        for (base, exponent) in pairs {
            let mut exponent = exponent;
            if infinite(pool, exponent) {
                let sign = pool.call(Function::Sign, base);
                let square = pool.powi(sign, 2);
                exponent = pool.mul(exponent, square);
                factors.push(square);
            }
            factors.push(pool.power(base, exponent));
        }
        let image = pool.product(&factors);
        images.insert(id, image);
    }
    substitute(pool, entries, &images, budget)
}

/// Replaces derivatives in defined symbols by derivatives in the unknowns.
fn chain_rule(
    pool: &mut Pool,
    row: &[(u32, ExprId)],
    unknowns: usize,
    total: &SparseRows,
) -> Result<Vec<(u32, ExprId)>, OutOfBudget> {
    let mut terms: std::collections::BTreeMap<u32, Vec<ExprId>> = Default::default();
    for &(column, value) in row {
        Stop::check("differentiating the equations of a step")?;
        match (column as usize).checked_sub(unknowns) {
            None => terms.entry(column).or_default().push(value),
            Some(definition) => {
                for &(column, factor) in total.get(definition).into_iter().flatten() {
                    terms.entry(column).or_default().push(pool.mul(value, factor));
                }
            }
        }
    }
    let sums = terms.into_iter().map(|(column, list)| (column, pool.sum(&list)));
    Ok(sums.filter(|entry| !entry.1.is_zero()).collect())
}
