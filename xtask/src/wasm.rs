//! Does everything below the facade compile for a page?

use std::process::Command;

use crate::test::say;

const TARGET: &str = "wasm32-unknown-unknown";

/// Checks the facade for the target of pages: the interpreter alone, without files, clock and threads.
/// Where the target is not installed there is nothing to check, and it says so.
pub fn check() -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let installed = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .ok()
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .is_some_and(|folder| std::path::Path::new(&folder).is_dir());
    if !installed {
        say(&format!("skipped: {TARGET} is not installed (rustup target add {TARGET})"));
        return Ok(());
    }
    let status = Command::new(cargo)
        .args(["check", "--quiet", "--package", "isotrope", "--no-default-features"])
        .args(["--target", TARGET])
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("the facade does not compile for {TARGET}")) }
}
