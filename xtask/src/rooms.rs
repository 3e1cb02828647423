//! How large the rooms are.

use std::path::Path;

use crate::dependencies::ROOMS;

/// Prints the lines of the sources of each crate.
#[expect(clippy::print_stdout, reason = "the answer of the command")]
pub fn print() -> Result<(), String> {
    for (name, _) in ROOMS {
        let folder = match *name {
            "xtask" => Path::new("xtask/src").to_owned(),
            name => Path::new("crates").join(name).join("src"),
        };
        println!("{name:20} {:>6}", lines(&folder)?);
    }
    Ok(())
}

fn lines(folder: &Path) -> Result<usize, String> {
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut sum = 0;
    for entry in std::fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        if path.is_dir() {
            sum += lines(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sum += std::fs::read_to_string(&path).map_err(told)?.lines().count();
        }
    }
    Ok(sum)
}
