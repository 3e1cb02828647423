//! Series in h: a term for each power, with its sign in front.

use crate::is_sum;

/// One power of h.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Power {
    pub power: usize,
    pub negative: bool,
    /// The coefficient without that sign, in parentheses where it needs them.
    pub body: String,
}

impl Power {
    /// The power with a text as its coefficient.
    pub(super) fn new(power: usize, text: &str) -> Self {
        if is_sum(text) {
            let body = if power == 0 { text.to_owned() } else { format!("({text})") };
            return Self { power, negative: false, body };
        }
        match text.strip_prefix('-') {
            Some(body) => Self { power, negative: true, body: body.trim_start().to_owned() },
            None => Self { power, negative: false, body: text.to_owned() },
        }
    }
}

/// h, h², … in a terminal; nothing for h⁰.
pub(super) fn in_text(power: usize) -> String {
    match power {
        0 => String::new(),
        1 => "h".to_owned(),
        _ => format!("h^{power}"),
    }
}

/// The same in LaTeX.
pub(super) fn in_latex(power: usize) -> String {
    match power {
        0 => String::new(),
        1 => "h".to_owned(),
        _ => format!("h^{{{power}}}"),
    }
}
