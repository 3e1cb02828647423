//! When a value is needed next.
//!
//! Behind the iteration there is one more position where nothing happens, from which uses in
//! another round cannot be seen.

use super::plan::{Origin, Plan, Value};

/// A position in the order of execution.
pub(super) type Position = u32;

/// Never.
pub(super) const NEVER: Position = Position::MAX;

/// Uses of all values, and how far execution has got.
#[derive(Debug)]
pub(super) struct Uses {
    /// Positions of all uses, value by value.
    positions: Vec<Position>,
    /// Where the uses of a value begin; one more at the end.
    begins: Vec<u32>,
    /// The first use that may lie ahead.
    cursor: Vec<u32>,
    /// The first use inside the iteration of a value from outside.
    in_round: Vec<Position>,
    /// Is the value the same in the next step?
    stays: Vec<bool>,
    /// Is the value computed in a round, or a variable of it?
    inside: Vec<bool>,
    /// Where variables take their first values.
    pub(super) entry: Position,
    /// Where they take the next ones.
    pub(super) back: Position,
    /// Where the state is stored.
    pub(super) finish: Position,
}

impl Uses {
    /// Collects the uses of a plan.
    pub(super) fn new(plan: &Plan) -> Self {
        let entry = plan.before as Position;
        let back = plan.after as Position + 1;
        let finish = plan.items.len() as Position + 3;
        let mut all: Vec<(Value, Position)> = Vec::with_capacity(plan.items.len() * 3);
        let mut inside = vec![false; plan.origins.len()];
        for (at, item) in plan.items.iter().enumerate() {
            let position = position(plan, at);
            all.extend(item.operands().iter().map(|&value| (value, position)));
            if let Some(result) = item.result {
                inside[result as usize] = entry < position && position < back;
            }
        }
        for carried in &plan.carried {
            all.extend([(carried.start, entry), (carried.next, back)]);
            inside[carried.variable as usize] = true;
        }
        all.extend(plan.stores.iter().map(|&(_, value)| (value, finish)));
        all.sort_unstable();
        all.dedup();
        let mut begins = Vec::with_capacity(plan.origins.len() + 1);
        let mut in_round = vec![NEVER; plan.origins.len()];
        let mut at = 0;
        for (value, first) in in_round.iter_mut().enumerate() {
            begins.push(at as u32);
            while at < all.len() && all[at].0 as usize == value {
                let position = all[at].1;
                if !inside[value] && entry < position && position <= back {
                    *first = (*first).min(position);
                }
                at += 1;
            }
        }
        begins.push(at as u32);
        let mut stays: Vec<bool> = plan
            .origins
            .iter()
            .map(|origin| !matches!(origin, Origin::Computed | Origin::Variable(_)))
            .collect();
        for (value, origin) in plan.origins.iter().enumerate() {
            if matches!(origin, Origin::State(place) if plan.stored_at(*place).is_some()) {
                stays[value] = false;
            }
        }
        let positions = all.into_iter().map(|(_, position)| position).collect();
        let cursor = begins[..begins.len() - 1].to_vec();
        Self { positions, begins, cursor, in_round, stays, inside, entry, back, finish }
    }

    /// Starts again at the beginning of a step.
    pub(super) fn rewind(&mut self) {
        let values = self.cursor.len();
        self.cursor.copy_from_slice(&self.begins[..values]);
    }

    /// Where the value is used next after `now`; a use in the next round or the next step counts
    /// as that much later.
    pub(super) fn next(&mut self, value: Value, now: Position) -> Position {
        let value = value as usize;
        let end = self.begins[value + 1];
        let mut cursor = self.cursor[value];
        while cursor < end && self.positions[cursor as usize] <= now {
            cursor += 1;
        }
        self.cursor[value] = cursor;
        let mut next = if cursor < end { self.positions[cursor as usize] } else { NEVER };
        if self.entry < now && now <= self.back && self.in_round[value] != NEVER {
            next = next.min(self.in_round[value] + (self.back - self.entry));
        }
        let begin = self.begins[value];
        if next == NEVER && self.stays[value] && begin < end {
            next = self.positions[begin as usize] + self.finish + 1;
        }
        next
    }

    /// The first use of a value.
    pub(super) fn first(&self, value: Value) -> Position {
        let value = value as usize;
        let (begin, end) = (self.begins[value], self.begins[value + 1]);
        if begin < end { self.positions[begin as usize] } else { NEVER }
    }

    /// The last use of a value.
    pub(super) fn last(&self, value: Value) -> Position {
        let value = value as usize;
        let (begin, end) = (self.begins[value], self.begins[value + 1]);
        if begin < end { self.positions[end as usize - 1] } else { 0 }
    }

    /// Is the value the same in all rounds?
    pub(super) fn is_from_outside(&self, value: Value) -> bool {
        !self.inside[value as usize]
    }

    /// A position behind the iteration, before everything that follows.
    pub(super) fn left(&self) -> Position {
        self.back + 1
    }
}

/// The position of an item.
pub(super) fn position(plan: &Plan, item: usize) -> Position {
    let gaps = usize::from(item >= plan.before) + 2 * usize::from(item >= plan.after);
    (item + gaps) as Position
}
