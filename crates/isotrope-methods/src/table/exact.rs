//! The coefficients as exact numbers, and tables with explicit nodes.

use isotrope_algebra::number::AlgebraicNumber;
use isotrope_algebra::number::field::{FieldElement, FieldError, NumberField};
use isotrope_algebra::{Budget, Rational};

use super::image::{Image, dot, evaluate, lagrange};
use super::{Entry, StageProduct, Table, TableProblem};

/// The rationals inside a number field that contains some nodes.
struct Inside<'f>(&'f NumberField);

impl Image for Inside<'_> {
    type Value = FieldElement;

    fn element(&self, element: &FieldElement) -> Result<FieldElement, TableProblem> {
        // Tables modulo a polynomial are over the rationals, which look alike everywhere.
        Ok(element.clone())
    }

    fn add(&self, x: &FieldElement, y: &FieldElement) -> FieldElement {
        self.0.add(x, y)
    }

    fn mul(&self, x: &FieldElement, y: &FieldElement) -> Result<FieldElement, TableProblem> {
        Ok(self.0.mul(x, y))
    }

    fn div(&self, x: &FieldElement, y: &FieldElement) -> Result<FieldElement, TableProblem> {
        Ok(self.0.div(x, y)?)
    }
}

/// Entries whose nodes have degrees with a larger product are not written down.
const DEGREES: usize = 16;

/// `1 - c`.
fn mirror(node: &AlgebraicNumber) -> AlgebraicNumber {
    node.neg().shift(&Rational::ONE)
}

/// Is it clear without computation that one node is in the field of the other?
fn is_in_field_of(node: &AlgebraicNumber, other: &AlgebraicNumber) -> bool {
    node.is_rational() || other.is_rational() || node == other || *node == mirror(other)
}

impl Table {
    /// The exact value of an entry, or `None` where writing it down helps nobody: an entry of a
    /// collocation table whose two nodes generate a field of a large degree (most off-diagonal
    /// ones of Gauss from six stages on). It is then defined by `a_ij = (a l_j)(c_i)` in the
    /// [`Table::nodes`], with `l_j` the Lagrange polynomials of the nodes.
    pub fn exact(
        &self,
        entry: Entry,
        budget: &mut Budget,
    ) -> Result<Option<AlgebraicNumber>, TableProblem> {
        if let (StageProduct::Modulo(_), Entry::A { row, column } | Entry::Abar { row, column }) =
            (&self.product, entry)
        {
            let nodes = self.nodes(budget)?;
            if let (Some(row), Some(column)) = (nodes.get(row), nodes.get(column))
                && !is_in_field_of(row, column)
                && row.degree() * column.degree() > DEGREES
            {
                return Ok(None);
            }
        }
        match self.exact_number(entry, budget) {
            Ok(number) => Ok(Some(number)),
            Err(TableProblem::Field(
                FieldError::DegreeLimit { .. } | FieldError::OutOfReach { .. },
            )) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn exact_number(
        &self,
        entry: Entry,
        budget: &mut Budget,
    ) -> Result<AlgebraicNumber, TableProblem> {
        if !self.has(entry) {
            return Err(TableProblem::NoEntry(entry));
        }
        if let Some(element) = self.element(entry) {
            return Ok(self.field.to_algebraic(element, budget)?);
        }
        let nodes = self.nodes(budget)?;
        let node = |index: usize| nodes.get(index).ok_or(TableProblem::NoEntry(entry));
        let (field, value) = match entry {
            Entry::A { row, column } => {
                self.operator_entry(&self.a, node(row)?, node(column)?, budget)?
            }
            Entry::Abar { row, column } => {
                self.operator_entry(&self.abar, node(row)?, node(column)?, budget)?
            }
            Entry::B(index) => self.functional_entry(&self.b, node(index)?, budget)?,
            Entry::Bbar(index) => self.functional_entry(&self.bbar, node(index)?, budget)?,
            Entry::Btil(index) => self.functional_entry(&self.btil, node(index)?, budget)?,
        };
        Ok(field.to_algebraic(&value, budget)?)
    }

    /// `functional(l_j)` in the field of its node.
    fn functional_entry(
        &self,
        functional: &[FieldElement],
        node: &AlgebraicNumber,
        budget: &mut Budget,
    ) -> Result<(NumberField, FieldElement), TableProblem> {
        let extension = NumberField::rationals().adjoin(node, budget)?;
        let inside = Inside(&extension.field);
        let polynomial = self.node_polynomial_in(&inside)?;
        let basis = lagrange(&inside, &polynomial, &extension.element)?;
        let value = dot(&inside, functional, &basis)?;
        Ok((extension.field, value))
    }

    /// `(operator l_j)(c_i)` in the field of both nodes.
    fn operator_entry(
        &self,
        operator: &[Vec<FieldElement>],
        row: &AlgebraicNumber,
        column: &AlgebraicNumber,
        budget: &mut Budget,
    ) -> Result<(NumberField, FieldElement), TableProblem> {
        let first = NumberField::rationals().adjoin(column, budget)?;
        let second = if *row == mirror(column) {
            // Nothing needs to be factored to see that 1 - c is in the field of c.
            let mut same = first.field.adjoin(&Rational::ONE.into(), budget)?;
            same.element = first.field.sub(&same.element, &first.element);
            same
        } else {
            first.field.adjoin(row, budget)?
        };
        let (at, node) = (second.element.clone(), second.embed(&first.element));
        let inside = Inside(&second.field);
        let polynomial = self.node_polynomial_in(&inside)?;
        let basis = lagrange(&inside, &polynomial, &node)?;
        let image: Vec<FieldElement> =
            operator.iter().map(|row| dot(&inside, row, &basis)).collect::<Result<_, _>>()?;
        let value = evaluate(&inside, &image, &at)?;
        Ok((second.field, value))
    }

    /// The same method as a pointwise table over the field of all its nodes (stages in
    /// ascending order of the nodes), if that field is not too large.
    pub fn to_pointwise(&self, budget: &mut Budget) -> Result<Self, TableProblem> {
        let mut field = self.field.clone();
        let mut nodes: Vec<FieldElement> = Vec::new();
        for node in self.nodes(budget)? {
            let extension = field.adjoin(&node, budget)?;
            nodes = nodes.iter().map(|known| extension.embed(known)).collect();
            nodes.push(extension.element.clone());
            field = extension.field;
        }
        let coefficients = self.coefficients_in(&Inside(&field), &nodes)?;
        Self::pointwise(self.name.clone(), field, coefficients)
    }
}
