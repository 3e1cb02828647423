//! Did a function pass through zero and back within a step?

/// The part of the step at which the cubic with these values and rates (in units of the step) at both ends has an
/// extremum on the other side of zero.
pub(super) fn dip([before, after]: [f64; 2], [first, last]: [f64; 2]) -> Option<f64> {
    if before * after <= 0.0 {
        return None;
    }
    let change = after - before;
    let value = |x: f64| {
        let bend = first - change;
        let twist = 2.0 * change - first - last;
        before + x * (change + (1.0 - x) * (bend + x * twist))
    };
    // p' = first + 2 b x + 3 c x².
    let (b, c) = (3.0 * change - 2.0 * first - last, first + last - 2.0 * change);
    let root = (b * b - 3.0 * c * first).max(0.0).sqrt();
    let q = -(b + root.copysign(b));
    let places = [q / (3.0 * c), first / q];
    let beyond = |&x: &f64| x > 0.0 && x < 1.0 && value(x) * before < 0.0;
    places.into_iter().filter(beyond).reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::dip;

    #[test]
    fn a_parabola_below_zero_dips_in_the_middle() {
        // (2x − 1)² − 1/4 and (2x − 1)² + 1/4.
        assert_eq!(dip([0.75, 0.75], [-4.0, 4.0]), Some(0.5));
        assert_eq!(dip([1.25, 1.25], [-4.0, 4.0]), None);
        assert_eq!(dip([-0.75, -0.75], [4.0, -4.0]), Some(0.5));
        // A change of sign is not a dip, nor is a line.
        assert_eq!(dip([1.0, -1.0], [-2.0, -2.0]), None);
        assert_eq!(dip([1.0, 2.0], [1.0, 1.0]), None);
    }

    #[test]
    fn a_cubic_dips_at_its_minimum() {
        // (x − 1/4)² (x + 1) − 1/10, whose minimum near 1/4 is −1/10.
        let p = |x: f64| (x - 0.25) * (x - 0.25) * (x + 1.0) + 0.01 - 0.05;
        let slope = |x: f64| 2.0 * (x - 0.25) * (x + 1.0) + (x - 0.25) * (x - 0.25);
        let found = dip([p(0.0), p(1.0)], [slope(0.0), slope(1.0)]).unwrap();
        assert!((found - 0.25).abs() < 1e-12, "{found}");
    }
}
