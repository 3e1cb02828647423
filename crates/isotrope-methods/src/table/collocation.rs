//! The families of Gauss, Radau and Lobatto as algebras of polynomials modulo their nodes.
//!
//! With `M` the node polynomial, integration from 0 to x modulo `M` is the operator `I` of the
//! collocation method, and the integral from 0 to 1 its functional `b` (Hairer, Nørsett and
//! Wanner, Solving Ordinary Differential Equations I, II.7). The other families are made from
//! these two: with `*` the adjoint for the form `b(x y)`,
//!
//! - Radau IA and Lobatto IIIB: `b(.) 1 - I*`, which is the condition D(s) and, for the pair
//!   IIIA–IIIB, that of symplecticity;
//! - Lobatto IIIC: `I` on polynomials of degree `s - 2`, and `a_i1 = b_1`.

use isotrope_algebra::linear::{Rationals, solve_rows};
use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::{OrInternal, Rational};

use super::{Coefficients, STAGE_LIMIT, StageProduct, Table, TableProblem};

type Matrix = Vec<Vec<Rational>>;

/// Polynomials modulo a node polynomial.
struct Quotient {
    /// Ascending, monic.
    nodes: Vec<Rational>,
}

fn ratio(numerator: usize, denominator: usize) -> Rational {
    Rational::new(numerator as i64, denominator as i64).or_noticed("the denominator is not zero")
}

/// The monic multiple of the `derivatives`-th derivative of `x^m (x - 1)^n`.
fn node_polynomial(derivatives: usize, m: usize, n: usize) -> Vec<Rational> {
    let mut polynomial = vec![Rational::ZERO; m];
    polynomial.push(Rational::ONE);
    for _ in 0..n {
        let mut next: Vec<Rational> = polynomial.iter().map(|c| -c).collect();
        next.push(Rational::ZERO);
        for (value, c) in next[1..].iter_mut().zip(&polynomial) {
            *value = &*value + c;
        }
        polynomial = next;
    }
    for _ in 0..derivatives {
        let terms = polynomial.iter().enumerate().skip(1);
        polynomial = terms.map(|(power, c)| c * &Rational::integer(power as i64)).collect();
    }
    let inverse = polynomial.last().and_then(Rational::recip);
    let inverse = inverse.or_noticed("a leading coefficient is not zero");
    polynomial.iter().map(|c| c * &inverse).collect()
}

impl Quotient {
    fn new(nodes: Vec<Rational>) -> Self {
        Self { nodes }
    }

    fn dimension(&self) -> usize {
        self.nodes.len() - 1
    }

    fn reduce(&self, mut polynomial: Vec<Rational>) -> Vec<Rational> {
        let s = self.dimension();
        while polynomial.len() > s {
            let Some(top) = polynomial.pop() else { break };
            let start = polynomial.len() - s;
            for (value, c) in polynomial[start..].iter_mut().zip(&self.nodes) {
                *value = &*value - &(&top * c);
            }
        }
        polynomial.resize(s, Rational::ZERO);
        polynomial
    }

    /// The integral from 0 to 1 of the representative of lowest degree.
    fn weights(&self) -> Vec<Rational> {
        (1..=self.dimension()).map(|power| ratio(1, power)).collect()
    }

    /// The integral from 0 to x.
    fn integration(&self) -> Matrix {
        let s = self.dimension();
        let columns: Matrix = (0..s)
            .map(|power| {
                let mut column = vec![Rational::ZERO; power + 2];
                column[power + 1] = ratio(1, power + 1);
                self.reduce(column)
            })
            .collect();
        transpose(&columns)
    }

    /// The matrix of the form `b(x y)`.
    fn form(&self) -> Matrix {
        let (s, weights) = (self.dimension(), self.weights());
        let moment = |power: usize| {
            let mut monomial = vec![Rational::ZERO; power + 1];
            monomial[power] = Rational::ONE;
            let terms = self.reduce(monomial);
            terms.iter().zip(&weights).fold(Rational::ZERO, |sum, (c, w)| sum + c * w)
        };
        let moments: Vec<Rational> = (0..2 * s).map(moment).collect();
        (0..s).map(|i| moments[i..i + s].to_vec()).collect()
    }

    /// `b(.) 1 - operator*`.
    fn conjugate(&self, operator: &Matrix) -> Option<Matrix> {
        // <x, a* y> = <a x, y> reads G a* = a^T G.
        let form = self.form();
        let adjoint = solve(&form, &multiply(&transpose(operator), &form))?;
        let mut result: Matrix =
            adjoint.iter().map(|row| row.iter().map(|value| -value).collect()).collect();
        for (value, weight) in result.first_mut()?.iter_mut().zip(self.weights()) {
            *value = &*value + &weight;
        }
        Some(result)
    }

    /// The operator that integrates polynomials of degree `s - 2` and has `a_i1 = b_1`, for
    /// nodes of which the first is zero.
    fn with_first_column_of_weights(&self) -> Option<Matrix> {
        // l = M(x)/(x M'(0)) is one at the node 0 and zero at the others.
        let slope = self.nodes.get(1)?.recip()?;
        let first: Vec<Rational> = self.nodes.iter().skip(1).map(|c| c * &slope).collect();
        let mut operator = self.integration();
        let lead = first.last()?.recip()?;
        let weight = dot(&self.weights(), &first);
        let s = self.dimension();
        for (power, row) in operator.iter_mut().enumerate() {
            let wanted = if power == 0 { weight.clone() } else { Rational::ZERO };
            let change = (&wanted - &dot(row, &first)) * lead.clone();
            row[s - 1] = &row[s - 1] + &change;
        }
        Some(operator)
    }

    fn table(self, name: String, a: &Matrix, abar: &Matrix) -> Result<Table, TableProblem> {
        let b: Vec<FieldElement> = self.weights().into_iter().map(FieldElement::from).collect();
        let exact = |matrix: &Matrix| {
            matrix
                .iter()
                .map(|row| row.iter().map(|value| value.clone().into()).collect())
                .collect()
        };
        let coefficients =
            Coefficients { a: exact(a), abar: exact(abar), b: b.clone(), bbar: b.clone(), btil: b };
        let product = StageProduct::Modulo(self.nodes);
        Table::with_product(name, NumberField::rationals(), product, coefficients)
    }
}

fn dot(x: &[Rational], y: &[Rational]) -> Rational {
    x.iter().zip(y).fold(Rational::ZERO, |sum, (x, y)| sum + x * y)
}

fn transpose(matrix: &Matrix) -> Matrix {
    let columns = matrix.first().map_or(0, Vec::len);
    (0..columns).map(|j| matrix.iter().map(|row| row[j].clone()).collect()).collect()
}

fn multiply(x: &Matrix, y: &Matrix) -> Matrix {
    let columns = transpose(y);
    x.iter().map(|row| columns.iter().map(|column| dot(row, column)).collect()).collect()
}

/// `X` with `matrix X = right`; `None` if the matrix is singular.
fn solve(matrix: &Matrix, right: &Matrix) -> Option<Matrix> {
    let joined = matrix.iter().zip(right).map(|(m, r)| m.iter().chain(r).cloned().collect());
    let Ok(solution) = solve_rows(&mut Rationals, joined.collect());
    solution
}

fn check(family: &'static str, stages: usize, least: usize) -> Result<(), TableProblem> {
    if stages < least || stages > STAGE_LIMIT {
        return Err(TableProblem::Stages { family, stages });
    }
    Ok(())
}

fn singular(family: &'static str, stages: usize) -> TableProblem {
    TableProblem::Stages { family, stages }
}

fn lobatto_nodes(stages: usize) -> Quotient {
    Quotient::new(node_polynomial(stages - 2, stages - 1, stages - 1))
}

impl Table {
    /// The collocation method with these nodes: the roots of a polynomial with distinct roots,
    /// given by ascending coefficients of which the last is one.
    pub fn collocation(
        name: impl Into<String>,
        nodes: Vec<Rational>,
    ) -> Result<Self, TableProblem> {
        let stages = nodes.len().saturating_sub(1);
        check("collocation", stages, 1)?;
        if !nodes.last().is_some_and(Rational::is_one) {
            return Err(TableProblem::Shape { part: "nodes", stages });
        }
        let quotient = Quotient::new(nodes);
        let a = quotient.integration();
        quotient.table(name.into(), &a, &a)
    }

    /// The method of Gauss.
    pub fn gauss(stages: usize) -> Result<Self, TableProblem> {
        check("Gauss", stages, 1)?;
        Self::collocation(format!("gauss-{stages}"), node_polynomial(stages, stages, stages))
    }

    /// The method Radau IA.
    pub fn radau_ia(stages: usize) -> Result<Self, TableProblem> {
        check("Radau IA", stages, 1)?;
        let quotient = Quotient::new(node_polynomial(stages - 1, stages, stages - 1));
        let a = quotient
            .conjugate(&quotient.integration())
            .ok_or_else(|| singular("Radau IA", stages))?;
        quotient.table(format!("radau-ia-{stages}"), &a, &a)
    }

    /// The method Radau IIA.
    pub fn radau_iia(stages: usize) -> Result<Self, TableProblem> {
        check("Radau IIA", stages, 1)?;
        let nodes = node_polynomial(stages - 1, stages - 1, stages);
        Self::collocation(format!("radau-iia-{stages}"), nodes)
    }

    /// The method Lobatto IIIA.
    pub fn lobatto_iiia(stages: usize) -> Result<Self, TableProblem> {
        check("Lobatto IIIA", stages, 2)?;
        let nodes = lobatto_nodes(stages).nodes;
        Self::collocation(format!("lobatto-iiia-{stages}"), nodes)
    }

    /// The method Lobatto IIIB.
    pub fn lobatto_iiib(stages: usize) -> Result<Self, TableProblem> {
        check("Lobatto IIIB", stages, 2)?;
        let quotient = lobatto_nodes(stages);
        let a = quotient
            .conjugate(&quotient.integration())
            .ok_or_else(|| singular("Lobatto IIIB", stages))?;
        quotient.table(format!("lobatto-iiib-{stages}"), &a, &a)
    }

    /// The pair Lobatto IIIA for the positions and IIIB for the velocities.
    pub fn lobatto_iiia_iiib(stages: usize) -> Result<Self, TableProblem> {
        check("Lobatto IIIA-IIIB", stages, 2)?;
        let quotient = lobatto_nodes(stages);
        let a = quotient.integration();
        let abar = quotient.conjugate(&a).ok_or_else(|| singular("Lobatto IIIA-IIIB", stages))?;
        quotient.table(format!("lobatto-iiia-iiib-{stages}"), &a, &abar)
    }

    /// The method Lobatto IIIC.
    pub fn lobatto_iiic(stages: usize) -> Result<Self, TableProblem> {
        check("Lobatto IIIC", stages, 2)?;
        let quotient = lobatto_nodes(stages);
        let a = quotient
            .with_first_column_of_weights()
            .ok_or_else(|| singular("Lobatto IIIC", stages))?;
        quotient.table(format!("lobatto-iiic-{stages}"), &a, &a)
    }
}
