//! The words of a command line, before they are parsed.

use std::ffi::{OsStr, OsString};

/// Endings of files that may follow an option which chooses how an answer is written.
const FILES: [(&str, &[&str]); 4] = [
    ("--json", &["json"]),
    ("--latex", &["tex"]),
    ("--html", &["html", "htm"]),
    ("--csv", &["csv"]),
];

/// Commands whose `--out` takes something else than the answer, trajectories, or that have none.
const OTHERWISE: [&str; 4] = ["run", "drift", "explain", "bench"];

/// A file right behind `--json`, `--latex`, `--html` or `--csv` is where the answer goes:
/// `--latex table.tex` is `--latex --out table.tex`. The page of `compare` stands beside its table, so
/// `compare --html page.html` stays as it is, and takes any name but that of a model.
pub(super) fn spelled_out(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let words: Vec<OsString> = words.into_iter().collect();
    let command = words.iter().skip(1).find(|word| !is_option(word)).cloned();
    let command = command.as_deref().and_then(OsStr::to_str).unwrap_or("");
    let mut spelled = Vec::with_capacity(words.len() + 1);
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let next = words.peek().map(|next| next.to_string_lossy().into_owned());
        let option = FILES.iter().find(|(option, _)| word == *option);
        let (Some((option, endings)), Some(next)) = (option, next) else {
            spelled.push(word);
            continue;
        };
        let ending = next.rsplit_once('.').map_or("", |(_, ending)| ending);
        let fits = endings.iter().any(|known| ending.eq_ignore_ascii_case(known));
        if command == "compare" && *option == "--html" {
            let file = (!next.starts_with('-') && ending != "toml") || next == "-";
            match words.next_if(|_| file) {
                Some(file) => {
                    let mut joined = word;
                    joined.push("=");
                    joined.push(file);
                    spelled.push(joined);
                }
                None => spelled.push(word),
            }
            continue;
        }
        spelled.push(word);
        if fits && !is_option(OsStr::new(&next)) {
            let place = if OTHERWISE.contains(&command) { "--json-file" } else { "--out" };
            spelled.push(place.into());
        }
    }
    spelled
}

fn is_option(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(line: &str) -> String {
        let words = spelled_out(line.split(' ').map(OsString::from));
        words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_file_behind_a_format_is_where_the_answer_goes() {
        for (line, meant) in [
            ("isotrope derive m.toml --html p.html", "isotrope derive m.toml --html --out p.html"),
            ("isotrope derive --html m.toml", "isotrope derive --html m.toml"),
            ("isotrope derive --latex d.tex m.toml", "isotrope derive --latex --out d.tex m.toml"),
            ("isotrope methods --json gauss-3", "isotrope methods --json gauss-3"),
            ("isotrope run m.toml --json --out t.csv", "isotrope run m.toml --json --out t.csv"),
            (
                "isotrope run m.toml --json r.json --out t.csv",
                "isotrope run m.toml --json --json-file r.json --out t.csv",
            ),
            ("isotrope compare m.toml --html p", "isotrope compare m.toml --html=p"),
            ("isotrope compare --html m.toml", "isotrope compare --html m.toml"),
            ("isotrope compare m.toml --html", "isotrope compare m.toml --html"),
            (
                "isotrope compare m.toml --html --no-progress",
                "isotrope compare m.toml --html --no-progress",
            ),
            ("isotrope compare m.toml --csv t.csv", "isotrope compare m.toml --csv --out t.csv"),
        ] {
            assert_eq!(spelled(line), meant);
        }
    }
}
