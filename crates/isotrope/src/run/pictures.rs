//! Pictures that `isotrope run` draws.

use std::path::{Path, PathBuf};

use isotrope_kernel::integrate::{Measures, Sink, SinkError};
use isotrope_kernel::stepper::Stepper;
use isotrope_study::pictures::{Album, Picture};
use isotrope_study::plot::{Chart, Size, Theme, to_png, to_svg};
use isotrope_study::writers::Writer;

use crate::cli::{PictureName, Run};
use crate::commands::FileError;
use crate::commands::integrating::refuse;
use crate::exit::Exit;

/// Dots of a PNG file for each pixel of its size.
const SCALE: f64 = 2.0;

/// The pictures of a run and where they go.
#[derive(Debug)]
pub(crate) struct Drawings {
    album: Album,
    files: Vec<(PathBuf, Format)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

impl Format {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }

    fn bytes(self, chart: &Chart) -> Vec<u8> {
        let size = Size::default();
        match self {
            Self::Svg => to_svg(chart, &size).into_bytes(),
            Self::Png => to_png(chart, &size, SCALE, Theme::Light),
        }
    }
}

/// The format that the name of a file asks for.
fn format(path: &Path) -> Result<Format, Exit> {
    Format::of(path).ok_or_else(|| {
        let message = format!("`{}` is no name of a picture", path.display());
        let (svg, png) = (path.with_extension("svg"), path.with_extension("png"));
        let hint = format!("write `{}` or `{}`", svg.display(), png.display());
        refuse("ISO-RUN-009", &message, &hint)
    })
}

/// A picture that is asked for, before there is anything to draw.
#[derive(Debug)]
pub(crate) struct Drawing {
    path: PathBuf,
    format: Format,
}

impl Drawing {
    /// What the argument asks for; none if there is none.
    pub(crate) fn new(path: Option<&Path>) -> Result<Option<Self>, Exit> {
        let drawing = |path: &Path| Ok(Self { path: path.to_owned(), format: format(path)? });
        path.map(drawing).transpose()
    }

    /// Writes the file.
    pub(crate) fn write(&self, chart: &Chart) -> Result<(), FileError> {
        std::fs::write(&self.path, self.format.bytes(chart))
            .map_err(|error| FileError::Unwritable(self.path.clone(), error))
    }
}

impl Drawings {
    /// What the arguments ask for, before the run; none if there are no pictures to draw.
    pub(crate) fn new(arguments: &Run, stepper: &Stepper) -> Result<Option<Self>, Exit> {
        let constraints = [stepper.has_positions, !stepper.constraint_names.is_empty()];
        let (plots, whats) = (&arguments.plot, &arguments.plot_what);
        if plots.is_empty() {
            return Ok(None);
        }
        if whats.len() > plots.len() {
            let message =
                format!("{} times --plot-what for {} times --plot", whats.len(), plots.len());
            return Err(refuse("ISO-RUN-009", &message, "give each picture a file of its own"));
        }
        let mut files = Vec::new();
        for path in plots {
            let format = format(path)?;
            if files.iter().any(|(other, _)| other == path) {
                let message = format!("two pictures would be written to `{}`", path.display());
                return Err(refuse("ISO-RUN-009", &message, "give each a file of its own"));
            }
            files.push((path.clone(), format));
        }
        let what = |k: usize| whats.get(k).map_or(Picture::Time, |name| picture(*name));
        let pictures: Vec<Picture> = (0..plots.len()).map(what).collect();
        let album = if stepper.rotations.is_empty() {
            Album::new(&stepper.names, constraints, &pictures)
        } else {
            let rates = (stepper.layout.rates, &stepper.rotations[..]);
            Album::on_group(&stepper.names, rates, constraints, &pictures)
        };
        match album {
            Ok(album) => Ok(Some(Self { album, files })),
            Err(error) => Err(refuse("ISO-RUN-010", &error.to_string(), error.hint())),
        }
    }

    /// Writes the files under a title, which may hold formulas; a line about each.
    pub(crate) fn write(&self, title: &str) -> Result<Vec<String>, FileError> {
        let charts = self.album.charts(title);
        let mut lines = Vec::new();
        for ((path, format), chart) in self.files.iter().zip(charts) {
            std::fs::write(path, format.bytes(&chart))
                .map_err(|error| FileError::Unwritable(path.clone(), error))?;
            lines.push(format!("picture in {}", path.display()));
        }
        Ok(lines)
    }
}

fn picture(name: PictureName) -> Picture {
    match name {
        PictureName::Time => Picture::Time,
        PictureName::Phase => Picture::Phase,
        PictureName::Configuration => Picture::Configuration,
        PictureName::Energy => Picture::Energy,
        PictureName::Constraints => Picture::Constraints,
        PictureName::Sphere => Picture::Sphere,
        PictureName::Polhode => Picture::Polhode,
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
