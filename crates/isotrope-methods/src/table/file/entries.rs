//! The entries of a table file: exact expressions in one number field.

use isotrope_algebra::Budget;
use isotrope_algebra::number::field::{
    ExactTextError, ExactTextProblem, FieldElement, FieldReader, NumberField,
};
use isotrope_algebra::syntax::SyntaxErrorKind;
use isotrope_model::Text;

use super::Reporter;
use super::TableCode;

/// Bytes of one entry.
const ENTRY_BYTES: usize = 10_000;
/// Operations for all entries together.
const OPERATIONS: u64 = 30_000_000;

/// Reads entries one after the other.
pub(super) struct Entries {
    reader: FieldReader,
    budget: Budget,
    /// The budget is gone, or the field too large: what follows would only repeat it.
    stopped: bool,
}

impl Entries {
    pub(super) fn new() -> Self {
        Self { reader: FieldReader::new(), budget: Budget::new(OPERATIONS), stopped: false }
    }

    /// Reads one entry; errors are reported.
    pub(super) fn read(&mut self, text: &Text<'_>, reporter: &mut Reporter) {
        if self.stopped {
            return;
        }
        if text.text.len() > ENTRY_BYTES {
            let message = format!(
                "the entry has {} bytes, more than the {ENTRY_BYTES} that are read",
                text.text.len()
            );
            reporter.error(TableCode::TooLarge, text.whole().span, message);
            return;
        }
        if let Err(errors) = self.reader.read(&text.text, &mut self.budget) {
            for error in errors {
                self.report(text, error, reporter);
            }
        }
    }

    fn report(&mut self, text: &Text<'_>, error: ExactTextError, reporter: &mut Reporter) {
        let code = match &error.problem {
            ExactTextProblem::Syntax(_) | ExactTextProblem::RootForm => TableCode::Syntax,
            ExactTextProblem::NotAlgebraic { .. } => TableCode::NotAlgebraic,
            ExactTextProblem::DivisionByZero
            | ExactTextProblem::NotReal { .. }
            | ExactTextProblem::NoSuchRoot { .. } => TableCode::Undefined,
            ExactTextProblem::Exponent | ExactTextProblem::TooLarge => TableCode::TooLarge,
            ExactTextProblem::Field(_) => TableCode::FieldTooLarge,
            ExactTextProblem::OutOfBudget(_) => TableCode::TooLarge,
        };
        self.stopped |=
            matches!(error.problem, ExactTextProblem::OutOfBudget(_) | ExactTextProblem::Field(_));
        let empty = error.span.start == error.span.end;
        let span = if empty { text.whole().span } else { text.place(error.span).span };
        // The grammar knows what strange characters mean in models; here they mean nothing.
        let strange =
            matches!(error.problem, ExactTextProblem::Syntax(SyntaxErrorKind::Character(_)));
        let hint = if strange { None } else { error.hint };
        reporter.with(code, span, error.problem.to_string(), hint, Vec::new());
    }

    /// The field and the entries in the order they were read.
    pub(super) fn finish(self) -> (NumberField, Vec<FieldElement>) {
        self.reader.finish()
    }
}
