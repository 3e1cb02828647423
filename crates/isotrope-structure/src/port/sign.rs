//! Signs: conditions on parameters, nonnegative functions, definite matrices.

use std::cmp::Ordering;

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::linear::{Matrix, determinant};
use isotrope_algebra::normal::{Fraction, simplify};
use isotrope_algebra::{Budget, ExprId, Monomial, Polynomial, Pool, Rational, RationalFunction};

use super::PortError;
use super::ansatz::subsets;
use super::ring::Ring;
use super::values::Values;

/// What a condition asks of its expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// It is not zero.
    NotZero,
    /// It is at least zero.
    NotNegative,
    /// It is positive.
    Positive,
}

impl Relation {
    /// The sign with which it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::NotZero => "!=",
            Self::NotNegative => ">=",
            Self::Positive => ">",
        }
    }
}

/// `expression != 0`, `>= 0` or `> 0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// What has the sign.
    pub expression: ExprId,
    /// Which sign.
    pub relation: Relation,
}

impl Condition {
    /// Does it hold at the values? `None` if that cannot be told.
    pub fn holds(&self, pool: &mut Pool, values: &Values) -> Option<bool> {
        let sign = values.sign(pool, self.expression)?;
        Some(match self.relation {
            Relation::NotZero => sign != Ordering::Equal,
            Relation::NotNegative => sign != Ordering::Less,
            Relation::Positive => sign == Ordering::Greater,
        })
    }
}

/// The answer to a question about signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// For all parameters.
    Always,
    /// Where these hold.
    Under {
        /// The conditions.
        conditions: Vec<Condition>,
        /// Are they necessary too?
        sharp: bool,
        /// Does it hold at the values of the parameters?
        at_values: Option<bool>,
    },
    /// Not so; and a point of the states that shows it.
    Never {
        /// States and their values.
        witness: Vec<(ExprId, ExprId)>,
        /// Was that found at the values of the parameters? It may be different at others.
        at_values: bool,
    },
    /// Not decided.
    Unknown,
}

impl Verdict {
    /// Does it hold, at least at the values of the parameters?
    pub fn holds(&self) -> bool {
        match self {
            Self::Always => true,
            Self::Under { at_values, .. } => *at_values == Some(true),
            Self::Never { .. } | Self::Unknown => false,
        }
    }

    /// The conditions, if there are any.
    pub fn conditions(&self) -> &[Condition] {
        match self {
            Self::Under { conditions, .. } => conditions,
            _ => &[],
        }
    }
}

/// Gathers conditions until one of them fails.
struct Gathered {
    conditions: Vec<Condition>,
    sharp: bool,
    fails: bool,
}

impl Gathered {
    fn new() -> Self {
        Self { conditions: Vec::new(), sharp: true, fails: false }
    }

    fn ask(
        &mut self,
        pool: &mut Pool,
        expression: ExprId,
        relation: Relation,
        budget: &mut Budget,
    ) -> Result<(), PortError> {
        match condition(pool, expression, relation, budget)? {
            Asked::Holds => {}
            Asked::Fails => self.fails = true,
            Asked::If(list) => {
                for condition in list {
                    if !self.conditions.contains(&condition) {
                        self.conditions.push(condition);
                    }
                }
            }
        }
        Ok(())
    }

    fn verdict(self, pool: &mut Pool, values: &Values) -> Verdict {
        if self.fails {
            return if self.sharp {
                Verdict::Never { witness: Vec::new(), at_values: false }
            } else {
                Verdict::Unknown
            };
        }
        if self.conditions.is_empty() {
            return Verdict::Always;
        }
        let at_values = self
            .conditions
            .iter()
            .map(|condition| condition.holds(pool, values))
            .try_fold(true, |all, one| Some(all && one?));
        Verdict::Under { conditions: self.conditions, sharp: self.sharp, at_values }
    }
}

enum Asked {
    Holds,
    Fails,
    If(Vec<Condition>),
}

/// A constant and even monomials with coefficients of its sign have no real zero: is that so, and
/// is the polynomial positive?
fn evident(p: &Polynomial) -> Option<bool> {
    let even = |m: &Monomial| m.exponents().iter().all(|e| e.is_multiple_of(2));
    let terms = p.terms();
    let constant = terms.iter().any(|(m, _)| m.is_one());
    let negative = terms.first().is_some_and(|(_, c)| c.is_negative());
    let same = terms.iter().all(|(m, c)| even(m) && c.is_negative() == negative);
    (constant && same).then_some(!negative)
}

/// The condition without even powers and positive factors; a strict one asks of the factors of
/// even powers that they do not vanish.
fn condition(
    pool: &mut Pool,
    expression: ExprId,
    relation: Relation,
    budget: &mut Budget,
) -> Result<Asked, PortError> {
    let (ring, fractions) = Ring::new(pool, &[], &[expression], budget)?;
    let Fraction { numerator, denominator } = &fractions[0];
    if numerator.is_zero() {
        return Ok(if relation == Relation::NotNegative { Asked::Holds } else { Asked::Fails });
    }
    let product = numerator.mul(denominator, budget)?;
    let parts = product.square_free(budget)?;
    let mut positive = !parts.unit.is_negative();
    let mut kept = Polynomial::one();
    let mut list = Vec::new();
    for (factor, power) in &parts.factors {
        if power % 2 == 1 || relation == Relation::NotZero {
            kept = kept.mul(factor, budget)?;
        } else if relation == Relation::Positive
            && numerator.checked_div_exact(factor, budget)?.is_some()
        {
            let square = ring.expression(pool, factor);
            list.extend(not_zero(pool, square, budget)?);
        }
    }
    let mut factors = Vec::new();
    if kept.as_constant().is_none() {
        for part in isotrope_algebra::ideal::factors(&kept, budget)? {
            factors.push(part.polynomial);
        }
        let mut product = Polynomial::one();
        for factor in &factors {
            product = product.mul(factor, budget)?;
        }
        if product == kept.negate() {
            positive = !positive;
        } else if product != kept {
            factors = vec![kept];
        }
    } else if kept.as_constant().is_some_and(|value| value.is_negative()) {
        positive = !positive;
    }
    factors.retain(|factor| match evident(factor) {
        Some(sign) => {
            positive = positive == sign;
            false
        }
        None => true,
    });
    if factors.is_empty() {
        if relation != Relation::NotZero && !positive {
            return Ok(Asked::Fails);
        }
        return Ok(if list.is_empty() { Asked::Holds } else { Asked::If(list) });
    }
    let negative = relation != Relation::NotZero && !positive;
    let expression = if factors.len() > 1 {
        let mut parts = vec![if negative { ExprId::MINUS_ONE } else { ExprId::ONE }];
        parts.extend(factors.iter().map(|factor| ring.expression(pool, factor)));
        pool.product(&parts)
    } else {
        let factor = if negative { factors[0].negate() } else { factors[0].clone() };
        let expression = ring.quotient(pool, &RationalFunction::from(factor));
        simplify(pool, expression, budget)
    };
    list.insert(0, Condition { expression, relation });
    Ok(Asked::If(list))
}

/// The conditions that factors do not vanish, one each.
pub(super) fn not_zero(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<Vec<Condition>, PortError> {
    let (ring, fractions) = Ring::new(pool, &[], &[expression], budget)?;
    let mut list = Vec::new();
    for factor in isotrope_algebra::ideal::factors(&fractions[0].numerator, budget)? {
        if evident(&factor.polynomial).is_some() {
            continue;
        }
        let expression = ring.expression(pool, &factor.polynomial);
        list.push(Condition { expression, relation: Relation::NotZero });
    }
    Ok(list)
}

/// Is a function of the states nowhere negative?
pub(super) fn nowhere_negative(
    pool: &mut Pool,
    states: &[ExprId],
    function: ExprId,
    values: &Values,
    budget: &mut Budget,
) -> Result<Verdict, PortError> {
    let (ring, fractions) = Ring::new(pool, states, &[function], budget)?;
    let Fraction { numerator, denominator } = &fractions[0];
    let plain = ring.variables().iter().all(|&v| states.contains(&ring.expression_of(v)));
    let constant = ring.split(denominator).keys().all(Monomial::is_one);
    if plain && constant {
        let terms = ring.split(numerator);
        let down = ring.expression(pool, denominator);
        let coefficient = |pool: &mut Pool, p: &Polynomial| {
            let up = ring.expression(pool, p);
            pool.div(up, down)
        };
        let mut gathered = Gathered::new();
        let even = |m: &Monomial| m.exponents().iter().all(|e| e.is_multiple_of(2));
        if terms.keys().all(even) {
            // Sums of even monomials: sharp if there is one only, or the constant is zero and
            // every monomial is a pure power.
            let pure = |m: &Monomial| m.variables().count() == 1;
            gathered.sharp = terms.len() <= 1 || terms.keys().all(pure) && quadratic(&terms);
            for p in terms.values() {
                let value = coefficient(pool, p);
                gathered.ask(pool, value, Relation::NotNegative, budget)?;
            }
            let verdict = gathered.verdict(pool, values);
            if verdict.holds() || matches!(verdict, Verdict::Under { sharp: true, .. }) {
                return Ok(verdict);
            }
        } else if terms.keys().all(|m| m.degree() <= 2) {
            // c + l x + x Q x >= 0 exactly if the matrix (c, l/2; l/2, Q) is.
            let variables = ring.variables();
            let size = variables.len() + 1;
            let mut gram = Matrix::zero(size, size);
            for (m, p) in &terms {
                let value = coefficient(pool, p);
                let mut places: Vec<usize> = Vec::new();
                for (place, &v) in variables.iter().enumerate() {
                    places.extend(std::iter::repeat_n(place + 1, m.exponent(v).into()));
                }
                places.resize(2, 0);
                let (a, b) = (places[0], places[1]);
                let half = Rational::half();
                let value = if a == b { value } else { pool.scale(&half, value) };
                gram.set(a, b, value);
                gram.set(b, a, value);
            }
            return semidefinite(pool, &[], &gram, values, budget);
        }
    }
    if values.cover(pool, function, states)
        && let Some(witness) = values.negative_at(pool, function, states)
    {
        let at_values = pool.symbols_in(&[function]).iter().any(|s| !states.contains(s));
        return Ok(Verdict::Never { witness, at_values });
    }
    Ok(Verdict::Unknown)
}

fn quadratic(terms: &std::collections::BTreeMap<Monomial, Polynomial>) -> bool {
    terms.keys().all(|m| m.degree() == 2)
}

/// The states that are connected by entries that are not zero.
fn blocks(matrix: &Matrix) -> Vec<Vec<usize>> {
    let n = matrix.rows();
    let mut seen = vec![false; n];
    let mut list = Vec::new();
    for start in 0..n {
        if seen[start] {
            continue;
        }
        let mut block = vec![start];
        seen[start] = true;
        let mut next = 0;
        while next < block.len() {
            let i = block[next];
            next += 1;
            for (j, seen) in seen.iter_mut().enumerate() {
                let joined = !(matrix.get(i, j).is_zero() && matrix.get(j, i).is_zero());
                if joined && !*seen {
                    *seen = true;
                    block.push(j);
                }
            }
        }
        block.sort_unstable();
        list.push(block);
    }
    list
}

fn minor(
    pool: &mut Pool,
    matrix: &Matrix,
    rows: &[usize],
    budget: &mut Budget,
) -> Result<ExprId, PortError> {
    let mut part = Matrix::zero(rows.len(), rows.len());
    for (a, &i) in rows.iter().enumerate() {
        for (b, &j) in rows.iter().enumerate() {
            part.set(a, b, matrix.get(i, j));
        }
    }
    Ok(determinant(pool, &part, budget)?)
}

/// Takes out rows whose diagonal entry is a positive number: what is left to examine is the
/// Schur complement.
fn without_positive_pivots(
    pool: &mut Pool,
    matrix: &Matrix,
    block: &[usize],
    budget: &mut Budget,
) -> (Matrix, Vec<usize>) {
    let (mut matrix, mut block) = (matrix.clone(), block.to_vec());
    let positive = |pool: &Pool, value: ExprId| {
        pool.as_number(value).is_some_and(|v| !v.is_negative() && !v.is_zero())
    };
    while let Some(place) = block.iter().position(|&i| positive(pool, matrix.get(i, i))) {
        let pivot = block.remove(place);
        let inverse = pool.powi(matrix.get(pivot, pivot), -1);
        for &i in &block {
            for &j in &block {
                let change = pool.product(&[matrix.get(i, pivot), inverse, matrix.get(pivot, j)]);
                let value = pool.sub(matrix.get(i, j), change);
                let value = simplify(pool, value, budget);
                matrix.set(i, j, value);
            }
        }
    }
    (matrix, block)
}

/// The largest block whose principal minors are all computed.
const BLOCK: usize = 6;

/// Is a symmetric matrix of functions positive semidefinite everywhere?
pub(super) fn semidefinite(
    pool: &mut Pool,
    states: &[ExprId],
    matrix: &Matrix,
    values: &Values,
    budget: &mut Budget,
) -> Result<Verdict, PortError> {
    let (mut conditions, mut all_sharp, mut at) = (Vec::new(), true, Some(true));
    for block in blocks(matrix) {
        let (matrix, block) = without_positive_pivots(pool, matrix, &block, budget);
        if block.len() > BLOCK {
            return Ok(Verdict::Unknown);
        }
        for size in 1..=block.len() {
            for rows in subsets(block.len(), size) {
                let rows: Vec<usize> = rows.into_iter().map(|place| block[place]).collect();
                let value = minor(pool, &matrix, &rows, budget)?;
                if value.is_zero() {
                    continue;
                }
                let varies = pool.depends_on(value, states);
                let verdict = if varies {
                    nowhere_negative(pool, states, value, values, budget)?
                } else {
                    let mut one = Gathered::new();
                    one.ask(pool, value, Relation::NotNegative, budget)?;
                    one.verdict(pool, values)
                };
                match verdict {
                    Verdict::Always => {}
                    Verdict::Under { conditions: list, sharp, at_values } => {
                        all_sharp &= sharp;
                        at = at.zip(at_values).map(|(a, b)| a && b);
                        for condition in list {
                            if !conditions.contains(&condition) {
                                conditions.push(condition);
                            }
                        }
                    }
                    other => return Ok(other),
                }
            }
        }
    }
    Ok(if conditions.is_empty() {
        Verdict::Always
    } else {
        Verdict::Under { conditions, sharp: all_sharp, at_values: at }
    })
}

/// Is a symmetric matrix of constants positive definite? By leading minors of its blocks.
pub(super) fn definite(
    pool: &mut Pool,
    matrix: &Matrix,
    values: &Values,
    budget: &mut Budget,
) -> Result<Verdict, PortError> {
    let mut gathered = Gathered::new();
    for block in blocks(matrix) {
        let (matrix, block) = without_positive_pivots(pool, matrix, &block, budget);
        for size in 1..=block.len() {
            let value = minor(pool, &matrix, &block[..size], budget)?;
            gathered.ask(pool, value, Relation::Positive, budget)?;
        }
    }
    Ok(gathered.verdict(pool, values))
}

/// Is an energy positive definite: convex if it is quadratic, or a sum of even monomials with
/// every state among the pure powers?
pub(super) fn positive_energy(
    pool: &mut Pool,
    states: &[ExprId],
    energy: ExprId,
    values: &Values,
    budget: &mut Budget,
) -> Result<Verdict, PortError> {
    let n = states.len();
    let mut hessian = Matrix::zero(n, n);
    let slopes = isotrope_algebra::calculus::gradient(pool, energy, states, budget)?;
    let mut constant = true;
    for (i, &slope) in slopes.iter().enumerate() {
        let row = isotrope_algebra::calculus::gradient(pool, slope, states, budget)?;
        for (j, value) in row.into_iter().enumerate() {
            let value = simplify(pool, value, budget);
            constant &= !pool.depends_on(value, states);
            hessian.set(i, j, value);
        }
    }
    if constant {
        return definite(pool, &hessian, values, budget);
    }
    let (ring, fractions) = Ring::new(pool, states, &[energy], budget)?;
    // A constant in an energy means nothing, and only polynomials come without one.
    let plain = ring.variables().iter().all(|&v| states.contains(&ring.expression_of(v)));
    if !plain || !ring.split(&fractions[0].denominator).keys().all(Monomial::is_one) {
        return Ok(Verdict::Unknown);
    }
    let mut terms = ring.split(&fractions[0].numerator);
    terms.remove(&Monomial::one());
    if terms.keys().any(|m| m.degree() == 1) {
        // Its minimum, if it has one, is somewhere else.
        return Ok(Verdict::Unknown);
    }
    let down = ring.expression(pool, &fractions[0].denominator);
    let even = |m: &Monomial| m.exponents().iter().all(|e| e.is_multiple_of(2));
    let mut sufficient = Verdict::Unknown;
    if terms.keys().all(even) {
        // No term is negative, and of the pure powers of every state one is positive.
        let mut gathered = Gathered::new();
        gathered.sharp = false;
        let mut pure = vec![Vec::new(); n];
        for (m, p) in &terms {
            let up = ring.expression(pool, p);
            let value = pool.div(up, down);
            let mut variables = m.variables();
            if let (Some(v), None) = (variables.next(), variables.next())
                && let Some(place) = states.iter().position(|&x| x == ring.expression_of(v))
            {
                pure[place].push(value);
            } else {
                gathered.ask(pool, value, Relation::NotNegative, budget)?;
            }
        }
        for coefficients in pure {
            if coefficients.len() > 1 {
                for &value in &coefficients {
                    gathered.ask(pool, value, Relation::NotNegative, budget)?;
                }
            }
            let sum = pool.sum(&coefficients);
            gathered.ask(pool, sum, Relation::Positive, budget)?;
        }
        sufficient = gathered.verdict(pool, values);
        if sufficient.holds() {
            return Ok(sufficient);
        }
    }
    let origin: Substitution = states.iter().map(|&x| (x, ExprId::ZERO)).collect();
    let lowest = substitute(pool, &[energy], &origin, budget)?[0];
    let rest = pool.sub(energy, lowest);
    let rest = simplify(pool, rest, budget);
    Ok(match nowhere_negative(pool, states, rest, values, budget)? {
        never @ Verdict::Never { .. } => never,
        _ => sufficient,
    })
}
