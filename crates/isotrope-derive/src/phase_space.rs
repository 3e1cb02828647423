//! Hamilton's equations as a system in state space: x = (q, p) with the canonical bracket.
//!
//! x' = J ∇H + g F with J = (0 1; −1 0), where g puts the force F_i into p_i'. The outputs gᵀ∇H are the velocities H_p:
//! what forces supply is F·q'. So every H(q, p, t) is the energy of a Poisson system, whether it has a Lagrangian or
//! not.

use isotrope_algebra::calculus::{derivative, directional_derivative};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_model::StateKind;

use super::{
    ConstraintRows, Dynamics, Eliminated, HamiltonianField, InputSignal, Mechanics, StateSpace,
    Structure, Symbols, System,
};

impl System {
    /// The same motion in phase space, with the state (q, p), where the model is given by H(q, p, t) and has
    /// no constraints. Its symbols are those of the model for q, p and q'; rates of momenta have new ones.
    pub fn in_phase_space(&self, budget: &mut Budget) -> Result<Option<Self>, OutOfBudget> {
        let mut model = self.model.clone();
        let Some(field) = self.hamiltons_equations(&mut model.pool, budget)? else {
            return Ok(None);
        };
        let pool = &mut model.pool;
        let symbols = phase_symbols(pool, &self.symbols);
        let n = self.symbols.dimension();
        let force = |i: usize| model.forces.get(i).copied().unwrap_or(ExprId::ZERO);
        let acting: Vec<usize> = (0..n).filter(|&i| !force(i).is_zero()).collect();
        let inputs: Vec<InputSignal> = acting
            .iter()
            .map(|&i| {
                let name = format!("F_{}", self.symbols.names[i]);
                InputSignal { symbol: fresh(pool, &name), name, value: force(i) }
            })
            .collect();
        let structure = self.structure(pool, &field, &acting, &inputs);
        let rate: Vec<ExprId> =
            field.position_rate.iter().chain(&field.momentum_rate).copied().collect();
        let along = symbols.position.iter().copied().zip(rate.iter().copied());
        let along: Vec<_> = along.chain([(symbols.time, ExprId::ONE)]).collect();
        let acceleration = directional_derivative(pool, &rate, &along, budget)?;
        let explicit = derivative(pool, field.hamiltonian, symbols.time, budget)?;
        let mut rate_of_inputs = rate.clone();
        for (&i, input) in acting.iter().zip(&inputs) {
            let without = pool.sub(rate[n + i], input.value);
            rate_of_inputs[n + i] = pool.add(without, input.symbol);
        }
        let supplied = structure.supplied_by(pool, &inputs);
        let power = pool.add(supplied, explicit);
        let zeros = vec![ExprId::ZERO; 2 * n];
        let dynamics = Dynamics {
            lagrangian: ExprId::ZERO,
            gradient: zeros.clone(),
            momenta: zeros.clone(),
            mass: vec![Vec::new(); 2 * n],
            energy: field.hamiltonian,
            forces: zeros.clone(),
            working: zeros.clone(),
            impressed: zeros.clone(),
            explicit_time: pool.neg(power),
        };
        let eliminated = Eliminated {
            acceleration,
            multipliers: Vec::new(),
            all_multipliers: Vec::new(),
            momentum_rate: zeros,
            explicit: true,
            conditions: Vec::new(),
        };
        let state = StateSpace {
            table: model.table,
            kind: StateKind::Poisson,
            rate,
            rate_of_inputs,
            energy: Some(field.hamiltonian),
            power,
            structure: Some(structure),
            descriptor: None,
            chain: None,
            inputs,
            outputs: Vec::new(),
            dynamics,
            rows: ConstraintRows::default(),
            eliminated,
        };
        let mechanics = Mechanics::State(Box::new(state));
        Ok(Some(Self { model, symbols, mechanics, magnetic: None }))
    }

    /// J, ∇H and g.
    fn structure(
        &self,
        pool: &mut Pool,
        field: &HamiltonianField,
        acting: &[usize],
        inputs: &[InputSignal],
    ) -> Structure {
        let n = self.symbols.dimension();
        let slopes = field.slopes(pool);
        let gradient: Vec<ExprId> = slopes.into_iter().chain(field.position_rate.clone()).collect();
        let mut skew = vec![vec![ExprId::ZERO; 2 * n]; 2 * n];
        for i in 0..n {
            (skew[i][n + i], skew[n + i][i]) = (ExprId::ONE, ExprId::MINUS_ONE);
        }
        let column = |&i: &usize| {
            let mut column = vec![ExprId::ZERO; 2 * n];
            column[n + i] = ExprId::ONE;
            column
        };
        let outputs: Vec<ExprId> = acting.iter().map(|&i| field.position_rate[i]).collect();
        let powers: Vec<ExprId> =
            outputs.iter().zip(inputs).map(|(&y, u)| pool.mul(y, u.symbol)).collect();
        Structure {
            effort: gradient.clone(),
            gradient,
            skew,
            symmetric: None,
            columns: acting.iter().map(column).collect(),
            outputs,
            dissipated: ExprId::ZERO,
            supplied: pool.sum(&powers),
            // J is skew and constant.
            balance: Zero::Yes,
            jacobi: Zero::Yes,
            jacobi_component: None,
        }
    }
}

impl Structure {
    /// yᵀ u with the inputs put in.
    fn supplied_by(&self, pool: &mut Pool, inputs: &[InputSignal]) -> ExprId {
        let powers: Vec<ExprId> =
            self.outputs.iter().zip(inputs).map(|(&y, u)| pool.mul(y, u.value)).collect();
        pool.sum(&powers)
    }
}

/// (q, p) as positions, (q', p') as velocities.
fn phase_symbols(pool: &mut Pool, symbols: &Symbols) -> Symbols {
    let names: Vec<String> = symbols
        .names
        .iter()
        .cloned()
        .chain(symbols.names.iter().map(|q| format!("p_{q}")))
        .collect();
    let rates: Vec<ExprId> =
        names[symbols.dimension()..].iter().map(|name| fresh(pool, &format!("{name}'"))).collect();
    let list = |pool: &mut Pool, mark: &str| -> Vec<ExprId> {
        names.iter().map(|name| fresh(pool, &format!("{name}{mark}"))).collect()
    };
    let (acceleration, momentum) = (list(pool, "''"), list(pool, "_dual"));
    Symbols {
        position: symbols.position.iter().chain(&symbols.momentum).copied().collect(),
        velocity: symbols.velocity.iter().copied().chain(rates).collect(),
        names,
        acceleration,
        momentum,
        time: symbols.time,
    }
}

/// A symbol that the model does not have.
fn fresh(pool: &mut Pool, name: &str) -> ExprId {
    let mut name = name.to_owned();
    while pool.find_symbol(&name).is_some() {
        name.push('_');
    }
    pool.symbol(&name)
}
