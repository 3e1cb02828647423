//! What happened in a loop, from which the next layout learns.

use super::plan::{Plan, Value};

/// What happened in a loop.
pub(super) struct Trace {
    /// Values that had to leave their register.
    pub(super) evicted: Vec<bool>,
    /// How often a value was read from memory by the instruction that uses it.
    pub(super) folded: Vec<u32>,
    /// Registers that were written, as bits.
    pub(super) touched: u32,
}

impl Trace {
    /// Nothing yet.
    pub(super) fn new(plan: &Plan) -> Self {
        let values = plan.origins.len();
        Self { evicted: vec![false; values], folded: vec![0; values], touched: 0 }
    }

    /// Back in the outer loop.
    pub(super) fn leave(&mut self, outer: Self) {
        self.touched |= outer.touched;
        for (inner, outer) in self.evicted.iter_mut().zip(outer.evicted) {
            *inner |= outer;
        }
        for (inner, outer) in self.folded.iter_mut().zip(outer.folded) {
            *inner += outer;
        }
    }

    /// Registers that the loop leaves alone, for values that it reads from memory most often.
    pub(super) fn promotions(&self, registers: u8) -> Vec<(u8, Value)> {
        let mut values: Vec<Value> =
            (0..self.folded.len()).filter(|&v| self.folded[v] > 0).map(|v| v as Value).collect();
        values.sort_by_key(|&value| std::cmp::Reverse(self.folded[value as usize]));
        let free = (0..registers).filter(|register| self.touched >> register & 1 == 0);
        free.zip(values).collect()
    }
}
