//! Does everything below the facade compile for a page?

use std::process::Command;

use crate::test::say;

const TARGET: &str = "wasm32-unknown-unknown";

/// What to say where the target is not installed.
pub const ABSENT: &str = "the facade for pages: wasm32-unknown-unknown is not installed (rustup target add wasm32-unknown-unknown)";

/// Is the target of pages installed? Not every machine can fetch it, so the test command looks at it only where
/// it is there.
pub fn is_installed() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .ok()
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .is_some_and(|folder| std::path::Path::new(&folder).is_dir())
}

/// Checks the facade for the target of pages: the interpreter alone, without files, clock and threads.
pub fn check() -> Result<(), String> {
    if !is_installed() {
        return Err(ABSENT.to_owned());
    }
    say("== pages: the facade for wasm32");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["check", "--quiet", "--package", "isotrope", "--no-default-features"])
        .args(["--target", TARGET])
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("the facade does not compile for {TARGET}")) }
}
