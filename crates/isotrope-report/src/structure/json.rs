//! The report for programs: names are fixed by the contract, expressions parse back.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool, print};
use isotrope_geometry::HorizontalPrimitive;
use isotrope_structure::geometry::{
    DiracReport, FunctionReport, GeometryReport, GradedExpression, HomologicalReport, TextOf as _,
    TwoClassReport,
};
use isotrope_study::structure::{StructureReport, StructureRow};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::Heading;
use crate::json::{Expression, Named, value};
use crate::sections::magnetic::{self, MagneticRecord};

/// What `isotrope geometry` answers. What does not apply to the kind of object is `null`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct GeometryRecord {
    /// The name.
    name: String,
    /// What its author says about it.
    description: Option<String>,
    /// The kind of object.
    kind: &'static str,
    /// The coordinates.
    coordinates: Option<Vec<String>>,
    /// The generic rank.
    rank: Option<usize>,
    /// Where one of these vanishes the rank may be smaller.
    rank_drops: Option<Vec<Expression>>,
    /// Is the rank proved?
    rank_proved: Option<bool>,
    /// Where one of these vanishes the structure is not defined.
    excluded: Option<Vec<Expression>>,
    /// Does the pairing vanish? `null`: not decided.
    isotropic: Option<bool>,
    /// Components of the Courant tensor that are not zero, by generators from 1: `"1,2,3"`.
    courant: Option<Named<Expression>>,
    /// Those of them that may be zero.
    courant_undecided: Option<Vec<String>>,
    /// How many components were not computed.
    courant_left_out: Option<usize>,
    /// Is it a Dirac structure? Not of a model with affine constraints. `null`: not decided.
    dirac: Option<bool>,
    /// Does the distribution integrate?
    frobenius: Option<bool>,
    /// Sections that span the structure.
    generators: Option<Vec<NamedGeneratorRecord>>,
    /// The dimension of generic leaves.
    leaf_dimension: Option<usize>,
    /// Is it proved?
    leaf_dimension_proved: Option<bool>,
    /// Functions that are constant on leaves.
    casimirs: Option<Vec<Expression>>,
    /// The degree up to which they were searched.
    casimir_degree: Option<u32>,
    /// Vectors in the kernel.
    kernel: Option<Vec<Named<Expression>>>,
    /// Is that all of it?
    kernel_proved: Option<bool>,
    /// The class of the 2-form along leaves.
    two_class: Option<TwoClassRecord>,
    /// Degrees of graded coordinates.
    degrees: Option<Named<i32>>,
    /// The homological field.
    #[serde(rename = "Q")]
    field: Option<Named<String>>,
    /// Its square.
    #[serde(rename = "Q_squared")]
    square: Option<Named<String>>,
    /// Components of the square that may be zero.
    #[serde(rename = "Q_squared_undecided")]
    square_undecided: Option<Vec<String>>,
    /// How many components were not computed.
    #[serde(rename = "Q_squared_left_out")]
    square_left_out: Option<usize>,
    /// `yes`, `no` or `unknown`.
    #[serde(rename = "Q_squared_zero")]
    square_zero: Option<&'static str>,
    /// Anchor and bracket.
    algebroid: Option<AlgebroidRecord>,
    /// The function whose bracket the field is.
    function: Option<FunctionRecord>,
    /// Betti numbers of the complex.
    betti: Option<Vec<usize>>,
    /// The degree of the homological field.
    degree: Option<i32>,
    /// The magnetic 2-form of a model.
    magnetic: Option<MagneticRecord>,
    /// How far steps of methods are from the structure of a model.
    trajectories: Option<Vec<StructureRow>>,
    /// What the reader should know.
    notes: Vec<String>,
}

/// A section of a structure.
#[derive(Debug, JsonSchema, Serialize)]
struct NamedGeneratorRecord {
    /// How it is called.
    name: String,
    /// The components of the vector that are not zero.
    vector: Named<Expression>,
    /// Those of the covector.
    covector: Named<Expression>,
}

/// The class of a 2-form along leaves.
#[derive(Debug, JsonSchema, Serialize)]
struct TwoClassRecord {
    /// Does the class vanish? `null`: not decided.
    zero: Option<bool>,
    /// Is the form itself zero? `null`: not decided.
    form_zero: Option<bool>,
    /// A horizontal primitive.
    primitive: Option<Named<Expression>>,
    /// Where one of these vanishes it has no value.
    singular: Vec<Expression>,
    /// Does the search prove that there is none?
    conclusive: Option<bool>,
    /// Among which primitives none was found.
    none_among: Option<String>,
    /// Periods over tori, by pairs of coordinates.
    periods: Named<Expression>,
}

/// A Lie algebroid.
#[derive(Debug, JsonSchema, Serialize)]
struct AlgebroidRecord {
    /// Fields of the generators.
    anchor: Named<Named<String>>,
    /// Brackets of pairs of them.
    bracket: Named<Named<String>>,
}

/// A function with a bracket.
#[derive(Debug, JsonSchema, Serialize)]
struct FunctionRecord {
    /// The n of its bracket {·,·}_n.
    bracket: i32,
    /// The degree of the function; `null` for zero.
    degree: Option<i32>,
    /// The function.
    function: String,
    /// Its bracket with itself.
    square: String,
    /// `yes`, `no` or `unknown`.
    square_zero: &'static str,
}

/// The report as JSON.
pub fn to_json(
    pool: &Pool,
    heading: &Heading,
    report: &GeometryReport,
    trajectories: Option<&StructureReport>,
) -> Value {
    let dirac = report.dirac.as_ref();
    let homological = report.homological.as_ref();
    let names = dirac.map(|found| names(pool, &found.structure.base));
    let coordinates = match (&names, homological) {
        (Some(names), _) => Some(names.clone()),
        (None, Some(found)) => {
            Some(found.coordinates.iter().map(|(name, _)| name.clone()).collect())
        }
        (None, None) => None,
    };
    let tensor = dirac.and_then(|found| found.courant.as_ref());
    let casimirs = dirac.and_then(|found| found.casimirs.as_ref());
    let leaves = dirac.filter(|found| found.leaf_dimension.is_some());
    let with_kernel = dirac.filter(|found| found.kernel.is_some());
    let kernel = dirac.and_then(|found| found.kernel.as_ref()).zip(names.as_ref());
    let class = dirac.and_then(|found| found.two_class.as_ref()).zip(names.as_ref());
    let record = GeometryRecord {
        name: heading.name.clone(),
        description: heading.description.clone(),
        kind: report.kind.name(),
        coordinates,
        rank: dirac.map(|found| found.rank),
        rank_drops: dirac.map(|found| list(pool, &found.drops)),
        rank_proved: dirac.map(|found| found.rank_proved),
        excluded: dirac.map(|found| list(pool, &found.excluded)),
        isotropic: dirac.and_then(|found| answer(found.isotropic)),
        courant: tensor.map(|tensor| {
            let parts = tensor.components.iter();
            parts.map(|part| (triple(part.indices), expression(pool, part.value))).collect()
        }),
        courant_undecided: tensor.map(|tensor| {
            let parts = tensor.components.iter().filter(|part| part.zero != Zero::No);
            parts.map(|part| triple(part.indices)).collect()
        }),
        courant_left_out: tensor.map(|tensor| tensor.left_out),
        dirac: dirac.and_then(DiracReport::is_dirac),
        frobenius: report.frobenius,
        generators: dirac.zip(names.as_ref()).map(|(found, names)| generators(pool, found, names)),
        leaf_dimension: dirac.and_then(|found| found.leaf_dimension),
        leaf_dimension_proved: leaves.map(|found| found.leaf_dimension_proved),
        casimirs: casimirs.map(|found| list(pool, &found.functions)),
        casimir_degree: casimirs.map(|found| found.degree),
        kernel: kernel
            .map(|(rows, names)| rows.iter().map(|row| nonzero(pool, names, row)).collect()),
        kernel_proved: with_kernel.map(|found| found.kernel_proved),
        two_class: class.map(|(class, names)| two_class(pool, class, names)),
        degrees: homological.map(|found| found.coordinates.iter().cloned().collect()),
        field: homological.map(|found| components(pool, &found.field)),
        square: homological.map(|found| components(pool, &found.square)),
        square_undecided: homological.map(|found| found.undecided.clone()),
        square_left_out: homological.map(|found| found.square_left_out),
        square_zero: homological.map(|found| zero(found.square_zero)),
        algebroid: homological.and_then(|found| algebroid(pool, found)),
        function: homological
            .and_then(|found| found.function.as_ref())
            .map(|found| function(pool, found)),
        betti: report.betti.clone(),
        degree: homological.map(|found| found.degree),
        magnetic: report.magnetic.as_ref().map(|magnetic| {
            let names = self::names(pool, &magnetic.form.base);
            magnetic::record(pool, &names, magnetic)
        }),
        trajectories: trajectories.map(|found| found.rows.clone()),
        notes: report.notes.clone(),
    };
    value(&record)
}

fn expression(pool: &Pool, id: ExprId) -> Expression {
    // Whatever was computed within a budget can be printed within one.
    print::to_text(pool, id, &mut Budget::new(100_000_000)).ok()
}

fn list(pool: &Pool, ids: &[ExprId]) -> Vec<Expression> {
    ids.iter().map(|&id| expression(pool, id)).collect()
}

fn names(pool: &Pool, symbols: &[ExprId]) -> Vec<String> {
    symbols.iter().map(|&x| pool.label(x)).collect()
}

fn answer(zero: Zero) -> Option<bool> {
    match zero {
        Zero::Yes => Some(true),
        Zero::No => Some(false),
        Zero::Unknown { .. } => None,
    }
}

/// `yes`, `no` or `unknown`.
pub(crate) fn zero(zero: Zero) -> &'static str {
    match zero {
        Zero::Yes => "yes",
        Zero::No => "no",
        Zero::Unknown { .. } => "unknown",
    }
}

/// The key of a component, by the numbers of the generators from 1.
pub(crate) fn triple(indices: [usize; 3]) -> String {
    let [a, b, c] = indices.map(|index| index + 1);
    format!("{a},{b},{c}")
}

fn nonzero(pool: &Pool, names: &[String], row: &[ExprId]) -> Named<Expression> {
    let parts = row.iter().zip(names).filter(|(entry, _)| !entry.is_zero());
    parts.map(|(&entry, name)| (name.clone(), expression(pool, entry))).collect()
}

fn two_class(pool: &Pool, class: &TwoClassReport, names: &[String]) -> TwoClassRecord {
    let (primitive, conclusive, none_among) = match &class.primitive {
        HorizontalPrimitive::Found(beta) => (Some(nonzero(pool, names, beta)), None, None),
        HorizontalPrimitive::None { conclusive, degree } => {
            let among = if class.obstructed {
                "all".to_owned()
            } else if *conclusive {
                "smooth at the origin".to_owned()
            } else {
                format!("polynomials through degree {degree}")
            };
            (None, Some(*conclusive), Some(among))
        }
    };
    let periods = class
        .periods
        .iter()
        .map(|&([i, j], value)| (format!("{},{}", names[i], names[j]), expression(pool, value)));
    TwoClassRecord {
        zero: answer(class.zero),
        form_zero: answer(class.form_zero),
        primitive,
        singular: list(pool, &class.singular),
        conclusive,
        none_among,
        periods: periods.collect(),
    }
}

fn generators(pool: &Pool, found: &DiracReport, names: &[String]) -> Vec<NamedGeneratorRecord> {
    let parts = found.structure.generators.iter().zip(&found.names);
    parts
        .map(|(generator, name)| NamedGeneratorRecord {
            name: name.clone(),
            vector: nonzero(pool, names, &generator.vector),
            covector: nonzero(pool, names, &generator.covector),
        })
        .collect()
}

/// Components of a graded field.
pub(crate) fn components(pool: &Pool, list: &[(String, GradedExpression)]) -> Named<String> {
    list.iter().map(|(name, value)| (name.clone(), value.text(pool))).collect()
}

fn algebroid(pool: &Pool, found: &HomologicalReport) -> Option<AlgebroidRecord> {
    let (anchor, bracket) = found.algebroid.as_ref()?;
    Some(AlgebroidRecord {
        anchor: anchor.iter().map(|(a, row)| (a.clone(), components(pool, row))).collect(),
        bracket: bracket
            .iter()
            .map(|(a, b, row)| (format!("{a},{b}"), components(pool, row)))
            .collect(),
    })
}

fn function(pool: &Pool, function: &FunctionReport) -> FunctionRecord {
    FunctionRecord {
        bracket: function.bracket,
        degree: function.degree,
        function: function.function.text(pool),
        square: function.square.text(pool),
        square_zero: zero(function.square_zero),
    }
}
