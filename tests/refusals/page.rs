//! docs/errors.md: every code, what it means, what to do, and something that shows it.

use std::fmt::Write as _;
use std::path::Path;

use isotrope::codes::Code;

use crate::bad_models::bad_models;
use crate::command::root;
use crate::commands::CASES;

const INTRODUCTION: &str = "# Errors

Every refusal has a stable code, a place, a reason and a way out; all errors of a file are reported at once. The
command ends with exit code 2. `isotrope explain CODE` prints what is written here about one code.

An example is a model that is refused with the code (what the program says about it is in
`tests/snapshots/bad_models`) or a command. The page is made from the list in `crates/isotrope-model/src/codes`
by `ISOTROPE_UPDATE_DOCS=1 cargo test -p isotrope-cli --test refusals`.
";

/// A model that is refused with this code, if possible with nothing else; otherwise a command.
fn example(code: Code) -> String {
    let mut models = bad_models();
    models.retain(|model| model.expected.iter().any(|expected| expected == code.text()));
    models.sort_by_key(|model| (model.expected.len(), model.name.len()));
    if let Some(model) = models.first() {
        return format!("[{0}](../tests/bad_models/{0})", model.name);
    }
    let case = CASES.iter().find(|case| case.0 == code.text());
    case.map_or_else(String::new, |(_, arguments)| {
        format!("`isotrope {}`", arguments.join(" ").replace("good.toml", "MODEL"))
    })
}

/// The page, from what the program knows.
fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    let mut family = "";
    for code in Code::ALL {
        if code.family() != family {
            family = code.family();
            let header = "| code | meaning | way out | example |\n|---|---|---|---|\n";
            let _ = write!(page, "\n## {family}\n\n{header}");
        }
        let cells = [code.text(), code.explanation(), code.advice(), &example(*code)];
        let _ = writeln!(page, "| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
    page
}

#[test]
fn the_page_of_errors_has_every_code_and_is_what_the_program_knows() {
    let path = root().join("docs/errors.md");
    let page = page();
    if std::env::var_os("ISOTROPE_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differ = kept.lines().zip(page.lines()).find(|(kept, made)| kept != made);
    assert!(
        kept == page,
        "{differ:?}\nrun ISOTROPE_UPDATE_DOCS=1 cargo test -p isotrope-cli --test refusals"
    );
}

/// Everything in a text that looks like a code.
fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("ISO-").filter_map(|(start, _)| {
        let rest = &text[start..];
        let family = rest["ISO-".len()..].bytes().take_while(u8::is_ascii_uppercase).count();
        let number = rest.get("ISO-".len() + family + 1..)?;
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        let dash = rest.as_bytes()["ISO-".len() + family] == b'-';
        let whole = family > 0 && dash && digits > 0;
        whole.then(|| &rest[.."ISO-".len() + family + 1 + digits])
    })
}

/// Looks at every source and every page below a folder.
fn strangers(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            strangers(&path, found);
        } else if matches!(extension, Some("rs" | "md" | "toml" | "snap")) {
            let text = std::fs::read_to_string(&path).unwrap();
            let unknown = mentioned(&text).filter(|code| Code::find(code).is_none());
            found.extend(unknown.map(|code| format!("{code} in {}", path.display())));
        }
    }
}

#[test]
fn no_source_test_or_page_mentions_a_code_that_is_not_listed() {
    let mut found = Vec::new();
    for folder in ["crates", "docs", "tests"] {
        strangers(&root().join(folder), &mut found);
    }
    // The one that the tests of the list look for in vain.
    found.retain(|line| !line.starts_with("ISO-RUN-999 "));
    assert!(found.is_empty(), "{found:#?}");
}
