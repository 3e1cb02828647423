//! Numbers of a table as expressions, and compositions as one exact table.

use isotrope_algebra::number::AlgebraicNumber;
use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::univariate::IntegerPolynomial;
use isotrope_algebra::{Budget, ExprId, Pool, Rational};

use isotrope_methods::Composed;
use isotrope_methods::table::{Coefficients, Table, TableProblem};

/// The numbers of a field, written as expressions.
///
/// Roots are written out. A field whose generator is neither a root of a rational number nor quadratic,
/// gets a letter for it.
#[derive(Debug, Clone)]
pub struct Numbers {
    field: NumberField,
    letter: String,
}

impl Numbers {
    /// For the field of a table; the letter is one that no name of the model is.
    pub fn new(table: &Table, taken: &Pool) -> Self {
        let mut letter = String::from("zeta");
        while taken.find_symbol(&letter).is_some() {
            letter.push('_');
        }
        Self { field: table.field.clone(), letter }
    }

    /// The field.
    pub fn field(&self) -> &NumberField {
        &self.field
    }

    /// The letter and the number it stands for, where there is one.
    pub fn generator(&self) -> Option<(&str, &AlgebraicNumber)> {
        let number = self.field.generator();
        let written_out = !number.to_string().starts_with("root(");
        (!written_out).then_some((self.letter.as_str(), number))
    }

    /// The number as an expression.
    pub fn expression(&self, pool: &mut Pool, number: &FieldElement) -> ExprId {
        if let Some(value) = number.as_rational() {
            return pool.number(value.clone());
        }
        let generator = self.generator_expression(pool);
        let mut terms = Vec::new();
        for (power, coefficient) in number.coefficients().iter().enumerate() {
            terms.push((coefficient.clone(), pool.powi(generator, power as i64)));
        }
        let sum = pool.linear_combination(&terms);
        isotrope_algebra::normal::simplify(pool, sum, &mut Budget::new(10_000))
    }

    fn generator_expression(&self, pool: &mut Pool) -> ExprId {
        if self.generator().is_none()
            && let Ok(root) = parse_expression(pool, &self.field.generator().to_string())
        {
            return root;
        }
        pool.symbol(&self.letter)
    }
}

/// A composition as one table over the field of its coefficients; `None` if they are known as
/// roots of a system of equations only, not as numbers of a field.
///
/// Block k of the table is γₖ times the base, after the weights of the blocks before it.
pub fn exact_table(
    composed: &Composed,
    budget: &mut Budget,
) -> Result<Option<Table>, TableProblem> {
    if !composed.composition.is_triple_jump() {
        return Ok(None);
    }
    let base = composed.base.to_pointwise(budget)?;
    // 2γ³ + (1 - 2γ)³ = 0 is 2γ - 1 = 2^(1/3) γ.
    let cube = IntegerPolynomial::from_integers(&[-2, 0, 0, 1]);
    let extension = base.field.adjoin(&AlgebraicNumber::root(&cube, 1, budget)?, budget)?;
    let field = &extension.field;
    let two = field.rational(Rational::integer(2));
    let outer = field.inverse(&field.sub(&two, &extension.element))?;
    let inner = field.sub(&FieldElement::one(), &field.mul(&two, &outer));
    let gamma = [outer.clone(), inner, outer];
    let embedded = base.coefficients().map(|value| extension.embed(value));
    let scaled = |step: &FieldElement, values: &[FieldElement]| -> Vec<FieldElement> {
        values.iter().map(|value| field.mul(step, value)).collect()
    };
    let vector = |weights: &[FieldElement]| -> Vec<FieldElement> {
        gamma.iter().flat_map(|step| scaled(step, weights)).collect()
    };
    let matrix = |block: &[Vec<FieldElement>], weights: &[FieldElement]| {
        let mut rows = Vec::new();
        for (k, step) in gamma.iter().enumerate() {
            for row in block {
                let mut line: Vec<FieldElement> =
                    gamma[..k].iter().flat_map(|before| scaled(before, weights)).collect();
                line.extend(scaled(step, row));
                line.resize(gamma.len() * weights.len(), FieldElement::zero());
                rows.push(line);
            }
        }
        rows
    };
    let coefficients = Coefficients {
        a: matrix(&embedded.a, &embedded.b),
        abar: matrix(&embedded.abar, &embedded.bbar),
        b: vector(&embedded.b),
        bbar: vector(&embedded.bbar),
        btil: vector(&embedded.btil),
    };
    Table::pointwise(composed.name.clone(), field.clone(), coefficients).map(Some)
}
