//! The narrowest class that a mechanical model belongs to.

use isotrope_algebra::calculus::derivative;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use isotrope_derive::{LagrangianMechanics, System, Written};
use isotrope_methods::classes::Class;

/// A class of a model, and what it was read off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassOfModel {
    /// The class.
    pub class: Class,
    /// Why it is not a narrower one, or why it is this one.
    pub reason: String,
}

/// Reads the class off a model: is the mass matrix constant, are the constraints holonomic,
/// quadratic, is A affine? What is not proved counts as false. `None` without a Lagrangian.
pub fn class_of(system: &System, budget: &mut Budget) -> Result<Option<ClassOfModel>, OutOfBudget> {
    let Some(LagrangianMechanics { dynamics, rows, .. }) = system.mechanics.lagrangian() else {
        return Ok(None);
    };
    let mut test = Test { pool: system.model.pool.clone(), budget };
    let answer = |class, reason: &str| Ok(Some(ClassOfModel { class, reason: reason.to_owned() }));
    if dynamics.forces.iter().any(|force| !force.is_zero()) {
        return answer(Class::Generic, "forces beside those of the Lagrangian");
    }
    let time = [system.symbols.time];
    let all: Vec<ExprId> = rows.expressions.iter().copied().chain([dynamics.lagrangian]).collect();
    if test.any_depends(&all, &time)? {
        return answer(Class::Generic, "the time occurs");
    }
    let (q, v) = (&system.symbols.position, &system.symbols.velocity);
    let mass: Vec<ExprId> = dynamics.mass.iter().flatten().map(|(_, entry)| *entry).collect();
    let quadratic_kinetic = !test.any_depends(&mass, v)? && test.no_linear_part(dynamics, v)?;
    if !quadratic_kinetic {
        return answer(Class::Generic, "the Lagrangian is not kinetic minus potential energy");
    }
    let constant = !test.any_depends(&mass, q)?;
    if rows.written.contains(&Written::Chetaev) {
        return answer(Class::Generic, "a constraint is nonlinear in the velocities");
    }
    if rows.written.contains(&Written::Affine) {
        return answer(Class::Generic, "a constraint on velocities is not homogeneous");
    }
    if rows.written.is_empty() {
        return match constant {
            true => answer(Class::Symplectic, "constant mass matrix, no constraints"),
            false => answer(Class::Natural, "the mass matrix depends on the positions"),
        };
    }
    let holonomic = rows.written.iter().all(|written| *written == Written::Position);
    if !constant {
        let reason = "the mass matrix depends on the positions";
        return answer(if holonomic { Class::Holonomic } else { Class::Natural }, reason);
    }
    let mut curved = 0;
    let mut affine = true;
    for row in &rows.matrix {
        let entries: Vec<ExprId> = row.iter().map(|(_, entry)| *entry).collect();
        affine &= test.is_affine(&entries, q)?;
        curved += usize::from(test.any_depends(&entries, q)?);
    }
    match (holonomic, affine, curved) {
        (true, true, 0 | 1) => {
            answer(Class::Sphere, "constant mass matrix, one constraint of degree two")
        }
        (true, true, _) => {
            answer(Class::Quadrics, "constant mass matrix, several constraints of degree two")
        }
        (true, false, _) => answer(Class::Holonomic, "a constraint is not of degree two"),
        (false, true, _) => answer(Class::Bilinear, "constant mass matrix, A(q) affine in q"),
        (false, false, _) => {
            answer(Class::ConstantMass, "constant mass matrix, A(q) not affine in q")
        }
    }
}

struct Test<'b> {
    pool: Pool,
    budget: &'b mut Budget,
}

impl Test<'_> {
    /// Does an expression depend on one of the symbols? Yes, unless it is proved that not.
    fn any_depends(&mut self, list: &[ExprId], symbols: &[ExprId]) -> Result<bool, OutOfBudget> {
        for &expression in list {
            if !self.pool.depends_on(expression, symbols) {
                continue;
            }
            for &symbol in symbols {
                let slope = derivative(&mut self.pool, expression, symbol, self.budget)?;
                if is_zero(&mut self.pool, slope, self.budget) != Zero::Yes {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Are all second derivatives zero?
    fn is_affine(&mut self, list: &[ExprId], symbols: &[ExprId]) -> Result<bool, OutOfBudget> {
        for &expression in list {
            for &symbol in symbols {
                let slope = derivative(&mut self.pool, expression, symbol, self.budget)?;
                if self.any_depends(&[slope], symbols)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Is p = M v, without a part that does not depend on v?
    fn no_linear_part(
        &mut self,
        dynamics: &isotrope_derive::Dynamics,
        velocities: &[ExprId],
    ) -> Result<bool, OutOfBudget> {
        for (momentum, row) in dynamics.momenta.iter().zip(&dynamics.mass) {
            let mut rest = *momentum;
            for (column, entry) in row {
                let Some(&velocity) = velocities.get(*column as usize) else { continue };
                let product = self.pool.mul(*entry, velocity);
                rest = self.pool.sub(rest, product);
            }
            if is_zero(&mut self.pool, rest, self.budget) != Zero::Yes {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
