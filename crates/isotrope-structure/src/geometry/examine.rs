//! From an object to what is known of it.

use std::collections::BTreeSet;

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::linear::{LinearError, Matrix};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::syntax::Span;
use isotrope_algebra::{Budget, ExprId, Pool, Rational, print};
use isotrope_geometry::graded::{
    Coordinates, Element, Expressions, GradedAlgebra, GradedError, GradedField, Polynomials,
    betti_numbers, bivector_function, chevalley_eilenberg, poisson_field, shifted_cotangent,
};
use isotrope_geometry::{Circle, DiracStructure, Distribution, Involutivity, TwoForm, frobenius};

use super::dirac::{Frame, Question, dirac_report};
use super::file::{GeometryFile, GeometryObject, Transform};
use super::graded::{AsExpression, expression, graded_report, undecided};
use super::{DiracReport, GeometryError, GeometryReport, HomologicalReport, ObjectKind, Scope};
use isotrope_derive::{Analysis, ConstraintRows, Magnetic, System};

/// Lie algebras of larger dimension get no Betti numbers: the complex has 2^n elements.
const LARGEST_COMPLEX: usize = 14;

/// Components of the square of a field that is not zero are computed until they have this many terms.
const SQUARE_TERMS: usize = 2_000;

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

/// Computes the properties of the object of a file.
pub fn examine(
    file: &mut GeometryFile,
    budget: &mut Budget,
) -> Result<GeometryReport, GeometryError> {
    let (pool, circles) = (&mut file.pool, &file.circles[..]);
    if !file.transforms.is_empty()
        && let Some(structure) = structure_of(pool, &file.object, budget)?
    {
        return transformed(pool, structure, &file.transforms, circles, budget);
    }
    match &file.object {
        GeometryObject::Bivector { base, matrix } => bivector(pool, base, matrix, circles, budget),
        GeometryObject::TwoForm { base, matrix } => {
            let structure = DiracStructure::graph_of_two_form(base, matrix);
            let mut report = empty(ObjectKind::TwoForm);
            let names = names_of(pool, base).iter().map(|name| format!("∂{name}")).collect();
            let question = Question::given(names);
            of_structure(pool, &mut report, structure, question, circles, budget)?;
            Ok(report)
        }
        GeometryObject::Distribution { base, names, forms, form, place } => {
            let (distribution, structure) =
                distribution_and_structure(pool, base, forms, form.as_ref(), *place, budget)?;
            let mut report = empty(ObjectKind::Distribution);
            report.frobenius = match frobenius(pool, &distribution, budget)? {
                Involutivity::Integrable => Some(true),
                Involutivity::NotIntegrable(_) => Some(false),
                Involutivity::Undecided { .. } => None,
            };
            let fields = (1..=distribution.rank()).map(|i| format!("X{i}"));
            let names = fields.chain(names.iter().cloned()).collect();
            let mut question = Question::given(names);
            question.frame = Frame::OfDistribution;
            // A primitive of the form on the whole space is one on the leaves.
            if let Some(matrix) = form {
                let form = TwoForm { base: base.clone(), matrix: matrix.clone() };
                let circles: Vec<Circle> = circles.iter().map(|(circle, _)| *circle).collect();
                let mut part = Budget::new(budget.left() / 8);
                question.candidate = form.integrated(pool, &circles, &mut part).ok().flatten();
            }
            of_structure(pool, &mut report, structure, question, circles, budget)?;
            Ok(report)
        }
        GeometryObject::Dirac { names, structure } => {
            let mut report = empty(ObjectKind::Dirac);
            let (structure, question) = (structure.clone(), Question::given(names.clone()));
            of_structure(pool, &mut report, structure, question, circles, budget)?;
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

/// Examines the structure of an object, after a test that it is one over the circles.
fn of_structure(
    pool: &mut Pool,
    report: &mut GeometryReport,
    structure: DiracStructure,
    question: Question<'_>,
    circles: &[(Circle, Span)],
    budget: &mut Budget,
) -> Result<(), GeometryError> {
    for &(circle, span) in circles {
        let mut part = Budget::new(budget.left() / 8);
        let answer = match structure.is_isotropic(pool, &mut part) {
            Zero::Yes => structure.is_periodic(pool, circle, &mut part),
            // No almost Dirac structure: nothing is claimed that the circles matter for.
            _ => Ok(Zero::Yes),
        };
        budget.spend(part.spent().min(budget.left()), "testing periods")?;
        let name = pool.label(circle.coordinate);
        match answer {
            Ok(Zero::Yes) => {}
            Ok(Zero::No) => return Err(GeometryError::NotPeriodic { span, name }),
            _ => {
                report.notes.push(format!("Not proved: that the structure is periodic in {name}."))
            }
        }
    }
    let circles: Vec<Circle> = circles.iter().map(|(circle, _)| *circle).collect();
    let question = Question { circles: &circles, ..question };
    report.dirac = Some(dirac_report(pool, structure, question, &mut report.notes, budget)?);
    Ok(())
}

/// A distribution with the structure that it has together with a 2-form.
fn distribution_and_structure(
    pool: &mut Pool,
    base: &[ExprId],
    forms: &[Vec<ExprId>],
    form: Option<&Matrix>,
    span: Span,
    budget: &mut Budget,
) -> Result<(Distribution, DiracStructure), GeometryError> {
    let distribution = match Distribution::from_forms(pool, base, forms, budget) {
        Ok(distribution) => distribution,
        Err(LinearError::Singular { rank }) => {
            return Err(GeometryError::Dependent { span, given: forms.len(), rank });
        }
        Err(error) => return Err(error.into()),
    };
    let zero = Matrix::zero(base.len(), base.len());
    let structure = DiracStructure::of_distribution(pool, &distribution, form.unwrap_or(&zero));
    Ok((distribution, structure))
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
        GeometryObject::TwoForm { base, matrix } => {
            Some(DiracStructure::graph_of_two_form(base, matrix))
        }
        GeometryObject::Distribution { base, forms, form, place, .. } => {
            let form = form.as_ref();
            Some(distribution_and_structure(pool, base, forms, form, *place, budget)?.1)
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
    circles: &[(Circle, Span)],
    budget: &mut Budget,
) -> Result<GeometryReport, GeometryError> {
    let mut report = empty(ObjectKind::Dirac);
    for transform in transforms {
        structure = match transform {
            Transform::Gauge(form) => structure.gauge_transformed(pool, form),
            Transform::Pullback { source, images } => {
                structure.backward_image(pool, source, images, budget)?
            }
            Transform::Pushforward { target, images, section, place } => {
                let map = (&structure.base[..], &images[..], &section[..]);
                let proved = is_section(pool, target, map, *place, budget)?;
                report.notes.push(
                    "The forward image is that of the points of the section; it is the same for every \
                     section if the structure is invariant along the fibres."
                        .to_owned(),
                );
                if !proved {
                    let note = "Not proved: that the section lies over the points of the target.";
                    report.notes.push(note.to_owned());
                }
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
    of_structure(pool, &mut report, structure, Question::given(names), circles, budget)?;
    Ok(report)
}

/// Does a map from `base`, by its `images`, send a section to the points it is over? True if that is
/// proved, an error if the contrary is.
fn is_section(
    pool: &mut Pool,
    target: &[ExprId],
    (base, images, section): (&[ExprId], &[ExprId], &[ExprId]),
    span: Span,
    budget: &mut Budget,
) -> Result<bool, GeometryError> {
    let map: Substitution = base.iter().copied().zip(section.iter().copied()).collect();
    let values = substitute(pool, images, &map, budget)?;
    let mut proved = true;
    for (&point, value) in target.iter().zip(values) {
        let difference = pool.sub(value, point);
        match isotrope_algebra::normal::is_zero(pool, difference, budget) {
            Zero::Yes => {}
            Zero::Unknown { .. } => proved = false,
            Zero::No => {
                let name = pool.label(point);
                let value = isotrope_algebra::normal::simplify(pool, value, budget);
                let value = print::to_text(pool, value, &mut Budget::new(100_000));
                let value = value.unwrap_or_else(|_| "something else".to_owned());
                return Err(GeometryError::Section { span, name, value });
            }
        }
    }
    Ok(proved)
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
    symbols.iter().map(|&x| pool.label(x)).collect()
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
    circles: &[(Circle, Span)],
    budget: &mut Budget,
) -> Result<GeometryReport, GeometryError> {
    let mut report = empty(ObjectKind::Bivector);
    let names = names_of(pool, base);
    let structure = DiracStructure::graph_of_bivector(base, matrix);
    let covectors = names.iter().map(|name| format!("d{name}")).collect();
    let question = Question::given(covectors);
    of_structure(pool, &mut report, structure, question, circles, budget)?;
    match homological_of_bivector(pool, base, matrix, budget) {
        Ok(found) => report.homological = Some(found),
        Err(GeometryError::Graded { error, .. }) if is_too_long(&error) => {
            let note = "Left out, too long to compute: the homological vector field.";
            report.notes.push(note.to_owned());
        }
        Err(error) => return Err(error),
    }
    Ok(report)
}

fn is_too_long(error: &GradedError) -> bool {
    matches!(
        error,
        GradedError::OutOfBudget(_)
            | GradedError::TooManyTerms
            | GradedError::Linear(LinearError::OutOfBudget(_))
    )
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
    // Component by component: after many terms of a square that is not zero the others are left out.
    let (mut square_zero, mut parts, mut terms) = (Zero::Yes, Vec::new(), 0);
    for component in q.components() {
        if square_zero == Zero::No && terms > SQUARE_TERMS {
            break;
        }
        let part = algebra.apply(&q, component).map_err(graded)?;
        square_zero = square_zero.and(algebra.zero_test(&part));
        let part = algebra.without_zeros(&part);
        terms += part.terms().len();
        parts.push(part);
    }
    let left_out = q.components().len() - parts.len();
    let undecided = undecided(&mut algebra, &parts);
    let coordinates = algebra.coordinates().clone();
    budget.spend(algebra.budget.spent().min(budget.left()), "computing a homological field")?;
    let square = (square_zero, &parts[..], undecided);
    let found = homological(pool, &coordinates, &q, square, false, budget);
    Ok(HomologicalReport { square_left_out: left_out, ..found })
}

fn homological<V: AsExpression>(
    pool: &mut Pool,
    coordinates: &Coordinates,
    q: &GradedField<V>,
    (square_zero, square, undecided): (Zero, &[Element<V>], Vec<String>),
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
        undecided,
        square_left_out: 0,
        algebroid: None,
        function: None,
        polynomial,
    }
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
    report.homological = Some(homological(
        pool,
        &coordinates,
        &q,
        (zero, square.components(), Vec::new()),
        true,
        budget,
    ));
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
    of_structure(pool, &mut report, structure, Question::given(names), &[], budget)?;
    Ok(report)
}

/// The structure `D_Delta` that the constraints of a model induce on its cotangent bundle.
pub fn examine_model(
    system: &mut System,
    analysis: &Analysis,
    budget: &mut Budget,
) -> Result<GeometryReport, GeometryError> {
    let mut report = empty(ObjectKind::Model);
    if system.mechanics.group().is_some() {
        return Err(GeometryError::Group);
    }
    if let Some(state) = system.mechanics.state() {
        let Some(structure) = &state.structure else {
            return Err(GeometryError::Model {
                message: "[equations] have no structure of their own",
                hint: "`isotrope port` looks for one; or write its bracket as [poisson]",
            });
        };
        if state.descriptor.is_some() {
            return Err(GeometryError::Model {
                message: "the model has a matrix E: J acts on efforts and is not a bivector on the states",
                hint: "write flows and efforts as rows of [dirac] in a geometry file",
            });
        }
        let (base, matrix) = (system.symbols.position.clone(), as_matrix(&structure.skew));
        return bivector(&mut system.model.pool, &base, &matrix, &[], budget);
    }
    let Some(structure) = analysis.dirac.clone() else {
        return Err(match system.mechanics.degenerate() {
            Some(_) => GeometryError::Model {
                message: "the Lagrangian is linear in the velocities: its structure is not that of constraints",
                hint: "write its form dϑ, which `isotrope derive` prints, as [two_form] of a geometry file",
            },
            None => GeometryError::Model {
                message: "the structure of this model is not computed: its constraints are not linear in the velocities, or it has too many coordinates",
                hint: "name a model whose constraints are linear in the velocities, of at most 24 coordinates",
            },
        });
    };
    report.magnetic.clone_from(&system.magnetic);
    let scope = scope(system, analysis);
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
    let candidate = tautological(pool, &structure.base, report.magnetic.as_ref());
    let question = Question {
        names,
        frame: Frame::OfDistribution,
        circles: &[],
        candidate: Some(candidate),
        scope,
    };
    of_structure(pool, &mut report, structure, question, &[], budget)?;
    // D_Delta integrates if and only if it is Dirac; with time, the constraints are asked as they are.
    report.frobenius = match scope {
        Scope::Whole => report.dirac.as_ref().and_then(DiracReport::is_dirac),
        Scope::LinearPart | Scope::FixedTime(_) => analysis.distribution.integrable,
    };
    if scope != Scope::Whole {
        let what = match scope {
            Scope::LinearPart => "of the linear part of the constraints at a fixed time",
            Scope::Whole | Scope::FixedTime(_) => "of the constraints at a fixed time",
        };
        let whole = match analysis.distribution.integrable {
            Some(true) => "the constraints as they are, on positions and time, integrate",
            Some(false) => "the constraints as they are, on positions and time, do not integrate",
            None => "whether the constraints as they are integrate is not decided",
        };
        report.notes.push(format!(
            "Generators, rank, Courant tensor and leaves are those {what}; {whole}."
        ));
    }
    Ok(report)
}

/// Are the constraints of a model linear, and the same at all times?
fn scope(system: &System, analysis: &Analysis) -> Scope {
    let rows = system.mechanics.in_coordinates().map(|solved| solved.rows);
    if rows.is_some_and(ConstraintRows::is_affine) {
        Scope::LinearPart
    } else if analysis.distribution.extended {
        Scope::FixedTime(analysis.distribution.integrable)
    } else {
        Scope::Whole
    }
}

/// `-p dq + theta`: on `T*Q` with `dq ^ dp + B`, `d theta = B`, the primitive of a Hamiltonian principle.
fn tautological(pool: &mut Pool, base: &[ExprId], magnetic: Option<&Magnetic>) -> Vec<ExprId> {
    let n = base.len() / 2;
    let theta = magnetic.and_then(|magnetic| magnetic.primitive.as_ref());
    let mut beta = vec![ExprId::ZERO; base.len()];
    for (i, &p) in base[n..].iter().enumerate() {
        let own = theta.and_then(|theta| theta.components.get(i)).copied();
        beta[i] = pool.sub(own.unwrap_or(ExprId::ZERO), p);
    }
    beta
}
