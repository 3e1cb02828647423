//! `[equations]`: x' = f(x, t).

use super::{IN_STATE_SPACE, PLAIN, SystemTable, state_refuses};
use crate::read::Formalism;
use crate::schema::entries;
use crate::state::StateKind;
use crate::state::read::RawState;

pub(super) static TABLE: SystemTable = SystemTable {
    name: "equations",
    title: "equations of first order",
    compared: PLAIN,
    method: "gauss-2",
    formalism: Formalism::State,
    coordinates: true,
    beside: &IN_STATE_SPACE,
    refuse: state_refuses,
    read: |reader, item, place, raw| {
        let equations = reader.expressions(item, "equations", place);
        raw.state = Some(RawState { equations, ..RawState::new(StateKind::Equations, place) });
    },
    complete: Some(|model, written| written.rates(model)),
    schema: || {
        entries(
            "x' = f(x, t): one equation for each coordinate, \"x'\" = \"…\", or \"x''\" = \"…\" with x and x' as its state. Right-hand sides may contain accelerations, and keys may be expressions, \"x'' + x\" = \"…\": equations that are linear in the highest rates are solved for them.",
        )
    },
};
