//! Systems in state space: x' = f(x, t) from a bracket, from equations or from ports.
//!
//! With a Hamiltonian, x' = (J − R) ∇H + g u, where J is skew and R symmetric; a bracket is the case
//! J = D, R = 0, g = 0. The energy then changes by what ports take and give,
//!
//! H' = −∇Hᵀ R ∇H + yᵀ u + H_t,   y = gᵀ ∇H.
//!
//! With a matrix E the efforts z with Eᵀ z = ∇H take the place of ∇H (`descriptor`).

use isotrope_algebra::calculus::{
    Substitution, derivative, directional_derivative, gradient, substitute,
};
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_geometry::DiracStructure;
use isotrope_model::{Model, StateKind, StateModel, SystemTable};

use super::{
    Conservation, Conserved, ConstraintChain, ConstraintRows, DeriveError, Descriptor, Dynamics,
    Eliminated, Integrals, Law, Symbols, descriptor, singular,
};

/// A system of first order in state space.
#[derive(Debug, Clone)]
pub struct StateSpace {
    /// The table it comes from.
    pub table: &'static SystemTable,
    /// The form of its equations.
    pub kind: StateKind,
    /// `f(x, t)`, with the inputs put in.
    pub rate: Vec<ExprId>,
    /// `f(x, u, t)`, with the inputs as symbols.
    pub rate_of_inputs: Vec<ExprId>,
    /// H(x, t).
    pub energy: Option<ExprId>,
    /// `H' ` along the motion, with the inputs put in; zero without H.
    pub power: ExprId,
    /// The matrices of a Hamiltonian form.
    pub structure: Option<Structure>,
    /// E x' in the place of x', with constraints.
    pub descriptor: Option<Descriptor>,
    /// The singular Lagrangian that it comes from, with its constraints.
    pub chain: Option<Box<ConstraintChain>>,
    /// The inputs.
    pub inputs: Vec<InputSignal>,
    /// The outputs of the file, with the inputs as symbols.
    pub outputs: Vec<(String, ExprId)>,
    /// What schemes and monitors ask of a Lagrangian: no momenta, no masses, the energy H, and −L_t is
    /// the power.
    pub dynamics: Dynamics,
    /// No constraints.
    pub rows: ConstraintRows,
    /// What follows by differentiating: x'' = f_x x' + f_t.
    pub eliminated: Eliminated,
}

/// x' = (J − R) ∇H + g u.
#[derive(Debug, Clone)]
pub struct Structure {
    /// ∇H.
    pub gradient: Vec<ExprId>,
    /// What J, R and g act on: ∇H, or z.
    pub effort: Vec<ExprId>,
    /// J, or the bracket D.
    pub skew: Vec<Vec<ExprId>>,
    /// R, if it is not zero.
    pub symmetric: Option<Vec<Vec<ExprId>>>,
    /// The columns of g, one for each input.
    pub columns: Vec<Vec<ExprId>>,
    /// y = gᵀ ∇H, or gᵀ z, one for each input.
    pub outputs: Vec<ExprId>,
    /// ∇Hᵀ R ∇H, or zᵀ R z.
    pub dissipated: ExprId,
    /// yᵀ u, with the inputs as symbols.
    pub supplied: ExprId,
    /// Is H' = −∇Hᵀ R ∇H + yᵀ u + H_t along f, where constraints hold? Computed by differentiating H.
    pub balance: Zero,
    /// Does J satisfy the Jacobi identity? Not asked with a matrix E.
    pub jacobi: Zero,
    /// The first component of the Jacobiator that is not proved to vanish: its coordinates and value.
    pub jacobi_component: Option<([usize; 3], ExprId)>,
}

/// An input and its function of time; that of a port may feed the state back.
#[derive(Debug, Clone)]
pub struct InputSignal {
    /// Its name.
    pub name: String,
    /// Its symbol.
    pub symbol: ExprId,
    /// u(t), or u(x, t).
    pub value: ExprId,
}

impl StateSpace {
    /// The graph of J as an almost Dirac structure on the state space; none with a matrix E.
    #[must_use]
    pub fn dirac(&self, symbols: &Symbols) -> Option<DiracStructure> {
        let structure = self.structure.as_ref().filter(|_| self.descriptor.is_none())?;
        Some(DiracStructure::graph_of_bivector(&symbols.position, &matrix(&structure.skew)))
    }

    /// The bracket that the motion keeps: J, where there is neither R nor a port.
    #[must_use]
    pub fn bracket(&self) -> Option<&[Vec<ExprId>]> {
        let structure = self.structure.as_ref().filter(|_| self.descriptor.is_none())?;
        let free = structure.symmetric.is_none() && structure.columns.is_empty();
        (free && structure.jacobi != Zero::No).then_some(structure.skew.as_slice())
    }
}

/// What shortening one expression may cost, in systems small enough to be read.
const SHORT: u64 = 100_000;
const READABLE: usize = 12;
/// For what is reported elsewhere, or not at all.
const NOT_ASKED: Zero = Zero::Unknown { points: 0 };
/// What proofs along the motion may cost.
const PROOF: u64 = 3_000_000;
/// Casimir functions are searched up to this degree.
const CASIMIR_DEGREE: u32 = 4;
const CASIMIR_BUDGET: u64 = 20_000_000;
const JACOBI_BUDGET: u64 = 50_000_000;

fn matrix(rows: &[Vec<ExprId>]) -> Matrix {
    let n = rows.len();
    let mut matrix = Matrix::zero(n, n);
    for (i, row) in rows.iter().enumerate() {
        for (j, &value) in row.iter().enumerate() {
            matrix.set(i, j, value);
        }
    }
    matrix
}

/// f, H and the structure of a model.
pub(super) fn derive(
    model: &mut Model,
    state: &StateModel,
    symbols: &Symbols,
    budget: &mut Budget,
) -> Result<Result<StateSpace, Vec<DeriveError>>, OutOfBudget> {
    let n = symbols.dimension();
    let pool = &mut model.pool;
    let inputs: Vec<InputSignal> = state
        .inputs
        .iter()
        .map(|input| InputSignal {
            name: input.name.clone(),
            symbol: input.symbol,
            value: input.value,
        })
        .collect();
    let mut driven: Substitution = inputs.iter().map(|input| (input.symbol, input.value)).collect();
    let (mut rate_of_inputs, mut structure) = match state.hamiltonian {
        Some(hamiltonian) => {
            match hamiltonian_form(pool, state, symbols, hamiltonian, &inputs, budget)? {
                Ok((rate, structure)) => (rate, Some(structure)),
                Err(error) => return Ok(Err(vec![error])),
            }
        }
        None => (state.rates.clone(), None),
    };
    let mut descriptor = None;
    if let (Some(given), Some(structure)) = (&state.descriptor, &mut structure) {
        let lost = pool.neg(structure.dissipated);
        let start = descriptor::Start {
            state,
            given,
            inputs: &inputs,
            effort: structure.effort.clone(),
            right: rate_of_inputs,
            slopes: &structure.gradient,
            exchanged: pool.add(lost, structure.supplied),
        };
        let found = match descriptor::underlying(model, symbols, start, budget)? {
            Ok(found) => found,
            Err(errors) => return Ok(Err(errors)),
        };
        rate_of_inputs = found.rate;
        structure.balance = found.balance;
        driven.extend(found.descriptor.signals.iter().map(|rate| (rate.symbol, rate.value)));
        descriptor = Some(found.descriptor);
    }
    let pool = &mut model.pool;
    if let (StateKind::Poisson, Some(structure)) = (state.kind, &structure)
        && let (Zero::No, Some((at, value))) = (structure.jacobi, structure.jacobi_component)
    {
        let value = isotrope_algebra::print::to_text(pool, value, &mut Budget::new(SHORT));
        return Ok(Err(vec![DeriveError::NotPoisson {
            component: at.map(|i| symbols.names[i].clone()),
            value: value.unwrap_or_else(|_| "…".to_owned()),
            place: state.place,
        }]));
    }
    let rate = substitute(pool, &rate_of_inputs, &driven, budget)?;
    let power = match (&structure, state.hamiltonian) {
        (Some(structure), Some(hamiltonian)) => {
            let explicit = derivative(pool, hamiltonian, symbols.time, budget)?;
            let lost = pool.neg(structure.dissipated);
            let sum = pool.sum(&[lost, structure.supplied, explicit]);
            substitute(pool, &[sum], &driven, budget)?[0]
        }
        _ => ExprId::ZERO,
    };
    let acceleration = directional_derivative(pool, &rate, &symbols.drift(), budget)?;
    let zeros = vec![ExprId::ZERO; n];
    let dynamics = Dynamics {
        lagrangian: ExprId::ZERO,
        gradient: zeros.clone(),
        momenta: zeros.clone(),
        mass: vec![Vec::new(); n],
        energy: state.hamiltonian.unwrap_or(ExprId::ZERO),
        forces: zeros.clone(),
        working: zeros.clone(),
        impressed: zeros.clone(),
        explicit_time: pool.neg(power),
    };
    let rows = match ConstraintRows::new(pool, symbols, &[], budget)? {
        Ok(rows) => rows,
        Err(errors) => return Ok(Err(errors)),
    };
    let eliminated = Eliminated {
        acceleration,
        multipliers: Vec::new(),
        all_multipliers: Vec::new(),
        momentum_rate: zeros,
        explicit: true,
        conditions: Vec::new(),
    };
    Ok(Ok(StateSpace {
        table: model.table,
        kind: state.kind,
        rate,
        rate_of_inputs,
        energy: state.hamiltonian,
        power,
        structure,
        descriptor,
        chain: None,
        inputs,
        outputs: state.outputs.iter().map(|o| (o.name.clone(), o.value)).collect(),
        dynamics,
        rows,
        eliminated,
    }))
}

/// Σ_j entry_ij x_j.
fn applied(pool: &mut Pool, rows: &[Vec<ExprId>], x: &[ExprId]) -> Vec<ExprId> {
    rows.iter()
        .map(|row| {
            let terms: Vec<ExprId> = row.iter().zip(x).map(|(&a, &b)| pool.mul(a, b)).collect();
            pool.sum(&terms)
        })
        .collect()
}

/// Σ a_i b_i.
fn paired(pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> ExprId {
    let terms: Vec<ExprId> = a.iter().zip(b).map(|(&a, &b)| pool.mul(a, b)).collect();
    pool.sum(&terms)
}

fn hamiltonian_form(
    pool: &mut Pool,
    state: &StateModel,
    symbols: &Symbols,
    hamiltonian: ExprId,
    inputs: &[InputSignal],
    budget: &mut Budget,
) -> Result<Result<(Vec<ExprId>, Structure), DeriveError>, OutOfBudget> {
    let n = symbols.dimension();
    let readable = n <= READABLE;
    let short = |pool: &mut Pool, id: ExprId| match readable {
        true => simplify(pool, id, &mut Budget::new(SHORT)),
        false => id,
    };
    let slopes = gradient(pool, hamiltonian, &symbols.position, budget)?;
    let slopes: Vec<ExprId> = slopes.into_iter().map(|slope| short(pool, slope)).collect();
    let effort = match &state.descriptor {
        Some(given) => match descriptor::efforts(pool, symbols, given, &slopes) {
            Ok(effort) => effort,
            Err(error) => return Ok(Err(error)),
        },
        None => slopes.clone(),
    };
    let zeros = vec![vec![ExprId::ZERO; n]; n];
    let mut skew = zeros.clone();
    for entry in &state.skew {
        skew[entry.row][entry.column] = entry.value;
        skew[entry.column][entry.row] = pool.neg(entry.value);
    }
    let mut symmetric = zeros;
    for entry in &state.symmetric {
        symmetric[entry.row][entry.column] = entry.value;
        symmetric[entry.column][entry.row] = entry.value;
    }
    let symmetric = (!state.symmetric.is_empty()).then_some(symmetric);
    let columns: Vec<Vec<ExprId>> = state
        .columns
        .iter()
        .map(|entries| {
            let mut column = vec![ExprId::ZERO; n];
            entries.iter().for_each(|&(i, value)| column[i] = value);
            column
        })
        .collect();
    let mut rate = applied(pool, &skew, &effort);
    let mut dissipated = ExprId::ZERO;
    if let Some(symmetric) = &symmetric {
        let resisted = applied(pool, symmetric, &effort);
        for (rate, &part) in rate.iter_mut().zip(&resisted) {
            *rate = pool.sub(*rate, part);
        }
        dissipated = paired(pool, &effort, &resisted);
        dissipated = short(pool, dissipated);
    }
    let symbols_of_inputs: Vec<ExprId> = inputs.iter().map(|input| input.symbol).collect();
    for (column, &u) in columns.iter().zip(&symbols_of_inputs) {
        for (rate, &g) in rate.iter_mut().zip(column) {
            let part = pool.mul(g, u);
            *rate = pool.add(*rate, part);
        }
    }
    let rate: Vec<ExprId> = rate.into_iter().map(|rate| short(pool, rate)).collect();
    let mut outputs = Vec::with_capacity(columns.len());
    for column in &columns {
        let output = paired(pool, column, &effort);
        outputs.push(short(pool, output));
    }
    let supplied = paired(pool, &outputs, &symbols_of_inputs);
    // The second road: the derivative of H along f.
    let (mut balance, mut of_jacobi) = (NOT_ASKED, (NOT_ASKED, None));
    if state.descriptor.is_none() {
        let along: Vec<(ExprId, ExprId)> =
            symbols.position.iter().copied().zip(rate.iter().copied()).collect();
        let total = directional_derivative(pool, &[hamiltonian], &along, budget)?[0];
        let lost = pool.neg(dissipated);
        let wanted = pool.add(lost, supplied);
        let defect = pool.sub(total, wanted);
        balance = is_zero(pool, defect, &mut Budget::new(PROOF));
        of_jacobi = jacobi(pool, symbols, &skew);
    }
    let (jacobi, jacobi_component) = of_jacobi;
    let structure = Structure {
        gradient: slopes,
        effort,
        skew,
        symmetric,
        columns,
        outputs,
        dissipated,
        supplied,
        balance,
        jacobi,
        jacobi_component,
    };
    Ok(Ok((rate, structure)))
}

/// The Jacobi identity, by the Courant tensor of the graph.
fn jacobi(
    pool: &mut Pool,
    symbols: &Symbols,
    skew: &[Vec<ExprId>],
) -> (Zero, Option<([usize; 3], ExprId)>) {
    let graph = DiracStructure::graph_of_bivector(&symbols.position, &matrix(skew));
    // Something that is not a bracket fails early in most components: a few of them are cheap.
    for a in 2..skew.len() {
        let at = [a - 2, a - 1, a];
        let budget = &mut Budget::new(JACOBI_BUDGET);
        let Ok(value) = graph.courant_component(pool, at, budget) else { break };
        if is_zero(pool, value, budget) == Zero::No {
            return (Zero::No, Some((at, simplify(pool, value, &mut Budget::new(SHORT)))));
        }
    }
    match graph.courant_tensor(pool, &mut Budget::new(JACOBI_BUDGET)) {
        Ok(tensor) => {
            let worst = tensor.components.iter().find(|part| part.zero == Zero::No);
            let shown = worst.or(tensor.components.first());
            (tensor.vanishes(), shown.map(|part| (part.indices, part.value)))
        }
        Err(_) => (Zero::Unknown { points: 0 }, None),
    }
}

/// The energy and the Casimir functions that the motion keeps.
pub(super) fn conservation(
    pool: &mut Pool,
    symbols: &Symbols,
    state: &StateSpace,
    asked: Integrals,
    budget: &mut Budget,
) -> Conservation {
    let mut found = Conservation::default();
    if let Some(chain) = &state.chain {
        energy_of_chain(pool, state, chain, budget, &mut found);
        return found;
    }
    let Some(structure) = &state.structure else { return found };
    let mut along: Vec<(ExprId, ExprId)> =
        symbols.position.iter().copied().zip(state.rate.iter().copied()).collect();
    along.push((symbols.time, ExprId::ONE));
    if let Some(expression) = state.energy {
        let mut proof = rate_along(pool, expression, &along, budget);
        if state.descriptor.is_some() && state.power.is_zero() {
            // On the constraints.
            proof = structure.balance;
        }
        if state.power.is_zero() || proof == Zero::Yes {
            let why = match state.kind {
                StateKind::Poisson => "{H, H} = 0, and H does not depend on time",
                _ if state.descriptor.is_some() => {
                    "J is skew, nothing dissipates, no port acts, and the constraints hold"
                }
                _ => "J is skew, nothing dissipates, and no port acts",
            };
            let name = "energy".to_owned();
            found.conserved.push(Conserved {
                name,
                expression,
                why: why.to_owned(),
                proof,
                strict: false,
                law: Law::Noether,
                generator: None,
            });
        } else {
            let power = simplify(pool, state.power, &mut Budget::new(SHORT));
            found.energy_rate = Some(power);
        }
    }
    let Some(graph) = state.dirac(symbols) else { return found };
    let degree = asked.degree.unwrap_or(CASIMIR_DEGREE).min(CASIMIR_DEGREE);
    let casimirs = graph.casimirs(pool, degree, &mut Budget::new(CASIMIR_BUDGET));
    let mut count = 0;
    for expression in casimirs.map(|casimirs| casimirs.functions).unwrap_or_default() {
        let proof = rate_along(pool, expression, &along, budget);
        if proof == Zero::Yes {
            count += 1;
            let why = match state.kind {
                StateKind::Poisson => "a Casimir function: D ∇C = 0",
                _ => "J ∇C = 0, and neither R nor a port acts along ∇C",
            };
            let name = format!("C_{count}");
            found.conserved.push(Conserved {
                name,
                expression,
                why: why.to_owned(),
                proof,
                strict: false,
                law: Law::Casimir,
                generator: None,
            });
        }
    }
    found
}

/// The Hamiltonian of a singular Lagrangian, where its constraints hold.
fn energy_of_chain(
    pool: &mut Pool,
    state: &StateSpace,
    chain: &ConstraintChain,
    budget: &mut Budget,
    found: &mut Conservation,
) {
    let unknown = Zero::Unknown { points: 0 };
    let proof = singular::energy_rate(pool, chain, &state.rate, budget).unwrap_or(unknown);
    if proof == Zero::Yes {
        found.conserved.push(Conserved {
            name: "energy".to_owned(),
            expression: chain.hamiltonian,
            why: "H along the equations has no rate where the constraints hold".to_owned(),
            proof,
            strict: false,
            law: Law::Noether,
            generator: None,
        });
    } else {
        found.energy_rate = Some(state.power);
    }
}

fn rate_along(
    pool: &mut Pool,
    expression: ExprId,
    along: &[(ExprId, ExprId)],
    budget: &mut Budget,
) -> Zero {
    match directional_derivative(pool, &[expression], along, budget) {
        Ok(rates) => is_zero(pool, rates[0], &mut Budget::new(PROOF)),
        Err(_) => Zero::Unknown { points: 0 },
    }
}
