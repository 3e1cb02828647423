//! Many values to their new places at once.

use super::place::{Action, Home, Place};
use rustc_hash::FxHashMap;

/// Orders moves that are meant to happen at the same time: each place is read before it is
/// overwritten. `scratch` is a free register, `spare` a free place in memory.
pub(super) fn transfer(
    moves: &[(Place, Place)],
    scratch: u8,
    spare: Home,
    actions: &mut Vec<Action>,
) {
    let mut moves: Vec<(Place, Place)> =
        moves.iter().copied().filter(|(from, to)| from != to).collect();
    // How often a place is still to be read, and which move overwrites it.
    let mut readers: FxHashMap<Place, u32> = FxHashMap::default();
    let mut writer: FxHashMap<Place, usize> = FxHashMap::default();
    for (at, &(from, to)) in moves.iter().enumerate() {
        *readers.entry(from).or_default() += 1;
        writer.insert(to, at);
    }
    let is_free = |readers: &FxHashMap<Place, u32>, place: Place| {
        readers.get(&place).copied().unwrap_or(0) == 0
    };
    let mut done = vec![false; moves.len()];
    let mut ready: Vec<usize> =
        (0..moves.len()).rev().filter(|&at| is_free(&readers, moves[at].1)).collect();
    let mut first = 0;
    loop {
        while let Some(at) = ready.pop() {
            let (from, to) = moves[at];
            actions.push(Action::Move { from, to });
            done[at] = true;
            if let Some(count) = readers.get_mut(&from) {
                *count -= 1;
                if *count == 0
                    && let Some(&next) = writer.get(&from)
                    && !done[next]
                {
                    ready.push(next);
                }
            }
        }
        while first < moves.len() && done[first] {
            first += 1;
        }
        if first == moves.len() {
            return;
        }
        // Only cycles are left, and in a cycle each place is read once: set one value aside. The
        // scratch register is free unless a later move needs it to get from memory to memory.
        let through_memory = (first..moves.len())
            .any(|at| !done[at] && matches!(moves[at], (Place::Memory(_), Place::Memory(_))));
        let aside = if through_memory { Place::Memory(spare) } else { Place::Register(scratch) };
        let from = moves[first].0;
        actions.push(Action::Move { from, to: aside });
        moves[first].0 = aside;
        readers.insert(aside, 1);
        readers.insert(from, 0);
        if let Some(&next) = writer.get(&from) {
            ready.push(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SCRATCH: u8 = 99;
    const SPARE: Home = Home::Spill(99);

    fn place(number: u8) -> Place {
        if number < 6 {
            Place::Register(number)
        } else {
            Place::Memory(Home::Spill(u32::from(number)))
        }
    }

    proptest! {
        #[test]
        fn moves_one_after_the_other_do_what_moves_at_once_would(
            sources in proptest::collection::vec(proptest::option::of(0u8..12), 12),
        ) {
            let moves: Vec<_> = sources
                .iter()
                .enumerate()
                .filter_map(|(to, from)| from.map(|from| (place(from), place(to as u8))))
                .collect();
            let mut actions = Vec::new();
            transfer(&moves, SCRATCH, SPARE, &mut actions);
            let mut found: FxHashMap<Place, Place> = FxHashMap::default();
            for action in actions {
                let Action::Move { from, to } = action else { panic!("only moves") };
                let value = found.get(&from).copied().unwrap_or(from);
                if matches!((from, to), (Place::Memory(_), Place::Memory(_))) {
                    prop_assert!(to != Place::Memory(SPARE) || from != Place::Memory(SPARE));
                    found.remove(&Place::Register(SCRATCH));
                }
                found.insert(to, value);
            }
            for (from, to) in moves {
                prop_assert_eq!(found.get(&to).copied().unwrap_or(to), from);
            }
        }
    }
}
