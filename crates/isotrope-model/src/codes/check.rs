//! Checks of initial data: the codes of what is refused.

error_codes! {
    /// What is wrong with a question about initial data.
    CheckCode;
    /// A tolerance that is negative or not a number.
    Tolerance = "ISO-CHECK-001", "Give a number that is not negative.";
}
