//! Words from outside: names, titles, descriptions. A terminal shows them and LaTeX prints them;
//! neither obeys them.

use std::borrow::Cow;

use super::latex::greek_command;

/// A name for a terminal, on one line: control characters, ends of lines and marks that turn the direction
/// of writing are shown instead of sent.
///
/// ```
/// use isotrope_algebra::print::visible;
/// assert_eq!(visible("double pendulum"), "double pendulum");
/// assert_eq!(visible("a\u{1b}[31mb\nc"), "a␛[31mb␊c");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.chars().any(|c| picture(c).is_some()) {
        true => text.chars().map(|c| picture(c).unwrap_or(c)).collect(),
        false => Cow::Borrowed(text),
    }
}

/// What is shown in the place of a character that a terminal would obey.
fn picture(character: char) -> Option<char> {
    match character {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)),
        '\u{7f}' => Some('␡'),
        '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => Some('\u{fffd}'),
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some('\u{fffd}')
        }
        _ => None,
    }
}

/// Words, so that LaTeX shows them and does not obey them, in text and in comments: white space is a blank,
/// other control characters are shown by their number.
///
/// ```
/// use isotrope_algebra::print::escape_latex;
/// assert_eq!(escape_latex("50 % of x_1"), r"50 \% of x\_1");
/// assert_eq!(escape_latex("a\n\n\u{1b}[0m"), r"a  \textless{}1B\textgreater{}[0m");
/// ```
#[must_use]
pub fn escape_latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str(r"\textbackslash{}"),
            '^' => escaped.push_str(r"\textasciicircum{}"),
            '~' => escaped.push_str(r"\textasciitilde{}"),
            '<' => escaped.push_str(r"\textless{}"),
            '>' => escaped.push_str(r"\textgreater{}"),
            '{' | '}' | '_' | '&' | '%' | '$' | '#' => {
                escaped.push('\\');
                escaped.push(character);
            }
            c if c.is_whitespace() => escaped.push(' '),
            c if picture(c).is_some() => {
                escaped.push_str(&format!(r"\textless{{}}{:02X}\textgreater{{}}", u32::from(c)));
            }
            c => match (typeset(c), script(c), greek_command(c)) {
                (Some(command), ..) => escaped.push_str(command),
                (_, Some((sign, inner)), _) => escaped.push_str(&format!("${sign}{{{inner}}}$")),
                (.., Some(command)) => escaped.push_str(&format!("${command}$")),
                _ if c.is_ascii() || c.is_alphabetic() => escaped.push(c),
                _ => escaped.push('?'),
            },
        }
    }
    // Neighbours in one exponent.
    escaped.replace("}$$^{", "")
}

/// What LaTeX calls a character of our own texts.
fn typeset(character: char) -> Option<&'static str> {
    Some(match character {
        '“' => "``",
        '”' => "''",
        '…' => r"\ldots{}",
        '×' => r"$\times$",
        '∂' => r"$\partial$",
        '∧' => r"$\wedge$",
        '∈' => r"$\in$",
        '·' => r"$\cdot$",
        '∘' => r"$\circ$",
        '→' => r"$\to$",
        '≤' => r"$\le$",
        '≥' => r"$\ge$",
        '⪰' => r"$\succeq$",
        '≠' => r"$\ne$",
        '−' => "$-$",
        '∇' => r"$\nabla$",
        '∞' => r"$\infty$",
        '∫' => r"$\int$",
        'ᵣ' => "$_{r}$",
        '–' => "--",
        _ => return None,
    })
}

/// A raised or lowered character.
fn script(character: char) -> Option<(&'static str, &'static str)> {
    const RAISED: [(char, &str); 15] = [
        ('⁰', "0"),
        ('¹', "1"),
        ('²', "2"),
        ('³', "3"),
        ('⁴', "4"),
        ('⁵', "5"),
        ('⁶', "6"),
        ('⁷', "7"),
        ('⁸', "8"),
        ('⁹', "9"),
        ('⁺', "+"),
        ('⁻', "-"),
        ('ᵀ', r"\mathsf T"),
        ('ⁱ', "i"),
        ('ⁿ', "n"),
    ];
    const LOWERED: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let raised = RAISED.iter().find(|known| known.0 == character).map(|known| ("^", known.1));
    raised.or_else(|| {
        let digit = u32::from(character).checked_sub(u32::from('₀'))?;
        LOWERED.get(usize::try_from(digit).ok()?).map(|digit| ("_", *digit))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_word_leaves_its_line_or_speaks_to_a_terminal(text in any::<String>()) {
            prop_assert!(!visible(&text).chars().any(char::is_control));
            let latex = escape_latex(&text);
            prop_assert!(!latex.chars().any(|c| c.is_control() || picture(c).is_some()));
            // What begins a comment, a formula or a group is either ours or has its backslash.
            let unescaped = latex.replace(r"\%", "").replace(r"\$", "").replace(r"\#", "");
            prop_assert!(!unescaped.contains(['%', '#']));
            prop_assert_eq!(unescaped.matches('$').count() % 2, 0);
        }
    }
}
