//! What is refused, as exceptions of the package.

use isotrope::Failure;
use isotrope::rooms::kernel::integrate::Failure as Stuck;
use isotrope_cli::diagnostics::plain;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use serde_json::json;

/// An exception made by a function of `isotrope.errors`.
fn made<'py>(py: Python<'py>, function: &str, arguments: (String, String)) -> PyErr {
    let exception =
        py.import("isotrope.errors").and_then(|module| module.getattr(function)?.call1(arguments));
    match exception {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// A refusal is an `isotrope.Error` with everything that is wrong; an interruption is one.
pub fn refused(py: Python<'_>, failure: &Failure) -> PyErr {
    let Failure::Refused(refusal) = failure else {
        return PyKeyboardInterrupt::new_err(failure.to_string());
    };
    let diagnostics: Vec<_> = refusal
        .diagnostics
        .iter()
        .map(|one| {
            let place = one.place.map(|place| {
                let (line, column) = refusal.line_and_column(place);
                let source = refusal.sources.get(place.source).map(|source| source.name.clone());
                json!({ "source": source, "line": line, "column": column })
            });
            json!({
                "code": one.code.text(), "message": one.message, "hint": one.hint, "place": place,
            })
        })
        .collect();
    made(py, "refused", (json!(diagnostics).to_string(), plain(refusal)))
}

/// A step that was not made.
pub fn stuck(py: Python<'_>, failure: &Stuck) -> PyErr {
    let facts = json!({
        "outcome": failure.outcome.name(), "step": failure.step, "t": failure.time,
        "residual": failure.residual, "reason": failure.reason,
    });
    made(py, "stuck", (facts.to_string(), String::new()))
}

/// A panic: a mistake of the program, which asks for a report.
pub fn bug(py: Python<'_>, payload: &(dyn std::any::Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    made(py, "bug", (text.to_owned(), String::new()))
}

/// What cannot begin: there is no thread, or no memory.
pub fn impossible(error: &std::io::Error) -> PyErr {
    PyRuntimeError::new_err(format!("no thread could be started: {error}"))
}
