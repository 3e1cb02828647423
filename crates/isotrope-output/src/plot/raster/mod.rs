//! Drawings as pixels, by `tiny-skia`.

mod png;

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, PixmapMut, Stroke, StrokeDash,
    Transform,
};

use super::chart::{Chart, Size};
use super::draw::draw;
use super::font;
use super::label::Label;
use super::palette::{Ink, Marker, Rgb, Theme};
use super::scene::{Anchor, Item, Scene};
use super::svg::around;

pub(super) use png::encode;

/// Half the width of the strokes of crosses and the like, in pixels.
const PEN: f64 = 0.75;

/// A chart as a PNG file, with `scale` dots for each pixel of its size (2 for sharp screens, 3 or
/// more for print).
#[must_use]
pub fn to_png(chart: &Chart, size: &Size, scale: f64, theme: Theme) -> Vec<u8> {
    let scale = if scale.is_finite() { scale.clamp(0.25, 8.0) } else { 1.0 };
    let picture = paint(&draw(chart, *size), scale, theme);
    png::encode(picture.width, picture.height, &picture.dots, scale)
}

/// Red, green and blue of all dots, row by row.
struct Picture {
    width: usize,
    height: usize,
    dots: Vec<u8>,
}

fn paint(scene: &Scene, scale: f64, theme: Theme) -> Picture {
    let dots = |length: f64| ((length * scale).round() as usize).max(1);
    let (width, height) = (dots(scene.width), dots(scene.height));
    // Four bytes a dot, as the library has them; what covers everything is the paper.
    let mut bytes = vec![u8::MAX; 4 * width * height];
    let sides = (u32::try_from(width).unwrap_or(0), u32::try_from(height).unwrap_or(0));
    if let Some(mut ground) = PixmapMut::from_bytes(&mut bytes, sides.0, sides.1) {
        ground.fill(colour(Ink::Paper.rgb(theme)));
        let mut painter = Painter { scale, ground, theme };
        for item in &scene.items {
            painter.item(item);
        }
    }
    let dots = bytes.chunks_exact(4).flat_map(|dot| [dot[0], dot[1], dot[2]]).collect();
    Picture { width, height, dots }
}

fn colour([red, green, blue]: Rgb) -> Color {
    Color::from_rgba8(red, green, blue, u8::MAX)
}

struct Painter<'a> {
    scale: f64,
    ground: PixmapMut<'a>,
    theme: Theme,
}

impl Painter<'_> {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Curves { curves, ink, width, dash, .. } => {
                let crisp = *width == 1.0;
                let mut path = PathBuilder::new();
                for curve in curves {
                    let points: Vec<_> = curve.iter().map(|&point| self.dot(point)).collect();
                    lines(&mut path, &if crisp { snapped(points) } else { points });
                }
                self.stroke(path, *width, dash, *ink);
            }
            Item::Markers { points, shape, radius, ink, .. } => {
                self.markers(points, *shape, *radius, *ink);
            }
            Item::Text { at, anchor, upwards, size, ink, label } => {
                let path = self.text(*at, *anchor, *upwards, *size, label);
                self.fill(path, *ink);
            }
            Item::Image { corner, opposite, columns, pixels } => {
                self.image(*corner, *opposite, *columns, pixels);
            }
            Item::Outline { corner: (a, b), opposite: (c, d), ink } => {
                let corners = [(*a, *b), (*c, *b), (*c, *d), (*a, *d), (*a, *b)];
                let mut path = PathBuilder::new();
                lines(&mut path, &snapped(corners.map(|point| self.dot(point)).to_vec()));
                self.stroke(path, 1.0, &[], *ink);
            }
        }
    }

    /// Every dot has the colour of the cell that its middle is in.
    fn image(&mut self, corner: (f64, f64), opposite: (f64, f64), columns: usize, pixels: &[Rgb]) {
        let rows = pixels.len() / columns.max(1);
        let ((left, top), (right, bottom)) = (self.dot(corner), self.dot(opposite));
        let (width, height) = (self.ground.width() as usize, self.ground.height() as usize);
        let (wide, high) = (right - left, bottom - top);
        if !(wide > 0.0 && high > 0.0) || rows == 0 {
            return;
        }
        let inside = |from: f64, to: f64, end: usize| {
            (from.round().max(0.0) as usize).min(end)..(to.round().max(0.0) as usize).min(end)
        };
        let cell = |middle: f64, count: usize| ((middle * count as f64) as usize).min(count - 1);
        let data = self.ground.data_mut();
        for y in inside(top, bottom, height) {
            let row = cell((y as f64 + 0.5 - top).max(0.0) / high, rows);
            for x in inside(left, right, width) {
                let column = cell((x as f64 + 0.5 - left).max(0.0) / wide, columns);
                let at = 4 * (y * width + x);
                data[at..at + 3].copy_from_slice(&pixels[row * columns + column]);
            }
        }
    }

    fn dot(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (x * self.scale, y * self.scale)
    }

    fn markers(&mut self, points: &[(f64, f64)], shape: Marker, radius: f64, ink: Ink) {
        let mut path = PathBuilder::new();
        for &at in points {
            let place = |corner| self.dot(around(at, radius, corner));
            if shape == Marker::Disc {
                let (x, y) = self.dot(at);
                if x.is_finite() && y.is_finite() {
                    path.push_circle(x as f32, y as f32, (radius * self.scale) as f32);
                }
            } else if shape.polygon().is_empty() {
                for &(from, to) in shape.strokes() {
                    lines(&mut path, &[place(from), place(to)]);
                }
            } else {
                let corners: Vec<_> = shape.polygon().iter().map(|&corner| place(corner)).collect();
                polygon(&mut path, &corners);
            }
        }
        if shape != Marker::Disc && shape.polygon().is_empty() {
            self.stroke(path, 2.0 * PEN, &[], ink);
        } else {
            self.fill(path, ink);
        }
    }

    fn text(
        &self,
        (x, y): (f64, f64),
        anchor: Anchor,
        upwards: bool,
        size: f64,
        label: &Label,
    ) -> PathBuilder {
        let mut path = PathBuilder::new();
        let mut along = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * label.width(size),
            Anchor::End => -label.width(size),
        };
        for run in label.runs() {
            let height = size * run.script.factor();
            let rise = run.script.rise() * size;
            // The font has no italics here: letters lean instead.
            let lean = if run.italic { 0.2 } else { 0.0 };
            for character in run.text.chars() {
                let place = |(u, v): (f64, f64)| {
                    let (right, up) = (along + (u + lean * v) * height, rise + v * height);
                    self.dot(if upwards { (x - up, y - right) } else { (x + right, y - up) })
                };
                for outline in font::outline(character) {
                    polygon(&mut path, &outline.into_iter().map(place).collect::<Vec<_>>());
                }
                along += font::advance(character) * height;
            }
        }
        path
    }

    fn fill(&mut self, path: PathBuilder, ink: Ink) {
        if let Some(path) = path.finish() {
            let paint = self.pen(ink);
            self.ground.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
        }
    }

    /// Strokes a path with round ends; `dash` is on and off by turns.
    fn stroke(&mut self, path: PathBuilder, width: f64, dash: &[f64], ink: Ink) {
        let Some(path) = path.finish() else { return };
        let lengths = dash.iter().map(|length| (length * self.scale) as f32).collect();
        let stroke = Stroke {
            width: (width * self.scale) as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            // None for an empty or impossible pattern: then the line is solid.
            dash: StrokeDash::new(lengths, 0.0),
            ..Stroke::default()
        };
        let paint = self.pen(ink);
        self.ground.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
    }

    fn pen(&self, ink: Ink) -> Paint<'static> {
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color(colour(ink.rgb(self.theme)));
        paint
    }
}

/// A curve through points; where one is not finite there is a gap.
fn lines(path: &mut PathBuilder, points: &[(f64, f64)]) {
    let mut drawing = false;
    for &(x, y) in points {
        match (x.is_finite() && y.is_finite(), drawing) {
            (false, _) => drawing = false,
            (true, false) => {
                path.move_to(x as f32, y as f32);
                drawing = true;
            }
            (true, true) => path.line_to(x as f32, y as f32),
        }
    }
}

/// A closed polygon; none with corners that are not finite.
fn polygon(path: &mut PathBuilder, corners: &[(f64, f64)]) {
    if corners.iter().all(|(x, y)| x.is_finite() && y.is_finite()) && !corners.is_empty() {
        lines(path, corners);
        path.close();
    }
}

/// Horizontal and vertical lines run through the middle of dots, so that they are sharp.
fn snapped(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.into_iter().map(|(x, y)| (x.floor() + 0.5, y.floor() + 0.5)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::chart::{Axis, Series};
    use super::*;

    fn chart() -> Chart {
        Chart {
            title: "Line".to_owned(),
            x: Axis::linear("$x$"),
            y: Axis::linear("$y$"),
            series: vec![Series::marked("", vec![(0.0, 0.0), (1.0, 1.0)])],
            ..Chart::default()
        }
    }

    fn count(picture: &Picture, ink: Ink) -> usize {
        let colour = ink.rgb(Theme::Light);
        picture.dots.chunks(3).filter(|dot| **dot == colour).count()
    }

    #[test]
    fn a_curve_leaves_as_many_dots_as_its_length_and_width() {
        let scene = draw(&chart(), Size::default());
        let Some(Item::Curves { curves, width, .. }) = scene
            .items
            .iter()
            .find(|item| matches!(item, Item::Curves { ink: Ink::Series(0), .. }))
        else {
            panic!("no curve");
        };
        let (a, b) = (curves[0][0], curves[0][1]);
        let length = ((b.0 - a.0) * (b.0 - a.0) + (b.1 - a.1) * (b.1 - a.1)).sqrt();
        for scale in [2.0, 4.0] {
            let expected = length * width * scale * scale;
            let found = count(&paint(&scene, scale, Theme::Light), Ink::Series(0)) as f64;
            // Dots at the border of the curve are mixed with the ground: about one on each side.
            let border = 1.6 * length * scale;
            assert!(found < expected + 200.0 && found > expected - border, "{found} {expected}");
        }
    }

    #[test]
    fn the_ground_is_paper_and_texts_have_ink() {
        let picture = paint(&draw(&chart(), Size::default()), 2.0, Theme::Light);
        assert!(count(&picture, Ink::Paper) > picture.width * picture.height * 8 / 10);
        assert!(count(&picture, Ink::Strong) > 50);
        let dark = paint(&draw(&chart(), Size::default()), 1.0, Theme::Dark);
        assert_eq!(dark.dots[..3], Ink::Paper.rgb(Theme::Dark));
    }

    #[test]
    fn odd_points_leave_gaps_and_nothing_fails() {
        let mut odd = chart();
        odd.series = vec![Series::marked("", vec![(0.0, 0.0), (f64::NAN, 1.0), (1.0, 1.0)])];
        let picture = paint(&draw(&odd, Size::default()), 1.0, Theme::Light);
        assert_eq!(picture.dots.len(), 3 * picture.width * picture.height);
        let item = Item::Curves {
            curves: vec![
                vec![(1.0, 1.0), (f64::INFINITY, 2.0), (3.0, 3.0)],
                vec![],
                vec![(2.0, 2.0)],
            ],
            ink: Ink::Series(0),
            width: 2.0,
            dash: &[0.0, 0.0],
            name: String::new(),
        };
        let scene = Scene {
            width: 10.0,
            height: 10.0,
            title: String::new(),
            description: String::new(),
            items: vec![item],
        };
        assert_eq!(paint(&scene, 1.0, Theme::Light).dots.len(), 300);
    }
}
