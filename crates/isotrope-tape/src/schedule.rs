//! In which order the operations of a region stand.
//!
//! Operations are recorded as is convenient: all positions of a long chain, then all distances,
//! then a linear system of them. Executed like that, every value would go to memory and come back.
//! So what is needed much later waits until it is needed.

/// A value that is used within this many operations stays where it is recorded: it may live in a
/// register until then.
const NEAR: usize = 64;

/// The most operations that may wait for each other. A long recursion is not postponed as a whole: it is
/// recorded in an order that lets several be on the way at once.
const LONGEST: u32 = 32;

/// What an operation needs of its own region.
pub(super) trait Operations {
    /// How many there are; each has a number below, larger than those of its operands.
    fn len(&self) -> usize;
    /// The operands of one in this region.
    fn operands(&self, at: usize, visit: impl FnMut(usize));
    /// Does it compute nothing, so that its value costs as much later as now?
    fn is_leaf(&self, at: usize) -> bool;
}

/// The order of execution: what is recorded first comes first, but if its first use is far away,
/// it comes right before that (unless values that it uses up would have to be kept for it). No
/// operand comes after its use.
pub(super) fn schedule(operations: &impl Operations) -> Vec<u32> {
    let waits = waiting(operations);
    let count = operations.len();
    let mut order = Vec::with_capacity(count);
    let mut placed = vec![false; count];
    let mut stack: Vec<(usize, bool)> = Vec::new();
    for at in (0..count).filter(|&at| !waits[at]) {
        stack.push((at, false));
        while let Some((at, ready)) = stack.pop() {
            if placed[at] {
                continue;
            }
            if ready {
                placed[at] = true;
                order.push(at as u32);
                continue;
            }
            stack.push((at, true));
            let from = stack.len();
            operations.operands(at, |operand| {
                if !placed[operand] {
                    stack.push((operand, false));
                }
            });
            stack[from..].reverse();
        }
    }
    order
}

/// Which operations wait for their first use.
fn waiting(operations: &impl Operations) -> Vec<bool> {
    let count = operations.len();
    let mut users = vec![0u32; count];
    for at in 0..count {
        operations.operands(at, |operand| users[operand] += 1);
    }
    let mut waits = vec![false; count];
    // From the last to the first: where the first use of each is by now, and whether a use behind
    // has been met.
    let mut first_use: Vec<usize> = vec![usize::MAX; count];
    // How many operations that wait for each other use the value, one after the other.
    let mut behind = vec![0u32; count];
    for at in (0..count).rev() {
        let first = first_use[at];
        if first != usize::MAX {
            // Values that are at hand here, but would not be needed any more after this.
            let mut kept = 0;
            operations.operands(at, |operand| {
                let at_hand = !operations.is_leaf(operand) && at - operand < NEAR;
                kept +=
                    u32::from(at_hand && users[operand] > 1 && first_use[operand] == usize::MAX);
            });
            let far = first - at > NEAR && behind[at] < LONGEST;
            waits[at] = operations.is_leaf(at) || far && kept <= 1;
        }
        let (here, chain) = if waits[at] { (first, behind[at] + 1) } else { (at, 0) };
        operations.operands(at, |operand| {
            first_use[operand] = first_use[operand].min(here);
            behind[operand] = behind[operand].max(chain);
        });
    }
    waits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct List(Vec<Vec<usize>>);

    impl Operations for List {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn operands(&self, at: usize, visit: impl FnMut(usize)) {
            self.0[at].iter().copied().for_each(visit);
        }

        fn is_leaf(&self, at: usize) -> bool {
            self.0[at].is_empty()
        }
    }

    /// The longest time that a value is kept.
    fn longest(list: &List, order: &[u32]) -> usize {
        let mut place = vec![0; list.len()];
        order.iter().enumerate().for_each(|(k, &at)| place[at as usize] = k);
        let spans = list.0.iter().enumerate().flat_map(|(at, operands)| {
            let place = &place;
            operands.iter().map(move |&operand| place[at] - place[operand])
        });
        spans.max().unwrap_or(0)
    }

    #[test]
    fn short_code_stays_as_it_is_recorded() {
        let list =
            List((0..NEAR).map(|at| if at < 2 { vec![] } else { vec![at - 1, at / 2] }).collect());
        let order = schedule(&list);
        assert_eq!(order[2..], (2..NEAR as u32).collect::<Vec<_>>()[..]);
    }

    /// All squares, then their sum in pairs, level by level: made one pair after the other, few
    /// values are at hand.
    #[test]
    fn a_long_sum_keeps_few_values() {
        let count = 1024;
        let mut list = vec![vec![]];
        list.extend((0..count).map(|_| vec![0, 0]));
        let mut level: Vec<usize> = (1..=count).collect();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| {
                    list.push(pair.to_vec());
                    list.len() - 1
                })
                .collect();
        }
        let list = List(list);
        let order = schedule(&list);
        let mut left: Vec<u32> = vec![0; list.len()];
        list.0.iter().flatten().for_each(|&operand| left[operand] += 1);
        let (mut live, mut most) = (0u32, 0);
        for &at in &order {
            for &operand in &list.0[at as usize] {
                left[operand] -= 1;
                live -= u32::from(left[operand] == 0 && operand > 0);
            }
            live += u32::from(at > 0);
            most = most.max(live);
        }
        assert!(most as usize <= 2 * NEAR, "{most} of {count}");
    }

    /// Positions, then distances, then a recursion along the chain.
    #[test]
    fn what_a_recursion_needs_comes_with_it() {
        let count = 500;
        let mut list: Vec<Vec<usize>> = (0..count).map(|_| vec![]).collect();
        list.extend((0..count).map(|k| vec![k, k]));
        list.extend((1..count).map(|k| vec![count + k - 1, count + k]));
        for k in 1..count {
            let distance = 2 * count + k - 1;
            list.push(if k == 1 { vec![distance] } else { vec![list.len() - 1, distance] });
        }
        let list = List(list);
        let recorded: Vec<u32> = (0..list.len() as u32).collect();
        assert!(longest(&list, &recorded) >= count);
        assert!(longest(&list, &schedule(&list)) < 16);
    }

    proptest! {
        #[test]
        fn every_operation_stands_once_and_behind_its_operands(
            operands in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..3), 1..600),
        ) {
            let pick = |(at, list): (usize, Vec<u32>)| -> Vec<usize> {
                // Half of the operands are near.
                let one = |x: u32| {
                    if x.is_multiple_of(2) { (x / 2) as usize % at } else { at - 1 - (x / 2) as usize % at.min(9) }
                };
                if at == 0 { vec![] } else { list.into_iter().map(one).collect() }
            };
            let list = List(operands.into_iter().enumerate().map(pick).collect());
            let order = schedule(&list);
            prop_assert_eq!(order.len(), list.len());
            let mut placed = vec![false; list.len()];
            for &at in &order {
                prop_assert!(list.0[at as usize].iter().all(|&operand| placed[operand]));
                prop_assert!(!std::mem::replace(&mut placed[at as usize], true));
            }
        }
    }
}
