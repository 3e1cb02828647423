//! Drawings as SVG.

use std::fmt::Write as _;

use isotrope_algebra::print::escape_xml;

use super::chart::{Chart, Size};
use super::clip::Point;
use super::draw::draw;
use super::label::{Label, Script};
use super::palette::{COLOURS, Ink, Marker, Rgb, Theme};
use super::scene::{Anchor, Item, Scene};

/// A chart as a complete SVG file: good on light and dark ground, and printed in the colours of
/// the light one.
#[must_use]
pub fn to_svg(chart: &Chart, size: &Size) -> String {
    write(&draw(chart, *size), true)
}

/// A chart as an element of an HTML page that has the rules of [`svg_style`].
#[must_use]
pub fn to_inline_svg(chart: &Chart, size: &Size) -> String {
    write(&draw(chart, *size), false)
}

/// The style rules of charts, once for all charts of a page.
#[must_use]
pub fn svg_style() -> String {
    let mut css = String::from(
        ".chart text{font-family:\"Noto Sans\",\"Helvetica Neue\",Helvetica,Arial,sans-serif}\
         .chart .c{fill:none;stroke-linejoin:round;stroke-linecap:round}\
         .chart .o{fill:none;stroke-width:1}\
         .chart .i{font-style:italic}\n",
    );
    rules(&mut css, Theme::Light);
    // Paper is never dark.
    css.push_str("@media screen and (prefers-color-scheme:dark){\n");
    rules(&mut css, Theme::Dark);
    css.push_str("}\n");
    css
}

fn rules(css: &mut String, theme: Theme) {
    let hex = |[r, g, b]: Rgb| format!("#{r:02x}{g:02x}{b:02x}");
    let inks = [Ink::Paper, Ink::Strong, Ink::Soft, Ink::Frame, Ink::Grid];
    for ink in inks.into_iter().chain((0..COLOURS).map(Ink::Series)) {
        let (class, colour) = (class(ink), hex(ink.rgb(theme)));
        let _ =
            writeln!(css, ".chart .f{class}{{fill:{colour}}}.chart .s{class}{{stroke:{colour}}}");
    }
}

fn class(ink: Ink) -> String {
    match ink {
        Ink::Paper => "p".to_owned(),
        Ink::Strong => "t".to_owned(),
        Ink::Soft => "g".to_owned(),
        Ink::Frame => "b".to_owned(),
        Ink::Grid => "l".to_owned(),
        Ink::Series(index) => (index % COLOURS).to_string(),
    }
}

fn write(scene: &Scene, complete: bool) -> String {
    let Scene { width, height, title, description, items } = scene;
    let (title, description) = (escape_xml(title), escape_xml(description));
    let (width, height) = (number(*width), number(*height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{}\">\n",
        if title.is_empty() { &description } else { &title }.replace('"', "&quot;")
    );
    if complete {
        let name = if title.is_empty() { &description } else { &title };
        let _ = write!(
            out,
            "<title>{name}</title>\n<desc>{description}</desc>\n<style>\n{}</style>\n\
             <rect class=\"fp\" width=\"100%\" height=\"100%\"/>\n",
            svg_style()
        );
    }
    for item in items {
        write_item(item, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

fn write_item(item: &Item, out: &mut String) {
    match item {
        Item::Curves { curves, ink, width, dash, name } => {
            if curves.is_empty() {
                return;
            }
            let dash: Vec<String> = dash.iter().map(|&length| number(length)).collect();
            let dash = match dash.is_empty() {
                true => String::new(),
                false => format!(" stroke-dasharray=\"{}\"", dash.join(" ")),
            };
            let _ = write!(
                out,
                "<path class=\"c s{}\" stroke-width=\"{}\"{dash} d=\"",
                class(*ink),
                number(*width)
            );
            for curve in curves {
                polyline(curve, out);
            }
            close(name, out);
        }
        Item::Markers { points, shape, radius, ink, name } => {
            if points.is_empty() {
                return;
            }
            let ink = class(*ink);
            if *shape == Marker::Disc {
                // Round ends of lines without length: the shortest way to write many discs.
                let width = number(2.0 * radius);
                let _ = write!(out, "<path class=\"c s{ink}\" stroke-width=\"{width}\" d=\"");
                for &(x, y) in points {
                    let _ = write!(out, "M{} {}h0", number(x), number(y));
                }
            } else if shape.polygon().is_empty() {
                let _ = write!(out, "<path class=\"c s{ink}\" stroke-width=\"1.5\" d=\"");
                for &at in points {
                    for &(from, to) in shape.strokes() {
                        polyline(&[around(at, *radius, from), around(at, *radius, to)], out);
                    }
                }
            } else {
                let _ = write!(out, "<path class=\"f{ink}\" d=\"");
                for &at in points {
                    let corners = shape.polygon().iter().map(|&corner| around(at, *radius, corner));
                    polyline(&corners.collect::<Vec<_>>(), out);
                    out.push('z');
                }
            }
            close(name, out);
        }
        Item::Text { at, anchor, upwards, size, ink, label } => {
            text(*at, *anchor, *upwards, *size, *ink, label, out);
        }
        Item::Image { corner, opposite, columns, pixels } => {
            let dots: Vec<u8> = pixels.iter().flatten().copied().collect();
            let file =
                super::raster::encode(*columns, pixels.len() / (*columns).max(1), &dots, 1.0);
            let _ = writeln!(
                out,
                "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
                 style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>",
                number(corner.0),
                number(corner.1),
                number(opposite.0 - corner.0),
                number(opposite.1 - corner.1),
                base64(&file)
            );
        }
        Item::Outline { corner, opposite, ink } => {
            let _ = writeln!(
                out,
                "<rect class=\"o s{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                class(*ink),
                number(corner.0),
                number(corner.1),
                number(opposite.0 - corner.0),
                number(opposite.1 - corner.1)
            );
        }
    }
}

/// Bytes as text (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - three.len()));
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k) & 63) as usize];
            text.push(if k <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// Ends a path; its name appears when the mouse rests on it.
fn close(name: &str, out: &mut String) {
    if name.trim().is_empty() {
        out.push_str("\"/>\n");
    } else {
        let _ = writeln!(out, "\"><title>{}</title></path>", escape_xml(name));
    }
}

pub(super) fn around((x, y): Point, radius: f64, (dx, dy): Point) -> Point {
    (x + radius * dx, y + radius * dy)
}

/// Hundredths of pixels.
fn hundredths(value: f64) -> i64 {
    (value * 100.0).round() as i64
}

/// A number with at most two decimals.
fn number(value: f64) -> String {
    short(hundredths(value))
}

fn short(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, part) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    match part {
        0 => format!("{sign}{whole}"),
        part if part % 10 == 0 => format!("{sign}{whole}.{}", part / 10),
        part => format!("{sign}{whole}.{part:02}"),
    }
}

/// A polyline: its beginning, then differences, which are shorter; rounding does not add up.
fn polyline(points: &[Point], out: &mut String) {
    let mut last: Option<(i64, i64)> = None;
    for &(x, y) in points {
        let here = (hundredths(x), hundredths(y));
        let _ = match last {
            None => write!(out, "M{} {}", short(here.0), short(here.1)),
            Some(last) => {
                let (dx, dy) = (short(here.0 - last.0), short(here.1 - last.1));
                let between = if dy.starts_with('-') { "" } else { " " };
                write!(out, "l{dx}{between}{dy}")
            }
        };
        last = Some(here);
    }
}

fn text(
    at: Point,
    anchor: Anchor,
    upwards: bool,
    size: f64,
    ink: Ink,
    label: &Label,
    out: &mut String,
) {
    let (x, y) = (number(at.0), number(at.1));
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let turn = if upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let _ = write!(
        out,
        "<text class=\"f{}\" x=\"{x}\" y=\"{y}\" font-size=\"{}\"{anchor}{turn}>",
        class(ink),
        number(size)
    );
    let mut raised = 0.0;
    for run in label.runs() {
        let rise = run.script.rise() * size;
        let mut attributes = String::new();
        if run.italic {
            attributes.push_str(" class=\"i\"");
        }
        if run.script != Script::Base {
            let _ = write!(attributes, " font-size=\"{}\"", number(size * run.script.factor()));
        }
        if rise != raised {
            let _ = write!(attributes, " dy=\"{}\"", number(raised - rise));
        }
        raised = rise;
        let words = escape_xml(&run.text);
        if attributes.is_empty() {
            out.push_str(&words);
        } else {
            let _ = write!(out, "<tspan{attributes}>{words}</tspan>");
        }
    }
    out.push_str("</text>\n");
}
