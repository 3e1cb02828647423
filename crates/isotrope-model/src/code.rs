//! The stable codes of errors in model files.

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal;)*) => {
        /// What is wrong, as a number that does not change between versions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $name = $number,)*
        }

        impl Code {
            /// Every code, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// One line that says what the code means.
            pub fn explanation(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($doc),+).trim_ascii(),)*
                }
            }
        }
    };
}

codes! {
    /// The file is not UTF-8 text.
    NotUtf8 = 1;
    /// The file contains a NUL or another control character.
    ControlCharacter = 2;
    /// The file, or what it would expand to, is too large.
    TooLarge = 3;
    /// The file is not well-formed TOML.
    Toml = 4;
    /// A key or a table is given twice.
    DuplicateKey = 5;
    /// A key or a table that model files do not have.
    UnknownKey = 6;
    /// A value of the wrong type: an expression where a table is wanted, a date for a number.
    WrongType = 7;
    /// The file asks for a version of the format that this program does not read.
    Version = 8;
    /// A kind of system that this version does not read.
    UnsupportedSystem = 9;
    /// Neither a Lagrangian nor a Hamiltonian is given.
    MissingSystem = 10;
    /// More than one system is given.
    SecondSystem = 11;
    /// No coordinates are declared.
    NoCoordinates = 12;
    /// A name that is not a name: empty, with blanks, beginning with a digit.
    BadName = 13;
    /// A name that the language reserves for itself.
    ReservedName = 14;
    /// One name declared for two things.
    NameCollision = 15;
    /// The momentum of a coordinate has the name of something else.
    MomentumCollision = 16;
    /// An expression that does not follow the grammar.
    Syntax = 20;
    /// A product without its operator: `2x`.
    ImplicitProduct = 21;
    /// A call of something that is not a function.
    UnknownFunction = 22;
    /// A function with the wrong number of arguments.
    Arity = 23;
    /// A name that nothing declares.
    UnknownName = 24;
    /// An indexed name without its indices, or indices on a name that has none.
    Indexing = 25;
    /// An index outside the declared range.
    IndexOutOfRange = 26;
    /// An index or a bound that is not an integer.
    IndexNotInteger = 27;
    /// A range that is empty or malformed.
    BadRange = 28;
    /// Definitions or parameters that use each other in a circle.
    Cycle = 29;
    /// An expression nested too deep.
    TooDeep = 30;
    /// A number that is too long.
    NumberTooLong = 31;
    /// A constant exponent that is too large.
    ExponentTooLarge = 32;
    /// An expression without a value: a division by zero, the logarithm of zero.
    Undefined = 33;
    /// An acceleration where none may stand.
    Acceleration = 34;
    /// A velocity where none may stand.
    Velocity = 35;
    /// A momentum where none may stand.
    Momentum = 36;
    /// Something that changes in time where a constant is wanted.
    NotConstant = 37;
    /// A prime on something that does not move: a parameter, the time.
    NoRate = 38;
    /// The Lagrangian or Hamiltonian depends on no coordinate.
    ConstantSystem = 40;
    /// A constraint that always holds, never holds, or contains no coordinate.
    ConstantConstraint = 41;
    /// A constraint table without its equation.
    MissingEquation = 42;
    /// A force on something that is not a coordinate.
    NotACoordinate = 43;
    /// One component given twice.
    DuplicateComponent = 44;
    /// The initial data are missing.
    MissingInitial = 50;
    /// A coordinate has no initial position, velocity or momentum.
    MissingInitialValue = 51;
    /// Velocities are given for a Hamiltonian or momenta for a Lagrangian.
    WrongInitialKind = 52;
    /// A run setting outside its domain: a step that is not positive.
    RunSetting = 53;
    /// A command-line override that is not of the form `name=value`.
    OverrideForm = 60;
    /// A command-line override of something the model does not have.
    OverrideTarget = 61;
}

impl Code {
    /// The number alone.
    pub fn number(self) -> u16 {
        self as u16
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ISO-MODEL-{:03}", self.number())
    }
}

/// Every code with its explanation, for the documentation.
pub fn codes() -> impl Iterator<Item = (Code, &'static str)> {
    Code::ALL.iter().map(|code| (*code, code.explanation()))
}
