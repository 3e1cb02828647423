//! The letters of charts: Noto Sans, for the widths of texts and for drawing them in pixels.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

static FACE: LazyLock<Option<Face<'static>>> =
    LazyLock::new(|| Face::parse(notosans::REGULAR_TTF, 0).ok());

/// The width of a text at size 1.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(advance).sum()
}

/// The width of a character at size 1. One that the font does not have is as wide as a box.
pub(super) fn advance(character: char) -> f64 {
    let Some(face) = FACE.as_ref() else { return 0.6 };
    glyph(face, character)
        .and_then(|glyph| face.glyph_hor_advance(glyph))
        .map_or(0.6, |width| f64::from(width) / f64::from(face.units_per_em()))
}

fn glyph(face: &Face<'_>, character: char) -> Option<GlyphId> {
    // Looks alike, and the font has it.
    let known = match character {
        '∥' => '‖',
        other => other,
    };
    face.glyph_index(known)
}

/// The outline of a character at size 1 as closed polygons, y upwards, the foot of the text at
/// zero.
pub(super) fn outline(character: char) -> Vec<Vec<(f64, f64)>> {
    let Some(face) = FACE.as_ref() else { return Vec::new() };
    let Some(glyph) = glyph(face, character) else { return missing() };
    let mut pen = Pen { scale: 1.0 / f64::from(face.units_per_em()), polygons: Vec::new() };
    // A blank has no outline.
    let _ = face.outline_glyph(glyph, &mut pen);
    pen.polygons
}

/// What stands for a character that the font does not have: a frame.
fn missing() -> Vec<Vec<(f64, f64)>> {
    let frame = |a: f64, b: f64, c: f64, d: f64| vec![(a, c), (b, c), (b, d), (a, d)];
    let mut inner = frame(0.13, 0.47, 0.05, 0.65);
    inner.reverse();
    vec![frame(0.08, 0.52, 0.0, 0.7), inner]
}

struct Pen {
    scale: f64,
    polygons: Vec<Vec<(f64, f64)>>,
}

/// Chords of a curve; at the sizes of charts more cannot be seen.
const CHORDS: u32 = 5;

impl Pen {
    fn point(&self, x: f32, y: f32) -> (f64, f64) {
        (f64::from(x) * self.scale, f64::from(y) * self.scale)
    }

    fn push(&mut self, point: (f64, f64)) {
        if let Some(polygon) = self.polygons.last_mut() {
            polygon.push(point);
        }
    }

    fn last(&self) -> (f64, f64) {
        self.polygons.last().and_then(|polygon| polygon.last()).copied().unwrap_or_default()
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let point = self.point(x, y);
        self.polygons.push(vec![point]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let point = self.point(x, y);
        self.push(point);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (a, b, c) = (self.last(), self.point(x1, y1), self.point(x, y));
        for k in 1..=CHORDS {
            let t = f64::from(k) / f64::from(CHORDS);
            let s = 1.0 - t;
            let mix = |a: f64, b: f64, c: f64| s * s * a + 2.0 * s * t * b + t * t * c;
            self.push((mix(a.0, b.0, c.0), mix(a.1, b.1, c.1)));
        }
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (a, b, c, d) = (self.last(), self.point(x1, y1), self.point(x2, y2), self.point(x, y));
        for k in 1..=CHORDS {
            let t = f64::from(k) / f64::from(CHORDS);
            let s = 1.0 - t;
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
            };
            self.push((mix(a.0, b.0, c.0, d.0), mix(a.1, b.1, c.1, d.1)));
        }
    }

    fn close(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_every_letter_that_charts_use() {
        let used = "abcXYZ0189 .,()[]|+−=×·…αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ∂‖≤≥≈°é";
        let face = FACE.as_ref().unwrap();
        for character in used.chars() {
            assert!(glyph(face, character).is_some(), "{character}");
            assert!(advance(character) > 0.0);
        }
        assert!(width("mmmm") > width("iiii"));
    }

    #[test]
    fn an_unknown_character_is_a_box() {
        assert_eq!(outline('\u{10FFFD}').len(), 2);
        assert!(outline(' ').is_empty());
        assert_eq!(outline('o').len(), 2);
    }
}
