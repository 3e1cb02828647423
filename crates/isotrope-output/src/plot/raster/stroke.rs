//! Curves with a width and round ends.

use super::mask::Mask;

type Point = (f64, f64);

/// Covers a curve; `dash` is on and off by turns.
pub(super) fn curve(points: &[Point], width: f64, dash: &[f64], mask: &mut Mask) {
    let radius = 0.5 * width;
    if dash.is_empty() || dash.iter().any(|length| *length <= 0.0) {
        for pair in points.windows(2) {
            capsule(pair[0], pair[1], radius, mask);
        }
        return;
    }
    let (mut index, mut left) = (0, dash[0]);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let length = distance(from, to);
            let on = index % 2 == 0;
            if length < left {
                left -= length;
                if on {
                    capsule(from, to, radius, mask);
                }
                break;
            }
            let part = left / length;
            let next = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
            if on {
                capsule(from, next, radius, mask);
            }
            from = next;
            index = (index + 1) % dash.len();
            left = dash[index];
            if length == 0.0 {
                break;
            }
        }
    }
}

fn distance(a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    (dx * dx + dy * dy).sqrt()
}

/// Covers all points not farther than `radius` from a segment. A dot at the border is covered as
/// far as its middle is inside.
pub(super) fn capsule(a: Point, b: Point, radius: f64, mask: &mut Mask) {
    if ![a.0, a.1, b.0, b.1].iter().all(|number| number.is_finite()) {
        return;
    }
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let square = dx * dx + dy * dy;
    let reach = radius + 1.0;
    let rows = between(a.1.min(b.1) - reach, a.1.max(b.1) + reach, mask.height());
    for row in rows {
        let y = row as f64 + 0.5;
        // The part of the segment that is near enough to this row.
        let (low, high) = match dy {
            0.0 => (0.0, 1.0),
            _ => {
                let (s, t) = ((y - reach - a.1) / dy, (y + reach - a.1) / dy);
                (s.min(t).clamp(0.0, 1.0), s.max(t).clamp(0.0, 1.0))
            }
        };
        let (from, to) = (a.0 + low * dx, a.0 + high * dx);
        for column in between(from.min(to) - reach, from.max(to) + reach, mask.width()) {
            let x = column as f64 + 0.5;
            let along = match square {
                0.0 => 0.0,
                _ => (((x - a.0) * dx + (y - a.1) * dy) / square).clamp(0.0, 1.0),
            };
            let gap = distance((x, y), (a.0 + along * dx, a.1 + along * dy));
            let part = (radius + 0.5 - gap).clamp(0.0, (2.0 * radius).min(1.0));
            if part > 0.0 {
                mask.cover(column, row, part as f32);
            }
        }
    }
}

/// Numbers of dots between two places.
fn between(low: f64, high: f64, most: usize) -> std::ops::Range<usize> {
    let end = |place: f64| place.clamp(0.0, most as f64) as usize;
    end(low.floor())..end(high.ceil())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(mask: &Mask) -> f64 {
        mask.rows().flat_map(|(_, _, row)| row).map(|&part| f64::from(part)).sum()
    }

    #[test]
    fn a_capsule_covers_its_area() {
        for (b, radius) in [((60.0, 30.0), 3.0), ((20.0, 20.0), 6.0), ((20.3, 70.7), 2.0)] {
            let mut mask = Mask::new(100, 100);
            let a = (20.0, 20.0);
            capsule(a, b, radius, &mut mask);
            let area = 2.0 * radius * distance(a, b) + std::f64::consts::PI * radius * radius;
            assert!((total(&mask) / area - 1.0).abs() < 0.02, "{} {area}", total(&mask));
        }
    }

    #[test]
    fn dashes_cover_their_part() {
        let mut solid = Mask::new(400, 20);
        let mut dashed = Mask::new(400, 20);
        let points = [(10.0, 10.0), (150.0, 10.0), (390.0, 10.0)];
        curve(&points, 1.0, &[], &mut solid);
        // Round ends make dashes longer by the width.
        curve(&points, 1.0, &[5.0, 7.0], &mut dashed);
        assert!((total(&dashed) / total(&solid) - 0.5).abs() < 0.03);
    }

    #[test]
    fn odd_curves_end() {
        let mut mask = Mask::new(50, 50);
        curve(&[(1.0, 1.0), (1.0, 1.0), (1.0, 1.0)], 1.0, &[2.0, 2.0], &mut mask);
        curve(&[(1.0, f64::NAN), (1.0, 1.0)], 1.0, &[], &mut mask);
        curve(&[(-1e4, -1e4), (1e4, 1e4)], 1.0, &[3.0, 1.0], &mut mask);
        curve(&[(1.0, 1.0), (9.0, 9.0)], 1.0, &[0.0, 0.0], &mut mask);
        assert!(total(&mask) > 0.0);
    }
}
