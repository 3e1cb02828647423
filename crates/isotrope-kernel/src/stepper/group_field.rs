//! The field of a system on a Lie group.

use isotrope_algebra::calculus::jacobian;
use isotrope_algebra::{Budget, ExprId, OrInternal};
use isotrope_derive::{GroupMechanics, System, Written};

use super::constraint_matrix::{MatrixEntries, entries, pattern};
use super::field::{Field, FieldError, Rotation, diagonal, number, parameters, switches};
use super::trivialisation::Trivialisation;
use isotrope_tape::Formulas;

/// Operations for writing entries of matrices by quaternions.
const BUDGET: u64 = 50_000_000;

impl Field {
    /// The numbers of a configuration are its positions; velocities and momenta are left-trivialised.
    /// What a constraint on positions is elsewhere is the norm of rotations here.
    pub(super) fn on_group(
        system: &System,
        mechanics: &GroupMechanics,
        conserved: &[(String, ExprId)],
    ) -> Result<Self, FieldError> {
        let mut pool = system.model.pool.clone();
        let budget = &mut Budget::new(BUDGET);
        let (symbols, dynamics, rows) = (&system.symbols, &mechanics.dynamics, &mechanics.rows);
        let eliminated = &mechanics.eliminated;
        // F·ξ − L_t − λ·b.
        let mut terms: Vec<ExprId> = dynamics
            .forces
            .iter()
            .zip(&symbols.velocity)
            .map(|(&force, &v)| pool.mul(force, v))
            .collect();
        terms.push(pool.neg(dynamics.explicit_time));
        for (a, &lambda) in eliminated.multipliers.iter().enumerate() {
            if rows.written[a] != Written::Linear {
                let product = pool.mul(lambda, rows.offset[a]);
                terms.push(pool.neg(product));
            }
        }
        let power = pool.sum(&terms);
        // |R Rᵀ − 1| of a quaternion of norm n is |n⁴ − 1|, of (cos, sin) it is |n² − 1|.
        let mut norms = Vec::new();
        for range in mechanics.rotations() {
            let power = if range.len() == 4 { 2 } else { 1 };
            let numbers = mechanics.numbers.get(range).or_noticed("a rotation has its numbers");
            let squares: Vec<ExprId> = numbers.iter().map(|&e| pool.powi(e, 2)).collect();
            let square = pool.sum(&squares);
            let scale = pool.powi(square, power);
            norms.push(pool.sub(scale, ExprId::ONE));
        }
        let conserved_expressions: Vec<ExprId> = conserved.iter().map(|(_, id)| *id).collect();
        let mass = jacobian(&mut pool, &dynamics.momenta, &symbols.velocity, budget)?;
        let mass = diagonal(&mass);
        let mut formulas = |expressions: &[ExprId]| -> Result<Formulas, FieldError> {
            let written = mechanics.in_numbers(&mut pool, expressions, budget)?;
            Ok(Formulas::new(&pool, &written)?)
        };
        let acceleration = formulas(&eliminated.acceleration)?;
        let driving = [eliminated.acceleration.as_slice(), &[power]].concat();
        let momentum_rate = formulas(&eliminated.momentum_rate)?;
        let momentum = formulas(&dynamics.momenta)?;
        let mass = formulas(&mass)?;
        let energy = formulas(&[dynamics.energy])?;
        let power = (!power.is_zero()).then(|| formulas(&[power])).transpose()?;
        let position_level = formulas(&norms)?;
        let velocity_level = formulas(&rows.velocity_level)?;
        let matrix = MatrixEntries {
            pattern: pattern(&rows.matrix),
            formulas: formulas(&entries(&rows.matrix))?,
            rows: rows.matrix.len(),
        };
        let multipliers = formulas(&eliminated.multipliers)?;
        let conserved_formulas = formulas(&conserved_expressions)?;
        let driving = mechanics.in_numbers(&mut pool, &driving, budget)?;
        let switches = switches(&mut pool, system, &driving);
        let (parameters, parameter_values, known) = parameters(system, &pool)?;
        let numbers = |list: &[ExprId], names: &[String]| -> Result<Vec<f64>, FieldError> {
            list.iter()
                .zip(names)
                .map(|(&expression, name)| {
                    number(&pool, expression, &known).ok_or_else(|| FieldError::Value {
                        what: format!("the initial value of {name}"),
                    })
                })
                .collect()
        };
        let initial = (
            numbers(&mechanics.initial, &mechanics.number_names)?,
            numbers(&system.model.initial.rate, &symbols.names)?,
        );
        Ok(Self {
            dimension: mechanics.numbers.len(),
            rates: symbols.velocity.len(),
            position: mechanics.numbers.clone(),
            velocity: symbols.velocity.clone(),
            time: symbols.time,
            parameters,
            parameter_values,
            initial,
            acceleration,
            rate: None,
            velocity_of_momenta: None,
            momenta: Vec::new(),
            bracket: None,
            has_momenta: true,
            has_energy: true,
            momentum_rate,
            momentum,
            mass,
            energy,
            power,
            position_level,
            velocity_level,
            matrix,
            multipliers,
            conserved: conserved_formulas,
            outputs: Formulas::new(&pool, &[])?,
            output_names: Vec::new(),
            magnetic: None,
            constraint_names: rows.names.clone(),
            position_constraints: 0,
            conserved_names: conserved.iter().map(|(name, _)| name.clone()).collect(),
            strictly_conserved: Vec::new(),
            certified_conserved: Vec::new(),
            coordinate_names: mechanics.number_names.clone(),
            rate_names: symbols.names.clone(),
            rotations: mechanics
                .group
                .parts()
                .into_iter()
                .filter(|part| part.factor.spins() > 0)
                .map(|part| Rotation {
                    first: part.numbers.start,
                    count: part.factor.rotation_numbers(),
                    rate: part.components.start,
                    shifts: part.factor.shifts(),
                })
                .collect(),
            trivialisation: Some(Trivialisation::new(mechanics)?),
            velocities_matter: true,
            constant_mass: None,
            switches,
            watched: None,
        })
    }
}
