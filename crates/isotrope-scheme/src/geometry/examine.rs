//! From an object to what is known of it.

use std::collections::BTreeSet;

use isotrope_algebra::linear::{LinearError, Matrix};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::syntax::Span;
use isotrope_algebra::{Budget, ExprId, Pool, Rational};
use isotrope_geometry::graded::{
    Coordinates, Element, Expressions, GradedAlgebra, GradedError, GradedField, Polynomials,
    betti_numbers, bivector_function, chevalley_eilenberg, poisson_field, shifted_cotangent,
};
use isotrope_geometry::{
    DiracStructure, Distribution, HorizontalPrimitive, Involutivity, frobenius,
};

use super::dirac::{Frame, dirac_report};
use super::file::{GeometryFile, GeometryObject, Transform};
use super::graded::{AsExpression, expression, graded_report};
use super::{DiracReport, GeometryError, GeometryReport, HomologicalReport, ObjectKind};
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
    if !file.transforms.is_empty()
        && let Some(structure) = structure_of(pool, &file.object, budget)?
    {
        return transformed(pool, structure, &file.transforms, budget);
    }
    match &file.object {
        GeometryObject::Bivector { base, matrix } => bivector(pool, base, matrix, budget),
        GeometryObject::TwoForm { base, matrix, periods } => {
            let structure = DiracStructure::graph_of_two_form(base, matrix);
            let mut report = empty(ObjectKind::TwoForm);
            let names = names_of(pool, base).iter().map(|name| format!("∂{name}")).collect();
            let notes = &mut report.notes;
            let mut found = dirac_report(pool, structure, names, Frame::Given, notes, budget)?;
            over_circles(pool, &mut found, matrix, periods, budget);
            report.dirac = Some(found);
            Ok(report)
        }
        GeometryObject::Distribution { base, names, forms, form, place } => {
            distribution(pool, base, names, forms, form.as_ref(), *place, budget)
        }
        GeometryObject::Dirac { names, structure } => {
            let mut report = empty(ObjectKind::Dirac);
            let (structure, names) = (structure.clone(), names.clone());
            let notes = &mut report.notes;
            report.dirac = Some(dirac_report(pool, structure, names, Frame::Given, notes, budget)?);
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

/// The Dirac structure that an object is or has.
fn structure_of(
    pool: &mut Pool,
    object: &GeometryObject,
    budget: &mut Budget,
) -> Result<Option<DiracStructure>, GeometryError> {
    Ok(match object {
        GeometryObject::Bivector { base, matrix } => {
            Some(DiracStructure::graph_of_bivector(base, matrix))
        }
        GeometryObject::TwoForm { base, matrix, .. } => {
            Some(DiracStructure::graph_of_two_form(base, matrix))
        }
        GeometryObject::Distribution { base, forms, form, .. } => {
            let distribution = Distribution::from_forms(pool, base, forms, budget)?;
            let zero = Matrix::zero(base.len(), base.len());
            let form = form.as_ref().unwrap_or(&zero);
            Some(DiracStructure::of_distribution(pool, &distribution, form))
        }
        GeometryObject::Dirac { structure, .. } => Some(structure.clone()),
        GeometryObject::LieAlgebra { .. } | GeometryObject::Graded(_) => None,
    })
}

/// A structure after gauge transforms and along maps.
fn transformed(
    pool: &mut Pool,
    mut structure: DiracStructure,
    transforms: &[Transform],
    budget: &mut Budget,
) -> Result<GeometryReport, GeometryError> {
    let mut report = empty(ObjectKind::Dirac);
    for transform in transforms {
        structure = match transform {
            Transform::Gauge(form) => structure.gauge_transformed(pool, form),
            Transform::Pullback { source, images } => {
                structure.backward_image(pool, source, images, budget)?
            }
            Transform::Pushforward { target, images, section } => {
                report.notes.push(
                    "The forward image is that of the points of the section; it is the same for every \
                     section if the structure is invariant along the fibres."
                        .to_owned(),
                );
                structure.forward_image(pool, target, images, section, budget)?
            }
        };
        for generator in &mut structure.generators {
            for entry in generator.vector.iter_mut().chain(&mut generator.covector) {
                *entry = isotrope_algebra::normal::simplify(pool, *entry, budget);
            }
        }
    }
    let names = (1..=structure.generators.len()).map(|k| format!("e{k}")).collect();
    let notes = &mut report.notes;
    report.dirac = Some(dirac_report(pool, structure, names, Frame::Given, notes, budget)?);
    Ok(report)
}

/// Integrals of a closed form over the tori of two periodic coordinates, where they are elementary.
/// One that is not zero is the obstruction to every primitive; and a primitive has to be periodic.
fn over_circles(
    pool: &mut Pool,
    found: &mut DiracReport,
    form: &Matrix,
    periods: &[(usize, ExprId)],
    budget: &mut Budget,
) {
    let Some(class) = &mut found.two_class else { return };
    let circles: Vec<ExprId> = periods.iter().map(|&(at, _)| found.structure.base[at]).collect();
    let mut obstructed = false;
    for (k, &(i, first)) in periods.iter().enumerate() {
        for &(j, second) in &periods[k + 1..] {
            let entry = form.get(i, j);
            if pool.depends_on(entry, &circles) {
                continue;
            }
            let value = pool.product(&[entry, first, second]);
            let value = isotrope_algebra::normal::simplify(pool, value, budget);
            obstructed |= isotrope_algebra::normal::is_zero(pool, value, budget) == Zero::No;
            class.periods.push(([i, j], value));
        }
    }
    let wound = match &class.primitive {
        HorizontalPrimitive::Found(beta) => beta.iter().any(|&b| pool.depends_on(b, &circles)),
        HorizontalPrimitive::None { .. } => !periods.is_empty(),
    };
    if obstructed {
        class.primitive = HorizontalPrimitive::None { degree: 0, conclusive: true };
    } else if wound {
        // Polynomials of a periodic coordinate are not periodic; other functions were not tried.
        class.primitive = HorizontalPrimitive::None { degree: 0, conclusive: false };
    }
}

fn as_matrix(rows: &[Vec<ExprId>]) -> Matrix {
    let mut matrix = Matrix::zero(rows.len(), rows.len());
    for (i, row) in rows.iter().enumerate() {
        for (j, &value) in row.iter().enumerate() {
            matrix.set(i, j, value);
        }
    }
    matrix
}

fn names_of(pool: &Pool, symbols: &[ExprId]) -> Vec<String> {
    symbols.iter().map(|&x| pool.name_of(x).unwrap_or_default().to_owned()).collect()
}

/// A name `p_x` for the coordinate beside `x` that means nothing else.
fn fresh(taken: &mut BTreeSet<String>, name: &str) -> String {
    let mut momentum = format!("p_{name}");
    while !taken.insert(momentum.clone()) {
        momentum.push('_');
    }
    momentum
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
    report.dirac =
        Some(dirac_report(pool, structure, covectors, Frame::Given, &mut report.notes, budget)?);
    report.homological = Some(homological_of_bivector(pool, base, matrix, budget)?);
    Ok(report)
}

/// The field `Q = -{D, .}` of a bivector on the shifted cotangent bundle, and its square.
pub(crate) fn homological_of_bivector(
    pool: &mut Pool,
    base: &[ExprId],
    matrix: &Matrix,
    budget: &mut Budget,
) -> Result<HomologicalReport, GeometryError> {
    let names = names_of(pool, base);
    let mut taken: BTreeSet<String> = names.iter().cloned().collect();
    let symbols = pool.symbols_in(matrix.entries());
    taken.extend(names_of(pool, &symbols));
    let momenta: Vec<String> = names.iter().map(|name| fresh(&mut taken, name)).collect();
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
    Ok(homological(pool, &coordinates, &q, square_zero, &parts, false, budget))
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
    report.dirac = Some(dirac_report(
        pool,
        structure,
        names,
        Frame::OfDistribution,
        &mut report.notes,
        budget,
    )?);
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
        let most = LARGEST_COMPLEX;
        report.notes.push(format!("Left out in more than {most} dimensions: Betti numbers."));
    } else {
        match betti_numbers(&mut algebra, &q) {
            Err(GradedError::OutOfBudget(_)) => {
                report.notes.push("Left out, too long to compute: Betti numbers.".to_owned());
            }
            found => report.betti = found.map_err(graded)?,
        }
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
    report.dirac =
        Some(dirac_report(pool, structure, names, Frame::Given, &mut report.notes, budget)?);
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
    if let Mechanics::State(state) = &system.mechanics {
        let Some(structure) = &state.structure else {
            return Err(GeometryError::Model(
                "[equations] have no structure of their own; `isotrope port` looks for one",
            ));
        };
        if state.descriptor.is_some() {
            return Err(GeometryError::Model(
                "the model has a matrix E: J acts on efforts and is no bivector on the states",
            ));
        }
        let (base, matrix) = (system.symbols.position.clone(), as_matrix(&structure.skew));
        return bivector(&mut system.model.pool, &base, &matrix, budget);
    }
    let Some(structure) = analysis.dirac.clone() else {
        return Err(GeometryError::Model(match system.mechanics {
            Mechanics::Degenerate(_) => {
                "the Lagrangian is linear in the velocities: write its form dϑ as [two_form] of a geometry file, which `isotrope derive` prints"
            }
            _ => {
                "the structure of this model is not computed: its constraints are not linear in the velocities, or it has too many coordinates"
            }
        }));
    };
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
    report.dirac = Some(dirac_report(
        pool,
        structure,
        names,
        Frame::OfDistribution,
        &mut report.notes,
        budget,
    )?);
    // D_Delta integrates if and only if it is Dirac: the same distribution, at a fixed time.
    report.frobenius = report.dirac.as_ref().and_then(DiracReport::is_dirac);
    if analysis.distribution.integrable != report.frobenius {
        let what = "This is the structure of the linear part of the constraints at a fixed time";
        let whole = match analysis.distribution.integrable {
            Some(true) => "the constraints as they are, on positions and time, integrate",
            Some(false) => "the constraints as they are, on positions and time, do not integrate",
            None => "whether the constraints as they are integrate is not decided",
        };
        report.notes.push(format!("{what}; {whole}."));
    }
    Ok(report)
}
