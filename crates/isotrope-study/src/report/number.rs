//! Numbers for people.

/// A number with that many significant digits, without zeros at the end of short ones.
pub(crate) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        // Infinite, or no number.
        return scientific;
    };
    let trimmed = |text: &str| match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        None => text.to_owned(),
    };
    match exponent.parse::<i32>() {
        Ok(small @ -5..=-1) => {
            trimmed(&format!("{value:.*}", digits - 1 + small.unsigned_abs() as usize))
        }
        Ok(large) if large >= 0 && large.unsigned_abs() < digits as u32 => {
            trimmed(&format!("{value:.*}", digits - 1 - large.unsigned_abs() as usize))
        }
        _ => format!("{}e{exponent}", trimmed(mantissa)),
    }
}

/// All digits of a number, as few as read back to it, and a power of ten where there would be many zeros.
#[must_use]
pub fn shortest(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || (1e-5..1e16).contains(&size) => value.to_string(),
        _ => format!("{value:e}"),
    }
}

/// A span of time with a fitting unit.
pub(super) fn duration(seconds: f64) -> String {
    let (factor, unit) = match seconds {
        s if s >= 120.0 => (1.0 / 60.0, "min"),
        s if s >= 1.0 => (1.0, "s"),
        s if s >= 1e-3 => (1e3, "ms"),
        s if s >= 1e-6 => (1e6, "µs"),
        _ => (1e9, "ns"),
    };
    format!("{} {unit}", significant(seconds * factor, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_significant() {
        let shown = [0.1, 1.0, -1234.5678, 1e-5, 1.5e-6, 123456.0, 1e300, -0.0, 0.99999, f64::NAN];
        let texts = shown.map(|value| significant(value, 4));
        let expected =
            ["0.1", "1", "-1235", "0.00001", "1.5e-6", "1.235e5", "1e300", "0", "1", "NaN"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn long_numbers_are_short_and_read_back() {
        let values = [0.1, 100.0, 1e300, -2.5e-300, 1e16, 123456789.125, 0.0, 1e-5];
        let texts = values.map(shortest);
        let expected =
            ["0.1", "100", "1e300", "-2.5e-300", "1e16", "123456789.125", "0", "0.00001"];
        assert_eq!(texts, expected);
        assert_eq!(texts.map(|text| text.parse::<f64>().unwrap()), values);
    }

    #[test]
    fn durations_have_fitting_units() {
        let shown = [4.5e-8, 1.2345e-5, 0.25, 3.0, 600.0].map(duration);
        assert_eq!(shown, ["45 ns", "12.3 µs", "250 ms", "3 s", "10 min"]);
    }
}
