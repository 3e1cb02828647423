//! Tables from their coefficients.

use isotrope_algebra::number::field::{FieldElement, FieldReader, NumberField};
use isotrope_algebra::{Budget, OrInternal, Rational};

use super::{Coefficients, Entry, STAGE_LIMIT, StageProduct, Table, TableProblem};

impl Table {
    /// The table with these coefficients, elements of one field.
    pub fn pointwise(
        name: impl Into<String>,
        field: NumberField,
        coefficients: Coefficients<FieldElement>,
    ) -> Result<Self, TableProblem> {
        Self::with_product(name.into(), field, StageProduct::Pointwise, coefficients)
    }

    /// The table with these rational coefficients.
    pub fn from_rationals(
        name: impl Into<String>,
        coefficients: &Coefficients<Rational>,
    ) -> Result<Self, TableProblem> {
        let coefficients = coefficients.map(|value| value.clone().into());
        Self::pointwise(name, NumberField::rationals(), coefficients)
    }

    /// The ordinary method with these coefficients, given as exact expressions.
    pub fn from_text(
        name: &str,
        a: &[&[&str]],
        b: &[&str],
        budget: &mut Budget,
    ) -> Result<Self, TableProblem> {
        let a: Vec<Vec<&str>> = a.iter().map(|row| row.to_vec()).collect();
        Self::from_texts(name, &Coefficients::one_table(a, b.to_vec()), budget)
    }

    /// The table with these coefficients, given as exact expressions.
    pub fn from_texts(
        name: &str,
        texts: &Coefficients<&str>,
        budget: &mut Budget,
    ) -> Result<Self, TableProblem> {
        let mut reader = FieldReader::new();
        for (entry, text) in texts.iter() {
            reader.read(text, budget).map_err(|errors| TableProblem::Text {
                entry,
                message: errors.first().map_or_else(String::new, ToString::to_string),
            })?;
        }
        let (field, elements) = reader.finish();
        let mut elements = elements.into_iter();
        let coefficients =
            texts.map(|_| elements.next().or_noticed("every text was read as a number"));
        Self::pointwise(name, field, coefficients)
    }

    pub(super) fn with_product(
        name: String,
        field: NumberField,
        product: StageProduct,
        coefficients: Coefficients<FieldElement>,
    ) -> Result<Self, TableProblem> {
        let stages = coefficients.b.len();
        if stages == 0 || stages > STAGE_LIMIT {
            return Err(TableProblem::Stages { family: "Runge–Kutta", stages });
        }
        let Coefficients { a, abar, b, bbar, btil } = coefficients;
        for (part, matrix) in [("a", &a), ("abar", &abar)] {
            if matrix.len() != stages || matrix.iter().any(|row| row.len() != stages) {
                return Err(TableProblem::Shape { part, stages });
            }
        }
        for (part, list) in [("bbar", &bbar), ("btil", &btil)] {
            if list.len() != stages {
                return Err(TableProblem::Shape { part, stages });
            }
        }
        Ok(Self { name, field, stages, product, a, abar, b, bbar, btil })
    }

    /// The same coefficients under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// All coefficients, in the basis of the product.
    pub fn coefficients(&self) -> Coefficients<FieldElement> {
        Coefficients {
            a: self.a.clone(),
            abar: self.abar.clone(),
            b: self.b.clone(),
            bbar: self.bbar.clone(),
            btil: self.btil.clone(),
        }
    }

    /// The element at an entry of a pointwise table; `None` for tables modulo a polynomial,
    /// whose entries lie in larger fields ([`Table::exact`]).
    pub fn element(&self, entry: Entry) -> Option<&FieldElement> {
        if self.product != StageProduct::Pointwise {
            return None;
        }
        match entry {
            Entry::A { row, column } => self.a.get(row)?.get(column),
            Entry::Abar { row, column } => self.abar.get(row)?.get(column),
            Entry::B(index) => self.b.get(index),
            Entry::Bbar(index) => self.bbar.get(index),
            Entry::Btil(index) => self.btil.get(index),
        }
    }
}
