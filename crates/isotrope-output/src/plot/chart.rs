//! What a chart is, before it is drawn.

/// A chart: curves and points over two axes.
///
/// Texts may hold formulas between dollar signs: `"energy $E - E_0$"`, see [`Label`](super::Label).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The data.
    pub series: Vec<Series>,
    /// Values over a rectangle, below everything else.
    pub heat: Option<Heat>,
    /// Straight lines across the chart at values that mean something.
    pub guides: Vec<Guide>,
    /// Are the series named?
    pub legend: Legend,
    /// Is a unit as long upwards as to the right? Only for two linear axes.
    pub aspect_equal: bool,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// What is measured along it.
    pub label: String,
    /// How values become places.
    pub scale: Scale,
    /// From where to where.
    pub range: Range,
}

/// How values become places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal distances for equal differences.
    #[default]
    Linear,
    /// Equal distances for equal ratios. Values that are not positive have no place and are left
    /// out; the chart says how many.
    Log10,
}

/// From where to where an axis goes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Range {
    /// What the data need.
    #[default]
    Auto,
    /// As given; what lies outside is cut off.
    Fixed {
        /// The least value.
        low: f64,
        /// The largest value.
        high: f64,
    },
}

/// A set of points that belong together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Its name in the legend; without one it is not there.
    pub name: String,
    /// The points in their order. A point that is not finite is a gap.
    pub points: Vec<(f64, f64)>,
    /// Curve, points or both.
    pub style: Style,
    /// The pattern of the curve.
    pub dash: Dash,
    /// Its colour and marker.
    pub colour: Colour,
}

/// Curve, points or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// A curve through the points.
    #[default]
    Line,
    /// The points alone.
    Points,
    /// Both.
    LineAndPoints,
}

/// The pattern of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dash {
    /// Solid until the colours are used up, then another pattern for each round.
    #[default]
    Auto,
    /// ────
    Solid,
    /// ─ ─ ─
    Dashed,
    /// · · ·
    Dotted,
    /// ─ · ─
    DashDotted,
}

/// The colour of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colour {
    /// The next one that no series before has.
    #[default]
    Next,
    /// A colour of the palette; beyond its end with another marker and pattern.
    Index(usize),
    /// Grey, for what only helps to read the others.
    Soft,
}

/// Values over a rectangle, shown by colours, with a bar that says what they mean.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Heat {
    /// How many values there are across.
    pub columns: usize,
    /// How many there are upwards.
    pub rows: usize,
    /// The left and the right end.
    pub x: (f64, f64),
    /// The lower and the upper end.
    pub y: (f64, f64),
    /// The values, row by row from below. Where one is not finite there is none.
    pub values: Vec<f64>,
    /// What the values are.
    pub label: String,
    /// From where to where the colours go.
    pub range: Range,
    /// The names of things whose numbers the values are; without names they are quantities.
    pub names: Vec<String>,
    /// Which colours.
    pub tint: Tint,
}

/// The colours of quantities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tint {
    /// From dark to light, for any quantity.
    #[default]
    Map,
    /// From paper to ink, for how many there are; no bar.
    Density,
}

/// A straight line across the chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Guide {
    /// Which axis it stands on.
    pub on: Direction,
    /// Where.
    pub at: f64,
    /// What it means.
    pub label: String,
}

/// One of two axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The horizontal one.
    X,
    /// The vertical one.
    Y,
}

/// Are the series named?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Legend {
    /// If there is more than one name: above the chart if they are few, beside it otherwise.
    #[default]
    Auto,
    /// No.
    Hidden,
}

/// The size of a drawing in pixels of 1/96 inch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

impl Default for Size {
    fn default() -> Self {
        Self { width: 720.0, height: 440.0 }
    }
}

impl Axis {
    /// A linear axis as long as the data need.
    #[must_use]
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, range: Range::Auto }
    }

    /// A logarithmic axis as long as the data need.
    #[must_use]
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log10, range: Range::Auto }
    }
}

impl Series {
    /// A curve in the next colour.
    #[must_use]
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, ..Self::default() }
    }

    /// Points in the next colour.
    #[must_use]
    pub fn points(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { style: Style::Points, ..Self::line(name, points) }
    }

    /// A curve with marks at its points, in the next colour.
    #[must_use]
    pub fn marked(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { style: Style::LineAndPoints, ..Self::line(name, points) }
    }
}
