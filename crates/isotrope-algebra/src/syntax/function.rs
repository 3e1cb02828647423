//! The functions of the grammar and the names it reserves.

use crate::functions::{BinaryFunction, Function};

/// A function that may be called in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A function of the table.
    Function(Function),
    /// `atan2(y, x)`, the angle of the point (x, y).
    Atan2,
    /// Square root.
    Sqrt,
    /// `max(a, b)`, the larger of two, written with an absolute value.
    Max,
    /// `min(a, b)`, the smaller of two, likewise.
    Min,
    /// `clip(x, low, high)`, the nearest number to x from low to high, likewise.
    Clip,
}

/// Words with their own grammar.
const FORMS: [&str; 3] = ["sum", "dot", "solve"];

/// Words that are constants.
const CONSTANTS: [&str; 3] = ["pi", "π", "undefined"];

impl Callee {
    /// All of them: those of the table in its order, the others beside their relatives.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        Function::ALL.into_iter().flat_map(|function| {
            let relatives: &[Self] = match function {
                Function::Atan => &[Self::Atan2],
                Function::Log => &[Self::Sqrt],
                Function::Abs => &[Self::Max, Self::Min, Self::Clip],
                _ => &[],
            };
            std::iter::once(Self::Function(function)).chain(relatives.iter().copied())
        })
    }

    /// The function of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|callee| callee.name() == name)
    }

    /// Its name in the grammar.
    pub fn name(self) -> &'static str {
        match self {
            Self::Function(function) => function.name(),
            Self::Atan2 => BinaryFunction::Atan2.name(),
            Self::Sqrt => "sqrt",
            Self::Max => "max",
            Self::Min => "min",
            Self::Clip => "clip",
        }
    }

    /// Other people's names for it.
    fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Function(function) => function.descriptor().aliases,
            Self::Atan2 => &["arctan2"],
            Self::Sqrt => &["root"],
            Self::Max => &["maximum", "fmax"],
            Self::Min => &["minimum", "fmin"],
            Self::Clip => &["clamp", "saturate"],
        }
    }

    /// The function of the table, if it is one.
    pub fn function(self) -> Option<Function> {
        match self {
            Self::Function(function) => Some(function),
            Self::Atan2 | Self::Sqrt | Self::Max | Self::Min | Self::Clip => None,
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> u32 {
        match self {
            Self::Function(_) | Self::Sqrt => 1,
            Self::Atan2 | Self::Max | Self::Min => 2,
            Self::Clip => 3,
        }
    }
}

/// Names that mean something in every expression: functions, `sum`, `dot`, `solve`, `pi`, `undefined`.
pub fn reserved_names() -> impl Iterator<Item = &'static str> {
    Callee::all().map(Callee::name).chain(FORMS).chain(CONSTANTS)
}

/// Is the name one of [`reserved_names`]?
pub fn is_reserved(name: &str) -> bool {
    reserved_names().any(|reserved| reserved == name)
}

/// A function with a similar name or meaning.
pub(super) fn similar_function(name: &str) -> Option<&'static str> {
    Callee::all()
        .find(|callee| callee.aliases().contains(&name))
        .map(Callee::name)
        .or_else(|| super::nearest(name, Callee::all().map(Callee::name).chain(FORMS)))
}
