//! What the constraints of a branch are: first and second class, the Dirac bracket, the gauge directions.
//!
//! The rank of Δ_ij = {C_i, C_j} where the constraints hold is the number of second-class constraints; combinations in
//! the kernel of Δ are of first class. With a block of Δ that is invertible,
//!
//! {f, g}_D = {f, g} − {f, C_i} (Δ⁻¹)_ij {C_j, g}.
//!
//! Multipliers in the kernel of A are arbitrary functions of time: motions with different ones are the same to an
//! observer. The gauge directions are the smallest distribution that contains the fields of these multipliers and with
//! each field Y also [X_T, Y], and all brackets: it is computed, so whether secondary first-class constraints generate
//! gauge motions (the conjecture of Dirac) is decided for each model (M. J. Gotay, J. M. Nester, 1979; R. Cawley, 1979).

use isotrope_algebra::calculus::{Substitution, directional_derivative, gradient, substitute};
use isotrope_algebra::normal::{Zero, size};
use isotrope_algebra::{Budget, ExprId, Node, Pool};

use super::elimination::{Echelon, determinant_factors, eliminate};
use super::primary::{Setting, short};
use super::rounds::Branch;
use super::surface::Lost;

/// The classes of the constraints, and the bracket.
#[derive(Debug, Clone, Default)]
pub struct Classes {
    /// Which of the constraints have an invertible matrix of brackets.
    pub second: Vec<usize>,
    /// Combinations of constraints whose brackets with all of them vanish where they hold.
    pub first: Vec<ExprId>,
    /// {z_a, z_b}_D of the phase space (q, p), in values where the constraints hold.
    pub bracket: Vec<Vec<ExprId>>,
    /// What is divided by.
    pub(super) conditions: Vec<ExprId>,
}

/// A multiplier and what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainMultiplier {
    /// Its symbol: `u_x`, the velocity of x, or `lambda_rod` of a constraint of the model.
    pub symbol: ExprId,
    /// Its value, which may contain multipliers that are free; none of a free one.
    pub value: Option<ExprId>,
}

pub(super) fn classes(
    pool: &mut Pool,
    setting: &Setting,
    branch: &Branch,
    budget: &mut Budget,
) -> Result<Classes, Lost> {
    let constraints = branch.expressions();
    let count = constraints.len();
    let mut functions = constraints.clone();
    functions.extend(&setting.state);
    let table = setting.brackets(pool, &functions, budget)?;
    let delta: Vec<Vec<ExprId>> = table[..count].iter().map(|row| row[..count].to_vec()).collect();
    let echelon = eliminate(pool, &branch.surface, delta.clone(), count, budget)?;
    let mut second = echelon.origins.clone();
    second.sort_unstable();
    let block: Vec<Vec<ExprId>> =
        second.iter().map(|&i| second.iter().map(|&j| delta[i][j]).collect()).collect();
    let conditions = determinant_factors(pool, &branch.surface, &block, budget)?;
    // Rows that are independent: Δ is skew, so their block is invertible.
    let mut first = Vec::new();
    for k in (0..count).filter(|k| !second.contains(k)) {
        // C_k − Σ_i c_i C_i with Δ_kj = Σ_i c_i Δ_ij for all j of the second class.
        let rows: Vec<Vec<ExprId>> = second
            .iter()
            .map(|&j| {
                let mut row: Vec<ExprId> = second.iter().map(|&i| delta[i][j]).collect();
                row.push(delta[k][j]);
                row
            })
            .collect();
        let solved = eliminate(pool, &branch.surface, rows, second.len(), budget)?;
        let mut terms = vec![constraints[k]];
        for (row, &column) in solved.rows.iter().zip(&solved.columns) {
            let product = pool.mul(row[second.len()], constraints[second[column]]);
            terms.push(pool.neg(product));
        }
        let sum = pool.sum(&terms);
        first.push(short(pool, sum));
    }
    let everywhere = bracket(pool, setting, &table, (&second, count), branch, budget)?;
    let mut on = Vec::with_capacity(everywhere.len());
    for row in &everywhere {
        let row = row.iter().map(|&entry| shorter(pool, branch, entry, budget));
        on.push(row.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(Classes { second, first, bracket: on, conditions })
}

/// The Dirac bracket of the coordinates of the phase space, everywhere where Δ is invertible.
fn bracket(
    pool: &mut Pool,
    setting: &Setting,
    table: &[Vec<ExprId>],
    (second, count): (&[usize], usize),
    branch: &Branch,
    budget: &mut Budget,
) -> Result<Vec<Vec<ExprId>>, Lost> {
    let size = setting.state.len();
    let plain = super::surface::Surface::new(&branch.surface.variables, &[]);
    // Δ X = {C, z}: X = Δ⁻¹ {C, z}.
    let rows = second
        .iter()
        .map(|&i| {
            let own = second.iter().map(|&j| table[i][j]);
            own.chain((0..size).map(|b| table[i][count + b])).collect()
        })
        .collect();
    let solved: Echelon = eliminate(pool, &plain, rows, second.len(), budget)?;
    let mut found = vec![vec![ExprId::ZERO; size]; size];
    for a in 0..size {
        for b in a + 1..size {
            let mut terms = vec![table[count + a][count + b]];
            for (row, &column) in solved.rows.iter().zip(&solved.columns) {
                let product = pool.mul(table[count + a][second[column]], row[second.len() + b]);
                terms.push(pool.neg(product));
            }
            let sum = pool.sum(&terms);
            let value = plain.reduced(pool, sum, budget)?;
            found[a][b] = value;
            found[b][a] = pool.neg(value);
        }
    }
    Ok(found)
}

/// Multipliers as the rates of the branch determine them.
pub(super) fn multipliers(
    pool: &mut Pool,
    setting: &Setting,
    branch: &Branch,
    budget: &mut Budget,
) -> Result<Vec<ChainMultiplier>, Lost> {
    let width = setting.primaries.len();
    let free = |column: &usize| !branch.rates.columns.contains(column);
    let free: Vec<usize> = (0..width).filter(free).collect();
    // The rows as they are everywhere: then their constraints have no rates off the others, either.
    let plain = super::surface::Surface::new(&branch.surface.variables, &[]);
    let columns = branch.rates.columns.iter().chain(&free).chain([&width]);
    let columns: Vec<usize> = columns.copied().collect();
    let rows = branch.solved_rows.iter().map(|row| columns.iter().map(|&k| row[k]).collect());
    let solved =
        eliminate(pool, &plain, rows.collect(), branch.rates.rank(), budget).unwrap_or_default();
    let mut found: Vec<ChainMultiplier> = setting
        .primaries
        .iter()
        .map(|primary| ChainMultiplier { symbol: primary.multiplier, value: None })
        .collect();
    for (on, &column) in branch.rates.rows.iter().zip(&branch.rates.columns) {
        let on = affine(
            pool,
            setting,
            &free,
            &free.iter().map(|&k| on[k]).collect::<Vec<_>>(),
            on[width],
        );
        let at = branch.rates.columns.iter().position(|&k| k == column);
        let row = solved.columns.iter().position(|&k| Some(k) == at).map(|k| &solved.rows[k]);
        let value = match row {
            Some(row) => {
                let rank = branch.rates.rank();
                let (weights, right) = row[rank..].split_at(free.len());
                let plain = affine(pool, setting, &free, weights, right[0]);
                shorter_of(pool, plain, on)
            }
            None => on,
        };
        found[column].value = Some(value);
    }
    Ok(found)
}

/// right − Σ weights u, with the multipliers that are free.
fn affine(
    pool: &mut Pool,
    setting: &Setting,
    free: &[usize],
    weights: &[ExprId],
    right: ExprId,
) -> ExprId {
    let mut terms = vec![right];
    for (&k, &weight) in free.iter().zip(weights) {
        let product = pool.mul(weight, setting.primaries[k].multiplier);
        terms.push(pool.neg(product));
    }
    let sum = pool.sum(&terms);
    short(pool, sum)
}

/// X_T without the free multipliers, which are set to zero, and the field of each of these.
pub(super) fn motion(
    pool: &mut Pool,
    setting: &Setting,
    branch: &Branch,
    budget: &mut Budget,
) -> Result<(Vec<ExprId>, Vec<Vec<ExprId>>), Lost> {
    let width = setting.primaries.len();
    let values = multipliers(pool, setting, branch, budget)?;
    let zeros: Substitution = values
        .iter()
        .filter(|multiplier| multiplier.value.is_none())
        .map(|multiplier| (multiplier.symbol, ExprId::ZERO))
        .collect();
    let mut rate = setting.drift.clone();
    for (multiplier, primary) in values.iter().zip(&setting.primaries) {
        let Some(value) = multiplier.value else { continue };
        let value = substitute(pool, &[value], &zeros, budget)?[0];
        add(pool, &mut rate, value, &primary.field);
    }
    let mut free = Vec::new();
    for vector in branch.rates.kernel(pool, width) {
        let mut field = vec![ExprId::ZERO; setting.state.len()];
        for (&weight, primary) in vector.iter().zip(&setting.primaries) {
            add(pool, &mut field, weight, &primary.field);
        }
        for entry in &mut field {
            *entry = shorter(pool, branch, *entry, budget)?;
        }
        free.push(field);
    }
    Ok((rate, free))
}

fn add(pool: &mut Pool, sum: &mut [ExprId], weight: ExprId, field: &[ExprId]) {
    for (entry, &part) in sum.iter_mut().zip(field) {
        let product = pool.mul(weight, part);
        *entry = pool.add(*entry, product);
    }
}

/// The gauge directions: fields that span them where the constraints hold.
pub(super) fn gauge(
    pool: &mut Pool,
    setting: &Setting,
    branch: &Branch,
    budget: &mut Budget,
) -> Result<Vec<Vec<ExprId>>, Lost> {
    let (rate, open) = motion(pool, setting, branch, budget)?;
    let size = setting.state.len();
    let mut fields: Vec<Vec<ExprId>> = Vec::new();
    let mut open: std::collections::VecDeque<Vec<ExprId>> = open.into();
    while let Some(field) = open.pop_front() {
        let mut rows = fields.clone();
        rows.push(field.clone());
        if eliminate(pool, &branch.surface, rows, size, budget)?.rank() == fields.len() {
            continue;
        }
        // [∂_t + X_T, Y], and [Y, Y'].
        let mut moved = commutator(pool, setting, &rate, &field, budget)?;
        let rows: Vec<(ExprId, ExprId)> = vec![(setting.time, ExprId::ONE)];
        let explicit = directional_derivative(pool, &field, &rows, budget)?;
        for (entry, part) in moved.iter_mut().zip(explicit) {
            *entry = pool.add(*entry, part);
        }
        let mut new = vec![moved];
        for other in &fields {
            new.push(commutator(pool, setting, other, &field, budget)?);
        }
        fields.push(field);
        for mut field in new {
            for entry in &mut field {
                *entry = shorter(pool, branch, *entry, budget)?;
            }
            open.push_back(field);
        }
    }
    // A basis with 1 at the pivots reads better.
    let echelon = eliminate(pool, &branch.surface, fields.clone(), size, budget)?;
    Ok(if echelon.pivots.is_empty() { echelon.rows } else { fields })
}

/// As it is, or in the value that it has where the constraints hold.
fn shorter(
    pool: &mut Pool,
    branch: &Branch,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<ExprId, Lost> {
    let on = branch.surface.reduced(pool, expression, budget)?;
    let on = short(pool, on);
    let plain = short(pool, expression);
    Ok(shorter_of(pool, plain, on))
}

/// A variable that was solved for brings divisors, which count double.
fn shorter_of(pool: &Pool, plain: ExprId, on: ExprId) -> ExprId {
    let weight = |expression: ExprId| {
        size(pool, expression) * if is_whole(pool, expression) { 1 } else { 2 }
    };
    if weight(plain) <= weight(on) { plain } else { on }
}

/// Has it no divisors?
pub(super) fn is_whole(pool: &Pool, expression: ExprId) -> bool {
    let negative = |id: ExprId| pool.as_number(id).is_some_and(|number| number.is_negative());
    pool.reachable(&[expression]).into_iter().all(|id| match pool.node(id) {
        Node::Product(pairs) => !pairs.iter().any(|pair| negative(pair.1)),
        _ => true,
    })
}

/// [X, Y] = Y_z X − X_z Y.
fn commutator(
    pool: &mut Pool,
    setting: &Setting,
    x: &[ExprId],
    y: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, Lost> {
    let along = |field: &[ExprId]| -> Vec<(ExprId, ExprId)> {
        setting.state.iter().copied().zip(field.iter().copied()).collect()
    };
    let first = directional_derivative(pool, y, &along(x), budget)?;
    let second = directional_derivative(pool, x, &along(y), budget)?;
    Ok(first.into_iter().zip(second).map(|(a, b)| pool.sub(a, b)).collect())
}

/// Are the fields tangent to the constraints, and do the constraints last? The second road: nothing of the elimination
/// is used.
pub(super) fn is_lasting(
    pool: &mut Pool,
    setting: &Setting,
    branch: &Branch,
    rate: &[ExprId],
    budget: &mut Budget,
) -> Result<Zero, Lost> {
    let mut answer = Zero::Yes;
    for constraint in branch.expressions() {
        let mut variables = setting.state.clone();
        variables.push(setting.time);
        let slopes = gradient(pool, constraint, &variables, budget)?;
        let mut terms: Vec<ExprId> =
            slopes.iter().zip(rate).map(|(&slope, &rate)| pool.mul(slope, rate)).collect();
        terms.extend(slopes.last());
        let sum = pool.sum(&terms);
        answer = answer.and(branch.surface.vanishes(pool, sum, budget)?);
    }
    Ok(answer)
}
