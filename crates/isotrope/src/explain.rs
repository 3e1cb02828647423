//! What a code means and what to do about it.

use isotrope_algebra::syntax::nearest;
use isotrope_model::codes::{Code, ExplainCode};
use isotrope_report::value;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{Answer, Failure};

/// A code in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code.
    pub code: Code,
}

/// An explanation for programs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplanationRecord {
    /// The code.
    pub code: &'static str,
    /// The title of its family.
    pub family: &'static str,
    /// What it means.
    pub explanation: &'static str,
    /// What to do about it.
    pub advice: &'static str,
}

/// Explains a code, in upper or lower case.
pub fn explain(text: &str) -> Result<Explanation, Failure> {
    Code::find(text.trim()).map(|code| Explanation { code }).ok_or_else(|| {
        let codes = Code::ALL.iter().map(|code| code.text());
        let near = nearest(&text.trim().to_ascii_uppercase(), codes);
        let hint = near.map_or_else(
            || ExplainCode::UnknownCode.hint(),
            |near| format!("did you mean `{near}`? docs/errors.md lists all"),
        );
        Failure::plain(ExplainCode::UnknownCode, format!("there is no code `{text}`"), hint)
    })
}

impl Answer for Explanation {
    fn text(&mut self, _width: usize) -> String {
        let code = self.code;
        format!("{code}: {}\n{}\n{}\n", code.family(), code.explanation(), code.advice())
    }

    fn json(&mut self) -> Value {
        let code = self.code;
        value(&ExplanationRecord {
            code: code.text(),
            family: code.family(),
            explanation: code.explanation(),
            advice: code.advice(),
        })
    }
}
