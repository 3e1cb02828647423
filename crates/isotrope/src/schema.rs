//! Schemas of model files and of answers.

use isotrope_report as report;
use isotrope_study as study;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// What a model file may contain, as a JSON schema for editors.
#[must_use]
pub fn schema() -> Value {
    isotrope_model::schema()
}

/// The name of an answer and its schema.
type Listed = (&'static str, fn() -> Value);

/// Answers with a schema, by the names of the commands that give them.
const ANSWERS: &[Listed] = &[
    ("certify", schema_of::<report::methods::CertificationRecord>),
    ("check", schema_of::<report::check::CheckRecord>),
    ("compare", schema_of::<study::compare::Comparison>),
    ("conditions", schema_of::<report::conditions::ConditionsRecord>),
    ("construct", schema_of::<report::construct::ConstructionRecord>),
    ("convergence", schema_of::<study::convergence::Convergence>),
    ("derive", schema_of::<report::DerivationRecord>),
    ("discrete", schema_of::<report::DiscreteRecord>),
    ("drift", schema_of::<study::drift::DriftReport>),
    ("ensemble", schema_of::<study::run::EnsembleReport>),
    ("explain", schema_of::<crate::ExplanationRecord>),
    ("flow", schema_of::<study::flow::FlowReport>),
    ("geometry", schema_of::<report::structure::GeometryRecord>),
    ("methods", schema_of::<report::methods::MethodsRecord>),
    ("modified", schema_of::<report::modified::ModifiedRecord>),
    ("port", schema_of::<report::port::PortRecord>),
    ("recommended", schema_of::<study::recommend::Recommendation>),
    ("run", schema_of::<study::report::RunReport>),
    ("stability", schema_of::<study::stability::StabilityReport>),
    ("trees", schema_of::<report::trees::TreesRecord>),
];

/// The names of answers with a schema: those of commands, `discrete` for `derive --discrete`, `ensemble` for
/// `run --ensemble` and `recommended` for `methods --for`.
pub fn answers() -> impl Iterator<Item = &'static str> {
    ANSWERS.iter().map(|(name, _)| *name)
}

/// The JSON schema of an answer; none if no answer has that name. Keys may be added to answers and
/// are never renamed or dropped, so the schema does not forbid others.
///
/// ```
/// let schema = isotrope::answer_schema("run").unwrap();
/// assert_eq!(schema["properties"]["steps"]["type"], "integer");
/// ```
#[must_use]
pub fn answer_schema(name: &str) -> Option<Value> {
    let (_, schema) = ANSWERS.iter().find(|(known, _)| *known == name)?;
    Some(schema())
}

/// The JSON schema of what a type is written as.
#[must_use]
pub fn schema_of<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().for_serialize().with_transform(RecursiveTransform(or_null));
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// A number that is not finite is written as `null`.
fn or_null(schema: &mut Schema) {
    if schema.get("type").is_some_and(|kind| kind == "number") {
        schema.insert("type".to_owned(), Value::from(vec!["number", "null"]));
    }
}
