//! Where an axis has numbers, and how they are written.

use super::chart::Scale;
use super::domain::Domain;
use super::label::Label;

/// A number at an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// Its place in the domain: the value or its logarithm.
    pub place: f64,
    pub label: Label,
}

/// All numbers of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    pub major: Vec<Tick>,
    /// Places of short lines without numbers.
    pub minor: Vec<f64>,
    /// What all numbers have in common: a power of ten, a number to be added.
    pub note: Option<Label>,
}

/// Ticks for an axis, not more than about `most`.
pub(super) fn ticks(domain: &Domain, most: usize) -> Ticks {
    let most = most.clamp(2, 40);
    match domain.scale {
        Scale::Linear => linear(domain.low, domain.high, most),
        Scale::Log10 => logarithmic(domain, most),
    }
}

/// Multiples of a number `leading`·10^`exponent` with leading digit 1, 2 or 5.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Multiples {
    leading: i64,
    exponent: i32,
    first: i64,
    last: i64,
}

impl Multiples {
    /// At least two, if possible not more than `most`.
    fn within(low: f64, high: f64, most: usize) -> Self {
        let span = high - low;
        let mut found = None;
        let start = (span / most as f64).log10().ceil() as i32;
        // From coarse to fine: the finest that is not too many, or the first that is two.
        'search: for exponent in (start - 3..=start + 1).rev() {
            for leading in [5, 2, 1] {
                let step = times_power(leading as f64, exponent);
                let slack = 1e-9;
                let first = (low / step - slack).ceil();
                let last = (high / step + slack).floor();
                let count = last - first + 1.0;
                let candidate = Self { leading, exponent, first: first as i64, last: last as i64 };
                if count > most as f64 && found.is_some() {
                    break 'search;
                }
                if count >= 2.0 {
                    found = Some(candidate);
                }
            }
        }
        found.unwrap_or(Self { leading: 1, exponent: start, first: 0, last: -1 })
    }

    /// The ticks as integers times 10^exponent.
    fn integers(self) -> impl Iterator<Item = i64> {
        (self.first..=self.last).map(move |k| k * self.leading)
    }
}

fn linear(low: f64, high: f64, most: usize) -> Ticks {
    let multiples = Multiples::within(low, high, most);
    let exponent = multiples.exponent;
    let integers: Vec<i64> = multiples.integers().collect();
    let least = integers.first().copied().unwrap_or(0);
    let greatest = integers.last().copied().unwrap_or(0);
    // Numbers that differ only in their last digits are written as differences from the first.
    let base = offset(least, greatest);
    let shifted: Vec<i64> = integers.iter().map(|n| n - base).collect();
    let top = shifted.iter().map(|n| digits(*n)).max().unwrap_or(1) + exponent - 1;
    let factor = if (-3..5).contains(&top) { 0 } else { top };
    let major = integers
        .iter()
        .zip(&shifted)
        .map(|(&n, &shown)| Tick {
            place: times_power(n as f64, exponent),
            label: Label::new(&decimal(shown, exponent - factor)),
        })
        .collect();
    let mut note = (factor != 0).then(|| Label::power_of_ten("×", factor));
    if base != 0 {
        let sign = if base < 0 { "− " } else { "+ " };
        let size = trimmed(base.unsigned_abs(), exponent);
        note = Some(match note {
            Some(note) => note.then(&format!(" {sign}{size}")),
            None => Label::new(&format!("{sign}{size}")),
        });
    }
    Ticks { major, minor: Vec::new(), note }
}

/// What is taken off all numbers, if they have many digits in common.
fn offset(least: i64, greatest: i64) -> i64 {
    let span = (greatest - least).max(1);
    let size = least.unsigned_abs().max(greatest.unsigned_abs());
    if least.signum() * greatest.signum() <= 0 || size < 100_000 || size / 3000 < span as u64 {
        return 0;
    }
    let mut unit = 1;
    while unit <= span {
        unit *= 10;
    }
    // The round number among them, if there is one; otherwise towards zero, so that differences
    // have the sign of the numbers.
    let above = least.div_euclid(unit) * unit + unit;
    match above <= greatest {
        true => above,
        false if least > 0 => least / unit * unit,
        false => greatest / unit * unit,
    }
}

fn digits(n: i64) -> i32 {
    n.unsigned_abs().checked_ilog10().map_or(1, |power| power as i32 + 1)
}

/// n·10^exponent, written out.
fn decimal(n: i64, exponent: i32) -> String {
    let sign = if n < 0 { "−" } else { "" };
    let digits = n.unsigned_abs().to_string();
    if n == 0 && exponent >= 0 {
        return "0".to_owned();
    }
    if exponent >= 0 {
        return format!("{sign}{digits}{}", "0".repeat(exponent as usize));
    }
    let decimals = exponent.unsigned_abs() as usize;
    let padded = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, part) = padded.split_at(padded.len() - decimals);
    format!("{sign}{whole}.{part}")
}

/// The same without zeros at its end, with a power of ten if it is long.
fn trimmed(n: u64, exponent: i32) -> String {
    let text = decimal(i64::try_from(n).unwrap_or(i64::MAX), exponent);
    let text = match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        None => text,
    };
    if text.len() <= 18 {
        return text;
    }
    format!("{:e}", times_power(n as f64, exponent))
}

/// x·10^exponent, rounded once where the power is a double.
fn times_power(x: f64, exponent: i32) -> f64 {
    match exponent {
        -22..=-1 => x / 10f64.powi(-exponent),
        _ => x * 10f64.powi(exponent),
    }
}

fn logarithmic(domain: &Domain, most: usize) -> Ticks {
    let (low, high) = (domain.low, domain.high);
    let (first, last) = ((low - 1e-9).ceil() as i32, (high + 1e-9).floor() as i32);
    let count = 3.0 * (high - low) + 1.0;
    if last > first && (count > most as f64 || high - low > 2.5) {
        return decades(first, last, domain, most);
    }
    let inside = |place: f64| place > low - 1e-9 && place < high + 1e-9;
    let mut parts = Vec::new();
    for exponent in first - 2..=last + 1 {
        for leading in 1..10u32 {
            let place = f64::from(leading).log10() + f64::from(exponent);
            if inside(place) {
                parts.push((leading, exponent, place));
            }
        }
    }
    let chosen: Vec<_> = match parts.len() {
        0..2 => Vec::new(),
        count if count <= most && last == first => parts.clone(),
        _ => parts.iter().copied().filter(|part| [1, 2, 5].contains(&part.0)).collect(),
    };
    if chosen.len() < 2 {
        // Less than from one digit to the next: as on a linear axis.
        let mut ticks = linear(ten_to(low), ten_to(high), most);
        for tick in &mut ticks.major {
            tick.place = tick.place.log10();
        }
        return ticks;
    }
    let major = chosen.iter().map(|&(leading, exponent, place)| {
        let label = match exponent {
            -3..=3 => Label::new(&decimal(i64::from(leading), exponent)),
            _ if leading == 1 => Label::power_of_ten("", exponent),
            _ => Label::power_of_ten(&format!("{leading}×"), exponent),
        };
        Tick { place, label }
    });
    let minor = parts.iter().filter(|part| !chosen.contains(part)).map(|part| part.2).collect();
    Ticks { major: major.collect(), minor, note: None }
}

/// 10^x, finite.
fn ten_to(x: f64) -> f64 {
    (x * std::f64::consts::LOG2_10).exp2().min(1e300)
}

/// Powers of ten, as many as there is room for.
fn decades(first: i32, last: i32, domain: &Domain, most: usize) -> Ticks {
    let count = (last - first) as usize + 1;
    let stride = [1, 2, 3, 4, 5, 10, 20, 25, 50]
        .into_iter()
        .find(|stride| count.div_ceil(*stride as usize) <= most)
        .unwrap_or(100);
    let shown = |exponent: i32| exponent.rem_euclid(stride) == 0;
    // With few numbers it does not matter which, but they have to be two.
    let start = if (first..=last).filter(|&exponent| shown(exponent)).count() >= 2 {
        first + (-first).rem_euclid(stride)
    } else {
        first
    };
    let exponents: Vec<i32> = (start..=last).step_by(stride as usize).collect();
    let plain = exponents.iter().all(|exponent| (-2..=3).contains(exponent));
    let major: Vec<Tick> = exponents
        .iter()
        .map(|&exponent| Tick {
            place: f64::from(exponent),
            label: if plain {
                Label::new(&decimal(1, exponent))
            } else {
                Label::power_of_ten("", exponent)
            },
        })
        .collect();
    let mut minor = Vec::new();
    if stride == 1 && count <= 12 {
        for exponent in first - 1..=last {
            minor.extend((2..10).map(|m| f64::from(m).log10() + f64::from(exponent)));
        }
        minor.retain(|place| (domain.low..=domain.high).contains(place));
    } else if count <= 60 {
        minor.extend((first..=last).filter(|e| !exponents.contains(e)).map(f64::from));
    }
    Ticks { major, minor, note: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn domain(scale: Scale, low: f64, high: f64) -> Domain {
        Domain { scale, low, high }
    }

    fn texts(ticks: &Ticks) -> Vec<String> {
        ticks.major.iter().map(|tick| tick.label.plain()).collect()
    }

    fn shown(low: f64, high: f64, most: usize) -> String {
        let ticks = linear(low, high, most);
        let note = ticks.note.as_ref().map(|note| format!(" ({})", note.plain()));
        texts(&ticks).join(" ") + &note.unwrap_or_default()
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(shown(0.0, 10.0, 6), "0 2 4 6 8 10");
        assert_eq!(shown(-0.123, 0.456, 7), "−0.1 0.0 0.1 0.2 0.3 0.4");
        assert_eq!(shown(0.0, 1e6, 6), "0.0 0.2 0.4 0.6 0.8 1.0 (×10^6)");
        assert_eq!(shown(0.0, 3e-7, 4), "0 1 2 3 (×10^−7)");
        assert_eq!(shown(4.0 + 1e-9, 4.0 + 4e-9, 4), "1 2 3 4 (×10^−9 + 4)");
        assert_eq!(shown(-100.002, -100.001, 4), "−0.0020 −0.0015 −0.0010 (− 100)");
        assert_eq!(shown(4.0823999989, 4.0824000011, 3), "−1 0 1 (×10^−9 + 4.0824)");
        assert_eq!(shown(1.0, 10000.0, 5), "2000 4000 6000 8000 10000");
    }

    #[test]
    fn decades_have_powers_of_ten() {
        let at = |low, high, most| texts(&ticks(&domain(Scale::Log10, low, high), most)).join(" ");
        assert_eq!(at(-15.2, 0.3, 8), "10^−14 10^−12 10^−10 10^−8 10^−6 10^−4 10^−2 10^0");
        assert_eq!(at(-2.1, 1.0, 8), "0.01 0.1 1 10");
        assert_eq!(at(-7.4, -6.2, 5), "5×10^−8 10^−7 2×10^−7 5×10^−7");
        assert_eq!(at(0.30, 0.31, 5), "2.00 2.01 2.02 2.03 2.04");
        assert_eq!(at(-0.2, 0.9, 10), "0.7 0.8 0.9 1 2 3 4 5 6 7");
    }

    proptest! {
        #[test]
        fn ticks_cover_the_range(
            low in -1e3..1e3f64, span in 1e-6..1e6f64, power in -200..200i32, most in 2..12usize,
        ) {
            let unit = 10f64.powi(power);
            let (low, high) = (low * unit, (low + span) * unit);
            let ticks = linear(low, high, most);
            let places: Vec<f64> = ticks.major.iter().map(|tick| tick.place).collect();
            prop_assert!(places.len() >= 2);
            prop_assert!(places.len() <= most.max(4), "{places:?}");
            let step = places[1] - places[0];
            let slack = 1e-6 * step;
            prop_assert!(places[0] >= low - slack && places[0] - step < low + slack);
            let last = places[places.len() - 1];
            prop_assert!(last <= high + slack && last + step > high - slack);
        }

        #[test]
        fn labels_say_where_ticks_are(low in -1e5..1e5f64, span in 1e-4..1e5f64) {
            let ticks = linear(low, low + span, 7);
            prop_assume!(ticks.note.is_none());
            for tick in &ticks.major {
                let value: f64 = tick.label.plain().replace('−', "-").parse().unwrap();
                prop_assert!((value - tick.place).abs() <= 1e-12 * tick.place.abs());
            }
        }

        #[test]
        fn logarithmic_ticks_are_inside(
            low in -300.0..260.0f64, span in 1e-3..40.0f64,
            most in 2..12usize,
        ) {
            let domain = domain(Scale::Log10, low, low + span);
            let ticks = ticks(&domain, most);
            prop_assert!(ticks.major.len() >= 2, "{:?}", texts(&ticks));
            for place in ticks.major.iter().map(|tick| tick.place).chain(ticks.minor) {
                prop_assert!(place > low - 1e-6 && place < low + span + 1e-6);
            }
        }
    }
}
