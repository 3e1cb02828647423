//! What a method promises to keep on a system: what is certified of it, and declared where its family stands.

use isotrope_algebra::calculus::derivative;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_certify::{Certificate, DefectOrder, class_of};
use isotrope_derive::{System, Written};
use isotrope_kernel::integrate::Kept;
use isotrope_kernel::stepper::Field;
use isotrope_methods::classes::Class;
use isotrope_scheme::Method;

/// Operations to find the class of a system. Whatever is not found is not promised.
const OPERATIONS: u64 = 20_000_000;

/// What the method promises to keep.
pub(super) fn of(system: &System, field: &Field, method: &Method) -> Vec<Kept> {
    let mut kept = Vec::new();
    if method.capabilities().balance_power && field.has_energy {
        kept.push(energy(system));
    }
    // Certificates that come with the program: others take longer to compute than to run.
    let stored = isotrope_certify::stored::of(method.name()).is_some();
    let budget = &mut Budget::new(OPERATIONS);
    let certified = stored.then(|| isotrope_certify::certified(method.clone(), budget).ok());
    if let Some(certified) = certified.flatten() {
        let certificate = certified.certificate();
        constraints(system, field, certificate, &mut kept);
        on_groups(system, field, certificate, &mut kept);
        casimirs(system, field, certificate, &mut kept);
    }
    kept
}

fn energy(system: &System) -> Kept {
    match system.mechanics.state() {
        Some(_) if system.mechanics.descriptor().is_some() => Kept::Power,
        Some(state) if !state.power.is_zero() => Kept::Power,
        Some(_) => Kept::Energy,
        // In phase space what quadrature leaves is put back.
        None if system.mechanics.hamiltonian_field().is_some() => Kept::Energy,
        // Means of ∇H along a chord: exact for polynomials, elsewhere by quadrature.
        None => Kept::EnergyByQuadrature,
    }
}

/// Constraints, if the structure is certified to be kept exactly on the class of the system.
fn constraints(system: &System, field: &Field, certificate: &Certificate, kept: &mut Vec<Kept>) {
    let Some(parts) = system.mechanics.lagrangian() else { return };
    let rows = &parts.rows;
    let time = [system.symbols.time];
    let moves = rows.expressions.iter().any(|&row| system.model.pool.depends_on(row, &time));
    // Certificates are of constraints A(q) v = 0.
    if rows.is_empty() || moves || rows.is_affine() || rows.written.contains(&Written::Chetaev) {
        return;
    }
    let class = class_of(system, &mut Budget::new(OPERATIONS)).ok().flatten();
    let Some(class) = class.map(|found| found.class).filter(|class| *class != Class::Generic)
    else {
        return;
    };
    let found = certificate.classes.iter().find(|orders| orders.class == class);
    if found.is_some_and(|orders| orders.structure == Some(DefectOrder::Infinite)) {
        if field.position_constraints > 0 {
            kept.push(Kept::Positions);
        }
        kept.push(Kept::Velocities);
    }
}

/// On Lie groups what is kept exactly on every class that has it.
fn on_groups(system: &System, field: &Field, certificate: &Certificate, kept: &mut Vec<Kept>) {
    let classes = &certificate.groups;
    if system.mechanics.group().is_none() || classes.is_empty() {
        return;
    }
    if classes.iter().all(|orders| orders.structure == DefectOrder::Infinite) {
        kept.push(Kept::Positions);
    }
    let mut momenta = classes.iter().filter_map(|orders| orders.momentum).peekable();
    if momenta.peek().is_some() && momenta.all(|order| order == DefectOrder::Infinite) {
        kept.extend(field.certified_conserved.iter().copied().map(Kept::Conserved));
    }
}

/// Casimir functions of Lie–Poisson brackets in three dimensions, which the certified classes are about.
fn casimirs(system: &System, field: &Field, certificate: &Certificate, kept: &mut Vec<Kept>) {
    let mut orders = certificate.state.iter().filter_map(|orders| orders.casimirs).peekable();
    if orders.peek().is_none() || !orders.all(|order| order == DefectOrder::Infinite) {
        return;
    }
    let Some(state) = system.mechanics.state() else { return };
    let (Some(rows), true) = (state.bracket(), state.power.is_zero()) else { return };
    let x = &system.symbols.position;
    let entries: Vec<ExprId> = rows.iter().flatten().copied().collect();
    let mut pool = system.model.pool.clone();
    if x.len() == 3 && entries.iter().all(|&entry| is_linear(&mut pool, entry, x)) {
        kept.extend(field.certified_conserved.iter().copied().map(Kept::Conserved));
    }
}

/// Are all slopes free of the coordinates?
fn is_linear(pool: &mut Pool, entry: ExprId, x: &[ExprId]) -> bool {
    x.iter().all(|&x_i| {
        let slope = derivative(pool, entry, x_i, &mut Budget::new(OPERATIONS));
        slope.is_ok_and(|slope| !pool.depends_on(slope, x))
    })
}
