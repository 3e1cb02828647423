//! Systems in state space: the structure, inputs and outputs, and the balance of power.

use isotrope_algebra::Pool;
use isotrope_derive::{Descriptor, StateSpace};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Expression, Named, by_name, expression, list, matrix, nonzero, zero_answer};

/// A system in state space.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct StateRecord {
    /// The table of the file: `equations`, `poisson` or `port`.
    kind: &'static str,
    /// The rates with the inputs as symbols.
    rates_of_inputs: Named<Expression>,
    /// The inputs.
    inputs: Named<Expression>,
    /// The outputs of the file.
    outputs: Named<Expression>,
    /// The matrices of a Hamiltonian form.
    structure: Option<StructureRecord>,
    /// E x' in the place of x', with constraints.
    descriptor: Option<DescriptorRecord>,
}

/// x' = (J - R) dH/dx + g u.
#[derive(Debug, JsonSchema, Serialize)]
struct StructureRecord {
    /// dH/dx.
    gradient: Named<Expression>,
    /// The skew matrix.
    #[serde(rename = "J")]
    skew: Vec<Vec<Expression>>,
    /// The symmetric matrix.
    #[serde(rename = "R")]
    symmetric: Option<Vec<Vec<Expression>>>,
    /// A column for each input.
    g: Named<Named<Expression>>,
    /// What is conjugate to the inputs.
    outputs: Named<Expression>,
    /// The power that R takes.
    dissipated: Expression,
    /// The power that the inputs give.
    supplied: Expression,
    /// Is H' what is supplied minus what is dissipated?
    power_balance: String,
    /// Does J satisfy the Jacobi identity?
    jacobi: String,
    /// A component of its Jacobiator that is not zero.
    jacobi_component: Option<JacobiRecord>,
}

/// A component of the Jacobiator.
#[derive(Debug, JsonSchema, Serialize)]
struct JacobiRecord {
    /// Its coordinates.
    coordinates: [String; 3],
    /// Its value.
    value: Expression,
}

/// E x' = (J - R) z + g u with E^T z = dH/dx.
#[derive(Debug, JsonSchema, Serialize)]
struct DescriptorRecord {
    /// The matrix E.
    #[serde(rename = "E")]
    matrix: Vec<Vec<Expression>>,
    /// The efforts z.
    effort: Named<Expression>,
    /// The differentiation index.
    index: usize,
    /// What the states satisfy.
    constraints: Vec<AlgebraicRecord>,
    /// Rates of inputs that are needed.
    input_rates: Named<Expression>,
    /// The rates hold where none of these vanishes.
    conditions: Vec<Expression>,
    /// Do the rates solve the equations?
    solved: String,
}

/// A constraint on states.
#[derive(Debug, JsonSchema, Serialize)]
struct AlgebraicRecord {
    /// How often equations were differentiated for it.
    level: usize,
    /// What vanishes.
    expression: Expression,
}

pub(super) fn state_space(pool: &Pool, names: &[String], state: &StateSpace) -> StateRecord {
    let structure = state.structure.as_ref().map(|all| {
        let columns = state.inputs.iter().zip(&all.columns);
        let inputs: Vec<String> = state.inputs.iter().map(|input| input.name.clone()).collect();
        StructureRecord {
            gradient: by_name(pool, names, &all.gradient),
            skew: matrix(pool, &all.skew),
            symmetric: all.symmetric.as_deref().map(|rows| matrix(pool, rows)),
            g: columns
                .map(|(input, column)| (input.name.clone(), nonzero(pool, names, column)))
                .collect(),
            outputs: by_name(pool, &inputs, &all.outputs),
            dissipated: expression(pool, all.dissipated),
            supplied: expression(pool, all.supplied),
            power_balance: zero_answer(all.balance),
            jacobi: zero_answer(all.jacobi),
            jacobi_component: all.jacobi_component.map(|(at, value)| JacobiRecord {
                coordinates: at.map(|i| names[i].clone()),
                value: expression(pool, value),
            }),
        }
    });
    StateRecord {
        kind: state.table.name,
        rates_of_inputs: by_name(pool, names, &state.rate_of_inputs),
        inputs: state
            .inputs
            .iter()
            .map(|input| (input.name.clone(), expression(pool, input.value)))
            .collect(),
        outputs: state
            .outputs
            .iter()
            .map(|(name, id)| (name.clone(), expression(pool, *id)))
            .collect(),
        structure,
        descriptor: state.descriptor.as_ref().map(|all| descriptor(pool, names, all)),
    }
}

fn descriptor(pool: &Pool, names: &[String], all: &Descriptor) -> DescriptorRecord {
    let constraint = |constraint: &isotrope_derive::StateConstraint| AlgebraicRecord {
        level: constraint.level,
        expression: expression(pool, constraint.expression),
    };
    DescriptorRecord {
        matrix: matrix(pool, &all.matrix),
        effort: by_name(pool, names, &all.effort),
        index: all.index,
        constraints: all.constraints.iter().map(constraint).collect(),
        input_rates: all
            .signals
            .iter()
            .map(|rate| (rate.name.clone(), expression(pool, rate.value)))
            .collect(),
        conditions: list(pool, &all.conditions),
        solved: zero_answer(all.solved),
    }
}
