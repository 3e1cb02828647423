//! What is known of the tables before anything is solved: zeros, equal tables, prescribed entries.

use std::fmt;
use std::str::FromStr;

/// A restriction on the tables of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pattern {
    /// No restriction.
    Full,
    /// a_ij = 0 for j > i, in all matrices.
    Lower,
    /// a_ij = 0 for j >= i, in all matrices.
    Strict,
    /// Every stage is computed from those before it; a_ij = 0 for j > i, and for j = i unless
    /// a_ii costs nothing, as that of positions: q' = v.
    Explicit,
    /// The weights of all groups are equal.
    EqualWeights,
    /// One table for all groups.
    EqualTables,
    /// The method is its own adjoint: a_(s+1-i)(s+1-j) + a_ij = b_j = b_(s+1-j), in all groups.
    Symmetric,
    /// The last stage is the end of the step: a_sj = b_j, in all groups.
    StifflyAccurate,
}

impl Pattern {
    /// Every pattern.
    pub const ALL: [Self; 8] = [
        Self::Full,
        Self::Lower,
        Self::Strict,
        Self::Explicit,
        Self::EqualWeights,
        Self::EqualTables,
        Self::Symmetric,
        Self::StifflyAccurate,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Lower => "lower",
            Self::Strict => "strict",
            Self::Explicit => "explicit",
            Self::EqualWeights => "equal-weights",
            Self::EqualTables => "equal-tables",
            Self::Symmetric => "symmetric",
            Self::StifflyAccurate => "stiffly-accurate",
        }
    }

    /// The definition in one line.
    pub fn description(self) -> &'static str {
        match self {
            Self::Full => "no restriction",
            Self::Lower => "lower triangular matrices, diagonal included",
            Self::Strict => "strictly lower triangular matrices",
            Self::Explicit => "explicit stages",
            Self::EqualWeights => "the weights of all groups are equal",
            Self::EqualTables => "one table for all groups",
            Self::Symmetric => "the method is its own adjoint",
            Self::StifflyAccurate => "the last stage is the end of the step",
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// There is no pattern of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no pattern `{name}`")]
pub struct UnknownPattern {
    /// What was asked for.
    pub name: String,
}

impl FromStr for Pattern {
    type Err = UnknownPattern;

    fn from_str(name: &str) -> Result<Self, UnknownPattern> {
        let known = Self::ALL.into_iter().find(|pattern| pattern.name() == name);
        known.ok_or_else(|| UnknownPattern { name: name.to_owned() })
    }
}
