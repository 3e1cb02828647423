//! What is computed of graded fields and functions.

use std::collections::BTreeMap;

use isotrope_algebra::normal::{self, Zero};
use isotrope_algebra::syntax::Span;
use isotrope_algebra::{Budget, ExprId, Pool, Rational};
use isotrope_geometry::graded::{
    Coefficients, Coordinates, Element, Expressions, GradedAlgebra, GradedError, GradedField,
    LieAlgebroid, Meaning, Polynomials, ReadCoefficients, ReadGradedReason, anchor_and_bracket,
};

use super::file::{GradedGiven, GradedObject};
use super::report::{AnchorRow, BracketRow};
use super::{FunctionReport, GeometryError, GradedExpression, GradedTerm, HomologicalReport};

/// Everything that is printed, with coefficients of one kind.
struct Findings<V> {
    coordinates: Coordinates,
    q: GradedField<V>,
    square_zero: Zero,
    square: Vec<Element<V>>,
    undecided: Vec<String>,
    algebroid: Option<LieAlgebroid<V>>,
    function: Option<OfFunction<V>>,
}

/// A function with its bracket with itself.
struct OfFunction<V> {
    bracket: i32,
    degree: Option<i32>,
    function: Element<V>,
    square: Element<V>,
    square_zero: Zero,
}

/// Examines a graded field or function: over Q where everything is a polynomial, with general
/// expressions otherwise.
pub(super) fn graded_report(
    pool: &mut Pool,
    object: &GradedObject,
    budget: &mut Budget,
) -> Result<HomologicalReport, GeometryError> {
    let numbers: BTreeMap<ExprId, Rational> = object
        .constants
        .iter()
        .filter_map(|(_, value)| Some((*value, pool.as_number(*value)?.clone())))
        .collect();
    let number = |name: &str| {
        let constant = object.constants.iter().find(|(known, _)| known == name);
        constant.and_then(|(_, value)| numbers.get(value).cloned().map(Meaning::Number))
    };
    let own = object.coordinates.iter().cloned();
    // Constants are coordinates of degree 0 that nothing differentiates.
    let extra = object.constants.iter().filter(|(_, value)| !numbers.contains_key(value));
    let extra = extra.map(|(name, _)| (name.clone(), 0));
    let names: Vec<String> = own.clone().chain(extra.clone()).map(|(name, _)| name).collect();
    let meaning = |name: &str| {
        let coordinate = names.iter().position(|known| known == name);
        coordinate.map(Meaning::Coordinate).or_else(|| number(name))
    };
    let algebra =
        GradedAlgebra::new(own.clone().chain(extra), Polynomials, Budget::new(budget.left()));
    let mut algebra = algebra.map_err(|error| at(Span::default(), error))?;
    let found = findings(&mut algebra, object, meaning);
    budget.spend(algebra.budget.spent().min(budget.left()), "examining a graded object")?;
    match found {
        Ok(found) => return Ok(finish(pool, object, found, true, budget)),
        Err(error) if !needs_expressions(&error) => return Err(error),
        Err(_) => {}
    }
    let base: Vec<ExprId> = object
        .coordinates
        .iter()
        .filter(|(_, degree)| *degree == 0)
        .map(|(name, _)| pool.symbol(name))
        .collect();
    let meaning = |name: &str| {
        let coordinate = object.coordinates.iter().position(|(known, _)| known == name);
        coordinate.map(Meaning::Coordinate).or_else(|| {
            let constant = object.constants.iter().find(|(known, _)| known == name);
            constant.map(|(_, value)| Meaning::Parameter(*value))
        })
    };
    let coefficients = Expressions { pool, base };
    let algebra = GradedAlgebra::new(own, coefficients, Budget::new(budget.left()));
    let mut algebra = algebra.map_err(|error| at(Span::default(), error))?;
    let found = findings(&mut algebra, object, meaning)?;
    budget.spend(algebra.budget.spent().min(budget.left()), "examining a graded object")?;
    Ok(finish(pool, object, found, false, budget))
}

fn at(span: Span, error: GradedError) -> GeometryError {
    GeometryError::Graded { span, error }
}

fn needs_expressions(error: &GeometryError) -> bool {
    let exponent = |error: &GradedError| *error == GradedError::Exponent;
    match error {
        GeometryError::Read { reason, .. } => match reason {
            ReadGradedReason::NotPolynomial => true,
            ReadGradedReason::Graded(error) => exponent(error),
            _ => false,
        },
        GeometryError::Graded { error, .. } => exponent(error),
        _ => false,
    }
}

fn findings<C: ReadCoefficients>(
    algebra: &mut GradedAlgebra<C>,
    object: &GradedObject,
    meaning: impl Fn(&str) -> Option<Meaning>,
) -> Result<Findings<C::Value>, GeometryError> {
    let read = |algebra: &mut GradedAlgebra<C>, placed: &super::file::PlacedTree| {
        algebra.read(&placed.tree, &meaning).map_err(|error| {
            let span = placed.in_file(error.span);
            GeometryError::Read { span, reason: error.reason }
        })
    };
    let size = algebra.coordinates().len();
    let (q, function) = match &object.what {
        GradedGiven::Field { degree, components } => {
            let mut list = vec![Element::zero(); size];
            for (index, placed) in components {
                list[*index] = read(algebra, placed)?;
                // One after the other, so that a refusal has its place.
                let mut alone = vec![Element::zero(); size];
                alone[*index] = list[*index].clone();
                algebra.field(*degree, alone).map_err(|error| at(placed.place, error))?;
            }
            let field = algebra.field(*degree, list);
            (field.map_err(|error| at(Span::default(), error))?, None)
        }
        GradedGiven::Function { bracket, pairs, function, place } => {
            let f = read(algebra, function)?;
            let darboux =
                algebra.darboux(*bracket, pairs.clone()).map_err(|error| at(*place, error))?;
            let here = |error| at(function.place, error);
            let degree = algebra.degree(&f).map_err(here)?;
            let square = algebra.bracket(&darboux, &f, &f).map_err(here)?;
            let square_zero = algebra.zero_test(&square);
            let square = algebra.without_zeros(&square);
            let q = algebra.hamiltonian_field(&darboux, &f).map_err(here)?;
            (q, Some(OfFunction { bracket: *bracket, degree, function: f, square, square_zero }))
        }
    };
    let here = |error| at(Span::default(), error);
    let (square_zero, square) = if q.degree() % 2 == 0 {
        even_square(algebra, &q).map_err(here)?
    } else {
        let square = algebra.square(&q).map_err(here)?;
        let zero = algebra.field_zero_test(&square);
        let parts = square.components().iter().map(|part| algebra.without_zeros(part));
        (zero, parts.collect())
    };
    let own = algebra.coordinates().degrees().iter().all(|degree| (0..=1).contains(degree));
    let algebroid = if own && q.degree() == 1 {
        Some(anchor_and_bracket(algebra, &q).map_err(here)?)
    } else {
        None
    };
    let undecided = undecided(algebra, &square);
    let coordinates = algebra.coordinates().clone();
    Ok(Findings { coordinates, q, square_zero, square, undecided, algebroid, function })
}

/// The coordinates of components of which it is not decided whether they are zero.
pub(super) fn undecided<C: Coefficients>(
    algebra: &mut GradedAlgebra<C>,
    parts: &[Element<C::Value>],
) -> Vec<String> {
    let mut list = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if matches!(algebra.zero_test(part), Zero::Unknown { .. }) {
            list.push(algebra.coordinates().name(index).to_owned());
        }
    }
    list
}

/// Whether a square vanishes, and its values on the coordinates.
type Square<V> = (Zero, Vec<Element<V>>);

/// The square of an even field. It is not a derivation, `Q²(fg) = Q²(f)g + 2 Q(f)Q(g) + f Q²(g)`, so
/// that it vanishes if and only if `Q²(x)` and all products `Q(x)Q(y)` do.
fn even_square<C: ReadCoefficients>(
    algebra: &mut GradedAlgebra<C>,
    q: &GradedField<C::Value>,
) -> Result<Square<C::Value>, GradedError> {
    let mut answer = Zero::Yes;
    let mut parts = Vec::with_capacity(q.components().len());
    for (i, component) in q.components().iter().enumerate() {
        let square = algebra.apply(q, component)?;
        answer = answer.and(algebra.zero_test(&square));
        parts.push(algebra.without_zeros(&square));
        for other in &q.components()[i..] {
            let product = algebra.multiply(component, other)?;
            answer = answer.and(algebra.zero_test(&product));
        }
    }
    Ok((answer, parts))
}

/// Values of coefficients as expressions.
pub(super) trait AsExpression {
    fn expression(&self, pool: &mut Pool) -> ExprId;
}

impl AsExpression for Rational {
    fn expression(&self, pool: &mut Pool) -> ExprId {
        pool.number(self.clone())
    }
}

impl AsExpression for ExprId {
    fn expression(&self, _: &mut Pool) -> ExprId {
        *self
    }
}

/// A graded function in a form that can be printed: one term for every product of odd
/// coordinates.
pub(super) fn expression<V: AsExpression>(
    pool: &mut Pool,
    coordinates: &Coordinates,
    f: &Element<V>,
    budget: &mut Budget,
) -> GradedExpression {
    let mut list = Vec::new();
    for block in f.terms().chunk_by(|a, b| a.0.odd == b.0.odd) {
        let mut parts = Vec::with_capacity(block.len());
        for (monomial, value) in block {
            let mut factors = vec![value.expression(pool)];
            for (field, &index) in coordinates.even().iter().enumerate() {
                let exponent = monomial.even.get(field);
                if exponent > 0 {
                    let symbol = pool.symbol(coordinates.name(index));
                    factors.push(pool.powi(symbol, exponent.into()));
                }
            }
            parts.push(pool.product(&factors));
        }
        let sum = pool.sum(&parts);
        let mut part = Budget::new(budget.left() / 16);
        let coefficient = normal::simplify(pool, sum, &mut part);
        budget.spend(part.spent().min(budget.left()), "printing a graded function").ok();
        let mask = block[0].0.odd;
        let odd = coordinates.odd().iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
        let odd = odd.map(|(_, &index)| coordinates.name(index).to_owned()).collect();
        list.push(GradedTerm { coefficient, odd });
    }
    list
}

fn finish<V: AsExpression>(
    pool: &mut Pool,
    object: &GradedObject,
    found: Findings<V>,
    polynomial: bool,
    budget: &mut Budget,
) -> HomologicalReport {
    let coordinates = &found.coordinates;
    let named = |pool: &mut Pool, list: &[Element<V>], places: &[usize], budget: &mut Budget| {
        let parts = list.iter().zip(places).filter(|(part, _)| !part.is_empty());
        parts
            .map(|(part, &index)| {
                let name = coordinates.name(index).to_owned();
                (name, expression(pool, coordinates, part, budget))
            })
            .collect::<Vec<(String, GradedExpression)>>()
    };
    let all: Vec<usize> = (0..coordinates.len()).collect();
    let field = named(pool, found.q.components(), &all, budget);
    let square = named(pool, &found.square, &all, budget);
    let algebroid = found.algebroid.as_ref().map(|data| {
        let mut anchor: Vec<AnchorRow> = Vec::new();
        for (row, &a) in data.anchor.iter().zip(&data.fibre) {
            let parts = named(pool, row, &data.base, budget);
            anchor.push((coordinates.name(a).to_owned(), parts));
        }
        let mut bracket: Vec<BracketRow> = Vec::new();
        for (i, &a) in data.fibre.iter().enumerate() {
            for (j, &b) in data.fibre.iter().enumerate().skip(i + 1) {
                let parts = named(pool, &data.bracket[i][j], &data.fibre, budget);
                let names = (coordinates.name(a).to_owned(), coordinates.name(b).to_owned());
                bracket.push((names.0, names.1, parts));
            }
        }
        (anchor, bracket)
    });
    let function = found.function.as_ref().map(|given| FunctionReport {
        bracket: given.bracket,
        degree: given.degree,
        function: expression(pool, coordinates, &given.function, budget),
        square: expression(pool, coordinates, &given.square, budget),
        square_zero: given.square_zero,
    });
    HomologicalReport {
        coordinates: object.coordinates.clone(),
        degree: found.q.degree(),
        field,
        square_zero: found.square_zero,
        square,
        undecided: found.undecided,
        square_left_out: 0,
        algebroid,
        function,
        polynomial,
    }
}
