//! Breaking long lines where a reader would.

use unicode_width::UnicodeWidthChar as _;

/// Breaks a formula or a sentence into lines of at most `width` columns; lines after the
/// first begin `hanging` columns further right. Breaks before `+` and `-` as far outside
/// of parentheses as possible, otherwise at blanks, otherwise not at all.
#[must_use]
pub fn wrap(text: &str, width: usize, hanging: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut lines = Vec::new();
    let mut start = 0;
    let mut depth = 0i32;
    while start < characters.len() {
        let indent = if lines.is_empty() { 0 } else { hanging };
        let room = width.saturating_sub(indent).max(20);
        let rest = &characters[start..];
        let cut = if fits(rest, room) { rest.len() } else { break_point(rest, room, depth) };
        for character in &rest[..cut] {
            depth += step(*character);
        }
        let line: String = rest[..cut].iter().collect();
        lines.push(format!("{}{}", " ".repeat(indent), line.trim_end()));
        start += cut;
        while characters.get(start) == Some(&' ') {
            start += 1;
        }
    }
    lines
}

fn fits(text: &[char], room: usize) -> bool {
    let mut used = 0;
    text.iter().all(|&character| {
        used += width(character);
        used <= room
    })
}

fn width(character: char) -> usize {
    character.width().unwrap_or(0)
}

fn step(character: char) -> i32 {
    match character {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    }
}

/// Where to break: a blank in the first `room` columns, or the first one after.
fn break_point(text: &[char], room: usize, start_depth: i32) -> usize {
    let mut depth = start_depth;
    let mut best: Option<(i32, usize)> = None;
    let mut next = 0;
    for (position, &character) in text.iter().enumerate() {
        let column = next;
        next += width(character);
        if column > room {
            if best.is_some() {
                break;
            }
            if character == ' ' {
                return position;
            }
        }
        depth += step(character);
        if character != ' ' || position == 0 || column > room {
            continue;
        }
        let sign = matches!(text.get(position + 1..position + 3), Some(['+' | '-' | '=', ' ']));
        let after_sign = matches!(text.get(position.wrapping_sub(1)), Some('+' | '-' | '='));
        if after_sign {
            continue;
        }
        // Each level of parentheses is as bad as leaving a quarter of the line empty.
        let cost = depth * (room as i32 / 4)
            + (room - column) as i32
            + if sign { 0 } else { room as i32 / 6 };
        if column * 3 >= room && best.is_none_or(|found| cost <= found.0) {
            best = Some((cost, position));
        }
    }
    best.map_or(text.len(), |found| found.1)
}

#[cfg(test)]
mod tests {
    use super::super::columns;
    use super::*;

    #[test]
    fn nothing_is_lost_and_lines_fit() {
        let text = "a*(b + c) + d*(e - f*(g + h)) - sin(x + y)*cos(z) + 12*k^2 - l^3/4 + m";
        let lines = wrap(text, 30, 4);
        assert!(lines.len() > 2);
        assert!(lines.iter().all(|line| columns(line) <= 30), "{lines:#?}");
        let joined = lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        assert_eq!(joined, text);
    }

    #[test]
    fn what_cannot_be_broken_is_left_whole() {
        let text = "x".repeat(200);
        assert_eq!(wrap(&text, 30, 4), [text]);
    }
}
