//! Rates of the functions of an ansatz at random points of a prime field.

use isotrope_algebra::calculus::{directional_derivative, gradient};
use isotrope_algebra::evaluate::{Gaussian, GaussianField};
use isotrope_algebra::linear::{Echelon, Residues};
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::ansatz::{Factor, Term};
use crate::first_integrals::linear::{
    CHEAP, Linear, PRIME, REPEATED, Solution, halves, plus, product, times,
};
use crate::first_integrals::space::{Plan, Point, Space};

/// What the functions of an ansatz have to be constant along.
pub(super) struct Conditions<'s> {
    space: &'s Space,
    pub terms: Vec<Term>,
    pub factors: Vec<Factor>,
    /// How many fields there are.
    fields: usize,
    /// For each field: rates of variables (base, fibre, time), of factors; then the values of factors.
    plan: Plan,
    support: usize,
    random: Random,
}

impl<'s> Conditions<'s> {
    /// Functions that do not change along fields, each with the rates of base, fibre and time. None where nothing can be
    /// evaluated.
    pub fn new(
        pool: &mut Pool,
        space: &'s Space,
        fields: &[Vec<ExprId>],
        (terms, factors): (Vec<Term>, Vec<Factor>),
        support: usize,
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        let mut variables = space.variables();
        variables.push(space.time);
        let values: Vec<ExprId> = factors.iter().map(|factor| factor.value).collect();
        let mut outputs = Vec::new();
        for field in fields {
            let along: Vec<(ExprId, ExprId)> =
                variables.iter().copied().zip(field.iter().copied()).collect();
            outputs.extend(field);
            outputs.extend(directional_derivative(pool, &values, &along, budget)?);
        }
        outputs.extend(&values);
        let Some(plan) = space.plan(pool, &outputs, budget) else { return Ok(None) };
        let (fields, random) = (fields.len(), Random::new(0xd1e));
        let mut conditions = Self { space, terms, factors, fields, plan, support, random };
        // Without constraints, rotations and factors monomials are independent.
        if !(space.rows.is_empty() && space.turned.is_empty() && conditions.factors.is_empty()) {
            conditions.drop_dependent(pool, budget)?;
        }
        Ok(Some(conditions))
    }

    /// Leaves out functions that are combinations of shorter ones.
    fn drop_dependent(&mut self, pool: &Pool, budget: &mut Budget) -> Result<(), OutOfBudget> {
        let parameters = self.some_parameters();
        let mut order: Vec<usize> = (0..self.terms.len()).collect();
        order.sort_by_key(|&k| {
            let term = &self.terms[k];
            let plain = term.factor.is_none_or(|factor| self.factors[factor].alone);
            (!plain, term.size())
        });
        let field = &mut Residues(PRIME);
        let mut space = Echelon::new(order.len());
        let (mut repeated, mut rank) = (0, 0);
        while repeated < REPEATED && rank < order.len() {
            let cost = order.len() * (rank + 8) / CHEAP;
            budget.spend(cost as u64, "searching conserved quantities")?;
            let point = self.plan.point(self.space, pool, &mut self.random, Some(&parameters));
            let Some(point) = point else { return Ok(()) };
            let values = Values::new(self, &point);
            let row: Vec<Gaussian> = order.iter().map(|&k| values.value(&self.terms[k])).collect();
            for row in halves(&[row]) {
                let Ok(_) = space.insert(field, row);
            }
            repeated = if space.rank() > rank { 0 } else { repeated + 1 };
            rank = space.rank();
        }
        let mut keep = vec![false; order.len()];
        for pivot in space.pivots() {
            keep[order[pivot]] = true;
        }
        let mut keep = keep.into_iter();
        self.terms.retain(|_| keep.next().unwrap_or(false));
        Ok(())
    }

    /// Which solutions are no functions of those before them, of what is known and of what vanishes? Decided by the rank
    /// of gradients at a random point.
    pub fn independent(
        &mut self,
        pool: &mut Pool,
        known: &[ExprId],
        solutions: &[Solution],
        parameters: &[u64],
        budget: &mut Budget,
    ) -> Result<Vec<bool>, OutOfBudget> {
        let mut variables = self.space.variables();
        variables.push(self.space.time);
        let width = variables.len();
        let before: Vec<ExprId> = self.space.relations.iter().chain(known).copied().collect();
        let values: Vec<ExprId> = self.factors.iter().map(|factor| factor.value).collect();
        let mut outputs = values.clone();
        for &quantity in before.iter().chain(&values) {
            outputs.extend(gradient(pool, quantity, &variables, budget)?);
        }
        let nothing = Ok(vec![false; solutions.len()]);
        let Some(plan) = self.space.plan(pool, &outputs, budget) else { return nothing };
        // The same parameters as in the solutions; others have nothing to do with these.
        let given: Vec<u64> = plan
            .parameters
            .iter()
            .map(|symbol| {
                let place = self.plan.parameters.iter().position(|other| other == symbol);
                place.map_or_else(|| 1 + self.random.below(PRIME - 1), |k| parameters[k])
            })
            .collect();
        let point = plan.point(self.space, pool, &mut self.random, Some(&given));
        let Some(point) = point else { return nothing };
        let (factors, slopes) = point.outputs.split_at(values.len());
        let field = &mut GaussianField(PRIME);
        let mut space = Echelon::new(width);
        let (before, slopes) = slopes.split_at(before.len() * width);
        for row in before.chunks(width) {
            let Ok(_) = space.insert(field, row.to_vec());
        }
        let x = point.of(&variables);
        let mut new = Vec::with_capacity(solutions.len());
        for solution in solutions {
            let mut row = vec![[0, 0]; width];
            for (&column, &value) in solution.columns.iter().zip(&solution.values) {
                let term = &self.terms[column];
                let monomial = modular::mul(monomial(&x, &term.powers), value, PRIME);
                let factor = term.factor.map_or([1, 0], |k| factors[k]);
                for &(variable, power) in &term.powers {
                    let Some(inverse) = modular::inverse(x[variable], PRIME) else { continue };
                    let slope = modular::mul(inverse, power.into(), PRIME);
                    let part = times(factor, modular::mul(monomial, slope, PRIME));
                    row[variable] = plus(row[variable], part);
                }
                if let Some(k) = term.factor {
                    for (entry, &slope) in row.iter_mut().zip(&slopes[k * width..][..width]) {
                        *entry = plus(*entry, times(slope, monomial));
                    }
                }
            }
            let Ok(is_new) = space.insert(field, row);
            new.push(is_new);
        }
        Ok(new)
    }

    /// The quantity with these coefficients.
    pub fn written(&self, pool: &mut Pool, columns: &[usize], coefficients: &[ExprId]) -> ExprId {
        let mut variables = self.space.variables();
        variables.push(self.space.time);
        let mut sum = Vec::with_capacity(columns.len());
        for (&column, &coefficient) in columns.iter().zip(coefficients) {
            let term = self.terms[column].written(pool, &variables, &self.factors);
            sum.push(pool.mul(coefficient, term));
        }
        pool.sum(&sum)
    }
}

impl Linear for Conditions<'_> {
    fn columns(&self) -> usize {
        self.terms.len()
    }

    fn parameters(&self) -> &[ExprId] {
        &self.plan.parameters
    }

    fn support(&self) -> usize {
        self.support
    }

    fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    fn conditions(
        &mut self,
        pool: &Pool,
        columns: &[usize],
        parameters: &[u64],
    ) -> Option<Vec<Vec<u64>>> {
        let point = self.plan.point(self.space, pool, &mut self.random, Some(parameters))?;
        let values = Values::new(self, &point);
        let rows: Vec<Vec<Gaussian>> = (0..self.fields)
            .map(|field| {
                let along = values.along(field);
                columns.iter().map(|&column| values.rate(&along, &self.terms[column])).collect()
            })
            .collect();
        Some(halves(&rows))
    }
}

fn monomial(x: &[u64], powers: &[(usize, u32)]) -> u64 {
    powers.iter().fold(1, |product, &(variable, power)| {
        modular::mul(product, modular::pow(x[variable], power.into(), PRIME), PRIME)
    })
}

/// Variables and factors at one point.
struct Values<'p> {
    point: &'p Point,
    /// Powers of each variable.
    powers: Vec<Vec<u64>>,
    inverse: Vec<u64>,
    factors: &'p [Gaussian],
    /// Outputs for each field.
    width: usize,
}

impl<'p> Values<'p> {
    fn new(conditions: &Conditions<'_>, point: &'p Point) -> Self {
        let mut variables = conditions.space.variables();
        variables.push(conditions.space.time);
        let x = point.of(&variables);
        let highest = conditions.terms.iter().flat_map(|term| &term.powers);
        let highest = highest.map(|power| power.1).max().unwrap_or(0);
        let powers = x.iter().map(|&x| {
            let mut all = vec![1];
            for k in 0..highest as usize {
                all.push(modular::mul(all[k], x, PRIME));
            }
            all
        });
        let inverse = x.iter().map(|&x| modular::inverse(x, PRIME).unwrap_or(0)).collect();
        let width = variables.len() + conditions.factors.len();
        let factors = &point.outputs[conditions.fields * width..];
        Self { point, powers: powers.collect(), inverse, factors, width }
    }

    fn monomial(&self, term: &Term) -> u64 {
        term.powers.iter().fold(1, |product, &(variable, power)| {
            modular::mul(product, self.powers[variable][power as usize], PRIME)
        })
    }

    fn value(&self, term: &Term) -> Gaussian {
        times(term.factor.map_or([1, 0], |k| self.factors[k]), self.monomial(term))
    }

    /// Logarithmic rates of the variables along a field, and rates of the factors.
    fn along(&self, field: usize) -> (Vec<Gaussian>, &[Gaussian]) {
        let own = &self.point.outputs[field * self.width..][..self.width];
        let (rates, factors) = own.split_at(self.inverse.len());
        let pace = rates.iter().zip(&self.inverse).map(|(&rate, &inverse)| times(rate, inverse));
        (pace.collect(), factors)
    }

    fn rate(&self, (pace, factors): &(Vec<Gaussian>, &[Gaussian]), term: &Term) -> Gaussian {
        let growth = term
            .powers
            .iter()
            .fold([0, 0], |sum, &(variable, power)| plus(sum, times(pace[variable], power.into())));
        let rate = match term.factor {
            None => growth,
            Some(k) => plus(product(self.factors[k], growth), factors[k]),
        };
        times(rate, self.monomial(term))
    }
}
