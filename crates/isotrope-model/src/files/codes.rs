//! The codes that several kinds of files have, each under a number of its own.

use std::fmt;

use crate::codes::Code;
use crate::document::FileProblemKind;

/// Codes of a file in TOML.
pub trait TomlCode: Copy + Ord + fmt::Display + Into<Code> {
    /// A key that such files do not have.
    const UNKNOWN_KEY: Self;
    /// A value of the wrong type.
    const WRONG_TYPE: Self;
    /// A version of the format that is not read.
    const VERSION: Self;

    /// The code for bytes that are not the text of a TOML file.
    fn of_file(problem: FileProblemKind) -> Self;
}

/// Codes of a file with names and expressions.
pub trait FormulaCode: TomlCode {
    /// Too large to compute with.
    const TOO_LARGE: Self;
    /// A name that cannot be one.
    const BAD_NAME: Self;
    /// A name that means two things.
    const REPEATED_NAME: Self;
    /// An expression that does not follow the grammar.
    const SYNTAX: Self;
    /// A name that means nothing.
    const UNKNOWN_NAME: Self;
    /// An expression without a value.
    const UNDEFINED: Self;
    /// A parameter whose value is not a rational number.
    const PARAMETER: Self;
}

/// The shared codes of a family that names its variants as the others do.
macro_rules! toml_codes {
    ($code:ident) => {
        impl $crate::files::TomlCode for $code {
            const UNKNOWN_KEY: Self = Self::UnknownKey;
            const WRONG_TYPE: Self = Self::WrongType;
            const VERSION: Self = Self::Version;

            fn of_file(problem: $crate::document::FileProblemKind) -> Self {
                use $crate::document::FileProblemKind as Kind;
                match problem {
                    Kind::NotUtf8 => Self::NotUtf8,
                    Kind::ControlCharacter => Self::ControlCharacter,
                    Kind::TooLarge => Self::TooLarge,
                    Kind::Toml => Self::Toml,
                    Kind::DuplicateKey => Self::DuplicateKey,
                }
            }
        }
    };
}

/// The same for files with formulas.
macro_rules! formula_codes {
    ($code:ident) => {
        $crate::files::toml_codes!($code);

        impl $crate::files::FormulaCode for $code {
            const TOO_LARGE: Self = Self::TooLarge;
            const BAD_NAME: Self = Self::BadName;
            const REPEATED_NAME: Self = Self::RepeatedName;
            const SYNTAX: Self = Self::Syntax;
            const UNKNOWN_NAME: Self = Self::UnknownName;
            const UNDEFINED: Self = Self::Undefined;
            const PARAMETER: Self = Self::Parameter;
        }
    };
}

pub(crate) use {formula_codes, toml_codes};
