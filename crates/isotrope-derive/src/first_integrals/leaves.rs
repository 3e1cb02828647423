//! Functions that are constant on leaves: Casimir functions of brackets, functions of constraints that integrate.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool};

use super::darboux::{as_product, logarithms};
use super::direct::Factor;
use super::direct::{self, Search, Shape};
use super::linear::SUPPORT;
use super::occurring::occurring;
use super::space::Space;
use super::{Found, Integrals, Searched};
use crate::conserved::{Conserved, Law};

/// Fields that span the leaves, and what functions on them are called.
pub(super) struct Leaves<'s> {
    pub space: &'s Space,
    /// Rates of the base along each field.
    pub fields: Vec<Vec<ExprId>>,
    /// How many independent functions there are.
    pub count: usize,
    pub search: &'static str,
    pub name: &'static str,
    pub why: &'static str,
    pub law: Law,
}

impl Leaves<'_> {
    /// Polynomials degree by degree, then with logarithms, until there are enough.
    pub fn functions(
        &self,
        pool: &mut Pool,
        known: &[Conserved],
        degree: u32,
        asked: Integrals,
        budget: &mut Budget,
    ) -> Found {
        let mut found = Found::default();
        let own = known.iter().filter(|quantity| quantity.law == self.law).count();
        let mut missing = self.count.saturating_sub(own);
        let fields: Vec<Vec<ExprId>> = self
            .fields
            .iter()
            .map(|field| field.iter().copied().chain([ExprId::ZERO]).collect())
            .collect();
        let occurring: Vec<ExprId> = self.fields.iter().flatten().copied().collect();
        let factors = self::occurring(pool, self.space, &occurring);
        let factors: Vec<Factor> =
            factors.into_iter().map(|value| Factor { value, alone: false }).collect();
        let logs = logarithms(pool, self.space, &occurring, budget);
        let most = if asked == Integrals::default() { direct::UNASKED } else { direct::ASKED };
        let mut rounds: Vec<(Shape, Vec<Factor>)> =
            (1..=degree).map(|degree| (Shape::of_states(degree), factors.clone())).collect();
        rounds.push((Shape::FACTORS, logs.clone()));
        let mut all = factors;
        all.extend(logs);
        rounds.push((Shape::of_states(1), all));
        for (shape, factors) in rounds {
            if missing == 0 {
                break;
            }
            let support = if asked == Integrals::default() { SUPPORT } else { 4 * SUPPORT };
            let search = Search { space: self.space, fields: &fields, shape, factors, support };
            let unknowns = search.unknowns();
            let before: Vec<ExprId> =
                known.iter().chain(&found.conserved).map(|quantity| quantity.expression).collect();
            let functions = match unknowns <= most {
                true => search.constants(pool, &before, budget).ok(),
                false => None,
            };
            let degree = shape.alone;
            let ansatz = match (shape == Shape::FACTORS, search.factors.iter().any(|f| f.alone)) {
                (true, _) => {
                    "products of powers of variables and of factors of the rates".to_owned()
                }
                (_, true) => {
                    format!("polynomials of degree {degree} and logarithms of such factors")
                }
                _ => format!("polynomials of degree {degree}, times functions that occur"),
            };
            let complete = functions.is_some();
            found.searched.push(Searched { search: self.search, ansatz, unknowns, complete });
            for constant in functions.unwrap_or_default() {
                let proof = search.proved(pool, constant.expression, budget);
                if proof != Zero::Yes || missing == 0 {
                    continue;
                }
                missing -= 1;
                found.conserved.push(Conserved {
                    name: self.name.to_owned(),
                    expression: as_product(pool, &search.factors, &constant),
                    why: self.why.to_owned(),
                    proof,
                    strict: false,
                    law: self.law,
                    generator: None,
                });
            }
            if !complete {
                break;
            }
        }
        found
    }
}
