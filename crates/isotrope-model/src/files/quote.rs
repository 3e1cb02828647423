//! Texts as TOML writes them.

use std::fmt::Write as _;

/// A text in quotes on one line, for a key or a value, whatever it contains.
///
/// ```
/// use isotrope_model::files::quoted;
///
/// assert_eq!(quoted("x[1]"), r#""x[1]""#);
/// assert_eq!(quoted("a \"b\"\nc"), r#""a \"b\"\nc""#);
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            character if character.is_control() => {
                // Writing into a string does not fail.
                let _ = write!(out, "\\u{:04X}", u32::from(character));
            }
            character => out.push(character),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn what_is_quoted_is_read_back() {
        for text in ["", "x", "a \"b\" \\ c", "two\nlines\tand\r\u{1b}\u{7f}", "位置"] {
            let file: toml_edit::DocumentMut =
                format!("{0} = {0}\n", quoted(text)).parse().unwrap();
            let (key, value) = file.iter().next().unwrap();
            assert_eq!((key, value.as_str()), (text, Some(text)));
        }
    }
}
