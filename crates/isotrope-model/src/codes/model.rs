//! Model files: the codes of what is refused.

error_codes! {
    /// What is wrong with a model file, or with what the command line changes in it.
    ModelCode;
    /// The file is not UTF-8 text.
    NotUtf8 = "ISO-MODEL-001", "Save the file as UTF-8.";
    /// The file contains a NUL or another control character.
    ControlCharacter = "ISO-MODEL-002", "Remove the character; is it a text file?";
    /// The file, or what it would expand to, is too large.
    TooLarge = "ISO-MODEL-003", "Check the bounds of sums and ranges; describe large systems by indexed coordinates and sums.";
    /// The file is not well-formed TOML.
    Toml = "ISO-MODEL-004", "Write expressions, and keys with brackets or primes, in quotes.";
    /// A key or a table is given twice.
    DuplicateKey = "ISO-MODEL-005", "Keep one of the two.";
    /// A key or a table that model files do not have.
    UnknownKey = "ISO-MODEL-006", "Correct the name; the error names the nearest one. Keys after a `[table]` header belong to that table.";
    /// A value of the wrong type: an expression where a table is wanted, a date for a number.
    WrongType = "ISO-MODEL-007", "Write numbers as they are and expressions in quotes.";
    /// The file asks for a version of the format that this program does not read.
    Version = "ISO-MODEL-008", "Write `version = 1`, or leave it out.";
    /// No system is given: neither a Lagrangian nor a Hamiltonian, nor equations.
    MissingSystem = "ISO-MODEL-010", r#"Add `[lagrangian]` with `L = "…"`, or `[hamiltonian]` with `H = "…"`."#;
    /// More than one system is given.
    SecondSystem = "ISO-MODEL-011", "Keep one of the two.";
    /// No coordinates are declared.
    NoCoordinates = "ISO-MODEL-012", r#"Write `coordinates = ["x", "y"]` before the first table."#;
    /// A name that is not a name: empty, with blanks, beginning with a digit.
    BadName = "ISO-MODEL-013", "Use a letter followed by letters, digits and `_`; Greek letters are fine.";
    /// A name that the language reserves for itself.
    ReservedName = "ISO-MODEL-014", "Choose another name.";
    /// One name declared for two things.
    NameCollision = "ISO-MODEL-015", "Rename one of the two.";
    /// The momentum of a coordinate has the name of something else.
    MomentumCollision = "ISO-MODEL-016", "Rename what is not the momentum.";
    /// A group that is not known, or data that do not fit the group.
    Group = "ISO-MODEL-017", r#"Write `group = "SO(3)"`, or SO(2), SE(2), SE(3), a list of them; ordinary coordinates go under `coordinates`."#;
    /// An expression that does not follow the grammar.
    Syntax = "ISO-MODEL-020", "Correct it where the mark stands; the grammar is that of ordinary formulas.";
    /// A product without its operator: `2x`.
    ImplicitProduct = "ISO-MODEL-021", "Write `2*x`.";
    /// A call of something that is not a function.
    UnknownFunction = "ISO-MODEL-022", "Correct the name, or write `*` before the bracket if a product is meant. Coordinates are written without `(t)`.";
    /// A function with the wrong number of arguments.
    Arity = "ISO-MODEL-023", "Give the function as many arguments as it takes.";
    /// A name that nothing declares.
    UnknownName = "ISO-MODEL-024", "Correct the name, or declare it under `[parameters]` or `[define]`.";
    /// An indexed name without its indices, or indices on a name that has none.
    Indexing = "ISO-MODEL-025", "Write as many indices as the declaration has.";
    /// An index outside the declared range.
    IndexOutOfRange = "ISO-MODEL-026", r#"Correct the index, or define the component: `[define]` `"x[0]" = 0`."#;
    /// An index or a bound that is not an integer.
    IndexNotInteger = "ISO-MODEL-027", "Use integers, integer parameters and summation indices.";
    /// A range that is empty or malformed.
    BadRange = "ISO-MODEL-028", r#"Write `"x[1..N]"` for coordinates, `"m[i=1..N]"` elsewhere, with bounds that leave at least one index."#;
    /// Definitions or parameters that use each other in a circle.
    Cycle = "ISO-MODEL-029", "Give one of them a value that does not use the others.";
    /// An expression nested too deeply.
    TooDeep = "ISO-MODEL-030", "Name the parts under `[define]`.";
    /// A number that is too long.
    NumberTooLong = "ISO-MODEL-031", "Use fewer digits; what is this number?";
    /// A constant exponent that is too large.
    ExponentTooLarge = "ISO-MODEL-032", "Check whether a product is meant; write the power with a parameter if not.";
    /// An expression without a value: a division by zero, the logarithm of zero.
    Undefined = "ISO-MODEL-033", "Correct the denominator or the argument: it vanishes for all values of the coordinates.";
    /// An acceleration where none is allowed.
    Acceleration = "ISO-MODEL-034", "Write it with positions and velocities; integrate by parts if need be.";
    /// A velocity where none is allowed.
    Velocity = "ISO-MODEL-035", "Write it with the momenta `p_x`, or as a `[lagrangian]`.";
    /// A momentum where none is allowed.
    Momentum = "ISO-MODEL-036", "Write it with the velocities `x'`, or as a `[hamiltonian]`.";
    /// Something that changes in time where a constant is wanted.
    NotConstant = "ISO-MODEL-037", "Use numbers, parameters and `pi`; what changes in time goes into `[define]`.";
    /// A prime on something that does not move: a parameter, the time.
    NoRate = "ISO-MODEL-038", "Remove the prime; what moves is a coordinate or goes into `[define]`.";
    /// A symbol of a step outside a discrete Lagrangian.
    StepSymbol = "ISO-MODEL-039", "Use `h` and `x_next` in `[discrete]` only.";
    /// The Lagrangian or Hamiltonian depends on no coordinate.
    ConstantSystem = "ISO-MODEL-040", "Check what cancels; a Lagrangian contains coordinates and velocities.";
    /// A constraint that always holds, never holds, or contains no coordinate.
    ConstantConstraint = "ISO-MODEL-041", "Correct the constraint, or remove it.";
    /// A constraint table without its equation.
    MissingEquation = "ISO-MODEL-042", r#"Write `name = { equation = "… = 0", chetaev = true }`."#;
    /// A force on something that is not a coordinate.
    NotACoordinate = "ISO-MODEL-043", "Use the name of a coordinate, without prime and without `p_`.";
    /// One component given twice.
    DuplicateComponent = "ISO-MODEL-044", "Keep one of the two.";
    /// An entry of a bracket or of a structure matrix that does not name a pair of coordinates.
    StructureEntry = "ISO-MODEL-045", r#"Write `"x,y" = "…"` with two coordinates; entries below the diagonal follow, and those on it are zero where the matrix is skew."#;
    /// A coordinate of `[equations]` without its equation, or something that is not an equation.
    MissingRate = "ISO-MODEL-046", r#"Give every coordinate one equation: `"x'" = "…"`, or `"x''" = "…"` with x and x' as its state."#;
    /// An input that is not a function of time.
    InputTable = "ISO-MODEL-047", r#"Write an expression of `t`, or `{ table = [[0, 1], [1, 2.5]], between = "linear" }` with growing times."#;
    /// Something that does not fit the kind of system: forces in state space, inputs of a Lagrangian.
    StateSpace = "ISO-MODEL-048", "Systems in state space (`[poisson]`, `[equations]`, `[port]`) have inputs and outputs; mechanical systems have constraints and forces.";
    /// A malformed magnetic 2-form, or one beside a system that cannot have one.
    Magnetic = "ISO-MODEL-049", r#"Write `[magnetic]` beside `[lagrangian]`, with components `"x,y" = "…"` for pairs of coordinates."#;
    /// The initial data are missing.
    MissingInitial = "ISO-MODEL-050", "Add `[initial]` with `position` and `velocity` (or `momentum`).";
    /// A coordinate has no initial position, velocity or momentum.
    MissingInitialValue = "ISO-MODEL-051", r#"Add the value; `"x[i]" = …` gives one to every `x`."#;
    /// Velocities are given for a Hamiltonian or momenta for a Lagrangian.
    WrongInitialKind = "ISO-MODEL-052", "Give `velocity` to a Lagrangian and `momentum` to a Hamiltonian.";
    /// A run setting outside its domain: a step that is not positive.
    RunSetting = "ISO-MODEL-053", "Give a positive number.";
    /// An initial rotation that is not one: an axis without direction, or of the wrong length.
    Rotation = "ISO-MODEL-054", r#"Write `rotation = { axis = [0, 0, 1], angle = "pi/6" }`; in the plane `{ angle = "pi/6" }`."#;
    /// A matrix E or an effort of a `[port]` that does not fit.
    Descriptor = "ISO-MODEL-055", r#"Write E with constants and parameters, `E = { "x,x" = 1 }`, and efforts beside it only."#;
    /// A picture that cannot be drawn: a body without a place, a link between bodies that do not exist.
    Scene = "ISO-MODEL-056", r#"Write `bodies = [{ name = "bob", at = ["x", "y"] }]` and `links = [[0, 1]]`, where 0 is the origin."#;
    /// Equations that do not determine the highest rates of the coordinates: the matrix of their coefficients is singular.
    Coupled = "ISO-MODEL-057", "Check for an equation that follows from the others, or for parameters at which the coefficients cancel.";
    /// A command-line override that is not of the form `name=value`.
    OverrideForm = "ISO-MODEL-060", "Write `--set g=9.81` or `--initial theta=pi/6`.";
    /// A command-line override of something the model does not have.
    OverrideTarget = "ISO-MODEL-061", "Correct the name; parameters are changed by `--set`, initial data by `--initial`.";
}
