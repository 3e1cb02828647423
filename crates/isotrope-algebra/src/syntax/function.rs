//! The functions of the grammar and the names it reserves.

use crate::pool::Function;

/// A function that may be called in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Callee {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// `atan2(y, x)`, the angle of the point (x, y).
    Atan2,
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
    /// Square root.
    Sqrt,
    /// Absolute value.
    Abs,
    /// The unit step.
    Heaviside,
}

const CALLEES: [(&str, Callee); 15] = [
    ("sin", Callee::Sin),
    ("cos", Callee::Cos),
    ("tan", Callee::Tan),
    ("asin", Callee::Asin),
    ("acos", Callee::Acos),
    ("atan", Callee::Atan),
    ("atan2", Callee::Atan2),
    ("sinh", Callee::Sinh),
    ("cosh", Callee::Cosh),
    ("tanh", Callee::Tanh),
    ("exp", Callee::Exp),
    ("log", Callee::Log),
    ("sqrt", Callee::Sqrt),
    ("abs", Callee::Abs),
    ("heaviside", Callee::Heaviside),
];

/// Words with their own grammar.
const FORMS: [&str; 3] = ["sum", "dot", "solve"];

/// Words that are constants.
const CONSTANTS: [&str; 3] = ["pi", "π", "undefined"];

/// Other people's names for our functions.
const SYNONYMS: [(&str, &str); 12] = [
    ("ln", "log"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("sen", "sin"),
    ("tg", "tan"),
    ("sh", "sinh"),
    ("ch", "cosh"),
    ("th", "tanh"),
    ("root", "sqrt"),
    ("fabs", "abs"),
];

impl Callee {
    /// The function of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        CALLEES.iter().find(|(known, _)| *known == name).map(|(_, callee)| *callee)
    }

    /// Its name in the grammar.
    pub fn name(self) -> &'static str {
        CALLEES.iter().find(|(_, callee)| *callee == self).map_or("", |(name, _)| name)
    }

    /// The pool's function of one argument, if it is one.
    pub fn function(self) -> Option<Function> {
        Some(match self {
            Self::Sin => Function::Sin,
            Self::Cos => Function::Cos,
            Self::Tan => Function::Tan,
            Self::Asin => Function::Asin,
            Self::Acos => Function::Acos,
            Self::Atan => Function::Atan,
            Self::Sinh => Function::Sinh,
            Self::Cosh => Function::Cosh,
            Self::Tanh => Function::Tanh,
            Self::Exp => Function::Exp,
            Self::Log => Function::Log,
            Self::Abs => Function::Abs,
            Self::Heaviside => Function::Heaviside,
            Self::Atan2 | Self::Sqrt => return None,
        })
    }

    /// How many arguments it takes.
    pub fn arity(self) -> u32 {
        if self == Self::Atan2 { 2 } else { 1 }
    }
}

/// Names that mean something in every expression: functions, `sum`, `dot`, `solve`, `pi`, `undefined`.
pub fn reserved_names() -> impl Iterator<Item = &'static str> {
    CALLEES.iter().map(|(name, _)| *name).chain(FORMS).chain(CONSTANTS)
}

/// Is the name one of [`reserved_names`]?
pub fn is_reserved(name: &str) -> bool {
    reserved_names().any(|reserved| reserved == name)
}

/// A function with a similar name or meaning.
pub(super) fn similar_function(name: &str) -> Option<&'static str> {
    SYNONYMS
        .iter()
        .find(|(synonym, _)| *synonym == name)
        .map(|(_, known)| *known)
        .or_else(|| super::nearest(name, CALLEES.iter().map(|(known, _)| *known).chain(FORMS)))
}
