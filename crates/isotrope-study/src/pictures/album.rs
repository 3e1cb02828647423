//! Pictures of a run, gathered while it goes on.

use isotrope_kernel::integrate::Measures;
use isotrope_kernel::stepper::Rotation;
use isotrope_model::Units;

use super::drawn::Drawn;
use super::extremes::Extremes;
use super::globe::{Globe, Traced};
use super::path::Path;
use crate::scene::{Scene, ScenePoint, SceneSource};
use crate::{Sink, SinkError};
use isotrope_output::plot::{Axis, Chart, Series, Style, formula_of};
use isotrope_tape::interpret::Scratch;

/// What a picture of a run shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// Coordinates against time.
    Time,
    /// Velocities against coordinates.
    Phase,
    /// The paths of points in the plane, or two coordinates.
    Configuration,
    /// The error of the energy against time.
    Energy,
    /// Violations of constraints against time.
    Constraints,
    /// The axes of a body on the sphere of space.
    Sphere,
    /// The momentum of a body on its sphere.
    Polhode,
}

/// Curves of a picture, at most; more cannot be told apart.
pub(super) const MOST: usize = 12;

/// Why a run has no picture of some kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// There is no plane to draw in.
    #[error(
        "there is no configuration to draw: the {coordinates} coordinates are neither points (x, y) \
         of the plane nor two"
    )]
    NoPlane {
        /// How many coordinates there are.
        coordinates: usize,
    },
    /// The group moves nothing.
    #[error("there is no configuration to draw: the group has no translations")]
    NoPlaneOnGroup,
    /// There is no rotation of space.
    #[error("the model has no rotation of space to draw")]
    NoRotation,
    /// Velocities that belong to no coordinate.
    #[error("on a Lie group velocities are not the rates of the numbers of a configuration")]
    NoPhase,
    /// One axis has one unit.
    #[error("`{first}` and `{other}` have different units, and an axis has one")]
    DifferentUnits {
        /// The first coordinate.
        first: String,
        /// Another one.
        other: String,
    },
    /// Nothing can be violated.
    #[error("there are no constraints whose violation could be drawn")]
    NoConstraints,
}

impl PictureError {
    /// A way out.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoPlane { .. } => "draw `time` or `phase` instead",
            Self::NoRotation => {
                "it is for groups with SO(3) or SE(3); draw `configuration` or `time` instead"
            }
            Self::NoPlaneOnGroup | Self::NoPhase => {
                "draw `time` instead, or `sphere` and `polhode` of bodies in space"
            }
            Self::DifferentUnits { .. } => {
                "draw them one by one, one file each: --plot-what \"x : v_x\""
            }
            Self::NoConstraints => "draw `energy` instead",
        }
    }
}

/// Keeps of a run what its pictures need; memory does not grow with the run.
#[derive(Debug, Clone)]
pub struct Album {
    /// Names of the coordinates.
    coordinates: Vec<String>,
    pages: Vec<Page>,
    measures: Measures,
    scratch: Scratch,
    units: Units,
}

/// A curve in a plane: its names and columns, and the curve.
type Plane = ([String; 2], [usize; 2], Path);

/// The ways of bodies in the plane of their first two translations, or of the two coordinates beside a group,
/// with the columns of rows.
fn translations(numbers: &[String], rotations: &[Rotation]) -> Vec<Plane> {
    let path = |first: usize| {
        let names = [numbers.get(first)?.clone(), numbers.get(first + 1)?.clone()];
        Some((names, [first + 1, first + 2], Path::default()))
    };
    let moving = rotations.iter().filter(|rotation| rotation.shifts >= 2);
    let places = moving.map(|rotation| rotation.first + rotation.count);
    let paths: Vec<Plane> = places.filter_map(path).take(MOST).collect();
    let ends = rotations.iter().map(|rotation| rotation.first + rotation.count + rotation.shifts);
    let beside = ends.max().unwrap_or(0);
    match paths.is_empty() && numbers.len() == beside + 2 {
        true => path(beside).into_iter().collect(),
        false => paths,
    }
}

/// What one picture keeps.
#[derive(Debug, Clone)]
struct Page {
    picture: Picture,
    /// Against time: name, column.
    curves: Vec<(String, usize, Extremes)>,
    /// In a plane: names, columns.
    paths: Vec<Plane>,
    /// On a sphere.
    globe: Option<Globe>,
    /// Paths are those of its points, and not of two columns.
    scene: Option<Box<Scene>>,
    /// Curves and paths are those of its expressions, and not of columns.
    drawn: Option<Box<Drawn>>,
}

impl Album {
    /// Room for pictures of a run with these coordinates; `constraints` says whether there are
    /// constraints on positions and on velocities.
    pub fn new(
        coordinates: &[String],
        constraints: [bool; 2],
        scene: Option<&Scene>,
        pictures: &[Picture],
    ) -> Result<Self, PictureError> {
        let declared = scene.filter(|scene| {
            let own = matches!(scene.source, SceneSource::Declared | SceneSource::Definitions);
            own && scene.is_in_space()
        });
        let pages = pictures
            .iter()
            .map(|&picture| match (picture, declared) {
                (Picture::Configuration, Some(scene)) => Ok(Page::of_scene(scene)),
                _ => Page::new(picture, coordinates, constraints),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self::of(coordinates, pages))
    }

    fn of(coordinates: &[String], pages: Vec<Page>) -> Self {
        let (measures, scratch) = (Measures::default(), Scratch::default());
        let (coordinates, units) = (coordinates.to_vec(), Units::default());
        Self { coordinates, pages, measures, scratch, units }
    }

    /// The same with units in its labels. An axis has one: velocities of coordinates with different units are not
    /// drawn against each other's.
    pub fn with_units(mut self, units: &Units) -> Result<Self, PictureError> {
        for page in self.pages.iter().filter(|page| page.is_phase()) {
            let unit = |(names, ..): &Plane| units.of(&names[0]).map(str::to_owned);
            let Some(first) = page.paths.first() else { continue };
            if let Some(other) = page.paths.iter().find(|path| unit(path) != unit(first)) {
                let (first, other) = (first.0[0].clone(), other.0[0].clone());
                return Err(PictureError::DifferentUnits { first, other });
            }
        }
        self.units = units.clone();
        Ok(self)
    }

    /// The same on a Lie group: `rates` is the number of velocities.
    pub fn on_group(
        numbers: &[String],
        (rates, rotations): (usize, &[Rotation]),
        constraints: [bool; 2],
        pictures: &[Picture],
    ) -> Result<Self, PictureError> {
        let turning = rotations.iter().find(|rotation| rotation.count == 4).copied();
        let mut pages = Vec::with_capacity(pictures.len());
        for &picture in pictures {
            let traced = turning.map(|rotation| match picture {
                Picture::Polhode => Traced::Momentum(1 + numbers.len() + rates + rotation.rate),
                _ => Traced::Axes(rotation),
            });
            pages.push(match picture {
                Picture::Phase => return Err(PictureError::NoPhase),
                Picture::Sphere | Picture::Polhode => {
                    let traced = traced.ok_or(PictureError::NoRotation)?;
                    Page { globe: Some(Globe::new(traced)), ..Page::empty(picture) }
                }
                Picture::Configuration => {
                    let paths = translations(numbers, rotations);
                    if paths.is_empty() {
                        return Err(PictureError::NoPlaneOnGroup);
                    }
                    Page { paths, ..Page::empty(picture) }
                }
                _ => Page::new(picture, numbers, constraints)?,
            });
        }
        Ok(Self::of(numbers, pages))
    }

    /// Puts a picture of expressions at a place among the others.
    pub fn insert(&mut self, at: usize, drawn: Drawn) {
        let at = at.min(self.pages.len());
        self.pages.insert(at, Page::of_expressions(drawn));
    }

    /// The pictures, in the order in which they were asked for; `title` says which run it is.
    #[must_use]
    pub fn charts(&self, title: &str) -> Vec<Chart> {
        let labelled = |page: &Page| page.chart(title, self.coordinates.len(), &self.units);
        self.pages.iter().map(labelled).collect()
    }
}

impl Sink for Album {
    fn measured(&mut self, measures: Measures) {
        self.measures = measures;
    }

    fn row(&mut self, row: &[f64]) -> Result<(), SinkError> {
        for page in &mut self.pages {
            page.row(row, self.coordinates.len(), &self.measures, &mut self.scratch);
        }
        Ok(())
    }
}

impl Page {
    /// Does it show velocities against coordinates, several on the same axes?
    fn is_phase(&self) -> bool {
        self.picture == Picture::Phase && self.drawn.is_none()
    }

    fn empty(picture: Picture) -> Self {
        let (curves, paths) = (Vec::new(), Vec::new());
        Self { picture, curves, paths, globe: None, scene: None, drawn: None }
    }

    /// Expressions against time, or one against another.
    fn of_expressions(drawn: Drawn) -> Self {
        let texts = &drawn.texts;
        let (picture, curves, paths) = match (&texts[..], drawn.plane) {
            ([x, y], true) => {
                let path = ([x.clone(), y.clone()], [0, 1], Path::default());
                (Picture::Phase, Vec::new(), vec![path])
            }
            _ => {
                let curve = |(k, text): (usize, &String)| (text.clone(), k, Extremes::default());
                (Picture::Time, texts.iter().enumerate().map(curve).collect(), Vec::new())
            }
        };
        Self { curves, paths, drawn: Some(Box::new(drawn)), ..Self::empty(picture) }
    }

    /// The paths of the points of a scene, seen along the third axis.
    fn of_scene(scene: &Scene) -> Self {
        let axes = |k: usize| scene.axes.get(k).cloned().unwrap_or_default();
        let named = scene.points.len() > 1;
        let path = |point: &ScenePoint| {
            let names = match named {
                true => [point.name.clone(), String::new()],
                false => [axes(0), axes(1)],
            };
            (names, [0, 0], Path::default())
        };
        Self {
            paths: scene.points.iter().take(MOST).map(path).collect(),
            scene: Some(Box::new(scene.clone())),
            ..Self::empty(Picture::Configuration)
        }
    }

    fn new(
        picture: Picture,
        names: &[String],
        constraints: [bool; 2],
    ) -> Result<Self, PictureError> {
        let mut page = Self::empty(picture);
        let curve = |name: &str, column| (name.to_owned(), column, Extremes::default());
        let count = names.len();
        // Columns: time, positions, velocities, …
        match picture {
            Picture::Time => {
                page.curves = (0..count.min(MOST)).map(|i| curve(&names[i], 1 + i)).collect();
            }
            Picture::Phase => {
                let path = |i: usize| {
                    let axes = [names[i].clone(), format!("v_{}", names[i])];
                    (axes, [1 + i, 1 + count + i], Path::default())
                };
                page.paths = (0..count.min(MOST)).map(path).collect();
            }
            Picture::Configuration => {
                let mut pairs = planar_points(names);
                if pairs.is_empty() && count == 2 {
                    pairs.push([0, 1]);
                }
                if pairs.is_empty() {
                    return Err(PictureError::NoPlane { coordinates: count });
                }
                let path = |[i, j]: [usize; 2]| {
                    ([names[i].clone(), names[j].clone()], [1 + i, 1 + j], Path::default())
                };
                page.paths = pairs.into_iter().take(MOST).map(path).collect();
            }
            Picture::Sphere | Picture::Polhode => return Err(PictureError::NoRotation),
            Picture::Energy => page.curves = vec![curve("", 0)],
            Picture::Constraints => {
                let levels = ["positions $|phi(q)|$", "velocities $|A v + b|$"];
                page.curves = (0..2)
                    .filter(|&level| constraints[level])
                    .map(|level| curve(levels[level], level))
                    .collect();
                if page.curves.is_empty() {
                    return Err(PictureError::NoConstraints);
                }
            }
        }
        Ok(page)
    }

    fn row(&mut self, row: &[f64], coordinates: usize, measures: &Measures, scratch: &mut Scratch) {
        let time = row.first().copied().unwrap_or(f64::NAN);
        let values = self.drawn.as_ref().map(|drawn| drawn.at(row, scratch).unwrap_or_default());
        let numbers = values.as_deref().unwrap_or(row);
        let number = |column: usize| numbers.get(column).copied().unwrap_or(f64::NAN);
        if let Some(globe) = &mut self.globe {
            globe.row(row);
        }
        for (_, column, values) in &mut self.curves {
            let value = match (self.picture, *column) {
                (Picture::Energy, _) => measures.energy,
                (Picture::Constraints, 0) => measures.position,
                (Picture::Constraints, _) => measures.velocity,
                (_, column) => number(column),
            };
            values.push(time, value);
        }
        if let Some(scene) = &self.scene {
            let Some((q, v)) = row.get(1..1 + 2 * coordinates).map(|r| r.split_at(coordinates))
            else {
                return;
            };
            for ((_, _, path), [x, y, _]) in
                self.paths.iter_mut().zip(scene.points_at(time, q, v).into_iter().flatten())
            {
                path.push((x, y));
            }
            return;
        }
        for (_, [across, up], path) in &mut self.paths {
            path.push((number(*across), number(*up)));
        }
    }

    fn chart(&self, title: &str, coordinates: usize, units: &Units) -> Chart {
        if let Some(globe) = &self.globe {
            return globe.chart(title);
        }
        let (title, series) = (title.to_owned(), self.series(units));
        let time = Axis::linear(with_unit("time $t$".to_owned(), units.time()));
        let only = |word: &str| match coordinates > MOST {
            true => format!("{word} (first {MOST} of {coordinates})"),
            false => word.to_owned(),
        };
        match self.picture {
            Picture::Time => {
                let label = match &self.curves[..] {
                    [(name, ..)] => self.labelled(name, units),
                    _ if self.drawn.is_some() => String::new(),
                    _ => only("coordinates"),
                };
                Chart { title, x: time, y: Axis::linear(label), series, ..Chart::default() }
            }
            Picture::Energy => {
                let y = Axis::log("energy error $|E - E_0 - W|$");
                Chart { title, x: time, y, series, ..Chart::default() }
            }
            Picture::Constraints => {
                let label = match &self.curves[..] {
                    [(name, ..)] => format!("violation, {name}"),
                    _ => "violation of constraints".to_owned(),
                };
                Chart { title, x: time, y: Axis::log(label), series, ..Chart::default() }
            }
            Picture::Phase | Picture::Configuration | Picture::Sphere | Picture::Polhode => {
                let [x, y] = match (&self.paths[..], self.picture) {
                    ([(names, ..)], _) if self.scene.is_none() => {
                        [self.labelled(&names[0], units), self.labelled(&names[1], units)]
                    }
                    ([(names, ..)], _) => [self.named(&names[0]), self.named(&names[1])],
                    ([(names, ..), ..], Picture::Phase) => {
                        let unit = units.of(&names[0]);
                        let rate = units.of_velocity(&names[0]);
                        let velocity = with_unit("velocity".to_owned(), rate.as_deref());
                        [with_unit(only("coordinate"), unit), velocity]
                    }
                    _ => ["$x$".to_owned(), "$y$".to_owned()],
                };
                let planar = |names: &[String; 2]| suffix(&names[0], 'x').is_some();
                let aspect_equal = self.picture == Picture::Configuration
                    && (self.scene.is_some() || self.paths.iter().all(|(names, ..)| planar(names)));
                let (x, y) = (Axis::linear(x), Axis::linear(y));
                Chart { title, x, y, series, aspect_equal, ..Chart::default() }
            }
        }
    }

    /// A column as a formula; an expression as it was written.
    fn named(&self, text: &str) -> String {
        let name = text.chars().all(|c| c.is_alphanumeric() || "_[],".contains(c));
        if self.drawn.is_none() || name { formula_of(text) } else { text.to_owned() }
    }

    /// The same with its unit, if it is the column of a coordinate or of its velocity.
    fn labelled(&self, text: &str, units: &Units) -> String {
        let rate = text.strip_prefix("v_").and_then(|name| units.of_velocity(name));
        let unit = units.of(text).map(str::to_owned).or(rate);
        with_unit(self.named(text), unit.as_deref())
    }

    fn series(&self, units: &Units) -> Vec<Series> {
        let plain = matches!(self.picture, Picture::Energy | Picture::Constraints);
        let curves = self.curves.iter().map(|(name, _, values)| {
            let name = if plain { name.clone() } else { self.labelled(name, units) };
            Series::line(name, values.curve())
        });
        let paths = self.paths.iter().map(|(names, _, path)| {
            let mut name = match self.picture {
                Picture::Phase if self.drawn.is_some() => format!("{} : {}", names[0], names[1]),
                Picture::Phase => formula_of(&names[0]),
                _ if self.scene.is_some() && self.paths.len() > 1 => formula_of(&names[0]),
                _ => format!("({}, {})", formula_of(&names[0]), formula_of(&names[1])),
            };
            if path.stride() > 1 {
                name.push_str(&format!(", every {}th step", path.stride()));
            }
            let style = if path.is_curve() { Style::Line } else { Style::Points };
            Series { style, ..Series::line(name, path.points().to_vec()) }
        });
        curves.chain(paths).collect()
    }
}

/// A label with a unit behind it; `$` and braces would be formulas.
fn with_unit(label: String, unit: Option<&str>) -> String {
    match unit {
        Some(unit) => format!("{label} ({})", unit.replace(['$', '{', '}', '\\'], "")),
        None => label,
    }
}

/// What follows the letter of a coordinate in the plane: nothing, a number, an index.
fn suffix(name: &str, letter: char) -> Option<&str> {
    let rest = name.strip_prefix(letter)?;
    let end = |character: char| character.is_ascii_digit() || "[],_".contains(character);
    rest.chars().all(end).then_some(rest)
}

/// Pairs of coordinates that are points of the plane: `x` and `y`, `x1` and `y1`, `x[1]` and
/// `y[1]`. A `z` of the same name makes them points of space, which are seen from above.
///
/// ```
/// use isotrope_study::pictures::planar_points;
/// let names = ["x1", "y1", "theta", "x2", "y2"].map(str::to_owned);
/// assert_eq!(planar_points(&names), [[0, 1], [3, 4]]);
/// ```
#[must_use]
pub fn planar_points(names: &[String]) -> Vec<[usize; 2]> {
    let partner = |rest: &str| names.iter().position(|name| suffix(name, 'y') == Some(rest));
    let pair = |(i, name): (usize, &String)| Some([i, partner(suffix(name, 'x')?)?]);
    names.iter().enumerate().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|&name| name.to_owned()).collect()
    }

    /// A circle with radius 1: t, x, y, v_x, v_y.
    fn filled(pictures: &[Picture]) -> Album {
        let mut album = Album::new(&names(&["x", "y"]), [true, true], None, pictures).unwrap();
        for k in 0..5u32 {
            let (x, y) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][k as usize % 4];
            let size = f64::from(k);
            album.measured(Measures { energy: size, position: 2.0 * size, velocity: 3.0 * size });
            album.row(&[size, x, y, -y, x]).unwrap();
        }
        album
    }

    #[test]
    fn each_picture_shows_its_columns() {
        use Picture::{Configuration, Constraints, Energy, Phase, Time};
        let album = filled(&[Time, Phase, Configuration, Energy, Constraints]);
        let charts = album.charts("Circle");
        let points = |chart: usize, series: usize| charts[chart].series[series].points.clone();
        assert_eq!(points(0, 1)[..2], [(0.0, 0.0), (1.0, 1.0)]);
        assert_eq!(points(1, 0)[..2], [(1.0, -0.0), (0.0, -1.0)]);
        assert_eq!(points(2, 0)[..2], [(1.0, 0.0), (0.0, 1.0)]);
        assert_eq!(points(3, 0)[3], (3.0, 3.0));
        assert_eq!(points(4, 0)[2], (2.0, 4.0));
        assert_eq!(points(4, 1)[2], (2.0, 6.0));
        assert!(charts[2].aspect_equal && !charts[1].aspect_equal);
    }

    #[test]
    fn what_cannot_be_drawn_says_why() {
        let three = names(&["x", "theta", "phi"]);
        let refused = |picture| Album::new(&three, [false, false], None, &[picture]).unwrap_err();
        assert_eq!(refused(Picture::Configuration), PictureError::NoPlane { coordinates: 3 });
        assert_eq!(refused(Picture::Constraints), PictureError::NoConstraints);
        // Two angles are a plane without equal units.
        let two = names(&["theta1", "theta2"]);
        let album = Album::new(&two, [false, false], None, &[Picture::Configuration]).unwrap();
        assert!(!album.charts("")[0].aspect_equal);
    }

    #[test]
    fn large_systems_have_few_curves() {
        let many: Vec<String> = (0..1000).map(|k| format!("x[{k}]")).collect();
        let pictures = [Picture::Time, Picture::Phase];
        let album = Album::new(&many, [false, false], None, &pictures).unwrap();
        for chart in album.charts("") {
            assert_eq!(chart.series.len(), MOST);
            assert!(format!("{}{}", chart.x.label, chart.y.label).contains("first 12 of 1000"));
        }
    }
}
