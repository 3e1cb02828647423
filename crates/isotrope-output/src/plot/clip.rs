//! Curves cut off at the frame.

/// A point of the drawing.
pub(super) type Point = (f64, f64);

/// A rectangle of the drawing, y downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Frame {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(super) fn contains(&self, (x, y): Point) -> bool {
        x >= self.left && x <= self.right && y >= self.top && y <= self.bottom
    }

    /// The part of a segment that lies inside (Liang and Barsky).
    fn segment(&self, a: Point, b: Point) -> Option<(Point, Point)> {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        let sides = [
            (-dx, a.0 - self.left),
            (dx, self.right - a.0),
            (-dy, a.1 - self.top),
            (dy, self.bottom - a.1),
        ];
        for (towards, distance) in sides {
            if towards == 0.0 {
                if distance < 0.0 {
                    return None;
                }
            } else if towards < 0.0 {
                enter = enter.max(distance / towards);
            } else {
                leave = leave.min(distance / towards);
            }
        }
        if enter > leave {
            return None;
        }
        let inside =
            |(x, y): Point| (x.clamp(self.left, self.right), y.clamp(self.top, self.bottom));
        let start = if enter > 0.0 { (a.0 + enter * dx, a.1 + enter * dy) } else { a };
        let end = if leave < 1.0 { (a.0 + leave * dx, a.1 + leave * dy) } else { b };
        Some((inside(start), inside(end)))
    }

    /// The curves that are left of a curve with gaps.
    pub(super) fn curves(&self, points: impl Iterator<Item = Option<Point>>) -> Vec<Vec<Point>> {
        let mut curves: Vec<Vec<Point>> = Vec::new();
        let mut before: Option<Point> = None;
        // Does the last curve end where the next segment begins?
        let mut open = false;
        for point in points {
            if let (Some(a), Some(b)) = (before, point) {
                match self.segment(a, b) {
                    Some((start, end)) => {
                        match curves.last_mut().filter(|_| open && start == a) {
                            Some(curve) => curve.push(end),
                            None => curves.push(vec![start, end]),
                        }
                        open = end == b;
                    }
                    None => open = false,
                }
            } else {
                open = false;
            }
            before = point;
        }
        curves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FRAME: Frame = Frame { left: 10.0, top: 20.0, right: 110.0, bottom: 70.0 };

    proptest! {
        #[test]
        fn everything_that_is_left_is_inside(
            points in proptest::collection::vec(
                proptest::option::weighted(0.9, (-1e6..1e6f64, -1e6..1e6f64)), 0..40),
        ) {
            for curve in FRAME.curves(points.into_iter()) {
                prop_assert!(curve.len() >= 2);
                for point in curve {
                    prop_assert!(FRAME.contains(point), "{point:?}");
                }
            }
        }

        #[test]
        fn nothing_inside_is_lost(
            points in proptest::collection::vec((10.0..110.0f64, 20.0..70.0f64), 2..40),
        ) {
            let curves = FRAME.curves(points.iter().copied().map(Some));
            prop_assert_eq!(curves, vec![points]);
        }
    }

    #[test]
    fn a_segment_across_keeps_its_middle() {
        let curves = FRAME.curves([Some((0.0, 45.0)), Some((200.0, 45.0))].into_iter());
        assert_eq!(curves, [[(10.0, 45.0), (110.0, 45.0)]]);
    }

    #[test]
    fn gaps_separate_curves() {
        let (a, b, c, d) = ((20.0, 30.0), (30.0, 40.0), (40.0, 50.0), (50.0, 60.0));
        let curves = FRAME.curves([Some(a), Some(b), None, Some(c), Some(d), None].into_iter());
        assert_eq!(curves, [[a, b], [c, d]]);
    }

    #[test]
    fn leaving_and_coming_back_makes_two_curves() {
        let outside = (50.0, -1000.0);
        let curves =
            FRAME.curves([Some((20.0, 30.0)), Some(outside), Some((90.0, 30.0))].into_iter());
        assert_eq!(curves.len(), 2);
    }
}
