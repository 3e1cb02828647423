//! Tasks of the repository: `cargo xtask test`.

mod certificates;
mod cliffs;
mod dependencies;
mod reproduce;
mod rooms;
mod test;
mod wasm;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test            format, clippy, dependency direction, all tests, the Python package
                            (--long: the heavy sweeps as well; --times: what each phase took)
cargo xtask python          only the tests of the Python package (--long: what takes minutes as well)
cargo xtask certificates    compute and store the certificates of all listed methods
                            (--only NAME…: only those of these methods)
cargo xtask dependencies    only the dependency-direction check
cargo xtask rooms           the lines of code of each crate, as ARCHITECTURE.md has them
cargo xtask wasm            everything below the facade compiles for a page, where that target is installed
cargo xtask bench           the benchmarks (release build)
                            (--cliffs [WORD…]: CPU time and memory of commands that used to take too much,
                            all or those with one of the words; ISOTROPE=PROGRAM measures that program)
                            (--python: the rows of Python in docs/performance.md, beside SciPy, heyoka.py and
                            diffrax, in an environment that is made for it)
cargo xtask reproduce       the tables of the sources beside our numbers: docs/reproduction.md";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test", ref rest @ ..] => test::Asked::read(rest).and_then(test::run),
        ["python"] => test::python_alone(false),
        ["python", "--long"] => test::python_alone(true),
        ["certificates", ref rest @ ..] => certificates::run(rest),
        ["dependencies"] => dependencies::check(),
        ["rooms"] => rooms::print(),
        ["wasm"] => wasm::check(),
        ["bench"] => test::bench(),
        ["bench", "--cliffs", ref words @ ..] => cliffs::run(words),
        ["bench", "--python"] => test::bench_python(),
        ["reproduce"] => reproduce::run(),
        _ => Err(format!("usage:\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            test::say(&message);
            ExitCode::FAILURE
        }
    }
}
