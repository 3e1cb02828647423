//! How much of each dot is covered.

/// Coverage of dots, 0 to 1.
#[derive(Debug, Clone)]
pub(super) struct Mask {
    width: usize,
    height: usize,
    coverage: Vec<f32>,
    /// First and last row that are touched.
    touched: Option<(usize, usize)>,
}

impl Mask {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, coverage: Vec::new(), touched: None }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// Covers a dot at least so far.
    pub(super) fn cover(&mut self, x: usize, y: usize, part: f32) {
        if self.coverage.is_empty() {
            self.coverage = vec![0.0; self.width * self.height];
        }
        if let Some(dot) = self.coverage.get_mut(y * self.width + x).filter(|_| x < self.width) {
            *dot = dot.max(part);
            let (first, last) = self.touched.unwrap_or((y, y));
            self.touched = Some((first.min(y), last.max(y)));
        }
    }

    /// Rows that are touched: number, first dot, coverage.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, usize, &[f32])> {
        let rows = self.touched.map_or(0..0, |(first, last)| first..last + 1);
        rows.filter_map(|row| {
            let start = row * self.width;
            Some((row, 0, self.coverage.get(start..start + self.width)?))
        })
    }

    /// Fills polygons whose holes run the other way round: the signed area of each edge to its
    /// left, dot by dot, summed up along the rows.
    pub(super) fn fill(&mut self, polygons: &[Vec<(f64, f64)>]) {
        let corners = || polygons.iter().flatten();
        let end = |value: f64, most: usize| value.clamp(0.0, most as f64) as usize;
        let low = |at: fn(&(f64, f64)) -> f64| corners().map(at).fold(f64::INFINITY, f64::min);
        let high = |at: fn(&(f64, f64)) -> f64| corners().map(at).fold(f64::NEG_INFINITY, f64::max);
        if corners().next().is_none() || !corners().all(|p| p.0.is_finite() && p.1.is_finite()) {
            return;
        }
        let (left, right) = (end(low(|p| p.0), self.width), end(high(|p| p.0) + 1.0, self.width));
        let (top, bottom) = (end(low(|p| p.1), self.height), end(high(|p| p.1) + 1.0, self.height));
        if right <= left || bottom <= top {
            return;
        }
        let mut area = Area::new(right - left, bottom - top);
        for polygon in polygons {
            for (k, &a) in polygon.iter().enumerate() {
                let b = polygon[(k + 1) % polygon.len()];
                let shift = |(x, y): (f64, f64)| (x - left as f64, y - top as f64);
                area.edge(shift(a), shift(b));
            }
        }
        for row in 0..bottom - top {
            let mut sum = 0.0;
            for column in 0..right - left {
                sum += area.at(column, row);
                let part = sum.abs().min(1.0) as f32;
                if part > 1e-3 {
                    self.cover(left + column, top + row, part);
                }
            }
        }
    }
}

/// Changes of the covered area from dot to dot.
struct Area {
    width: usize,
    height: usize,
    changes: Vec<f64>,
}

impl Area {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, changes: vec![0.0; (width + 2) * height] }
    }

    fn at(&self, column: usize, row: usize) -> f64 {
        self.changes[row * (self.width + 2) + column]
    }

    /// An edge; what lies right of it is inside or outside, by its direction.
    fn edge(&mut self, a: (f64, f64), b: (f64, f64)) {
        let (sign, (x0, y0), (x1, y1)) = if a.1 < b.1 { (1.0, a, b) } else { (-1.0, b, a) };
        if y0 == y1 {
            return;
        }
        let slope = (x1 - x0) / (y1 - y0);
        let first = y0.max(0.0) as usize;
        for row in first..self.height {
            let (top, bottom) = (y0.max(row as f64), y1.min(row as f64 + 1.0));
            if bottom <= top {
                break;
            }
            let at = |y: f64| (x0 + (y - y0) * slope).clamp(0.0, self.width as f64);
            let (from, to) = (at(top), at(bottom));
            self.piece(row, from.min(to), from.max(to), sign * (bottom - top));
        }
    }

    /// A piece of an edge within a row, `height` high with its sign.
    fn piece(&mut self, row: usize, left: f64, right: f64, height: f64) {
        let start = row * (self.width + 2);
        let (first, last) = (left as usize, right as usize);
        let mut covered = 0.0;
        for column in first..=last {
            // The part of the height that is crossed up to the right side of this dot, and the
            // mean of it over the dot.
            let (from, to) = (left.max(column as f64), right.min(column as f64 + 1.0));
            let part = if right > left { (to - from) / (right - left) } else { 1.0 };
            let mean = part * (column as f64 + 1.0 - 0.5 * (from + to));
            let before = if right > left { (from - left) / (right - left) } else { 0.0 };
            let filled = height * (before + mean);
            self.changes[start + column] += filled - covered;
            covered = filled;
        }
        self.changes[start + last + 1] += height - covered;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn total(mask: &Mask) -> f64 {
        mask.rows().flat_map(|(_, _, row)| row).map(|&part| f64::from(part)).sum()
    }

    proptest! {
        #[test]
        fn a_triangle_covers_its_area(
            corners in proptest::array::uniform3((2.0..38.0f64, 2.0..28.0f64)),
        ) {
            let mut mask = Mask::new(40, 30);
            mask.fill(&[corners.to_vec()]);
            let [a, b, c] = corners;
            let area = 0.5 * ((b.0 - a.0) * (c.1 - a.1) - (c.0 - a.0) * (b.1 - a.1)).abs();
            // What is thinner than a thousandth of a dot is left out.
            prop_assert!((total(&mask) - area).abs() < 0.05, "{} {area}", total(&mask));
        }
    }

    #[test]
    fn holes_run_the_other_way_round() {
        let square = |a: f64, b: f64| vec![(a, a), (b, a), (b, b), (a, b)];
        let mut hole = square(4.0, 8.0);
        hole.reverse();
        let mut mask = Mask::new(20, 20);
        mask.fill(&[square(2.0, 10.0), hole]);
        assert!((total(&mask) - (64.0 - 16.0)).abs() < 1e-5);
    }

    #[test]
    fn what_lies_outside_is_cut_off() {
        let mut mask = Mask::new(10, 10);
        mask.fill(&[vec![(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)]]);
        assert!((total(&mask) - 25.0).abs() < 1e-5);
        mask.fill(&[vec![(50.0, 50.0), (60.0, 50.0), (60.0, 60.0)], vec![]]);
        mask.fill(&[vec![(f64::NAN, 0.0), (1.0, 1.0), (0.0, 1.0)]]);
        assert!((total(&mask) - 25.0).abs() < 1e-5);
    }
}
