//! Systems whose configurations are a Lie group: the equations of Euler and Poincaré.
//!
//! With ξ = g⁻¹g' and μ = L_ξ they are μ' = ad*_ξ μ + ∂_g L + F + Aᵀλ, A ξ + b = 0, where ∂_g L is the
//! left-trivialised derivative ⟨∂_g L, η⟩ = d/dε L(g exp(εη), ξ). L is written with the entries R[i,j] and
//! x[i] of matrices, whose rates R' = R ω^, x' = R v are all that has to be known of the group.

use isotrope_algebra::calculus::{
    Substitution, directional_derivative, jacobian, substitute,
};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_geometry::group::{Factor, Group};
use isotrope_model::{GroupKind, LieGroup, Model, SystemKind};

use super::system::multiplier_symbols;
use super::{
    Analysis, Conservation, Conserved, ConstraintKind, ConstraintRows, DeriveError,
    DistributionReport, Dynamics, Eliminated, Mechanics, Symbols, System, Written, multipliers,
    regularity,
};

/// The equations of a system on a group.
#[derive(Debug, Clone)]
pub struct GroupMechanics {
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

    /// Rotations as ranges of numbers of norm 1.
    pub fn rotations(&self) -> Vec<std::ops::Range<usize>> {
        let parts = self.group.parts().into_iter();
        parts
            .filter(|part| part.factor.spins() > 0)
            .map(|part| part.numbers.start..part.numbers.start + part.factor.rotation_numbers())
            .collect()
    }
}

fn factor(kind: GroupKind) -> Factor {
    match kind {
        GroupKind::PlaneRotations => Factor::PlaneRotations,
        GroupKind::Rotations => Factor::Rotations,
        GroupKind::PlaneMotions => Factor::PlaneMotions,
        GroupKind::Motions => Factor::Motions,
    }
}

/// The numbers of configurations, and the entries of matrices made of them.
struct Numbers {
    symbols: Vec<ExprId>,
    names: Vec<String>,
    entries: Vec<(ExprId, ExprId)>,
}

/// Fresh symbols for rotations; translations and coordinates are their own.
fn numbers(pool: &mut Pool, lie: &LieGroup, group: &Group, coordinates: &[(ExprId, String)]) -> Numbers {
    let several = lie.factors.len() > 1;
    let (mut symbols, mut names, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    let mut entry = 0;
    for (k, kind) in lie.factors.iter().enumerate() {
        let suffix = if several { (k + 1).to_string() } else { String::new() };
        let base: &[&str] = if kind.size() == 2 { &["cos", "sin"] } else { &["e0", "e1", "e2", "e3"] };
        let mut own = Vec::new();
        for name in base {
            let mut name =
                if kind.size() == 2 { format!("{name}_R{suffix}") } else { format!("{name}{suffix}") };
            while pool.find_symbol(&name).is_some() {
                name.push('_');
            }
            own.push(pool.symbol(&name));
            names.push(name);
        }
        let matrix = factor(*kind).rotation(pool, &own).concat();
        let count = matrix.len();
        let known = lie.entries.get(entry..entry + count).unwrap_or_default();
        entries.extend(known.iter().copied().zip(matrix));
        entry += count;
        if kind.has_translation() {
            let range = entry..entry + kind.size();
            own.extend_from_slice(lie.entries.get(range.clone()).unwrap_or_default());
            names.extend_from_slice(lie.entry_names.get(range).unwrap_or_default());
            entry += kind.size();
        }
        symbols.extend(own);
    }
    for (symbol, name) in coordinates {
        symbols.push(*symbol);
        names.push(name.clone());
    }
    debug_assert_eq!(symbols.len(), group.numbers());
    Numbers { symbols, names, entries }
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
    let at = |list: &[ExprId], k: usize| list.get(k).copied().unwrap_or(ExprId::ZERO);
    for (k, kind) in lie.factors.iter().enumerate() {
        let suffix = if several { (k + 1).to_string() } else { String::new() };
        let (size, spins) = (kind.size(), kind.spins());
        let matrix: Vec<ExprId> = (0..size * size).map(|j| at(&lie.entries, entry + j)).collect();
        entry += size * size;
        let turn = |pool: &mut Pool, vector: &[ExprId]| -> Vec<ExprId> {
            (0..size)
                .map(|i| {
                    let terms: Vec<ExprId> =
                        (0..size).map(|j| pool.mul(at(&matrix, i * size + j), at(vector, j))).collect();
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

/// Derives the equations of a model on a group.
pub(super) fn derive(
    mut model: Model,
    lie: &LieGroup,
    symbols: Symbols,
    budget: &mut Budget,
) -> Result<Result<System, Vec<DeriveError>>, OutOfBudget> {
    let place = model.system.place();
    let SystemKind::Lagrangian { lagrangian, .. } = model.system else {
        return Ok(Err(vec![DeriveError::DegenerateLagrangian { place }]));
    };
    let coordinates: Vec<(ExprId, String)> = model
        .coordinates
        .iter()
        .skip(lie.components)
        .map(|c| (c.position, c.name.clone()))
        .collect();
    let mut factors: Vec<Factor> = lie.factors.iter().map(|&kind| factor(kind)).collect();
    if !coordinates.is_empty() {
        factors.push(Factor::Translations(coordinates.len()));
    }
    let group = Group::new(factors);
    let pool = &mut model.pool;
    let Numbers { symbols: numbers, names: number_names, entries } =
        numbers(pool, lie, &group, &coordinates);
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
    let explicit_time = momenta.pop().unwrap_or(ExprId::ZERO);
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
        forces,
        impressed,
        explicit_time,
    };
    let mut rows = match ConstraintRows::new(pool, &symbols, &model.constraints, budget)? {
        Ok(rows) => rows,
        Err(errors) => return Ok(Err(errors)),
    };
    rows.curvature = directional_derivative(pool, &rows.velocity_level, &drift, budget)?;
    let errors = regularity::check(pool, &symbols, &dynamics, &rows, place, budget)?;
    if !errors.is_empty() {
        return Ok(Err(errors));
    }
    dynamics.tidy(pool, &symbols, budget)?;
    let multiplier_symbols = multiplier_symbols(pool, &rows.names);
    let eliminated = multipliers::eliminate(pool, &dynamics, &rows);
    let (spatial, spatial_names) = spatial(pool, lie, &dynamics.momenta, &coordinates);
    let mut initial = lie.initial.clone();
    initial.extend(model.initial.position.iter().skip(lie.components));
    let mechanics = Mechanics::Group(Box::new(GroupMechanics {
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
    Ok(Ok(System { model, symbols, mechanics }))
}

/// Operations for one proof that a rate vanishes.
const PROOF: u64 = 2_000_000;

/// Energy, spatial momenta, and body momenta that nothing changes.
pub(super) fn analyse(system: &mut System, budget: &mut Budget) -> Analysis {
    let symbols = &system.symbols;
    let pool = &mut system.model.pool;
    let mut conservation = Conservation::default();
    let (mut rank, mut kinds) = (symbols.dimension(), Vec::new());
    if let (Mechanics::Group(mechanics), Some(lie)) = (&system.mechanics, &system.model.group) {
        rank -= mechanics.rows.len();
        kinds = mechanics
            .rows
            .written
            .iter()
            .map(|written| match written {
                Written::Chetaev => (ConstraintKind::Chetaev, None),
                Written::Affine => (ConstraintKind::Affine, None),
                _ => (ConstraintKind::Nonholonomic, None),
            })
            .collect();
        let coordinates: Vec<(ExprId, String)> = system
            .model
            .coordinates
            .iter()
            .skip(lie.components)
            .map(|c| (c.position, c.name.clone()))
            .collect();
        conservation = conserved(pool, symbols, mechanics, lie, &coordinates, budget);
    }
    Analysis {
        distribution: DistributionReport {
            rank,
            integrable: kinds.is_empty().then_some(true),
            distribution: None,
            obstruction: None,
            flag: None,
            extended: false,
            kinds,
        },
        dirac: None,
        conservation,
        reduction: None,
    }
}

fn conserved(
    pool: &mut Pool,
    symbols: &Symbols,
    mechanics: &GroupMechanics,
    lie: &LieGroup,
    coordinates: &[(ExprId, String)],
    budget: &mut Budget,
) -> Conservation {
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
            name: "energy".to_owned(),
            expression: dynamics.energy,
            why: "L does not depend on time and no force does work".to_owned(),
            proof: Zero::Yes,
        }),
        _ => found.energy_rate = Some(power),
    }
    // What acts: ∂_g L + F + Aᵀλ, in space and on the body.
    let reactions = multipliers::reactions(
        pool,
        symbols.dimension(),
        &rows.matrix,
        &mechanics.eliminated.multipliers,
    );
    let acting: Vec<ExprId> = (0..symbols.dimension())
        .map(|i| pool.sum(&[mechanics.torque[i], dynamics.forces[i], reactions[i]]))
        .collect();
    let (rates, _) = spatial(pool, lie, &acting, coordinates);
    let mut vanishing = |pool: &mut Pool, rate: ExprId| -> bool {
        let Ok(rate) = mechanics.in_numbers(pool, &[rate], budget) else { return false };
        is_zero(pool, rate[0], &mut Budget::new(PROOF)) == Zero::Yes
    };
    for (k, rate) in rates.into_iter().enumerate() {
        if vanishing(pool, rate) {
            let name = mechanics.spatial_names[k].clone();
            let why = match name.split(['[', '_']).next() {
                Some("spatial") if name.contains("linear") => "L is invariant under translations of space",
                Some("p") => "L does not depend on this coordinate",
                _ => "L is invariant under rotations of space about this axis",
            };
            let expression = simplify(pool, mechanics.spatial[k], &mut Budget::new(100_000));
            let why = why.to_owned();
            found.conserved.push(Conserved { name, expression, why, proof: Zero::Yes });
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
                found.conserved.push(Conserved { name, expression, why, proof: Zero::Yes });
            }
        }
    }
    found
}
