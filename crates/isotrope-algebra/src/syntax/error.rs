//! What can be wrong with an expression, and where.

use super::Span;

/// One error in the text of an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct SyntaxError {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: SyntaxErrorKind,
    /// A way out, if one is known.
    pub hint: Option<String>,
}

/// Everything that the parser refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxErrorKind {
    /// The text is empty.
    #[error("an expression is missing")]
    Empty,
    /// A character that no expression contains.
    #[error("unexpected character `{}`", visible(*.0))]
    Character(char),
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What could stand here.
        expected: &'static str,
        /// What stands here.
        found: String,
    },
    /// Two operands without an operator: `2x`.
    #[error("an operator is missing between `{left}` and `{right}`")]
    ImplicitProduct {
        /// The text before.
        left: String,
        /// The text after.
        right: String,
    },
    /// A bracket that is never closed.
    #[error("`{0}` is never closed")]
    Unclosed(char),
    /// A closing bracket without its opening one, or of the wrong kind.
    #[error("`{0}` closes nothing")]
    Unopened(char),
    /// A call of something that is not a function.
    #[error("`{0}` is not a function")]
    UnknownFunction(String),
    /// A function without its arguments.
    #[error("`{0}` is a function and needs its argument")]
    BareFunction(String),
    /// The wrong number of arguments.
    #[error("`{function}` takes {expected} argument{}, found {found}", if *.expected == 1 { "" } else { "s" })]
    Arity {
        /// The function.
        function: String,
        /// How many it takes.
        expected: u32,
        /// How many there are.
        found: u32,
    },
    /// A prime after something that is not a name.
    #[error("a prime may only follow a name")]
    Prime,
    /// `dot` of something that is not a name.
    #[error("`dot` takes a name, not an expression")]
    Dot,
    /// Something that is not integer arithmetic inside an index.
    #[error("{0} may not stand in an index")]
    InIndex(&'static str),
    /// `solve` with a matrix that is not square, or lists of the wrong length.
    #[error("the shape of `solve` is wrong: {0}")]
    SolveShape(&'static str),
    /// More than one `=`.
    #[error("an equation has one `=`")]
    SecondEquals,
    /// A `=` where only an expression may stand.
    #[error("an expression is wanted here, not an equation")]
    Equation,
    /// More open brackets and pending operators than allowed.
    #[error("nested more than {0} deep")]
    TooDeep(usize),
    /// More nodes than allowed.
    #[error("the expression is too long")]
    TooLong,
    /// A number with too many digits.
    #[error("too many digits")]
    TooManyDigits,
}

/// A character as it is, if it can be seen.
fn visible(character: char) -> String {
    match character {
        '\\' | '\'' | '"' => character.to_string(),
        _ => character.escape_debug().to_string(),
    }
}

/// All errors of one text, in the order they stand in it; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxErrors(pub Vec<SyntaxError>);

impl std::fmt::Display for SyntaxErrors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (position, error) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{error} at {}..{}", error.span.start, error.span.end)?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxErrors {}

/// An expression that reads well but means nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct LowerError {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: LowerErrorKind,
}

/// Everything that lowering refuses by itself; names are the resolver's business.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LowerErrorKind {
    /// Division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A function where it has no value, such as `log(0)`.
    #[error("`{0}` has no value here")]
    NoValue(&'static str),
    /// The word `undefined` where a value is needed.
    #[error("the value is undefined")]
    Undefined,
    /// A number of too many digits came out.
    #[error("a number of more than {0} bits")]
    NumberTooLarge(u64),
    /// A constant exponent that is too large.
    #[error("the exponent is larger than {0}")]
    ExponentTooLarge(i64),
    /// Arithmetic in an index that is not exact on 64-bit integers.
    #[error("the index is not an integer")]
    IndexNotInteger,
    /// The size budget ran out.
    #[error("the expression grows past {0} operations")]
    TooLarge(u64),
    /// A component of `solve` that does not exist, or an entry outside the matrix.
    #[error("`solve` has no such component or entry")]
    SolveIndex,
}
