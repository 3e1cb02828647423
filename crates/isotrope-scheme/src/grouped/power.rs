//! What supplies and dissipates energy, variable by variable: each part is integrated with the weights of the group of its
//! variable.

use isotrope_algebra::ExprId;
use isotrope_algebra::calculus::{Substitution, derivative, substitute};
use isotrope_model::StateKind;

use crate::DiscretiseError;
use crate::mechanics::Writer;

/// What reaches the energy through one variable.
pub(super) struct Power {
    pub variable: usize,
    pub supplied: ExprId,
    pub dissipated: ExprId,
}

/// What reaches it through all of them.
pub(super) struct Powers {
    pub parts: Vec<Power>,
    pub is_port: bool,
}

/// All powers, for what they depend on.
pub(super) fn powers(writer: &Writer<'_>) -> Vec<ExprId> {
    let Some(state) = writer.state else {
        let dynamics = writer.dynamics;
        let mut all = dynamics.working.clone();
        if writer.rates.is_none() && dynamics.working.iter().any(|force| !force.is_zero()) {
            all.extend(&writer.symbols.velocity);
        }
        all.push(dynamics.explicit_time);
        if writer.rows.offset.iter().any(|b| !b.is_zero()) {
            all.extend(writer.multipliers);
            all.extend(&writer.rows.offset);
        }
        return all;
    };
    let mut all = vec![state.power];
    if let Some(structure) = state.structure.as_ref().filter(|_| !state.power.is_zero()) {
        all.extend(&structure.effort);
        all.extend(structure.symmetric.iter().flatten().flatten());
        all.extend(structure.columns.iter().flatten());
        all.extend(state.inputs.iter().map(|input| input.value));
    }
    all
}

/// The powers, variable by variable.
pub(super) fn powers_of(writer: &mut Writer<'_>, count: usize) -> Result<Powers, DiscretiseError> {
    let zero = ExprId::ZERO;
    let mut parts: Vec<Power> = Vec::new();
    let Some(state) = writer.state else {
        let dynamics = writer.dynamics;
        let n = writer.symbols.dimension();
        // Momenta, or velocities, are what forces change.
        let last = count - n;
        if writer.rates.is_none() {
            for (k, (&force, &v)) in
                dynamics.working.iter().zip(&writer.symbols.velocity).enumerate()
            {
                let supplied = writer.pool.mul(force, v);
                parts.push(Power { variable: last + k, supplied, dissipated: zero });
            }
        }
        let mut others = vec![writer.pool.neg(dynamics.explicit_time)];
        for (&lambda, &b) in writer.multipliers.iter().zip(&writer.rows.offset) {
            let product = writer.pool.mul(lambda, b);
            others.push(writer.pool.neg(product));
        }
        let supplied = writer.pool.sum(&others);
        parts.push(Power { variable: last, supplied, dissipated: zero });
        parts.retain(|part| !part.supplied.is_zero());
        return Ok(Powers { parts, is_port: false });
    };
    let is_port = state.kind == StateKind::Port;
    let Some(structure) = &state.structure else { return Ok(Powers { parts, is_port: false }) };
    let driven: Substitution =
        state.inputs.iter().map(|input| (input.symbol, input.value)).collect();
    for (k, &effort) in structure.effort.iter().enumerate() {
        let inputs = structure.columns.iter().zip(&state.inputs);
        let gained: Vec<ExprId> =
            inputs.map(|(column, input)| writer.pool.mul(column[k], input.symbol)).collect();
        let gained = writer.pool.sum(&gained);
        let rows = structure.symmetric.iter().flat_map(|rows| rows.get(k));
        let lost: Vec<ExprId> = rows
            .flat_map(|row| row.iter().zip(&structure.effort))
            .map(|(&entry, &other)| writer.pool.mul(entry, other))
            .collect();
        let lost = writer.pool.sum(&lost);
        let both = [writer.pool.mul(effort, gained), writer.pool.mul(effort, lost)];
        let both = substitute(&mut writer.pool, &both, &driven, writer.budget)?;
        parts.push(Power { variable: k, supplied: both[0], dissipated: both[1] });
    }
    if let (Some(energy), Some(first)) = (state.energy, parts.first_mut()) {
        let time = writer.symbols.time;
        let explicit = derivative(&mut writer.pool, energy, time, writer.budget)?;
        first.supplied = writer.pool.add(first.supplied, explicit);
    }
    parts.retain(|part| !(part.supplied.is_zero() && part.dissipated.is_zero()));
    Ok(Powers { parts, is_port })
}
