//! Singular Lagrangians.

use isotrope_algebra::Pool;
use isotrope_derive::{BranchEnd, ChainConstraint, ChainMultiplier, ConstraintChain};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Expression, Named, expression, list, nonzero, zero_answer};

/// What the constraint algorithm found.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ChainRecord {
    /// The constraints, round by round: the first are the primary ones.
    constraint_chain: Vec<Vec<ChainConstraintRecord>>,
    /// How many constraints are of which class, and combinations of first class.
    classes: ClassesRecord,
    /// Fields on the phase space that span the gauge directions.
    gauge: Vec<Named<Expression>>,
    /// The Dirac bracket where the constraints hold; pairs that are left out vanish.
    dirac_bracket: Vec<BracketRecord>,
    /// Dimensions.
    dimensions: DimensionsRecord,
    /// Multipliers that nothing determines: without conditions on them there is nothing to run.
    not_reduced: Vec<Expression>,
    /// Branches that were not taken.
    branches: Vec<BranchRecord>,
    /// None of these vanishes.
    rank_conditions: Vec<Expression>,
    /// Do the equations keep the constraints?
    lasting: String,
    /// The gauge of the model.
    gauge_fix: Option<GaugeFixRecord>,
}

/// A constraint of the chain.
#[derive(Debug, JsonSchema, Serialize)]
struct ChainConstraintRecord {
    /// What vanishes.
    expression: Expression,
    /// The power to which it was found.
    power: u32,
}

/// First and second class.
#[derive(Debug, JsonSchema, Serialize)]
struct ClassesRecord {
    /// The number of constraints of first class.
    first: usize,
    /// The number of constraints of second class.
    second: usize,
    /// Constraints of first class.
    first_class: Vec<Expression>,
}

/// A value of the Dirac bracket.
#[derive(Debug, JsonSchema, Serialize)]
struct BracketRecord {
    /// Two coordinates of the phase space.
    of: [String; 2],
    /// Their bracket.
    value: Expression,
}

/// Dimensions.
#[derive(Debug, JsonSchema, Serialize)]
struct DimensionsRecord {
    /// Of the phase space.
    phase: usize,
    /// Of the final manifold.
    #[serde(rename = "final")]
    last: usize,
    /// Of the gauge directions.
    gauge: usize,
    /// Of the quotient.
    reduced: usize,
}

/// A branch.
#[derive(Debug, JsonSchema, Serialize)]
struct BranchRecord {
    /// The factors that vanish there.
    factors: Vec<Expression>,
    /// Its constraints.
    constraints: Vec<Expression>,
    /// The dimension of its final manifold; `null` where it has none, or was not followed.
    dimension: Option<usize>,
    /// What would have to vanish and does not.
    contradiction: Expression,
}

/// A gauge that was chosen.
#[derive(Debug, JsonSchema, Serialize)]
struct GaugeFixRecord {
    /// The conditions and what follows from them.
    conditions: Vec<Expression>,
    /// The multipliers.
    multipliers: Named<Expression>,
    /// The dimension of what is left.
    dimension: usize,
}

/// The multipliers by name; `null` where nothing determines them.
pub(super) fn multipliers(pool: &Pool, list: &[ChainMultiplier]) -> Named<Expression> {
    list.iter()
        .map(|multiplier| {
            let value = multiplier.value.and_then(|value| expression(pool, value));
            (pool.label(multiplier.symbol), value)
        })
        .collect()
}

pub(super) fn record(pool: &Pool, names: &[String], chain: &ConstraintChain) -> ChainRecord {
    let of_round = |round: usize| -> Vec<ChainConstraintRecord> {
        let own = chain.constraints.iter().filter(|constraint| constraint.round == round);
        own.map(|&ChainConstraint { expression: id, power, .. }| ChainConstraintRecord {
            expression: expression(pool, id),
            power,
        })
        .collect()
    };
    let mut dirac_bracket = Vec::new();
    for (a, row) in chain.classes.bracket.iter().enumerate() {
        for (b, &value) in row.iter().enumerate().skip(a + 1) {
            if !value.is_zero() {
                let of = [names[a].clone(), names[b].clone()];
                dirac_bracket.push(BracketRecord { of, value: expression(pool, value) });
            }
        }
    }
    ChainRecord {
        constraint_chain: (0..=chain.rounds).map(of_round).collect(),
        classes: ClassesRecord {
            first: chain.classes.first.len(),
            second: chain.classes.second.len(),
            first_class: list(pool, &chain.classes.first),
        },
        gauge: chain.gauge.iter().map(|field| nonzero(pool, names, field)).collect(),
        dirac_bracket,
        dimensions: DimensionsRecord {
            phase: chain.phase,
            last: chain.last,
            gauge: chain.gauge.len(),
            reduced: chain.reduced(),
        },
        not_reduced: list(pool, &chain.free),
        branches: chain
            .branches
            .iter()
            .map(|branch| BranchRecord {
                factors: list(pool, &branch.chosen),
                constraints: list(pool, &branch.constraints),
                dimension: match branch.end {
                    BranchEnd::Lasting(dimension) => Some(dimension),
                    _ => None,
                },
                contradiction: match branch.end {
                    BranchEnd::Contradiction(value) => expression(pool, value),
                    _ => None,
                },
            })
            .collect(),
        rank_conditions: list(pool, &chain.conditions),
        lasting: zero_answer(chain.lasting),
        gauge_fix: chain.fixed.as_ref().map(|fixed| GaugeFixRecord {
            conditions: fixed.conditions.iter().map(|c| expression(pool, c.expression)).collect(),
            multipliers: multipliers(pool, &fixed.multipliers),
            dimension: fixed.dimension,
        }),
    }
}
