//! Univariate images modulo a prime.

use smallvec::SmallVec;

use super::super::sparse::Polynomial;
use super::prime_field::PrimeField;
use crate::modular::Random;
use crate::{Budget, OutOfBudget, Rational};

/// A univariate polynomial modulo a prime, constant term first, no leading zeros.
pub(super) type Image = Vec<u64>;

fn trim(image: &mut Image) {
    while image.last() == Some(&0) {
        image.pop();
    }
}

/// The monic greatest common divisor.
pub(super) fn image_gcd(field: &PrimeField, mut a: Image, mut b: Image) -> Image {
    trim(&mut a);
    trim(&mut b);
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    while let Some(&leading) = b.last() {
        let inverse = field.inverse(leading);
        while a.len() >= b.len() {
            let Some(&top) = a.last() else { break };
            let factor = field.mul(top, inverse);
            let shift = a.len() - b.len();
            for (x, &y) in a[shift..].iter_mut().zip(&b) {
                *x = field.sub(*x, field.mul(factor, y));
            }
            trim(&mut a);
        }
        std::mem::swap(&mut a, &mut b);
    }
    if let Some(&leading) = a.last() {
        let inverse = field.inverse(leading);
        for x in &mut a {
            *x = field.mul(*x, inverse);
        }
    }
    a
}

/// The coefficients of an integer polynomial modulo the prime.
pub(super) fn residues(field: &PrimeField, polynomial: &Polynomial) -> Vec<u64> {
    let coefficients = polynomial.terms().iter();
    coefficients.map(|(_, c)| c.modulo(field.prime()).map_or(0, |r| field.element(r))).collect()
}

/// Powers of the coordinates of a point, as far as the degrees ask.
pub(super) fn power_tables(field: &PrimeField, point: &[u64], degrees: &[u16]) -> Vec<Vec<u64>> {
    point.iter().zip(degrees).map(|(&x, &d)| field.powers(x, d)).collect()
}

pub(super) fn random_point(field: &PrimeField, size: usize, random: &mut Random) -> Vec<u64> {
    (0..size).map(|_| 1 + random.below(field.prime() - 1)).collect()
}

/// Larger of the degrees of two polynomials, variable by variable.
pub(super) fn joint_degrees(a: &Polynomial, b: &Polynomial) -> Vec<u16> {
    let (mut degrees, more) = (a.degrees(), b.degrees());
    degrees.resize(degrees.len().max(more.len()), 0);
    for (degree, other) in degrees.iter_mut().zip(more) {
        *degree = other.max(*degree);
    }
    degrees
}

/// A polynomial at a random point modulo a prime, but for one variable at a time.
struct Images<'p> {
    field: PrimeField,
    polynomial: &'p Polynomial,
    residues: Vec<u64>,
}

impl<'p> Images<'p> {
    fn new(field: PrimeField, polynomial: &'p Polynomial) -> Self {
        Self { field, polynomial, residues: residues(&field, polynomial) }
    }

    fn in_variable(&self, main: usize, tables: &[Vec<u64>]) -> Image {
        let mut image = vec![0; usize::from(self.polynomial.degree_in(main)) + 1];
        for ((monomial, _), &residue) in self.polynomial.terms().iter().zip(&self.residues) {
            let mut value = residue;
            for (index, &e) in monomial.exponents().iter().enumerate() {
                if e > 0 && index != main {
                    value = self.field.mul(value, tables[index][usize::from(e)]);
                }
            }
            let slot = &mut image[usize::from(monomial.exponent(main))];
            *slot = self.field.add(*slot, value);
        }
        image
    }
}

/// Have the images in these variables, at a random point, their full degree and no repeated factor?
pub(in super::super) fn has_square_free_images(
    polynomial: &Polynomial,
    degrees: &[u16],
    variables: &[usize],
) -> bool {
    let field = PrimeField::new(crate::modular::PRIME);
    let point = random_point(&field, degrees.len(), &mut Random::new(polynomial.len() as u64));
    let tables = power_tables(&field, &point, degrees);
    let residue = |c: &Rational| c.modulo(field.prime()).map(|r| field.element(r));
    let Some(residues) = polynomial.terms().iter().map(|(_, c)| residue(c)).collect() else {
        return false;
    };
    let images = Images { field, polynomial, residues };
    variables.iter().all(|&main| {
        let image = images.in_variable(main, &tables);
        let slope = image.iter().enumerate().skip(1);
        let slope = slope.map(|(k, &x)| field.mul(field.element(k as u64), x)).collect();
        image.last() != Some(&0) && image_gcd(&field, image, slope).len() == 1
    })
}

/// For each of the variables a proven upper bound of the degree of the gcd: the degree of
/// the gcd of two univariate images whose leading coefficients did not vanish.
pub(super) fn degree_bounds(
    a: &Polynomial,
    b: &Polynomial,
    variables: &[usize],
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Vec<u16>, OutOfBudget> {
    let field = PrimeField::new(crate::modular::PRIME);
    let (a, b) = (Images::new(field, a), Images::new(field, b));
    let degrees = joint_degrees(a.polynomial, b.polynomial);
    let point = random_point(&field, degrees.len(), random);
    let tables = power_tables(&field, &point, &degrees);
    let mut bounds = Vec::with_capacity(variables.len());
    for &main in variables {
        let work = (a.polynomial.len() + b.polynomial.len()) * variables.len();
        budget.spend(work as u64, "bounding the degree of a common divisor")?;
        let (p, q) = (a.in_variable(main, &tables), b.in_variable(main, &tables));
        let trivial = p.len().min(q.len()) - 1;
        let lucky = p.last() != Some(&0) && q.last() != Some(&0);
        budget.spend((p.len() * q.len()) as u64, "bounding the degree of a common divisor")?;
        let bound = if lucky { image_gcd(&field, p, q).len() - 1 } else { trivial };
        bounds.push(u16::try_from(bound).unwrap_or(u16::MAX));
    }
    Ok(bounds)
}

/// A polynomial whose variables are split into the main one, those that run through powers
/// `r^1, r^2, ...`, at most one that takes a few values, and those that stay fixed.
///
/// Terms that agree in the main variable and the running ones are added up beforehand.
pub(super) struct Running {
    exponent: Vec<u16>,
    ratio: Vec<u64>,
    group: Vec<u32>,
    fixed: Vec<u64>,
    varying: Vec<u16>,
    degree: u16,
}

/// What the variables do in a [`Running`] polynomial.
pub(super) struct Roles<'a> {
    pub main: usize,
    /// Power tables of the variables at the running ratio; empty for those that do not run.
    pub ratios: &'a [Vec<u64>],
    /// Power tables of the fixed variables; empty for the others.
    pub fixed: &'a [Vec<u64>],
    pub varying: Option<usize>,
}

impl Running {
    pub fn new(
        field: &PrimeField,
        polynomial: &Polynomial,
        residues: &[u64],
        roles: &Roles<'_>,
    ) -> Self {
        let mut groups: hashbrown::HashMap<SmallVec<[u16; 12]>, u32, rustc_hash::FxBuildHasher> =
            hashbrown::HashMap::default();
        let mut running = Self {
            exponent: Vec::new(),
            ratio: Vec::new(),
            group: Vec::with_capacity(polynomial.len()),
            fixed: Vec::with_capacity(polynomial.len()),
            varying: Vec::with_capacity(polynomial.len()),
            degree: polynomial.degree_in(roles.main),
        };
        for ((monomial, _), &residue) in polynomial.terms().iter().zip(residues) {
            let (mut value, mut ratio) = (residue, field.one());
            let mut key = SmallVec::from_slice(monomial.exponents());
            for (index, exponent) in key.iter_mut().enumerate() {
                let power = usize::from(*exponent);
                if index == roles.main || power == 0 {
                    continue;
                }
                if let Some(&factor) = roles.ratios.get(index).and_then(|t| t.get(power)) {
                    ratio = field.mul(ratio, factor);
                    continue;
                }
                if let Some(&factor) = roles.fixed.get(index).and_then(|t| t.get(power)) {
                    value = field.mul(value, factor);
                }
                *exponent = 0;
            }
            while key.last() == Some(&0) {
                key.pop();
            }
            let next = running.ratio.len() as u32;
            let group = *groups.entry(key).or_insert(next);
            if group == next {
                running.exponent.push(monomial.exponent(roles.main));
                running.ratio.push(ratio);
            }
            running.group.push(group);
            running.fixed.push(value);
            running.varying.push(roles.varying.map_or(0, |index| monomial.exponent(index)));
        }
        running
    }

    /// The values of the groups before the first step, for powers of the varying variable.
    pub fn start(&self, field: &PrimeField, powers: &[u64]) -> Vec<u64> {
        let mut values = vec![0; self.ratio.len()];
        for ((&group, &fixed), &exponent) in self.group.iter().zip(&self.fixed).zip(&self.varying) {
            let factor = powers.get(usize::from(exponent)).copied().unwrap_or(0);
            let slot = &mut values[group as usize];
            *slot = field.add(*slot, field.mul(fixed, factor));
        }
        values
    }

    /// Takes one step along the powers and returns the image there.
    pub fn step(&self, field: &PrimeField, values: &mut [u64]) -> Image {
        let mut image = vec![0; usize::from(self.degree) + 1];
        for ((value, &ratio), &exponent) in values.iter_mut().zip(&self.ratio).zip(&self.exponent) {
            *value = field.mul(*value, ratio);
            let slot = &mut image[usize::from(exponent)];
            *slot = field.add(*slot, *value);
        }
        image
    }

    pub fn groups(&self) -> usize {
        self.ratio.len()
    }
}
