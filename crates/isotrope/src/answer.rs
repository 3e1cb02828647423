//! What every answer can do: be shown to people and to programs.

use serde_json::Value;

/// An answer: the same contents as text, for programs and, where that makes sense, as documents.
pub trait Answer {
    /// For a terminal with this many columns.
    fn text(&mut self, width: usize) -> String;

    /// For programs; names are part of the contract.
    fn json(&mut self) -> Value;

    /// A complete LaTeX document.
    fn latex(&mut self) -> Option<String> {
        None
    }

    /// A self-contained page.
    fn html(&mut self) -> Option<String> {
        None
    }

    /// Is the answer "no": a property fails, or a run did not complete?
    fn is_negative(&self) -> bool {
        false
    }
}

/// A text whose last line says that it is only a part of what was asked for.
pub(crate) fn with_mark(mut text: String, interrupted: bool) -> String {
    if interrupted {
        text.push_str("\ninterrupted: not everything that was asked for was run\n");
    }
    text
}
