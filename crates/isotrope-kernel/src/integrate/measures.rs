//! The largest errors between rows, although the steps keep the largest of the whole run.

use super::integration::Integration;
use super::sink::Measures;
use crate::stepper::{Layout, Measured};

/// The largest violations of constraints before the last row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Largest([f64; 2]);

fn slots(layout: Layout) -> [u32; 2] {
    let own = Measured::Own;
    [layout.largest_position_error(own), layout.largest_velocity_error(own)]
}

impl Largest {
    /// What was measured since the last time; measuring then starts over.
    pub(super) fn take(&mut self, integration: &mut Integration<'_>) -> Measures {
        let layout = integration.layout();
        let found = slots(layout).map(|slot| integration.replace(slot, 0.0));
        for (kept, found) in self.0.iter_mut().zip(found) {
            *kept = kept.max(found);
        }
        let [position, velocity] = found;
        Measures {
            energy: integration.number(layout.energy_error(Measured::Own)),
            position,
            velocity,
        }
    }

    /// The state says again what was largest in the whole run.
    pub(super) fn give_back(self, integration: &mut Integration<'_>) {
        for (slot, kept) in slots(integration.layout()).into_iter().zip(self.0) {
            let last = integration.number(slot);
            integration.replace(slot, last.max(kept));
        }
    }
}
