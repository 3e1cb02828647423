//! The answer for programs.

use isotrope_algebra::number::field::FieldElement;
use isotrope_certify::DefectOrder;
use isotrope_construct::{Aim, Freedom, SolutionFamily, named};
use serde_json::{Map, Value, json};

use isotrope_construct::{Answer, Certified, CertifiedMethod};
use isotrope_construct::{Source, exact};

/// The object of the contract.
pub fn to_json(answer: &Answer) -> Value {
    let construction = &answer.construction;
    let wanted = answer.asked.wanted;
    let names = construction.question.unknowns.names();
    let count = |of: fn(Aim) -> bool| -> usize {
        let levels = construction.levels.iter().filter(|level| of(level.aim));
        levels.map(|level| level.equations.len()).sum()
    };
    let last = construction.reports.last();
    let ideal = construction.ideal.as_ref();
    let freedom = construction.freedom();
    let levels: Vec<Value> = construction
        .reports
        .iter()
        .map(|report| {
            let (kind, power) = match report.aim {
                Aim::Pattern => ("pattern", None),
                Aim::Order(order) => ("order", Some(order)),
                Aim::Structure(power) => ("structure", Some(power)),
            };
            json!({
                "kind": kind,
                "power": power,
                "conditions": report.conditions,
                "new": report.new.as_ref().map(Vec::len),
                "consistent": consistent(report.freedom),
                "dimension": report.freedom.dimension(),
            })
        })
        .collect();
    let contradiction: Vec<Value> = construction
        .contradiction
        .conditions
        .iter()
        .filter_map(|&(level, number)| construction.levels.get(level)?.equations.get(number))
        .map(|equation| {
            json!({
                "condition": equation.text,
                "tree": equation.tree,
                "polynomial": named(&equation.polynomial, &names),
            })
        })
        .collect();
    let patterns: Vec<&str> = answer.asked.patterns.iter().map(|p| p.name()).collect();
    let (class, problem) = match &answer.asked.source {
        Source::Class(class) => (json!(class.name()), Value::Null),
        Source::Problem(problem) => (Value::Null, json!(problem.name)),
    };
    let has_family = freedom.dimension().is_some_and(|dimension| dimension > 0);
    json!({
        "stages": wanted.stages,
        "order": wanted.order,
        "structure": wanted.structure,
        "form": wanted.form,
        "class": class,
        "problem": problem,
        "pattern": if patterns.is_empty() { "full".to_owned() } else { patterns.join(",") },
        "fixed": answer
            .asked
            .fixed
            .iter()
            .map(|(name, value)| (name.clone(), json!(value.to_string())))
            .collect::<Map<String, Value>>(),
        "unknowns": construction.question.unknowns.len(),
        "conditions": {
            "order": count(|aim| matches!(aim, Aim::Order(_))),
            "structure": count(|aim| matches!(aim, Aim::Structure(_))),
            "new": last.and_then(|report| report.new.as_ref().map(Vec::len)),
        },
        "levels": levels,
        "ideal": {
            "consistent": consistent(freedom).or((!answer.methods.is_empty()).then_some(true)),
            "dimension": freedom.dimension(),
            "basis": ideal.map(|ideal| ideal.basis().len()),
            "exact": ideal.map(|ideal| ideal.is_exact()),
            "elements": ideal.map(|ideal| {
                ideal.basis().iter().map(|g| named(g, &names)).collect::<Vec<_>>()
            }),
        },
        "contradiction": if contradiction.is_empty() { Value::Null } else { json!(contradiction) },
        "contradiction_minimal": construction.contradiction.minimal,
        "unique": (freedom != Freedom::OutOfReach).then_some(construction.is_unique()),
        "real_solutions": construction.real_solutions,
        "family": if has_family {
            json!({
                "dimension": freedom.dimension(),
                "components": construction.families.iter().map(|f| family(f, &names)).collect::<Vec<_>>(),
                "complete": construction.components.as_ref().map(|parts| parts.complete),
            })
        } else {
            Value::Null
        },
        "failure_probability": answer.asked.failure_probability.to_f64(),
        "choices": answer.choices.as_ref().map(|choices| {
            choices
                .iter()
                .map(|choice| {
                    json!({ "structure": choice.structure, "method": method(answer, &choice.method) })
                })
                .collect::<Vec<_>>()
        }),
        "combinations": answer.combinations.as_ref().map(|combinations| {
            combinations
                .found
                .iter()
                .map(|combination| {
                    let class = match &answer.asked.source {
                        Source::Class(class) => combination.structure(*class).map(exponent),
                        Source::Problem(_) => None,
                    };
                    json!({
                        "q": combination.sources[0],
                        "v": combination.sources[1],
                        "p": combination.sources[2],
                        "certified": { "order": combination.order(), "structure": class },
                    })
                })
                .collect::<Vec<_>>()
        }),
        "methods": answer.methods.iter().map(|m| method(answer, m)).collect::<Vec<_>>(),
    })
}

fn consistent(freedom: Freedom) -> Option<bool> {
    match freedom {
        Freedom::Contradiction => Some(false),
        Freedom::Dimension(_) => Some(true),
        Freedom::OutOfReach => None,
    }
}

fn family(family: &SolutionFamily, names: &[String]) -> Value {
    let name = |variable: usize| names.get(variable).cloned().unwrap_or_default();
    let parametrisation = family.parametrisation.as_ref().map(|functions| {
        functions
            .iter()
            .enumerate()
            .filter(|(variable, _)| !family.free.contains(variable))
            .map(|(variable, function)| (name(variable), json!(quotient(function, names))))
            .collect::<Map<String, Value>>()
    });
    json!({
        "dimension": family.dimension,
        "free": family.free.iter().map(|&v| name(v)).collect::<Vec<_>>(),
        "parametrisation": parametrisation,
        "equations": family.ideal.basis().iter().map(|g| named(g, names)).collect::<Vec<_>>(),
    })
}

/// A rational function with the names of its variables.
pub(super) fn quotient(
    function: &isotrope_algebra::polynomial::RationalFunction,
    names: &[String],
) -> String {
    let numerator = named(function.numerator(), names);
    if function.denominator().is_one() {
        return numerator;
    }
    let denominator = named(function.denominator(), names);
    let sum = |text: &str| text.contains(' ');
    let numerator = if sum(&numerator) { format!("({numerator})") } else { numerator };
    let product = sum(&denominator) || denominator.contains('*');
    let denominator = if product { format!("({denominator})") } else { denominator };
    format!("{numerator}/{denominator}")
}

/// Exponents: numbers, or `inf` and `>=m`.
pub(super) fn exponent(of: DefectOrder) -> Value {
    match of {
        DefectOrder::Exactly(power) => json!(power),
        DefectOrder::Infinite | DefectOrder::AtLeast(_) => json!(of.to_string()),
    }
}

fn method(answer: &Answer, method: &CertifiedMethod) -> Value {
    let solution = &method.solution;
    let field = &solution.tables.field;
    let list = |x: &Vec<FieldElement>| json!(x.iter().map(|e| exact(field, e)).collect::<Vec<_>>());
    let matrix = |x: &Vec<Vec<FieldElement>>| json!(x.iter().map(list).collect::<Vec<_>>());
    let family = answer.construction.question.unknowns.family();
    let mut object = Map::new();
    for ((colour, m), w) in
        family.colours().iter().zip(&solution.tables.matrices).zip(&solution.tables.weights)
    {
        if !m.is_empty() {
            object.insert(colour.matrix().to_owned(), matrix(m));
        }
        object.insert(colour.weights().to_owned(), list(w));
    }
    let (explicit, implicit) = match (&method.certified, &solution.shape) {
        (Certified::Table { certificate, .. }, _) => {
            let cost = certificate.cost.as_ref();
            (cost.map(|cost| cost.explicit), cost.map(|cost| cost.implicit_stages()))
        }
        (_, Some(shape)) => (Some(shape.cost() == 0), Some(shape.implicit_stages())),
        _ => (None, None),
    };
    object.insert(
        "certified".to_owned(),
        json!({
            "order": method.claims.order,
            "structure": method.claims.structure.map(exponent),
            "form": method.claims.form.map(exponent),
        }),
    );
    object.insert("cost".to_owned(), json!({ "explicit": explicit, "implicit_stages": implicit }));
    object.insert("error_constant".to_owned(), json!(solution.error_constant));
    Value::Object(object)
}
