//! Certificates are data: this computes them again.

use std::process::{Command, Stdio};

/// Where they are.
const FILE: &str = "crates/isotrope-certify/data/certificates.json";

/// Computes the certificates of all listed methods, or of those that are named after `--only`, and writes them
/// into the repository.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    let names = match arguments {
        [] => &[][..],
        ["--only", names @ ..] if !names.is_empty() => names,
        _ => return Err("usage: cargo xtask certificates [--only NAME…]".to_owned()),
    };
    crate::test::say(&match names {
        [] => "computing the certificates of all listed methods, a few minutes".to_owned(),
        names => format!("computing the certificates of {}", names.join(", ")),
    });
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--release", "--quiet", "--package", "isotrope-certify"])
        .args(["--example", "certificates", "--"])
        .args(names)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err("the certificates could not be computed; the stored ones are as before".into());
    }
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FILE);
    let before = std::fs::read(&file).ok();
    std::fs::write(&file, &output.stdout).map_err(|error| format!("{FILE}: {error}"))?;
    let same = before.as_deref() == Some(&output.stdout[..]);
    crate::test::say(&format!("{FILE} {}", if same { "is as before" } else { "has changed" }));
    Ok(())
}
