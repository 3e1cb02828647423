//! The report for programs: names are fixed by the contract, expressions parse back.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool, print};
use isotrope_geometry::HorizontalPrimitive;
use isotrope_structure::geometry::{
    DiracReport, GeometryReport, GradedExpression, HomologicalReport, TextOf as _, TwoClassReport,
};
use isotrope_study::structure::StructureReport;
use serde_json::{Map, Value, json};

use super::Heading;
use crate::sections;

/// The report as JSON.
pub fn to_json(
    pool: &Pool,
    heading: &Heading,
    report: &GeometryReport,
    trajectories: Option<&StructureReport>,
) -> Value {
    let dirac = report.dirac.as_ref();
    let homological = report.homological.as_ref();
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    put("name", json!(heading.name));
    put("description", json!(heading.description));
    put("kind", json!(report.kind.name()));
    let names = dirac.map(|found| names(pool, &found.structure.base));
    put(
        "coordinates",
        match (&names, homological) {
            (Some(names), _) => json!(names),
            (None, Some(found)) => {
                found.coordinates.iter().map(|(name, _)| name.as_str()).collect()
            }
            (None, None) => Value::Null,
        },
    );
    put("rank", json!(dirac.map(|found| found.rank)));
    put(
        "rank_drops",
        match dirac {
            Some(found) => found.drops.iter().map(|&drop| expression(pool, drop)).collect(),
            None => Value::Null,
        },
    );
    put("rank_proved", json!(dirac.map(|found| found.rank_proved)));
    put(
        "excluded",
        match dirac {
            Some(found) => found.excluded.iter().map(|&pole| expression(pool, pole)).collect(),
            None => Value::Null,
        },
    );
    put("isotropic", dirac.map_or(Value::Null, |found| answer(found.isotropic)));
    put("courant", dirac.map_or(Value::Null, |found| courant(pool, found)));
    let tensor = dirac.and_then(|found| found.courant.as_ref());
    let undecided = tensor.map(|tensor| {
        let parts = tensor.components.iter().filter(|part| part.zero != Zero::No);
        parts.map(|part| triple(part.indices)).collect::<Vec<_>>()
    });
    put("courant_undecided", json!(undecided));
    put("courant_left_out", json!(tensor.map(|tensor| tensor.left_out)));
    put("dirac", json!(dirac.and_then(DiracReport::is_dirac)));
    put("frobenius", json!(report.frobenius));
    let generators = dirac.zip(names.as_ref()).map(|(found, names)| generators(pool, found, names));
    put("generators", json!(generators));
    put("leaf_dimension", json!(dirac.and_then(|found| found.leaf_dimension)));
    let proved = dirac.filter(|found| found.leaf_dimension.is_some());
    put("leaf_dimension_proved", json!(proved.map(|found| found.leaf_dimension_proved)));
    let casimirs = dirac.and_then(|found| found.casimirs.as_ref());
    put(
        "casimirs",
        match casimirs {
            Some(found) => found.functions.iter().map(|&f| expression(pool, f)).collect(),
            None => Value::Null,
        },
    );
    put("casimir_degree", json!(casimirs.map(|found| found.degree)));
    let kernel = dirac.and_then(|found| found.kernel.as_ref()).zip(names.as_ref());
    put(
        "kernel",
        match kernel {
            Some((rows, names)) => rows.iter().map(|row| nonzero(pool, names, row)).collect(),
            None => Value::Null,
        },
    );
    let proved = dirac.filter(|found| found.kernel.is_some());
    put("kernel_proved", json!(proved.map(|found| found.kernel_proved)));
    let class = dirac.and_then(|found| found.two_class.as_ref()).zip(names.as_ref());
    put("two_class", class.map_or(Value::Null, |(class, names)| two_class(pool, class, names)));
    put(
        "degrees",
        match homological {
            Some(found) => {
                let list = found.coordinates.iter();
                Value::Object(list.map(|(name, degree)| (name.clone(), json!(degree))).collect())
            }
            None => Value::Null,
        },
    );
    put("Q", homological.map_or(Value::Null, |found| components(pool, &found.field)));
    put("Q_squared", homological.map_or(Value::Null, |found| components(pool, &found.square)));
    put("Q_squared_undecided", json!(homological.map(|found| &found.undecided)));
    put("Q_squared_left_out", json!(homological.map(|found| found.square_left_out)));
    put("Q_squared_zero", homological.map_or(Value::Null, |found| zero(found.square_zero)));
    put("algebroid", homological.map_or(Value::Null, |found| algebroid(pool, found)));
    put("function", homological.map_or(Value::Null, |found| function(pool, found)));
    put("betti", json!(report.betti));
    put("degree", json!(homological.map(|found| found.degree)));
    let magnetic = report.magnetic.as_ref().map(|magnetic| {
        let names = self::names(pool, &magnetic.form.base);
        sections::magnetic::json(pool, &names, magnetic)
    });
    put("magnetic", magnetic.unwrap_or_default());
    put("trajectories", trajectories.map_or(Value::Null, |found| json!(found.rows)));
    put("notes", json!(report.notes));
    Value::Object(out)
}

fn expression(pool: &Pool, id: ExprId) -> Value {
    // Whatever was computed within a budget can be printed within one.
    let text = print::to_text(pool, id, &mut Budget::new(100_000_000));
    text.map_or(Value::Null, Value::String)
}

fn names(pool: &Pool, symbols: &[ExprId]) -> Vec<String> {
    symbols.iter().map(|&x| pool.label(x)).collect()
}

fn answer(zero: Zero) -> Value {
    match zero {
        Zero::Yes => json!(true),
        Zero::No => json!(false),
        Zero::Unknown { .. } => Value::Null,
    }
}

fn zero(zero: Zero) -> Value {
    json!(match zero {
        Zero::Yes => "yes",
        Zero::No => "no",
        Zero::Unknown { .. } => "unknown",
    })
}

/// Components that are not zero, keyed by the numbers of the generators from 1.
fn courant(pool: &Pool, found: &DiracReport) -> Value {
    let Some(tensor) = &found.courant else { return Value::Null };
    let parts = tensor.components.iter();
    let parts = parts.map(|part| (triple(part.indices), expression(pool, part.value)));
    Value::Object(parts.collect())
}

/// The key of a component.
fn triple(indices: [usize; 3]) -> String {
    let [a, b, c] = indices.map(|index| index + 1);
    format!("{a},{b},{c}")
}

fn nonzero(pool: &Pool, names: &[String], row: &[ExprId]) -> Value {
    let parts = row.iter().zip(names).filter(|(entry, _)| !entry.is_zero());
    Value::Object(parts.map(|(&entry, name)| (name.clone(), expression(pool, entry))).collect())
}

fn two_class(pool: &Pool, class: &TwoClassReport, names: &[String]) -> Value {
    let (primitive, conclusive) = match &class.primitive {
        HorizontalPrimitive::Found(beta) => (nonzero(pool, names, beta), Value::Null),
        HorizontalPrimitive::None { conclusive, .. } => (Value::Null, json!(conclusive)),
    };
    let periods = class
        .periods
        .iter()
        .map(|&([i, j], value)| (format!("{},{}", names[i], names[j]), expression(pool, value)));
    let periods = Value::Object(periods.collect());
    let among = match &class.primitive {
        HorizontalPrimitive::Found(_) => Value::Null,
        HorizontalPrimitive::None { .. } if class.obstructed => json!("all"),
        HorizontalPrimitive::None { conclusive: true, .. } => json!("smooth at the origin"),
        HorizontalPrimitive::None { degree, .. } => {
            json!(format!("polynomials through degree {degree}"))
        }
    };
    let singular: Vec<Value> = class.singular.iter().map(|&f| expression(pool, f)).collect();
    json!({
        "zero": answer(class.zero),
        "primitive": primitive,
        "singular": singular,
        "conclusive": conclusive,
        "none_among": among,
        "periods": periods,
    })
}

fn generators(pool: &Pool, found: &DiracReport, names: &[String]) -> Value {
    let parts = found.structure.generators.iter().zip(&found.names);
    parts
        .map(|(generator, name)| {
            json!({
                "name": name,
                "vector": nonzero(pool, names, &generator.vector),
                "covector": nonzero(pool, names, &generator.covector),
            })
        })
        .collect()
}

fn components(pool: &Pool, list: &[(String, GradedExpression)]) -> Value {
    let parts = list.iter().map(|(name, value)| (name.clone(), json!(value.text(pool))));
    Value::Object(parts.collect())
}

fn algebroid(pool: &Pool, found: &HomologicalReport) -> Value {
    let Some((anchor, bracket)) = &found.algebroid else { return Value::Null };
    let anchor: Map<String, Value> =
        anchor.iter().map(|(a, row)| (a.clone(), components(pool, row))).collect();
    let bracket: Map<String, Value> =
        bracket.iter().map(|(a, b, row)| (format!("{a},{b}"), components(pool, row))).collect();
    json!({ "anchor": anchor, "bracket": bracket })
}

fn function(pool: &Pool, found: &HomologicalReport) -> Value {
    let Some(function) = &found.function else { return Value::Null };
    json!({
        "bracket": function.bracket,
        "degree": function.degree,
        "function": function.function.text(pool),
        "square": function.square.text(pool),
        "square_zero": zero(function.square_zero),
    })
}
