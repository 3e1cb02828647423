//! Variables of the iteration, from round to round.

use super::operations::Word;
use cranelift_codegen::ir::{
    BlockArg, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Type, Value, types,
};
use cranelift_frontend::FunctionBuilder;

/// How many variables are parameters of the block of rounds, so that they may stay in registers.
/// More are in memory: the time that Cranelift takes for parameters of blocks grows with the
/// square of their number and worse.
const IN_REGISTERS: usize = 32;

/// Where the variables are.
pub(super) struct Variables {
    count: usize,
    /// The kind of addresses.
    pointer: Type,
    /// Their place on the stack, unless they are parameters of the block.
    memory: Option<StackSlot>,
}

impl Variables {
    /// A place for this many variables.
    pub(super) fn new(count: usize, pointer: Type, builder: &mut FunctionBuilder<'_>) -> Self {
        let memory = (count > IN_REGISTERS).then(|| {
            // Aligned to 2^3 bytes.
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * count as u32, 3);
            builder.create_sized_stack_slot(data)
        });
        Self { count, pointer, memory }
    }

    /// Parameters of the block of rounds; the last is the number of rounds.
    pub(super) fn kinds(&self) -> Vec<Type> {
        let variables = if self.memory.is_some() { 0 } else { self.count };
        let mut kinds = vec![types::F64; variables];
        kinds.push(types::I64);
        kinds
    }

    /// Gives values to the variables of the next round; what is left to be given to its block.
    pub(super) fn pass(
        &self,
        builder: &mut FunctionBuilder<'_>,
        values: &[Value],
        rounds: Value,
    ) -> Vec<BlockArg> {
        let mut arguments = Vec::new();
        match self.memory {
            Some(memory) => {
                for (k, &value) in values.iter().enumerate() {
                    builder.ins().stack_store(self.pointer, value, memory, 8 * k as i32);
                }
            }
            None => arguments.extend(values.iter().map(|&value| BlockArg::Value(value))),
        }
        arguments.push(rounds.into());
        arguments
    }

    /// The variables as they are now; `values` if they are not in memory.
    pub(super) fn current(&self, builder: &mut FunctionBuilder<'_>, values: &[Value]) -> Vec<Word> {
        let load = |k: usize| match self.memory {
            Some(memory) => {
                builder.ins().stack_load(self.pointer, types::F64, memory, 8 * k as i32)
            }
            None => values[k],
        };
        (0..self.count).map(load).map(Word::Number).collect()
    }
}
