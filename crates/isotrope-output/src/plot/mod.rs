//! Pictures: charts of our own, as SVG and as pixels.
//!
//! ```text
//! Chart ─layout, draw▶ Scene ─svg▶ text
//!                            ─raster▶ PNG
//! ```
//!
//! ```
//! use isotrope_output::plot::{Axis, Chart, Series, Size, to_svg};
//! let points = (0..100).map(|k| (f64::from(k), f64::from(k * k))).collect();
//! let chart = Chart {
//!     title: "A parabola".to_owned(),
//!     x: Axis::linear("$k$"),
//!     y: Axis::linear("$k^2$"),
//!     series: vec![Series::line("", points)],
//!     ..Chart::default()
//! };
//! assert!(to_svg(&chart, &Size::default()).starts_with("<svg"));
//! ```
//!
//! No chart fails: gaps stand for what is not finite, logarithmic axes leave out what has no
//! logarithm and say so, and a chart without data says that it has none.

mod chart;
mod clip;
mod domain;
mod draw;
mod font;
mod heat;
mod label;
mod layout;
mod palette;
mod raster;
mod scene;
mod svg;
mod thin;
mod ticks;

pub use chart::{
    Axis, Chart, Colour, Dash, Direction, Guide, Heat, Legend, Range, Scale, Series, Size, Style,
    Tint,
};
pub use label::{Label, formula_of};
pub use palette::Theme;
pub use raster::to_png;
pub use svg::{svg_style, to_inline_svg, to_svg};
