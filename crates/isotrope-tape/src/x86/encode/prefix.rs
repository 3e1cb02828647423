//! Prefixes VEX and EVEX, the byte ModRM and displacements.
//!
//! Names of bits are those of the manuals (Intel SDM volume 2, chapter 2.3 and 2.7): `R`, `X`, `B`
//! extend register numbers and are stored inverted, as is `vvvv`, the second operand.

use super::{Address, Assembler, Gap, General, Operand};

/// How long the vectors are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// One number (the length bits are ignored).
    Scalar,
    /// 128 bits.
    Xmm,
    /// 256 bits.
    Ymm,
    /// 512 bits.
    Zmm,
}

impl Length {
    fn bits(self) -> u8 {
        match self {
            Self::Scalar | Self::Xmm => 0,
            Self::Ymm => 1,
            Self::Zmm => 2,
        }
    }

    /// Bytes of an operand in memory.
    fn bytes(self) -> i32 {
        match self {
            Self::Scalar => 8,
            Self::Xmm => 16,
            Self::Ymm => 32,
            Self::Zmm => 64,
        }
    }
}

/// Which instruction: opcode map, mandatory prefix, opcode.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// 1: `0F`, 2: `0F 38`, 3: `0F 3A`.
    pub(super) map: u8,
    /// 0: none, 1: `66`, 2: `F3`, 3: `F2`.
    pub(super) prefix: u8,
    /// The opcode.
    pub(super) opcode: u8,
    /// The bit W with the prefix VEX. (With EVEX it is 1 for everything on 64-bit elements.)
    pub(super) wide: bool,
    /// There is no such instruction with VEX.
    pub(super) evex_only: bool,
    /// An operand in memory is one element, however long the vectors are.
    pub(super) element: bool,
}

impl Form {
    pub(super) const fn new(map: u8, prefix: u8, opcode: u8) -> Self {
        Self { map, prefix, opcode, wide: false, evex_only: false, element: false }
    }

    pub(super) const fn wide(self) -> Self {
        Self { wide: true, ..self }
    }

    pub(super) const fn evex_only(self) -> Self {
        Self { evex_only: true, ..self }
    }

    pub(super) const fn element(self) -> Self {
        Self { element: true, ..self }
    }
}

/// Register numbers of an instruction, and what else it carries.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    /// The field `reg` of ModRM.
    pub(super) reg: u8,
    /// The field `vvvv`; 0 if the instruction has none.
    pub(super) second: u8,
    /// The mask register; 0 is none.
    pub(super) mask: u8,
    /// A byte behind the instruction.
    pub(super) immediate: Option<u8>,
}

impl Assembler {
    /// Writes one instruction, with VEX if that can say it.
    pub(super) fn instruction(
        &mut self,
        form: Form,
        length: Length,
        fields: Fields,
        operand: Operand,
    ) {
        let high = match operand {
            Operand::Register(register) => register.0 >= 16,
            Operand::Memory(_) => false,
            Operand::Broadcast(_) => true,
        };
        let needed = form.evex_only
            || fields.reg >= 16
            || fields.second >= 16
            || high
            || fields.mask != 0
            || length == Length::Zmm;
        let one = form.element || matches!(operand, Operand::Broadcast(_));
        let scale = if one { 8 } else { length.bytes() };
        if needed || (self.evex && is_shorter_scaled(operand, scale)) {
            self.evex_prefix(form, length, fields, operand);
            self.bytes.push(form.opcode);
            self.operand(fields.reg, operand, scale, fields.immediate);
        } else {
            self.vex_prefix(form, length, fields, operand);
            self.bytes.push(form.opcode);
            self.operand(fields.reg, operand, 1, fields.immediate);
        }
    }

    fn vex_prefix(&mut self, form: Form, length: Length, fields: Fields, operand: Operand) {
        let (r, b) = (bit(fields.reg, 3), bit(operand.number(), 3));
        let tail = (!fields.second & 15) << 3 | length.bits() << 2 | form.prefix;
        if form.map == 1 && b == 0 && !form.wide {
            self.bytes.extend_from_slice(&[0xC5, (r ^ 1) << 7 | tail]);
        } else {
            // X extends an index register, which no operand has.
            let extensions = (r ^ 1) << 7 | 1 << 6 | (b ^ 1) << 5;
            let wide = u8::from(form.wide) << 7;
            self.bytes.extend_from_slice(&[0xC4, extensions | form.map, wide | tail]);
        }
    }

    fn evex_prefix(&mut self, form: Form, length: Length, fields: Fields, operand: Operand) {
        let (reg, second, last) = (fields.reg, fields.second, operand.number());
        // For a register the bit X is the fifth bit of its number.
        let extensions = (bit(reg, 3) ^ 1) << 7
            | (bit(last, 4) ^ 1) << 6
            | (bit(last, 3) ^ 1) << 5
            | (bit(reg, 4) ^ 1) << 4;
        let broadcast = u8::from(matches!(operand, Operand::Broadcast(_)));
        self.bytes.extend_from_slice(&[
            0x62,
            extensions | form.map,
            1 << 7 | (!second & 15) << 3 | 1 << 2 | form.prefix,
            length.bits() << 5 | broadcast << 4 | (bit(second, 4) ^ 1) << 3 | fields.mask,
        ]);
    }

    /// ModRM, displacement and the byte behind. A short displacement counts in units of `scale`.
    pub(super) fn operand(&mut self, reg: u8, operand: Operand, scale: i32, immediate: Option<u8>) {
        let reg = (reg & 7) << 3;
        match operand {
            Operand::Register(register) => self.bytes.push(0xC0 | reg | register.0 & 7),
            Operand::Memory(Address::Base(base, displacement))
            | Operand::Broadcast(Address::Base(base, displacement)) => {
                let base = base.number() & 7;
                let short = short_displacement(displacement, scale);
                self.bytes.push(if short.is_some() { 0x40 } else { 0x80 } | reg | base);
                // The number of rsp and r12 in ModRM says that a byte SIB follows.
                if base == General::Rsp.number() {
                    self.bytes.push(0x24);
                }
                match short {
                    Some(short) => self.bytes.push(short),
                    None => self.bytes.extend_from_slice(&displacement.to_le_bytes()),
                }
            }
            Operand::Memory(Address::Constant(index))
            | Operand::Broadcast(Address::Constant(index)) => {
                self.bytes.push(reg | 5);
                let at = self.bytes.len();
                self.bytes.extend_from_slice(&[0; 4]);
                let end = at + 4 + usize::from(immediate.is_some());
                self.constants.push((Gap { at, end }, index));
            }
        }
        self.bytes.extend(immediate);
    }
}

impl Operand {
    /// The number of its register, or of the base register of its address.
    fn number(self) -> u8 {
        match self {
            Self::Register(register) => register.0,
            Self::Memory(Address::Base(base, _)) | Self::Broadcast(Address::Base(base, _)) => {
                base.number()
            }
            Self::Memory(Address::Constant(_)) | Self::Broadcast(Address::Constant(_)) => 0,
        }
    }
}

/// Does only the scaled displacement of EVEX fit into a byte? Its prefix is up to two bytes longer
/// than that of VEX, its displacement three bytes shorter.
fn is_shorter_scaled(operand: Operand, scale: i32) -> bool {
    match operand {
        Operand::Memory(Address::Base(_, displacement)) => {
            short_displacement(displacement, 1).is_none()
                && short_displacement(displacement, scale).is_some()
        }
        _ => false,
    }
}

fn short_displacement(displacement: i32, scale: i32) -> Option<u8> {
    let exact = displacement % scale == 0;
    i8::try_from(displacement / scale).ok().filter(|_| exact).map(i8::cast_unsigned)
}

fn bit(number: u8, at: u8) -> u8 {
    number >> at & 1
}
