//! The tables that are combined, exact and in one prime field.

use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::number::field::{FieldElement, FieldError, NumberField};
use isotrope_algebra::univariate::ModularRoots;
use isotrope_algebra::{Budget, Rational};

use crate::solution::GroupTables;
use isotrope_certify::CertifyError;
use isotrope_methods::PrimeTable;
use isotrope_methods::classes::{PrimeField, Residue, Scalars};
use isotrope_methods::table::{Coefficients, Table, TableProblem, catalogue, catalogue_names};

/// A table for one group.
struct Part {
    name: String,
    field: NumberField,
    matrix: Vec<Vec<FieldElement>>,
    weights: Vec<FieldElement>,
    /// The same in the prime field.
    image: (Vec<Vec<Residue>>, Vec<Residue>),
}

/// Tables for single groups of variables, all with the same number of stages.
pub(super) struct Parts {
    /// Each once.
    parts: Vec<Part>,
    /// A field with images of all; `None`: no prime was found.
    pub field: Option<PrimeField>,
    /// Tables whose nodes generate too large a field.
    pub skipped: Vec<String>,
}

impl Parts {
    /// The tables with this many stages; `None` for the field if no prime was found.
    pub fn new(
        stages: usize,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<Self, CertifyError> {
        let mut skipped = Vec::new();
        let mut parts: Vec<Part> = Vec::new();
        for name in catalogue_names() {
            let Some(table) = catalogue(&name, budget)?.filter(|table| table.stages == stages)
            else {
                continue;
            };
            let table = match table.to_pointwise(budget) {
                Ok(table) => table,
                Err(TableProblem::Field(
                    FieldError::DegreeLimit { .. } | FieldError::OutOfReach { .. },
                )) => {
                    skipped.push(name);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let second = if table.is_one_table() { "" } else { " (v)" };
            let groups = [("", &table.a, &table.b), (second, &table.abar, &table.bbar)];
            for (suffix, matrix, weights) in groups {
                let known = parts.iter().any(|part| {
                    part.field == table.field && part.matrix == *matrix && part.weights == *weights
                });
                if !known {
                    parts.push(Part {
                        name: format!("{name}{suffix}"),
                        field: table.field.clone(),
                        matrix: matrix.clone(),
                        weights: weights.clone(),
                        image: (Vec::new(), Vec::new()),
                    });
                }
            }
        }
        let field = images(&mut parts, random, budget)?;
        Ok(Self { parts, field, skipped })
    }

    /// The matrix and the weights of a part in the prime field.
    pub fn part(&self, number: usize) -> (&[Vec<Residue>], &[Residue]) {
        let (matrix, weights) = &self.parts[number].image;
        (matrix, weights)
    }

    /// Tables for any groups in the smallest field that has all coefficients.
    pub fn tables(
        &self,
        numbers: &[usize],
        used: &[bool],
        budget: &mut Budget,
    ) -> Result<GroupTables, TableProblem> {
        let mut field = NumberField::rationals();
        let (mut matrices, mut weights) = (Vec::new(), Vec::new());
        for (&number, &used) in numbers.iter().zip(used) {
            let part = &self.parts[number];
            let larger = field.adjoin(part.field.generator(), budget)?;
            let embed = |list: &mut Vec<FieldElement>| {
                list.iter_mut().for_each(|x| *x = larger.embed(x));
            };
            let all: &mut Vec<Vec<Vec<FieldElement>>> = &mut matrices;
            all.iter_mut().flatten().chain(&mut weights).for_each(embed);
            field = larger.field.clone();
            let own = |x: &FieldElement| field.evaluate(x.coefficients(), &larger.element);
            let list = |x: &Vec<FieldElement>| x.iter().map(own).collect::<Vec<_>>();
            let none = Vec::new();
            let rows = if used { &part.matrix } else { &none };
            matrices.push(rows.iter().map(list).collect());
            weights.push(list(&part.weights));
        }
        Ok(GroupTables { field, matrices, weights })
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// The numbers of the first parts with each list of weights.
    pub fn distinct_weights(&self) -> Vec<usize> {
        let parts = &self.parts;
        (0..parts.len())
            .filter(|&k| parts[..k].iter().all(|part| part.image.1 != parts[k].image.1))
            .collect()
    }

    /// A combination in the prime field.
    pub fn image(&self, [q, v, p]: [usize; 3], field: &PrimeField) -> PrimeTable {
        let parts = &self.parts;
        let coefficients = Coefficients {
            a: parts[q].image.0.clone(),
            abar: parts[v].image.0.clone(),
            b: parts[q].image.1.clone(),
            bbar: parts[v].image.1.clone(),
            btil: parts[p].image.1.clone(),
        };
        PrimeTable { field: field.clone(), coefficients }
    }

    /// A combination in the smallest field that has all coefficients.
    pub fn table(&self, numbers: [usize; 3], budget: &mut Budget) -> Result<Table, TableProblem> {
        let [q, v, p] = numbers.map(|number| &self.parts[number]);
        // Adjoining a generator gives the field of both; elements are polynomials in the generators.
        let first = q.field.adjoin(v.field.generator(), budget)?;
        let second = first.field.adjoin(p.field.generator(), budget)?;
        let field = second.field.clone();
        let of_q = |x: &FieldElement| second.embed(&first.embed(x));
        let velocity_generator = second.embed(&first.element);
        let of_v = |x: &FieldElement| field.evaluate(x.coefficients(), &velocity_generator);
        let of_p = |x: &FieldElement| field.evaluate(x.coefficients(), &second.element);
        let vector = |x: &[FieldElement], map: &dyn Fn(&FieldElement) -> FieldElement| {
            x.iter().map(map).collect::<Vec<_>>()
        };
        let coefficients = Coefficients {
            a: q.matrix.iter().map(|row| vector(row, &of_q)).collect(),
            abar: v.matrix.iter().map(|row| vector(row, &of_v)).collect(),
            b: vector(&q.weights, &of_q),
            bbar: vector(&v.weights, &of_v),
            btil: vector(&p.weights, &of_p),
        };
        Table::pointwise(self.names(numbers).join(" / "), field, coefficients)
    }

    /// The names of the tables for q, v and p. Many tables share their weights; those of the velocities
    /// or of the positions are named first.
    pub fn names(&self, [q, v, p]: [usize; 3]) -> [String; 3] {
        let parts = &self.parts;
        let shares = |number: &usize| parts[*number].image.1 == parts[p].image.1;
        let momenta = [v, q].into_iter().find(shares).unwrap_or(p);
        [q, v, momenta].map(|number| parts[number].name.clone())
    }
}

/// Finds a prime in which the generators of all fields have images, and computes those of the
/// parts. Equal fields take equal images, so that what holds between their numbers holds there.
fn images(
    parts: &mut [Part],
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Option<PrimeField>, CertifyError> {
    let half = 1_u64 << 60;
    let start = half + random.below(half);
    'primes: for prime in modular::primes_below(start).take_while(|&prime| prime > half / 2) {
        let Some(field) = PrimeField::new(prime) else { continue };
        let mut generators: Vec<(NumberField, Residue)> = Vec::new();
        for part in parts.iter_mut() {
            budget.spend(1_000, "searching a prime")?;
            let known = generators.iter().find(|(known, _)| *known == part.field);
            let generator = match known {
                Some((_, generator)) => *generator,
                None => {
                    let minimal = part.field.generator().minimal_polynomial();
                    let Some(roots) = ModularRoots::new(minimal, prime) else { continue 'primes };
                    let roots = roots.roots(random, budget)?;
                    let Some(&root) = roots.first() else { continue 'primes };
                    let generator = field.element(root);
                    generators.push((part.field.clone(), generator));
                    generator
                }
            };
            let element = |value: &FieldElement| residue(value, &field, generator);
            let vector = |x: &[FieldElement]| x.iter().map(element).collect::<Option<Vec<_>>>();
            let matrix: Option<Vec<_>> = part.matrix.iter().map(|row| vector(row)).collect();
            let Some(image) = matrix.zip(vector(&part.weights)) else { continue 'primes };
            part.image = image;
        }
        return Ok(Some(field));
    }
    Ok(None)
}

fn residue(value: &FieldElement, field: &PrimeField, generator: Residue) -> Option<Residue> {
    value.coefficients().iter().rev().try_fold(field.zero(), |sum, c: &Rational| {
        let product = Scalars::mul(field, &sum, &generator);
        Some(Scalars::add(field, &product, &field.rational(c)?))
    })
}
