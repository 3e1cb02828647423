//! A machine for the instructions that the compiler uses, so that code for machines that are not
//! at hand is tested too. It decodes with the disassembler, not with the tables of the encoder;
//! it stops at every access outside the memory that the code may use; and a call leaves rubbish
//! in all registers that the calling convention does not save.

use crate::compiled::Called;
use crate::x86::InstructionSet;
use crate::x86::compile::Function;
use iced_x86::{
    ConditionCode, CpuidFeature, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic,
    OpKind, Register,
};
use std::collections::HashMap;

const CODE: u64 = 0x1_0000_0000;
const STACK: u64 = 0x2_0000_0000;
const STATE: u64 = 0x3_0000_0000;
const PARAMETERS: u64 = 0x4_0000_0000;
const REPORT: u64 = 0x5_0000_0000;
const LENT: u64 = 0x6_0000_0000;
const RETURN: u64 = 0xDEAD_BEE8;
const STACK_BYTES: usize = 1 << 20;
const RUBBISH: u64 = 0x7FF4_5678_9ABC_DEF1;

struct Region {
    base: u64,
    bytes: Vec<u8>,
    writable: bool,
}

pub struct Emulator {
    set: InstructionSet,
    general: [u64; 16],
    vector: [[u64; 8]; 32],
    mask: [u64; 8],
    zero: bool,
    carry: bool,
    parity: bool,
    regions: Vec<Region>,
    decoded: HashMap<u64, Instruction>,
}

/// Status, steps made, rounds.
pub type Report = (u64, u64, u64);

/// Runs compiled code on a state.
pub fn emulate(
    set: InstructionSet,
    function: &Function,
    state: &mut [f64],
    parameters: &[f64],
    steps: u64,
) -> Report {
    let bytes = |numbers: &[f64]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    let region = |base, bytes, writable| Region { base, bytes, writable };
    let mut emulator = Emulator {
        set,
        general: [RUBBISH; 16],
        vector: [[RUBBISH; 8]; 32],
        mask: [RUBBISH; 8],
        zero: false,
        carry: true,
        parity: false,
        regions: vec![
            region(CODE, function.bytes.clone(), false),
            region(STACK, vec![0xAB; STACK_BYTES], true),
            region(STATE, bytes(state), true),
            region(PARAMETERS, bytes(parameters), false),
            region(REPORT, vec![0; 16], true),
            region(LENT, vec![0xCD; function.lent], true),
        ],
        decoded: HashMap::new(),
    };
    let top = STACK + STACK_BYTES as u64 - 8;
    emulator.write(top, 8, &[RETURN]);
    let arguments = [(7, steps), (6, STATE), (2, PARAMETERS), (1, REPORT), (8, LENT)];
    for (register, value) in arguments.into_iter().chain([(4, top)]) {
        emulator.general[register] = value;
    }
    let saved = [3, 5, 12, 13, 14, 15].map(|register: usize| emulator.general[register]);
    emulator.execute();
    let restored = [3, 5, 12, 13, 14, 15].map(|register: usize| emulator.general[register]);
    assert_eq!(saved, restored, "registers of the caller");
    assert_eq!(emulator.general[4], top + 8, "the stack of the caller");
    for (at, number) in state.iter_mut().enumerate() {
        *number = f64::from_bits(emulator.read(STATE + 8 * at as u64, 8)[0]);
    }
    let report = emulator.read(REPORT, 16);
    (emulator.general[0], report[0], report[1])
}

/// Has every machine with these instructions this feature?
fn is_part_of(set: InstructionSet, feature: CpuidFeature) -> bool {
    use CpuidFeature as F;
    match feature {
        F::INTEL8086 | F::INTEL386 | F::X64 | F::MULTIBYTENOP | F::AVX | F::AVX2 | F::FMA => true,
        F::AVX512F | F::AVX512DQ | F::AVX512VL => set == InstructionSet::Avx512,
        _ => false,
    }
}

impl Emulator {
    fn region(&mut self, address: u64, bytes: usize, write: bool) -> (&mut Region, usize) {
        let found = self.regions.iter_mut().find(|region| {
            region.base <= address
                && address + bytes as u64 <= region.base + region.bytes.len() as u64
        });
        let region = found.unwrap_or_else(|| panic!("{bytes} bytes at {address:x}"));
        assert!(region.writable || !write, "a write to {address:x}");
        let offset = (address - region.base) as usize;
        (region, offset)
    }

    fn read(&mut self, address: u64, bytes: usize) -> [u64; 8] {
        let (region, at) = self.region(address, bytes, false);
        let mut words = [0; 8];
        for (word, chunk) in words.iter_mut().zip(region.bytes[at..at + bytes].chunks(8)) {
            *word = u64::from_le_bytes(chunk.try_into().expect("whole words"));
        }
        words
    }

    fn write(&mut self, address: u64, bytes: usize, words: &[u64]) {
        let (region, at) = self.region(address, bytes, true);
        for (word, chunk) in words.iter().zip(region.bytes[at..at + bytes].chunks_mut(8)) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
    }

    fn fetch(&mut self, at: u64) -> Instruction {
        if let Some(known) = self.decoded.get(&at) {
            return *known;
        }
        let (region, offset) = self.region(at, 1, false);
        let mut decoder = Decoder::with_ip(64, &region.bytes[offset..], at, DecoderOptions::NONE);
        let instruction = decoder.decode();
        assert!(!instruction.is_invalid(), "at {at:x}");
        for feature in instruction.cpuid_features() {
            assert!(is_part_of(self.set, *feature), "{instruction} needs {feature:?}");
        }
        self.decoded.insert(at, instruction);
        instruction
    }

    fn execute(&mut self) {
        let mut at = CODE;
        let mut count = 0u64;
        while at != RETURN {
            let instruction = self.fetch(at);
            at = self.instruction(&instruction);
            count += 1;
            assert!(count < 50_000_000, "no end");
        }
    }

    fn address(&self, i: &Instruction) -> u64 {
        if i.is_ip_rel_memory_operand() {
            return i.ip_rel_memory_address();
        }
        self.general[i.memory_base().full_register().number()]
            .wrapping_add(i.memory_displacement64())
    }

    fn condition(&self, code: ConditionCode) -> bool {
        match code {
            ConditionCode::ae => !self.carry,
            ConditionCode::e => self.zero,
            ConditionCode::ne => !self.zero,
            ConditionCode::a => !self.carry && !self.zero,
            ConditionCode::p => self.parity,
            other => panic!("{other:?}"),
        }
    }

    /// An integer operand.
    fn integer(&mut self, i: &Instruction, operand: u32) -> u64 {
        match i.op_kind(operand) {
            OpKind::Register => self.general[i.op_register(operand).full_register().number()],
            OpKind::Memory => {
                let address = self.address(i);
                self.read(address, 8)[0]
            }
            _ => i.immediate(operand),
        }
    }

    fn set_integer(&mut self, i: &Instruction, value: u64) {
        match i.op0_kind() {
            OpKind::Register => {
                let register = i.op0_register();
                let value = if register.is_gpr32() { value & 0xFFFF_FFFF } else { value };
                self.general[register.full_register().number()] = value;
            }
            _ => {
                let address = self.address(i);
                self.write(address, 8, &[value]);
            }
        }
    }

    /// A vector operand: lanes of the instruction, one number for all if broadcast.
    fn lanes(&mut self, i: &Instruction, operand: u32) -> [u64; 8] {
        match i.op_kind(operand) {
            OpKind::Register => self.vector[i.op_register(operand).number()],
            OpKind::Memory => {
                let address = self.address(i);
                if i.is_broadcast() {
                    [self.read(address, 8)[0]; 8]
                } else {
                    self.read(address, i.memory_size().size())
                }
            }
            other => panic!("{other:?} in {i}"),
        }
    }

    /// Writes a vector register; what lies beyond its length becomes zero.
    fn set_lanes(&mut self, i: &Instruction, words: [u64; 8]) {
        let register = i.op0_register();
        let mut result = [0; 8];
        let count = register.size() / 8;
        result[..count].copy_from_slice(&words[..count]);
        self.vector[register.number()] = result;
    }

    /// Lane by lane; a scalar instruction takes the rest from its second operand.
    fn map(&mut self, i: &Instruction, scalar: bool, f: impl Fn([u64; 3]) -> u64) {
        let first = self.lanes(i, 0);
        let second = self.lanes(i, 1);
        let third = if i.op_count() > 2 && i.op2_kind() != OpKind::Immediate8 {
            self.lanes(i, 2)
        } else {
            second
        };
        let mut result = second;
        for lane in 0..if scalar { 1 } else { 8 } {
            result[lane] = f([first[lane], second[lane], third[lane]]);
        }
        self.set_lanes(i, result);
    }

    fn numbers(&mut self, i: &Instruction, scalar: bool, f: impl Fn(f64, f64, f64) -> f64) {
        self.map(i, scalar, |[a, b, c]| {
            f(f64::from_bits(a), f64::from_bits(b), f64::from_bits(c)).to_bits()
        });
    }

    fn compare(&mut self, i: &Instruction, scalar: bool) {
        let (a, b) = (self.lanes(i, 1), self.lanes(i, 2));
        let lanes = if scalar { 1 } else { i.op1_register().size() / 8 };
        let answer = |lane: usize| {
            let (a, b) = (f64::from_bits(a[lane]), f64::from_bits(b[lane]));
            match i.immediate8() {
                0x03 => a.is_nan() || b.is_nan(),
                0x11 => a < b,
                0x12 => a <= b,
                0x16 => a > b || a.is_nan() || b.is_nan(),
                other => panic!("comparison {other}"),
            }
        };
        if i.op0_register().is_k() {
            let bits = (0..lanes).fold(0, |bits, lane| bits | u64::from(answer(lane)) << lane);
            self.mask[i.op0_register().number()] = bits;
        } else {
            let mut result = a;
            for (lane, word) in result.iter_mut().enumerate().take(lanes) {
                *word = if answer(lane) { u64::MAX } else { 0 };
            }
            self.set_lanes(i, result);
        }
    }

    fn call(&mut self, address: u64) {
        assert_eq!(self.general[4] % 16, 0, "the stack is aligned at a call");
        let one = crate::Function::ALL.map(Called::One);
        let two = crate::BinaryFunction::ALL.map(Called::Two);
        let function = one.into_iter().chain(two).find(|called| called.address() == address);
        let argument = |register: usize| f64::from_bits(self.vector[register][0]);
        let result = match function.expect("a function of the table") {
            Called::One(function) => function.evaluate(argument(0)),
            Called::Two(function) => function.evaluate(argument(0), argument(1)),
        };
        self.vector = [[RUBBISH; 8]; 32];
        self.vector[0][0] = result.to_bits();
        self.mask = [RUBBISH; 8];
        for register in [0, 1, 2, 6, 7, 8, 9, 10, 11] {
            self.general[register] = RUBBISH;
        }
    }

    fn instruction(&mut self, i: &Instruction) -> u64 {
        use Mnemonic as M;
        let next = i.next_ip();
        match i.flow_control() {
            FlowControl::UnconditionalBranch => return i.near_branch_target(),
            FlowControl::ConditionalBranch => {
                return if self.condition(i.condition_code()) {
                    i.near_branch_target()
                } else {
                    next
                };
            }
            FlowControl::IndirectCall => {
                let address = self.integer(i, 0);
                self.call(address);
                return next;
            }
            FlowControl::Return => {
                let to = self.read(self.general[4], 8)[0];
                self.general[4] += 8;
                return to;
            }
            _ => {}
        }
        match i.mnemonic() {
            M::Nop => {}
            M::Push => {
                let value = self.integer(i, 0);
                self.general[4] -= 8;
                self.write(self.general[4], 8, &[value]);
            }
            M::Pop => {
                let value = self.read(self.general[4], 8)[0];
                self.general[4] += 8;
                self.set_integer(i, value);
            }
            M::Mov => {
                let value = self.integer(i, 1);
                self.set_integer(i, value);
            }
            M::Lea => {
                let address = self.address(i);
                self.set_integer(i, address);
            }
            M::Add | M::Sub | M::Or | M::And | M::Test | M::Cmp => {
                let (a, b) = (self.integer(i, 0), self.integer(i, 1));
                let (result, carry) = match i.mnemonic() {
                    M::Add => a.overflowing_add(b),
                    M::Sub | M::Cmp => a.overflowing_sub(b),
                    M::Or => (a | b, false),
                    _ => (a & b, false),
                };
                (self.zero, self.carry) = (result == 0, carry);
                if !matches!(i.mnemonic(), M::Test | M::Cmp) {
                    self.set_integer(i, result);
                }
            }
            M::Dec => {
                let result = self.integer(i, 0).wrapping_sub(1);
                self.zero = result == 0;
                self.set_integer(i, result);
            }
            M::Bt => self.carry = self.integer(i, 0) >> i.immediate8() & 1 == 1,
            M::Vzeroupper => {
                for register in &mut self.vector[..16] {
                    register[2..].fill(0);
                }
            }
            M::Vmovsd | M::Vmovupd | M::Vmovapd if i.op0_kind() == OpKind::Memory => {
                let (address, words) = (self.address(i), self.lanes(i, 1));
                self.write(address, i.memory_size().size(), &words);
            }
            M::Vmovsd | M::Vmovupd | M::Vmovapd => {
                let words = self.lanes(i, 1);
                self.set_lanes(i, words);
            }
            M::Vbroadcastsd => {
                let words = [self.lanes(i, 1)[0]; 8];
                self.set_lanes(i, words);
            }
            M::Vmovq => {
                let value = self.vector[i.op1_register().number()][0];
                self.set_integer(i, value);
            }
            M::Vmovmskpd => {
                let words = self.lanes(i, 1);
                let bits = (0..4).fold(0, |bits, lane| bits | words[lane] >> 63 << lane);
                self.set_integer(i, bits);
            }
            M::Kmovb => {
                let value = self.mask[i.op1_register().number()] & 0xFF;
                self.set_integer(i, value);
            }
            M::Kortestb => {
                let masks = [i.op0_register(), i.op1_register()].map(Register::number);
                self.zero = (self.mask[masks[0]] | self.mask[masks[1]]) & 0xFF == 0;
            }
            M::Vucomisd => {
                let (a, b) = (self.lanes(i, 0)[0], self.lanes(i, 1)[0]);
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                let unordered = a.is_nan() || b.is_nan();
                self.zero = unordered || a == b;
                self.parity = unordered;
                self.carry = unordered || a < b;
            }
            M::Vcmpsd => self.compare(i, true),
            M::Vcmppd => self.compare(i, false),
            M::Vblendvpd => {
                let mask = self.lanes(i, 3);
                let (b, a) = (self.lanes(i, 1), self.lanes(i, 2));
                let pick = |lane: usize| if mask[lane] >> 63 == 1 { a[lane] } else { b[lane] };
                self.set_lanes(i, std::array::from_fn(pick));
            }
            M::Vblendmpd => {
                let mask = self.mask[i.op_mask().number()];
                let (b, a) = (self.lanes(i, 1), self.lanes(i, 2));
                let pick = |lane: usize| if mask >> lane & 1 == 1 { a[lane] } else { b[lane] };
                self.set_lanes(i, std::array::from_fn(pick));
            }
            M::Vpmovm2q => {
                let mask = self.mask[i.op1_register().number()];
                let word = |lane: usize| if mask >> lane & 1 == 1 { u64::MAX } else { 0 };
                self.set_lanes(i, std::array::from_fn(word));
            }
            M::Vpmovq2m => {
                let words = self.lanes(i, 1);
                let lanes = i.op1_register().size() / 8;
                let bits = (0..lanes).fold(0, |bits, lane| bits | words[lane] >> 63 << lane);
                self.mask[i.op0_register().number()] = bits;
            }
            M::Vpsllq => self.map(i, false, |[_, a, _]| a << i.immediate8()),
            M::Vpsrlq => self.map(i, false, |[_, a, _]| a >> i.immediate8()),
            M::Vandpd => self.map(i, false, |[_, a, b]| a & b),
            M::Vorpd => self.map(i, false, |[_, a, b]| a | b),
            M::Vxorpd => self.map(i, false, |[_, a, b]| a ^ b),
            M::Vpaddq => self.map(i, false, |[_, a, b]| a.wrapping_add(b)),
            M::Vaddsd => self.numbers(i, true, |_, a, b| a + b),
            M::Vaddpd => self.numbers(i, false, |_, a, b| a + b),
            M::Vsubsd => self.numbers(i, true, |_, a, b| a - b),
            M::Vsubpd => self.numbers(i, false, |_, a, b| a - b),
            M::Vmulsd => self.numbers(i, true, |_, a, b| a * b),
            M::Vmulpd => self.numbers(i, false, |_, a, b| a * b),
            M::Vdivsd => self.numbers(i, true, |_, a, b| a / b),
            M::Vdivpd => self.numbers(i, false, |_, a, b| a / b),
            M::Vmaxsd => self.numbers(i, true, |_, a, b| if a > b { a } else { b }),
            M::Vmaxpd => self.numbers(i, false, |_, a, b| if a > b { a } else { b }),
            M::Vminsd => self.numbers(i, true, |_, a, b| if a < b { a } else { b }),
            M::Vminpd => self.numbers(i, false, |_, a, b| if a < b { a } else { b }),
            M::Vsqrtsd => self.numbers(i, true, |_, _, b| b.sqrt()),
            M::Vsqrtpd => self.numbers(i, false, |_, a, _| a.sqrt()),
            M::Vfmadd132sd => self.fused(i, true, |a, b, c| a.mul_add(c, b)),
            M::Vfmadd132pd => self.fused(i, false, |a, b, c| a.mul_add(c, b)),
            M::Vfmadd213sd => self.fused(i, true, |a, b, c| b.mul_add(a, c)),
            M::Vfmadd213pd => self.fused(i, false, |a, b, c| b.mul_add(a, c)),
            M::Vfmadd231sd => self.fused(i, true, |a, b, c| b.mul_add(c, a)),
            M::Vfmadd231pd => self.fused(i, false, |a, b, c| b.mul_add(c, a)),
            M::Vfmsub132sd => self.fused(i, true, |a, b, c| a.mul_add(c, -b)),
            M::Vfmsub132pd => self.fused(i, false, |a, b, c| a.mul_add(c, -b)),
            M::Vfmsub213sd => self.fused(i, true, |a, b, c| b.mul_add(a, -c)),
            M::Vfmsub213pd => self.fused(i, false, |a, b, c| b.mul_add(a, -c)),
            M::Vfmsub231sd => self.fused(i, true, |a, b, c| b.mul_add(c, -a)),
            M::Vfmsub231pd => self.fused(i, false, |a, b, c| b.mul_add(c, -a)),
            M::Vfnmadd132sd => self.fused(i, true, |a, b, c| (-a).mul_add(c, b)),
            M::Vfnmadd132pd => self.fused(i, false, |a, b, c| (-a).mul_add(c, b)),
            M::Vfnmadd213sd => self.fused(i, true, |a, b, c| (-b).mul_add(a, c)),
            M::Vfnmadd213pd => self.fused(i, false, |a, b, c| (-b).mul_add(a, c)),
            M::Vfnmadd231sd => self.fused(i, true, |a, b, c| (-b).mul_add(c, a)),
            M::Vfnmadd231pd => self.fused(i, false, |a, b, c| (-b).mul_add(c, a)),
            other => panic!("{other:?}: {i}"),
        }
        next
    }

    /// As `numbers`, but the rest of a scalar result is that of the first operand.
    fn fused(&mut self, i: &Instruction, scalar: bool, f: impl Fn(f64, f64, f64) -> f64) {
        let first = self.lanes(i, 0);
        self.numbers(i, scalar, f);
        if scalar {
            self.vector[i.op0_register().number()][1] = first[1];
        }
    }
}
