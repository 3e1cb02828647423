//! Instructions as bytes: only the forms that the compiler uses, each tested against a
//! disassembler.

mod general;
mod prefix;
mod vector;

#[cfg(test)]
mod tests;

pub(super) use general::{Condition, General};
pub(super) use vector::{Arithmetic, Bitwise, Comparison, Fused, FusedOrder, Mask, Vector, Width};

/// A place in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Address {
    /// A register and a displacement.
    Base(General, i32),
    /// An entry of the table of constants behind the code, relative to the instruction pointer.
    Constant(u32),
}

/// The last operand of a vector instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    /// A register.
    Register(Vector),
    /// As many numbers in memory as the instruction computes with.
    Memory(Address),
    /// One number in memory for all lanes; only with the encodings of AVX-512.
    Broadcast(Address),
}

/// A place in the code that jumps refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Label(usize);

/// A four-byte displacement to be filled in: where it is, and where its instruction ends.
#[derive(Debug, Clone, Copy)]
struct Gap {
    at: usize,
    end: usize,
}

/// Code under construction.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    bytes: Vec<u8>,
    labels: Vec<Option<usize>>,
    jumps: Vec<(Gap, Label)>,
    constants: Vec<(Gap, u32)>,
    /// May encodings of AVX-512 be used where they are shorter?
    evex: bool,
}

/// The table of constants begins on a cache line of its own.
const TABLE_ALIGNMENT: usize = 64;

impl Assembler {
    /// An assembler that uses encodings of AVX-512 if `evex`.
    pub(super) fn new(evex: bool) -> Self {
        Self { evex, ..Self::default() }
    }

    /// A label that is placed later, with [`Assembler::place`].
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Puts the label here.
    pub(super) fn place(&mut self, label: Label) {
        self.labels[label.0] = Some(self.bytes.len());
    }

    /// Fills up with the recommended multi-byte no-operations, so that a loop begins on a line of
    /// the decoder.
    pub(super) fn align(&mut self, to: usize) {
        const NOPS: [&[u8]; 9] = [
            &[0x90],
            &[0x66, 0x90],
            &[0x0F, 0x1F, 0x00],
            &[0x0F, 0x1F, 0x40, 0x00],
            &[0x0F, 0x1F, 0x44, 0x00, 0x00],
            &[0x66, 0x0F, 0x1F, 0x44, 0x00, 0x00],
            &[0x0F, 0x1F, 0x80, 0x00, 0x00, 0x00, 0x00],
            &[0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
            &[0x66, 0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
        ];
        let mut missing = self.bytes.len().next_multiple_of(to) - self.bytes.len();
        while missing > 0 {
            let length = missing.min(NOPS.len());
            self.bytes.extend_from_slice(NOPS[length - 1]);
            missing -= length;
        }
    }

    /// Leaves room for the displacement to a label; the instruction ends behind it.
    fn jump_gap(&mut self, label: Label) {
        let at = self.bytes.len();
        self.bytes.extend_from_slice(&[0; 4]);
        self.jumps.push((Gap { at, end: at + 4 }, label));
    }

    /// The code with its table: entry `k` of the table is `constants[k]`, `copies` times.
    /// `None` if a jump has no target, an entry is missing or the code is longer than a
    /// displacement can say.
    pub(super) fn finish(mut self, constants: &[u64], copies: usize) -> Option<Vec<u8>> {
        let table = self.bytes.len().next_multiple_of(TABLE_ALIGNMENT);
        for (gap, label) in std::mem::take(&mut self.jumps) {
            let target = *self.labels.get(label.0)?;
            self.fill(gap, target?)?;
        }
        for (gap, index) in std::mem::take(&mut self.constants) {
            if index as usize >= constants.len() {
                return None;
            }
            self.fill(gap, table + index as usize * copies * 8)?;
        }
        // Nothing is executed after the code; int3 shows that to a disassembler.
        self.bytes.resize(table, 0xCC);
        for constant in constants {
            for _ in 0..copies {
                self.bytes.extend_from_slice(&constant.to_le_bytes());
            }
        }
        // A 16-byte operand may begin at the last entry.
        self.bytes.extend_from_slice(&[0; 8]);
        Some(self.bytes)
    }

    fn fill(&mut self, gap: Gap, target: usize) -> Option<()> {
        let distance = i64::try_from(target).ok()? - i64::try_from(gap.end).ok()?;
        let distance = i32::try_from(distance).ok()?;
        self.bytes[gap.at..gap.at + 4].copy_from_slice(&distance.to_le_bytes());
        Some(())
    }
}
