//! Text → tokens, one at a time.

use super::Span;

/// What a token is; its text is found through its span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Number,
    Name,
    Plus,
    Minus,
    Star,
    Slash,
    Caret,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Equals,
    DotDot,
    /// One, two or three primes in one character.
    Prime(u8),
    End,
    Unknown(char),
}

/// May a name begin with this character (a letter of any script, or `_`)?
pub fn is_name_start(character: char) -> bool {
    // U+02BC is a letter to Unicode, but here it is meant as a prime.
    character == '_' || (character.is_alphabetic() && character != '\u{2bc}')
}

/// May a name go on with this character? Superscript digits may not: `x²` is a power.
pub fn is_name_character(character: char) -> bool {
    is_name_start(character)
        || character.is_ascii_digit()
        || ('\u{2080}'..='\u{2089}').contains(&character)
}

/// Is the whole text a name?
pub fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(is_name_start) && characters.all(is_name_character)
}

pub(super) struct Lexer<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, position: 0 }
    }

    pub(super) fn text(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or("")
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.position + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or("")
    }

    /// The next token and where it is.
    pub(super) fn next(&mut self) -> (Token, Span) {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
        let start = self.position;
        let token = self.token();
        (token, Span::new(start, self.position))
    }

    /// The next token without consuming it.
    pub(super) fn peek(&mut self) -> (Token, Span) {
        let before = self.position;
        let token = self.next();
        self.position = before;
        token
    }

    fn token(&mut self) -> Token {
        let Some(character) = self.rest().chars().next() else { return Token::End };
        let (token, length) = match character {
            '+' => (Token::Plus, 1),
            '-' => (Token::Minus, 1),
            '*' if self.byte(1) == b'*' => (Token::Caret, 2),
            '*' => (Token::Star, 1),
            '/' => (Token::Slash, 1),
            '^' => (Token::Caret, 1),
            '(' => (Token::LeftParen, 1),
            ')' => (Token::RightParen, 1),
            '[' => (Token::LeftBracket, 1),
            ']' => (Token::RightBracket, 1),
            '{' => (Token::LeftBrace, 1),
            '}' => (Token::RightBrace, 1),
            ',' => (Token::Comma, 1),
            '=' => (Token::Equals, 1),
            '\'' => (Token::Prime(1), 1),
            '.' if self.byte(1) == b'.' => (Token::DotDot, 2),
            '0'..='9' => return self.number(),
            '.' if self.byte(1).is_ascii_digit() => return self.number(),
            '−' => (Token::Minus, character.len_utf8()),
            '·' | '⋅' | '×' | '∗' => (Token::Star, character.len_utf8()),
            '÷' | '∕' => (Token::Slash, character.len_utf8()),
            '′' | '’' | '\u{2bc}' => (Token::Prime(1), character.len_utf8()),
            '″' => (Token::Prime(2), character.len_utf8()),
            '‴' => (Token::Prime(3), character.len_utf8()),
            _ if is_name_start(character) => {
                let rest = self.rest();
                let length = rest.find(|c| !is_name_character(c)).unwrap_or(rest.len());
                (Token::Name, length)
            }
            _ => (Token::Unknown(character), character.len_utf8()),
        };
        self.position += length;
        token
    }

    /// Digits, an optional fraction and an optional exponent. `1..3` is a range, not `1.` and `.3`.
    fn number(&mut self) -> Token {
        self.digits();
        if self.byte(0) == b'.' && self.byte(1) != b'.' {
            self.position += 1;
            self.digits();
        }
        if matches!(self.byte(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(1), b'+' | b'-'));
            if self.byte(1 + sign).is_ascii_digit() {
                self.position += 1 + sign;
                self.digits();
            }
        }
        Token::Number
    }

    fn digits(&mut self) {
        while self.byte(0).is_ascii_digit() {
            self.position += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(Token, &str)> {
        let mut lexer = Lexer::new(text);
        let mut all = Vec::new();
        loop {
            let (token, span) = lexer.next();
            if token == Token::End {
                return all;
            }
            all.push((token, lexer.text(span)));
        }
    }

    #[test]
    fn numbers_end_where_ranges_begin() {
        assert_eq!(
            tokens("1..N 1.5e-3 2e .5"),
            [
                (Token::Number, "1"),
                (Token::DotDot, ".."),
                (Token::Name, "N"),
                (Token::Number, "1.5e-3"),
                (Token::Number, "2"),
                (Token::Name, "e"),
                (Token::Number, ".5"),
            ]
        );
    }

    #[test]
    fn names_may_be_greek_and_carry_subscripts_but_not_superscripts() {
        assert_eq!(
            tokens("θ₁′ x²"),
            [
                (Token::Name, "θ₁"),
                (Token::Prime(1), "′"),
                (Token::Name, "x"),
                (Token::Unknown('²'), "²"),
            ]
        );
    }
}
