//! The stable codes of errors in model files.

/// Declares the codes of one kind of file: an enum with a number, an explanation (its comment) and
/// an advice for each, and how it is written, `ISO-MODEL-012`.
#[macro_export]
macro_rules! error_codes {
    ($(#[doc = $about:literal])+ $enum:ident, $prefix:literal;
     $($(#[doc = $doc:literal])+ $name:ident = $number:literal, $advice:literal;)*) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $enum {
            $($(#[doc = $doc])+ $name = $number,)*
        }

        impl $enum {
            /// Every code, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The number alone.
            pub fn number(self) -> u16 {
                self as u16
            }

            /// One line that says what the code means.
            pub fn explanation(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($doc),+).trim_ascii(),)*
                }
            }

            /// One line that says what to do about it.
            pub fn advice(self) -> &'static str {
                match self {
                    $(Self::$name => $advice,)*
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "-{:03}"), self.number())
            }
        }
    };
}

error_codes! {
    /// What is wrong, as a number that does not change between versions.
    Code, "ISO-MODEL";
    /// The file is not UTF-8 text.
    NotUtf8 = 1, "Save the file as UTF-8.";
    /// The file contains a NUL or another control character.
    ControlCharacter = 2, "Remove the character; is it a text file?";
    /// The file, or what it would expand to, is too large.
    TooLarge = 3, "Check the bounds of sums and ranges; describe large systems by indexed coordinates and sums.";
    /// The file is not well-formed TOML.
    Toml = 4, "Write expressions, and keys with brackets or primes, in quotes.";
    /// A key or a table is given twice.
    DuplicateKey = 5, "Keep one of the two.";
    /// A key or a table that model files do not have.
    UnknownKey = 6, "Correct the name; the error tells the nearest one. Keys after a `[table]` header belong to that table.";
    /// A value of the wrong type: an expression where a table is wanted, a date for a number.
    WrongType = 7, "Write numbers as they are and expressions in quotes.";
    /// The file asks for a version of the format that this program does not read.
    Version = 8, "Write `version = 1`, or leave it out.";
    /// Neither a Lagrangian nor a Hamiltonian is given.
    MissingSystem = 10, r#"Add `[lagrangian]` with `L = "…"`, or `[hamiltonian]` with `H = "…"`."#;
    /// More than one system is given.
    SecondSystem = 11, "Keep one of the two.";
    /// No coordinates are declared.
    NoCoordinates = 12, r#"Write `coordinates = ["x", "y"]` before the first table."#;
    /// A name that is not a name: empty, with blanks, beginning with a digit.
    BadName = 13, "Use a letter followed by letters, digits and `_`; Greek letters are fine.";
    /// A name that the language reserves for itself.
    ReservedName = 14, "Choose another name.";
    /// One name declared for two things.
    NameCollision = 15, "Rename one of the two.";
    /// The momentum of a coordinate has the name of something else.
    MomentumCollision = 16, "Rename what is not the momentum.";
    /// A group that is not known, or data that do not fit the group.
    Group = 17, "Write `group = \"SO(3)\"`, or SO(2), SE(2), SE(3), a list of them; ordinary coordinates beside it in `coordinates`.";
    /// An expression that does not follow the grammar.
    Syntax = 20, "Correct it where the mark stands; the grammar is that of ordinary formulas.";
    /// A product without its operator: `2x`.
    ImplicitProduct = 21, "Write `2*x`.";
    /// A call of something that is not a function.
    UnknownFunction = 22, "Correct the name, or write `*` before the bracket if a product is meant. Coordinates are written without `(t)`.";
    /// A function with the wrong number of arguments.
    Arity = 23, "Give the function as many arguments as it takes.";
    /// A name that nothing declares.
    UnknownName = 24, "Correct the name, or declare it under `[parameters]` or `[define]`.";
    /// An indexed name without its indices, or indices on a name that has none.
    Indexing = 25, "Write as many indices as the declaration has.";
    /// An index outside the declared range.
    IndexOutOfRange = 26, r#"Correct the index, or define the component: `[define]` `"x[0]" = 0`."#;
    /// An index or a bound that is not an integer.
    IndexNotInteger = 27, "Use integers, integer parameters and summation indices.";
    /// A range that is empty or malformed.
    BadRange = 28, r#"Write `"x[1..N]"` for coordinates, `"m[i=1..N]"` elsewhere, with bounds that leave something."#;
    /// Definitions or parameters that use each other in a circle.
    Cycle = 29, "Give one of them a value that does not use the others.";
    /// An expression nested too deep.
    TooDeep = 30, "Name the parts under `[define]`.";
    /// A number that is too long.
    NumberTooLong = 31, "Use fewer digits; what is this number?";
    /// A constant exponent that is too large.
    ExponentTooLarge = 32, "Check whether a product is meant; write the power with a parameter if not.";
    /// An expression without a value: a division by zero, the logarithm of zero.
    Undefined = 33, "Correct the denominator or the argument: it is zero whatever the coordinates are.";
    /// An acceleration where none may stand.
    Acceleration = 34, "Write it with positions and velocities; integrate by parts if need be.";
    /// A velocity where none may stand.
    Velocity = 35, "Write it with the momenta `p_x`, or as a `[lagrangian]`.";
    /// A momentum where none may stand.
    Momentum = 36, "Write it with the velocities `x'`, or as a `[hamiltonian]`.";
    /// Something that changes in time where a constant is wanted.
    NotConstant = 37, "Use numbers, parameters and `pi`; what changes in time goes into `[define]`.";
    /// A prime on something that does not move: a parameter, the time.
    NoRate = 38, "Remove the prime; what moves is a coordinate or goes into `[define]`.";
    /// A symbol of a step outside of a discrete Lagrangian.
    StepSymbol = 39, "Use `h` and `x_next` in `[discrete]` only.";
    /// The Lagrangian or Hamiltonian depends on no coordinate.
    ConstantSystem = 40, "Check what cancels; a Lagrangian contains coordinates and velocities.";
    /// A constraint that always holds, never holds, or contains no coordinate.
    ConstantConstraint = 41, "Correct the constraint, or remove it.";
    /// A constraint table without its equation.
    MissingEquation = 42, r#"Write `name = { equation = "… = 0", chetaev = true }`."#;
    /// A force on something that is not a coordinate.
    NotACoordinate = 43, "Use the name of a coordinate, without prime and without `p_`.";
    /// One component given twice.
    DuplicateComponent = 44, "Keep one of the two.";
    /// An entry of a bracket or of a structure matrix that is no pair of coordinates.
    StructureEntry = 45, r#"Write `"x,y" = "…"` with two coordinates; entries below the diagonal follow, and those on it are zero where the matrix is skew."#;
    /// A coordinate of `[equations]` without its equation, or an equation that is none.
    MissingRate = 46, r#"Give every coordinate one equation: `"x'" = "…"`, or `"x''" = "…"` with x and x' as its state."#;
    /// An input that is no function of time.
    InputTable = 47, r#"Write an expression of `t`, or `{ table = [[0, 1], [1, 2.5]], between = "linear" }` with growing times."#;
    /// Something that does not fit the kind of system: forces in state space, inputs of a Lagrangian.
    StateSpace = 48, "Systems in state space (`[poisson]`, `[equations]`, `[port]`) have inputs and outputs; mechanical systems have constraints and forces.";
    /// A magnetic 2-form that is none, or beside a system that cannot have one.
    Magnetic = 49, r#"Write `[magnetic]` beside `[lagrangian]`, with components `"x,y" = "…"` for pairs of coordinates."#;
    /// The initial data are missing.
    MissingInitial = 50, "Add `[initial]` with `position` and `velocity` (or `momentum`).";
    /// A coordinate has no initial position, velocity or momentum.
    MissingInitialValue = 51, r#"Add the value; `"x[i]" = …` gives one to every `x`."#;
    /// Velocities are given for a Hamiltonian or momenta for a Lagrangian.
    WrongInitialKind = 52, "Give `velocity` to a Lagrangian and `momentum` to a Hamiltonian.";
    /// A run setting outside its domain: a step that is not positive.
    RunSetting = 53, "Give a positive number.";
    /// An initial rotation that is none: an axis without direction, or of the wrong length.
    Rotation = 54, "Write `rotation = { axis = [0, 0, 1], angle = \"pi/6\" }`; in the plane `{ angle = \"pi/6\" }`.";
    /// A matrix E or an effort of a `[port]` that does not fit.
    Descriptor = 55, "Write E with constants and parameters, `E = { \"x,x\" = 1 }`, and efforts beside it only.";
    /// A picture that cannot be drawn: a body without a place, a link between bodies that are not there.
    Scene = 56, r#"Write `bodies = [{ name = "bob", at = ["x", "y"] }]` and `links = [[0, 1]]`, where 0 is the origin."#;
    /// A command-line override that is not of the form `name=value`.
    OverrideForm = 60, "Write `--set g=9.81` or `--initial theta=pi/6`.";
    /// A command-line override of something the model does not have.
    OverrideTarget = 61, "Correct the name; parameters are changed by `--set`, initial data by `--initial`.";
}

/// Every code with its explanation, for the documentation.
pub fn codes() -> impl Iterator<Item = (Code, &'static str)> {
    Code::ALL.iter().map(|code| (*code, code.explanation()))
}
