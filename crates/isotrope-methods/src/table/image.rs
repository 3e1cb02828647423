//! The coefficients of a table in another ring: doubles, balls, a prime field, a larger field.

use isotrope_algebra::Rational;
use isotrope_algebra::number::field::FieldElement;

use super::{Entry, StageProduct, Table, TableProblem};

/// The coefficients of the three tables, with values of any kind; `a[i][j]` is `a_ij`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coefficients<E> {
    /// The matrix of the positions.
    pub a: Vec<Vec<E>>,
    /// The matrix of the velocities.
    pub abar: Vec<Vec<E>>,
    /// The weights of the positions.
    pub b: Vec<E>,
    /// The weights of the velocities.
    pub bbar: Vec<E>,
    /// The weights of the momenta.
    pub btil: Vec<E>,
}

impl<E> Coefficients<E> {
    /// An ordinary method: the same table for all groups.
    pub fn one_table(a: Vec<Vec<E>>, b: Vec<E>) -> Self
    where
        E: Clone,
    {
        Self { abar: a.clone(), a, bbar: b.clone(), btil: b.clone(), b }
    }

    /// All entries with their names, in the order of [`Table::entries`].
    pub fn iter(&self) -> impl Iterator<Item = (Entry, &E)> {
        fn matrix<E>(
            rows: &[Vec<E>],
            name: fn(usize, usize) -> Entry,
        ) -> impl Iterator<Item = (Entry, &E)> {
            rows.iter().enumerate().flat_map(move |(row, values)| {
                values.iter().enumerate().map(move |(column, value)| (name(row, column), value))
            })
        }
        matrix(&self.a, |row, column| Entry::A { row, column })
            .chain(matrix(&self.abar, |row, column| Entry::Abar { row, column }))
            .chain(self.b.iter().enumerate().map(|(i, value)| (Entry::B(i), value)))
            .chain(self.bbar.iter().enumerate().map(|(i, value)| (Entry::Bbar(i), value)))
            .chain(self.btil.iter().enumerate().map(|(i, value)| (Entry::Btil(i), value)))
    }

    /// The value at an entry.
    pub fn get(&self, entry: Entry) -> Option<&E> {
        match entry {
            Entry::A { row, column } => self.a.get(row)?.get(column),
            Entry::Abar { row, column } => self.abar.get(row)?.get(column),
            Entry::B(index) => self.b.get(index),
            Entry::Bbar(index) => self.bbar.get(index),
            Entry::Btil(index) => self.btil.get(index),
        }
    }

    /// Every value replaced, in the order of [`Coefficients::iter`].
    pub fn map<T>(&self, mut change: impl FnMut(&E) -> T) -> Coefficients<T> {
        let result: Result<_, std::convert::Infallible> =
            self.try_map(|_, value| Ok(change(value)));
        match result {
            Ok(coefficients) => coefficients,
            Err(never) => match never {},
        }
    }

    /// Every value replaced unless that fails, in the order of [`Coefficients::iter`].
    pub fn try_map<T, F>(
        &self,
        mut change: impl FnMut(Entry, &E) -> Result<T, F>,
    ) -> Result<Coefficients<T>, F> {
        let mut matrix = |rows: &[Vec<E>], name: fn(usize, usize) -> Entry| {
            rows.iter()
                .enumerate()
                .map(|(i, row)| {
                    let values = row.iter().enumerate();
                    values.map(|(j, value)| change(name(i, j), value)).collect()
                })
                .collect::<Result<Vec<Vec<T>>, F>>()
        };
        let a = matrix(&self.a, |row, column| Entry::A { row, column })?;
        let abar = matrix(&self.abar, |row, column| Entry::Abar { row, column })?;
        let mut list = |values: &[E], name: fn(usize) -> Entry| {
            let values = values.iter().enumerate();
            values.map(|(i, value)| change(name(i), value)).collect::<Result<Vec<T>, F>>()
        };
        let b = list(&self.b, Entry::B)?;
        let bbar = list(&self.bbar, Entry::Bbar)?;
        let btil = list(&self.btil, Entry::Btil)?;
        Ok(Coefficients { a, abar, b, bbar, btil })
    }
}

impl Coefficients<Rational> {
    /// Steps of these lengths, one after the other, as one table: block k is γ_k times this one, and the
    /// blocks before it have contributed their weights.
    #[must_use]
    pub fn repeated(&self, lengths: &[Rational]) -> Self {
        let vector = |weights: &[Rational]| -> Vec<Rational> {
            lengths.iter().flat_map(|length| weights.iter().map(move |b| length * b)).collect()
        };
        let matrix = |block: &[Vec<Rational>], weights: &[Rational]| -> Vec<Vec<Rational>> {
            let all = vector(weights);
            let mut rows = Vec::with_capacity(all.len());
            for (k, length) in lengths.iter().enumerate() {
                for entries in block {
                    let mut row = all[..k * weights.len()].to_vec();
                    row.extend(entries.iter().map(|entry| length * entry));
                    row.resize(all.len(), Rational::ZERO);
                    rows.push(row);
                }
            }
            rows
        };
        Self {
            a: matrix(&self.a, &self.b),
            abar: matrix(&self.abar, &self.bbar),
            b: vector(&self.b),
            bbar: vector(&self.bbar),
            btil: vector(&self.btil),
        }
    }
}

impl Coefficients<Rational> {
    /// The table as it is used in (q, p).
    ///
    /// In (q, v) positions are q + h c_i v + h² Σ (a·abar)_ij F_j: a table says no more of `a` than c = a·1 and
    /// a·abar. Where velocities of stages are equal there are several such `a`, and in (q, p), with V = H_p(Q, P),
    /// they are different methods. If one of them is symplectic, a_ji = b_i − b_i abar_ij / b_j with b = bbar, it
    /// is the one that is meant: Störmer–Verlet, `sv`, becomes the pair Lobatto IIIA–IIIB.
    #[must_use]
    pub fn in_momenta(&self) -> Self {
        let stages = self.b.len();
        let dual = |j: usize, i: usize| -> Option<Rational> {
            let share = (&(&self.b[i] * &self.abar[i][j]) / &self.b[j])?;
            Some(&self.b[i] - &share)
        };
        // Without a weight there is no such table.
        let a: Option<Vec<Vec<Rational>>> =
            (0..stages).map(|j| (0..stages).map(|i| dual(j, i)).collect()).collect();
        let Some(a) = a.filter(|_| self.b == self.bbar) else { return self.clone() };
        let sum = |terms: &mut dyn Iterator<Item = Rational>| {
            terms.fold(Rational::ZERO, |sum, term| &sum + &term)
        };
        let nodes = |a: &[Vec<Rational>]| -> Vec<Rational> {
            a.iter().map(|row| sum(&mut row.iter().cloned())).collect()
        };
        let twice = |a: &[Vec<Rational>]| -> Vec<Rational> {
            let entries = a.iter().flat_map(|row| (0..stages).map(move |k| (row, k)));
            entries
                .map(|(row, k)| sum(&mut row.iter().zip(&self.abar).map(|(x, y)| x * &y[k])))
                .collect()
        };
        let same = nodes(&a) == nodes(&self.a) && twice(&a) == twice(&self.a);
        Self { a: if same { a } else { self.a.clone() }, ..self.clone() }
    }

    /// Does the table keep dq∧dp of every H(q, p, t) in (q, p)? It does where b = bbar and
    /// b_i abar_ij + bbar_j a_ji = b_i bbar_j (Hairer, Lubich and Wanner, VI.4.6).
    #[must_use]
    pub fn is_symplectic_in_momenta(&self) -> bool {
        let pairs = |i: usize| (0..self.b.len()).map(move |j| (i, j));
        self.b == self.bbar
            && (0..self.b.len()).flat_map(pairs).all(|(i, j)| {
                let one = &self.b[i] * &self.abar[i][j];
                let other = &self.bbar[j] * &self.a[j][i];
                &one + &other == &self.b[i] * &self.bbar[j]
            })
    }
}

/// A ring to which the coefficients of a table can be sent.
pub(super) trait Image {
    type Value: Clone;
    /// The image of an element of the table's field.
    fn element(&self, element: &FieldElement) -> Result<Self::Value, TableProblem>;
    fn add(&self, x: &Self::Value, y: &Self::Value) -> Self::Value;
    fn mul(&self, x: &Self::Value, y: &Self::Value) -> Result<Self::Value, TableProblem>;
    fn div(&self, x: &Self::Value, y: &Self::Value) -> Result<Self::Value, TableProblem>;
}

/// The stage vector that is one at a node and zero at the others, in the table's basis.
pub(super) fn lagrange<I: Image>(
    image: &I,
    polynomial: &[I::Value],
    node: &I::Value,
) -> Result<Vec<I::Value>, TableProblem> {
    // M(x)/(x - c) by Horner's scheme from the top, and M'(c) by Horner's scheme on that.
    let mut quotient: Vec<I::Value> = Vec::with_capacity(polynomial.len());
    for c in polynomial.iter().skip(1).rev() {
        let next = match quotient.last() {
            None => c.clone(),
            Some(last) => image.add(c, &image.mul(last, node)?),
        };
        quotient.push(next);
    }
    quotient.reverse();
    let slope = evaluate(image, &quotient, node)?;
    quotient.iter().map(|value| image.div(value, &slope)).collect()
}

/// The value of a polynomial (ascending coefficients).
pub(super) fn evaluate<I: Image>(
    image: &I,
    polynomial: &[I::Value],
    at: &I::Value,
) -> Result<I::Value, TableProblem> {
    let mut value = image.element(&FieldElement::zero())?;
    for c in polynomial.iter().rev() {
        value = image.add(&image.mul(&value, at)?, c);
    }
    Ok(value)
}

pub(super) fn dot<I: Image>(
    image: &I,
    x: &[I::Value],
    y: &[I::Value],
) -> Result<I::Value, TableProblem> {
    let mut sum = image.element(&FieldElement::zero())?;
    for (x, y) in x.iter().zip(y) {
        sum = image.add(&sum, &image.mul(x, y)?);
    }
    Ok(sum)
}

impl Table {
    /// The node polynomial in another ring; empty for a pointwise table.
    pub(super) fn node_polynomial_in<I: Image>(
        &self,
        image: &I,
    ) -> Result<Vec<I::Value>, TableProblem> {
        match &self.product {
            StageProduct::Pointwise => Ok(Vec::new()),
            StageProduct::Modulo(polynomial) => {
                let element = |c: &Rational| image.element(&c.clone().into());
                polynomial.iter().map(element).collect()
            }
        }
    }

    /// The coefficients `a_ij = (a l_j)(c_i)`, `b_j = b(l_j)` in another ring, with `l_j` the
    /// Lagrange polynomials of the nodes there. Pointwise tables need no nodes.
    pub(super) fn coefficients_in<I: Image>(
        &self,
        image: &I,
        nodes: &[I::Value],
    ) -> Result<Coefficients<I::Value>, TableProblem> {
        let direct = self.coefficients().try_map(|_, value| image.element(value))?;
        if self.product == StageProduct::Pointwise {
            return Ok(direct);
        }
        let polynomial = self.node_polynomial_in(image)?;
        let basis: Vec<Vec<I::Value>> = nodes
            .iter()
            .map(|node| lagrange(image, &polynomial, node))
            .collect::<Result<_, _>>()?;
        let functional = |values: &[I::Value]| -> Result<Vec<I::Value>, TableProblem> {
            basis.iter().map(|l| dot(image, values, l)).collect()
        };
        let operator = |rows: &[Vec<I::Value>]| -> Result<Vec<Vec<I::Value>>, TableProblem> {
            // Column j is the polynomial a l_j; its values at the nodes are the entries.
            let columns: Vec<Vec<I::Value>> = basis
                .iter()
                .map(|l| rows.iter().map(|row| dot(image, row, l)).collect())
                .collect::<Result<_, _>>()?;
            nodes
                .iter()
                .map(|node| columns.iter().map(|column| evaluate(image, column, node)).collect())
                .collect()
        };
        let a = operator(&direct.a)?;
        Ok(Coefficients {
            abar: if self.abar == self.a { a.clone() } else { operator(&direct.abar)? },
            a,
            b: functional(&direct.b)?,
            bbar: functional(&direct.bbar)?,
            btil: functional(&direct.btil)?,
        })
    }
}
