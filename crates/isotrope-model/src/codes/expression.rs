//! Expressions by themselves: the codes of what is refused.

error_codes! {
    /// What keeps a text from being an expression, or an expression from having values.
    ExpressionCode;
    /// A text that is not an expression.
    Syntax = "ISO-EXPRESSION-001", "Write it as in a model file: `m*x'^2/2 - m*g*cos(theta)`.";
    /// A name in an expression that has no value.
    Unknown = "ISO-EXPRESSION-002", "Give a value for every name that occurs in it.";
    /// An expression that is too long to write or to compute with.
    OutOfBudget = "ISO-EXPRESSION-003", "Take a shorter expression.";
}
