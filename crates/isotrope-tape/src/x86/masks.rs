//! Masks that need no vector register: with AVX-512 a comparison gives a mask register, and a
//! selection takes one.

use super::encode::Mask;
use super::operation::Operation;
use super::plan::{Item, Plan};

/// Mask registers for comparisons; the ones below are for freezing, the one above is scratch.
const FIRST: u8 = 3;
const COUNT: usize = 4;

/// The mask register that no comparison keeps.
pub(super) const SCRATCH_MASK: Mask = Mask(7);

/// The mask register of lanes whose iteration has not ended.
pub(super) fn freeze_mask(copy: u8) -> Mask {
    Mask(1 + copy)
}

/// Leaves in mask registers what only selections read, soon enough.
pub(super) fn keep_masks(plan: &mut Plan) {
    let mut keeper = Keeper { readers: vec![Readers::default(); plan.origins.len()] };
    let stored = plan.stores.iter().map(|store| store.1);
    let carried = plan.carried.iter().flat_map(|carried| [carried.start, carried.next]);
    for value in stored.chain(carried) {
        keeper.readers[value as usize].others = true;
    }
    for (at, item) in plan.items.iter().enumerate() {
        for (operand, &value) in item.operands().iter().enumerate() {
            let readers = &mut keeper.readers[value as usize];
            if item.operation == Operation::Select && operand == 0 {
                readers.last = at;
            } else {
                readers.others = true;
            }
        }
    }
    let regions = [0..plan.before, plan.before..plan.tests, plan.after..plan.items.len()];
    for region in regions {
        keeper.region(&mut plan.items[region.clone()], region.start);
    }
}

/// Who reads a value.
#[derive(Debug, Clone, Copy, Default)]
struct Readers {
    /// The last selection that takes it as its mask.
    last: usize,
    /// Does anything else read it?
    others: bool,
}

struct Keeper {
    readers: Vec<Readers>,
}

impl Keeper {
    fn region(&self, items: &mut [Item], begin: usize) {
        let is_call =
            |item: &Item| matches!(item.operation, Operation::Call(_) | Operation::Guarded { .. });
        // Where each comparison and the first call behind each item are.
        let compares: Vec<usize> = (0..items.len())
            .filter(|&at| matches!(items[at].operation, Operation::Compare(_)))
            .collect();
        let calls: Vec<usize> = (0..items.len()).filter(|&at| is_call(&items[at])).collect();
        let mut masks = rustc_hash::FxHashMap::default();
        for (number, &at) in compares.iter().enumerate() {
            let (Operation::Compare(comparison), Some(result)) =
                (items[at].operation, items[at].result)
            else {
                continue;
            };
            let readers = self.readers[result as usize];
            let Some(last) = readers.last.checked_sub(begin) else { continue };
            // The register is taken again by a later comparison, and lost by a call.
            let taken = compares.get(number + COUNT).copied().unwrap_or(items.len());
            let call = calls[calls.partition_point(|&call| call < at)..].first();
            let lost = call.copied().unwrap_or(items.len());
            if readers.others || last <= at || last >= taken.min(lost).min(items.len()) {
                continue;
            }
            let mask = Mask(FIRST + (number % COUNT) as u8);
            let operation = Operation::CompareMask(comparison, mask);
            items[at] = Item::new(operation, items[at].operands(), None);
            masks.insert(result, mask);
        }
        for item in items {
            if item.operation == Operation::Select
                && let Some(&mask) = masks.get(&item.operands()[0])
            {
                let operands = [item.operands()[1], item.operands()[2]];
                *item = Item::new(Operation::SelectMask(mask), &operands, item.result);
            }
        }
    }
}
