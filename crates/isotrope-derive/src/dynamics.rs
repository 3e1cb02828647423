//! Momenta, mass matrix, energy and generalised forces of a Lagrangian.

use isotrope_algebra::calculus::{
    SparseRows, Substitution, directional_derivative, jacobian, substitute,
};
use isotrope_algebra::normal::simplify;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

/// The symbols of a mechanical system.
#[derive(Debug, Clone)]
pub struct Symbols {
    /// Names of the coordinates.
    pub names: Vec<String>,
    /// Positions `q`.
    pub position: Vec<ExprId>,
    /// Velocities `q'`.
    pub velocity: Vec<ExprId>,
    /// Accelerations `q''`.
    pub acceleration: Vec<ExprId>,
    /// Momenta `p_q`.
    pub momentum: Vec<ExprId>,
    /// Time.
    pub time: ExprId,
}

impl Symbols {
    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.position.len()
    }

    /// Rates of a motion with free accelerations: `q -> q'`, `q' -> q''`, `t -> 1`.
    pub fn motion(&self) -> Vec<(ExprId, ExprId)> {
        let mut rates = self.drift();
        rates.extend(self.velocity.iter().copied().zip(self.acceleration.iter().copied()));
        rates
    }

    /// Rates with the velocities held: `q -> q'`, `t -> 1`.
    pub fn drift(&self) -> Vec<(ExprId, ExprId)> {
        let mut rates: Vec<_> =
            self.position.iter().copied().zip(self.velocity.iter().copied()).collect();
        rates.push((self.time, ExprId::ONE));
        rates
    }
}

/// What a Lagrangian says before constraints enter.
#[derive(Debug, Clone)]
pub struct Dynamics {
    /// `L(q, v, t)`.
    pub lagrangian: ExprId,
    /// `L_q`.
    pub gradient: Vec<ExprId>,
    /// `p = L_v`.
    pub momenta: Vec<ExprId>,
    /// `M = L_vv`, rows of nonzero entries.
    pub mass: SparseRows,
    /// `E = p.v - L`.
    pub energy: ExprId,
    /// Generalised forces `F`, that of a magnetic 2-form among them.
    pub forces: Vec<ExprId>,
    /// Those that can do work: without `i_v B`, which vanishes on `v`.
    pub working: Vec<ExprId>,
    /// `k = L_q + F - L_vq v - L_vt`: what `M a` equals without constraints.
    pub impressed: Vec<ExprId>,
    /// `L_t`.
    pub explicit_time: ExprId,
}

impl Dynamics {
    /// Derives everything from `L` and the forces.
    pub fn new(
        pool: &mut Pool,
        symbols: &Symbols,
        lagrangian: ExprId,
        forces: Vec<ExprId>,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let n = symbols.dimension();
        let mut variables = symbols.position.clone();
        variables.extend(&symbols.velocity);
        variables.push(symbols.time);
        let row = jacobian(pool, &[lagrangian], &variables, budget)?.swap_remove(0);
        let mut partial = vec![ExprId::ZERO; variables.len()];
        for (column, value) in row {
            partial[column as usize] = value;
        }
        let explicit_time = partial[2 * n];
        let momenta = partial[n..2 * n].to_vec();
        partial.truncate(n);
        let mass = jacobian(pool, &momenta, &symbols.velocity, budget)?;
        let transport = directional_derivative(pool, &momenta, &symbols.drift(), budget)?;
        let impressed = (0..n)
            .map(|i| {
                let minus = pool.neg(transport[i]);
                pool.sum(&[partial[i], forces[i], minus])
            })
            .collect();
        let mut energy: Vec<ExprId> =
            (0..n).map(|i| pool.mul(momenta[i], symbols.velocity[i])).collect();
        energy.push(pool.neg(lagrangian));
        let energy = pool.sum(&energy);
        Ok(Self {
            lagrangian,
            gradient: partial,
            momenta,
            mass,
            energy,
            working: forces.clone(),
            forces,
            impressed,
            explicit_time,
        })
    }

    /// Shortens momenta, mass matrix and forces, and writes the energy as kinetic plus
    /// potential, for systems small enough to be read.
    pub(super) fn tidy(
        &mut self,
        pool: &mut Pool,
        symbols: &Symbols,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        let short = |pool: &mut Pool, id: ExprId| simplify(pool, id, &mut Budget::new(100_000));
        for entry in self.mass.iter_mut().flatten() {
            entry.1 = short(pool, entry.1);
        }
        self.mass.iter_mut().for_each(|row| row.retain(|entry| !entry.1.is_zero()));
        for list in [&mut self.momenta, &mut self.gradient, &mut self.impressed] {
            list.iter_mut().for_each(|id| *id = short(pool, *id));
        }
        if let Some(kinetic) = self.quadratic(pool, symbols, &self.mass, &symbols.velocity) {
            let potential = self.potential(pool, symbols, budget)?;
            let potential = short(pool, potential);
            self.energy = pool.add(kinetic, potential);
        }
        Ok(())
    }

    /// `-L(q, 0, t)`: the potential, if L is a polynomial of degree two in the velocities.
    pub(super) fn potential(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        budget: &mut Budget,
    ) -> Result<ExprId, OutOfBudget> {
        let rest: Substitution = symbols.velocity.iter().map(|&v| (v, ExprId::ZERO)).collect();
        let value = substitute(pool, &[self.lagrangian], &rest, budget)?[0];
        Ok(pool.neg(value))
    }

    /// `x^T W x / 2` for the rows of a symmetric matrix; `None` if the mass matrix depends on
    /// the velocities.
    pub(super) fn quadratic(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        rows: &SparseRows,
        x: &[ExprId],
    ) -> Option<ExprId> {
        if !self.mass_is_velocity_free(pool, symbols) {
            return None;
        }
        // Equal diagonal entries share a bracket: m (x'^2 + y'^2)/2.
        let mut diagonal: Vec<(ExprId, Vec<ExprId>)> = Vec::new();
        let mut terms = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for &(j, value) in row {
                let j = j as usize;
                if j == i {
                    let square = pool.powi(x[i], 2);
                    match diagonal.iter_mut().find(|group| group.0 == value) {
                        Some(group) => group.1.push(square),
                        None => diagonal.push((value, vec![square])),
                    }
                } else if j > i {
                    terms.push(pool.product(&[value, x[i], x[j]]));
                }
            }
        }
        for (value, squares) in diagonal {
            let squares = pool.sum(&squares);
            terms.push(pool.product(&[ExprId::HALF, value, squares]));
        }
        Some(pool.sum(&terms))
    }

    /// The Euler-Lagrange residual `d/dt L_v - L_q - F - reaction`, in `q, q', q''`.
    pub fn residual(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        reactions: &[ExprId],
    ) -> Vec<ExprId> {
        (0..symbols.dimension())
            .map(|i| {
                let mut terms: Vec<ExprId> = self.mass[i]
                    .iter()
                    .map(|&(j, m)| pool.mul(m, symbols.acceleration[j as usize]))
                    .collect();
                terms.push(pool.neg(self.impressed[i]));
                terms.push(pool.neg(reactions[i]));
                pool.sum(&terms)
            })
            .collect()
    }

    /// Is the mass matrix free of velocities?
    pub fn mass_is_velocity_free(&self, pool: &Pool, symbols: &Symbols) -> bool {
        let entries: Vec<ExprId> = self.mass.iter().flatten().map(|entry| entry.1).collect();
        let below = pool.reachable(&entries);
        symbols.velocity.iter().all(|v| below.binary_search(v).is_err())
    }
}
