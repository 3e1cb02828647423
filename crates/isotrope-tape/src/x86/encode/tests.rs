//! Every encoding, decoded by an independent disassembler.

use super::*;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

/// What the disassembler must find as an operand.
#[derive(Debug, Clone, Copy)]
enum Expected {
    Register(Register),
    /// Base register and displacement, bytes read, one element for all lanes.
    Memory(Address, bool),
    Immediate(u8),
}

const GENERALS: [(General, Register); 16] = [
    (General::Rax, Register::RAX),
    (General::Rcx, Register::RCX),
    (General::Rdx, Register::RDX),
    (General::Rbx, Register::RBX),
    (General::Rsp, Register::RSP),
    (General::Rbp, Register::RBP),
    (General::Rsi, Register::RSI),
    (General::Rdi, Register::RDI),
    (General::R8, Register::R8),
    (General::R9, Register::R9),
    (General::R10, Register::R10),
    (General::R11, Register::R11),
    (General::R12, Register::R12),
    (General::R13, Register::R13),
    (General::R14, Register::R14),
    (General::R15, Register::R15),
];

const DISPLACEMENTS: [i32; 16] = [
    0,
    8,
    -8,
    120,
    -128,
    128,
    136,
    1016,
    1024,
    -1024,
    8128,
    8192,
    7,
    -1_000_001,
    i32::MAX,
    i32::MIN,
];

const ENTRY: u32 = 3;

fn big(general: General) -> Register {
    GENERALS.iter().find(|pair| pair.0 == general).expect("all are listed").1
}

fn small(general: General) -> Register {
    big(general).full_register32()
}

fn vector(width: Width, register: Vector) -> Register {
    let first = match width {
        Width::One => Register::XMM0,
        Width::Four => Register::YMM0,
        Width::Eight => Register::ZMM0,
    };
    first + u32::from(register.0)
}

fn mask(mask: Mask) -> Register {
    Register::K0 + u32::from(mask.0)
}

/// Decodes what `emit` writes: exactly one instruction, with these operands.
fn check(
    evex: bool,
    emit: impl Fn(&mut Assembler),
    mnemonic: Mnemonic,
    expected: &[Expected],
) -> Instruction {
    let mut assembler = Assembler::new(evex);
    emit(&mut assembler);
    let length = assembler.bytes.len();
    let bytes = assembler.finish(&[0; 8], 1).expect("everything is in place");
    let mut decoder = Decoder::with_ip(64, &bytes, 0, DecoderOptions::NONE);
    let instruction = decoder.decode();
    let text =
        format!("{instruction}: {:02x?}, expected {mnemonic:?} {expected:?}", &bytes[..length]);
    assert_eq!(instruction.len(), length, "{text}");
    assert_eq!(instruction.mnemonic(), mnemonic, "{text}");
    assert_eq!(instruction.op_count() as usize, expected.len(), "{text}");
    for (at, operand) in expected.iter().enumerate() {
        let at = at as u32;
        match *operand {
            Expected::Register(register) => {
                assert_eq!(instruction.op_kind(at), OpKind::Register, "{text}");
                assert_eq!(instruction.op_register(at), register, "{text}");
            }
            Expected::Memory(address, broadcast) => {
                assert_eq!(instruction.op_kind(at), OpKind::Memory, "{text}");
                assert_eq!(instruction.is_broadcast(), broadcast, "{text}");
                assert_eq!(instruction.memory_index(), Register::None, "{text}");
                match address {
                    Address::Base(base, displacement) => {
                        assert_eq!(instruction.memory_base(), big(base), "{text}");
                        let found = instruction.memory_displacement64();
                        assert_eq!(found, i64::from(displacement) as u64, "{text}");
                    }
                    Address::Constant(entry) => {
                        assert!(instruction.is_ip_rel_memory_operand(), "{text}");
                        let place = 64 + 8 * u64::from(entry);
                        assert_eq!(instruction.ip_rel_memory_address(), place, "{text}");
                    }
                }
            }
            Expected::Immediate(value) => {
                assert_eq!(instruction.op_kind(at), OpKind::Immediate8, "{text}");
                assert_eq!(instruction.immediate8(), value, "{text}");
            }
        }
    }
    instruction
}

/// The sets of instructions and widths that exist.
fn widths() -> [(bool, Width, u8); 5] {
    [
        (false, Width::One, 16),
        (false, Width::Four, 16),
        (true, Width::One, 32),
        (true, Width::Four, 32),
        (true, Width::Eight, 32),
    ]
}

/// All addresses worth a test.
fn addresses() -> impl Iterator<Item = Address> {
    let bases = GENERALS
        .iter()
        .flat_map(|&(base, _)| DISPLACEMENTS.iter().map(move |&d| Address::Base(base, d)));
    bases.chain([Address::Constant(ENTRY)])
}

/// Triples of registers in which each register is at each place beside low and high ones.
fn triples(count: u8) -> impl Iterator<Item = [Vector; 3]> {
    (0..count).flat_map(move |r| {
        [0, 7, count - 8, count - 1].into_iter().flat_map(move |s| {
            [
                [Vector(r), Vector(s), Vector(count - 1 - s)],
                [Vector(s), Vector(r), Vector(count - 1 - s)],
                [Vector(s), Vector(count - 1 - s), Vector(r)],
            ]
        })
    })
}

/// Instructions of three operands, the last of which may be in memory.
fn check_three(
    mnemonic: impl Fn(Width) -> Mnemonic,
    broadcast_scalar: bool,
    immediate: Option<u8>,
    emit: impl Fn(&mut Assembler, Width, Vector, Vector, Operand),
) {
    for (evex, width, count) in widths() {
        let expected = |operands: [Expected; 3]| {
            operands.into_iter().chain(immediate.map(Expected::Immediate)).collect::<Vec<_>>()
        };
        let name = |register| Expected::Register(vector(width, register));
        for [to, a, b] in triples(count) {
            let want = expected([name(to), name(a), name(b)]);
            let emit = |s: &mut Assembler| emit(s, width, to, a, Operand::Register(b));
            check(evex, emit, mnemonic(width), &want);
        }
        for address in addresses() {
            for [to, a, _] in
                [[Vector(1), Vector(2), Vector(0)], [Vector(count - 1), Vector(9), Vector(0)]]
            {
                let want = expected([name(to), name(a), Expected::Memory(address, false)]);
                let plain = |s: &mut Assembler| emit(s, width, to, a, Operand::Memory(address));
                check(evex, plain, mnemonic(width), &want);
                if evex && (width != Width::One || broadcast_scalar) {
                    let want = expected([name(to), name(a), Expected::Memory(address, true)]);
                    let all =
                        |s: &mut Assembler| emit(s, width, to, a, Operand::Broadcast(address));
                    check(evex, all, mnemonic(width), &want);
                }
            }
        }
    }
}

#[test]
fn arithmetic_decodes_as_meant() {
    for (operation, one, many) in [
        (Arithmetic::Add, Mnemonic::Vaddsd, Mnemonic::Vaddpd),
        (Arithmetic::Subtract, Mnemonic::Vsubsd, Mnemonic::Vsubpd),
        (Arithmetic::Multiply, Mnemonic::Vmulsd, Mnemonic::Vmulpd),
        (Arithmetic::Divide, Mnemonic::Vdivsd, Mnemonic::Vdivpd),
        (Arithmetic::Minimum, Mnemonic::Vminsd, Mnemonic::Vminpd),
        (Arithmetic::Maximum, Mnemonic::Vmaxsd, Mnemonic::Vmaxpd),
    ] {
        let mnemonic = |width| if width == Width::One { one } else { many };
        check_three(mnemonic, false, None, |s, width, to, a, b| {
            s.arithmetic(operation, width, to, a, b);
        });
    }
}

#[test]
fn fused_instructions_decode_as_meant() {
    use Mnemonic as M;
    let table = [
        (Fused::MultiplyAdd, FusedOrder::D132, M::Vfmadd132sd, M::Vfmadd132pd),
        (Fused::MultiplyAdd, FusedOrder::D213, M::Vfmadd213sd, M::Vfmadd213pd),
        (Fused::MultiplyAdd, FusedOrder::D231, M::Vfmadd231sd, M::Vfmadd231pd),
        (Fused::MultiplySubtract, FusedOrder::D132, M::Vfmsub132sd, M::Vfmsub132pd),
        (Fused::MultiplySubtract, FusedOrder::D213, M::Vfmsub213sd, M::Vfmsub213pd),
        (Fused::MultiplySubtract, FusedOrder::D231, M::Vfmsub231sd, M::Vfmsub231pd),
        (Fused::NegativeMultiplyAdd, FusedOrder::D132, M::Vfnmadd132sd, M::Vfnmadd132pd),
        (Fused::NegativeMultiplyAdd, FusedOrder::D213, M::Vfnmadd213sd, M::Vfnmadd213pd),
        (Fused::NegativeMultiplyAdd, FusedOrder::D231, M::Vfnmadd231sd, M::Vfnmadd231pd),
    ];
    for (operation, order, one, many) in table {
        let mnemonic = |width| if width == Width::One { one } else { many };
        check_three(mnemonic, false, None, |s, width, to, a, b| {
            s.fused(operation, order, width, to, a, b);
        });
    }
}

#[test]
fn bit_operations_decode_as_meant() {
    for (operation, mnemonic) in [
        (Bitwise::And, Mnemonic::Vandpd),
        (Bitwise::Or, Mnemonic::Vorpd),
        (Bitwise::Xor, Mnemonic::Vxorpd),
        (Bitwise::AddInteger, Mnemonic::Vpaddq),
    ] {
        check_three(
            |_| mnemonic,
            true,
            None,
            |s, width, to, a, b| {
                s.bitwise(operation, width, to, a, b);
            },
        );
    }
    for (evex, width, count) in widths() {
        for [to, from, _] in triples(count) {
            for by in [0, 1, 52, 63] {
                let want = [
                    Expected::Register(vector(width, to)),
                    Expected::Register(vector(width, from)),
                    Expected::Immediate(by),
                ];
                let left = |s: &mut Assembler| s.shift_left(width, to, from, by);
                check(evex, left, Mnemonic::Vpsllq, &want);
                let right = |s: &mut Assembler| s.shift_right(width, to, from, by);
                check(evex, right, Mnemonic::Vpsrlq, &want);
            }
        }
    }
}

const COMPARISONS: [Comparison; 4] =
    [Comparison::Unordered, Comparison::Less, Comparison::LessEqual, Comparison::NotLessEqual];

#[test]
fn comparisons_and_blends_decode_as_meant() {
    let compare = |width| if width == Width::One { Mnemonic::Vcmpsd } else { Mnemonic::Vcmppd };
    for (evex, width, count) in widths() {
        let name = |register| Expected::Register(vector(width, register));
        for [x, y, z] in triples(count) {
            for comparison in COMPARISONS {
                let number = Expected::Immediate(comparison as u8);
                let (to, b) = (Mask(1 + x.0 % 7), Operand::Register(z));
                if evex {
                    let want = [Expected::Register(mask(to)), name(y), name(z), number];
                    let emit = |s: &mut Assembler| s.compare_mask(comparison, width, to, y, b);
                    check(evex, emit, compare(width), &want);
                } else {
                    let want = [name(x), name(y), name(z), number];
                    let emit = |s: &mut Assembler| s.compare_vector(comparison, width, x, y, b);
                    check(evex, emit, compare(width), &want);
                }
            }
            let k = Mask(1 + z.0 % 7);
            if evex {
                let emit = |s: &mut Assembler| s.blend_mask(width, x, k, Operand::Register(y), z);
                let found = check(evex, emit, Mnemonic::Vblendmpd, &[name(x), name(z), name(y)]);
                assert_eq!(found.op_mask(), mask(k));
                assert!(!found.zeroing_masking());
                let want = [Expected::Register(mask(k)), name(x)];
                check(evex, |s| s.vector_to_mask(width, k, x), Mnemonic::Vpmovq2m, &want);
                let want = [name(x), Expected::Register(mask(k))];
                check(evex, |s| s.mask_to_vector(width, x, k), Mnemonic::Vpmovm2q, &want);
            } else {
                for fourth in 0..16 {
                    let want = [name(x), name(z), name(y), name(Vector(fourth))];
                    let emit = |s: &mut Assembler| {
                        s.blend_vector(width, x, Vector(fourth), Operand::Register(y), z);
                    };
                    check(evex, emit, Mnemonic::Vblendvpd, &want);
                }
            }
        }
        for address in addresses() {
            let (to, a, k) = (Vector(count - 1), Vector(count - 9), Mask(5));
            let memory = Expected::Memory(address, false);
            let number = Expected::Immediate(Comparison::Less as u8);
            if evex {
                let want = [Expected::Register(mask(k)), name(a), memory, number];
                let emit = |s: &mut Assembler| {
                    s.compare_mask(Comparison::Less, width, k, a, Operand::Memory(address));
                };
                check(evex, emit, compare(width), &want);
                let all = Operand::Broadcast(address);
                if width != Width::One {
                    let want = [want[0], want[1], Expected::Memory(address, true), number];
                    let emit =
                        |s: &mut Assembler| s.compare_mask(Comparison::Less, width, k, a, all);
                    check(evex, emit, compare(width), &want);
                }
                let want = [name(to), name(a), Expected::Memory(address, true)];
                check(evex, |s| s.blend_mask(width, to, k, all, a), Mnemonic::Vblendmpd, &want);
            } else {
                let want = [name(to), name(a), memory, number];
                let emit = |s: &mut Assembler| {
                    s.compare_vector(Comparison::Less, width, to, a, Operand::Memory(address));
                };
                check(evex, emit, compare(width), &want);
                let want = [name(to), name(a), memory, name(Vector(11))];
                let emit = |s: &mut Assembler| {
                    s.blend_vector(width, to, Vector(11), Operand::Memory(address), a);
                };
                check(evex, emit, Mnemonic::Vblendvpd, &want);
            }
        }
    }
}

#[test]
fn moves_and_roots_decode_as_meant() {
    for (evex, width, count) in widths() {
        let name = |register| Expected::Register(vector(width, register));
        let one = width == Width::One;
        let moves = if one { Mnemonic::Vmovsd } else { Mnemonic::Vmovupd };
        for [x, y, _] in triples(count) {
            check(evex, |s| s.copy_vector(width, x, y), Mnemonic::Vmovapd, &[name(x), name(y)]);
            let (root, want) = if one {
                (Mnemonic::Vsqrtsd, vec![name(x), name(y), name(y)])
            } else {
                (Mnemonic::Vsqrtpd, vec![name(x), name(y)])
            };
            check(evex, |s| s.square_root(width, x, y), root, &want);
            if one {
                let want = [name(x), name(y)];
                let emit = |s: &mut Assembler| s.compare_flags(x, Operand::Register(y));
                check(evex, emit, Mnemonic::Vucomisd, &want);
            }
        }
        for address in addresses() {
            for register in (0..count).map(Vector) {
                let memory = Expected::Memory(address, false);
                let load =
                    |s: &mut Assembler| s.load_vector(width, register, Operand::Memory(address));
                let found = check(evex, load, moves, &[name(register), memory]);
                let bytes = match width {
                    Width::One => 8,
                    Width::Four => 32,
                    Width::Eight => 64,
                };
                assert_eq!(found.memory_size().size(), bytes);
                let store = |s: &mut Assembler| s.store_vector(width, address, register);
                check(evex, store, moves, &[memory, name(register)]);
                let all =
                    |s: &mut Assembler| s.load_vector(width, register, Operand::Broadcast(address));
                let mnemonic = if one { Mnemonic::Vmovsd } else { Mnemonic::Vbroadcastsd };
                let found = check(evex, all, mnemonic, &[name(register), memory]);
                assert_eq!(found.memory_size().size(), 8);
                if one {
                    let flags =
                        |s: &mut Assembler| s.compare_flags(register, Operand::Memory(address));
                    check(evex, flags, Mnemonic::Vucomisd, &[name(register), memory]);
                }
            }
        }
    }
}

#[test]
fn exchanges_between_kinds_of_registers_decode_as_meant() {
    for (general, register) in GENERALS {
        for v in 0..32 {
            let want =
                [Expected::Register(register), Expected::Register(vector(Width::One, Vector(v)))];
            check(v >= 16, |s| s.bits_to_general(general, Vector(v)), Mnemonic::Vmovq, &want);
        }
        for v in 0..16 {
            let want = [
                Expected::Register(small(general)),
                Expected::Register(vector(Width::Four, Vector(v))),
            ];
            check(false, |s| s.signs_to_general(general, Vector(v)), Mnemonic::Vmovmskpd, &want);
        }
        for k in (1..8).map(Mask) {
            let want = [Expected::Register(small(general)), Expected::Register(mask(k))];
            check(true, |s| s.mask_to_general(general, k), Mnemonic::Kmovb, &want);
        }
    }
    for a in (1..8).map(Mask) {
        for b in (1..8).map(Mask) {
            let want = [Expected::Register(mask(a)), Expected::Register(mask(b))];
            check(true, |s| s.masks_are_zero(a, b), Mnemonic::Kortestb, &want);
        }
    }
    check(false, Assembler::zero_upper, Mnemonic::Vzeroupper, &[]);
}

#[test]
fn integer_instructions_decode_as_meant() {
    use Expected::Register as R;
    for (a, ra) in GENERALS {
        check(false, |s| s.push(a), Mnemonic::Push, &[R(ra)]);
        check(false, |s| s.pop(a), Mnemonic::Pop, &[R(ra)]);
        check(false, |s| s.decrement(a), Mnemonic::Dec, &[R(ra)]);
        check(false, |s| s.test(a), Mnemonic::Test, &[R(ra), R(ra)]);
        check(false, |s| s.call(a), Mnemonic::Call, &[R(ra)]);
        let want = [R(ra), Expected::Immediate(5)];
        check(false, |s| s.bit_test(a, 5), Mnemonic::Bt, &want);
        for value in [-1, -64, 64, i32::MAX, i32::MIN] {
            for (emit, mnemonic) in [
                (Assembler::add_immediate as fn(&mut Assembler, General, i32), Mnemonic::Add),
                (Assembler::and_immediate, Mnemonic::And),
            ] {
                let found = decode(|s| emit(s, a, value));
                assert_eq!((found.mnemonic(), found.op0_register()), (mnemonic, ra));
                assert_eq!(found.immediate32to64(), i64::from(value));
            }
        }
        let found = decode(|s| s.set(a, 0x8765_4321));
        assert_eq!((found.mnemonic(), found.op0_register()), (Mnemonic::Mov, small(a)));
        assert_eq!(found.immediate32(), 0x8765_4321);
        let found = decode(|s| s.set_wide(a, 0x0123_4567_89AB_CDEF));
        assert_eq!((found.mnemonic(), found.op0_register()), (Mnemonic::Mov, ra));
        assert_eq!(found.immediate64(), 0x0123_4567_89AB_CDEF);
        for (b, rb) in GENERALS {
            check(false, |s| s.copy(a, b), Mnemonic::Mov, &[R(ra), R(rb)]);
            check(false, |s| s.add(a, b), Mnemonic::Add, &[R(ra), R(rb)]);
            check(false, |s| s.subtract(a, b), Mnemonic::Sub, &[R(ra), R(rb)]);
            check(false, |s| s.or(a, b), Mnemonic::Or, &[R(ra), R(rb)]);
        }
        for address in addresses() {
            let memory = Expected::Memory(address, false);
            check(false, |s| s.load(a, address), Mnemonic::Mov, &[R(ra), memory]);
            check(false, |s| s.store(address, a), Mnemonic::Mov, &[memory, R(ra)]);
            check(false, |s| s.address(a, address), Mnemonic::Lea, &[R(ra), memory]);
            check(false, |s| s.compare_memory(a, address), Mnemonic::Cmp, &[R(ra), memory]);
        }
    }
    check(false, Assembler::ret, Mnemonic::Ret, &[]);
}

fn decode(emit: impl Fn(&mut Assembler)) -> Instruction {
    let mut assembler = Assembler::new(false);
    emit(&mut assembler);
    let length = assembler.bytes.len();
    let bytes = assembler.finish(&[], 1).expect("no jumps");
    let instruction = Decoder::with_ip(64, &bytes, 0, DecoderOptions::NONE).decode();
    assert_eq!(instruction.len(), length);
    instruction
}

#[test]
fn jumps_reach_their_labels_forwards_and_backwards() {
    use iced_x86::ConditionCode as C;
    for (condition, code) in [
        (Condition::AboveOrEqual, C::ae),
        (Condition::Zero, C::e),
        (Condition::NotZero, C::ne),
        (Condition::Above, C::a),
        (Condition::Unordered, C::p),
    ] {
        for distance in [0, 1, 100, 100_000] {
            let mut assembler = Assembler::new(false);
            let (back, ahead) = (assembler.label(), assembler.label());
            assembler.place(back);
            assembler.jump_if(condition, ahead);
            assembler.align(1 + distance);
            assembler.jump(back);
            let end = assembler.bytes.len() as u64;
            assembler.place(ahead);
            assembler.ret();
            let bytes = assembler.finish(&[], 1).expect("both are placed");
            let mut decoder = Decoder::with_ip(64, &bytes, 0, DecoderOptions::NONE);
            let first = decoder.decode();
            assert_eq!((first.condition_code(), first.near_branch64()), (code, end));
            let mut last = first;
            while last.next_ip() < end {
                last = decoder.decode();
                assert!(matches!(last.mnemonic(), Mnemonic::Nop | Mnemonic::Jmp), "{last}");
            }
            assert_eq!((last.mnemonic(), last.near_branch64()), (Mnemonic::Jmp, 0));
        }
    }
}

#[test]
fn a_jump_without_target_and_a_missing_constant_are_refused() {
    let mut assembler = Assembler::new(false);
    let nowhere = assembler.label();
    assembler.jump(nowhere);
    assert_eq!(assembler.finish(&[], 1), None);
    let mut assembler = Assembler::new(false);
    assembler.load_vector(Width::One, Vector(0), Operand::Memory(Address::Constant(1)));
    assert_eq!(assembler.finish(&[7], 1), None);
}
