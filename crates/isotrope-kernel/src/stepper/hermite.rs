//! Values between steps on Hamilton's equations: the polynomial of degree 5 through x = (q, p), x' = (H_p, −H_q + F)
//! and x'' at both ends of a step. It is exact to O(h⁶), whatever the method.

use isotrope_algebra::{Budget, ExprId};
use isotrope_derive::{Solved, System};
use isotrope_tape::math::Arithmetic as _;
use isotrope_tape::{Formulas, ValueId};
use rustc_hash::FxHashMap;

use super::programs::{Options, StepperError};
use super::scheme::{Inside, Recorder};

/// Rates of (q, p), and where the last step began.
pub(super) struct Hermite {
    momenta: Vec<ExprId>,
    /// x' and x'', functions of (q, p, t).
    rates: Formulas,
    step: f64,
}

impl Hermite {
    /// For a model that is given by H and has no constraints.
    pub(super) fn new(
        system: &System,
        options: &Options,
        budget: &mut Budget,
    ) -> Result<Option<Self>, StepperError> {
        if system.model.system.hamiltonian().is_none() {
            return Ok(None);
        }
        let Some(phase) = system.in_phase_space(budget)? else { return Ok(None) };
        let (Some(first), Some(Solved { eliminated, .. })) =
            (phase.mechanics.first_order(), phase.mechanics.in_coordinates())
        else {
            return Ok(None);
        };
        let both: Vec<ExprId> = first.iter().chain(&eliminated.acceleration).copied().collect();
        let rates = Formulas::new(&phase.model.pool, &both)?;
        let momenta = system.symbols.momentum.clone();
        Ok(Some(Self { momenta, rates, step: options.step.to_f64() }))
    }

    /// How many numbers are carried along: x, x' and x'' where the last step began.
    pub(super) fn numbers(&self) -> usize {
        6 * self.momenta.len()
    }

    /// x, x' and x'' at the state.
    pub(super) fn begin(&self, recorder: &mut Recorder<'_>) -> Result<Vec<ValueId>, StepperError> {
        let here = recorder.here.clone();
        let mut symbols: FxHashMap<ExprId, ValueId> =
            recorder.field.symbols(&mut recorder.builder, &here);
        symbols.extend(self.momenta.iter().copied().zip(recorder.momenta.iter().copied()));
        let mut numbers: Vec<ValueId> = here.q.iter().chain(&recorder.momenta).copied().collect();
        numbers.extend(self.rates.record(&mut recorder.builder, &symbols)?);
        Ok(numbers)
    }

    /// The place at θ, from the state after the step; its numbers are carried from `first` on.
    pub(super) fn inside(
        &self,
        recorder: &mut Recorder<'_>,
        first: usize,
        theta: f64,
    ) -> Result<Inside, StepperError> {
        let after = self.begin(recorder)?;
        let n = self.momenta.len();
        let h = self.step;
        let weights = weights(theta);
        let mut x = Vec::with_capacity(2 * n);
        for i in 0..2 * n {
            let before = [0, 1, 2].map(|of| {
                let slot = recorder.layout.memory(first + 2 * n * of + i);
                recorder.builder.state(slot)
            });
            // x⁺ − (1 − w)(x⁺ − x) + …: at θ = 1 it is x⁺ to rounding.
            let terms = [
                (Some(weights[0] - 1.0), after[i]),
                (Some(1.0 - weights[0]), before[0]),
                (Some(h * weights[1]), before[1]),
                (Some(h * weights[2]), after[2 * n + i]),
                (Some(h * h * weights[3]), before[2]),
                (Some(h * h * weights[4]), after[4 * n + i]),
            ];
            x.push(recorder.combine(after[i], terms));
        }
        let p = x.split_off(n);
        let here = recorder.here.clone();
        let back = recorder.builder.constant((theta - 1.0) * h);
        let t = recorder.builder.add(here.t, back);
        let there = super::field::Point { q: x, v: here.v, p: p.clone(), t };
        let mut symbols = recorder.field.symbols(&mut recorder.builder, &there);
        symbols.extend(self.momenta.iter().copied().zip(p.iter().copied()));
        let mut v = self.rates.record(&mut recorder.builder, &symbols)?;
        v.truncate(n);
        Ok(Inside { q: there.q, v, p: Some(p) })
    }
}

/// Of the difference, of both first derivatives and of both second ones.
fn weights(x: f64) -> [f64; 5] {
    let (x2, x3) = (x * x, x * x * x);
    let (x4, x5) = (x2 * x2, x2 * x3);
    [
        10.0 * x3 - 15.0 * x4 + 6.0 * x5,
        x - 6.0 * x3 + 8.0 * x4 - 3.0 * x5,
        -4.0 * x3 + 7.0 * x4 - 3.0 * x5,
        0.5 * x2 - 1.5 * x3 + 1.5 * x4 - 0.5 * x5,
        0.5 * x3 - x4 + 0.5 * x5,
    ]
}
