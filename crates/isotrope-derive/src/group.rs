//! Systems whose configurations are a Lie group: the equations of Euler and Poincaré.
//!
//! With ξ = g⁻¹g' and μ = L_ξ they are μ' = ad*_ξ μ + ∂_g L + F + Aᵀλ, A ξ + b = 0, where ∂_g L is the
//! left-trivialised derivative ⟨∂_g L, η⟩ = d/dε L(g exp(εη), ξ). L is written with the entries R[i,j] and
//! x[i] of matrices, whose rates R' = R ω^, x' = R v are all that has to be known of the group.

use isotrope_algebra::calculus::{Substitution, directional_derivative, jacobian, substitute};
use isotrope_algebra::linear::{Matrix, nullspace, rank};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Internal, OrInternal, OutOfBudget, Pool};
use isotrope_geometry::group::{Factor, Group};
use isotrope_model::{Coordinate, GroupKind, LieGroup, Model};

use super::first_integrals::group::Motion;
use super::first_integrals::space::Space;
use super::system::multiplier_symbols;
use super::{
    Conservation, Conserved, ConstraintKind, ConstraintRows, DeriveError, DistributionReport,
    Dynamics, Eliminated, Integrals, Law, Mechanics, Symbols, System, Written, first_integrals,
    multipliers, regularity,
};

/// The equations of a system on a group.
#[derive(Debug, Clone)]
pub struct GroupMechanics {
    /// The group as the model has it.
    pub lie: LieGroup,
    /// The group: its factors, then the coordinates of the model.
    pub group: Group,
    /// Symbols of the numbers of a configuration: quaternions or (cos, sin), translations, coordinates.
    pub numbers: Vec<ExprId>,
    /// Their names.
    pub number_names: Vec<String>,
    /// The numbers at the beginning.
    pub initial: Vec<ExprId>,
    /// The entries of rotation matrices as functions of the numbers.
    pub entries: Vec<(ExprId, ExprId)>,
    /// The rates of entries, translations and coordinates along ξ, and of the time.
    pub drift: Vec<(ExprId, ExprId)>,
    /// Momenta, mass matrix, energy; its gradient is ad*_ξ μ + ∂_g L.
    pub dynamics: Dynamics,
    /// ∂_g L alone.
    pub torque: Vec<ExprId>,
    /// The constraints as rows on ξ.
    pub rows: ConstraintRows,
    /// One symbol `lambda_name` for each constraint.
    pub multiplier_symbols: Vec<ExprId>,
    /// ξ', the multipliers and μ' as functions of (g, ξ, t).
    pub eliminated: Eliminated,
    /// The spatial momentum Ad*_{g⁻¹} μ: what acts on it is what breaks the symmetry of space.
    pub spatial: Vec<ExprId>,
    /// The names of its components: `spatial[1]`, `spatial_linear[1]`.
    pub spatial_names: Vec<String>,
}

impl GroupMechanics {
    /// Expressions with entries of matrices written by the numbers of the configuration.
    pub fn in_numbers(
        &self,
        pool: &mut Pool,
        expressions: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let map: Substitution = self.entries.iter().copied().collect();
        substitute(pool, expressions, &map, budget)
    }

    /// The rates of the numbers, g' = g ξ.
    pub fn kinematics(&self, pool: &mut Pool, xi: &[ExprId]) -> Vec<ExprId> {
        self.group.rates(pool, &self.numbers, xi)
    }

    /// The spatial momenta that are proved to be kept.
    pub fn kept_in_space(
        &self,
        system: &System,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Vec<ExprId> {
        let coordinates = beside(&system.model.coordinates, &self.lie);
        let found = conserved(pool, &system.symbols, self, &coordinates, budget).conserved;
        let in_space = found.iter().filter(|kept| {
            kept.name.starts_with("spatial") || self.spatial_names.contains(&kept.name)
        });
        in_space.map(|kept| kept.expression).collect()
    }

    /// Rotations as ranges of numbers of norm 1.
    pub fn rotations(&self) -> Vec<std::ops::Range<usize>> {
        let parts = self.group.parts().into_iter();
        parts
            .filter(|part| part.factor.spins() > 0)
            .map(|part| part.numbers.start..part.numbers.start + part.factor.rotation_numbers())
            .collect()
    }
}

/// The factor that a model names.
fn factor(kind: GroupKind) -> Result<Factor, Internal> {
    Factor::named(kind.name()).or_internal("a group of models has its laws under the same name")
}

/// The coordinates beside the groups.
fn beside(all: &[Coordinate], lie: &LieGroup) -> Vec<(ExprId, String)> {
    let own = all.iter().skip(lie.components);
    own.map(|c| (c.position, c.name.clone())).collect()
}

/// The numbers of configurations, and the entries of matrices made of them.
struct Numbers {
    symbols: Vec<ExprId>,
    names: Vec<String>,
    entries: Vec<(ExprId, ExprId)>,
}

/// Fresh symbols for rotations; translations and coordinates are their own.
fn numbers(
    pool: &mut Pool,
    lie: &LieGroup,
    group: &Group,
    coordinates: &[(ExprId, String)],
) -> Result<Numbers, Internal> {
    let several = lie.factors.len() > 1;
    let (mut symbols, mut names, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    let mut entry = 0;
    for (k, kind) in lie.factors.iter().enumerate() {
        let suffix = if several { (k + 1).to_string() } else { String::new() };
        let mut own = Vec::new();
        for name in kind.numbers() {
            let mut name = format!("{name}{suffix}");
            while pool.find_symbol(&name).is_some() {
                name.push('_');
            }
            own.push(pool.symbol(&name));
            names.push(name);
        }
        let matrix = factor(*kind)?.rotation(pool, &own).concat();
        let count = matrix.len();
        entries.extend(lie.entries[entry..entry + count].iter().copied().zip(matrix));
        entry += count;
        if kind.has_translation() {
            let range = entry..entry + kind.size();
            own.extend_from_slice(&lie.entries[range.clone()]);
            names.extend_from_slice(&lie.entry_names[range]);
            entry += kind.size();
        }
        symbols.extend(own);
    }
    for (symbol, name) in coordinates {
        symbols.push(*symbol);
        names.push(name.clone());
    }
    debug_assert_eq!(symbols.len(), group.numbers());
    Ok(Numbers { symbols, names, entries })
}

/// R μ_ω + x × R μ_v, then R μ_v, with the entries of matrices as symbols.
fn spatial(
    pool: &mut Pool,
    lie: &LieGroup,
    mu: &[ExprId],
    coordinates: &[(ExprId, String)],
) -> (Vec<ExprId>, Vec<String>) {
    let several = lie.factors.len() > 1;
    let (mut values, mut names) = (Vec::new(), Vec::new());
    let (mut entry, mut component) = (0, 0);
    let at = |list: &[ExprId], k: usize| list[k];
    for (k, kind) in lie.factors.iter().enumerate() {
        let suffix = if several { (k + 1).to_string() } else { String::new() };
        let (size, spins) = (kind.size(), kind.spins());
        let matrix: Vec<ExprId> = (0..size * size).map(|j| at(&lie.entries, entry + j)).collect();
        entry += size * size;
        let turn = |pool: &mut Pool, vector: &[ExprId]| -> Vec<ExprId> {
            (0..size)
                .map(|i| {
                    let terms: Vec<ExprId> = (0..size)
                        .map(|j| pool.mul(at(&matrix, i * size + j), at(vector, j)))
                        .collect();
                    pool.sum(&terms)
                })
                .collect()
        };
        let angular: Vec<ExprId> = (0..spins).map(|j| at(mu, component + j)).collect();
        let mut angular = if spins == 3 { turn(pool, &angular) } else { angular };
        component += spins;
        let mut linear = Vec::new();
        if kind.has_translation() {
            let x: Vec<ExprId> = (0..size).map(|j| at(&lie.entries, entry + j)).collect();
            let body: Vec<ExprId> = (0..size).map(|j| at(mu, component + j)).collect();
            linear = turn(pool, &body);
            for (i, total) in angular.iter_mut().enumerate() {
                let (j, l) = if spins == 3 { ((i + 1) % 3, (i + 2) % 3) } else { (0, 1) };
                let plus = pool.mul(at(&x, j), at(&linear, l));
                let minus = pool.mul(at(&x, l), at(&linear, j));
                let arm = pool.sub(plus, minus);
                *total = pool.add(*total, arm);
            }
            entry += size;
            component += size;
        }
        if spins == 1 {
            names.push(format!("spatial{suffix}"));
        } else {
            names.extend((1..=3).map(|i| format!("spatial{suffix}[{i}]")));
        }
        names.extend((1..=linear.len()).map(|i| format!("spatial_linear{suffix}[{i}]")));
        values.extend(angular);
        values.extend(linear);
    }
    for (k, (_, name)) in coordinates.iter().enumerate() {
        values.push(at(mu, component + k));
        names.push(format!("p_{name}"));
    }
    (values, names)
}

/// Rates of entries under motions of space, one list for each component of the spatial momentum: R' = ε^ R,
/// x' = ε × x for rotations, x' = u for translations.
fn motions_of_space(
    pool: &mut Pool,
    lie: &LieGroup,
    coordinates: &[(ExprId, String)],
) -> Vec<Vec<(ExprId, ExprId)>> {
    let mut motions = Vec::new();
    let mut entry = 0;
    for kind in &lie.factors {
        let size = kind.size();
        let count = size * size + if kind.has_translation() { size } else { 0 };
        let own = lie.entries[entry..entry + count].to_vec();
        entry += count;
        let at = |k: usize| own[k];
        for axis in 0..kind.spins() {
            // Rows i and j turn into each other.
            let (i, j) = if size == 2 { (0, 1) } else { ((axis + 1) % 3, (axis + 2) % 3) };
            let mut rates = Vec::new();
            let mut turn = |first: ExprId, second: ExprId| {
                rates.push((first, pool.neg(second)));
                rates.push((second, first));
            };
            for column in 0..size {
                turn(at(i * size + column), at(j * size + column));
            }
            if kind.has_translation() {
                turn(at(size * size + i), at(size * size + j));
            }
            motions.push(rates);
        }
        if kind.has_translation() {
            motions.extend((0..size).map(|k| vec![(at(size * size + k), ExprId::ONE)]));
        }
    }
    motions.extend(coordinates.iter().map(|(symbol, _)| vec![(*symbol, ExprId::ONE)]));
    motions
}

/// Derives the equations of a model on a group; unless they are `solved`, accelerations and multipliers stay linear
/// systems, and nothing is examined or shortened.
pub(super) fn derive(
    mut model: Model,
    lie: &LieGroup,
    symbols: Symbols,
    solved: bool,
    budget: &mut Budget,
) -> Result<Result<System, Vec<DeriveError>>, OutOfBudget> {
    let place = model.system.place();
    let Some(lagrangian) = model.system.lagrangian() else {
        return Ok(Err(vec![DeriveError::DegenerateLagrangian { constraints: 0, place }]));
    };
    let coordinates = beside(&model.coordinates, lie);
    let mut factors: Vec<Factor> =
        lie.factors.iter().map(|&kind| factor(kind)).collect::<Result<_, _>>()?;
    if !coordinates.is_empty() {
        factors.push(Factor::translations(coordinates.len()));
    }
    let group = Group::new(factors);
    let pool = &mut model.pool;
    let Numbers { symbols: numbers, names: number_names, entries } =
        numbers(pool, lie, &group, &coordinates)?;
    // Entries as the group lists them: R and x of each factor, then the coordinates.
    let mut all = lie.entries.clone();
    all.extend(coordinates.iter().map(|(symbol, _)| *symbol));
    let along = |pool: &mut Pool, xi: &[ExprId]| -> Vec<(ExprId, ExprId)> {
        all.iter().copied().zip(group.entry_rates(pool, &all, xi)).collect()
    };
    let n = group.dimension();
    let mut torque = Vec::with_capacity(n);
    for k in 0..n {
        let unit: Vec<ExprId> =
            (0..n).map(|i| if i == k { ExprId::ONE } else { ExprId::ZERO }).collect();
        let rates = along(pool, &unit);
        torque.push(directional_derivative(pool, &[lagrangian], &rates, budget)?[0]);
    }
    let mut drift = along(pool, &symbols.velocity);
    drift.push((symbols.time, ExprId::ONE));
    let mut variables = symbols.velocity.clone();
    variables.push(symbols.time);
    let row = jacobian(pool, &[lagrangian], &variables, budget)?.swap_remove(0);
    let mut momenta = vec![ExprId::ZERO; n + 1];
    for (column, value) in row {
        momenta[column as usize] = value;
    }
    let explicit_time = momenta.split_off(n)[0];
    let mass = jacobian(pool, &momenta, &symbols.velocity, budget)?;
    let transport = directional_derivative(pool, &momenta, &drift, budget)?;
    let gyroscopic = group.bracket_dual(pool, &symbols.velocity, &momenta);
    let forces = model.forces.clone();
    let gradient: Vec<ExprId> =
        gyroscopic.iter().zip(&torque).map(|(&g, &t)| pool.add(g, t)).collect();
    let impressed = (0..n)
        .map(|i| {
            let minus = pool.neg(transport[i]);
            pool.sum(&[gradient[i], forces[i], minus])
        })
        .collect();
    let mut energy: Vec<ExprId> =
        (0..n).map(|i| pool.mul(momenta[i], symbols.velocity[i])).collect();
    energy.push(pool.neg(lagrangian));
    let energy = pool.sum(&energy);
    let mut dynamics = Dynamics {
        lagrangian,
        gradient,
        momenta,
        mass,
        energy,
        working: forces.clone(),
        forces,
        impressed,
        explicit_time,
    };
    let mut rows = match ConstraintRows::new(pool, &symbols, &model.constraints, budget)? {
        Ok(rows) => rows,
        Err(errors) => return Ok(Err(errors)),
    };
    rows.curvature = directional_derivative(pool, &rows.velocity_level, &drift, budget)?;
    if solved {
        let errors = regularity::check(pool, &symbols, &dynamics, &rows, place, budget)?;
        if !errors.is_empty() {
            return Ok(Err(errors));
        }
        dynamics.tidy(pool, &symbols, budget)?;
    }
    let multiplier_symbols = multiplier_symbols(pool, &rows.names);
    let eliminate = if solved { multipliers::eliminate } else { multipliers::unsolved };
    let eliminated = eliminate(pool, &dynamics, &rows);
    let (spatial, spatial_names) = spatial(pool, lie, &dynamics.momenta, &coordinates);
    let mut initial = lie.initial.clone();
    initial.extend(model.initial.position.iter().skip(lie.components));
    let mechanics = Mechanics::Group(Box::new(GroupMechanics {
        lie: lie.clone(),
        group,
        numbers,
        number_names,
        initial,
        entries,
        drift,
        dynamics,
        torque,
        rows,
        multiplier_symbols,
        eliminated,
        spatial,
        spatial_names,
    }));
    Ok(Ok(System { model, symbols, mechanics, magnetic: None }))
}

/// Which constraints integrate? With fields X = Σ xᵃ e_a and Y in the left-invariant frame the bracket is
/// X(y) − Y(x) + [x, y]. Brackets of admissible fields are added until no new direction comes out; a constraint
/// integrates exactly if all of these satisfy it.
fn integrability(
    pool: &mut Pool,
    mechanics: &GroupMechanics,
    budget: &mut Budget,
) -> Vec<Option<bool>> {
    let mut answers = vec![Some(true); mechanics.rows.len()];
    if close(pool, mechanics, &mut answers, budget).is_none() {
        // What did not come to an end proves nothing but failures.
        answers
            .iter_mut()
            .filter(|answer| **answer == Some(true))
            .for_each(|answer| *answer = None);
    }
    answers
}

/// Closes the admissible fields under brackets and holds each against the constraints.
fn close(
    pool: &mut Pool,
    mechanics: &GroupMechanics,
    answers: &mut [Option<bool>],
    budget: &mut Budget,
) -> Option<()> {
    let n = mechanics.group.dimension();
    let rows: Vec<Vec<ExprId>> =
        (0..mechanics.rows.len()).map(|a| mechanics.rows.dense_row(a, n)).collect();
    let mut fields = nullspace(pool, &Matrix::from_rows(n, &rows), budget).ok()?.basis;
    let entries: Vec<ExprId> = mechanics.drift.iter().map(|rate| rate.0).collect();
    let entries = entries.split_last().map_or(&[][..], |(_, entries)| entries);
    let along = |pool: &mut Pool, x: &[ExprId], y: &[ExprId], budget: &mut Budget| {
        let rates = mechanics.group.entry_rates(pool, entries, x);
        let rates: Vec<(ExprId, ExprId)> = entries.iter().copied().zip(rates).collect();
        directional_derivative(pool, y, &rates, budget).ok()
    };
    let map = rational_rotations(pool, mechanics);
    // On the group, as functions of free numbers.
    let mut shown = Vec::with_capacity(n);
    for field in &fields {
        shown.push(substitute(pool, field, &map, budget).ok()?);
    }
    let mut i = 0;
    while i < fields.len() {
        for j in 0..i {
            let (x, y) = (fields[i].clone(), fields[j].clone());
            let (there, back) = (along(pool, &x, &y, budget)?, along(pool, &y, &x, budget)?);
            let inner = mechanics.group.bracket(pool, &x, &y);
            let bracket: Vec<ExprId> = (0..n)
                .map(|a| {
                    let minus = pool.neg(back[a]);
                    pool.sum(&[there[a], minus, inner[a]])
                })
                .collect();
            let mut admissible = true;
            for (row, answer) in rows.iter().zip(answers.iter_mut()) {
                let terms: Vec<ExprId> =
                    row.iter().zip(&bracket).map(|(&a, &b)| pool.mul(a, b)).collect();
                let value = pool.sum(&terms);
                let value = substitute(pool, &[value], &map, budget).ok()?[0];
                let zero = is_zero(pool, value, &mut Budget::new(PROOF));
                admissible &= zero == Zero::Yes;
                match zero {
                    Zero::Yes => {}
                    Zero::No => *answer = Some(false),
                    Zero::Unknown { .. } => *answer = answer.filter(|integrates| !integrates),
                }
            }
            if admissible || answers.iter().all(|answer| *answer == Some(false)) {
                continue;
            }
            let there = substitute(pool, &bracket, &map, budget).ok()?;
            shown.push(there);
            let found = rank(pool, &Matrix::from_rows(n, &shown), budget).ok()?.rank;
            if found == shown.len() {
                fields.push(bracket);
            } else {
                shown.pop();
            }
        }
        i += 1;
    }
    Some(())
}

/// Entries of matrices as rational functions of free numbers, so that zero and not zero are decided on the
/// group: quaternions divided by the square of their norm; of the plane (1 − u², 2u)/(1 + u²).
fn rational_rotations(pool: &mut Pool, mechanics: &GroupMechanics) -> Substitution {
    let mut map = Substitution::default();
    let mut entries = mechanics.entries.iter();
    for part in mechanics.group.parts().into_iter().filter(|part| part.factor.spins() > 0) {
        let own = mechanics.numbers[part.numbers][..part.factor.rotation_numbers()].to_vec();
        let (numbers, scale) = match own[..] {
            [_, u] => {
                let square = pool.powi(u, 2);
                let twice = pool.add(u, u);
                (vec![pool.sub(ExprId::ONE, square), twice], pool.add(ExprId::ONE, square))
            }
            _ => {
                let squares: Vec<ExprId> = own.iter().map(|&e| pool.powi(e, 2)).collect();
                (own, pool.sum(&squares))
            }
        };
        let matrix = part.factor.rotation(pool, &numbers).concat();
        for (value, entry) in matrix.into_iter().zip(entries.by_ref()) {
            map.insert(entry.0, pool.div(value, scale));
        }
    }
    map
}

/// Operations for one proof that a rate vanishes.
const PROOF: u64 = 2_000_000;

/// Kinds of constraints on velocities in the body, and whether they integrate.
pub(super) fn classify(
    mechanics: &GroupMechanics,
    model: &mut Model,
    symbols: &Symbols,
    budget: &mut Budget,
) -> DistributionReport {
    let mut report = DistributionReport::free(symbols.dimension());
    report.rank -= mechanics.rows.len();
    let linear = mechanics.rows.written.iter().all(|written| *written == Written::Linear);
    let own = match linear {
        true => integrability(&mut model.pool, mechanics, budget),
        false => vec![None; mechanics.rows.len()],
    };
    report.integrable = match &own[..] {
        answers if answers.contains(&Some(false)) => Some(false),
        answers if answers.contains(&None) => None,
        _ => Some(true),
    };
    let pairs = mechanics.rows.written.iter().zip(own);
    report.kinds = pairs
        .map(|(written, own)| match (written, own) {
            (Written::Chetaev, _) => (ConstraintKind::Chetaev, None),
            (Written::Affine, _) => (ConstraintKind::Affine, None),
            (_, Some(true)) => (ConstraintKind::PfaffianIntegrable, own),
            _ => (ConstraintKind::Nonholonomic, own),
        })
        .collect();
    report
}

/// Energy and momenta on a group.
pub(super) fn conserve(
    mechanics: &GroupMechanics,
    model: &mut Model,
    symbols: &Symbols,
    asked: Integrals,
    budget: &mut Budget,
) -> Conservation {
    let coordinates = beside(&model.coordinates, &mechanics.lie);
    let pool = &mut model.pool;
    let mut found = conserved(pool, symbols, mechanics, &coordinates, budget);
    let space = space(pool, mechanics, symbols);
    let motions = motions(pool, mechanics, &coordinates);
    let (of, among) = ((mechanics, symbols), (&space, motions.as_slice()));
    let more = first_integrals::group::on_group(pool, of, among, &found.conserved, asked, budget);
    found.conserved.extend(more.conserved);
    found.searched.extend(more.searched);
    found
}

/// What runs watch: energy and momenta.
pub(super) fn watched(
    mechanics: &GroupMechanics,
    model: &mut Model,
    symbols: &Symbols,
    budget: &mut Budget,
) -> Conservation {
    let coordinates = beside(&model.coordinates, &mechanics.lie);
    conserved(&mut model.pool, symbols, mechanics, &coordinates, budget)
}

/// Entries of rotations, translations and coordinates, with velocities in the body.
fn space(pool: &mut Pool, mechanics: &GroupMechanics, symbols: &Symbols) -> Space {
    let entries = mechanics.drift.iter().map(|rate| rate.0).filter(|id| *id != symbols.time);
    let rational = rational_rotations(pool, mechanics);
    let turned = mechanics
        .entries
        .iter()
        .filter_map(|(entry, _)| rational.get(entry).map(|&value| (*entry, value)));
    let mut relations = mechanics.rows.velocity_level.clone();
    let mut first = 0;
    for kind in &mechanics.lie.factors {
        let size = kind.size();
        let entry = |i: usize, j: usize| mechanics.lie.entries[first + i * size + j];
        // Columns are orthonormal.
        for a in 0..size {
            for b in a..size {
                let mut terms: Vec<ExprId> =
                    (0..size).map(|i| pool.mul(entry(i, a), entry(i, b))).collect();
                terms.push(pool.integer(-i64::from(a == b)));
                relations.push(pool.sum(&terms));
            }
        }
        first += size * size + if kind.has_translation() { size } else { 0 };
    }
    Space {
        base: entries.collect(),
        fibre: symbols.velocity.clone(),
        time: symbols.time,
        rows: mechanics.rows.matrix.clone(),
        offset: mechanics.rows.offset.clone(),
        turned: turned.collect(),
        relations,
    }
}

/// Motions of space, of the body and of coordinates (affine ones), each with its momentum, and translations of time with
/// the energy.
fn motions(
    pool: &mut Pool,
    mechanics: &GroupMechanics,
    coordinates: &[(ExprId, String)],
) -> Vec<Motion> {
    let (lie, n) = (&mechanics.lie, mechanics.dynamics.momenta.len());
    let unit = |k: usize| -> Vec<ExprId> {
        (0..n).map(|i| if i == k { ExprId::ONE } else { ExprId::ZERO }).collect()
    };
    let turned = mechanics.spatial.len() - coordinates.len();
    let mut fields = vec![Vec::with_capacity(n); turned];
    for k in 0..n {
        let (column, _) = spatial(pool, lie, &unit(k), coordinates);
        fields.iter_mut().zip(column).for_each(|(field, value)| field.push(value));
    }
    let mut list = vec![Motion { quantity: mechanics.dynamics.energy, field: None }];
    for k in lie.components..n {
        for &(factor, _) in coordinates {
            let field = unit(k).iter().map(|&one| pool.mul(one, factor)).collect();
            let quantity = pool.mul(mechanics.dynamics.momenta[k], factor);
            list.push(Motion { quantity, field: Some(field) });
        }
    }
    for (k, &momentum) in mechanics.dynamics.momenta.iter().enumerate() {
        list.push(Motion { quantity: momentum, field: Some(unit(k)) });
    }
    let in_space = fields.into_iter().zip(&mechanics.spatial);
    list.extend(in_space.map(|(field, &quantity)| Motion { quantity, field: Some(field) }));
    list.retain(|motion| !motion.quantity.is_zero());
    list
}

fn conserved(
    pool: &mut Pool,
    symbols: &Symbols,
    mechanics: &GroupMechanics,
    coordinates: &[(ExprId, String)],
    budget: &mut Budget,
) -> Conservation {
    let lie = &mechanics.lie;
    let mut found = Conservation::default();
    let dynamics = &mechanics.dynamics;
    let rows = &mechanics.rows;
    // E' = F·ξ − L_t + λ·A ξ.
    let mut terms: Vec<ExprId> =
        dynamics.forces.iter().zip(&symbols.velocity).map(|(&f, &v)| pool.mul(f, v)).collect();
    terms.push(pool.neg(dynamics.explicit_time));
    for (a, &lambda) in mechanics.eliminated.multipliers.iter().enumerate() {
        if rows.written[a] != Written::Linear {
            let product = pool.mul(lambda, rows.offset[a]);
            terms.push(pool.neg(product));
        }
    }
    let power = pool.sum(&terms);
    match is_zero(pool, power, &mut Budget::new(PROOF)) {
        Zero::Yes => found.conserved.push(Conserved {
            strict: false,
            law: Law::Noether,
            generator: None,
            name: "energy".to_owned(),
            expression: dynamics.energy,
            why: "L does not depend on time and no force does work".to_owned(),
            proof: Zero::Yes,
        }),
        _ => found.energy_rate = Some(power),
    }
    // What acts in space: F + Aᵀλ, and the change of L under motions of space.
    let reactions = multipliers::reactions(
        pool,
        symbols.dimension(),
        &rows.matrix,
        &mechanics.eliminated.multipliers,
    );
    let acting: Vec<ExprId> =
        (0..symbols.dimension()).map(|i| pool.add(dynamics.forces[i], reactions[i])).collect();
    let (acting, _) = spatial(pool, lie, &acting, coordinates);
    let motions = motions_of_space(pool, lie, coordinates);
    let rates: Vec<ExprId> = motions
        .iter()
        .zip(acting)
        .map(|(motion, force)| {
            let change = directional_derivative(pool, &[dynamics.lagrangian], motion, budget);
            let change = change.ok().and_then(|list| list.first().copied());
            change.map_or(ExprId::UNDEFINED, |change| pool.add(change, force))
        })
        .collect();
    let mut vanishing = |pool: &mut Pool, rate: ExprId| -> bool {
        // Often the entries need not be those of a rotation.
        if is_zero(pool, rate, &mut Budget::new(PROOF)) == Zero::Yes {
            return true;
        }
        let Ok(rate) = mechanics.in_numbers(pool, &[rate], budget) else { return false };
        is_zero(pool, rate[0], &mut Budget::new(PROOF)) == Zero::Yes
    };
    let mut kept = vec![false; rates.len()];
    for (k, &rate) in rates.iter().enumerate() {
        kept[k] = vanishing(pool, rate);
        if kept[k] {
            let name = mechanics.spatial_names[k].clone();
            let why = match name.split(['[', '_']).next() {
                Some("spatial") if name.contains("linear") => {
                    "L is invariant under translations of space"
                }
                Some("p") => "L does not depend on this coordinate",
                _ => "L is invariant under rotations of space about this axis",
            };
            let expression = simplify(pool, mechanics.spatial[k], &mut Budget::new(100_000));
            let why = why.to_owned();
            found.conserved.push(Conserved {
                name,
                expression,
                why,
                proof: Zero::Yes,
                strict: false,
                law: Law::Noether,
                generator: None,
            });
        }
    }
    // Bodies that act on each other: space keeps the sum of their momenta.
    let (bodies, first) = (lie.factors.len(), lie.factors.first());
    if let Some(kind) = first.filter(|kind| bodies > 1 && lie.factors.iter().all(|k| k == *kind)) {
        let width = kind.spins() + if kind.has_translation() { kind.size() } else { 0 };
        for j in 0..width {
            let own = (0..bodies).map(|k| k * width + j);
            if own.clone().all(|k| kept.get(k) == Some(&true)) {
                continue;
            }
            let total = |list: &[ExprId]| -> Vec<ExprId> {
                own.clone().filter_map(|k| list.get(k).copied()).collect()
            };
            let (rate, sum) = (total(&rates), total(&mechanics.spatial));
            let (rate, expression) = (pool.sum(&rate), pool.sum(&sum));
            if vanishing(pool, rate) {
                let name = mechanics.spatial_names[j].replacen('1', "", 1);
                let why =
                    "L is invariant under motions of space that take all bodies along".to_owned();
                found.conserved.push(Conserved {
                    name,
                    expression,
                    why,
                    proof: Zero::Yes,
                    strict: false,
                    law: Law::Noether,
                    generator: None,
                });
            }
        }
    }
    for k in 0..lie.components {
        let rate = mechanics.eliminated.momentum_rate[k];
        if vanishing(pool, rate) {
            let name = format!("p_{}", symbols.names[k]);
            let expression = dynamics.momenta[k];
            let known = found.conserved.iter().any(|other| other.expression == expression);
            let why = "neither the motion nor the potential changes this momentum of the body";
            if !known {
                let why = why.to_owned();
                found.conserved.push(Conserved {
                    name,
                    expression,
                    why,
                    proof: Zero::Yes,
                    strict: false,
                    law: Law::Noether,
                    generator: None,
                });
            }
        }
    }
    found
}
