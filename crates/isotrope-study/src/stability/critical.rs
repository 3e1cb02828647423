//! Critical values: exactly from polynomials, or by a scan and bisection.

use isotrope_algebra::AlgebraicNumber;

use super::polynomials::Candidates;
use super::probe::{Probe, Sample};
use super::reduce::Spectrum;
use super::report::{Critical, Kind};

/// All critical values between two ends, from the candidates: each is judged by the spectra on
/// both of its sides.
pub(super) fn from_candidates(
    probe: &mut Probe<'_>,
    candidates: &Candidates,
    (low, high): (f64, f64),
) -> Vec<Critical> {
    let inside = |x: f64| low <= x && x <= high;
    let places: Vec<f64> = candidates.all.iter().map(AlgebraicNumber::to_f64).collect();
    let mut found = Vec::new();
    for (k, (number, &place)) in candidates.all.iter().zip(&places).enumerate() {
        if !inside(place) || candidates.infinite.contains(number) {
            continue;
        }
        let far = high - low;
        let left = k.checked_sub(1).map_or(place - far, |before| (places[before] + place) / 2.0);
        let right = places.get(k + 1).map_or(place + far, |after| (place + after) / 2.0);
        let mut unstable = |x: f64| probe.sample(x).map(|sample| sample.spectrum.unstable);
        let (before, here, after) = (unstable(left), unstable(place), unstable(right));
        let kind = match candidates.divergence.contains(number) {
            true => Kind::Divergence,
            // Eigenvalues that collide without leaving the axis, or off it, are not flutter.
            // Two pairs that cross in opposite directions meet on it, and fewer are unstable there.
            false if before == after && here >= before => continue,
            false => Kind::Flutter,
        };
        let exact = Some(number.to_string());
        found.push(Critical { unstable: [before, after], ..Critical::new(kind, place, exact) });
    }
    for number in candidates.symmetric.iter().filter(|number| inside(number.to_f64())) {
        let (value, exact) = (number.to_f64(), Some(number.to_string()));
        found.push(Critical::new(Kind::SymmetricPartSingular, value, exact));
    }
    in_order(found)
}

/// Critical values between neighbouring samples, by bisection.
pub(super) fn from_samples(probe: &mut Probe<'_>, samples: &[Sample]) -> Vec<Critical> {
    let mut found = Vec::new();
    for pair in samples.windows(2) {
        let [a, b] = pair else { continue };
        let width = b.parameter - a.parameter;
        let mut place = |side: &dyn Fn(&Sample) -> bool| -> Option<f64> {
            (side(a) != side(b)).then(|| bisect(probe, a, b, side))
        };
        let zero = place(&|sample| sample.stiffness > 0.0);
        let symmetric = place(&|sample| sample.symmetric > 0.0);
        // An eigenvalue within rounding of the axis at an end makes the axis thick; otherwise it
        // is thin, and the crossing is found to all digits.
        let thick = [a, b].iter().any(|sample| {
            sample.spectrum.unstable != above(&sample.spectrum, 0.0)
                || above(&sample.spectrum, -sample.spectrum.tolerance) != sample.spectrum.unstable
        });
        let count = |sample: &Sample| match thick {
            true => sample.spectrum.unstable,
            false => above(&sample.spectrum, 0.0),
        };
        let (before, after) = (count(a), count(b));
        let crossing = place(&|sample| count(sample) == before);
        let unstable = [Some(before), Some(after)];
        let same = |x: f64, y: f64| (x - y).abs() <= 1e-6 * width;
        match (zero, crossing) {
            (Some(zero), Some(crossing)) if same(zero, crossing) => {
                found.push(Critical { unstable, ..Critical::new(Kind::Divergence, zero, None) });
            }
            (zero, crossing) => {
                let quiet = if crossing.is_none() { unstable } else { [None; 2] };
                found.extend(zero.map(|zero| Critical {
                    unstable: quiet,
                    ..Critical::new(Kind::Divergence, zero, None)
                }));
                found.extend(crossing.map(|crossing| Critical {
                    unstable,
                    ..Critical::new(Kind::Flutter, crossing, None)
                }));
            }
        }
        found.extend(symmetric.map(|x| Critical::new(Kind::SymmetricPartSingular, x, None)));
    }
    in_order(found)
}

/// How many eigenvalues are to the right of a line.
fn above(spectrum: &Spectrum, line: f64) -> usize {
    spectrum.eigenvalues.iter().filter(|z| z.re > line).count()
}

fn in_order(mut found: Vec<Critical>) -> Vec<Critical> {
    found.sort_by(|a, b| a.value.total_cmp(&b.value));
    found
}

/// Where the answer changes, to the last digit where samples can be had.
fn bisect(probe: &mut Probe<'_>, a: &Sample, b: &Sample, side: &dyn Fn(&Sample) -> bool) -> f64 {
    let (mut low, mut high) = (a.parameter, b.parameter);
    let first = side(a);
    for _ in 0..80 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        match probe.sample(middle) {
            Some(sample) if side(&sample) == first => low = middle,
            Some(_) => high = middle,
            None => break,
        }
    }
    low + (high - low) / 2.0
}
