//! The direction of dependencies between the crates, as ARCHITECTURE.md draws it.

use std::process::Command;

/// Each crate with the crates of this workspace it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("isotrope-algebra", &[]),
    ("isotrope-geometry", &["isotrope-algebra"]),
    ("isotrope-model", &["isotrope-algebra"]),
    ("isotrope-scheme", &["isotrope-algebra", "isotrope-geometry", "isotrope-model"]),
    ("isotrope-kernel", &["isotrope-algebra", "isotrope-model", "isotrope-scheme"]),
    (
        "isotrope-study",
        &[
            "isotrope-algebra",
            "isotrope-geometry",
            "isotrope-model",
            "isotrope-scheme",
            "isotrope-kernel",
        ],
    ),
    (
        "isotrope",
        &[
            "isotrope-algebra",
            "isotrope-geometry",
            "isotrope-model",
            "isotrope-scheme",
            "isotrope-kernel",
            "isotrope-study",
        ],
    ),
    ("xtask", &[]),
];

/// Files, environment, clock, threads and printing are not for the exact crates.
const PURE: &[&str] =
    &["isotrope-algebra", "isotrope-geometry", "isotrope-model", "isotrope-scheme"];
const IMPURE: &[&str] = &[
    "std::fs",
    "std::env",
    "std::time",
    "std::thread",
    "std::net",
    "std::process",
    "SystemTime",
    "Instant::now",
];

/// Checks the direction of dependencies and the purity of the exact crates.
pub fn check() -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .output()
        .map_err(|error| format!("cannot run cargo metadata: {error}"))?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let mut wrong = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = ALLOWED.iter().find(|entry| entry.0 == name) else {
            wrong.push(format!(
                "`{name}` has no place in the architecture: add it to xtask/src/dependencies.rs"
            ));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().unwrap_or_default();
            let ours = ALLOWED.iter().any(|entry| entry.0 == used);
            let for_tests = dependency["kind"].as_str() == Some("dev");
            if ours && !for_tests && !allowed.contains(&used) {
                wrong.push(format!("`{name}` may not depend on `{used}`"));
            }
        }
        if PURE.contains(&name) {
            let manifest =
                std::path::PathBuf::from(package["manifest_path"].as_str().unwrap_or_default());
            let folder = manifest.with_file_name("src");
            impure(&folder, &mut wrong)?;
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn impure(folder: &std::path::Path, wrong: &mut Vec<String>) -> Result<(), String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            impure(&path, wrong)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            for (number, line) in text.lines().enumerate() {
                // Tests may look at clock and environment.
                if line.trim_start().starts_with("#[cfg(test)]") {
                    break;
                }
                if let Some(word) = IMPURE.iter().find(|word| line.contains(*word)) {
                    wrong.push(format!(
                        "{}:{}: `{word}` in a pure crate",
                        path.display(),
                        number + 1
                    ));
                }
            }
        }
    }
    Ok(())
}
