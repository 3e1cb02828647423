//! `isotrope bench`: compiled steps beside hand-written C.

use isotrope::Failure;
use isotrope::codes::BenchCode;
use isotrope_bench::{BenchRecord, Compiler, Row, Workload, line};

use super::{told, write};
use crate::cli::Bench;
use crate::diagnostics;
use crate::exit::Exit;
use crate::surroundings::host;

/// Runs the command. Lines are printed as they are ready.
pub fn run(arguments: &Bench) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Bench) -> Result<Exit, Failure> {
    let host = host();
    let compiler = Compiler::find();
    if compiler.is_none() {
        diagnostics::say("no C compiler `cc` here: nothing to compare with");
    }
    let chosen: Vec<Workload> = match &arguments.workloads[..] {
        [] => Workload::ALL.to_vec(),
        named => named.iter().map(|name| name.0).collect(),
    };
    let mut rows: Vec<Row> = Vec::new();
    for workload in chosen {
        if host.is_stopped() {
            return Ok(Exit::Interrupted);
        }
        let mut written = Ok(());
        let mut tell = |row: Row| {
            if !arguments.format.json && written.is_ok() {
                written = write(&host, None, &line(&row));
            }
            rows.push(row);
        };
        let measured = host.during("measuring compiled steps", || {
            workload.rows(compiler.as_ref(), &mut tell).map_err(|error| {
                let hint = "compiled code needs x86-64 with AVX2 and FMA".to_owned();
                Failure::plain(BenchCode::NotMeasurable, error, hint)
            })
        });
        if host.is_stopped() && !rows.is_empty() && !arguments.format.json {
            write(&host, None, "interrupted\n")?;
        }
        measured?;
        written?;
    }
    if arguments.format.json {
        let file = arguments.format.json_file.as_deref();
        write(&host, file, &format!("{:#}\n", isotrope::value(&BenchRecord::new(&rows))))?;
    }
    Ok(Exit::Done)
}
