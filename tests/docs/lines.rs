//! The lines of a block beside the lines that a command prints.

/// A line that stands for any number of lines.
const ELISION: &str = "…";

/// Do the lines agree, where an elision stands for any number of lines?
pub fn agrees(shown: &[String], output: &[String]) -> bool {
    let parts: Vec<&[String]> = shown.split(|line| line == ELISION).collect();
    let (first, rest) = parts.split_first().unwrap();
    let Some((last, middle)) = rest.split_last() else { return *first == output };
    if !output.starts_with(first) {
        return false;
    }
    let mut output = &output[first.len()..];
    for part in middle.iter().filter(|part| !part.is_empty()) {
        let Some(at) = output.windows(part.len()).position(|window| window == *part) else {
            return false;
        };
        output = &output[at + part.len()..];
    }
    output.ends_with(last)
}

/// New lines for a block: those shown that are still there, with elisions between them.
pub fn renewed(shown: &[String], output: &[String]) -> Vec<String> {
    let mut kept = vec![false; output.len()];
    let mut from = 0;
    for line in shown.iter().filter(|line| *line != ELISION) {
        if let Some(at) = output[from..].iter().position(|other| other == line) {
            kept[from + at] = true;
            from += at + 1;
        }
    }
    if !shown.iter().any(|line| line == ELISION) || !kept.contains(&true) {
        return output.to_vec();
    }
    // A changed line stands between lines that are still there: gaps no longer than before
    // are shown, others are left out.
    let mut lines: Vec<String> = Vec::new();
    for (number, line) in output.iter().enumerate() {
        let near = number > 0 && kept[number - 1] && kept.get(number + 1) == Some(&true);
        if kept[number] || near {
            lines.push(line.clone());
        } else if lines.last().is_none_or(|last| last != ELISION) {
            lines.push(ELISION.to_owned());
        }
    }
    lines
}

/// The test of this file: its harness is not that of Rust.
pub fn an_elision_stands_for_any_number_of_lines() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let output = lines("a\nb\nc\nd");
    for good in ["a\nb\nc\nd", "…", "a\n…", "…\nd", "a\n…\nd", "…\nb\nc\n…", "a\n…\nb\n…\nc\nd"]
    {
        assert!(agrees(&lines(good), &output), "{good}");
    }
    for bad in ["a", "a\nb\nc", "b\n…", "…\nc", "…\nc\n…\nb\n…", "a\n…\ne", "x\n…"] {
        assert!(!agrees(&lines(bad), &output), "{bad}");
    }
}
