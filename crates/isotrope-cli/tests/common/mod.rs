//! The models that are shipped.

mod folder;

use std::path::PathBuf;

pub use folder::models;

/// All models that are shipped.
pub fn all_models() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(models())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 15, "the models are where they should be");
    paths
}
