//! Explanations of codes: the codes of what is refused.

error_codes! {
    /// Why a code cannot be explained.
    ExplainCode;
    /// There is no code like this.
    UnknownCode = "ISO-EXPLAIN-001", "Copy it from the message, such as ISO-RUN-011; docs/errors.md lists all.";
}
