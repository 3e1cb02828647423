//! What code is made for.

use super::compile::CompileError;
use super::encode::Width;

/// A set of instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionSet {
    /// AVX2 and FMA: 16 registers of four doubles.
    Avx2,
    /// AVX-512 (F, DQ, VL): 32 registers of eight doubles.
    Avx512,
}

impl InstructionSet {
    /// Does this machine have the instructions?
    #[must_use]
    pub fn is_available(self) -> bool {
        let base = std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
        match self {
            Self::Avx2 => base,
            Self::Avx512 => {
                base && std::is_x86_feature_detected!("avx512f")
                    && std::is_x86_feature_detected!("avx512dq")
                    && std::is_x86_feature_detected!("avx512vl")
            }
        }
    }

    /// The best one of this machine.
    #[must_use]
    pub fn detect() -> Option<Self> {
        [Self::Avx512, Self::Avx2].into_iter().find(|set| set.is_available())
    }
}

/// What code is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The instructions to use.
    pub set: InstructionSet,
    /// How many independent copies of the program run side by side: 1; 4 or 8 with AVX2; 8 or 16
    /// with AVX-512. The larger numbers take two vectors for each value, so that one is computed
    /// while the other waits.
    pub lanes: u32,
}

impl Target {
    /// All targets of an instruction set.
    #[must_use]
    pub fn all(set: InstructionSet) -> [Self; 3] {
        let lanes = match set {
            InstructionSet::Avx2 => [1, 4, 8],
            InstructionSet::Avx512 => [1, 8, 16],
        };
        lanes.map(|lanes| Self { set, lanes })
    }

    /// One lane, with the best instructions of this machine.
    #[must_use]
    pub fn scalar() -> Option<Self> {
        InstructionSet::detect().map(|set| Self { set, lanes: 1 })
    }

    /// As many lanes as give the most steps, with the best instructions of this machine.
    #[must_use]
    pub fn packed() -> Option<Self> {
        InstructionSet::detect().map(|set| Self::all(set)[2])
    }

    /// Width of vectors and vectors for each value.
    pub(super) fn shape(self) -> Result<(Width, u32), CompileError> {
        match (self.set, self.lanes) {
            (_, 1) => Ok((Width::One, 1)),
            (InstructionSet::Avx2, 4) => Ok((Width::Four, 1)),
            (InstructionSet::Avx2, 8) => Ok((Width::Four, 2)),
            (InstructionSet::Avx512, 8) => Ok((Width::Eight, 1)),
            (InstructionSet::Avx512, 16) => Ok((Width::Eight, 2)),
            (_, lanes) => Err(CompileError::Lanes { lanes }),
        }
    }
}
