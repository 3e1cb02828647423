//! A gauge that is chosen: conditions χ = 0 that have to last like constraints.
//!
//! They are admissible if they cut the gauge directions only: on the final manifold C with gauge directions Y, the
//! conditions and what follows from them are independent functions, as many as the rank of Y(χ).

use isotrope_algebra::calculus::jacobian;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_model::{GaugeCondition, Model, Place};

use super::elimination::eliminate;
use super::primary::Setting;
use super::rounds::{Branch, End, follow};
use super::surface::Lost;
use super::{text, texts};
use crate::{DeriveError, Symbols};

/// Adds the gauge conditions of the model to the constraints; none where it has none.
pub(super) fn fix(
    model: &mut Model,
    symbols: &Symbols,
    setting: &Setting,
    branch: &Branch,
    gauge: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Result<Result<Option<Vec<End>>, DeriveError>, OutOfBudget> {
    let Some(first) = model.gauge_fix.first() else { return Ok(Ok(None)) };
    if gauge.is_empty() {
        let reason = "nothing is left free: the constraints determine all multipliers".to_owned();
        return Ok(Err(DeriveError::InadmissibleGauge { reason, place: first.place }));
    }
    let pool = &mut model.pool;
    let conditions: Vec<ExprId> = model
        .gauge_fix
        .iter()
        .map(|condition| pool.sub(symbols.position[condition.coordinate], condition.value))
        .collect();
    for (&condition, given) in conditions.iter().zip(&model.gauge_fix) {
        let place = given.place;
        match branch.surface.vanishes(pool, condition, budget) {
            Ok(isotrope_algebra::normal::Zero::Yes) => {
                let reason = "it follows from the constraints".to_owned();
                return Ok(Err(DeriveError::InadmissibleGauge { reason, place }));
            }
            Ok(_) => {}
            Err(Lost::OutOfBudget(stop)) => return Err(stop),
            Err(_) => {
                let reason = "it has no value where the constraints hold".to_owned();
                return Ok(Err(DeriveError::InadmissibleGauge { reason, place }));
            }
        }
    }
    let start = branch.demanding(&conditions);
    Ok(Ok(Some(follow(pool, setting, start, budget)?.0)))
}

fn place(conditions: &[GaugeCondition]) -> Place {
    conditions.first().map_or_else(Place::default, |condition| condition.place)
}

/// Why no motion has this gauge.
pub(super) fn refusal(pool: &mut Pool, conditions: &[GaugeCondition], end: End) -> DeriveError {
    let reason = match end {
        End::Contradiction(branch, value) => {
            let chain = texts(pool, &added(&branch)).join(", ");
            format!("with {chain} = 0 also {} would have to vanish", text(pool, value))
        }
        End::Open(branch, lost) => {
            let found = texts(pool, &added(&branch)).join(", ");
            match lost {
                Lost::NoRule(constraint) => {
                    format!("{} = 0 is solved for no variable", text(pool, constraint))
                }
                Lost::Undefined => format!("with {found} = 0 something is divided by zero"),
                Lost::OutOfBudget(stop) => format!("not decided with {found} = 0: {stop}"),
            }
        }
        End::Lasting(_) => "it lasts".to_owned(),
    };
    DeriveError::InadmissibleGauge { reason, place: place(conditions) }
}

fn added(branch: &Branch) -> Vec<ExprId> {
    let own = branch.constraints.iter().filter(|constraint| constraint.of_gauge);
    own.map(|constraint| constraint.expression).collect()
}

/// A gauge that restricts more than gauge directions.
pub(super) fn inadmissible(
    pool: &mut Pool,
    before: &Branch,
    after: &Branch,
    gauge: &[Vec<ExprId>],
    conditions: &[GaugeCondition],
    budget: &mut Budget,
) -> Result<Option<DeriveError>, OutOfBudget> {
    let cut = before.dimension() - after.dimension();
    let own = added(after);
    let slopes = jacobian(pool, &own, &after.surface.variables, budget)?;
    let rows: Vec<Vec<ExprId>> = slopes
        .iter()
        .map(|row| {
            gauge
                .iter()
                .map(|field| {
                    let terms: Vec<ExprId> = row
                        .iter()
                        .map(|&(column, slope)| pool.mul(slope, field[column as usize]))
                        .collect();
                    pool.sum(&terms)
                })
                .collect()
        })
        .collect();
    let reason = match eliminate(pool, &after.surface, rows, gauge.len(), budget) {
        Ok(echelon) if echelon.rank() == cut => return Ok(None),
        Ok(echelon) => {
            let (shown, rank) = (texts(pool, &own).join(", "), echelon.rank());
            let changed = match rank {
                0 => "none of them is".to_owned(),
                1 => "only one combination of them is".to_owned(),
                rank => format!("only {rank} combinations of them are"),
            };
            format!(
                "it restricts more than the gauge: {shown} vanish, and {changed} changed by gauge \
                 motions"
            )
        }
        Err(Lost::OutOfBudget(stop)) => return Err(stop),
        Err(_) => "the gauge directions have no value there".to_owned(),
    };
    Ok(Some(DeriveError::InadmissibleGauge { reason, place: place(conditions) }))
}
