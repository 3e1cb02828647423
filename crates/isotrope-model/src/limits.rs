//! What a model file may cost: every limit in one place.

use isotrope_algebra::Budget;
use isotrope_algebra::syntax::{LowerLimits, ParseLimits};

/// Bytes of a file.
pub(crate) const FILE_BYTES: usize = 1 << 20;
/// Keys and array items of a file (the TOML tree costs hundreds of bytes for each).
pub(crate) const ENTRIES: usize = 50_000;
/// Coordinates after expansion.
pub(crate) const COORDINATES: usize = 100_000;
/// Definitions, constraints and other indexed things after expansion.
pub(crate) const INSTANCES: usize = 1_000_000;
/// Ranges under one defined name.
pub(crate) const RANGES: usize = 100;
/// Operations of all expansions together.
const OPERATIONS: u64 = 3_000_000;

pub(crate) fn parse_limits() -> ParseLimits {
    ParseLimits { depth: 2_000, nodes: 1_000_000, digits: 100_000 }
}

pub(crate) fn lower_limits() -> LowerLimits {
    LowerLimits { number_bits: 1 << 13, exponent: 10_000, allow_undefined: false }
}

pub(crate) fn budget() -> Budget {
    Budget::new(OPERATIONS)
}
