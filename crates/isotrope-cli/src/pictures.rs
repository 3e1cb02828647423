//! Pictures that commands draw, and where they go.

use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use isotrope::codes::RunCode;
use isotrope::rooms::kernel::integrate::{Measures, Sink, SinkError};
use isotrope::rooms::output::plot::{Chart, Size, Theme, to_png, to_svg};
use isotrope::rooms::output::writers::Writer;
use isotrope::rooms::study::pictures::{Album, Picture};
use isotrope::{Failure, Host, Steps, System};

use crate::names::PictureName;
use crate::surroundings::name;

/// Dots of a PNG file for each pixel of its size.
const SCALE: f64 = 2.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

/// A picture that is asked for, before there is anything to draw.
#[derive(Debug)]
pub(crate) struct Drawing {
    path: PathBuf,
    format: Format,
}

impl Drawing {
    /// The extension of the name chooses the format.
    pub(crate) fn new(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let format = match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            _ => {
                let message = format!("`{}` is not the name of a picture", path.display());
                let (svg, png) = (path.with_extension("svg"), path.with_extension("png"));
                let hint = format!("write `{}` or `{}`", svg.display(), png.display());
                return Err(refused(message, &hint));
            }
        };
        Ok(Self { path: path.to_owned(), format })
    }

    /// Writes the file.
    pub(crate) fn write(&self, host: &Host, chart: &Chart) -> Result<(), Failure> {
        let size = Size::default();
        let bytes = match self.format {
            Format::Svg => to_svg(chart, &size).into_bytes(),
            Format::Png => to_png(chart, &size, SCALE, Theme::Light),
        };
        Ok(host.files().write(&name(&self.path), &bytes)?)
    }
}

fn refused(message: String, hint: &str) -> Failure {
    Failure::plain(RunCode::PictureFile, message, hint.to_owned())
}

/// What a picture shows.
enum What {
    Named(Picture),
    Expressions(String),
}

impl What {
    fn read(text: &str) -> Self {
        match PictureName::from_str(text, false) {
            Ok(name) => Self::Named(name.into()),
            Err(_) => Self::Expressions(text.to_owned()),
        }
    }

    fn picture(&self) -> Option<Picture> {
        match self {
            Self::Named(picture) => Some(*picture),
            Self::Expressions(_) => None,
        }
    }
}

/// What is to be drawn, if it is not the name of a file: a name that ends in a few letters after a point is one.
fn expressions(plot: &Path) -> Option<&str> {
    let text = plot.to_str()?;
    let ending = text.rsplit_once('.').map(|(_, ending)| ending);
    let file = ending.is_some_and(|ending| {
        (2..=4).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_alphabetic())
    });
    (!file).then_some(text)
}

/// A file that none of the others is.
fn numbered(stem: &str, files: &[Drawing]) -> PathBuf {
    let taken = |path: &PathBuf| files.iter().any(|other| other.path == *path);
    let first = PathBuf::from(format!("{stem}.svg"));
    let mut rest = (2..).map(|k| PathBuf::from(format!("{stem}-{k}.svg")));
    match taken(&first) {
        false => first,
        true => rest.find(|path| !taken(path)).unwrap_or(first),
    }
}

/// The pictures of a run and where they go.
#[derive(Debug)]
pub(crate) struct Drawings {
    album: Album,
    files: Vec<Drawing>,
}

impl Drawings {
    /// What the arguments ask for, before the run; none if there are no pictures to draw. What does not end like a
    /// picture after --plot is what to draw, in `stem`.svg.
    pub(crate) fn new(
        plots: &[PathBuf],
        whats: &[String],
        stem: &str,
        (system, steps): (&mut System, &Steps),
    ) -> Result<Option<Self>, Failure> {
        if plots.is_empty() {
            return Ok(None);
        }
        let mut whats = whats.iter();
        let mut files: Vec<Drawing> = Vec::new();
        let mut wanted: Vec<What> = Vec::new();
        for plot in plots {
            let (path, what) = match expressions(plot) {
                Some(text) => (numbered(stem, &files), text.to_owned()),
                None => (plot.clone(), whats.next().cloned().unwrap_or_else(|| "time".to_owned())),
            };
            let drawing = Drawing::new(&path)?;
            if files.iter().any(|other| other.path == path) {
                let message = format!("two pictures would be written to `{}`", path.display());
                return Err(refused(message, "give each a file of its own"));
            }
            files.push(drawing);
            wanted.push(What::read(&what));
        }
        let left = whats.count();
        if left > 0 {
            let message = format!("--plot-what is given {left} times more than --plot FILE");
            return Err(refused(message, "give each picture a file of its own"));
        }
        let pictures: Vec<Picture> = wanted.iter().filter_map(What::picture).collect();
        let scene = match pictures.contains(&Picture::Configuration) {
            true => Some(system.scene()?),
            false => None,
        };
        let mut album = steps.album(scene.as_deref(), &pictures)?;
        for (k, what) in wanted.iter().enumerate() {
            if let What::Expressions(text) = what {
                album.insert(k, steps.drawn(system, text)?);
            }
        }
        Ok(Some(Self { album, files }))
    }

    /// Writes the files under a title, which may hold formulas; a line about each.
    pub(crate) fn write(&self, host: &Host, title: &str) -> Result<Vec<String>, Failure> {
        let charts = self.album.charts(title);
        let mut lines = Vec::new();
        for (drawing, chart) in self.files.iter().zip(charts) {
            drawing.write(host, &chart)?;
            lines.push(format!("picture in {}", drawing.path.display()));
        }
        Ok(lines)
    }
}

/// Where the rows of a run go: into a file, into pictures, both or nowhere.
pub(crate) struct Kept<'a> {
    pub(crate) writer: Option<&'a mut Box<dyn Writer>>,
    pub(crate) drawings: Option<&'a mut Drawings>,
}

impl Sink for Kept<'_> {
    fn measured(&mut self, measures: Measures) {
        if let Some(drawings) = &mut self.drawings {
            drawings.album.measured(measures);
        }
    }

    fn row(&mut self, row: &[f64]) -> Result<(), SinkError> {
        if let Some(drawings) = &mut self.drawings {
            drawings.album.row(row)?;
        }
        match &mut self.writer {
            Some(writer) => writer.row(row),
            None => Ok(()),
        }
    }
}
