//! A drawing as a list of lines, signs and texts; what SVG and pixels have in common.

use super::clip::Point;
use super::label::Label;
use super::palette::{Ink, Marker, Rgb};

/// A drawing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scene {
    pub width: f64,
    pub height: f64,
    /// What is drawn, in words.
    pub title: String,
    pub description: String,
    pub items: Vec<Item>,
}

/// A piece of a drawing.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// Open curves in one style.
    Curves {
        curves: Vec<Vec<Point>>,
        ink: Ink,
        width: f64,
        dash: &'static [f64],
        /// What it is called.
        name: String,
    },
    /// Signs at points.
    Markers { points: Vec<Point>, shape: Marker, radius: f64, ink: Ink, name: String },
    /// A line of text.
    Text { at: Point, anchor: Anchor, upwards: bool, size: f64, ink: Ink, label: Label },
    /// A rectangle of coloured cells, row by row from the top.
    Image { corner: Point, opposite: Point, columns: usize, pixels: Vec<Rgb> },
    /// The outline of a rectangle.
    Outline { corner: Point, opposite: Point, ink: Ink },
}

/// Which end of a text is where it is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Marker {
    /// The polygon of a sign around the origin with radius 1, unless it is a disc or has no area.
    pub(super) fn polygon(self) -> &'static [Point] {
        match self {
            Self::Square => &[(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)],
            Self::Triangle => &[(0.0, -1.15), (1.05, 0.75), (-1.05, 0.75)],
            Self::Diamond => &[(0.0, -1.2), (1.0, 0.0), (0.0, 1.2), (-1.0, 0.0)],
            Self::Downwards => &[(0.0, 1.15), (-1.05, -0.75), (1.05, -0.75)],
            Self::Disc | Self::Cross | Self::Plus => &[],
        }
    }

    /// The strokes of a sign without area.
    pub(super) fn strokes(self) -> &'static [(Point, Point)] {
        match self {
            Self::Cross => &[((-0.9, -0.9), (0.9, 0.9)), ((-0.9, 0.9), (0.9, -0.9))],
            Self::Plus => &[((-1.15, 0.0), (1.15, 0.0)), ((0.0, -1.15), (0.0, 1.15))],
            _ => &[],
        }
    }
}
