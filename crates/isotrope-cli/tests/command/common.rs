//! The files that are shipped.

use std::path::{Path, PathBuf};

use isotrope::rooms::structure::geometry::file::is_geometry;

/// What a file describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A system with equations of motion: `derive`, `check`, `run` and the studies take it.
    System,
    /// An object of geometry: `geometry` takes it.
    Geometry,
    /// A problem in groups of variables: `conditions` and `construct` take it.
    Problem,
    /// A table of coefficients: `certify` and `run --method rkd:` take it.
    Table,
}

/// A file below `models/`.
#[derive(Debug)]
pub struct Shipped {
    /// Where it is.
    pub path: PathBuf,
    /// What it describes.
    pub kind: Kind,
}

/// The directory of the models that are shipped.
pub fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// Everything that is shipped, each with its kind.
pub fn all_models() -> Vec<Shipped> {
    let mut paths = Vec::new();
    collect(&models(), &mut paths);
    paths.sort();
    paths.into_iter().map(|path| Shipped { kind: kind(&path), path }).collect()
}

/// The systems among them.
pub fn all_systems() -> Vec<PathBuf> {
    let systems = all_models().into_iter().filter(|shipped| shipped.kind == Kind::System);
    systems.map(|shipped| shipped.path).collect()
}

/// The name of a model within the folder: `pendulum`, `port/transformer`.
pub fn name(path: &Path) -> String {
    let inside = path.strip_prefix(models()).unwrap().with_extension("");
    inside.to_str().unwrap().to_owned()
}

/// A step and a time for a model: these, or twenty samples where it is a sound, which moves too fast for them.
pub fn course<'t>(text: &str, step: &'t str, time: &'t str) -> [&'t str; 2] {
    let sound = text.lines().any(|line| line.trim_end() == "step = \"1/44100\"");
    if sound { ["1/44100", "20/44100"] } else { [step, time] }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
}

/// Files say what they are by their keys.
fn kind(path: &Path) -> Kind {
    let bytes = std::fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    if text.lines().any(|line| line.trim_end() == "[rates]") {
        Kind::Problem
    } else if text.lines().any(|line| line.starts_with("stages =") || line.starts_with("a = [")) {
        Kind::Table
    } else if is_geometry(&bytes) {
        Kind::Geometry
    } else {
        Kind::System
    }
}

#[test]
fn every_shipped_file_is_known_for_what_it_is() {
    let all = all_models();
    let count = |kind| all.iter().filter(|shipped| shipped.kind == kind).count();
    for (folder, expected) in
        [("geometry", Kind::Geometry), ("groups", Kind::Problem), ("tables", Kind::Table)]
    {
        let inside = all.iter().filter(|shipped| shipped.path.starts_with(models().join(folder)));
        let strange: Vec<&Shipped> = inside.filter(|shipped| shipped.kind != expected).collect();
        assert!(strange.is_empty(), "{strange:?}");
    }
    assert!(all.len() >= 79, "{} files", all.len());
    assert!(count(Kind::System) >= 58, "{} systems", count(Kind::System));
}
