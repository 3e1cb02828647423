//! `isotrope plot`: not a command, but a word that people try.

use isotrope::Failure;
use isotrope::codes::RunCode;

use super::refuse;
use crate::cli::Plot;
use crate::exit::Exit;

/// Says how pictures are drawn.
pub fn run(arguments: &Plot) -> Exit {
    let model = arguments.rest.iter().find(|word| word.ends_with(".toml"));
    let model = model.map_or("MODEL.toml", String::as_str);
    let hint = format!(
        "isotrope run {model} --plot motion.svg; --plot-what phase, energy, … chooses what it shows"
    );
    refuse(&Failure::plain(RunCode::PictureFile, "pictures are drawn by `run --plot`", hint))
}
