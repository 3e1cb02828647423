//! What a name says: base, subscripts, dots; and the order of names.

use super::greek;

/// A name taken apart: `theta1'` is base `theta`, subscript `1`, one dot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name<'a> {
    /// The letters before any digit, underscore or bracket.
    pub(super) base: &'a str,
    /// What stands below the line, in order.
    pub(super) subscripts: Vec<Subscript<'a>>,
    /// Number of primes: the order of the time derivative.
    pub(super) dots: usize,
}

/// One entry below the line: letters with their own number, `x1` in `p_x1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Subscript<'a> {
    /// The letters; empty for a bare number.
    pub(super) word: &'a str,
    /// The number; empty for bare letters.
    pub(super) number: &'a str,
}

/// Splits trailing primes from a name.
pub(super) fn split_primes(name: &str) -> (&str, usize) {
    let stem = name.trim_end_matches('\'');
    (stem, name.len() - stem.len())
}

fn is_subscript_digit(character: char) -> bool {
    character.is_ascii_digit() || ('\u{2080}'..='\u{2089}').contains(&character)
}

/// Splits `rod12` into letters and number; `None` when digits stand elsewhere than at the end.
fn split_number(piece: &str) -> Option<(&str, &str)> {
    let word = piece.trim_end_matches(is_subscript_digit);
    let number = &piece[word.len()..];
    let letters = word.chars().all(char::is_alphabetic);
    letters.then_some((word, number))
}

impl<'a> Name<'a> {
    /// Takes a name apart; `None` for a text that is not a name of the grammar (such a text is
    /// shown letter by letter instead).
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (stem, dots) = split_primes(text);
        let (word, indices) = match stem.split_once('[') {
            Some((word, rest)) => (word, Some(rest.strip_suffix(']')?)),
            None => (stem, None),
        };
        let mut pieces = word.split('_');
        let (base, number) = split_number(pieces.next()?)?;
        if base.is_empty() {
            return None;
        }
        let mut subscripts = Vec::new();
        if !number.is_empty() {
            subscripts.push(Subscript { word: "", number });
        }
        for piece in pieces {
            let (word, number) = split_number(piece)?;
            if piece.is_empty() {
                return None;
            }
            subscripts.push(Subscript { word, number });
        }
        if let Some(indices) = indices {
            Self::push_indices(&mut subscripts, indices)?;
        }
        Some(Self { base, subscripts, dots })
    }

    fn push_indices(subscripts: &mut Vec<Subscript<'a>>, indices: &'a str) -> Option<()> {
        for index in indices.split(',') {
            let index = index.trim();
            let (word, number) = match index.strip_prefix('-') {
                Some(digits) if digits.chars().all(|c| c.is_ascii_digit()) => ("", index),
                _ => split_number(index)?,
            };
            if index.is_empty() {
                return None;
            }
            // The momentum of x[3] is named p_x[3]: the index belongs to the x below the line.
            match subscripts.last_mut() {
                Some(last)
                    if word.is_empty()
                        && last.number.is_empty()
                        && is_letter(last.word)
                        && !indices.contains(',') =>
                {
                    last.number = number;
                }
                _ => subscripts.push(Subscript { word, number }),
            }
        }
        Some(())
    }
}

/// Is it one letter, Latin or (spelled) Greek, and so set in italics?
pub(super) fn is_letter(word: &str) -> bool {
    word.chars().count() == 1 || greek::by_name(word).is_some()
}

/// Digits of a number in a name: Unicode subscripts become plain digits.
pub(super) fn plain_digits(number: &str) -> String {
    number
        .chars()
        .map(|c| match c {
            '\u{2080}'..='\u{2089}' => char::from_digit(u32::from(c) - 0x2080, 10).unwrap_or(c),
            other => other,
        })
        .collect()
}

/// One piece of a name, ordered the way people sort names: numbers by value, Latin before
/// Greek, letters before case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Chunk {
    Separator(char),
    /// Number of digits without leading zeros, the digits.
    Number(usize, String),
    Latin(String, String),
    Greek(u8),
}

/// The order of symbols: by order of motion, then by name with numbers by value
/// (`x2 < x10`), Latin before Greek (`x < theta`), and the plain text as last resort.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NameKey {
    motion: u8,
    chunks: Vec<Chunk>,
    text: Box<str>,
}

impl NameKey {
    pub(super) fn new(name: &str) -> Self {
        let (stem, _) = split_primes(name);
        let mut chunks = Vec::new();
        let mut rest = stem;
        while let Some(first) = rest.chars().next() {
            let end = if is_subscript_digit(first) {
                rest.find(|c| !is_subscript_digit(c))
            } else if first.is_alphabetic() {
                rest.find(|c: char| !c.is_alphabetic())
            } else {
                Some(first.len_utf8())
            };
            let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            chunks.push(if is_subscript_digit(first) {
                let digits = plain_digits(piece);
                let digits = digits.trim_start_matches('0').to_owned();
                Chunk::Number(digits.len(), digits)
            } else if first.is_alphabetic() {
                let single = piece.chars().count() == 1;
                let greek = greek::by_name(piece);
                match greek.or_else(|| greek::by_character(first).filter(|_| single)) {
                    Some(letter) => Chunk::Greek(letter.position),
                    None => Chunk::Latin(piece.to_lowercase(), piece.to_owned()),
                }
            } else {
                Chunk::Separator(first)
            });
        }
        Self { motion: motion(name), chunks, text: name.into() }
    }
}

/// How far from a position: the number of primes; a momentum (`p_x`) counts like a velocity.
pub(super) fn motion(name: &str) -> u8 {
    let (stem, primes) = split_primes(name);
    match u8::try_from(primes) {
        Ok(0) => u8::from(stem.starts_with("p_")),
        Ok(primes) => primes,
        Err(_) => u8::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_naturally() {
        let mut names =
            ["p_theta", "x10", "theta'", "p_x", "x2", "b", "A", "θ", "x'", "a", "lambda"];
        names.sort_by_key(|name| NameKey::new(name));
        assert_eq!(
            names,
            ["A", "a", "b", "x2", "x10", "θ", "lambda", "p_x", "p_theta", "x'", "theta'"]
        );
    }

    #[test]
    fn a_text_that_is_no_name_is_not_taken_apart() {
        for text in ["", "'", "a<b", "x[", "_x", "a__b", "x[1]]", "a b", "3x", "x1y"] {
            assert_eq!(Name::parse(text), None, "{text}");
        }
    }
}
