//! Derivatives of the discrete flow: how steps carry small changes of the state and of parameters
//! along (their variational equations), exact to rounding, by machine code.
//!
//! Only slots that positions, velocities and momenta need are carried along (`slots.rs`), and many
//! directions go in batches, so that code stays bounded. Tests compare with the interpreted rates
//! of `reference.rs`.

#[cfg(test)]
mod partials;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
mod variations;

pub use variations::{Order, VariationError, Variations};

use isotrope_algebra::Stop;
use isotrope_tape::interpret::{End, RunOutcome, Scratch};

/// Steps between two checks of the stop flag.
const BLOCK: u64 = 256;

/// A first change: of positions and velocities, and of the parameters that
/// [`Variations`] was made for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Change {
    /// δq and δv; what is missing does not change.
    pub state: Vec<f64>,
    /// Of each parameter.
    pub parameters: Vec<f64>,
}

/// A state on its way together with tangent vectors and, if asked for, second variations.
#[derive(Debug, Clone)]
pub struct Tangent<'v> {
    variations: &'v Variations,
    batches: Vec<Batch>,
    directions: usize,
    scratch: Scratch,
}

/// Directions that are carried along together: all batches make the same steps.
#[derive(Debug, Clone)]
struct Batch {
    /// Which directions.
    members: Vec<usize>,
    state: Vec<f64>,
    parameters: Vec<f64>,
    saved: Vec<f64>,
}

impl<'v> Tangent<'v> {
    /// From positions, velocities and the time of a state, with first changes: momenta and what the
    /// method carries along begin as in a run that starts there. `None` where that has no value.
    #[must_use]
    pub fn new(
        variations: &'v Variations,
        state: &[f64],
        parameters: &[f64],
        changes: &[Change],
    ) -> Option<Self> {
        let width = variations.directions.count;
        let all: Vec<usize> = (0..changes.len()).collect();
        let members: Vec<Vec<usize>> = match variations.order {
            Order::First => all.chunks(width).map(<[usize]>::to_vec).collect(),
            Order::Second => all.iter().flat_map(|&j| (0..=j).map(move |i| vec![i, j])).collect(),
        };
        let mut tangent = Self {
            variations,
            batches: Vec::new(),
            directions: changes.len(),
            scratch: Scratch::default(),
        };
        for members in members {
            let mut batch = variations.batch(state, parameters, members, changes);
            let Self { scratch, .. } = &mut tangent;
            let Batch { state, parameters, .. } = &mut batch;
            variations.start.run(state, parameters, 1, scratch).is_complete().then_some(())?;
            tangent.batches.push(batch);
        }
        // Without directions there is still a state.
        if tangent.batches.is_empty() {
            let mut batch = variations.batch(state, parameters, Vec::new(), changes);
            let Batch { state, parameters, .. } = &mut batch;
            let begun = variations.start.run(state, parameters, 1, &mut tangent.scratch);
            begun.is_complete().then_some(())?;
            tangent.batches.push(batch);
        }
        Some(tangent)
    }

    /// Makes steps. If one cannot be made, everything stays as it was before the first of them, and
    /// the answer is how far it went. A thread that was asked to stop makes no more steps; its answer is
    /// thrown away.
    pub fn advance(&mut self, steps: u64) -> Result<(), RunOutcome> {
        let Self { variations, batches, scratch, .. } = self;
        for at in 0..batches.len() {
            let batch = &mut batches[at];
            batch.saved.clear();
            batch.saved.extend_from_slice(&batch.state);
            let Batch { state, parameters, .. } = batch;
            let mut outcome = RunOutcome { steps: 0, iterations: 0, end: End::Completed };
            while outcome.steps < steps && outcome.is_complete() {
                let block = BLOCK.min(steps - outcome.steps);
                let made = variations.step.run(state, parameters, block, scratch);
                outcome.steps += made.steps;
                outcome.iterations += made.iterations;
                outcome.end = if Stop::requested() { End::NotConverged } else { made.end };
            }
            if !outcome.is_complete() {
                for batch in &mut batches[..=at] {
                    batch.state.copy_from_slice(&batch.saved);
                }
                return Err(outcome);
            }
        }
        Ok(())
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &[f64] {
        let size = self.variations.size as usize;
        self.batches.first().map_or(&[], |batch| &batch.state[..size])
    }

    /// How many directions there are.
    #[must_use]
    pub fn directions(&self) -> usize {
        self.directions
    }

    /// How a number of the state changes in a direction. What never changes, or does not matter for
    /// positions, velocities and momenta, has no rate: 0.
    #[must_use]
    pub fn change(&self, slot: u32, direction: usize) -> f64 {
        let Variations { directions, size, .. } = self.variations;
        let place = self.place(direction).and_then(|(batch, local)| {
            // They are sorted, and a study asks for all of them.
            let index = directions.slots.binary_search(&slot).ok()?;
            batch.state.get(directions.rate(*size, local, index) as usize)
        });
        place.copied().unwrap_or(0.0)
    }

    /// The batch that carries a direction along, and its number there.
    fn place(&self, direction: usize) -> Option<(&Batch, usize)> {
        let width = self.variations.directions.count;
        match self.variations.order {
            Order::First => {
                let batch = self.batches.get(direction / width)?;
                let local = direction % width;
                (batch.members.get(local) == Some(&direction)).then_some((batch, local))
            }
            Order::Second => self.batches.iter().find_map(|batch| {
                let local = batch.members.iter().position(|&member| member == direction)?;
                Some((batch, local))
            }),
        }
    }

    /// The second variation of a number of the state in two directions; 0 for [`Order::First`].
    #[must_use]
    pub fn second(&self, slot: u32, one: usize, other: usize) -> f64 {
        let Variations { directions, size, order, .. } = self.variations;
        let pair = [one.min(other), one.max(other)];
        let place = self.batches.iter().find_map(|batch| {
            (*order == Order::Second && batch.members == pair).then_some(())?;
            let index = directions.slots.binary_search(&slot).ok()?;
            batch.state.get(directions.second(*size, 0, index) as usize)
        });
        place.copied().unwrap_or(0.0)
    }

    /// Makes the changes of positions and velocities, in units of the sizes of the problem, orthonormal, one
    /// direction after the other, and everything that is carried along with them; gives the lengths that they had. For
    /// [`Order::First`].
    pub fn orthonormalise(&mut self) -> Vec<f64> {
        let count = self.variations.directions.slots.len();
        let metric = self.metric();
        let mut vectors: Vec<Vec<f64>> = (0..self.directions).map(|k| self.rates(k)).collect();
        let mut lengths = Vec::with_capacity(vectors.len());
        for k in 0..vectors.len() {
            let (known, rest) = vectors.split_at_mut(k);
            let Some(vector) = rest.first_mut() else { break };
            // Twice, against rounding.
            for _ in 0..2 {
                for other in known.iter() {
                    let product = dot(&metric, other, vector);
                    for (x, y) in vector.iter_mut().zip(other) {
                        *x = (-product).mul_add(*y, *x);
                    }
                }
            }
            let length = dot(&metric, vector, vector).sqrt();
            vector.iter_mut().for_each(|x| *x /= length);
            lengths.push(length);
        }
        let Variations { directions, size, .. } = self.variations;
        for batch in &mut self.batches {
            for (local, &member) in batch.members.iter().enumerate() {
                let first = directions.rate(*size, local, 0) as usize;
                batch.state[first..first + count].copy_from_slice(&vectors[member]);
            }
        }
        lengths
    }

    /// What the squares of rates count: one over the square of the size, of what a motion begins with. Velocities that
    /// follow from positions do not count: volumes are those of the state.
    fn metric(&self) -> Vec<f64> {
        let state = self.state();
        let layout = self.variations.layout();
        let counted =
            if self.variations.is_first_order() { layout.dimension } else { layout.moving() };
        let sizes: Vec<u32> = layout.moving_sizes().take(counted).collect();
        let square = |&slot: &u32| {
            let size = sizes.get(slot as usize).and_then(|&slot| state.get(slot as usize));
            size.map_or(0.0, |size| 1.0 / (size * size))
        };
        self.variations.directions.slots.iter().map(square).collect()
    }

    /// All rates of a direction.
    fn rates(&self, direction: usize) -> Vec<f64> {
        self.variations.directions.slots.iter().map(|&slot| self.change(slot, direction)).collect()
    }
}

/// The scalar product.
fn dot(metric: &[f64], a: &[f64], b: &[f64]) -> f64 {
    metric.iter().zip(a).zip(b).map(|((weight, x), y)| weight * x * y).sum()
}
