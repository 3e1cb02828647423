//! `isotrope bench`: compiled steps beside hand-written C.

use super::{answer, write};
use crate::bench::{Compiler, Row, Workload, line, to_json};
use crate::cli::Bench;
use crate::diagnostics;
use crate::exit::Exit;

/// Runs the command. Lines are printed as they are ready.
pub fn run(arguments: &Bench) -> Exit {
    let compiler = Compiler::find();
    if compiler.is_none() {
        diagnostics::say("no C compiler `cc` here: nothing to compare with");
    }
    let chosen: &[Workload] =
        if arguments.workloads.is_empty() { &Workload::ALL } else { &arguments.workloads };
    let mut rows: Vec<Row> = Vec::new();
    for workload in chosen {
        let mut unwritten = None;
        let mut tell = |row: Row| {
            if !arguments.json
                && let Err(error) = write(None, &line(&row))
            {
                unwritten = Some(error);
            }
            rows.push(row);
        };
        if let Err(error) = workload.rows(compiler.as_ref(), &mut tell) {
            let hint = "compiled code needs x86-64 with AVX2 and FMA";
            diagnostics::plain("ISO-BENCH-001", &error.to_string(), Some(hint));
            return Exit::CouldNotRun;
        }
        if let Some(error) = unwritten {
            return error.report();
        }
    }
    if arguments.json {
        return answer(None, &format!("{:#}\n", to_json(&rows)), Exit::Done);
    }
    Exit::Done
}
