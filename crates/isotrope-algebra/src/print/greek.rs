//! The Greek alphabet: spelled names, characters, LaTeX commands.

/// A Greek letter as a model file may spell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GreekLetter {
    /// Position in the alphabet; variants stand right after their letter.
    pub(super) position: u8,
    /// The character itself.
    pub(super) character: char,
    /// What LaTeX calls it, in full.
    pub(super) latex: &'static str,
}

/// (spelled name, character, LaTeX), in alphabetical order, capitals before small letters.
/// Capitals that look Latin have no LaTeX command of their own.
const LETTERS: [(&str, char, &str); 56] = [
    ("Alpha", 'Α', r"\mathrm{A}"),
    ("alpha", 'α', r"\alpha"),
    ("Beta", 'Β', r"\mathrm{B}"),
    ("beta", 'β', r"\beta"),
    ("Gamma", 'Γ', r"\Gamma"),
    ("gamma", 'γ', r"\gamma"),
    ("Delta", 'Δ', r"\Delta"),
    ("delta", 'δ', r"\delta"),
    ("Epsilon", 'Ε', r"\mathrm{E}"),
    ("epsilon", 'ϵ', r"\epsilon"),
    ("varepsilon", 'ε', r"\varepsilon"),
    ("Zeta", 'Ζ', r"\mathrm{Z}"),
    ("zeta", 'ζ', r"\zeta"),
    ("Eta", 'Η', r"\mathrm{H}"),
    ("eta", 'η', r"\eta"),
    ("Theta", 'Θ', r"\Theta"),
    ("theta", 'θ', r"\theta"),
    ("vartheta", 'ϑ', r"\vartheta"),
    ("Iota", 'Ι', r"\mathrm{I}"),
    ("iota", 'ι', r"\iota"),
    ("Kappa", 'Κ', r"\mathrm{K}"),
    ("kappa", 'κ', r"\kappa"),
    ("varkappa", 'ϰ', r"\varkappa"),
    ("Lambda", 'Λ', r"\Lambda"),
    ("lambda", 'λ', r"\lambda"),
    ("Mu", 'Μ', r"\mathrm{M}"),
    ("mu", 'μ', r"\mu"),
    ("Nu", 'Ν', r"\mathrm{N}"),
    ("nu", 'ν', r"\nu"),
    ("Xi", 'Ξ', r"\Xi"),
    ("xi", 'ξ', r"\xi"),
    ("Omicron", 'Ο', r"\mathrm{O}"),
    ("omicron", 'ο', "o"),
    ("Pi", 'Π', r"\Pi"),
    ("pi", 'π', r"\pi"),
    ("varpi", 'ϖ', r"\varpi"),
    ("Rho", 'Ρ', r"\mathrm{P}"),
    ("rho", 'ρ', r"\rho"),
    ("varrho", 'ϱ', r"\varrho"),
    ("Sigma", 'Σ', r"\Sigma"),
    ("sigma", 'σ', r"\sigma"),
    ("varsigma", 'ς', r"\varsigma"),
    ("Tau", 'Τ', r"\mathrm{T}"),
    ("tau", 'τ', r"\tau"),
    ("Upsilon", 'Υ', r"\Upsilon"),
    ("upsilon", 'υ', r"\upsilon"),
    ("Phi", 'Φ', r"\Phi"),
    ("phi", 'ϕ', r"\phi"),
    ("varphi", 'φ', r"\varphi"),
    ("Chi", 'Χ', r"\mathrm{X}"),
    ("chi", 'χ', r"\chi"),
    ("Psi", 'Ψ', r"\Psi"),
    ("psi", 'ψ', r"\psi"),
    ("Omega", 'Ω', r"\Omega"),
    ("omega", 'ω', r"\omega"),
    // The sign for the micron, which keyboards offer instead of the letter.
    ("micro", 'µ', r"\mu"),
];

fn letter(index: usize) -> Option<GreekLetter> {
    LETTERS.get(index).map(|&(_, character, latex)| GreekLetter {
        position: u8::try_from(index).unwrap_or(u8::MAX),
        character,
        latex,
    })
}

/// The letter that is spelled so (`theta`, `varphi`, `Omega`).
pub(super) fn by_name(name: &str) -> Option<GreekLetter> {
    // "micro" is a word, not a spelling of the letter.
    LETTERS[..LETTERS.len() - 1].iter().position(|known| known.0 == name).and_then(letter)
}

/// The letter that is this character.
pub(super) fn by_character(character: char) -> Option<GreekLetter> {
    LETTERS.iter().position(|known| known.1 == character).and_then(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_found_by_name_and_by_character() {
        for (name, character, latex) in LETTERS {
            let found = by_character(character).unwrap();
            assert_eq!((found.character, found.latex), (character, latex));
            if name != "micro" {
                assert_eq!(by_name(name), Some(found));
            }
        }
        assert_eq!(by_name("slope"), None);
    }
}
