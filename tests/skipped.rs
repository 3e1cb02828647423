//! What a test leaves out is told, never passed over. `cargo xtask test` prints it at the end.
//!
//! `skipped!("no C compiler")` is for what somebody can install: with `CI=true` it is a failure.
//! `skipped!(machine: "no AVX-512")` is for what a machine does not have.

/// Tells that something is not tested, and why.
macro_rules! skipped {
    (machine: $why:literal) => {
        $crate::skipped::tell("absent", module_path!(), $why)
    };
    ($why:literal) => {
        $crate::skipped::tell("skipped", module_path!(), $why)
    };
}

/// Writes a line to the file that `cargo xtask test` collects, or to standard error.
pub(crate) fn tell(kind: &str, place: &str, why: &str) {
    use std::io::Write as _;
    let line = format!("{kind}: {place}: {why}\n");
    let written = match std::env::var_os("ISOTROPE_SKIPPED") {
        None => std::io::stderr().write_all(line.as_bytes()),
        // One write of a short line: lines of tests that run at the same time do not mix.
        Some(path) => {
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            file.and_then(|mut file| file.write_all(line.as_bytes()))
        }
    };
    assert!(written.is_ok(), "what is skipped cannot be told: {line}");
}
