//! The report for programs: names are fixed by the contract, expressions parse back.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool, print};
use isotrope_derive::{
    Analysis, Conservation, ConstraintKind, ConstraintRows, Degenerate, DistributionReport,
    Dynamics, Eliminated, Hamiltonian, LagrangianMechanics, Mechanics, Reduction, StateSpace,
    System, Written,
};
use isotrope_geometry::{DiracStructure, VectorField};
use serde_json::{Map, Value, json};

use super::elimination::{Linear, Unsolved, unsolved};
use super::sections::degenerate::not_polarised;

/// Mass matrices up to this size are written with their zeros.
const DENSE: usize = 64;
/// Solves up to this many unknowns are written out in every expression that uses them.
const WRITTEN_OUT: usize = 16;

/// The report as JSON.
pub fn to_json(system: &mut System, analysis: &Analysis) -> Value {
    let mut out = Map::new();
    let model = &system.model;
    let names: Vec<String> = system.symbols.names.clone();
    let symbols = system.symbols.clone();
    out.insert("name".into(), json!(model.name));
    out.insert("description".into(), json!(model.description));
    out.insert("coordinates".into(), json!(names));
    let parameters: Map<String, Value> = model
        .parameters
        .iter()
        .map(|p| (p.name.clone(), expression(&model.pool, p.value)))
        .collect();
    out.insert("parameters".into(), Value::Object(parameters));
    let magnetic = system.magnetic.clone().map(|magnetic| {
        let pool = &mut system.model.pool;
        let force = magnetic.force(pool, &symbols);
        let mut found = super::sections::magnetic::json(pool, &names, &magnetic);
        found["force"] = nonzero(pool, &names, &force);
        found
    });
    out.insert("magnetic".into(), magnetic.unwrap_or_default());
    let mechanics = system.mechanics.clone();
    match &mechanics {
        Mechanics::Lagrangian(all) => {
            let LagrangianMechanics { dynamics, rows, multiplier_symbols, residual, eliminated } =
                all.as_ref();
            let pool = &mut system.model.pool;
            let unsolved = unsolved(pool, &symbols, eliminated, multiplier_symbols);
            lagrangian(&mut out, pool, &names, dynamics);
            out.insert(
                "hamiltonian".into(),
                optional(pool, analysis.hamiltonian.and_then(Hamiltonian::expression)),
            );
            out.insert(
                "hamiltonian_missing".into(),
                json!(analysis.hamiltonian.and_then(Hamiltonian::reason)),
            );
            motion(&mut out, pool, &names, rows, eliminated, unsolved.as_ref(), &symbols.velocity);
            out.insert("residual".into(), by_name(pool, &names, residual));
            out.insert("constraints".into(), constraints(pool, rows, &analysis.distribution));
        }
        Mechanics::Group(mechanics) => {
            let advected = super::sections::group::advected(system, mechanics);
            let pool = &mut system.model.pool;
            lagrangian(&mut out, pool, &names, &mechanics.dynamics);
            out.remove("dirac_differential");
            out.insert("hamiltonian".into(), Value::Null);
            let (rows, eliminated) = (&mechanics.rows, &mechanics.eliminated);
            motion(&mut out, pool, &names, rows, eliminated, None, &symbols.velocity);
            let rates = mechanics.drift.iter().filter(|rate| rate.0 != symbols.time);
            let rates: Map<String, Value> = rates
                .map(|&(symbol, rate)| {
                    (pool.name_of(symbol).unwrap_or("?").to_owned(), expression(pool, rate))
                })
                .collect();
            if let Some(Value::Object(equations)) = out.get_mut("equations") {
                equations.insert("q".into(), Value::Object(rates));
            }
            out.insert("constraints".into(), constraints(pool, rows, &analysis.distribution));
            let factors = system.model.group.iter().flat_map(|group| &group.factors);
            let factors: Vec<&str> = factors.map(|factor| factor.name()).collect();
            out.insert("group".into(), json!(factors));
            let spatial = by_name(pool, &mechanics.spatial_names, &mechanics.spatial);
            out.insert("spatial_momentum".into(), spatial);
            let advected: Map<String, Value> =
                advected.into_iter().map(|(name, rate)| (name, expression(pool, rate))).collect();
            out.insert("advected".into(), Value::Object(advected));
        }
        Mechanics::Hamiltonian(field) => {
            let pool = &system.model.pool;
            for key in ["lagrangian", "forces", "momenta", "mass_matrix"] {
                out.insert(key.into(), Value::Null);
            }
            out.insert("energy".into(), expression(pool, field.hamiltonian));
            out.insert("hamiltonian".into(), expression(pool, field.hamiltonian));
            out.insert("multipliers".into(), Value::Null);
            out.insert("explicit".into(), json!(true));
            out.insert(
                "equations".into(),
                json!({
                    "q": by_name(pool, &names, &field.position_rate),
                    "v": null,
                    "p": by_name(pool, &names, &field.momentum_rate),
                }),
            );
            out.insert("side_conditions".into(), json!([]));
            out.insert("constraints".into(), json!([]));
        }
        Mechanics::State(state) => {
            let pool = &system.model.pool;
            for key in ["lagrangian", "forces", "momenta", "mass_matrix", "multipliers"] {
                out.insert(key.into(), Value::Null);
            }
            out.insert("energy".into(), optional(pool, state.energy));
            out.insert("hamiltonian".into(), optional(pool, state.energy));
            out.insert("explicit".into(), json!(true));
            let q = by_name(pool, &names, &state.rate);
            out.insert("equations".into(), json!({ "q": q, "v": null, "p": null }));
            let conditions = state.descriptor.as_ref().map_or(&[][..], |all| &all.conditions);
            out.insert("side_conditions".into(), list(pool, conditions));
            out.insert("constraints".into(), json!([]));
            out.insert("state".into(), state_space(pool, &names, state));
        }
        Mechanics::Degenerate(all) => {
            let pool = &mut system.model.pool;
            lagrangian(&mut out, pool, &names, &all.dynamics);
            degenerate(&mut out, pool, &names, all);
        }
    }
    out.entry("degenerate").or_insert(Value::Null);
    out.entry("state").or_insert(Value::Null);
    let rows = mechanics.constrained().map(|(_, rows)| rows);
    let pool = &mut system.model.pool;
    let distribution = distribution(pool, &names, rows, &analysis.distribution);
    out.insert("distribution".into(), distribution);
    // Independent constraints, linear in the velocities, give a structure of half dimension;
    // of large systems the generators are not written.
    let phase_space = mechanics.has_momenta();
    let linear = phase_space
        && analysis.distribution.kinds.iter().all(|kind| kind.0 != ConstraintKind::Chetaev);
    let rank = linear.then_some(2 * names.len());
    out.insert("dirac".into(), dirac(pool, &names, analysis.dirac.as_ref(), rank));
    conservation(&mut out, pool, &names, &analysis.conservation);
    let reduction = analysis.reduction.as_ref().map(|r| reduction(pool, &names, r));
    out.insert("reduction".into(), json!(reduction));
    Value::Object(out)
}

pub(super) fn expression(pool: &Pool, id: ExprId) -> Value {
    // What cannot be written within the budget is null, never cut: it has to parse back.
    print::to_text(pool, id, &mut Budget::new(20_000_000)).map_or(Value::Null, Value::String)
}

fn optional(pool: &Pool, id: Option<ExprId>) -> Value {
    id.map_or(Value::Null, |id| expression(pool, id))
}

pub(super) fn list(pool: &Pool, ids: &[ExprId]) -> Value {
    ids.iter().map(|&id| expression(pool, id)).collect()
}

pub(super) fn by_name(pool: &Pool, names: &[String], ids: &[ExprId]) -> Value {
    let map: Map<String, Value> =
        names.iter().zip(ids).map(|(name, &id)| (name.clone(), expression(pool, id))).collect();
    Value::Object(map)
}

/// The components that are not zero.
pub(super) fn nonzero(pool: &Pool, names: &[String], ids: &[ExprId]) -> Value {
    let map: Map<String, Value> = names
        .iter()
        .zip(ids)
        .filter(|(_, id)| !id.is_zero())
        .map(|(name, &id)| (name.clone(), expression(pool, id)))
        .collect();
    Value::Object(map)
}

pub(super) fn zero_answer(answer: Zero) -> Value {
    match answer {
        Zero::Yes => json!("proved"),
        Zero::No => json!("refuted"),
        Zero::Unknown { points: 0 } => json!("not checked"),
        Zero::Unknown { points } => json!(format!("zero at {points} points")),
    }
}

fn lagrangian(
    out: &mut Map<String, Value>,
    pool: &mut Pool,
    names: &[String],
    dynamics: &Dynamics,
) {
    let n = names.len();
    out.insert("lagrangian".into(), expression(pool, dynamics.lagrangian));
    out.insert("forces".into(), nonzero(pool, names, &dynamics.working));
    out.insert("momenta".into(), by_name(pool, names, &dynamics.momenta));
    let dense = (n <= DENSE).then(|| -> Value {
        dynamics
            .mass
            .iter()
            .map(|row| {
                let mut entries = vec![ExprId::ZERO; n];
                for &(column, value) in row {
                    entries[column as usize] = value;
                }
                list(pool, &entries)
            })
            .collect()
    });
    let sparse = dense.is_none().then(|| -> Value {
        let entries = dynamics.mass.iter().enumerate();
        entries
            .flat_map(|(i, row)| row.iter().map(move |&(j, value)| (i, j, value)))
            .map(|(i, j, value)| json!([i, j, expression(pool, value)]))
            .collect()
    });
    out.insert("mass_matrix".into(), json!(dense));
    if let Some(sparse) = sparse {
        out.insert("mass_matrix_sparse".into(), sparse);
    }
    let energy = if n <= DENSE {
        isotrope_algebra::normal::simplify(pool, dynamics.energy, &mut Budget::new(200_000))
    } else {
        dynamics.energy
    };
    out.insert("energy".into(), expression(pool, energy));
    let falling: Vec<ExprId> = dynamics.gradient.iter().map(|&g| pool.neg(g)).collect();
    out.insert("dirac_differential".into(), json!({ "minus_L_q": by_name(pool, names, &falling) }));
}

/// Equations of first order: velocities are functions of positions.
fn degenerate(out: &mut Map<String, Value>, pool: &Pool, names: &[String], all: &Degenerate) {
    let name = |list: &[usize]| -> Value { list.iter().map(|&i| json!(names[i])).collect() };
    let conditions: Vec<ExprId> =
        all.conditions.iter().copied().filter(|&id| pool.as_number(id).is_none()).collect();
    let polarisation = all.polarisation.as_ref().ok().map(|found| {
        let base: Vec<String> = found.base.iter().map(|&i| names[i].clone()).collect();
        json!({
            "x": name(&found.base),
            "y": name(&found.fibre),
            "potential": by_name(pool, &base, &found.potential),
            "gauge": expression(pool, found.gauge),
        })
    });
    let missing = all.polarisation.as_ref().err().map(not_polarised);
    out.insert("hamiltonian".into(), Value::Null);
    let reason = "the momenta are functions of the positions; the energy is H(q)";
    out.insert("hamiltonian_missing".into(), json!(reason));
    out.insert("multipliers".into(), Value::Null);
    out.insert("explicit".into(), json!(all.eliminated.explicit));
    let q = by_name(pool, names, &all.velocity);
    let p = by_name(pool, names, &all.eliminated.momentum_rate);
    out.insert("equations".into(), json!({ "q": q, "v": null, "p": p }));
    out.insert("side_conditions".into(), list(pool, &conditions));
    out.insert("residual".into(), by_name(pool, names, &all.residual));
    out.insert("constraints".into(), json!([]));
    let form: Value = all.form.iter().map(|row| list(pool, row)).collect();
    out.insert(
        "degenerate".into(),
        json!({
            "potential": by_name(pool, names, &all.dynamics.momenta),
            "form": form,
            "polarisation": polarisation,
            "polarisation_missing": missing,
        }),
    );
}

/// Systems in state space: the structure, inputs and outputs, and the balance of power.
fn state_space(pool: &Pool, names: &[String], state: &StateSpace) -> Value {
    let matrix =
        |rows: &[Vec<ExprId>]| -> Value { rows.iter().map(|row| list(pool, row)).collect() };
    let inputs: Map<String, Value> = state
        .inputs
        .iter()
        .map(|input| (input.name.clone(), expression(pool, input.value)))
        .collect();
    let outputs: Map<String, Value> =
        state.outputs.iter().map(|(name, id)| (name.clone(), expression(pool, *id))).collect();
    let structure = state.structure.as_ref().map(|all| {
        let columns: Map<String, Value> = state
            .inputs
            .iter()
            .zip(&all.columns)
            .map(|(input, column)| (input.name.clone(), nonzero(pool, names, column)))
            .collect();
        let inputs: Vec<String> = state.inputs.iter().map(|input| input.name.clone()).collect();
        json!({
            "gradient": by_name(pool, names, &all.gradient),
            "J": matrix(&all.skew),
            "R": all.symmetric.as_deref().map(matrix),
            "g": columns,
            "outputs": by_name(pool, &inputs, &all.outputs),
            "dissipated": expression(pool, all.dissipated),
            "supplied": expression(pool, all.supplied),
            "power_balance": zero_answer(all.balance),
            "jacobi": zero_answer(all.jacobi),
            "jacobi_component": all.jacobi_component.map(|(at, value)| json!({
                "coordinates": at.map(|i| names[i].clone()),
                "value": expression(pool, value),
            })),
        })
    });
    let descriptor = state.descriptor.as_ref().map(|all| {
        let constraints: Vec<Value> = all
            .constraints
            .iter()
            .map(|constraint| {
                let expression = expression(pool, constraint.expression);
                json!({ "level": constraint.level, "expression": expression })
            })
            .collect();
        let signals: Map<String, Value> = all
            .signals
            .iter()
            .map(|rate| (rate.name.clone(), expression(pool, rate.value)))
            .collect();
        json!({
            "E": matrix(&all.matrix),
            "effort": by_name(pool, names, &all.effort),
            "index": all.index,
            "constraints": constraints,
            "input_rates": signals,
            "conditions": list(pool, &all.conditions),
            "solved": zero_answer(all.solved),
        })
    });
    json!({
        "kind": state.table.name,
        "rates_of_inputs": by_name(pool, names, &state.rate_of_inputs),
        "inputs": inputs,
        "outputs": outputs,
        "structure": structure,
        "descriptor": descriptor,
    })
}

fn linear_system(pool: &Pool, linear: &Linear) -> Value {
    let matrix: Value =
        linear.matrix.iter().map(|&(i, j, value)| json!([i, j, expression(pool, value)])).collect();
    json!({
        "unknowns": list(pool, &linear.unknowns),
        "matrix": matrix,
        "right": list(pool, &linear.right),
    })
}

/// Multipliers and the field without them: written out where that is short, otherwise with
/// the multipliers as symbols and the linear system they solve, once.
fn motion(
    out: &mut Map<String, Value>,
    pool: &Pool,
    names: &[String],
    rows: &ConstraintRows,
    eliminated: &Eliminated,
    unsolved: Option<&Unsolved>,
    velocity: &[ExprId],
) {
    let large = unsolved.filter(|unsolved| unsolved.linear.unknowns.len() > WRITTEN_OUT);
    let multipliers = match large {
        _ if rows.is_empty() => Value::Null,
        Some(_) => Value::Null,
        // With functions in the combination they are solutions of a linear system.
        None if rows.redundant.iter().all(|row| row.coefficients.is_some()) => {
            by_name(pool, &rows.all_names(), &eliminated.all_multipliers)
        }
        None => by_name(pool, &rows.names, &eliminated.multipliers),
    };
    out.insert("multipliers".into(), multipliers);
    out.insert("explicit".into(), json!(eliminated.explicit));
    if let Some(unsolved) = unsolved {
        let key = if unsolved.whole { "accelerations_solve" } else { "multipliers_solve" };
        out.insert(key.into(), linear_system(pool, &unsolved.linear));
    }
    let v = match large {
        Some(unsolved) if unsolved.whole => Value::Null,
        Some(unsolved) => by_name(pool, names, &unsolved.acceleration),
        None => by_name(pool, names, &eliminated.acceleration),
    };
    let p = match large {
        Some(unsolved) => by_name(pool, names, &unsolved.momentum_rate),
        None => by_name(pool, names, &eliminated.momentum_rate),
    };
    let q = by_name(pool, names, velocity);
    out.insert("equations".into(), json!({ "q": q, "v": v, "p": p }));
    let conditions: Vec<ExprId> = eliminated
        .conditions
        .iter()
        .copied()
        .filter(|&condition| pool.as_number(condition).is_none())
        .collect();
    out.insert("side_conditions".into(), list(pool, &conditions));
}

fn constraints(pool: &Pool, rows: &ConstraintRows, report: &DistributionReport) -> Value {
    (0..rows.len())
        .map(|a| {
            let (kind, integrable) =
                report.kinds.get(a).copied().unwrap_or((ConstraintKind::Nonholonomic, None));
            // The contract knows four kinds; Chetaev reactions are told apart by a key.
            let name = match kind {
                ConstraintKind::Chetaev => ConstraintKind::Nonholonomic.name(),
                _ => kind.name(),
            };
            let hidden = (rows.written[a] == Written::Position).then_some(rows.velocity_level[a]);
            json!({
                "name": rows.names[a],
                "kind": name,
                "integrable": integrable,
                "expression": expression(pool, rows.expressions[a]),
                "hidden": optional(pool, hidden),
                "chetaev": kind == ConstraintKind::Chetaev,
            })
        })
        .chain(rows.redundant.iter().map(|row| {
            json!({
                "name": row.name,
                "kind": ConstraintKind::Holonomic.name(),
                "integrable": true,
                "expression": expression(pool, row.expression),
                "hidden": expression(pool, row.velocity_level),
                "chetaev": false,
                "redundant": true,
                "follows_from": row.follows_from,
            })
        }))
        .collect()
}

fn fields(pool: &Pool, names: &[String], fields: &[VectorField]) -> Value {
    fields.iter().map(|field| nonzero(pool, names, &field.components)).collect()
}

fn distribution(
    pool: &Pool,
    names: &[String],
    rows: Option<&ConstraintRows>,
    report: &DistributionReport,
) -> Value {
    let mut names = names.to_vec();
    if report.extended {
        names.push("t".into());
    }
    let bracket = report.obstruction.as_ref().map(|obstruction| {
        let constraint = rows.and_then(|rows| rows.names.get(obstruction.form));
        json!({
            "fields": [obstruction.first + 1, obstruction.second + 1],
            "value": nonzero(pool, &names, &obstruction.bracket.components),
            "constraint": constraint,
            "constraint_value": expression(pool, obstruction.value),
        })
    });
    let frame = report.distribution.as_ref().map(|d| fields(pool, &names, &d.frame));
    let unconstrained = rows.is_none_or(ConstraintRows::is_empty);
    let steady = (report.integrable == Some(true)).then(|| vec![report.rank]);
    let flag = report.flag.as_ref();
    let integrable_part: Option<Value> = flag
        .map(|flag| flag.integrable_part.iter().map(|form| nonzero(pool, &names, form)).collect());
    json!({
        "rank": report.rank,
        "integrable": report.integrable,
        "bracket": bracket,
        "frame": frame,
        "with_time": report.extended,
        "growth_vector": flag.map(|flag| flag.growth_vector.clone()).or(steady.clone()),
        "derived_flag": flag.map(|flag| flag.derived_flag.clone()).or(steady),
        "integrable_part": integrable_part,
        "bracket_generating": match (flag, report.integrable) {
            (Some(flag), _) => Some(flag.bracket_generating),
            (None, Some(true)) => Some(unconstrained),
            _ => None,
        },
        "flag_proved": flag.map(|flag| flag.proved),
    })
}

fn dirac(
    pool: &mut Pool,
    names: &[String],
    structure: Option<&DiracStructure>,
    known_rank: Option<usize>,
) -> Value {
    let Some(structure) = structure else {
        return json!({ "generators": null, "rank": known_rank, "isotropic": null });
    };
    let mut all = names.to_vec();
    all.extend(names.iter().map(|name| format!("p_{name}")));
    let isotropic = structure.is_isotropic(pool, &mut Budget::new(5_000_000));
    let rank = structure.rank(pool, &mut Budget::new(20_000_000));
    let generators: Value = structure
        .generators
        .iter()
        .map(|generator| {
            json!({
                "vector": nonzero(pool, &all, &generator.vector),
                "covector": nonzero(pool, &all, &generator.covector),
            })
        })
        .collect();
    json!({
        "generators": generators,
        "rank": rank.map_or(structure.generators.len(), |rank| rank.rank),
        "isotropic": zero_answer(isotropic),
    })
}

fn conservation(out: &mut Map<String, Value>, pool: &Pool, names: &[String], found: &Conservation) {
    let conserved: Value = found
        .conserved
        .iter()
        .map(|quantity| {
            json!({
                "name": quantity.name,
                "expression": expression(pool, quantity.expression),
                "why": quantity.why,
                "proof": zero_answer(quantity.proof),
            })
        })
        .collect();
    out.insert("conserved".into(), conserved);
    let lost: Value = found
        .lost
        .iter()
        .map(|lost| {
            json!({
                "name": lost.name,
                "expression": expression(pool, lost.expression),
                "rate": expression(pool, lost.rate),
            })
        })
        .collect();
    out.insert("lost_momenta".into(), lost);
    let equations: Value = found
        .momentum_equations
        .iter()
        .map(|equation| {
            json!({
                "field": nonzero(pool, names, &equation.field),
                "momentum": expression(pool, equation.momentum),
                "rate": expression(pool, equation.rate),
            })
        })
        .collect();
    out.insert("momentum_equations".into(), equations);
    out.insert("energy_rate".into(), optional(pool, found.energy_rate));
}

fn reduction(pool: &Pool, names: &[String], reduction: &Reduction) -> Value {
    let weights: Vec<String> = reduction
        .quasi_velocities
        .iter()
        .map(|&weight| pool.name_of(weight).unwrap_or("w").to_owned())
        .collect();
    let symmetries: Value =
        reduction.symmetries.iter().map(|s| nonzero(pool, names, &s.field)).collect();
    json!({
        "quasi_velocities": weights,
        "frame": fields(pool, names, &reduction.frame),
        "equations": by_name(pool, &weights, &reduction.rates),
        "shape": list(pool, &reduction.shape),
        "reconstruction": by_name(pool, names, &reduction.reconstruction),
        "symmetries": symmetries,
    })
}
