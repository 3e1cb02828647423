//! The functions of one argument.

/// A function of one argument. Square roots are powers; `atan2` is a node of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Function {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Inverse sine, in [-pi/2, pi/2].
    Asin,
    /// Inverse cosine, in [0, pi].
    Acos,
    /// Inverse tangent, in (-pi/2, pi/2).
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Exponential.
    Exp,
    /// Natural logarithm.
    Log,
    /// Absolute value.
    Abs,
    /// The unit step: 1 from zero on, 0 before.
    Heaviside,
}

impl Function {
    /// All functions.
    pub const ALL: [Self; 13] = [
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::Exp,
        Self::Log,
        Self::Abs,
        Self::Heaviside,
    ];

    /// The name used in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Abs => "abs",
            Self::Heaviside => "heaviside",
        }
    }

    /// The function with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// Does `f(-x) = -f(x)` hold?
    pub fn is_odd(self) -> bool {
        matches!(self, Self::Sin | Self::Tan | Self::Asin | Self::Atan | Self::Sinh | Self::Tanh)
    }

    /// Does `f(-x) = f(x)` hold?
    pub fn is_even(self) -> bool {
        matches!(self, Self::Cos | Self::Cosh | Self::Abs)
    }
}
