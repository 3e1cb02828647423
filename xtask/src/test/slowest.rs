//! The tests that took longest, from the report of nextest.

use std::path::Path;
use std::time::Duration;

use super::phase::seconds;
use super::say;

const SHOWN: usize = 10;

/// Prints the slowest tests of a report in JUnit's format.
pub fn print(report: &Path) {
    let Ok(text) = std::fs::read_to_string(report) else {
        say(&format!("no times of single tests: {} is missing", report.display()));
        return;
    };
    let mut tests = times(&text);
    tests.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let all: Duration = tests.iter().map(|test| test.1).sum();
    say(&format!("\n{} tests, {} in all; the slowest:", tests.len(), seconds(all)));
    for (name, time) in tests.iter().take(SHOWN) {
        say(&format!("{:>9}  {name}", seconds(*time)));
    }
}

/// The tests of a report with their times.
fn times(report: &str) -> Vec<(String, Duration)> {
    let cases = report.split("<testcase ").skip(1);
    let cases = cases.filter_map(|case| {
        let tag = case.split('>').next()?;
        let time = attribute(tag, "time")?.parse().ok()?;
        let time = Duration::try_from_secs_f64(time).ok()?;
        Some((format!("{} {}", attribute(tag, "classname")?, attribute(tag, "name")?), time))
    });
    cases.collect()
}

/// The value of an attribute: `name="value"`.
fn attribute(tag: &str, name: &str) -> Option<String> {
    // With a blank before it: `name` is the end of `classname`, too.
    let tag = format!(" {tag}");
    let value = tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?;
    let plain = [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    Some(plain.iter().fold(value.to_owned(), |text, (from, to)| text.replace(from, to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_times_are_read_from_a_report() {
        let report = r#"<testsuite name="a" tests="2">
            <testcase name="b::c" classname="a::tests" timestamp="…" time="1.250">
            </testcase>
            <testcase classname="a" name="d" time="0.010"/>"#;
        let expected = [("a::tests b::c", 1250), ("a d", 10)];
        let expected = expected.map(|(name, time)| (name.to_owned(), Duration::from_millis(time)));
        assert_eq!(times(report), expected);
    }
}
