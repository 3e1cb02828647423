//! Integrals on Lie groups: momenta of motions of space and of the body, of coordinates, energies, and polynomials in the
//! velocities with entries of rotations as coefficients.

use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::direct::{Constant, Factor, Search, Shape};
use super::lagrangian::polynomials;
use super::linear::SUPPORT;
use super::occurring::occurring;
use super::space::Space;
use super::{Found, Generator, Integrals, number_names};
use crate::conserved::{Conserved, Law};
use crate::{GroupMechanics, Symbols, Written};

/// Operations for the proof that a field is admissible.
const PROOF: u64 = 2_000_000;

/// A motion of the group or of the time, and what belongs to it.
pub(crate) struct Motion {
    /// The momentum, or the energy.
    pub quantity: ExprId,
    /// The field in the body; none for a translation of time.
    pub field: Option<Vec<ExprId>>,
}

/// What is conserved on a group beside what is known: combinations of momenta, of which `motions` are some, and
/// polynomials.
pub(crate) fn on_group(
    pool: &mut Pool,
    (mechanics, symbols): (&GroupMechanics, &Symbols),
    (space, motions): (&Space, &[Motion]),
    known: &[Conserved],
    asked: Integrals,
    budget: &mut Budget,
) -> Found {
    if mechanics.rows.written.contains(&Written::Chetaev) {
        return Found::default();
    }
    let degree = asked.degree.unwrap_or(1);
    let base = if degree > 2 { 2 } else { degree };
    let shape = Shape {
        fibre: degree,
        highest: base,
        lower: base,
        alone: base.max(2),
        occurring_fibre: 1,
        occurring_base: 0,
        time: asked.time,
    };
    let mut field: Vec<ExprId> = space
        .base
        .iter()
        .map(|entry| {
            let rate = mechanics.drift.iter().find(|rate| rate.0 == *entry);
            rate.map_or(ExprId::ZERO, |rate| rate.1)
        })
        .collect();
    field.extend(&mechanics.eliminated.acceleration);
    let factors: Vec<Factor> = occurring(pool, space, &field)
        .into_iter()
        .map(|value| Factor { value, alone: false })
        .collect();
    field.push(ExprId::ONE);
    let fields = &[field];
    let alone: Vec<Factor> =
        motions.iter().map(|motion| Factor { value: motion.quantity, alone: true }).collect();
    let support = if asked == Integrals::default() { SUPPORT } else { 4 * SUPPORT };
    let mut all = known.to_vec();
    let mut found = Found::default();
    // Momenta and energies before everything else: symmetries are a reason.
    for (shape, factors) in [(Shape::FACTORS, alone), (shape, factors)] {
        let search = Search { space, fields, shape, factors, support };
        let before: Vec<ExprId> = all.iter().map(|quantity| quantity.expression).collect();
        let own = &mut Budget::new(asked.operations().min(budget.left()));
        let mut more = polynomials(pool, &search, &before, asked, why, own);
        for (conserved, constant) in more.conserved.iter_mut().zip(&more.constants) {
            let Some(parts) = constant.of_factors.as_ref().filter(|_| shape == Shape::FACTORS)
            else {
                continue;
            };
            let parts: Vec<(&Motion, ExprId)> =
                parts.iter().filter_map(|&(k, c)| Some((motions.get(k)?, c))).collect();
            let generator = generator(pool, symbols, &parts);
            if is_admissible(pool, mechanics, space, &generator) {
                explain(conserved, generator);
            }
        }
        all.extend(more.conserved);
        found.searched.extend(more.searched);
    }
    found.conserved = all.split_off(known.len());
    number_names(known, &mut found.conserved);
    found
}

/// Says to which symmetry a conserved quantity belongs.
fn explain(conserved: &mut Conserved, generator: Generator) {
    let (name, law, motion) = match generator.time.is_zero() {
        false => ("moving energy", Law::MovingEnergy, "a motion along with the time"),
        true => ("momentum of a symmetry", Law::Noether, "a motion"),
    };
    conserved.name = name.to_owned();
    conserved.law = law;
    conserved.why = format!("L is invariant under {motion} that the constraints admit");
    conserved.generator = Some(generator);
}

fn why(_: &Constant) -> String {
    "a polynomial in the velocities whose rate vanishes along the motion".to_owned()
}

/// The symmetry whose momentum a combination is: p·ξ − τ E.
fn generator(pool: &mut Pool, symbols: &Symbols, parts: &[(&Motion, ExprId)]) -> Generator {
    let n = symbols.velocity.len();
    let (mut time, mut field) = (Vec::new(), vec![Vec::new(); n]);
    for (motion, coefficient) in parts {
        match &motion.field {
            None => time.push(pool.neg(*coefficient)),
            Some(own) => {
                for (terms, &component) in field.iter_mut().zip(own) {
                    terms.push(pool.mul(*coefficient, component));
                }
            }
        }
    }
    Generator {
        time: pool.sum(&time),
        field: field.into_iter().map(|terms| pool.sum(&terms)).collect(),
        gauge: ExprId::ZERO,
    }
}

/// A ξ + b τ = 0? Then that its momentum is conserved says that the motion is a symmetry on admissible velocities.
fn is_admissible(
    pool: &mut Pool,
    mechanics: &GroupMechanics,
    space: &Space,
    generator: &Generator,
) -> bool {
    let rows = mechanics.rows.matrix.iter().zip(&mechanics.rows.offset);
    rows.into_iter().all(|(row, &offset)| {
        let mut terms: Vec<ExprId> =
            row.iter().map(|&(i, a)| pool.mul(a, generator.field[i as usize])).collect();
        terms.push(pool.mul(offset, generator.time));
        let sum = pool.sum(&terms);
        let budget = &mut Budget::new(PROOF);
        is_zero(pool, sum, budget) == Zero::Yes
            || space
                .turned(pool, sum, budget)
                .is_ok_and(|sum| is_zero(pool, sum, budget) == Zero::Yes)
    })
}
