//! The function that makes steps, in Cranelift's intermediate form.
//!
//! ```text
//! enter ▶ head ─no steps left─────────────────────▶ leave (completed)
//!          │  ▲
//!        before └──────────────────── store ◀─finite─┐
//!          ▼                                         │
//!        round ◀─next round─┐                        │
//!          ├────────────────┘─given up──▶ leave (not converged)
//!          ▼                                         │
//!        after ──────────────────────────────────────┴─▶ leave (not finite)
//! ```
//! Each of `head`, `round` and `after` dominates the next: what one computes, the others may use.

use super::CompileError;
use super::calls::{Callees, Calls};
use super::live::live;
use super::operations::{Operations, Word};
use super::variables::Variables;
use crate::compiled::{Report, status};
use crate::{Op, Program, ValueId};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, InstBuilder, MemFlagsData, Type, Value, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};
use std::mem::offset_of;

/// Larger frames might not fit on the stack of a thread.
const MAX_FRAME: u32 = 512 * 1024;

/// Defines the function in a module; gives the bytes of its code, too.
pub(super) fn define(
    module: &mut JITModule,
    program: &Program,
    calls: &Calls,
) -> Result<(FuncId, usize), CompileError> {
    let mut context = module.make_context();
    let pointer = module.target_config().pointer_type();
    let signature = &mut context.func.signature;
    signature.params = [types::I64, pointer, pointer, pointer].map(AbiParam::new).to_vec();
    signature.returns = vec![AbiParam::new(types::I64)];
    let callees = calls.declare(module, &mut context.func)?;
    let mut memory = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut memory);
    Steps::new(&mut builder, program, &callees).function();
    builder.seal_all_blocks();
    builder.finalize(module.target_config());
    let function = module.declare_anonymous_function(&context.func.signature)?;
    module.define_function(function, &mut context)?;
    let mut length = 0;
    if let Some(code) = context.compiled_code() {
        length = code.code_buffer().len();
        let frame = code.buffer.frame_layout().map_or(0, |layout| layout.frame_to_fp_offset);
        if frame > MAX_FRAME {
            return Err(CompileError::Frame { bytes: frame });
        }
    }
    Ok((function, length))
}

/// The function under construction.
struct Steps<'a, 'b> {
    program: &'a Program,
    operations: Operations<'a, 'b>,
    /// Operations that something depends on.
    live: Vec<bool>,
    /// Values of operations, as far as they are translated and live.
    words: Vec<Word>,
    /// What the function is called with.
    arguments: [Value; 4],
    /// With steps left, rounds of all iterations, and the status.
    leave: Block,
}

/// Numbers are aligned and there.
fn flags() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// Where a number is in a vector. (Lengths are checked before.)
fn offset(slot: u32) -> i32 {
    slot.cast_signed().wrapping_mul(8)
}

impl<'a, 'b> Steps<'a, 'b> {
    fn new(
        builder: &'a mut FunctionBuilder<'b>,
        program: &'a Program,
        callees: &'a Callees,
    ) -> Self {
        let enter = builder.create_block();
        builder.append_block_params_for_function_params(enter);
        builder.switch_to_block(enter);
        let parameters = builder.block_params(enter);
        let arguments = [0, 1, 2, 3].map(|at| parameters[at]);
        let leave = builder.create_block();
        Self {
            program,
            operations: Operations { builder, callees },
            live: live(program),
            words: Vec::with_capacity(program.ops.len()),
            arguments,
            leave,
        }
    }

    fn constant(&mut self, kind: Type, value: u32) -> Value {
        self.operations.builder.ins().iconst(kind, i64::from(value))
    }

    /// A new block with parameters.
    fn block(&mut self, kinds: &[Type]) -> (Block, Vec<Value>) {
        let builder = &mut self.operations.builder;
        let block = builder.create_block();
        let values = kinds.iter().map(|&kind| builder.append_block_param(block, kind)).collect();
        (block, values)
    }

    fn function(mut self) {
        let (head, values) = self.block(&[types::I64; 2]);
        let (steps_left, iterations) = (values[0], values[1]);
        let none = self.constant(types::I64, 0);
        let steps = self.arguments[0];
        self.operations.builder.ins().jump(head, &[steps.into(), none.into()]);
        self.operations.builder.switch_to_block(head);
        let (before, _) = self.block(&[]);
        let completed = self.constant(types::I64, status::COMPLETED);
        let end = [steps_left, iterations, completed].map(BlockArg::Value);
        self.operations.builder.ins().brif(steps_left, before, &[], self.leave, &end);
        self.operations.builder.switch_to_block(before);
        let (first, second) = (self.program.before, self.program.iterate);
        self.region(0..first, &[]);
        let mut variables = Vec::new();
        let mut rounds = none;
        if !self.program.variables.is_empty() {
            (variables, rounds) = self.iteration(steps_left, iterations);
        }
        let iterations = self.operations.builder.ins().iadd(iterations, rounds);
        self.region(second..self.program.ops.len() as u32, &variables);
        self.check(steps_left, iterations);
        self.store();
        let one = self.constant(types::I64, 1);
        let steps_left = self.operations.builder.ins().isub(steps_left, one);
        self.operations.builder.ins().jump(head, &[steps_left.into(), iterations.into()]);
        self.leave();
    }

    /// Translates the operations of a region.
    fn region(&mut self, region: std::ops::Range<u32>, variables: &[Word]) {
        for at in region {
            let op = self.program.ops[at as usize];
            if !self.live[at as usize] {
                self.words.push(Word::Constant(0));
                continue;
            }
            let word = match op {
                Op::State(slot) => self.load(self.arguments[1], slot, flags()),
                // Parameters never change, so Cranelift may load them once for all steps.
                Op::Parameter(slot) => {
                    self.load(self.arguments[2], slot, flags().with_readonly().with_can_move())
                }
                Op::Variable(k) | Op::Final(k) => variables[k as usize],
                _ => {
                    let words = &self.words;
                    let word = op.perform(&mut self.operations, |id| words[id.0 as usize]);
                    // There is one: numbers from outside are dealt with above.
                    word.unwrap_or(Word::Constant(f64::NAN.to_bits()))
                }
            };
            self.words.push(word);
        }
    }

    fn load(&mut self, base: Value, slot: u32, flags: MemFlagsData) -> Word {
        Word::Number(self.operations.builder.ins().load(types::F64, flags, base, offset(slot)))
    }

    fn number(&mut self, id: ValueId) -> Value {
        self.operations.number(self.words[id.0 as usize])
    }

    /// Rounds until the residual is small; gives the variables after the last one and the number
    /// of rounds.
    fn iteration(&mut self, steps_left: Value, iterations: Value) -> (Vec<Word>, Value) {
        let program = self.program;
        let pointer = self.operations.builder.func.dfg.value_type(self.arguments[1]);
        let variables = Variables::new(program.variables.len(), pointer, self.operations.builder);
        let starts: Vec<Value> =
            program.variables.iter().map(|variable| self.number(variable.start)).collect();
        let none = self.constant(types::I64, 0);
        let (round, mut values) = self.block(&variables.kinds());
        let arguments = variables.pass(self.operations.builder, &starts, none);
        self.operations.builder.ins().jump(round, &arguments);
        self.operations.builder.switch_to_block(round);
        let made = values.pop().unwrap_or(none);
        let current = variables.current(self.operations.builder, &values);
        self.region(program.before..program.iterate, &current);
        let one = self.constant(types::I64, 1);
        let rounds = self.operations.builder.ins().iadd(made, one);
        let next: Vec<Value> =
            program.variables.iter().map(|variable| self.number(variable.next)).collect();
        let arguments = variables.pass(self.operations.builder, &next, rounds);
        let (after, _) = self.block(&[]);
        let mut given_up = (after, vec![]);
        if let Some((residual, tolerance)) = program.residual {
            let (again, _) = self.block(&[]);
            let (residual, tolerance) = (self.number(residual), self.number(tolerance));
            let comparison = FloatCC::LessThanOrEqual;
            let converged = self.operations.builder.ins().fcmp(comparison, residual, tolerance);
            self.operations.builder.ins().brif(converged, after, &[], again, &[]);
            self.operations.builder.switch_to_block(again);
            let status = self.constant(types::I64, status::NOT_CONVERGED);
            let iterations = self.operations.builder.ins().iadd(iterations, rounds);
            let end = [steps_left, iterations, status].map(BlockArg::Value);
            given_up = (self.leave, end.to_vec());
        }
        let most = self.constant(types::I64, program.max_iterations);
        let more = self.operations.builder.ins().icmp(IntCC::UnsignedLessThan, rounds, most);
        self.operations.builder.ins().brif(more, round, &arguments, given_up.0, &given_up.1);
        self.operations.builder.switch_to_block(after);
        (variables.current(self.operations.builder, &next), rounds)
    }

    /// Leaves unless all numbers to be stored are finite.
    fn check(&mut self, steps_left: Value, iterations: Value) {
        // x - x is 0 if x is finite and NaN if not; a sum of zeros is not a NaN. Sums of two by two,
        // so that none waits for a long one.
        let program = self.program;
        let mut sums: Vec<Value> = program
            .stores
            .iter()
            .map(|&(_, id)| {
                let number = self.number(id);
                self.operations.builder.ins().fsub(number, number)
            })
            .collect();
        while sums.len() > 1 {
            sums = sums
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.operations.builder.ins().fadd(a, b),
                    _ => pair[0],
                })
                .collect();
        }
        let Some(&sum) = sums.first() else { return };
        let (store, _) = self.block(&[]);
        let finite = self.operations.builder.ins().fcmp(FloatCC::Ordered, sum, sum);
        let status = self.constant(types::I64, status::NON_FINITE);
        let end = [steps_left, iterations, status].map(BlockArg::Value);
        self.operations.builder.ins().brif(finite, store, &[], self.leave, &end);
        self.operations.builder.switch_to_block(store);
    }

    /// Writes the new state.
    fn store(&mut self) {
        let program = self.program;
        let numbers: Vec<(u32, Value)> =
            program.stores.iter().map(|&(slot, id)| (slot, self.number(id))).collect();
        for (slot, number) in numbers {
            let state = self.arguments[1];
            self.operations.builder.ins().store(flags(), number, state, offset(slot));
        }
    }

    /// Writes the report and returns.
    fn leave(&mut self) {
        let builder = &mut self.operations.builder;
        let [steps_left, iterations, status] =
            [types::I64; 3].map(|kind| builder.append_block_param(self.leave, kind));
        builder.set_cold_block(self.leave);
        builder.switch_to_block(self.leave);
        let [steps, _, _, report] = self.arguments;
        let made = builder.ins().isub(steps, steps_left);
        for (value, place) in
            [(made, offset_of!(Report, steps)), (iterations, offset_of!(Report, iterations))]
        {
            builder.ins().store(flags(), value, report, place as i32);
        }
        builder.ins().return_(&[status]);
    }
}
