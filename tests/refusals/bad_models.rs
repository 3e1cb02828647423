//! Bad models: each is refused with the codes it names, and what the user reads is kept as a snapshot.
//!
//! A bad model begins with `# expect: CODE…`; a second line `# arguments: …` gives what follows it on the command line,
//! `# command: …` another command than `derive`.

use std::collections::BTreeSet;

use isotrope::codes::{Code, DeriveCode, ModelCode};

use crate::command::{complaints, root, run};
use crate::monsters::monsters;

/// A model that is refused.
pub struct BadModel {
    /// The name of its file.
    pub name: String,
    /// The codes it is refused with.
    pub expected: Vec<String>,
    /// The command that refuses it.
    pub command: String,
    /// What follows it on the command line.
    pub arguments: Vec<String>,
}

/// All of them, by name.
pub fn bad_models() -> Vec<BadModel> {
    let words = |line: Option<&str>, prefix: &str| -> Vec<String> {
        let line = line.and_then(|line| line.strip_prefix(prefix)).unwrap_or("");
        line.split_whitespace().map(str::to_owned).collect()
    };
    let mut models = Vec::new();
    for entry in std::fs::read_dir(root().join("tests/bad_models")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        let expected = words(lines.next(), "# expect: ");
        assert!(!expected.is_empty(), "{} expects nothing", path.display());
        let second = lines.next();
        let arguments = words(second, "# arguments: ");
        let command = words(second, "# command: ").pop().unwrap_or_else(|| "derive".to_owned());
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        models.push(BadModel { name, expected, command, arguments });
    }
    models.sort_by(|a, b| a.name.cmp(&b.name));
    models
}

#[test]
fn bad_models_are_refused_with_a_place_a_reason_and_a_way_out() {
    let models = bad_models();
    assert!(models.len() >= 70, "{} bad models", models.len());
    let mut wrong = Vec::new();
    for BadModel { name, expected, command, arguments } in models {
        let mut command = vec![command.as_str(), name.as_str()];
        command.extend(arguments.iter().map(String::as_str));
        let outcome = run(&root().join("tests/bad_models"), &command);
        wrong.extend(complaints(name.trim_end_matches(".toml"), &expected, &outcome));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_code_of_models_is_shown_by_a_bad_model() {
    let mut shown: BTreeSet<String> =
        bad_models().into_iter().flat_map(|model| model.expected).collect();
    shown.extend(monsters().into_iter().map(|monster| monster.code.to_owned()));
    let derivation = DeriveCode::ALL.iter().map(|code| Code::from(*code));
    let all = ModelCode::ALL.iter().map(|code| Code::from(*code)).chain(derivation);
    let missing: Vec<Code> = all.filter(|code| !shown.contains(code.text())).collect();
    assert!(missing.is_empty(), "no bad model shows {missing:?}");
}
