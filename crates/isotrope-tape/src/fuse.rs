//! Products become parts of the sums that use them.

use super::place::{Placement, roots};
use super::{Builder, Op, ValueId};

/// Fuses `a b` with sums and differences: `a b + c`, `a b - c`, `c - a b`, each rounded once.
///
/// A product is fused if that makes it disappear: if every use is a sum or a difference in the same
/// region, not yet fused and not strict. Where both parts of a sum are products, the one that is
/// ready later is fused, so that the other is not waited for; products are therefore taken from
/// late to early. This rule decides bits, and depends on nothing but the operations.
pub(super) fn fuse(builder: &mut Builder, placement: &Placement) {
    let count = builder.entries.len();
    // Sums that use each product; none when something else uses it too.
    let mut uses: Vec<Option<Vec<u32>>> = builder
        .entries
        .iter()
        .zip(&placement.live)
        .map(|(entry, &live)| (live && matches!(entry.op, Op::Mul(..))).then(Vec::new))
        .collect();
    for at in (0..count).filter(|&at| placement.live[at]) {
        let entry = builder.entries[at];
        let sum = match entry.op {
            Op::Add(a, b) | Op::Sub(a, b) => a != b && !entry.strict,
            _ => false,
        };
        for operand in entry.op.operands().iter().map(|v| v.0 as usize) {
            let here = placement.region[operand] == placement.region[at];
            if let Some(list) = &mut uses[operand]
                && sum
                && here
            {
                list.push(at as u32);
            } else {
                uses[operand] = None;
            }
        }
    }
    for root in roots(builder) {
        uses[root.0 as usize] = None;
    }
    let mut products: Vec<usize> = (0..count).filter(|&at| uses[at].is_some()).collect();
    products.sort_unstable_by_key(|&at| std::cmp::Reverse((builder.entries[at].ready, at)));
    for product in products {
        let Some(sums) = uses[product].take() else { continue };
        let Op::Mul(x, y) = builder.entries[product].op else { continue };
        let free = |&sum: &u32| matches!(builder.op(ValueId(sum)), Op::Add(..) | Op::Sub(..));
        if !sums.iter().all(free) {
            continue;
        }
        let product = ValueId(product as u32);
        for sum in sums {
            let entry = &mut builder.entries[sum as usize];
            entry.op = match entry.op {
                Op::Add(a, b) if a == product => Op::Fma(x, y, b),
                Op::Add(a, _) => Op::Fma(x, y, a),
                Op::Sub(a, b) if a == product => Op::Fms(x, y, b),
                Op::Sub(a, _) => Op::Fnma(x, y, a),
                other => other,
            };
        }
    }
}
