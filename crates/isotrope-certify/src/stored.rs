//! Certificates that were computed before: those of the list, which come with the program, and
//! those of other members of families, once in a run.
//!
//! The list is `data/certificates.json`, written by `cargo xtask certificates`. Of tables,
//! compositions and multistep methods a stored certificate is believed where its fingerprint is
//! that of the coefficients; of schemes, whose fingerprint takes as long as to write their
//! equations on two dozen problems, by name. A test compares every fingerprint.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use isotrope_algebra::OrInternal;
use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::certificate::Certificate;
use crate::fingerprint::{Digest, Fingerprint, Hasher};

const FILE: &str = include_str!("../data/certificates.json");

/// A certificate beside what it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    /// The name of the method.
    pub name: String,
    /// The fingerprint of what was certified.
    pub fingerprint: Fingerprint,
    /// What was computed.
    pub certificate: Certificate,
}

/// All certificates that come with the program, by name.
pub fn all() -> &'static BTreeMap<String, Stored> {
    static ALL: OnceLock<BTreeMap<String, Stored>> = OnceLock::new();
    ALL.get_or_init(|| {
        let list = read(FILE).ok().or_noticed("the certificates of the program can be read");
        list.into_iter().map(|stored| (stored.name.clone(), stored)).collect()
    })
}

/// The certificate of a method that comes with the program: only its part of the file is read.
pub fn of(name: &str) -> Option<Stored> {
    let begin = format!(" {{\n  \"name\": {},", serde_json::to_string(name).ok()?);
    let rest = &FILE[memmem::find(FILE.as_bytes(), begin.as_bytes())? + begin.len()..];
    let end = rest.find(END)?;
    serde_json::from_str(&format!("{begin}{}{END}", &rest[..end])).ok()
}

/// The end of a method in the file that [`write`] writes.
const END: &str = "\n }";

/// Reads what [`write`] wrote.
pub fn read(text: &str) -> serde_json::Result<Vec<Stored>> {
    serde_json::from_str(text)
}

/// The certificates as the file has them: sorted by name, a line for each thing that is known.
pub fn write(list: &[Stored]) -> serde_json::Result<String> {
    let mut sorted: Vec<&Stored> = list.iter().collect();
    sorted.sort_by(|one, other| one.name.cmp(&other.name));
    let mut out = String::from("[");
    for (number, stored) in sorted.into_iter().enumerate() {
        let name = serde_json::to_string(&stored.name)?;
        let fingerprint = serde_json::to_string(&stored.fingerprint)?;
        let known = serde_json::to_value(&stored.certificate)?;
        let mut lines = Vec::new();
        for (key, value) in known.as_object().into_iter().flatten() {
            lines.push(format!("\n   {}: {value}", serde_json::to_string(key)?));
        }
        let comma = if number == 0 { "" } else { "," };
        let end = if lines.is_empty() { "" } else { "\n  " };
        out.push_str(&format!(
            "{comma}\n {{\n  \"name\": {name},\n  \"fingerprint\": {fingerprint},\n  \"certificate\": {{{}{end}}}\n }}",
            lines.join(",")
        ));
    }
    out.push_str("\n]\n");
    Ok(out)
}

/// What was computed in this run of methods of the registry that are not in the list: their names say what
/// they are.
static COMPUTED: Mutex<BTreeMap<String, Certificate>> = Mutex::new(BTreeMap::new());

/// The certificate of a method that is not in the list, if it was computed or recalled in this run.
pub(crate) fn computed(name: &str) -> Option<Certificate> {
    COMPUTED.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
}

/// Keeps a certificate for the rest of the run.
pub(crate) fn keep(name: &str, certificate: &Certificate) {
    let mut all = COMPUTED.lock().unwrap_or_else(PoisonError::into_inner);
    all.insert(name.to_owned(), certificate.clone());
}

/// What a method that is not in the list is kept under from run to run: its name and everything that this
/// program has stored. When a scheme changes, so do stored fingerprints, and nothing old is recalled.
pub fn key(name: &str) -> Fingerprint {
    static FILE_DIGEST: OnceLock<Digest> = OnceLock::new();
    let mut hasher = Hasher::default();
    hasher.word(env!("CARGO_PKG_VERSION"));
    hasher.digest(*FILE_DIGEST.get_or_init(|| {
        let mut hasher = Hasher::default();
        hasher.word(FILE);
        hasher.finish()
    }));
    hasher.word(name);
    Fingerprint::of(hasher)
}

/// What is kept from run to run: a certificate, and a number that changes with every character of it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    checksum: Fingerprint,
    /// What [`Stored`] is as text.
    stored: String,
}

/// The checksum of a text under a key.
fn checksum(key: &Fingerprint, text: &str) -> Fingerprint {
    let mut hasher = Hasher::default();
    hasher.word(&key.to_string());
    hasher.word(text);
    Fingerprint::of(hasher)
}

/// What was computed in this run of a method that is not in the list, to be kept elsewhere for later runs.
pub fn remembered(name: &str) -> Option<String> {
    let certificate = computed(name)?;
    let stored = Stored { name: name.to_owned(), fingerprint: key(name), certificate };
    let stored = serde_json::to_string(&stored).ok()?;
    serde_json::to_string(&Kept { checksum: checksum(&key(name), &stored), stored }).ok()
}

/// Takes what [`remembered`] gave in an earlier run of the same program; `false`, and nothing is taken, if it
/// is something else: of another method or program, or not as it was written.
pub fn recall(name: &str, text: &str) -> bool {
    let key = key(name);
    let Ok(kept) = serde_json::from_str::<Kept>(text) else { return false };
    if kept.checksum != checksum(&key, &kept.stored) {
        return false;
    }
    let Ok(stored) = serde_json::from_str::<Stored>(&kept.stored) else { return false };
    let same = stored.name == name && stored.fingerprint == key;
    if same {
        keep(name, &stored.certificate);
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_method_is_read_as_all_are() {
        for (name, stored) in all() {
            assert_eq!(of(name).as_ref(), Some(stored));
        }
        assert_eq!(of("no-such-method"), None);
    }

    #[test]
    fn what_is_remembered_is_recalled_and_nothing_else_is() {
        let certificate = Certificate { order: Some(7), ..Certificate::default() };
        assert_eq!(remembered("of-a-test"), None);
        keep("of-a-test", &certificate);
        let text = remembered("of-a-test").unwrap();
        assert!(recall("of-a-test", &text));
        assert_eq!(computed("of-a-test"), Some(certificate));
        assert!(!recall("another", &text));
        assert!(!recall("of-a-test", &text[1..]));
        assert!(!recall("of-a-test", &text.replace("order", "odor")));
        // An order raised by hand has the form of a certificate, and is not believed.
        let raised = text.replace("order\\\":7", "order\\\":8");
        assert_ne!(raised, text);
        assert!(!recall("of-a-test", &raised));
        let other = text.replace(&key("of-a-test").to_string(), &key("another").to_string());
        assert!(!recall("of-a-test", &other));
    }
}
