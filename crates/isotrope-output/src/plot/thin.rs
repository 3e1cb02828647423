//! Long curves drawn with few points that look the same.

use rustc_hash::FxHashSet;

use super::clip::Point;

/// Curves with fewer points are drawn as they are.
const FEW: usize = 2000;
/// Segments of a curve, at most, that runs to and fro.
const MOST: usize = 40_000;

/// A curve with at most about four points in each column of pixels if it runs from left to right,
/// and without segments that are drawn already otherwise.
pub(super) fn curve(points: Vec<Point>) -> Vec<Vec<Point>> {
    if points.len() <= FEW {
        return vec![points];
    }
    if points.windows(2).all(|pair| pair[0].0 <= pair[1].0) {
        return vec![columns(&points)];
    }
    let mut cell = 0.25;
    // Ends: in one large cell there is no segment.
    loop {
        let curves = once(&points, cell);
        let count: usize = curves.iter().map(Vec::len).sum();
        if count <= MOST {
            return curves;
        }
        cell *= 2.0;
    }
}

/// In each column of half a pixel the first, the lowest, the highest and the last point.
fn columns(points: &[Point]) -> Vec<Point> {
    let column = |point: &Point| (point.0 * 2.0).floor();
    let mut kept = Vec::new();
    for chunk in points.chunk_by(|a, b| column(a) == column(b)) {
        let mut wanted = [0, 0, 0, chunk.len() - 1];
        for (k, point) in chunk.iter().enumerate() {
            if point.1 < chunk[wanted[1]].1 {
                wanted[1] = k;
            }
            if point.1 > chunk[wanted[2]].1 {
                wanted[2] = k;
            }
        }
        wanted.sort_unstable();
        let mut last = None;
        for k in wanted {
            if last != Some(k) {
                kept.push(chunk[k]);
            }
            last = Some(k);
        }
    }
    kept
}

/// Which cell of a grid a point is in.
fn cell_of(point: Point, cell: f64) -> (i32, i32) {
    ((point.0 / cell).round() as i32, (point.1 / cell).round() as i32)
}

/// Each segment between cells of a grid once.
fn once(points: &[Point], cell: f64) -> Vec<Vec<Point>> {
    let mut seen = FxHashSet::default();
    let mut curves: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    let mut before: Option<(Point, (i32, i32))> = None;
    for &point in points {
        let here = cell_of(point, cell);
        let Some((last, there)) = before else {
            before = Some((point, here));
            continue;
        };
        if here == there {
            continue;
        }
        if seen.insert((here.min(there), here.max(there))) {
            match curves.last_mut().filter(|_| open) {
                Some(curve) => curve.push(point),
                None => curves.push(vec![last, point]),
            }
            open = true;
        } else {
            open = false;
        }
        before = Some((point, here));
    }
    curves
}

/// Points without those that lie upon others.
pub(super) fn cloud(points: Vec<Point>) -> Vec<Point> {
    if points.len() <= FEW {
        return points;
    }
    let mut cell = 0.25;
    loop {
        let mut seen = FxHashSet::default();
        let kept: Vec<Point> =
            points.iter().copied().filter(|&point| seen.insert(cell_of(point, cell))).collect();
        if kept.len() <= MOST {
            return kept;
        }
        cell *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use isotrope_algebra::modular::Random;

    use super::*;

    fn noise(count: usize) -> impl Iterator<Item = f64> {
        let mut random = Random::new(1);
        (0..count).map(move |_| random.fraction())
    }

    #[test]
    fn a_million_points_become_few_and_keep_their_extremes() {
        let count = 1_000_000;
        let points: Vec<Point> =
            noise(count).enumerate().map(|(k, y)| (k as f64 * 600.0 / count as f64, y)).collect();
        let thin = curve(points.clone()).concat();
        assert!(thin.len() <= 4 * 1201);
        // In every column of a pixel the extremes are the same.
        let extremes = |points: &[Point]| {
            let mut ends = vec![(f64::INFINITY, f64::NEG_INFINITY); 601];
            for &(x, y) in points {
                let end = &mut ends[x as usize];
                *end = (end.0.min(y), end.1.max(y));
            }
            ends
        };
        assert_eq!(extremes(&thin), extremes(&points));
        assert_eq!((thin[0], thin[thin.len() - 1]), (points[0], points[count - 1]));
    }

    #[test]
    fn an_orbit_that_closes_is_drawn_once() {
        // A rhombus, run around a thousand times.
        let corners = [(0.0, 50.0), (50.0, 100.0), (100.0, 50.0), (50.0, 0.0)];
        let points: Vec<Point> = corners.into_iter().cycle().take(4000).collect();
        let curves = curve(points);
        assert_eq!(curves, [vec![corners[0], corners[1], corners[2], corners[3], corners[0]]]);
    }

    #[test]
    fn clouds_and_tangles_are_bounded() {
        let numbers: Vec<f64> = noise(600_000).collect();
        let points: Vec<Point> =
            numbers.chunks(2).map(|pair| (pair[0] * 600.0, pair[1] * 400.0)).collect();
        let kept = cloud(points.clone());
        assert!(kept.len() <= MOST && kept.len() > 1000);
        // Every point has one beside it that is drawn.
        let drawn: FxHashSet<_> = kept.iter().map(|&point| cell_of(point, 4.0)).collect();
        assert!(points.iter().all(|&point| drawn.contains(&cell_of(point, 4.0))));
    }
}
