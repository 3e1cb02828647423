//! From a chart to a drawing.

use super::chart::{Chart, Direction, Heat, Size, Tint};
use super::heat::{BAR, category};
use super::label::Label;
use super::layout::{Entry, GAP, Layout, NAME, NUMBER, SAMPLE, TICK, TITLE, vertical};
use super::palette::{Ink, Look};
use super::scene::{Anchor, Item, Scene};
use super::thin;

/// Draws a chart.
pub(super) fn draw(chart: &Chart, size: Size) -> Scene {
    let layout = Layout::new(chart, size);
    let mut items = Vec::new();
    if let Some(heat) = &chart.heat {
        items.push(heat.image(layout.frame, layout.x, layout.y));
    }
    grid(&layout, chart.heat.is_none(), &mut items);
    if let Some(heat) = &chart.heat {
        colours(heat, &layout, &mut items);
    }
    guides(chart, &layout, &mut items);
    // Lower layers first: what helps to read stands behind what is read.
    for soft in [true, false] {
        for (k, look) in layout.looks.iter().enumerate() {
            if (look.ink == Ink::Soft) == soft {
                series(chart, k, &layout, &mut items);
            }
        }
    }
    let Layout { frame, .. } = layout;
    let (corner, opposite) = ((frame.left, frame.top), (frame.right, frame.bottom));
    items.push(Item::Outline { corner, opposite, ink: Ink::Frame });
    texts(chart, &layout, &mut items);
    for entry in &layout.legend {
        legend(entry, &layout, &mut items);
    }
    Scene {
        width: layout.size.width,
        height: layout.size.height,
        title: Label::new(&chart.title).plain(),
        description: description(chart),
        items,
    }
}

fn line(from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
    vec![from, to]
}

fn thin_lines(curves: Vec<Vec<(f64, f64)>>, ink: Ink) -> Item {
    Item::Curves { curves, ink, width: 1.0, dash: &[], name: String::new() }
}

/// Lines at numbers, ticks, and the numbers.
fn grid(layout: &Layout, ruled: bool, items: &mut Vec<Item>) {
    let frame = layout.frame;
    let inside = |fraction: f64| ruled && (1e-9..=1.0 - 1e-9).contains(&fraction);
    let (mut lines, mut marks) = (Vec::new(), Vec::new());
    let mut texts = Vec::new();
    for tick in &layout.x_ticks.major {
        let fraction = layout.x.fraction_of_place(tick.place);
        let x = layout.across(fraction.clamp(0.0, 1.0));
        if inside(fraction) {
            lines.push(line((x, frame.top), (x, frame.bottom)));
        }
        marks.push(line((x, frame.bottom), (x, frame.bottom + TICK)));
        let at = (x, frame.bottom + TICK + NUMBER + 1.0);
        texts.push(text(at, Anchor::Middle, NUMBER, Ink::Soft, tick.label.clone()));
    }
    for tick in &layout.y_ticks.major {
        let fraction = layout.y.fraction_of_place(tick.place);
        let y = layout.up(fraction.clamp(0.0, 1.0));
        if inside(fraction) {
            lines.push(line((frame.left, y), (frame.right, y)));
        }
        marks.push(line((frame.left - TICK, y), (frame.left, y)));
        let at = (frame.left - TICK - 3.0, y + 0.35 * NUMBER);
        texts.push(text(at, Anchor::End, NUMBER, Ink::Soft, tick.label.clone()));
    }
    for &place in &layout.x_ticks.minor {
        let x = layout.across(layout.x.fraction_of_place(place).clamp(0.0, 1.0));
        marks.push(line((x, frame.bottom), (x, frame.bottom + 0.5 * TICK)));
    }
    for &place in &layout.y_ticks.minor {
        let y = layout.up(layout.y.fraction_of_place(place).clamp(0.0, 1.0));
        marks.push(line((frame.left - 0.5 * TICK, y), (frame.left, y)));
    }
    items.push(thin_lines(lines, Ink::Grid));
    items.push(thin_lines(marks, Ink::Frame));
    items.append(&mut texts);
}

fn text(at: (f64, f64), anchor: Anchor, size: f64, ink: Ink, label: Label) -> Item {
    Item::Text { at, anchor, upwards: false, size, ink, label }
}

/// Title, names of the axes, what their numbers have in common, remarks.
fn texts(chart: &Chart, layout: &Layout, items: &mut Vec<Item>) {
    let frame = layout.frame;
    let middle = 0.5 * (frame.left + frame.right);
    let width = layout.size.width;
    let label = Label::new(&chart.title).fit(TITLE, width - 24.0);
    if !label.is_empty() {
        items.push(text((12.0, 12.0 + TITLE * 0.8), Anchor::Start, TITLE, Ink::Strong, label));
    }
    let mut base = frame.bottom + TICK + NUMBER + 4.0;
    let label = Label::new(&chart.x.label).fit(NAME, frame.width() + 0.5 * frame.left);
    if !label.is_empty() {
        base += NAME + 5.0;
        items.push(text((middle, base), Anchor::Middle, NAME, Ink::Strong, label));
    } else if layout.x_ticks.note.is_some() {
        base += NAME + 5.0;
    }
    if let Some(note) = &layout.x_ticks.note {
        items.push(text((frame.right, base), Anchor::End, NUMBER, Ink::Soft, note.clone()));
    }
    if let Some(remark) = &layout.remark {
        let label = Label::new(remark).fit(NUMBER - 1.0, frame.width());
        let at = (frame.right, base + NUMBER + 4.0);
        items.push(text(at, Anchor::End, NUMBER - 1.0, Ink::Soft, label));
    }
    if let Some(note) = &layout.y_ticks.note {
        let at = (frame.left, frame.top - 6.0);
        items.push(text(at, Anchor::Start, NUMBER, Ink::Soft, note.clone()));
    }
    let label = Label::new(&chart.y.label).fit(NAME, layout.size.height - 20.0);
    if !label.is_empty() {
        let widest = layout.y_ticks.major.iter().map(|tick| tick.label.width(NUMBER));
        let x = frame.left - TICK - 3.0 - widest.fold(0.0, f64::max) - 9.0;
        // Not beyond the ends of the drawing.
        let half = 0.5 * label.width(NAME);
        let middle = 0.5 * (frame.top + frame.bottom);
        let y = middle.clamp(half + 4.0, (layout.size.height - half - 4.0).max(half + 4.0));
        let (anchor, size, ink) = (Anchor::Middle, NAME, Ink::Strong);
        items.push(Item::Text { at: (x, y), anchor, upwards: true, size, ink, label });
    }
    if layout.is_empty {
        let at = (middle, 0.5 * (frame.top + frame.bottom));
        let reason = if layout.remark.is_some() { "no positive values" } else { "no data" };
        items.push(text(at, Anchor::Middle, NAME, Ink::Soft, Label::new(reason)));
    }
}

/// What the colours mean.
fn colours(heat: &Heat, layout: &Layout, items: &mut Vec<Item>) {
    const ROW: f64 = 18.0;
    if heat.tint == Tint::Density {
        return;
    }
    let frame = layout.frame;
    let left = frame.right + 14.0;
    for (k, name) in heat.names.iter().enumerate() {
        let top = frame.top + k as f64 * ROW;
        let (corner, opposite) = ((left, top), (left + 12.0, top + 12.0));
        items.push(Item::Image { corner, opposite, columns: 1, pixels: vec![category(k)] });
        let at = (left + 12.0 + GAP, top + 10.5);
        items.push(text(
            at,
            Anchor::Start,
            NUMBER,
            Ink::Strong,
            Label::new(name).fit(NUMBER, 160.0),
        ));
    }
    let middle = 0.5 * (frame.top + frame.bottom);
    let mut right = left + BAR;
    if heat.names.is_empty() {
        let (corner, opposite) = ((left, frame.top), (left + BAR, frame.bottom));
        items.push(heat.bar(corner, opposite));
        items.push(Item::Outline { corner, opposite, ink: Ink::Frame });
        let domain = heat.domain();
        let ticks = vertical(&domain, frame.height());
        for tick in ticks.major {
            let fraction = domain.fraction_of_place(tick.place).clamp(0.0, 1.0);
            let y = frame.bottom - fraction * frame.height();
            let marks = vec![line((left + BAR, y), (left + BAR + TICK, y))];
            items.push(thin_lines(marks, Ink::Frame));
            right = right.max(left + BAR + TICK + 3.0 + tick.label.width(NUMBER));
            let at = (left + BAR + TICK + 3.0, y + 0.35 * NUMBER);
            items.push(text(at, Anchor::Start, NUMBER, Ink::Soft, tick.label));
        }
        if let Some(note) = ticks.note {
            items.push(text((left, frame.top - 6.0), Anchor::Start, NUMBER, Ink::Soft, note));
        }
        let label = Label::new(&heat.label).fit(NAME, frame.height());
        if !label.is_empty() {
            let (anchor, size, ink) = (Anchor::Middle, NAME, Ink::Strong);
            let at = (right + NAME + 2.0, middle);
            items.push(Item::Text { at, anchor, upwards: true, size, ink, label });
        }
    }
}

fn guides(chart: &Chart, layout: &Layout, items: &mut Vec<Item>) {
    let frame = layout.frame;
    for guide in &chart.guides {
        let domain = if guide.on == Direction::X { layout.x } else { layout.y };
        let Some(fraction) = domain.fraction(guide.at).filter(|f| (0.0..=1.0).contains(f)) else {
            continue;
        };
        let label = Label::new(&guide.label).fit(NUMBER, frame.width());
        let (curve, at, anchor) = match guide.on {
            Direction::X => {
                let x = layout.across(fraction);
                let left = x + label.width(NUMBER) + GAP < frame.right;
                let (shift, anchor) = if left { (5.0, Anchor::Start) } else { (-5.0, Anchor::End) };
                let at = (x + shift, frame.top + NUMBER + 2.0);
                (line((x, frame.top), (x, frame.bottom)), at, anchor)
            }
            Direction::Y => {
                let y = layout.up(fraction);
                let above = y - NUMBER > frame.top;
                let at = (frame.right - 5.0, if above { y - 4.0 } else { y + NUMBER + 2.0 });
                (line((frame.left, y), (frame.right, y)), at, Anchor::End)
            }
        };
        let dash = &[3.0, 3.0];
        let (curves, name) = (vec![curve], label.plain());
        items.push(Item::Curves { curves, ink: Ink::Soft, width: 1.2, dash, name });
        items.push(text(at, anchor, NUMBER, Ink::Soft, label));
    }
}

fn series(chart: &Chart, k: usize, layout: &Layout, items: &mut Vec<Item>) {
    let (series, look) = (&chart.series[k], layout.looks[k]);
    let name = Label::new(&series.name).plain();
    let points = || series.points.iter().map(|&point| layout.point(point));
    if look.width > 0.0 {
        let mut curves = Vec::new();
        for curve in layout.frame.curves(points()) {
            curves.extend(thin::curve(curve));
        }
        let Look { ink, width, dash, .. } = look;
        items.push(Item::Curves { curves, ink, width, dash, name: name.clone() });
    }
    // A curve of one point is a point.
    let alone = look.marker.is_none() && points().flatten().take(2).count() == 1;
    let marker = if alone { Some(super::palette::Marker::Disc) } else { look.marker };
    if let Some(shape) = marker {
        let inside = points().flatten().filter(|&point| layout.frame.contains(point)).collect();
        let points = thin::cloud(inside);
        let Look { ink, radius, .. } = look;
        items.push(Item::Markers { points, shape, radius, ink, name });
    }
}

fn legend(entry: &Entry, layout: &Layout, items: &mut Vec<Item>) {
    let (x, y) = entry.at;
    let at = (x + SAMPLE + GAP, y + 0.35 * NUMBER);
    if let Some(look) = entry.series.map(|k| layout.looks[k]) {
        let Look { ink, width, dash, marker, radius } = look;
        if width > 0.0 {
            let curves = vec![line((x, y), (x + SAMPLE, y))];
            items.push(Item::Curves { curves, ink, width, dash, name: String::new() });
        }
        if let Some(shape) = marker {
            let points = vec![(x + 0.5 * SAMPLE, y)];
            let radius = radius.max(2.0);
            items.push(Item::Markers { points, shape, radius, ink, name: String::new() });
        }
    }
    items.push(text(at, Anchor::Start, NUMBER, Ink::Strong, entry.label.clone()));
}

/// The chart in words, for those who cannot see it.
fn description(chart: &Chart) -> String {
    let plain = |text: &str| Label::new(text).plain();
    let mut words = format!("{} against {}", plain(&chart.y.label), plain(&chart.x.label));
    let names: Vec<String> = chart
        .series
        .iter()
        .map(|series| plain(&series.name))
        .filter(|name| !name.trim().is_empty())
        .collect();
    if !names.is_empty() {
        words.push_str(": ");
        words.push_str(&names.join(", "));
    }
    words
}
