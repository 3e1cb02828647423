//! Rows of a trajectory go to a sink while it is computed.

use super::integration::Integration;
use super::measures::Largest;
use super::outcome::{Failure, Outcome};
use super::sink::{Sink, SinkError};
use crate::stepper::Stepper;

/// What to do between blocks of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End here.
    Stop,
}

/// How far, and which rows are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// How many steps.
    pub steps: u64,
    /// Steps between rows, which always include the first and the last; `None`: no rows.
    pub stride: Option<u64>,
}

/// Fills a row from a state: t, q, v, p, multipliers, energy. In state space there are no momenta, there
/// may be no energy, and there may be outputs; with ports what they supplied, what was dissipated, and the
/// defect of the balance of power in the last step.
pub fn row(stepper: &Stepper, state: &[f64], row: &mut Vec<f64>) {
    let layout = stepper.layout;
    row.clear();
    row.push(state[layout.time() as usize]);
    row.extend_from_slice(&state[..layout.dimension]);
    row.extend_from_slice(&state[layout.velocities()]);
    if stepper.has_momenta {
        row.extend_from_slice(&state[layout.all_momenta()]);
    }
    let first = layout.multiplier(0) as usize;
    row.extend_from_slice(&state[first..first + layout.constraints]);
    if stepper.has_energy {
        row.push(state[layout.energy() as usize]);
    }
    row.extend((0..layout.outputs).map(|k| state[layout.output(k) as usize]));
    if layout.ports {
        let slots = [layout.supplied(), layout.dissipated(), layout.power_balance()];
        row.extend(slots.map(|slot| state[slot as usize]));
    }
    row.extend(stepper.shown.iter().map(|&(_, slot)| state[slot as usize]));
}

/// What became of an integration besides its state.
#[derive(Debug)]
pub struct End {
    /// How it ended.
    pub outcome: Outcome,
    /// The step that was not made.
    pub failure: Option<Failure>,
    /// The sink refused a row: nothing was written after that.
    pub sink: Option<SinkError>,
}

/// Operations between two checks of the stop flag.
pub(super) const BLOCK: u64 = 20_000_000;

/// Integrates to the end of the plan, or until something ends it. Memory does not grow with the
/// number of steps.
pub fn integrate(
    integration: &mut Integration<'_>,
    plan: Plan,
    sink: &mut dyn Sink,
    control: &mut dyn FnMut(u64) -> Flow,
) -> End {
    let mut largest = Largest::default();
    let end = with_rows(integration, plan, sink, control, &mut largest);
    largest.give_back(integration);
    end
}

fn with_rows(
    integration: &mut Integration<'_>,
    plan: Plan,
    sink: &mut dyn Sink,
    control: &mut dyn FnMut(u64) -> Flow,
    largest: &mut Largest,
) -> End {
    let layout = integration.layout();
    let stepper = integration.stepper();
    let mut buffer = Vec::with_capacity(layout.mechanical() + layout.constraints + 2);
    let ended = |outcome| End { outcome, failure: None, sink: None };
    let mut inside = Vec::with_capacity(layout.size() as usize);
    let mut write = |integration: &mut Integration<'_>| -> Result<(), End> {
        sink.measured(largest.take(integration));
        let between = if integration.steps > 0 { integration.inside() } else { 0 };
        for k in 0..between {
            integration.state_inside(k, &mut inside);
            row(stepper, &inside, &mut buffer);
            let refused = |error| End { sink: Some(error), ..ended(Outcome::Interrupted) };
            sink.row(&buffer).map_err(refused)?;
        }
        integration.fill_row();
        row(stepper, integration.state(), &mut buffer);
        sink.row(&buffer).map_err(|error| End { sink: Some(error), ..ended(Outcome::Interrupted) })
    };
    // States inside of a step are known only right after it.
    let plan = match integration.inside() {
        0 => plan,
        _ => Plan { stride: plan.stride.map(|_| 1), ..plan },
    };
    let block = (BLOCK / integration.operations().max(1)).clamp(1, 1 << 20);
    if plan.stride.is_some()
        && let Err(end) = write(integration)
    {
        return end;
    }
    let mut done = 0;
    while done < plan.steps {
        let mut ask = block.min(plan.steps - done);
        if let Some(stride) = plan.stride {
            ask = ask.min(stride - done % stride);
        }
        let before = integration.steps;
        let advanced = integration.advance(ask);
        done += integration.steps - before;
        if let Err(failure) = advanced {
            // The last good state is a row, whatever the stride.
            let unwritten = plan.stride.is_some_and(|stride| done % stride != 0);
            if unwritten && let Err(end) = write(integration) {
                return end;
            }
            return End { failure: Some(failure.clone()), ..ended(failure.outcome) };
        }
        let last = done == plan.steps;
        if plan.stride.is_some_and(|stride| last || done % stride == 0)
            && let Err(end) = write(integration)
        {
            return end;
        }
        if control(done) == Flow::Stop && !last {
            let unwritten = plan.stride.is_some_and(|stride| done % stride != 0);
            if unwritten && let Err(end) = write(integration) {
                return end;
            }
            return ended(Outcome::Interrupted);
        }
    }
    ended(Outcome::Completed)
}
