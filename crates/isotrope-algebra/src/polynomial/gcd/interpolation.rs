//! Sparse modular interpolation.
//!
//! With `c` the gcd of the leading coefficients (in the main variable) of two polynomials
//! primitive in it, the multiple `G = c/lc(g) g` of their gcd `g` is a polynomial whose
//! images are known: `c` at a point times the monic gcd of the univariate images there.
//! `G` is interpolated one variable at a time. The monomials found so far are trusted to be
//! all there are (Zippel, EUROSAM 1979), so each further value costs one structured linear
//! system. The coefficients come from one prime or from several by the Chinese remainder
//! theorem, and the primitive part of `G` has to divide both sides.

use dashu_int::{IBig, UBig};
use smallvec::SmallVec;

use super::super::monomial::Monomial;
use super::super::sparse::Polynomial;
use super::image::{
    Image, Roles, Running, image_gcd, joint_degrees, power_tables, random_point, residues,
};
use super::prime_field::{PrimeField, Primes};
use super::primitive_part_in;
use crate::modular::Random;
use crate::{Budget, OrInternal, OutOfBudget, Rational};

const DOING: &str = "computing a greatest common divisor";

/// Bad luck has a chance of about degree/2^61 each time; more than this is not luck.
const ATTEMPTS: usize = 8;

/// Exponents of all variables; the main one is zero.
type Exponents = SmallVec<[u16; 12]>;

/// For each power of the main variable below the leading one: monomials with coefficients.
type Coefficients = Vec<Vec<(Exponents, u64)>>;

struct Problem<'a> {
    a: &'a Polynomial,
    b: &'a Polynomial,
    /// The gcd of the leading coefficients, over the integers.
    leading: Polynomial,
    main: usize,
    /// The other variables with bounds for their degree in `G`.
    others: Vec<(usize, u16)>,
    degrees: Vec<u16>,
    /// Bound for the degree of the gcd in the main variable.
    degree: u16,
}

/// An image that did not come out as expected.
enum Unlucky {
    /// The gcd has a lower degree than was thought.
    LowerDegree(u16),
    /// Start again somewhere else.
    Point,
    Budget(OutOfBudget),
}

impl From<OutOfBudget> for Unlucky {
    fn from(error: OutOfBudget) -> Self {
        Self::Budget(error)
    }
}

/// The two polynomials and the leading coefficient modulo one prime.
struct Reduced {
    field: PrimeField,
    a: Vec<u64>,
    b: Vec<u64>,
    leading: Vec<u64>,
}

/// The gcd of two polynomials primitive in `main`, or `None` after too much bad luck.
pub(super) fn gcd_by_images(
    a: &Polynomial,
    b: &Polynomial,
    main: usize,
    bounds: &[(usize, u16)],
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Option<Polynomial>, OutOfBudget> {
    let (p, q) = (a.leading_coefficient_in(main), b.leading_coefficient_in(main));
    let number = p.content().gcd(&q.content());
    let leading = super::gcd(&p, &q, budget)?.scale(&number, budget)?;
    let bound = |v: usize| bounds.iter().find(|(w, _)| *w == v).map_or(0, |(_, bound)| *bound);
    let degrees = joint_degrees(a, b);
    // Removing contents may have removed variables.
    let occurs = |v: usize| degrees.get(v).is_some_and(|degree| *degree > 0);
    let mut others: Vec<(usize, u16)> = bounds
        .iter()
        .filter(|(v, _)| *v != main && occurs(*v))
        .map(|&(v, bound)| (v, bound.saturating_add(leading.degree_in(v))))
        .collect();
    // High degrees first, while there are few monomials to carry along.
    others.sort_by_key(|&(v, degree)| (std::cmp::Reverse(degree), v));
    let mut problem = Problem { a, b, leading, main, others, degrees, degree: bound(main) };
    let mut primes = Primes::new();
    for _ in 0..ATTEMPTS {
        if problem.degree == 0 {
            return Ok(Some(Polynomial::one()));
        }
        match problem.attempt(&mut primes, random, budget) {
            Ok(found) => return Ok(Some(found)),
            Err(Unlucky::LowerDegree(degree)) => problem.degree = degree,
            Err(Unlucky::Point) => {}
            Err(Unlucky::Budget(error)) => return Err(error),
        }
    }
    Ok(None)
}

impl Problem<'_> {
    fn reduce(&self, field: PrimeField) -> Reduced {
        Reduced {
            field,
            a: residues(&field, self.a),
            b: residues(&field, self.b),
            leading: residues(&field, &self.leading),
        }
    }

    fn attempt(
        &self,
        primes: &mut Primes,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<Polynomial, Unlucky> {
        let field = primes.next().ok_or(Unlucky::Point)?;
        let reduced = self.reduce(field);
        let found = self.interpolate(&reduced, random, budget)?;
        let mut modulus = UBig::from(field.prime());
        let mut values: Vec<Vec<IBig>> = Vec::new();
        let mut small = true;
        for list in &found {
            let symmetric = list.iter().map(|(_, c)| symmetric(field.to_residue(*c), &field));
            let symmetric: Vec<i64> = symmetric.collect();
            small &= symmetric.iter().all(|c| c.unsigned_abs() < field.prime() >> 10);
            values.push(symmetric.into_iter().map(IBig::from).collect());
        }
        // Residues of larger numbers would look random: small ones are probably exact.
        if small && let Some(divisor) = self.verify(&found, &values, budget)? {
            return Ok(divisor);
        }
        let mut failures = 0;
        loop {
            let field = primes.next().ok_or(Unlucky::Point)?;
            let reduced = self.reduce(field);
            let images = match self.refine(&reduced, &found, random, budget) {
                Ok(images) => images,
                Err(Unlucky::Point) if failures < ATTEMPTS => {
                    failures += 1;
                    continue;
                }
                Err(unlucky) => return Err(unlucky),
            };
            budget.spend(images.iter().map(|list| list.len() as u64).sum(), DOING)?;
            let inverse = Rational::from(IBig::from(modulus.clone())).modulo(field.prime());
            let inverse =
                field.inverse(field.element(inverse.or_noticed("an integer has a residue")));
            let mut stable = true;
            for (values, images) in values.iter_mut().zip(&images) {
                for (value, (_, image)) in values.iter_mut().zip(images) {
                    let old = Rational::from(value.clone()).modulo(field.prime());
                    let old = old.or_noticed("an integer has a residue");
                    let step = field.sub(*image, field.element(old));
                    if step != 0 {
                        stable = false;
                        let step = field.to_residue(field.mul(step, inverse));
                        *value += IBig::from(modulus.clone()) * symmetric(step, &field);
                    }
                }
            }
            modulus *= UBig::from(field.prime());
            if stable {
                return self.verify(&found, &values, budget)?.ok_or(Unlucky::Point);
            }
        }
    }

    /// The primitive part of the interpolated multiple, if it divides both sides.
    fn verify(
        &self,
        found: &Coefficients,
        values: &[Vec<IBig>],
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, OutOfBudget> {
        let top = Monomial::power(self.main, self.degree);
        let mut terms = self.leading.mul_term(&top, &Rational::ONE, budget)?.into_terms();
        for ((list, values), power) in found.iter().zip(values).zip(0u16..) {
            for ((exponents, _), value) in list.iter().zip(values) {
                let monomial = Monomial::from_exponents(exponents).with_exponent(self.main, power);
                terms.push((monomial, Rational::from(value.clone())));
            }
        }
        let multiple = Polynomial::from_terms(terms);
        let divisor = if self.leading.is_constant() {
            multiple.primitive_part()
        } else {
            primitive_part_in(&multiple, self.main, budget)?
        };
        for side in [self.a, self.b] {
            if side.checked_div_exact(&divisor, budget)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(divisor))
    }

    /// Interpolates from nothing, one variable after the other.
    fn interpolate(
        &self,
        reduced: &Reduced,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<Coefficients, Unlucky> {
        let field = &reduced.field;
        let size = self.degrees.len();
        let point = random_point(field, size, random);
        let mut tables = power_tables(field, &point, &self.degrees);
        let mut found: Coefficients = Vec::new();
        // The first image has no variable but the main one.
        {
            let sampler = Sampler::new(self, reduced, &[], &tables, None);
            let images = sampler.images(&[field.one()], 1, budget)?.pop();
            let image = images.or_internal("one image was asked for").map_err(OutOfBudget::from)?;
            for value in image {
                let exponents = Exponents::from_elem(0, size);
                found.push(if value == 0 { Vec::new() } else { vec![(exponents, value)] });
            }
        }
        let mut running: Vec<usize> = Vec::new();
        for &(variable, degree) in &self.others {
            tables[variable] = Vec::new();
            let ratio_point = random_point(field, size, random);
            let mut ratios = vec![Vec::new(); size];
            for &v in &running {
                ratios[v] = field.powers(ratio_point[v], self.degrees[v]);
            }
            let sampler = Sampler::new(self, reduced, &ratios, &tables, Some(variable));
            let solver = Solver::new(field, &found, &ratio_point).ok_or(Unlucky::Point)?;
            let mut nodes = vec![point[variable]];
            let mut samples: Vec<Vec<Vec<u64>>> = vec![values_of(&found)];
            while nodes.len() <= usize::from(degree) {
                let node = 1 + random.below(field.prime() - 1);
                if nodes.contains(&node) {
                    continue;
                }
                let powers = field.powers(node, self.degrees[variable]);
                let images = sampler.images(&powers, solver.count(), budget)?;
                budget.spend(solver.work(), DOING)?;
                samples.push(solver.solve(field, &images));
                nodes.push(node);
            }
            let newton = Newton::new(field, nodes);
            let mut next: Coefficients = Vec::with_capacity(found.len());
            for (position, list) in found.iter().enumerate() {
                let mut longer = Vec::new();
                for (index, (exponents, _)) in list.iter().enumerate() {
                    let values = samples.iter().map(|sample| sample[position][index]).collect();
                    budget.spend(newton.work(), DOING)?;
                    for (value, power) in newton.interpolate(field, values).into_iter().zip(0u16..)
                    {
                        if value != 0 {
                            let mut exponents = exponents.clone();
                            exponents[variable] = power;
                            longer.push((exponents, value));
                        }
                    }
                }
                next.push(longer);
            }
            found = next;
            running.push(variable);
        }
        Ok(found)
    }

    /// The coefficients modulo another prime, for monomials already known.
    fn refine(
        &self,
        reduced: &Reduced,
        found: &Coefficients,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<Coefficients, Unlucky> {
        let field = &reduced.field;
        let point = random_point(field, self.degrees.len(), random);
        let ratios = power_tables(field, &point, &self.degrees);
        let sampler = Sampler::new(self, reduced, &ratios, &[], None);
        let solver = Solver::new(field, found, &point).ok_or(Unlucky::Point)?;
        let images = sampler.images(&[field.one()], solver.count(), budget)?;
        budget.spend(solver.work(), DOING)?;
        let solution = solver.solve(field, &images);
        let lists = found.iter().zip(solution).map(|(list, values)| {
            list.iter().zip(values).map(|((exponents, _), c)| (exponents.clone(), c)).collect()
        });
        Ok(lists.collect())
    }
}

fn values_of(found: &Coefficients) -> Vec<Vec<u64>> {
    found.iter().map(|list| list.iter().map(|(_, value)| *value).collect()).collect()
}

/// The representative between `-prime/2` and `prime/2`.
fn symmetric(residue: u64, field: &PrimeField) -> i64 {
    let (residue, prime) = (residue as i64, field.prime() as i64);
    if residue > prime / 2 { residue - prime } else { residue }
}

/// Images of `G` along the powers of a point.
struct Sampler<'a> {
    field: &'a PrimeField,
    a: Running,
    b: Running,
    leading: Running,
    degree: usize,
}

impl<'a> Sampler<'a> {
    fn new(
        problem: &Problem<'_>,
        reduced: &'a Reduced,
        ratios: &[Vec<u64>],
        fixed: &[Vec<u64>],
        varying: Option<usize>,
    ) -> Self {
        let roles = Roles { main: problem.main, ratios, fixed, varying };
        let field = &reduced.field;
        Self {
            field,
            a: Running::new(field, problem.a, &reduced.a, &roles),
            b: Running::new(field, problem.b, &reduced.b, &roles),
            leading: Running::new(field, &problem.leading, &reduced.leading, &roles),
            degree: usize::from(problem.degree),
        }
    }

    /// The coefficients of `G` below the leading one at `count` points.
    fn images(
        &self,
        powers: &[u64],
        count: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Image>, Unlucky> {
        let field = self.field;
        let mut a = self.a.start(field, powers);
        let mut b = self.b.start(field, powers);
        let mut leading = self.leading.start(field, powers);
        let mut images = Vec::with_capacity(count);
        for _ in 0..count {
            budget.spend((self.a.groups() + self.b.groups()) as u64, DOING)?;
            let p = self.a.step(field, &mut a);
            let q = self.b.step(field, &mut b);
            let scale = self.leading.step(field, &mut leading).first().copied().unwrap_or(0);
            if p.last() == Some(&0) || q.last() == Some(&0) || scale == 0 {
                return Err(Unlucky::Point);
            }
            budget.spend((p.len() * q.len() / 4) as u64, DOING)?;
            let mut image = image_gcd(field, p, q);
            image.pop();
            if image.len() < self.degree {
                let degree = u16::try_from(image.len()).unwrap_or(u16::MAX);
                return Err(Unlucky::LowerDegree(degree));
            }
            if image.len() > self.degree {
                return Err(Unlucky::Point);
            }
            for value in &mut image {
                *value = field.mul(*value, scale);
            }
            images.push(image);
        }
        Ok(images)
    }
}

/// Coefficients from values at the powers `r^1, r^2, ...` of a point.
struct Solver {
    /// For each power of the main variable: values of the monomials at the point.
    nodes: Vec<Vec<u64>>,
}

impl Solver {
    /// `None` when two monomials have the same value.
    fn new(field: &PrimeField, found: &Coefficients, point: &[u64]) -> Option<Self> {
        let mut nodes = Vec::with_capacity(found.len());
        for list in found {
            let mut values = Vec::with_capacity(list.len());
            for (exponents, _) in list {
                let mut value = field.one();
                for (&exponent, &x) in exponents.iter().zip(point).filter(|(e, _)| **e > 0) {
                    value = field.mul(value, field.pow(x, exponent.into()));
                }
                values.push(value);
            }
            let mut sorted = values.clone();
            sorted.sort_unstable();
            if sorted.windows(2).any(|w| w[0] == w[1]) {
                return None;
            }
            nodes.push(values);
        }
        Some(Self { nodes })
    }

    /// How many values are needed.
    fn count(&self) -> usize {
        self.nodes.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn work(&self) -> u64 {
        self.nodes.iter().map(|list| (list.len() * list.len()) as u64).sum()
    }

    /// With `P(z) = prod (z - m_s)` and `Q_s = P/(z - m_s)`, the combination of the values
    /// `v_i = sum c_s m_s^i` with the coefficients of `Q_s` is `c_s m_s Q_s(m_s)`.
    fn solve(&self, field: &PrimeField, images: &[Image]) -> Vec<Vec<u64>> {
        let mut solution = Vec::with_capacity(self.nodes.len());
        for (position, nodes) in self.nodes.iter().enumerate() {
            let mut master = vec![field.one()];
            for &node in nodes {
                // Multiply by (z - node), constant term first.
                master.push(0);
                for index in (0..master.len()).rev() {
                    let below = if index > 0 { master[index - 1] } else { 0 };
                    master[index] = field.sub(below, field.mul(node, master[index]));
                }
            }
            let mut list = Vec::with_capacity(nodes.len());
            for &node in nodes {
                // Synthetic division from the top; both sums on the way.
                let (mut quotient, mut value, mut sum) = (0, 0, 0);
                for index in (0..nodes.len()).rev() {
                    quotient = field.add(master[index + 1], field.mul(node, quotient));
                    value = field.add(field.mul(value, node), quotient);
                    sum = field.add(sum, field.mul(quotient, images[index][position]));
                }
                list.push(field.mul(sum, field.inverse(field.mul(value, node))));
            }
            solution.push(list);
        }
        solution
    }
}

/// Interpolation in one variable at fixed nodes.
struct Newton {
    nodes: Vec<u64>,
    /// `1/(x_i - x_j)` for `j < i`.
    inverses: Vec<Vec<u64>>,
}

impl Newton {
    fn new(field: &PrimeField, nodes: Vec<u64>) -> Self {
        let row = |i: usize| {
            (0..i).map(|j| field.inverse(field.sub(nodes[i], nodes[j]))).collect::<Vec<u64>>()
        };
        let inverses = (0..nodes.len()).map(row).collect();
        Self { nodes, inverses }
    }

    fn work(&self) -> u64 {
        (self.nodes.len() * self.nodes.len()) as u64
    }

    /// The coefficients, constant term first.
    fn interpolate(&self, field: &PrimeField, values: Vec<u64>) -> Vec<u64> {
        let mut differences = values;
        let count = differences.len();
        for level in 1..count {
            for i in (level..count).rev() {
                let difference = field.sub(differences[i], differences[i - 1]);
                differences[i] = field.mul(difference, self.inverses[i][i - level]);
            }
        }
        let mut result = vec![0; count];
        for i in (0..count).rev() {
            // result = result (x - x_i) + d_i
            for index in (0..count).rev() {
                let below = if index > 0 { result[index - 1] } else { 0 };
                result[index] = field.sub(below, field.mul(self.nodes[i], result[index]));
            }
            result[0] = field.add(result[0], differences[i]);
        }
        result
    }
}
