//! The same for programs; every expression is text that parses back.

use isotrope_algebra::{ExprId, Pool};
use isotrope_certify::DefectOrder;
use isotrope_derive::System;
use isotrope_scheme::{Action, ConstraintForm, Principle, Quadrature, Relation, Side};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::gather::{DiscreteReport, StructurePart};
use crate::json::{
    Exponent, Expression, GeneratorRecord, Named, by_name, expression, generators, list, value,
    zero_answer,
};

/// What `isotrope derive --discrete` answers.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DiscreteRecord {
    /// The name of the model.
    name: String,
    /// The method.
    method: String,
    /// The coordinates q.
    coordinates: Vec<String>,
    /// `hamilton`, `hamilton-pontryagin` or `lagrange-alembert-pontryagin`.
    principle: &'static str,
    /// Does the action alone give the steps?
    variational: bool,
    /// Are reactions taken out by the null space of the constraints?
    null_space: bool,
    /// The parts of a step.
    pieces: Vec<PieceRecord>,
    /// Are all numbers exact?
    exact: bool,
    /// The symbol of the step.
    step: Option<String>,
    /// The discrete Lagrangian.
    action: Expression,
    /// Positions in a step.
    points: Vec<PointRecord>,
    /// Discrete Legendre transforms.
    legendre: LegendreRecord,
    /// The discrete Euler-Lagrange equations.
    euler_lagrange: Option<EulerLagrangeRecord>,
    /// The constraints of a step.
    conditions: Vec<ConditionRecord>,
    /// Is the method its own adjoint?
    self_adjoint: String,
    /// The measured order; `null` where no error is seen.
    order: Option<Exponent>,
    /// The order that theory promises.
    order_promised: Option<usize>,
    /// The order to which the 2-form is kept.
    form: Option<Exponent>,
    /// Momenta of symmetries.
    momenta: Vec<MomentumRecord>,
    /// Unknowns of a step.
    unknowns: Vec<String>,
    /// How many of them are impulses.
    impulses: usize,
    /// The discrete Dirac structures.
    dirac: Option<StructuresRecord>,
    /// Dirac-1 in this language.
    dirac_1: Option<FirstRecord>,
}

/// A part of a step.
#[derive(Debug, JsonSchema, Serialize)]
struct PieceRecord {
    /// Its length in parts of the step.
    fraction: String,
    #[serde(flatten)]
    kind: PieceKindRecord,
}

/// The discrete Lagrangian of a part.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[schemars(inline)]
enum PieceKindRecord {
    /// That of the model file.
    Own {
        /// Backwards in time?
        reversed: bool,
    },
    /// Polynomials and a quadrature.
    Galerkin {
        /// The degree of the polynomials.
        degree: usize,
        /// The quadrature.
        quadrature: QuadratureRecord,
    },
}

/// A quadrature.
#[derive(Debug, JsonSchema, Serialize)]
struct QuadratureRecord {
    /// `left`, `right`, `gauss` or `lobatto`.
    rule: &'static str,
    /// The number of points.
    points: usize,
    /// Its order.
    order: Option<usize>,
    /// Where they are.
    nodes: Vec<Expression>,
    /// Their weights.
    weights: Vec<Expression>,
}

/// A position in a step.
#[derive(Debug, JsonSchema, Serialize)]
struct PointRecord {
    /// Its symbols.
    symbols: Vec<String>,
    /// When it is reached, in parts of the step.
    at: Expression,
    /// The derivative of the action.
    derivative: Named<Expression>,
    /// The force.
    force: Named<Expression>,
    /// The reaction.
    reaction: Named<Expression>,
    /// The symbols of its impulses.
    impulses: Vec<String>,
}

/// Discrete Legendre transforms.
#[derive(Debug, JsonSchema, Serialize)]
struct LegendreRecord {
    /// Momenta at the beginning of a step.
    before: Named<Expression>,
    /// Momenta at its end.
    after: Named<Expression>,
}

/// The discrete Euler-Lagrange equations.
#[derive(Debug, JsonSchema, Serialize)]
struct EulerLagrangeRecord {
    /// The symbols of the position before.
    previous: Vec<String>,
    /// What vanishes.
    equations: Named<Expression>,
}

/// A constraint of a step.
#[derive(Debug, JsonSchema, Serialize)]
struct ConditionRecord {
    /// The constraint of the model.
    constraint: Option<String>,
    /// `position` or `velocity`.
    level: &'static str,
    /// What vanishes.
    expression: Expression,
}

/// The momentum of a symmetry.
#[derive(Debug, JsonSchema, Serialize)]
struct MomentumRecord {
    /// A short name.
    name: String,
    /// The symmetry.
    symmetry: String,
    /// The momentum.
    expression: Expression,
    /// Is the discrete Lagrangian invariant?
    invariant: String,
    /// What forces and reactions change in a step.
    change: Expression,
    /// Is it conserved?
    conserved: bool,
}

/// Both discrete Dirac structures.
#[derive(Debug, JsonSchema, Serialize)]
struct StructuresRecord {
    /// Over (q, p_next).
    plus: StructureRecord,
    /// Over (q_next, p).
    minus: StructureRecord,
}

/// A discrete Dirac structure and the scheme in it.
#[derive(Debug, JsonSchema, Serialize)]
struct StructureRecord {
    /// `plus` or `minus`.
    side: &'static str,
    /// The coordinates.
    base: Vec<String>,
    /// Sections that span it.
    generators: Vec<GeneratorRecord>,
    /// Does the pairing vanish on it?
    isotropic: String,
    /// Its rank.
    rank: Option<usize>,
    /// The discrete Lagrangian in q and v.
    lagrangian: Expression,
    /// The momentum.
    momentum: Named<Expression>,
    /// The vector of the scheme.
    vector: Vec<Expression>,
    /// Its covector.
    covector: Vec<Expression>,
    /// What vanishes when the pair is in the structure.
    conditions: Vec<Expression>,
    /// How the 2-form changes on admissible variations.
    form_defects: Option<Vec<FormDefectRecord>>,
}

/// The change of the 2-form on two fields.
#[derive(Debug, JsonSchema, Serialize)]
struct FormDefectRecord {
    /// The fields, from 1.
    fields: [usize; 2],
    /// The change.
    value: Expression,
}

/// What Dirac-1 is, and what the discrete Lagrangian has to do with it.
#[derive(Debug, JsonSchema, Serialize)]
struct FirstRecord {
    /// Is Dirac-1 the (+)-scheme of the rectangle?
    is_plus_scheme_of_rectangle: String,
    /// Is it symplectic Euler in q and p?
    is_symplectic_euler: Option<String>,
    /// `same`, `shifted`, `different`, `inner-points` or `undecided`.
    relation: &'static str,
    /// By which functions of the position momenta differ.
    shift: Option<Named<Expression>>,
    /// The first equation that differs.
    difference: Option<DifferenceRecord>,
    /// How the constraints differ.
    constraint_differences: Vec<Expression>,
}

/// An equation that differs.
#[derive(Debug, JsonSchema, Serialize)]
struct DifferenceRecord {
    /// Its coordinate.
    coordinate: String,
    /// By how much.
    expression: Expression,
}

fn symbol_names(pool: &Pool, symbols: &[ExprId]) -> Vec<String> {
    symbols.iter().filter_map(|&s| pool.name_of(s).map(str::to_owned)).collect()
}

/// The report as JSON.
pub(super) fn to_json(system: &System, report: &DiscreteReport) -> Value {
    let action = &report.action;
    let pool = &action.pool;
    let names = &system.symbols.names;
    let points = action.points.iter().enumerate().map(|(k, point)| PointRecord {
        symbols: symbol_names(pool, point),
        at: expression(pool, action.places[k]),
        derivative: by_name(pool, names, &action.derivatives[k]),
        force: by_name(pool, names, &action.forces[k]),
        reaction: by_name(pool, names, &action.reactions[k]),
        impulses: symbol_names(pool, &action.impulses[k]),
    });
    let equations = report.euler_lagrange.as_ref().map(|equations| EulerLagrangeRecord {
        previous: symbol_names(pool, &action.previous),
        equations: by_name(pool, names, equations),
    });
    let rows = system.mechanics.lagrangian().map_or(&[][..], |all| &all.rows.names);
    let conditions = action.conditions.iter().map(|condition| ConditionRecord {
        constraint: rows.get(condition.row).cloned(),
        level: if condition.on_position { "position" } else { "velocity" },
        expression: expression(pool, condition.value),
    });
    let momenta = report.momenta.iter().map(|momentum| MomentumRecord {
        name: momentum.name.clone(),
        symmetry: momentum.motion.clone(),
        expression: expression(pool, momentum.expression),
        invariant: zero_answer(momentum.invariant),
        change: expression(pool, momentum.push),
        conserved: momentum.is_conserved(),
    });
    value(&DiscreteRecord {
        name: system.model.name.clone(),
        method: report.method.clone(),
        coordinates: names.clone(),
        principle: principle(report.lagrangian.principle),
        variational: report.is_variational(),
        null_space: report.lagrangian.form == ConstraintForm::NullSpace,
        pieces: pieces(report),
        exact: action.exact,
        step: pool.name_of(action.step).map(str::to_owned),
        action: expression(pool, action.action),
        points: points.collect(),
        legendre: LegendreRecord {
            before: by_name(pool, names, &report.momenta_before),
            after: by_name(pool, names, &report.momenta_after),
        },
        euler_lagrange: equations,
        conditions: conditions.collect(),
        self_adjoint: zero_answer(report.self_adjoint),
        order: report.orders.as_ref().ok().and_then(|orders| match orders.order {
            // No error is seen, which proves nothing.
            DefectOrder::Infinite => None,
            order => Some(exponent(order)),
        }),
        order_promised: report.promised,
        form: report.orders.as_ref().ok().and_then(|orders| orders.form).map(exponent),
        momenta: momenta.collect(),
        unknowns: report.unknowns.clone(),
        impulses: report.impulses,
        dirac: structures(system, report),
        dirac_1: first(system, report),
    })
}

/// Bounds from below are written as numbers here.
fn exponent(order: DefectOrder) -> Exponent {
    match order {
        DefectOrder::Exactly(power) | DefectOrder::AtLeast(power) => Exponent::Power(power as u64),
        DefectOrder::Infinite => Exponent::Bound("inf".to_owned()),
    }
}

fn principle(principle: Principle) -> &'static str {
    match principle {
        Principle::Hamilton => "hamilton",
        Principle::HamiltonPontryagin => "hamilton-pontryagin",
        Principle::LagrangeAlembertPontryagin => "lagrange-alembert-pontryagin",
    }
}

fn pieces(report: &DiscreteReport) -> Vec<PieceRecord> {
    let pool = &report.action.pool;
    let kind = |k: usize, action: &Action| match *action {
        Action::Own { reversed } => PieceKindRecord::Own { reversed },
        Action::Galerkin { degree, quadrature } => {
            let (nodes, weights): (Vec<_>, Vec<_>) =
                report.action.quadratures[k].iter().copied().unzip();
            let quadrature = QuadratureRecord {
                rule: match quadrature {
                    Quadrature::Left => "left",
                    Quadrature::Right => "right",
                    Quadrature::Gauss(_) => "gauss",
                    Quadrature::Lobatto(_) => "lobatto",
                },
                points: quadrature.points(),
                order: report.quadrature_orders[k],
                nodes: list(pool, &nodes),
                weights: list(pool, &weights),
            };
            PieceKindRecord::Galerkin { degree, quadrature }
        }
    };
    let pieces = report.lagrangian.pieces.iter().enumerate();
    pieces
        .map(|(k, piece)| PieceRecord {
            fraction: piece.fraction.to_string(),
            kind: kind(k, &piece.action),
        })
        .collect()
}

fn structures(system: &System, report: &DiscreteReport) -> Option<StructuresRecord> {
    let [plus, minus] = report.structures.as_slice() else { return None };
    Some(StructuresRecord {
        plus: structure(system, report, plus),
        minus: structure(system, report, minus),
    })
}

fn structure(system: &System, report: &DiscreteReport, part: &StructurePart) -> StructureRecord {
    let pool = &report.action.pool;
    let (names, scheme) = (&system.symbols.names, &part.scheme);
    let base = symbol_names(pool, &scheme.structure.base);
    let defects = part.defects.as_ref().map(|defects| {
        let record = |defect: &isotrope_scheme::FormDefect| FormDefectRecord {
            fields: [defect.fields.0 + 1, defect.fields.1 + 1],
            value: expression(pool, defect.value),
        };
        defects.iter().map(record).collect()
    });
    StructureRecord {
        side: if scheme.side == Side::Plus { "plus" } else { "minus" },
        generators: generators(pool, &base, &scheme.structure),
        base,
        isotropic: zero_answer(part.isotropic),
        rank: part.rank,
        lagrangian: expression(pool, scheme.lagrangian),
        momentum: by_name(pool, names, &scheme.momentum),
        vector: list(pool, &scheme.vector),
        covector: list(pool, &scheme.covector),
        conditions: list(pool, &scheme.conditions),
        form_defects: defects,
    }
}

fn first(system: &System, report: &DiscreteReport) -> Option<FirstRecord> {
    let first = report.first.as_ref()?;
    let pool = &report.action.pool;
    let names = &system.symbols.names;
    let (relation, shift, difference) = match &first.relation {
        Relation::Same => ("same", None, None),
        Relation::Shifted(shift) => ("shifted", Some(by_name(pool, names, shift)), None),
        Relation::Different { coordinate, by } => {
            let difference = DifferenceRecord {
                coordinate: names[*coordinate].clone(),
                expression: expression(pool, *by),
            };
            ("different", None, Some(difference))
        }
        Relation::InnerPoints => ("inner-points", None, None),
        Relation::Undecided => ("undecided", None, None),
    };
    Some(FirstRecord {
        is_plus_scheme_of_rectangle: zero_answer(first.is_rectangle),
        is_symplectic_euler: first.is_symplectic_euler.map(zero_answer),
        relation,
        shift,
        difference,
        constraint_differences: list(pool, &first.conditions),
    })
}
