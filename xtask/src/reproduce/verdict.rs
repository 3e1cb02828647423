//! How a printed number and ours compare.

use super::published::{Line, Published, Quantity};

/// Within this a number is reproduced.
const CLOSE: f64 = 0.05;
/// The same where one digit is printed: the half of its last place, for a digit in the middle.
const CLOSE_TO_ONE_DIGIT: f64 = 0.15;
/// Within this factor it is of the same size.
const SIZE: f64 = 3.0;

/// One word for the line, and why it is not "reproduced".
pub(super) fn verdict(table: &Published, line: &Line, ours: &[Option<f64>]) -> String {
    let mut worst = Agreement::Reproduced;
    let mut any = false;
    for ((printed, ours), (_, quantity)) in line.printed.iter().zip(ours).zip(table.columns) {
        let (Some(printed), Some(ours)) = (printed, ours) else { continue };
        if *quantity == Quantity::Seconds {
            continue;
        }
        any = true;
        worst = worst.max(agreement(*printed, *ours));
    }
    let word = match worst {
        _ if !any => "nothing to compare",
        Agreement::Reproduced => "reproduced",
        Agreement::Size => "same size",
        Agreement::Different => "not reproduced",
    };
    let explain = worst != Agreement::Reproduced || !any || !table.data_known;
    if explain && !line.remark.is_empty() {
        format!("{word}: {}", line.remark)
    } else {
        word.to_owned()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Agreement {
    Reproduced,
    Size,
    Different,
}

pub(super) fn agreement(printed: f64, ours: f64) -> Agreement {
    let ratio = ours / printed;
    let digits = format!("{printed:e}").split('e').next().map_or(1, |m| m.replace('.', "").len());
    let close = if digits <= 1 { CLOSE_TO_ONE_DIGIT } else { CLOSE };
    if (ratio - 1.0).abs() <= close {
        Agreement::Reproduced
    } else if (1.0 / SIZE..=SIZE).contains(&ratio) {
        Agreement::Size
    } else {
        Agreement::Different
    }
}

/// The power of h between the largest and the smallest step.
pub(super) fn slope(points: impl Iterator<Item = (f64, Option<f64>)>) -> Option<f64> {
    let known: Vec<(f64, f64)> =
        points.filter_map(|(step, error)| Some((step, error?))).filter(|p| p.1 > 0.0).collect();
    let (first, last) = (known.first()?, known.last()?);
    let ratio = logarithm(first.0 / last.0);
    (ratio != 0.0).then(|| logarithm(first.1 / last.1) / ratio)
}

/// To the few digits that the page shows, any machine's logarithm is the same.
#[expect(clippy::disallowed_methods, reason = "two digits of a slope on a page")]
fn logarithm(x: f64) -> f64 {
    x.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_digits_decide_what_close_means() {
        assert_eq!(agreement(0.3433, 0.3450), Agreement::Reproduced);
        assert_eq!(agreement(7e-6, 6.3e-6), Agreement::Reproduced);
        assert_eq!(agreement(7.9e-3, 1.2e-2), Agreement::Size);
        assert_eq!(agreement(7.0912, 1.8e-7), Agreement::Different);
    }

    #[test]
    fn slopes_are_powers_of_the_step() {
        let points = [(0.1, Some(3e-2)), (0.01, None), (0.001, Some(3e-6))];
        assert!((slope(points.into_iter()).unwrap() - 2.0).abs() < 1e-12);
    }
}
