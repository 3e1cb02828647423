//! The direction of dependencies between the crates, as ARCHITECTURE.md draws it.

use std::process::Command;

/// The rooms from the ground up: each may use those that it names, and all that these may use.
pub const ROOMS: &[(&str, &[&str])] = &[
    ("isotrope-algebra", &[]),
    ("isotrope-geometry", &["isotrope-algebra"]),
    ("isotrope-model", &["isotrope-algebra"]),
    ("isotrope-tape", &["isotrope-algebra"]),
    ("isotrope-methods", &["isotrope-model"]),
    ("isotrope-derive", &["isotrope-geometry", "isotrope-model"]),
    ("isotrope-structure", &["isotrope-derive"]),
    ("isotrope-scheme", &["isotrope-derive", "isotrope-methods"]),
    ("isotrope-certify", &["isotrope-scheme"]),
    ("isotrope-construct", &["isotrope-certify"]),
    ("isotrope-kernel", &["isotrope-scheme", "isotrope-tape"]),
    ("isotrope-output", &["isotrope-kernel"]),
    ("isotrope-study", &["isotrope-certify", "isotrope-output"]),
    ("isotrope-report", &["isotrope-construct", "isotrope-structure", "isotrope-study"]),
    ("isotrope-bench", &["isotrope-study"]),
    ("isotrope", &["isotrope-report"]),
    ("isotrope-sweep", &["isotrope"]),
    ("isotrope-cli", &["isotrope-bench", "isotrope-sweep"]),
    ("isotrope-python", &["isotrope-cli"]),
    ("xtask", &[]),
];

/// What a room may not touch.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("isotrope-algebra", EXACT),
    ("isotrope-geometry", EXACT),
    ("isotrope-model", EXACT),
    ("isotrope-methods", EXACT),
    ("isotrope-derive", EXACT),
    ("isotrope-scheme", EXACT),
    ("isotrope-certify", EXACT),
    ("isotrope-construct", EXACT),
    ("isotrope-structure", EXACT),
    ("isotrope-tape", OUTSIDE),
    ("isotrope-kernel", OUTSIDE),
    ("isotrope-report", OUTSIDE),
    ("isotrope", OUTSIDE),
];
/// Files, environment, clock and threads are not for the exact rooms.
const EXACT: &[&str] = &[
    "std::fs",
    "std::env",
    "std::time",
    "std::thread",
    "std::net",
    "std::process",
    "SystemTime",
    "Instant::now",
];
/// Threads may compute, but files, environment and clock belong to the caller.
const OUTSIDE: &[&str] =
    &["std::fs", "std::env", "std::time", "std::net", "std::process", "SystemTime", "Instant::now"];
/// What talks to people is not for libraries, nor for what they stand on.
const FACES: &[&str] =
    &["clap", "ctrlc", "signal-hook", "indicatif", "anstream", "annotate-snippets"];

/// Everything that a room may use.
fn allowed(room: &str) -> Vec<&'static str> {
    let mut list: Vec<&'static str> = Vec::new();
    let direct = ROOMS.iter().find(|entry| entry.0 == room).map_or(&[][..], |entry| entry.1);
    for &below in direct {
        list.push(below);
        list.extend(allowed(below));
    }
    list
}

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
        if !ROOMS.iter().any(|entry| entry.0 == name) {
            wrong.push(format!(
                "`{name}` has no place in the architecture: add it to xtask/src/dependencies.rs"
            ));
            continue;
        }
        let allowed = allowed(name);
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().unwrap_or_default();
            let ours = ROOMS.iter().any(|entry| entry.0 == used);
            let for_tests = dependency["kind"].as_str() == Some("dev");
            let face = name != "isotrope-cli" && FACES.contains(&used);
            if !for_tests && (face || (ours && !allowed.contains(&used))) {
                wrong.push(format!("`{name}` may not depend on `{used}`"));
            }
        }
        if let Some((_, words)) = FORBIDDEN.iter().find(|entry| entry.0 == name) {
            let manifest =
                std::path::PathBuf::from(package["manifest_path"].as_str().unwrap_or_default());
            impure(&manifest.with_file_name("src"), words, &mut wrong)?;
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn impure(folder: &std::path::Path, words: &[&str], wrong: &mut Vec<String>) -> Result<(), String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        // Tests may read clock and environment.
        let tests = path.file_stem().is_some_and(|name| name == "tests");
        if tests {
            continue;
        }
        if path.is_dir() {
            impure(&path, words, wrong)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let mut lines = text.lines().enumerate().peekable();
            while let Some((number, line)) = lines.next() {
                // Tests may read clock and environment; those of another file are passed by.
                let tests = line.trim_start().starts_with("#[cfg(test)]");
                if tests && lines.peek().is_some_and(|(_, next)| next.trim_end().ends_with('{')) {
                    break;
                }
                if let Some(word) = words.iter().find(|word| line.contains(*word)) {
                    wrong.push(format!(
                        "{}:{}: `{word}` has no place here",
                        path.display(),
                        number + 1
                    ));
                }
            }
        }
    }
    Ok(())
}
