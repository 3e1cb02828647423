//! The sizes of what is measured: by how much constraints and conserved quantities change when positions and
//! velocities change by their sizes. A violation of a constraint is large or small beside that, whatever units it is
//! written in.

use super::programs::Stepper;
use super::scales::Scales;
use isotrope_tape::Program;
use isotrope_tape::interpret::{Scratch, step};

/// Sizes of what is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredSizes {
    /// Of each φ(q).
    pub position_levels: Vec<f64>,
    /// Of each A v + b.
    pub velocity_levels: Vec<f64>,
    /// Of each conserved quantity.
    pub conserved: Vec<f64>,
}

/// Systems with more numbers are moved in all of them at once, with several patterns of signs.
const ONE_BY_ONE: usize = 64;
const PATTERNS: usize = 8;

impl Stepper {
    /// The sizes at a state in which the sizes of the problem are filled in; `None` before that.
    #[must_use]
    pub fn measured_sizes(&self, state: &[f64], parameters: &[f64]) -> Option<MeasuredSizes> {
        let sizes = Scales::of(self.layout, state)?.moving(self.layout);
        let here = self.measures(state, parameters);
        let mut found = vec![0.0_f64; here.len()];
        for move_by in moves(&sizes) {
            let mut moved = state.to_vec();
            moved.iter_mut().zip(&move_by).for_each(|(x, by)| *x += by);
            let there = self.measures(&moved, parameters);
            for (size, (a, b)) in found.iter_mut().zip(here.iter().zip(&there)) {
                let change = (a - b).abs();
                if change.is_finite() {
                    *size = size.max(change);
                }
            }
        }
        // A conserved quantity has at least its own size.
        let conserved = found.split_off(found.len() - self.layout.momenta);
        let own = &here[found.len()..];
        let conserved = conserved.iter().zip(own).map(|(size, own)| size.max(own.abs())).collect();
        let velocity_levels = found.split_off(found.len() - self.layout.constraints);
        Some(MeasuredSizes { position_levels: found, velocity_levels, conserved })
    }

    /// φ(q), A v + b and conserved quantities at a state.
    fn measures(&self, state: &[f64], parameters: &[f64]) -> Vec<f64> {
        let (layout, size) = (self.layout, self.layout.size() as usize);
        let run = |program: &Program| {
            let mut state: Vec<f64> = state.iter().copied().take(size).collect();
            state.resize(program.state as usize, 0.0);
            step(program, &mut state, parameters, &mut Scratch::new(program));
            state
        };
        let mut values = run(&self.levels).split_off(size);
        let begun = run(&self.start);
        let conserved = (0..layout.momenta).map(|j| layout.first_conserved(j) as usize);
        values.extend(conserved.map(|slot| begun[slot]));
        values
    }
}

/// Changes of positions and velocities.
fn moves(sizes: &[f64]) -> Vec<Vec<f64>> {
    if sizes.len() <= ONE_BY_ONE {
        let one =
            |k: usize| (0..sizes.len()).map(|i| if i == k { sizes[k] } else { 0.0 }).collect();
        return (0..sizes.len()).map(one).collect();
    }
    let pattern = |p: usize| {
        let sign = |i: usize| if (i >> p) & 1 == 0 { 1.0 } else { -1.0 };
        sizes.iter().enumerate().map(|(i, size)| sign(i) * size).collect()
    };
    (0..PATTERNS).map(pattern).collect()
}
