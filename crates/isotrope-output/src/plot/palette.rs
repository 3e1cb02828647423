//! Colours that colour-blind readers tell apart, on light and dark ground, and what distinguishes
//! series when the colours are used up.

use super::chart::{Colour, Dash, Series, Style};

/// A colour: red, green, blue.
pub(super) type Rgb = [u8; 3];

/// What a colour is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// The ground.
    Paper,
    /// Titles.
    Strong,
    /// Numbers and names at the axes, grey curves.
    Soft,
    /// The frame.
    Frame,
    /// Lines at ticks.
    Grid,
    /// A series.
    Series(usize),
}

/// Number of colours of series.
pub(super) const COLOURS: usize = 8;

/// Colours of series on light ground, then on dark ground.
const SERIES: [[Rgb; COLOURS]; 2] = [
    [
        [0x00, 0x58, 0xB0],
        [0xC8, 0x4B, 0x00],
        [0x00, 0x8F, 0x68],
        [0xC7, 0x5C, 0xA6],
        [0xD9, 0x9A, 0x0B],
        [0x45, 0xA9, 0xE0],
        [0x2E, 0x32, 0x38],
        [0x7A, 0x1F, 0x10],
    ],
    [
        [0x4F, 0x8F, 0xF0],
        [0xF0, 0x78, 0x3A],
        [0x2F, 0xB5, 0x8C],
        [0xE5, 0x8A, 0xC8],
        [0xF5, 0xCB, 0x50],
        [0x8C, 0xD8, 0xFA],
        [0xE6, 0xE9, 0xED],
        [0xB0, 0x4A, 0x3C],
    ],
];

/// Paper, strong, soft, frame, grid; on light ground, then on dark ground.
const OTHERS: [[Rgb; 5]; 2] = [
    [
        [0xFF, 0xFF, 0xFF],
        [0x1F, 0x23, 0x28],
        [0x5B, 0x64, 0x70],
        [0x8A, 0x92, 0x9C],
        [0xE6, 0xE4, 0xE0],
    ],
    [
        [0x1C, 0x1F, 0x24],
        [0xE4, 0xE2, 0xDD],
        [0x9A, 0xA3, 0xAD],
        [0x6B, 0x73, 0x7D],
        [0x30, 0x35, 0x3C],
    ],
];

/// Light or dark ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Dark letters on white, for paper.
    #[default]
    Light,
    /// Light letters on a dark ground.
    Dark,
}

impl Ink {
    pub(super) fn rgb(self, theme: Theme) -> Rgb {
        let row = theme as usize;
        match self {
            Self::Paper => OTHERS[row][0],
            Self::Strong => OTHERS[row][1],
            Self::Soft => OTHERS[row][2],
            Self::Frame => OTHERS[row][3],
            Self::Grid => OTHERS[row][4],
            Self::Series(index) => SERIES[row][index % COLOURS],
        }
    }
}

/// The sign at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Downwards,
    Cross,
    Plus,
}

const MARKERS: [Marker; 7] = [
    Marker::Disc,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Downwards,
    Marker::Cross,
    Marker::Plus,
];

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub ink: Ink,
    pub width: f64,
    pub dash: &'static [f64],
    pub marker: Option<Marker>,
    /// Half the size of a marker.
    pub radius: f64,
}

/// Points more numerous than this are drawn small.
const MANY: usize = 300;

/// The looks of all series, in their order.
pub(super) fn looks(series: &[Series]) -> Vec<Look> {
    let mut next = 0;
    series
        .iter()
        .map(|series| {
            let index = match series.colour {
                Colour::Next => {
                    next += 1;
                    Some(next - 1)
                }
                Colour::Index(index) => {
                    next = next.max(index.saturating_add(1));
                    Some(index)
                }
                Colour::Soft => None,
            };
            look(series, index)
        })
        .collect()
}

fn look(series: &Series, index: Option<usize>) -> Look {
    let number = index.unwrap_or(0);
    let curve = series.style != Style::Points;
    let many = !curve && series.points.len() > MANY;
    let marker = match series.style {
        Style::Line => None,
        // In a cloud all signs look alike.
        _ if many => Some(Marker::Disc),
        // Seven signs and eight colours: no pair comes twice among the first 56.
        _ => Some(MARKERS[number % MARKERS.len()]),
    };
    Look {
        ink: index.map_or(Ink::Soft, |index| Ink::Series(index % COLOURS)),
        width: match (curve, index) {
            (false, _) => 0.0,
            (true, Some(_)) => 1.6,
            (true, None) => 1.2,
        },
        dash: pattern(match series.dash {
            Dash::Auto => {
                let rounds = [Dash::Solid, Dash::Dashed, Dash::DashDotted, Dash::Dotted];
                rounds[(number / COLOURS) % rounds.len()]
            }
            given => given,
        }),
        marker,
        radius: if many { 1.1 } else { 3.2 },
    }
}

fn pattern(dash: Dash) -> &'static [f64] {
    match dash {
        Dash::Auto | Dash::Solid => &[],
        Dash::Dashed => &[6.0, 4.0],
        Dash::Dotted => &[1.5, 3.5],
        Dash::DashDotted => &[8.0, 3.5, 1.5, 3.5],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(rgb: Rgb) -> [f64; 3] {
        rgb.map(|byte| {
            let u = f64::from(byte) / 255.0;
            // The curve of sRGB is close to the power 2.2; a square and a root are near enough.
            u * u * u.sqrt().sqrt()
        })
    }

    /// CIE L*a*b* of a linear colour.
    fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
        let x = 0.4124 * r + 0.3576 * g + 0.1805 * b;
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        let z = 0.0193 * r + 0.1192 * g + 0.9505 * b;
        let f = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let (fx, fy, fz) = (f(x / 0.9505), f(y), f(z / 1.089));
        [116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz)]
    }

    /// Complete protanopia and deuteranopia (Machado, Oliveira and Fernandes 2009, table 1).
    const EYES: [[[f64; 3]; 3]; 3] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    ];

    fn seen(eye: &[[f64; 3]; 3], rgb: Rgb) -> [f64; 3] {
        let colour = linear(rgb);
        lab(eye.map(|row| row.iter().zip(colour).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0)))
    }

    #[test]
    fn colours_stay_apart_for_colour_blind_eyes() {
        for theme in [Theme::Light, Theme::Dark] {
            for (which, eye) in EYES.iter().enumerate() {
                for i in 0..COLOURS {
                    for j in 0..i {
                        let colour = |k| seen(eye, Ink::Series(k).rgb(theme));
                        let (a, b) = (colour(i), colour(j));
                        let square: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
                        let distance = square.sqrt();
                        assert!(distance > 15.0, "{theme:?} {which}: {i} {j} {distance}");
                    }
                }
            }
        }
    }

    #[test]
    fn everything_is_seen_on_its_ground() {
        let luminance = |ink: Ink, theme| {
            let [r, g, b] = linear(ink.rgb(theme));
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let contrast = |ink, theme| {
            let (a, b) = (luminance(ink, theme) + 0.05, luminance(Ink::Paper, theme) + 0.05);
            if a > b { a / b } else { b / a }
        };
        for theme in [Theme::Light, Theme::Dark] {
            for index in 0..COLOURS {
                let value = contrast(Ink::Series(index), theme);
                assert!(value > 2.4, "{theme:?} {index} {value}");
            }
            for ink in [Ink::Strong, Ink::Soft] {
                assert!(contrast(ink, theme) > 4.5);
            }
            assert!(contrast(Ink::Grid, theme) < 1.6);
        }
    }

    #[test]
    fn fifty_six_series_look_different() {
        let series = vec![Series::marked("a", vec![(0.0, 0.0)]); 56];
        let looks = looks(&series);
        for i in 0..looks.len() {
            for j in 0..i {
                let same = looks[i].ink == looks[j].ink && looks[i].marker == looks[j].marker;
                assert!(!same || looks[i].dash != looks[j].dash, "{i} {j}");
            }
        }
    }
}
