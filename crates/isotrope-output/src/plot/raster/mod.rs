//! Drawings as pixels.

mod canvas;
mod mask;
mod png;
mod stroke;

use super::chart::{Chart, Size};
use super::draw::draw;
use super::font;
use super::label::Label;
use super::palette::{Ink, Marker, Theme};
use super::scene::{Anchor, Item, Scene};
use super::svg::around;
use canvas::Canvas;
use mask::Mask;

/// A chart as a PNG file, with `scale` dots for each pixel of its size (2 for sharp screens, 3 or
/// more for print).
#[must_use]
pub fn to_png(chart: &Chart, size: &Size, scale: f64, theme: Theme) -> Vec<u8> {
    let scale = if scale.is_finite() { scale.clamp(0.25, 8.0) } else { 1.0 };
    let canvas = paint(&draw(chart, *size), scale, theme);
    png::encode(canvas.width(), canvas.height(), canvas.bytes(), scale)
}

fn paint(scene: &Scene, scale: f64, theme: Theme) -> Canvas {
    let dots = |length: f64| ((length * scale).round() as usize).max(1);
    let paper = Ink::Paper.rgb(theme);
    let mut canvas = Canvas::new(dots(scene.width), dots(scene.height), paper);
    for item in &scene.items {
        let painter = Painter { scale, size: (canvas.width(), canvas.height()) };
        let (mask, ink) = painter.item(item);
        canvas.blend(&mask, ink.rgb(theme));
    }
    canvas
}

struct Painter {
    scale: f64,
    size: (usize, usize),
}

impl Painter {
    fn item(&self, item: &Item) -> (Mask, Ink) {
        let mut mask = Mask::new(self.size.0, self.size.1);
        let ink = match item {
            Item::Curves { curves, ink, width, dash, .. } => {
                let crisp = *width == 1.0;
                for curve in curves {
                    let points: Vec<_> = curve.iter().map(|&point| self.dot(point)).collect();
                    let points = if crisp { snapped(points) } else { points };
                    let dash: Vec<f64> = dash.iter().map(|length| length * self.scale).collect();
                    stroke::curve(&points, width * self.scale, &dash, &mut mask);
                }
                *ink
            }
            Item::Markers { points, shape, radius, ink, .. } => {
                for &at in points {
                    self.marker(at, *shape, *radius, &mut mask);
                }
                *ink
            }
            Item::Text { at, anchor, upwards, size, ink, label } => {
                self.text(*at, *anchor, *upwards, *size, label, &mut mask);
                *ink
            }
            Item::Outline { corner: (a, b), opposite: (c, d), ink } => {
                let corners = [(*a, *b), (*c, *b), (*c, *d), (*a, *d), (*a, *b)];
                let points = corners.map(|point| self.dot(point)).to_vec();
                stroke::curve(&snapped(points), self.scale, &[], &mut mask);
                *ink
            }
        };
        (mask, ink)
    }

    fn dot(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (x * self.scale, y * self.scale)
    }

    fn marker(&self, at: (f64, f64), shape: Marker, radius: f64, mask: &mut Mask) {
        let place = |corner| self.dot(around(at, radius, corner));
        if shape == Marker::Disc {
            let centre = self.dot(at);
            stroke::capsule(centre, centre, radius * self.scale, mask);
        } else if shape.polygon().is_empty() {
            for &(from, to) in shape.strokes() {
                stroke::capsule(place(from), place(to), 0.75 * self.scale, mask);
            }
        } else {
            let corners: Vec<_> = shape.polygon().iter().map(|&corner| place(corner)).collect();
            mask.fill(&[corners]);
        }
    }

    fn text(
        &self,
        (x, y): (f64, f64),
        anchor: Anchor,
        upwards: bool,
        size: f64,
        label: &Label,
        mask: &mut Mask,
    ) {
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
                let polygons: Vec<Vec<_>> = font::outline(character)
                    .into_iter()
                    .map(|polygon| polygon.into_iter().map(place).collect())
                    .collect();
                mask.fill(&polygons);
                along += font::advance(character) * height;
            }
        }
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

    fn count(canvas: &Canvas, ink: Ink) -> usize {
        let colour = ink.rgb(Theme::Light);
        canvas.bytes().chunks(3).filter(|dot| **dot == colour).count()
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
        let canvas = paint(&draw(&chart(), Size::default()), 2.0, Theme::Light);
        assert!(count(&canvas, Ink::Paper) > canvas.width() * canvas.height() * 8 / 10);
        assert!(count(&canvas, Ink::Strong) > 50);
        let dark = paint(&draw(&chart(), Size::default()), 1.0, Theme::Dark);
        assert_eq!(dark.bytes()[..3], Ink::Paper.rgb(Theme::Dark));
    }
}
