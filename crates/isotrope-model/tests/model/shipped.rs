//! The model files that are shipped.

use std::path::Path;

/// What stands beside the models: other kinds of files.
const OTHERS: [&str; 3] = ["geometry", "groups", "tables"];

/// Every system, by its name below `models/`.
pub fn systems() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut models = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.extend((!OTHERS.contains(&name.as_str())).then_some(path));
            } else if name.ends_with(".toml") {
                models.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    models.sort();
    assert!(models.len() >= 58, "{} systems", models.len());
    models
}
