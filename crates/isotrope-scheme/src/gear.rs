//! The stabilised form of index two of C. W. Gear, B. Leimkuhler and G. K. Gupta (1985): positions
//! have a multiplier of their own, so that both levels of the constraints are kept.

use isotrope_algebra::ExprId;

use super::mechanics::{Point, Writer};
use super::projection::{chosen, keep_positions, on_positions};
use super::registry::{Capabilities, Entry, Family, Recipe};
use super::stages::{Numbers, count as evaluations};
use super::{DiscretiseError, UnknownKind};
use isotrope_methods::table::Table;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "multibody",
    citation: Some(
        "C. W. Gear, B. Leimkuhler, G. K. Gupta, J. Comput. Appl. Math. 12/13 (1985), 77-90",
    ),
    capabilities: Capabilities::MECHANICS,
    entries: &[
        Entry {
            name: "ggl",
            about: "Gear–Gupta–Leimkuhler: q' = v + M⁻¹Aᵀμ, p' = L_q + F + Aᵀλ with φ = 0 and \
                    A v + b = 0, by Radau IIA with two stages",
            recipe: Recipe::Plain(usual),
            ..Entry::BLANK
        },
        Entry {
            name: "ggl-",
            about: "the same with another number of stages of Radau IIA",
            recipe: Recipe::Stages { first: 1, last: 3, write: stabilised },
            ..Entry::BLANK
        },
    ],
};

fn usual(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    stabilised(writer, 2)
}

/// One stage: unknown slope W, impulses Λ = hλ and μ.
struct Stage {
    slope: Vec<ExprId>,
    impulses: Vec<ExprId>,
    shift: Vec<ExprId>,
}

/// Q_i = q + h Σ a_ij W_j with V_i = W_i − M⁻¹Aᵀμ_i, P_i = p + Σ a_ij (h (L_q + F)_j + A_jᵀΛ_j) =
/// L_v(Q_i, V_i), and in every stage φ(Q_i) = 0 and A(Q_i)V_i + b = 0. The last stage is the end.
fn stabilised(writer: &mut Writer<'_>, count: usize) -> Result<(), DiscretiseError> {
    if writer.rows.is_empty() {
        return Err(DiscretiseError::NotApplicable {
            reason: "there are no constraints to stabilise",
        });
    }
    writer.require_quadratic()?;
    let numbers = Numbers::new(&Table::radau_iia(count)?, writer.digits, writer.budget)?;
    let stages = declare(writer, &numbers);
    writer.evaluations = evaluations(count);
    let h = writer.h;
    let here = writer.here();
    let positions = on_positions(writer);
    let slopes: Vec<Vec<ExprId>> = stages.iter().map(|stage| stage.slope.clone()).collect();
    let mut places = Vec::with_capacity(count);
    let mut pushes = Vec::with_capacity(count);
    for (i, stage) in stages.iter().enumerate() {
        let moved = writer.combined(&here.q, numbers.row(i), h, &slopes);
        let q = writer.define(&format!("_{}", i + 1), moved);
        let node = writer.pool.scale(&numbers.node(i), h);
        let t = writer.pool.add(here.t, node);
        let mut place = Point { q, v: stage.slope.clone(), t };
        let a = writer.constraints(&place)?;
        if !positions.is_empty() {
            let way = writer.accelerated(&place, &chosen(&a, &positions), &stage.shift)?;
            let v = stage.slope.iter().zip(way).map(|(&w, x)| writer.pool.sub(w, x)).collect();
            place.v = writer.define(&format!("'_{}", i + 1), v);
        }
        let driving = writer.driving(&place)?;
        let zeros = vec![ExprId::ZERO; driving.len()];
        let push = writer.kicked(&zeros, h, &driving, &a, &stage.impulses);
        pushes.push(writer.define(&format!("_push_{}", i + 1), push));
        keep_positions(writer, &place)?;
        let b = writer.at(&place, &writer.rows.offset)?;
        let violations = writer.violations(&a, &b, &place.v);
        writer.residual.extend(violations);
        places.push(place);
    }
    let momenta = writer.symbols.momentum.clone();
    for (i, place) in places.iter().enumerate() {
        let wanted = writer.combined(&momenta, numbers.row(i), ExprId::ONE, &pushes);
        let found = writer.at(place, &writer.dynamics.momenta)?;
        for (found, wanted) in found.into_iter().zip(wanted) {
            let difference = writer.pool.sub(found, wanted);
            writer.residual.push(difference);
        }
    }
    finish(writer, &numbers, &stages, places)
}

/// Unknown slopes first, then impulses.
fn declare(writer: &mut Writer<'_>, numbers: &Numbers) -> Vec<Stage> {
    let count = numbers.count();
    let slopes: Vec<Vec<ExprId>> =
        (0..count).map(|i| writer.unknown_stage(&numbers.node(i), i)).collect();
    let multipliers = writer.multipliers.to_vec();
    let positions = on_positions(writer);
    let names = writer.rows.names.clone();
    let mut stages = Vec::with_capacity(count);
    for (i, slope) in slopes.into_iter().enumerate() {
        let mut impulses = Vec::with_capacity(names.len());
        for (name, &lambda) in names.iter().zip(&multipliers) {
            let guess = writer.pool.mul(writer.h, lambda);
            impulses.push(writer.unknown(
                &format!("Λ_{name}_{}", i + 1),
                UnknownKind::Impulse,
                guess,
            ));
        }
        let marked = positions.iter().map(|&a| format!("μ_{}_{}", names[a], i + 1));
        let shift =
            marked.map(|name| writer.unknown(&name, UnknownKind::Impulse, ExprId::ZERO)).collect();
        writer.impulses += names.len() + positions.len();
        stages.push(Stage { slope, impulses, shift });
    }
    stages
}

fn finish(
    writer: &mut Writer<'_>,
    numbers: &Numbers,
    stages: &[Stage],
    mut places: Vec<Point>,
) -> Result<(), DiscretiseError> {
    let h = writer.h;
    let mut terms = Vec::with_capacity(stages.len());
    for (weight, (stage, place)) in numbers.weights().iter().zip(stages.iter().zip(&places)) {
        let factor = writer.pool.scale(weight, h);
        let impulses: Vec<ExprId> =
            stage.impulses.iter().map(|&x| writer.pool.scale(weight, x)).collect();
        terms.push(writer.work(place, factor, &impulses)?);
    }
    writer.after.work = writer.pool.sum(&terms);
    let (Some(there), Some(last)) = (places.pop(), stages.last()) else {
        return Err(DiscretiseError::NotApplicable { reason: "there are no stages" });
    };
    writer.after.multipliers = last.impulses.iter().map(|&x| writer.pool.div(x, h)).collect();
    writer.after.momentum = writer.at(&there, &writer.dynamics.momenta)?;
    writer.after.position = there.q;
    writer.after.velocity = there.v;
    Ok(())
}
