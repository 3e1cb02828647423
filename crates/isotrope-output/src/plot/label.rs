//! Texts with a little typography: italic letters, Greek ones, indices and exponents.

use super::font;

/// A text of a chart, set for drawing.
///
/// Between dollar signs stands a formula: letters are italic, names of Greek letters become those
/// letters, `_` and `^` begin an index or an exponent, a name or what stands in braces. `\$` is a
/// dollar sign.
///
/// ```
/// use isotrope_output::plot::Label;
/// assert_eq!(Label::new("drift of $theta_1^2$").plain(), "drift of θ_1^2");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    runs: Vec<Run>,
}

/// A piece of text in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub text: String,
    pub italic: bool,
    pub script: Script,
}

/// Where a piece of text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Base,
    Super,
    Sub,
}

/// The size of indices and exponents.
pub(super) const SMALLER: f64 = 0.74;

impl Script {
    /// How far above the line, in sizes of the text.
    pub(super) fn rise(self) -> f64 {
        match self {
            Self::Base => 0.0,
            Self::Super => 0.36,
            Self::Sub => -0.2,
        }
    }

    pub(super) fn factor(self) -> f64 {
        if self == Self::Base { 1.0 } else { SMALLER }
    }
}

impl Label {
    /// Sets a text with formulas between dollar signs.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut label = Self { runs: Vec::new() };
        let (mut words, mut inside) = (String::new(), false);
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' if characters.peek() == Some(&'$') => {
                    characters.next();
                    words.push('$');
                }
                '$' => {
                    label.finish(&mut words, inside);
                    inside = !inside;
                }
                // Lines of text have no line breaks.
                other => words.push(if other.is_control() { ' ' } else { other }),
            }
        }
        label.finish(&mut words, inside);
        label
    }

    /// A number times a power of ten, or the power alone.
    pub(super) fn power_of_ten(before: &str, exponent: i32) -> Self {
        let mut label = Self { runs: Vec::new() };
        label.push(&format!("{before}10"), false, Script::Base);
        label.push(&format!("{exponent}").replace('-', "−"), false, Script::Super);
        label
    }

    /// Another text behind it.
    pub(super) fn then(mut self, text: &str) -> Self {
        self.push(text, false, Script::Base);
        self
    }

    /// The text without typography.
    #[must_use]
    pub fn plain(&self) -> String {
        let mut text = String::new();
        let mut last = Script::Base;
        for run in &self.runs {
            match run.script {
                same if same == last => {}
                Script::Base => {}
                Script::Super => text.push('^'),
                Script::Sub => text.push('_'),
            }
            last = run.script;
            text.push_str(&run.text);
        }
        text
    }

    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.iter().all(|run| run.text.trim().is_empty())
    }

    /// How wide it is at a size.
    pub(super) fn width(&self, size: f64) -> f64 {
        self.runs.iter().map(|run| font::width(&run.text) * size * run.script.factor()).sum()
    }

    /// The label, shortened until it fits.
    pub(super) fn fit(mut self, size: f64, room: f64) -> Self {
        while self.width(size) > room {
            let Some(last) = self.runs.last_mut() else { break };
            let kept = last.text.trim_end_matches('…').chars().count().saturating_sub(1);
            if kept == 0 {
                self.runs.pop();
                if let Some(last) = self.runs.last_mut() {
                    last.text.push('…');
                }
            } else {
                last.text = last.text.chars().take(kept).chain(['…']).collect();
            }
        }
        self
    }

    fn finish(&mut self, words: &mut String, formula: bool) {
        if formula {
            self.formula(words);
        } else {
            self.push(words, false, Script::Base);
        }
        words.clear();
    }

    fn push(&mut self, text: &str, italic: bool, script: Script) {
        if text.is_empty() {
            return;
        }
        match self.runs.last_mut() {
            Some(last) if last.italic == italic && last.script == script => last.text += text,
            _ => self.runs.push(Run { text: text.to_owned(), italic, script }),
        }
    }

    fn formula(&mut self, text: &str) {
        let mut rest = text;
        let mut script = Script::Base;
        while let Some(first) = rest.chars().next() {
            match first {
                '_' | '^' if script == Script::Base => {
                    script = if first == '_' { Script::Sub } else { Script::Super };
                    rest = &rest[1..];
                    if let Some(inner) = rest.strip_prefix('{') {
                        let end = inner.find('}').unwrap_or(inner.len());
                        self.words(&inner[..end], script);
                        rest = inner.get(end + 1..).unwrap_or_default();
                        script = Script::Base;
                    }
                    continue;
                }
                _ => {}
            }
            let end = end_of_word(rest);
            self.words(&rest[..end], script);
            rest = &rest[end..];
            script = Script::Base;
        }
    }

    /// Words of a formula, all in one place.
    fn words(&mut self, text: &str, script: Script) {
        let mut rest = text;
        while !rest.is_empty() {
            let end = end_of_word(rest);
            let (word, behind) = rest.split_at(end);
            let letters = word.chars().all(char::is_alphabetic);
            let greek = greek(word);
            // A word in an index is a name, not a product of letters.
            let italic = letters && (greek.is_some() || word.chars().count() == 1);
            match greek {
                Some(letter) => self.push(letter, italic, script),
                None if word == "-" => self.push("−", false, script),
                None => self.push(word, italic, script),
            }
            rest = behind;
        }
    }
}

/// Where the first word ends: letters, a number, or one other character.
fn end_of_word(text: &str) -> usize {
    let Some(first) = text.chars().next() else { return 0 };
    let same: fn(char) -> bool = if first.is_alphabetic() {
        char::is_alphabetic
    } else if first.is_ascii_digit() {
        |character| character.is_ascii_digit()
    } else {
        return first.len_utf8();
    };
    text.find(|character| !same(character)).unwrap_or(text.len())
}

/// The Greek letter of a name.
pub(super) fn greek(name: &str) -> Option<&'static str> {
    Some(match name {
        "alpha" => "α",
        "beta" => "β",
        "gamma" => "γ",
        "delta" => "δ",
        "epsilon" | "eps" => "ε",
        "zeta" => "ζ",
        "eta" => "η",
        "theta" => "θ",
        "iota" => "ι",
        "kappa" => "κ",
        "lambda" => "λ",
        "mu" => "μ",
        "nu" => "ν",
        "xi" => "ξ",
        "pi" => "π",
        "rho" => "ρ",
        "sigma" => "σ",
        "tau" => "τ",
        "upsilon" => "υ",
        "phi" => "φ",
        "chi" => "χ",
        "psi" => "ψ",
        "omega" => "ω",
        "Gamma" => "Γ",
        "Delta" => "Δ",
        "Theta" => "Θ",
        "Lambda" => "Λ",
        "Xi" => "Ξ",
        "Pi" => "Π",
        "Sigma" => "Σ",
        "Phi" => "Φ",
        "Psi" => "Ψ",
        "Omega" => "Ω",
        _ => return None,
    })
}

/// The name of a variable of a model as a formula: `theta1` is θ₁, `v_x` is v with index x, `x[3]`
/// is x₃.
///
/// ```
/// use isotrope_output::plot::{Label, formula_of};
/// assert_eq!(formula_of("v_theta1"), "$v_{theta1}$");
/// assert_eq!(Label::new(&formula_of("x[3]")).plain(), "x_3");
/// ```
#[must_use]
pub fn formula_of(name: &str) -> String {
    let clean = name.replace(['$', '{', '}', '\\'], "");
    let index = |text: &str| text.replace(['[', '_'], " ").replace(']', "").trim().to_owned();
    let split = clean
        .find(['_', '['])
        .or_else(|| clean.find(|character: char| character.is_ascii_digit()))
        .filter(|&at| at > 0);
    match split {
        Some(at) => format!("${}_{{{}}}$", &clean[..at], index(&clean[at..])),
        None => format!("${clean}$"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Vec<(String, bool, Script)> {
        let label = Label::new(text);
        label.runs.into_iter().map(|run| (run.text, run.italic, run.script)).collect()
    }

    #[test]
    fn formulas_have_italic_letters_indices_and_exponents() {
        use Script::{Base, Sub, Super};
        let piece = |text: &str, italic, script| (text.to_owned(), italic, script);
        assert_eq!(
            set("drift $v_x^2 - theta_{rod 3}$ of x_1"),
            [
                piece("drift ", false, Base),
                piece("v", true, Base),
                piece("x", true, Sub),
                piece("2", false, Super),
                piece(" − ", false, Base),
                piece("θ", true, Base),
                piece("rod 3", false, Sub),
                piece(" of x_1", false, Base),
            ]
        );
    }

    #[test]
    fn odd_texts_are_set_anyhow() {
        for text in ["", "$", "$$", "$_$", "$^{$", "$x_{1$", "\\$ 5", "$é_ü$", "a\nb", "$_^_$"] {
            let label = Label::new(text);
            assert!(label.width(12.0).is_finite());
            assert!(!label.plain().contains('\n'));
        }
        assert_eq!(Label::new("\\$ 5").plain(), "$ 5");
    }

    #[test]
    fn what_is_too_long_is_shortened_until_it_fits() {
        let long = Label::new("a very long name of a method $x_{123}$");
        for room in [0.0, 10.0, 60.0, 120.0] {
            assert!(long.clone().fit(12.0, room).width(12.0) <= room);
        }
        assert_eq!(long.clone().fit(12.0, 1000.0), long);
    }

    #[test]
    fn names_of_variables_become_formulas() {
        let names = ["x", "theta", "theta1", "v_theta1", "lambda_rod[2]", "x[3]", "p_x"];
        let texts = names.map(|name| Label::new(&formula_of(name)).plain());
        assert_eq!(texts, ["x", "θ", "θ_1", "v_θ1", "λ_rod 2", "x_3", "p_x"]);
    }
}
