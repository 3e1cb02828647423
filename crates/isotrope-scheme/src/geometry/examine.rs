//! From an object to what is known of it.

use isotrope_algebra::linear::{LinearError, Matrix};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::syntax::Span;
use isotrope_algebra::{Budget, ExprId, Pool, Rational};
use isotrope_geometry::graded::{
    Coordinates, Element, Expressions, GradedAlgebra, GradedField, Polynomials, betti_numbers,
    bivector_function, chevalley_eilenberg, poisson_field, shifted_cotangent,
};
use isotrope_geometry::{DiracStructure, Distribution, Involutivity, frobenius};

use super::dirac::dirac_report;
use super::file::{GeometryFile, GeometryObject};
use super::graded::{AsExpression, expression, graded_report};
use super::{GeometryError, GeometryReport, HomologicalReport, ObjectKind};
use crate::derive::{Analysis, Mechanics, System};

/// Lie algebras of larger dimension get no Betti numbers: the complex has 2^n elements.
const LARGEST_COMPLEX: usize = 14;

fn empty(kind: ObjectKind) -> GeometryReport {
    GeometryReport {
        kind,
        dirac: None,
        frobenius: None,
        homological: None,
        betti: None,
        magnetic: None,
        notes: Vec::new(),
    }
}

/// Computes what there is to know of the object of a file.
pub fn examine(
    file: &mut GeometryFile,
    budget: &mut Budget,
) -> Result<GeometryReport, GeometryError> {
    let pool = &mut file.pool;
    match &file.object {
        GeometryObject::Bivector { base, matrix } => bivector(pool, base, matrix, budget),
        GeometryObject::TwoForm { base, matrix } => {
            let structure = DiracStructure::graph_of_two_form(base, matrix);
            let mut report = empty(ObjectKind::TwoForm);
            let names = names_of(pool, base).iter().map(|name| format!("∂{name}")).collect();
            let notes = &mut report.notes;
            report.dirac = Some(dirac_report(pool, structure, names, notes, budget)?);
            Ok(report)
        }
        GeometryObject::Distribution { base, names, forms, form, place } => {
            distribution(pool, base, names, forms, form.as_ref(), *place, budget)
        }
        GeometryObject::Dirac { names, structure } => {
            let mut report = empty(ObjectKind::Dirac);
            let (structure, names) = (structure.clone(), names.clone());
            let notes = &mut report.notes;
            report.dirac = Some(dirac_report(pool, structure, names, notes, budget)?);
            Ok(report)
        }
        GeometryObject::LieAlgebra { basis, constants } => {
            lie_algebra(pool, basis, constants, budget)
        }
        GeometryObject::Graded(object) => {
            let mut report = empty(ObjectKind::Graded);
            report.homological = Some(graded_report(pool, object, budget)?);
            Ok(report)
        }
    }
}

fn names_of(pool: &Pool, symbols: &[ExprId]) -> Vec<String> {
    symbols.iter().map(|&x| pool.name_of(x).unwrap_or_default().to_owned()).collect()
}

fn bivector(
    pool: &mut Pool,
    base: &[ExprId],
    matrix: &Matrix,
    budget: &mut Budget,
) -> Result<GeometryReport, GeometryError> {
    let mut report = empty(ObjectKind::Bivector);
    let names = names_of(pool, base);
    let structure = DiracStructure::graph_of_bivector(base, matrix);
    let covectors = names.iter().map(|name| format!("d{name}")).collect();
    report.dirac = Some(dirac_report(pool, structure, covectors, &mut report.notes, budget)?);
    let momenta: Vec<String> = names.iter().map(|name| format!("p_{name}")).collect();
    let graded = |error| GeometryError::Graded { span: Span::default(), error };
    let coefficients = Expressions { pool, base: base.to_vec() };
    let part = Budget::new(budget.left() / 2);
    let algebra = shifted_cotangent(&names, &momenta, coefficients, part);
    let mut algebra = algebra.map_err(graded)?;
    let mut rows = Vec::with_capacity(names.len());
    for i in 0..matrix.rows() {
        let entries = matrix
            .row(i)
            .iter()
            .map(|&entry| if entry.is_zero() { Element::zero() } else { algebra.scalar(entry) });
        rows.push(entries.collect::<Vec<_>>());
    }
    let function = bivector_function(&mut algebra, &rows).map_err(graded)?;
    let q = poisson_field(&mut algebra, &function).map_err(graded)?;
    let square = algebra.square(&q).map_err(graded)?;
    let square_zero = algebra.field_zero_test(&square);
    let parts: Vec<_> =
        square.components().iter().map(|part| algebra.without_zeros(part)).collect();
    let coordinates = algebra.coordinates().clone();
    budget.spend(algebra.budget.spent().min(budget.left()), "computing a homological field")?;
    report.homological =
        Some(homological(pool, &coordinates, &q, square_zero, &parts, false, budget));
    Ok(report)
}

fn homological<V: AsExpression>(
    pool: &mut Pool,
    coordinates: &Coordinates,
    q: &GradedField<V>,
    square_zero: Zero,
    square: &[Element<V>],
    polynomial: bool,
    budget: &mut Budget,
) -> HomologicalReport {
    let mut named = |list: &[Element<V>]| {
        let parts = list.iter().enumerate().filter(|(_, part)| !part.is_empty());
        parts
            .map(|(index, part)| {
                let name = coordinates.name(index).to_owned();
                (name, expression(pool, coordinates, part, budget))
            })
            .collect::<Vec<_>>()
    };
    let names = coordinates.names().iter().cloned();
    HomologicalReport {
        coordinates: names.zip(coordinates.degrees().iter().copied()).collect(),
        degree: q.degree(),
        field: named(q.components()),
        square_zero,
        square: named(square),
        algebroid: None,
        function: None,
        polynomial,
    }
}

fn distribution(
    pool: &mut Pool,
    base: &[ExprId],
    names: &[String],
    forms: &[Vec<ExprId>],
    form: Option<&Matrix>,
    span: Span,
    budget: &mut Budget,
) -> Result<GeometryReport, GeometryError> {
    let mut report = empty(ObjectKind::Distribution);
    let distribution = match Distribution::from_forms(pool, base, forms, budget) {
        Ok(distribution) => distribution,
        Err(LinearError::Singular { rank }) => {
            return Err(GeometryError::Dependent { span, given: forms.len(), rank });
        }
        Err(error) => return Err(error.into()),
    };
    report.frobenius = match frobenius(pool, &distribution, budget)? {
        Involutivity::Integrable => Some(true),
        Involutivity::NotIntegrable(_) => Some(false),
        Involutivity::Undecided { .. } => None,
    };
    let zero = Matrix::zero(base.len(), base.len());
    let structure = DiracStructure::of_distribution(pool, &distribution, form.unwrap_or(&zero));
    let fields = (1..=distribution.rank()).map(|i| format!("X{i}"));
    let names = fields.chain(names.iter().cloned()).collect();
    report.dirac = Some(dirac_report(pool, structure, names, &mut report.notes, budget)?);
    Ok(report)
}

fn lie_algebra(
    pool: &mut Pool,
    basis: &[String],
    constants: &[Vec<Vec<Rational>>],
    budget: &mut Budget,
) -> Result<GeometryReport, GeometryError> {
    let mut report = empty(ObjectKind::LieAlgebra);
    let graded = |error| GeometryError::Graded { span: Span::default(), error };
    let list = basis.iter().map(|name| (name.clone(), 1));
    let algebra = GradedAlgebra::new(list, Polynomials, Budget::new(budget.left() / 2));
    let mut algebra = algebra.map_err(graded)?;
    let q = chevalley_eilenberg(&mut algebra, constants).map_err(graded)?;
    let square = algebra.square(&q).map_err(graded)?;
    let zero = algebra.field_zero_test(&square);
    let coordinates = algebra.coordinates().clone();
    report.homological =
        Some(homological(pool, &coordinates, &q, zero, square.components(), true, budget));
    if basis.len() > LARGEST_COMPLEX {
        report.notes.push(format!("Betti numbers: more than {LARGEST_COMPLEX} dimensions"));
    } else {
        report.betti = betti_numbers(&mut algebra, &q).map_err(graded)?;
    }
    budget.spend(algebra.budget.spent().min(budget.left()), "computing cohomology")?;
    // The Lie-Poisson structure on the dual: D^ij = c_ij^k e_k.
    let base: Vec<ExprId> = basis.iter().map(|name| pool.symbol(name)).collect();
    let mut matrix = Matrix::zero(base.len(), base.len());
    for (i, rows) in constants.iter().enumerate() {
        for (j, row) in rows.iter().enumerate() {
            let parts: Vec<(Rational, ExprId)> =
                row.iter().cloned().zip(base.iter().copied()).collect();
            let value = pool.linear_combination(&parts);
            matrix.set(i, j, value);
        }
    }
    let structure = DiracStructure::graph_of_bivector(&base, &matrix);
    let names = basis.iter().map(|name| format!("d{name}")).collect();
    report.dirac = Some(dirac_report(pool, structure, names, &mut report.notes, budget)?);
    Ok(report)
}

/// The structure `D_Delta` that the constraints of a model induce on its cotangent bundle.
pub fn examine_model(
    system: &mut System,
    analysis: &Analysis,
    budget: &mut Budget,
) -> Result<GeometryReport, GeometryError> {
    let mut report = empty(ObjectKind::Model);
    if matches!(system.mechanics, Mechanics::Group(_)) {
        return Err(GeometryError::Group);
    }
    let Some(structure) = analysis.dirac.clone() else {
        return Err(GeometryError::Model(
            "the structure of this model is not computed: its constraints are not linear in the velocities, or it has too many coordinates",
        ));
    };
    report.frobenius = analysis.distribution.integrable;
    report.magnetic.clone_from(&system.magnetic);
    let pool = &mut system.model.pool;
    let n = structure.base.len() / 2;
    let momenta = names_of(pool, &structure.base[n..]);
    let constraints: Vec<String> =
        system.model.constraints.iter().map(|constraint| constraint.name.clone()).collect();
    let fields = structure.generators.len().saturating_sub(n + constraints.len());
    let names = (1..=fields)
        .map(|i| format!("X{i}"))
        .chain(momenta.iter().map(|name| format!("∂{name}")))
        .chain(constraints)
        .collect();
    report.dirac = Some(dirac_report(pool, structure, names, &mut report.notes, budget)?);
    Ok(report)
}
