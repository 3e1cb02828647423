//! Sobol's sequence with the direction numbers of S. Joe and F. Kuo (SIAM J. Sci. Comput. 30 (2008), 2635-2654).

/// Axes there are direction numbers for.
pub const AXES: usize = 16;

const BITS: u32 = 53;

/// Degree and inner coefficients of the primitive polynomials, and the first direction numbers, from the second axis on.
const NUMBERS: [(u32, u32, &[u64]); AXES - 1] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
];

/// Direction numbers of all axes.
#[derive(Debug, Clone)]
pub struct Sobol {
    directions: Vec<Vec<u64>>,
}

impl Sobol {
    /// For so many axes, at most [`AXES`].
    #[must_use]
    pub fn new(axes: usize) -> Self {
        Self { directions: (0..axes.min(AXES)).map(directions).collect() }
    }

    /// A coordinate of a point, from 0 to 1; points are in the order of Gray's code.
    #[must_use]
    pub fn coordinate(&self, axis: usize, point: u64) -> f64 {
        let gray = point ^ (point >> 1);
        let directions = self.directions.get(axis).map_or(&[][..], Vec::as_slice);
        let bits = directions.iter().zip(0..).filter(|(_, k)| gray >> k & 1 == 1);
        let sum = bits.fold(0, |sum, (direction, _)| sum ^ direction);
        sum as f64 / (1_u64 << BITS) as f64
    }
}

fn directions(axis: usize) -> Vec<u64> {
    let Some(&(degree, inner, first)) = axis.checked_sub(1).and_then(|k| NUMBERS.get(k)) else {
        return (0..BITS).map(|k| 1 << (BITS - 1 - k)).collect();
    };
    let mut numbers: Vec<u64> = first.to_vec();
    for k in degree as usize..BITS as usize {
        let before = numbers[k - degree as usize];
        let mut next = before ^ (before << degree);
        for i in 1..degree {
            if inner >> (degree - 1 - i) & 1 == 1 {
                next ^= numbers[k - i as usize] << i;
            }
        }
        numbers.push(next);
    }
    (0..BITS).zip(numbers).map(|(k, number)| number << (BITS - 1 - k)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `scipy.stats.qmc.Sobol(d=16, scramble=False)` has them.
    #[test]
    fn the_points_are_those_of_joe_and_kuo() {
        let sobol = Sobol::new(AXES);
        let point = |n| (0..AXES).map(|axis| sobol.coordinate(axis, n)).collect::<Vec<_>>();
        assert_eq!(point(0), [0.0; AXES]);
        assert_eq!(point(1), [0.5; AXES]);
        assert_eq!(point(2)[..5], [0.75, 0.25, 0.25, 0.25, 0.75]);
        // Every dyadic interval of every axis has as many points as any other.
        for axis in 0..AXES {
            let mut counts = [0; 64];
            for n in 0..4096 {
                counts[(sobol.coordinate(axis, n) * 64.0) as usize] += 1;
            }
            assert_eq!(counts, [64; 64]);
        }
    }
}
