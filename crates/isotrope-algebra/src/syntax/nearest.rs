//! The nearest known word, for hints.

/// Insertions, deletions, replacements and swaps of neighbours between two words.
///
/// ```
/// use isotrope_algebra::syntax::edit_distance;
/// assert_eq!(edit_distance("theta", "thate"), 2);
/// assert_eq!(edit_distance("theta", "tehta"), 1);
/// ```
pub fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best;
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(a.len())
}

/// Words longer than this are never compared: the distance costs the product of lengths.
const LONGEST_WORD: usize = 64;

/// The candidate nearest to `word`, if it is near enough to be what was meant.
///
/// Ties go to the candidate that comes first.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let length = word.chars().count();
    let most = match length {
        0..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    let folded = word.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST_WORD && *candidate != word)
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= most)
        .map(|candidate| {
            let same_but_case = candidate.to_lowercase() == folded;
            (if same_but_case { 0 } else { edit_distance(word, candidate) }, candidate)
        })
        // A change of every letter is not a misspelling.
        .filter(|(distance, candidate)| {
            *distance <= most && *distance < length.max(candidate.chars().count())
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_word_finds_its_neighbour_and_a_stranger_does_not() {
        let words = ["theta", "position", "velocity", "m"];
        assert_eq!(nearest("thetta", words), Some("theta"));
        assert_eq!(nearest("velocitty", words), Some("velocity"));
        assert_eq!(nearest("M", words), Some("m"));
        assert_eq!(nearest("q", words), None);
        assert_eq!(nearest("banana", words), None);
    }
}
