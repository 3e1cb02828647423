//! The same for programs; every expression is text that parses back.

use isotrope_algebra::ExprId;
use isotrope_certify::DefectOrder;
use isotrope_derive::System;
use isotrope_scheme::{Action, ConstraintForm, Principle, Quadrature, Relation, Side};
use serde_json::{Map, Value, json};

use super::gather::{DiscreteReport, StructurePart};
use crate::json::{by_name, expression, list, nonzero, zero_answer};

/// The report as JSON.
pub(super) fn to_json(system: &System, report: &DiscreteReport) -> Value {
    let action = &report.action;
    let pool = &action.pool;
    let names = &system.symbols.names;
    let symbol_names = |symbols: &[ExprId]| -> Vec<String> {
        symbols.iter().filter_map(|&s| pool.name_of(s).map(str::to_owned)).collect()
    };
    let points: Vec<Value> = action
        .points
        .iter()
        .enumerate()
        .map(|(k, point)| {
            json!({
                "symbols": symbol_names(point),
                "at": expression(pool, action.places[k]),
                "derivative": by_name(pool, names, &action.derivatives[k]),
                "force": by_name(pool, names, &action.forces[k]),
                "reaction": by_name(pool, names, &action.reactions[k]),
                "impulses": symbol_names(&action.impulses[k]),
            })
        })
        .collect();
    let equations = report.euler_lagrange.as_ref().map(|equations| {
        json!({ "previous": symbol_names(&action.previous), "equations": by_name(pool, names, equations) })
    });
    let rows = system.mechanics.lagrangian().map_or(&[][..], |all| &all.rows.names);
    let conditions: Vec<Value> = action
        .conditions
        .iter()
        .map(|condition| {
            json!({
                "constraint": rows.get(condition.row),
                "level": if condition.on_position { "position" } else { "velocity" },
                "expression": expression(pool, condition.value),
            })
        })
        .collect();
    let momenta: Vec<Value> = report
        .momenta
        .iter()
        .map(|momentum| {
            json!({
                "name": momentum.name,
                "symmetry": momentum.motion,
                "expression": expression(pool, momentum.expression),
                "invariant": zero_answer(momentum.invariant),
                "change": expression(pool, momentum.push),
                "conserved": momentum.is_conserved(),
            })
        })
        .collect();
    json!({
        "name": system.model.name,
        "method": report.method,
        "coordinates": names,
        "principle": principle(report.lagrangian.principle),
        "variational": report.is_variational(),
        "null_space": report.lagrangian.form == ConstraintForm::NullSpace,
        "pieces": pieces(report),
        "exact": action.exact,
        "step": pool.name_of(action.step),
        "action": expression(pool, action.action),
        "points": points,
        "legendre": {
            "before": by_name(pool, names, &report.momenta_before),
            "after": by_name(pool, names, &report.momenta_after),
        },
        "euler_lagrange": equations,
        "conditions": conditions,
        "self_adjoint": zero_answer(report.self_adjoint),
        "order": report.orders.as_ref().ok().and_then(|orders| match orders.order {
            // No error is seen, which proves nothing.
            DefectOrder::Infinite => None,
            order => Some(exponent(order)),
        }),
        "order_promised": report.promised,
        "form": report.orders.as_ref().ok().and_then(|orders| orders.form).map(exponent),
        "momenta": momenta,
        "unknowns": report.unknowns,
        "impulses": report.impulses,
        "dirac": structures(system, report),
        "dirac_1": first(system, report),
    })
}

fn exponent(order: DefectOrder) -> Value {
    match order {
        DefectOrder::Exactly(power) | DefectOrder::AtLeast(power) => json!(power),
        DefectOrder::Infinite => json!("inf"),
    }
}

fn principle(principle: Principle) -> &'static str {
    match principle {
        Principle::Hamilton => "hamilton",
        Principle::HamiltonPontryagin => "hamilton-pontryagin",
        Principle::LagrangeAlembertPontryagin => "lagrange-alembert-pontryagin",
    }
}

fn pieces(report: &DiscreteReport) -> Value {
    let pool = &report.action.pool;
    let pieces = report.lagrangian.pieces.iter().enumerate();
    pieces
        .map(|(k, piece)| {
            let fraction = piece.fraction.to_string();
            match piece.action {
                Action::Own { reversed } => {
                    json!({ "fraction": fraction, "kind": "own", "reversed": reversed })
                }
                Action::Galerkin { degree, quadrature } => {
                    let (nodes, weights): (Vec<_>, Vec<_>) =
                        report.action.quadratures[k].iter().copied().unzip();
                    json!({
                        "fraction": fraction,
                        "kind": "galerkin",
                        "degree": degree,
                        "quadrature": {
                            "rule": match quadrature {
                                Quadrature::Left => "left",
                                Quadrature::Right => "right",
                                Quadrature::Gauss(_) => "gauss",
                                Quadrature::Lobatto(_) => "lobatto",
                            },
                            "points": quadrature.points(),
                            "order": report.quadrature_orders[k],
                            "nodes": list(pool, &nodes),
                            "weights": list(pool, &weights),
                        },
                    })
                }
            }
        })
        .collect()
}

fn structures(system: &System, report: &DiscreteReport) -> Value {
    let [plus, minus] = report.structures.as_slice() else { return Value::Null };
    json!({ "plus": structure(system, report, plus), "minus": structure(system, report, minus) })
}

fn structure(system: &System, report: &DiscreteReport, part: &StructurePart) -> Value {
    let pool = &report.action.pool;
    let (names, scheme) = (&system.symbols.names, &part.scheme);
    let base: Vec<String> =
        scheme.structure.base.iter().filter_map(|&s| pool.name_of(s).map(str::to_owned)).collect();
    let generators: Value = scheme
        .structure
        .generators
        .iter()
        .map(|generator| {
            json!({
                "vector": nonzero(pool, &base, &generator.vector),
                "covector": nonzero(pool, &base, &generator.covector),
            })
        })
        .collect();
    let defects = part.defects.as_ref().map(|defects| -> Value {
        let list = defects.iter().map(|defect| {
            json!({
                "fields": [defect.fields.0 + 1, defect.fields.1 + 1],
                "value": expression(pool, defect.value),
            })
        });
        list.collect()
    });
    json!({
        "side": if scheme.side == Side::Plus { "plus" } else { "minus" },
        "base": base,
        "generators": generators,
        "isotropic": zero_answer(part.isotropic),
        "rank": part.rank,
        "lagrangian": expression(pool, scheme.lagrangian),
        "momentum": by_name(pool, names, &scheme.momentum),
        "vector": list(pool, &scheme.vector),
        "covector": list(pool, &scheme.covector),
        "conditions": list(pool, &scheme.conditions),
        "form_defects": defects,
    })
}

fn first(system: &System, report: &DiscreteReport) -> Value {
    let Some(first) = &report.first else { return Value::Null };
    let pool = &report.action.pool;
    let names = &system.symbols.names;
    let mut out = Map::new();
    out.insert("is_plus_scheme_of_rectangle".into(), zero_answer(first.is_rectangle));
    let euler = first.is_symplectic_euler.map(zero_answer);
    out.insert("is_symplectic_euler".into(), json!(euler));
    let (relation, shift, difference) = match &first.relation {
        Relation::Same => ("same", Value::Null, Value::Null),
        Relation::Shifted(shift) => ("shifted", by_name(pool, names, shift), Value::Null),
        Relation::Different { coordinate, by } => {
            let difference = json!({
                "coordinate": names[*coordinate],
                "expression": expression(pool, *by),
            });
            ("different", Value::Null, difference)
        }
        Relation::InnerPoints => ("inner-points", Value::Null, Value::Null),
        Relation::Undecided => ("undecided", Value::Null, Value::Null),
    };
    out.insert("relation".into(), json!(relation));
    out.insert("shift".into(), shift);
    out.insert("difference".into(), difference);
    out.insert("constraint_differences".into(), list(pool, &first.conditions));
    Value::Object(out)
}
