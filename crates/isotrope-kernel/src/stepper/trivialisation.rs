//! Changes on a Lie group, seen from the body: elements of its algebra, and the canonical form there.

use isotrope_algebra::{ExprId, Pool};
use isotrope_derive::GroupMechanics;
use rustc_hash::FxHashMap;

use super::field::FieldError;
use isotrope_tape::interpret::{Scratch, step};
use isotrope_tape::{Builder, Formulas, Program};

/// The left trivialisation of T*G, ready for numbers.
#[derive(Debug, Clone)]
pub struct Trivialisation {
    /// From the numbers of g and their change to g⁻¹δg.
    algebra: Program,
    /// From μ, x and y to ⟨μ, [x, y]⟩.
    curvature: Program,
}

impl Trivialisation {
    pub(super) fn new(mechanics: &GroupMechanics) -> Result<Self, FieldError> {
        let group = &mechanics.group;
        let pool = &mut Pool::new();
        let list = |pool: &mut Pool, name: &str, count: usize| -> Vec<ExprId> {
            (0..count).map(|k| pool.symbol(&format!("{name}{k}"))).collect()
        };
        let g = list(pool, "g", group.numbers());
        let change = list(pool, "d", group.numbers());
        let algebra = group.trivialised(pool, &g, &change);
        let [mu, x, y] = ["m", "x", "y"].map(|name| list(pool, name, group.dimension()));
        let curvature = group.curvature(pool, &mu, &x, &y);
        Ok(Self {
            algebra: program(pool, &[g, change].concat(), &algebra)?,
            curvature: program(pool, &[mu, x, y].concat(), &[curvature])?,
        })
    }

    /// g⁻¹δg.
    #[must_use]
    pub fn algebra(&self, g: &[f64], change: &[f64]) -> Vec<f64> {
        run(&self.algebra, [g, change].concat())
    }

    /// ⟨μ, [x, y]⟩: the canonical form is ⟨ρ, x⟩ − ⟨ν, y⟩ + ⟨μ, [x, y]⟩ of (x, ν) and (y, ρ).
    #[must_use]
    pub fn curvature(&self, mu: &[f64], x: &[f64], y: &[f64]) -> f64 {
        run(&self.curvature, [mu, x, y].concat()).first().copied().unwrap_or(f64::NAN)
    }
}

/// Results behind the inputs.
fn program(pool: &Pool, inputs: &[ExprId], results: &[ExprId]) -> Result<Program, FieldError> {
    let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    let first = count(inputs.len());
    let mut builder = Builder::new(first + count(results.len()), 0);
    let known: FxHashMap<ExprId, _> =
        (0..).zip(inputs).map(|(k, &input)| (input, builder.state(k))).collect();
    let values = Formulas::new(pool, results)?.record(&mut builder, &known)?;
    for (k, value) in (first..).zip(values) {
        builder.store(k, value);
    }
    Ok(builder.finish()?)
}

fn run(program: &Program, mut state: Vec<f64>) -> Vec<f64> {
    let first = state.len();
    state.resize(program.state as usize, f64::NAN);
    if step(program, &mut state, &[], &mut Scratch::default()).is_complete() {
        state.split_off(first)
    } else {
        vec![f64::NAN; state.len() - first]
    }
}
