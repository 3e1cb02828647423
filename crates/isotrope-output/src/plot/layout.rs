//! Where frame, numbers and legend are.

use super::chart::{Chart, Heat, Legend, Scale, Series, Size, Style, Tint};
use super::clip::{Frame, Point};
use super::domain::{Domain, place};
use super::heat::{BAR, BESIDE};
use super::label::Label;
use super::palette::{Look, looks};
use super::ticks::{Ticks, ticks};

/// Sizes of texts.
pub(super) const TITLE: f64 = 15.0;
pub(super) const NAME: f64 = 13.0;
pub(super) const NUMBER: f64 = 12.0;
/// The piece of a curve in the legend.
pub(super) const SAMPLE: f64 = 26.0;
/// Between neighbours.
pub(super) const GAP: f64 = 6.0;
const MARGIN: f64 = 12.0;
const LINE: f64 = 17.0;
/// Between names in a row of the legend.
const BETWEEN: f64 = 18.0;
/// Length of ticks outside of the frame.
pub(super) const TICK: f64 = 4.0;

/// A chart with everything in its place.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub size: Size,
    pub frame: Frame,
    pub x: Domain,
    pub y: Domain,
    pub x_ticks: Ticks,
    pub y_ticks: Ticks,
    pub looks: Vec<Look>,
    pub legend: Vec<Entry>,
    /// The lowest line of text, about what is not drawn.
    pub remark: Option<String>,
    /// Is there anything to draw?
    pub is_empty: bool,
}

/// A name in the legend.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The left end of the piece of curve.
    pub at: Point,
    /// Which series; none for the remark that there are more.
    pub series: Option<usize>,
    pub label: Label,
}

impl Layout {
    pub(super) fn new(chart: &Chart, size: Size) -> Self {
        let limit =
            |length: f64| if length.is_finite() { length.clamp(160.0, 8000.0) } else { 640.0 };
        let size = Size { width: limit(size.width), height: limit(size.height) };
        let mut size = size;
        let (x, y) = domains(chart);
        let (remark, is_empty) = remark(chart);
        let mut top = MARGIN;
        if !Label::new(&chart.title).is_empty() {
            top += TITLE + 9.0;
        }
        let names = names(chart);
        let above = flow(&names, size.width - 2.0 * MARGIN);
        let rows = above.iter().map(|entry| entry.0 + 1).max().unwrap_or(0);
        let beside = rows > 2;
        let legend_top = top + 10.0;
        if rows > 0 && !beside {
            top += rows as f64 * LINE + 7.0;
        }
        if beside {
            // All names have room, if the chart may grow; a hundred would be a page.
            let needed = names.len().min(60) as f64 * LINE + top + 68.0;
            size.height = size.height.max(needed);
        }
        let column = names.iter().map(|(_, label)| label.width(NUMBER)).fold(0.0, f64::max);
        let column = (SAMPLE + GAP + column).min(0.36 * size.width);
        let mut right = size.width - MARGIN - 4.0;
        if beside {
            right -= column + 2.0 * GAP;
        }
        right -= chart.heat.as_ref().map_or(0.0, heat_room);
        let mut bottom = size.height - MARGIN + 4.0 - (NUMBER + TICK + 8.0);
        if !chart.x.label.is_empty() {
            bottom -= NAME + 7.0;
        }
        if remark.is_some() {
            bottom -= NUMBER + 3.0;
        }
        let y_ticks = vertical(&y, bottom - top);
        if y_ticks.note.is_some() {
            top += NUMBER + 4.0;
        }
        let widest = y_ticks.major.iter().map(|tick| tick.label.width(NUMBER)).fold(0.0, f64::max);
        let mut left = MARGIN + widest + TICK + 5.0;
        if !chart.y.label.is_empty() {
            left += NAME + 8.0;
        }
        let frame =
            Frame { left, top, right: right.max(left + 40.0), bottom: bottom.max(top + 40.0) };
        let x_ticks = horizontal(&x, frame.width());
        let mut layout = Self {
            size,
            frame,
            x,
            y,
            x_ticks,
            y_ticks,
            looks: looks(&chart.series),
            legend: Vec::new(),
            remark,
            is_empty,
        };
        if chart.aspect_equal && x.scale == Scale::Linear && y.scale == Scale::Linear {
            layout.equalise();
        }
        layout.legend = if beside {
            layout.column(names, column)
        } else {
            let placed = above.into_iter().zip(names);
            placed
                .map(|((row, at), (series, label))| Entry {
                    at: (MARGIN + at, legend_top + row as f64 * LINE),
                    series: Some(series),
                    label,
                })
                .collect()
        };
        layout
    }

    /// A unit as long upwards as to the right: first the frame takes the shape of the data, within
    /// limits, then the domains are made longer.
    fn equalise(&mut self) {
        let (width, height) = (self.frame.width(), self.frame.height());
        let unit = (width / self.x.length()).min(height / self.y.length());
        let wide = (self.x.length() * unit).max((0.55 * height).min(width));
        let high = (self.y.length() * unit).max((0.3 * width).min(height));
        self.x = self.x.with_length(wide / unit);
        self.y = self.y.with_length(high / unit);
        self.size.height -= height - high;
        self.frame.bottom = self.frame.top + high;
        self.frame.left += 0.5 * (width - wide);
        self.frame.right = self.frame.left + wide;
        self.x_ticks = horizontal(&self.x, wide);
        self.y_ticks = vertical(&self.y, high);
    }

    /// Names below each other beside the frame, as many as there is room for.
    fn column(&self, names: Vec<(usize, Label)>, width: f64) -> Vec<Entry> {
        let room = ((self.frame.height() / LINE) as usize).max(2);
        let left = self.size.width - MARGIN - width;
        let shown = if names.len() > room { room - 1 } else { names.len() };
        let more = names.len() - shown;
        let at = |row: usize| (left, self.frame.top + 8.0 + row as f64 * LINE);
        let mut entries: Vec<Entry> = names
            .into_iter()
            .take(shown)
            .enumerate()
            .map(|(row, (series, label))| Entry {
                at: at(row),
                series: Some(series),
                label: label.fit(NUMBER, width - SAMPLE - GAP),
            })
            .collect();
        if more > 0 {
            let label = Label::new(&format!("and {more} more"));
            entries.push(Entry { at: at(shown), series: None, label });
        }
        entries
    }

    /// The place of a point in the drawing, also outside of the frame.
    pub(super) fn point(&self, (x, y): (f64, f64)) -> Option<Point> {
        let (across, up) = (self.x.fraction(x)?, self.y.fraction(y)?);
        Some((self.across(across), self.up(up)))
    }

    pub(super) fn across(&self, fraction: f64) -> f64 {
        self.frame.left + fraction * self.frame.width()
    }

    pub(super) fn up(&self, fraction: f64) -> f64 {
        self.frame.bottom - fraction * self.frame.height()
    }
}

fn domains(chart: &Chart) -> (Domain, Domain) {
    use super::chart::Direction;
    let points = || chart.series.iter().flat_map(|series| &series.points);
    let guides = |on: Direction| {
        chart.guides.iter().filter(move |guide| guide.on == on).map(|guide| guide.at)
    };
    let forwards = |series: &Series| {
        series.style == Style::Line && series.points.windows(2).all(|pair| pair[0].0 <= pair[1].0)
    };
    let tight = !chart.aspect_equal && chart.series.iter().all(forwards);
    let ends =
        |of: fn(&Heat) -> (f64, f64)| chart.heat.iter().map(of).flat_map(|(low, high)| [low, high]);
    let x = points().map(|point| point.0).chain(guides(Direction::X)).chain(ends(|heat| heat.x));
    let y = points().map(|point| point.1).chain(guides(Direction::Y)).chain(ends(|heat| heat.y));
    let tight = tight || chart.heat.is_some();
    (Domain::new(&chart.x, x, tight), Domain::new(&chart.y, y, chart.heat.is_some()))
}

/// What is not drawn although it is a number, and whether nothing is drawn.
fn remark(chart: &Chart) -> (Option<String>, bool) {
    let (mut hidden, mut drawn) = (0usize, 0usize);
    for &(x, y) in chart.series.iter().flat_map(|series| &series.points) {
        match (place(chart.x.scale, x), place(chart.y.scale, y)) {
            (Some(_), Some(_)) => drawn += 1,
            _ if x.is_finite() && y.is_finite() => hidden += 1,
            _ => {}
        }
    }
    let remark = match hidden {
        0 => None,
        1 => Some("1 point has no place on a logarithmic axis (zero or negative)".to_owned()),
        _ => {
            Some(format!("{hidden} points have no place on a logarithmic axis (zero or negative)"))
        }
    };
    (remark, drawn == 0 && chart.heat.is_none())
}

/// What a bar of colours, or names of colours, take beside the frame.
fn heat_room(heat: &Heat) -> f64 {
    if heat.tint == Tint::Density {
        return 0.0;
    }
    let widest = |labels: &mut dyn Iterator<Item = Label>| {
        labels.map(|label| label.width(NUMBER)).fold(0.0, f64::max)
    };
    let texts = match heat.names.is_empty() {
        true => {
            widest(&mut vertical(&heat.domain(), 300.0).major.into_iter().map(|tick| tick.label))
        }
        false => widest(&mut heat.names.iter().map(|name| Label::new(name))),
    };
    BESIDE + BAR + texts.min(160.0) + if heat.label.is_empty() { 0.0 } else { NAME + 6.0 }
}

/// Series with their names, if there is something to tell apart.
fn names(chart: &Chart) -> Vec<(usize, Label)> {
    let all: Vec<(usize, Label)> = chart
        .series
        .iter()
        .enumerate()
        .map(|(k, series)| (k, Label::new(&series.name)))
        .filter(|(_, label)| !label.is_empty())
        .collect();
    if chart.legend == Legend::Hidden || all.len() < 2 { Vec::new() } else { all }
}

/// Rows of names: row and left end of each.
fn flow(names: &[(usize, Label)], width: f64) -> Vec<(usize, f64)> {
    let (mut row, mut at) = (0, 0.0);
    names
        .iter()
        .map(|(_, label)| {
            let wide = SAMPLE + GAP + label.width(NUMBER);
            if at > 0.0 && at + wide > width {
                row += 1;
                at = 0.0;
            }
            let left = at;
            at += wide + BETWEEN;
            (row, left)
        })
        .collect()
}

pub(super) fn vertical(domain: &Domain, height: f64) -> Ticks {
    let each = if domain.scale == Scale::Linear { 44.0 } else { 30.0 };
    ticks(domain, (height / each) as usize)
}

/// As many numbers as stand beside each other.
fn horizontal(domain: &Domain, width: f64) -> Ticks {
    let mut most = (width / 55.0) as usize;
    loop {
        let found = ticks(domain, most);
        let fits = found.major.windows(2).all(|pair| {
            let distance =
                domain.fraction_of_place(pair[1].place) - domain.fraction_of_place(pair[0].place);
            let needed = pair[0].label.width(NUMBER) + pair[1].label.width(NUMBER);
            distance * width >= 0.5 * needed + 14.0
        });
        if fits || most <= 2 {
            return found;
        }
        most -= 1;
    }
}
