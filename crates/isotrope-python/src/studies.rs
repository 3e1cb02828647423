//! Questions that are not about one model.

use isotrope::{
    Answer, ConditionsRequest, ConstructRequest, Failure, GeometryRequest, Host, Methods,
    Overrides, Reply, StructurePart, Structured, TreesRequest, request,
};
use pyo3::prelude::*;
use serde_json::Value;

use crate::model::Model;
use crate::task::{self, Watch};

/// The text of a field of a request.
fn text<'a>(asked: &'a Value, name: &str) -> Option<&'a str> {
    asked.get(name).and_then(Value::as_str)
}

/// A part of a request, as its own type.
fn part<T: serde::de::DeserializeOwned>(asked: &Value, name: &str) -> Result<T, Failure> {
    request(&asked.get(name).map_or_else(|| "{}".to_owned(), Value::to_string))
}

/// A file that is named in a request.
fn file(host: &Host, asked: &Value, name: &str) -> Result<Option<(String, Vec<u8>)>, Failure> {
    let Some(path) = text(asked, name) else { return Ok(None) };
    Ok(Some((path.to_owned(), host.files().read(path)?)))
}

/// An answer for programs, and its documents: text, LaTeX, HTML.
type Documents = (String, bool, String, Option<String>, Option<String>);

fn shown(mut answer: impl Answer) -> Documents {
    let reply = Reply::of(&mut answer);
    (reply.json.to_string(), reply.negative, reply.text, answer.latex(), answer.html())
}

fn answered(
    host: &Host,
    study: &str,
    asked: &Value,
    model: Option<&isotrope::Model>,
) -> Result<Documents, Failure> {
    match study {
        "methods" => Methods::certificates(host).map(shown),
        "method" => Methods::certificate(host, text(asked, "name").unwrap_or_default()).map(shown),
        "certify" => {
            let table = text(asked, "text").unwrap_or_default();
            let name = text(asked, "name").unwrap_or("table");
            Methods::certify(host, name, table.as_bytes()).map(shown)
        }
        "trees" => {
            let asked: TreesRequest = part(asked, "request")?;
            isotrope::trees(host, &asked).map(shown)
        }
        "conditions" => {
            let wanted: ConditionsRequest = part(asked, "request")?;
            let class_part: Option<StructurePart> = match asked.get("part") {
                None | Some(Value::Null) => None,
                Some(value) => Some(request(&value.to_string())?),
            };
            let conditions = match (file(host, asked, "groups")?, model) {
                (Some((name, bytes)), _) => {
                    isotrope::conditions_of_groups(host, (&name, &bytes), &wanted)
                }
                (None, Some(model)) => isotrope::conditions_of_model(host, model, &wanted),
                (None, None) => {
                    let class = text(asked, "class").unwrap_or("generic");
                    isotrope::conditions_of_class(host, class, class_part, &wanted)
                }
            };
            conditions.map(shown)
        }
        "construct" => {
            let wanted: ConstructRequest = part(asked, "request")?;
            let symbolic = asked.get("symbolic").and_then(Value::as_bool) == Some(true);
            let from = match (file(host, asked, "groups")?, model) {
                (Some((name, bytes)), _) => Structured::Groups(name, bytes),
                (None, Some(model)) if symbolic => Structured::Symbolic(Box::new(model.clone())),
                (None, Some(model)) => Structured::Model(Box::new(model.clone())),
                (None, None) => match text(asked, "class") {
                    Some(class) => Structured::Class(class.to_owned()),
                    None => Structured::Generic,
                },
            };
            let construction = isotrope::construct(host, from, &wanted)?;
            let table = construction.saved()?;
            let (json, negative, words, ..) = shown(construction);
            // The first method as a file takes the place of a document.
            Ok((json, negative, words, table, None))
        }
        "modified" => {
            let name = text(asked, "method").unwrap_or_default();
            let order =
                asked.get("order").and_then(Value::as_u64).map_or(0, |order| order as usize);
            isotrope::modified(host, name, order, model).map(shown)
        }
        "geometry" => {
            let (name, bytes) = file(host, asked, "file")?.unwrap_or_default();
            let wanted: GeometryRequest = part(asked, "request")?;
            isotrope::geometry(host, (&name, &bytes), &Overrides::default(), &wanted).map(shown)
        }
        other => isotrope::explain(text(asked, "code").unwrap_or(other)).map(shown),
    }
}

/// Answers a question by the name of its command: JSON, whether it is "no", and documents.
#[pyfunction]
#[pyo3(signature = (study, asked, model = None, progress = None))]
pub fn ask(
    py: Python<'_>,
    study: String,
    asked: String,
    model: Option<Bound<'_, Model>>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Documents> {
    let watch = Watch { progress, keeps_part: false };
    let model = model.map(|model| model.get().model.clone());
    task::run(py, watch, |host| {
        let asked: Value = request(&asked)?;
        answered(host, &study, &asked, model.as_ref())
    })
}

/// Joins models at their ports: the text of a model.
#[pyfunction]
pub fn connected(
    py: Python<'_>,
    name: Option<String>,
    parts: Vec<(String, Bound<'_, Model>)>,
    joins: Vec<String>,
) -> PyResult<String> {
    let parts: Vec<(String, isotrope::Model)> =
        parts.into_iter().map(|(name, model)| (name, model.get().model.clone())).collect();
    let watch = Watch { progress: None, keeps_part: false };
    task::run(py, watch, |_| isotrope::connected(name.as_deref(), &parts, &joins))
}

/// The names of all methods with a certificate.
#[pyfunction]
pub fn method_names() -> Vec<String> {
    Methods::all()
}

/// The JSON schema of an answer.
#[pyfunction]
pub fn answer_schema(name: &str) -> Option<String> {
    isotrope::answer_schema(name).map(|schema| schema.to_string())
}
