//! `isotrope schema`: what a model file may contain, for editors; what answers contain, for programs.

use clap::builder::PossibleValuesParser;
use isotrope_bench::BenchRecord;

use super::{told, write};
use crate::cli::Schema;
use crate::exit::Exit;
use crate::surroundings::host;

/// The name of the schema of model files.
pub const MODEL: &str = "model";
/// The command that is not behind the facade.
const BENCH: &str = "bench";

/// Everything that has a schema.
pub fn names() -> PossibleValuesParser {
    PossibleValuesParser::new([MODEL, BENCH].into_iter().chain(isotrope::answers()))
}

/// Runs the command.
pub fn run(arguments: &Schema) -> Exit {
    let schema = match arguments.what.as_str() {
        MODEL => Some(isotrope::schema()),
        BENCH => Some(isotrope::schema_of::<BenchRecord>()),
        answer => isotrope::answer_schema(answer),
    };
    match schema {
        Some(schema) => told(write(&host(), None, &format!("{schema:#}\n")).map(|()| Exit::Done)),
        // The arguments let no other name pass.
        None => Exit::CouldNotRun,
    }
}
