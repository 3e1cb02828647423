//! Values over a rectangle as colours.

use super::chart::{Heat, Tint};
use super::clip::Frame;
use super::domain::Domain;
use super::palette::{COLOURS, Ink, Rgb, Theme};
use super::scene::Item;
use crate::plot::chart::Axis;

/// Dark violet to yellow, equally bright steps, for eyes of all kinds (the map `viridis`).
const MAP: [Rgb; 11] = [
    [0x44, 0x01, 0x54],
    [0x48, 0x24, 0x75],
    [0x41, 0x44, 0x87],
    [0x35, 0x5f, 0x8d],
    [0x2a, 0x78, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x22, 0xa8, 0x84],
    [0x44, 0xbf, 0x70],
    [0x7a, 0xd1, 0x51],
    [0xbd, 0xdf, 0x26],
    [0xfd, 0xe7, 0x25],
];
/// Where there is no value.
const NOTHING: Rgb = [0xd4, 0xd4, 0xd8];
const PAPER: Rgb = [0xff, 0xff, 0xff];

/// The width of the bar of colours, and what is left free beside the frame for it without its texts.
pub(super) const BAR: f64 = 16.0;
pub(super) const BESIDE: f64 = 30.0;

impl Heat {
    /// The values that the colours stand for.
    pub(super) fn domain(&self) -> Domain {
        let axis = Axis { range: self.range, ..Axis::linear("") };
        Domain::new(&axis, self.values.iter().copied().filter(|value| value.is_finite()), true)
    }

    /// The colour of a value.
    fn colour(&self, value: f64, domain: &Domain) -> Rgb {
        if !value.is_finite() {
            return if self.tint == Tint::Density { PAPER } else { NOTHING };
        }
        if !self.names.is_empty() {
            return category(value as usize);
        }
        let part = domain.fraction(value).unwrap_or(0.0).clamp(0.0, 1.0);
        match self.tint {
            Tint::Map => mixed(&MAP, part),
            // Never as light as the paper.
            Tint::Density => mixed(&[[0xa8, 0xb4, 0xc8], [0x14, 0x1c, 0x30]], part),
        }
    }

    /// The picture in its frame.
    pub(super) fn image(&self, frame: Frame, x: Domain, y: Domain) -> Item {
        let domain = self.domain();
        let mut pixels = Vec::with_capacity(self.columns * self.rows);
        for row in (0..self.rows).rev() {
            for column in 0..self.columns {
                let value = self.values.get(row * self.columns + column);
                pixels.push(self.colour(value.copied().unwrap_or(f64::NAN), &domain));
            }
        }
        let place = |domain: Domain, value: f64| domain.fraction(value).unwrap_or(0.0);
        let across = |value| frame.left + place(x, value) * frame.width();
        let up = |value| frame.bottom - place(y, value) * frame.height();
        Item::Image {
            corner: (across(self.x.0), up(self.y.1)),
            opposite: (across(self.x.1), up(self.y.0)),
            columns: self.columns,
            pixels,
        }
    }

    /// The bar of all colours, the largest value on top.
    pub(super) fn bar(&self, corner: (f64, f64), opposite: (f64, f64)) -> Item {
        const SHADES: usize = 256;
        let domain = self.domain();
        let value = |k: usize| domain.low + domain.length() * (k as f64 / (SHADES - 1) as f64);
        let pixels = (0..SHADES).rev().map(|k| self.colour(value(k), &domain)).collect();
        Item::Image { corner, opposite, columns: 1, pixels }
    }
}

/// The colour of the thing with this number.
pub(super) fn category(number: usize) -> Rgb {
    Ink::Series(number % COLOURS).rgb(Theme::Light)
}

fn mixed(map: &[Rgb], part: f64) -> Rgb {
    let place = part * (map.len() - 1) as f64;
    let first = (place as usize).min(map.len() - 2);
    let rest = place - first as f64;
    let mut colour = [0; 3];
    for (k, channel) in colour.iter_mut().enumerate() {
        let (a, b) = (f64::from(map[first][k]), f64::from(map[first + 1][k]));
        *channel = (a + rest * (b - a)).round() as u8;
    }
    colour
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_value_has_no_colour_of_a_value() {
        let heat = |tint| Heat {
            columns: 3,
            rows: 1,
            values: vec![f64::NAN, 1.0, 2.0],
            tint,
            ..Heat::default()
        };
        let domain = heat(Tint::Map).domain();
        assert_eq!(heat(Tint::Density).colour(f64::NAN, &domain), PAPER);
        assert_eq!(heat(Tint::Map).colour(f64::NAN, &domain), NOTHING);
        assert_eq!(heat(Tint::Map).colour(1.0, &domain), MAP[0]);
        assert_eq!(heat(Tint::Map).colour(2.0, &domain), MAP[10]);
    }
}
